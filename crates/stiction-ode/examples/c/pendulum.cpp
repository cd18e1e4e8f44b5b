/*
 * A pendulum with the classes of C++.
 *
 *   c++ pendulum.cpp $(pkg-config --cflags --libs ode)
 */
#include <ode/ode.h>

#include <cmath>
#include <cstdio>

int main()
{
    dInitODE();
    double error;
    {
        dWorld world;
        dJointGroup group;
        dSimpleSpace space;
        dBody body(world);
        dHingeJoint hinge(world);
        dBox geom(space, 0.1, 0.1, 1);
        dMass mass;
        mass.setBoxTotal(2, 0.1, 0.1, 1);
        world.setGravity(0, 0, -9.81);
        body.setMass(mass);
        body.setPosition(0.5, 0, 0);
        geom.setBody(body);
        hinge.attach(body, 0);
        hinge.setAnchor(0, 0, 0);
        hinge.setAxis(0, 1, 0);
        hinge.setParam(dParamCFM, 0);
        for (int step = 0; step < 1000; step++) {
            space.collide(0, [](void *, dGeomID, dGeomID) {});
            world.step(0.001);
            group.empty();
        }
        const double radius = std::sqrt(std::pow(body.getPosition()[0], 2) + std::pow(body.getPosition()[2], 2));
        error = std::fabs(radius - 0.5);
        std::printf("angle %.4f rad, the radius is off by %.2e m\n", double(hinge.getAngle()), error);
    }
    dCloseODE();
    return error < 1e-3 ? 0 : 1;
}
