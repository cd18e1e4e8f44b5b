/*
 * Times of collisions with a triangle mesh by a library with ODE's C interface.
 *
 *   ./meshes TRIANGLES       a rolling terrain of so many triangles, with edges of 0.1 m
 *
 * One JSON object: microseconds by name. A query is of a random pose that touches the terrain by a centimetre at most.
 */
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { POSES = 300, ROUNDS = 3, POINTS = 16, BODIES = 200, SETTLING = 200, STEPS = 100 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static long peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static unsigned long long seed = 1;

static double uniform(void)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static double height(double x, double y) { return 0.3 * sin(1.3 * x) * cos(0.9 * y) + 0.05 * sin(5 * x + y); }

/* Somewhere over the terrain, turned anyhow. */
static void place(dGeomID g, double reach, double above)
{
    dQuaternion q;
    double x = reach * (2 * uniform() - 1), y = reach * (2 * uniform() - 1), n = 0;
    int i;
    for (i = 0; i < 4; i++) { q[i] = 2 * uniform() - 1; n += q[i] * q[i]; }
    for (i = 0; i < 4; i++) q[i] /= sqrt(n);
    dGeomSetPosition(g, x, y, height(x, y) + above);
    dGeomSetQuaternion(g, q);
}

static void lower(dGeomID g, dGeomID ground)
{
    dContactGeom c[1];
    const dReal *p = dGeomGetPosition(g);
    double x = p[0], y = p[1], z = p[2];
    int i;
    for (i = 0; i < 80 && dCollide(g, ground, 1, c, sizeof c[0]) == 0; i++) dGeomSetPosition(g, x, y, z -= 0.01);
}

static dWorldID world;
static dJointGroupID joints;

static void near(void *data, dGeomID a, dGeomID b)
{
    dContact c[8];
    int i, n = dCollide(a, b, 8, &c[0].geom, sizeof c[0]);
    (void)data;
    for (i = 0; i < n; i++) {
        c[i].surface.mode = dContactApprox1;
        c[i].surface.mu = 0.7;
        dJointAttach(dJointCreateContact(world, joints, &c[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

/* A globe of rings of quadrangles, two triangles each. */
static dTriMeshDataID globe(int rings, double r)
{
    int i, j, nv = 0, nt = 0, n = 2 * rings;
    float *v = malloc(sizeof(float) * 3 * (rings + 1) * n);
    dTriIndex *t = malloc(sizeof(dTriIndex) * 6 * rings * n);
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    for (i = 0; i <= rings; i++)
        for (j = 0; j < n; j++, nv++) {
            double a = M_PI * i / rings, b = 2 * M_PI * j / n;
            v[3 * nv] = (float)(r * sin(a) * cos(b));
            v[3 * nv + 1] = (float)(r * sin(a) * sin(b));
            v[3 * nv + 2] = (float)(r * cos(a));
        }
    for (i = 0; i < rings; i++)
        for (j = 0; j < n; j++) {
            dTriIndex p = i * n + j, q = i * n + (j + 1) % n;
            if (i > 0) { t[3 * nt] = p; t[3 * nt + 1] = p + n; t[3 * nt + 2] = q; nt++; }
            if (i < rings - 1) { t[3 * nt] = q; t[3 * nt + 1] = p + n; t[3 * nt + 2] = q + n; nt++; }
        }
    dGeomTriMeshDataBuildSingle(data, v, 3 * sizeof(float), nv, t, 3 * nt, 3 * sizeof(dTriIndex));
    dGeomTriMeshDataPreprocess2(data, 1u << dTRIDATAPREPROCESS_BUILD_FACE_ANGLES, 0);
    return data;
}

static void query(const char *name, dGeomID shape, dGeomID ground, double reach)
{
    double best = 1e30;
    int round, i;
    int is_ray = dGeomGetClass(shape) == dRayClass;
    for (round = 0; round < ROUNDS; round++) {
        double spent = 0;
        seed = 7;
        for (i = 0; i < POSES; i++) {
            dContactGeom c[POINTS];
            double start;
            place(shape, reach, is_ray ? 0.3 : 0.5);
            if (!is_ray) lower(shape, ground);
            start = now();
            dCollide(shape, ground, POINTS, c, sizeof c[0]);
            spent += now() - start;
        }
        if (spent < best) best = spent;
    }
    printf(", \"%s\": %.4f", name, best / POSES);
    fflush(stdout);
}

static void steps(dSpaceID space, double reach)
{
    double spent = 0, start;
    dMass m;
    int i;
    dMassSetBoxTotal(&m, 1, 0.4, 0.4, 0.4);
    for (i = 0; i < BODIES; i++) {
        dBodyID b = dBodyCreate(world);
        dGeomID g = i % 3 == 0 ? dCreateSphere(space, 0.25)
                  : i % 3 == 1 ? dCreateBox(space, 0.4, 0.4, 0.4)
                               : dCreateCapsule(space, 0.15, 0.4);
        dBodySetMass(b, &m);
        dGeomSetBody(g, b);
        place(g, reach, 0.5);
    }
    for (i = 0; i < SETTLING + STEPS; i++) {
        start = now();
        dSpaceCollide(space, 0, near);
        dWorldQuickStep(world, 0.005);
        dJointGroupEmpty(joints);
        if (i >= SETTLING) spent += now() - start;
    }
    printf(", \"step of %d bodies\": %.4f", BODIES, spent / STEPS);
}

int main(int argc, char **argv)
{
    int side = (int)sqrt((argc > 1 ? atol(argv[1]) : 5000) / 2.0), i, j, k = 0;
    double width = side * 0.1, reach = 0.4 * width, start;
    float *v = malloc(sizeof(float) * 3 * (side + 1) * (side + 1));
    dTriIndex *t = malloc(sizeof(dTriIndex) * 6 * side * side);
    dSpaceID space;
    dTriMeshDataID data;
    dGeomID ground;
    dContactGeom first[1];
    dReal planes[] = {1, 0, 0, .2, -1, 0, 0, .2, 0, 1, 0, .2, 0, -1, 0, .2, 0, 0, 1, .2, 0, 0, -1, .2};
    dReal corners[24];
    unsigned polygons[] = {4, 1, 3, 7, 5, 4, 0, 4, 6, 2, 4, 2, 6, 7, 3, 4, 0, 1, 5, 4, 4, 4, 5, 7, 6, 4, 0, 2, 3, 1};
    long before;
    dInitODE2(0);
    for (j = 0; j <= side; j++)
        for (i = 0; i <= side; i++) {
            float *p = v + 3 * (i + j * (side + 1));
            p[0] = (float)(width * ((double)i / side - 0.5));
            p[1] = (float)(width * ((double)j / side - 0.5));
            p[2] = (float)height(p[0], p[1]);
        }
    for (j = 0; j < side; j++)
        for (i = 0; i < side; i++) {
            dTriIndex a = i + j * (side + 1), b = a + 1, c = a + side + 1, d = c + 1;
            t[k++] = a; t[k++] = b; t[k++] = d; t[k++] = a; t[k++] = d; t[k++] = c;
        }
    world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    space = dHashSpaceCreate(0);
    joints = dJointGroupCreate(0);
    before = peak_memory();
    /* Whatever is put off until the first contact counts as building. */
    start = now();
    data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(data, v, 3 * sizeof(float), (side + 1) * (side + 1), t, k, 3 * sizeof(dTriIndex));
    dGeomTriMeshDataPreprocess2(data, 1u << dTRIDATAPREPROCESS_BUILD_FACE_ANGLES, 0);
    ground = dCreateTriMesh(space, data, 0, 0, 0);
    {
        dGeomID ball = dCreateSphere(0, 0.25);
        dGeomSetPosition(ball, 0, 0, height(0, 0));
        dCollide(ball, ground, 1, first, sizeof first[0]);
        printf("{\"build\": %.1f, \"memory in KiB\": %ld", now() - start, peak_memory() - before);
        start = now();
        dGeomTriMeshDataUpdate(data);
        dCollide(ball, ground, 1, first, sizeof first[0]);
        printf(", \"update\": %.1f", now() - start);
        dGeomDestroy(ball);
    }
    for (i = 0; i < 8; i++) {
        corners[3 * i] = i & 1 ? .2 : -.2;
        corners[3 * i + 1] = i & 2 ? .2 : -.2;
        corners[3 * i + 2] = i & 4 ? .2 : -.2;
    }
    query("sphere", dCreateSphere(0, 0.25), ground, reach);
    query("box", dCreateBox(0, 0.4, 0.4, 0.4), ground, reach);
    query("capsule", dCreateCapsule(0, 0.15, 0.4), ground, reach);
    query("cylinder", dCreateCylinder(0, 0.2, 0.4), ground, reach);
    query("convex", dCreateConvex(0, planes, 6, corners, 8, polygons), ground, reach);
    query("ray", dCreateRay(0, 1.0), ground, reach);
    query("mesh", dCreateTriMesh(0, globe(12, 0.25), 0, 0, 0), ground, reach);
    steps(space, reach);
    /* Last, for what it leaves is a mesh that deforms. */
    for (i = 0; i < (side + 1) * (side + 1); i++) v[3 * i + 2] *= 1.0001f;
    start = now();
    dGeomTriMeshDataUpdate(data);
    dCollide(dCreateSphere(0, 0.25), ground, 1, first, sizeof first[0]);
    printf(", \"update moved\": %.1f}\n", now() - start);
    return 0;
}
