/* Dense matrices by rows, each row as long as dPAD says, or skip. */
#ifndef STICTION_ODE_MATRIX_H
#define STICTION_ODE_MATRIX_H

#include <ode/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* functions: made from functions.tsv by `cargo xtask headers` */
/* Sets n elements to zero. */
ODE_API void dSetZero(dReal *a, int n);
/* Sets n elements to a value. */
ODE_API void dSetValue(dReal *a, int n, dReal value);
/* Scalar product of two vectors of n elements. */
ODE_API dReal dDot(const dReal *a, const dReal *b, int n);
/* A = B C, where A is p by r, B p by q, C q by r. */
ODE_API void dMultiply0(dReal *a, const dReal *b, const dReal *c, int p, int q, int r);
/* A = B' C, where A is p by r, B q by p, C q by r. */
ODE_API void dMultiply1(dReal *a, const dReal *b, const dReal *c, int p, int q, int r);
/* A = B C', where A is p by r, B p by q, C r by q. */
ODE_API void dMultiply2(dReal *a, const dReal *b, const dReal *c, int p, int q, int r);
/* Writes L of A = L L' over the lower triangle. 1 if A is positive definite. */
ODE_API int dFactorCholesky(dReal *a, int n);
/* Solves L L' x = b in place. */
ODE_API void dSolveCholesky(const dReal *l, dReal *b, int n);
/* Inverts a positive definite matrix. 1 if it is one. */
ODE_API int dInvertPDMatrix(const dReal *a, dReal *inverse, int n);
/* Whether a matrix is positive definite. */
ODE_API int dIsPositiveDefinite(const dReal *a, int n);
/* Writes L of A = L D L' below the diagonal, and 1/D to d. */
ODE_API void dFactorLDLT(dReal *a, dReal *d, int n, int skip);
/* Solves L x = b in place; L has ones on its diagonal. */
ODE_API void dSolveL1(const dReal *l, dReal *b, int n, int skip);
/* Solves L' x = b in place; L has ones on its diagonal. */
ODE_API void dSolveL1T(const dReal *l, dReal *b, int n, int skip);
/* Multiplies each element of a with that of d. */
ODE_API void dScaleVector(dReal *a, const dReal *d, int n);
/* Old name of dScaleVector. */
ODE_API void dVectorScale(dReal *a, const dReal *d, int n);
/* Solves L D L' x = b in place, d being 1/D. */
ODE_API void dSolveLDLT(const dReal *l, const dReal *d, dReal *b, int n, int skip);
/* Factors after a is added to the first row and column. */
ODE_API void dLDLTAddTL(dReal *l, dReal *d, const dReal *a, int n, int skip);
/* Factors after row and column r are removed. */
ODE_API void dLDLTRemove(dReal **a, const int *permutation, dReal *l, dReal *d, int n1, int n2, int r, int skip);
/* Removes row and column r of a matrix. */
ODE_API void dRemoveRowCol(dReal *a, int n, int skip, int r);
/* end of functions */

#ifdef __cplusplus
}
#endif

#endif
