/* Geoms and spaces as classes of C++: each owns its object and destroys it. */
#ifndef STICTION_ODE_ODECPP_COLLISION_H
#define STICTION_ODE_ODECPP_COLLISION_H

#include <ode/collision.h>

#ifdef __cplusplus

/* What all geoms have. */
class dGeom {
    dGeom(const dGeom &);
    void operator=(const dGeom &);

protected:
    dGeomID _id;
    dGeomID get_id() const { return _id; }
    void set_id(dGeomID value) { _id = value; }
    dGeom() : _id(0) {}

public:
    void destroy()
    {
        if (_id) dGeomDestroy(_id);
        _id = 0;
    }
    ~dGeom() { destroy(); }
    dGeomID id() const { return _id; }
    operator dGeomID() const { return _id; }

    int getClass() const { return dGeomGetClass(id()); }
    dSpaceID getSpace() const { return dGeomGetSpace(id()); }
    void setData(void *data) { dGeomSetData(id(), data); }
    void *getData() const { return dGeomGetData(id()); }
    void setBody(dBodyID body) { dGeomSetBody(id(), body); }
    dBodyID getBody() const { return dGeomGetBody(id()); }
    void setPosition(dReal x, dReal y, dReal z) { dGeomSetPosition(id(), x, y, z); }
    void setPosition(const dVector3 v) { setPosition(v[0], v[1], v[2]); }
    const dReal *getPosition() const { return dGeomGetPosition(id()); }
    void setRotation(const dReal *rotation) { dGeomSetRotation(id(), rotation); }
    const dReal *getRotation() const { return dGeomGetRotation(id()); }
    void setQuaternion(const dReal *q) { dGeomSetQuaternion(id(), q); }
    void getQuaternion(dVector3 result) const { dGeomGetQuaternion(id(), result); }
    void getAABB(dReal *aabb) const { dGeomGetAABB(id(), aabb); }
    int isSpace() const { return dGeomIsSpace(id()); }
    void setCategoryBits(unsigned long bits) { dGeomSetCategoryBits(id(), bits); }
    void setCollideBits(unsigned long bits) { dGeomSetCollideBits(id(), bits); }
    unsigned long getCategoryBits() const { return dGeomGetCategoryBits(id()); }
    unsigned long getCollideBits() const { return dGeomGetCollideBits(id()); }
    void enable() { dGeomEnable(id()); }
    void disable() { dGeomDisable(id()); }
    int isEnabled() const { return dGeomIsEnabled(id()); }
    void getRelPointPos(dReal x, dReal y, dReal z, dVector3 result) const
    {
        dGeomGetRelPointPos(id(), x, y, z, result);
    }
    void getRelPointPos(const dVector3 v, dVector3 result) const { getRelPointPos(v[0], v[1], v[2], result); }
    void getPosRelPoint(dReal x, dReal y, dReal z, dVector3 result) const
    {
        dGeomGetPosRelPoint(id(), x, y, z, result);
    }
    void getPosRelPoint(const dVector3 v, dVector3 result) const { getPosRelPoint(v[0], v[1], v[2], result); }
    void vectorToWorld(dReal x, dReal y, dReal z, dVector3 result) const
    {
        dGeomVectorToWorld(id(), x, y, z, result);
    }
    void vectorToWorld(const dVector3 v, dVector3 result) const { vectorToWorld(v[0], v[1], v[2], result); }
    void vectorFromWorld(dReal x, dReal y, dReal z, dVector3 result) const
    {
        dGeomVectorFromWorld(id(), x, y, z, result);
    }
    void vectorFromWorld(const dVector3 v, dVector3 result) const { vectorFromWorld(v[0], v[1], v[2], result); }
    void collide2(dGeomID geom, void *data, dNearCallback *callback) { dSpaceCollide2(id(), geom, data, callback); }
};

/* What all spaces have. */
class dSpace : public dGeom {
    dSpace(const dSpace &);
    void operator=(const dSpace &);

protected:
    dSpace() {}
    void set_space(dSpaceID space) { _id = (dGeomID)space; }

public:
    dSpaceID id() const { return (dSpaceID)_id; }
    operator dSpaceID() const { return id(); }

    void setCleanup(int value) { dSpaceSetCleanup(id(), value); }
    int getCleanup() const { return dSpaceGetCleanup(id()); }
    void setSublevel(int sublevel) { dSpaceSetSublevel(id(), sublevel); }
    int getSublevel() const { return dSpaceGetSublevel(id()); }
    void setManualCleanup(int value) { dSpaceSetManualCleanup(id(), value); }
    int getManualCleanup() const { return dSpaceGetManualCleanup(id()); }
    void add(dGeomID geom) { dSpaceAdd(id(), geom); }
    void remove(dGeomID geom) { dSpaceRemove(id(), geom); }
    int query(dGeomID geom) { return dSpaceQuery(id(), geom); }
    void clean() { dSpaceClean(id()); }
    int getNumGeoms() const { return dSpaceGetNumGeoms(id()); }
    dGeomID getGeom(int index) const { return dSpaceGetGeom(id(), index); }
    void collide(void *data, dNearCallback *callback) { dSpaceCollide(id(), data, callback); }
};

/* A space that tests all pairs. */
class dSimpleSpace : public dSpace {
    dSimpleSpace(const dSimpleSpace &);
    void operator=(const dSimpleSpace &);

public:
    dSimpleSpace() { set_space(dSimpleSpaceCreate(0)); }
    dSimpleSpace(dSpace &space) { set_space(dSimpleSpaceCreate(space.id())); }
    dSimpleSpace(dSpaceID space) { set_space(dSimpleSpaceCreate(space)); }
};

/* A space of grids of cells. */
class dHashSpace : public dSpace {
    dHashSpace(const dHashSpace &);
    void operator=(const dHashSpace &);

public:
    dHashSpace() { set_space(dHashSpaceCreate(0)); }
    dHashSpace(dSpace &space) { set_space(dHashSpaceCreate(space.id())); }
    dHashSpace(dSpaceID space) { set_space(dHashSpaceCreate(space)); }
    void setLevels(int minlevel, int maxlevel) { dHashSpaceSetLevels(id(), minlevel, maxlevel); }
    void getLevels(int *minlevel, int *maxlevel) const { dHashSpaceGetLevels(id(), minlevel, maxlevel); }
};

/* A space of blocks in blocks. */
class dQuadTreeSpace : public dSpace {
    dQuadTreeSpace(const dQuadTreeSpace &);
    void operator=(const dQuadTreeSpace &);

public:
    dQuadTreeSpace(const dVector3 center, const dVector3 half_sizes, int depth) { set_space(dQuadTreeSpaceCreate(0, center, half_sizes, depth)); }
    dQuadTreeSpace(dSpace &space, const dVector3 center, const dVector3 half_sizes, int depth) { set_space(dQuadTreeSpaceCreate(space.id(), center, half_sizes, depth)); }
    dQuadTreeSpace(dSpaceID space, const dVector3 center, const dVector3 half_sizes, int depth) { set_space(dQuadTreeSpaceCreate(space, center, half_sizes, depth)); }
};

/* A space that sorts along axes. */
class dSweepAndPruneSpace : public dSpace {
    dSweepAndPruneSpace(const dSweepAndPruneSpace &);
    void operator=(const dSweepAndPruneSpace &);

public:
    dSweepAndPruneSpace(int axis_order) { set_space(dSweepAndPruneSpaceCreate(0, axis_order)); }
    dSweepAndPruneSpace(dSpace &space, int axis_order) { set_space(dSweepAndPruneSpaceCreate(space.id(), axis_order)); }
    dSweepAndPruneSpace(dSpaceID space, int axis_order) { set_space(dSweepAndPruneSpaceCreate(space, axis_order)); }
};

/* A sphere. */
class dSphere : public dGeom {
    dSphere(const dSphere &);
    void operator=(const dSphere &);

public:
    dSphere() {}
    dSphere(dReal radius) { _id = dCreateSphere(0, radius); }
    dSphere(dSpace &space, dReal radius) { _id = dCreateSphere(space.id(), radius); }
    dSphere(dSpaceID space, dReal radius) { _id = dCreateSphere(space, radius); }
    void create(dSpaceID space, dReal radius)
    {
        destroy();
        _id = dCreateSphere(space, radius);
    }
    void setRadius(dReal radius) { dGeomSphereSetRadius(id(), radius); }
    dReal getRadius() const { return dGeomSphereGetRadius(id()); }
};

/* A box. */
class dBox : public dGeom {
    dBox(const dBox &);
    void operator=(const dBox &);

public:
    dBox() {}
    dBox(dReal lx, dReal ly, dReal lz) { _id = dCreateBox(0, lx, ly, lz); }
    dBox(dSpace &space, dReal lx, dReal ly, dReal lz) { _id = dCreateBox(space.id(), lx, ly, lz); }
    dBox(dSpaceID space, dReal lx, dReal ly, dReal lz) { _id = dCreateBox(space, lx, ly, lz); }
    void create(dSpaceID space, dReal lx, dReal ly, dReal lz)
    {
        destroy();
        _id = dCreateBox(space, lx, ly, lz);
    }
    void setLengths(dReal lx, dReal ly, dReal lz) { dGeomBoxSetLengths(id(), lx, ly, lz); }
    void getLengths(dVector3 result) const { dGeomBoxGetLengths(id(), result); }
};

/* A half-space. */
class dPlane : public dGeom {
    dPlane(const dPlane &);
    void operator=(const dPlane &);

public:
    dPlane() {}
    dPlane(dReal a, dReal b, dReal c, dReal d) { _id = dCreatePlane(0, a, b, c, d); }
    dPlane(dSpace &space, dReal a, dReal b, dReal c, dReal d) { _id = dCreatePlane(space.id(), a, b, c, d); }
    dPlane(dSpaceID space, dReal a, dReal b, dReal c, dReal d) { _id = dCreatePlane(space, a, b, c, d); }
    void create(dSpaceID space, dReal a, dReal b, dReal c, dReal d)
    {
        destroy();
        _id = dCreatePlane(space, a, b, c, d);
    }
    void setParams(dReal a, dReal b, dReal c, dReal d) { dGeomPlaneSetParams(id(), a, b, c, d); }
    void getParams(dVector4 result) const { dGeomPlaneGetParams(id(), result); }
};

/* A capsule along z. */
class dCapsule : public dGeom {
    dCapsule(const dCapsule &);
    void operator=(const dCapsule &);

public:
    dCapsule() {}
    dCapsule(dReal radius, dReal length) { _id = dCreateCapsule(0, radius, length); }
    dCapsule(dSpace &space, dReal radius, dReal length) { _id = dCreateCapsule(space.id(), radius, length); }
    dCapsule(dSpaceID space, dReal radius, dReal length) { _id = dCreateCapsule(space, radius, length); }
    void create(dSpaceID space, dReal radius, dReal length)
    {
        destroy();
        _id = dCreateCapsule(space, radius, length);
    }
    void setParams(dReal radius, dReal length) { dGeomCapsuleSetParams(id(), radius, length); }
    void getParams(dReal *radius, dReal *length) const { dGeomCapsuleGetParams(id(), radius, length); }
};

/* A cylinder along z. */
class dCylinder : public dGeom {
    dCylinder(const dCylinder &);
    void operator=(const dCylinder &);

public:
    dCylinder() {}
    dCylinder(dReal radius, dReal length) { _id = dCreateCylinder(0, radius, length); }
    dCylinder(dSpace &space, dReal radius, dReal length) { _id = dCreateCylinder(space.id(), radius, length); }
    dCylinder(dSpaceID space, dReal radius, dReal length) { _id = dCreateCylinder(space, radius, length); }
    void create(dSpaceID space, dReal radius, dReal length)
    {
        destroy();
        _id = dCreateCylinder(space, radius, length);
    }
    void setParams(dReal radius, dReal length) { dGeomCylinderSetParams(id(), radius, length); }
    void getParams(dReal *radius, dReal *length) const { dGeomCylinderGetParams(id(), radius, length); }
};

/* A ray. */
class dRay : public dGeom {
    dRay(const dRay &);
    void operator=(const dRay &);

public:
    dRay() {}
    dRay(dReal length) { _id = dCreateRay(0, length); }
    dRay(dSpace &space, dReal length) { _id = dCreateRay(space.id(), length); }
    dRay(dSpaceID space, dReal length) { _id = dCreateRay(space, length); }
    void create(dSpaceID space, dReal length)
    {
        destroy();
        _id = dCreateRay(space, length);
    }
    void setLength(dReal length) { dGeomRaySetLength(id(), length); }
    dReal getLength() const { return dGeomRayGetLength(id()); }
    void set(dReal px, dReal py, dReal pz, dReal dx, dReal dy, dReal dz)
    {
        dGeomRaySet(id(), px, py, pz, dx, dy, dz);
    }
    void get(dVector3 start, dVector3 direction) const { dGeomRayGet(id(), start, direction); }
    void setParams(int first_contact, int backface_cull) { dGeomRaySetParams(id(), first_contact, backface_cull); }
    void getParams(int *first_contact, int *backface_cull) const
    {
        dGeomRayGetParams(id(), first_contact, backface_cull);
    }
    void setBackfaceCull(int value) { dGeomRaySetBackfaceCull(id(), value); }
    int getBackfaceCull() const { return dGeomRayGetBackfaceCull(id()); }
    void setFirstContact(int value) { dGeomRaySetFirstContact(id(), value); }
    int getFirstContact() const { return dGeomRayGetFirstContact(id()); }
    void setClosestHit(int value) { dGeomRaySetClosestHit(id(), value); }
    int getClosestHit() const { return dGeomRayGetClosestHit(id()); }
};

/* A geom that places another. */
class dGeomTransform : public dGeom {
    dGeomTransform(const dGeomTransform &);
    void operator=(const dGeomTransform &);

public:
    dGeomTransform() {}
    dGeomTransform(dSpace &space) { _id = dCreateGeomTransform(space.id()); }
    dGeomTransform(dSpaceID space) { _id = dCreateGeomTransform(space); }
    void create(dSpaceID space = 0)
    {
        destroy();
        _id = dCreateGeomTransform(space);
    }
    void setGeom(dGeomID inner) { dGeomTransformSetGeom(id(), inner); }
    dGeomID getGeom() const { return dGeomTransformGetGeom(id()); }
    void setCleanup(int value) { dGeomTransformSetCleanup(id(), value); }
    int getCleanup() const { return dGeomTransformGetCleanup(id()); }
    void setInfo(int value) { dGeomTransformSetInfo(id(), value); }
    int getInfo() const { return dGeomTransformGetInfo(id()); }
};

#endif

#endif
