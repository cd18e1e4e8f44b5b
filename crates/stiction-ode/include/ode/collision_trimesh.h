/* Triangle meshes. */
#ifndef STICTION_ODE_COLLISION_TRIMESH_H
#define STICTION_ODE_COLLISION_TRIMESH_H

#include <ode/common.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dxTriMeshData;
typedef struct dxTriMeshData *dTriMeshDataID;

/* Corners of a triangle. */
typedef enum { dMTV__MIN, dMTV_FIRST = dMTV__MIN, dMTV_SECOND, dMTV_THIRD, dMTV__MAX } dMeshTriangleVertex;

/* Data of triangles. */
enum {
    dTRIMESHDATA__MIN,
    dTRIMESHDATA_FACE_NORMALS = dTRIMESHDATA__MIN,
    dTRIMESHDATA_USE_FLAGS,
    dTRIMESHDATA__MAX
};
#ifndef TRIMESH_FACE_NORMALS
#define TRIMESH_FACE_NORMALS dTRIMESHDATA_FACE_NORMALS
#endif

/* Bits of the use flags: what of a triangle can be touched. */
enum {
    dMESHDATAUSE_EDGE1 = 0x01,
    dMESHDATAUSE_EDGE2 = 0x02,
    dMESHDATAUSE_EDGE3 = 0x04,
    dMESHDATAUSE_VERTEX1 = 0x08,
    dMESHDATAUSE_VERTEX2 = 0x10,
    dMESHDATAUSE_VERTEX3 = 0x20
};

/* What preprocessing makes: numbers of bits of the requests. */
enum {
    dTRIDATAPREPROCESS_BUILD__MIN,
    dTRIDATAPREPROCESS_BUILD_CONCAVE_EDGES = dTRIDATAPREPROCESS_BUILD__MIN,
    dTRIDATAPREPROCESS_BUILD_FACE_ANGLES,
    dTRIDATAPREPROCESS_BUILD__MAX
};

/* How angles between faces are kept. */
enum {
    dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA__MIN,
    dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA_BYTE_POSITIVE = dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA__MIN,
    dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA_BYTE_ALL,
    dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA_WORD_ALL,
    dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA__MAX,
    dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA__DEFAULT = dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA_BYTE_POSITIVE
};

/* Whether a triangle collides with a geom; nonzero lets it. */
typedef int dTriCallback(dGeomID mesh, dGeomID geom, int triangle);
/* Hears of all triangles near a geom. */
typedef void dTriArrayCallback(dGeomID mesh, dGeomID geom, const int *triangles, int count);
/* Whether a ray hits a triangle at coordinates u, v; nonzero lets it. */
typedef int dTriRayCallback(dGeomID mesh, dGeomID ray, int triangle, dReal u, dReal v);
/* The triangle to name for contacts of two that were merged. */
typedef int dTriTriMergeCallback(dGeomID mesh, int triangle1, int triangle2);

/* functions: made from functions.tsv by `cargo xtask headers` */
/* Data of a mesh, without triangles. */
ODE_API dTriMeshDataID dGeomTriMeshDataCreate(void);
/* Destroys the data of a mesh. */
ODE_API void dGeomTriMeshDataDestroy(dTriMeshDataID mesh);
/* Sets a pointer to data of triangles, dTRIMESHDATA_.... */
ODE_API void dGeomTriMeshDataSet(dTriMeshDataID mesh, int data_id, void *data);
/* Pointer to data of triangles, dTRIMESHDATA_.... */
ODE_API void *dGeomTriMeshDataGet(dTriMeshDataID mesh, int data_id);
/* Pointer to data of triangles, and its size. */
ODE_API void *dGeomTriMeshDataGet2(dTriMeshDataID mesh, int data_id, dsizeint *size);
/* Tells the pose (4 by 4) of the step before. */
ODE_API void dGeomTriMeshSetLastTransform(dGeomID geom, const dReal *transform);
/* The pose (4 by 4) of the step before, as told. */
ODE_API const dReal *dGeomTriMeshGetLastTransform(dGeomID geom);
/* Makes a mesh of float corners [m] and triangles; strides in bytes. The arrays stay the program's. */
ODE_API void dGeomTriMeshDataBuildSingle(dTriMeshDataID mesh, const void *vertices, int vertex_stride, int
    vertex_count, const void *indices, int index_count, int triangle_stride);
/* The same with normals of the triangles. */
ODE_API void dGeomTriMeshDataBuildSingle1(dTriMeshDataID mesh, const void *vertices, int vertex_stride, int
    vertex_count, const void *indices, int index_count, int triangle_stride, const void *normals);
/* Makes a mesh of double corners [m] and triangles; strides in bytes. The arrays stay the program's. */
ODE_API void dGeomTriMeshDataBuildDouble(dTriMeshDataID mesh, const void *vertices, int vertex_stride, int
    vertex_count, const void *indices, int index_count, int triangle_stride);
/* The same with normals of the triangles. */
ODE_API void dGeomTriMeshDataBuildDouble1(dTriMeshDataID mesh, const void *vertices, int vertex_stride, int
    vertex_count, const void *indices, int index_count, int triangle_stride, const void *normals);
/* Makes a mesh of corners (four dReal each) and triples of indices. */
ODE_API void dGeomTriMeshDataBuildSimple(dTriMeshDataID mesh, const dReal *vertices, int vertex_count, const dTriIndex
    *indices, int index_count);
/* The same with normals of the triangles. */
ODE_API void dGeomTriMeshDataBuildSimple1(dTriMeshDataID mesh, const dReal *vertices, int vertex_count, const dTriIndex
    *indices, int index_count, const int *normals);
/* Finds which edges and corners can be touched; bits 1 << dTRIDATAPREPROCESS_BUILD_.... 1 on success. */
ODE_API int dGeomTriMeshDataPreprocess2(dTriMeshDataID mesh, unsigned requests, const dintptr *extra);
/* Finds which edges and corners can be touched. 1 on success. */
ODE_API int dGeomTriMeshDataPreprocess(dTriMeshDataID mesh);
/* What preprocessing found, and its size. */
ODE_API void dGeomTriMeshDataGetBuffer(dTriMeshDataID mesh, unsigned char **buffer, int *size);
/* Sets what preprocessing found. */
ODE_API void dGeomTriMeshDataSetBuffer(dTriMeshDataID mesh, unsigned char *buffer);
/* Sets a function that may refuse a triangle. */
ODE_API void dGeomTriMeshSetCallback(dGeomID geom, dTriCallback *callback);
/* The function that may refuse a triangle. */
ODE_API dTriCallback *dGeomTriMeshGetCallback(dGeomID geom);
/* Sets a function that hears of all triangles near a geom. */
ODE_API void dGeomTriMeshSetArrayCallback(dGeomID geom, dTriArrayCallback *callback);
/* The function that hears of all triangles near a geom. */
ODE_API dTriArrayCallback *dGeomTriMeshGetArrayCallback(dGeomID geom);
/* Sets a function that may refuse a hit of a ray. */
ODE_API void dGeomTriMeshSetRayCallback(dGeomID geom, dTriRayCallback *callback);
/* The function that may refuse a hit of a ray. */
ODE_API dTriRayCallback *dGeomTriMeshGetRayCallback(dGeomID geom);
/* Sets a function that names a triangle for merged contacts. */
ODE_API void dGeomTriMeshSetTriMergeCallback(dGeomID geom, dTriTriMergeCallback *callback);
/* The function that names a triangle for merged contacts. */
ODE_API dTriTriMergeCallback *dGeomTriMeshGetTriMergeCallback(dGeomID geom);
/* A mesh, with its callbacks or null. */
ODE_API dGeomID dCreateTriMesh(dSpaceID space, dTriMeshDataID mesh, dTriCallback *callback, dTriArrayCallback
    *array_callback, dTriRayCallback *ray_callback);
/* Gives a mesh other data. */
ODE_API void dGeomTriMeshSetData(dGeomID geom, dTriMeshDataID mesh);
/* The data of a mesh. */
ODE_API dTriMeshDataID dGeomTriMeshGetData(dGeomID geom);
/* Sets temporal coherence with a class of geoms. */
ODE_API void dGeomTriMeshEnableTC(dGeomID geom, int geom_class, int enable);
/* Whether there is temporal coherence with a class of geoms. */
ODE_API int dGeomTriMeshIsTCEnabled(dGeomID geom, int geom_class);
/* Forgets what temporal coherence knows. */
ODE_API void dGeomTriMeshClearTCCache(dGeomID geom);
/* The data of a mesh. */
ODE_API dTriMeshDataID dGeomTriMeshGetTriMeshDataID(dGeomID geom);
/* Writes the corners of a triangle [m], world frame. */
ODE_API void dGeomTriMeshGetTriangle(dGeomID geom, int index, dVector3 *v0, dVector3 *v1, dVector3 *v2);
/* Writes the point of a triangle at coordinates u, v [m], world frame. */
ODE_API void dGeomTriMeshGetPoint(dGeomID geom, int index, dReal u, dReal v, dReal *result);
/* Number of triangles. */
ODE_API int dGeomTriMeshGetTriangleCount(dGeomID geom);
/* Reads the arrays again, which have changed. */
ODE_API void dGeomTriMeshDataUpdate(dTriMeshDataID mesh);
/* dGeomTriMeshDataBuildSingle under its name of version 0.5. */
ODE_API void dGeomTriMeshDataBuild(dTriMeshDataID mesh, const void *vertices, int vertex_stride, int vertex_count,
    const void *indices, int index_count, int triangle_stride);
/* end of functions */

#ifdef __cplusplus
}
#endif

#endif
