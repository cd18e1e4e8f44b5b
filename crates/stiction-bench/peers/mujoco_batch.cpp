// Batches of MuJoCo: MODEL.xml ENVIRONMENTS THREADS STEPS CALLS. Each call makes STEPS steps of every environment. Prints the median time of a step of one
// environment over the later half of the calls, by the clock on the wall [us].
#include <mujoco/mjbatch.h>
#include <mujoco/mujoco.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>
int main(int count, char** words) {
    if (count < 6) { fprintf(stderr, "usage: %s MODEL ENVIRONMENTS THREADS STEPS CALLS\n", words[0]); return 2; }
    char err[1000] = ""; mjModel* m = mj_loadXML(words[1], nullptr, err, 1000); if (!m) { fprintf(stderr, "%s\n", err); return 1; }
    int n = atoi(words[2]), steps = atoi(words[4]), calls = atoi(words[5]);
    mjBatchConfig config; mjb_defaultConfig(&config); config.nthread = atoi(words[3]);
    mjBatch* b = mjb_makeBatch(m, n, &config, err, 1000); if (!b) { fprintf(stderr, "%s\n", err); return 1; }
    mjb_reset(b, nullptr, n, nullptr, 0);
    std::vector<double> times;
    for (int call = 0; call < calls; call++) {
        auto begun = std::chrono::steady_clock::now();
        mjb_step(b, nullptr, n, steps, 0);
        times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begun).count() / (double(n) * steps));
    }
    std::vector<double> late(times.begin() + times.size() / 2, times.end()); std::sort(late.begin(), late.end());
    printf("%s %.5f\n", mj_versionString(), late[late.size() / 2]);
}
