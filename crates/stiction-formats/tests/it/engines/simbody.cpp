// The scenes of engines.rs in Simbody, with one material for all bodies as Gazebo sets it up: boxes are meshes, the accuracy is
// SDFormat's. Prints the position of the body asked about after 1 s. The bounce is once without, once with dissipation; meshes are softer and coarser, for their time.
#include <Simbody.h>
#include <cstdio>

using namespace SimTK;

struct Scene {
  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  GeneralForceSubsystem forces{system};
  Force::Gravity gravity{forces, matter, -ZAxis, 9.8};
  ContactTrackerSubsystem tracker{system};
  CompliantContactSubsystem contact{system, tracker};
  ContactMaterial material;

  Scene(double stiffness, double dissipation, double friction)
      : material(stiffness, dissipation, friction, friction, 0) {
    contact.setTransitionVelocity(0.01);
    matter.Ground().updBody().addContactSurface(Rotation(Pi / 2, YAxis),
                                                ContactSurface(ContactGeometry::HalfSpace(), material));
  }

  MobilizedBody::Free add(double mass, const Vec3 &inertia, const ContactSurface *surface, const Vec3 &position) {
    Body::Rigid body(MassProperties(mass, Vec3(0), Inertia(inertia)));
    if (surface) body.addContactSurface(Transform(), *surface);
    MobilizedBody::Free free(matter.Ground(), Transform(), body, Transform());
    free.setDefaultTransform(Transform(position));
    return free;
  }

  ContactSurface ball(double radius) { return ContactSurface(ContactGeometry::Sphere(radius), material); }

  ContactSurface box(const Vec3 &size) {
    return ContactSurface(ContactGeometry::TriangleMesh(PolygonalMesh::createBrickMesh(size / 2, 2)), material, 1);
  }

  void run(const char *name, const MobilizedBody &body, const Vec3 &velocity, double accuracy = 1e-3) {
    State state = system.realizeTopology();
    system.realizeModel(state);
    if (velocity.norm() > 0) MobilizedBody::Free::downcast(body).setU(state, Vec6(0, 0, 0, velocity[0], velocity[1], velocity[2]));
    RungeKuttaMersonIntegrator integrator(system);
    integrator.setAccuracy(accuracy);
    TimeStepper stepper(system, integrator);
    stepper.initialize(state);
    stepper.stepTo(1.0);
    const State &end = integrator.getState();
    system.realize(end, Stage::Position);
    Vec3 p = body.findStationLocationInGround(end, body.getBodyMassCenterStation(end));
    std::printf("%s %.9g %.9g %.9g\n", name, p[0], p[1], p[2]);
  }
};

int main() {
  {
    Scene s(1e6, 100, 0.3);
    ContactSurface box = s.box(Vec3(0.4, 0.4, 0.2));
    auto b = s.add(2, Vec3(0.0333333, 0.0333333, 0.0533333), &box, Vec3(0, 0, 0.1));
    s.run("slide", b, Vec3(3, 1, 0));
  }
  for (double dissipation : {0.0, 0.1}) {
    Scene s(1e7, dissipation, 0.3);
    ContactSurface ball = s.ball(0.1);
    auto b = s.add(1, Vec3(0.004), &ball, Vec3(0, 0, 0.6));
    s.run(dissipation == 0 ? "bounce" : "damped_bounce", b, Vec3(0), 1e-7);
  }
  {
    Scene s(1e8, 100, 0.3);
    Body::Rigid body(MassProperties(1, Vec3(0), Inertia(0.0308333, 0.00166667, 0.0308333)));
    // Pins turn about z: theirs is the world's y, and the rod lies along the world's x.
    MobilizedBody::Pin b(s.matter.Ground(), Transform(Rotation(-Pi / 2, XAxis), Vec3(0, 0, 2)), body,
                         Transform(Vec3(0, 0.3, 0)));
    b.setDefaultAngle(Pi / 2);
    s.run("pendulum", b, Vec3(0));
  }
  {
    Scene s(1e6, 100, 0.3);
    ContactSurface box = s.box(Vec3(0.5));
    MobilizedBody last;
    for (int k = 0; k < 5; ++k) last = s.add(2, Vec3(0.0833333), &box, Vec3(0, 0, 0.25 + 0.5 * k));
    s.run("stack", last, Vec3(0));
  }
  {
    Scene s(1e8, 100, 0.3);
    ContactSurface ball = s.ball(0.1);
    auto b = s.add(1, Vec3(0.004), &ball, Vec3(0, 0, 0.1));
    s.run("roll", b, Vec3(2, 0, 0));
  }
}
