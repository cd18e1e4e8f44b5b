//! The dynamics of trees allocate nothing once their memory fits.

use glam::DVec3;
use stiction::dynamics::tree::{BaseMotion, ForceVector, Loads};
use stiction_testing::counting::allocations;

#[allow(dead_code)]
#[path = "../it/trees/random.rs"]
mod random;

#[test]
fn nothing_is_allocated_after_the_first_call() {
    let mut scenes: Vec<_> = (0..20).map(|seed| random::Scene::new(seed, 60)).collect();
    // One memory for trees of all sizes: it grows in the first round, and serves all in the second.
    let (mut kin, mut factor, mut scratch) = Default::default();
    let mut composite = Vec::new();
    let mut matrix = vec![0.0; 60 * 60];
    let mut tau = [0.0; 60];
    let mut allocated = [0; 2];
    for round in &mut allocated {
        let start = allocations();
        for scene in &mut scenes {
            let (tree, n) = (&scene.tree, scene.tree.dof_count());
            tree.positions(&scene.q, &scene.base, DVec3::ZERO, &mut kin);
            tree.velocities(&scene.v, &BaseMotion::default(), &mut kin);
            tree.factor(&kin, &[], &mut factor).expect("a tree with inertia");
            let loads = Loads::gravity(DVec3::NEG_Z);
            tree.inverse_dynamics(&kin, &loads, &scene.v, &mut tau[..n], &mut scratch);
            tree.accelerations(&kin, &factor, &loads, &mut tau[..n], &mut scratch);
            tree.whiten_wrenches(&factor, 0, [ForceVector::ZERO; 3], |_, _| ());
            tree.mass_matrix(&kin, &mut matrix[..n * n], &mut composite);
            tree.read_positions(kin.poses(), &scene.base, &mut scene.q);
            tree.advance(&mut scene.q, &scene.v, 1e-3);
        }
        *round = allocations() - start;
    }
    assert!(allocated[0] > 0 && allocated[1] == 0, "{allocated:?}");
}
