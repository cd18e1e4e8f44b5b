/* Joints: what all have, and anchors, axes, angles, parameters and forces of each kind. */
#include "parity.h"

static dWorldID w;
/* At (1,0,0) and (-1,0,0). */
static dBodyID a, b;
static dJointID j;

static void reset(void)
{
    static const dReal identity[4] = {1, 0, 0, 0};
    dBodySetPosition(a, 1, 0, 0);
    dBodySetPosition(b, -1, 0, 0);
    dBodySetQuaternion(a, identity);
    dBodySetQuaternion(b, identity);
    dBodySetLinearVel(a, 0, 0, 0);
    dBodySetLinearVel(b, 0, 0, 0);
    dBodySetAngularVel(a, 0, 0, 0);
    dBodySetAngularVel(b, 0, 0, 0);
    dBodySetForce(a, 0, 0, 0);
    dBodySetTorque(a, 0, 0, 0);
    dBodySetForce(b, 0, 0, 0);
    dBodySetTorque(b, 0, 0, 0);
}
static void turn(dBodyID body, double x, double y, double z, double angle)
{
    dQuaternion q;
    dQFromAxisAndAngle(q, x, y, z, angle);
    dBodySetQuaternion(body, q);
}

#define OPEN(kind, number)                                         \
    reset();                                                       \
    j = dJointCreate##kind(w, 0);                                  \
    T(dJointCreate##kind, j && dJointGetType(j) == number);        \
    dJointAttach(j, a, b)
#define PARAMETER(kind, parameter, value)                                                                          \
    dJointSet##kind##Param(j, parameter, value);                                                                   \
    T2(dJointSet##kind##Param, dJointGet##kind##Param, near(dJointGet##kind##Param(j, parameter), value))
#define POINT(set, get)                                            \
    do {                                                           \
        dVector3 v = {0, 0, 0, 0};                                 \
        set(j, 0.5, 2, 3);                                         \
        get(j, v);                                                 \
        T2(set, get, near3(v, 0.5, 2, 3));                         \
    } while (0)
#define AXIS(set, get)                                             \
    do {                                                           \
        dVector3 v = {0, 0, 0, 0};                                 \
        set(j, 0, 3, 4);                                           \
        get(j, v);                                                 \
        T2(set, get, near3(v, 0, 0.6, 0.8));                       \
    } while (0)
#define GETS3(get, x, y, z)                                        \
    do {                                                           \
        dVector3 v = {0, 0, 0, 0};                                 \
        get(j, v);                                                 \
        T(get, near3(v, x, y, z));                                 \
    } while (0)
#define GETS(get, value) T(get, near(get(j), value))
#define CLOSE() dJointDestroy(j)

static void common(void)
{
    dJointFeedback feedback;
    dJointGroupID group = dJointGroupCreate(0);
    dJointID list[4], k;
    int here;
    T(dJointGroupCreate, group != 0);
    OPEN(Ball, dJointTypeBall);
    T(dJointGetType, dJointGetType(j) == dJointTypeBall);
    T3(dJointAttach, dJointGetBody, dJointGetNumBodies,
       dJointGetBody(j, 0) == a && dJointGetBody(j, 1) == b && dJointGetNumBodies(j) == 2);
    dJointSetData(j, &here);
    T2(dJointSetData, dJointGetData, dJointGetData(j) == &here);
    dJointSetFeedback(j, &feedback);
    T2(dJointSetFeedback, dJointGetFeedback, dJointGetFeedback(j) == &feedback);
    dJointDisable(j);
    T2(dJointDisable, dJointIsEnabled, dJointIsEnabled(j) == 0);
    dJointEnable(j);
    T2(dJointEnable, dJointIsEnabled, dJointIsEnabled(j) == 1);
    T(dConnectingJoint, dConnectingJoint(a, b) == j);
    T(dConnectingJointList, dConnectingJointList(a, b, list) == 1 && list[0] == j);
    T(dAreConnected, dAreConnected(a, b) == 1);
    T(dAreConnectedExcluding,
      dAreConnectedExcluding(a, b, dJointTypeHinge) == 1 && dAreConnectedExcluding(a, b, dJointTypeBall) == 0);
    dJointDestroy(j);
    T(dJointDestroy, dBodyGetNumJoints(a) == 0);
    k = dJointCreateBall(w, group);
    dJointAttach(k, a, b);
    dJointGroupEmpty(group);
    T(dJointGroupEmpty, dBodyGetNumJoints(a) == 0);
    k = dJointCreateBall(w, group);
    dJointAttach(k, a, b);
    dJointGroupDestroy(group);
    T(dJointGroupDestroy, dBodyGetNumJoints(a) == 0);
}

static void contact(void)
{
    dContact c;
    memset(&c, 0, sizeof c);
    reset();
    c.geom.normal[0] = 1;
    c.surface.mu = 1;
    c.geom.depth = 0.1;
    j = dJointCreateContact(w, 0, &c);
    T(dJointCreateContact, j && dJointGetType(j) == dJointTypeContact);
    dJointAttach(j, a, b);
    dBodySetLinearVel(a, -1, 0, 0);
    dWorldStep(w, 0.01);
    T(dJointCreateContact, dBodyGetLinearVel(a)[0] > dBodyGetLinearVel(b)[0]);
    CLOSE();
    j = dJointCreateNull(w, 0);
    T(dJointCreateNull, j && dJointGetType(j) == dJointTypeNull);
    CLOSE();
}

static void ball(void)
{
    OPEN(Ball, 1);
    POINT(dJointSetBallAnchor, dJointGetBallAnchor);
    GETS3(dJointGetBallAnchor2, 0.5, 2, 3);
    {
        /* In the frame of the second body. */
        dVector3 v = {0, 0, 0, 0};
        dJointSetBallAnchor2(j, 1, 1, 1);
        dJointGetBallAnchor2(j, v);
        T(dJointSetBallAnchor2, near3(v, 0, 1, 1));
    }
    PARAMETER(Ball, dParamCFM, 0.25);
    CLOSE();
}

static void hinge(void)
{
    dVector3 v;
    OPEN(Hinge, 2);
    POINT(dJointSetHingeAnchor, dJointGetHingeAnchor);
    GETS3(dJointGetHingeAnchor2, 0.5, 2, 3);
    AXIS(dJointSetHingeAxis, dJointGetHingeAxis);
    PARAMETER(Hinge, dParamHiStop, 0.25);
    dJointSetHingeAxis(j, 0, 0, 1);
    turn(a, 0, 0, 1, 0.3);
    GETS(dJointGetHingeAngle, 0.3);
    dBodySetAngularVel(a, 0, 0, 2);
    GETS(dJointGetHingeAngleRate, 2);
    dJointAddHingeTorque(j, 3);
    T(dJointAddHingeTorque, near3(dBodyGetTorque(a), 0, 0, 3) && near3(dBodyGetTorque(b), 0, 0, -3));
    reset();
    dJointSetHingeAxisOffset(j, 0, 0, 1, 0.5);
    T(dJointSetHingeAxisOffset, near(fabs(dJointGetHingeAngle(j)), 0.5));
    dJointAttach(j, a, 0);
    dJointSetHingeAnchorDelta(j, 1, 2, 3, 0.5, 0, 0);
    dJointGetHingeAnchor(j, v);
    T(dJointSetHingeAnchorDelta, near3(v, 1, 2, 3));
    CLOSE();
}

static void slider(void)
{
    OPEN(Slider, 3);
    AXIS(dJointSetSliderAxis, dJointGetSliderAxis);
    dJointSetSliderAxisDelta(j, 1, 0, 0, 0, 0, 0);
    {
        dVector3 v = {0, 0, 0, 0};
        dJointGetSliderAxis(j, v);
        T(dJointSetSliderAxisDelta, near3(v, 1, 0, 0));
    }
    PARAMETER(Slider, dParamHiStop, 0.25);
    dBodySetPosition(a, 1.25, 0, 0);
    GETS(dJointGetSliderPosition, 0.25);
    dBodySetLinearVel(a, 2, 0, 0);
    GETS(dJointGetSliderPositionRate, 2);
    dJointAddSliderForce(j, 3);
    T(dJointAddSliderForce, near3(dBodyGetForce(a), 3, 0, 0) && near3(dBodyGetForce(b), -3, 0, 0));
    CLOSE();
}

static void hinge2(void)
{
    static const dReal steer[3] = {0, 0, 1}, wheel[3] = {0, 1, 0};
    OPEN(Hinge2, 6);
    POINT(dJointSetHinge2Anchor, dJointGetHinge2Anchor);
    GETS3(dJointGetHinge2Anchor2, 0.5, 2, 3);
    dJointSetHinge2Axes(j, steer, wheel);
    {
        dVector3 v = {0, 0, 0, 0}, u = {0, 0, 0, 0};
        dJointGetHinge2Axis1(j, v);
        dJointGetHinge2Axis2(j, u);
        T3(dJointSetHinge2Axes, dJointGetHinge2Axis1, dJointGetHinge2Axis2, near3(v, 0, 0, 1) && near3(u, 0, 1, 0));
        dJointSetHinge2Axis1(j, 1, 0, 0);
        dJointGetHinge2Axis1(j, v);
        T(dJointSetHinge2Axis1, near3(v, 1, 0, 0));
        dJointSetHinge2Axis2(j, 0, 0, 1);
        dJointGetHinge2Axis2(j, u);
        T(dJointSetHinge2Axis2, near3(u, 0, 0, 1));
        dJointSetHinge2Axes(j, steer, wheel);
    }
    PARAMETER(Hinge2, dParamHiStop, 0.25);
    turn(b, 0, 0, 1, 0.3);
    GETS(dJointGetHinge2Angle1, -0.3);
    dBodySetAngularVel(a, 0, 0, 2);
    GETS(dJointGetHinge2Angle1Rate, 2);
    reset();
    turn(b, 0, 1, 0, 0.3);
    T(dJointGetHinge2Angle2, near(fabs(dJointGetHinge2Angle2(j)), 0.3));
    dBodySetAngularVel(a, 0, 2, 0);
    GETS(dJointGetHinge2Angle2Rate, 2);
    reset();
    dJointAddHinge2Torques(j, 3, 4);
    T(dJointAddHinge2Torques, near3(dBodyGetTorque(a), 0, 4, 3));
    CLOSE();
}

static void universal(void)
{
    dReal angle1 = 9, angle2 = 9;
    OPEN(Universal, 5);
    POINT(dJointSetUniversalAnchor, dJointGetUniversalAnchor);
    GETS3(dJointGetUniversalAnchor2, 0.5, 2, 3);
    AXIS(dJointSetUniversalAxis1, dJointGetUniversalAxis1);
    AXIS(dJointSetUniversalAxis2, dJointGetUniversalAxis2);
    dJointSetUniversalAxis1(j, 0, 0, 1);
    dJointSetUniversalAxis2(j, 0, 1, 0);
    PARAMETER(Universal, dParamHiStop2, 0.25);
    turn(a, 0, 0, 1, 0.4);
    GETS(dJointGetUniversalAngle1, 0.4);
    reset();
    turn(b, 0, 1, 0, 0.4);
    GETS(dJointGetUniversalAngle2, -0.4);
    dJointGetUniversalAngles(j, &angle1, &angle2);
    T(dJointGetUniversalAngles, near(angle1, 0) && near(angle2, -0.4));
    reset();
    dBodySetAngularVel(a, 0, 2, 3);
    GETS(dJointGetUniversalAngle1Rate, 3);
    GETS(dJointGetUniversalAngle2Rate, 2);
    dJointAddUniversalTorques(j, 3, 4);
    T(dJointAddUniversalTorques, near3(dBodyGetTorque(a), 0, 4, 3));
    reset();
    dJointSetUniversalAxis1Offset(j, 0, 0, 1, 0.25, 0);
    T(dJointSetUniversalAxis1Offset, near(fabs(dJointGetUniversalAngle1(j)), 0.25));
    dJointSetUniversalAxis1(j, 0, 0, 1);
    dJointSetUniversalAxis2(j, 0, 1, 0);
    dJointSetUniversalAxis2Offset(j, 0, 1, 0, 0, 0.25);
    T(dJointSetUniversalAxis2Offset, near(fabs(dJointGetUniversalAngle2(j)), 0.25));
    CLOSE();
}

static void prismatic(void)
{
    dReal angle1 = 9, angle2 = 9;
    OPEN(PR, 12);
    POINT(dJointSetPRAnchor, dJointGetPRAnchor);
    AXIS(dJointSetPRAxis1, dJointGetPRAxis1);
    AXIS(dJointSetPRAxis2, dJointGetPRAxis2);
    dJointSetPRAnchor(j, 0, 0, 0);
    dJointSetPRAxis1(j, 1, 0, 0);
    dJointSetPRAxis2(j, 0, 0, 1);
    PARAMETER(PR, dParamHiStop, 0.25);
    dJointSetPRAnchor(j, 0, 0, 0);
    {
        const dReal start = dJointGetPRPosition(j);
        dBodySetPosition(a, 1.5, 0, 0);
        T(dJointGetPRPosition, near(dJointGetPRPosition(j) - start, 0.5));
    }
    dBodySetLinearVel(a, 2, 0, 0);
    GETS(dJointGetPRPositionRate, 2);
    reset();
    turn(b, 0, 0, 1, 0.3);
    T(dJointGetPRAngle, near(fabs(dJointGetPRAngle(j)), 0.3));
    dBodySetAngularVel(b, 0, 0, 2);
    T(dJointGetPRAngleRate, near(fabs(dJointGetPRAngleRate(j)), 2));
    reset();
    dJointAddPRTorque(j, 3);
    T(dJointAddPRTorque, near3(dBodyGetTorque(a), 0, 0, 3) && near3(dBodyGetTorque(b), 0, 0, -3));
    CLOSE();

    OPEN(PU, 13);
    POINT(dJointSetPUAnchor, dJointGetPUAnchor);
    AXIS(dJointSetPUAxis1, dJointGetPUAxis1);
    AXIS(dJointSetPUAxis2, dJointGetPUAxis2);
    AXIS(dJointSetPUAxis3, dJointGetPUAxis3);
    dJointSetPUAxisP(j, 4, 0, 3);
    GETS3(dJointGetPUAxisP, 0.8, 0, 0.6);
    {
        dVector3 v = {0, 0, 0, 0};
        dJointGetPUAxisP(j, v);
        T(dJointSetPUAxisP, near3(v, 0.8, 0, 0.6));
        dJointSetPUAxis1(j, 0, 0, 1);
        dJointSetPUAxis2(j, 0, 1, 0);
        dJointSetPUAxis3(j, 1, 0, 0);
        dJointSetPUAnchorDelta(j, 0.25, 1, 2, 0, 0, 0);
        dJointGetPUAnchor(j, v);
        T(dJointSetPUAnchorDelta, near3(v, 0.25, 1, 2));
        dJointSetPUAnchorOffset(j, 0.75, 1, 2, 0, 0, 0);
        dJointGetPUAnchor(j, v);
        T(dJointSetPUAnchorOffset, near3(v, 0.75, 1, 2));
    }
    PARAMETER(PU, dParamHiStop3, 0.25);
    dJointSetPUAnchor(j, 0, 0, 0);
    {
        const dReal start = dJointGetPUPosition(j);
        dBodySetPosition(a, 1.5, 0, 0);
        T(dJointGetPUPosition, near(fabs(dJointGetPUPosition(j) - start), 0.5));
    }
    dBodySetLinearVel(a, 2, 0, 0);
    GETS(dJointGetPUPositionRate, 2);
    reset();
    turn(a, 0, 0, 1, 0.4);
    GETS(dJointGetPUAngle1, 0.4);
    reset();
    turn(b, 0, 1, 0, 0.4);
    GETS(dJointGetPUAngle2, -0.4);
    dJointGetPUAngles(j, &angle1, &angle2);
    T(dJointGetPUAngles, near(angle1, 0) && near(angle2, -0.4));
    reset();
    dBodySetAngularVel(a, 0, 2, 3);
    GETS(dJointGetPUAngle1Rate, 3);
    GETS(dJointGetPUAngle2Rate, 2);
    CLOSE();
}

static void piston(void)
{
    dVector3 v;
    OPEN(Piston, 14);
    POINT(dJointSetPistonAnchor, dJointGetPistonAnchor);
    GETS3(dJointGetPistonAnchor2, 0.5, 2, 3);
    AXIS(dJointSetPistonAxis, dJointGetPistonAxis);
    dJointSetPistonAxisDelta(j, 1, 0, 0, 0, 0, 0);
    dJointGetPistonAxis(j, v);
    T(dJointSetPistonAxisDelta, near3(v, 1, 0, 0));
    dJointSetPistonAnchorOffset(j, 0.25, 1, 2, 0, 0, 0);
    dJointGetPistonAnchor(j, v);
    T(dJointSetPistonAnchorOffset, near3(v, 0.25, 1, 2));
    dJointSetPistonAnchor(j, 0, 0, 0);
    PARAMETER(Piston, dParamHiStop, 0.25);
    dBodySetPosition(a, 1.5, 0, 0);
    GETS(dJointGetPistonPosition, 0.5);
    dBodySetLinearVel(a, 2, 0, 0);
    GETS(dJointGetPistonPositionRate, 2);
    reset();
    turn(a, 1, 0, 0, 0.2);
    GETS(dJointGetPistonAngle, 0.2);
    dBodySetAngularVel(a, 3, 0, 0);
    GETS(dJointGetPistonAngleRate, 3);
    reset();
    dJointAddPistonForce(j, 3);
    T(dJointAddPistonForce, near3(dBodyGetForce(a), 3, 0, 0) && near3(dBodyGetForce(b), -3, 0, 0));
    CLOSE();
}

static void fixed(void)
{
    int i;
    OPEN(Fixed, 7);
    dJointSetFixed(j);
    PARAMETER(Fixed, dParamCFM, 1e-6);
    dBodySetAngularVel(a, 0, 0, 1);
    for (i = 0; i < 10; i++) dWorldStep(w, 0.01);
    T(dJointSetFixed, fabs(dBodyGetAngularVel(a)[2] - dBodyGetAngularVel(b)[2]) < 1e-3
      && fabs(dBodyGetPosition(a)[0] - dBodyGetPosition(b)[0] - 2) < 1e-2);
    CLOSE();
}

static void motors(void)
{
    dVector3 v = {0, 0, 0, 0};
    OPEN(AMotor, 9);
    dJointSetAMotorNumAxes(j, 3);
    T2(dJointSetAMotorNumAxes, dJointGetAMotorNumAxes, dJointGetAMotorNumAxes(j) == 3);
    dJointSetAMotorAxis(j, 1, 1, 0, 3, 4);
    dJointGetAMotorAxis(j, 1, v);
    T2(dJointSetAMotorAxis, dJointGetAMotorAxis, near3(v, 0, 0.6, 0.8));
    T(dJointGetAMotorAxisRel, dJointGetAMotorAxisRel(j, 1) == 1);
    dJointSetAMotorAngle(j, 2, 0.75);
    T2(dJointSetAMotorAngle, dJointGetAMotorAngle, near(dJointGetAMotorAngle(j, 2), 0.75));
    PARAMETER(AMotor, dParamVel2, 0.25);
    dJointSetAMotorAxis(j, 0, 0, 1, 0, 0);
    dJointSetAMotorAxis(j, 1, 0, 0, 1, 0);
    dJointSetAMotorAxis(j, 2, 0, 0, 0, 1);
    dJointAddAMotorTorques(j, 1, 2, 3);
    T(dJointAddAMotorTorques, near3(dBodyGetTorque(a), 1, 2, 3));
    dJointSetAMotorMode(j, dAMotorEuler);
    T2(dJointSetAMotorMode, dJointGetAMotorMode, dJointGetAMotorMode(j) == dAMotorEuler);
    dJointSetAMotorAxis(j, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(j, 2, 2, 0, 0, 1);
    dJointSetAMotorParam(j, dParamVel, 2);
    dJointSetAMotorParam(j, dParamFMax, 100);
    reset();
    dWorldStep(w, 0.01);
    T(dJointGetAMotorAngleRate, about(dJointGetAMotorAngleRate(j, 0), 2, 1e-6));
    CLOSE();

    OPEN(LMotor, 10);
    dJointSetLMotorNumAxes(j, 2);
    T2(dJointSetLMotorNumAxes, dJointGetLMotorNumAxes, dJointGetLMotorNumAxes(j) == 2);
    dJointSetLMotorAxis(j, 1, 0, 0, 3, 4);
    memset(v, 0, sizeof v);
    dJointGetLMotorAxis(j, 1, v);
    T2(dJointSetLMotorAxis, dJointGetLMotorAxis, near3(v, 0, 0.6, 0.8));
    PARAMETER(LMotor, dParamVel2, 0.25);
    CLOSE();

    OPEN(Plane2D, 11);
    dJointAttach(j, a, 0);
#define PLANE(function, setting, measured)                 \
    reset();                                               \
    function(j, dParamFMax, 1000);                         \
    function(j, dParamVel, 2);                             \
    dWorldStep(w, 0.01);                                   \
    T(function, about(measured, 2, 1e-6));                 \
    function(j, dParamFMax, 0)
    PLANE(dJointSetPlane2DXParam, 0, dBodyGetLinearVel(a)[0]);
    PLANE(dJointSetPlane2DYParam, 1, dBodyGetLinearVel(a)[1]);
    PLANE(dJointSetPlane2DAngleParam, 2, dBodyGetAngularVel(a)[2]);
    CLOSE();
}

static void doubles(void)
{
    OPEN(DBall, 15);
    POINT(dJointSetDBallAnchor1, dJointGetDBallAnchor1);
    POINT(dJointSetDBallAnchor2, dJointGetDBallAnchor2);
    dJointSetDBallAnchor1(j, 1, 0, 0);
    dJointSetDBallAnchor2(j, -1, 0, 0);
    GETS(dJointGetDBallDistance, 2);
    dJointSetDBallDistance(j, 3);
    T(dJointSetDBallDistance, near(dJointGetDBallDistance(j), 3));
    PARAMETER(DBall, dParamCFM, 0.25);
    CLOSE();
    OPEN(DHinge, 16);
    POINT(dJointSetDHingeAnchor1, dJointGetDHingeAnchor1);
    POINT(dJointSetDHingeAnchor2, dJointGetDHingeAnchor2);
    AXIS(dJointSetDHingeAxis, dJointGetDHingeAxis);
    dJointSetDHingeAnchor1(j, 1, 0, 0);
    dJointSetDHingeAnchor2(j, -1, 0, 0);
    GETS(dJointGetDHingeDistance, 2);
    PARAMETER(DHinge, dParamCFM, 0.25);
    CLOSE();
}

#define NUMBER(property, value)                                                              \
    dJointSetTransmission##property(j, value);                                               \
    T2(dJointSetTransmission##property, dJointGetTransmission##property,                     \
       near(dJointGetTransmission##property(j), value))

static void transmission(void)
{
    dVector3 v = {0, 0, 0, 0};
    int i;
    OPEN(Transmission, 17);
    POINT(dJointSetTransmissionAnchor1, dJointGetTransmissionAnchor1);
    POINT(dJointSetTransmissionAnchor2, dJointGetTransmissionAnchor2);
    dJointSetTransmissionMode(j, dTransmissionIntersectingAxes);
    T2(dJointSetTransmissionMode, dJointGetTransmissionMode,
       dJointGetTransmissionMode(j) == dTransmissionIntersectingAxes);
    AXIS(dJointSetTransmissionAxis1, dJointGetTransmissionAxis1);
    AXIS(dJointSetTransmissionAxis2, dJointGetTransmissionAxis2);
    dJointSetTransmissionMode(j, dTransmissionChainDrive);
    NUMBER(Radius1, 0.5);
    NUMBER(Radius2, 1.5);
    dJointSetTransmissionMode(j, dTransmissionParallelAxes);
    NUMBER(Ratio, 0.5);
    NUMBER(Backlash, 0.125);
    dJointSetTransmissionBacklash(j, 0);
    PARAMETER(Transmission, dParamCFM, 0.25);
    dJointSetTransmissionParam(j, dParamCFM, 1e-8);
    dJointSetTransmissionAxis(j, 2, 0, 0);
    dJointGetTransmissionAxis(j, v);
    T2(dJointSetTransmissionAxis, dJointGetTransmissionAxis, near3(v, 1, 0, 0));
    dJointSetTransmissionAxis(j, 0, 0, 1);
    dJointSetTransmissionAnchor1(j, 1, 0, 0);
    dJointSetTransmissionAnchor2(j, -1, 0, 0);
    {
        dJointID h = dJointCreateHinge(w, 0), k = dJointCreateHinge(w, 0);
        dJointAttach(h, a, 0);
        dJointSetHingeAnchor(h, 1, 0, 0);
        dJointSetHingeAxis(h, 0, 0, 1);
        dJointAttach(k, b, 0);
        dJointSetHingeAnchor(k, -1, 0, 0);
        dJointSetHingeAxis(k, 0, 0, 1);
        dBodySetAngularVel(a, 0, 0, 1);
        for (i = 0; i < 20; i++) dWorldStep(w, 0.01);
        T2(dJointGetTransmissionAngle1, dJointGetTransmissionAngle2,
           fabs(dJointGetTransmissionAngle1(j)) > 1e-3 && fabs(dJointGetTransmissionAngle2(j)) > 1e-3);
        memset(v, 0, sizeof v);
        dJointGetTransmissionContactPoint1(j, v);
        T(dJointGetTransmissionContactPoint1, fabs(v[0]) > 1e-3 && fabs(v[2]) < 1e-6);
        memset(v, 0, sizeof v);
        dJointGetTransmissionContactPoint2(j, v);
        T(dJointGetTransmissionContactPoint2, fabs(v[0]) > 1e-3 && fabs(v[2]) < 1e-6);
        dJointDestroy(h);
        dJointDestroy(k);
    }
    CLOSE();
}

int main(void)
{
    dInitODE();
    w = dWorldCreate();
    a = dBodyCreate(w);
    b = dBodyCreate(w);
    common();
    contact();
    ball();
    hinge();
    slider();
    hinge2();
    universal();
    prismatic();
    piston();
    fixed();
    motors();
    doubles();
    transmission();
    dWorldDestroy(w);
    dCloseODE();
    return failures != 0;
}
