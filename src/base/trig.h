// trig.h - exp, log, cos, sin and cube root with the same bits on every machine: only + - * / and sqrt. Knows no physics.
#pragma once

// Error below 1e-14 over the ranges named, relative but for cos and sin near their zeros; outside of them the nearest sensible value.
double pnExp( double x ); // 0 below -700, finite at most exp( 700 )
double pnLn( double x ); // x > 0; -745 for anything else
double pnCbrt( double x );
double pnCos( double x ); // |x| up to 1e6
double pnSin( double x );
