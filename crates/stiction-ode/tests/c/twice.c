/*
 * What is destroyed twice, or by itself and with what it belongs to: prints the reports, and what is left.
 */
#include <ode/ode.h>
#include <stdarg.h>
#include <stdio.h>

static int reports;
static void on_debug(int number, const char *text, va_list arguments)
{
    (void)text;
    (void)arguments;
    reports += number == 2;
}

static dWorldID world;
static dSpaceID space;

static void say(const char *what)
{
    dBodyID body = dBodyCreate(world);
    dGeomID geom = dCreateSphere(space, 1);
    dGeomSetBody(geom, body);
    dWorldStep(world, 0.01);
    printf("%s: %d reports, %d geoms\n", what, reports, dSpaceGetNumGeoms(space));
    dGeomDestroy(geom);
    dBodyDestroy(body);
    reports = 0;
}

int main(void)
{
    dWorldID other;
    dSpaceID within;
    dBodyID body;
    dGeomID geom, outer;
    dJointID joint;
    dJointGroupID group = dJointGroupCreate(0);
    int i;
    dSetDebugHandler(on_debug);
    dInitODE2(0);
    world = dWorldCreate();
    space = dHashSpaceCreate(0);

    body = dBodyCreate(world);
    dBodyDestroy(body);
    dBodyDestroy(body);
    say("body");

    geom = dCreateBox(space, 1, 1, 1);
    dGeomDestroy(geom);
    dGeomDestroy(geom);
    say("geom");

    joint = dJointCreateBall(world, 0);
    dJointDestroy(joint);
    dJointDestroy(joint);
    say("joint");

    /* Joints of groups go with their group, and dJointDestroy leaves them alone. */
    joint = dJointCreateBall(world, group);
    dJointDestroy(joint);
    dJointGroupEmpty(group);
    dJointDestroy(joint);
    say("joint of a group");

    other = dWorldCreate();
    body = dBodyCreate(other);
    joint = dJointCreateHinge(other, 0);
    dWorldDestroy(other);
    dWorldDestroy(other);
    dBodyDestroy(body);
    dJointDestroy(joint);
    say("world");

    within = dSimpleSpaceCreate(space);
    geom = dCreateBox(within, 1, 1, 1);
    dSpaceDestroy(within);
    dSpaceDestroy(within);
    dGeomDestroy(geom);
    dGeomDestroy((dGeomID)within);
    say("space");

    outer = dCreateGeomTransform(space);
    geom = dCreateSphere(0, 1);
    dGeomTransformSetCleanup(outer, 1);
    dGeomTransformSetGeom(outer, geom);
    dGeomDestroy(outer);
    dGeomDestroy(geom);
    say("transform");

    /* A handle is not that of the next object at once. */
    for (i = 0; i < 50; i++) {
        dBodyID next;
        body = dBodyCreate(world);
        dBodyDestroy(body);
        next = dBodyCreate(world);
        dBodyDestroy(body);
        dBodyDestroy(next);
    }
    say("fifty bodies");

    /* A group that is gone takes no joint, and is not that of the next one at once. */
    for (i = 0; i < 20; i++) {
        dJointGroupID own = dJointGroupCreate(0), next;
        dJointCreateBall(world, own);
        dJointGroupDestroy(own);
        next = dJointGroupCreate(0);
        dJointGroupDestroy(own);
        dJointGroupEmpty(own);
        reports += 10 * (dJointCreateBall(world, own) != 0);
        dJointCreateHinge(world, next);
        dJointGroupDestroy(next);
    }
    say("twenty groups");

    dJointGroupDestroy(group);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}
