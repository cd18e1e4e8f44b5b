/*
 * An independent statement of what dWorldQuickStep computes for contacts, run beside the library.
 *
 * A stack of boxes is stepped by the library; before each step this program predicts the velocities from the
 * same contacts with its own projected SOR (row order, reshuffling and random stream as described in
 * ODE 0.16) and prints the largest difference. If the description is right it is rounding only.
 *
 *   ./quickstep_check [boxes [steps]]
 */
#include <math.h>
#include <ode/ode.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAXB = 64, MAXC = 2048 };
static const double H = 0.01, GZ = -9.81;

static dWorldID W;
static dSpaceID S;
static dJointGroupID J;
static dBodyID body[MAXB];
static int nbody;
static struct { dContact c; int b0, b1; double sign; } con[MAXC];
static int ncon;

static int index_of(dBodyID b)
{
    int i;
    for (i = 0; i < nbody; i++)
        if (body[i] == b) return i;
    return -1;
}

static void near(void *data, dGeomID a, dGeomID b)
{
    dContact c[8];
    int i, n = dCollide(a, b, 8, &c[0].geom, sizeof c[0]);
    (void)data;
    for (i = 0; i < n; i++) {
        dBodyID x = dGeomGetBody(a), y = dGeomGetBody(b);
        c[i].surface.mode = dContactApprox1;
        c[i].surface.mu = 0.5;
        dJointAttach(dJointCreateContact(W, J, &c[i]), x, y);
        con[ncon].c = c[i];
        con[ncon].b0 = index_of(x ? x : y); /* the first body is never the world; */
        con[ncon].b1 = x ? index_of(y) : -1;
        con[ncon].sign = x ? 1 : -1; /* the normal turns round with it */
        ncon++;
    }
}

/* ---- the random stream ---------------------------------------------------------------------------------- */

static uint32_t seed;
static int pick(uint32_t n) /* 0 .. n-1: fold the word onto b bits, the smallest of 1 2 4 8 16 32 with n <= 2^b */
{
    int b = 32;
    uint32_t r;
    seed = 1664525u * seed + 1013904223u;
    r = seed;
    while (b > 1 && n <= 1ull << (b / 2)) {
        b /= 2;
        r ^= r >> b;
    }
    if (b == 1) return (int)(r & (n >> 1));
    return (int)((((uint64_t)r & ((1ull << b) - 1)) * n) >> b);
}

/* ---- one island ------------------------------------------------------------------------------------------ */

typedef struct { int b0, b1, findex; double j0[6], j1[6], w0[6], w1[6], rhs, cfm, lo, hi, lambda; } Row;
static Row row[3 * MAXC];
static int order[3 * MAXC];
static double fc[MAXB][6];

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}
static double dot(const double *a, const double *b, int n)
{
    double s = 0;
    while (n-- > 0) s += *a++ * *b++;
    return s;
}
static void inverse_inertia(dBodyID b, double m[3][3]) /* a cube: the same in every frame */
{
    dMass mass;
    memset(m, 0, 9 * sizeof(double));
    dBodyGetMass(b, &mass);
    m[0][0] = m[1][1] = m[2][2] = 1 / mass.I[0];
}
static void set_row(Row *r, int b0, int b1, const double *pos, const double *n)
{
    double p[3], minus[3] = {-n[0], -n[1], -n[2]};
    int i, k;
    memset(r, 0, sizeof *r);
    r->b0 = b0;
    r->b1 = b1;
    r->findex = -1;
    for (k = 0; k < 2; k++) {
        int b = k ? b1 : b0;
        double *j = k ? r->j1 : r->j0, *w = k ? r->w1 : r->w0, inv[3][3];
        const dReal *x;
        dMass mass;
        if (b < 0) continue;
        x = dBodyGetPosition(body[b]);
        for (i = 0; i < 3; i++) p[i] = pos[i] - x[i];
        memcpy(j, k ? minus : n, 3 * sizeof *j);
        cross(p, k ? minus : n, j + 3);
        inverse_inertia(body[b], inv);
        dBodyGetMass(body[b], &mass);
        for (i = 0; i < 3; i++) {
            w[i] = j[i] / mass.mass;
            w[3 + i] = dot(inv[i], j + 3, 3);
        }
    }
}

static int seen_body[MAXB], seen_con[MAXC];

static void solve_island(int start, double v[MAXB][6])
{
    static int list[MAXC], stack[MAXB];
    int nlist = 0, nstack = 0, b = start, i, k, m = 0, head, it;
    seen_body[start] = 1;
    for (;;) { /* joints of a body: newest first; then the body found last */
        for (i = ncon - 1; i >= 0; i--) {
            int other;
            if (seen_con[i] || (con[i].b0 != b && con[i].b1 != b)) continue;
            seen_con[i] = 1;
            list[nlist++] = i;
            other = con[i].b0 == b ? con[i].b1 : con[i].b0;
            if (other >= 0 && !seen_body[other]) {
                seen_body[other] = 1;
                stack[nstack++] = other;
            }
        }
        if (!nstack) break;
        b = stack[--nstack];
    }
    for (i = 0; i < nlist; i++) {
        dContact *c = &con[list[i]].c;
        double n[3];
        dVector3 t[2], nn = {0};
        int b0 = con[list[i]].b0, b1 = con[list[i]].b1, first = m;
        for (k = 0; k < 3; k++) nn[k] = n[k] = con[list[i]].sign * c->geom.normal[k];
        dPlaneSpace(nn, t[0], t[1]);
        set_row(&row[m], b0, b1, c->geom.pos, n);
        row[m].rhs = dWorldGetERP(W) / H * fmax(0, c->geom.depth);
        row[m].hi = INFINITY;
        m++;
        for (k = 0; k < 2; k++, m++) {
            set_row(&row[m], b0, b1, c->geom.pos, t[k]);
            row[m].hi = c->surface.mu;
            row[m].findex = first;
        }
    }
    for (i = 0; i < m; i++) { /* right side and diagonal; v already holds v + h M^-1 f */
        Row *r = &row[i];
        double d, jv = dot(r->j0, v[r->b0], 6);
        if (r->b1 >= 0) jv += dot(r->j1, v[r->b1], 6);
        r->cfm = dWorldGetCFM(W) / H;
        r->rhs = (r->rhs - jv) / H;
        d = dot(r->j0, r->w0, 6) + (r->b1 >= 0 ? dot(r->j1, r->w1, 6) : 0) + r->cfm;
        d = dWorldGetQuickStepW(W) / d;
        r->rhs *= d;
        r->cfm *= d;
        for (k = 0; k < 6; k++) r->j0[k] *= d, r->j1[k] *= d;
    }
    for (i = 0, head = 0; i < m; i++)
        if (row[i].findex < 0) order[head++] = i;
    for (i = 0; i < m; i++)
        if (row[i].findex >= 0) order[head++] = i;
    memset(fc, 0, sizeof fc);
    for (it = 0; it < dWorldGetQuickStepNumIterations(W); it++) {
        if (it && it % 8 == 0)
            for (i = 1; i < m; i++) {
                int j = pick(i + 1), t = order[i];
                order[i] = order[j];
                order[j] = t;
            }
        for (i = 0; i < m; i++) {
            Row *r = &row[order[i]];
            double lo = r->lo, hi = r->hi, old = r->lambda, x;
            x = old + r->rhs - old * r->cfm - dot(fc[r->b0], r->j0, 6);
            if (r->b1 >= 0) x -= dot(fc[r->b1], r->j1, 6);
            if (r->findex >= 0) {
                hi = fabs(r->hi * row[r->findex].lambda);
                lo = -hi;
            }
            r->lambda = x < lo ? lo : x > hi ? hi : x;
            for (k = 0; k < 6; k++) {
                fc[r->b0][k] += (r->lambda - old) * r->w0[k];
                if (r->b1 >= 0) fc[r->b1][k] += (r->lambda - old) * r->w1[k];
            }
        }
    }
    for (i = 0; i < nbody; i++)
        for (k = 0; k < 6; k++) v[i][k] += H * fc[i][k];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 5, steps = argc > 2 ? atoi(argv[2]) : 300, s, i, k, rows = 0;
    double worst = 0, worst_speed = 0;
    dInitODE2(0);
    W = dWorldCreate();
    S = dSimpleSpaceCreate(0);
    J = dJointGroupCreate(0);
    dWorldSetGravity(W, 0, 0, GZ);
    dCreatePlane(S, 0, 0, 1, 0);
    for (i = 0; i < n && i < MAXB; i++) {
        dMass m;
        dGeomID g = dCreateBox(S, 1, 1, 1);
        body[nbody++] = dBodyCreate(W);
        dMassSetBoxTotal(&m, 1 + 0.1 * i, 1, 1, 1);
        dBodySetMass(body[i], &m);
        dBodySetPosition(body[i], 0.07 * (i % 3), 0.05 * (i % 2), 0.52 + 1.02 * i);
        dBodySetLinearVel(body[i], 0.1 * i, 0, 0);
        dGeomSetBody(g, body[i]);
        dBodySetGyroscopicMode(body[i], 0);
    }
    dRandSetSeed(1);
    for (s = 0; s < steps; s++) {
        double v[MAXB][6];
        ncon = 0;
        dSpaceCollide(S, 0, near);
        seed = (uint32_t)dRandGetSeed();
        for (i = 0; i < nbody; i++) {
            memcpy(v[i], dBodyGetLinearVel(body[i]), 3 * sizeof(double));
            memcpy(v[i] + 3, dBodyGetAngularVel(body[i]), 3 * sizeof(double));
            v[i][2] += H * GZ;
        }
        memset(seen_body, 0, sizeof seen_body);
        memset(seen_con, 0, sizeof seen_con);
        for (i = nbody - 1; i >= 0; i--) /* islands start from the newest body */
            if (!seen_body[i]) solve_island(i, v);
        dWorldQuickStep(W, H);
        for (i = 0; i < nbody; i++)
            for (k = 0; k < 6; k++) {
                double x = k < 3 ? dBodyGetLinearVel(body[i])[k] : dBodyGetAngularVel(body[i])[k - 3];
                worst = fmax(worst, fabs(x - v[i][k]));
                worst_speed = fmax(worst_speed, fabs(x));
            }
        if (dRandGetSeed() != seed) {
            printf("step %d: the random streams differ\n", s);
            return 1;
        }
        dJointGroupEmpty(J);
        rows += 3 * ncon;
    }
    printf("boxes %d  steps %d  rows %d  largest speed %.3g  largest difference %.3g\n", nbody, steps, rows, worst_speed, worst);
    dCloseODE();
    return worst > 1e-9;
}
