/* What the engine behind the interface has of its own. */
#ifndef STICTION_ODE_STICTION_H
#define STICTION_ODE_STICTION_H

#include <ode/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* functions: made from functions.tsv by `cargo xtask headers` */
/* Sets the iterative stepper of the world: 0 ODE's own, with its trajectories; 1 the engine's. */
ODE_API void dWorldSetStictionMode(dWorldID world, int value);
/* The iterative stepper of the world: 0 ODE's own, with its trajectories; 1 the engine's. */
ODE_API int dWorldGetStictionMode(dWorldID world);
/* Largest error of a row in the last dWorldStep [m/s or rad/s]. */
ODE_API dReal dWorldGetStictionResidual(dWorldID world);
/* Version of the engine. */
ODE_API const char *dGetStictionVersion(void);
/* end of functions */

#ifdef __cplusplus
}
#endif

#endif
