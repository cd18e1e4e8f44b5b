// MuJoCo. Variant: MODEL.xml newton|cg|pgs pyramidal|elliptic. Default softness of contacts and tolerance, joint trees in reduced coordinates,
// PD gains as affine actuators.
#include <mujoco/mujoco.h>
#include "common/harness.hpp"
struct Mj {
    mjModel* m; mjData* d; std::vector<int> id;
    // A step leaves the poses of its start behind: those of its end are computed before the first body is read.
    hb::State get(int i) {
        // It starts over from the initial state where it has become unstable.
        if (d->warning[mjWARN_BADQPOS].number + d->warning[mjWARN_BADQVEL].number + d->warning[mjWARN_BADQACC].number) return {{NAN, NAN, NAN}, {1, 0, 0, 0}, {}, {}};
        if (i == 0) { mj_kinematics(m, d); mj_comPos(m, d); mj_comVel(m, d); }
        const mjtNum *p = d->xpos + 3 * id[i], *q = d->xquat + 4 * id[i]; mjtNum v[6]; mj_objectVelocity(m, d, mjOBJ_BODY, id[i], v, 0);
        return {{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}, {v[3], v[4], v[5]}, {v[0], v[1], v[2]}};
    }
    void step(double) { mj_step(m, d); }
    int contacts() { return d->ncon; }
};
int main(int count, char** words) {
    auto o = hb::options(count, words); char err[1000] = ""; mjModel* m = mj_loadXML(o.word(0, ""), nullptr, err, 1000); if (!m) { fprintf(stderr, "%s\n", err); return 1; }
    std::string sol = o.word(1, "newton"), cone = o.word(2, "pyramidal");
    m->opt.solver = sol == "pgs" ? mjSOL_PGS : sol == "cg" ? mjSOL_CG : mjSOL_NEWTON; m->opt.cone = cone == "elliptic" ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
    Mj p{m, mj_makeData(m), {}};
    for (size_t i = 0; i < o.scene.bodies.size(); i++) {
        int b = mj_name2id(m, mjOBJ_BODY, ("b" + std::to_string(i)).c_str()), j = m->body_jntadr[b]; p.id.push_back(b);
        if (m->body_jntnum[b] != 1 || m->jnt_type[j] != mjJNT_FREE) continue;
        auto& v = o.scene.bodies[i].v; int a = m->jnt_dofadr[j]; p.d->qvel[a] = v.x; p.d->qvel[a + 1] = v.y; p.d->qvel[a + 2] = v.z;
    }
    hb::run(p, o, mj_versionString(), "f64 " + sol + " " + cone);
}
