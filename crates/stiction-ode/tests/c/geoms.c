/*
 * Walks through the functions of geoms and prints what they say, one fact a line: poses and offsets on bodies, transforms,
 * user classes, overrides, spaces as geoms, meshes, heightfields, rays. Written so that a library that follows ODE prints
 * the same.
 */
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(const char *name, const dReal *v, int n)
{
    printf("%s", name);
    /* without negative zeros */
    while (n--) printf(" %.10g", fabs(*v) < 1e-12 ? 0.0 : *v), v++;
    printf("\n");
}

static void print_matrix(const char *name, const dReal *R)
{
    dReal v[9];
    int i;
    for (i = 0; i < 9; i++) v[i] = R[i / 3 * 4 + i % 3];
    print(name, v, 9);
}

static void turn(dMatrix3 R, double x, double y, double z, double angle) { dRFromAxisAndAngle(R, x, y, z, angle); }

static void print_geom(const char *name, dGeomID g)
{
    dReal aabb[6];
    dQuaternion q;
    printf("%s class %d offset %d\n", name, dGeomGetClass(g), dGeomIsOffset(g));
    print("  position", dGeomGetPosition(g), 3);
    print_matrix("  rotation", dGeomGetRotation(g));
    dGeomGetQuaternion(g, q);
    if (q[0] < 0) q[0] = -q[0], q[1] = -q[1], q[2] = -q[2], q[3] = -q[3];
    print("  quaternion", q, 4);
    dGeomGetAABB(g, aabb);
    print("  aabb", aabb, 6);
    print("  offset position", dGeomGetOffsetPosition(g), 3);
    print_matrix("  offset rotation", dGeomGetOffsetRotation(g));
    dGeomGetOffsetQuaternion(g, q);
    print("  offset quaternion", q, 4);
    dGeomGetRelPointPos(g, 1, 2, 3, q);
    print("  to world", q, 3);
    dGeomGetPosRelPoint(g, 1, 2, 3, q);
    print("  from world", q, 3);
    dGeomVectorToWorld(g, 1, 2, 3, q);
    print("  vector to world", q, 3);
    dGeomVectorFromWorld(g, 1, 2, 3, q);
    print("  vector from world", q, 3);
}

static void print_contacts(const char *name, dGeomID a, dGeomID b, int max)
{
    dContactGeom c[16];
    int i, n = dCollide(a, b, max, c, sizeof c[0]);
    printf("%s %d contacts\n", name, n);
    for (i = 0; i < n; i++) {
        print("  depth", &c[i].depth, 1);
        print("  normal", c[i].normal, 3);
        printf("  geoms %d %d sides %d %d\n", c[i].g1 == a, c[i].g2 == b, c[i].side1, c[i].side2);
    }
}

static void poses(dWorldID w)
{
    dBodyID b = dBodyCreate(w), b2 = dBodyCreate(w);
    dGeomID g = dCreateBox(0, 1, 2, 3), other = dCreateSphere(0, 1);
    dMatrix3 R;
    dQuaternion q = {0.5, 0.5, -0.5, 0.5};
    turn(R, 1, 2, 3, 0.7);
    dGeomSetPosition(g, 1, 2, 3);
    dGeomSetRotation(g, R);
    print_geom("alone", g);
    dGeomSetBody(g, b);
    dGeomSetBody(other, b);
    printf("list %d %d %d\n", dBodyGetFirstGeom(b) == other, dBodyGetNextGeom(other) == g, dBodyGetNextGeom(g) == 0);
    print_geom("on a body", g);
    printf("shared %d\n", dGeomGetPosition(g) == dBodyGetPosition(b));
    dBodySetPosition(b, -1, 0.5, 2);
    dBodySetRotation(b, R);
    print_geom("body moved", g);
    dGeomSetOffsetPosition(g, 0.1, 0.2, 0.3);
    print_geom("offset position", g);
    dGeomSetOffsetQuaternion(g, q);
    print_geom("offset quaternion", g);
    turn(R, -1, 0.5, 0, 1.2);
    dGeomSetOffsetRotation(g, R);
    dBodySetQuaternion(b, q);
    print_geom("offset rotation", g);
    dGeomSetOffsetWorldPosition(g, 3, 2, 1);
    print_geom("offset world position", g);
    dGeomSetOffsetWorldQuaternion(g, q);
    print_geom("offset world quaternion", g);
    turn(R, 0, 1, 2, -0.4);
    dGeomSetOffsetWorldRotation(g, R);
    print_geom("offset world rotation", g);
    dGeomSetPosition(g, 7, 8, 9);
    print("body follows", dBodyGetPosition(b), 3);
    turn(R, 3, 1, 2, 0.9);
    dGeomSetRotation(g, R);
    print("body turns", dBodyGetPosition(b), 3);
    print_matrix("body turns", dBodyGetRotation(b));
    print_geom("set while offset", g);
    /* dGeomSetQuaternion is left out: ODE then turns the body as if there were no offset */
    dGeomSetBody(g, b2);
    print_geom("another body", g);
    dGeomSetOffsetPosition(g, 1, 0, 0);
    dGeomSetBody(g, 0);
    print_geom("off the body", g);
    dGeomSetBody(g, b);
    dGeomSetOffsetPosition(g, 0, 0, 1);
    dGeomClearOffset(g);
    print_geom("cleared", g);
    dBodyDestroy(b);
    printf("body gone %d %d\n", dGeomGetBody(g) == 0, dGeomGetBody(other) == 0);
    print_geom("body gone", g);
    dGeomSetQuaternion(g, q);
    print_geom("quaternion alone", g);
    dGeomDestroy(g);
    dGeomDestroy(other);
}

static void transforms(dWorldID w)
{
    dGeomID t = dCreateGeomTransform(0), inner = dCreateBox(0, 1, 1, 1), plane = dCreatePlane(0, 0, 0, 1, 0);
    dBodyID b = dBodyCreate(w);
    dContactGeom c[4];
    dMatrix3 R;
    int i;
    turn(R, 0, 0, 1, 0.5);
    print_contacts("empty transform", t, plane, 4);
    dGeomSetPosition(inner, 0, 0, -0.3);
    dGeomSetRotation(inner, R);
    dGeomTransformSetGeom(t, inner);
    dGeomTransformSetCleanup(t, 1);
    dGeomSetBody(t, b);
    dBodySetPosition(b, 1, 2, 0.7);
    print_geom("transform", t);
    for (i = 0; i < 2; i++) {
        dGeomTransformSetInfo(t, i);
        printf("info %d %d\n", dGeomTransformGetInfo(t), dGeomTransformGetCleanup(t));
        printf("points %d", dCollide(t, plane, 4, c, sizeof c[0]));
        printf(" %d %d", c[0].g1 == t, c[0].g1 == inner);
        printf(" %d", dCollide(plane, t, 4, c, sizeof c[0]));
        printf(" %d %d\n", c[0].g2 == t, c[0].g2 == inner);
        print("normal", c[0].normal, 3);
    }
    print("inner stays", dGeomGetPosition(inner), 3);
    printf("inner body %d\n", dGeomGetBody(inner) == 0);
    dGeomDestroy(t);
    dGeomDestroy(plane);
}

/* a class of its own: balls of radius 1 that are told of by their data */
static int ball_calls, tests;

static int ball_any(dGeomID a, dGeomID b, int flags, dContactGeom *c, int skip)
{
    (void)flags, (void)skip;
    ball_calls++;
    memset(c, 0, sizeof *c);
    c->g1 = a;
    c->g2 = b;
    c->side1 = 5;
    c->side2 = 6;
    c->normal[0] = 1;
    c->depth = *(double *)dGeomGetClassData(a);
    return 1;
}

static dColliderFn *ball_collider(int other) { return other == dSphereClass || other >= dFirstUserClass ? ball_any : 0; }

static void ball_aabb(dGeomID g, dReal aabb[6])
{
    const dReal *p = dGeomGetPosition(g);
    int i;
    for (i = 0; i < 3; i++) aabb[2 * i] = p[i] - 1, aabb[2 * i + 1] = p[i] + 1;
}

static int ball_test(dGeomID a, dGeomID b, dReal aabb[6])
{
    (void)a, (void)b, (void)aabb;
    return ++tests > 1;
}

static void ball_end(dGeomID g) { printf("end %g\n", *(double *)dGeomGetClassData(g)); }

static void near_count(void *data, dGeomID a, dGeomID b)
{
    (void)a, (void)b;
    ++*(int *)data;
}

static void user_classes(void)
{
    dGeomClass c = {sizeof(double), ball_collider, ball_aabb, ball_test, ball_end};
    int first = dCreateGeomClass(&c), second = dCreateGeomClass(&c), i, count = 0;
    dGeomID a = dCreateGeom(first), b = dCreateGeom(second), s = dCreateSphere(0, 1), box = dCreateBox(0, 1, 1, 1);
    dSpaceID space = dSimpleSpaceCreate(0);
    printf("classes %d %d data %g\n", first, second, *(double *)dGeomGetClassData(a));
    *(double *)dGeomGetClassData(a) = 0.25;
    *(double *)dGeomGetClassData(b) = 0.5;
    dGeomSetPosition(a, 1, 2, 3);
    print_geom("user", a);
    for (i = 0; i < 2; i++) {
        print_contacts("user sphere", a, s, 3);
        print_contacts("sphere user", s, a, 3);
        print_contacts("user box", a, box, 3);
        print_contacts("user user", a, b, 3);
        print_contacts("user user back", b, a, 3);
    }
    dSpaceAdd(space, a);
    dSpaceAdd(space, s);
    for (i = 0; i < 2; i++) {
        dSpaceCollide(space, &count, near_count);
        printf("told %d tests %d\n", count, tests);
    }
    dSpaceDestroy(space);
    dGeomDestroy(b);
    dSetColliderOverride(dBoxClass, dPlaneClass, 0);
    a = dCreatePlane(0, 0, 0, 1, 0);
    print_contacts("overridden", box, a, 4);
    printf("calls %d\n", ball_calls);
    dGeomDestroy(a);
    dGeomDestroy(box);
}

static void spaces(void)
{
    dSpaceID outer = dHashSpaceCreate(0), inner = dSimpleSpaceCreate(outer);
    dGeomID a = dCreateSphere(inner, 1), b = dCreateSphere(outer, 1), ball = dCreateSphere(0, 1);
    int low, high;
    dGeomSetPosition(a, 0, 0, 1.5);
    dGeomSetPosition(b, 0, 1.5, 0);
    print_contacts("space ball", (dGeomID)outer, ball, 4);
    print_contacts("ball space", ball, (dGeomID)outer, 4);
    print_contacts("ball space, one", ball, (dGeomID)outer, 1);
    printf("space %d %d %d %d\n", dGeomIsSpace(a), dGeomIsSpace((dGeomID)inner), dGeomGetSpace((dGeomID)inner) == outer, dSpaceQuery(outer, a));
    dHashSpaceSetLevels(outer, -5, 3);
    dHashSpaceGetLevels(outer, &low, &high);
    dSpaceSetSublevel(inner, 2);
    dSpaceSetCleanup(inner, 0);
    printf("levels %d %d sublevel %d cleanup %d class %d count %d\n", low, high, dSpaceGetSublevel(inner), dSpaceGetCleanup(inner), dSpaceGetClass(outer), dSpaceGetNumGeoms(outer));
    dSpaceDestroy(outer);
    printf("left %d\n", dGeomGetSpace(a) == 0);
    dGeomDestroy(a);
    dGeomDestroy(ball);
}

static int veto, seen, array_count;
static int refuse(dGeomID mesh, dGeomID other, int index)
{
    (void)mesh, (void)other;
    seen++;
    return index != veto;
}
static void array(dGeomID mesh, dGeomID other, const int *indices, int count)
{
    (void)mesh, (void)other, (void)indices;
    array_count = count;
}
static int ray_hit(dGeomID mesh, dGeomID ray, int index, dReal u, dReal v)
{
    dVector3 p;
    (void)ray;
    dGeomTriMeshGetPoint(mesh, index, u, v, p);
    printf("  hit %d at", index);
    print("", p, 3);
    return index != veto;
}

static void meshes(void)
{
    static const float points[] = {-2, -2, 0, 2, -2, 0, 2, 2, 0, -2, 2, 0};
    static const dVector3 corners[] = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
    static const dTriIndex indices[] = {0, 1, 2, 0, 2, 3};
    dTriMeshDataID data = dGeomTriMeshDataCreate(), simple = dGeomTriMeshDataCreate();
    dGeomID mesh, ray = dCreateRay(0, 10), box = dCreateBox(0, 1, 1, 1), ball = dCreateSphere(0, 0.5);
    dVector3 v0, v1, v2;
    size_t size = 0;
    int value = 3, bytes = sizeof value;
    dGeomTriMeshDataBuildSingle(data, points, 12, 4, indices, 6, 12);
    dGeomTriMeshDataBuildSimple(simple, corners[0], 4, indices, 6);
    mesh = dCreateTriMesh(0, data, 0, 0, 0);
    dGeomSetPosition(mesh, 0.5, 0, 1);
    print_geom("mesh", mesh);
    printf("triangles %d\n", dGeomTriMeshGetTriangleCount(mesh));
    dGeomTriMeshGetTriangle(mesh, 1, &v0, &v1, &v2);
    print("v0", v0, 3), print("v1", v1, 3), print("v2", v2, 3);
    dGeomTriMeshGetPoint(mesh, 1, 0.25, 0.5, v0);
    print("point", v0, 3);
    dGeomSetPosition(box, -0.6, 0.9, 1.49);
    print_contacts("mesh box", mesh, box, 4);
    print_contacts("box mesh", box, mesh, 4);
    dGeomSetPosition(ball, -0.6, 0.9, 1.49);
    print_contacts("ball mesh", ball, mesh, 4);
    veto = 1;
    dGeomTriMeshSetCallback(mesh, refuse);
    print_contacts("ball mesh, refused", ball, mesh, 4);
    veto = 0;
    print_contacts("ball mesh, other refused", ball, mesh, 4);
    dGeomTriMeshSetArrayCallback(mesh, array);
    dCollide(mesh, box, 4, malloc(4 * sizeof(dContactGeom)), sizeof(dContactGeom));
    printf("array %d seen %d callbacks %d %d\n", array_count > 0, seen > 0, dGeomTriMeshGetCallback(mesh) == refuse, dGeomTriMeshGetArrayCallback(mesh) == array);
    dGeomTriMeshSetCallback(mesh, 0);
    dGeomRaySet(ray, 1, 0.25, 5, 0, 0, -1);
    print_contacts("ray mesh", ray, mesh, 4);
    print_contacts("mesh ray", mesh, ray, 4);
    dGeomTriMeshSetRayCallback(mesh, ray_hit);
    veto = -1;
    print_contacts("ray mesh, asked", ray, mesh, 4);
    veto = 0;
    print_contacts("ray mesh, refused", ray, mesh, 4);
    dGeomTriMeshSetRayCallback(mesh, 0);
    dGeomRaySet(ray, 1, 0.25, -5, 0, 0, 1);
    print_contacts("ray from below", ray, mesh, 4);
    dGeomRaySetBackfaceCull(ray, 1);
    print_contacts("ray from below, culled", ray, mesh, 4);
    dGeomRaySetFirstContact(ray, 1);
    dGeomRaySetClosestHit(ray, 1);
    printf("ray %d %d %d %g\n", dGeomRayGetFirstContact(ray), dGeomRayGetBackfaceCull(ray), dGeomRayGetClosestHit(ray), dGeomRayGetLength(ray));
    dGeomTriMeshSetData(mesh, simple);
    print_contacts("box simple", box, mesh, 4);
    printf("data %d %d\n", dGeomTriMeshGetData(mesh) == simple, dGeomTriMeshGetTriMeshDataID(mesh) == simple);
    dGeomTriMeshEnableTC(mesh, dBoxClass, 1);
    printf("tc %d %d %d\n", dGeomTriMeshIsTCEnabled(mesh, dBoxClass), dGeomTriMeshIsTCEnabled(mesh, dSphereClass), dGeomTriMeshIsTCEnabled(mesh, dPlaneClass));
    printf("control %d", dGeomLowLevelControl(mesh, dGeomColliderControlClass, dGeomColliderSetMergeSphereContactsControlCode, &value, &bytes));
    value = 0;
    printf(" %d %d", dGeomLowLevelControl(mesh, dGeomColliderControlClass, dGeomColliderGetMergeSphereContactsControlCode, &value, &bytes), value);
    bytes = 1;
    printf(" %d %d\n", dGeomLowLevelControl(mesh, dGeomColliderControlClass, dGeomColliderGetMergeSphereContactsControlCode, &value, &bytes), bytes);
    printf("flags %d", dGeomTriMeshDataGet2(data, dTRIMESHDATA_USE_FLAGS, &size) != 0);
    printf(" preprocess %d", dGeomTriMeshDataPreprocess(data));
    printf(" %d", dGeomTriMeshDataGet2(data, dTRIMESHDATA_USE_FLAGS, &size) != 0);
    printf(" %d\n", (int)size);
    dGeomDestroy(mesh);
    dGeomTriMeshDataDestroy(data);
    dGeomTriMeshDataDestroy(simple);
    dGeomDestroy(ray), dGeomDestroy(box), dGeomDestroy(ball);
}

static dReal hill(void *data, int x, int z)
{
    (void)data;
    return (x == 2 && z == 3) ? 2 : 0.1 * x;
}

static void heightfields(void)
{
    static unsigned char bytes[25];
    static short shorts[25];
    static float singles[25];
    static double doubles[25];
    dHeightfieldDataID data = dGeomHeightfieldDataCreate();
    dGeomID field, ball = dCreateSphere(0, 0.5), ray = dCreateRay(0, 20);
    dMatrix3 R;
    int kind, i;
    for (i = 0; i < 25; i++) bytes[i] = i % 5, shorts[i] = i % 5, singles[i] = i % 5, doubles[i] = i % 5;
    for (kind = 0; kind < 5; kind++) {
        if (kind == 0) dGeomHeightfieldDataBuildByte(data, bytes, 0, 8, 8, 5, 5, 0.5, 0.1, 1, 0);
        if (kind == 1) dGeomHeightfieldDataBuildShort(data, shorts, 1, 8, 8, 5, 5, 0.5, 0.1, 1, 0);
        if (kind == 2) dGeomHeightfieldDataBuildSingle(data, singles, 0, 8, 8, 5, 5, 0.5, 0.1, 1, 1);
        if (kind == 3) dGeomHeightfieldDataBuildDouble(data, doubles, 1, 8, 8, 5, 5, 0.5, 0.1, 1, 0);
        if (kind == 4) dGeomHeightfieldDataBuildCallback(data, 0, hill, 8, 8, 5, 5, 0.5, 0.1, 1, 0);
        if (kind == 4) dGeomHeightfieldDataSetBounds(data, 0, 2);
        field = dCreateHeightfield(0, data, kind != 1);
        if (kind != 1) {
            turn(R, 1, 0, 0, M_PI / 2);
            dGeomSetRotation(field, R);
            dGeomSetPosition(field, 0.1, 0.2, 0.3);
            dGeomSetPosition(ball, 0.6, -0.3, 1.6);
            dGeomRaySet(ray, 0.6, -0.3, 9, 0, 0, -1);
        }
        else {
            dGeomSetPosition(ball, 0.6, 1.5, -0.3);
            dGeomRaySet(ray, 0.6, 9, -0.3, 0, -1, 0);
        }
        printf("field %d\n", kind);
        print_contacts("ball", ball, field, 1);
        print_contacts("ray", ray, field, 1);
        printf("data %d\n", dGeomHeightfieldGetHeightfieldData(field) == data);
        dGeomDestroy(field);
    }
    dGeomHeightfieldDataDestroy(data);
    dGeomDestroy(ball), dGeomDestroy(ray);
}

int main(void)
{
    dWorldID w;
    dInitODE2(0);
    w = dWorldCreate();
    poses(w);
    transforms(w);
    spaces();
    meshes();
    heightfields();
    user_classes();
    printf("configuration %s %d %d\n", dGetConfiguration(), dCheckConfiguration("ODE_EXT_trimesh"), dCheckConfiguration("ODE_EXT"));
    dWorldDestroy(w);
    dCloseODE();
    return 0;
}
