/* Worlds: settings, steps, working memory, threads. */
#include "parity.h"

static dWorldID w;

#define WORLD(property, value)                                                                                  \
    do {                                                                                                        \
        dWorldSet##property(w, value);                                                                          \
        T2(dWorldSet##property, dWorldGet##property, near(dWorldGet##property(w), value));                      \
    } while (0)

static int allocated, freed;
static size_t largest;
static void *block;
static void *alloc_block(dsizeint size)
{
    allocated++;
    if (size > largest) largest = size;
    return block = malloc(size);
}
static void *shrink_block(void *given, dsizeint size, dsizeint smaller)
{
    (void)size;
    (void)smaller;
    return given;
}
static void free_block(void *given, dsizeint size)
{
    (void)size;
    if (given == block) freed++;
    free(given);
}

static void settings(void)
{
    dVector3 g;
    int here;
    dWorldSetGravity(w, 1, -2, 3);
    dWorldGetGravity(w, g);
    T2(dWorldSetGravity, dWorldGetGravity, near3(g, 1, -2, 3));
    dWorldSetData(w, &here);
    T2(dWorldSetData, dWorldGetData, dWorldGetData(w) == &here);
    WORLD(ERP, 0.37);
    WORLD(CFM, 0.25);
    WORLD(StepIslandsProcessingMaxThreadCount, 3);
    WORLD(QuickStepNumIterations, 31);
    WORLD(QuickStepW, 1.5);
    WORLD(ContactMaxCorrectingVel, 7);
    WORLD(ContactSurfaceLayer, 0.125);
    WORLD(AutoDisableLinearThreshold, 0.5);
    WORLD(AutoDisableAngularThreshold, 0.75);
    WORLD(AutoDisableAverageSamplesCount, 4);
    WORLD(AutoDisableSteps, 17);
    WORLD(AutoDisableTime, 2.5);
    WORLD(LinearDampingThreshold, 0.5);
    WORLD(AngularDampingThreshold, 0.75);
    WORLD(LinearDamping, 0.125);
    WORLD(AngularDamping, 0.0625);
    WORLD(MaxAngularSpeed, 12);
    dWorldSetDamping(w, 0.01, 0.02);
    T(dWorldSetDamping, near(dWorldGetLinearDamping(w), 0.01) && near(dWorldGetAngularDamping(w), 0.02));
    dWorldSetAutoDisableFlag(w, 1);
    T2(dWorldSetAutoDisableFlag, dWorldGetAutoDisableFlag, dWorldGetAutoDisableFlag(w) != 0);
}

static void steps(void)
{
    dWorldID other = dWorldCreate();
    dBodyID b = dBodyCreate(other);
    dVector3 force;
    int result;
    dWorldSetGravity(other, 0, 0, -10);
    result = dWorldStep(other, 0.1);
    T(dWorldStep, result == 1 && near(dBodyGetLinearVel(b)[2], -1));
    result = dWorldQuickStep(other, 0.1);
    T(dWorldQuickStep, result == 1 && near(dBodyGetLinearVel(b)[2], -2));
    dWorldImpulseToForce(other, 0.5, 1, 2, 3, force);
    T(dWorldImpulseToForce, near3(force, 2, 4, 6));
    dWorldDestroy(other);
}

static void memory(void)
{
    dWorldStepMemoryFunctionsInfo functions;
    dWorldStepReserveInfo policy;
    dWorldID first = dWorldCreate(), second = dWorldCreate();
    T(dWorldUseSharedWorkingMemory, dWorldUseSharedWorkingMemory(second, first) == 1);
    functions.struct_size = sizeof functions;
    functions.alloc_block = alloc_block;
    functions.shrink_block = shrink_block;
    functions.free_block = free_block;
    policy.struct_size = sizeof policy;
    policy.reserve_factor = 2;
    policy.reserve_minimum = 300000;
    T(dWorldSetStepMemoryReservationPolicy, dWorldSetStepMemoryReservationPolicy(first, &policy) == 1);
    T(dWorldSetStepMemoryManager, dWorldSetStepMemoryManager(first, &functions) == 1);
    {
        dBodyID b = dBodyCreate(first);
        dJointAttach(dJointCreateBall(first, 0), b, 0);
    }
    dWorldStep(first, 0.01);
    dWorldStep(first, 0.01);
    T(dWorldSetStepMemoryManager, allocated == 1);
    T(dWorldSetStepMemoryReservationPolicy, largest >= 300000);
    dWorldCleanupWorkingMemory(first);
    T(dWorldCleanupWorkingMemory, freed == 1);
    dWorldStep(first, 0.01);
    dWorldDestroy(second);
    dWorldDestroy(first);
    T(dWorldDestroy, freed == allocated);
}

static void export_dif(void)
{
    char text[4096];
    size_t length;
    FILE *file = tmpfile();
    dWorldID other = dWorldCreate();
    dBodySetPosition(dBodyCreate(other), 1, 2, 3);
    dWorldExportDIF(other, file, "my_");
    rewind(file);
    length = fread(text, 1, sizeof text - 1, file);
    text[length] = 0;
    fclose(file);
    T(dWorldExportDIF, strstr(text, "my_body[0] = dynamics.body {") && strstr(text, "pos = {1,2,3},"));
    dWorldDestroy(other);
}

int main(void)
{
    dInitODE();
    w = dWorldCreate();
    T(dWorldCreate, w != 0);
    settings();
    steps();
    memory();
    export_dif();
    dWorldDestroy(w);
    dCloseODE();
    return failures != 0;
}
