/* Threads that may share work on matrices, and resources for it. */
#ifndef STICTION_ODE_COOPERATIVE_H
#define STICTION_ODE_COOPERATIVE_H

#include <ode/common.h>
#include <ode/threading.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dxCooperative;
struct dxResourceRequirements;
struct dxResourceContainer;
typedef struct dxCooperative *dCooperativeID;
typedef struct dxResourceRequirements *dResourceRequirementsID;
typedef struct dxResourceContainer *dResourceContainerID;

/* functions: made from functions.tsv by `cargo xtask headers` */
/* Threads that may share work on matrices. */
ODE_API dCooperativeID dCooperativeCreate(const dThreadingFunctionsInfo *functions, dThreadingImplementationID
    implementation);
/* Ends the sharing. */
ODE_API void dCooperativeDestroy(dCooperativeID cooperative);
/* Requirements of work to come, none at first. */
ODE_API dResourceRequirementsID dResourceRequirementsCreate(dCooperativeID cooperative);
/* Destroys requirements. */
ODE_API void dResourceRequirementsDestroy(dResourceRequirementsID requirements);
/* A copy of requirements. */
ODE_API dResourceRequirementsID dResourceRequirementsClone(dResourceRequirementsID requirements);
/* Raises the first requirements to what the second need. */
ODE_API void dResourceRequirementsMergeIn(dResourceRequirementsID summary, dResourceRequirementsID extra);
/* Takes what the requirements name; null if it cannot be had. */
ODE_API dResourceContainerID dResourceContainerAcquire(dResourceRequirementsID requirements);
/* Gives resources back. */
ODE_API void dResourceContainerDestroy(dResourceContainerID resources);
/* end of functions */

#ifdef __cplusplus
}
#endif

#endif
