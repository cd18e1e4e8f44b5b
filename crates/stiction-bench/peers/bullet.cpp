// Bullet. Variant: si|nncg|mb [SWEEPS]; mb: joint trees as btMultiBody. Warm start, one friction direction (default), no sleeping.
#include <btBulletDynamicsCommon.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcherMt.h>
#include <BulletDynamics/ConstraintSolver/btNNCGConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include "common/harness.hpp"
using namespace hb;
static btVector3 B(V3 v) { return btVector3(v.x, v.y, v.z); }
static btQuaternion B(Q q) { return btQuaternion(q.x, q.y, q.z, q.w); }
struct Bul {
    const Scene& s; btDefaultCollisionConfiguration cc; btCollisionDispatcher disp; btDbvtBroadphase bp; btDiscreteDynamicsWorld* w; btMultiBodyDynamicsWorld* mw = nullptr;
    struct Ref { btRigidBody* rb = nullptr; btMultiBody* mb = nullptr; int link = -1; };
    std::vector<Ref> r; PD pd; bool multi; struct MJ { btMultiBody* mb; int link; double kp, kd; }; std::vector<MJ> mj;
    btCollisionShape* shape(const Body& x) {
        if (x.kind == 's') { auto sp = new btSphereShape(x.s[0]); if (x.s[1] || x.s[2] || x.s[3]) { auto c = new btCompoundShape(); btTransform t; t.setIdentity(); t.setOrigin(btVector3(x.s[1], x.s[2], x.s[3])); c->addChildShape(t, sp); return c; } return sp; }
        if (x.kind == 'b') return new btBoxShape(btVector3(x.s[0], x.s[1], x.s[2]));
        if (x.kind == 'c') return new btCapsuleShapeZ(x.s[0], 2 * x.s[1]);
        return nullptr;
    }
    Bul(const Scene& sc, const char* mode, int it) : s(sc), disp(&cc), multi(!strcmp(mode, "mb") && !sc.joints.empty()) {
        if (multi) w = mw = new btMultiBodyDynamicsWorld(&disp, &bp, new btMultiBodyConstraintSolver(), &cc);
        else w = new btDiscreteDynamicsWorld(&disp, &bp, !strcmp(mode, "nncg") ? new btNNCGConstraintSolver() : new btSequentialImpulseConstraintSolver(), &cc);
        w->setGravity(B(s.g)); w->getSolverInfo().m_numIterations = it; w->getSolverInfo().m_solverMode = SOLVER_USE_WARMSTARTING | SOLVER_SIMD;
        auto stat = [&](btCollisionShape* sh, V3 p) { auto c = new btRigidBody(0, nullptr, sh); c->setWorldTransform(btTransform(btQuaternion::getIdentity(), B(p))); c->setFriction(1); w->addRigidBody(c, 1, -1); };
        if (s.plane) stat(new btStaticPlaneShape(btVector3(0, 0, 1), 0), {0, 0, 0});
        for (auto& x : s.sboxes) stat(new btBoxShape(B(x.h)), x.p);
        if (s.hn) { auto t = new btTriangleMesh(); int n = s.hn; auto P = [&](int rr, int c) { return btVector3(-s.hsx + 2 * s.hsx * c / (n - 1), -s.hsy + 2 * s.hsy * rr / (n - 1), s.h[rr * n + c]); };
            for (int i = 0; i + 1 < n; i++) for (int c = 0; c + 1 < n; c++) { t->addTriangle(P(i, c), P(i, c + 1), P(i + 1, c + 1)); t->addTriangle(P(i, c), P(i + 1, c + 1), P(i + 1, c)); }
            stat(new btBvhTriangleMeshShape(t, true), {0, 0, 0}); }
        int n = s.bodies.size(); r.resize(n);
        auto grp = [&](int g) { return g <= 0 ? 1 : 1 << (1 + g % 29); };
        if (!multi) {
            for (int i = 0; i < n; i++) { auto& x = s.bodies[i]; auto sh = shape(x); if (!sh) sh = new btEmptyShape();
                btRigidBody::btRigidBodyConstructionInfo ci(x.m, nullptr, sh, B(x.I)); ci.m_startWorldTransform = btTransform(B(x.q), B(x.p)); ci.m_friction = s.mu; ci.m_linearDamping = 0; ci.m_angularDamping = 0;
                auto b = new btRigidBody(ci); b->setLinearVelocity(B(x.v)); b->setAngularVelocity(B(x.w)); b->setActivationState(DISABLE_DEACTIVATION); b->setFriction(s.mu);
                if (x.group < 0 || x.kind == 'n') w->addRigidBody(b, 0, 0); else w->addRigidBody(b, grp(x.group), x.group ? ~grp(x.group) : -1);
                r[i].rb = b; }
            for (auto& j : s.joints) { auto b = r[j.b].rb; auto iv = [](btRigidBody* q, btVector3 p) { return q->getWorldTransform().inverse() * p; };
                btVector3 a(B(j.anchor)); btVector3 ax(B(j.axis)); btTypedConstraint* c;
                if (j.hinge) { auto lb = b->getWorldTransform().getBasis().transpose() * ax;
                    if (j.a >= 0) { auto p = r[j.a].rb; c = new btHingeConstraint(*p, *b, iv(p, a), iv(b, a), p->getWorldTransform().getBasis().transpose() * ax, lb); } else c = new btHingeConstraint(*b, iv(b, a), lb);
                } else { if (j.a >= 0) { auto p = r[j.a].rb; c = new btPoint2PointConstraint(*p, *b, iv(p, a), iv(b, a)); } else c = new btPoint2PointConstraint(*b, iv(b, a)); }
                w->addConstraint(c, true); }
            pd.init(s);
        } else {
            std::vector<int> par(n, -2), jo(n, -1), root(n), link(n, -1); std::vector<std::vector<int>> ch(n);
            for (size_t k = 0; k < s.joints.size(); k++) { par[s.joints[k].b] = s.joints[k].a; jo[s.joints[k].b] = k; if (s.joints[k].a >= 0) ch[s.joints[k].a].push_back(s.joints[k].b); }
            for (int i = 0; i < n; i++) if (par[i] < 0) {
                std::vector<int> o; bool fixed = par[i] == -1; std::vector<int> st{i}; while (!st.empty()) { int b = st.back(); st.pop_back(); o.push_back(b); for (int c : ch[b]) st.push_back(c); }
                int nl = fixed ? o.size() : o.size() - 1; auto& x = s.bodies[i];
                auto m = new btMultiBody(nl, fixed ? 0 : x.m, fixed ? btVector3(0, 0, 0) : B(x.I), fixed, false);
                Q bq = fixed ? Q{1, 0, 0, 0} : x.q; V3 bpos = fixed ? s.joints[jo[i]].anchor : x.p; m->setBasePos(B(bpos)); m->setWorldToBaseRot(B(bq).inverse()); m->setHasSelfCollision(false); m->setLinearDamping(0); m->setAngularDamping(0); m->setCanSleep(false);
                int li = 0; for (int b : o) { if (b == i && !fixed) { r[b] = {nullptr, m, -1}; continue; } link[b] = li; auto& y = s.bodies[b]; auto& j = s.joints[jo[b]];
                    Q pq = par[b] >= 0 ? s.bodies[par[b]].q : bq; V3 pp = par[b] >= 0 ? s.bodies[par[b]].p : bpos; int pl = par[b] >= 0 ? link[par[b]] : -1;
                    btQuaternion rel = B(mul(conj(y.q), pq)); btVector3 p2j = B(rot(conj(pq), j.anchor - pp)), j2c = B(rot(conj(y.q), y.p - j.anchor));
                    if (j.hinge) m->setupRevolute(li, y.m, B(y.I), pl, rel, B(rot(conj(y.q), j.axis)), p2j, j2c, true); else m->setupSpherical(li, y.m, B(y.I), pl, rel, p2j, j2c, true);
                    if (j.kp > 0) mj.push_back({m, li, j.kp, j.kd}); r[b] = {nullptr, m, li}; li++; }
                m->finalizeMultiDof(); mw->addMultiBody(m);
                for (int b : o) { auto& y = s.bodies[b]; auto sh = y.group < 0 ? nullptr : shape(y); if (!sh) continue; auto col = new btMultiBodyLinkCollider(m, r[b].link); col->setCollisionShape(sh); col->setWorldTransform(btTransform(B(y.q), B(y.p))); col->setFriction(s.mu);
                    w->addCollisionObject(col, grp(y.group), y.group ? ~grp(y.group) : -1); if (r[b].link < 0) m->setBaseCollider(col); else m->getLink(r[b].link).m_collider = col; col->setActivationState(DISABLE_DEACTIVATION); }
            }
        }
    }
    State get(int i) {
        if (r[i].rb) { auto& t = r[i].rb->getWorldTransform(); auto q = t.getRotation(); auto p = t.getOrigin(); auto v = r[i].rb->getLinearVelocity(), a = r[i].rb->getAngularVelocity(); return {{p.x(), p.y(), p.z()}, {q.w(), q.x(), q.y(), q.z()}, {v.x(), v.y(), v.z()}, {a.x(), a.y(), a.z()}}; }
        auto m = r[i].mb; btVector3 p; btQuaternion q; if (r[i].link < 0) { p = m->getBasePos(); q = m->getWorldToBaseRot().inverse(); } else { p = m->localPosToWorld(r[i].link, btVector3(0, 0, 0)); btMatrix3x3 I; I.setIdentity(); m->localFrameToWorld(r[i].link, I).getRotation(q); }
        return {{p.x(), p.y(), p.z()}, {q.w(), q.x(), q.y(), q.z()}, {NAN, NAN, NAN}, {NAN, NAN, NAN}};
    }
    void step(double dt) {
        if (multi) for (auto& j : mj) j.mb->addJointTorque(j.link, -j.kp * j.mb->getJointPos(j.link) - j.kd * j.mb->getJointVel(j.link));
        else pd.apply([&](int i) { return get(i); }, [&](int i, V3 t) { r[i].rb->applyTorque(B(t)); });
        w->stepSimulation(dt, 0);
    }
    int contacts() { int c = 0; for (int i = 0; i < disp.getNumManifolds(); i++) { auto m = disp.getManifoldByIndexInternal(i); for (int k = 0; k < m->getNumContacts(); k++) c += m->getContactPoint(k).getDistance() < 0.01; } return c; }
};
int main(int count, char** words) {
    auto o = options(count, words); const char* mode = o.word(0, "si"); int sweeps = o.number(1, 10);
    Bul b(o.scene, mode, sweeps); run(b, o, PEER_VERSION, std::string(sizeof(btScalar) == 8 ? "f64 " : "f32 ") + (b.multi ? "multibody" : mode) + " " + std::to_string(sweeps));
}
