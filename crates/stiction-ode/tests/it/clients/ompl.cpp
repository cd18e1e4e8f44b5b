// A pushed box through the planning library's own interface to ODE: states are written and read back between steps, at random.
#include <cstdio>
#include <ompl/extensions/ode/OpenDESimpleSetup.h>

namespace ob = ompl::base;
namespace oc = ompl::control;

class Table : public oc::OpenDEEnvironment
{
public:
    Table()
    {
        world_ = dWorldCreate();
        space_ = dHashSpaceCreate(nullptr);
        dWorldSetGravity(world_, 0, 0, -9.81);
        ground_ = dCreatePlane(space_, 0, 0, 1, 0);
        collisionSpaces_.push_back(space_);
        for (int i = 0; i < 2; i++) {
            dMass m;
            dBodyID b = dBodyCreate(world_);
            dGeomID g = dCreateBox(space_, 0.5, 0.5, 0.5);
            dMassSetBoxTotal(&m, 1 + i, 0.5, 0.5, 0.5);
            dBodySetMass(b, &m);
            dBodySetPosition(b, i * 0.6, 0, 0.26);
            dGeomSetBody(g, b);
            stateBodies_.push_back(b);
        }
        maxContacts_ = 4;
        stepSize_ = 0.02;
        verboseContacts_ = false;
    }
    ~Table() override
    {
        dSpaceDestroy(space_);
        dWorldDestroy(world_);
    }
    unsigned int getControlDimension() const override { return 2; }
    void getControlBounds(std::vector<double>& low, std::vector<double>& high) const override
    {
        low.assign(2, -20);
        high.assign(2, 20);
    }
    void applyControl(const double* control) const override { dBodyAddForce(stateBodies_[0], control[0], control[1], 0); }
    bool isValidCollision(dGeomID, dGeomID, const dContact&) const override { return true; }
    void setupContact(dGeomID, dGeomID, dContact& contact) const override
    {
        contact.surface.mode = dContactApprox1;
        contact.surface.mu = 0.4;
    }

private:
    dSpaceID space_;
    dGeomID ground_;
};

int main()
{
    dInitODE2(0);
    dRandSetSeed(1);
    {
        auto environment = std::make_shared<Table>();
        auto space = std::make_shared<oc::OpenDEStateSpace>(environment);
        auto controls = std::make_shared<oc::OpenDEControlSpace>(space);
        auto information = std::make_shared<oc::SpaceInformation>(space, controls);
        information->setStatePropagator(std::make_shared<oc::OpenDEStatePropagator>(information));
        ob::State *start = space->allocState(), *now = space->allocState();
        space->readState(start);
        oc::OpenDEStatePropagator propagator(information);
        for (int run = 0; run < 3; run++) {
            space->copyState(now, start);
            auto* control = controls->allocControl()->as<oc::OpenDEControlSpace::ControlType>();
            control->values[0] = 12 - 4 * run;
            control->values[1] = 3 * run;
            for (int i = 0; i < 20; i++) propagator.propagate(now, control, 0.04, now);
            const auto* s = now->as<oc::OpenDEStateSpace::StateType>();
            for (unsigned b = 0; b < 2; b++)
                std::printf("%d %u %.9g %.9g %.9g %.9g %.9g\n", run, b, s->getBodyPosition(b)[0], s->getBodyPosition(b)[1], s->getBodyPosition(b)[2],
                            s->getBodyLinearVelocity(b)[0], s->getBodyAngularVelocity(b)[2]);
        }
    }
    dCloseODE();
    return 0;
}
