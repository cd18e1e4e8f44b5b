/*
 * Random piles of spheres, boxes and capsules between planes, in each kind of space, stepped by dWorldQuickStep. Prints the state
 * of every body every ten steps, and the pairs that the space reports.
 *
 *   piles CASES SEED
 */
#include <math.h>
#include <ode/ode.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t state;
static double unit(void)
{
    state = 1664525u * state + 1013904223u;
    return (state >> 8) / (double)(1 << 24);
}
static double between(double a, double b) { return a + (b - a) * unit(); }
static int pick(int n) { return (int)(unit() * n); }

enum { AWAY = 10 };
static dWorldID W;
static dJointGroupID J;
static unsigned pairs, hash;
static int modes;
static double mu;

static void near(void *data, dGeomID a, dGeomID b)
{
    dContact c[6];
    /* Boxes and capsules have other points here than in stock, which has one. */
    int ca = dGeomGetClass(a), cb = dGeomGetClass(b), i, n;
    (void)data;
    pairs++;
    hash = hash * 31 + (unsigned)(size_t)dGeomGetData(a) * 7 + (unsigned)(size_t)dGeomGetData(b);
    if ((ca == dBoxClass && cb == dCapsuleClass) || (ca == dCapsuleClass && cb == dBoxClass)) return;
    n = dCollide(a, b, 6, &c[0].geom, sizeof c[0]);
    for (i = 0; i < n; i++) {
        memset(&c[i].surface, 0, sizeof c[i].surface);
        c[i].surface.mode = modes;
        c[i].surface.mu = mu;
        c[i].surface.bounce = 0.3;
        c[i].surface.bounce_vel = 0.5;
        c[i].surface.soft_cfm = 1e-4;
        c[i].surface.slip1 = c[i].surface.slip2 = 0.01;
        c[i].surface.rho = 0.02;
        dJointAttach(dJointCreateContact(W, J, &c[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static void one(int number)
{
    enum { MOST = 12 };
    dBodyID bodies[MOST];
    int n = 2 + pick(MOST - 1), kind = pick(4), i, s, k;
    dSpaceID S;
    dVector3 centre = {AWAY, AWAY, 0}, extents = {10, 10, 10};
    W = dWorldCreate();
    J = dJointGroupCreate(0);
    S = kind == 0 ? dSimpleSpaceCreate(0) : kind == 1 ? dHashSpaceCreate(0) : kind == 2 ? dQuadTreeSpaceCreate(0, centre, extents, 4) : dSweepAndPruneSpaceCreate(0, dSAP_AXES_XYZ);
    modes = pick(2) ? dContactApprox1 : 0;
    if (pick(3) == 0) modes |= dContactBounce;
    if (pick(3) == 0) modes |= dContactSoftCFM;
    if (pick(4) == 0) modes |= dContactSlip1 | dContactSlip2;
    if (pick(4) == 0) modes |= dContactRolling;
    mu = between(0, 1);
    dWorldSetGravity(W, between(-2, 2), between(-2, 2), -9.81);
    if (pick(3) == 0) dWorldSetContactSurfaceLayer(W, 0.001), dWorldSetContactMaxCorrectingVel(W, 1);
    if (pick(3) == 0) dWorldSetAutoDisableFlag(W, 1);
    dGeomSetData(dCreatePlane(S, 0, 0, 1, 0), (void *)1);
    /* Away from the origin: around the cell (0, 0, 0) the hash of stock's hash space wraps, and pairs are lost. */
    for (i = 0; i < 4; i++) {
        static const int way[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
        dGeomSetData(dCreatePlane(S, way[i][0], way[i][1], 0, (way[i][0] + way[i][1]) * AWAY - 1.2), (void *)(size_t)(2 + i));
    }
    for (i = 0; i < n; i++) {
        dMass m;
        dGeomID g;
        dQuaternion q;
        double a = between(0.2, 0.5), b = between(0.2, 0.5), c = between(0.2, 0.5);
        bodies[i] = dBodyCreate(W);
        switch (pick(3)) {
        case 0: g = dCreateSphere(S, a / 2); dMassSetSphere(&m, 1000, a / 2); break;
        case 1: g = dCreateBox(S, a, b, c); dMassSetBox(&m, 1000, a, b, c); break;
        default: g = dCreateCapsule(S, a / 3, b); dMassSetCapsule(&m, 1000, 3, a / 3, b); break;
        }
        dBodySetMass(bodies[i], &m);
        dGeomSetBody(g, bodies[i]);
        dGeomSetData(g, (void *)(size_t)(10 + i));
        dBodySetPosition(bodies[i], AWAY + between(-0.7, 0.7), AWAY + between(-0.7, 0.7), 0.4 + 0.35 * i);
        dQFromAxisAndAngle(q, between(-1, 1), between(-1, 1), 1, between(-3, 3));
        dBodySetQuaternion(bodies[i], q);
        dBodySetAngularVel(bodies[i], between(-1, 1), between(-1, 1), between(-1, 1));
    }
    for (s = 0; s <= 100; s++) {
        pairs = hash = 0;
        dSpaceCollide(S, 0, near);
        if (s % 10 == 0)
            for (i = 0; i < n; i++) {
                const dReal *x = dBodyGetPosition(bodies[i]), *q = dBodyGetQuaternion(bodies[i]), *v = dBodyGetLinearVel(bodies[i]);
                printf("%d.%d pile kind%d pairs %u-%u x", number, s, kind, pairs, hash);
                for (k = 0; k < 3; k++) printf(" %.12g", x[k]);
                for (k = 0; k < 4; k++) printf(" %.12g", q[k]);
                for (k = 0; k < 3; k++) printf(" %.12g", v[k]);
                printf("\n");
            }
        dWorldQuickStep(W, 0.01);
        dJointGroupEmpty(J);
    }
    dJointGroupDestroy(J);
    dSpaceDestroy(S);
    dWorldDestroy(W);
}

int main(int argc, char **argv)
{
    int cases = argc > 1 ? atoi(argv[1]) : 50, seed = argc > 2 ? atoi(argv[2]) : 1, i;
    dInitODE2(0);
    for (i = 0; i < cases; i++) {
        state = (uint32_t)(seed + 104729 * i);
        dRandSetSeed(1); /* so that one pile does not change the next */
        one(i);
    }
    dCloseODE();
    return 0;
}
