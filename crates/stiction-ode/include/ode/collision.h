/* Geoms: shapes in the world, and contacts between them. */
#ifndef STICTION_ODE_COLLISION_H
#define STICTION_ODE_COLLISION_H

#include <ode/common.h>
#include <ode/collision_space.h>
#include <ode/contact.h>
#include <ode/collision_trimesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What dGeomLowLevelControl sets and gets. */
enum { dGeomCommonControlClass = 0, dGeomColliderControlClass = 1 };
enum {
    dGeomCommonAnyControlCode = 0,
    dGeomColliderSetMergeSphereContactsControlCode = 1,
    dGeomColliderGetMergeSphereContactsControlCode = 2
};
enum {
    dGeomColliderMergeContactsValue__Default = 0,
    dGeomColliderMergeContactsValue_None = 1,
    dGeomColliderMergeContactsValue_Normals = 2,
    dGeomColliderMergeContactsValue_Full = 3
};

/* Flag of dCollide: any contacts will do. */
#define CONTACTS_UNIMPORTANT 0x80000000

/* Classes of geoms. */
enum { dMaxUserClasses = 4 };
enum {
    dSphereClass = 0,
    dBoxClass,
    dCapsuleClass,
    dCylinderClass,
    dPlaneClass,
    dRayClass,
    dConvexClass,
    dGeomTransformClass,
    dTriMeshClass,
    dHeightfieldClass,
    dFirstSpaceClass,
    dSimpleSpaceClass = dFirstSpaceClass,
    dHashSpaceClass,
    dSweepAndPruneSpaceClass,
    dQuadTreeSpaceClass,
    dLastSpaceClass = dQuadTreeSpaceClass,
    dFirstUserClass,
    dLastUserClass = dFirstUserClass + dMaxUserClasses - 1,
    dGeomNumClasses
};

struct dxHeightfieldData;
typedef struct dxHeightfieldData *dHeightfieldDataID;
/* Height of a sample [m]. */
typedef dReal dHeightfieldGetHeight(void *data, int x, int z);

/* Functions of a program's class: bounds, contacts, the collider for a class, a closer test of bounds, the end. */
typedef void dGetAABBFn(dGeomID geom, dReal aabb[6]);
typedef int dColliderFn(dGeomID geom1, dGeomID geom2, int flags, dContactGeom *contacts, int skip);
typedef dColliderFn *dGetColliderFnFn(int class_number);
typedef void dGeomDtorFn(dGeomID geom);
typedef int dAABBTestFn(dGeomID geom1, dGeomID geom2, dReal aabb[6]);

/* A program's class. */
typedef struct dGeomClass {
    int bytes; /* size of a geom's data */
    dGetColliderFnFn *collider;
    dGetAABBFn *aabb;
    dAABBTestFn *aabb_test;
    dGeomDtorFn *dtor;
} dGeomClass;

/* functions: made from functions.tsv by `cargo xtask headers` */
/* Destroys a geom. */
ODE_API void dGeomDestroy(dGeomID geom);
/* Sets the pointer that the program keeps with the geom. */
ODE_API void dGeomSetData(dGeomID geom, void *data);
/* The pointer that the program keeps with the geom. */
ODE_API void *dGeomGetData(dGeomID geom);
/* Puts a geom on a body; null takes it off. */
ODE_API void dGeomSetBody(dGeomID geom, dBodyID body);
/* The body of a geom, null if there is none. */
ODE_API dBodyID dGeomGetBody(dGeomID geom);
/* Sets the position [m], world frame; of its body if it has one. */
ODE_API void dGeomSetPosition(dGeomID geom, dReal x, dReal y, dReal z);
/* Sets the rotation to the world; of its body if it has one. */
ODE_API void dGeomSetRotation(dGeomID geom, const dReal *rotation);
/* Sets the orientation (w, x, y, z); of its body if it has one. */
ODE_API void dGeomSetQuaternion(dGeomID geom, const dReal *q);
/* The position [m], world frame. */
ODE_API const dReal *dGeomGetPosition(dGeomID geom);
/* Writes the position [m], world frame. */
ODE_API void dGeomCopyPosition(dGeomID geom, dReal *result);
/* The rotation to the world. */
ODE_API const dReal *dGeomGetRotation(dGeomID geom);
/* Writes the rotation to the world. */
ODE_API void dGeomCopyRotation(dGeomID geom, dReal *result);
/* Writes the orientation (w, x, y, z). */
ODE_API void dGeomGetQuaternion(dGeomID geom, dReal *result);
/* Writes the bounds xmin, xmax, ymin, ymax, zmin, zmax [m]. */
ODE_API void dGeomGetAABB(dGeomID geom, dReal *aabb);
/* Whether the geom is a space. */
ODE_API int dGeomIsSpace(dGeomID geom);
/* The space of a geom, null if there is none. */
ODE_API dSpaceID dGeomGetSpace(dGeomID geom);
/* Class of a geom. */
ODE_API int dGeomGetClass(dGeomID geom);
/* Sets the categories that the geom belongs to. */
ODE_API void dGeomSetCategoryBits(dGeomID geom, unsigned long bits);
/* Sets the categories that the geom collides with. */
ODE_API void dGeomSetCollideBits(dGeomID geom, unsigned long bits);
/* The categories that the geom belongs to. */
ODE_API unsigned long dGeomGetCategoryBits(dGeomID geom);
/* The categories that the geom collides with. */
ODE_API unsigned long dGeomGetCollideBits(dGeomID geom);
/* Enables a geom. */
ODE_API void dGeomEnable(dGeomID geom);
/* Disables a geom: spaces leave it out. */
ODE_API void dGeomDisable(dGeomID geom);
/* Whether the geom is enabled. */
ODE_API int dGeomIsEnabled(dGeomID geom);
/* Sets or gets what colliders do; class and code say what. 1 on success. */
ODE_API int dGeomLowLevelControl(dGeomID geom, int control_class, int control_code, void *data, int *data_size);
/* Position in the world of a point of the geom [m]. */
ODE_API void dGeomGetRelPointPos(dGeomID geom, dReal x, dReal y, dReal z, dReal *result);
/* Position in the geom of a point of the world [m]. */
ODE_API void dGeomGetPosRelPoint(dGeomID geom, dReal x, dReal y, dReal z, dReal *result);
/* Turns a vector from the geom's frame to the world's. */
ODE_API void dGeomVectorToWorld(dGeomID geom, dReal x, dReal y, dReal z, dReal *result);
/* Turns a vector from the world's frame to the geom's. */
ODE_API void dGeomVectorFromWorld(dGeomID geom, dReal x, dReal y, dReal z, dReal *result);
/* Sets the position on the body [m], body frame. */
ODE_API void dGeomSetOffsetPosition(dGeomID geom, dReal x, dReal y, dReal z);
/* Sets the rotation on the body. */
ODE_API void dGeomSetOffsetRotation(dGeomID geom, const dReal *rotation);
/* Sets the orientation on the body (w, x, y, z). */
ODE_API void dGeomSetOffsetQuaternion(dGeomID geom, const dReal *q);
/* Sets the position on the body by one in the world [m]. */
ODE_API void dGeomSetOffsetWorldPosition(dGeomID geom, dReal x, dReal y, dReal z);
/* Sets the rotation on the body by one to the world. */
ODE_API void dGeomSetOffsetWorldRotation(dGeomID geom, const dReal *rotation);
/* Sets the orientation on the body by one to the world. */
ODE_API void dGeomSetOffsetWorldQuaternion(dGeomID geom, const dReal *q);
/* The geom's frame is the body's again. */
ODE_API void dGeomClearOffset(dGeomID geom);
/* Whether the geom has an offset. */
ODE_API int dGeomIsOffset(dGeomID geom);
/* The position on the body [m], body frame. */
ODE_API const dReal *dGeomGetOffsetPosition(dGeomID geom);
/* Writes the position on the body [m], body frame. */
ODE_API void dGeomCopyOffsetPosition(dGeomID geom, dReal *result);
/* The rotation on the body. */
ODE_API const dReal *dGeomGetOffsetRotation(dGeomID geom);
/* Writes the rotation on the body. */
ODE_API void dGeomCopyOffsetRotation(dGeomID geom, dReal *result);
/* Writes the orientation on the body (w, x, y, z). */
ODE_API void dGeomGetOffsetQuaternion(dGeomID geom, dReal *result);
/* Contacts of two geoms, at most as many as the low 16 bits of the flags say. Returns their number. */
ODE_API int dCollide(dGeomID geom1, dGeomID geom2, int flags, dContactGeom *contacts, int skip);
/* Calls back for every pair in a space that may touch. */
ODE_API void dSpaceCollide(dSpaceID space, void *data, dNearCallback *callback);
/* Calls back for every pair of a geom of one space and one of another that may touch. */
ODE_API void dSpaceCollide2(dGeomID geom1, dGeomID geom2, void *data, dNearCallback *callback);
/* A sphere [m], in a space if it is not null. */
ODE_API dGeomID dCreateSphere(dSpaceID space, dReal radius);
/* Sets the radius [m]. */
ODE_API void dGeomSphereSetRadius(dGeomID geom, dReal radius);
/* The radius [m]. */
ODE_API dReal dGeomSphereGetRadius(dGeomID geom);
/* Depth of a point of the world in the sphere [m], negative outside. */
ODE_API dReal dGeomSpherePointDepth(dGeomID geom, dReal x, dReal y, dReal z);
/* A convex body of planes (n, d), corners and polygons, whose arrays stay the program's. */
ODE_API dGeomID dCreateConvex(dSpaceID space, const dReal *planes, unsigned plane_count, const dReal *points, unsigned
    point_count, const unsigned *polygons);
/* Gives a convex geom other arrays. */
ODE_API void dGeomSetConvex(dGeomID geom, const dReal *planes, unsigned plane_count, const dReal *points, unsigned
    point_count, const unsigned *polygons);
/* A box of sides [m]. */
ODE_API dGeomID dCreateBox(dSpaceID space, dReal lx, dReal ly, dReal lz);
/* Sets the sides [m]. */
ODE_API void dGeomBoxSetLengths(dGeomID geom, dReal lx, dReal ly, dReal lz);
/* Writes the sides [m]. */
ODE_API void dGeomBoxGetLengths(dGeomID geom, dReal *result);
/* Depth of a point of the world in the box [m], negative outside. */
ODE_API dReal dGeomBoxPointDepth(dGeomID geom, dReal x, dReal y, dReal z);
/* The half-space a x + b y + c z <= d. */
ODE_API dGeomID dCreatePlane(dSpaceID space, dReal a, dReal b, dReal c, dReal d);
/* Sets a, b, c and d [1, m]. */
ODE_API void dGeomPlaneSetParams(dGeomID geom, dReal a, dReal b, dReal c, dReal d);
/* Writes a, b, c and d [1, m]. */
ODE_API void dGeomPlaneGetParams(dGeomID geom, dReal *result);
/* Depth of a point of the world below the plane [m], negative above. */
ODE_API dReal dGeomPlanePointDepth(dGeomID geom, dReal x, dReal y, dReal z);
/* A capsule along z; radius, and length without caps [m]. */
ODE_API dGeomID dCreateCapsule(dSpaceID space, dReal radius, dReal length);
/* Sets radius, and length without caps [m]. */
ODE_API void dGeomCapsuleSetParams(dGeomID geom, dReal radius, dReal length);
/* Writes radius, and length without caps [m]. */
ODE_API void dGeomCapsuleGetParams(dGeomID geom, dReal *radius, dReal *length);
/* Depth of a point of the world in the capsule [m], negative outside. */
ODE_API dReal dGeomCapsulePointDepth(dGeomID geom, dReal x, dReal y, dReal z);
/* A cylinder along z; radius and length [m]. */
ODE_API dGeomID dCreateCylinder(dSpaceID space, dReal radius, dReal length);
/* Sets radius and length [m]. */
ODE_API void dGeomCylinderSetParams(dGeomID geom, dReal radius, dReal length);
/* Writes radius and length [m]. */
ODE_API void dGeomCylinderGetParams(dGeomID geom, dReal *radius, dReal *length);
/* A ray along z of a length [m]. */
ODE_API dGeomID dCreateRay(dSpaceID space, dReal length);
/* Sets the length [m]. */
ODE_API void dGeomRaySetLength(dGeomID geom, dReal length);
/* The length [m]. */
ODE_API dReal dGeomRayGetLength(dGeomID geom);
/* Sets start [m] and direction. */
ODE_API void dGeomRaySet(dGeomID geom, dReal px, dReal py, dReal pz, dReal dx, dReal dy, dReal dz);
/* Writes start [m] and direction. */
ODE_API void dGeomRayGet(dGeomID geom, dReal *start, dReal *direction);
/* Sets whether the first contact will do, and whether back faces are passed. */
ODE_API void dGeomRaySetParams(dGeomID geom, int first_contact, int backface_cull);
/* Whether the first contact will do, and whether back faces are passed. */
ODE_API void dGeomRayGetParams(dGeomID geom, int *first_contact, int *backface_cull);
/* Sets whether the first contact of a mesh will do. */
ODE_API void dGeomRaySetFirstContact(dGeomID geom, int value);
/* Whether the first contact of a mesh will do. */
ODE_API int dGeomRayGetFirstContact(dGeomID geom);
/* Sets whether back faces are passed. */
ODE_API void dGeomRaySetBackfaceCull(dGeomID geom, int value);
/* Whether back faces are passed. */
ODE_API int dGeomRayGetBackfaceCull(dGeomID geom);
/* Sets whether only the closest hit of a mesh is told. */
ODE_API void dGeomRaySetClosestHit(dGeomID geom, int value);
/* Whether only the closest hit of a mesh is told. */
ODE_API int dGeomRayGetClosestHit(dGeomID geom);
/* A geom that places another. */
ODE_API dGeomID dCreateGeomTransform(dSpaceID space);
/* Sets the geom inside. */
ODE_API void dGeomTransformSetGeom(dGeomID geom, dGeomID inner);
/* The geom inside. */
ODE_API dGeomID dGeomTransformGetGeom(dGeomID geom);
/* Sets whether the geom inside goes with the transform. */
ODE_API void dGeomTransformSetCleanup(dGeomID geom, int value);
/* Whether the geom inside goes with the transform. */
ODE_API int dGeomTransformGetCleanup(dGeomID geom);
/* Sets whether contacts name the transform instead of the geom inside. */
ODE_API void dGeomTransformSetInfo(dGeomID geom, int value);
/* Whether contacts name the transform instead of the geom inside. */
ODE_API int dGeomTransformGetInfo(dGeomID geom);
/* A heightfield over x and z, heights along y; with a pose of its own or not. */
ODE_API dGeomID dCreateHeightfield(dSpaceID space, dHeightfieldDataID field, int placeable);
/* Data of a heightfield, without heights. */
ODE_API dHeightfieldDataID dGeomHeightfieldDataCreate(void);
/* Destroys the data of a heightfield. */
ODE_API void dGeomHeightfieldDataDestroy(dHeightfieldDataID field);
/* Heights from a function; width and depth [m], samples, scale, offset [m], thickness [m], wrap. */
ODE_API void dGeomHeightfieldDataBuildCallback(dHeightfieldDataID field, void *data, dHeightfieldGetHeight *callback,
    dReal width, dReal depth, int width_samples, int depth_samples, dReal scale, dReal offset, dReal thickness, int
    wraps);
/* Heights from bytes, copied or not. */
ODE_API void dGeomHeightfieldDataBuildByte(dHeightfieldDataID field, const unsigned char *heights, int copies, dReal
    width, dReal depth, int width_samples, int depth_samples, dReal scale, dReal offset, dReal thickness, int wraps);
/* Heights from 16-bit numbers, copied or not. */
ODE_API void dGeomHeightfieldDataBuildShort(dHeightfieldDataID field, const short *heights, int copies, dReal width,
    dReal depth, int width_samples, int depth_samples, dReal scale, dReal offset, dReal thickness, int wraps);
/* Heights from float numbers, copied or not. */
ODE_API void dGeomHeightfieldDataBuildSingle(dHeightfieldDataID field, const float *heights, int copies, dReal width,
    dReal depth, int width_samples, int depth_samples, dReal scale, dReal offset, dReal thickness, int wraps);
/* Heights from double numbers, copied or not. */
ODE_API void dGeomHeightfieldDataBuildDouble(dHeightfieldDataID field, const double *heights, int copies, dReal width,
    dReal depth, int width_samples, int depth_samples, dReal scale, dReal offset, dReal thickness, int wraps);
/* Sets the lowest and the highest sample, before scale and offset. */
ODE_API void dGeomHeightfieldDataSetBounds(dHeightfieldDataID field, dReal min_height, dReal max_height);
/* Gives a heightfield other data. */
ODE_API void dGeomHeightfieldSetHeightfieldData(dGeomID geom, dHeightfieldDataID field);
/* The data of a heightfield. */
ODE_API dHeightfieldDataID dGeomHeightfieldGetHeightfieldData(dGeomID geom);
/* The points of two segments that are closest to each other [m]. */
ODE_API void dClosestLineSegmentPoints(const dReal *a1, const dReal *a2, const dReal *b1, const dReal *b2, dReal
    *closest_a, dReal *closest_b);
/* Whether two boxes touch: position, rotation, sides of each. */
ODE_API int dBoxTouchesBox(const dReal *position1, const dReal *rotation1, const dReal *sides1, const dReal *position2,
    const dReal *rotation2, const dReal *sides2);
/* Contacts of two boxes; writes normal, depth [m] and kind of contact. Returns the number of points. */
ODE_API int dBoxBox(const dReal *position1, const dReal *rotation1, const dReal *sides1, const dReal *position2, const
    dReal *rotation2, const dReal *sides2, dReal *normal, dReal *depth, int *code, int flags, dContactGeom *contacts,
    int skip);
/* Bounds that hold everything, for classes of the program. */
ODE_API void dInfiniteAABB(dGeomID geom, dReal *aabb);
/* A class of geoms of the program. Returns its number. */
ODE_API int dCreateGeomClass(const dGeomClass *geom_class);
/* The data of a geom of a program's class. */
ODE_API void *dGeomGetClassData(dGeomID geom);
/* A geom of a program's class. */
ODE_API dGeomID dCreateGeom(int class_number);
/* Sets the function for pairs of two classes. */
ODE_API void dSetColliderOverride(int class1, int class2, dColliderFn *collider);
/* end of functions */

#ifdef __cplusplus
}
#endif

#endif
