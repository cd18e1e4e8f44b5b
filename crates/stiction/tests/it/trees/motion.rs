//! Balances of energy and momentum along motions.

use glam::DVec3;
use stiction::dynamics::tree::Loads;

use crate::trees::random::{Scene, dot};
use crate::trees::runge_kutta::{Integrator, TreeState};

const GRAVITY: DVec3 = DVec3::new(0.5, 1.0, -9.0);

#[test]
fn energy_changes_by_the_power_of_the_joints() {
    for seed in 0..300 {
        let mut scene = Scene::new(seed, 30);
        let start = TreeState { q: scene.q.clone(), v: scene.v.clone() };
        let mut integrator = Integrator::new(&scene.tree, GRAVITY);
        integrator.tau = scene.random.list(scene.tree.dof_count());
        let power = dot(&integrator.tau, &start.v);
        let h = 1e-5;
        let [before, after] = [-h, h].map(|h| {
            let mut motion = start.clone();
            integrator.step(&mut motion, h);
            integrator.place(&motion);
            integrator.kin.kinetic_energy() + scene.tree.potential_energy(&integrator.kin, &Loads::gravity(GRAVITY))
        });
        let rate = (after - before) / (2.0 * h);
        // The rate itself changes by power over the times in which things turn, a fraction of a second here.
        let scale = 1.0 + power.abs() + before.abs();
        assert!((rate - power).abs() < 1e-6 * scale, "seed {seed}: {rate} {power}");
    }
}

#[test]
fn a_free_tree_keeps_its_momentum_but_for_gravity() {
    let mut tried = 0;
    for seed in (1..300).step_by(2) {
        let mut scene = Scene::new(seed, 30);
        let is_one_tree = (1..scene.tree.link_count()).all(|link| scene.tree.parent(link).is_some());
        if scene.tree.dof_span(0).len() != 6 || !is_one_tree {
            continue;
        }
        tried += 1;
        let mut motion = TreeState { q: scene.q.clone(), v: scene.v.clone() };
        let mut integrator = Integrator::new(&scene.tree, GRAVITY);
        // Joints act between links; nothing acts on the free joint.
        integrator.tau = scene.random.list(scene.tree.dof_count());
        integrator.tau[..6].fill(0.0);
        integrator.place(&motion);
        let start = integrator.kin.momentum();
        let (steps, h) = (20, 1e-3);
        for _ in 0..steps {
            integrator.step(&mut motion, h);
        }
        integrator.place(&motion);
        let end = integrator.kin.momentum();
        let time = f64::from(steps) * h;
        let linear = start.linear + time * start.mass * GRAVITY;
        assert!((end.linear - linear).length() < 1e-8 * (1.0 + linear.length()), "seed {seed}");
        let spin = start.angular_about_center;
        assert!((end.angular_about_center - spin).length() < 1e-7 * (1.0 + spin.length()), "seed {seed}");
        let fallen = start.center_of_mass + time * start.center_of_mass_velocity + 0.5 * time * time * GRAVITY;
        assert!((end.center_of_mass - fallen).length() < 1e-9, "seed {seed}");
    }
    assert!(tried > 30, "{tried}");
}
