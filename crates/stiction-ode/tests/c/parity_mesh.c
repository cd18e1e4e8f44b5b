/* Triangle meshes, and masses of them. */
#include "parity.h"

/* A unit cube about the origin, in corners of three and of four numbers. */
static float single[8][3];
static double precise[8][3];
static dReal simple[8][4];
static const dTriIndex indices[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                      2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
static dReal normals[36];
static int integer_normals[36];

static int triangle_callback(dGeomID mesh, dGeomID geom, int triangle) { return mesh && geom && triangle >= 0; }
static void array_callback(dGeomID mesh, dGeomID geom, const int *list, int count)
{
    (void)mesh;
    (void)geom;
    (void)list;
    (void)count;
}
static int ray_callback(dGeomID mesh, dGeomID ray, int triangle, dReal u, dReal v)
{
    return mesh && ray && triangle >= 0 && u >= 0 && v >= 0;
}
static int merge_callback(dGeomID mesh, int first, int second) { return mesh ? first : second; }

static void bounds_of(dTriMeshDataID data, dReal *box)
{
    dGeomID g = dCreateTriMesh(0, data, 0, 0, 0);
    dGeomGetAABB(g, box);
    dGeomDestroy(g);
}

int main(void)
{
    dTriMeshDataID data, other;
    dGeomID g;
    dReal box[6];
    dVector3 u, v, p;
    dMass m;
    dsizeint size = 9;
    dMatrix4 transform = {0};
    unsigned char *buffer = 0;
    int i, k, length = -1, value, bytes = sizeof value;
    dInitODE();
    for (i = 0; i < 8; i++) {
        for (k = 0; k < 3; k++) {
            const double x = i >> k & 1 ? 0.5 : -0.5;
            single[i][k] = (float)x;
            precise[i][k] = x;
            simple[i][k] = x;
        }
    }
    data = dGeomTriMeshDataCreate();
    other = dGeomTriMeshDataCreate();
    T(dGeomTriMeshDataCreate, data && data != other);
#define BUILD(function, arguments)                                  \
    memset(box, 0, sizeof box);                                     \
    {                                                               \
        dTriMeshDataID fresh = dGeomTriMeshDataCreate();            \
        function arguments;                                         \
        bounds_of(fresh, box);                                      \
        T(function, near(box[1], 0.5) && near(box[4], -0.5));       \
        dGeomTriMeshDataDestroy(fresh);                             \
    }
    BUILD(dGeomTriMeshDataBuildSingle, (fresh, single, sizeof single[0], 8, indices, 36, 3 * sizeof *indices));
    BUILD(dGeomTriMeshDataBuildSingle1, (fresh, single, sizeof single[0], 8, indices, 36, 3 * sizeof *indices, normals));
    BUILD(dGeomTriMeshDataBuildDouble, (fresh, precise, sizeof precise[0], 8, indices, 36, 3 * sizeof *indices));
    BUILD(dGeomTriMeshDataBuildDouble1, (fresh, precise, sizeof precise[0], 8, indices, 36, 3 * sizeof *indices, normals));
    BUILD(dGeomTriMeshDataBuildSimple, (fresh, &simple[0][0], 8, indices, 36));
    BUILD(dGeomTriMeshDataBuildSimple1, (fresh, &simple[0][0], 8, indices, 36, integer_normals));
    dGeomTriMeshDataBuildSingle(data, single, sizeof single[0], 8, indices, 36, 3 * sizeof *indices);
    dGeomTriMeshDataBuildSingle(other, single, sizeof single[0], 8, indices, 12, 3 * sizeof *indices);
    dGeomTriMeshDataSet(data, dTRIMESHDATA_FACE_NORMALS, normals);
    T2(dGeomTriMeshDataSet, dGeomTriMeshDataGet2,
       dGeomTriMeshDataGet2(data, dTRIMESHDATA_FACE_NORMALS, &size) == normals);
    dGeomTriMeshDataSet(data, dTRIMESHDATA_FACE_NORMALS, 0);
    T(dGeomTriMeshDataPreprocess, dGeomTriMeshDataPreprocess(data) == 1);
    dGeomTriMeshDataGetBuffer(data, &buffer, &length);
    T3(dGeomTriMeshDataGetBuffer, dGeomTriMeshDataPreprocess, dGeomTriMeshDataPreprocess2, buffer && length == 12);
    T(dGeomTriMeshDataPreprocess2,
      dGeomTriMeshDataPreprocess2(other, 1u << dTRIDATAPREPROCESS_BUILD_CONCAVE_EDGES, 0) == 1);
    {
        static unsigned char flags[12];
        unsigned char *given = 0;
        dGeomTriMeshDataSetBuffer(other, flags);
        dGeomTriMeshDataGetBuffer(other, &given, &length);
        T(dGeomTriMeshDataSetBuffer, given == flags);
    }
    g = dCreateTriMesh(0, data, triangle_callback, array_callback, ray_callback);
    T(dCreateTriMesh, dGeomGetClass(g) == dTriMeshClass);
    T(dGeomTriMeshGetTriangleCount, dGeomTriMeshGetTriangleCount(g) == 12);
    T3(dGeomTriMeshGetCallback, dGeomTriMeshGetArrayCallback, dGeomTriMeshGetRayCallback,
       dGeomTriMeshGetCallback(g) == triangle_callback && dGeomTriMeshGetArrayCallback(g) == array_callback
           && dGeomTriMeshGetRayCallback(g) == ray_callback);
    dGeomTriMeshSetCallback(g, 0);
    dGeomTriMeshSetArrayCallback(g, 0);
    dGeomTriMeshSetRayCallback(g, 0);
    T3(dGeomTriMeshSetCallback, dGeomTriMeshSetArrayCallback, dGeomTriMeshSetRayCallback,
       !dGeomTriMeshGetCallback(g) && !dGeomTriMeshGetArrayCallback(g) && !dGeomTriMeshGetRayCallback(g));
    dGeomTriMeshSetTriMergeCallback(g, merge_callback);
    T2(dGeomTriMeshSetTriMergeCallback, dGeomTriMeshGetTriMergeCallback,
       dGeomTriMeshGetTriMergeCallback(g) == merge_callback);
    value = dGeomColliderMergeContactsValue_Full;
    T(dGeomLowLevelControl, dGeomLowLevelControl(g, dGeomColliderControlClass,
        dGeomColliderSetMergeSphereContactsControlCode, &value, &bytes) == 1);
    T2(dGeomTriMeshGetData, dGeomTriMeshGetTriMeshDataID,
       dGeomTriMeshGetData(g) == data && dGeomTriMeshGetTriMeshDataID(g) == data);
    dGeomTriMeshSetData(g, other);
    T(dGeomTriMeshSetData, dGeomTriMeshGetData(g) == other);
    dGeomTriMeshSetData(g, data);
    dGeomTriMeshEnableTC(g, dSphereClass, 1);
    T2(dGeomTriMeshEnableTC, dGeomTriMeshIsTCEnabled, dGeomTriMeshIsTCEnabled(g, dSphereClass) == 1);
    dGeomTriMeshClearTCCache(g);
    T(dGeomTriMeshClearTCCache, dGeomTriMeshIsTCEnabled(g, dSphereClass) == 1);
    dGeomSetPosition(g, 10, 0, 0);
    dGeomTriMeshGetTriangle(g, 0, &u, &v, &p);
    T(dGeomTriMeshGetTriangle, near3(u, 9.5, -0.5, -0.5) && near3(v, 9.5, 0.5, -0.5) && near3(p, 10.5, 0.5, -0.5));
    dGeomTriMeshGetPoint(g, 0, 0.5, 0.5, v);
    T(dGeomTriMeshGetPoint, near3(v, 10, 0.5, -0.5));
    transform[0] = 3;
    dGeomTriMeshSetLastTransform(g, transform);
    T2(dGeomTriMeshSetLastTransform, dGeomTriMeshGetLastTransform, near(dGeomTriMeshGetLastTransform(g)[0], 3));
    dGeomSetPosition(g, 0, 0, 0);
    dMassSetTrimesh(&m, 2, g);
    T(dMassSetTrimesh, near(fabs(m.mass), 2) && about(fabs(m.I[0]), 2 / 6.0, 1e-6));
    dMassSetTrimeshTotal(&m, 3, g);
    T(dMassSetTrimeshTotal, near(m.mass, 3) && about(m.I[0], 3 / 6.0, 1e-6));
    for (i = 0; i < 8; i++) single[i][2] *= 4;
    dGeomTriMeshDataUpdate(data);
    dGeomMoved(g);
    bounds_of(data, box);
    T(dGeomTriMeshDataUpdate, near(box[5], 2));
    dGeomDestroy(g);
    dGeomTriMeshDataDestroy(data);
    dGeomTriMeshDataDestroy(other);
    {
        int again = 0;
        for (i = 0; i < 64 && !again; i++) {
            dTriMeshDataID fresh = dGeomTriMeshDataCreate();
            again = fresh == other || fresh == data;
            dGeomTriMeshDataDestroy(fresh);
        }
        T(dGeomTriMeshDataDestroy, again);
    }
    dCloseODE();
    return failures != 0;
}
