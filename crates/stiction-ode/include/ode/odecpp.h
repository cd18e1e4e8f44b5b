/* Worlds, bodies and joints as classes of C++: each owns its object and destroys it. */
#ifndef STICTION_ODE_ODECPP_H
#define STICTION_ODE_ODECPP_H

#include <ode/objects.h>

#ifdef __cplusplus

/* A world. */
class dWorld {
    dWorld(const dWorld &);
    void operator=(const dWorld &);

protected:
    dWorldID _id;
    dWorldID get_id() const { return _id; }
    void set_id(dWorldID value) { _id = value; }
    void destroy()
    {
        if (_id) dWorldDestroy(_id);
        _id = 0;
    }

public:
    dWorld() : _id(dWorldCreate()) {}
    virtual ~dWorld() { destroy(); }
    dWorldID id() const { return _id; }
    operator dWorldID() const { return _id; }

    void setData(void *data) { dWorldSetData(id(), data); }
    void *getData() const { return dWorldGetData(id()); }
    void setGravity(dReal x, dReal y, dReal z) { dWorldSetGravity(id(), x, y, z); }
    void setGravity(const dVector3 v) { setGravity(v[0], v[1], v[2]); }
    void getGravity(dVector3 result) const { dWorldGetGravity(id(), result); }
    void setERP(dReal value) { dWorldSetERP(id(), value); }
    dReal getERP() const { return dWorldGetERP(id()); }
    void setCFM(dReal value) { dWorldSetCFM(id(), value); }
    dReal getCFM() const { return dWorldGetCFM(id()); }
    void setStepIslandsProcessingMaxThreadCount(unsigned value)
    {
        dWorldSetStepIslandsProcessingMaxThreadCount(id(), value);
    }
    unsigned getStepIslandsProcessingMaxThreadCount() const
    {
        return dWorldGetStepIslandsProcessingMaxThreadCount(id());
    }
    void cleanupWorkingMemory() { dWorldCleanupWorkingMemory(id()); }
    int step(dReal step) { return dWorldStep(id(), step); }
    int quickStep(dReal step) { return dWorldQuickStep(id(), step); }
    void impulseToForce(dReal step, dReal x, dReal y, dReal z, dReal *force)
    {
        dWorldImpulseToForce(id(), step, x, y, z, force);
    }
    void setQuickStepNumIterations(int value) { dWorldSetQuickStepNumIterations(id(), value); }
    int getQuickStepNumIterations() const { return dWorldGetQuickStepNumIterations(id()); }
    void setQuickStepW(dReal value) { dWorldSetQuickStepW(id(), value); }
    dReal getQuickStepW() const { return dWorldGetQuickStepW(id()); }
    void setContactMaxCorrectingVel(dReal value) { dWorldSetContactMaxCorrectingVel(id(), value); }
    dReal getContactMaxCorrectingVel() const { return dWorldGetContactMaxCorrectingVel(id()); }
    void setContactSurfaceLayer(dReal value) { dWorldSetContactSurfaceLayer(id(), value); }
    dReal getContactSurfaceLayer() const { return dWorldGetContactSurfaceLayer(id()); }
    dReal getAutoDisableLinearThreshold() const { return dWorldGetAutoDisableLinearThreshold(id()); }
    void setAutoDisableLinearThreshold(dReal value) { dWorldSetAutoDisableLinearThreshold(id(), value); }
    dReal getAutoDisableAngularThreshold() const { return dWorldGetAutoDisableAngularThreshold(id()); }
    void setAutoDisableAngularThreshold(dReal value) { dWorldSetAutoDisableAngularThreshold(id(), value); }
    int getAutoDisableAverageSamplesCount() const { return dWorldGetAutoDisableAverageSamplesCount(id()); }
    void setAutoDisableAverageSamplesCount(unsigned value) { dWorldSetAutoDisableAverageSamplesCount(id(), value); }
    int getAutoDisableSteps() const { return dWorldGetAutoDisableSteps(id()); }
    void setAutoDisableSteps(int value) { dWorldSetAutoDisableSteps(id(), value); }
    dReal getAutoDisableTime() const { return dWorldGetAutoDisableTime(id()); }
    void setAutoDisableTime(dReal value) { dWorldSetAutoDisableTime(id(), value); }
    int getAutoDisableFlag() const { return dWorldGetAutoDisableFlag(id()); }
    void setAutoDisableFlag(int on) { dWorldSetAutoDisableFlag(id(), on); }
    dReal getLinearDampingThreshold() const { return dWorldGetLinearDampingThreshold(id()); }
    void setLinearDampingThreshold(dReal value) { dWorldSetLinearDampingThreshold(id(), value); }
    dReal getAngularDampingThreshold() const { return dWorldGetAngularDampingThreshold(id()); }
    void setAngularDampingThreshold(dReal value) { dWorldSetAngularDampingThreshold(id(), value); }
    dReal getLinearDamping() const { return dWorldGetLinearDamping(id()); }
    void setLinearDamping(dReal value) { dWorldSetLinearDamping(id(), value); }
    dReal getAngularDamping() const { return dWorldGetAngularDamping(id()); }
    void setAngularDamping(dReal value) { dWorldSetAngularDamping(id(), value); }
    void setDamping(dReal linear, dReal angular) { dWorldSetDamping(id(), linear, angular); }
    dReal getMaxAngularSpeed() const { return dWorldGetMaxAngularSpeed(id()); }
    void setMaxAngularSpeed(dReal value) { dWorldSetMaxAngularSpeed(id(), value); }
};

/* A body. */
class dBody {
    dBody(const dBody &);
    void operator=(const dBody &);

protected:
    dBodyID _id;
    dBodyID get_id() const { return _id; }
    void set_id(dBodyID value) { _id = value; }
    void destroy()
    {
        if (_id) dBodyDestroy(_id);
        _id = 0;
    }

public:
    dBody() : _id(0) {}
    dBody(dWorldID world) : _id(dBodyCreate(world)) {}
    dBody(dWorld &world) : _id(dBodyCreate(world.id())) {}
    void create(dWorldID world)
    {
        destroy();
        _id = dBodyCreate(world);
    }
    void create(dWorld &world) { create(world.id()); }
    virtual ~dBody() { destroy(); }
    dBodyID id() const { return _id; }
    operator dBodyID() const { return _id; }

    dReal getAutoDisableLinearThreshold() const { return dBodyGetAutoDisableLinearThreshold(id()); }
    void setAutoDisableLinearThreshold(dReal value) { dBodySetAutoDisableLinearThreshold(id(), value); }
    dReal getAutoDisableAngularThreshold() const { return dBodyGetAutoDisableAngularThreshold(id()); }
    void setAutoDisableAngularThreshold(dReal value) { dBodySetAutoDisableAngularThreshold(id(), value); }
    int getAutoDisableAverageSamplesCount() const { return dBodyGetAutoDisableAverageSamplesCount(id()); }
    void setAutoDisableAverageSamplesCount(unsigned value) { dBodySetAutoDisableAverageSamplesCount(id(), value); }
    int getAutoDisableSteps() const { return dBodyGetAutoDisableSteps(id()); }
    void setAutoDisableSteps(int value) { dBodySetAutoDisableSteps(id(), value); }
    dReal getAutoDisableTime() const { return dBodyGetAutoDisableTime(id()); }
    void setAutoDisableTime(dReal value) { dBodySetAutoDisableTime(id(), value); }
    bool getAutoDisableFlag() const { return dBodyGetAutoDisableFlag(id()) != 0; }
    void setAutoDisableFlag(bool on) { dBodySetAutoDisableFlag(id(), on); }
    void setAutoDisableDefaults() { dBodySetAutoDisableDefaults(id()); }
    dWorldID getWorld() const { return dBodyGetWorld(id()); }
    void setData(void *data) { dBodySetData(id(), data); }
    void *getData() const { return dBodyGetData(id()); }
    void setPosition(dReal x, dReal y, dReal z) { dBodySetPosition(id(), x, y, z); }
    void setPosition(const dVector3 v) { setPosition(v[0], v[1], v[2]); }
    void setRotation(const dReal *rotation) { dBodySetRotation(id(), rotation); }
    void setQuaternion(const dReal *q) { dBodySetQuaternion(id(), q); }
    void setLinearVel(dReal x, dReal y, dReal z) { dBodySetLinearVel(id(), x, y, z); }
    void setLinearVel(const dVector3 v) { setLinearVel(v[0], v[1], v[2]); }
    void setAngularVel(dReal x, dReal y, dReal z) { dBodySetAngularVel(id(), x, y, z); }
    void setAngularVel(const dVector3 v) { setAngularVel(v[0], v[1], v[2]); }
    const dReal *getPosition() const { return dBodyGetPosition(id()); }
    void copyPosition(dVector3 result) { dBodyCopyPosition(id(), result); }
    const dReal *getRotation() const { return dBodyGetRotation(id()); }
    void copyRotation(dVector3 result) { dBodyCopyRotation(id(), result); }
    const dReal *getQuaternion() const { return dBodyGetQuaternion(id()); }
    void copyQuaternion(dVector3 result) { dBodyCopyQuaternion(id(), result); }
    const dReal *getLinearVel() const { return dBodyGetLinearVel(id()); }
    const dReal *getAngularVel() const { return dBodyGetAngularVel(id()); }
    void addForce(dReal x, dReal y, dReal z) { dBodyAddForce(id(), x, y, z); }
    void addForce(const dVector3 v) { addForce(v[0], v[1], v[2]); }
    void addTorque(dReal x, dReal y, dReal z) { dBodyAddTorque(id(), x, y, z); }
    void addTorque(const dVector3 v) { addTorque(v[0], v[1], v[2]); }
    void addRelForce(dReal x, dReal y, dReal z) { dBodyAddRelForce(id(), x, y, z); }
    void addRelForce(const dVector3 v) { addRelForce(v[0], v[1], v[2]); }
    void addRelTorque(dReal x, dReal y, dReal z) { dBodyAddRelTorque(id(), x, y, z); }
    void addRelTorque(const dVector3 v) { addRelTorque(v[0], v[1], v[2]); }
    void addForceAtPos(dReal fx, dReal fy, dReal fz, dReal px, dReal py, dReal pz)
    {
        dBodyAddForceAtPos(id(), fx, fy, fz, px, py, pz);
    }
    void addForceAtPos(const dVector3 v, const dVector3 p) { addForceAtPos(v[0], v[1], v[2], p[0], p[1], p[2]); }
    void addForceAtRelPos(dReal fx, dReal fy, dReal fz, dReal px, dReal py, dReal pz)
    {
        dBodyAddForceAtRelPos(id(), fx, fy, fz, px, py, pz);
    }
    void addForceAtRelPos(const dVector3 v, const dVector3 p)
    {
        addForceAtRelPos(v[0], v[1], v[2], p[0], p[1], p[2]);
    }
    void addRelForceAtPos(dReal fx, dReal fy, dReal fz, dReal px, dReal py, dReal pz)
    {
        dBodyAddRelForceAtPos(id(), fx, fy, fz, px, py, pz);
    }
    void addRelForceAtPos(const dVector3 v, const dVector3 p)
    {
        addRelForceAtPos(v[0], v[1], v[2], p[0], p[1], p[2]);
    }
    void addRelForceAtRelPos(dReal fx, dReal fy, dReal fz, dReal px, dReal py, dReal pz)
    {
        dBodyAddRelForceAtRelPos(id(), fx, fy, fz, px, py, pz);
    }
    void addRelForceAtRelPos(const dVector3 v, const dVector3 p)
    {
        addRelForceAtRelPos(v[0], v[1], v[2], p[0], p[1], p[2]);
    }
    const dReal *getForce() const { return dBodyGetForce(id()); }
    const dReal *getTorque() const { return dBodyGetTorque(id()); }
    void setForce(dReal x, dReal y, dReal z) { dBodySetForce(id(), x, y, z); }
    void setForce(const dVector3 v) { setForce(v[0], v[1], v[2]); }
    void setTorque(dReal x, dReal y, dReal z) { dBodySetTorque(id(), x, y, z); }
    void setTorque(const dVector3 v) { setTorque(v[0], v[1], v[2]); }
    void getRelPointPos(dReal x, dReal y, dReal z, dVector3 result) const
    {
        dBodyGetRelPointPos(id(), x, y, z, result);
    }
    void getRelPointPos(const dVector3 v, dVector3 result) const { getRelPointPos(v[0], v[1], v[2], result); }
    void getRelPointVel(dReal x, dReal y, dReal z, dVector3 result) const
    {
        dBodyGetRelPointVel(id(), x, y, z, result);
    }
    void getRelPointVel(const dVector3 v, dVector3 result) const { getRelPointVel(v[0], v[1], v[2], result); }
    void getPointVel(dReal x, dReal y, dReal z, dVector3 result) const { dBodyGetPointVel(id(), x, y, z, result); }
    void getPointVel(const dVector3 v, dVector3 result) const { getPointVel(v[0], v[1], v[2], result); }
    void getPosRelPoint(dReal x, dReal y, dReal z, dVector3 result) const
    {
        dBodyGetPosRelPoint(id(), x, y, z, result);
    }
    void getPosRelPoint(const dVector3 v, dVector3 result) const { getPosRelPoint(v[0], v[1], v[2], result); }
    void vectorToWorld(dReal x, dReal y, dReal z, dVector3 result) const
    {
        dBodyVectorToWorld(id(), x, y, z, result);
    }
    void vectorToWorld(const dVector3 v, dVector3 result) const { vectorToWorld(v[0], v[1], v[2], result); }
    void vectorFromWorld(dReal x, dReal y, dReal z, dVector3 result) const
    {
        dBodyVectorFromWorld(id(), x, y, z, result);
    }
    void vectorFromWorld(const dVector3 v, dVector3 result) const { vectorFromWorld(v[0], v[1], v[2], result); }
    void setFiniteRotationMode(bool value) { dBodySetFiniteRotationMode(id(), value); }
    void setFiniteRotationAxis(dReal x, dReal y, dReal z) { dBodySetFiniteRotationAxis(id(), x, y, z); }
    void setFiniteRotationAxis(const dVector3 v) { setFiniteRotationAxis(v[0], v[1], v[2]); }
    bool getFiniteRotationMode() const { return dBodyGetFiniteRotationMode(id()) != 0; }
    void getFiniteRotationAxis(dVector3 result) const { dBodyGetFiniteRotationAxis(id(), result); }
    int getNumJoints() const { return dBodyGetNumJoints(id()); }
    dJointID getJoint(int index) const { return dBodyGetJoint(id(), index); }
    void setDynamic() { dBodySetDynamic(id()); }
    void setKinematic() { dBodySetKinematic(id()); }
    bool isKinematic() const { return dBodyIsKinematic(id()) != 0; }
    void enable() { dBodyEnable(id()); }
    void disable() { dBodyDisable(id()); }
    bool isEnabled() const { return dBodyIsEnabled(id()) != 0; }
    void setGravityMode(bool on) { dBodySetGravityMode(id(), on); }
    bool getGravityMode() const { return dBodyGetGravityMode(id()) != 0; }
    dGeomID getFirstGeom() const { return dBodyGetFirstGeom(id()); }
    void setDampingDefaults() { dBodySetDampingDefaults(id()); }
    dReal getLinearDamping() const { return dBodyGetLinearDamping(id()); }
    void setLinearDamping(dReal value) { dBodySetLinearDamping(id(), value); }
    dReal getAngularDamping() const { return dBodyGetAngularDamping(id()); }
    void setAngularDamping(dReal value) { dBodySetAngularDamping(id(), value); }
    void setDamping(dReal linear, dReal angular) { dBodySetDamping(id(), linear, angular); }
    dReal getLinearDampingThreshold() const { return dBodyGetLinearDampingThreshold(id()); }
    void setLinearDampingThreshold(dReal value) { dBodySetLinearDampingThreshold(id(), value); }
    dReal getAngularDampingThreshold() const { return dBodyGetAngularDampingThreshold(id()); }
    void setAngularDampingThreshold(dReal value) { dBodySetAngularDampingThreshold(id(), value); }
    dReal getMaxAngularSpeed() const { return dBodyGetMaxAngularSpeed(id()); }
    void setMaxAngularSpeed(dReal value) { dBodySetMaxAngularSpeed(id(), value); }
    bool getGyroscopicMode() const { return dBodyGetGyroscopicMode(id()) != 0; }
    void setGyroscopicMode(bool on) { dBodySetGyroscopicMode(id(), on); }
    void setMass(const dMass *mass) { dBodySetMass(id(), mass); }
    void setMass(const dMass &mass) { dBodySetMass(id(), &mass); }
    dMass getMass() const
    {
        dMass mass;
        dBodyGetMass(id(), &mass);
        return mass;
    }
    void setMovedCallback(void (*callback)(dBodyID)) { dBodySetMovedCallback(id(), callback); }
    bool isConnectedTo(dBodyID body) const { return dAreConnected(id(), body) != 0; }
};

/* A group of joints. */
class dJointGroup {
    dJointGroup(const dJointGroup &);
    void operator=(const dJointGroup &);

protected:
    dJointGroupID _id;
    dJointGroupID get_id() const { return _id; }
    void set_id(dJointGroupID value) { _id = value; }
    void destroy()
    {
        if (_id) dJointGroupDestroy(_id);
        _id = 0;
    }

public:
    dJointGroup() : _id(dJointGroupCreate(0)) {}
    void create()
    {
        destroy();
        _id = dJointGroupCreate(0);
    }
    virtual ~dJointGroup() { destroy(); }
    dJointGroupID id() const { return _id; }
    operator dJointGroupID() const { return _id; }

    void empty() { dJointGroupEmpty(id()); }
    void clear() { empty(); }
};

/* What all joints have. */
class dJoint {
    dJoint(const dJoint &);
    void operator=(const dJoint &);

protected:
    dJointID _id;
    dJointID get_id() const { return _id; }
    void set_id(dJointID value) { _id = value; }
    void destroy()
    {
        if (_id) dJointDestroy(_id);
        _id = 0;
    }

    dJoint() : _id(0) {}

public:
    virtual ~dJoint() { destroy(); }
    dJointID id() const { return _id; }
    operator dJointID() const { return _id; }

    int getNumBodies() const { return dJointGetNumBodies(id()); }
    void enable() { dJointEnable(id()); }
    void disable() { dJointDisable(id()); }
    bool isEnabled() const { return dJointIsEnabled(id()) != 0; }
    void setData(void *data) { dJointSetData(id(), data); }
    void *getData() const { return dJointGetData(id()); }
    dJointType getType() const { return dJointGetType(id()); }
    dBodyID getBody(int index) const { return dJointGetBody(id(), index); }
    void setFeedback(dJointFeedback *feedback) { dJointSetFeedback(id(), feedback); }
    dJointFeedback *getFeedback() const { return dJointGetFeedback(id()); }
    void attach(dBodyID body1, dBodyID body2) { dJointAttach(id(), body1, body2); }
    void attach(dBody &body1, dBody &body2) { attach(body1.id(), body2.id()); }
    virtual void setParam(int, dReal) {}
    virtual dReal getParam(int) const { return 0; }
};

/* A ball joint. */
class dBallJoint : public dJoint {
    dBallJoint(const dBallJoint &);
    void operator=(const dBallJoint &);

public:
    dBallJoint() {}
    dBallJoint(dWorldID world, dJointGroupID group = 0) { set_id(dJointCreateBall(world, group)); }
    dBallJoint(dWorld &world, dJointGroupID group = 0) { set_id(dJointCreateBall(world.id(), group)); }
    void create(dWorldID world, dJointGroupID group = 0)
    {
        destroy();
        set_id(dJointCreateBall(world, group));
    }
    void create(dWorld &world, dJointGroupID group = 0) { create(world.id(), group); }

    void setAnchor(dReal x, dReal y, dReal z) { dJointSetBallAnchor(id(), x, y, z); }
    void setAnchor(const dVector3 v) { setAnchor(v[0], v[1], v[2]); }
    void setAnchor2(dReal x, dReal y, dReal z) { dJointSetBallAnchor2(id(), x, y, z); }
    void setAnchor2(const dVector3 v) { setAnchor2(v[0], v[1], v[2]); }
    virtual void setParam(int parameter, dReal value) { dJointSetBallParam(id(), parameter, value); }
    void getAnchor(dVector3 result) const { dJointGetBallAnchor(id(), result); }
    void getAnchor2(dVector3 result) const { dJointGetBallAnchor2(id(), result); }
    virtual dReal getParam(int parameter) const { return dJointGetBallParam(id(), parameter); }
};

/* A hinge. */
class dHingeJoint : public dJoint {
    dHingeJoint(const dHingeJoint &);
    void operator=(const dHingeJoint &);

public:
    dHingeJoint() {}
    dHingeJoint(dWorldID world, dJointGroupID group = 0) { set_id(dJointCreateHinge(world, group)); }
    dHingeJoint(dWorld &world, dJointGroupID group = 0) { set_id(dJointCreateHinge(world.id(), group)); }
    void create(dWorldID world, dJointGroupID group = 0)
    {
        destroy();
        set_id(dJointCreateHinge(world, group));
    }
    void create(dWorld &world, dJointGroupID group = 0) { create(world.id(), group); }

    void setAnchor(dReal x, dReal y, dReal z) { dJointSetHingeAnchor(id(), x, y, z); }
    void setAnchor(const dVector3 v) { setAnchor(v[0], v[1], v[2]); }
    void setAnchorDelta(dReal x, dReal y, dReal z, dReal dx, dReal dy, dReal dz)
    {
        dJointSetHingeAnchorDelta(id(), x, y, z, dx, dy, dz);
    }
    void setAnchorDelta(const dVector3 v, const dVector3 p) { setAnchorDelta(v[0], v[1], v[2], p[0], p[1], p[2]); }
    void setAxis(dReal x, dReal y, dReal z) { dJointSetHingeAxis(id(), x, y, z); }
    void setAxis(const dVector3 v) { setAxis(v[0], v[1], v[2]); }
    void setAxisOffset(dReal x, dReal y, dReal z, dReal angle) { dJointSetHingeAxisOffset(id(), x, y, z, angle); }
    virtual void setParam(int parameter, dReal value) { dJointSetHingeParam(id(), parameter, value); }
    void addTorque(dReal torque) { dJointAddHingeTorque(id(), torque); }
    void getAnchor(dVector3 result) const { dJointGetHingeAnchor(id(), result); }
    void getAnchor2(dVector3 result) const { dJointGetHingeAnchor2(id(), result); }
    void getAxis(dVector3 result) const { dJointGetHingeAxis(id(), result); }
    virtual dReal getParam(int parameter) const { return dJointGetHingeParam(id(), parameter); }
    dReal getAngle() const { return dJointGetHingeAngle(id()); }
    dReal getAngleRate() const { return dJointGetHingeAngleRate(id()); }
};

/* A slider. */
class dSliderJoint : public dJoint {
    dSliderJoint(const dSliderJoint &);
    void operator=(const dSliderJoint &);

public:
    dSliderJoint() {}
    dSliderJoint(dWorldID world, dJointGroupID group = 0) { set_id(dJointCreateSlider(world, group)); }
    dSliderJoint(dWorld &world, dJointGroupID group = 0) { set_id(dJointCreateSlider(world.id(), group)); }
    void create(dWorldID world, dJointGroupID group = 0)
    {
        destroy();
        set_id(dJointCreateSlider(world, group));
    }
    void create(dWorld &world, dJointGroupID group = 0) { create(world.id(), group); }

    void setAxis(dReal x, dReal y, dReal z) { dJointSetSliderAxis(id(), x, y, z); }
    void setAxis(const dVector3 v) { setAxis(v[0], v[1], v[2]); }
    void setAxisDelta(dReal x, dReal y, dReal z, dReal dx, dReal dy, dReal dz)
    {
        dJointSetSliderAxisDelta(id(), x, y, z, dx, dy, dz);
    }
    void setAxisDelta(const dVector3 v, const dVector3 p) { setAxisDelta(v[0], v[1], v[2], p[0], p[1], p[2]); }
    virtual void setParam(int parameter, dReal value) { dJointSetSliderParam(id(), parameter, value); }
    void addForce(dReal force) { dJointAddSliderForce(id(), force); }
    dReal getPosition() const { return dJointGetSliderPosition(id()); }
    dReal getPositionRate() const { return dJointGetSliderPositionRate(id()); }
    void getAxis(dVector3 result) const { dJointGetSliderAxis(id(), result); }
    virtual dReal getParam(int parameter) const { return dJointGetSliderParam(id(), parameter); }
};

/* A universal joint. */
class dUniversalJoint : public dJoint {
    dUniversalJoint(const dUniversalJoint &);
    void operator=(const dUniversalJoint &);

public:
    dUniversalJoint() {}
    dUniversalJoint(dWorldID world, dJointGroupID group = 0) { set_id(dJointCreateUniversal(world, group)); }
    dUniversalJoint(dWorld &world, dJointGroupID group = 0) { set_id(dJointCreateUniversal(world.id(), group)); }
    void create(dWorldID world, dJointGroupID group = 0)
    {
        destroy();
        set_id(dJointCreateUniversal(world, group));
    }
    void create(dWorld &world, dJointGroupID group = 0) { create(world.id(), group); }

    void setAnchor(dReal x, dReal y, dReal z) { dJointSetUniversalAnchor(id(), x, y, z); }
    void setAnchor(const dVector3 v) { setAnchor(v[0], v[1], v[2]); }
    void setAxis1(dReal x, dReal y, dReal z) { dJointSetUniversalAxis1(id(), x, y, z); }
    void setAxis1(const dVector3 v) { setAxis1(v[0], v[1], v[2]); }
    void setAxis1Offset(dReal x, dReal y, dReal z, dReal angle1, dReal angle2)
    {
        dJointSetUniversalAxis1Offset(id(), x, y, z, angle1, angle2);
    }
    void setAxis2(dReal x, dReal y, dReal z) { dJointSetUniversalAxis2(id(), x, y, z); }
    void setAxis2(const dVector3 v) { setAxis2(v[0], v[1], v[2]); }
    void setAxis2Offset(dReal x, dReal y, dReal z, dReal angle1, dReal angle2)
    {
        dJointSetUniversalAxis2Offset(id(), x, y, z, angle1, angle2);
    }
    virtual void setParam(int parameter, dReal value) { dJointSetUniversalParam(id(), parameter, value); }
    void addTorques(dReal torque1, dReal torque2) { dJointAddUniversalTorques(id(), torque1, torque2); }
    void getAnchor(dVector3 result) const { dJointGetUniversalAnchor(id(), result); }
    void getAnchor2(dVector3 result) const { dJointGetUniversalAnchor2(id(), result); }
    void getAxis1(dVector3 result) const { dJointGetUniversalAxis1(id(), result); }
    void getAxis2(dVector3 result) const { dJointGetUniversalAxis2(id(), result); }
    virtual dReal getParam(int parameter) const { return dJointGetUniversalParam(id(), parameter); }
    void getAngles(dReal *angle1, dReal *angle2) const { dJointGetUniversalAngles(id(), angle1, angle2); }
    dReal getAngle1() const { return dJointGetUniversalAngle1(id()); }
    dReal getAngle2() const { return dJointGetUniversalAngle2(id()); }
    dReal getAngle1Rate() const { return dJointGetUniversalAngle1Rate(id()); }
    dReal getAngle2Rate() const { return dJointGetUniversalAngle2Rate(id()); }
};

/* A hinge-2 joint. */
class dHinge2Joint : public dJoint {
    dHinge2Joint(const dHinge2Joint &);
    void operator=(const dHinge2Joint &);

public:
    dHinge2Joint() {}
    dHinge2Joint(dWorldID world, dJointGroupID group = 0) { set_id(dJointCreateHinge2(world, group)); }
    dHinge2Joint(dWorld &world, dJointGroupID group = 0) { set_id(dJointCreateHinge2(world.id(), group)); }
    void create(dWorldID world, dJointGroupID group = 0)
    {
        destroy();
        set_id(dJointCreateHinge2(world, group));
    }
    void create(dWorld &world, dJointGroupID group = 0) { create(world.id(), group); }

    void setAnchor(dReal x, dReal y, dReal z) { dJointSetHinge2Anchor(id(), x, y, z); }
    void setAnchor(const dVector3 v) { setAnchor(v[0], v[1], v[2]); }
    void setAxes(const dReal *axis1, const dReal *axis2) { dJointSetHinge2Axes(id(), axis1, axis2); }
    void setAxis1(dReal x, dReal y, dReal z) { dJointSetHinge2Axis1(id(), x, y, z); }
    void setAxis1(const dVector3 v) { setAxis1(v[0], v[1], v[2]); }
    void setAxis2(dReal x, dReal y, dReal z) { dJointSetHinge2Axis2(id(), x, y, z); }
    void setAxis2(const dVector3 v) { setAxis2(v[0], v[1], v[2]); }
    virtual void setParam(int parameter, dReal value) { dJointSetHinge2Param(id(), parameter, value); }
    void addTorques(dReal torque1, dReal torque2) { dJointAddHinge2Torques(id(), torque1, torque2); }
    void getAnchor(dVector3 result) const { dJointGetHinge2Anchor(id(), result); }
    void getAnchor2(dVector3 result) const { dJointGetHinge2Anchor2(id(), result); }
    void getAxis1(dVector3 result) const { dJointGetHinge2Axis1(id(), result); }
    void getAxis2(dVector3 result) const { dJointGetHinge2Axis2(id(), result); }
    virtual dReal getParam(int parameter) const { return dJointGetHinge2Param(id(), parameter); }
    dReal getAngle1() const { return dJointGetHinge2Angle1(id()); }
    dReal getAngle2() const { return dJointGetHinge2Angle2(id()); }
    dReal getAngle1Rate() const { return dJointGetHinge2Angle1Rate(id()); }
    dReal getAngle2Rate() const { return dJointGetHinge2Angle2Rate(id()); }
};

/* A prismatic and rotoide joint. */
class dPRJoint : public dJoint {
    dPRJoint(const dPRJoint &);
    void operator=(const dPRJoint &);

public:
    dPRJoint() {}
    dPRJoint(dWorldID world, dJointGroupID group = 0) { set_id(dJointCreatePR(world, group)); }
    dPRJoint(dWorld &world, dJointGroupID group = 0) { set_id(dJointCreatePR(world.id(), group)); }
    void create(dWorldID world, dJointGroupID group = 0)
    {
        destroy();
        set_id(dJointCreatePR(world, group));
    }
    void create(dWorld &world, dJointGroupID group = 0) { create(world.id(), group); }

    void setAnchor(dReal x, dReal y, dReal z) { dJointSetPRAnchor(id(), x, y, z); }
    void setAnchor(const dVector3 v) { setAnchor(v[0], v[1], v[2]); }
    void setAxis1(dReal x, dReal y, dReal z) { dJointSetPRAxis1(id(), x, y, z); }
    void setAxis1(const dVector3 v) { setAxis1(v[0], v[1], v[2]); }
    void setAxis2(dReal x, dReal y, dReal z) { dJointSetPRAxis2(id(), x, y, z); }
    void setAxis2(const dVector3 v) { setAxis2(v[0], v[1], v[2]); }
    virtual void setParam(int parameter, dReal value) { dJointSetPRParam(id(), parameter, value); }
    void addTorque(dReal torque) { dJointAddPRTorque(id(), torque); }
    void getAnchor(dVector3 result) const { dJointGetPRAnchor(id(), result); }
    dReal getPosition() const { return dJointGetPRPosition(id()); }
    dReal getPositionRate() const { return dJointGetPRPositionRate(id()); }
    dReal getAngle() const { return dJointGetPRAngle(id()); }
    dReal getAngleRate() const { return dJointGetPRAngleRate(id()); }
    void getAxis1(dVector3 result) const { dJointGetPRAxis1(id(), result); }
    void getAxis2(dVector3 result) const { dJointGetPRAxis2(id(), result); }
    virtual dReal getParam(int parameter) const { return dJointGetPRParam(id(), parameter); }
};

/* A prismatic and universal joint. */
class dPUJoint : public dJoint {
    dPUJoint(const dPUJoint &);
    void operator=(const dPUJoint &);

public:
    dPUJoint() {}
    dPUJoint(dWorldID world, dJointGroupID group = 0) { set_id(dJointCreatePU(world, group)); }
    dPUJoint(dWorld &world, dJointGroupID group = 0) { set_id(dJointCreatePU(world.id(), group)); }
    void create(dWorldID world, dJointGroupID group = 0)
    {
        destroy();
        set_id(dJointCreatePU(world, group));
    }
    void create(dWorld &world, dJointGroupID group = 0) { create(world.id(), group); }

    void setAnchor(dReal x, dReal y, dReal z) { dJointSetPUAnchor(id(), x, y, z); }
    void setAnchor(const dVector3 v) { setAnchor(v[0], v[1], v[2]); }
    void setAnchorDelta(dReal x, dReal y, dReal z, dReal dx, dReal dy, dReal dz)
    {
        dJointSetPUAnchorDelta(id(), x, y, z, dx, dy, dz);
    }
    void setAnchorDelta(const dVector3 v, const dVector3 p) { setAnchorDelta(v[0], v[1], v[2], p[0], p[1], p[2]); }
    void setAnchorOffset(dReal x, dReal y, dReal z, dReal dx, dReal dy, dReal dz)
    {
        dJointSetPUAnchorOffset(id(), x, y, z, dx, dy, dz);
    }
    void setAnchorOffset(const dVector3 v, const dVector3 p) { setAnchorOffset(v[0], v[1], v[2], p[0], p[1], p[2]); }
    void setAxis1(dReal x, dReal y, dReal z) { dJointSetPUAxis1(id(), x, y, z); }
    void setAxis1(const dVector3 v) { setAxis1(v[0], v[1], v[2]); }
    void setAxis2(dReal x, dReal y, dReal z) { dJointSetPUAxis2(id(), x, y, z); }
    void setAxis2(const dVector3 v) { setAxis2(v[0], v[1], v[2]); }
    void setAxis3(dReal x, dReal y, dReal z) { dJointSetPUAxis3(id(), x, y, z); }
    void setAxis3(const dVector3 v) { setAxis3(v[0], v[1], v[2]); }
    void setAxisP(dReal x, dReal y, dReal z) { dJointSetPUAxisP(id(), x, y, z); }
    void setAxisP(const dVector3 v) { setAxisP(v[0], v[1], v[2]); }
    virtual void setParam(int parameter, dReal value) { dJointSetPUParam(id(), parameter, value); }
    void getAnchor(dVector3 result) const { dJointGetPUAnchor(id(), result); }
    dReal getPosition() const { return dJointGetPUPosition(id()); }
    dReal getPositionRate() const { return dJointGetPUPositionRate(id()); }
    void getAxis1(dVector3 result) const { dJointGetPUAxis1(id(), result); }
    void getAxis2(dVector3 result) const { dJointGetPUAxis2(id(), result); }
    void getAxis3(dVector3 result) const { dJointGetPUAxis3(id(), result); }
    void getAxisP(dVector3 result) const { dJointGetPUAxisP(id(), result); }
    void getAngles(dReal *angle1, dReal *angle2) const { dJointGetPUAngles(id(), angle1, angle2); }
    dReal getAngle1() const { return dJointGetPUAngle1(id()); }
    dReal getAngle1Rate() const { return dJointGetPUAngle1Rate(id()); }
    dReal getAngle2() const { return dJointGetPUAngle2(id()); }
    dReal getAngle2Rate() const { return dJointGetPUAngle2Rate(id()); }
    virtual dReal getParam(int parameter) const { return dJointGetPUParam(id(), parameter); }
    void addTorques(dReal torque1, dReal torque2) { dJointAddPUTorques(id(), torque1, torque2); }
};

/* A piston. */
class dPistonJoint : public dJoint {
    dPistonJoint(const dPistonJoint &);
    void operator=(const dPistonJoint &);

public:
    dPistonJoint() {}
    dPistonJoint(dWorldID world, dJointGroupID group = 0) { set_id(dJointCreatePiston(world, group)); }
    dPistonJoint(dWorld &world, dJointGroupID group = 0) { set_id(dJointCreatePiston(world.id(), group)); }
    void create(dWorldID world, dJointGroupID group = 0)
    {
        destroy();
        set_id(dJointCreatePiston(world, group));
    }
    void create(dWorld &world, dJointGroupID group = 0) { create(world.id(), group); }

    void setAnchor(dReal x, dReal y, dReal z) { dJointSetPistonAnchor(id(), x, y, z); }
    void setAnchor(const dVector3 v) { setAnchor(v[0], v[1], v[2]); }
    void setAnchorOffset(dReal x, dReal y, dReal z, dReal dx, dReal dy, dReal dz)
    {
        dJointSetPistonAnchorOffset(id(), x, y, z, dx, dy, dz);
    }
    void setAnchorOffset(const dVector3 v, const dVector3 p) { setAnchorOffset(v[0], v[1], v[2], p[0], p[1], p[2]); }
    void setAxis(dReal x, dReal y, dReal z) { dJointSetPistonAxis(id(), x, y, z); }
    void setAxis(const dVector3 v) { setAxis(v[0], v[1], v[2]); }
    void setAxisDelta(dReal x, dReal y, dReal z, dReal dx, dReal dy, dReal dz)
    {
        dJointSetPistonAxisDelta(id(), x, y, z, dx, dy, dz);
    }
    void setAxisDelta(const dVector3 v, const dVector3 p) { setAxisDelta(v[0], v[1], v[2], p[0], p[1], p[2]); }
    virtual void setParam(int parameter, dReal value) { dJointSetPistonParam(id(), parameter, value); }
    void addForce(dReal force) { dJointAddPistonForce(id(), force); }
    dReal getPosition() const { return dJointGetPistonPosition(id()); }
    dReal getPositionRate() const { return dJointGetPistonPositionRate(id()); }
    dReal getAngle() const { return dJointGetPistonAngle(id()); }
    dReal getAngleRate() const { return dJointGetPistonAngleRate(id()); }
    void getAnchor(dVector3 result) const { dJointGetPistonAnchor(id(), result); }
    void getAnchor2(dVector3 result) const { dJointGetPistonAnchor2(id(), result); }
    void getAxis(dVector3 result) const { dJointGetPistonAxis(id(), result); }
    virtual dReal getParam(int parameter) const { return dJointGetPistonParam(id(), parameter); }
};

/* A fixed joint. */
class dFixedJoint : public dJoint {
    dFixedJoint(const dFixedJoint &);
    void operator=(const dFixedJoint &);

public:
    dFixedJoint() {}
    dFixedJoint(dWorldID world, dJointGroupID group = 0) { set_id(dJointCreateFixed(world, group)); }
    dFixedJoint(dWorld &world, dJointGroupID group = 0) { set_id(dJointCreateFixed(world.id(), group)); }
    void create(dWorldID world, dJointGroupID group = 0)
    {
        destroy();
        set_id(dJointCreateFixed(world, group));
    }
    void create(dWorld &world, dJointGroupID group = 0) { create(world.id(), group); }

    void set() { dJointSetFixed(id()); }
    virtual void setParam(int parameter, dReal value) { dJointSetFixedParam(id(), parameter, value); }
    virtual dReal getParam(int parameter) const { return dJointGetFixedParam(id(), parameter); }
};

/* A contact joint. */
class dContactJoint : public dJoint {
    dContactJoint(const dContactJoint &);
    void operator=(const dContactJoint &);

public:
    dContactJoint() {}
    dContactJoint(dWorldID world, dJointGroupID group, const dContact *contact) { set_id(dJointCreateContact(world, group, contact)); }
    dContactJoint(dWorld &world, dJointGroupID group, const dContact *contact) { set_id(dJointCreateContact(world.id(), group, contact)); }
    void create(dWorldID world, dJointGroupID group, const dContact *contact)
    {
        destroy();
        set_id(dJointCreateContact(world, group, contact));
    }
    void create(dWorld &world, dJointGroupID group, const dContact *contact) { create(world.id(), group, contact); }
};

/* A joint without rows. */
class dNullJoint : public dJoint {
    dNullJoint(const dNullJoint &);
    void operator=(const dNullJoint &);

public:
    dNullJoint() {}
    dNullJoint(dWorldID world, dJointGroupID group = 0) { set_id(dJointCreateNull(world, group)); }
    dNullJoint(dWorld &world, dJointGroupID group = 0) { set_id(dJointCreateNull(world.id(), group)); }
    void create(dWorldID world, dJointGroupID group = 0)
    {
        destroy();
        set_id(dJointCreateNull(world, group));
    }
    void create(dWorld &world, dJointGroupID group = 0) { create(world.id(), group); }
};

/* An angular motor. */
class dAMotorJoint : public dJoint {
    dAMotorJoint(const dAMotorJoint &);
    void operator=(const dAMotorJoint &);

public:
    dAMotorJoint() {}
    dAMotorJoint(dWorldID world, dJointGroupID group = 0) { set_id(dJointCreateAMotor(world, group)); }
    dAMotorJoint(dWorld &world, dJointGroupID group = 0) { set_id(dJointCreateAMotor(world.id(), group)); }
    void create(dWorldID world, dJointGroupID group = 0)
    {
        destroy();
        set_id(dJointCreateAMotor(world, group));
    }
    void create(dWorld &world, dJointGroupID group = 0) { create(world.id(), group); }

    void setNumAxes(int value) { dJointSetAMotorNumAxes(id(), value); }
    void setAxis(int axis, int body, dReal x, dReal y, dReal z) { dJointSetAMotorAxis(id(), axis, body, x, y, z); }
    void setAxis(int axis, int body, const dVector3 v) { setAxis(axis, body, v[0], v[1], v[2]); }
    void setAngle(int axis, dReal angle) { dJointSetAMotorAngle(id(), axis, angle); }
    virtual void setParam(int parameter, dReal value) { dJointSetAMotorParam(id(), parameter, value); }
    void setMode(int value) { dJointSetAMotorMode(id(), value); }
    void addTorques(dReal torque1, dReal torque2, dReal torque3)
    {
        dJointAddAMotorTorques(id(), torque1, torque2, torque3);
    }
    int getNumAxes() const { return dJointGetAMotorNumAxes(id()); }
    void getAxis(int axis, dVector3 result) const { dJointGetAMotorAxis(id(), axis, result); }
    int getAxisRel(int axis) const { return dJointGetAMotorAxisRel(id(), axis); }
    dReal getAngle(int axis) const { return dJointGetAMotorAngle(id(), axis); }
    dReal getAngleRate(int axis) const { return dJointGetAMotorAngleRate(id(), axis); }
    virtual dReal getParam(int parameter) const { return dJointGetAMotorParam(id(), parameter); }
    int getMode() const { return dJointGetAMotorMode(id()); }
};

/* A linear motor. */
class dLMotorJoint : public dJoint {
    dLMotorJoint(const dLMotorJoint &);
    void operator=(const dLMotorJoint &);

public:
    dLMotorJoint() {}
    dLMotorJoint(dWorldID world, dJointGroupID group = 0) { set_id(dJointCreateLMotor(world, group)); }
    dLMotorJoint(dWorld &world, dJointGroupID group = 0) { set_id(dJointCreateLMotor(world.id(), group)); }
    void create(dWorldID world, dJointGroupID group = 0)
    {
        destroy();
        set_id(dJointCreateLMotor(world, group));
    }
    void create(dWorld &world, dJointGroupID group = 0) { create(world.id(), group); }

    void setNumAxes(int value) { dJointSetLMotorNumAxes(id(), value); }
    void setAxis(int axis, int body, dReal x, dReal y, dReal z) { dJointSetLMotorAxis(id(), axis, body, x, y, z); }
    void setAxis(int axis, int body, const dVector3 v) { setAxis(axis, body, v[0], v[1], v[2]); }
    virtual void setParam(int parameter, dReal value) { dJointSetLMotorParam(id(), parameter, value); }
    int getNumAxes() const { return dJointGetLMotorNumAxes(id()); }
    void getAxis(int axis, dVector3 result) const { dJointGetLMotorAxis(id(), axis, result); }
    virtual dReal getParam(int parameter) const { return dJointGetLMotorParam(id(), parameter); }
};

/* A joint to the plane z = 0. */
class dPlane2DJoint : public dJoint {
    dPlane2DJoint(const dPlane2DJoint &);
    void operator=(const dPlane2DJoint &);

public:
    dPlane2DJoint() {}
    dPlane2DJoint(dWorldID world, dJointGroupID group = 0) { set_id(dJointCreatePlane2D(world, group)); }
    dPlane2DJoint(dWorld &world, dJointGroupID group = 0) { set_id(dJointCreatePlane2D(world.id(), group)); }
    void create(dWorldID world, dJointGroupID group = 0)
    {
        destroy();
        set_id(dJointCreatePlane2D(world, group));
    }
    void create(dWorld &world, dJointGroupID group = 0) { create(world.id(), group); }

    void setXParam(int parameter, dReal value) { dJointSetPlane2DXParam(id(), parameter, value); }
    void setYParam(int parameter, dReal value) { dJointSetPlane2DYParam(id(), parameter, value); }
    void setAngleParam(int parameter, dReal value) { dJointSetPlane2DAngleParam(id(), parameter, value); }
};

/* A double ball joint. */
class dDBallJoint : public dJoint {
    dDBallJoint(const dDBallJoint &);
    void operator=(const dDBallJoint &);

public:
    dDBallJoint() {}
    dDBallJoint(dWorldID world, dJointGroupID group = 0) { set_id(dJointCreateDBall(world, group)); }
    dDBallJoint(dWorld &world, dJointGroupID group = 0) { set_id(dJointCreateDBall(world.id(), group)); }
    void create(dWorldID world, dJointGroupID group = 0)
    {
        destroy();
        set_id(dJointCreateDBall(world, group));
    }
    void create(dWorld &world, dJointGroupID group = 0) { create(world.id(), group); }

    void setAnchor1(dReal x, dReal y, dReal z) { dJointSetDBallAnchor1(id(), x, y, z); }
    void setAnchor1(const dVector3 v) { setAnchor1(v[0], v[1], v[2]); }
    void setAnchor2(dReal x, dReal y, dReal z) { dJointSetDBallAnchor2(id(), x, y, z); }
    void setAnchor2(const dVector3 v) { setAnchor2(v[0], v[1], v[2]); }
    void getAnchor1(dVector3 result) const { dJointGetDBallAnchor1(id(), result); }
    void getAnchor2(dVector3 result) const { dJointGetDBallAnchor2(id(), result); }
    dReal getDistance() const { return dJointGetDBallDistance(id()); }
    void setDistance(dReal value) { dJointSetDBallDistance(id(), value); }
    virtual void setParam(int parameter, dReal value) { dJointSetDBallParam(id(), parameter, value); }
    virtual dReal getParam(int parameter) const { return dJointGetDBallParam(id(), parameter); }
};

/* A double hinge. */
class dDHingeJoint : public dJoint {
    dDHingeJoint(const dDHingeJoint &);
    void operator=(const dDHingeJoint &);

public:
    dDHingeJoint() {}
    dDHingeJoint(dWorldID world, dJointGroupID group = 0) { set_id(dJointCreateDHinge(world, group)); }
    dDHingeJoint(dWorld &world, dJointGroupID group = 0) { set_id(dJointCreateDHinge(world.id(), group)); }
    void create(dWorldID world, dJointGroupID group = 0)
    {
        destroy();
        set_id(dJointCreateDHinge(world, group));
    }
    void create(dWorld &world, dJointGroupID group = 0) { create(world.id(), group); }

    void setAxis(dReal x, dReal y, dReal z) { dJointSetDHingeAxis(id(), x, y, z); }
    void setAxis(const dVector3 v) { setAxis(v[0], v[1], v[2]); }
    void getAxis(dVector3 result) const { dJointGetDHingeAxis(id(), result); }
    void setAnchor1(dReal x, dReal y, dReal z) { dJointSetDHingeAnchor1(id(), x, y, z); }
    void setAnchor1(const dVector3 v) { setAnchor1(v[0], v[1], v[2]); }
    void setAnchor2(dReal x, dReal y, dReal z) { dJointSetDHingeAnchor2(id(), x, y, z); }
    void setAnchor2(const dVector3 v) { setAnchor2(v[0], v[1], v[2]); }
    void getAnchor1(dVector3 result) const { dJointGetDHingeAnchor1(id(), result); }
    void getAnchor2(dVector3 result) const { dJointGetDHingeAnchor2(id(), result); }
    dReal getDistance() const { return dJointGetDHingeDistance(id()); }
    virtual void setParam(int parameter, dReal value) { dJointSetDHingeParam(id(), parameter, value); }
    virtual dReal getParam(int parameter) const { return dJointGetDHingeParam(id(), parameter); }
};

/* A transmission. */
class dTransmissionJoint : public dJoint {
    dTransmissionJoint(const dTransmissionJoint &);
    void operator=(const dTransmissionJoint &);

public:
    dTransmissionJoint() {}
    dTransmissionJoint(dWorldID world, dJointGroupID group = 0) { set_id(dJointCreateTransmission(world, group)); }
    dTransmissionJoint(dWorld &world, dJointGroupID group = 0) { set_id(dJointCreateTransmission(world.id(), group)); }
    void create(dWorldID world, dJointGroupID group = 0)
    {
        destroy();
        set_id(dJointCreateTransmission(world, group));
    }
    void create(dWorld &world, dJointGroupID group = 0) { create(world.id(), group); }

    void getContactPoint1(dVector3 result) const { dJointGetTransmissionContactPoint1(id(), result); }
    void getContactPoint2(dVector3 result) const { dJointGetTransmissionContactPoint2(id(), result); }
    void setAxis1(dReal x, dReal y, dReal z) { dJointSetTransmissionAxis1(id(), x, y, z); }
    void setAxis1(const dVector3 v) { setAxis1(v[0], v[1], v[2]); }
    void getAxis1(dVector3 result) const { dJointGetTransmissionAxis1(id(), result); }
    void setAxis2(dReal x, dReal y, dReal z) { dJointSetTransmissionAxis2(id(), x, y, z); }
    void setAxis2(const dVector3 v) { setAxis2(v[0], v[1], v[2]); }
    void getAxis2(dVector3 result) const { dJointGetTransmissionAxis2(id(), result); }
    void setAnchor1(dReal x, dReal y, dReal z) { dJointSetTransmissionAnchor1(id(), x, y, z); }
    void setAnchor1(const dVector3 v) { setAnchor1(v[0], v[1], v[2]); }
    void getAnchor1(dVector3 result) const { dJointGetTransmissionAnchor1(id(), result); }
    void setAnchor2(dReal x, dReal y, dReal z) { dJointSetTransmissionAnchor2(id(), x, y, z); }
    void setAnchor2(const dVector3 v) { setAnchor2(v[0], v[1], v[2]); }
    void getAnchor2(dVector3 result) const { dJointGetTransmissionAnchor2(id(), result); }
    virtual void setParam(int parameter, dReal value) { dJointSetTransmissionParam(id(), parameter, value); }
    virtual dReal getParam(int parameter) const { return dJointGetTransmissionParam(id(), parameter); }
    void setMode(int value) { dJointSetTransmissionMode(id(), value); }
    int getMode() const { return dJointGetTransmissionMode(id()); }
    void setRatio(dReal value) { dJointSetTransmissionRatio(id(), value); }
    dReal getRatio() const { return dJointGetTransmissionRatio(id()); }
    void setAxis(dReal x, dReal y, dReal z) { dJointSetTransmissionAxis(id(), x, y, z); }
    void setAxis(const dVector3 v) { setAxis(v[0], v[1], v[2]); }
    void getAxis(dVector3 result) const { dJointGetTransmissionAxis(id(), result); }
    dReal getAngle1() const { return dJointGetTransmissionAngle1(id()); }
    dReal getAngle2() const { return dJointGetTransmissionAngle2(id()); }
    dReal getRadius1() const { return dJointGetTransmissionRadius1(id()); }
    dReal getRadius2() const { return dJointGetTransmissionRadius2(id()); }
    void setRadius1(dReal value) { dJointSetTransmissionRadius1(id(), value); }
    void setRadius2(dReal value) { dJointSetTransmissionRadius2(id(), value); }
    dReal getBacklash() const { return dJointGetTransmissionBacklash(id()); }
    void setBacklash(dReal value) { dJointSetTransmissionBacklash(id(), value); }
};

#endif

#endif
