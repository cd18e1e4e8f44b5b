/*
 * Callbacks that do not return: compiled as C they are left by longjmp, as C++ by an exception. What the library is asked
 * afterwards is printed.
 *
 *   leave CASE
 */
#include <math.h>
#include <ode/ode.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#include <stdexcept>
#include <string>
#define LEAVE(text) throw std::runtime_error(std::string("left ") + text)
#define ATTEMPT(work)                                                            \
    do {                                                                         \
        try {                                                                    \
            work;                                                                \
            printf("returned\n");                                                \
        }                                                                        \
        catch (const std::runtime_error &error) { printf("%s\n", error.what()); } \
    } while (0)
#else
#include <setjmp.h>
static jmp_buf place;
static const char *reason;
#define LEAVE(text)          \
    do {                     \
        reason = (text);     \
        longjmp(place, 1);   \
    } while (0)
#define ATTEMPT(work)                          \
    do {                                       \
        if (!setjmp(place)) {                  \
            work;                              \
            printf("returned\n");              \
        }                                      \
        else printf("left %s\n", reason);      \
    } while (0)
#endif

enum { COUNT = 8 };
static dWorldID world;
static dSpaceID space;
static dBodyID bodies[COUNT];
static dGeomID geoms[COUNT];
static int calls, leaves_at;

static void on_debug(int number, const char *text, va_list arguments)
{
    (void)text;
    (void)arguments;
    printf("debug %d\n", number);
}

static void near(void *data, dGeomID a, dGeomID b)
{
    (void)data;
    (void)a;
    (void)b;
    if (++calls == leaves_at) LEAVE("near");
}

static void moved(dBodyID body)
{
    (void)body;
    if (++calls == leaves_at) LEAVE("moved");
}

static void make(dSpaceID in)
{
    int i;
    dMass mass;
    space = in;
    dMassSetSphere(&mass, 1, 0.6);
    for (i = 0; i < COUNT; i++) {
        bodies[i] = dBodyCreate(world);
        dBodySetMass(bodies[i], &mass);
        dBodySetPosition(bodies[i], i, 0, 0.25 * i);
        dBodySetLinearVel(bodies[i], 0.1 * i, 0, 0);
        dBodyAddTorque(bodies[i], 0, 0.1, 0);
        dBodySetMovedCallback(bodies[i], moved);
        geoms[i] = dCreateSphere(space, 0.6);
        dGeomSetBody(geoms[i], bodies[i]);
    }
}

static void join(int a, int b)
{
    dJointID joint = dJointCreateBall(world, 0);
    dJointAttach(joint, bodies[a], bodies[b]);
    dJointSetBallAnchor(joint, a, 0, 0.25 * a);
}

static int pairs(void)
{
    calls = 0;
    leaves_at = -1;
    dSpaceCollide(space, 0, near);
    return calls;
}

static void collide(void) { dSpaceCollide(space, 0, near); }
static void collide_with_one(void) { dSpaceCollide2((dGeomID)space, geoms[COUNT - 1], 0, near); }
static void step(void) { dWorldStep(world, 0.01); }
static void quick(void) { dWorldQuickStep(world, 0.01); }

static void state(void)
{
    int i;
    for (i = 0; i < COUNT; i++) {
        const dReal *p = dBodyGetPosition(bodies[i]), *v = dBodyGetLinearVel(bodies[i]), *w = dBodyGetAngularVel(bodies[i]);
        const dReal *f = dBodyGetForce(bodies[i]);
        printf("%d  %.10f %.10f  %.10f %.10f  %.10f  %.10f\n", i, p[0], p[2], v[0], v[2], w[1], f[2]);
    }
}

/* Changes that are refused during a walk, from a frame that is deeper than that of the walk was. */
static void change(void)
{
    char room[20000];
    memset(room, calls, 8);
    dGeomSetPosition(geoms[0], 0.2, 0, 0);
    dGeomDestroy(geoms[1]);
    geoms[1] = dCreateSphere(space, 0.6);
    dGeomSetBody(geoms[1], bodies[1]);
    dBodySetPosition(bodies[2], 1.7, 0, 0.1);
    printf("%d geoms, %d pairs, %d\n", dSpaceGetNumGeoms(space), pairs(), (int)(room[0] * 0));
}

static void walk(dSpaceID in)
{
    make(in);
    printf("%d pairs\n", pairs());
    calls = 0;
    leaves_at = 3;
    ATTEMPT(collide());
    printf("%d pairs\n", pairs());
    calls = 0;
    leaves_at = 1;
    ATTEMPT(collide_with_one());
    printf("%d pairs\n", pairs());
}

static dSpaceID quadtree(void)
{
    dVector3 centre = {4, 0, 0}, extents = {6, 6, 6};
    return dQuadTreeSpaceCreate(0, centre, extents, 3);
}

static void simple_space(void) { walk(dSimpleSpaceCreate(0)); }
static void hash_space(void) { walk(dHashSpaceCreate(0)); }
static void sweep_space(void) { walk(dSweepAndPruneSpaceCreate(0, dSAP_AXES_XYZ)); }
static void quadtree_space(void) { walk(quadtree()); }

static void simple_space_changed(void) { walk(dSimpleSpaceCreate(0)); change(); }
static void hash_space_changed(void) { walk(dHashSpaceCreate(0)); change(); }
static void sweep_space_changed(void) { walk(dSweepAndPruneSpaceCreate(0, dSAP_AXES_XYZ)); change(); }
static void quadtree_space_changed(void) { walk(quadtree()); change(); }

/* A walk inside a walk is left, the outer one goes on, and is still locked. */
static void near_within(void *data, dGeomID a, dGeomID b)
{
    (void)data;
    (void)a;
    (void)b;
    calls = 0;
    leaves_at = 2;
    ATTEMPT(collide());
    dCreateSphere(space, 1);
}
static void nested(void)
{
    make(dHashSpaceCreate(0));
    dSpaceCollide(space, 0, near_within);
    printf("%d geoms, %d pairs\n", dSpaceGetNumGeoms(space), pairs());
}
static void nested_changed(void)
{
    nested();
    change();
}

static void left_step(void (*take)(void), int at)
{
    make(dHashSpaceCreate(0));
    join(0, 1);
    join(1, 2);
    join(4, 5);
    dWorldSetGravity(world, 0, 0, -10);
    calls = 0;
    leaves_at = at;
    ATTEMPT(take());
    state();
    leaves_at = -1;
    take();
    state();
}

static void step_first(void) { left_step(step, 1); }
static void step_fifth(void) { left_step(step, 5); }
static void quick_first(void) { left_step(quick, 1); }
static void quick_fifth(void) { left_step(quick, 5); }

/* What is refused during a step is not after it. */
static void step_changed(void)
{
    char room[20000];
    left_step(step, 3);
    leaves_at = calls + 2;
    ATTEMPT(quick());
    memset(room, calls, 8);
    dBodyDestroy(bodies[3]);
    dGeomDestroy(geoms[3]);
    leaves_at = -1;
    step();
    printf("%d pairs, %d\n", pairs(), (int)(room[0] * 0));
    dWorldDestroy(world);
    printf("destroyed\n");
}

static void refused(dBodyID body)
{
    dBodyDestroy(bodies[(bodies[0] == body) + 1]);
    dWorldStep(world, 0.01);
    calls++;
}
static void step_refuses(void)
{
    make(dHashSpaceCreate(0));
    calls = 0;
    leaves_at = 2;
    ATTEMPT(step());
    dBodySetMovedCallback(bodies[0], refused);
    leaves_at = -1;
    step();
    printf("%d calls\n", calls);
}

static int on_triangle(dGeomID mesh, dGeomID other, int index)
{
    (void)mesh;
    (void)other;
    (void)index;
    if (++calls == leaves_at) LEAVE("triangle");
    return 1;
}
static void on_triangles(dGeomID mesh, dGeomID other, const int *indices, int count)
{
    (void)mesh;
    (void)other;
    (void)indices;
    (void)count;
    if (++calls == leaves_at) LEAVE("triangles");
}
static int on_ray(dGeomID mesh, dGeomID other, int index, dReal u, dReal v)
{
    (void)mesh;
    (void)other;
    (void)index;
    (void)u;
    (void)v;
    if (++calls == leaves_at) LEAVE("ray");
    return 1;
}

static float corners[4][3] = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
static dTriIndex triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
static dGeomID mesh_of(dTriCallback *triangle, dTriArrayCallback *array, dTriRayCallback *ray)
{
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(data, corners, sizeof corners[0], 4, triangles, 6, sizeof triangles[0]);
    return dCreateTriMesh(0, data, triangle, array, ray);
}
static int contacts(dGeomID a, dGeomID b)
{
    dContactGeom points[8];
    return dCollide(a, b, 8, points, sizeof points[0]);
}
static void mesh(dGeomID a, dGeomID b)
{
    static int count;
    count = 0;
    calls = 0;
    leaves_at = 1;
    ATTEMPT(count = contacts(a, b));
    ATTEMPT(count = contacts(a, b));
    printf("%d contacts\n", count != 0);
}
static void mesh_triangle(void)
{
    dGeomID ball = dCreateSphere(0, 0.5);
    dGeomSetPosition(ball, 0.5, 0.3, 0.4);
    mesh(mesh_of(on_triangle, 0, 0), ball);
}
static void mesh_array(void)
{
    dGeomID box = dCreateBox(0, 1, 1, 1);
    dGeomSetPosition(box, 0.5, 0.3, 0.4);
    mesh(box, mesh_of(0, on_triangles, 0));
}
static void mesh_ray(void)
{
    dGeomID ray = dCreateRay(0, 2);
    dGeomRaySet(ray, 0.5, 0.3, 1, 0, 0, -1);
    mesh(mesh_of(0, 0, on_ray), ray);
}
static void transform(void)
{
    dGeomID outer = dCreateGeomTransform(0), ball = dCreateSphere(0, 0.5);
    dGeomSetPosition(ball, 0.5, 0, 0);
    dGeomTransformSetGeom(outer, ball);
    dGeomSetPosition(outer, 0, 0.3, 0.4);
    mesh(outer, mesh_of(on_triangle, 0, 0));
    mesh(outer, mesh_of(on_triangle, 0, 0));
    printf("%.3f %.3f\n", dGeomGetPosition(ball)[0], dGeomGetPosition(ball)[1]);
}

static dReal height(void *data, int x, int z)
{
    (void)data;
    if (++calls == leaves_at) LEAVE("height");
    return 0.1 * (x + z);
}
static void heightfield(void)
{
    dHeightfieldDataID data = dGeomHeightfieldDataCreate();
    dGeomID ball = dCreateSphere(0, 0.5);
    dGeomHeightfieldDataBuildCallback(data, 0, height, 4, 4, 5, 5, 1, 0, 1, 0);
    dGeomSetPosition(ball, 0.5, 0.6, 0.4);
    mesh(dCreateHeightfield(0, data, 1), ball);
}

static void user_bounds(dGeomID geom, dReal bounds[6])
{
    int i;
    (void)geom;
    if (++calls == leaves_at) LEAVE("bounds");
    for (i = 0; i < 6; i++) bounds[i] = i % 2 ? 1.5 : -1.5;
}
static int user_collide(dGeomID a, dGeomID b, int flags, dContactGeom *points, int skip)
{
    (void)flags;
    (void)skip;
    if (++calls == leaves_at) LEAVE("collider");
    memset(points, 0, sizeof *points);
    points->g1 = a;
    points->g2 = b;
    return 1;
}
static dColliderFn *user_collider(int number)
{
    return number == dSphereClass ? user_collide : 0;
}
static void user_class(void)
{
    dGeomClass description;
    dGeomID geom;
    memset(&description, 0, sizeof description);
    description.collider = user_collider;
    description.aabb = user_bounds;
    make(quadtree());
    geom = dCreateGeom(dCreateGeomClass(&description));
    dSpaceAdd(space, geom);
    calls = 0;
    leaves_at = 1;
    ATTEMPT(collide());
    printf("%d pairs\n", pairs());
    mesh(geom, geoms[0]);
}

static void throwing(int number, const char *text, va_list arguments)
{
    (void)number;
    (void)text;
    (void)arguments;
    LEAVE("report");
}
static void dot(void) { dMessage(3, "%s", "text"); }
static void error(void) { dError(3, "%s", "text"); }
static void bug(void) { dDebug(3, "%s", "text"); }
static void bad_axis(void) { dGeomSetBody(dCreatePlane(space, 0, 0, 1, 0), bodies[0]); }
static void handlers(void)
{
    make(dHashSpaceCreate(0));
    dSetMessageHandler(throwing);
    dSetErrorHandler(throwing);
    dSetDebugHandler(throwing);
    ATTEMPT(dot());
    ATTEMPT(error());
    ATTEMPT(bug());
    ATTEMPT(bad_axis());
    leaves_at = -1;
    step();
    state();
    printf("%d pairs\n", pairs());
}
static void grouped(void) { dWorldDestroy(world); }
static void message_of_destroy(void)
{
    dJointGroupID group = dJointGroupCreate(0);
    make(dHashSpaceCreate(0));
    dJointAttach(dJointCreateBall(world, group), bodies[0], bodies[1]);
    dJointAttach(dJointCreateBall(world, group), bodies[1], bodies[2]);
    dSetMessageHandler(throwing);
    ATTEMPT(grouped());
    dSetMessageHandler(0);
    dJointGroupDestroy(group);
    printf("destroyed\n");
}
/* A number that is none, met in the middle of a step. */
static void report_in_step(void)
{
    make(dHashSpaceCreate(0));
    dSetDebugHandler(throwing);
    dBodySetForce(bodies[3], NAN, 0, 0);
    leaves_at = -1;
    ATTEMPT(step());
    dBodySetForce(bodies[3], 0, 0, 0);
    ATTEMPT(step());
    dBodyDestroy(bodies[3]);
    ATTEMPT(step());
}

static void self_threaded(void)
{
    dThreadingImplementationID threads = dThreadingAllocateSelfThreadedImplementation();
    make(dHashSpaceCreate(0));
    dWorldSetStepThreadingImplementation(world, dThreadingImplementationGetFunctions(threads), threads);
    calls = 0;
    leaves_at = 3;
    ATTEMPT(step());
    leaves_at = -1;
    ATTEMPT(step());
    dBodyDestroy(bodies[3]);
    ATTEMPT(step());
    dWorldSetStepThreadingImplementation(world, 0, 0);
    dThreadingFreeImplementation(threads);
    dWorldDestroy(world);
}

/* The resident set after walks and steps that were left, beyond what it was after a few of them. */
static long resident(void)
{
    long size = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld %ld", &size, &pages) != 2) pages = 0;
    if (file) fclose(file);
    return pages;
}
static void many(void)
{
    static int i;
    static long before;
    make(dHashSpaceCreate(0));
    for (i = 0; i < 100000; i++) {
        if (i == 1000) before = resident();
        calls = 0;
        leaves_at = 2;
#ifdef __cplusplus
        try { collide(); } catch (...) {}
        try { step(); } catch (...) {}
#else
        if (!setjmp(place)) collide();
        if (!setjmp(place)) step();
#endif
    }
    if (resident() - before > 200) printf("%ld pages more\n", resident() - before);
    printf("%d pairs\n", pairs());
    change();
}

#define C(name) {#name, name}
static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    C(simple_space), C(hash_space), C(sweep_space), C(quadtree_space), C(simple_space_changed), C(hash_space_changed),
    C(sweep_space_changed), C(quadtree_space_changed), C(nested), C(nested_changed), C(step_first), C(step_fifth),
    C(quick_first), C(quick_fifth), C(step_changed), C(step_refuses), C(mesh_triangle), C(mesh_array), C(mesh_ray),
    C(transform), C(heightfield), C(user_class), C(handlers), C(message_of_destroy), C(report_in_step), C(self_threaded),
    C(many),
};

int main(int count, char **arguments)
{
    unsigned i;
    setvbuf(stdout, 0, _IOLBF, 0);
    dInitODE2(0);
    dSetDebugHandler(on_debug);
    world = dWorldCreate();
    for (i = 0; count == 2 && i < sizeof cases / sizeof *cases; i++) {
        if (strcmp(cases[i].name, arguments[1])) continue;
        cases[i].run();
        return 0;
    }
    return 2;
}
