/* What the engine behind the interface has of its own. */
#ifndef STICTION_ODE_STICTION_H
#define STICTION_ODE_STICTION_H

#include <ode/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* functions: made from functions.tsv by `cargo xtask headers` */
/* Sets the mode of the world: 0 exact, ODE's own iterative stepper and contact points; 1 fast, the engine's. */
ODE_API void dWorldSetStictionMode(dWorldID world, int value);
/* The mode of the world: 0 exact, ODE's own iterative stepper and contact points; 1 fast, the engine's. */
ODE_API int dWorldGetStictionMode(dWorldID world);
/* Largest error of a row that the direct solver had in its last step, one of dWorldStep or of fast mode [m/s or rad/s]. */
ODE_API dReal dWorldGetStictionResidual(dWorldID world);
/* Version of the engine. */
ODE_API const char *dGetStictionVersion(void);
/* end of functions */

#ifdef __cplusplus
}
#endif

#endif
