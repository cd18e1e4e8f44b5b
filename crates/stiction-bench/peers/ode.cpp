// ODE. Variant: quick|world [SWEEPS]. ERP 0.2, CFM 1e-9, surface layer 1 mm, friction pyramid (dContactApprox1), 8 contacts a pair, no auto-disable.
#include <ode/ode.h>
#include "common/harness.hpp"
using namespace hb;
struct Ode {
    const Scene& s; dWorldID w; dSpaceID sp; dJointGroupID cg; std::vector<dBodyID> b; bool quick; int nc = 0; PD pd; dThreadingThreadPoolID pool = nullptr;
    Ode(const Scene& sc, bool q, int it, int threads) : s(sc), quick(q) {
        static bool once = (dInitODE2(0), dAllocateODEDataForThread(dAllocateMaskAll), true); (void)once;
        w = dWorldCreate(); sp = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ); cg = dJointGroupCreate(0);
        if (s.hn || s.bodies.size() >= 1000) { dSpaceDestroy(sp); sp = dHashSpaceCreate(nullptr); dHashSpaceSetLevels(sp, -2, 6); }
        dWorldSetGravity(w, s.g.x, s.g.y, s.g.z); dWorldSetQuickStepNumIterations(w, it);
        dWorldSetERP(w, 0.2); dWorldSetCFM(w, 1e-9); dWorldSetContactSurfaceLayer(w, 0.001); dWorldSetContactMaxCorrectingVel(w, 10.0);
        dWorldSetStepMemoryReservationPolicy(w, nullptr);
        if (threads > 1) {
            auto impl = dThreadingAllocateMultiThreadedImplementation(); pool = dThreadingAllocateThreadPool(threads, 0, dAllocateFlagBasicData, nullptr);
            dThreadingThreadPoolServeMultiThreadedImplementation(pool, impl); dWorldSetStepThreadingImplementation(w, dThreadingImplementationGetFunctions(impl), impl);
            dWorldSetStepIslandsProcessingMaxThreadCount(w, threads);
        }
        if (s.plane) dCreatePlane(sp, 0, 0, 1, 0);
        for (auto& x : s.sboxes) { auto g = dCreateBox(sp, 2 * x.h.x, 2 * x.h.y, 2 * x.h.z); dGeomSetPosition(g, x.p.x, x.p.y, x.p.z); }
        if (s.hn) {
            static std::vector<double> vs; static std::vector<dTriIndex> ix; int n = s.hn;
            for (int r = 0; r < n; r++) for (int c = 0; c < n; c++) { vs.push_back(-s.hsx + 2 * s.hsx * c / (n - 1)); vs.push_back(-s.hsy + 2 * s.hsy * r / (n - 1)); vs.push_back(s.h[r * n + c]); }
            for (int r = 0; r + 1 < n; r++) for (int c = 0; c + 1 < n; c++) { unsigned a = r * n + c; for (unsigned t : {a, a + 1, a + n + 1, a, a + n + 1, a + n}) ix.push_back(t); }
            auto d = dGeomTriMeshDataCreate(); dGeomTriMeshDataBuildDouble(d, vs.data(), 24, vs.size() / 3, ix.data(), ix.size(), 3 * sizeof(dTriIndex)); dCreateTriMesh(sp, d, 0, 0, 0);
        }
        for (auto& x : s.bodies) {
            auto y = dBodyCreate(w); dMass m; dMassSetParameters(&m, x.m, 0, 0, 0, x.I.x, x.I.y, x.I.z, 0, 0, 0); dBodySetMass(y, &m);
            dBodySetPosition(y, x.p.x, x.p.y, x.p.z); dReal q[4] = {x.q.w, x.q.x, x.q.y, x.q.z}; dBodySetQuaternion(y, q);
            dBodySetLinearVel(y, x.v.x, x.v.y, x.v.z); dBodySetAngularVel(y, x.w.x, x.w.y, x.w.z);
            dGeomID g = nullptr;
            if (x.group >= 0) { if (x.kind == 's') g = dCreateSphere(sp, x.s[0]); else if (x.kind == 'b') g = dCreateBox(sp, 2 * x.s[0], 2 * x.s[1], 2 * x.s[2]); else if (x.kind == 'c') g = dCreateCapsule(sp, x.s[0], 2 * x.s[1]); }
            if (g) { dGeomSetBody(g, y); if (x.kind == 's') dGeomSetOffsetPosition(g, x.s[1], x.s[2], x.s[3]); dGeomSetData(g, (void*)(size_t)x.group); }
            b.push_back(y);
        }
        for (auto& j : s.joints) {
            dBodyID A = j.a >= 0 ? b[j.a] : nullptr;
            if (j.hinge) { auto y = dJointCreateHinge(w, 0); dJointAttach(y, b[j.b], A); dJointSetHingeAnchor(y, j.anchor.x, j.anchor.y, j.anchor.z); dJointSetHingeAxis(y, j.axis.x, j.axis.y, j.axis.z); }
            else { auto y = dJointCreateBall(w, 0); dJointAttach(y, b[j.b], A); dJointSetBallAnchor(y, j.anchor.x, j.anchor.y, j.anchor.z); }
        }
        pd.init(s);
    }
    static void near(void* d, dGeomID a, dGeomID c) {
        auto* o = (Ode*)d; auto ba = dGeomGetBody(a), bc = dGeomGetBody(c); if (!ba && !bc) return;
        size_t ga = (size_t)dGeomGetData(a), gc = (size_t)dGeomGetData(c); if (ba && bc && ga && ga == gc) return;
        dContact ct[8]; int n = dCollide(a, c, 8, &ct[0].geom, sizeof(dContact));
        for (int i = 0; i < n; i++) { ct[i].surface.mode = dContactApprox1; ct[i].surface.mu = o->s.mu; dJointAttach(dJointCreateContact(o->w, o->cg, &ct[i]), ba, bc); }
        o->nc += n;
    }
    State get(int i) { auto p = dBodyGetPosition(b[i]); auto q = dBodyGetQuaternion(b[i]); auto v = dBodyGetLinearVel(b[i]); auto a = dBodyGetAngularVel(b[i]);
        return {{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}, {v[0], v[1], v[2]}, {a[0], a[1], a[2]}}; }
    void step(double dt) {
        nc = 0; dJointGroupEmpty(cg); dSpaceCollide(sp, this, near);
        pd.apply([&](int i) { return get(i); }, [&](int i, V3 t) { dBodyAddTorque(b[i], t.x, t.y, t.z); });
        if (quick) dWorldQuickStep(w, dt); else dWorldStep(w, dt);
    }
    int contacts() { return nc; }
};
int main(int count, char** words) {
    auto o = options(count, words); bool quick = !strcmp(o.word(0, "quick"), "quick"); int sweeps = o.number(1, 20);
    Ode x(o.scene, quick, sweeps, o.threads); run(x, o, PEER_VERSION, quick ? "f64 QuickStep " + std::to_string(sweeps) : "f64 dWorldStep");
}
