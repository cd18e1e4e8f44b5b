/*
 * Prints what a library with ODE's C interface says about random scenes: contact points of pairs of geoms, and the order in
 * which spaces report pairs. Two libraries are compared by comparing their output; numbers are printed so that differences
 * by rounding can be told from others.
 *
 *   collision contacts SEED COUNT      pairs of geoms
 *   collision spaces SEED COUNT        scenes in spaces of all kinds, with changes
 *   collision time N [KIND]            time per dSpaceCollide and dCollide; 0 simple, 1 hash, 2 quadtree, 3 sweep
 */
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static unsigned long long state;

/* xorshift64*: the same numbers with every library */
static double uniform(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (double)((state * 2685821657736338717ULL) >> 11) / 9007199254740992.0;
}

static double between(double low, double high) { return low + (high - low) * uniform(); }
static int below(int n) { return (int)(uniform() * n); }

/* one in four is upright, one in four turned by a multiple of 45 degrees about an axis: those touch in faces and edges */
static void random_rotation(dMatrix3 R)
{
    double q[4] = {1, 0, 0, 0}, n = 0;
    int i, kind = below(4);
    if (kind == 1) {
        double half = (1 + below(7)) * M_PI / 8;
        q[0] = cos(half);
        q[1 + below(3)] = sin(half);
    }
    else if (kind > 1)
        for (i = 0; i < 4; i++) q[i] = between(-1, 1);
    for (i = 0; i < 4; i++) n += q[i] * q[i];
    for (i = 0; i < 4; i++) q[i] /= sqrt(n);
    memset(R, 0, sizeof(dMatrix3));
    R[0] = 1 - 2 * (q[2] * q[2] + q[3] * q[3]);
    R[1] = 2 * (q[1] * q[2] - q[0] * q[3]);
    R[2] = 2 * (q[1] * q[3] + q[0] * q[2]);
    R[4] = 2 * (q[1] * q[2] + q[0] * q[3]);
    R[5] = 1 - 2 * (q[1] * q[1] + q[3] * q[3]);
    R[6] = 2 * (q[2] * q[3] - q[0] * q[1]);
    R[8] = 2 * (q[1] * q[3] - q[0] * q[2]);
    R[9] = 2 * (q[2] * q[3] + q[0] * q[1]);
    R[10] = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
}

static void place(dGeomID g, double reach)
{
    dMatrix3 R;
    random_rotation(R);
    dGeomSetRotation(g, R);
    dGeomSetPosition(g, between(-reach, reach), between(-reach, reach), between(-reach, reach));
}

static const char *const names[] = {"sphere", "box", "capsule", "cylinder", "plane", "ray"};

static dGeomID make(int class_number, dSpaceID space)
{
    double a, b, c;
    switch (class_number) {
    case dSphereClass: return dCreateSphere(space, between(0.2, 1));
    case dBoxClass:
        a = between(0.3, 2), b = between(0.3, 2), c = between(0.3, 2);
        return dCreateBox(space, a, b, c);
    case dCapsuleClass:
        a = between(0.2, 0.7), b = between(0.2, 2);
        return dCreateCapsule(space, a, b);
    case dCylinderClass:
        a = between(0.2, 0.7), b = between(0.2, 2);
        return dCreateCylinder(space, a, b);
    case dPlaneClass:
        a = between(-1, 1), b = between(-1, 1), c = between(-1, 1);
        return below(2) ? dCreatePlane(space, 0, 0, 1, between(-0.5, 0.5)) : dCreatePlane(space, a, b, c, between(-0.5, 0.5));
    default: return dCreateRay(space, between(0.5, 4));
    }
}

static void print_contacts(const char *label, dGeomID g1, dGeomID g2, int max, int flags)
{
    dContactGeom c[16];
    int i, n = dCollide(g1, g2, max | flags, c, sizeof c[0]);
    printf("%s %d\n", label, n);
    for (i = 0; i < n; i++)
        printf("  %.17g %.17g %.17g  %.17g %.17g %.17g  %.17g  %d %d %d %d\n", c[i].pos[0], c[i].pos[1], c[i].pos[2],
               c[i].normal[0], c[i].normal[1], c[i].normal[2], c[i].depth, c[i].g1 == g1, c[i].g2 == g2, c[i].side1, c[i].side2);
}

static void contacts(int count)
{
    static const int max[] = {1, 2, 4, 8, 16};
    int i;
    for (i = 0; i < count; i++) {
        int t1 = below(6), t2 = below(6), m = max[below(5)], unimportant = below(8) == 0;
        dGeomID g1 = make(t1, 0), g2 = make(t2, 0);
        char label[64];
        dReal aabb[6];
        if (t1 != dPlaneClass) place(g1, 1);
        if (t2 != dPlaneClass) place(g2, 1);
        sprintf(label, "%s-%s max %d%s", names[t1], names[t2], m, unimportant ? " any" : "");
        dGeomGetAABB(g1, aabb);
        printf("aabb %s %.17g %.17g %.17g %.17g %.17g %.17g\n", names[t1], aabb[0], aabb[1], aabb[2], aabb[3], aabb[4], aabb[5]);
        print_contacts(label, g1, g2, m, unimportant ? CONTACTS_UNIMPORTANT : 0);
        print_contacts(label, g2, g1, m, unimportant ? CONTACTS_UNIMPORTANT : 0);
        dGeomDestroy(g1);
        dGeomDestroy(g2);
    }
}

/* geoms are known by the number of their making */
static void near_print(void *data, dGeomID a, dGeomID b)
{
    (void)data;
    printf(" %ld-%ld", (long)(size_t)dGeomGetData(a), (long)(size_t)dGeomGetData(b));
}

/* the same, going into spaces */
static void near_deep(void *data, dGeomID a, dGeomID b)
{
    near_print(data, a, b);
    if (dGeomIsSpace(a) || dGeomIsSpace(b)) {
        printf(" (");
        dSpaceCollide2(a, b, data, near_deep);
        printf(" )");
    }
}

static dSpaceID make_space(int kind, dSpaceID parent)
{
    dVector3 center = {0, 0, 0}, extents = {6, 6, 6};
    dSpaceID s;
    switch (kind) {
    case 0: return dSimpleSpaceCreate(parent);
    case 1:
        s = dHashSpaceCreate(parent);
        if (below(3) == 0) dHashSpaceSetLevels(s, -1 - below(3), below(3));
        return s;
    case 2: return dQuadTreeSpaceCreate(parent, center, extents, below(5));
    default: return dSweepAndPruneSpaceCreate(parent, below(2) ? dSAP_AXES_XYZ : dSAP_AXES_ZXY);
    }
}

enum { MOST = 400 };

static void scene(int kind)
{
    dGeomID geoms[MOST];
    dSpaceID parent[MOST], spaces[4];
    int count = 0, space_count = 1, next = 1, step, i;
    int size = below(8) == 0 ? 200 : 3 + below(40);
    double reach = size > 100 ? 8 : 4;
    spaces[0] = make_space(kind, 0);
    dGeomSetData((dGeomID)spaces[0], (void *)1000);
    if (below(2))
        for (; space_count < 2 + below(3); space_count++) {
            spaces[space_count] = make_space(below(4), spaces[below(space_count)]);
            dGeomSetData((dGeomID)spaces[space_count], (void *)(size_t)(1000 + space_count));
            if (below(3) == 0) dSpaceSetSublevel(spaces[space_count], below(3));
        }
    for (step = 0; step < 6; step++) {
        int changes = step ? 1 + below(size) : size;
        for (i = 0; i < changes; i++) {
            int what = step ? below(10) : 0;
            int at = count ? below(count) : 0;
            if (what <= 1 && count < MOST) {
                static const int classes[] = {0, 1, 2, 3, 5, 0, 1, 2, 3, 4};
                int class_number = classes[below(10)];
                parent[count] = spaces[below(space_count)];
                geoms[count] = make(class_number, parent[count]);
                dGeomSetData(geoms[count], (void *)(size_t)next++);
                if (class_number != dPlaneClass) {
                    place(geoms[count], reach);
                    /* some sit on a lattice, so that bounds are equal */
                    if (below(4) == 0) {
                        static const dMatrix3 upright = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
                        dGeomSetRotation(geoms[count], upright);
                        dGeomSetPosition(geoms[count], below(9) - 4, below(9) - 4, below(9) - 4);
                    }
                }
                if (below(8) == 0) dGeomSetCategoryBits(geoms[count], 1 << below(3));
                if (below(8) == 0) dGeomSetCollideBits(geoms[count], 1 << below(3));
                count++;
            }
            else if (count && what == 2) {
                dGeomDestroy(geoms[at]);
                count--;
                geoms[at] = geoms[count];
                parent[at] = parent[count];
            }
            else if (count && what == 3) {
                dSpaceID to = spaces[below(space_count)];
                dSpaceRemove(parent[at], geoms[at]);
                dSpaceAdd(to, geoms[at]);
                parent[at] = to;
                /* one that comes in clean would hide the dirty ones behind it from ODE, which then gives up */
                dGeomMoved(geoms[at]);
            }
            else if (count && what == 4) (below(2) ? dGeomEnable : dGeomDisable)(geoms[at]);
            else if (count && what == 5) {
                dReal aabb[6];
                dGeomGetAABB(geoms[at], aabb);
            }
            else if (count && what == 6) dSpaceClean(spaces[below(space_count)]);
            else if (count && dGeomGetClass(geoms[at]) != dPlaneClass) place(geoms[at], reach);
        }
        printf("step %d kind %d:", step, kind);
        dSpaceCollide(spaces[0], 0, below(2) ? near_print : near_deep);
        printf("\n");
        if (count) {
            int at = below(count);
            printf("one:");
            dSpaceCollide2(geoms[at], (dGeomID)spaces[0], 0, near_print);
            printf(" /");
            dSpaceCollide2((dGeomID)spaces[0], geoms[below(count)], 0, near_print);
            printf("\n");
        }
        if (space_count > 2) {
            printf("two:");
            dSpaceCollide2((dGeomID)spaces[1], (dGeomID)spaces[2], 0, near_deep);
            printf("\n");
        }
        printf("index:");
        if (dSpaceGetClass(spaces[0]) != dQuadTreeSpaceClass)
            for (i = 0; i < dSpaceGetNumGeoms(spaces[0]); i++)
                printf(" %ld", (long)(size_t)dGeomGetData(dSpaceGetGeom(spaces[0], i)));
        printf("\n");
    }
    dSpaceDestroy(spaces[0]);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static int pairs;

static void near_count(void *data, dGeomID a, dGeomID b)
{
    (void)data, (void)a, (void)b;
    pairs++;
}

static void timing(int kind, int n)
{
    static dGeomID geoms[100000];
    dSpaceID s = kind < 4 ? make_space(kind, 0) : 0;
    int i, k, side = (int)ceil(cbrt(n)), rounds = 30;
    double t, collide = 1e9, least = 1e9;
    dContactGeom c[8];
    dCreatePlane(s, 0, 0, 1, 0);
    for (i = 0; i < n; i++) {
        geoms[i] = dCreateBox(s, 0.8, 0.8, 0.8);
        dGeomSetPosition(geoms[i], i % side * 1.2 + between(0, 0.3), i / side % side * 1.2 + between(0, 0.3), 0.39 + i / (side * side) * 0.78);
    }
    for (k = 0; k < rounds; k++) {
        for (i = 0; i < n; i++) {
            const dReal *p = dGeomGetPosition(geoms[i]);
            dGeomSetPosition(geoms[i], p[0], p[1], p[2]);
        }
        pairs = 0;
        t = seconds();
        dSpaceCollide(s, 0, near_count);
        t = seconds() - t;
        if (t < least) least = t;
    }
    for (k = 0; k < rounds; k++) {
        t = seconds();
        for (i = 0; i + 1 < n; i++) dCollide(geoms[i], geoms[(i + side * side) % n], 8, c, sizeof c[0]);
        t = seconds() - t;
        if (t < collide) collide = t;
    }
    printf("kind %d n %d pairs %d dSpaceCollide %.1f us box-box %.1f ns\n", kind, n, pairs, 1e6 * least, 1e9 * collide / n);
    dSpaceDestroy(s);
}

int main(int argc, char **argv)
{
    int i, count;
    if (argc < 3) return 1;
    dInitODE2(0);
    state = strtoull(argv[2], 0, 10) * 0x9E3779B97F4A7C15ULL + 1;
    count = argc > 3 ? atoi(argv[3]) : 1;
    if (!strcmp(argv[1], "contacts")) contacts(count);
    else if (!strcmp(argv[1], "spaces"))
        for (i = 0; i < count; i++) scene(i % 4);
    else {
        int n = atoi(argv[2]);
        for (i = n > 3000 ? 1 : 0; i < 4; i++)
            if (argc < 4 || count == i) timing(i, n);
    }
    dCloseODE();
    return 0;
}
