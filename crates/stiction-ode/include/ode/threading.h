/* What a program gives to have calls made by its own threads. */
#ifndef STICTION_ODE_THREADING_H
#define STICTION_ODE_THREADING_H

#include <ode/odeconfig.h>

#ifdef __cplusplus
extern "C" {
#endif

#include <time.h>

#define dTHREADING_THREAD_COUNT_UNLIMITED 0U

struct dxThreadingImplementation;
struct dxMutexGroup;
struct dxCallReleasee;
struct dxCallWait;
/* Threads; locks; a call; what waits for calls. */
typedef struct dxThreadingImplementation *dThreadingImplementationID;
typedef struct dxMutexGroup *dMutexGroupID;
typedef struct dxCallReleasee *dCallReleaseeID;
typedef struct dxCallWait *dCallWaitID;
typedef unsigned dmutexindex_t;
typedef dsizeint ddependencycount_t;
typedef ddiffint ddependencychange_t;
typedef dsizeint dcallindex_t;

/* Makes so many locks; names may be null. */
typedef dMutexGroupID dMutexGroupAllocFunction(
    dThreadingImplementationID implementation, dmutexindex_t count, const char *const *names);
typedef void dMutexGroupFreeFunction(dThreadingImplementationID implementation, dMutexGroupID group);
typedef void dMutexGroupMutexLockFunction(
    dThreadingImplementationID implementation, dMutexGroupID group, dmutexindex_t index);
typedef void dMutexGroupMutexUnlockFunction(
    dThreadingImplementationID implementation, dMutexGroupID group, dmutexindex_t index);

/* What is called; 0 says that it failed. */
typedef int dThreadedCallFunction(void *context, dcallindex_t index, dCallReleaseeID this_call);

typedef struct dxThreadedWaitTime {
    time_t wait_sec;
    unsigned long wait_nsec;
} dThreadedWaitTime;

typedef dCallWaitID dThreadedCallWaitAllocFunction(dThreadingImplementationID implementation);
typedef void dThreadedCallWaitResetFunction(dThreadingImplementationID implementation, dCallWaitID wait);
typedef void dThreadedCallWaitFreeFunction(dThreadingImplementationID implementation, dCallWaitID wait);

/*
 * Posts a call: it is made when its dependencies have ended, and ends, with those that were added meanwhile; then it takes one
 * dependency off another call, writes whether any of them failed, and wakes who waits. Null where nothing is to be told.
 */
typedef void dThreadedCallPostFunction(
    dThreadingImplementationID implementation, int *fault, dCallReleaseeID *call, ddependencycount_t dependencies,
    dCallReleaseeID dependent, dCallWaitID wait, dThreadedCallFunction *function, void *context, dcallindex_t index,
    const char *name);
typedef void dThreadedCallDependenciesCountAlterFunction(
    dThreadingImplementationID implementation, dCallReleaseeID call, ddependencychange_t change);
/* Waits for calls, at most for a time unless that is null; the status is 0 if the time was over before. */
typedef void dThreadedCallWaitFunction(
    dThreadingImplementationID implementation, int *status, dCallWaitID wait, const dThreadedWaitTime *timeout,
    const char *name);

typedef unsigned dThreadingImplThreadCountRetrieveFunction(dThreadingImplementationID implementation);
/* Prepares for so many calls at a time; nonzero on success. */
typedef int dThreadingImplResourcesForCallsPreallocateFunction(
    dThreadingImplementationID implementation, ddependencycount_t calls);

/* The functions of an implementation. */
typedef struct dxThreadingFunctionsInfo {
    unsigned struct_size; /* size of this structure */
    dMutexGroupAllocFunction *alloc_mutex_group;
    dMutexGroupFreeFunction *free_mutex_group;
    dMutexGroupMutexLockFunction *lock_group_mutex;
    dMutexGroupMutexUnlockFunction *unlock_group_mutex;
    dThreadedCallWaitAllocFunction *alloc_call_wait;
    dThreadedCallWaitResetFunction *reset_call_wait;
    dThreadedCallWaitFreeFunction *free_call_wait;
    dThreadedCallPostFunction *post_call;
    dThreadedCallDependenciesCountAlterFunction *alter_call_dependencies_count;
    dThreadedCallWaitFunction *wait_call;
    dThreadingImplThreadCountRetrieveFunction *retrieve_thread_count;
    dThreadingImplResourcesForCallsPreallocateFunction *preallocate_resources_for_calls;
} dThreadingFunctionsInfo;

#ifdef __cplusplus
}
#endif

#endif
