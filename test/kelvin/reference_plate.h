// reference_plate.h - plates 1 x 1 x thickness, clamped at x = 0, traction 1 along -z on the face x = 1; E = 1000, nu = 0.3.
// Made by test/kelvin/reference/make_plates.py with CalculiX 2.20 (C3D20R, graded towards the clamp, linear static). Do not edit.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

static const struct
{
	double thickness, tip; // mean displacement of the loaded face along z
} s_plates[] = {
	{ 0.1, -0.380072 }, // 16 x 12 x 2 elements
	{ 0.05, -1.50889 }, // 28 x 24 x 2; with 20 x 14 x 2 it is -1.50887
};
