/*
 * Eleven facts of collision, each on many random cases against its own formula: depths of points in a sphere, box, capsule and
 * plane; rays on a sphere, box, capsule, plane and cylinder; boxes that touch; contacts of boxes. Prints `name wrong cases`.
 */
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>
#include <string.h>

#define CASES 3000
#define CLOSE 1e-9

typedef double Vector[3];

static double uniform(double low, double high) { return low + (high - low) * dRandReal(); }

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double length(const double *a) { return sqrt(dot(a, a)); }

static void random_direction(Vector out)
{
    double l;
    int k;
    do {
        for (k = 0; k < 3; k++) out[k] = uniform(-1, 1);
        l = length(out);
    } while (l > 1 || l < 0.1);
    for (k = 0; k < 3; k++) out[k] /= l;
}

static void place(dGeomID geom)
{
    dMatrix3 turn;
    Vector axis;
    random_direction(axis);
    dRFromAxisAndAngle(turn, axis[0], axis[1], axis[2], uniform(-3, 3));
    dGeomSetRotation(geom, turn);
    dGeomSetPosition(geom, uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
}

/* A point in the frame of a geom. */
static void into(dGeomID geom, const double *point, Vector out)
{
    const dReal *p = dGeomGetPosition(geom), *r = dGeomGetRotation(geom);
    Vector d = {point[0] - p[0], point[1] - p[1], point[2] - p[2]};
    int k;
    for (k = 0; k < 3; k++) out[k] = r[k] * d[0] + r[4 + k] * d[1] + r[8 + k] * d[2];
}

/* Signed distances from surfaces, positive outside, in the geom's frame. */
static double from_box(const double *p, const double *half)
{
    double out = 0, in = -1e9;
    int k;
    for (k = 0; k < 3; k++) {
        double d = fabs(p[k]) - half[k];
        if (d > 0) out += d * d;
        in = fmax(in, d);
    }
    return in > 0 ? sqrt(out) : in;
}

static double from_capsule(const double *p, double radius, double half)
{
    Vector d = {p[0], p[1], p[2] - fmax(-half, fmin(half, p[2]))};
    return length(d) - radius;
}

static double from_cylinder(const double *p, double radius, double half)
{
    double side = hypot(p[0], p[1]) - radius, end = fabs(p[2]) - half;
    return side > 0 && end > 0 ? hypot(side, end) : fmax(side, end);
}

typedef struct {
    int kind; /* 0 sphere, 1 box, 2 capsule, 3 plane, 4 cylinder */
    dGeomID geom;
    double radius, half;
    Vector halves;
    dVector4 plane;
} Shape;

static Shape random_shape(int kind)
{
    Shape s;
    int k;
    memset(&s, 0, sizeof s);
    s.kind = kind;
    s.radius = uniform(0.2, 1);
    s.half = uniform(0.2, 1);
    for (k = 0; k < 3; k++) s.halves[k] = uniform(0.2, 1);
    switch (kind) {
    case 0: s.geom = dCreateSphere(0, s.radius); break;
    case 1: s.geom = dCreateBox(0, 2 * s.halves[0], 2 * s.halves[1], 2 * s.halves[2]); break;
    case 2: s.geom = dCreateCapsule(0, s.radius, 2 * s.half); break;
    case 3: random_direction(s.plane); s.plane[3] = uniform(-1, 1);
        s.geom = dCreatePlane(0, s.plane[0], s.plane[1], s.plane[2], s.plane[3]); break;
    default: s.geom = dCreateCylinder(0, s.radius, 2 * s.half); break;
    }
    if (kind != 3) place(s.geom);
    return s;
}

static double distance(const Shape *s, const double *point)
{
    Vector p;
    if (s->kind == 3) return dot(s->plane, point) - s->plane[3];
    into(s->geom, point, p);
    switch (s->kind) {
    case 0: return length(p) - s->radius;
    case 1: return from_box(p, s->halves);
    case 2: return from_capsule(p, s->radius, s->half);
    default: return from_cylinder(p, s->radius, s->half);
    }
}

static int is_point_depth_wrong(int kind)
{
    Shape s = random_shape(kind);
    double x = uniform(-2, 2), y = uniform(-2, 2), z = uniform(-2, 2), depth;
    Vector p = {x, y, z};
    switch (kind) {
    case 0: depth = dGeomSpherePointDepth(s.geom, x, y, z); break;
    case 1: depth = dGeomBoxPointDepth(s.geom, x, y, z); break;
    case 2: depth = dGeomCapsulePointDepth(s.geom, x, y, z); break;
    default: depth = dGeomPlanePointDepth(s.geom, x, y, z); break;
    }
    depth += distance(&s, p);
    dGeomDestroy(s.geom);
    return !(fabs(depth) < CLOSE);
}

/* The first crossing of the surface along the ray, found by steps that cannot pass it; -1 for none. */
static double march(const Shape *s, const double *from, const double *along, double far)
{
    double t = 0, side = distance(s, from) < 0 ? -1 : 1;
    int i;
    for (i = 0; i < 4000 && t <= far; i++) {
        Vector p = {from[0] + t * along[0], from[1] + t * along[1], from[2] + t * along[2]};
        double d = side * distance(s, p);
        if (d < 1e-11) return t;
        t += d;
    }
    return -1;
}

static int is_ray_wrong(int kind)
{
    Shape s = random_shape(kind);
    double far = uniform(1, 5), expected;
    Vector from = {uniform(-2, 2), uniform(-2, 2), uniform(-2, 2)}, along;
    dContactGeom contact;
    dGeomID ray = dCreateRay(0, far);
    int hits, is_wrong;
    random_direction(along);
    dGeomRaySet(ray, from[0], from[1], from[2], along[0], along[1], along[2]);
    memset(&contact, 0, sizeof contact);
    hits = dCollide(ray, s.geom, 1, &contact, sizeof contact);
    expected = march(&s, from, along, far);
    if (expected < 0) {
        /* A ray that grazes, or ends on the surface, may be told either way. */
        is_wrong = hits != 0 && fabs(distance(&s, contact.pos)) > 1e-6;
    }
    else {
        is_wrong = hits != 1 || fabs(contact.depth - expected) > 1e-5 || fabs(distance(&s, contact.pos)) > 1e-6
                   || fabs(length(contact.normal) - 1) > CLOSE || dot(contact.normal, along) > CLOSE;
        if (is_wrong && hits == 0) {
            /* It may only graze. */
            Vector middle = {from[0] + (expected + 1e-4) * along[0], from[1] + (expected + 1e-4) * along[1],
                             from[2] + (expected + 1e-4) * along[2]};
            is_wrong = fabs(distance(&s, middle)) > 1e-6 && far - expected > 1e-6;
        }
    }
    dGeomDestroy(ray);
    dGeomDestroy(s.geom);
    return is_wrong;
}

/* Largest gap along the fifteen axes of two boxes; negative: they overlap. */
static double separation(const Shape *a, const Shape *b)
{
    const dReal *pa = dGeomGetPosition(a->geom), *pb = dGeomGetPosition(b->geom);
    const dReal *ra = dGeomGetRotation(a->geom), *rb = dGeomGetRotation(b->geom);
    Vector d = {pb[0] - pa[0], pb[1] - pa[1], pb[2] - pa[2]};
    double most = -1e9;
    int i, k, axis;
    for (axis = 0; axis < 15; axis++) {
        Vector n;
        double l, reach = 0;
        if (axis < 6) {
            const dReal *r = axis < 3 ? ra : rb;
            for (k = 0; k < 3; k++) n[k] = r[4 * k + axis % 3];
        }
        else {
            int p = (axis - 6) / 3, q = (axis - 6) % 3;
            for (k = 0; k < 3; k++) {
                int u = (k + 1) % 3, v = (k + 2) % 3;
                n[k] = ra[4 * u + p] * rb[4 * v + q] - ra[4 * v + p] * rb[4 * u + q];
            }
        }
        l = length(n);
        if (l < 1e-9) continue;
        for (i = 0; i < 3; i++) {
            Vector x = {ra[i], ra[4 + i], ra[8 + i]}, y = {rb[i], rb[4 + i], rb[8 + i]};
            reach += a->halves[i] * fabs(dot(x, n)) + b->halves[i] * fabs(dot(y, n));
        }
        most = fmax(most, (fabs(dot(d, n)) - reach) / l);
    }
    return most;
}

static int is_touching_wrong(void)
{
    Shape a = random_shape(1), b = random_shape(1);
    dVector3 sides_a = {2 * a.halves[0], 2 * a.halves[1], 2 * a.halves[2]};
    dVector3 sides_b = {2 * b.halves[0], 2 * b.halves[1], 2 * b.halves[2]};
    double gap = separation(&a, &b);
    int touches = dBoxTouchesBox(dGeomGetPosition(a.geom), dGeomGetRotation(a.geom), sides_a, dGeomGetPosition(b.geom),
                                 dGeomGetRotation(b.geom), sides_b);
    dGeomDestroy(a.geom);
    dGeomDestroy(b.geom);
    return fabs(gap) > CLOSE && touches != (gap < 0);
}

static int are_contacts_wrong(void)
{
    Shape a = random_shape(1), b = random_shape(1);
    dVector3 sides_a = {2 * a.halves[0], 2 * a.halves[1], 2 * a.halves[2]};
    dVector3 sides_b = {2 * b.halves[0], 2 * b.halves[1], 2 * b.halves[2]};
    dVector3 normal = {0, 0, 0};
    dReal depth = 0;
    int code = 0, i, is_wrong;
    dContactGeom contacts[8];
    double gap = separation(&a, &b);
    const int count = dBoxBox(dGeomGetPosition(a.geom), dGeomGetRotation(a.geom), sides_a, dGeomGetPosition(b.geom),
                              dGeomGetRotation(b.geom), sides_b, normal, &depth, &code, 8, contacts, sizeof contacts[0]);
    if (gap > -CLOSE) is_wrong = gap > CLOSE && count != 0;
    else {
        /* Faces are preferred to edges by a twentieth; the points lie in both boxes. */
        is_wrong = count < 1 || code < 1 || code > 15 || fabs(length(normal) - 1) > CLOSE || depth < -gap - CLOSE
                   || depth > -1.06 * gap + CLOSE;
        for (i = 0; i < count; i++)
            is_wrong |= contacts[i].depth < -CLOSE || contacts[i].depth > depth + CLOSE
                        || distance(&a, contacts[i].pos) > depth + CLOSE || distance(&b, contacts[i].pos) > depth + CLOSE;
    }
    dGeomDestroy(a.geom);
    dGeomDestroy(b.geom);
    return is_wrong;
}

int main(void)
{
    static const char *const names[] = {"sphere", "box", "capsule", "plane", "cylinder"};
    int kind, i, wrong;
    dInitODE2(0);
    dRandSetSeed(7);
    for (kind = 0; kind < 4; kind++) {
        for (i = wrong = 0; i < CASES; i++) wrong += is_point_depth_wrong(kind);
        printf("%s_point_depth %d %d\n", names[kind], wrong, CASES);
    }
    for (kind = 0; kind < 5; kind++) {
        for (i = wrong = 0; i < CASES; i++) wrong += is_ray_wrong(kind);
        printf("ray_and_%s %d %d\n", names[kind], wrong, CASES);
    }
    for (i = wrong = 0; i < CASES; i++) wrong += is_touching_wrong();
    printf("box_touches_box %d %d\n", wrong, CASES);
    for (i = wrong = 0; i < CASES; i++) wrong += are_contacts_wrong();
    printf("box_box %d %d\n", wrong, CASES);
    dCloseODE();
    return 0;
}
