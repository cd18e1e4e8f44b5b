/* Random numbers, and matrices printed and compared. */
#ifndef STICTION_ODE_MISC_H
#define STICTION_ODE_MISC_H

#include <ode/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* functions: made from functions.tsv by `cargo xtask headers` */
/* 1 if the random stream is as it should be. */
ODE_API int dTestRand(void);
/* Next number of the stream, 32 bits. */
ODE_API unsigned long dRand(void);
/* State of the stream. */
ODE_API unsigned long dRandGetSeed(void);
/* Sets the state of the stream. */
ODE_API void dRandSetSeed(unsigned long seed);
/* Random number from 0 to n - 1. */
ODE_API int dRandInt(int n);
/* Random number from 0 to 1. */
ODE_API dReal dRandReal(void);
/* Prints an n by m matrix, each element by the format. */
ODE_API void dPrintMatrix(const dReal *a, int n, int m, const char *format, FILE *file);
/* n random numbers from -range to range. */
ODE_API void dMakeRandomVector(dReal *a, int n, dReal range);
/* n by m random numbers from -range to range. */
ODE_API void dMakeRandomMatrix(dReal *a, int n, int m, dReal range);
/* Zeros above the diagonal of an n by n matrix. */
ODE_API void dClearUpperTriangle(dReal *a, int n);
/* Largest difference of elements of two n by m matrices. */
ODE_API dReal dMaxDifference(const dReal *a, const dReal *b, int n, int m);
/* The same on and below the diagonals of n by n matrices. */
ODE_API dReal dMaxDifferenceLowerTriangle(const dReal *a, const dReal *b, int n);
/* Changes worlds at random and checks their lists. */
ODE_API void dTestDataStructures(void);
/* Solves random complementarity problems and prints what came out. */
ODE_API int dTestSolveLCP(void);
/* end of functions */

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
/* Prints an n by m matrix to the standard output. */
static ODE_INLINE void dPrintMatrix(const dReal *a, int n, int m, const char *format = "%10.4f ")
{
    dPrintMatrix(a, n, m, format, stdout);
}
#endif

#endif
