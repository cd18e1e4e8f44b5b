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
/* Sets for all bodies of the world, those that are there and new ones, what dBodySetStictionSwept does. */
ODE_API void dWorldSetStictionSwept(dWorldID world, int value);
/* Whether new bodies of the world are swept. */
ODE_API int dWorldGetStictionSwept(dWorldID world);
/* 1: in a step in which the body moves by more than half its thickness it stops where it first touches a geom of its space, or of spaces that dSpaceCollide2 was given with that; 0: as in ODE. */
ODE_API void dBodySetStictionSwept(dBodyID body, int value);
/* Whether the body is swept. */
ODE_API int dBodyGetStictionSwept(dBodyID body);
/* Version of the engine. */
ODE_API const char *dGetStictionVersion(void);
/* end of functions */

#ifdef __cplusplus
}
#endif

#endif
