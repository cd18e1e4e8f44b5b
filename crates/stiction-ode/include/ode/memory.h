/* The allocator of dAlloc. */
#ifndef STICTION_ODE_MEMORY_H
#define STICTION_ODE_MEMORY_H

#include <ode/odeconfig.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void *dAllocFunction(dsizeint size);
typedef void *dReallocFunction(void *block, dsizeint old_size, dsizeint new_size);
typedef void dFreeFunction(void *block, dsizeint size);

/* functions: made from functions.tsv by `cargo xtask headers` */
/* Sets the function behind dAlloc; null for malloc. */
ODE_API void dSetAllocHandler(dAllocFunction *handler);
/* Sets the function behind dRealloc; null for realloc. */
ODE_API void dSetReallocHandler(dReallocFunction *handler);
/* Sets the function behind dFree; null for free. */
ODE_API void dSetFreeHandler(dFreeFunction *handler);
/* The function behind dAlloc, null for malloc. */
ODE_API dAllocFunction *dGetAllocHandler(void);
/* The function behind dRealloc, null for realloc. */
ODE_API dReallocFunction *dGetReallocHandler(void);
/* The function behind dFree, null for free. */
ODE_API dFreeFunction *dGetFreeHandler(void);
/* A block of memory [bytes]. */
ODE_API void *dAlloc(dsizeint size);
/* The block with another size [bytes], perhaps elsewhere. */
ODE_API void *dRealloc(void *block, dsizeint old_size, dsizeint new_size);
/* Gives a block back. */
ODE_API void dFree(void *block, dsizeint size);
/* end of functions */

#ifdef __cplusplus
}
#endif

#endif
