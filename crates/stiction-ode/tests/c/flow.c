/*
 * Mechanisms in the air: `flow CASE ...`. Prints lines of numbers.
 *   motors SEED STEP direct|quick   random joints with motors; the bodies' positions after 0.3 s
 *   stops SEED STEP direct|quick    the same with stops
 *   free SEED STEP                  the same without motors and stops: largest change of the energy in 20 s, largest kinetic energy, and widest gap
 *   loop STEP                       a four-bar linkage that swings for 10 s: as for free
 *   edits                           a pendulum whose anchor, mass, motor and place the program changes
 *   forces                          what holds a pendulum, by feedback, and the torque of a motor
 *   touch                           a chain that falls on a plane
 */
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 8

static dWorldID world;
static dBodyID bodies[MOST];
static dJointID joints[MOST];
static int count, is_driven, has_stops;
static unsigned long long state;

static double next(double low, double high)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return low + (high - low) * (double)(state >> 11) / (double)(1ull << 53);
}

static void direction(dVector3 v)
{
    do {
        v[0] = next(-1, 1), v[1] = next(-1, 1), v[2] = next(-1, 1);
    } while (dCalcVectorLength3(v) < 0.3 || dCalcVectorLength3(v) > 1);
    dSafeNormalize3(v);
}

static void across(dVector3 v, const dVector3 axis)
{
    dVector3 other;
    direction(other);
    dCalcVectorCross3(v, axis, other);
    if (!dSafeNormalize3(v)) v[0] = 1;
}

typedef void setter(dJointID, int, dReal);

/* A motor or a stop, the same for some groups of parameters. */
static void drive(dJointID joint, setter *set, int group, int groups)
{
    double low = next(-0.6, -0.1), high = next(0.1, 0.6), speed = next(-2, 2), force = next(0.5, 20);
    int what = (int)next(0, 4);
    for (; is_driven && group < groups; group++) {
        int base = dParamGroup * group;
        if (has_stops && (what & 1)) set(joint, base + dParamLoStop, low), set(joint, base + dParamHiStop, high);
        if (what & 2) set(joint, base + dParamVel, speed), set(joint, base + dParamFMax, force);
    }
}

/* Either way round, but for those to the world that ODE turns round itself. Rows of a PU joint act beside its anchor. */
static dJointID connect(dBodyID a, dBodyID b, const dReal *at)
{
    dVector3 x, y, z;
    dJointID joint = 0;
    int kind = (int)next(0, is_driven ? 7 : 8);
    direction(x), across(y, x), dCalcVectorCross3(z, x, y);
    if (next(0, 1) < 0.5 && (b || kind < 5)) {
        dBodyID first = a;
        a = b, b = first;
    }
    switch (kind) {
    case 0:
        dJointAttach(joint = dJointCreateBall(world, 0), a, b);
        dJointSetBallAnchor(joint, at[0], at[1], at[2]);
        break;
    case 1:
        dJointAttach(joint = dJointCreateHinge(world, 0), a, b);
        dJointSetHingeAnchor(joint, at[0], at[1], at[2]);
        dJointSetHingeAxis(joint, x[0], x[1], x[2]);
        drive(joint, dJointSetHingeParam, 0, 1);
        break;
    case 2:
        dJointAttach(joint = dJointCreateSlider(world, 0), a, b);
        dJointSetSliderAxis(joint, x[0], x[1], x[2]);
        drive(joint, dJointSetSliderParam, 0, 1);
        break;
    case 3:
        dJointAttach(joint = dJointCreateUniversal(world, 0), a, b);
        dJointSetUniversalAnchor(joint, at[0], at[1], at[2]);
        dJointSetUniversalAxis1(joint, x[0], x[1], x[2]);
        dJointSetUniversalAxis2(joint, y[0], y[1], y[2]);
        drive(joint, dJointSetUniversalParam, 0, 2);
        break;
    case 4:
        dJointAttach(joint = dJointCreateFixed(world, 0), a, b);
        dJointSetFixed(joint);
        break;
    case 5:
        dJointAttach(joint = dJointCreatePiston(world, 0), a, b);
        dJointSetPistonAnchor(joint, at[0], at[1], at[2]);
        dJointSetPistonAxis(joint, x[0], x[1], x[2]);
        drive(joint, dJointSetPistonParam, 0, 2);
        break;
    case 6:
        dJointAttach(joint = dJointCreatePR(world, 0), a, b);
        dJointSetPRAnchor(joint, at[0], at[1], at[2]);
        dJointSetPRAxis1(joint, x[0], x[1], x[2]);
        dJointSetPRAxis2(joint, y[0], y[1], y[2]);
        /* ODE's force along the axis acts halfway between the bodies, and turns them. */
        drive(joint, dJointSetPRParam, 1, 2);
        break;
    default:
        dJointAttach(joint = dJointCreatePU(world, 0), a, b);
        dJointSetPUAnchor(joint, at[0], at[1], at[2]);
        dJointSetPUAxis1(joint, x[0], x[1], x[2]);
        dJointSetPUAxis2(joint, y[0], y[1], y[2]);
        dJointSetPUAxisP(joint, z[0], z[1], z[2]);
        drive(joint, dJointSetPUParam, 0, 3);
        break;
    }
    return joint;
}

static dBodyID box(double x, double y, double z)
{
    dMass mass;
    dBodyID body = dBodyCreate(world);
    dMassSetBoxTotal(&mass, exp(next(-1, 1)), next(0.1, 0.4), next(0.1, 0.4), next(0.1, 0.4));
    dBodySetMass(body, &mass);
    dBodySetPosition(body, x, y, z);
    return body;
}

/* A tree of bodies, hung from the world or not. */
static void build(unsigned long long seed)
{
    int i;
    state = seed * 2654435761ull + 12345;
    for (i = 0; i < 10; i++) next(0, 1);
    count = 1 + (int)next(0, MOST);
    for (i = 0; i < count; i++) {
        int parent = i - 1 - (int)next(0, i > 1 ? 2 : 1);
        const dReal *from = i ? dBodyGetPosition(bodies[parent]) : 0;
        dQuaternion turn;
        dVector3 way, axis, at;
        direction(way), direction(axis);
        bodies[i] = i ? box(from[0] + 0.5 * way[0], from[1] + 0.5 * way[1], from[2] + 0.5 * way[2]) : box(0, 0, 1);
        dQFromAxisAndAngle(turn, axis[0], axis[1], axis[2], next(-3, 3));
        dBodySetQuaternion(bodies[i], turn);
        dBodySetAngularVel(bodies[i], 0, 0, 0);
        for (int e = 0; e < 3; e++) at[e] = i ? from[e] + 0.25 * way[e] : dBodyGetPosition(bodies[0])[e] - 0.25 * way[e];
        joints[i] = 0;
        /* A body alone is none of a mechanism. */
        if (i || count == 1 || next(0, 1) < 0.5) {
            dBodyID other = i ? bodies[parent] : 0;
            joints[i] = connect(bodies[i], other, at);
        }
    }
}

static double energy(double *kinetic)
{
    double sum = 0, height = 0;
    int i;
    for (i = 0; i < count; i++) {
        dMass mass;
        dVector3 spin, momentum;
        const dReal *v = dBodyGetLinearVel(bodies[i]), *w = dBodyGetAngularVel(bodies[i]);
        dBodyGetMass(bodies[i], &mass);
        dMultiply1_331(spin, dBodyGetRotation(bodies[i]), w);
        dMultiply0_331(momentum, mass.I, spin);
        sum += 0.5 * mass.mass * dCalcVectorDot3(v, v) + 0.5 * dCalcVectorDot3(spin, momentum);
        height += mass.mass * 9.81 * dBodyGetPosition(bodies[i])[2];
    }
    *kinetic = fmax(*kinetic, sum);
    return sum + height;
}

static double gap(void)
{
    double widest = 0;
    int i;
    for (i = 0; i < MOST; i++) {
        dVector3 a, b, off;
        if (!joints[i]) continue;
        switch (dJointGetType(joints[i])) {
        case dJointTypeBall: dJointGetBallAnchor(joints[i], a), dJointGetBallAnchor2(joints[i], b); break;
        case dJointTypeHinge: dJointGetHingeAnchor(joints[i], a), dJointGetHingeAnchor2(joints[i], b); break;
        case dJointTypeUniversal: dJointGetUniversalAnchor(joints[i], a), dJointGetUniversalAnchor2(joints[i], b); break;
        default: continue;
        }
        dSubtractVectors3(off, a, b);
        widest = fmax(widest, dCalcVectorLength3(off));
    }
    return widest;
}

static void steps(double h, double time, int is_direct)
{
    long i, all = lround(time / h);
    for (i = 0; i < all; i++) {
        if (is_direct) dWorldStep(world, h);
        else dWorldQuickStep(world, h);
    }
}

static void say_places(void)
{
    int i;
    for (i = 0; i < count; i++) {
        const dReal *x = dBodyGetPosition(bodies[i]);
        printf("%.9g %.9g %.9g\n", x[0], x[1], x[2]);
    }
}

static void swing(double h, double time)
{
    double first, largest = 0, kinetic = 0, widest = 0;
    long i;
    first = energy(&kinetic);
    for (i = 0; i < lround(time / h); i++) {
        dWorldQuickStep(world, h);
        largest = fmax(largest, fabs(energy(&kinetic) - first));
        widest = fmax(widest, gap());
    }
    printf("%.9g %.9g %.9g\n", largest, kinetic, widest);
}

static void loop(double h)
{
    static const double pivots[4][2] = {{0, 0}, {0, 0.3}, {0.5, 0.5}, {0.6, 0}};
    int i;
    count = 3;
    for (i = 0; i < 4; i++) {
        int last = i < 3 ? i : 2;
        if (i < 3) {
            dMass mass;
            double dx = pivots[i + 1][0] - pivots[i][0], dz = pivots[i + 1][1] - pivots[i][1];
            bodies[i] = dBodyCreate(world);
            dMassSetBoxTotal(&mass, 1 + i, 0.2, 0.1, 0.1);
            dBodySetMass(bodies[i], &mass);
            dBodySetPosition(bodies[i], pivots[i][0] + 0.5 * dx, 0, pivots[i][1] + 0.5 * dz);
        }
        joints[i] = dJointCreateHinge(world, 0);
        if (i == 1 || i == 2) dJointAttach(joints[i], bodies[i], bodies[i - 1]);
        else dJointAttach(joints[i], bodies[last], 0);
        dJointSetHingeAnchor(joints[i], pivots[i][0], 0, pivots[i][1]);
        dJointSetHingeAxis(joints[i], 0, 1, 0);
    }
    swing(h, 10);
}

static void edits(void)
{
    dMass mass;
    dJointID hinge;
    is_driven = 0;
    state = 5;
    bodies[0] = box(1, 0, 0), count = 1;
    dMassSetBoxTotal(&mass, 1, 0.1, 0.1, 0.1);
    dBodySetMass(bodies[0], &mass);
    dJointAttach(hinge = dJointCreateHinge(world, 0), bodies[0], 0);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    steps(1e-3, 0.1, 0);
    dJointSetHingeAnchor(hinge, 2, 0, 0);
    dMassSetBoxTotal(&mass, 7, 0.1, 0.1, 0.1);
    dBodySetMass(bodies[0], &mass);
    dBodySetPosition(bodies[0], 3, 0, 0);
    dBodySetLinearVel(bodies[0], 0, 0, 0);
    dBodySetAngularVel(bodies[0], 0, 0, 0);
    {
        dMatrix3 level;
        dRSetIdentity(level);
        dBodySetRotation(bodies[0], level);
    }
    dJointSetHingeAnchor(hinge, 2, 0, 0);
    steps(1e-3, 0.3, 0);
    say_places();
    dJointSetHingeParam(hinge, dParamVel, 1.5);
    dJointSetHingeParam(hinge, dParamFMax, dInfinity);
    steps(1e-3, 0.01, 0);
    printf("%.9g\n", dJointGetHingeAngleRate(hinge));
    dJointSetHingeParam(hinge, dParamFMax, 0);
    dBodySetAngularVel(bodies[0], 0, 0, 0);
    dBodySetLinearVel(bodies[0], 0, 0, 0);
    dBodyDisable(bodies[0]);
    {
        double before = dJointGetHingeAngle(hinge);
        steps(1e-3, 0.1, 0);
        printf("%.9g\n", dJointGetHingeAngle(hinge) - before);
    }
    dJointDestroy(hinge);
    dBodyEnable(bodies[0]);
    dWorldSetGravity(world, 0, 0, 0);
    dBodySetLinearVel(bodies[0], 1, 0, 0);
    {
        double before = dBodyGetPosition(bodies[0])[0];
        steps(1e-3, 0.1, 0);
        printf("%.9g\n", dBodyGetPosition(bodies[0])[0] - before);
    }
}

static void forces(void)
{
    dJointFeedback feedback[2] = {0};
    dMass mass;
    int i;
    is_driven = 0;
    state = 5;
    count = 2;
    for (i = 0; i < 2; i++) {
        bodies[i] = box(i + 1, 0, 0);
        dMassSetBoxTotal(&mass, 1 + i, 0.1, 0.1, 0.1);
        dBodySetMass(bodies[i], &mass);
        joints[i] = dJointCreateHinge(world, 0);
        if (i) dJointAttach(joints[i], bodies[0], bodies[1]);
        else dJointAttach(joints[i], bodies[0], 0);
        dJointSetHingeAnchor(joints[i], i, 0, 0);
        dJointSetHingeAxis(joints[i], 0, 1, 0);
        dJointSetHingeParam(joints[i], dParamFMax, 1000);
        dJointSetFeedback(joints[i], &feedback[i]);
    }
    steps(1e-3, 0.1, 0);
    for (i = 0; i < 2; i++)
        printf("%.9g %.9g %.9g %.9g\n", feedback[i].f1[2], feedback[i].t1[1], feedback[i].f2[2], feedback[i].t2[1]);
    /* Nothing holds them: free fall about the first anchor. */
    for (i = 0; i < 2; i++) dJointSetHingeParam(joints[i], dParamFMax, 0);
    steps(1e-4, 1e-4, 0);
    printf("%.9g\n", feedback[0].f1[2]);
}

static void near(void *data, dGeomID a, dGeomID b)
{
    dContact contacts[4];
    int i, found;
    dBodyID one = dGeomGetBody(a), other = dGeomGetBody(b);
    if (one && other && dAreConnected(one, other)) return;
    found = dCollide(a, b, 4, &contacts[0].geom, sizeof contacts[0]);
    for (i = 0; i < found; i++) {
        contacts[i].surface.mode = 0;
        contacts[i].surface.mu = 0.5;
        dJointAttach(dJointCreateContact(world, data, &contacts[i]), one, other);
    }
}

static void touch(void)
{
    dSpaceID space = dSimpleSpaceCreate(0);
    dJointGroupID group = dJointGroupCreate(0);
    int i, step;
    double lowest = 1e9, widest = 0;
    is_driven = 0;
    state = 5;
    dCreatePlane(space, 0, 0, 1, 0);
    count = 6;
    for (i = 0; i < count; i++) {
        bodies[i] = box(0.3 * i, 0, 1 + 0.1 * i);
        dGeomSetBody(dCreateSphere(space, 0.1), bodies[i]);
        joints[i] = 0;
        if (i) {
            const dReal *from = dBodyGetPosition(bodies[i - 1]);
            dJointAttach(joints[i] = dJointCreateHinge(world, 0), bodies[i], bodies[i - 1]);
            dJointSetHingeAnchor(joints[i], from[0] + 0.15, 0, from[2] + 0.05);
            dJointSetHingeAxis(joints[i], 0, 1, 0);
        }
    }
    for (step = 0; step < 3000; step++) {
        dSpaceCollide(space, group, near);
        dWorldQuickStep(world, 1e-3);
        dJointGroupEmpty(group);
        for (i = 0; i < count; i++) lowest = fmin(lowest, dBodyGetPosition(bodies[i])[2]);
        widest = fmax(widest, gap());
    }
    printf("%.9g %.9g %.9g\n", lowest, widest, dBodyGetPosition(bodies[0])[2]);
    dSpaceDestroy(space);
    dJointGroupDestroy(group);
}

int main(int argc, char **argv)
{
    dInitODE2(0);
    world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    if (argc > 4 && (!strcmp(argv[1], "motors") || !strcmp(argv[1], "stops"))) {
        is_driven = 1, has_stops = !strcmp(argv[1], "stops");
        build(strtoull(argv[2], 0, 10));
        steps(atof(argv[3]), 0.3, !strcmp(argv[4], "direct"));
        say_places();
    } else if (argc > 3 && !strcmp(argv[1], "free")) {
        build(strtoull(argv[2], 0, 10));
        swing(atof(argv[3]), 20);
    } else if (argc > 2 && !strcmp(argv[1], "loop")) loop(atof(argv[2]));
    else if (argc > 1 && !strcmp(argv[1], "edits")) edits();
    else if (argc > 1 && !strcmp(argv[1], "forces")) forces();
    else if (argc > 1 && !strcmp(argv[1], "touch")) touch();
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}
