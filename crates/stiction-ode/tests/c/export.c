/* A world of bodies, geoms and joints of all kinds, as dWorldExportDIF writes it. */
#include <ode/ode.h>
#include <ode/export-dif.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static dJointID (*const create[])(dWorldID, dJointGroupID) = {
        dJointCreateBall, dJointCreateHinge, dJointCreateSlider, dJointCreateUniversal, dJointCreateHinge2,
        dJointCreateFixed, dJointCreateNull, dJointCreateAMotor, dJointCreateLMotor, dJointCreatePR, dJointCreatePU,
        dJointCreatePiston, dJointCreatePlane2D, dJointCreateDBall, dJointCreateDHinge,
    };
    static const dReal steer[3] = {0, 0, 1}, wheel[3] = {0, 1, 0};
    dWorldID w;
    dBodyID a, b;
    dJointID j = 0;
    dContact contact;
    unsigned i;
    dInitODE();
    w = dWorldCreate();
    a = dBodyCreate(w);
    b = dBodyCreate(w);
    dWorldSetGravity(w, 0.125, 0, -9.81);
    dBodySetPosition(a, 1.5, 2.25, 3.1);
    dBodySetPosition(b, -1, 0.3, 1e-7);
    dBodySetLinearVel(b, 1, 2, 3);
    dBodySetForce(b, 4, 5, 6);
    dBodySetTorque(b, 0, 5, 6);
    dBodySetAutoDisableFlag(a, 1);
    dBodySetFiniteRotationMode(b, 1);
    dBodySetFiniteRotationAxis(b, 0, 1, 0);
    dBodySetGravityMode(b, 0);
    dGeomSetBody(dCreateSphere(0, 0.3), a);
    dGeomSetBody(dCreateBox(0, 1, 2, 3), a);
    dGeomSetBody(dCreateCapsule(0, 0.1, 0.2), b);
    dGeomSetBody(dCreateCylinder(0, 0.1, 0.7), b);
    dGeomSetBody(dCreateRay(0, 5), b);
    dGeomSetCategoryBits(dBodyGetFirstGeom(b), 6);
    dGeomDisable(dBodyGetFirstGeom(a));
    for (i = 0; i < sizeof create / sizeof *create; i++) {
        j = create[i](w, 0);
        dJointAttach(j, a, b);
        switch (dJointGetType(j)) {
        case dJointTypeBall: dJointSetBallAnchor(j, 1, 2, 3); break;
        case dJointTypeHinge:
            dJointSetHingeAnchor(j, 1, 2, 3);
            dJointSetHingeAxis(j, 0, 3, 4);
            dJointSetHingeParam(j, dParamHiStop, 0.5);
            dJointSetHingeParam(j, dParamBounce, 0.25);
            dJointSetHingeParam(j, dParamVel, 2);
            dJointSetHingeParam(j, dParamFMax, 7);
            break;
        case dJointTypeSlider: dJointSetSliderAxis(j, 0, 3, 4); break;
        case dJointTypeUniversal:
            dJointSetUniversalAnchor(j, 1, 2, 3);
            dJointSetUniversalAxis1(j, 0, 0, 1);
            dJointSetUniversalAxis2(j, 0, 1, 0);
            break;
        case dJointTypeHinge2:
            dJointSetHinge2Anchor(j, 1, 2, 3);
            dJointSetHinge2Axes(j, steer, wheel);
            break;
        case dJointTypeFixed: dJointSetFixed(j); break;
        case dJointTypeAMotor:
            dJointSetAMotorNumAxes(j, 2);
            dJointSetAMotorAxis(j, 1, 1, 0, 3, 4);
            dJointSetAMotorAngle(j, 1, 0.5);
            break;
        case dJointTypeLMotor:
            dJointSetLMotorNumAxes(j, 2);
            dJointSetLMotorAxis(j, 1, 2, 0, 3, 4);
            break;
        case dJointTypePR:
            dJointSetPRAnchor(j, 1, 2, 3);
            dJointSetPRAxis1(j, 1, 0, 0);
            dJointSetPRAxis2(j, 0, 0, 1);
            break;
        case dJointTypePU:
            dJointSetPUAnchor(j, 1, 2, 3);
            dJointSetPUAxis1(j, 0, 0, 1);
            dJointSetPUAxis2(j, 0, 1, 0);
            dJointSetPUAxis3(j, 1, 0, 0);
            break;
        case dJointTypePiston:
            dJointSetPistonAnchor(j, 1, 2, 3);
            dJointSetPistonAxis(j, 0, 3, 4);
            break;
        default: break;
        }
    }
    dJointAttach(dJointCreateBall(w, 0), 0, b);
    memset(&contact, 0, sizeof contact);
    contact.geom.normal[2] = 1;
    contact.geom.depth = 0.01;
    contact.surface.mu = dInfinity;
    contact.surface.mode = dContactBounce | dContactSoftCFM | dContactApprox1_2 | dContactFDir1;
    contact.surface.bounce = 0.5;
    contact.fdir1[0] = 1;
    dJointAttach(dJointCreateContact(w, 0, &contact), a, 0);
    dWorldExportDIF(w, stdout, "p_");
    dWorldDestroy(w);
    dCloseODE();
    return 0;
}
