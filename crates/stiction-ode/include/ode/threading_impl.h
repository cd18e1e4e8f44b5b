/* Threads of the library for calls of a program and of its worlds. */
#ifndef STICTION_ODE_THREADING_IMPL_H
#define STICTION_ODE_THREADING_IMPL_H

#include <ode/odeconfig.h>
#include <ode/threading.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dxThreadingThreadPool;
typedef struct dxThreadingThreadPool *dThreadingThreadPoolID;
/* Hears that a thread serves. */
typedef void dThreadReadyToServeCallback(void *context);

/* functions: made from functions.tsv by `cargo xtask headers` */
/* Threading in which the thread that waits makes the calls. */
ODE_API dThreadingImplementationID dThreadingAllocateSelfThreadedImplementation(void);
/* Threading in which threads that serve make the calls. */
ODE_API dThreadingImplementationID dThreadingAllocateMultiThreadedImplementation(void);
/* The functions of an implementation. */
ODE_API const dThreadingFunctionsInfo *dThreadingImplementationGetFunctions(dThreadingImplementationID implementation);
/* Lets the threads that serve return. */
ODE_API void dThreadingImplementationShutdownProcessing(dThreadingImplementationID implementation);
/* Threads may serve again after a shutdown. */
ODE_API void dThreadingImplementationCleanupForRestart(dThreadingImplementationID implementation);
/* Destroys an implementation. */
ODE_API void dThreadingFreeImplementation(dThreadingImplementationID implementation);
/* The calling thread serves until shutdown; calls back when it is ready. */
ODE_API void dExternalThreadingServeMultiThreadedImplementation(dThreadingImplementationID implementation,
    dThreadReadyToServeCallback *ready, void *context);
/* So many threads, with a stack size [bytes] or 0. */
ODE_API dThreadingThreadPoolID dThreadingAllocateThreadPool(unsigned thread_count, dsizeint stack_size, unsigned
    data_flags, void *reserved);
/* The threads of a pool serve an implementation. */
ODE_API void dThreadingThreadPoolServeMultiThreadedImplementation(dThreadingThreadPoolID pool,
    dThreadingImplementationID implementation);
/* Waits until no thread of the pool serves. */
ODE_API void dThreadingThreadPoolWaitIdleState(dThreadingThreadPoolID pool);
/* Ends the threads of a pool. */
ODE_API void dThreadingFreeThreadPool(dThreadingThreadPoolID pool);
/* end of functions */

#ifdef __cplusplus
}
#endif

#endif
