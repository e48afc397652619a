// kernel.c - Kelvin's solution, eight sources at a time. After the appendix of Chang and Zhang (2004). Knows no surface.
#include "kernel.h"

#include "../base/core.h"

enum { PN_LANES = 8 };
typedef double pnLanes __attribute__( ( vector_size( 8 * PN_LANES ), aligned( 8 ) ) );

// The inner loops are compiled for each width of the machine. All widths do the same operations in the same order.
#if defined( __x86_64__ ) && defined( __gnu_linux__ ) && !defined( __SANITIZE_ADDRESS__ ) && !defined( __SANITIZE_THREAD__ ) && !defined( __clang__ )
#define PN_WIDE __attribute__( ( target_clones( "avx512f", "avx2", "default" ) ) )
#else
#define PN_WIDE
#endif

// Vectors are passed by pointer or live in one function: then no width needs a calling convention of its own.
static inline __attribute__( ( always_inline ) ) void pnInvertRoot( const pnLanes* square, pnLanes* inverse )
{
	for ( int lane = 0; lane < PN_LANES; ++lane )
	{
		( *inverse )[lane] = 1.0 / sqrt( ( *square )[lane] );
	}
}

static inline __attribute__( ( always_inline ) ) void pnStoreLanes( double* to, const pnLanes* value, int count )
{
	if ( count == PN_LANES )
	{
		*(pnLanes*)to = *value;
		return;
	}
	for ( int lane = 0; lane < count; ++lane )
	{
		to[lane] = ( *value )[lane];
	}
}

PN_WIDE static void pnFillDisplacements( const pnBasis* basis, pnVec3d point, double* rows, int columns )
{
	double nu = basis->poissonRatio, scale = 1.0 / ( 8.0 * M_PI * ( 1.0 - nu ) ), a = 3.0 - 4.0 * nu;
	int n = basis->sourceCount;
	for ( int p = 0; p < n; p += PN_LANES )
	{
		pnLanes dx = point.x - *(const pnLanes*)( basis->x + p ), dy = point.y - *(const pnLanes*)( basis->y + p ), dz = point.z - *(const pnLanes*)( basis->z + p );
		pnLanes r2 = dx * dx + dy * dy + dz * dz, inverse;
		pnInvertRoot( &r2, &inverse );
		pnLanes gx = dx * inverse, gy = dy * inverse, gz = dz * inverse, c = scale * inverse;
		pnLanes xx = c * ( a + gx * gx ), yy = c * ( a + gy * gy ), zz = c * ( a + gz * gz ), xy = c * ( gx * gy ), yz = c * ( gy * gz ), zx = c * ( gz * gx );
		int count = n - p < PN_LANES ? n - p : PN_LANES;
		double *x = rows + p, *y = rows + columns + p, *z = rows + 2 * columns + p;
		pnStoreLanes( x, &xx, count );
		pnStoreLanes( x + n, &xy, count );
		pnStoreLanes( x + 2 * n, &zx, count );
		pnStoreLanes( y, &xy, count );
		pnStoreLanes( y + n, &yy, count );
		pnStoreLanes( y + 2 * n, &yz, count );
		pnStoreLanes( z, &zx, count );
		pnStoreLanes( z + n, &yz, count );
		pnStoreLanes( z + 2 * n, &zz, count );
	}
}

PN_WIDE static void pnFillTractions( const pnBasis* basis, pnVec3d point, pnVec3d normal, double* rows, int columns )
{
	double nu = basis->poissonRatio, scale = -1.0 / ( 8.0 * M_PI * ( 1.0 - nu ) ), a = 1.0 - 2.0 * nu;
	int n = basis->sourceCount;
	for ( int p = 0; p < n; p += PN_LANES )
	{
		pnLanes dx = point.x - *(const pnLanes*)( basis->x + p ), dy = point.y - *(const pnLanes*)( basis->y + p ), dz = point.z - *(const pnLanes*)( basis->z + p );
		pnLanes r2 = dx * dx + dy * dy + dz * dz, inverse;
		pnInvertRoot( &r2, &inverse );
		pnLanes gx = dx * inverse, gy = dy * inverse, gz = dz * inverse, c = scale * inverse * inverse;
		pnLanes cosine = gx * normal.x + gy * normal.y + gz * normal.z;
		pnLanes c3 = 3.0 * c * cosine, ca = a * c, diagonal = ca * cosine;
		// Force along i, traction along j: c ( ( 3 gi gj + a dij ) cosine - a ( gi nj - gj ni ) )
		pnLanes wxy = ca * ( gx * normal.y - gy * normal.x ), wyz = ca * ( gy * normal.z - gz * normal.y ), wzx = ca * ( gz * normal.x - gx * normal.z );
		pnLanes sxy = c3 * gx * gy, syz = c3 * gy * gz, szx = c3 * gz * gx;
		pnLanes xx = c3 * gx * gx + diagonal, yy = c3 * gy * gy + diagonal, zz = c3 * gz * gz + diagonal;
		pnLanes xy = sxy - wxy, yx = sxy + wxy, yz = syz - wyz, zy = syz + wyz, zx = szx - wzx, xz = szx + wzx; // load, component
		int count = n - p < PN_LANES ? n - p : PN_LANES;
		double *x = rows + p, *y = rows + columns + p, *z = rows + 2 * columns + p;
		pnStoreLanes( x, &xx, count );
		pnStoreLanes( x + n, &yx, count );
		pnStoreLanes( x + 2 * n, &zx, count );
		pnStoreLanes( y, &xy, count );
		pnStoreLanes( y + n, &yy, count );
		pnStoreLanes( y + 2 * n, &zy, count );
		pnStoreLanes( z, &xz, count );
		pnStoreLanes( z + n, &yz, count );
		pnStoreLanes( z + 2 * n, &zz, count );
	}
}

void pnGetLinearField( int field, double poissonRatio, pnVec3d p, pnVec3d* displacement, double stress[6] )
{
	PN_ASSERT( 0 <= field && field < PN_LINEAR_FIELDS );
	pnVec3d u = { 0.0, 0.0, 0.0 };
	double s[6] = { 0.0 };
	switch ( field )
	{
	case 0: u.x = 1.0; break;
	case 1: u.y = 1.0; break;
	case 2: u.z = 1.0; break;
	case 3: u = pnMakeD( 0.0, -p.z, p.y ); break;
	case 4: u = pnMakeD( p.z, 0.0, -p.x ); break;
	case 5: u = pnMakeD( -p.y, p.x, 0.0 ); break;
	case 6: u = pnMakeD( p.y, p.x, 0.0 ); s[3] = 1.0; break;
	case 7: u = pnMakeD( 0.0, p.z, p.y ); s[4] = 1.0; break;
	case 8: u = pnMakeD( p.z, 0.0, p.x ); s[5] = 1.0; break;
	case 9: u = pnMakeD( p.x, -p.y, 0.0 ); s[0] = 1.0; s[1] = -1.0; break;
	case 10: u = pnMakeD( p.x, p.y, -2.0 * p.z ); s[0] = s[1] = 1.0; s[2] = -2.0; break;
	default:
		u = pnScaleD( ( 1.0 - 2.0 * poissonRatio ) / ( 1.0 + poissonRatio ), p );
		s[0] = s[1] = s[2] = 1.0;
		break;
	}
	*displacement = u;
	memcpy( stress, s, sizeof( s ) );
}

void pnGetHollowField( pnVec3d hollow, pnVec3d point, pnVec3d* displacement, double stress[6] )
{
	pnVec3d d = pnSubD( point, hollow );
	double r2 = pnDotD( d, d ) + 1e-30, c = 1.0 / ( 4.0 * M_PI * r2 * sqrt( r2 ) ), c3 = 3.0 * c / r2;
	*displacement = pnScaleD( c, d );
	stress[0] = c - c3 * d.x * d.x;
	stress[1] = c - c3 * d.y * d.y;
	stress[2] = c - c3 * d.z * d.z;
	stress[3] = -c3 * d.x * d.y;
	stress[4] = -c3 * d.y * d.z;
	stress[5] = -c3 * d.z * d.x;
}

// Linear fields, then hollows.
static void pnGetOtherField( const pnBasis* basis, int field, pnVec3d point, pnVec3d* displacement, double stress[6] )
{
	if ( field < PN_LINEAR_FIELDS )
	{
		pnGetLinearField( field, basis->poissonRatio, point, displacement, stress );
		return;
	}
	pnGetHollowField( basis->hollows[field - PN_LINEAR_FIELDS], point, displacement, stress );
}

void pnFillRows( const pnBasis* basis, pnVec3d point, pnVec3d normal, double* displacement, double* traction )
{
	int columns = pnGetColumnCount( basis ), first = 3 * basis->sourceCount;
	if ( displacement != NULL )
	{
		pnFillDisplacements( basis, point, displacement, columns );
	}
	if ( traction != NULL )
	{
		pnFillTractions( basis, point, normal, traction, columns );
	}
	for ( int field = 0; field < PN_LINEAR_FIELDS + basis->hollowCount; ++field )
	{
		pnVec3d u;
		double stress[6];
		pnGetOtherField( basis, field, point, &u, stress );
		if ( displacement != NULL )
		{
			displacement[first + field] = u.x;
			displacement[columns + first + field] = u.y;
			displacement[2 * columns + first + field] = u.z;
		}
		if ( traction != NULL )
		{
			pnVec3d t = pnStressTimes( stress, normal );
			traction[first + field] = t.x;
			traction[columns + first + field] = t.y;
			traction[2 * columns + first + field] = t.z;
		}
	}
	int polynomials = pnCountPolynomials( basis );
	if ( polynomials > 0 )
	{
		double u[3 * PN_POLYNOMIALS], stress[6 * PN_POLYNOMIALS];
		pnGetPolynomials( basis->poissonRatio, point, u, stress );
		int column = first + PN_LINEAR_FIELDS + basis->hollowCount;
		for ( int field = 0; field < polynomials; ++field )
		{
			pnVec3d t = pnStressTimes( stress + 6 * field, normal );
			double tractions[3] = { t.x, t.y, t.z };
			for ( int axis = 0; axis < 3; ++axis )
			{
				if ( displacement != NULL )
				{
					displacement[axis * columns + column + field] = u[3 * field + axis];
				}
				if ( traction != NULL )
				{
					traction[axis * columns + column + field] = tractions[axis];
				}
			}
		}
	}
}

// Stress of a force f: c ( a ( g f + f g - I ( f.g ) ) + 3 g g ( f.g ) ), c = -1 / ( 8 pi ( 1 - nu ) r^2 ).
PN_WIDE static void pnSumSources( const pnBasis* basis, const double* coefficients, pnVec3d point, double u[3], double stress[6] )
{
	double nu = basis->poissonRatio, scale = 1.0 / ( 8.0 * M_PI * ( 1.0 - nu ) ), au = 3.0 - 4.0 * nu, a = 1.0 - 2.0 * nu;
	int n = basis->sourceCount;
	pnLanes ux = { 0.0 }, uy = ux, uz = ux, sxx = ux, syy = ux, szz = ux, sxy = ux, syz = ux, szx = ux;
	for ( int p = 0; p < n; p += PN_LANES )
	{
		pnLanes fx = { 0.0 }, fy = fx, fz = fx;
		if ( n - p >= PN_LANES )
		{
			fx = *(const pnLanes*)( coefficients + p );
			fy = *(const pnLanes*)( coefficients + n + p );
			fz = *(const pnLanes*)( coefficients + 2 * n + p );
		}
		else
		{
			for ( int lane = 0; lane < n - p; ++lane )
			{
				fx[lane] = coefficients[p + lane];
				fy[lane] = coefficients[n + p + lane];
				fz[lane] = coefficients[2 * n + p + lane];
			}
		}
		pnLanes dx = point.x - *(const pnLanes*)( basis->x + p ), dy = point.y - *(const pnLanes*)( basis->y + p ), dz = point.z - *(const pnLanes*)( basis->z + p );
		// A place right on a source is outside the solid and means nothing; it must not give infinity all the same.
		pnLanes r2 = dx * dx + dy * dy + dz * dz + 1e-30, inverse;
		pnInvertRoot( &r2, &inverse );
		pnLanes gx = dx * inverse, gy = dy * inverse, gz = dz * inverse, c = scale * inverse;
		pnLanes along = gx * fx + gy * fy + gz * fz;
		ux += c * ( au * fx + gx * along );
		uy += c * ( au * fy + gy * along );
		uz += c * ( au * fz + gz * along );
		if ( stress != NULL )
		{
			pnLanes cs = -c * inverse, ca = a * cs, c3 = 3.0 * cs * along, d = ca * along;
			sxx += 2.0 * ca * gx * fx - d + c3 * gx * gx;
			syy += 2.0 * ca * gy * fy - d + c3 * gy * gy;
			szz += 2.0 * ca * gz * fz - d + c3 * gz * gz;
			sxy += ca * ( gx * fy + gy * fx ) + c3 * gx * gy;
			syz += ca * ( gy * fz + gz * fy ) + c3 * gy * gz;
			szx += ca * ( gz * fx + gx * fz ) + c3 * gz * gx;
		}
	}
	double sums[9] = { 0.0 };
	for ( int lane = 0; lane < PN_LANES; ++lane )
	{
		sums[0] += ux[lane];
		sums[1] += uy[lane];
		sums[2] += uz[lane];
		sums[3] += sxx[lane];
		sums[4] += syy[lane];
		sums[5] += szz[lane];
		sums[6] += sxy[lane];
		sums[7] += syz[lane];
		sums[8] += szx[lane];
	}
	memcpy( u, sums, 3 * sizeof( double ) );
	if ( stress != NULL )
	{
		memcpy( stress, sums + 3, 6 * sizeof( double ) );
	}
}

void pnSumFields( const pnBasis* basis, const double* coefficients, pnVec3d point, pnVec3d* displacement, double stress[6] )
{
	double u[3], s[6] = { 0.0 };
	pnSumSources( basis, coefficients, point, u, stress != NULL ? s : NULL );
	const double* linear = coefficients + 3 * basis->sourceCount;
	for ( int field = 0; field < PN_LINEAR_FIELDS + basis->hollowCount; ++field )
	{
		pnVec3d v;
		double t[6];
		pnGetOtherField( basis, field, point, &v, t );
		u[0] += linear[field] * v.x;
		u[1] += linear[field] * v.y;
		u[2] += linear[field] * v.z;
		for ( int k = 0; k < 6; ++k )
		{
			s[k] += linear[field] * t[k];
		}
	}
	int polynomials = pnCountPolynomials( basis );
	if ( polynomials > 0 )
	{
		double v[3 * PN_POLYNOMIALS], t[6 * PN_POLYNOMIALS];
		pnGetPolynomials( basis->poissonRatio, point, v, t );
		const double* amounts = linear + PN_LINEAR_FIELDS + basis->hollowCount;
		for ( int field = 0; field < polynomials; ++field )
		{
			for ( int k = 0; k < 3; ++k )
			{
				u[k] += amounts[field] * v[3 * field + k];
			}
			for ( int k = 0; k < 6; ++k )
			{
				s[k] += amounts[field] * t[6 * field + k];
			}
		}
	}
	if ( displacement != NULL )
	{
		*displacement = pnMakeD( u[0], u[1], u[2] );
	}
	if ( stress != NULL )
	{
		memcpy( stress, s, sizeof( s ) );
	}
}
