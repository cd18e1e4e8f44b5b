/*
 * Times the steppers of any library with ODE's interface: one scene in one process.
 *
 *   steppers SCENE SIZE STEPPER STEPS
 *
 * SCENE: boxes, pile, pyramid, wall, chain; STEPPER: quick, step. The first half of the steps is not counted. Prints one
 * line of JSON: bodies, rows in the last step, microseconds a whole step and in the stepper alone, mean and largest
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

int main(int argument_count, char **arguments)
{
    double total = 0, stepping = 0;
    int i, size, steps, counted, quick;
    long empty;
    if (argument_count != 5) {
        fprintf(stderr, "usage: steppers boxes|pile|pyramid|wall|chain SIZE quick|step STEPS\n");
        return 2;
    }
    size = atoi(arguments[2]);
    quick = strcmp(arguments[3], "quick") == 0;
    steps = atoi(arguments[4]);
    counted = steps - steps / 2;
    dInitODE2(0);
    dSetMessageHandler(count_message);
    world = dWorldCreate();
    space = dHashSpaceCreate(0);
    group = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, -9.81);
    dCreatePlane(space, 0, 0, 1, 0);
    dRandSetSeed(1);
    empty = peak_kilobytes();
    if (strcmp(arguments[1], "boxes") == 0) boxes(size);
    else if (strcmp(arguments[1], "pile") == 0) pile(size);
    else if (strcmp(arguments[1], "pyramid") == 0) courses(size, 1);
    else if (strcmp(arguments[1], "wall") == 0) courses(size, 5);
    else chain(size);
    dRandSetSeed(0);
    for (i = 0; i < steps; i++) {
        double start = microseconds(), collided, stepped, end;
        contact_count = 0;
        depth_sum = depth_most = 0;
        dSpaceCollide(space, 0, make_contacts);
        collided = microseconds();
        if (quick) dWorldQuickStep(world, 0.01);
        else dWorldStep(world, 0.01);
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
