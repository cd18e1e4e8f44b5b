/* What all parts share: numbers, handles, kinds of joints and their parameters. */
#ifndef STICTION_ODE_COMMON_H
#define STICTION_ODE_COMMON_H

#include <ode/odeconfig.h>
#include <ode/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ODE's number. */
#ifdef dSINGLE
typedef float dReal;
#else
typedef double dReal;
#endif

/* Index of a corner of a triangle. */
typedef duint32 dTriIndex;

#ifndef M_PI
#define M_PI REAL(3.141592653589793)
#endif
#ifndef M_PI_2
#define M_PI_2 REAL(1.5707963267948966)
#endif
#ifndef M_SQRT1_2
#define M_SQRT1_2 REAL(0.7071067811865476)
#endif

/* Length of a row of n elements: a multiple of four, but for rows of one or none. */
#define dPAD(n) (((n) > 1) ? (((n) + 3) & (int)(~3)) : (n))

/* Axes, and places of elements in vectors, matrices and quaternions. */
typedef enum { dSA__MIN, dSA_X = dSA__MIN, dSA_Y, dSA_Z, dSA__MAX } dSpaceAxis;
typedef enum { dMD__MIN, dMD_LINEAR = dMD__MIN, dMD_ANGULAR, dMD__MAX } dMotionDynamics;
typedef enum {
    dDA__MIN, dDA__L_MIN = 0, dDA_LX = 0, dDA_LY, dDA_LZ, dDA__L_MAX,
    dDA__A_MIN = dDA__L_MAX, dDA_AX = dDA__A_MIN, dDA_AY, dDA_AZ, dDA__A_MAX, dDA__MAX = dDA__A_MAX
} dDynamicsAxis;
typedef enum {
    dV3E__MIN, dV3E__AXES_MIN = 0, dV3E_X = 0, dV3E_Y, dV3E_Z, dV3E__AXES_MAX, dV3E_PAD = dV3E__AXES_MAX, dV3E__MAX,
    dV3E__AXES_COUNT = 3
} dVec3Element;
typedef enum { dV4E__MIN, dV4E_X = 0, dV4E_Y, dV4E_Z, dV4E_O, dV4E__MAX } dVec4Element;
typedef enum {
    dM3E__MIN,
    dM3E__X_MIN = 0, dM3E__X_AXES_MIN = 0, dM3E_XX = 0, dM3E_XY, dM3E_XZ, dM3E__X_AXES_MAX, dM3E_XPAD = 3, dM3E__X_MAX,
    dM3E__Y_MIN = 4, dM3E__Y_AXES_MIN = 4, dM3E_YX = 4, dM3E_YY, dM3E_YZ, dM3E__Y_AXES_MAX, dM3E_YPAD = 7, dM3E__Y_MAX,
    dM3E__Z_MIN = 8, dM3E__Z_AXES_MIN = 8, dM3E_ZX = 8, dM3E_ZY, dM3E_ZZ, dM3E__Z_AXES_MAX, dM3E_ZPAD = 11, dM3E__Z_MAX,
    dM3E__MAX = 12
} dMat3Element;
typedef enum {
    dM4E__MIN,
    dM4E__X_MIN = 0, dM4E_XX = 0, dM4E_XY, dM4E_XZ, dM4E_XO, dM4E__X_MAX,
    dM4E__Y_MIN = 4, dM4E_YX = 4, dM4E_YY, dM4E_YZ, dM4E_YO, dM4E__Y_MAX,
    dM4E__Z_MIN = 8, dM4E_ZX = 8, dM4E_ZY, dM4E_ZZ, dM4E_ZO, dM4E__Z_MAX,
    dM4E__O_MIN = 12, dM4E_OX = 12, dM4E_OY, dM4E_OZ, dM4E_OO, dM4E__O_MAX,
    dM4E__MAX = 16
} dMat4Element;
typedef enum {
    dQUE__MIN, dQUE_R = 0, dQUE__AXIS_MIN, dQUE_I = dQUE__AXIS_MIN, dQUE_J, dQUE_K, dQUE__AXIS_MAX, dQUE__MAX = dQUE__AXIS_MAX
} dQuatElement;

/* Vectors have a fourth element as padding, matrices rows of four; quaternions are (w, x, y, z). */
typedef dReal dVector3[dV3E__MAX];
typedef dReal dVector4[dV4E__MAX];
typedef dReal dMatrix3[dM3E__MAX];
typedef dReal dMatrix4[dM4E__MAX];
typedef dReal dMatrix6[48];
typedef dReal dQuaternion[dQUE__MAX];

#ifdef dSINGLE
#define REAL(x) (x##f)
#define dRecip(x) (1.0f / (x))
#define dRecipSqrt(x) (1.0f / ((float)sqrt(x)))
#define dSqrt(x) ((float)sqrt(x))
#define dSin(x) ((float)sin(x))
#define dCos(x) ((float)cos(x))
#define dFabs(x) ((float)fabs(x))
#define dAsin(x) ((float)asin(x))
#define dAcos(x) ((float)acos(x))
#define dFloor(x) ((float)floor(x))
#define dCeil(x) ((float)ceil(x))
#define dAtan2(x, y) ((float)atan2((x), (y)))
#define dFMod(x, y) ((float)fmod((x), (y)))
#define dCopySign(x, y) ((float)copysign((x), (y)))
#define dNextAfter(x, y) nextafterf((x), (y))
#else
#define REAL(x) (x)
#define dRecip(x) (1.0 / (x))
#define dRecipSqrt(x) (1.0 / sqrt(x))
#define dSqrt(x) sqrt(x)
#define dSin(x) sin(x)
#define dCos(x) cos(x)
#define dFabs(x) fabs(x)
#define dAsin(x) asin(x)
#define dAcos(x) acos(x)
#define dFloor(x) floor(x)
#define dCeil(x) ceil(x)
#define dAtan2(x, y) atan2((x), (y))
#define dFMod(x, y) fmod((x), (y))
#define dCopySign(x, y) copysign((x), (y))
#define dNextAfter(x, y) nextafter((x), (y))
#endif
#define dIsNan(x) ((x) != (x))

ODE_PURE_INLINE dReal dMin(dReal x, dReal y) { return x <= y ? x : y; }
ODE_PURE_INLINE dReal dMax(dReal x, dReal y) { return x <= y ? y : x; }

struct dxWorld;
struct dxSpace;
struct dxBody;
struct dxGeom;
struct dxJoint;
struct dxJointGroup;

/* Handles. */
typedef struct dxWorld *dWorldID;
typedef struct dxSpace *dSpaceID;
typedef struct dxBody *dBodyID;
typedef struct dxGeom *dGeomID;
typedef struct dxJoint *dJointID;
typedef struct dxJointGroup *dJointGroupID;

/* What went wrong. */
enum { d_ERR_UNKNOWN = 0, d_ERR_IASSERT, d_ERR_UASSERT, d_ERR_LCP };

/* Kinds of joints. */
typedef enum {
    dJointTypeNone = 0, dJointTypeBall, dJointTypeHinge, dJointTypeSlider, dJointTypeContact,
    dJointTypeUniversal, dJointTypeHinge2, dJointTypeFixed, dJointTypeNull, dJointTypeAMotor, dJointTypeLMotor,
    dJointTypePlane2D, dJointTypePR, dJointTypePU, dJointTypePiston, dJointTypeDBall, dJointTypeDHinge,
    dJointTypeTransmission
} dJointType;

/* Parameters of joints; groups 2 and 3 are of the second and third motion. */
enum {
    dParamLoStop, dParamHiStop, dParamVel, dParamLoVel, dParamHiVel, dParamFMax, dParamFudgeFactor, dParamBounce,
    dParamCFM, dParamStopERP, dParamStopCFM, dParamSuspensionERP, dParamSuspensionCFM, dParamERP, dParamsInGroup,
    dParamGroup1 = 0x000, dParamLoStop1 = dParamGroup1, dParamHiStop1, dParamVel1, dParamLoVel1, dParamHiVel1,
    dParamFMax1, dParamFudgeFactor1, dParamBounce1, dParamCFM1, dParamStopERP1, dParamStopCFM1,
    dParamSuspensionERP1, dParamSuspensionCFM1, dParamERP1,
    dParamGroup2 = 0x100, dParamLoStop2 = dParamGroup2, dParamHiStop2, dParamVel2, dParamLoVel2, dParamHiVel2,
    dParamFMax2, dParamFudgeFactor2, dParamBounce2, dParamCFM2, dParamStopERP2, dParamStopCFM2,
    dParamSuspensionERP2, dParamSuspensionCFM2, dParamERP2,
    dParamGroup3 = 0x200, dParamLoStop3 = dParamGroup3, dParamHiStop3, dParamVel3, dParamLoVel3, dParamHiVel3,
    dParamFMax3, dParamFudgeFactor3, dParamBounce3, dParamCFM3, dParamStopERP3, dParamStopCFM3,
    dParamSuspensionERP3, dParamSuspensionCFM3, dParamERP3,
    dParamGroup = 0x100
};

/* How an angular motor knows its angles. */
enum { dAMotorUser = 0, dAMotorEuler = 1 };

/* How a transmission works. */
enum { dTransmissionParallelAxes = 0, dTransmissionIntersectingAxes = 1, dTransmissionChainDrive = 2 };

/* Forces [N] and torques [N m] about the centres that a joint put on its bodies, world frame. */
typedef struct dJointFeedback {
    dVector3 f1;
    dVector3 t1;
    dVector3 f2;
    dVector3 t2;
} dJointFeedback;

/* functions: made from functions.tsv by `cargo xtask headers` */
/* Tells a geom that its body has moved. */
ODE_API void dGeomMoved(dGeomID geom);
/* The geom after this on its body. */
ODE_API dGeomID dGeomGetBodyNext(dGeomID geom);
/* What the library was built with, words between blanks. */
ODE_API const char *dGetConfiguration(void);
/* Whether a word stands in the configuration. */
ODE_API int dCheckConfiguration(const char *token);
/* end of functions */

#ifdef __cplusplus
}
#endif

#endif
