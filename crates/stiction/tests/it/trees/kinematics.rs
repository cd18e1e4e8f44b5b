//! Velocities and accelerations beside differences of positions and velocities.

use stiction::dynamics::tree::{Kinematics, MotionVector, Scratch};

use crate::trees::random::{Scene, relative};

const MOMENT: f64 = 1e-5;

fn flat(vectors: &[MotionVector]) -> Vec<f64> {
    vectors.iter().flat_map(|v| v.0).collect()
}

/// Central difference of columns along the motion.
fn rate(before: &Kinematics, after: &Kinematics, of: impl Fn(&Kinematics) -> Vec<f64>) -> Vec<f64> {
    of(after).iter().zip(of(before)).map(|(a, b)| (a - b) / (2.0 * MOMENT)).collect()
}

#[test]
fn subspaces_twists_and_poses_change_as_said() {
    for seed in 0..1000 {
        let scene = Scene::new(seed, 60);
        let (before, after) = (scene.kinematics_after(-MOMENT), scene.kinematics_after(MOMENT));
        let by_difference = rate(&before, &after, |k| flat(k.subspace()));
        let error = relative(&flat(scene.kin.subspace_rates()), &by_difference, 1.0);
        assert!(error < 1e-6, "seed {seed}: {error:e}");

        // With v constant and the base's twist constant, twists change by the bias acceleration less that of the base.
        let by_difference = rate(&before, &after, |k| flat(k.twists()));
        let own: Vec<f64> = (0..scene.tree.link_count())
            .flat_map(|link| {
                let root = std::iter::successors(Some(link), |&l| scene.tree.parent(l)).last().expect("a root");
                let is_free = scene.tree.dof_span(root).len() == 6;
                let given = if is_free { MotionVector::ZERO } else { scene.base_motion.acceleration };
                (scene.kin.bias_accelerations()[link] - given).0
            })
            .collect();
        let error = relative(&own, &by_difference, 1.0);
        assert!(error < 1e-6, "seed {seed}: {error:e}");

        // Points fixed in a link move with its twist.
        for link in 0..scene.tree.link_count() {
            let at = |k: &Kinematics| k.poses()[link].point(glam::DVec3::new(0.3, -0.4, 0.2));
            let (velocity, _) = scene.kin.point_velocity(link, at(&scene.kin));
            let moved = (at(&after) - at(&before)) / (2.0 * MOMENT);
            assert!((moved - velocity).length() < 1e-6 * (1.0 + velocity.length()), "seed {seed}");
        }
    }
}

#[test]
fn jacobian_times_velocity_is_the_velocity_of_the_point() {
    for seed in 0..1000 {
        let mut scene = Scene::new(seed, 60);
        let n = scene.tree.dof_count();
        let link = scene.random.below(scene.tree.link_count());
        let point = scene.random.vector();
        let mut jacobian = vec![0.0; 6 * n];
        scene.tree.jacobian(&scene.kin, link, point, &mut jacobian);
        let own: Vec<f64> = jacobian.chunks(n).map(|row| crate::trees::random::dot(row, &scene.v)).collect();
        let (mut velocity, mut omega) = scene.kin.point_velocity(link, point);
        let root = std::iter::successors(Some(link), |&l| scene.tree.parent(l)).last().expect("a root");
        if scene.tree.dof_span(root).len() != 6 {
            velocity -= scene.base_motion.twist.point(scene.kin.offset(point));
            omega -= scene.base_motion.twist.angular();
        }
        let expected = [velocity.to_array(), omega.to_array()].concat();
        assert!(relative(&own, &expected, 1.0) < 1e-13, "seed {seed}");
    }
}

#[test]
fn accelerations_of_points_are_differences_of_their_velocities() {
    for seed in 0..300 {
        let mut scene = Scene::new(seed, 40);
        if seed.is_multiple_of(4) {
            scene.base_motion = Default::default();
            scene.update();
        }
        let n = scene.tree.dof_count();
        let (a, link) = (scene.random.list(n), scene.random.below(scene.tree.link_count()));
        let local = scene.random.vector();
        let mut scratch = Scratch::default();
        let point = scene.kin.poses()[link].point(local);
        let (own, alpha) = scene.tree.point_acceleration(&scene.kin, link, point, &a, &mut scratch);
        let v = scene.v.clone();
        let [(before, omega_before), (after, omega_after)] = [-MOMENT, MOMENT].map(|t| {
            scene.v = v.iter().zip(&a).map(|(v, a)| v + 0.5 * t * a).collect();
            let (q, mean) = (scene.q.clone(), scene.v.clone());
            scene.tree.advance(&mut scene.q, &mean, t);
            scene.v = v.iter().zip(&a).map(|(v, a)| v + t * a).collect();
            scene.update();
            scene.q = q;
            scene.kin.point_velocity(link, scene.kin.poses()[link].point(local))
        });
        let expected = [(after - before).to_array(), (omega_after - omega_before).to_array()].concat();
        let expected: Vec<f64> = expected.iter().map(|x| x / (2.0 * MOMENT)).collect();
        let error = relative(&[own.to_array(), alpha.to_array()].concat(), &expected, 1.0);
        assert!(error < 1e-6, "seed {seed}: {error:e}");
    }
}

#[test]
fn kinematics_of_given_poses_are_those_of_positions() {
    for seed in 0..300 {
        let scene = Scene::new(seed, 60);
        let mut kin = Kinematics::default();
        scene.tree.positions_from_poses(scene.kin.poses(), &scene.base, scene.kin.origin(), &mut kin);
        scene.tree.velocities(&scene.v, &scene.base_motion, &mut kin);
        assert!(relative(&flat(kin.subspace()), &flat(scene.kin.subspace()), 0.0) < 1e-13, "seed {seed}");
        assert!(relative(&flat(kin.twists()), &flat(scene.kin.twists()), 1e-3) < 1e-13, "seed {seed}");
        assert!((kin.kinetic_energy() - scene.kin.kinetic_energy()).abs() < 1e-12 * kin.kinetic_energy());
    }
}
