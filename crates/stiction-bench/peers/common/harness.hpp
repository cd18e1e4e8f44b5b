// Scene reader and timing loop shared by the C++ peer harnesses (own code of this project).
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <time.h>
#include <vector>

namespace hb {
// time this thread was on a core: same as the wall clock on an idle machine, unlike it when others run too
inline double cpu_us() { timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return t.tv_sec * 1e6 + t.tv_nsec * 1e-3; }
struct V3 { double x, y, z; };
struct Q { double w, x, y, z; };
inline V3 operator+(V3 a, V3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline V3 operator-(V3 a, V3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline V3 operator*(V3 a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline V3 cross(V3 a, V3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double dot(V3 a, V3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Q mul(Q a, Q b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline Q conj(Q a) { return {a.w, -a.x, -a.y, -a.z}; }
inline V3 rot(Q q, V3 v) { V3 u{q.x, q.y, q.z}; V3 t = cross(u, v) * 2.0; return v + t * q.w + cross(u, t); }

struct Body { int group; double m; V3 I, p; Q q; V3 v, w; char kind; double s[4]; };  // kind n/s/b/c
struct SBox { V3 p, h; };
struct Joint { bool hinge; int a, b; V3 anchor, axis; double kp, kd; };
struct Scene {
    std::string name; double dt = 0; int steps = 0; V3 g{}; double mu = 0; bool plane = false;
    std::vector<Body> bodies; std::vector<SBox> sboxes; std::vector<Joint> joints;
    int hn = 0; double hsx = 0, hsy = 0; std::vector<double> h;
};
inline Scene load(const char* path) {
    Scene s; std::ifstream f(path); std::string line;
    if (!f) { fprintf(stderr, "cannot read %s\n", path); exit(2); }
    while (std::getline(f, line)) {
        std::istringstream i(line); std::string k; i >> k;
        if (k == "scene") i >> s.name; else if (k == "dt") i >> s.dt; else if (k == "steps") i >> s.steps;
        else if (k == "gravity") i >> s.g.x >> s.g.y >> s.g.z; else if (k == "friction") i >> s.mu; else if (k == "plane") s.plane = true;
        else if (k == "sbox") { SBox b; i >> b.p.x >> b.p.y >> b.p.z >> b.h.x >> b.h.y >> b.h.z; s.sboxes.push_back(b); }
        else if (k == "hfield") {
            i >> s.hn >> s.hsx >> s.hsy; s.h.resize(s.hn * s.hn);
            for (int r = 0; r < s.hn; r++) { std::getline(f, line); std::istringstream j(line); for (int c = 0; c < s.hn; c++) j >> s.h[r * s.hn + c]; }
        } else if (k == "body") {
            Body b{}; int id; std::string sh;
            i >> id >> b.group >> b.m >> b.I.x >> b.I.y >> b.I.z >> b.p.x >> b.p.y >> b.p.z >> b.q.w >> b.q.x >> b.q.y >> b.q.z >> b.v.x >> b.v.y >> b.v.z >> b.w.x >> b.w.y >> b.w.z >> sh;
            b.kind = sh[0]; int n = sh == "sphere" ? 4 : sh == "box" ? 3 : sh == "capsule" ? 2 : 0;
            for (int t = 0; t < n; t++) i >> b.s[t];
            s.bodies.push_back(b);
        } else if (k == "joint") {
            Joint j{}; std::string t; i >> t >> j.a >> j.b >> j.anchor.x >> j.anchor.y >> j.anchor.z >> j.axis.x >> j.axis.y >> j.axis.z >> j.kp >> j.kd;
            j.hinge = t == "hinge"; s.joints.push_back(j);
        }
    }
    return s;
}
struct State { V3 p; Q q; V3 v, w; };

// explicit PD torque for engines in maximal coordinates; returns the torque on body b (negated on a), world frame
struct PD {
    struct J { int a, b; V3 axisA; Q rel0; double kp, kd; };
    std::vector<J> js;
    void init(const Scene& s) {
        for (auto& j : s.joints) if (j.hinge && j.kp > 0) {
            Q qa = j.a >= 0 ? s.bodies[j.a].q : Q{1, 0, 0, 0};
            js.push_back({j.a, j.b, rot(conj(qa), j.axis), mul(conj(qa), s.bodies[j.b].q), j.kp, j.kd});
        }
    }
    template <class Get, class Put> void apply(Get get, Put put) {
        for (auto& j : js) {
            State B = get(j.b); State A = j.a >= 0 ? get(j.a) : State{{}, {1, 0, 0, 0}, {}, {}};
            Q d = mul(mul(conj(A.q), B.q), conj(j.rel0));
            if (d.w < 0) d = {-d.w, -d.x, -d.y, -d.z};
            double ang = 2 * std::atan2(dot({d.x, d.y, d.z}, j.axisA), d.w);
            V3 ax = rot(A.q, j.axisA); double rate = dot(B.w - A.w, ax);
            V3 t = ax * (-j.kp * ang - j.kd * rate);
            put(j.b, t); if (j.a >= 0) put(j.a, t * -1.0);
        }
    }
};

// Arguments of every harness: SCENE STEPS THREADS LIMIT OUT VARIANT...; STEPS 0 is the number in the scene, LIMIT is in seconds, OUT - is none.
struct Options {
    Scene scene; int threads; double limit; const char* out; std::vector<std::string> variant;
    const char* word(size_t i, const char* otherwise) const { return i < variant.size() ? variant[i].c_str() : otherwise; }
    int number(size_t i, int otherwise) const { return i < variant.size() ? atoi(variant[i].c_str()) : otherwise; }
};
inline Options options(int count, const char* const* words) {
    if (count < 6) { fprintf(stderr, "usage: %s SCENE STEPS THREADS LIMIT OUT VARIANT...\n", words[0]); exit(2); }
    Options o{load(words[1]), atoi(words[3]), atof(words[4]), strcmp(words[5], "-") ? words[5] : nullptr, {words + 6, words + count}};
    if (int steps = atoi(words[2])) o.scene.steps = steps;
    return o;
}
inline double median(std::vector<double> v) { if (v.empty()) return 0; std::sort(v.begin(), v.end()); return v[v.size() / 2]; }

// P needs: void step(double dt); int contacts(); State get(int body). Prints one line of JSON, with medians over the later half of the steps;
// writes the states at 25, 50, 75 and 100 % as "RECORD BODY p q v w". Stops after the limit, and says how many steps it made.
template <class P> void run(P& peer, const Options& o, const char* version, const std::string& variant) {
    const Scene& s = o.scene; std::vector<double> wall, core; PD pd; pd.init(s); (void)pd;
    FILE* f = o.out ? fopen(o.out, "w") : nullptr;
    double contacts = 0; int counted = 0, made = 0; auto begun = std::chrono::steady_clock::now();
    auto since = [](std::chrono::steady_clock::time_point t) { return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - t).count(); };
    while (made < s.steps && since(begun) < o.limit * 1e6) {
        double c0 = cpu_us(); auto t0 = std::chrono::steady_clock::now();
        peer.step(s.dt);
        wall.push_back(since(t0)); core.push_back(cpu_us() - c0); made++;
        if (made % 16 == 0 && made > s.steps / 2) { contacts += peer.contacts(); counted++; }
        for (int r = 1; f && r <= 4; r++) if (made == s.steps * r / 4)
            for (size_t b = 0; b < s.bodies.size(); b++) { State t = peer.get(b);
                fprintf(f, "%d %zu %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", r, b, t.p.x, t.p.y, t.p.z, t.q.w, t.q.x, t.q.y, t.q.z, t.v.x, t.v.y, t.v.z, t.w.x, t.w.y, t.w.z); }
    }
    if (f) fclose(f);
    auto late = [](const std::vector<double>& v) { return median({v.begin() + v.size() / 2, v.end()}); };
    printf("{\"version\":\"%s\",\"variant\":\"%s\",\"steps\":%d,\"core_us\":%.3f,\"wall_us\":%.3f,\"contacts\":%.0f}\n", version, variant.c_str(), made, late(core), late(wall), counted ? contacts / counted : 0.0);
}
}  // namespace hb
