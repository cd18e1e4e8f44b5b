/* Names of version 0.5 as functions, what the engine adds, tests inside the library. */
#include "parity.h"
#include <ode/stiction.h>
#include <stdlib.h>

/* The functions, not the macros of the headers. */
#undef dQtoR
#undef dRtoQ
#undef dWtoDQ
#undef dCreateCCylinder
#undef dGeomCCylinderSetParams
#undef dGeomCCylinderGetParams
#undef dGeomCCylinderPointDepth

static int last_number;
static char last_text[100];
static void remember(int number, const char *text, va_list arguments)
{
    last_number = number;
    vsnprintf(last_text, sizeof last_text, text, arguments);
}

#define BODY(property, value)                                                                      \
    dBodySet##property(b, value);                                                                  \
    T2(dBodySet##property, dBodyGet##property, near(dBodyGet##property(b), value))

/* Of six bodies on ball joints the first is enabled: how many are after a step that reaches so far? The others stay in place,
   and the first hangs on its disabled neighbour. */
static int enabled_links(int depth)
{
    dWorldID w = dWorldCreate();
    dBodyID links[6];
    int i, count = 0;
    dWorldSetGravity(w, 0, 0, -10);
    dWorldSetAutoEnableDepthSF1(w, depth);
    for (i = 0; i < 6; i++) {
        links[i] = dBodyCreate(w);
        dBodySetPosition(links[i], 0, 0, i);
        if (i > 0) {
            dJointID joint = dJointCreateBall(w, 0);
            dJointAttach(joint, links[i - 1], links[i]);
            dJointSetBallAnchor(joint, 0, 0, i - 0.5);
            dBodyDisable(links[i]);
        }
    }
    dWorldStepFast1(w, 0.1, 100);
    for (i = 0; i < 6; i++) {
        count += dBodyIsEnabled(links[i]);
        if (!dBodyIsEnabled(links[i])) count -= 10 * !near(dBodyGetPosition(links[i])[2], i);
    }
    if (depth == 0 && !about(dBodyGetLinearVel(links[0])[2], 0, 1e-3)) count = -1;
    dWorldDestroy(w);
    return count;
}

static void old_names(void)
{
    dWorldID w = dWorldCreate();
    dBodyID a = dBodyCreate(w), b = dBodyCreate(w);
    dJointID j = dJointCreateUniversal(w, 0);
    dReal radius = 0, length = 0;
    dQuaternion q, s;
    dMatrix3 r;
    dVector3 spin = {0, 0, 2, 0};
    dGeomID g = dCreateCCylinder(0, 1, 2);
    T(dCreateCCylinder, g && dGeomGetClass(g) == dCapsuleClass);
    dGeomCCylinderSetParams(g, 0.5, 3);
    dGeomCCylinderGetParams(g, &radius, &length);
    T2(dGeomCCylinderSetParams, dGeomCCylinderGetParams, near(radius, 0.5) && near(length, 3));
    T(dGeomCCylinderPointDepth, near(dGeomCCylinderPointDepth(g, 0.125, 0, 0), 0.375));
    dGeomDestroy(g);
    dQFromAxisAndAngle(q, 0, 0, 1, 0.5);
    dQtoR(q, r);
    T(dQtoR, near(r[4], sin(0.5)));
    memset(s, 0, sizeof s);
    dRtoQ(r, s);
    T(dRtoQ, near(s[3], sin(0.25)));
    dWtoDQ(spin, q, s);
    T(dWtoDQ, near(s[0], -sin(0.25)));
    dBodySetAutoDisableSF1(b, 1);
    T2(dBodySetAutoDisableSF1, dBodyGetAutoDisableSF1, dBodyGetAutoDisableSF1(b) != 0);
    BODY(AutoDisableStepsSF1, 17);
    BODY(AutoDisableThresholdSF1, 0.5);
    T(dWorldGetAutoEnableDepthSF1, dWorldGetAutoEnableDepthSF1(w) == 1000);
    dWorldSetAutoEnableDepthSF1(w, 3);
    T2(dWorldSetAutoEnableDepthSF1, dWorldGetAutoEnableDepthSF1, dWorldGetAutoEnableDepthSF1(w) == 3);
    T(dWorldSetAutoEnableDepthSF1, enabled_links(0) == 1 && enabled_links(2) == 3 && enabled_links(1000) == 6);
    dWorldSetGravity(w, 0, 0, -10);
    dWorldStepFast1(w, 0.1, 5);
    T(dWorldStepFast1, near(dBodyGetLinearVel(b)[2], -1));
    dJointAttach(j, a, b);
    dJointSetUniversalAxis1(j, 0, 0, 1);
    dJointSetUniversalAxis2(j, 0, 1, 0);
    dBodySetAngularVel(a, 0, 2, 3);
    T(dJointGetUniversalAngleRate1, near(dJointGetUniversalAngleRate1(j), 3));
    T(dJointGetUniversalAngleRate2, near(dJointGetUniversalAngleRate2(j), 2));
    dJointDestroy(j);
    j = dJointCreatePU(w, 0);
    dJointAttach(j, a, b);
    dJointSetPUAxis1(j, 0, 0, 1);
    dJointSetPUAxis2(j, 0, 1, 0);
    dJointAddPUTorque(j, 3);
    T(dJointAddPUTorque, near(dBodyGetTorque(a)[2], 3));
    dJointAddPUTorques(j, 3, 4);
    T(dJointAddPUTorques, near(dBodyGetTorque(a)[2], 6) && near(dBodyGetTorque(a)[1], 4));
    dWorldDestroy(w);
}

static void mesh_names(void)
{
    static const float corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const dTriIndex indices[3] = {0, 1, 2};
    static dReal normals[4];
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomID g;
    dGeomTriMeshDataBuild(data, corners, sizeof corners[0], 3, indices, 3, sizeof indices);
    g = dCreateTriMesh(0, data, 0, 0, 0);
    T(dGeomTriMeshDataBuild, dGeomTriMeshGetTriangleCount(g) == 1);
    dGeomTriMeshDataSet(data, dTRIMESHDATA_FACE_NORMALS, normals);
    T(dGeomTriMeshDataGet, dGeomTriMeshDataGet(data, dTRIMESHDATA_FACE_NORMALS) == normals);
    dGeomDestroy(g);
    dGeomTriMeshDataDestroy(data);
}

static void own_names(void)
{
    dWorldID w = dWorldCreate();
    dBodyID b = dBodyCreate(w);
    int i;
    dSetErrorHandler(remember);
    dSetDebugHandler(remember);
    dErrorAndReturn(7, "%d pears", 4);
    T(dErrorAndReturn, last_number == 7 && strcmp(last_text, "4 pears") == 0);
    dDebugAndReturn(8, "%d plums", 5);
    T(dDebugAndReturn, last_number == 8 && strcmp(last_text, "5 plums") == 0);
    dError(9, "%d figs", 6);
    T(dErrorAndReturn, last_number == 9 && strcmp(last_text, "6 figs") == 0);
    dWorldSetStictionMode(w, 1);
    T2(dWorldSetStictionMode, dWorldGetStictionMode, dWorldGetStictionMode(w) == 1);
    dBodySetStictionSwept(b, 1);
    T2(dBodySetStictionSwept, dBodyGetStictionSwept, dBodyGetStictionSwept(b) == 1 && dWorldGetStictionSwept(w) == 0);
    dWorldSetStictionSwept(w, 1);
    T2(dWorldSetStictionSwept, dWorldGetStictionSwept, dWorldGetStictionSwept(w) == 1 && dBodyGetStictionSwept(dBodyCreate(w)) == 1);
    dWorldSetStictionSwept(w, 0);
    T(dBodySetStictionSwept, dBodyGetStictionSwept(b) == 0);
    T(dGetStictionVersion, dGetStictionVersion() && dGetStictionVersion()[0]);
    /* Two points of the world hold one point of the body when it is moved: no step satisfies both. */
    dWorldSetCFM(w, 0);
    for (i = 0; i < 2; i++) {
        dJointID j = dJointCreateBall(w, 0);
        dJointAttach(j, b, 0);
        dBodySetPosition(b, i, 0, 0);
        dJointSetBallAnchor(j, i, 0, 0);
    }
    dWorldStep(w, 0.01);
    T(dWorldGetStictionResidual, dWorldGetStictionResidual(w) > 0.1);
    last_number = 0;
    dWorldCheck(0);
    T(dWorldCheck, last_number == 2);
    last_number = 0;
    dWorldCheck(w);
    T(dWorldCheck, last_number == 0);
    dWorldDestroy(w);
}

static void self_tests(void)
{
    unsigned long seed = dRandGetSeed();
    dTestDataStructures();
    T(dTestDataStructures, dRandGetSeed() != seed && last_number == 0);
    seed = dRandGetSeed();
    T(dTestSolveLCP, dTestSolveLCP() == 1 && dRandGetSeed() != seed && last_number == 0);
}

int main(void)
{
    dInitODE();
    old_names();
    mesh_names();
    own_names();
    self_tests();
    dCloseODE();
    return failures != 0;
}
