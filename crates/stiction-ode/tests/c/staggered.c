/*
 * Piles of boxes that each stand off the one below, stepped by dWorldQuickStep: what has its weight over its base stands. Prints
 * for each pile how far the boxes have moved at most, after SECONDS.
 *
 *   staggered first SECONDS         six boxes, each 3 cm off
 *   staggered random CASES SECONDS  piles whose every part above a box has its centre within 60 % of that box's base
 */
#include <math.h>
#include <ode/ode.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 12 };

static uint32_t state;
static double unit(void)
{
    state = 1664525u * state + 1013904223u;
    return (state >> 8) / (double)(1 << 24);
}
static double between(double a, double b) { return a + (b - a) * unit(); }

static dWorldID world;
static dSpaceID space;
static dJointGroupID group;
static dBodyID bodies[MOST];
static double start[MOST][3], bounce, friction = 0.6;

static void near(void *data, dGeomID a, dGeomID b)
{
    dContact contacts[8];
    int i, found = dCollide(a, b, 8, &contacts[0].geom, sizeof contacts[0]);
    (void)data;
    for (i = 0; i < found; i++) {
        memset(&contacts[i].surface, 0, sizeof contacts[i].surface);
        contacts[i].surface.mode = dContactApprox1 | (bounce > 0 ? dContactBounce : 0);
        contacts[i].surface.mu = friction;
        contacts[i].surface.bounce = bounce;
        contacts[i].surface.bounce_vel = 0.1;
        dJointAttach(dJointCreateContact(world, group, &contacts[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static void begin(double layer)
{
    dRandSetSeed(1);
    world = dWorldCreate();
    space = dHashSpaceCreate(0);
    group = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, -9.81);
    dWorldSetContactSurfaceLayer(world, layer);
    if (layer > 0) dWorldSetContactMaxCorrectingVel(world, 0.5);
    dCreatePlane(space, 0, 0, 1, 0);
}

static void box(int i, double side, double height, double x, double y, double z)
{
    dMass mass;
    dMassSetBox(&mass, 500, side, side, height);
    bodies[i] = dBodyCreate(world);
    dBodySetMass(bodies[i], &mass);
    dBodySetPosition(bodies[i], x, y, z);
    dGeomSetBody(dCreateBox(space, side, side, height), bodies[i]);
    start[i][0] = x, start[i][1] = y, start[i][2] = z;
}

/* The farthest way of a box after some time. */
static double run(int count, double h, double seconds)
{
    double most = 0;
    int i, k, steps = (int)(seconds / h + 0.5);
    while (steps-- > 0) {
        dSpaceCollide(space, 0, near);
        dWorldQuickStep(world, h);
        dJointGroupEmpty(group);
    }
    for (i = 0; i < count; i++) {
        const dReal *p = dBodyGetPosition(bodies[i]);
        double way = 0;
        for (k = 0; k < 3; k++) way += (p[k] - start[i][k]) * (p[k] - start[i][k]);
        most = fmax(most, sqrt(way));
    }
    dJointGroupDestroy(group);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    return most;
}

static void first(double seconds, int sweeps)
{
    int i;
    begin(0);
    if (sweeps) dWorldSetQuickStepNumIterations(world, sweeps);
    for (i = 0; i < 6; i++) box(i, 0.3, 0.2, 0.03 * i, 0, 0.1 + 0.2 * i);
    printf("first %.6g\n", run(6, 0.01, seconds));
}

static void random_pile(int number, double seconds)
{
    int count = 3 + (int)(6 * unit()), i, k;
    double side = between(0.1, 0.5), height = side * between(0.3, 1), x[2] = {0, 0}, above[2] = {0, 0}, h = between(0.002, 0.01);
    double off[MOST][2];
    /* From the top: the part above a box has its centre at `above`, which must lie over the middle of that box. */
    for (i = count - 1; i >= 0; i--) {
        int over = count - 1 - i;
        for (k = 0; k < 2; k++) {
            x[k] = over ? above[k] + between(-0.3, 0.3) * side : 0;
            off[i][k] = x[k];
            above[k] = (above[k] * over + x[k]) / (over + 1);
        }
    }
    bounce = number % 3 == 1 ? 0.2 : 0;
    friction = between(0.4, 1);
    begin(number % 3 == 2 ? 0.001 : 0);
    for (i = 0; i < count; i++) box(i, side, height, off[i][0], off[i][1], height * (i + 0.5));
    printf("pile%d %.6g\n", number, run(count, h, seconds) / side);
}

int main(int argc, char **argv)
{
    int i;
    dInitODE2(0);
    if (argc > 2 && strcmp(argv[1], "first") == 0) first(atof(argv[2]), argc > 3 ? atoi(argv[3]) : 0);
    for (i = 0; argc > 3 && strcmp(argv[1], "random") == 0 && i < atoi(argv[2]); i++) {
        state = 1u + 104729u * (uint32_t)i;
        random_pile(i, atof(argv[3]));
    }
    dCloseODE();
    return 0;
}
