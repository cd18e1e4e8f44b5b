/* Start and end, errors, memory, timers, threads. */
#include "parity.h"
#include <dirent.h>
#include <setjmp.h>
#include <stdlib.h>

/* The functions as ODE's own headers name them, behind which the process ends. */
void error_of_ode(int number, const char *text, ...) __asm__("dError");
void debug_of_ode(int number, const char *text, ...) __asm__("dDebug");

static int last_number;
static char last_text[100];
static jmp_buf escape;
static void remember(int number, const char *text, va_list arguments)
{
    last_number = number;
    vsnprintf(last_text, sizeof last_text, text, arguments);
}
static void leave(int number, const char *text, va_list arguments)
{
    remember(number, text, arguments);
    longjmp(escape, 1);
}

static void errors(void)
{
    dSetMessageHandler(remember);
    T2(dSetMessageHandler, dGetMessageHandler, dGetMessageHandler() == remember);
    dMessage(7, "%d apples", 3);
    T(dMessage, last_number == 7 && strcmp(last_text, "3 apples") == 0);
    dSetErrorHandler(leave);
    T2(dSetErrorHandler, dGetErrorHandler, dGetErrorHandler() == leave);
    if (!setjmp(escape)) error_of_ode(8, "%d pears", 4);
    T(dError, last_number == 8 && strcmp(last_text, "4 pears") == 0);
    dSetDebugHandler(leave);
    T2(dSetDebugHandler, dGetDebugHandler, dGetDebugHandler() == leave);
    if (!setjmp(escape)) debug_of_ode(9, "%d plums", 5);
    T(dDebug, last_number == 9 && strcmp(last_text, "5 plums") == 0);
    dSetMessageHandler(0);
    dSetErrorHandler(0);
    dSetDebugHandler(0);
}

static int allocations, reallocations, frees;
static void *my_alloc(dsizeint size)
{
    allocations++;
    return malloc(size);
}
static void *my_realloc(void *block, dsizeint old_size, dsizeint new_size)
{
    (void)old_size;
    reallocations++;
    return realloc(block, new_size);
}
static void my_free(void *block, dsizeint size)
{
    (void)size;
    frees++;
    free(block);
}

static void memory(void)
{
    char *block;
    dSetAllocHandler(my_alloc);
    dSetReallocHandler(my_realloc);
    dSetFreeHandler(my_free);
    T2(dSetAllocHandler, dGetAllocHandler, dGetAllocHandler() == my_alloc);
    T2(dSetReallocHandler, dGetReallocHandler, dGetReallocHandler() == my_realloc);
    T2(dSetFreeHandler, dGetFreeHandler, dGetFreeHandler() == my_free);
    block = (char *)dAlloc(100);
    T(dAlloc, block && allocations == 1);
    if (block) strcpy(block, "kept");
    block = (char *)dRealloc(block, 100, 1000);
    T(dRealloc, block && reallocations == 1 && strcmp(block, "kept") == 0);
    dFree(block, 1000);
    T(dFree, frees == 1);
    dSetAllocHandler(0);
    dSetReallocHandler(0);
    dSetFreeHandler(0);
    block = (char *)dAlloc(10);
    block = (char *)dRealloc(block, 10, 20);
    dFree(block, 20);
    T3(dSetAllocHandler, dSetReallocHandler, dSetFreeHandler, allocations == 1 && reallocations == 1 && frees == 1);
}

static void wait_a_moment(void)
{
    volatile double x = 0;
    int i;
    for (i = 0; i < 3000000; i++) x += i;
}

static void timers(void)
{
    dStopwatch watch;
    char text[2000];
    size_t length;
    double first;
    FILE *file = tmpfile();
    memset(&watch, 1, sizeof watch);
    dStopwatchReset(&watch);
    T(dStopwatchReset, watch.time == 0);
    wait_a_moment();
    dStopwatchStart(&watch);
    wait_a_moment();
    dStopwatchStop(&watch);
    first = dStopwatchTime(&watch);
    T2(dStopwatchStop, dStopwatchTime, first > 0 && first < 5);
    wait_a_moment();
    dStopwatchStart(&watch);
    dStopwatchStop(&watch);
    T(dStopwatchStart, dStopwatchTime(&watch) < 1.9 * first);
    T(dTimerTicksPerSecond, dTimerTicksPerSecond() > 1000);
    T(dTimerResolution, dTimerResolution() > 0 && dTimerResolution() < 0.1);
    dTimerStart("first stretch");
    dTimerNow("second stretch");
    wait_a_moment();
    dTimerEnd();
    dTimerReport(file, 1);
    rewind(file);
    length = fread(text, 1, sizeof text - 1, file);
    text[length] = 0;
    fclose(file);
    T2(dTimerStart, dTimerReport, strstr(text, "first stretch") && strstr(text, "avg"));
    T(dTimerNow, strstr(text, "second stretch") != 0);
    T(dTimerEnd, strstr(text, "TOTAL") != 0);
}

/* Two calls before a third; the third counts how many have been made. */
static int made, third_saw;
static const dThreadingFunctionsInfo *functions;
static dMutexGroupID locks;
static dThreadingImplementationID threads;
static int count_call(void *context, dcallindex_t index, dCallReleaseeID this_call)
{
    (void)index;
    (void)this_call;
    functions->lock_group_mutex(threads, locks, 0);
    made++;
    functions->unlock_group_mutex(threads, locks, 0);
    return context == 0;
}
static int third_call(void *context, dcallindex_t index, dCallReleaseeID this_call)
{
    (void)context;
    (void)this_call;
    third_saw = made;
    return index == 42;
}
/* A call that ends only with another it posts itself. */
static int parent_call(void *context, dcallindex_t index, dCallReleaseeID this_call)
{
    (void)index;
    functions->alter_call_dependencies_count(threads, this_call, 1);
    functions->post_call(threads, 0, 0, 0, this_call, 0, count_call, context, 0, "child");
    return 1;
}

static int calls_work(void)
{
    static const char *const names[] = {"counter"};
    dCallWaitID wait = functions->alloc_call_wait(threads);
    dCallReleaseeID third = 0;
    dThreadedWaitTime moment = {0, 1000000};
    int fault = 9, status = 9, all;
    locks = functions->alloc_mutex_group(threads, 1, names);
    all = functions->preallocate_resources_for_calls(threads, 4) != 0;
    all &= functions->retrieve_thread_count(threads) >= 1;
    made = third_saw = 0;
    functions->post_call(threads, &fault, &third, 2, 0, wait, third_call, 0, 42, "third");
    functions->wait_call(threads, &status, wait, &moment, "too early");
    all &= status == 0 && third != 0;
    functions->post_call(threads, 0, 0, 0, third, 0, count_call, 0, 0, "first");
    functions->post_call(threads, 0, 0, 0, third, 0, count_call, 0, 1, "second");
    functions->wait_call(threads, &status, wait, 0, "all");
    all &= status == 1 && fault == 0 && third_saw == 2;
    functions->reset_call_wait(threads, wait);
    functions->post_call(threads, &fault, 0, 0, 0, wait, count_call, &fault, 0, "one that fails");
    functions->wait_call(threads, &status, wait, 0, "a fault");
    all &= fault == 1;
    functions->reset_call_wait(threads, wait);
    functions->post_call(threads, &fault, 0, 0, 0, wait, parent_call, 0, 0, "parent");
    functions->wait_call(threads, &status, wait, 0, "parent and child");
    all &= fault == 0 && made == 4;
    functions->free_call_wait(threads, wait);
    functions->free_mutex_group(threads, locks);
    return all;
}

static double stepped(dThreadingImplementationID implementation)
{
    dWorldID w = dWorldCreate();
    dBodyID a = dBodyCreate(w), b = dBodyCreate(w);
    dJointID j = dJointCreateBall(w, 0);
    double z;
    int i;
    dBodySetPosition(b, 1, 0, 0);
    dJointAttach(j, a, b);
    dJointSetBallAnchor(j, 0.5, 0, 0);
    dWorldSetGravity(w, 0, 0, -9.81);
    dBodyAddTorque(a, 10, 20, 30);
    dWorldSetStepThreadingImplementation(w, implementation ? dThreadingImplementationGetFunctions(implementation) : 0, implementation);
    for (i = 0; i < 20; i++) i % 2 ? dWorldStep(w, 0.01) : dWorldQuickStep(w, 0.01);
    z = dBodyGetPosition(b)[2];
    dWorldSetStepThreadingImplementation(w, 0, 0);
    dWorldDestroy(w);
    return z;
}

static int posted;
static dThreadingFunctionsInfo counting;
static void counting_post(
    dThreadingImplementationID implementation, int *fault, dCallReleaseeID *call, ddependencycount_t dependencies,
    dCallReleaseeID dependent, dCallWaitID wait, dThreadedCallFunction *function, void *context, dcallindex_t index,
    const char *name)
{
    posted++;
    functions->post_call(implementation, fault, call, dependencies, dependent, wait, function, context, index, name);
}

static int readied;
static void ready(void *context) { readied += context == &readied; }

/* Threads of this process, 0 where the system does not tell. */
static int thread_count(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    struct dirent *entry;
    if (!tasks) return 0;
    while ((entry = readdir(tasks))) count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

static void threading(void)
{
    dThreadingThreadPoolID pool;
    const double alone = stepped(0);
    int i;
    threads = dThreadingAllocateSelfThreadedImplementation();
    functions = dThreadingImplementationGetFunctions(threads);
    T(dThreadingImplementationGetFunctions, functions && functions->struct_size == sizeof *functions);
    T(dThreadingAllocateSelfThreadedImplementation, calls_work());
    T(dWorldSetStepThreadingImplementation, fabs(stepped(threads) - alone) < 1e-12);
    {
        dWorldID w = dWorldCreate();
        dBodyCreate(w);
        counting = *functions;
        counting.post_call = counting_post;
        dWorldSetStepThreadingImplementation(w, &counting, threads);
        dWorldStep(w, 0.01);
        T(dWorldSetStepThreadingImplementation, posted >= 1);
        dWorldDestroy(w);
    }
    dThreadingFreeImplementation(threads);

    threads = dThreadingAllocateMultiThreadedImplementation();
    functions = dThreadingImplementationGetFunctions(threads);
    pool = dThreadingAllocateThreadPool(3, 0, dAllocateFlagBasicData, 0);
    T(dThreadingAllocateThreadPool, pool != 0);
    dThreadingThreadPoolServeMultiThreadedImplementation(pool, threads);
    T2(dThreadingAllocateMultiThreadedImplementation, dThreadingThreadPoolServeMultiThreadedImplementation, calls_work());
    T(dThreadingThreadPoolServeMultiThreadedImplementation, functions->retrieve_thread_count(threads) == 3);
    T(dThreadingAllocateMultiThreadedImplementation, fabs(stepped(threads) - alone) < 1e-6);
    dThreadingImplementationShutdownProcessing(threads);
    dThreadingThreadPoolWaitIdleState(pool);
    T2(dThreadingImplementationShutdownProcessing, dThreadingThreadPoolWaitIdleState,
       functions->retrieve_thread_count(threads) == 0);
    dThreadingImplementationCleanupForRestart(threads);
    dThreadingThreadPoolServeMultiThreadedImplementation(pool, threads);
    T(dThreadingImplementationCleanupForRestart, calls_work());
    dThreadingImplementationShutdownProcessing(threads);
    dThreadingFreeThreadPool(pool);
    T(dThreadingFreeThreadPool, functions->retrieve_thread_count(threads) == 0);
    {
        const int before = thread_count();
        pool = dThreadingAllocateThreadPool(2, 0, dAllocateFlagBasicData, 0);
        T(dThreadingAllocateThreadPool, before == 0 || thread_count() == before + 2);
        dThreadingFreeThreadPool(pool);
        for (i = 0; i < 1000 && thread_count() > before; i++) wait_a_moment();
        T(dThreadingFreeThreadPool, thread_count() == before);
    }
    /* After the shutdown a thread that serves returns at once. */
    dExternalThreadingServeMultiThreadedImplementation(threads, ready, &readied);
    T(dExternalThreadingServeMultiThreadedImplementation, readied == 1);
    dThreadingFreeImplementation(threads);
    {
        int again = 0;
        dThreadingImplementationID old = dThreadingAllocateSelfThreadedImplementation();
        dThreadingFreeImplementation(old);
        for (i = 0; i < 64 && !again; i++) {
            threads = dThreadingAllocateSelfThreadedImplementation();
            again = threads == old;
            dThreadingFreeImplementation(threads);
        }
        T(dThreadingFreeImplementation, again);
    }
}

static void start_and_end(void)
{
    dGeomID g, h;
    dContactGeom contact;
    T(dInitODE2, dInitODE2(0) != 0);
    T(dAllocateODEDataForThread, dAllocateODEDataForThread(dAllocateMaskAll) != 0);
    T(dGetConfiguration, dGetConfiguration() && strncmp(dGetConfiguration(), "ODE ", 4) == 0);
    T(dCheckConfiguration, dCheckConfiguration("ODE_EXT_trimesh") == 1 && dCheckConfiguration("ODE_EXT_tri") == 0);
    errors();
    memory();
    timers();
    threading();
    g = dCreateSphere(0, 1);
    h = dCreateSphere(0, 1);
    T(dInitODE2, dCollide(g, h, 1, &contact, sizeof contact) == 1);
    dGeomDestroy(g);
    dGeomDestroy(h);
    dCloseODE();
    dInitODE();
    g = dCreateSphere(0, 1);
    h = dCreateSphere(0, 1);
    T(dInitODE, dCollide(g, h, 1, &contact, sizeof contact) == 1);
    dSetDebugHandler(leave);
    last_number = 0;
    dCloseODE();
    if (!setjmp(escape)) dCollide(g, h, 1, &contact, sizeof contact);
    T(dCloseODE, last_number == 2);
    last_number = 0;
    if (!setjmp(escape)) dCleanupODEAllDataForThread();
    T(dCleanupODEAllDataForThread, last_number == 2);
}

int main(void)
{
    start_and_end();
    return failures != 0;
}
