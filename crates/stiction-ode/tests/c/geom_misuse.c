/*
 * Wrong uses of geoms and spaces, one after the other in one process: each must be reported to the debug handler and then
 * refused. Prints a line for every use that was reported otherwise than once. The stock library ends at the first.
 */
#include <math.h>
#include <ode/ode.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int reports, last;

static void on_debug(int code, const char *text, va_list arguments)
{
    (void)text, (void)arguments;
    reports++;
    last = code;
}

/* checked through a volatile pointer, so that the compiler does not follow its attributes */
#define WRONG(code, call)                                                                                       \
    do {                                                                                                        \
        reports = 0;                                                                                            \
        (void)(call);                                                                                           \
        if (reports != 1 || last != (code)) printf("%s: %d reports, code %d\n", #call, reports, last);          \
    } while (0)

#define RIGHT(call)                                                                                             \
    do {                                                                                                        \
        reports = 0;                                                                                            \
        (void)(call);                                                                                           \
        if (reports) printf("%s: %d reports, code %d\n", #call, reports, last);                                 \
    } while (0)

static dSpaceID walked;
static dGeomID inside;

static void near_change(void *data, dGeomID a, dGeomID b)
{
    (void)data, (void)b;
    WRONG(2, dCreateSphere(walked, 1));
    WRONG(2, (dGeomSetPosition(inside, 1, 2, 3), 0));
    WRONG(2, (dGeomSetCategoryBits(inside, 1), 0));
    WRONG(2, (dGeomSetBody(inside, 0), 0));
    WRONG(2, (dSpaceRemove(walked, inside), 0));
    WRONG(2, (dGeomDestroy(inside), 0));
    WRONG(2, (dSpaceDestroy(walked), 0));
    RIGHT((dGeomDisable(a), dGeomEnable(a), 0));
}

/* a body and its world cannot end while the world steps */
static dWorldID stepping;
static void end_while_stepping(dBodyID body)
{
    WRONG(2, (dBodyDestroy(body), 0));
    WRONG(2, (dWorldDestroy(stepping), 0));
}

static int calls;
static void near_count(void *data, dGeomID a, dGeomID b) { (void)data, (void)a, (void)b, calls++; }

int main(void)
{
    dReal v[12] = {0};
    dContactGeom c[4];
    dWorldID w;
    dBodyID body;
    dGeomID ball, plane, other, far_away;
    dSpaceID space, hash;
    int i, n;
    dSetDebugHandler(on_debug);
    ball = dCreateSphere(0, 1);
    WRONG(2, dCollide(ball, ball, 1, c, sizeof c[0]));
    WRONG(2, dAllocateODEDataForThread(0));
    WRONG(2, (dCloseODE(), 0));
    dInitODE2(0);
    w = dWorldCreate();
    body = dBodyCreate(w);
    plane = dCreatePlane(0, 0, 0, 1, 0);
    other = dCreateSphere(0, 1);
    space = dSimpleSpaceCreate(0);

    /* handles that are none */
    WRONG(2, (dGeomDestroy(0), 0));
    WRONG(2, (dGeomSetData(0, 0), 0));
    WRONG(2, dGeomGetData(0));
    WRONG(2, (dGeomSetBody(0, body), 0));
    WRONG(2, dGeomGetBody(0));
    WRONG(2, (dGeomSetPosition(0, 0, 0, 0), 0));
    WRONG(2, (dGeomSetRotation(0, v), 0));
    WRONG(2, (dGeomSetQuaternion(0, v), 0));
    WRONG(2, dGeomGetPosition(0)[2]);
    WRONG(2, dGeomGetRotation(0)[11]);
    WRONG(2, (dGeomGetQuaternion(0, v), 0));
    WRONG(2, (dGeomGetAABB(0, v), 0));
    WRONG(2, dGeomIsSpace(0));
    WRONG(2, dGeomGetSpace(0));
    WRONG(2, dGeomGetClass(0));
    WRONG(2, dGeomIsEnabled(0));
    WRONG(2, dGeomGetOffsetPosition(0)[0]);
    WRONG(2, (dGeomClearOffset(0), 0));
    WRONG(2, dCollide(0, ball, 1, c, sizeof c[0]));
    WRONG(2, dCollide(ball, other, 1, 0, sizeof c[0]));
    WRONG(2, (dSpaceCollide(0, 0, near_count), 0));
    WRONG(2, (dSpaceCollide(space, 0, 0), 0));
    WRONG(2, (dSpaceCollide2(0, ball, 0, near_count), 0));
    WRONG(2, (dSpaceAdd(space, 0), 0));
    WRONG(2, (dSpaceAdd(0, ball), 0));
    WRONG(2, dSpaceGetNumGeoms(0));
    WRONG(2, dGeomTriMeshGetTriangleCount(0));
    WRONG(2, (dGeomTriMeshDataUpdate(0), 0));
    WRONG(2, (dGeomHeightfieldDataDestroy(0), 0));
    WRONG(2, dGeomGetClassData(0));

    /* geoms of another class */
    WRONG(2, dGeomSphereGetRadius(plane));
    WRONG(2, (dGeomBoxSetLengths(ball, 1, 1, 1), 0));
    WRONG(2, dGeomCapsulePointDepth(ball, 0, 0, 0));
    WRONG(2, (dGeomRaySet(ball, 0, 0, 0, 0, 0, 1), 0));
    WRONG(2, (dGeomPlaneSetParams(ball, 0, 0, 1, 0), 0));
    WRONG(2, dSpaceGetNumGeoms((dSpaceID)ball));
    WRONG(2, (dHashSpaceSetLevels(space, 0, 1), 0));
    WRONG(2, dGeomGetClassData(ball));
    WRONG(2, dCreateGeom(99));

    /* sizes, poses, slots */
    WRONG(2, dCreateSphere(0, -1));
    WRONG(2, dCreateSphere(0, NAN));
    WRONG(2, dCreateBox(0, 1, -1, 1));
    WRONG(2, dCreateCapsule(0, 1, -1));
    WRONG(2, (dGeomSphereSetRadius(ball, -1), 0));
    WRONG(2, (dGeomSetPosition(plane, 1, 2, 3), 0));
    WRONG(2, (dGeomSetBody(plane, body), 0));
    WRONG(2, (dGeomSetOffsetPosition(ball, 1, 0, 0), 0));
    WRONG(1, (dGeomRaySet(dCreateRay(0, 1), 0, 0, 0, 0, 0, 0), 0));
    WRONG(2, dCollide(ball, other, 0, c, sizeof c[0]));
    WRONG(1, dCollide(ball, other, 1, c, 1));
    RIGHT(dCollide(ball, plane, 1, c, sizeof c[0]));

    /* spaces */
    dSpaceAdd(space, ball);
    WRONG(2, (dSpaceAdd(space, ball), 0));
    WRONG(2, (dSpaceRemove(space, other), 0));
    WRONG(2, dSpaceGetGeom(space, 1));
    WRONG(2, (dSpaceAdd(space, (dGeomID)space), 0));
    dSpaceAdd(space, other);
    for (i = 0; i < 4; i++) {
        static const dVector3 middle = {0, 0, 0}, half = {5, 5, 5};
        walked = i == 0 ? dSimpleSpaceCreate(0) : i == 1 ? dHashSpaceCreate(0) : i == 2 ? dQuadTreeSpaceCreate(0, middle, half, 2) : dSweepAndPruneSpaceCreate(0, dSAP_AXES_XYZ);
        inside = dCreateSphere(walked, 1);
        dCreateSphere(walked, 1);
        dSpaceCollide(walked, 0, near_change);
        n = dSpaceGetNumGeoms(walked);
        if (n != 2) printf("%d geoms\n", n);
        RIGHT((dSpaceCollide(walked, 0, near_count), 0));
        RIGHT((dSpaceDestroy(walked), 0));
    }

    /* places that are no places */
    hash = dHashSpaceCreate(0);
    for (i = 0; i < 3; i++) dCreateSphere(hash, 1);
    far_away = dCreateSphere(hash, 1);
    other = dCreateSphere(hash, 1);
    dGeomSetPosition(far_away, 1e12, 0, 0);
    dGeomSetPosition(other, 1e12, 0.5, 0);
    calls = 0;
    RIGHT((dSpaceCollide(hash, 0, near_count), 0));
    dGeomSetPosition(far_away, 1e300, 0, 0);
    RIGHT((dSpaceCollide(hash, 0, near_count), 0));
    dGeomSetPosition(far_away, NAN, 0, 0);
    WRONG(1, (dSpaceCollide(hash, 0, near_count), 0));
    printf("%d pairs\n", calls);

    /* a triangle with a corner that is not there */
    {
        static const float points[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
        static const dTriIndex corners[3] = {0, 1, 7};
        dTriMeshDataID data = dGeomTriMeshDataCreate();
        WRONG(1, (dGeomTriMeshDataBuildSingle(data, points, sizeof points[0], 3, corners, 3, 3 * sizeof corners[0]), 0));
        other = dCreateTriMesh(0, data, 0, 0, 0);
        RIGHT(dCollide(other, ball, 4, c, sizeof c[0]));
        dGeomDestroy(other);
        dGeomTriMeshDataDestroy(data);
    }

    /* transforms in circles, and the same geom again */
    other = dCreateGeomTransform(0);
    far_away = dCreateGeomTransform(0);
    WRONG(2, (dGeomTransformSetGeom(other, other), 0));
    RIGHT((dGeomTransformSetGeom(other, far_away), 0));
    WRONG(2, (dGeomTransformSetGeom(far_away, other), 0));
    dGeomTransformSetCleanup(other, 1);
    RIGHT((dGeomTransformSetGeom(other, far_away), 0));
    RIGHT((dGeomDestroy(other), 0));

    /* bodies and worlds */
    stepping = dWorldCreate();
    body = dBodyCreate(stepping);
    dBodySetMovedCallback(body, end_while_stepping);
    dWorldStep(stepping, 0.01);
    dWorldQuickStep(stepping, 0.01);
    WRONG(2, (dWorldSetAutoDisableAverageSamplesCount(stepping, 4000000000u), 0));
    WRONG(2, (dWorldImpulseToForce(stepping, 0, 1, 1, 1, v), 0));
    dBodySetFiniteRotationAxis(body, 1e-170, 0, 0);
    dBodyGetFiniteRotationAxis(body, v);
    if (v[0] != 1 || v[1] != 0) printf("axis %g %g\n", v[0], v[1]);
    dWorldDestroy(stepping);
    dSpaceDestroy(hash);
    dSpaceDestroy(space);
    dWorldDestroy(w);
    dCloseODE();
    return 0;
}
