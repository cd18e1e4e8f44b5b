/*
 * Times the steppers of any library with ODE's interface: one scene in one process.
 *
 *   steppers SCENE SIZE STEPPER STEPS
 *
 * SCENE: boxes, pile, pyramid, wall, chain, tripods, towers, beads, rolls, cars; STEPPER: quick, step. With simple, hash, sweep or
 * quadtree as the STEPPER the scene is not stepped: every third body is moved, and the space of that kind is walked. SCENE
 * ldlt factors a matrix of SIZE rows, with threads2 or threads4 as the STEPPER by a pool of so many, else by dFactorLDLT.
 * The first half of the steps is not counted. Prints one line of JSON: bodies, rows in the last step, microseconds a whole step and in the stepper alone, mean and largest
 * penetration and the largest gap of a joint in the last step [m], largest speed [m/s], messages, and the memory that the
 * process needed beyond that of an empty world [KiB].
 */
#include <math.h>
#include <ode/ode.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define CONTACTS 4

static dWorldID world;
static dSpaceID space;
static dJointGroupID group;
static dBodyID bodies[100000];
static int body_count, joint_count, contact_count, message_count;
static double depth_sum, depth_most;

static void count_message(int number, const char *text, va_list arguments)
{
    (void)number;
    (void)text;
    (void)arguments;
    message_count++;
}

static double microseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static long peak_kilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static dBodyID add_body(dMass mass, dGeomID geom, double x, double y, double z)
{
    dBodyID body = dBodyCreate(world);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, x, y, z);
    if (geom) dGeomSetBody(geom, body);
    bodies[body_count++] = body;
    return body;
}

static void add_cube(double x, double y, double z, double side)
{
    dMass mass;
    dMassSetBox(&mass, 1000, side, side, side);
    add_body(mass, dCreateBox(space, side, side, side), x, y, z);
}

/* Cubes side by side on the ground, none touching another: islands of one body. */
static void boxes(int count)
{
    int i, side = (int)ceil(sqrt(count));
    for (i = 0; i < count; i++) add_cube(1.5 * (i % side), 1.5 * (i / side), 0.5, 1);
}

/* Cubes dropped into a pit of four planes. */
static void pile(int count)
{
    int i, side = (int)ceil(cbrt(count));
    double half = 0.75 * side;
    dCreatePlane(space, 1, 0, 0, -half);
    dCreatePlane(space, -1, 0, 0, -half);
    dCreatePlane(space, 0, 1, 0, -half);
    dCreatePlane(space, 0, -1, 0, -half);
    for (i = 0; i < count; i++) {
        double x = i % side - 0.5 * side + 0.5, y = i / side % side - 0.5 * side + 0.5;
        double jitter_x = 0.1 * dRandReal(), jitter_y = 0.1 * dRandReal();
        add_cube(1.2 * x + jitter_x, 1.2 * y + jitter_y, 1 + 1.2 * (i / (side * side)), 0.8);
    }
}

/* Rows of cubes in a plane: the lowest has `width` + `rows` - 1, the top one `width`. */
static void courses(int rows, int width)
{
    int row, i;
    for (row = 0; row < rows; row++)
        for (i = 0; i < width + rows - 1 - row; i++) add_cube(1.02 * (i + 0.5 * row), 0, 0.5 + row, 1);
}

/* Plates on three balls each: three points of contact. */
static void tripods(int count)
{
    int i, k, side = (int)ceil(sqrt(count));
    for (i = 0; i < count; i++) {
        dMass mass;
        dBodyID body;
        dMassSetBox(&mass, 1000, 1, 1, 0.2);
        body = add_body(mass, 0, 1.5 * (i % side), 1.5 * (i / side), 0.2);
        for (k = 0; k < 3; k++) {
            dGeomID ball = dCreateSphere(space, 0.1);
            dGeomSetBody(ball, body);
            dGeomSetOffsetPosition(ball, 0.4 * cos(2.1 * k), 0.4 * sin(2.1 * k), -0.1);
        }
    }
}

/* Towers of three cubes. */
static void towers(int count)
{
    int i;
    for (i = 0; i < 3 * count; i++) add_cube(2 * (i / 3), 0, 0.5 + i % 3, 1);
}

/* Stacks of three balls (one point each) or of three capsules that lie on each other (two points each). */
static void stacks(int count, int are_long)
{
    int i;
    for (i = 0; i < 3 * count; i++) {
        dMass mass;
        dMatrix3 turn;
        dGeomID geom = are_long ? dCreateCapsule(space, 0.25, 1) : dCreateSphere(space, 0.25);
        dMassSetSphereTotal(&mass, 1, 0.25);
        add_body(mass, geom, 2 * (i / 3), 0, 0.25 + 0.5 * (i % 3));
        if (are_long) {
            dRFromAxisAndAngle(turn, 1, 0, 0, M_PI / 2);
            dGeomSetRotation(geom, turn);
        }
    }
}

/* Cars that drive: a body and four wheels on hinges with suspension. */
static void cars(int count)
{
    int i, k;
    for (i = 0; i < count; i++) {
        dMass mass;
        dBodyID body;
        dMassSetBoxTotal(&mass, 10, 1.4, 0.7, 0.3);
        body = add_body(mass, dCreateBox(space, 1.4, 0.7, 0.3), 0, 2 * i, 0.45);
        for (k = 0; k < 4; k++) {
            double x = k < 2 ? 0.5 : -0.5, y = 2 * i + (k % 2 ? 0.45 : -0.45);
            dJointID joint = dJointCreateHinge2(world, 0);
            dMassSetSphereTotal(&mass, 1, 0.25);
            dJointAttach(joint, body, add_body(mass, dCreateSphere(space, 0.25), x, y, 0.25));
            dJointSetHinge2Anchor(joint, x, y, 0.25);
            dJointSetHinge2Axis1(joint, 0, 0, 1);
            dJointSetHinge2Axis2(joint, 0, 1, 0);
            dJointSetHinge2Param(joint, dParamSuspensionERP, 0.4);
            dJointSetHinge2Param(joint, dParamSuspensionCFM, 0.02);
            dJointSetHinge2Param(joint, dParamLoStop, 0);
            dJointSetHinge2Param(joint, dParamHiStop, 0);
            dJointSetHinge2Param(joint, dParamVel2, 4);
            dJointSetHinge2Param(joint, dParamFMax2, 1);
            joint_count++;
        }
    }
}

/* Capsules on ball joints, let go level. */
static void chain(int count)
{
    int i;
    for (i = 0; i < count; i++) {
        dMass mass;
        dJointID joint = dJointCreateBall(world, 0);
        dMassSetCapsuleTotal(&mass, 1, 1, 0.1, 0.8);
        add_body(mass, 0, i + 0.5, 0, count + 1);
        dJointAttach(joint, bodies[i], i > 0 ? bodies[i - 1] : 0);
        dJointSetBallAnchor(joint, i, 0, count + 1);
        joint_count++;
    }
}

static void make_contacts(void *data, dGeomID a, dGeomID b)
{
    dContact contacts[CONTACTS];
    dBodyID first = dGeomGetBody(a), second = dGeomGetBody(b);
    int i, count;
    (void)data;
    if (first && second && dAreConnectedExcluding(first, second, dJointTypeContact)) return;
    count = dCollide(a, b, CONTACTS, &contacts[0].geom, sizeof contacts[0]);
    for (i = 0; i < count; i++) {
        contacts[i].surface.mode = dContactApprox1;
        contacts[i].surface.mu = 0.5;
        dJointAttach(dJointCreateContact(world, group, &contacts[i]), first, second);
        depth_sum += contacts[i].geom.depth;
        depth_most = fmax(depth_most, contacts[i].geom.depth);
    }
    contact_count += count;
}

static double largest_gap(void)
{
    double most = 0;
    int i, k;
    for (i = 0; i < body_count; i++)
        for (k = 0; k < dBodyGetNumJoints(bodies[i]); k++) {
            dJointID joint = dBodyGetJoint(bodies[i], k);
            if (dJointGetType(joint) == dJointTypeBall) {
                dVector3 a, b;
                dJointGetBallAnchor(joint, a);
                dJointGetBallAnchor2(joint, b);
                most = fmax(most, hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]));
            }
        }
    return most;
}

static double largest_speed(void)
{
    double most = 0;
    int i;
    for (i = 0; i < body_count; i++) {
        const dReal *v = dBodyGetLinearVel(bodies[i]);
        most = fmax(most, hypot(hypot(v[0], v[1]), v[2]));
    }
    return most;
}

/* Factors a positive definite matrix again and again. */
static int factor(int n, const char *how, int times)
{
    int i, k, skip = dPAD(n), threads = strncmp(how, "threads", 7) ? 0 : atoi(how + 7);
    dReal *original = calloc((size_t)n * (size_t)skip, sizeof(dReal)), *a = malloc((size_t)n * (size_t)skip * sizeof(dReal));
    dReal *d = malloc((size_t)n * sizeof(dReal));
    dThreadingImplementationID threading = 0;
    dThreadingThreadPoolID pool = 0;
    dCooperativeID cooperative = 0;
    dResourceContainerID resources = 0;
    double total = 0, sum = 0;
    for (i = 0; i < n; i++)
        for (k = 0; k <= i; k++) original[i * skip + k] = i == k ? n : dRandReal();
    if (threads) {
        dResourceRequirementsID needs;
        threading = dThreadingAllocateMultiThreadedImplementation();
        pool = dThreadingAllocateThreadPool((unsigned)threads, 0, dAllocateFlagBasicData, NULL);
        dThreadingThreadPoolServeMultiThreadedImplementation(pool, threading);
        cooperative = dCooperativeCreate(dThreadingImplementationGetFunctions(threading), threading);
        needs = dResourceRequirementsCreate(cooperative);
        dEstimateCooperativelyFactorLDLTResourceRequirements(needs, (unsigned)threads, (unsigned)n);
        resources = dResourceContainerAcquire(needs);
    }
    for (i = 0; i < times; i++) {
        double start;
        memcpy(a, original, (size_t)n * (size_t)skip * sizeof(dReal));
        start = microseconds();
        if (threads) dCooperativelyFactorLDLT(resources, (unsigned)threads, a, d, (unsigned)n, (unsigned)skip);
        else dFactorLDLT(a, d, n, skip);
        if (2 * i >= times) total += microseconds() - start;
    }
    for (i = 0; i < n; i++) sum += d[i];
    total /= times - times / 2;
    printf("{\"bodies\": 0, \"rows\": %d, \"time\": %.3f, \"stepping\": %.3f, \"depth_mean\": %.6g, \"depth_most\": 0, "
           "\"gap\": 0, \"speed\": 0, \"messages\": 0, \"memory\": 0}\n", n, total, total, sum);
    return 0;
}

/* Walks the space, of which every third geom has moved. */
static void collide_only(int number)
{
    int i;
    for (i = number % 3; i < body_count; i += 3) {
        const dReal *p = dBodyGetPosition(bodies[i]);
        dBodySetPosition(bodies[i], p[0] + (number % 2 ? 1e-3 : -1e-3), p[1], p[2]);
    }
    dSpaceCollide(space, 0, make_contacts);
}

static dSpaceID space_of(const char *kind)
{
    dVector3 centre = {0, 0, 0, 0}, extents = {100, 100, 100, 0};
    if (strcmp(kind, "simple") == 0) return dSimpleSpaceCreate(0);
    if (strcmp(kind, "sweep") == 0) return dSweepAndPruneSpaceCreate(0, dSAP_AXES_XYZ);
    if (strcmp(kind, "quadtree") == 0) return dQuadTreeSpaceCreate(0, centre, extents, 6);
    return dHashSpaceCreate(0);
}

int main(int argument_count, char **arguments)
{
    double total = 0, stepping = 0;
    int i, size, steps, counted, quick, steps_bodies;
    long empty;
    if (argument_count != 5) {
        fprintf(stderr, "usage: steppers SCENE SIZE STEPPER STEPS\n");
        return 2;
    }
    size = atoi(arguments[2]);
    quick = strcmp(arguments[3], "quick") == 0;
    steps_bodies = quick || strcmp(arguments[3], "step") == 0;
    steps = atoi(arguments[4]);
    counted = steps - steps / 2;
    dInitODE2(0);
    dSetMessageHandler(count_message);
    world = dWorldCreate();
    if (strcmp(arguments[1], "ldlt") == 0) return factor(size, arguments[3], steps);
    space = space_of(arguments[3]);
    group = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, -9.81);
    dCreatePlane(space, 0, 0, 1, 0);
    dRandSetSeed(1);
    empty = peak_kilobytes();
    if (strcmp(arguments[1], "boxes") == 0) boxes(size);
    else if (strcmp(arguments[1], "pile") == 0) pile(size);
    else if (strcmp(arguments[1], "pyramid") == 0) courses(size, 1);
    else if (strcmp(arguments[1], "wall") == 0) courses(size, 5);
    else if (strcmp(arguments[1], "tripods") == 0) tripods(size);
    else if (strcmp(arguments[1], "towers") == 0) towers(size);
    else if (strcmp(arguments[1], "beads") == 0) stacks(size, 0);
    else if (strcmp(arguments[1], "rolls") == 0) stacks(size, 1);
    else if (strcmp(arguments[1], "cars") == 0) cars(size);
    else chain(size);
    dRandSetSeed(0);
    for (i = 0; i < steps; i++) {
        double start = microseconds(), collided, stepped, end;
        contact_count = 0;
        depth_sum = depth_most = 0;
        if (steps_bodies) dSpaceCollide(space, 0, make_contacts);
        else collide_only(i);
        collided = microseconds();
        if (quick) dWorldQuickStep(world, 0.01);
        else if (steps_bodies) dWorldStep(world, 0.01);
        stepped = microseconds();
        dJointGroupEmpty(group);
        end = microseconds();
        if (i >= steps - counted) {
            total += end - start;
            stepping += stepped - collided;
        }
    }
    printf("{\"bodies\": %d, \"rows\": %d, \"time\": %.3f, \"stepping\": %.3f, \"depth_mean\": %.6g, \"depth_most\": %.6g, "
           "\"gap\": %.6g, \"speed\": %.6g, \"messages\": %d, \"memory\": %ld}\n",
           body_count, 3 * (contact_count + joint_count), total / counted, stepping / counted,
           contact_count ? depth_sum / contact_count : 0.0, depth_most, largest_gap(), largest_speed(), message_count,
           peak_kilobytes() - empty);
    dJointGroupDestroy(group);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}
