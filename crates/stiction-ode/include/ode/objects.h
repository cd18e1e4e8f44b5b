/* Worlds, bodies and joints. */
#ifndef STICTION_ODE_OBJECTS_H
#define STICTION_ODE_OBJECTS_H

#include <ode/common.h>
#include <ode/mass.h>
#include <ode/contact.h>
#include <ode/threading.h>

#ifdef __cplusplus
extern "C" {
#endif

#define dWORLDSTEP_THREADCOUNT_UNLIMITED dTHREADING_THREAD_COUNT_UNLIMITED
#define dWORLDSTEP_RESERVEFACTOR_DEFAULT 1.2f
#define dWORLDSTEP_RESERVESIZE_DEFAULT 65536U

/* How much larger than needed a working block is, and its least size [bytes]. */
typedef struct {
    unsigned struct_size; /* size of this structure */
    float reserve_factor;
    unsigned reserve_minimum;
} dWorldStepReserveInfo;

/* Functions that give working blocks [bytes]. */
typedef struct {
    unsigned struct_size; /* size of this structure */
    void *(*alloc_block)(dsizeint size);
    void *(*shrink_block)(void *block, dsizeint size, dsizeint smaller_size);
    void (*free_block)(void *block, dsizeint size);
} dWorldStepMemoryFunctionsInfo;

/* functions: made from functions.tsv by `cargo xtask headers` */
/* A new world, without bodies. */
ODE_API dWorldID dWorldCreate(void);
/* Destroys a world with its bodies, and its joints that are in no group. */
ODE_API void dWorldDestroy(dWorldID world);
/* Sets the pointer that the program keeps with the world. */
ODE_API void dWorldSetData(dWorldID world, void *data);
/* The pointer that the program keeps with the world. */
ODE_API void *dWorldGetData(dWorldID world);
/* Sets the acceleration of gravity [m/s^2], world frame. */
ODE_API void dWorldSetGravity(dWorldID world, dReal x, dReal y, dReal z);
/* The acceleration of gravity [m/s^2], world frame. */
ODE_API void dWorldGetGravity(dWorldID world, dReal *result);
/* Sets the error reduction parameter of joints: share of a position error that a step corrects, 0 to 1. */
ODE_API void dWorldSetERP(dWorldID world, dReal value);
/* The error reduction parameter of joints: share of a position error that a step corrects, 0 to 1. */
ODE_API dReal dWorldGetERP(dWorldID world);
/* Sets the constraint force mixing of joints: velocity per force that a row gives way [1/(kg/s)]. */
ODE_API void dWorldSetCFM(dWorldID world, dReal value);
/* The constraint force mixing of joints: velocity per force that a row gives way [1/(kg/s)]. */
ODE_API dReal dWorldGetCFM(dWorldID world);
/* Sets the most threads that a step may use; 0 for as many as there are. */
ODE_API void dWorldSetStepIslandsProcessingMaxThreadCount(dWorldID world, unsigned value);
/* The most threads that a step may use; 0 for as many as there are. */
ODE_API unsigned dWorldGetStepIslandsProcessingMaxThreadCount(dWorldID world);
/* The world shares working memory with another; before it has its own. 1 on success. */
ODE_API int dWorldUseSharedWorkingMemory(dWorldID world, dWorldID from);
/* Gives the working memory of steps back. */
ODE_API void dWorldCleanupWorkingMemory(dWorldID world);
/* Sets by how much a new working block is larger than needed; null for the default. 1 on success. */
ODE_API int dWorldSetStepMemoryReservationPolicy(dWorldID world, const dWorldStepReserveInfo *policy);
/* Sets the functions that give working blocks; null for the library's own. 1 on success. */
ODE_API int dWorldSetStepMemoryManager(dWorldID world, const dWorldStepMemoryFunctionsInfo *functions);
/* Steps run as calls of these threads; null for the thread that calls. */
ODE_API void dWorldSetStepThreadingImplementation(dWorldID world, const dThreadingFunctionsInfo *functions,
    dThreadingImplementationID implementation);
/* Advances the world by a step [s], with all constraints solved exactly. 1 on success. */
ODE_API int dWorldStep(dWorldID world, dReal step);
/* Advances the world by a step [s], with constraints solved by sweeps. 1 on success. */
ODE_API int dWorldQuickStep(dWorldID world, dReal step);
/* The force [N] that in one step [s] gives an impulse [N s]. */
ODE_API void dWorldImpulseToForce(dWorldID world, dReal step, dReal x, dReal y, dReal z, dReal *force);
/* Sets the number of sweeps of dWorldQuickStep. */
ODE_API void dWorldSetQuickStepNumIterations(dWorldID world, int value);
/* The number of sweeps of dWorldQuickStep. */
ODE_API int dWorldGetQuickStepNumIterations(dWorldID world);
/* Sets the over-relaxation of the sweeps of dWorldQuickStep. */
ODE_API void dWorldSetQuickStepW(dWorldID world, dReal value);
/* The over-relaxation of the sweeps of dWorldQuickStep. */
ODE_API dReal dWorldGetQuickStepW(dWorldID world);
/* Sets the largest velocity with which contacts push bodies out of each other [m/s]. */
ODE_API void dWorldSetContactMaxCorrectingVel(dWorldID world, dReal value);
/* The largest velocity with which contacts push bodies out of each other [m/s]. */
ODE_API dReal dWorldGetContactMaxCorrectingVel(dWorldID world);
/* Sets the depth that contacts leave uncorrected [m]. */
ODE_API void dWorldSetContactSurfaceLayer(dWorldID world, dReal value);
/* The depth that contacts leave uncorrected [m]. */
ODE_API dReal dWorldGetContactSurfaceLayer(dWorldID world);
/* The speed below which a body counts as idle [m/s]. */
ODE_API dReal dWorldGetAutoDisableLinearThreshold(dWorldID world);
/* Sets the speed below which a body counts as idle [m/s]. */
ODE_API void dWorldSetAutoDisableLinearThreshold(dWorldID world, dReal value);
/* The angular speed below which a body counts as idle [rad/s]. */
ODE_API dReal dWorldGetAutoDisableAngularThreshold(dWorldID world);
/* Sets the angular speed below which a body counts as idle [rad/s]. */
ODE_API void dWorldSetAutoDisableAngularThreshold(dWorldID world, dReal value);
/* The number of steps over which velocities are averaged before they are compared. */
ODE_API int dWorldGetAutoDisableAverageSamplesCount(dWorldID world);
/* Sets the number of steps over which velocities are averaged before they are compared. */
ODE_API void dWorldSetAutoDisableAverageSamplesCount(dWorldID world, unsigned value);
/* The number of idle steps before a body is disabled. */
ODE_API int dWorldGetAutoDisableSteps(dWorldID world);
/* Sets the number of idle steps before a body is disabled. */
ODE_API void dWorldSetAutoDisableSteps(dWorldID world, int value);
/* The idle time before a body is disabled [s]. */
ODE_API dReal dWorldGetAutoDisableTime(dWorldID world);
/* Sets the idle time before a body is disabled [s]. */
ODE_API void dWorldSetAutoDisableTime(dWorldID world, dReal value);
/* The switch of automatic disabling. */
ODE_API int dWorldGetAutoDisableFlag(dWorldID world);
/* Sets the switch of automatic disabling. */
ODE_API void dWorldSetAutoDisableFlag(dWorldID world, int on);
/* The speed below which there is no damping [m/s]. */
ODE_API dReal dWorldGetLinearDampingThreshold(dWorldID world);
/* Sets the speed below which there is no damping [m/s]. */
ODE_API void dWorldSetLinearDampingThreshold(dWorldID world, dReal value);
/* The angular speed below which there is no damping [rad/s]. */
ODE_API dReal dWorldGetAngularDampingThreshold(dWorldID world);
/* Sets the angular speed below which there is no damping [rad/s]. */
ODE_API void dWorldSetAngularDampingThreshold(dWorldID world, dReal value);
/* The share of the velocity that damping takes per step. */
ODE_API dReal dWorldGetLinearDamping(dWorldID world);
/* Sets the share of the velocity that damping takes per step. */
ODE_API void dWorldSetLinearDamping(dWorldID world, dReal value);
/* The share of the angular velocity that damping takes per step. */
ODE_API dReal dWorldGetAngularDamping(dWorldID world);
/* Sets the share of the angular velocity that damping takes per step. */
ODE_API void dWorldSetAngularDamping(dWorldID world, dReal value);
/* Sets linear and angular damping: shares of the velocities taken per step. */
ODE_API void dWorldSetDamping(dWorldID world, dReal linear, dReal angular);
/* The largest angular speed [rad/s]. */
ODE_API dReal dWorldGetMaxAngularSpeed(dWorldID world);
/* Sets the largest angular speed [rad/s]. */
ODE_API void dWorldSetMaxAngularSpeed(dWorldID world, dReal value);
/* The speed below which a body counts as idle [m/s]. */
ODE_API dReal dBodyGetAutoDisableLinearThreshold(dBodyID body);
/* Sets the speed below which a body counts as idle [m/s]. */
ODE_API void dBodySetAutoDisableLinearThreshold(dBodyID body, dReal value);
/* The angular speed below which a body counts as idle [rad/s]. */
ODE_API dReal dBodyGetAutoDisableAngularThreshold(dBodyID body);
/* Sets the angular speed below which a body counts as idle [rad/s]. */
ODE_API void dBodySetAutoDisableAngularThreshold(dBodyID body, dReal value);
/* The number of steps over which velocities are averaged before they are compared. */
ODE_API int dBodyGetAutoDisableAverageSamplesCount(dBodyID body);
/* Sets the number of steps over which velocities are averaged before they are compared. */
ODE_API void dBodySetAutoDisableAverageSamplesCount(dBodyID body, unsigned value);
/* The number of idle steps before a body is disabled. */
ODE_API int dBodyGetAutoDisableSteps(dBodyID body);
/* Sets the number of idle steps before a body is disabled. */
ODE_API void dBodySetAutoDisableSteps(dBodyID body, int value);
/* The idle time before a body is disabled [s]. */
ODE_API dReal dBodyGetAutoDisableTime(dBodyID body);
/* Sets the idle time before a body is disabled [s]. */
ODE_API void dBodySetAutoDisableTime(dBodyID body, dReal value);
/* The switch of automatic disabling. */
ODE_API int dBodyGetAutoDisableFlag(dBodyID body);
/* Sets the switch of automatic disabling. */
ODE_API void dBodySetAutoDisableFlag(dBodyID body, int on);
/* Takes the settings of automatic disabling from the world. */
ODE_API void dBodySetAutoDisableDefaults(dBodyID body);
/* The world of a body. */
ODE_API dWorldID dBodyGetWorld(dBodyID body);
/* A new body of mass 1 and inertia 1 at the origin. */
ODE_API dBodyID dBodyCreate(dWorldID world);
/* Destroys a body; its joints lose it, its geoms stay where they are. */
ODE_API void dBodyDestroy(dBodyID body);
/* Sets the pointer that the program keeps with the body. */
ODE_API void dBodySetData(dBodyID body, void *data);
/* The pointer that the program keeps with the body. */
ODE_API void *dBodyGetData(dBodyID body);
/* Sets the position of the centre of mass [m], world frame. */
ODE_API void dBodySetPosition(dBodyID body, dReal x, dReal y, dReal z);
/* Sets the rotation from the body's frame to the world's. */
ODE_API void dBodySetRotation(dBodyID body, const dReal *rotation);
/* Sets the orientation (w, x, y, z), body to world. */
ODE_API void dBodySetQuaternion(dBodyID body, const dReal *q);
/* Sets the velocity of the centre of mass [m/s], world frame. */
ODE_API void dBodySetLinearVel(dBodyID body, dReal x, dReal y, dReal z);
/* Sets the angular velocity [rad/s], world frame. */
ODE_API void dBodySetAngularVel(dBodyID body, dReal x, dReal y, dReal z);
/* The position of the centre of mass [m], world frame. */
ODE_API const dReal *dBodyGetPosition(dBodyID body);
/* Writes the position of the centre of mass [m], world frame. */
ODE_API void dBodyCopyPosition(dBodyID body, dReal *result);
/* The rotation from the body's frame to the world's. */
ODE_API const dReal *dBodyGetRotation(dBodyID body);
/* Writes the rotation from the body's frame to the world's. */
ODE_API void dBodyCopyRotation(dBodyID body, dReal *result);
/* The orientation (w, x, y, z), body to world. */
ODE_API const dReal *dBodyGetQuaternion(dBodyID body);
/* Writes the orientation (w, x, y, z). */
ODE_API void dBodyCopyQuaternion(dBodyID body, dReal *result);
/* The velocity of the centre of mass [m/s], world frame. */
ODE_API const dReal *dBodyGetLinearVel(dBodyID body);
/* The angular velocity [rad/s], world frame. */
ODE_API const dReal *dBodyGetAngularVel(dBodyID body);
/* Sets the mass, with centre at the origin and inertia in the body's frame [kg, kg m^2]. */
ODE_API void dBodySetMass(dBodyID body, const dMass *mass);
/* The mass, with centre at the origin and inertia in the body's frame [kg, kg m^2]. */
ODE_API void dBodyGetMass(dBodyID body, dMass *mass);
/* Adds a force [N] at the centre of mass, world frame. */
ODE_API void dBodyAddForce(dBodyID body, dReal x, dReal y, dReal z);
/* Adds a torque [N m], world frame. */
ODE_API void dBodyAddTorque(dBodyID body, dReal x, dReal y, dReal z);
/* Adds a force [N] at the centre of mass, body frame. */
ODE_API void dBodyAddRelForce(dBodyID body, dReal x, dReal y, dReal z);
/* Adds a torque [N m], body frame. */
ODE_API void dBodyAddRelTorque(dBodyID body, dReal x, dReal y, dReal z);
/* Adds a force [N], world frame, at a point [m] of the world. */
ODE_API void dBodyAddForceAtPos(dBodyID body, dReal fx, dReal fy, dReal fz, dReal px, dReal py, dReal pz);
/* Adds a force [N], world frame, at a point [m] of the body. */
ODE_API void dBodyAddForceAtRelPos(dBodyID body, dReal fx, dReal fy, dReal fz, dReal px, dReal py, dReal pz);
/* Adds a force [N], body frame, at a point [m] of the world. */
ODE_API void dBodyAddRelForceAtPos(dBodyID body, dReal fx, dReal fy, dReal fz, dReal px, dReal py, dReal pz);
/* Adds a force [N], body frame, at a point [m] of the body. */
ODE_API void dBodyAddRelForceAtRelPos(dBodyID body, dReal fx, dReal fy, dReal fz, dReal px, dReal py, dReal pz);
/* The force gathered for the next step [N], world frame. */
ODE_API const dReal *dBodyGetForce(dBodyID body);
/* The torque gathered for the next step [N m], world frame. */
ODE_API const dReal *dBodyGetTorque(dBodyID body);
/* Sets the force gathered for the next step [N], world frame. */
ODE_API void dBodySetForce(dBodyID body, dReal x, dReal y, dReal z);
/* Sets the torque gathered for the next step [N m], world frame. */
ODE_API void dBodySetTorque(dBodyID body, dReal x, dReal y, dReal z);
/* Position in the world of a point of the body [m]. */
ODE_API void dBodyGetRelPointPos(dBodyID body, dReal x, dReal y, dReal z, dReal *result);
/* Velocity in the world of a point of the body [m, m/s]. */
ODE_API void dBodyGetRelPointVel(dBodyID body, dReal x, dReal y, dReal z, dReal *result);
/* Velocity of the body's matter at a point of the world [m, m/s]. */
ODE_API void dBodyGetPointVel(dBodyID body, dReal x, dReal y, dReal z, dReal *result);
/* Position in the body of a point of the world [m]. */
ODE_API void dBodyGetPosRelPoint(dBodyID body, dReal x, dReal y, dReal z, dReal *result);
/* Turns a vector from the body's frame to the world's. */
ODE_API void dBodyVectorToWorld(dBodyID body, dReal x, dReal y, dReal z, dReal *result);
/* Turns a vector from the world's frame to the body's. */
ODE_API void dBodyVectorFromWorld(dBodyID body, dReal x, dReal y, dReal z, dReal *result);
/* Sets the way orientations advance: 0 to first order, 1 by exact turns. */
ODE_API void dBodySetFiniteRotationMode(dBodyID body, int value);
/* Sets the axis of the exact turn in finite rotation mode, world frame; zero for all axes. */
ODE_API void dBodySetFiniteRotationAxis(dBodyID body, dReal x, dReal y, dReal z);
/* The way orientations advance: 0 to first order, 1 by exact turns. */
ODE_API int dBodyGetFiniteRotationMode(dBodyID body);
/* The axis of the exact turn in finite rotation mode, world frame; zero for all axes. */
ODE_API void dBodyGetFiniteRotationAxis(dBodyID body, dReal *result);
/* Number of joints on the body. */
ODE_API int dBodyGetNumJoints(dBodyID body);
/* Joint on the body by place, the one attached last first. */
ODE_API dJointID dBodyGetJoint(dBodyID body, int index);
/* The body moves by forces, with the mass it was given. */
ODE_API void dBodySetDynamic(dBodyID body);
/* The body moves by its velocities alone, as if its mass were infinite. */
ODE_API void dBodySetKinematic(dBodyID body);
/* Whether the body is kinematic. */
ODE_API int dBodyIsKinematic(dBodyID body);
/* Enables a body. */
ODE_API void dBodyEnable(dBodyID body);
/* Disables a body: steps leave it out until something wakes it. */
ODE_API void dBodyDisable(dBodyID body);
/* Whether the body is enabled. */
ODE_API int dBodyIsEnabled(dBodyID body);
/* Sets the switch of gravity on this body. */
ODE_API void dBodySetGravityMode(dBodyID body, int on);
/* The switch of gravity on this body. */
ODE_API int dBodyGetGravityMode(dBodyID body);
/* Sets a function that a step calls after the body was moved; null for none. */
ODE_API void dBodySetMovedCallback(dBodyID body, void (*callback)(dBodyID));
/* The first geom on the body, null if there is none. */
ODE_API dGeomID dBodyGetFirstGeom(dBodyID body);
/* The geom after this on its body. */
ODE_API dGeomID dBodyGetNextGeom(dGeomID geom);
/* Takes the settings of damping from the world. */
ODE_API void dBodySetDampingDefaults(dBodyID body);
/* The share of the velocity that damping takes per step. */
ODE_API dReal dBodyGetLinearDamping(dBodyID body);
/* Sets the share of the velocity that damping takes per step. */
ODE_API void dBodySetLinearDamping(dBodyID body, dReal value);
/* The share of the angular velocity that damping takes per step. */
ODE_API dReal dBodyGetAngularDamping(dBodyID body);
/* Sets the share of the angular velocity that damping takes per step. */
ODE_API void dBodySetAngularDamping(dBodyID body, dReal value);
/* Sets linear and angular damping: shares of the velocities taken per step. */
ODE_API void dBodySetDamping(dBodyID body, dReal linear, dReal angular);
/* The speed below which there is no damping [m/s]. */
ODE_API dReal dBodyGetLinearDampingThreshold(dBodyID body);
/* Sets the speed below which there is no damping [m/s]. */
ODE_API void dBodySetLinearDampingThreshold(dBodyID body, dReal value);
/* The angular speed below which there is no damping [rad/s]. */
ODE_API dReal dBodyGetAngularDampingThreshold(dBodyID body);
/* Sets the angular speed below which there is no damping [rad/s]. */
ODE_API void dBodySetAngularDampingThreshold(dBodyID body, dReal value);
/* The largest angular speed [rad/s]. */
ODE_API dReal dBodyGetMaxAngularSpeed(dBodyID body);
/* Sets the largest angular speed [rad/s]. */
ODE_API void dBodySetMaxAngularSpeed(dBodyID body, dReal value);
/* The switch of the gyroscopic torque; the getter gives a nonzero value, not 1. */
ODE_API int dBodyGetGyroscopicMode(dBodyID body);
/* Sets the switch of the gyroscopic torque; the getter gives a nonzero value, not 1. */
ODE_API void dBodySetGyroscopicMode(dBodyID body, int on);
/* A new ball joint, in the group if there is one. */
ODE_API dJointID dJointCreateBall(dWorldID world, dJointGroupID group);
/* A new hinge, in the group if there is one. */
ODE_API dJointID dJointCreateHinge(dWorldID world, dJointGroupID group);
/* A new slider, in the group if there is one. */
ODE_API dJointID dJointCreateSlider(dWorldID world, dJointGroupID group);
/* A new contact joint, with a copy of the contact. */
ODE_API dJointID dJointCreateContact(dWorldID world, dJointGroupID group, const dContact *contact);
/* A new hinge-2 joint, in the group if there is one. */
ODE_API dJointID dJointCreateHinge2(dWorldID world, dJointGroupID group);
/* A new universal joint, in the group if there is one. */
ODE_API dJointID dJointCreateUniversal(dWorldID world, dJointGroupID group);
/* A new prismatic and rotoide joint, in the group if there is one. */
ODE_API dJointID dJointCreatePR(dWorldID world, dJointGroupID group);
/* A new prismatic and universal joint, in the group if there is one. */
ODE_API dJointID dJointCreatePU(dWorldID world, dJointGroupID group);
/* A new piston, in the group if there is one. */
ODE_API dJointID dJointCreatePiston(dWorldID world, dJointGroupID group);
/* A new fixed joint, in the group if there is one. */
ODE_API dJointID dJointCreateFixed(dWorldID world, dJointGroupID group);
/* A new joint without rows, in the group if there is one. */
ODE_API dJointID dJointCreateNull(dWorldID world, dJointGroupID group);
/* A new angular motor, in the group if there is one. */
ODE_API dJointID dJointCreateAMotor(dWorldID world, dJointGroupID group);
/* A new linear motor, in the group if there is one. */
ODE_API dJointID dJointCreateLMotor(dWorldID world, dJointGroupID group);
/* A new plane joint, in the group if there is one. */
ODE_API dJointID dJointCreatePlane2D(dWorldID world, dJointGroupID group);
/* A new double ball joint, in the group if there is one. */
ODE_API dJointID dJointCreateDBall(dWorldID world, dJointGroupID group);
/* A new double hinge, in the group if there is one. */
ODE_API dJointID dJointCreateDHinge(dWorldID world, dJointGroupID group);
/* A new transmission, in the group if there is one. */
ODE_API dJointID dJointCreateTransmission(dWorldID world, dJointGroupID group);
/* Destroys a joint that is in no group. */
ODE_API void dJointDestroy(dJointID joint);
/* A new group of joints; the argument is not used. */
ODE_API dJointGroupID dJointGroupCreate(int size);
/* Destroys a group with its joints. */
ODE_API void dJointGroupDestroy(dJointGroupID group);
/* Destroys the joints of a group, the newest first. */
ODE_API void dJointGroupEmpty(dJointGroupID group);
/* Number of bodies that the joint is attached to. */
ODE_API int dJointGetNumBodies(dJointID joint);
/* Attaches a joint to two bodies; null is the world. */
ODE_API void dJointAttach(dJointID joint, dBodyID body1, dBodyID body2);
/* Enables a joint. */
ODE_API void dJointEnable(dJointID joint);
/* Disables a joint: steps leave it out. */
ODE_API void dJointDisable(dJointID joint);
/* Whether the joint is enabled. */
ODE_API int dJointIsEnabled(dJointID joint);
/* Sets the pointer that the program keeps with the joint. */
ODE_API void dJointSetData(dJointID joint, void *data);
/* The pointer that the program keeps with the joint. */
ODE_API void *dJointGetData(dJointID joint);
/* The kind of a joint. */
ODE_API dJointType dJointGetType(dJointID joint);
/* First (0) or second (1) body of a joint, null for the world. */
ODE_API dBodyID dJointGetBody(dJointID joint, int index);
/* Sets the structure to which steps write the joint's forces; null for none. */
ODE_API void dJointSetFeedback(dJointID joint, dJointFeedback *feedback);
/* The structure to which steps write the joint's forces. */
ODE_API dJointFeedback *dJointGetFeedback(dJointID joint);
/* Sets the anchor point [m], world frame of a ball joint. */
ODE_API void dJointSetBallAnchor(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the anchor point as the second body carries it [m], world frame of a ball joint. */
ODE_API void dJointSetBallAnchor2(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the parameter (dParam...) of motor, stop or softness of a ball joint. */
ODE_API void dJointSetBallParam(dJointID joint, int parameter, dReal value);
/* Sets the anchor point [m], world frame of a hinge. */
ODE_API void dJointSetHingeAnchor(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the anchor of a hinge to the world, with the world's anchor off by a vector [m]. */
ODE_API void dJointSetHingeAnchorDelta(dJointID joint, dReal x, dReal y, dReal z, dReal dx, dReal dy, dReal dz);
/* Sets the axis, world frame of a hinge. */
ODE_API void dJointSetHingeAxis(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the axis of a hinge such that its present angle [rad] is the given one. */
ODE_API void dJointSetHingeAxisOffset(dJointID joint, dReal x, dReal y, dReal z, dReal angle);
/* Sets the parameter (dParam...) of motor, stop or softness of a hinge. */
ODE_API void dJointSetHingeParam(dJointID joint, int parameter, dReal value);
/* Adds a torque [N m] about the axis to the bodies. */
ODE_API void dJointAddHingeTorque(dJointID joint, dReal torque);
/* Sets the axis, world frame of a slider. */
ODE_API void dJointSetSliderAxis(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the axis of a slider; the displacement is not used. */
ODE_API void dJointSetSliderAxisDelta(dJointID joint, dReal x, dReal y, dReal z, dReal dx, dReal dy, dReal dz);
/* Sets the parameter (dParam...) of motor, stop or softness of a slider. */
ODE_API void dJointSetSliderParam(dJointID joint, int parameter, dReal value);
/* Adds a force [N] along the axis to the bodies. */
ODE_API void dJointAddSliderForce(dJointID joint, dReal force);
/* Sets the anchor point [m], world frame of a hinge-2 joint. */
ODE_API void dJointSetHinge2Anchor(dJointID joint, dReal x, dReal y, dReal z);
/* Sets both axes, world frame; a null pointer leaves one as it is. */
ODE_API void dJointSetHinge2Axes(dJointID joint, const dReal *axis1, const dReal *axis2);
/* Sets the first axis, world frame of a hinge-2 joint. */
ODE_API void dJointSetHinge2Axis1(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the second axis, world frame of a hinge-2 joint. */
ODE_API void dJointSetHinge2Axis2(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the parameter (dParam...) of motor, stop or softness of a hinge-2 joint. */
ODE_API void dJointSetHinge2Param(dJointID joint, int parameter, dReal value);
/* Adds torques [N m] about both axes. */
ODE_API void dJointAddHinge2Torques(dJointID joint, dReal torque1, dReal torque2);
/* Sets the anchor point [m], world frame of a universal joint. */
ODE_API void dJointSetUniversalAnchor(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the first axis, world frame of a universal joint. */
ODE_API void dJointSetUniversalAxis1(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the first axis and the present angles [rad]. */
ODE_API void dJointSetUniversalAxis1Offset(dJointID joint, dReal x, dReal y, dReal z, dReal angle1, dReal angle2);
/* Sets the second axis, world frame of a universal joint. */
ODE_API void dJointSetUniversalAxis2(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the second axis and the present angles [rad]. */
ODE_API void dJointSetUniversalAxis2Offset(dJointID joint, dReal x, dReal y, dReal z, dReal angle1, dReal angle2);
/* Sets the parameter (dParam...) of motor, stop or softness of a universal joint. */
ODE_API void dJointSetUniversalParam(dJointID joint, int parameter, dReal value);
/* Adds torques [N m] about both axes. */
ODE_API void dJointAddUniversalTorques(dJointID joint, dReal torque1, dReal torque2);
/* Sets the anchor point [m], world frame of a prismatic and rotoide joint. */
ODE_API void dJointSetPRAnchor(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the first axis, world frame of a prismatic and rotoide joint. */
ODE_API void dJointSetPRAxis1(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the second axis, world frame of a prismatic and rotoide joint. */
ODE_API void dJointSetPRAxis2(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the parameter (dParam...) of motor, stop or softness of a prismatic and rotoide joint. */
ODE_API void dJointSetPRParam(dJointID joint, int parameter, dReal value);
/* Adds a torque [N m] about the axis of the rotation. */
ODE_API void dJointAddPRTorque(dJointID joint, dReal torque);
/* Sets the anchor point [m], world frame of a prismatic and universal joint. */
ODE_API void dJointSetPUAnchor(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the anchor as if the first body were moved by a vector [m]. */
ODE_API void dJointSetPUAnchorDelta(dJointID joint, dReal x, dReal y, dReal z, dReal dx, dReal dy, dReal dz);
/* Sets the anchor such that the present displacement [m] is the given vector. */
ODE_API void dJointSetPUAnchorOffset(dJointID joint, dReal x, dReal y, dReal z, dReal dx, dReal dy, dReal dz);
/* Sets the first axis, world frame of a prismatic and universal joint. */
ODE_API void dJointSetPUAxis1(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the second axis, world frame of a prismatic and universal joint. */
ODE_API void dJointSetPUAxis2(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the axis of the displacement, world frame of a prismatic and universal joint. */
ODE_API void dJointSetPUAxis3(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the axis of the displacement, world frame of a prismatic and universal joint. */
ODE_API void dJointSetPUAxisP(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the parameter (dParam...) of motor, stop or softness of a prismatic and universal joint. */
ODE_API void dJointSetPUParam(dJointID joint, int parameter, dReal value);
/* Does nothing yet but checks; declared for old programs. */
ODE_API void dJointAddPUTorque(dJointID joint, dReal torque);
/* Sets the anchor point [m], world frame of a piston. */
ODE_API void dJointSetPistonAnchor(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the anchor such that the present displacement [m] is the given vector. */
ODE_API void dJointSetPistonAnchorOffset(dJointID joint, dReal x, dReal y, dReal z, dReal dx, dReal dy, dReal dz);
/* Sets the axis, world frame of a piston. */
ODE_API void dJointSetPistonAxis(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the axis; the displacement is not used. */
ODE_API void dJointSetPistonAxisDelta(dJointID joint, dReal x, dReal y, dReal z, dReal dx, dReal dy, dReal dz);
/* Sets the parameter (dParam...) of motor, stop or softness of a piston. */
ODE_API void dJointSetPistonParam(dJointID joint, int parameter, dReal value);
/* Adds a force [N] along the axis to the bodies. */
ODE_API void dJointAddPistonForce(dJointID joint, dReal force);
/* Holds the bodies as they are now to each other. */
ODE_API void dJointSetFixed(dJointID joint);
/* Sets the parameter (dParam...) of motor, stop or softness of a fixed joint. */
ODE_API void dJointSetFixedParam(dJointID joint, int parameter, dReal value);
/* Sets the number of axes, 0 to 3 of a angular motor. */
ODE_API void dJointSetAMotorNumAxes(dJointID joint, int value);
/* Sets an axis and the body that carries it: 0 the world, 1 the first, 2 the second. */
ODE_API void dJointSetAMotorAxis(dJointID joint, int axis, int body, dReal x, dReal y, dReal z);
/* Tells the present angle about an axis [rad], in user mode. */
ODE_API void dJointSetAMotorAngle(dJointID joint, int axis, dReal angle);
/* Sets the parameter (dParam...) of motor, stop or softness of a angular motor. */
ODE_API void dJointSetAMotorParam(dJointID joint, int parameter, dReal value);
/* Sets the mode of a angular motor. */
ODE_API void dJointSetAMotorMode(dJointID joint, int value);
/* Adds torques [N m] about the axes. */
ODE_API void dJointAddAMotorTorques(dJointID joint, dReal torque1, dReal torque2, dReal torque3);
/* Sets the number of axes, 0 to 3 of a linear motor. */
ODE_API void dJointSetLMotorNumAxes(dJointID joint, int value);
/* Sets an axis and the body that carries it: 0 the world, 1 the first, 2 the second. */
ODE_API void dJointSetLMotorAxis(dJointID joint, int axis, int body, dReal x, dReal y, dReal z);
/* Sets the parameter (dParam...) of motor, stop or softness of a linear motor. */
ODE_API void dJointSetLMotorParam(dJointID joint, int parameter, dReal value);
/* Sets the parameter of the motor along x of a plane joint. */
ODE_API void dJointSetPlane2DXParam(dJointID joint, int parameter, dReal value);
/* Sets the parameter of the motor along y of a plane joint. */
ODE_API void dJointSetPlane2DYParam(dJointID joint, int parameter, dReal value);
/* Sets the parameter of the motor about z of a plane joint. */
ODE_API void dJointSetPlane2DAngleParam(dJointID joint, int parameter, dReal value);
/* The anchor point [m], world frame of a ball joint. */
ODE_API void dJointGetBallAnchor(dJointID joint, dReal *result);
/* The anchor point as the second body carries it [m], world frame of a ball joint. */
ODE_API void dJointGetBallAnchor2(dJointID joint, dReal *result);
/* The parameter (dParam...) of motor, stop or softness of a ball joint. */
ODE_API dReal dJointGetBallParam(dJointID joint, int parameter);
/* The anchor point [m], world frame of a hinge. */
ODE_API void dJointGetHingeAnchor(dJointID joint, dReal *result);
/* The anchor point as the second body carries it [m], world frame of a hinge. */
ODE_API void dJointGetHingeAnchor2(dJointID joint, dReal *result);
/* The axis, world frame of a hinge. */
ODE_API void dJointGetHingeAxis(dJointID joint, dReal *result);
/* The parameter (dParam...) of motor, stop or softness of a hinge. */
ODE_API dReal dJointGetHingeParam(dJointID joint, int parameter);
/* The angle [rad] of a hinge. */
ODE_API dReal dJointGetHingeAngle(dJointID joint);
/* The rate of the angle [rad/s] of a hinge. */
ODE_API dReal dJointGetHingeAngleRate(dJointID joint);
/* The displacement along the axis [m] of a slider. */
ODE_API dReal dJointGetSliderPosition(dJointID joint);
/* The rate of the displacement [m/s] of a slider. */
ODE_API dReal dJointGetSliderPositionRate(dJointID joint);
/* The axis, world frame of a slider. */
ODE_API void dJointGetSliderAxis(dJointID joint, dReal *result);
/* The parameter (dParam...) of motor, stop or softness of a slider. */
ODE_API dReal dJointGetSliderParam(dJointID joint, int parameter);
/* The anchor point [m], world frame of a hinge-2 joint. */
ODE_API void dJointGetHinge2Anchor(dJointID joint, dReal *result);
/* The anchor point as the second body carries it [m], world frame of a hinge-2 joint. */
ODE_API void dJointGetHinge2Anchor2(dJointID joint, dReal *result);
/* The first axis, world frame of a hinge-2 joint. */
ODE_API void dJointGetHinge2Axis1(dJointID joint, dReal *result);
/* The second axis, world frame of a hinge-2 joint. */
ODE_API void dJointGetHinge2Axis2(dJointID joint, dReal *result);
/* The parameter (dParam...) of motor, stop or softness of a hinge-2 joint. */
ODE_API dReal dJointGetHinge2Param(dJointID joint, int parameter);
/* The angle about the first axis [rad] of a hinge-2 joint. */
ODE_API dReal dJointGetHinge2Angle1(dJointID joint);
/* The angle about the second axis [rad] of a hinge-2 joint. */
ODE_API dReal dJointGetHinge2Angle2(dJointID joint);
/* The rate of the first angle [rad/s] of a hinge-2 joint. */
ODE_API dReal dJointGetHinge2Angle1Rate(dJointID joint);
/* The rate of the second angle [rad/s] of a hinge-2 joint. */
ODE_API dReal dJointGetHinge2Angle2Rate(dJointID joint);
/* The anchor point [m], world frame of a universal joint. */
ODE_API void dJointGetUniversalAnchor(dJointID joint, dReal *result);
/* The anchor point as the second body carries it [m], world frame of a universal joint. */
ODE_API void dJointGetUniversalAnchor2(dJointID joint, dReal *result);
/* The first axis, world frame of a universal joint. */
ODE_API void dJointGetUniversalAxis1(dJointID joint, dReal *result);
/* The second axis, world frame of a universal joint. */
ODE_API void dJointGetUniversalAxis2(dJointID joint, dReal *result);
/* The parameter (dParam...) of motor, stop or softness of a universal joint. */
ODE_API dReal dJointGetUniversalParam(dJointID joint, int parameter);
/* The both angles [rad] of a universal joint. */
ODE_API void dJointGetUniversalAngles(dJointID joint, dReal *angle1, dReal *angle2);
/* The angle about the first axis [rad] of a universal joint. */
ODE_API dReal dJointGetUniversalAngle1(dJointID joint);
/* The angle about the second axis [rad] of a universal joint. */
ODE_API dReal dJointGetUniversalAngle2(dJointID joint);
/* The rate of the first angle [rad/s] of a universal joint. */
ODE_API dReal dJointGetUniversalAngle1Rate(dJointID joint);
/* The rate of the second angle [rad/s] of a universal joint. */
ODE_API dReal dJointGetUniversalAngle2Rate(dJointID joint);
/* The anchor point [m], world frame of a prismatic and rotoide joint. */
ODE_API void dJointGetPRAnchor(dJointID joint, dReal *result);
/* The displacement along the axis [m] of a prismatic and rotoide joint. */
ODE_API dReal dJointGetPRPosition(dJointID joint);
/* The rate of the displacement [m/s] of a prismatic and rotoide joint. */
ODE_API dReal dJointGetPRPositionRate(dJointID joint);
/* The angle [rad] of a prismatic and rotoide joint. */
ODE_API dReal dJointGetPRAngle(dJointID joint);
/* The rate of the angle [rad/s] of a prismatic and rotoide joint. */
ODE_API dReal dJointGetPRAngleRate(dJointID joint);
/* The first axis, world frame of a prismatic and rotoide joint. */
ODE_API void dJointGetPRAxis1(dJointID joint, dReal *result);
/* The second axis, world frame of a prismatic and rotoide joint. */
ODE_API void dJointGetPRAxis2(dJointID joint, dReal *result);
/* The parameter (dParam...) of motor, stop or softness of a prismatic and rotoide joint. */
ODE_API dReal dJointGetPRParam(dJointID joint, int parameter);
/* The anchor point [m], world frame of a prismatic and universal joint. */
ODE_API void dJointGetPUAnchor(dJointID joint, dReal *result);
/* The displacement along the axis [m] of a prismatic and universal joint. */
ODE_API dReal dJointGetPUPosition(dJointID joint);
/* The rate of the displacement [m/s] of a prismatic and universal joint. */
ODE_API dReal dJointGetPUPositionRate(dJointID joint);
/* The first axis, world frame of a prismatic and universal joint. */
ODE_API void dJointGetPUAxis1(dJointID joint, dReal *result);
/* The second axis, world frame of a prismatic and universal joint. */
ODE_API void dJointGetPUAxis2(dJointID joint, dReal *result);
/* The axis of the displacement, world frame of a prismatic and universal joint. */
ODE_API void dJointGetPUAxis3(dJointID joint, dReal *result);
/* The axis of the displacement, world frame of a prismatic and universal joint. */
ODE_API void dJointGetPUAxisP(dJointID joint, dReal *result);
/* The both angles [rad] of a prismatic and universal joint. */
ODE_API void dJointGetPUAngles(dJointID joint, dReal *angle1, dReal *angle2);
/* The angle about the first axis [rad] of a prismatic and universal joint. */
ODE_API dReal dJointGetPUAngle1(dJointID joint);
/* The rate of the first angle [rad/s] of a prismatic and universal joint. */
ODE_API dReal dJointGetPUAngle1Rate(dJointID joint);
/* The angle about the second axis [rad] of a prismatic and universal joint. */
ODE_API dReal dJointGetPUAngle2(dJointID joint);
/* The rate of the second angle [rad/s] of a prismatic and universal joint. */
ODE_API dReal dJointGetPUAngle2Rate(dJointID joint);
/* The parameter (dParam...) of motor, stop or softness of a prismatic and universal joint. */
ODE_API dReal dJointGetPUParam(dJointID joint, int parameter);
/* The displacement along the axis [m] of a piston. */
ODE_API dReal dJointGetPistonPosition(dJointID joint);
/* The rate of the displacement [m/s] of a piston. */
ODE_API dReal dJointGetPistonPositionRate(dJointID joint);
/* The angle [rad] of a piston. */
ODE_API dReal dJointGetPistonAngle(dJointID joint);
/* The rate of the angle [rad/s] of a piston. */
ODE_API dReal dJointGetPistonAngleRate(dJointID joint);
/* The anchor point [m], world frame of a piston. */
ODE_API void dJointGetPistonAnchor(dJointID joint, dReal *result);
/* The anchor point as the second body carries it [m], world frame of a piston. */
ODE_API void dJointGetPistonAnchor2(dJointID joint, dReal *result);
/* The axis, world frame of a piston. */
ODE_API void dJointGetPistonAxis(dJointID joint, dReal *result);
/* The parameter (dParam...) of motor, stop or softness of a piston. */
ODE_API dReal dJointGetPistonParam(dJointID joint, int parameter);
/* The number of axes, 0 to 3 of a angular motor. */
ODE_API int dJointGetAMotorNumAxes(dJointID joint);
/* An axis, world frame. */
ODE_API void dJointGetAMotorAxis(dJointID joint, int axis, dReal *result);
/* The body that carries an axis: 0 the world, 1 the first, 2 the second of a angular motor. */
ODE_API int dJointGetAMotorAxisRel(dJointID joint, int axis);
/* The angle about an axis [rad]. */
ODE_API dReal dJointGetAMotorAngle(dJointID joint, int axis);
/* The rate of the angle about an axis [rad/s]; known in Euler mode. */
ODE_API dReal dJointGetAMotorAngleRate(dJointID joint, int axis);
/* The parameter (dParam...) of motor, stop or softness of a angular motor. */
ODE_API dReal dJointGetAMotorParam(dJointID joint, int parameter);
/* The mode of a angular motor. */
ODE_API int dJointGetAMotorMode(dJointID joint);
/* The number of axes, 0 to 3 of a linear motor. */
ODE_API int dJointGetLMotorNumAxes(dJointID joint);
/* An axis, world frame. */
ODE_API void dJointGetLMotorAxis(dJointID joint, int axis, dReal *result);
/* The parameter (dParam...) of motor, stop or softness of a linear motor. */
ODE_API dReal dJointGetLMotorParam(dJointID joint, int parameter);
/* The parameter (dParam...) of motor, stop or softness of a fixed joint. */
ODE_API dReal dJointGetFixedParam(dJointID joint, int parameter);
/* The point where the first wheel touches [m], world frame of a transmission. */
ODE_API void dJointGetTransmissionContactPoint1(dJointID joint, dReal *result);
/* The point where the second wheel touches [m], world frame of a transmission. */
ODE_API void dJointGetTransmissionContactPoint2(dJointID joint, dReal *result);
/* Sets the first axis, world frame of a transmission. */
ODE_API void dJointSetTransmissionAxis1(dJointID joint, dReal x, dReal y, dReal z);
/* The first axis, world frame of a transmission. */
ODE_API void dJointGetTransmissionAxis1(dJointID joint, dReal *result);
/* Sets the second axis, world frame of a transmission. */
ODE_API void dJointSetTransmissionAxis2(dJointID joint, dReal x, dReal y, dReal z);
/* The second axis, world frame of a transmission. */
ODE_API void dJointGetTransmissionAxis2(dJointID joint, dReal *result);
/* Sets the anchor point on the first body [m], world frame of a transmission. */
ODE_API void dJointSetTransmissionAnchor1(dJointID joint, dReal x, dReal y, dReal z);
/* The anchor point on the first body [m], world frame of a transmission. */
ODE_API void dJointGetTransmissionAnchor1(dJointID joint, dReal *result);
/* Sets the anchor point as the second body carries it [m], world frame of a transmission. */
ODE_API void dJointSetTransmissionAnchor2(dJointID joint, dReal x, dReal y, dReal z);
/* The anchor point as the second body carries it [m], world frame of a transmission. */
ODE_API void dJointGetTransmissionAnchor2(dJointID joint, dReal *result);
/* Sets the parameter (dParam...) of motor, stop or softness of a transmission. */
ODE_API void dJointSetTransmissionParam(dJointID joint, int parameter, dReal value);
/* The parameter (dParam...) of motor, stop or softness of a transmission. */
ODE_API dReal dJointGetTransmissionParam(dJointID joint, int parameter);
/* Sets the mode of a transmission. */
ODE_API void dJointSetTransmissionMode(dJointID joint, int value);
/* The mode of a transmission. */
ODE_API int dJointGetTransmissionMode(dJointID joint);
/* Sets the transmission ratio of the angles of a transmission. */
ODE_API void dJointSetTransmissionRatio(dJointID joint, dReal value);
/* The transmission ratio of the angles of a transmission. */
ODE_API dReal dJointGetTransmissionRatio(dJointID joint);
/* Sets the axis, world frame of a transmission. */
ODE_API void dJointSetTransmissionAxis(dJointID joint, dReal x, dReal y, dReal z);
/* The axis, world frame of a transmission. */
ODE_API void dJointGetTransmissionAxis(dJointID joint, dReal *result);
/* The angle about the first axis [rad] of a transmission. */
ODE_API dReal dJointGetTransmissionAngle1(dJointID joint);
/* The angle about the second axis [rad] of a transmission. */
ODE_API dReal dJointGetTransmissionAngle2(dJointID joint);
/* The radius of the first wheel [m] of a transmission. */
ODE_API dReal dJointGetTransmissionRadius1(dJointID joint);
/* The radius of the second wheel [m] of a transmission. */
ODE_API dReal dJointGetTransmissionRadius2(dJointID joint);
/* Sets the radius of the first wheel [m] of a transmission. */
ODE_API void dJointSetTransmissionRadius1(dJointID joint, dReal value);
/* Sets the radius of the second wheel [m] of a transmission. */
ODE_API void dJointSetTransmissionRadius2(dJointID joint, dReal value);
/* The play [m] of a transmission. */
ODE_API dReal dJointGetTransmissionBacklash(dJointID joint);
/* Sets the play [m] of a transmission. */
ODE_API void dJointSetTransmissionBacklash(dJointID joint, dReal value);
/* Sets the anchor point on the first body [m], world frame of a double ball joint. */
ODE_API void dJointSetDBallAnchor1(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the anchor point as the second body carries it [m], world frame of a double ball joint. */
ODE_API void dJointSetDBallAnchor2(dJointID joint, dReal x, dReal y, dReal z);
/* The anchor point on the first body [m], world frame of a double ball joint. */
ODE_API void dJointGetDBallAnchor1(dJointID joint, dReal *result);
/* The anchor point as the second body carries it [m], world frame of a double ball joint. */
ODE_API void dJointGetDBallAnchor2(dJointID joint, dReal *result);
/* The distance that is held [m] of a double ball joint. */
ODE_API dReal dJointGetDBallDistance(dJointID joint);
/* Sets the distance that is held [m] of a double ball joint. */
ODE_API void dJointSetDBallDistance(dJointID joint, dReal value);
/* Sets the parameter (dParam...) of motor, stop or softness of a double ball joint. */
ODE_API void dJointSetDBallParam(dJointID joint, int parameter, dReal value);
/* The parameter (dParam...) of motor, stop or softness of a double ball joint. */
ODE_API dReal dJointGetDBallParam(dJointID joint, int parameter);
/* Sets the axis, world frame of a double hinge. */
ODE_API void dJointSetDHingeAxis(dJointID joint, dReal x, dReal y, dReal z);
/* The axis, world frame of a double hinge. */
ODE_API void dJointGetDHingeAxis(dJointID joint, dReal *result);
/* Sets the anchor point on the first body [m], world frame of a double hinge. */
ODE_API void dJointSetDHingeAnchor1(dJointID joint, dReal x, dReal y, dReal z);
/* Sets the anchor point as the second body carries it [m], world frame of a double hinge. */
ODE_API void dJointSetDHingeAnchor2(dJointID joint, dReal x, dReal y, dReal z);
/* The anchor point on the first body [m], world frame of a double hinge. */
ODE_API void dJointGetDHingeAnchor1(dJointID joint, dReal *result);
/* The anchor point as the second body carries it [m], world frame of a double hinge. */
ODE_API void dJointGetDHingeAnchor2(dJointID joint, dReal *result);
/* The distance that is held [m] of a double hinge. */
ODE_API dReal dJointGetDHingeDistance(dJointID joint);
/* Sets the parameter (dParam...) of motor, stop or softness of a double hinge. */
ODE_API void dJointSetDHingeParam(dJointID joint, int parameter, dReal value);
/* The parameter (dParam...) of motor, stop or softness of a double hinge. */
ODE_API dReal dJointGetDHingeParam(dJointID joint, int parameter);
/* The first joint between two bodies, null if there is none. */
ODE_API dJointID dConnectingJoint(dBodyID body1, dBodyID body2);
/* Writes all joints between two bodies and returns their number. */
ODE_API int dConnectingJointList(dBodyID body1, dBodyID body2, dJointID *joints);
/* Whether a joint connects two bodies. */
ODE_API int dAreConnected(dBodyID body1, dBodyID body2);
/* Whether a joint of another kind than the given connects two bodies. */
ODE_API int dAreConnectedExcluding(dBodyID body1, dBodyID body2, int type);
/* Advances the world by a step [s] with that many sweeps (stepper of version 0.5). */
ODE_API void dWorldStepFast1(dWorldID world, dReal step, int iterations);
/* How many bodies away enabled bodies enable others in dWorldStepFast1 (version 0.5). */
ODE_API int dWorldGetAutoEnableDepthSF1(dWorldID world);
/* Sets how many bodies away enabled bodies enable others in dWorldStepFast1; 0: none (version 0.5). */
ODE_API void dWorldSetAutoEnableDepthSF1(dWorldID world, int depth);
/* Checks the lists of the world; what is wrong goes to the debug handler. */
ODE_API void dWorldCheck(dWorldID world);
/* The switch of automatic disabling (name of the guide of version 0.5). */
ODE_API int dBodyGetAutoDisableSF1(dBodyID body);
/* Sets the switch of automatic disabling (name of the guide of version 0.5). */
ODE_API void dBodySetAutoDisableSF1(dBodyID body, int value);
/* The number of idle steps before the body is disabled (name of version 0.5). */
ODE_API int dBodyGetAutoDisableStepsSF1(dBodyID body);
/* Sets the number of idle steps before the body is disabled (name of version 0.5). */
ODE_API void dBodySetAutoDisableStepsSF1(dBodyID body, int value);
/* The speed, linear and angular, below which the body counts as idle (name of version 0.5). */
ODE_API dReal dBodyGetAutoDisableThresholdSF1(dBodyID body);
/* Sets the speed, linear and angular, below which the body counts as idle (name of version 0.5). */
ODE_API void dBodySetAutoDisableThresholdSF1(dBodyID body, dReal value);
/* Adds torques [N m] about both axes. */
ODE_API void dJointAddPUTorques(dJointID joint, dReal torque1, dReal torque2);
/* The rate of the first angle [rad/s] (as the guide of version 0.5 spells it). */
ODE_API dReal dJointGetUniversalAngleRate1(dJointID joint);
/* The rate of the second angle [rad/s] (as the guide of version 0.5 spells it). */
ODE_API dReal dJointGetUniversalAngleRate2(dJointID joint);
/* end of functions */

#ifdef __cplusplus
}
#endif

#endif
