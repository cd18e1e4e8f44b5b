/*
 * The usual shape of a program: a world, bodies with geoms, joints, and in each step contacts that live for that step.
 * A chain of boxes that hangs from the world falls on a floor; its lowest point is printed once a second.
 *
 *   cc falling_chain.c $(pkg-config --cflags --libs ode) -lm
 */
#include <ode/ode.h>
#include <stdio.h>

enum { LINKS = 8, MAX_CONTACTS = 8 };
static const dReal SIDE = 0.2; /* [m] */

static dWorldID world;
static dJointGroupID contacts;

/* Makes joints of the points where two geoms touch. */
static void touch(void *data, dGeomID geom1, dGeomID geom2)
{
    dContact contact[MAX_CONTACTS];
    dBodyID body1 = dGeomGetBody(geom1), body2 = dGeomGetBody(geom2);
    int i, count;
    (void)data;
    if (body1 && body2 && dAreConnected(body1, body2)) return;
    count = dCollide(geom1, geom2, MAX_CONTACTS, &contact[0].geom, sizeof contact[0]);
    for (i = 0; i < count; i++) {
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = 0.6;
        dJointAttach(dJointCreateContact(world, contacts, &contact[i]), body1, body2);
    }
}

int main(void)
{
    dBodyID links[LINKS];
    dSpaceID space;
    dReal lowest = 0;
    int i, step;
    dInitODE();
    world = dWorldCreate();
    space = dHashSpaceCreate(0);
    contacts = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, -9.81);
    dCreatePlane(space, 0, 0, 1, 0);
    for (i = 0; i < LINKS; i++) {
        dMass mass;
        dJointID joint = dJointCreateBall(world, 0);
        dGeomID geom = dCreateBox(space, SIDE, SIDE, SIDE);
        links[i] = dBodyCreate(world);
        dMassSetBox(&mass, 500, SIDE, SIDE, SIDE);
        dBodySetMass(links[i], &mass);
        dBodySetPosition(links[i], (i + 0.5) * 1.2 * SIDE, 0, 1);
        dGeomSetBody(geom, links[i]);
        dJointAttach(joint, links[i], i ? links[i - 1] : 0);
        dJointSetBallAnchor(joint, i * 1.2 * SIDE, 0, 1);
    }
    for (step = 1; step <= 500; step++) {
        dSpaceCollide(space, 0, touch);
        if (!dWorldStep(world, 0.01)) return 1;
        dJointGroupEmpty(contacts);
        if (step % 100) continue;
        lowest = dBodyGetPosition(links[0])[2];
        for (i = 1; i < LINKS; i++) lowest = dMin(lowest, dBodyGetPosition(links[i])[2]);
        printf("%.0f s: the lowest link is at %.3f m\n", step * 0.01, lowest);
    }
    dJointGroupDestroy(contacts);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    dCloseODE();
    return lowest > 0.45 * SIDE && lowest < 0.55 * SIDE ? 0 : 1;
}
