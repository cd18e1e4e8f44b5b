/*
 * Worlds under limits: `limits stack` steps large worlds on a thread with little stack, `limits threads` steps worlds on
 * threads of their own at the same time and one after the other; they must move alike to the bit. `limits pool` steps a world
 * with islands of many kinds by threads that it is given, and prints for each stepper and number of threads (-1 for none, 0
 * for the self-threaded implementation) a hash of the poses, the calls posted, those run in other threads than that which
 * steps, and the largest index of a call. `limits beside` prints where boxes come to lie on a slope without and with others.
 */
#include <ode/ode.h>
#include <ode/stiction.h>
#include <pthread.h>
#include <stdatomic.h>
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

static const dThreadingFunctionsInfo *given;
static pthread_t stepping;
static atomic_int posted, elsewhere, largest;

typedef struct {
    dThreadedCallFunction *function;
    void *context;
} Counted;

static int counted_call(void *context, dcallindex_t index, dCallReleaseeID releasee)
{
    Counted counted = *(Counted *)context;
    free(context);
    elsewhere += !pthread_equal(pthread_self(), stepping);
    return counted.function(counted.context, index, releasee);
}

static void counting_post(
    dThreadingImplementationID implementation, int *fault, dCallReleaseeID *call, ddependencycount_t dependencies,
    dCallReleaseeID dependent, dCallWaitID wait, dThreadedCallFunction *function, void *context, dcallindex_t index,
    const char *name)
{
    Counted *counted = malloc(sizeof *counted);
    *counted = (Counted){function, context};
    posted++;
    if ((int)index > largest) largest = (int)index;
    given->post_call(implementation, fault, call, dependencies, dependent, wait, counted_call, counted, index, name);
}

/* Lone cubes, leaning stacks, heaps, chains of joints, and a cube on a motor. */
static void islands(Scene *scene)
{
    int i, k;
    for (i = 0; i < 40; i++) cube(scene, 3.0 * i, -20, 0.5 + 0.01 * (i % 7));
    for (i = 0; i < 12; i++)
        for (k = 0; k < 2 + i % 4; k++) cube(scene, 4.0 * i + 0.02 * i * k, -10, 0.5 + 1.0 * k);
    for (i = 0; i < 3; i++)
        for (k = 0; k < 30; k++) cube(scene, 20.0 * i + 0.3 * (k % 3), 0.2 * (k % 2), 0.6 + 1.05 * k);
    for (i = 0; i < 8; i++) {
        dBodyID last = 0;
        for (k = 0; k < 3 + 5 * i; k++) {
            dBodyID body = cube(scene, 2.0 * k, 20 + 5 * i, 100);
            dJointID joint = dJointCreateHinge(scene->world, 0);
            dJointAttach(joint, body, last);
            dJointSetHingeAnchor(joint, 2.0 * k - 1, 20 + 5 * i, 100);
            dJointSetHingeAxis(joint, 0, 1, 0.1 * (k % 2));
            if (k == 2) {
                dJointSetHingeParam(joint, dParamVel, 1);
                dJointSetHingeParam(joint, dParamFMax, 1e4);
                dJointSetHingeParam(joint, dParamHiStop, 0.3);
            }
            last = body;
        }
    }
}

static void pooled(int mode, int is_quick, int threads)
{
    Scene scene;
    dThreadingImplementationID implementation = 0;
    dThreadingThreadPoolID pool = 0;
    dThreadingFunctionsInfo counting;
    unsigned long long hash = 1469598103934665603ull;
    int g, k;
    dRandSetSeed(7);
    set_up(&scene);
    dWorldSetStictionMode(scene.world, mode);
    islands(&scene);
    posted = elsewhere = largest = 0;
    stepping = pthread_self();
    if (threads >= 0) {
        implementation = threads ? dThreadingAllocateMultiThreadedImplementation() : dThreadingAllocateSelfThreadedImplementation();
        given = dThreadingImplementationGetFunctions(implementation);
        counting = *given;
        counting.post_call = counting_post;
        if (threads) {
            pool = dThreadingAllocateThreadPool(threads, 0, dAllocateFlagBasicData, 0);
            dThreadingThreadPoolServeMultiThreadedImplementation(pool, implementation);
        }
        dWorldSetStepThreadingImplementation(scene.world, &counting, implementation);
    }
    step(&scene, is_quick, 40);
    for (g = 0; g < dSpaceGetNumGeoms(scene.space); g++) {
        dBodyID body = dGeomGetBody(dSpaceGetGeom(scene.space, g));
        const unsigned char *bytes = body ? (const unsigned char *)dBodyGetPosition(body) : 0;
        for (k = 0; bytes && k < 24; k++) hash = (hash ^ bytes[k]) * 1099511628211ull;
    }
    printf("%d %d %d %016llx %d %d %d\n", mode, is_quick, threads, hash, posted, elsewhere, largest);
    if (implementation) {
        dWorldSetStepThreadingImplementation(scene.world, 0, 0);
        if (threads) dThreadingImplementationShutdownProcessing(implementation);
        if (pool) dThreadingFreeThreadPool(pool);
        dThreadingFreeImplementation(implementation);
    }
    tear_down(&scene);
}

/* A box of 1 t on one of 1 kg on a slope, in fast mode, which the direct solver takes, with so many islands before it. */
static void heavy_beside(int others)
{
    Scene scene;
    dBodyID light, heavy;
    dMass mass;
    int i;
    set_up(&scene);
    dWorldSetStictionMode(scene.world, 1);
    dWorldSetGravity(scene.world, 1, 0.5, -9.81);
    light = cube(&scene, 0, 0, 0.5);
    heavy = cube(&scene, 0, 0, 1.5);
    dMassSetBoxTotal(&mass, 1, 1, 1, 1);
    dBodySetMass(light, &mass);
    for (i = 0; i < others; i++) cube(&scene, 5.0 + 3.0 * i, 0, 0.5);
    step(&scene, 1, 100);
    for (i = 0; i < 3; i++) printf("%.17g ", dBodyGetPosition(light)[i]);
    for (i = 0; i < 3; i++) printf("%.17g%c", dBodyGetPosition(heavy)[i], i < 2 ? ' ' : '\n');
    tear_down(&scene);
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
    else if (argument_count > 1 && strcmp(arguments[1], "pool") == 0) {
        const int threads[] = {-1, 0, 1, 2, 3, 8};
        int stepper;
        for (stepper = 0; stepper < 4; stepper++)
            for (i = 0; i < 6; i++) pooled(stepper / 2, stepper % 2, threads[i]);
    }
    else if (argument_count > 1 && strcmp(arguments[1], "beside") == 0) {
        heavy_beside(0);
        heavy_beside(5);
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
