// The scenes of engines.rs in DART, with its own collision detector and a box as the ground. Prints the position of the body asked
// about after 1 s.
#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>
#include <cstdio>

using namespace dart;
using namespace dart::dynamics;

static simulation::WorldPtr world() {
  auto world = simulation::World::create();
  world->setGravity(Eigen::Vector3d(0, 0, -9.8));
  world->setTimeStep(1e-3);
  world->getConstraintSolver()->setCollisionDetector(collision::DARTCollisionDetector::create());
  return world;
}

static void surface(ShapeNode *shape, double friction, double restitution) {
  shape->getDynamicsAspect()->setFrictionCoeff(friction);
  shape->getDynamicsAspect()->setRestitutionCoeff(restitution);
}

static void ground(const simulation::WorldPtr &world, double friction, double restitution) {
  auto skeleton = Skeleton::create("ground");
  auto *body = skeleton->createJointAndBodyNodePair<WeldJoint>().second;
  auto *shape = body->createShapeNodeWith<CollisionAspect, DynamicsAspect>(
      std::make_shared<BoxShape>(Eigen::Vector3d(100, 100, 1)));
  shape->setRelativeTranslation(Eigen::Vector3d(0, 0, -0.5));
  surface(shape, friction, restitution);
  world->addSkeleton(skeleton);
}

static BodyNode *body(const simulation::WorldPtr &world, const std::string &name, const ShapePtr &shape, double mass,
                      const Eigen::Vector3d &inertia, const Eigen::Vector3d &position, double friction, double restitution) {
  auto skeleton = Skeleton::create(name);
  auto pair = skeleton->createJointAndBodyNodePair<FreeJoint>();
  auto *node = pair.second->createShapeNodeWith<CollisionAspect, DynamicsAspect>(shape);
  surface(node, friction, restitution);
  pair.second->setInertia(Inertia(mass, Eigen::Vector3d::Zero(), inertia.asDiagonal().toDenseMatrix()));
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() = position;
  pair.first->setTransform(pose);
  world->addSkeleton(skeleton);
  return pair.second;
}

static void run(const char *name, const simulation::WorldPtr &world, BodyNode *body) {
  for (int step = 0; step < 1000; ++step) world->step();
  Eigen::Vector3d p = body->getCOM();
  std::printf("%s %.9g %.9g %.9g\n", name, p.x(), p.y(), p.z());
}

static void push(BodyNode *body, const Eigen::Vector3d &velocity) {
  static_cast<FreeJoint *>(body->getParentJoint())->setLinearVelocity(velocity);
}

int main() {
  {
    auto w = world();
    ground(w, 0.5, 0);
    auto *b = body(w, "box", std::make_shared<BoxShape>(Eigen::Vector3d(0.4, 0.4, 0.2)), 2,
                   Eigen::Vector3d(0.0333333, 0.0333333, 0.0533333), Eigen::Vector3d(0, 0, 0.1), 0.3, 0);
    push(b, Eigen::Vector3d(3, 1, 0));
    run("slide", w, b);
  }
  {
    auto w = world();
    ground(w, 0.5, 0.9);
    auto *b = body(w, "ball", std::make_shared<SphereShape>(0.1), 1, Eigen::Vector3d::Constant(0.004),
                   Eigen::Vector3d(0, 0, 0.1 - 1e-6 + 9.8e-6 * 451 * 452 / 2), 0.5, 0.95);
    run("bounce", w, b);
  }
  {
    auto w = world();
    auto skeleton = Skeleton::create("rod");
    RevoluteJoint::Properties joint;
    joint.mAxis = Eigen::Vector3d::UnitY();
    joint.mT_ParentBodyToJoint.translation() = Eigen::Vector3d(0, 0, 2);
    joint.mT_ChildBodyToJoint.translation() = Eigen::Vector3d(-0.3, 0, 0);
    auto *b = skeleton->createJointAndBodyNodePair<RevoluteJoint>(nullptr, joint).second;
    b->setInertia(Inertia(1, Eigen::Vector3d::Zero(), Eigen::Vector3d(0.00166667, 0.0308333, 0.0308333).asDiagonal().toDenseMatrix()));
    w->addSkeleton(skeleton);
    run("pendulum", w, b);
  }
  {
    auto w = world();
    ground(w, 0.5, 0);
    BodyNode *b = nullptr;
    for (int k = 0; k < 5; ++k)
      b = body(w, "box" + std::to_string(k), std::make_shared<BoxShape>(Eigen::Vector3d::Constant(0.5)), 2,
               Eigen::Vector3d::Constant(0.0833333), Eigen::Vector3d(0, 0, 0.25 + 0.5 * k), 0.5, 0);
    run("stack", w, b);
  }
  {
    auto w = world();
    ground(w, 0.5, 0);
    auto *b = body(w, "ball", std::make_shared<SphereShape>(0.1), 1, Eigen::Vector3d::Constant(0.004),
                   Eigen::Vector3d(0, 0, 0.1), 0.3, 0);
    push(b, Eigen::Vector3d(2, 0, 0));
    run("roll", w, b);
  }
}
