/*
 * Which functions of a mesh are called with which other geoms, and what their answers do; corners of a mesh under a plane.
 *
 *   mesh_callbacks calls|plane|coherent
 */
#include <ode/ode.h>
#include <stdio.h>
#include <string.h>

static float ground_corners[4][3] = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
static dTriIndex ground_triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
static float roof_corners[5][3] = {{-.5f, -.5f, 0}, {.5f, -.5f, 0}, {.5f, .5f, 0}, {-.5f, .5f, 0}, {0, 0, 1}};
static dTriIndex roof_triangles[6][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};

static int triangles, arrays, rays, merges, answer, seen[2];
static dGeomID expected_mesh, expected_other;

static void check(dGeomID mesh, dGeomID other)
{
    if (mesh != expected_mesh || other != expected_other) printf("other geoms\n");
}
static int on_triangle(dGeomID mesh, dGeomID other, int index)
{
    check(mesh, other);
    triangles++;
    seen[index] = 1;
    return answer;
}
static void on_triangles(dGeomID mesh, dGeomID other, const int *indices, int count)
{
    int i;
    check(mesh, other);
    for (i = 0; i < count; i++) seen[indices[i]] = 1;
    arrays++;
}
static int on_ray(dGeomID mesh, dGeomID other, int index, dReal u, dReal v)
{
    check(mesh, other);
    if (index != 0) printf("triangle %d\n", index);
    if (u < 0 || v < 0 || u + v > 1) printf("outside of the triangle\n");
    rays++;
    return answer;
}
static int on_merge(dGeomID mesh, int first, int second)
{
    (void)mesh;
    (void)first;
    (void)second;
    merges++;
    return 77;
}

static dTriMeshDataID data_of(const void *corners, int corner_count, const void *indices, int index_count)
{
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(data, corners, 12, corner_count, indices, index_count, 12);
    return data;
}

static dGeomID other_of(int kind, dTriMeshDataID roof)
{
    dGeomID geom;
    switch (kind) {
        case 0: geom = dCreateSphere(0, 0.5); break;
        case 1: geom = dCreateBox(0, 1, 1, 1); break;
        case 2: geom = dCreateCapsule(0, 0.5, 1); break;
        case 3: geom = dCreateCylinder(0, 0.5, 1); break;
        case 4: return dCreatePlane(0, 0, 0, 1, 0.1);
        case 5:
            geom = dCreateRay(0, 3);
            dGeomRaySet(geom, 0.3, 0.2, 1, 0, 0, -1);
            return geom;
        default:
            geom = dCreateTriMesh(0, roof, 0, 0, 0);
            dGeomTriMeshSetTriMergeCallback(geom, on_merge);
    }
    dGeomSetPosition(geom, 0.1, 0.2, kind == 6 ? -0.1 : kind == 2 ? 0.9 : 0.45);
    return geom;
}

static const char *const names[] = {"sphere", "box", "capsule", "cylinder", "plane", "ray", "mesh"};

static void calls(void)
{
    dTriMeshDataID ground = data_of(ground_corners, 4, ground_triangles, 6), roof = data_of(roof_corners, 5, roof_triangles, 18);
    int kind, order;
    for (kind = 0; kind < 7; kind++)
        for (order = 0; order < 2; order++)
            for (answer = 1; answer >= 0; answer--) {
                dContactGeom points[16];
                dGeomID mesh = dCreateTriMesh(0, ground, on_triangle, on_triangles, on_ray), other = other_of(kind, roof);
                int count, i, merged = 0;
                dGeomTriMeshSetTriMergeCallback(mesh, on_merge);
                triangles = arrays = rays = merges = seen[0] = seen[1] = 0;
                expected_mesh = mesh;
                expected_other = other;
                count = order ? dCollide(other, mesh, 16, points, sizeof points[0])
                              : dCollide(mesh, other, 16, points, sizeof points[0]);
                for (i = 0; i < count; i++) merged += points[i].side1 == 77 && points[i].side2 == 77;
                printf("%s %d answer %d: triangle %d array %d ray %d merge %d seen %d%d contacts %d merged %d\n", names[kind],
                       order, answer, triangles > 0, arrays, rays, merges > 0, seen[0], seen[1], count > 0,
                       count > 0 && merged == count);
            }
}

static void below(dGeomID a, dGeomID b, int most)
{
    dContactGeom points[16];
    int count = dCollide(a, b, most, points, sizeof points[0]), i;
    for (i = 0; i < count; i++)
        printf("%.17g %.17g %.17g  %.17g %.17g %.17g  %.17g  %d %d %d\n", points[i].pos[0], points[i].pos[1], points[i].pos[2],
               points[i].normal[0], points[i].normal[1], points[i].normal[2], points[i].depth, points[i].side1, points[i].side2,
               points[i].g1 == a && points[i].g2 == b);
}

static void plane(void)
{
    dTriMeshDataID data = data_of(roof_corners, 5, roof_triangles, 18);
    int i;
    dRandSetSeed(1);
    for (i = 0; i < 300; i++) {
        dGeomID mesh = dCreateTriMesh(0, data, 0, 0, 0);
        dGeomID floor = dCreatePlane(0, dRandReal() - 0.5, dRandReal() - 0.5, dRandReal() - 0.5, dRandReal() - 0.5);
        dMatrix3 rotation;
        dRFromAxisAndAngle(rotation, dRandReal(), dRandReal(), dRandReal() + 0.1, 6 * dRandReal());
        dGeomSetRotation(mesh, rotation);
        dGeomSetPosition(mesh, dRandReal() - 0.5, dRandReal() - 0.5, dRandReal() - 0.5);
        printf("%d\n", i);
        if (i % 2) below(mesh, floor, 1 + i % 7);
        else below(floor, mesh, 16);
        dGeomDestroy(mesh);
        dGeomDestroy(floor);
    }
    /* Corners that just touch. */
    below(dCreateTriMesh(0, data, 0, 0, 0), dCreatePlane(0, 0, 0, 1, 0), 16);
}

/* Temporal coherence makes results no others, whatever is moved meanwhile. */
static void coherent(void)
{
    dTriMeshDataID data = data_of(ground_corners, 4, ground_triangles, 6);
    dGeomID with = dCreateTriMesh(0, data, 0, 0, 0), without = dCreateTriMesh(0, data, 0, 0, 0);
    const int classes[] = {dSphereClass, dBoxClass, dCapsuleClass};
    int kind, i, k, differences = 0, contacts = 0;
    for (kind = 0; kind < 3; kind++) {
        dGeomID geom = other_of(kind, 0);
        dGeomTriMeshEnableTC(with, classes[kind], 1);
        for (i = 0; i < 100; i++) {
            dContactGeom a[16], b[16];
            int first, second;
            dGeomSetPosition(geom, 0.05 * i - 2.5, 0.3, kind == 2 ? 0.9 : 0.45);
            first = dCollide(geom, with, 16, a, sizeof a[0]);
            second = dCollide(geom, without, 16, b, sizeof b[0]);
            contacts += first;
            differences += first != second;
            for (k = 0; k < first && k < second; k++)
                differences += a[k].depth != b[k].depth || a[k].pos[0] != b[k].pos[0] || a[k].side2 != b[k].side2;
        }
        if (!dGeomTriMeshIsTCEnabled(with, classes[kind])) differences++;
        dGeomTriMeshClearTCCache(with);
    }
    printf("%d differences, %d\n", differences, contacts > 200);
}

int main(int count, char **arguments)
{
    dInitODE2(0);
    if (count != 2) return 2;
    if (!strcmp(arguments[1], "calls")) calls();
    else if (!strcmp(arguments[1], "plane")) plane();
    else coherent();
    return 0;
}
