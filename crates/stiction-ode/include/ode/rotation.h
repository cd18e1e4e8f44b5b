/* Rotations and quaternions. */
#ifndef STICTION_ODE_ROTATION_H
#define STICTION_ODE_ROTATION_H

#include <ode/common.h>
#include <ode/compatibility.h>

#ifdef __cplusplus
extern "C" {
#endif

/* functions: made from functions.tsv by `cargo xtask headers` */
/* The rotation that turns nothing. */
ODE_API void dRSetIdentity(dReal *rotation);
/* The rotation about an axis by an angle [rad]. */
ODE_API void dRFromAxisAndAngle(dReal *rotation, dReal x, dReal y, dReal z, dReal angle);
/* The rotation of angles about x, y and z [rad], transposed as ODE has it. */
ODE_API void dRFromEulerAngles(dReal *rotation, dReal phi, dReal theta, dReal psi);
/* The rotation whose first columns are along two vectors. */
ODE_API void dRFrom2Axes(dReal *rotation, dReal ax, dReal ay, dReal az, dReal bx, dReal by, dReal bz);
/* A rotation whose third column is along a vector. */
ODE_API void dRFromZAxis(dReal *rotation, dReal x, dReal y, dReal z);
/* The quaternion that turns nothing. */
ODE_API void dQSetIdentity(dReal *q);
/* The quaternion about an axis by an angle [rad]. */
ODE_API void dQFromAxisAndAngle(dReal *q, dReal x, dReal y, dReal z, dReal angle);
/* a = b c. */
ODE_API void dQMultiply0(dReal *a, const dReal *b, const dReal *c);
/* a = b* c. */
ODE_API void dQMultiply1(dReal *a, const dReal *b, const dReal *c);
/* a = b c*. */
ODE_API void dQMultiply2(dReal *a, const dReal *b, const dReal *c);
/* a = b* c*. */
ODE_API void dQMultiply3(dReal *a, const dReal *b, const dReal *c);
/* Rotation of a quaternion. */
ODE_API void dRfromQ(dReal *rotation, const dReal *q);
/* Quaternion of a rotation. */
ODE_API void dQfromR(dReal *q, const dReal *rotation);
/* Rate of a quaternion from the angular velocity [rad/s]. */
ODE_API void dDQfromW(dReal *dq, const dReal *w, const dReal *q);
/* end of functions */

#ifdef __cplusplus
}
#endif

#endif
