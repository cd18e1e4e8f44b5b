// PhysX (CPU). Variant: pgs|tgs [articulations]. 4 position and 1 velocity iterations (default), no sleeping; contacts are touching pairs.
#include <PxPhysicsAPI.h>
#include "../common/harness.hpp"
using namespace physx;
static PxVec3 T(hb::V3 v) { return PxVec3(v.x, v.y, v.z); }
static PxQuat T(hb::Q q) { return PxQuat(q.x, q.y, q.z, q.w).getNormalized(); }
static PxDefaultAllocator gAlloc; static PxDefaultErrorCallback gErr;
static PxFilterFlags shader(PxFilterObjectAttributes, PxFilterData a, PxFilterObjectAttributes, PxFilterData b, PxPairFlags& f, const void*, PxU32) { if (a.word0 && a.word0 == b.word0) return PxFilterFlag::eSUPPRESS; f = PxPairFlag::eCONTACT_DEFAULT; return PxFilterFlag::eDEFAULT; }
struct Px {
    const hb::Scene& s; PxFoundation* f; PxPhysics* p; PxScene* sc; std::vector<PxRigidBody*> b; hb::PD pd; bool art; PxSimulationStatistics st;
    Px(const hb::Scene& x, bool tgs, int threads, bool articulated) : s(x), art(articulated && !x.joints.empty()) {
        f = PxCreateFoundation(PX_PHYSICS_VERSION, gAlloc, gErr); p = PxCreatePhysics(PX_PHYSICS_VERSION, *f, PxTolerancesScale()); PxInitExtensions(*p, nullptr);
        PxSceneDesc d(p->getTolerancesScale()); d.gravity = T(s.g); d.cpuDispatcher = PxDefaultCpuDispatcherCreate(threads > 1 ? threads : 0); d.filterShader = shader; d.solverType = tgs ? PxSolverType::eTGS : PxSolverType::ePGS; sc = p->createScene(d);
        auto m = p->createMaterial(s.mu, s.mu, 0);
        auto stat = [&](const PxGeometry& g, PxTransform t) { auto a = p->createRigidStatic(t); a->attachShape(*p->createShape(g, *m, true)); sc->addActor(*a); };
        if (s.plane) { auto a = PxCreatePlane(*p, PxPlane(0, 0, 1, 0), *m); sc->addActor(*a); }
        for (auto& q : s.sboxes) stat(PxBoxGeometry(T(q.h)), PxTransform(T(q.p)));
        if (s.hn) { int n = s.hn; std::vector<PxVec3> v; std::vector<PxU32> ix; for (int r = 0; r < n; r++) for (int c = 0; c < n; c++) v.push_back(PxVec3(-s.hsx + 2 * s.hsx * c / (n - 1), -s.hsy + 2 * s.hsy * r / (n - 1), s.h[r * n + c]));
            for (int r = 0; r + 1 < n; r++) for (int c = 0; c + 1 < n; c++) { PxU32 a = r * n + c; for (PxU32 t : {a, a + 1, a + n + 1, a, a + n + 1, a + n}) ix.push_back(t); }
            PxTriangleMeshDesc td; td.points.count = v.size(); td.points.stride = 12; td.points.data = v.data(); td.triangles.count = ix.size() / 3; td.triangles.stride = 12; td.triangles.data = ix.data();
            stat(PxTriangleMeshGeometry(PxCreateTriangleMesh(PxCookingParams(p->getTolerancesScale()), td, p->getPhysicsInsertionCallback())), PxTransform(PxIdentity)); }
        int n = s.bodies.size(); b.resize(n);
        auto dress = [&](PxRigidBody* y, const hb::Body& x) {
            PxShape* sh = nullptr; PxTransform off(PxIdentity);
            if (x.group >= 0) { if (x.kind == 's') { sh = p->createShape(PxSphereGeometry(x.s[0]), *m, true); off.p = PxVec3(x.s[1], x.s[2], x.s[3]); } if (x.kind == 'b') sh = p->createShape(PxBoxGeometry(x.s[0], x.s[1], x.s[2]), *m, true);
                if (x.kind == 'c') { sh = p->createShape(PxCapsuleGeometry(x.s[0], x.s[1]), *m, true); off.q = PxQuat(PxHalfPi, PxVec3(0, 1, 0)); } }
            if (sh) { sh->setLocalPose(off); sh->setSimulationFilterData(PxFilterData(x.group, 0, 0, 0)); y->attachShape(*sh); }
            y->setMass(x.m); y->setMassSpaceInertiaTensor(T(x.I)); y->setCMassLocalPose(PxTransform(PxIdentity)); y->setLinearDamping(0); y->setAngularDamping(0); };
        hb::V3 ex{1, 0, 0};
        auto frame = [&](hb::V3 ax) { hb::V3 c = hb::cross(ex, ax); hb::Q q{1 + hb::dot(ex, ax), c.x, c.y, c.z}; double l = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z); return hb::Q{q.w / l, q.x / l, q.y / l, q.z / l}; };
        if (!art) {
            for (int i = 0; i < n; i++) { auto& y = s.bodies[i]; auto r = p->createRigidDynamic(PxTransform(T(y.p), T(y.q))); dress(r, y); r->setSleepThreshold(0); r->setLinearVelocity(T(y.v)); r->setAngularVelocity(T(y.w)); sc->addActor(*r); b[i] = r; }
            for (auto& j : s.joints) { auto& y = s.bodies[j.b]; hb::Q qa = j.a >= 0 ? s.bodies[j.a].q : hb::Q{1, 0, 0, 0}; hb::V3 pa = j.a >= 0 ? s.bodies[j.a].p : hb::V3{}; hb::Q fr = frame(j.axis);
                PxTransform fa(T(hb::rot(hb::conj(qa), j.anchor - pa)), T(hb::mul(hb::conj(qa), fr))), fb(T(hb::rot(hb::conj(y.q), j.anchor - y.p)), T(hb::mul(hb::conj(y.q), fr)));
                PxRigidActor* A = j.a >= 0 ? b[j.a] : nullptr; if (j.hinge) PxRevoluteJointCreate(*p, A, fa, b[j.b], fb); else PxSphericalJointCreate(*p, A, fa, b[j.b], fb); }
            pd.init(s);
        } else {
            std::vector<int> jo(n, -1); std::vector<std::vector<int>> ch(n); for (size_t k = 0; k < s.joints.size(); k++) { jo[s.joints[k].b] = k; if (s.joints[k].a >= 0) ch[s.joints[k].a].push_back(s.joints[k].b); }
            for (int i = 0; i < n; i++) if (jo[i] < 0 || s.joints[jo[i]].a < 0) {
                auto a = p->createArticulationReducedCoordinate(); bool fixed = jo[i] >= 0; a->setSleepThreshold(0); PxArticulationLink* root = nullptr;
                if (fixed) { a->setArticulationFlag(PxArticulationFlag::eFIX_BASE, true); root = a->createLink(nullptr, PxTransform(T(s.joints[jo[i]].anchor))); root->setMass(1); root->setMassSpaceInertiaTensor(PxVec3(1)); }
                std::vector<std::pair<int, PxArticulationLink*>> stk{{i, root}};
                while (!stk.empty()) { auto [k, par] = stk.back(); stk.pop_back(); auto& y = s.bodies[k]; auto l = a->createLink(par, PxTransform(T(y.p), T(y.q))); dress(l, y); l->setMaxAngularVelocity(1e3f); b[k] = l;
                    if (par) { auto& j = s.joints[jo[k]]; auto jt = l->getInboundJoint(); hb::Q qa = j.a >= 0 ? s.bodies[j.a].q : hb::Q{1, 0, 0, 0}; hb::V3 pa = j.a >= 0 ? s.bodies[j.a].p : j.anchor; hb::Q fr = frame(j.axis);
                        jt->setParentPose(PxTransform(T(hb::rot(hb::conj(qa), j.anchor - pa)), T(hb::mul(hb::conj(qa), fr)))); jt->setChildPose(PxTransform(T(hb::rot(hb::conj(y.q), j.anchor - y.p)), T(hb::mul(hb::conj(y.q), fr)))); jt->setFrictionCoefficient(0);
                        jt->setJointType(j.hinge ? PxArticulationJointType::eREVOLUTE : PxArticulationJointType::eSPHERICAL); jt->setMotion(PxArticulationAxis::eTWIST, PxArticulationMotion::eFREE);
                        if (!j.hinge) { jt->setMotion(PxArticulationAxis::eSWING1, PxArticulationMotion::eFREE); jt->setMotion(PxArticulationAxis::eSWING2, PxArticulationMotion::eFREE); }
                        if (j.kp > 0) jt->setDriveParams(PxArticulationAxis::eTWIST, PxArticulationDrive(j.kp, j.kd, 1e6f)); }
                    for (int c : ch[k]) stk.push_back({c, l}); }
                sc->addArticulation(*a); }
        }
    }
    hb::State get(int i) { auto t = b[i]->getGlobalPose(); auto v = b[i]->getLinearVelocity(), w = b[i]->getAngularVelocity(); return {{t.p.x, t.p.y, t.p.z}, {t.q.w, t.q.x, t.q.y, t.q.z}, {v.x, v.y, v.z}, {w.x, w.y, w.z}}; }
    void step(double dt) { if (!art) pd.apply([&](int i) { return get(i); }, [&](int i, hb::V3 t) { b[i]->addTorque(T(t)); }); sc->simulate(dt); sc->fetchResults(true); }
    int contacts() { sc->getSimulationStatistics(st); return st.nbDiscreteContactPairsWithContacts; }
};
extern "C" int physx_peer(int count, const char* const* words) {
    auto o = hb::options(count, words); bool tgs = !strcmp(o.word(0, "pgs"), "tgs"), articulated = !strcmp(o.word(1, ""), "articulations");
    Px x(o.scene, tgs, o.threads, articulated); char version[32]; snprintf(version, 32, "%d.%d.%d", PX_PHYSICS_VERSION_MAJOR, PX_PHYSICS_VERSION_MINOR, PX_PHYSICS_VERSION_BUGFIX);
    hb::run(x, o, version, std::string("f32 ") + (tgs ? "TGS" : "PGS") + " 4+1" + (x.art ? " articulations" : "")); fflush(stdout); return 0;
}
