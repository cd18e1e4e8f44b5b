// The scenes of engines.rs in Bullet, as Gazebo sets it up: two friction directions, split impulse from 1 cm on, the smaller
// coefficient of friction. Prints the position of the body asked about after 1 s.
#include <btBulletDynamicsCommon.h>
#include <cstdio>
#include <vector>

extern ContactAddedCallback gContactAddedCallback;

static bool smaller_friction(btManifoldPoint &point, const btCollisionObjectWrapper *a, int, int,
                             const btCollisionObjectWrapper *b, int, int) {
  point.m_combinedFriction = btMin(a->getCollisionObject()->getFriction(), b->getCollisionObject()->getFriction());
  return true;
}

struct Scene {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
  std::vector<btRigidBody *> bodies;

  Scene() {
    world.setGravity(btVector3(0, 0, -9.8));
    btContactSolverInfo &info = world.getSolverInfo();
    info.m_splitImpulse = true;
    info.m_splitImpulsePenetrationThreshold = -0.01;
    info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    info.m_globalCfm = 0;
    info.m_erp = 0.2;
    info.m_numIterations = 50;
    info.m_sor = 1.3;
    gContactAddedCallback = smaller_friction;
  }

  btRigidBody *add(btCollisionShape *shape, double mass, btVector3 inertia, btVector3 position, double friction,
                   double restitution) {
    auto *motion = new btDefaultMotionState(btTransform(btQuaternion::getIdentity(), position));
    btRigidBody::btRigidBodyConstructionInfo info(mass, motion, shape, inertia);
    info.m_friction = friction;
    info.m_restitution = restitution;
    auto *body = new btRigidBody(info);
    body->setActivationState(DISABLE_DEACTIVATION);
    body->setCollisionFlags(body->getCollisionFlags() | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
    world.addRigidBody(body);
    bodies.push_back(body);
    return body;
  }

  void ground(double friction, double restitution) {
    add(new btStaticPlaneShape(btVector3(0, 0, 1), 0), 0, btVector3(0, 0, 0), btVector3(0, 0, 0), friction, restitution);
  }

  void run(const char *name, btRigidBody *body) {
    for (int step = 0; step < 1000; ++step) world.stepSimulation(1e-3, 1, 1e-3);
    btVector3 p = body->getCenterOfMassPosition();
    std::printf("%s %.9g %.9g %.9g\n", name, double(p.x()), double(p.y()), double(p.z()));
  }
};

static btCollisionShape *box(double x, double y, double z) { return new btBoxShape(btVector3(x / 2, y / 2, z / 2)); }

int main() {
  {
    Scene s;
    s.ground(0.5, 0);
    auto *b = s.add(box(0.4, 0.4, 0.2), 2, btVector3(0.0333333, 0.0333333, 0.0533333), btVector3(0, 0, 0.1), 0.2, 0);
    b->setLinearVelocity(btVector3(3, 0, 0));
    s.run("slide", b);
  }
  {
    Scene s;
    s.ground(0.5, 0.9);
    // From where the steps end at a gap of zero: Bullet takes gap / step off the speed of a bounce.
    double z = 0.1 + 9.8e-6 * 451 * 452 / 2;
    auto *b = s.add(new btSphereShape(0.1), 1, btVector3(0.004, 0.004, 0.004), btVector3(0, 0, z), 0.5, 0.95);
    s.run("bounce", b);
  }
  {
    Scene s;
    auto *b = s.add(box(0.1, 0.1, 0.6), 1, btVector3(0.0308333, 0.0308333, 0.00166667), btVector3(0.3, 0, 2), 0.5, 0);
    b->setCenterOfMassTransform(btTransform(btQuaternion(btVector3(0, 1, 0), SIMD_HALF_PI), btVector3(0.3, 0, 2)));
    auto *hinge = new btHingeConstraint(*b, btVector3(0, 0, -0.3), btVector3(0, 1, 0), true);
    s.world.addConstraint(hinge);
    s.run("pendulum", b);
  }
  {
    Scene s;
    s.ground(0.5, 0);
    btRigidBody *b = nullptr;
    for (int k = 0; k < 5; ++k)
      b = s.add(box(0.5, 0.5, 0.5), 2, btVector3(0.0833333, 0.0833333, 0.0833333), btVector3(0, 0, 0.25 + 0.5 * k), 0.5, 0);
    s.run("stack", b);
  }
  {
    Scene s;
    s.ground(0.5, 0);
    auto *b = s.add(new btSphereShape(0.1), 1, btVector3(0.004, 0.004, 0.004), btVector3(0, 0, 0.1), 0.3, 0);
    b->setLinearVelocity(btVector3(2, 0, 0));
    s.run("roll", b);
  }
}
