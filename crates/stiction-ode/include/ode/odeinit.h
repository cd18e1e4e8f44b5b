/* Start and end of the library. */
#ifndef STICTION_ODE_ODEINIT_H
#define STICTION_ODE_ODEINIT_H

#include <ode/common.h>

#ifdef __cplusplus
extern "C" {
#endif

enum dInitODEFlags { dInitFlagManualThreadCleanup = 0x00000001 };

enum dAllocateODEDataFlags {
    dAllocateFlagBasicData = 0,
    dAllocateFlagCollisionData = 0x00000001,
    dAllocateMaskAll = ~0
};

/* functions: made from functions.tsv by `cargo xtask headers` */
/* Starts the library. */
ODE_API void dInitODE(void);
/* Starts the library; 0 or dInitFlag.... Nonzero on success. */
ODE_API int dInitODE2(unsigned flags);
/* Prepares the calling thread; dAllocateFlag.... Nonzero on success. */
ODE_API int dAllocateODEDataForThread(unsigned flags);
/* Undoes dAllocateODEDataForThread. */
ODE_API void dCleanupODEAllDataForThread(void);
/* Undoes one dInitODE. */
ODE_API void dCloseODE(void);
/* end of functions */

#ifdef __cplusplus
}
#endif

#endif
