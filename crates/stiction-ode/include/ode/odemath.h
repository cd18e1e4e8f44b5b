/* Vectors and small matrices. */
#ifndef STICTION_ODE_ODEMATH_H
#define STICTION_ODE_ODEMATH_H

#include <ode/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Vectors: zero, given, sums, scaled, copied. */
ODE_PURE_INLINE void dZeroVector3(dReal *res)
{
    res[0] = 0;
    res[1] = 0;
    res[2] = 0;
}

ODE_PURE_INLINE void dAssignVector3(dReal *res, dReal x, dReal y, dReal z)
{
    res[0] = x;
    res[1] = y;
    res[2] = z;
}

ODE_PURE_INLINE void dZeroMatrix3(dReal *res)
{
    int i;
    for (i = 0; i < 12; i++) res[i] = 0;
}

ODE_PURE_INLINE void dZeroMatrix4(dReal *res)
{
    int i;
    for (i = 0; i < 16; i++) res[i] = 0;
}

ODE_PURE_INLINE void dAddVectors3(dReal *res, const dReal *a, const dReal *b)
{
    res[0] = a[0] + b[0];
    res[1] = a[1] + b[1];
    res[2] = a[2] + b[2];
}

ODE_PURE_INLINE void dSubtractVectors3(dReal *res, const dReal *a, const dReal *b)
{
    res[0] = a[0] - b[0];
    res[1] = a[1] - b[1];
    res[2] = a[2] - b[2];
}

ODE_PURE_INLINE void dAddVectorScaledVector3(dReal *res, const dReal *a, const dReal *b, dReal b_scale)
{
    res[0] = a[0] + b_scale * b[0];
    res[1] = a[1] + b_scale * b[1];
    res[2] = a[2] + b_scale * b[2];
}

ODE_PURE_INLINE void dAddScaledVectors3(dReal *res, const dReal *a, const dReal *b, dReal a_scale, dReal b_scale)
{
    res[0] = a_scale * a[0] + b_scale * b[0];
    res[1] = a_scale * a[1] + b_scale * b[1];
    res[2] = a_scale * a[2] + b_scale * b[2];
}

ODE_PURE_INLINE void dAddThreeScaledVectors3(dReal *res, const dReal *a, const dReal *b, const dReal *c, dReal a_scale, dReal b_scale, dReal c_scale)
{
    res[0] = a_scale * a[0] + b_scale * b[0] + c_scale * c[0];
    res[1] = a_scale * a[1] + b_scale * b[1] + c_scale * c[1];
    res[2] = a_scale * a[2] + b_scale * b[2] + c_scale * c[2];
}

ODE_PURE_INLINE void dScaleVector3(dReal *res, dReal scale)
{
    res[0] *= scale;
    res[1] *= scale;
    res[2] *= scale;
}

ODE_PURE_INLINE void dNegateVector3(dReal *res)
{
    res[0] = -res[0];
    res[1] = -res[1];
    res[2] = -res[2];
}

ODE_PURE_INLINE void dCopyVector3(dReal *res, const dReal *a)
{
    res[0] = a[0];
    res[1] = a[1];
    res[2] = a[2];
}

ODE_PURE_INLINE void dCopyScaledVector3(dReal *res, const dReal *a, dReal scale)
{
    res[0] = scale * a[0];
    res[1] = scale * a[1];
    res[2] = scale * a[2];
}

ODE_PURE_INLINE void dCopyNegatedVector3(dReal *res, const dReal *a)
{
    res[0] = -a[0];
    res[1] = -a[1];
    res[2] = -a[2];
}

ODE_PURE_INLINE void dCopyVector4(dReal *res, const dReal *a)
{
    res[0] = a[0];
    res[1] = a[1];
    res[2] = a[2];
    res[3] = a[3];
}

ODE_PURE_INLINE void dCopyMatrix4x4(dReal *res, const dReal *a)
{
    int i;
    for (i = 0; i < 16; i++) res[i] = a[i];
}

ODE_PURE_INLINE void dCopyMatrix4x3(dReal *res, const dReal *a)
{
    int i;
    for (i = 0; i < 12; i++) res[i] = a[i];
}

ODE_PURE_INLINE void dGetMatrixColumn3(dReal *res, const dReal *a, unsigned n)
{
    res[0] = a[n + 4 * 0];
    res[1] = a[n + 4 * 1];
    res[2] = a[n + 4 * 2];
}

ODE_PURE_INLINE dReal dCalcVectorLengthSquare3(const dReal *a)
{
    return a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
}

ODE_PURE_INLINE dReal dCalcVectorLength3(const dReal *a)
{
    return dSqrt(dCalcVectorLengthSquare3(a));
}

/* How far a point is behind a plane. */
ODE_PURE_INLINE dReal dCalcPointDepth3(const dReal *test_p, const dReal *plane_p, const dReal *plane_n)
{
    return (plane_p[0] - test_p[0]) * plane_n[0] + (plane_p[1] - test_p[1]) * plane_n[1]
        + (plane_p[2] - test_p[2]) * plane_n[2];
}

ODE_PURE_INLINE dReal dCalcPointsDistance3(const dReal *a, const dReal *b)
{
    dVector3 difference;
    dSubtractVectors3(difference, a, b);
    return dCalcVectorLength3(difference);
}

/* Scalar products; the numbers of a name are the steps from one element to the next. */
ODE_PURE_INLINE dReal dCalcVectorDotSteps3(const dReal *a, const dReal *b, unsigned step_a, unsigned step_b)
{
    return a[0] * b[0] + a[step_a] * b[step_b] + a[2 * step_a] * b[2 * step_b];
}

ODE_PURE_INLINE dReal dCalcVectorDot3(const dReal *a, const dReal *b)
{
    return dCalcVectorDotSteps3(a, b, 1, 1);
}

ODE_PURE_INLINE dReal dCalcVectorDot3_13(const dReal *a, const dReal *b)
{
    return dCalcVectorDotSteps3(a, b, 1, 3);
}

ODE_PURE_INLINE dReal dCalcVectorDot3_31(const dReal *a, const dReal *b)
{
    return dCalcVectorDotSteps3(a, b, 3, 1);
}

ODE_PURE_INLINE dReal dCalcVectorDot3_33(const dReal *a, const dReal *b)
{
    return dCalcVectorDotSteps3(a, b, 3, 3);
}

ODE_PURE_INLINE dReal dCalcVectorDot3_14(const dReal *a, const dReal *b)
{
    return dCalcVectorDotSteps3(a, b, 1, 4);
}

ODE_PURE_INLINE dReal dCalcVectorDot3_41(const dReal *a, const dReal *b)
{
    return dCalcVectorDotSteps3(a, b, 4, 1);
}

ODE_PURE_INLINE dReal dCalcVectorDot3_44(const dReal *a, const dReal *b)
{
    return dCalcVectorDotSteps3(a, b, 4, 4);
}

/* Cross products; the numbers of a name are the steps of the result and the factors. */
ODE_PURE_INLINE void dCalcVectorCrossSteps3(dReal *res, const dReal *a, const dReal *b, unsigned step_res, unsigned step_a, unsigned step_b)
{
    const dReal x = a[step_a] * b[2 * step_b] - a[2 * step_a] * b[step_b];
    const dReal y = a[2 * step_a] * b[0] - a[0] * b[2 * step_b];
    const dReal z = a[0] * b[step_b] - a[step_a] * b[0];
    res[0] = x;
    res[step_res] = y;
    res[2 * step_res] = z;
}

ODE_PURE_INLINE void dCalcVectorCross3(dReal *res, const dReal *a, const dReal *b)
{
    dCalcVectorCrossSteps3(res, a, b, 1, 1, 1);
}

ODE_PURE_INLINE void dCalcVectorCross3_114(dReal *res, const dReal *a, const dReal *b)
{
    dCalcVectorCrossSteps3(res, a, b, 1, 1, 4);
}

ODE_PURE_INLINE void dCalcVectorCross3_141(dReal *res, const dReal *a, const dReal *b)
{
    dCalcVectorCrossSteps3(res, a, b, 1, 4, 1);
}

ODE_PURE_INLINE void dCalcVectorCross3_144(dReal *res, const dReal *a, const dReal *b)
{
    dCalcVectorCrossSteps3(res, a, b, 1, 4, 4);
}

ODE_PURE_INLINE void dCalcVectorCross3_411(dReal *res, const dReal *a, const dReal *b)
{
    dCalcVectorCrossSteps3(res, a, b, 4, 1, 1);
}

ODE_PURE_INLINE void dCalcVectorCross3_414(dReal *res, const dReal *a, const dReal *b)
{
    dCalcVectorCrossSteps3(res, a, b, 4, 1, 4);
}

ODE_PURE_INLINE void dCalcVectorCross3_441(dReal *res, const dReal *a, const dReal *b)
{
    dCalcVectorCrossSteps3(res, a, b, 4, 4, 1);
}

ODE_PURE_INLINE void dCalcVectorCross3_444(dReal *res, const dReal *a, const dReal *b)
{
    dCalcVectorCrossSteps3(res, a, b, 4, 4, 4);
}

ODE_PURE_INLINE void dAddVectorCross3(dReal *res, const dReal *a, const dReal *b)
{
    dVector3 cross;
    dCalcVectorCross3(cross, a, b);
    dAddVectors3(res, res, cross);
}

ODE_PURE_INLINE void dSubtractVectorCross3(dReal *res, const dReal *a, const dReal *b)
{
    dVector3 cross;
    dCalcVectorCross3(cross, a, b);
    dSubtractVectors3(res, res, cross);
}

/* The matrix whose product with b is the cross product of a and b, without its diagonal; and its negative. */
ODE_PURE_INLINE void dSetCrossMatrixPlus(dReal *res, const dReal *a, unsigned skip)
{
    res[1] = -a[2];
    res[2] = a[1];
    res[skip] = a[2];
    res[skip + 2] = -a[0];
    res[2 * skip] = -a[1];
    res[2 * skip + 1] = a[0];
}

ODE_PURE_INLINE void dSetCrossMatrixMinus(dReal *res, const dReal *a, unsigned skip)
{
    res[1] = a[2];
    res[2] = -a[1];
    res[skip] = -a[2];
    res[skip + 2] = a[0];
    res[2 * skip] = a[1];
    res[2 * skip + 1] = -a[0];
}

/* Products of matrices and vectors: 0 A B, 1 A' B, 2 A B'; the sizes follow. */
ODE_PURE_INLINE void dMultiplyHelper0_331(dReal *res, const dReal *a, const dReal *b)
{
    const dReal x = dCalcVectorDot3(a, b);
    const dReal y = dCalcVectorDot3(a + 4, b);
    const dReal z = dCalcVectorDot3(a + 8, b);
    dAssignVector3(res, x, y, z);
}

ODE_PURE_INLINE void dMultiplyHelper1_331(dReal *res, const dReal *a, const dReal *b)
{
    const dReal x = dCalcVectorDot3_41(a, b);
    const dReal y = dCalcVectorDot3_41(a + 1, b);
    const dReal z = dCalcVectorDot3_41(a + 2, b);
    dAssignVector3(res, x, y, z);
}

ODE_PURE_INLINE void dMultiplyHelper0_133(dReal *res, const dReal *a, const dReal *b)
{
    dMultiplyHelper1_331(res, b, a);
}

ODE_PURE_INLINE void dMultiplyHelper1_133(dReal *res, const dReal *a, const dReal *b)
{
    const dReal x = dCalcVectorDot3_44(a, b);
    const dReal y = dCalcVectorDot3_44(a + 1, b);
    const dReal z = dCalcVectorDot3_44(a + 2, b);
    dAssignVector3(res, x, y, z);
}

ODE_PURE_INLINE void dMultiply0_331(dReal *res, const dReal *a, const dReal *b)
{
    dMultiplyHelper0_331(res, a, b);
}

ODE_PURE_INLINE void dMultiply1_331(dReal *res, const dReal *a, const dReal *b)
{
    dMultiplyHelper1_331(res, a, b);
}

ODE_PURE_INLINE void dMultiply0_133(dReal *res, const dReal *a, const dReal *b)
{
    dMultiplyHelper0_133(res, a, b);
}

ODE_PURE_INLINE void dMultiply0_333(dReal *res, const dReal *a, const dReal *b)
{
    dMultiplyHelper0_133(res + 0, a + 0, b);
    dMultiplyHelper0_133(res + 4, a + 4, b);
    dMultiplyHelper0_133(res + 8, a + 8, b);
}

ODE_PURE_INLINE void dMultiply1_333(dReal *res, const dReal *a, const dReal *b)
{
    int i, j;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++) res[4 * i + j] = dCalcVectorDot3_44(a + i, b + j);
}

ODE_PURE_INLINE void dMultiply2_333(dReal *res, const dReal *a, const dReal *b)
{
    int i, j;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++) res[4 * i + j] = dCalcVectorDot3(a + 4 * i, b + 4 * j);
}

ODE_PURE_INLINE void dMultiplyAdd0_331(dReal *res, const dReal *a, const dReal *b)
{
    dVector3 product;
    dMultiply0_331(product, a, b);
    dAddVectors3(res, res, product);
}

ODE_PURE_INLINE void dMultiplyAdd1_331(dReal *res, const dReal *a, const dReal *b)
{
    dVector3 product;
    dMultiply1_331(product, a, b);
    dAddVectors3(res, res, product);
}

ODE_PURE_INLINE void dMultiplyAdd0_133(dReal *res, const dReal *a, const dReal *b)
{
    dVector3 product;
    dMultiply0_133(product, a, b);
    dAddVectors3(res, res, product);
}

ODE_PURE_INLINE void dMultiplyAdd0_333(dReal *res, const dReal *a, const dReal *b)
{
    dMatrix3 product;
    dMultiply0_333(product, a, b);
    dAddVectors3(res + 0, res + 0, product + 0);
    dAddVectors3(res + 4, res + 4, product + 4);
    dAddVectors3(res + 8, res + 8, product + 8);
}

ODE_PURE_INLINE void dMultiplyAdd1_333(dReal *res, const dReal *a, const dReal *b)
{
    dMatrix3 product;
    dMultiply1_333(product, a, b);
    dAddVectors3(res + 0, res + 0, product + 0);
    dAddVectors3(res + 4, res + 4, product + 4);
    dAddVectors3(res + 8, res + 8, product + 8);
}

ODE_PURE_INLINE void dMultiplyAdd2_333(dReal *res, const dReal *a, const dReal *b)
{
    dMatrix3 product;
    dMultiply2_333(product, a, b);
    dAddVectors3(res + 0, res + 0, product + 0);
    dAddVectors3(res + 4, res + 4, product + 4);
    dAddVectors3(res + 8, res + 8, product + 8);
}

ODE_PURE_INLINE dReal dCalcMatrix3Det(const dReal *mat)
{
    dVector3 cross;
    dCalcVectorCross3(cross, mat + 4, mat + 8);
    return dCalcVectorDot3(mat, cross);
}

/* Writes the inverse and returns the determinant; nothing is written if that is zero. */
ODE_PURE_INLINE dReal dInvertMatrix3(dReal *dst, const dReal *ma)
{
    const dReal det = dCalcMatrix3Det(ma);
    int i;
    if (det == 0) return 0;
    /* The columns of the inverse are the cross products of the rows. */
    for (i = 0; i < 3; i++) {
        dVector3 cross;
        dCalcVectorCross3(cross, ma + 4 * ((i + 1) % 3), ma + 4 * ((i + 2) % 3));
        dst[i] = cross[0] / det;
        dst[4 + i] = cross[1] / det;
        dst[8 + i] = cross[2] / det;
    }
    return det;
}

/* functions: made from functions.tsv by `cargo xtask headers` */
/* Scales a vector to length 1; 0 if it has none. */
ODE_API int dSafeNormalize3(dReal *a);
/* Scales four numbers to length 1; 0 if they have none. */
ODE_API int dSafeNormalize4(dReal *a);
/* Scales a vector to length 1. */
ODE_API void dNormalize3(dReal *a);
/* Scales four numbers to length 1. */
ODE_API void dNormalize4(dReal *a);
/* Two vectors across a unit vector and each other. */
ODE_API void dPlaneSpace(const dReal *n, dReal *p, dReal *q);
/* Makes a rotation of one that is nearly. 1 on success. */
ODE_API int dOrthogonalizeR(dReal *rotation);
/* end of functions */

#ifdef __cplusplus
}
#endif

#include <ode/odemath_legacy.h>

#endif
