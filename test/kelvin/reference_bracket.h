// reference_bracket.h - an L: [0, 3] x [0, 1] x [0, 1] with [0, 1] x [0, 1] x [0, 3]; z = 3 held, traction (0, 0, -1) on x = 3; E = 1000, nu = 0.3.
// Made by test/kelvin/reference/make_references.py bracket with gmsh 4.8.4 and CalculiX 2.20 (C3D10, linear static); see there. Do not edit.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

// Mean displacement of the loaded face. Edge 0.1, 0.0166667 at the inner edge, 30104 nodes in a half. Change from edge 0.14 (relative): 5.3e-04
static const double s_bracketTip[3] = { -0.0952861, 0.0, -0.231345 };
