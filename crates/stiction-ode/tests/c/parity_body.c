/* Bodies: state, mass, forces, frames, switches. */
#include "parity.h"

static dWorldID w;
static dBodyID b;

#define BODY(property, value)                                                                      \
    do {                                                                                           \
        dBodySet##property(b, value);                                                              \
        T2(dBodySet##property, dBodyGet##property, near(dBodyGet##property(b), value));            \
    } while (0)
/* Three numbers, and their effect on where the body is after a step. */
#define VECTOR(property)                                                                           \
    do {                                                                                           \
        dBodySet##property(b, 1, 2, 3);                                                            \
        T2(dBodySet##property, dBodyGet##property, near3(dBodyGet##property(b), 1, 2, 3));         \
        dBodySet##property(b, 0, 0, 0);                                                            \
    } while (0)

static dBodyID fresh(void)
{
    dBodyID body = dBodyCreate(w);
    dQuaternion q;
    dQFromAxisAndAngle(q, 0, 0, 1, M_PI / 2);
    dBodySetPosition(body, 1, 2, 3);
    dBodySetQuaternion(body, q);
    return body;
}

static void state(void)
{
    dMatrix3 r;
    dVector3 v;
    dQuaternion q;
    int here;
    VECTOR(Position);
    VECTOR(LinearVel);
    VECTOR(AngularVel);
    VECTOR(Force);
    VECTOR(Torque);
    dBodySetData(b, &here);
    T2(dBodySetData, dBodyGetData, dBodyGetData(b) == &here);
    dRFromAxisAndAngle(r, 0, 0, 1, M_PI / 2);
    dBodySetRotation(b, r);
    T2(dBodySetRotation, dBodyGetRotation, near(dBodyGetRotation(b)[1], -1) && near(dBodyGetRotation(b)[4], 1));
    memset(r, 0, sizeof r);
    dBodyCopyRotation(b, r);
    T(dBodyCopyRotation, near(r[1], -1));
    dQFromAxisAndAngle(q, 1, 0, 0, 0.5);
    dBodySetQuaternion(b, q);
    T2(dBodySetQuaternion, dBodyGetQuaternion, near4(dBodyGetQuaternion(b), cos(0.25), sin(0.25), 0, 0));
    memset(q, 0, sizeof q);
    dBodyCopyQuaternion(b, q);
    T(dBodyCopyQuaternion, near(q[1], sin(0.25)));
    dBodySetPosition(b, 4, 5, 6);
    dBodyCopyPosition(b, v);
    T(dBodyCopyPosition, near3(v, 4, 5, 6));
    T(dBodyGetWorld, dBodyGetWorld(b) == w);
}

static void mass(void)
{
    dMass m, n;
    dMassSetBoxTotal(&m, 3, 1, 2, 3);
    dBodySetMass(b, &m);
    memset(&n, 0, sizeof n);
    dBodyGetMass(b, &n);
    T2(dBodySetMass, dBodyGetMass, near(n.mass, 3) && near(n.I[0], m.I[0]));
    dBodySetKinematic(b);
    T2(dBodySetKinematic, dBodyIsKinematic, dBodyIsKinematic(b) != 0);
    dBodySetDynamic(b);
    T(dBodySetDynamic, dBodyIsKinematic(b) == 0);
}

static void forces(void)
{
    dBodyID c = fresh();
    const dReal *f = dBodyGetForce(c), *t = dBodyGetTorque(c);
#define PUSH(function, arguments, fx, fy, fz, tx, ty, tz)               \
    dBodySetForce(c, 0, 0, 0);                                          \
    dBodySetTorque(c, 0, 0, 0);                                         \
    function arguments;                                                 \
    T(function, near3(f, fx, fy, fz) && near3(t, tx, ty, tz))
    PUSH(dBodyAddForce, (c, 1, 2, 3), 1, 2, 3, 0, 0, 0);
    PUSH(dBodyAddTorque, (c, 1, 2, 3), 0, 0, 0, 1, 2, 3);
    PUSH(dBodyAddRelForce, (c, 1, 0, 0), 0, 1, 0, 0, 0, 0);
    PUSH(dBodyAddRelTorque, (c, 1, 0, 0), 0, 0, 0, 0, 1, 0);
    PUSH(dBodyAddForceAtPos, (c, 1, 0, 0, 1, 3, 3), 1, 0, 0, 0, 0, -1);
    PUSH(dBodyAddForceAtRelPos, (c, 1, 0, 0, 1, 0, 0), 1, 0, 0, 0, 0, -1);
    PUSH(dBodyAddRelForceAtPos, (c, 1, 0, 0, 2, 2, 3), 0, 1, 0, 0, 0, 1);
    PUSH(dBodyAddRelForceAtRelPos, (c, 0, 1, 0, 1, 0, 0), -1, 0, 0, 0, 0, 1);
    T2(dBodyGetForce, dBodyGetTorque, f && t && f != t);
    dBodyDestroy(c);
}

static void frames(void)
{
    dBodyID c = fresh();
    dVector3 v;
    dBodySetLinearVel(c, 0, 0, 5);
    dBodySetAngularVel(c, 0, 0, 2);
    dBodyGetRelPointPos(c, 1, 0, 0, v);
    T(dBodyGetRelPointPos, near3(v, 1, 3, 3));
    dBodyGetPosRelPoint(c, 1, 3, 3, v);
    T(dBodyGetPosRelPoint, near3(v, 1, 0, 0));
    dBodyGetRelPointVel(c, 1, 0, 0, v);
    T(dBodyGetRelPointVel, near3(v, -2, 0, 5));
    memset(v, 0, sizeof v);
    dBodyGetPointVel(c, 1, 3, 3, v);
    T(dBodyGetPointVel, near3(v, -2, 0, 5));
    dBodyVectorToWorld(c, 1, 0, 0, v);
    T(dBodyVectorToWorld, near3(v, 0, 1, 0));
    dBodyVectorFromWorld(c, 0, 1, 0, v);
    T(dBodyVectorFromWorld, near3(v, 1, 0, 0));
    dBodyDestroy(c);
}

static int moved_calls;
static dBodyID moved_body;
static void moved(dBodyID body)
{
    moved_calls++;
    moved_body = body;
}

static void switches(void)
{
    dVector3 v;
    dGeomID g, h;
    dJointID j;
    dBodyID c = fresh();
    BODY(AutoDisableLinearThreshold, 0.5);
    BODY(AutoDisableAngularThreshold, 0.75);
    BODY(AutoDisableAverageSamplesCount, 4);
    BODY(AutoDisableSteps, 17);
    BODY(AutoDisableTime, 2.5);
    BODY(LinearDampingThreshold, 0.5);
    BODY(AngularDampingThreshold, 0.75);
    BODY(LinearDamping, 0.125);
    BODY(AngularDamping, 0.0625);
    BODY(MaxAngularSpeed, 12);
    dBodySetDamping(b, 0.01, 0.02);
    T(dBodySetDamping, near(dBodyGetLinearDamping(b), 0.01) && near(dBodyGetAngularDamping(b), 0.02));
    dWorldSetDamping(w, 0.5, 0.25);
    dBodySetDampingDefaults(b);
    T(dBodySetDampingDefaults, near(dBodyGetLinearDamping(b), 0.5));
    dWorldSetDamping(w, 0, 0);
    dWorldSetAutoDisableSteps(w, 77);
    dBodySetAutoDisableDefaults(b);
    T(dBodySetAutoDisableDefaults, dBodyGetAutoDisableSteps(b) == 77);
    dBodySetAutoDisableFlag(b, 1);
    T2(dBodySetAutoDisableFlag, dBodyGetAutoDisableFlag, dBodyGetAutoDisableFlag(b) != 0);
    dBodySetGyroscopicMode(c, 0);
    T2(dBodySetGyroscopicMode, dBodyGetGyroscopicMode, dBodyGetGyroscopicMode(c) == 0 && dBodyGetGyroscopicMode(b) != 0);
    dBodySetGravityMode(c, 0);
    T2(dBodySetGravityMode, dBodyGetGravityMode, dBodyGetGravityMode(c) == 0 && dBodyGetGravityMode(b) != 0);
    dWorldSetGravity(w, 0, 0, -1);
    dWorldStep(w, 0.5);
    T(dBodySetGravityMode, near(dBodyGetLinearVel(c)[2], 0));
    dBodySetFiniteRotationMode(c, 1);
    T2(dBodySetFiniteRotationMode, dBodyGetFiniteRotationMode, dBodyGetFiniteRotationMode(c) == 1);
    dBodySetFiniteRotationAxis(c, 0, 2, 0);
    dBodyGetFiniteRotationAxis(c, v);
    T2(dBodySetFiniteRotationAxis, dBodyGetFiniteRotationAxis, near3(v, 0, 1, 0));
    dBodyDisable(c);
    T2(dBodyDisable, dBodyIsEnabled, dBodyIsEnabled(c) == 0 && dBodyIsEnabled(b) == 1);
    dBodyEnable(c);
    T(dBodyEnable, dBodyIsEnabled(c) == 1);
    dBodySetMovedCallback(c, moved);
    dWorldStep(w, 0.01);
    T(dBodySetMovedCallback, moved_calls == 1 && moved_body == c);
    j = dJointCreateBall(w, 0);
    dJointAttach(j, c, b);
    T2(dBodyGetNumJoints, dBodyGetJoint, dBodyGetNumJoints(c) == 1 && dBodyGetJoint(c, 0) == j);
    g = dCreateSphere(0, 1);
    h = dCreateSphere(0, 1);
    dGeomSetBody(g, c);
    dGeomSetBody(h, c);
    T2(dBodyGetFirstGeom, dBodyGetNextGeom, dBodyGetFirstGeom(c) == h && dBodyGetNextGeom(h) == g);
    T(dGeomGetBodyNext, dGeomGetBodyNext(h) == g);
    dBodyDestroy(c);
    T(dBodyDestroy, dGeomGetBody(g) == 0 && dBodyGetNumJoints(b) == 0);
    dGeomDestroy(g);
    dGeomDestroy(h);
}

int main(void)
{
    dInitODE();
    w = dWorldCreate();
    b = dBodyCreate(w);
    T(dBodyCreate, b != 0);
    state();
    mass();
    forces();
    frames();
    switches();
    dWorldDestroy(w);
    dCloseODE();
    return failures != 0;
}
