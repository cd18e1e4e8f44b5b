//! The direct solver allocates nothing once it has seen its islands.

#[allow(dead_code)]
#[path = "../it/solvers/problems.rs"]
mod problems;
#[allow(dead_code)]
#[path = "../it/solvers/scene.rs"]
mod scene;

use scene::{CONVERGED, ONCE};
use stiction::solvers::{Direct, Solver};
use stiction_testing::counting::allocations;

#[test]
fn nothing_is_allocated_after_the_first_solve() {
    let mut cones = problems::spinning();
    let mut is_first = true;
    for line in cones.lines.iter_mut().filter(|l| l.friction.is_some()) {
        line.ellipse = is_first;
        is_first = !is_first;
    }
    let list = [
        problems::tower(1, 0.5, 1.0).perturb(0.02).problem(),
        problems::tower(12, 0.5, 1.0).perturb(0.2).problem(),
        problems::chain(100, 0.0).perturb(0.05).problem(),
        problems::wall(5).perturb(0.02).problem(),
        problems::wedged(0.0).perturb(0.02).problem(),
        cones.problem(),
    ];
    let mut direct = Direct::default();
    for is_second in [false, true] {
        for problem in &list {
            for pass in [ONCE, CONVERGED] {
                let (mut z, mut lambda) = (problem.z_free.clone(), vec![0.0; problem.rows.len()]);
                let before = allocations();
                direct.is_cheaper_than_sweeps(problem, &problem.islands[0], 20);
                let statistics = direct.solve(problem, &problem.islands[0], &pass, &mut z, &mut lambda);
                let allocated = allocations() - before;
                assert!(!statistics.gave_up);
                assert!(!is_second || allocated == 0, "{allocated} allocations for {} rows", lambda.len());
            }
        }
    }
}
