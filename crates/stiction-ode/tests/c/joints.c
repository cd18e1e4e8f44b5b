/*
 * Random mechanisms of every joint type, with stops, motors and feedback, stepped by one stepper or the other. Prints the state
 * of every body, the reading of every joint and its feedback; run with two libraries, the tables are compared number by number.
 *
 *   joints CASES SEED
 */
#include <math.h>
#include <ode/ode.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t state;
static double unit(void) /* 0 to 1, the same with every library */
{
    state = 1664525u * state + 1013904223u;
    return (state >> 8) / (double)(1 << 24);
}
static double between(double a, double b) { return a + (b - a) * unit(); }
static int pick(int n) { return (int)(unit() * n); }
static void direction(double *v)
{
    double l;
    do {
        v[0] = between(-1, 1);
        v[1] = between(-1, 1);
        v[2] = between(-1, 1);
        l = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    } while (l < 0.2 || l > 1);
    v[0] /= l;
    v[1] /= l;
    v[2] /= l;
}
static void across(const double *a, double *b) /* a unit vector perpendicular to a */
{
    double d[3], k, l;
    direction(d);
    k = a[0] * d[0] + a[1] * d[1] + a[2] * d[2];
    b[0] = d[0] - k * a[0];
    b[1] = d[1] - k * a[1];
    b[2] = d[2] - k * a[2];
    l = sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
    if (l < 0.1) {
        across(a, b);
        return;
    }
    b[0] /= l;
    b[1] /= l;
    b[2] /= l;
}

enum { BALL, HINGE, SLIDER, UNIVERSAL, HINGE2, FIXED, AMOTOR, AMOTOR_EULER, LMOTOR, PLANE2D, PR, PU, PISTON, DBALL, DHINGE, TRANSMISSION, CONTACT, KINDS };
static const char *const names[KINDS] = {"ball", "hinge", "slider", "universal", "hinge2", "fixed", "amotor", "amotor_euler", "lmotor",
                                         "plane2d", "pr", "pu", "piston", "dball", "dhinge", "transmission", "contact"};

static dWorldID W;

typedef void Set(dJointID, int, dReal);
static void parameters(dJointID j, Set *set, int group, double reach)
{
    if (pick(2)) { /* a motor */
        set(j, dParamVel + group, between(-2, 2));
        set(j, dParamFMax + group, between(0, 5));
        set(j, dParamFudgeFactor + group, unit());
    }
    if (pick(2)) { /* stops */
        set(j, dParamLoStop + group, between(-reach, 0));
        set(j, dParamHiStop + group, between(0, reach));
        if (pick(2)) set(j, dParamBounce + group, unit());
        set(j, dParamStopERP + group, between(0.1, 0.9));
        set(j, dParamStopCFM + group, between(0, 1e-3));
    }
    if (pick(3) == 0) set(j, dParamCFM + group, between(1e-6, 1e-3));
}

static dJointID make(int kind, dBodyID a, dBodyID b)
{
    dJointID j;
    dBodyID first = a ? a : b;
    const dReal *x = dBodyGetPosition(first);
    double p[3] = {x[0] + between(-0.5, 0.5), x[1] + between(-0.5, 0.5), x[2] + between(-0.5, 0.5)}, u[3], v[3];
    int i;
    direction(u);
    across(u, v);
    switch (kind) {
    case BALL:
        j = dJointCreateBall(W, 0);
        dJointAttach(j, a, b);
        dJointSetBallAnchor(j, p[0], p[1], p[2]);
        if (pick(2)) dJointSetBallParam(j, dParamERP, between(0.1, 0.8)), dJointSetBallParam(j, dParamCFM, between(0, 1e-3));
        return j;
    case HINGE:
        j = dJointCreateHinge(W, 0);
        dJointAttach(j, a, b);
        dJointSetHingeAnchor(j, p[0], p[1], p[2]);
        if (pick(2)) dJointSetHingeAxis(j, u[0], u[1], u[2]);
        else dJointSetHingeAxisOffset(j, u[0], u[1], u[2], between(-1, 1));
        parameters(j, dJointSetHingeParam, 0, 1);
        return j;
    case SLIDER:
        j = dJointCreateSlider(W, 0);
        dJointAttach(j, a, b);
        dJointSetSliderAxis(j, u[0], u[1], u[2]);
        parameters(j, dJointSetSliderParam, 0, 0.3);
        return j;
    case UNIVERSAL:
        j = dJointCreateUniversal(W, 0);
        dJointAttach(j, a, b);
        dJointSetUniversalAnchor(j, p[0], p[1], p[2]);
        dJointSetUniversalAxis1(j, u[0], u[1], u[2]);
        dJointSetUniversalAxis2(j, v[0], v[1], v[2]);
        /* From the world's side stock's offset takes a frame of two equal axes, which is none. */
        if (pick(3) == 0 && a) dJointSetUniversalAxis1Offset(j, u[0], u[1], u[2], between(-0.5, 0.5), between(-0.5, 0.5));
        parameters(j, dJointSetUniversalParam, 0, 1);
        parameters(j, dJointSetUniversalParam, dParamGroup2, 1);
        return j;
    case HINGE2:
        j = dJointCreateHinge2(W, 0);
        dJointAttach(j, a, b);
        dJointSetHinge2Anchor(j, p[0], p[1], p[2]);
        {
            dVector3 axis1 = {u[0], u[1], u[2]}, axis2 = {v[0] + 0.2 * u[0], v[1] + 0.2 * u[1], v[2] + 0.2 * u[2]};
            dJointSetHinge2Axes(j, axis1, axis2);
        }
        parameters(j, dJointSetHinge2Param, 0, 1);
        dJointSetHinge2Param(j, dParamVel2, between(-5, 5));
        dJointSetHinge2Param(j, dParamFMax2, between(0, 5));
        dJointSetHinge2Param(j, dParamSuspensionERP, between(0.1, 0.6));
        dJointSetHinge2Param(j, dParamSuspensionCFM, between(0, 0.05));
        return j;
    case FIXED:
        j = dJointCreateFixed(W, 0);
        dJointAttach(j, a, b);
        dJointSetFixed(j);
        if (pick(2)) dJointSetFixedParam(j, dParamCFM, between(0, 1e-3));
        return j;
    case AMOTOR:
        j = dJointCreateAMotor(W, 0);
        dJointAttach(j, a, b);
        dJointSetAMotorNumAxes(j, 1 + pick(3));
        for (i = 0; i < dJointGetAMotorNumAxes(j); i++) {
            direction(u);
            dJointSetAMotorAxis(j, i, a && b ? pick(3) : pick(2) * (a ? 1 : 2), u[0], u[1], u[2]);
            dJointSetAMotorAngle(j, i, between(-1, 1));
            parameters(j, dJointSetAMotorParam, i * dParamGroup, 1);
        }
        return j;
    case AMOTOR_EULER:
        j = dJointCreateAMotor(W, 0);
        dJointAttach(j, a, b);
        dJointSetAMotorMode(j, dAMotorEuler);
        dJointSetAMotorAxis(j, 0, 1, u[0], u[1], u[2]);
        dJointSetAMotorAxis(j, 2, 2, v[0], v[1], v[2]);
        for (i = 0; i < 3; i++) parameters(j, dJointSetAMotorParam, i * dParamGroup, 1);
        return j;
    case LMOTOR:
        j = dJointCreateLMotor(W, 0);
        dJointAttach(j, a, b);
        dJointSetLMotorNumAxes(j, 1 + pick(3));
        for (i = 0; i < dJointGetLMotorNumAxes(j); i++) {
            direction(u);
            dJointSetLMotorAxis(j, i, a && b ? pick(3) : pick(2), u[0], u[1], u[2]);
            dJointSetLMotorParam(j, dParamVel + i * dParamGroup, between(-2, 2));
            dJointSetLMotorParam(j, dParamFMax + i * dParamGroup, between(0, 5));
        }
        return j;
    case PLANE2D:
        j = dJointCreatePlane2D(W, 0);
        dJointAttach(j, first, 0);
        dJointSetPlane2DXParam(j, dParamVel, between(-1, 1));
        dJointSetPlane2DXParam(j, dParamFMax, between(0, 5));
        dJointSetPlane2DYParam(j, dParamFMax, between(0, 5));
        dJointSetPlane2DAngleParam(j, dParamVel, between(-1, 1));
        dJointSetPlane2DAngleParam(j, dParamFMax, between(0, 5));
        return j;
    case PR:
        j = dJointCreatePR(W, 0);
        dJointAttach(j, a, b);
        dJointSetPRAnchor(j, p[0], p[1], p[2]);
        dJointSetPRAxis1(j, u[0], u[1], u[2]);
        dJointSetPRAxis2(j, v[0], v[1], v[2]);
        parameters(j, dJointSetPRParam, 0, 0.3);
        parameters(j, dJointSetPRParam, dParamGroup2, 1);
        return j;
    case PU:
        j = dJointCreatePU(W, 0);
        dJointAttach(j, a, b);
        dJointSetPUAnchor(j, p[0], p[1], p[2]);
        dJointSetPUAxis1(j, u[0], u[1], u[2]);
        dJointSetPUAxis2(j, v[0], v[1], v[2]);
        dJointSetPUAxis3(j, u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
        parameters(j, dJointSetPUParam, 0, 1);
        parameters(j, dJointSetPUParam, dParamGroup2, 1);
        parameters(j, dJointSetPUParam, dParamGroup3, 0.3);
        return j;
    case PISTON:
        j = dJointCreatePiston(W, 0);
        dJointAttach(j, a, b);
        dJointSetPistonAnchor(j, p[0], p[1], p[2]);
        dJointSetPistonAxis(j, u[0], u[1], u[2]);
        parameters(j, dJointSetPistonParam, 0, 0.3);
        parameters(j, dJointSetPistonParam, dParamGroup2, 1);
        return j;
    case DBALL:
        j = dJointCreateDBall(W, 0);
        dJointAttach(j, a, b);
        dJointSetDBallAnchor1(j, p[0], p[1], p[2]);
        dJointSetDBallAnchor2(j, p[0] + u[0], p[1] + u[1], p[2] + u[2]);
        return j;
    case DHINGE:
        j = dJointCreateDHinge(W, 0);
        dJointAttach(j, a, b);
        dJointSetDHingeAxis(j, v[0], v[1], v[2]);
        dJointSetDHingeAnchor1(j, p[0], p[1], p[2]);
        dJointSetDHingeAnchor2(j, p[0] + u[0], p[1] + u[1], p[2] + u[2]);
        return j;
    case TRANSMISSION: {
        double w[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        /* Not the chain drive: which strand is taut when it starts is a question of rounding. */
        int mode = pick(2);
        (void)w;
        j = dJointCreateTransmission(W, 0);
        dJointAttach(j, a, b);
        dJointSetTransmissionMode(j, mode);
        dJointSetTransmissionAnchor1(j, p[0], p[1], p[2]);
        dJointSetTransmissionAnchor2(j, p[0] + u[0], p[1] + u[1], p[2] + u[2]);
        if (mode == dTransmissionIntersectingAxes) {
            dJointSetTransmissionAxis1(j, v[0], v[1], v[2]);
            dJointSetTransmissionAxis2(j, v[0] + 0.5 * w[0], v[1] + 0.5 * w[1], v[2] + 0.5 * w[2]);
            dJointSetTransmissionAnchor1(j, p[0] + w[0], p[1] + w[1], p[2] + w[2]);
        }
        else {
            dJointSetTransmissionAxis(j, v[0], v[1], v[2]);
            if (mode == dTransmissionParallelAxes) dJointSetTransmissionRatio(j, between(0.3, 3));
            else dJointSetTransmissionRadius1(j, between(0.1, 0.4)), dJointSetTransmissionRadius2(j, between(0.1, 0.4));
        }
        if (pick(3) == 0) dJointSetTransmissionBacklash(j, between(0, 0.05));
        return j;
    }
    default: {
        dContact c;
        memset(&c, 0, sizeof c);
        c.surface.mode = pick(0x8000) & ~0x800;
        c.surface.mu = pick(4) ? between(0, 2) : dInfinity;
        c.surface.mu2 = pick(4) ? between(0, 2) : 0;
        c.surface.rho = pick(3) ? between(0, 0.1) : 0;
        c.surface.rho2 = between(0, 0.1);
        c.surface.rhoN = between(0, 0.1);
        c.surface.bounce = unit();
        c.surface.bounce_vel = unit();
        c.surface.soft_erp = unit();
        c.surface.soft_cfm = between(0, 0.01);
        c.surface.motion1 = between(-1, 1);
        c.surface.motion2 = between(-1, 1);
        c.surface.motionN = between(-1, 1);
        c.surface.slip1 = between(0, 0.1);
        c.surface.slip2 = between(0, 0.1);
        memcpy(c.geom.pos, p, sizeof p);
        memcpy(c.geom.normal, u, sizeof u);
        memcpy(c.fdir1, v, sizeof v);
        c.geom.depth = between(-0.01, 0.05);
        j = dJointCreateContact(W, 0, &c);
        dJointAttach(j, a, b);
        return j;
    }
    }
}

static void show(const char *what, const dReal *v, int n)
{
    printf(" %s", what);
    while (n-- > 0) printf(" %.12g", *v++);
}

static void reading(int kind, dJointID j, int step)
{
    dVector3 r = {0};
    dReal x[6] = {0};
    switch (kind) {
    case BALL: dJointGetBallAnchor(j, r); show("anchor", r, 3); dJointGetBallAnchor2(j, r); show("anchor2", r, 3); break;
    case HINGE:
        x[0] = dJointGetHingeAngle(j); x[1] = dJointGetHingeAngleRate(j);
        show("hinge", x, 2); dJointGetHingeAnchor2(j, r); show("anchor2", r, 3); dJointGetHingeAxis(j, r); show("axis", r, 3);
        break;
    case SLIDER: x[0] = dJointGetSliderPosition(j); x[1] = dJointGetSliderPositionRate(j); show("slider", x, 2); break;
    case UNIVERSAL:
        x[0] = dJointGetUniversalAngle1(j); x[1] = dJointGetUniversalAngle2(j);
        x[2] = dJointGetUniversalAngle1Rate(j); x[3] = dJointGetUniversalAngle2Rate(j);
        dJointGetUniversalAngles(j, &x[4], &x[5]);
        show("universal", x, 6); dJointGetUniversalAxis1(j, r); show("axis1", r, 3);
        break;
    case HINGE2:
        x[0] = dJointGetHinge2Angle1(j); x[1] = dJointGetHinge2Angle2(j);
        x[2] = dJointGetHinge2Angle1Rate(j); x[3] = dJointGetHinge2Angle2Rate(j);
        show("hinge2", x, 4);
        break;
    case AMOTOR_EULER:
        x[0] = dJointGetAMotorAngle(j, 0); x[1] = dJointGetAMotorAngle(j, 1); x[2] = dJointGetAMotorAngle(j, 2);
        x[3] = dJointGetAMotorAngleRate(j, 0); x[4] = dJointGetAMotorAngleRate(j, 1); x[5] = dJointGetAMotorAngleRate(j, 2);
        show("euler", x, 6);
        break;
    case PR:
        x[0] = dJointGetPRPosition(j); x[1] = dJointGetPRPositionRate(j); x[2] = dJointGetPRAngle(j); x[3] = dJointGetPRAngleRate(j);
        show("pr", x, 4);
        break;
    case PU:
        x[0] = dJointGetPUPosition(j); x[1] = dJointGetPUPositionRate(j); x[2] = dJointGetPUAngle1(j); x[3] = dJointGetPUAngle2(j);
        show("pu", x, 4);
        break;
    case PISTON:
        x[0] = dJointGetPistonPosition(j); x[1] = dJointGetPistonPositionRate(j);
        x[2] = dJointGetPistonAngle(j); x[3] = dJointGetPistonAngleRate(j);
        show("piston", x, 4);
        break;
    case DBALL: x[0] = dJointGetDBallDistance(j); show("dball", x, 1); break;
    case DHINGE: dJointGetDHingeAnchor2(j, r); show("dhinge", r, 3); break;
    case TRANSMISSION:
        if (step == 0) break; /* stock's has not been set yet */
        x[0] = dJointGetTransmissionAngle1(j); x[1] = dJointGetTransmissionAngle2(j);
        x[2] = dJointGetTransmissionRadius1(j); x[3] = dJointGetTransmissionRatio(j);
        show("transmission", x, 4); dJointGetTransmissionContactPoint1(j, r); show("contact", r, 3);
        break;
    default: break;
    }
}

static void one(int number, int only)
{
    enum { MOST = 6 };
    dBodyID bodies[MOST];
    dJointID joints[MOST];
    int kinds[MOST], n = 1 + pick(MOST), quick = pick(2), i, s;
    dJointFeedback feedback[MOST];
    memset(feedback, 0, sizeof feedback);
    W = dWorldCreate();
    dWorldSetGravity(W, between(-1, 1), between(-1, 1), -9.81);
    dWorldSetERP(W, between(0.1, 0.6));
    dWorldSetCFM(W, pick(2) ? 1e-8 : 1e-4);
    dWorldSetQuickStepNumIterations(W, 5 + pick(30));
    for (i = 0; i < n; i++) {
        double u[3];
        dQuaternion q;
        dMass m;
        bodies[i] = dBodyCreate(W);
        dMassSetBoxTotal(&m, between(0.5, 3), between(0.3, 1), between(0.3, 1), between(0.3, 1));
        direction(u);
        {
            dMatrix3 R;
            dRFromAxisAndAngle(R, u[0], u[1], u[2], between(0, 3));
            dMassRotate(&m, R);
        }
        dBodySetMass(bodies[i], &m);
        dBodySetPosition(bodies[i], between(-1, 1), between(-1, 1), between(-1, 1));
        direction(u);
        dQFromAxisAndAngle(q, u[0], u[1], u[2], between(-3, 3));
        dBodySetQuaternion(bodies[i], q);
        dBodySetLinearVel(bodies[i], between(-1, 1), between(-1, 1), between(-1, 1));
        dBodySetAngularVel(bodies[i], between(-2, 2), between(-2, 2), between(-2, 2));
        if (pick(6) == 0) dBodySetFiniteRotationMode(bodies[i], 1);
        if (pick(8) == 0) dBodySetGyroscopicMode(bodies[i], 0);
        if (pick(8) == 0) dBodySetLinearDamping(bodies[i], 0.01), dBodySetAngularDamping(bodies[i], 0.02);
    }
    for (i = 0; i < n; i++) {
        int kind = only >= 0 ? only : pick(KINDS), other = i ? pick(i + 1) : 0, order = pick(2);
        dBodyID a = bodies[i], b = i && other < i ? bodies[other] : 0;
        if (!b && (kind == HINGE2 || kind == TRANSMISSION)) kind = BALL;
        if (!b && kind == AMOTOR_EULER) order = 0; /* the axis of body 2 belongs to the world */
        /* Reversed with the world, stock's PU mixes frames that this program need not follow. */
        if (!b && (kind == PU || kind == PR || kind == PISTON)) order = 0;
        kinds[i] = kind;
        joints[i] = order ? make(kind, b, a) : make(kind, a, b);
        if (pick(2)) dJointSetFeedback(joints[i], &feedback[i]);
    }
    for (s = 0; s <= 100; s++) {
        if (s % 20 == 0)
            for (i = 0; i < n; i++) {
                printf("%d.%d %s %s%s", number, s, quick ? "quick" : "step", names[kinds[i]], dJointGetBody(joints[i], 0) ? "" : ".world1");
                show("x", dBodyGetPosition(bodies[i]), 3);
                show("q", dBodyGetQuaternion(bodies[i]), 4);
                show("v", dBodyGetLinearVel(bodies[i]), 3);
                show("w", dBodyGetAngularVel(bodies[i]), 3);
                reading(kinds[i], joints[i], s);
                show("f1", feedback[i].f1, 3);
                show("t1", feedback[i].t1, 3);
                show("f2", feedback[i].f2, 3);
                show("t2", feedback[i].t2, 3);
                printf("\n");
            }
        if (kinds[0] == HINGE) dJointAddHingeTorque(joints[0], 0.1);
        if (kinds[0] == SLIDER) dJointAddSliderForce(joints[0], 0.1);
        if (kinds[0] == UNIVERSAL) dJointAddUniversalTorques(joints[0], 0.1, 0.2);
        dBodyAddRelForceAtRelPos(bodies[0], 0.1, 0, 0, 0, 0.2, 0);
        if (quick) dWorldQuickStep(W, 0.01);
        else dWorldStep(W, 0.01);
    }
    dWorldDestroy(W);
}

/* Stock gives up some transmissions; what was printed until then counts. */
static void give_up(int code, const char *text, va_list rest)
{
    (void)code;
    (void)text;
    (void)rest;
    fflush(stdout);
    exit(0);
}
static void quiet(int code, const char *text, va_list rest)
{
    (void)code;
    (void)text;
    (void)rest;
}

int main(int argc, char **argv)
{
    int cases = argc > 1 ? atoi(argv[1]) : 100, seed = argc > 2 ? atoi(argv[2]) : 1, only = argc > 3 ? atoi(argv[3]) : -1, i;
    dInitODE2(0);
    dSetDebugHandler(give_up);
    dSetMessageHandler(quiet);
    for (i = 0; i < cases; i++) {
        state = (uint32_t)(seed + 7919 * i);
        dRandSetSeed(1); /* so that one mechanism does not change the next */
        one(i, only);
    }
    return 0;
}
