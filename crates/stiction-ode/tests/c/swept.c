/*
 * Bodies thrown at thin things at 100 m/s and 60 Hz: how many go through.
 *
 *   ./swept off | body | world | environment
 *
 * One line for each thing, shape and stepper: their names, and how many of 16 are behind it after a fifth of a second.
 */
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dBodySetStictionSwept(dBodyID, int) __attribute__((weak));
void dWorldSetStictionSwept(dWorldID, int) __attribute__((weak));

enum { BODIES = 16, STEPS = 12 };

static const char *grounds[] = {"plate", "apart", "sheet", "field", "plane", "bat"};
static const char *shapes[] = {"sphere", "box", "capsule", "cylinder", "convex", "mesh", "transform"};

static dWorldID world;
static dJointGroupID joints;
static dSpaceID space, other;
static dTriMeshDataID sheet, cube;
static dHeightfieldDataID heights;

static unsigned long long seed = 1;

static double uniform(void)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

static void near(void *data, dGeomID a, dGeomID b)
{
    dContact c[8];
    int i, n;
    if (dGeomIsSpace(a) || dGeomIsSpace(b)) {
        dSpaceCollide2(a, b, data, near);
        return;
    }
    n = dCollide(a, b, 8, &c[0].geom, sizeof c[0]);
    for (i = 0; i < n; i++) {
        c[i].surface.mode = dContactApprox1;
        c[i].surface.mu = 0.5;
        dJointAttach(dJointCreateContact(world, joints, &c[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static void make_meshes(void)
{
    static float plane[] = {-20, -20, 0, 20, -20, 0, 20, 20, 0, -20, 20, 0};
    static dTriIndex two[] = {0, 1, 2, 0, 2, 3};
    static dTriIndex twelve[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    static float corners[24];
    static double flat[25];
    int i;
    for (i = 0; i < 24; i++) corners[i] = ((i / 3) >> (i % 3)) & 1 ? 0.1f : -0.1f;
    sheet = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(sheet, plane, 3 * sizeof(float), 4, two, 6, 3 * sizeof(dTriIndex));
    cube = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(cube, corners, 3 * sizeof(float), 8, twelve, 36, 3 * sizeof(dTriIndex));
    heights = dGeomHeightfieldDataCreate();
    dGeomHeightfieldDataBuildDouble(heights, flat, 0, 40, 40, 5, 5, 1, 0, 0.001, 0);
}

static dGeomID make_shape(int shape)
{
    static dReal planes[] = {1, 0, 0, .1, -1, 0, 0, .1, 0, 1, 0, .1, 0, -1, 0, .1, 0, 0, 1, .1, 0, 0, -1, .1};
    static dReal points[24];
    static unsigned polygons[] = {4, 1, 3, 7, 5, 4, 0, 4, 6, 2, 4, 2, 6, 7, 3, 4, 0, 1, 5, 4, 4, 4, 5, 7, 6, 4, 0, 2, 3, 1};
    dGeomID g;
    int i;
    switch (shape) {
    case 0: return dCreateSphere(space, 0.1);
    case 1: return dCreateBox(space, 0.2, 0.3, 0.15);
    case 2: return dCreateCapsule(space, 0.08, 0.3);
    case 3: return dCreateCylinder(space, 0.1, 0.2);
    case 4:
        for (i = 0; i < 24; i++) points[i] = ((i / 3) >> (i % 3)) & 1 ? 0.1 : -0.1;
        return dCreateConvex(space, planes, 6, points, 8, polygons);
    case 5: return dCreateTriMesh(space, cube, 0, 0, 0);
    default:
        g = dCreateGeomTransform(space);
        dGeomTransformSetCleanup(g, 1);
        dGeomTransformSetGeom(g, dCreateBox(0, 0.2, 0.2, 0.2));
        return g;
    }
}

/* How many are behind the thing. */
static int thrown(int ground, int shape, int quick, const char *how)
{
    dBodyID bodies[BODIES], bat = 0;
    dGeomID g;
    dMatrix3 turn;
    dMass m;
    int i, k, lost = 0;
    world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    space = dHashSpaceCreate(0);
    other = dSimpleSpaceCreate(0);
    joints = dJointGroupCreate(0);
    switch (ground) {
    case 2: dCreateTriMesh(space, sheet, 0, 0, 0); break;
    case 3:
        g = dCreateHeightfield(space, heights, 1);
        dRFromAxisAndAngle(turn, 1, 0, 0, M_PI / 2);
        dGeomSetRotation(g, turn);
        break;
    case 4: dCreatePlane(space, 0, 0, 1, 0); break;
    default:
        g = dCreateBox(ground == 1 ? other : space, 40, 40, 0.001);
        if (ground == 5) {
            bat = dBodyCreate(world);
            dBodySetKinematic(bat);
            dGeomSetBody(g, bat);
            dBodySetLinearVel(bat, 0, 0, 60);
        }
    }
    for (i = 0; i < BODIES; i++) {
        dQuaternion q = {uniform(), uniform(), uniform(), uniform()};
        double v[3] = {uniform(), uniform(), bat ? 0.3 * uniform() : -1.5}, n = 0;
        for (k = 0; k < 3; k++) n += v[k] * v[k];
        n = (bat ? 10 : 100) / sqrt(n);
        bodies[i] = dBodyCreate(world);
        dMassSetBoxTotal(&m, 1, 0.2, 0.3, 0.15);
        dBodySetMass(bodies[i], &m);
        dBodySetPosition(bodies[i], i % 4 - 1.5, i / 4 - 1.5, 2 + uniform());
        dBodySetQuaternion(bodies[i], q);
        dBodySetLinearVel(bodies[i], n * v[0], n * v[1], n * v[2]);
        dBodySetAngularVel(bodies[i], 5 * uniform(), 5 * uniform(), 5 * uniform());
        dGeomSetBody(make_shape(shape), bodies[i]);
        if (strcmp(how, "body") == 0) dBodySetStictionSwept(bodies[i], 1);
    }
    if (bat && strcmp(how, "body") == 0) dBodySetStictionSwept(bat, 1);
    if (strcmp(how, "world") == 0) dWorldSetStictionSwept(world, 1);
    for (k = 0; k < STEPS; k++) {
        dSpaceCollide(space, 0, near);
        if (ground == 1) dSpaceCollide2((dGeomID)space, (dGeomID)other, 0, near);
        if (quick) dWorldQuickStep(world, 1.0 / 60);
        else dWorldStep(world, 1.0 / 60);
        dJointGroupEmpty(joints);
    }
    for (i = 0; i < BODIES; i++) {
        const dReal *p = dBodyGetPosition(bodies[i]);
        lost += fabs(p[0]) < 19 && fabs(p[1]) < 19 && p[2] < (bat ? dBodyGetPosition(bat)[2] : -0.3);
    }
    dJointGroupDestroy(joints);
    dSpaceDestroy(other);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    return lost;
}

int main(int argc, char **argv)
{
    int ground, shape, quick;
    dInitODE2(0);
    make_meshes();
    for (ground = 0; ground < (int)(sizeof grounds / sizeof *grounds); ground++)
        for (shape = 0; shape < (int)(sizeof shapes / sizeof *shapes); shape++)
            for (quick = 0; quick < 2; quick++)
                printf("%s %s %s %d\n", grounds[ground], shapes[shape], quick ? "quick" : "step",
                       thrown(ground, shape, quick, argc > 1 ? argv[1] : "off"));
    dCloseODE();
    return 0;
}
