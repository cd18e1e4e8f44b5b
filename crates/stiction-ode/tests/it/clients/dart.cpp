// Pairs of shapes through DART's own interface, its ODE collision detector behind it; prints the contacts.
#include <cstdio>
#include <dart/collision/ode/ode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/CapsuleShape.hpp>
#include <dart/dynamics/PlaneShape.hpp>
#include <dart/dynamics/SimpleFrame.hpp>
#include <dart/dynamics/SphereShape.hpp>

using namespace dart;

static dynamics::SimpleFramePtr frame(const dynamics::ShapePtr& shape, double x, double y, double z)
{
    auto f = dynamics::SimpleFrame::createShared(dynamics::Frame::World());
    f->setShape(shape);
    f->setTranslation(Eigen::Vector3d(x, y, z));
    return f;
}

int main()
{
    auto detector = collision::OdeCollisionDetector::create();
    auto box = std::make_shared<dynamics::BoxShape>(Eigen::Vector3d(1, 1, 1));
    auto ball = std::make_shared<dynamics::SphereShape>(0.5);
    auto capsule = std::make_shared<dynamics::CapsuleShape>(0.3, 1.0);
    auto ground = std::make_shared<dynamics::PlaneShape>(Eigen::Vector3d::UnitZ(), 0.0);
    struct { const char* name; dynamics::SimpleFramePtr a, b; } pairs[] = {
        {"box box", frame(box, 0, 0, 0), frame(box, 0.2, 0.1, 0.95)},
        {"ball box", frame(ball, 0, 0, 0.9), frame(box, 0, 0, 0)},
        {"ball ball", frame(ball, 0, 0, 0), frame(ball, 0.3, 0, 0.8)},
        {"capsule plane", frame(capsule, 0, 0, 0.75), frame(ground, 0, 0, 0)},
        {"box plane", frame(box, 0, 0, 0.48), frame(ground, 0, 0, 0)},
        {"ball apart", frame(ball, 0, 0, 3), frame(box, 0, 0, 0)},
    };
    for (auto& pair : pairs) {
        auto group = detector->createCollisionGroup(pair.a.get(), pair.b.get());
        collision::CollisionOption option;
        option.enableContact = true;
        collision::CollisionResult result;
        bool touches = group->collide(option, &result);
        std::printf("%s %d %zu\n", pair.name, touches, result.getNumContacts());
        for (auto& c : result.getContacts())
            std::printf("  %.9g %.9g %.9g  %.9g %.9g %.9g  %.9g\n", c.point.x(), c.point.y(), c.point.z(), c.normal.x() + 0.0, c.normal.y() + 0.0,
                        c.normal.z() + 0.0, c.penetrationDepth);
    }
    return 0;
}
