/*
 * Scenes that ODE is known to do badly, one a process: `better CASE`. Prints `name value` lines.
 * Works with any library that has ODE's interface; what only ours has is looked up weakly.
 */
#include <math.h>
#include <ode/ode.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP 0.01
#define GRAVITY 9.81

double dWorldGetStictionResidual(dWorldID) __attribute__((weak));

static dWorldID world;
static dSpaceID space;
static dJointGroupID group;
static int message_count, copies = 1, quick, point_limit = 8;
static double friction = 0.5, depth_most, bounce;

static void count(int number, const char *text, va_list arguments)
{
    (void)number;
    (void)text;
    (void)arguments;
    message_count++;
}

static void say(const char *name, double value) { printf("%s %.9g\n", name, value); }

static void make_contacts(void *data, dGeomID a, dGeomID b)
{
    dContact contacts[16];
    int i, copy, found = dCollide(a, b, point_limit, &contacts[0].geom, sizeof contacts[0]);
    (void)data;
    for (i = 0; i < found; i++) {
        contacts[i].surface.mode = dContactApprox1 | (bounce > 0 ? dContactBounce : 0);
        contacts[i].surface.mu = friction;
        contacts[i].surface.bounce = bounce;
        contacts[i].surface.bounce_vel = 0;
        depth_most = fmax(depth_most, contacts[i].geom.depth);
        for (copy = 0; copy < copies; copy++)
            dJointAttach(dJointCreateContact(world, group, &contacts[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static void step(double h)
{
    depth_most = 0;
    dSpaceCollide(space, 0, make_contacts);
    if (quick) dWorldQuickStep(world, h);
    else dWorldStep(world, h);
    dJointGroupEmpty(group);
}

static void steps(int number)
{
    while (number-- > 0) step(STEP);
}

static void say_residual(void)
{
    if (dWorldGetStictionResidual) say("residual", dWorldGetStictionResidual(world));
}

static dBodyID body_of(dMass mass, dGeomID geom, double x, double y, double z)
{
    dBodyID body = dBodyCreate(world);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, x, y, z);
    if (geom) dGeomSetBody(geom, body);
    return body;
}

static dBodyID cube(double density, double x, double y, double z, double side)
{
    dMass mass;
    dMassSetBox(&mass, density, side, side, side);
    return body_of(mass, dCreateBox(space, side, side, side), x, y, z);
}

static dBodyID ball(double mass_value, double x, double y, double z)
{
    dMass mass;
    dMassSetSphereTotal(&mass, mass_value, 0.1);
    return body_of(mass, 0, x, y, z);
}

static void say_place(dBodyID body)
{
    const dReal *p = dBodyGetPosition(body), *v = dBodyGetLinearVel(body);
    say("z", p[2]);
    say("shift", hypot(p[0], p[1]));
    say("speed", hypot(hypot(v[0], v[1]), v[2]));
}

static double gap(dJointID joint)
{
    dVector3 a, b;
    switch (dJointGetType(joint)) {
    case dJointTypeBall: dJointGetBallAnchor(joint, a); dJointGetBallAnchor2(joint, b); break;
    default: dJointGetHingeAnchor(joint, a); dJointGetHingeAnchor2(joint, b); break;
    }
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* Cubes of 1 m on each other, 5 s. */
static void tower(int height)
{
    int i;
    dBodyID top = 0;
    for (i = 0; i < height; i++) top = cube(1000, 0, 0, 0.5 + i, 1);
    steps(500);
    say_place(top);
    say_residual();
}

/* Every contact point three times over. */
static void coincident(void)
{
    dBodyID body = cube(1000, 0, 0, 0.5, 1);
    copies = 3;
    steps(300);
    say_place(body);
    say_residual();
}

/* Two ball joints of one pair make a hinge: six rows where five freedoms are taken. */
static void ball_hinge(void)
{
    dMass mass;
    dBodyID body;
    dJointID joints[2];
    int i;
    double most = 0;
    dMassSetBoxTotal(&mass, 1, 1, 1, 0.2);
    body = body_of(mass, 0, 0.5, 0, 2);
    dWorldSetCFM(world, 0);
    for (i = 0; i < 2; i++) {
        joints[i] = dJointCreateBall(world, 0);
        dJointAttach(joints[i], body, 0);
        dJointSetBallAnchor(joints[i], 0, i - 0.5, 2);
    }
    for (i = 0; i < 500; i++) {
        step(STEP);
        most = fmax(most, fmax(gap(joints[0]), gap(joints[1])));
    }
    say("gap", most);
    say("across", fabs(dBodyGetPosition(body)[1]));
    say_residual();
}

/* Twelve links on hinges with parallel axes, closed to a ring: three rows more than freedoms taken. */
static void ring(void)
{
    enum { LINKS = 12 };
    dBodyID bodies[LINKS];
    dJointID joints[LINKS];
    int i, k;
    double most = 0;
    dWorldSetCFM(world, 0);
    for (i = 0; i < LINKS; i++) {
        double angle = 2 * M_PI * i / LINKS;
        bodies[i] = ball(1, cos(angle), 0, 3 + sin(angle));
    }
    for (i = 0; i < LINKS; i++) {
        double angle = 2 * M_PI * (i + 0.5) / LINKS, r = cos(M_PI / LINKS);
        joints[i] = dJointCreateHinge(world, 0);
        dJointAttach(joints[i], bodies[i], bodies[(i + 1) % LINKS]);
        dJointSetHingeAnchor(joints[i], r * cos(angle), 0, 3 + r * sin(angle));
        dJointSetHingeAxis(joints[i], 0, 1, 0);
    }
    {
        dJointID hook = dJointCreateHinge(world, 0);
        dJointAttach(hook, bodies[3], 0);
        dJointSetHingeAnchor(hook, 0, 0, 4);
        dJointSetHingeAxis(hook, 0, 1, 0);
    }
    for (i = 0; i < 300; i++) {
        step(STEP);
        for (k = 0; k < LINKS; k++) most = fmax(most, gap(joints[k]));
    }
    say("gap", most);
    say_residual();
}

/* Two fixed joints on one pair, rigid: twelve rows, six of them redundant. */
static void two_fixed(void)
{
    dBodyID body = ball(2, 0.3, 0, 1);
    dJointFeedback feedback[2];
    int i;
    dWorldSetCFM(world, 0);
    for (i = 0; i < 2; i++) {
        dJointID joint = dJointCreateFixed(world, 0);
        dJointAttach(joint, body, 0);
        dJointSetFixed(joint);
        dJointSetFeedback(joint, &feedback[i]);
    }
    steps(100);
    say_place(body);
    say("force", feedback[0].f1[2] + feedback[1].f1[2]);
    say_residual();
}

/* A light cube carries one of a thousand times its mass. */
static void mass_ratio(void)
{
    dBodyID low = cube(1, 0, 0, 0.5, 1), high = cube(1000, 0, 0, 1.5, 1);
    steps(500);
    say("low", dBodyGetPosition(low)[2]);
    say_place(high);
    say_residual();
}

/* A chain of nine links of 1 kg hangs with 1000 kg at its end, pushed aside with 1 m/s. */
static void heavy_end(void)
{
    dBodyID last = 0;
    dJointID joints[10];
    int i, k;
    double most = 0;
    for (i = 0; i < 10; i++) {
        dBodyID body = ball(i < 9 ? 1 : 1000, 0, 0, 19 - i);
        joints[i] = dJointCreateBall(world, 0);
        dJointAttach(joints[i], body, last);
        dJointSetBallAnchor(joints[i], 0, 0, 20 - i);
        last = body;
    }
    dBodySetLinearVel(last, 1, 0, 0);
    for (i = 0; i < 500; i++) {
        step(STEP);
        for (k = 0; k < 10; k++) most = fmax(most, gap(joints[k]));
    }
    say("gap", most);
    say_residual();
}

/* A body gets a bad orientation and a bad force; the world goes on. */
static void bad_numbers(void)
{
    dQuaternion zero = {0, 0, 0, 0};
    dBodyID bad = cube(1000, 5, 0, 0.5, 1), good = cube(1000, 0, 0, 0.5, 1);
    dBodySetQuaternion(bad, zero);
    dBodyAddTorque(bad, NAN, 0, 0);
    steps(100);
    say_place(good);
}

/* Another body is a million kilometres and more away. */
static void far_away(void)
{
    dBodyID near_body = cube(1000, 0, 0, 0.5, 1);
    cube(1000, 1e12, 0, 0.5, 1);
    steps(100);
    say_place(near_body);
}

/* A capsule lies on a box. */
static void capsule_on_box(void)
{
    dMass mass;
    dBodyID body;
    dMatrix3 turn;
    dGeomID table = dCreateBox(space, 10, 10, 1);
    dGeomSetPosition(table, 0, 0, -0.5);
    dMassSetCapsuleTotal(&mass, 1, 1, 0.2, 2);
    body = body_of(mass, dCreateCapsule(space, 0.2, 2), 0, 0, 0.2);
    dRFromAxisAndAngle(turn, 1, 0, 0, M_PI / 2);
    dBodySetRotation(body, turn);
    steps(500);
    say_place(body);
    say("tilt", fabs(dBodyGetRotation(body)[10]));
    say("spin", fabs(dBodyGetAngularVel(body)[0]) + fabs(dBodyGetAngularVel(body)[1]));
}

/* Three cylinders stand on each other, 10 s. */
static void cylinder_stack(void)
{
    dMass mass;
    dBodyID body = 0;
    int i;
    dCreatePlane(space, 0, 0, 1, 0);
    dMassSetCylinderTotal(&mass, 1, 3, 0.5, 1);
    for (i = 0; i < 3; i++) body = body_of(mass, dCreateCylinder(space, 0.5, 1), 0, 0, 0.5 + i);
    steps(1000);
    say_place(body);
    say("upright", dBodyGetRotation(body)[10]);
}

static const dReal CUBE_PLANES[] = {1, 0, 0, 0.5, -1, 0, 0, 0.5, 0, 1, 0, 0.5, 0, -1, 0, 0.5, 0, 0, 1, 0.5, 0, 0, -1, 0.5};
static const dReal CUBE_POINTS[] = {-0.5, -0.5, -0.5, 0.5, -0.5, -0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5,
                                    -0.5, -0.5, 0.5,  0.5, -0.5, 0.5,  -0.5, 0.5, 0.5,  0.5, 0.5, 0.5};
static const unsigned CUBE_FACES[] = {4, 1, 3, 7, 5, 4, 0, 4, 6, 2, 4, 2, 6, 7, 3, 4, 0, 1, 5, 4, 4, 4, 5, 7, 6, 4, 0, 2, 3, 1};

/* Three convex cubes on a box, 10 s. */
static void convex_stack(void)
{
    dMass mass;
    dBodyID body = 0;
    int i;
    dGeomID table = dCreateBox(space, 10, 10, 1);
    dGeomSetPosition(table, 0, 0, -0.5);
    dMassSetBoxTotal(&mass, 1, 1, 1, 1);
    for (i = 0; i < 3; i++)
        body = body_of(mass, dCreateConvex(space, CUBE_PLANES, 6, CUBE_POINTS, 8, CUBE_FACES), 0, 0, 0.5 + i);
    steps(1000);
    say_place(body);
    say("upright", dBodyGetRotation(body)[10]);
}

/* Two cylinders that just touch: side by side, and one on the other. */
static void cylinders_touching(void)
{
    dContactGeom points[8];
    dGeomID a = dCreateCylinder(0, 0.5, 1), b = dCreateCylinder(0, 0.5, 1);
    dGeomSetPosition(b, 1, 0, 0);
    say("beside", dCollide(a, b, 8, points, sizeof points[0]));
    dGeomSetPosition(b, 0, 0, 1);
    say("above", dCollide(a, b, 8, points, sizeof points[0]));
    dGeomDestroy(a);
    dGeomDestroy(b);
}

/* A shape runs 10 m over a floor of triangles at 2 m/s: a wheel that rolls, or a box without friction. */
static void on_mesh(int is_wheel)
{
    enum { CELLS = 40 };
    static float points[(CELLS + 1) * (CELLS + 1)][3];
    static dTriIndex triangles[2 * CELLS * CELLS][3];
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dMass mass;
    dBodyID body;
    dMatrix3 turn;
    int i, k, n = 0;
    double high = 0, low = 10;
    for (i = 0; i <= CELLS; i++)
        for (k = 0; k <= CELLS; k++) {
            points[i * (CELLS + 1) + k][0] = 0.37f * (float)(i - 4);
            points[i * (CELLS + 1) + k][1] = 0.37f * (float)(k - CELLS / 2);
        }
    for (i = 0; i < CELLS; i++)
        for (k = 0; k < CELLS; k++) {
            dTriIndex at = (dTriIndex)(i * (CELLS + 1) + k);
            triangles[n][0] = at;
            triangles[n][1] = at + CELLS + 1;
            triangles[n++][2] = at + 1;
            triangles[n][0] = at + 1;
            triangles[n][1] = at + CELLS + 1;
            triangles[n++][2] = at + CELLS + 2;
        }
    dGeomTriMeshDataBuildSingle(data, points, sizeof points[0], (CELLS + 1) * (CELLS + 1), triangles, 3 * n, sizeof triangles[0]);
    dCreateTriMesh(space, data, 0, 0, 0);
    if (is_wheel) {
        dMassSetCylinderTotal(&mass, 10, 3, 0.3, 0.4);
        body = body_of(mass, dCreateCylinder(space, 0.3, 0.4), 0, 0, 0.3);
        dRFromAxisAndAngle(turn, 1, 0, 0, M_PI / 2);
        dBodySetRotation(body, turn);
        dBodySetAngularVel(body, 0, 2 / 0.3, 0);
    }
    else {
        friction = 0;
        dMassSetBoxTotal(&mass, 10, 0.6, 0.6, 0.6);
        body = body_of(mass, dCreateBox(space, 0.6, 0.6, 0.6), 0, 0, 0.3);
    }
    dBodySetLinearVel(body, 2, 0, 0);
    point_limit = 4;
    for (i = 0; i < 500; i++) {
        double z;
        step(STEP);
        z = dBodyGetPosition(body)[2];
        high = fmax(high, z);
        low = fmin(low, z);
    }
    say("speed", dBodyGetLinearVel(body)[0]);
    say("aside", fabs(dBodyGetPosition(body)[1]));
    say("up", high - 0.3);
    say("down", 0.3 - low);
}

/* A hinge's motor holds an arm level: what the feedback reads of its torque, and how much that wavers. */
static void feedback(void)
{
    dMass mass;
    dBodyID body;
    dJointID joint = dJointCreateHinge(world, 0);
    dJointFeedback reading;
    int i;
    double low = 1e9, high = -1e9;
    dMassSetBoxTotal(&mass, 2, 1, 0.1, 0.1);
    body = body_of(mass, 0, 0.5, 0, 1);
    dJointAttach(joint, body, 0);
    dJointSetHingeAnchor(joint, 0, 0, 1);
    dJointSetHingeAxis(joint, 0, 1, 0);
    dJointSetHingeParam(joint, dParamVel, 0);
    dJointSetHingeParam(joint, dParamFMax, 100);
    dJointSetFeedback(joint, &reading);
    for (i = 0; i < 200; i++) {
        double torque;
        step(STEP);
        /* t1 is about the centre of mass, half a metre from the hinge. */
        torque = reading.t1[1] - 0.5 * reading.f1[2];
        low = fmin(low, torque);
        high = fmax(high, torque);
    }
    say("force", reading.f1[2]);
    say("torque", 0.5 * (high + low));
    say("waver", high - low);
}

/* A box starts 10 cm inside the ground: how fast it comes out. */
static void push_out(void)
{
    dBodyID body = cube(1000, 0, 0, 0.4, 1);
    dWorldSetContactMaxCorrectingVel(world, 0.1);
    step(STEP);
    say("speed", dBodyGetLinearVel(body)[2]);
}

/* Two worlds with the same pile, the second stepped after the first: same motion? */
static double pile_in(dWorldID w)
{
    int i;
    const dReal *p;
    dBodyID first = 0;
    world = w;
    space = dHashSpaceCreate(0);
    quick = 1;
    dWorldSetGravity(world, 0, 0, -GRAVITY);
    dCreatePlane(space, 0, 0, 1, 0);
    for (i = 0; i < 20; i++) {
        dBodyID body = cube(1000, 0.3 * (i % 3), 0.2 * (i % 2), 1 + 1.05 * i, 1);
        if (!first) first = body;
    }
    steps(300);
    p = dBodyGetPosition(first);
    return p[0] + 3 * p[1] + 7 * p[2];
}

static void two_worlds(void)
{
    double a = pile_in(dWorldCreate()), b = pile_in(dWorldCreate());
    say("difference", fabs(a - b));
}

int main(int argument_count, char **arguments)
{
    const char *name = argument_count > 1 ? arguments[1] : "";
    quick = argument_count > 2 && strcmp(arguments[2], "quick") == 0;
    dInitODE2(0);
    dSetMessageHandler(count);
    world = dWorldCreate();
    space = dHashSpaceCreate(0);
    group = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, -GRAVITY);
    if (strncmp(name, "tower", 5) == 0) {
        dCreatePlane(space, 0, 0, 1, 0);
        tower(atoi(name + 5));
    }
    else if (strcmp(name, "capsule_on_box") == 0) capsule_on_box();
    else if (strcmp(name, "cylinder_stack") == 0) cylinder_stack();
    else if (strcmp(name, "convex_stack") == 0) convex_stack();
    else if (strcmp(name, "wheel_on_mesh") == 0) on_mesh(1);
    else if (strcmp(name, "box_on_mesh") == 0) on_mesh(0);
    else if (strcmp(name, "cylinders_touching") == 0) cylinders_touching();
    else if (strcmp(name, "two_worlds") == 0) two_worlds();
    else {
        dCreatePlane(space, 0, 0, 1, 0);
        if (strcmp(name, "coincident") == 0) coincident();
        else if (strcmp(name, "ball_hinge") == 0) ball_hinge();
        else if (strcmp(name, "ring") == 0) ring();
        else if (strcmp(name, "two_fixed") == 0) two_fixed();
        else if (strcmp(name, "mass_ratio") == 0) mass_ratio();
        else if (strcmp(name, "heavy_end") == 0) heavy_end();
        else if (strcmp(name, "bad_numbers") == 0) bad_numbers();
        else if (strcmp(name, "far_away") == 0) far_away();
        else if (strcmp(name, "feedback") == 0) feedback();
        else if (strcmp(name, "push_out") == 0) push_out();
        else return 2;
    }
    say("messages", message_count);
    dCloseODE();
    return 0;
}
