/* Contacts: where two geoms touch, and what their surfaces do. */
#ifndef STICTION_ODE_CONTACT_H
#define STICTION_ODE_CONTACT_H

#include <ode/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What of the surface is set. */
enum {
    dContactMu2 = 0x001,
    dContactAxisDep = 0x001,
    dContactFDir1 = 0x002,
    dContactBounce = 0x004,
    dContactSoftERP = 0x008,
    dContactSoftCFM = 0x010,
    dContactMotion1 = 0x020,
    dContactMotion2 = 0x040,
    dContactMotionN = 0x080,
    dContactSlip1 = 0x100,
    dContactSlip2 = 0x200,
    dContactRolling = 0x400,
    dContactApprox0 = 0x0000,
    dContactApprox1_1 = 0x1000,
    dContactApprox1_2 = 0x2000,
    dContactApprox1_N = 0x4000,
    dContactApprox1 = 0x7000
};

/* The surface of a contact. */
typedef struct dSurfaceParameters {
    int mode; /* dContact... */
    dReal mu; /* friction: largest force [N], or coefficient with dContactApprox1_1 */
    dReal mu2;
    dReal rho; /* the same for rolling: torque [N m], or length [m] */
    dReal rho2;
    dReal rhoN;
    dReal bounce; /* restitution */
    dReal bounce_vel; /* least speed that bounces [m/s] */
    dReal soft_erp;
    dReal soft_cfm;
    dReal motion1; /* velocities of the surface [m/s] */
    dReal motion2;
    dReal motionN;
    dReal slip1; /* sliding velocity per force [m/s/N] */
    dReal slip2;
} dSurfaceParameters;

/* Where two geoms touch: the normal points into g1. */
typedef struct dContactGeom {
    dVector3 pos; /* [m] */
    dVector3 normal;
    dReal depth; /* [m] */
    dGeomID g1;
    dGeomID g2;
    int side1; /* triangle, or -1 */
    int side2;
} dContactGeom;

/* What a contact joint is made of. */
typedef struct dContact {
    dSurfaceParameters surface;
    dContactGeom geom;
    dVector3 fdir1; /* first direction of friction */
} dContact;

#ifdef __cplusplus
}
#endif

#endif
