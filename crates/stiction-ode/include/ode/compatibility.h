/* Names of version 0.5: real functions for old binaries, macros for sources. */
#ifndef STICTION_ODE_COMPATIBILITY_H
#define STICTION_ODE_COMPATIBILITY_H

#include <ode/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* functions: made from functions.tsv by `cargo xtask headers` */
/* dCreateCapsule under its name of version 0.5. */
ODE_API dGeomID dCreateCCylinder(dSpaceID space, dReal radius, dReal length);
/* dGeomCapsuleSetParams under its name of version 0.5. */
ODE_API void dGeomCCylinderSetParams(dGeomID geom, dReal radius, dReal length);
/* dGeomCapsuleGetParams under its name of version 0.5. */
ODE_API void dGeomCCylinderGetParams(dGeomID geom, dReal *radius, dReal *length);
/* dGeomCapsulePointDepth under its name of version 0.5. */
ODE_API dReal dGeomCCylinderPointDepth(dGeomID geom, dReal x, dReal y, dReal z);
/* Rotation of a quaternion (order of version 0.5). */
ODE_API void dQtoR(const dReal *q, dReal *rotation);
/* Quaternion of a rotation (order of version 0.5). */
ODE_API void dRtoQ(const dReal *rotation, dReal *q);
/* Rate of a quaternion from the angular velocity [rad/s] (order of version 0.5). */
ODE_API void dWtoDQ(const dReal *w, const dReal *q, dReal *dq);
/* end of functions */

#ifdef __cplusplus
}
#endif

#define dQtoR(q, R) dRfromQ((R), (q))
#define dRtoQ(R, q) dQfromR((q), (R))
#define dWtoDQ(w, q, dq) dDQfromW((dq), (w), (q))
#define dCreateCCylinder dCreateCapsule
#define dGeomCCylinderSetParams dGeomCapsuleSetParams
#define dGeomCCylinderGetParams dGeomCapsuleGetParams
#define dGeomCCylinderPointDepth dGeomCapsulePointDepth
#define dCCylinderClass dCapsuleClass

#endif
