// Limit of this processor for sweeps over contacts in f64: peak of multiply-adds, read rates of the caches, and the time of a row in a coloured
// sweep over the contacts of a pyramid of 20 rows (400 manifolds of four points), in 4 lanes and, where there is AVX-512, in 8.
// "full" has 3 rows a point with the products of the inverse mass stored (12 a manifold); "patch" has 4 normals, 2 frictions and a twist (7).
// Nothing else of a step is in it: no collision detection, no assembly. Prints one line of JSON.
#include <immintrin.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
template <class F> static double fastest(int runs, F f) { double best = 1e9; for (int r = 0; r < runs; r++) { double t = now(); f(); best = std::min(best, now() - t); } return best; }

// Vectors of 4 and 8 lanes; a body is 8 numbers, which are transposed into lanes and back.
typedef double d4 __attribute__((vector_size(32)));
struct Four {
    using V = d4; static constexpr int W = 4;
    static V max(V a, V b) { return _mm256_max_pd(a, b); }
    static V min(V a, V b) { return _mm256_min_pd(a, b); }
    static void transpose(V* r) {
        V a = _mm256_unpacklo_pd(r[0], r[1]), b = _mm256_unpackhi_pd(r[0], r[1]), c = _mm256_unpacklo_pd(r[2], r[3]), d = _mm256_unpackhi_pd(r[2], r[3]);
        r[0] = _mm256_permute2f128_pd(a, c, 0x20); r[1] = _mm256_permute2f128_pd(b, d, 0x20); r[2] = _mm256_permute2f128_pd(a, c, 0x31); r[3] = _mm256_permute2f128_pd(b, d, 0x31);
    }
    static void load(const double* bodies, const int* index, V* v) { for (int h = 0; h < 8; h += 4) { for (int i = 0; i < 4; i++) v[h + i] = _mm256_load_pd(bodies + 8 * index[i] + h); transpose(v + h); } }
    static void store(double* bodies, const int* index, V* v) { for (int h = 0; h < 8; h += 4) { transpose(v + h); for (int i = 0; i < 4; i++) _mm256_store_pd(bodies + 8 * index[i] + h, v[h + i]); } }
};
#ifdef __AVX512F__
typedef double d8 __attribute__((vector_size(64)));
struct Eight {
    using V = d8; static constexpr int W = 8;
    static V max(V a, V b) { return _mm512_max_pd(a, b); }
    static V min(V a, V b) { return _mm512_min_pd(a, b); }
    static void transpose(V* r) {
        V t[8], u[8];
        for (int i = 0; i < 4; i++) { t[2 * i] = _mm512_unpacklo_pd(r[2 * i], r[2 * i + 1]); t[2 * i + 1] = _mm512_unpackhi_pd(r[2 * i], r[2 * i + 1]); }
        for (int h = 0; h < 2; h++) { u[4 * h] = _mm512_shuffle_f64x2(t[h], t[h + 2], 0x88); u[4 * h + 1] = _mm512_shuffle_f64x2(t[h], t[h + 2], 0xDD); u[4 * h + 2] = _mm512_shuffle_f64x2(t[h + 4], t[h + 6], 0x88); u[4 * h + 3] = _mm512_shuffle_f64x2(t[h + 4], t[h + 6], 0xDD); }
        for (int h = 0; h < 2; h++) { r[h] = _mm512_shuffle_f64x2(u[4 * h], u[4 * h + 2], 0x88); r[4 + h] = _mm512_shuffle_f64x2(u[4 * h], u[4 * h + 2], 0xDD); r[2 + h] = _mm512_shuffle_f64x2(u[4 * h + 1], u[4 * h + 3], 0x88); r[6 + h] = _mm512_shuffle_f64x2(u[4 * h + 1], u[4 * h + 3], 0xDD); }
    }
    static void load(const double* bodies, const int* index, V* v) { for (int i = 0; i < 8; i++) v[i] = _mm512_load_pd(bodies + 8 * index[i]); transpose(v); }
    static void store(double* bodies, const int* index, V* v) { transpose(v); for (int i = 0; i < 8; i++) _mm512_store_pd(bodies + 8 * index[i], v[i]); }
};
#endif

// Angular Jacobians of both bodies, their products with the inverse inertia, effective mass, impulse.
template <class L> struct Row { typename L::V ja[3], jb[3], ma[3], mb[3], mass, impulse; };
template <class L> struct Bundle { int a[8], b[8]; typename L::V axes[3][3], inverse_a, inverse_b, target; };
template <class L> struct Full : Bundle<L> { static constexpr int ROWS = 12; Row<L> rows[4][3]; };
template <class L> struct Patch : Bundle<L> { static constexpr int ROWS = 7; Row<L> rows[6]; typename L::V twist_mass, twist_impulse, twist_a[3], twist_b[3]; };

template <class L, class V = typename L::V> static inline void solve(Row<L>& r, const V* d, V target, V low, V high, V* A, V* B, V ima, V imb) {
    V u = d[0] * (B[0] - A[0]) + d[1] * (B[1] - A[1]) + d[2] * (B[2] - A[2]) + r.ja[0] * A[3] + r.ja[1] * A[4] + r.ja[2] * A[5] + r.jb[0] * B[3] + r.jb[1] * B[4] + r.jb[2] * B[5];
    V now = L::min(L::max(r.impulse - r.mass * (u + target), low), high), change = now - r.impulse; r.impulse = now; V la = change * ima, lb = change * imb;
    for (int k = 0; k < 3; k++) { A[k] -= d[k] * la; B[k] += d[k] * lb; A[3 + k] += r.ma[k] * change; B[3 + k] += r.mb[k] * change; }
}
template <class L, class V = typename L::V> static inline void solve(Full<L>& b, V* A, V* B, V zero, V top, V mu) {
    for (auto& p : b.rows) { solve<L>(p[0], b.axes[0], b.target, zero, top, A, B, b.inverse_a, b.inverse_b); V f = mu * p[0].impulse; for (int k = 1; k < 3; k++) solve<L>(p[k], b.axes[k], zero, -f, f, A, B, b.inverse_a, b.inverse_b); }
}
template <class L, class V = typename L::V> static inline void solve(Patch<L>& b, V* A, V* B, V zero, V top, V mu) {
    V sum = zero; for (int k = 0; k < 4; k++) { solve<L>(b.rows[k], b.axes[0], b.target, zero, top, A, B, b.inverse_a, b.inverse_b); sum += b.rows[k].impulse; }
    V f = mu * sum; for (int k = 4; k < 6; k++) solve<L>(b.rows[k], b.axes[k - 3], zero, -f, f, A, B, b.inverse_a, b.inverse_b);
    V u = b.axes[0][0] * (B[3] - A[3]) + b.axes[0][1] * (B[4] - A[4]) + b.axes[0][2] * (B[5] - A[5]), now = L::min(L::max(b.twist_impulse - b.twist_mass * u, -f), f), change = now - b.twist_impulse; b.twist_impulse = now;
    for (int k = 0; k < 3; k++) { A[3 + k] -= b.twist_a[k] * change; B[3 + k] += b.twist_b[k] * change; }
}

// Manifolds of the pyramid by colours, so that no body is twice in one; the ground blocks nothing.
struct Edge { int a, b; };
static std::vector<std::vector<Edge>> colours() {
    std::vector<Edge> edges; int base = 20, below = -1, id = 1;
    for (int i = 0; i < base; i++) { int first = id; for (int j = 0; j < base - i; j++, id++) { if (i == 0) edges.push_back({0, id}); else { edges.push_back({below + j, id}); edges.push_back({below + j + 1, id}); } } below = first; }
    std::vector<std::vector<Edge>> found; std::vector<unsigned> used(300, 0);
    for (auto e : edges) { int c = __builtin_ctz(~(used[e.b] | (e.a ? used[e.a] : 0))); used[e.b] |= 1u << c; if (e.a) used[e.a] |= 1u << c; if ((int)found.size() <= c) found.resize(c + 1); found[c].push_back(e); }
    return found;
}
static double random_number() { return rand() / (double)RAND_MAX - 0.5; }
template <class L> static void fill(Row<L>& r) { for (int k = 0; k < 3; k++) for (int l = 0; l < L::W; l++) { double x = random_number(), y = random_number(); r.ja[k][l] = x; r.jb[k][l] = y; r.ma[k][l] = -x; r.mb[k][l] = y; } for (int l = 0; l < L::W; l++) { r.mass[l] = 0.1; r.impulse[l] = 0; } }
template <class L> static void fill(Full<L>& b) { for (auto& p : b.rows) for (auto& r : p) fill(r); }
template <class L> static void fill(Patch<L>& b) { for (auto& r : b.rows) fill(r); }

// Nanoseconds a row, of the fastest of 60 runs of 20 sweeps.
template <class L, template <class> class B> static double row() {
    std::vector<B<L>> bundles; int spare = 250;
    for (auto& colour : colours()) for (size_t i = 0; i < colour.size(); i += L::W) {
        B<L> b; memset((void*)&b, 0, sizeof b);
        for (int l = 0; l < L::W; l++) { bool is_used = i + l < colour.size(), is_ground = is_used && !colour[i + l].a;
            b.a[l] = is_ground ? 270 + l : is_used ? colour[i + l].a : spare + l; b.b[l] = is_used ? colour[i + l].b : spare + 8 + l; b.inverse_a[l] = is_used && !is_ground; b.inverse_b[l] = is_used;
            b.axes[0][2][l] = 1; b.axes[1][0][l] = 1; b.axes[2][1][l] = 1; b.target[l] = -0.01; }
        fill(b); bundles.push_back(b);
    }
    double* bodies = (double*)aligned_alloc(64, 300 * 8 * sizeof(double)); typename L::V zero, top, mu; for (int l = 0; l < L::W; l++) { zero[l] = 0; top[l] = 1e9; mu[l] = 0.5; }
    double time = fastest(60, [&] { memset(bodies, 0, 300 * 8 * sizeof(double)); for (int k = 0; k < 20; k++) for (auto& b : bundles) { typename L::V A[8], B_[8]; L::load(bodies, b.a, A); L::load(bodies, b.b, B_); solve(b, A, B_, zero, top, mu); L::store(bodies, b.a, A); L::store(bodies, b.b, B_); } });
    free(bodies); return time / 20 / (400 * B<L>::ROWS) * 1e9;
}

// Twelve independent chains of multiply-adds of zeros.
static double peak() {
    asm volatile("vpxor %%xmm14, %%xmm14, %%xmm14\n vpxor %%xmm15, %%xmm15, %%xmm15" ::: "xmm14", "xmm15"); const long n = 100000;
    double time = fastest(100, [] { for (long i = 0; i < n; i++) asm volatile(
                     "vfmadd231pd %%ymm15, %%ymm14, %%ymm0\n"
                     "vfmadd231pd %%ymm15, %%ymm14, %%ymm1\n"
                     "vfmadd231pd %%ymm15, %%ymm14, %%ymm2\n"
                     "vfmadd231pd %%ymm15, %%ymm14, %%ymm3\n"
                     "vfmadd231pd %%ymm15, %%ymm14, %%ymm4\n"
                     "vfmadd231pd %%ymm15, %%ymm14, %%ymm5\n"
                     "vfmadd231pd %%ymm15, %%ymm14, %%ymm6\n"
                     "vfmadd231pd %%ymm15, %%ymm14, %%ymm7\n"
                     "vfmadd231pd %%ymm15, %%ymm14, %%ymm8\n"
                     "vfmadd231pd %%ymm15, %%ymm14, %%ymm9\n"
                     "vfmadd231pd %%ymm15, %%ymm14, %%ymm10\n"
                     "vfmadd231pd %%ymm15, %%ymm14, %%ymm11\n"
                     ::: "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11"); });
    return n * 12.0 * 2 * 4 / time / 1e9;
}
static double read_rate(size_t kib) {
    size_t n = kib * 1024 / 8; double* p = (double*)aligned_alloc(64, n * 8); std::fill(p, p + n, 1.0); int repeats = std::max<size_t>(1, (8u << 20) / (n * 8));
    double time = fastest(30, [&] { for (int q = 0; q < repeats; q++) { __m256d s[8] = {}; for (size_t i = 0; i < n; i += 32)
#pragma GCC unroll 8
        for (int k = 0; k < 8; k++) s[k] = _mm256_add_pd(s[k], _mm256_load_pd(p + i + 4 * k)); for (auto& x : s) asm volatile("" ::"x"(x)); } });
    free(p); return n * 8.0 * repeats / time / 1e9;
}

int main() {
    _mm_setcsr(_mm_getcsr() | 0x8040);  // no denormal numbers
    printf("{\"peak_gflops\":%.1f,\"read_gb_per_s\":{\"16\":%.0f,\"512\":%.0f,\"8192\":%.0f},\"kernels\":[", peak(), read_rate(16), read_rate(512), read_rate(8192));
    printf("{\"rows\":\"full\",\"lanes\":4,\"ns_per_row\":%.3f},{\"rows\":\"patch\",\"lanes\":4,\"ns_per_row\":%.3f}", row<Four, Full>(), row<Four, Patch>());
#ifdef __AVX512F__
    printf(",{\"rows\":\"full\",\"lanes\":8,\"ns_per_row\":%.3f},{\"rows\":\"patch\",\"lanes\":8,\"ns_per_row\":%.3f}", row<Eight, Full>(), row<Eight, Patch>());
#endif
    printf("]}\n");
}
