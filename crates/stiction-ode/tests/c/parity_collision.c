/* Geoms, spaces, contacts, classes of the program. */
#include "parity.h"

static dContactGeom contacts[16];
static dGeomID g, h;

static int touch(dGeomID p, dGeomID q) { return dCollide(p, q, 16, contacts, sizeof *contacts); }

#define GETS3(call, x, y, z, function)             \
    do {                                           \
        dVector3 v = {9, 9, 9, 9};                 \
        call;                                      \
        T(function, near3(v, x, y, z));            \
    } while (0)

static void shapes(void)
{
    dReal radius = 0, length = 0;
    dVector4 plane = {0, 0, 0, 0};
    dVector3 v, u;
    int first = 9, cull = 9;
    g = dCreateSphere(0, 1);
    T(dCreateSphere, g && dGeomGetClass(g) == dSphereClass);
    dGeomSphereSetRadius(g, 2);
    T2(dGeomSphereSetRadius, dGeomSphereGetRadius, near(dGeomSphereGetRadius(g), 2));
    T(dGeomSpherePointDepth, near(dGeomSpherePointDepth(g, 0.5, 0, 0), 1.5));
    dGeomDestroy(g);
    g = dCreateBox(0, 1, 2, 3);
    dGeomBoxSetLengths(g, 2, 3, 4);
    dGeomBoxGetLengths(g, v);
    T2(dGeomBoxSetLengths, dGeomBoxGetLengths, near3(v, 2, 3, 4));
    T(dCreateBox, dGeomGetClass(g) == dBoxClass);
    T(dGeomBoxPointDepth, near(dGeomBoxPointDepth(g, 0.75, 0, 0), 0.25));
    dGeomDestroy(g);
    g = dCreatePlane(0, 0, 0, 1, 5);
    T(dCreatePlane, dGeomGetClass(g) == dPlaneClass);
    dGeomPlaneSetParams(g, 0, 2, 0, 4);
    dGeomPlaneGetParams(g, plane);
    T2(dGeomPlaneSetParams, dGeomPlaneGetParams, near4(plane, 0, 1, 0, 2));
    T(dGeomPlanePointDepth, near(dGeomPlanePointDepth(g, 0, 1.5, 0), 0.5));
    dGeomDestroy(g);
    g = dCreateCapsule(0, 1, 2);
    T(dCreateCapsule, dGeomGetClass(g) == dCapsuleClass);
    dGeomCapsuleSetParams(g, 0.5, 3);
    dGeomCapsuleGetParams(g, &radius, &length);
    T2(dGeomCapsuleSetParams, dGeomCapsuleGetParams, near(radius, 0.5) && near(length, 3));
    T(dGeomCapsulePointDepth, near(dGeomCapsulePointDepth(g, 0.125, 0, 0), 0.375));
    dGeomDestroy(g);
    g = dCreateCylinder(0, 1, 2);
    T(dCreateCylinder, dGeomGetClass(g) == dCylinderClass);
    dGeomCylinderSetParams(g, 0.75, 4);
    dGeomCylinderGetParams(g, &radius, &length);
    T2(dGeomCylinderSetParams, dGeomCylinderGetParams, near(radius, 0.75) && near(length, 4));
    dGeomDestroy(g);
    g = dCreateRay(0, 1);
    T(dCreateRay, dGeomGetClass(g) == dRayClass);
    dGeomRaySetLength(g, 7);
    T2(dGeomRaySetLength, dGeomRayGetLength, near(dGeomRayGetLength(g), 7));
    dGeomRaySet(g, 1, 2, 3, 0, 5, 0);
    dGeomRayGet(g, v, u);
    T2(dGeomRaySet, dGeomRayGet, near3(v, 1, 2, 3) && near3(u, 0, 1, 0));
    dGeomRaySetParams(g, 1, 1);
    dGeomRayGetParams(g, &first, &cull);
    T2(dGeomRaySetParams, dGeomRayGetParams, first == 1 && cull == 1);
    dGeomRaySetParams(g, 0, 0);
    dGeomRaySetFirstContact(g, 1);
    T2(dGeomRaySetFirstContact, dGeomRayGetFirstContact, dGeomRayGetFirstContact(g) == 1);
    dGeomRaySetBackfaceCull(g, 1);
    T2(dGeomRaySetBackfaceCull, dGeomRayGetBackfaceCull, dGeomRayGetBackfaceCull(g) == 1);
    dGeomRaySetClosestHit(g, 1);
    T2(dGeomRaySetClosestHit, dGeomRayGetClosestHit, dGeomRayGetClosestHit(g) == 1);
    dGeomDestroy(g);
}

static void convex(void)
{
    static const dReal planes[] = {1, 0, 0, 1, -1, 0, 0, 1, 0, 1, 0, 1, 0, -1, 0, 1, 0, 0, 1, 1, 0, 0, -1, 1};
    static const dReal flat[] = {1, 0, 0, 1, -1, 0, 0, 1, 0, 1, 0, 1, 0, -1, 0, 1, 0, 0, 1, 0.5, 0, 0, -1, 0.5};
    static const dReal points[] = {1, 1, 1, 1, 1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, -1, -1, 1, -1, -1, -1};
    static const dReal low[] = {1, 1, .5, 1, 1, -.5, 1, -1, .5, 1, -1, -.5, -1, 1, .5, -1, 1, -.5, -1, -1, .5, -1, -1, -.5};
    static const unsigned polygons[] = {4, 0, 2, 3, 1, 4, 4, 5, 7, 6, 4, 0, 1, 5, 4, 4, 2, 6, 7, 3, 4, 0, 4, 6, 2, 4, 1, 3, 7, 5};
    dReal box[6];
    dGeomID c = dCreateConvex(0, planes, 6, points, 8, polygons);
    dGeomGetAABB(c, box);
    T(dCreateConvex, dGeomGetClass(c) == dConvexClass && near(box[5], 1));
    dGeomSetConvex(c, flat, 6, low, 8, polygons);
    dGeomSetPosition(c, 0, 0, 0);
    dGeomGetAABB(c, box);
    T(dGeomSetConvex, near(box[5], 0.5));
    dGeomDestroy(c);
}

static void placing(void)
{
    dWorldID w = dWorldCreate();
    dBodyID b = dBodyCreate(w);
    dMatrix3 r;
    dQuaternion q, p;
    dVector3 v;
    dReal box[6];
    int here;
    g = dCreateBox(0, 1, 2, 3);
    dGeomSetData(g, &here);
    T2(dGeomSetData, dGeomGetData, dGeomGetData(g) == &here);
    dGeomSetPosition(g, 1, 2, 3);
    T2(dGeomSetPosition, dGeomGetPosition, near3(dGeomGetPosition(g), 1, 2, 3));
    dGeomCopyPosition(g, v);
    T(dGeomCopyPosition, near3(v, 1, 2, 3));
    dRFromAxisAndAngle(r, 0, 0, 1, M_PI / 2);
    dGeomSetRotation(g, r);
    T2(dGeomSetRotation, dGeomGetRotation, near(dGeomGetRotation(g)[1], -1));
    memset(r, 0, sizeof r);
    dGeomCopyRotation(g, r);
    T(dGeomCopyRotation, near(r[1], -1));
    dGeomGetAABB(g, box);
    T(dGeomGetAABB, near(box[0], 0) && near(box[1], 2) && near(box[5], 4.5));
    GETS3(dGeomGetRelPointPos(g, 1, 0, 0, v), 1, 3, 3, dGeomGetRelPointPos);
    GETS3(dGeomGetPosRelPoint(g, 1, 3, 3, v), 1, 0, 0, dGeomGetPosRelPoint);
    GETS3(dGeomVectorToWorld(g, 1, 0, 0, v), 0, 1, 0, dGeomVectorToWorld);
    GETS3(dGeomVectorFromWorld(g, 0, 1, 0, v), 1, 0, 0, dGeomVectorFromWorld);
    dQFromAxisAndAngle(q, 1, 0, 0, 0.5);
    dGeomSetQuaternion(g, q);
    memset(p, 0, sizeof p);
    dGeomGetQuaternion(g, p);
    T2(dGeomSetQuaternion, dGeomGetQuaternion, near4(p, q[0], q[1], 0, 0));
    dGeomSetCategoryBits(g, 5);
    dGeomSetCollideBits(g, 6);
    T2(dGeomSetCategoryBits, dGeomGetCategoryBits, dGeomGetCategoryBits(g) == 5);
    T2(dGeomSetCollideBits, dGeomGetCollideBits, dGeomGetCollideBits(g) == 6);
    dGeomDisable(g);
    T2(dGeomDisable, dGeomIsEnabled, dGeomIsEnabled(g) == 0);
    dGeomEnable(g);
    T2(dGeomEnable, dGeomIsEnabled, dGeomIsEnabled(g) == 1);
    T(dGeomGetClass, dGeomGetClass(g) == dBoxClass);

    dGeomSetBody(g, b);
    T2(dGeomSetBody, dGeomGetBody, dGeomGetBody(g) == b);
    dBodySetPosition(b, 10, 0, 0);
    T(dGeomSetBody, near(dGeomGetPosition(g)[0], 10));
    dGeomSetOffsetPosition(g, 1, 2, 3);
    T3(dGeomSetOffsetPosition, dGeomGetOffsetPosition, dGeomIsOffset,
       near3(dGeomGetOffsetPosition(g), 1, 2, 3) && dGeomIsOffset(g) && near(dGeomGetPosition(g)[0], 11));
    memset(v, 0, sizeof v);
    dGeomCopyOffsetPosition(g, v);
    T(dGeomCopyOffsetPosition, near3(v, 1, 2, 3));
    dRFromAxisAndAngle(r, 0, 0, 1, M_PI / 2);
    dGeomSetOffsetRotation(g, r);
    T2(dGeomSetOffsetRotation, dGeomGetOffsetRotation, near(dGeomGetOffsetRotation(g)[1], -1));
    memset(r, 0, sizeof r);
    dGeomCopyOffsetRotation(g, r);
    T(dGeomCopyOffsetRotation, near(r[1], -1));
    dGeomSetOffsetQuaternion(g, q);
    memset(p, 0, sizeof p);
    dGeomGetOffsetQuaternion(g, p);
    T2(dGeomSetOffsetQuaternion, dGeomGetOffsetQuaternion, near(p[1], q[1]));
    dGeomSetOffsetWorldPosition(g, 12, 0, 0);
    T(dGeomSetOffsetWorldPosition, near3(dGeomGetOffsetPosition(g), 2, 0, 0));
    dRSetIdentity(r);
    dGeomSetOffsetWorldRotation(g, r);
    T(dGeomSetOffsetWorldRotation, near(dGeomGetRotation(g)[0], 1) && near(dGeomGetRotation(g)[5], 1));
    dGeomSetOffsetWorldQuaternion(g, q);
    dGeomGetQuaternion(g, p);
    T(dGeomSetOffsetWorldQuaternion, near(fabs(p[1]), q[1]));
    dGeomClearOffset(g);
    T(dGeomClearOffset, dGeomIsOffset(g) == 0);
    /* A program that writes the position in place must tell. */
    dGeomGetAABB(g, box);
    ((dReal *)dBodyGetPosition(b))[0] = 20;
    dGeomMoved(g);
    dGeomGetAABB(g, box);
    T(dGeomMoved, box[0] > 15);
    dGeomDestroy(g);
    T(dGeomDestroy, dBodyGetFirstGeom(b) == 0);
    dWorldDestroy(w);
}

static int pairs;
static dGeomID last1, last2;
static void *last_data;
static void near_callback(void *data, dGeomID p, dGeomID q)
{
    pairs++;
    last_data = data;
    last1 = p;
    last2 = q;
}

static void space_functions(dSpaceID s, int number)
{
    dSpaceID outer = dSimpleSpaceCreate(0);
    dGeomID p = dCreateSphere(0, 1), q = dCreateSphere(outer, 1);
    int here;
    T(dSpaceGetClass, dSpaceGetClass(s) == number);
    T(dGeomIsSpace, dGeomIsSpace((dGeomID)s) == 1);
    dSpaceSetCleanup(s, 0);
    T2(dSpaceSetCleanup, dSpaceGetCleanup, dSpaceGetCleanup(s) == 0);
    dSpaceSetCleanup(s, 1);
    T2(dSpaceSetCleanup, dSpaceGetCleanup, dSpaceGetCleanup(s) == 1);
    dSpaceSetSublevel(s, 3);
    T2(dSpaceSetSublevel, dSpaceGetSublevel, dSpaceGetSublevel(s) == 3);
    dSpaceSetManualCleanup(s, 1);
    T2(dSpaceSetManualCleanup, dSpaceGetManualCleanup, dSpaceGetManualCleanup(s) == 1);
    dSpaceAdd(s, p);
    T3(dSpaceAdd, dSpaceQuery, dGeomGetSpace, dSpaceQuery(s, p) == 1 && dGeomGetSpace(p) == s);
    T2(dSpaceGetNumGeoms, dSpaceGetGeom, dSpaceGetNumGeoms(s) == 1 && dSpaceGetGeom(s, 0) == p);
    pairs = 0;
    dSpaceCollide2((dGeomID)s, (dGeomID)outer, &here, near_callback);
    T(dSpaceCollide2, pairs == 1 && last_data == &here);
    dSpaceRemove(outer, q);
    T(dSpaceRemove, dSpaceGetNumGeoms(outer) == 0);
    dSpaceAdd(s, q);
    dSpaceClean(s);
    pairs = 0;
    dSpaceCollide(s, &here, near_callback);
    T(dSpaceCollide, pairs == 1 && ((last1 == p && last2 == q) || (last1 == q && last2 == p)));
    dSpaceDestroy(outer);
    dSpaceDestroy(s);
}

static void spaces(void)
{
    const dVector3 center = {0, 0, 0, 0}, half = {10, 10, 10, 0};
    dSpaceID s = dSimpleSpaceCreate(0);
    dWorldID w;
    dBodyID b;
    int low = 99, high = 99;
    T(dSimpleSpaceCreate, s != 0);
    space_functions(s, dSimpleSpaceClass);
    s = dHashSpaceCreate(0);
    T(dHashSpaceCreate, s != 0);
    dHashSpaceSetLevels(s, -5, 7);
    dHashSpaceGetLevels(s, &low, &high);
    T2(dHashSpaceSetLevels, dHashSpaceGetLevels, low == -5 && high == 7);
    space_functions(s, dHashSpaceClass);
    s = dQuadTreeSpaceCreate(0, center, half, 3);
    T(dQuadTreeSpaceCreate, s != 0);
    space_functions(s, dQuadTreeSpaceClass);
    s = dSweepAndPruneSpaceCreate(0, dSAP_AXES_XYZ);
    T(dSweepAndPruneSpaceCreate, s != 0);
    space_functions(s, dSweepAndPruneSpaceClass);
    /* Bounds are brought up to date by a clean: a geom that was outside is found where it is. */
    s = dSimpleSpaceCreate(0);
    w = dWorldCreate();
    b = dBodyCreate(w);
    g = dCreateSphere(s, 1);
    dGeomSetBody(g, b);
    dSpaceClean(s);
    dBodySetPosition(b, 50, 0, 0);
    dSpaceClean(s);
    {
        dReal box[6];
        dGeomGetAABB((dGeomID)s, box);
        T(dSpaceClean, near(box[1], 51));
    }
    dSpaceDestroy(s);
    T(dSpaceDestroy, dBodyGetFirstGeom(b) == 0);
    dWorldDestroy(w);
}

static void utility(void)
{
    const dVector3 a1 = {0, 0, 0, 0}, a2 = {2, 0, 0, 0}, b1 = {1, 1, 1, 0}, b2 = {1, -1, 1, 0};
    const dVector3 zero = {0, 0, 0, 0}, far_away = {5, 0, 0, 0}, up = {0, 0, 0.9, 0}, sides = {1, 1, 1, 0};
    dVector3 p, q, normal;
    dMatrix3 r;
    dReal depth = 0, box[6];
    int code = 0, n;
    dClosestLineSegmentPoints(a1, a2, b1, b2, p, q);
    T(dClosestLineSegmentPoints, near3(p, 1, 0, 0) && near3(q, 1, 0, 1));
    dRSetIdentity(r);
    T(dBoxTouchesBox, dBoxTouchesBox(zero, r, sides, up, r, sides) == 1 && !dBoxTouchesBox(zero, r, sides, far_away, r, sides));
    n = dBoxBox(zero, r, sides, up, r, sides, normal, &depth, &code, 8, contacts, sizeof *contacts);
    T(dBoxBox, n == 4 && about(depth, 0.1, 1e-9) && near(fabs(normal[2]), 1) && code == 3);
    g = dCreateSphere(0, 1);
    h = dCreateSphere(0, 1);
    dGeomSetPosition(h, 0, 0, 1.5);
    T(dCollide, touch(g, h) == 1 && near(contacts[0].depth, 0.5) && near(contacts[0].normal[2], -1));
    dInfiniteAABB(g, box);
    T(dInfiniteAABB, box[0] == -dInfinity && box[5] == dInfinity);
    dGeomDestroy(g);
    dGeomDestroy(h);
}

static void transform(void)
{
    dSpaceID s = dSimpleSpaceCreate(0);
    g = dCreateGeomTransform(s);
    T(dCreateGeomTransform, dGeomGetClass(g) == dGeomTransformClass);
    h = dCreateSphere(0, 1);
    dGeomTransformSetGeom(g, h);
    T2(dGeomTransformSetGeom, dGeomTransformGetGeom, dGeomTransformGetGeom(g) == h);
    dGeomTransformSetCleanup(g, 1);
    T2(dGeomTransformSetCleanup, dGeomTransformGetCleanup, dGeomTransformGetCleanup(g) == 1);
    dGeomTransformSetInfo(g, 1);
    T2(dGeomTransformSetInfo, dGeomTransformGetInfo, dGeomTransformGetInfo(g) == 1);
    dSpaceDestroy(s);
}

static int user_calls, aabb_calls;
static void user_aabb(dGeomID geom, dReal aabb[6])
{
    int i;
    (void)geom;
    aabb_calls++;
    for (i = 0; i < 6; i++) aabb[i] = i % 2 ? 3 : -3;
}
static int user_collide(dGeomID p, dGeomID q, int flags, dContactGeom *contact, int skip)
{
    (void)flags;
    (void)skip;
    user_calls++;
    contact->g1 = p;
    contact->g2 = q;
    contact->depth = 0.75;
    return 1;
}
static dColliderFn *user_collider(int number) { return number == dSphereClass ? user_collide : 0; }
static int overridden(dGeomID p, dGeomID q, int flags, dContactGeom *contact, int skip)
{
    (void)p;
    (void)q;
    (void)flags;
    (void)contact;
    (void)skip;
    return 0;
}

static void user_classes(void)
{
    dGeomClass definition;
    dReal box[6];
    int number;
    memset(&definition, 0, sizeof definition);
    definition.bytes = 16;
    definition.collider = user_collider;
    definition.aabb = user_aabb;
    number = dCreateGeomClass(&definition);
    T(dCreateGeomClass, number == dFirstUserClass);
    g = dCreateGeom(number);
    dGeomGetAABB(g, box);
    T(dCreateGeom, dGeomGetClass(g) == number && near(box[5], 3));
    strcpy((char *)dGeomGetClassData(g), "fifteen letters");
    T(dGeomGetClassData, strcmp((char *)dGeomGetClassData(g), "fifteen letters") == 0);
    {
        dSpaceID s = dSimpleSpaceCreate(0);
        dSpaceSetCleanup(s, 0);
        dSpaceAdd(s, g);
        dGeomSetPosition(g, 1, 0, 0);
        aabb_calls = 0;
        dSpaceClean(s);
        T(dSpaceClean, aabb_calls > 0);
        dSpaceDestroy(s);
        dGeomSetPosition(g, 0, 0, 0);
    }
    h = dCreateSphere(0, 1);
    T(dCreateGeomClass, touch(g, h) == 1 && user_calls == 1 && near(contacts[0].depth, 0.75));
    dGeomDestroy(g);
    g = dCreateSphere(0, 1);
    dSetColliderOverride(dSphereClass, dSphereClass, overridden);
    T(dSetColliderOverride, touch(g, h) == 0);
    dGeomDestroy(g);
    dGeomDestroy(h);
}

static dReal height(void *data, int x, int z)
{
    (void)data;
    return x + z;
}

static void heightfield(void)
{
    static const unsigned char bytes[9] = {1, 1, 1, 1, 1, 1, 1, 1, 7};
    static const short shorts[9] = {1, 1, 1, 1, 1, 1, 1, 1, 7};
    static const float singles[9] = {1, 1, 1, 1, 1, 1, 1, 1, 7};
    static const double doubles[9] = {1, 1, 1, 1, 1, 1, 1, 1, 7};
    dReal box[6];
    dHeightfieldDataID data = dGeomHeightfieldDataCreate(), other = dGeomHeightfieldDataCreate();
    T(dGeomHeightfieldDataCreate, data && data != other);
#define BUILD(function, heights)                                               \
    dGeomHeightfieldDataDestroy(data);                                         \
    data = dGeomHeightfieldDataCreate();                                       \
    function(data, heights, 1, 4, 4, 3, 3, 2, 1, 1, 0);                        \
    g = dCreateHeightfield(0, data, 1);                                        \
    dGeomGetAABB(g, box);                                                      \
    T2(function, dCreateHeightfield, dGeomGetClass(g) == dHeightfieldClass && near(box[3], 15)); \
    dGeomDestroy(g)
    BUILD(dGeomHeightfieldDataBuildByte, bytes);
    BUILD(dGeomHeightfieldDataBuildShort, shorts);
    BUILD(dGeomHeightfieldDataBuildSingle, singles);
    BUILD(dGeomHeightfieldDataBuildDouble, doubles);
    dGeomHeightfieldDataBuildCallback(data, 0, height, 4, 4, 3, 3, 1, 0, 1, 0);
    dGeomHeightfieldDataSetBounds(data, 0, 25);
    g = dCreateHeightfield(0, data, 1);
    dGeomGetAABB(g, box);
    T2(dGeomHeightfieldDataBuildCallback, dGeomHeightfieldDataSetBounds, near(box[3], 25) && near(box[0], -2));
    T(dGeomHeightfieldGetHeightfieldData, dGeomHeightfieldGetHeightfieldData(g) == data);
    dGeomHeightfieldDataBuildByte(other, bytes, 1, 4, 4, 3, 3, 1, 0, 1, 0);
    dGeomHeightfieldSetHeightfieldData(g, other);
    T(dGeomHeightfieldSetHeightfieldData, dGeomHeightfieldGetHeightfieldData(g) == other);
    dGeomDestroy(g);
    dGeomHeightfieldDataDestroy(data);
    dGeomHeightfieldDataDestroy(other);
    /* A block of data that was given back is found again by an allocator, sooner or later. */
    {
        int i, again = 0;
        for (i = 0; i < 64 && !again; i++) {
            data = dGeomHeightfieldDataCreate();
            again = data == other;
            dGeomHeightfieldDataDestroy(data);
        }
        T(dGeomHeightfieldDataDestroy, again);
    }
}

int main(void)
{
    dInitODE();
    shapes();
    convex();
    placing();
    spaces();
    utility();
    transform();
    heightfield();
    user_classes();
    dCloseODE();
    return failures != 0;
}
