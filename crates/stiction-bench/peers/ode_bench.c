/*
 * Steps a scene with ODE's QuickStep: the same text file, the same number of iterations.
 *
 *   ode_bench SCENE hash|sweep STATES|-
 *
 * Prints microseconds per step (mean over the run, time on the core), and contact points in the last step. STATES gets
 * "RECORD BODY px py pz qw qx qy qz", 16 records equally spaced over the run.
 */
#include <math.h>
#include <ode/ode.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_BODIES 20000
#define MAX_JOINTS 20000
#define MAX_POINTS 8
#define ITERATIONS 20
#define RECORDS 16

static dWorldID world;
static dSpaceID space;
static dJointGroupID contact_group;
static dBodyID bodies[MAX_BODIES];
static int group_of[MAX_BODIES];
static int body_count, servo_count, contact_count, messages;
static struct { dJointID joint; double kp, kd; } servos[MAX_JOINTS];
static double friction = 0.5, step_size = 0.01;
static int step_count;

static void count_message(int code, const char *text, va_list arguments)
{
    (void)code; (void)text; (void)arguments;
    messages++;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static void near_pair(void *data, dGeomID a, dGeomID b)
{
    dContact points[MAX_POINTS];
    dBodyID x = dGeomGetBody(a), y = dGeomGetBody(b);
    int ga = x ? group_of[(size_t)dBodyGetData(x)] : 0, gb = y ? group_of[(size_t)dBodyGetData(y)] : 0, i, n;
    (void)data;
    if (!x && !y) return;
    if (ga != 0 && ga == gb) return;
    if (x && y && dAreConnectedExcluding(x, y, dJointTypeContact)) return;
    n = dCollide(a, b, MAX_POINTS, &points[0].geom, sizeof points[0]);
    for (i = 0; i < n; i++) {
        points[i].surface.mode = dContactApprox1;
        points[i].surface.mu = friction;
        dJointAttach(dJointCreateContact(world, contact_group, &points[i]), x, y);
    }
    contact_count += n;
}

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void read_body(char *line)
{
    double f[17], s[4] = {0};
    int id, group, used, k;
    char kind[16] = "none";
    dMass mass;
    dGeomID geom = 0;
    dBodyID body;
    dQuaternion q;
    if (sscanf(line, "body %d %d%n", &id, &group, &used) != 2 || id != body_count || id >= MAX_BODIES) fail("body");
    line += used;
    for (k = 0; k < 17; k++) {
        if (sscanf(line, "%lf%n", &f[k], &used) != 1) fail("number of a body");
        line += used;
    }
    sscanf(line, "%15s %lf %lf %lf %lf", kind, &s[0], &s[1], &s[2], &s[3]);
    body = bodies[body_count] = dBodyCreate(world);
    group_of[body_count] = group;
    dBodySetData(body, (void *)(size_t)body_count++);
    dMassSetParameters(&mass, f[0], 0, 0, 0, f[1], f[2], f[3], 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, f[4], f[5], f[6]);
    q[0] = f[7]; q[1] = f[8]; q[2] = f[9]; q[3] = f[10];
    dBodySetQuaternion(body, q);
    dBodySetLinearVel(body, f[11], f[12], f[13]);
    dBodySetAngularVel(body, f[14], f[15], f[16]);
    if (group < 0) return;
    if (!strcmp(kind, "sphere")) geom = dCreateSphere(space, s[0]);
    if (!strcmp(kind, "box")) geom = dCreateBox(space, 2 * s[0], 2 * s[1], 2 * s[2]);
    if (!strcmp(kind, "capsule")) geom = dCreateCapsule(space, s[0], 2 * s[1]);
    if (!geom) return;
    dGeomSetBody(geom, body);
    if (!strcmp(kind, "sphere") && (s[1] || s[2] || s[3])) dGeomSetOffsetPosition(geom, s[1], s[2], s[3]);
}

static void read_joint(const char *line)
{
    char kind[16];
    int a, b, is_hinge;
    double p[3], u[3], kp, kd;
    dJointID joint;
    if (sscanf(line, "joint %15s %d %d %lf %lf %lf %lf %lf %lf %lf %lf", kind, &a, &b, &p[0], &p[1], &p[2], &u[0],
               &u[1], &u[2], &kp, &kd) != 11)
        fail("joint");
    is_hinge = !strcmp(kind, "hinge");
    joint = is_hinge ? dJointCreateHinge(world, 0) : dJointCreateBall(world, 0);
    dJointAttach(joint, a < 0 ? 0 : bodies[a], b < 0 ? 0 : bodies[b]);
    if (is_hinge) {
        dJointSetHingeAnchor(joint, p[0], p[1], p[2]);
        dJointSetHingeAxis(joint, u[0], u[1], u[2]);
        if (kp > 0 && servo_count < MAX_JOINTS) {
            servos[servo_count].joint = joint;
            servos[servo_count].kp = kp;
            servos[servo_count++].kd = kd;
        }
    }
    else dJointSetBallAnchor(joint, p[0], p[1], p[2]);
}

static void read_scene(const char *path)
{
    static char line[1 << 16];
    FILE *file = fopen(path, "r");
    double v[6];
    if (!file) fail("cannot read the scene");
    while (fgets(line, sizeof line, file)) {
        if (!strncmp(line, "scene", 5)) continue;
        else if (sscanf(line, "dt %lf", &v[0]) == 1) step_size = v[0];
        else if (sscanf(line, "steps %lf", &v[0]) == 1) step_count = (int)v[0];
        else if (sscanf(line, "friction %lf", &v[0]) == 1) friction = v[0];
        else if (sscanf(line, "gravity %lf %lf %lf", &v[0], &v[1], &v[2]) == 3) dWorldSetGravity(world, v[0], v[1], v[2]);
        else if (!strncmp(line, "plane", 5)) dCreatePlane(space, 0, 0, 1, 0);
        else if (sscanf(line, "sbox %lf %lf %lf %lf %lf %lf", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5]) == 6) {
            dGeomID geom = dCreateBox(space, 2 * v[3], 2 * v[4], 2 * v[5]);
            dGeomSetPosition(geom, v[0], v[1], v[2]);
        }
        else if (!strncmp(line, "body", 4)) read_body(line);
        else if (!strncmp(line, "joint", 5)) read_joint(line);
        else fail("line of an unknown kind");
    }
    fclose(file);
}

static void record(FILE *file, int number)
{
    int i;
    for (i = 0; i < body_count; i++) {
        const dReal *p = dBodyGetPosition(bodies[i]), *q = dBodyGetQuaternion(bodies[i]);
        fprintf(file, "%d %d %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", number, i, p[0], p[1], p[2], q[0], q[1], q[2], q[3]);
    }
}

int main(int argc, char **argv)
{
    FILE *states = 0;
    double total = 0;
    int i, k;
    if (argc != 4) fail("usage: ode_bench SCENE hash|sweep STATES|-");
    dInitODE2(0);
    dSetMessageHandler(count_message);
    world = dWorldCreate();
    space = !strcmp(argv[2], "sweep") ? dSweepAndPruneSpaceCreate(0, dSAP_AXES_XYZ) : dHashSpaceCreate(0);
    contact_group = dJointGroupCreate(0);
    dWorldSetQuickStepNumIterations(world, ITERATIONS);
    dWorldSetERP(world, 0.2);
    dRandSetSeed(0);
    read_scene(argv[1]);
    if (strcmp(argv[3], "-")) states = fopen(argv[3], "w");
    for (i = 0; i < step_count; i++) {
        double start = now();
        contact_count = 0;
        for (k = 0; k < servo_count; k++) {
            dJointID j = servos[k].joint;
            dJointAddHingeTorque(j, -servos[k].kp * dJointGetHingeAngle(j) - servos[k].kd * dJointGetHingeAngleRate(j));
        }
        dSpaceCollide(space, 0, near_pair);
        dWorldQuickStep(world, step_size);
        dJointGroupEmpty(contact_group);
        total += now() - start;
        for (k = 1; k <= RECORDS; k++)
            if (states && i + 1 == step_count * k / RECORDS) record(states, k);
    }
    if (states) fclose(states);
    printf("%.3f %d\n", total / step_count, contact_count);
    dCloseODE();
    return 0;
}
