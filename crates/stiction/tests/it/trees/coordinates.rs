//! Positions and velocities as coordinates: read back, advanced, differentiated.

use std::f64::consts::TAU;

use glam::DVec3;
use stiction::dynamics::tree::{LinkDefinition, Mobility, Tree, TreeError};
use stiction::math::Pose;

use crate::trees::random::{Scene, largest, relative};

#[test]
fn positions_and_velocities_are_read_back_from_poses_and_twists() {
    for seed in 0..1000 {
        let mut scene = Scene::new(seed, 60);
        // From somewhere else, whole turns away: an angle comes back to the turn nearest to the previous value.
        let mut q = scene.q.clone();
        let away: Vec<f64> = scene.random.list(scene.tree.dof_count());
        scene.tree.advance(&mut q, &away, 0.5);
        scene.tree.read_positions(scene.kin.poses(), &scene.base, &mut q);
        assert!(relative(&q, &scene.q, 1.0) < 1e-11, "seed {seed}: {:e}", relative(&q, &scene.q, 1.0));
        let mut v = vec![0.0; scene.v.len()];
        scene.tree.read_velocities(scene.kin.twists(), &scene.base_motion.twist, &scene.kin, &mut v);
        assert!(relative(&v, &scene.v, 1.0) < 1e-11, "seed {seed}: {:e}", relative(&v, &scene.v, 1.0));
    }
}

#[test]
fn angles_come_back_to_the_nearest_turn() {
    let scene = Scene::new(0, 1);
    let hinge = LinkDefinition {
        parent: None,
        mobility: Mobility::Revolute { axis: DVec3::new(0.0, 3.0, 4.0) },
        ..scene.definitions[0]
    };
    let tree = Tree::new(&[hinge]).expect("a hinge");
    let mut kin = scene.kin.clone();
    for angle in [-50.0, -3.2, 0.4, 3.3, 1000.1] {
        tree.positions(&[angle], &Pose::IDENTITY, DVec3::ZERO, &mut kin);
        for (previous, turns) in [(angle + 3.0, 0.0), (angle - 3.0, 0.0), (angle + 7.0, 1.0), (angle - 20.0, -3.0)] {
            let mut q = [previous];
            tree.read_positions(kin.poses(), &Pose::IDENTITY, &mut q);
            assert!((q[0] - angle - turns * TAU).abs() < 1e-12, "{angle} {previous}: {}", q[0]);
        }
    }
}

#[test]
fn rates_of_positions_are_the_velocities_of_links() {
    for seed in 0..300 {
        let scene = Scene::new(seed, 60);
        let mut rates = vec![0.0; scene.q.len()];
        scene.tree.position_rates(&scene.q, &scene.v, &mut rates);
        let h = 1e-6;
        let side = |sign: f64| {
            let mut q = scene.q.clone();
            scene.tree.advance(&mut q, &scene.v, sign * h);
            q
        };
        let by_difference: Vec<f64> = side(1.0).iter().zip(side(-1.0)).map(|(a, b)| (a - b) / (2.0 * h)).collect();
        assert!(relative(&rates, &by_difference, 1.0) < 1e-8, "seed {seed}");

        // N(q) v for a quaternion of another length: the same rotation, the length kept to first order.
        let (mut long, mut back) = (scene.q.clone(), vec![0.0; scene.q.len()]);
        for (q, r) in long.iter_mut().zip(&rates) {
            *q += 1e-3 * r;
        }
        scene.tree.normalize_positions(&mut long);
        back.copy_from_slice(&scene.q);
        scene.tree.advance(&mut back, &scene.v, 1e-3);
        let difference: Vec<f64> = long.iter().zip(&back).map(|(a, b)| a - b).collect();
        assert!(largest(&difference) < 1e-15, "seed {seed}");
    }
}

#[test]
fn impossible_links_are_refused() {
    let good = Scene::new(1, 20).definitions[0];
    let refused = |definition: LinkDefinition| Tree::new(&[good, definition]).expect_err("no tree");
    let child = LinkDefinition { parent: Some(0), mobility: Mobility::Ball, ..good };
    assert_eq!(refused(LinkDefinition { parent: Some(1), ..child }), TreeError::Parent { link: 1, parent: 1 });
    assert_eq!(refused(LinkDefinition { mobility: Mobility::Free, ..child }), TreeError::FreeWithParent { link: 1 });
    let with = |mobility| refused(LinkDefinition { mobility, ..child });
    assert!(matches!(with(Mobility::Revolute { axis: DVec3::ZERO }), TreeError::Axis { link: 1, .. }));
    assert!(matches!(with(Mobility::Prismatic { axis: DVec3::NAN }), TreeError::Axis { link: 1, .. }));
    let (x, y) = (DVec3::X, DVec3::new(1.0, 1.0, 0.0));
    assert_eq!(with(Mobility::Universal { axes: [x, -x] }), TreeError::ParallelAxes { link: 1 });
    assert!(matches!(with(Mobility::Planar { axes: [x, y] }), TreeError::NotPerpendicular { link: 1, .. }));
    let pitch = f64::INFINITY;
    assert!(matches!(with(Mobility::Screw { axis: x, pitch }), TreeError::NotFinite { link: 1, .. }));
    let mut heavy = child;
    heavy.mass.mass = -1.0;
    assert!(matches!(refused(heavy), TreeError::Mass { link: 1, .. }));
    let mut inside_out = child;
    inside_out.mass.inertia = -inside_out.mass.inertia;
    assert!(matches!(refused(inside_out), TreeError::Mass { link: 1, .. }));
    let mut nowhere = child;
    nowhere.parent_frame.position.x = f64::NAN;
    assert!(matches!(refused(nowhere), TreeError::NotFinite { link: 1, .. }));
}
