/* Factoring and solving with resources that threads may share. */
#ifndef STICTION_ODE_MATRIX_COOP_H
#define STICTION_ODE_MATRIX_COOP_H

#include <ode/common.h>
#include <ode/cooperative.h>

#ifdef __cplusplus
extern "C" {
#endif

/* functions: made from functions.tsv by `cargo xtask headers` */
/* Adds what dCooperativelyFactorLDLT needs. */
ODE_API void dEstimateCooperativelyFactorLDLTResourceRequirements(dResourceRequirementsID requirements, unsigned
    max_threads, unsigned max_rows);
/* dFactorLDLT with resources. */
ODE_API void dCooperativelyFactorLDLT(dResourceContainerID resources, unsigned threads, dReal *a, dReal *d, unsigned
    rows, unsigned skip);
/* Adds what dCooperativelySolveLDLT needs. */
ODE_API void dEstimateCooperativelySolveLDLTResourceRequirements(dResourceRequirementsID requirements, unsigned
    max_threads, unsigned max_rows);
/* dSolveLDLT with resources. */
ODE_API void dCooperativelySolveLDLT(dResourceContainerID resources, unsigned threads, const dReal *l, const dReal *d,
    dReal *b, unsigned rows, unsigned skip);
/* Adds what dCooperativelySolveL1Straight needs. */
ODE_API void dEstimateCooperativelySolveL1StraightResourceRequirements(dResourceRequirementsID requirements, unsigned
    max_threads, unsigned max_rows);
/* dSolveL1 with resources. */
ODE_API void dCooperativelySolveL1Straight(dResourceContainerID resources, unsigned threads, const dReal *l, dReal *b,
    unsigned rows, unsigned skip);
/* Adds what dCooperativelySolveL1Transposed needs. */
ODE_API void dEstimateCooperativelySolveL1TransposedResourceRequirements(dResourceRequirementsID requirements, unsigned
    max_threads, unsigned max_rows);
/* dSolveL1T with resources. */
ODE_API void dCooperativelySolveL1Transposed(dResourceContainerID resources, unsigned threads, const dReal *l, dReal
    *b, unsigned rows, unsigned skip);
/* Adds what dCooperativelyScaleVector needs. */
ODE_API void dEstimateCooperativelyScaleVectorResourceRequirements(dResourceRequirementsID requirements, unsigned
    max_threads, unsigned max_rows);
/* dScaleVector with resources. */
ODE_API void dCooperativelyScaleVector(dResourceContainerID resources, unsigned threads, dReal *a, const dReal *d,
    unsigned count);
/* end of functions */

#ifdef __cplusplus
}
#endif

#endif
