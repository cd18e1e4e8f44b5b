/* Masses: of the basic shapes, moved, turned, scaled and added. */
#ifndef STICTION_ODE_MASS_H
#define STICTION_ODE_MASS_H

#include <ode/common.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dMass;
typedef struct dMass dMass;

/* functions: made from functions.tsv by `cargo xtask headers` */
/* 1 if a body can have the mass; else 0 and a message. */
ODE_API int dMassCheck(const dMass *mass);
/* Sets all to zero. */
ODE_API void dMassSetZero(dMass *mass);
/* Sets mass [kg], centre [m] and inertia [kg m^2]. */
ODE_API void dMassSetParameters(dMass *mass, dReal total, dReal cx, dReal cy, dReal cz, dReal ixx, dReal iyy, dReal
    izz, dReal ixy, dReal ixz, dReal iyz);
/* Sphere of a density [kg/m^3] and radius [m]. */
ODE_API void dMassSetSphere(dMass *mass, dReal density, dReal radius);
/* Sphere of a mass [kg] and radius [m]. */
ODE_API void dMassSetSphereTotal(dMass *mass, dReal total, dReal radius);
/* Capsule of a density along axis 1, 2 or 3; length without caps [m]. */
ODE_API void dMassSetCapsule(dMass *mass, dReal density, int direction, dReal radius, dReal length);
/* Capsule of a mass along axis 1, 2 or 3; length without caps [m]. */
ODE_API void dMassSetCapsuleTotal(dMass *mass, dReal total, int direction, dReal radius, dReal length);
/* Cylinder of a density along axis 1, 2 or 3 [m]. */
ODE_API void dMassSetCylinder(dMass *mass, dReal density, int direction, dReal radius, dReal length);
/* Cylinder of a mass along axis 1, 2 or 3 [m]. */
ODE_API void dMassSetCylinderTotal(dMass *mass, dReal total, int direction, dReal radius, dReal length);
/* Box of a density [kg/m^3] and sides [m]. */
ODE_API void dMassSetBox(dMass *mass, dReal density, dReal lx, dReal ly, dReal lz);
/* Box of a mass [kg] and sides [m]. */
ODE_API void dMassSetBoxTotal(dMass *mass, dReal total, dReal lx, dReal ly, dReal lz);
/* Solid inside a mesh at a density [kg/m^3]; inertia about the origin. */
ODE_API void dMassSetTrimesh(dMass *mass, dReal density, dGeomID geom);
/* Solid inside a mesh of a mass [kg]; inertia about the origin. */
ODE_API void dMassSetTrimeshTotal(dMass *mass, dReal total, dGeomID geom);
/* Scales to another mass [kg]. */
ODE_API void dMassAdjust(dMass *mass, dReal total);
/* Moves the mass [m]. */
ODE_API void dMassTranslate(dMass *mass, dReal x, dReal y, dReal z);
/* Turns the mass. */
ODE_API void dMassRotate(dMass *mass, const dReal *rotation);
/* Adds the second mass to the first. */
ODE_API void dMassAdd(dMass *a, const dMass *b);
/* dMassSetCapsule under its name of version 0.5. */
ODE_API void dMassSetCappedCylinder(dMass *mass, dReal density, int direction, dReal radius, dReal length);
/* dMassSetCapsuleTotal under its name of version 0.5. */
ODE_API void dMassSetCappedCylinderTotal(dMass *mass, dReal total, int direction, dReal radius, dReal length);
/* end of functions */

#ifdef __cplusplus
}
#endif

/* Mass [kg], centre [m] and inertia [kg m^2], by rows of four. */
struct dMass {
    dReal mass;
    dVector3 c;
    dMatrix3 I;
#ifdef __cplusplus
    dMass() { dMassSetZero(this); }
    void setZero()
    {
        dMassSetZero(this);
    }
    void setParameters(dReal total, dReal cx, dReal cy, dReal cz, dReal ixx, dReal iyy, dReal izz, dReal ixy, dReal ixz, dReal iyz)
    {
        dMassSetParameters(this, total, cx, cy, cz, ixx, iyy, izz, ixy, ixz, iyz);
    }
    void setSphere(dReal density, dReal radius)
    {
        dMassSetSphere(this, density, radius);
    }
    void setSphereTotal(dReal total, dReal radius)
    {
        dMassSetSphereTotal(this, total, radius);
    }
    void setBox(dReal density, dReal lx, dReal ly, dReal lz)
    {
        dMassSetBox(this, density, lx, ly, lz);
    }
    void setBoxTotal(dReal total, dReal lx, dReal ly, dReal lz)
    {
        dMassSetBoxTotal(this, total, lx, ly, lz);
    }
    void setTrimesh(dReal density, dGeomID geom)
    {
        dMassSetTrimesh(this, density, geom);
    }
    void setTrimeshTotal(dReal total, dGeomID geom)
    {
        dMassSetTrimeshTotal(this, total, geom);
    }
    void adjust(dReal total)
    {
        dMassAdjust(this, total);
    }
    void translate(dReal x, dReal y, dReal z)
    {
        dMassTranslate(this, x, y, z);
    }
    void rotate(const dMatrix3 rotation)
    {
        dMassRotate(this, rotation);
    }
    void add(const dMass *other)
    {
        dMassAdd(this, other);
    }
    void setCapsule(dReal density, int direction, dReal radius, dReal length)
    {
        dMassSetCapsule(this, density, direction, radius, length);
    }
    void setCapsuleTotal(dReal total, int direction, dReal radius, dReal length)
    {
        dMassSetCapsuleTotal(this, total, direction, radius, length);
    }
    void setCylinder(dReal density, int direction, dReal radius, dReal length)
    {
        dMassSetCylinder(this, density, direction, radius, length);
    }
    void setCylinderTotal(dReal total, int direction, dReal radius, dReal length)
    {
        dMassSetCylinderTotal(this, total, direction, radius, length);
    }
#endif
};

#endif
