/*
 * How far normals of all pairs of geoms are from unit length: prints  PAIR CONTACTS WORST
 */
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>

enum { KINDS = 8, POSES = 400 };
static const char *const names[KINDS] = {"sphere", "box", "capsule", "cylinder", "plane", "ray", "mesh", "field"};
static float corners[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}};
static dTriIndex triangles[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                     {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
static dTriMeshDataID mesh_data;
static dHeightfieldDataID field_data;

static double between(double low, double high) { return low + (high - low) * dRandReal(); }
static dReal height(void *data, int x, int z)
{
    (void)data;
    return 0.1 * ((x * 7 + z * 3) % 5);
}

static dGeomID make(int kind)
{
    dGeomID geom;
    dMatrix3 rotation;
    switch (kind) {
        case 0: geom = dCreateSphere(0, 0.5); break;
        case 1: geom = dCreateBox(0, 1, 0.8, 0.6); break;
        case 2: geom = dCreateCapsule(0, 0.3, 0.8); break;
        case 3: geom = dCreateCylinder(0, 0.4, 1); break;
        case 4: return dCreatePlane(0, between(-1, 1), between(-1, 1), between(-1, 1), between(-0.5, 0.5));
        case 5:
            geom = dCreateRay(0, 3);
            dGeomRaySet(geom, between(-2, 2), between(-2, 2), between(-2, 2), between(-1, 1), between(-1, 1), between(-1, 1));
            dGeomRaySetClosestHit(geom, 1);
            return geom;
        case 6: geom = dCreateTriMesh(0, mesh_data, 0, 0, 0); break;
        default: geom = dCreateHeightfield(0, field_data, 1);
    }
    dGeomSetPosition(geom, between(-0.7, 0.7), between(-0.7, 0.7), between(-0.7, 0.7));
    dRFromAxisAndAngle(rotation, between(-1, 1), between(-1, 1), between(-1, 1), between(0, 6));
    if (kind != 7) dGeomSetRotation(geom, rotation);
    return geom;
}

int main(void)
{
    int a, b, i, k;
    dInitODE2(0);
    mesh_data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(mesh_data, corners, 12, 8, triangles, 36, 12);
    field_data = dGeomHeightfieldDataCreate();
    dGeomHeightfieldDataBuildCallback(field_data, 0, height, 4, 4, 9, 9, 1, 0, 1, 0);
    dGeomHeightfieldDataSetBounds(field_data, -1, 1);
    for (a = 0; a < KINDS; a++)
        for (b = 0; b < KINDS; b++) {
            int contacts = 0;
            double worst = 0;
            dRandSetSeed((unsigned long)(a * KINDS + b));
            for (i = 0; i < POSES; i++) {
                dContactGeom points[16];
                dGeomID first = make(a), second = make(b);
                int count = dCollide(first, second, 16, points, sizeof points[0]);
                for (k = 0; k < count; k++) {
                    const dReal *n = points[k].normal;
                    worst = fmax(worst, fabs(sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) - 1));
                }
                contacts += count;
                dGeomDestroy(first);
                dGeomDestroy(second);
            }
            if (contacts) printf("%s-%s %d %.3e\n", names[a], names[b], contacts, worst);
        }
    return 0;
}
