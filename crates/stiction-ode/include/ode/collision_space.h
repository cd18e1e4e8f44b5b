/* Spaces: geoms of which pairs that may touch are found. */
#ifndef STICTION_ODE_COLLISION_SPACE_H
#define STICTION_ODE_COLLISION_SPACE_H

#include <ode/common.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dContactGeom;

/* Hears of a pair that may touch. */
typedef void dNearCallback(void *data, dGeomID geom1, dGeomID geom2);

/* Orders of axes for a sweep: the first, the second, the third. */
#define dSAP_AXES(first, second, third) ((first) | ((second) << 2) | ((third) << 4))
#define dSAP_AXES_XYZ dSAP_AXES(0, 1, 2)
#define dSAP_AXES_XZY dSAP_AXES(0, 2, 1)
#define dSAP_AXES_YXZ dSAP_AXES(1, 0, 2)
#define dSAP_AXES_YZX dSAP_AXES(1, 2, 0)
#define dSAP_AXES_ZXY dSAP_AXES(2, 0, 1)
#define dSAP_AXES_ZYX dSAP_AXES(2, 1, 0)

/* functions: made from functions.tsv by `cargo xtask headers` */
/* A space that tests all pairs, inside another if it is not null. */
ODE_API dSpaceID dSimpleSpaceCreate(dSpaceID space);
/* A space that sorts geoms into grids of cells. */
ODE_API dSpaceID dHashSpaceCreate(dSpaceID space);
/* A space of blocks in blocks, four a level, about a centre, of half sizes [m]. */
ODE_API dSpaceID dQuadTreeSpaceCreate(dSpaceID space, const dReal *center, const dReal *half_sizes, int depth);
/* A space that sorts geoms along axes, in an order dSAP_AXES_.... */
ODE_API dSpaceID dSweepAndPruneSpaceCreate(dSpaceID space, int axis_order);
/* Destroys a space, with its geoms if it cleans up. */
ODE_API void dSpaceDestroy(dSpaceID space);
/* Sets the sizes of the cells, as powers of two [m]. */
ODE_API void dHashSpaceSetLevels(dSpaceID space, int minlevel, int maxlevel);
/* The sizes of the cells, as powers of two [m]. */
ODE_API void dHashSpaceGetLevels(dSpaceID space, int *minlevel, int *maxlevel);
/* Sets whether the space destroys its geoms with itself. */
ODE_API void dSpaceSetCleanup(dSpaceID space, int value);
/* Whether the space destroys its geoms with itself. */
ODE_API int dSpaceGetCleanup(dSpaceID space);
/* Sets the rank by which dSpaceCollide2 enters spaces. */
ODE_API void dSpaceSetSublevel(dSpaceID space, int sublevel);
/* The rank by which dSpaceCollide2 enters spaces. */
ODE_API int dSpaceGetSublevel(dSpaceID space);
/* Sets whether only the program cleans up after threads. */
ODE_API void dSpaceSetManualCleanup(dSpaceID space, int value);
/* Whether only the program cleans up after threads. */
ODE_API int dSpaceGetManualCleanup(dSpaceID space);
/* Adds a geom. */
ODE_API void dSpaceAdd(dSpaceID space, dGeomID geom);
/* Removes a geom. */
ODE_API void dSpaceRemove(dSpaceID space, dGeomID geom);
/* Whether a geom is in the space. */
ODE_API int dSpaceQuery(dSpaceID space, dGeomID geom);
/* Brings the space up to date with its geoms. */
ODE_API void dSpaceClean(dSpaceID space);
/* Number of geoms in the space. */
ODE_API int dSpaceGetNumGeoms(dSpaceID space);
/* Geom of the space by place. */
ODE_API dGeomID dSpaceGetGeom(dSpaceID space, int index);
/* Class of a space. */
ODE_API int dSpaceGetClass(dSpaceID space);
/* end of functions */

#ifdef __cplusplus
}
#endif

#endif
