/* Masses, rotations, vectors, matrices, random numbers. */
#include "parity.h"
#include <ode/matrix_coop.h>

static void masses(void)
{
    dMass m, n;
    dMatrix3 r;
    const double pi = 3.14159265358979323846;
#define MASS(call, function, total, ixx, izz)                                             \
    memset(&m, 0, sizeof m);                                                              \
    call;                                                                                 \
    T(function, near(m.mass, total) && near(m.I[0], ixx) && near(m.I[10], izz))
    const double sphere = 4.0 / 3 * pi * 8, cylinder = pi * 4 * 3, cap = sphere;
    const double across = cylinder * (4 / 4.0 + 9 / 12.0) + cap * (0.4 * 4 + 3.0 / 8 * 2 * 3 + 9 / 4.0);
    const double along = (cylinder / 2 + cap * 0.4) * 4, both = cylinder + cap;
    MASS(dMassSetSphere(&m, 1, 2), dMassSetSphere, sphere, 0.4 * sphere * 4, 0.4 * sphere * 4);
    MASS(dMassSetSphereTotal(&m, 5, 2), dMassSetSphereTotal, 5, 8, 8);
    MASS(dMassSetBox(&m, 2, 1, 2, 3), dMassSetBox, 12, 13, 5);
    MASS(dMassSetBoxTotal(&m, 12, 1, 2, 3), dMassSetBoxTotal, 12, 13, 5);
    MASS(dMassSetCylinder(&m, 1, 3, 2, 3), dMassSetCylinder, cylinder, cylinder * 1.75, cylinder * 2);
    MASS(dMassSetCylinderTotal(&m, 1, 3, 2, 3), dMassSetCylinderTotal, 1, 1.75, 2);
    MASS(dMassSetCapsule(&m, 1, 3, 2, 3), dMassSetCapsule, both, across, along);
    MASS(dMassSetCapsuleTotal(&m, 1, 3, 2, 3), dMassSetCapsuleTotal, 1, across / both, along / both);
    MASS(dMassSetCappedCylinder(&m, 1, 3, 2, 3), dMassSetCappedCylinder, both, across, along);
    MASS(dMassSetCappedCylinderTotal(&m, 1, 3, 2, 3), dMassSetCappedCylinderTotal, 1, across / both, along / both);
    MASS(dMassSetParameters(&m, 2, 0, 0, 0, 1, 1.5, 2, 0, 0, 0), dMassSetParameters, 2, 1, 2);
    T(dMassCheck, dMassCheck(&m) == 1);
    dMassAdjust(&m, 4);
    T(dMassAdjust, near(m.mass, 4) && near(m.I[0], 2));
    dMassTranslate(&m, 1, 0, 0);
    T(dMassTranslate, near3(m.c, 1, 0, 0) && near(m.I[10], 8) && near(m.I[0], 2));
    dRFromAxisAndAngle(r, 0, 0, 1, M_PI / 2);
    dMassRotate(&m, r);
    T(dMassRotate, near3(m.c, 0, 1, 0) && near(m.I[0], 7));
    dMassSetSphereTotal(&n, 4, 1);
    dMassAdd(&m, &n);
    T(dMassAdd, near(m.mass, 8) && near3(m.c, 0, 0.5, 0) && near(m.I[0], 8.6));
    dMassSetZero(&m);
    T(dMassSetZero, m.mass == 0 && m.I[0] == 0);
}

static void rotations(void)
{
    dMatrix3 r;
    dQuaternion p, q, s;
    dVector3 w = {0, 0, 2, 0};
    const double c = cos(0.25), t = sin(0.25);
    memset(r, 0, sizeof r);
    dRSetIdentity(r);
    T(dRSetIdentity, near(r[0], 1) && near(r[5], 1) && near(r[10], 1) && r[1] == 0);
    dRFromAxisAndAngle(r, 0, 0, 1, 0.5);
    T(dRFromAxisAndAngle, near(r[0], cos(0.5)) && near(r[1], -sin(0.5)));
    dRFromEulerAngles(r, 0.1, 0.2, 0.3);
    T(dRFromEulerAngles, about(r[1], 0.2896295, 1e-6) && about(r[4], -0.2750958, 1e-6));
    dRFrom2Axes(r, 0, 1, 0, 0, 0, 1);
    T(dRFrom2Axes, near(r[4], 1) && near(r[9], 1) && near(r[2], 1));
    memset(r, 0, sizeof r);
    dRFromZAxis(r, 0, 3, 4);
    T(dRFromZAxis, near(r[6], 0.6) && near(r[10], 0.8) && near(r[0] * r[2] + r[4] * r[6] + r[8] * r[10], 0));
    memset(q, 0, sizeof q);
    dQSetIdentity(q);
    T(dQSetIdentity, near4(q, 1, 0, 0, 0));
    dQFromAxisAndAngle(q, 0, 0, 2, 0.5);
    T(dQFromAxisAndAngle, near4(q, c, 0, 0, t));
    dQFromAxisAndAngle(p, 0, 0, 1, 0.25);
    dQMultiply0(s, q, p);
    T(dQMultiply0, near4(s, cos(0.375), 0, 0, sin(0.375)));
    dQMultiply1(s, q, p);
    T(dQMultiply1, near4(s, cos(0.125), 0, 0, -sin(0.125)));
    dQMultiply2(s, q, p);
    T(dQMultiply2, near4(s, cos(0.125), 0, 0, sin(0.125)));
    dQMultiply3(s, q, p);
    T(dQMultiply3, near4(s, cos(0.375), 0, 0, -sin(0.375)));
    dRfromQ(r, q);
    T(dRfromQ, near(r[0], cos(0.5)) && near(r[4], sin(0.5)));
    memset(s, 0, sizeof s);
    dQfromR(s, r);
    T(dQfromR, near4(s, c, 0, 0, t));
    dDQfromW(s, w, q);
    T(dDQfromW, near4(s, -t, 0, 0, c));
}

static void vectors(void)
{
    dVector3 v = {0, 3, 4, 0}, zero = {0, 0, 0, 0}, p, q;
    dVector4 u = {0, 0, 3, 4}, none = {0, 0, 0, 0};
    const dVector3 n = {0, 0, 1, 0};
    dMatrix3 r = {1, 0.001, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    dNormalize3(v);
    T(dNormalize3, near3(v, 0, 0.6, 0.8));
    dNormalize4(u);
    T(dNormalize4, near4(u, 0, 0, 0.6, 0.8));
    u[0] = 5;
    T(dSafeNormalize4, dSafeNormalize4(u) == 1 && near(u[0] * u[0] + u[2] * u[2] + u[3] * u[3], 1));
    T(dSafeNormalize4, dSafeNormalize4(none) == 0 && none[0] == 0);
    v[0] = 5;
    T(dSafeNormalize3, dSafeNormalize3(v) == 1 && near(v[0] * v[0] + v[1] * v[1] + v[2] * v[2], 1));
    T(dSafeNormalize3, dSafeNormalize3(zero) == 0 && zero[0] == 0);
    dPlaneSpace(n, p, q);
    T(dPlaneSpace, near3(p, 0, -1, 0) && near3(q, 1, 0, 0));
    T(dOrthogonalizeR, dOrthogonalizeR(r) == 1 && near(r[0] * r[4] + r[1] * r[5] + r[2] * r[6], 0));
}

enum { N = 6, SKIP = 8 };

/* G G' + 1, which is positive definite. */
static void positive(dReal *a)
{
    dReal g[N * SKIP];
    int i;
    memset(g, 0, sizeof g);
    dRandSetSeed(5);
    dMakeRandomMatrix(g, N, N, 1);
    dMultiply2(a, g, g, N, N, N);
    for (i = 0; i < N; i++) a[i * SKIP + i] += 1;
}

/* L D L' of factors. */
static void compose(dReal *a, const dReal *l, const dReal *d, int n)
{
    int i, j, k;
    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++) {
            a[i * SKIP + j] = 0;
            for (k = 0; k <= i && k <= j; k++) {
                a[i * SKIP + j] += (k == i ? 1 : l[i * SKIP + k]) * (k == j ? 1 : l[j * SKIP + k]) / d[k];
            }
        }
    }
}

static void products(void)
{
    const dReal b[] = {1, 2, 3, 0, 4, 5, 6, 0}, c[] = {1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0};
    const dReal e[] = {1, 2, 0, 0, 3, 4, 0, 0};
    dReal a[12] = {0}, v[3] = {1, 2, 3}, u[3] = {4, 5, 6};
    T(dDot, near(dDot(v, u, 3), 32));
    dScaleVector(v, u, 3);
    T(dScaleVector, near3(v, 4, 10, 18));
    dSetValue(v, 3, 7);
    T(dSetValue, near3(v, 7, 7, 7));
    dVectorScale(v, u, 3);
    T(dVectorScale, near3(v, 28, 35, 42));
    dSetZero(v, 3);
    T(dSetZero, near3(v, 0, 0, 0));
    dMultiply0(a, b, c, 2, 3, 2);
    T(dMultiply0, near(a[0], 22) && near(a[1], 28) && near(a[4], 49) && near(a[5], 64));
    dMultiply1(a, e, b, 2, 2, 3);
    T(dMultiply1, near(a[0], 13) && near(a[2], 21) && near(a[6], 30));
    dMultiply2(a, b, b, 2, 3, 2);
    T(dMultiply2, near(a[0], 14) && near(a[1], 32) && near(a[5], 77));
}

static void factors(void)
{
    dReal a[N * SKIP], l[N * SKIP], other[N * SKIP], d[N], x[N], y[N], add[N];
    int i, j;
    memset(a, 0, sizeof a);
    memset(other, 0, sizeof other);
    positive(a);
    memcpy(l, a, sizeof l);
    T(dFactorCholesky, dFactorCholesky(l, N) == 1);
    dClearUpperTriangle(l, N);
    T(dClearUpperTriangle, l[1] == 0 && l[N - 1] == 0 && l[SKIP] != 0);
    dMultiply2(other, l, l, N, N, N);
    T3(dFactorCholesky, dMaxDifference, dMaxDifferenceLowerTriangle,
       dMaxDifference(a, other, N, N) < 1e-12 && dMaxDifferenceLowerTriangle(a, other, N) < 1e-12);
    other[N * SKIP - SKIP] += 0.5;
    T2(dMaxDifference, dMaxDifferenceLowerTriangle,
       about(dMaxDifference(a, other, N, N), 0.5, 1e-9) && about(dMaxDifferenceLowerTriangle(a, other, N), 0.5, 1e-9));
    for (i = 0; i < N; i++) x[i] = i + 1;
    dMultiply0(y, a, x, N, N, 1);
    dSolveCholesky(l, y, N);
    T(dSolveCholesky, about(y[0], 1, 1e-9) && about(y[5], 6, 1e-9));
    T(dIsPositiveDefinite, dIsPositiveDefinite(a, N) == 1);
    T(dInvertPDMatrix, dInvertPDMatrix(a, l, N) == 1);
    dMultiply0(other, a, l, N, N, N);
    T(dInvertPDMatrix, about(other[0], 1, 1e-9) && about(other[1], 0, 1e-9));
    memcpy(l, a, sizeof l);
    dFactorLDLT(l, d, N, SKIP);
    compose(other, l, d, N);
    T(dFactorLDLT, dMaxDifference(a, other, N, N) < 1e-12);
    dMultiply0(y, a, x, N, N, 1);
    dSolveLDLT(l, d, y, N, SKIP);
    T(dSolveLDLT, about(y[0], 1, 1e-9) && about(y[5], 6, 1e-9));
    dMultiply0(y, a, x, N, N, 1);
    dSolveL1(l, y, N, SKIP);
    dScaleVector(y, d, N);
    dSolveL1T(l, y, N, SKIP);
    T2(dSolveL1, dSolveL1T, about(y[0], 1, 1e-9) && about(y[5], 6, 1e-9));
    /* A first row and column is added: below and right of it the factors are those of the sum. */
    for (i = 0; i < N; i++) add[i] = 0.1 * (i + 1);
    dLDLTAddTL(l, d, add, N, SKIP);
    {
        dReal sum[N * SKIP], e[N];
        memcpy(sum, a, sizeof sum);
        for (i = 0; i < N; i++) sum[i] += add[i];
        for (i = 1; i < N; i++) sum[i * SKIP] += add[i];
        dFactorLDLT(sum, e, N, SKIP);
        for (i = 1; i < N; i++) {
            T(dLDLTAddTL, about(d[i], e[i], 1e-9));
            for (j = 1; j < i; j++) T(dLDLTAddTL, about(l[i * SKIP + j], sum[i * SKIP + j], 1e-9));
        }
    }
    {
        dReal *rows[N], smaller[N * SKIP], e[N];
        int p[N];
        for (i = 0; i < N; i++) {
            rows[i] = a + i * SKIP;
            p[i] = i;
        }
        memcpy(l, a, sizeof l);
        dFactorLDLT(l, d, N, SKIP);
        dLDLTRemove(rows, p, l, d, N, N, 2, SKIP);
        memcpy(smaller, a, sizeof smaller);
        dRemoveRowCol(smaller, N, SKIP, 2);
        T(dRemoveRowCol, smaller[2] == a[3] && smaller[2 * SKIP + 1] == a[3 * SKIP + 1]);
        dFactorLDLT(smaller, e, N - 1, SKIP);
        for (i = 0; i < N - 1; i++) {
            T(dLDLTRemove, about(d[i], e[i], 1e-9));
            for (j = 0; j < i; j++) T(dLDLTRemove, about(l[i * SKIP + j], smaller[i * SKIP + j], 1e-9));
        }
    }
}

static void cooperative(void)
{
    dReal a[N * SKIP], l[N * SKIP], d[N], x[N], y[N];
    dThreadingImplementationID threading = dThreadingAllocateSelfThreadedImplementation();
    dCooperativeID c = dCooperativeCreate(dThreadingImplementationGetFunctions(threading), threading);
    dResourceRequirementsID r = dResourceRequirementsCreate(c), copy, sum = dResourceRequirementsCreate(c);
    dResourceContainerID resources;
    int i;
    T(dCooperativeCreate, c != 0);
    T(dResourceRequirementsCreate, r && r != sum);
    dEstimateCooperativelyFactorLDLTResourceRequirements(r, 1, N);
    dEstimateCooperativelySolveLDLTResourceRequirements(r, 1, N);
    dEstimateCooperativelySolveL1StraightResourceRequirements(r, 1, N);
    dEstimateCooperativelySolveL1TransposedResourceRequirements(r, 1, N);
    dEstimateCooperativelyScaleVectorResourceRequirements(r, 1, N);
    copy = dResourceRequirementsClone(r);
    T(dResourceRequirementsClone, copy && copy != r);
    dResourceRequirementsMergeIn(sum, copy);
    resources = dResourceContainerAcquire(sum);
    T(dResourceContainerAcquire, resources != 0);
    memset(a, 0, sizeof a);
    positive(a);
    memcpy(l, a, sizeof l);
    dCooperativelyFactorLDLT(resources, 1, l, d, N, SKIP);
    for (i = 0; i < N; i++) x[i] = i + 1;
    dMultiply0(y, a, x, N, N, 1);
    dCooperativelySolveLDLT(resources, 1, l, d, y, N, SKIP);
    T3(dCooperativelyFactorLDLT, dCooperativelySolveLDLT, dResourceRequirementsMergeIn,
       about(y[0], 1, 1e-9) && about(y[5], 6, 1e-9));
    dMultiply0(y, a, x, N, N, 1);
    dCooperativelySolveL1Straight(resources, 1, l, y, N, SKIP);
    dCooperativelyScaleVector(resources, 1, y, d, N);
    dCooperativelySolveL1Transposed(resources, 1, l, y, N, SKIP);
    T3(dCooperativelySolveL1Straight, dCooperativelyScaleVector, dCooperativelySolveL1Transposed,
       about(y[0], 1, 1e-9) && about(y[5], 6, 1e-9));
    dResourceContainerDestroy(resources);
    /* Each estimate alone suffices for its call. */
#define ALONE(estimate, call, function)                              \
    {                                                                \
        dResourceRequirementsID q = dResourceRequirementsCreate(c);  \
        estimate(q, 1, N);                                           \
        resources = dResourceContainerAcquire(q);                    \
        memcpy(l, a, sizeof l);                                      \
        dFactorLDLT(l, d, N, SKIP);                                  \
        for (i = 0; i < N; i++) y[i] = i + 1;                        \
        memcpy(x, y, sizeof x);                                      \
        call;                                                        \
        T2(estimate, function, memcmp(x, y, sizeof x) != 0);         \
        dResourceContainerDestroy(resources);                        \
        dResourceRequirementsDestroy(q);                             \
    }
    ALONE(dEstimateCooperativelySolveLDLTResourceRequirements,
          dCooperativelySolveLDLT(resources, 1, l, d, y, N, SKIP), dCooperativelySolveLDLT)
    ALONE(dEstimateCooperativelySolveL1StraightResourceRequirements,
          dCooperativelySolveL1Straight(resources, 1, l, y, N, SKIP), dCooperativelySolveL1Straight)
    ALONE(dEstimateCooperativelySolveL1TransposedResourceRequirements,
          dCooperativelySolveL1Transposed(resources, 1, l, y, N, SKIP), dCooperativelySolveL1Transposed)
    ALONE(dEstimateCooperativelyScaleVectorResourceRequirements,
          dCooperativelyScaleVector(resources, 1, y, d, N), dCooperativelyScaleVector)
    ALONE(dEstimateCooperativelyFactorLDLTResourceRequirements,
          (memcpy(l, a, sizeof l), dCooperativelyFactorLDLT(resources, 1, l, y, N, SKIP)), dCooperativelyFactorLDLT)
    dResourceRequirementsDestroy(copy);
    dResourceRequirementsDestroy(sum);
    /* Blocks that were given back are found again by an allocator, sooner or later. */
#define FOUND_AGAIN(type, create, destroy)                     \
    {                                                          \
        type old = create, fresh;                              \
        int found = 0;                                         \
        destroy(old);                                          \
        for (i = 0; i < 64 && !found; i++) {                   \
            fresh = create;                                    \
            found = fresh == old;                              \
            destroy(fresh);                                    \
        }                                                      \
        T(destroy, found);                                     \
    }
    FOUND_AGAIN(dResourceContainerID, dResourceContainerAcquire(r), dResourceContainerDestroy)
    FOUND_AGAIN(dResourceRequirementsID, dResourceRequirementsCreate(c), dResourceRequirementsDestroy)
    FOUND_AGAIN(dCooperativeID, dCooperativeCreate(0, 0), dCooperativeDestroy)
    dResourceRequirementsDestroy(r);
    dCooperativeDestroy(c);
    dThreadingFreeImplementation(threading);
}

static void random_numbers(void)
{
    dReal v[3] = {0, 0, 0}, m[8] = {0};
    char text[64] = "";
    FILE *file = tmpfile();
    T(dTestRand, dTestRand() == 1);
    dRandSetSeed(0);
    T(dRandSetSeed, dRand() == 1013904223UL);
    T2(dRand, dRandGetSeed, dRandGetSeed() == 1013904223UL && dRand() == 1196435762UL);
    dRandSetSeed(0);
    {
        int n = dRandInt(10);
        n = 10 * n + dRandInt(10);
        n = 10 * n + dRandInt(10);
        n = 10 * n + dRandInt(10);
        T(dRandInt, n == 714);
    }
    dRandSetSeed(0);
    T(dRandReal, near(dRandReal(), 1013904223.0 / 4294967295.0));
    dMakeRandomVector(v, 3, 2);
    T(dMakeRandomVector, v[0] != v[1] && v[1] != 0 && fabs(v[0]) <= 2);
    dMakeRandomMatrix(m, 2, 3, 2);
    T(dMakeRandomMatrix, m[0] != m[1] && m[6] != 0 && m[3] == 0);
    m[0] = 1;
    m[1] = 2;
    dPrintMatrix(m, 1, 2, "%.1f;", file);
    rewind(file);
    T(dPrintMatrix, fgets(text, sizeof text, file) && strcmp(text, "1.0;2.0;\n") == 0);
    fclose(file);
}

int main(void)
{
    dInitODE();
    masses();
    rotations();
    vectors();
    products();
    factors();
    cooperative();
    random_numbers();
    dCloseODE();
    return failures != 0;
}
