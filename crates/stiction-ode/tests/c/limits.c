/*
 * Worlds under limits: `limits stack` steps large worlds on a thread with little stack, `limits threads` steps worlds on
 * threads of their own at the same time and one after the other; they must move alike to the bit.
 */
#include <ode/ode.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORLDS 4

typedef struct {
    dWorldID world;
    dSpaceID space;
    dJointGroupID group;
    double sum;
} Scene;

static void make_contacts(void *data, dGeomID a, dGeomID b)
{
    Scene *scene = data;
    dContact contacts[4];
    int i, count = dCollide(a, b, 4, &contacts[0].geom, sizeof contacts[0]);
    for (i = 0; i < count; i++) {
        contacts[i].surface.mode = dContactApprox1;
        contacts[i].surface.mu = 0.5;
        dJointAttach(dJointCreateContact(scene->world, scene->group, &contacts[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static void set_up(Scene *scene)
{
    scene->world = dWorldCreate();
    scene->space = dHashSpaceCreate(0);
    scene->group = dJointGroupCreate(0);
    dWorldSetGravity(scene->world, 0, 0, -9.81);
    dCreatePlane(scene->space, 0, 0, 1, 0);
}

static void tear_down(Scene *scene)
{
    dJointGroupDestroy(scene->group);
    dSpaceDestroy(scene->space);
    dWorldDestroy(scene->world);
}

static dBodyID cube(Scene *scene, double x, double y, double z)
{
    dBodyID body = dBodyCreate(scene->world);
    dMass mass;
    dMassSetBox(&mass, 1000, 1, 1, 1);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, x, y, z);
    dGeomSetBody(dCreateBox(scene->space, 1, 1, 1), body);
    return body;
}

/* Boxes in layers that touch: one island. */
static void layers(Scene *scene, int side, int height)
{
    int i, k, z;
    for (z = 0; z < height; z++)
        for (i = 0; i < side; i++)
            for (k = 0; k < side; k++) cube(scene, i + 0.3 * (z % 2), k + 0.2 * (z % 2), 0.5 + z);
}

static void chain(Scene *scene, int count)
{
    dBodyID last = 0;
    int i;
    for (i = 0; i < count; i++) {
        dBodyID body = dBodyCreate(scene->world);
        dJointID joint = dJointCreateBall(scene->world, 0);
        dBodySetPosition(body, i + 1, 0, 5);
        dJointAttach(joint, body, last);
        dJointSetBallAnchor(joint, i, 0, 5);
        last = body;
    }
}

static void step(Scene *scene, int is_quick, int steps)
{
    while (steps-- > 0) {
        dSpaceCollide(scene->space, scene, make_contacts);
        if (is_quick) dWorldQuickStep(scene->world, 0.01);
        else dWorldStep(scene->world, 0.01);
        dJointGroupEmpty(scene->group);
    }
}

static void *large_worlds(void *nothing)
{
    Scene scene;
    set_up(&scene);
    layers(&scene, 20, 5);
    step(&scene, 1, 3);
    tear_down(&scene);
    set_up(&scene);
    layers(&scene, 5, 3);
    step(&scene, 0, 2);
    tear_down(&scene);
    set_up(&scene);
    chain(&scene, 3000);
    step(&scene, 0, 2);
    step(&scene, 1, 2);
    tear_down(&scene);
    return nothing;
}

static void *pile(void *data)
{
    Scene *scene = data;
    dBodyID bodies[30];
    int i, k;
    for (i = 0; i < 30; i++) bodies[i] = cube(scene, 0.3 * (i % 3), 0.2 * (i % 2), 1 + 1.05 * i);
    step(scene, 1, 200);
    scene->sum = 0;
    for (i = 0; i < 30; i++)
        for (k = 0; k < 3; k++) scene->sum += (i + 0.1 * k) * dBodyGetPosition(bodies[i])[k];
    return 0;
}

int main(int argument_count, char **arguments)
{
    int i;
    dInitODE2(0);
    if (argument_count > 1 && strcmp(arguments[1], "stack") == 0) {
        pthread_t thread;
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, 128 * 1024);
        pthread_create(&thread, &attributes, large_worlds, 0);
        pthread_join(thread, 0);
        puts("done");
    }
    else {
        Scene scenes[2 * WORLDS];
        pthread_t threads[WORLDS];
        Scene first;
        set_up(&first);
        for (i = 0; i < 2 * WORLDS; i++) set_up(&scenes[i]);
        for (i = 0; i < WORLDS; i++) pthread_create(&threads[i], 0, pile, &scenes[i]);
        for (i = 0; i < WORLDS; i++) pthread_join(threads[i], 0);
        for (i = WORLDS; i < 2 * WORLDS; i++) pile(&scenes[i]);
        for (i = 0; i < 2 * WORLDS; i++) printf("%.17g\n", scenes[i].sum);
        for (i = 0; i < 2 * WORLDS; i++) tear_down(&scenes[i]);
        tear_down(&first);
    }
    dCloseODE();
    return 0;
}
