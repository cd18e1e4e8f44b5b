//! Inverse dynamics, forward dynamics and the mass matrix beside each other.

use glam::{DMat3, DVec3};
use stiction::dynamics::tree::{
    BaseMotion, Factor, ForceVector, Kinematics, LinkDefinition, Loads, Mobility, MotionVector, Scratch, Tree,
};
use stiction::math::Pose;
use stiction::shape::MassProperties;

use crate::trees::random::{Scene, dot, relative, unit};

const GRAVITY: DVec3 = DVec3::new(1.0, -2.0, -9.0);

#[test]
fn forward_dynamics_inverts_inverse_dynamics() {
    for seed in 0..1000 {
        let mut scene = Scene::new(seed, 60);
        let (n, links) = (scene.tree.dof_count(), scene.tree.link_count());
        let wrenches: Vec<ForceVector> = (0..links).map(|_| scene.random.wrench()).collect();
        let gravity_scale = scene.random.list(links);
        let loads = Loads { gravity: GRAVITY, gravity_scale: &gravity_scale, wrenches: &wrenches };
        let a = scene.random.list(n);
        let mut tau = vec![0.0; n];
        scene.tree.inverse_dynamics(&scene.kin, &loads, &a, &mut tau, &mut scene.scratch);
        let mut back = tau.clone();
        scene.tree.accelerations(&scene.kin, &scene.factor, &loads, &mut back, &mut scene.scratch);
        assert!(relative(&back, &a, 1.0) < 1e-8, "seed {seed}: {:e}", relative(&back, &a, 1.0));

        // The whitened acceleration is L v̇.
        let mut y = tau.clone();
        scene.tree.whiten_loads(&scene.kin, &scene.factor, &loads, &mut y, &mut scene.scratch);
        let mut z = a.clone();
        scene.tree.whiten_velocity(&scene.factor, &mut z, &mut scene.scratch);
        assert!(relative(&y, &z, 1.0) < 1e-10, "seed {seed}");

        // What a joint transmits along its freedom is its force.
        let mut reactions = vec![ForceVector::ZERO; links];
        scene.tree.reactions(&scene.kin, &loads, &a, &mut reactions, &mut scene.scratch);
        for link in 0..links {
            for k in scene.tree.dof_span(link) {
                let along = scene.kin.subspace()[k].dot(&reactions[link]);
                assert!((along - tau[k]).abs() < 1e-12 * (1.0 + tau[k].abs()), "seed {seed}");
            }
        }
    }
}

#[test]
fn mass_matrix_is_that_of_inverse_dynamics_and_of_the_kinetic_energy() {
    for seed in 0..1000 {
        let mut scene = Scene::new(seed, 40);
        scene.base_motion = BaseMotion::default();
        scene.update();
        let n = scene.tree.dof_count();
        let matrix = scene.mass_matrix();
        let loads = Loads::gravity(GRAVITY);
        let mut bias = vec![0.0; n];
        scene.tree.inverse_dynamics(&scene.kin, &loads, &vec![0.0; n], &mut bias, &mut scene.scratch);
        let mut column = vec![0.0; n];
        for k in 0..n {
            scene.tree.inverse_dynamics(&scene.kin, &loads, &unit(n, k), &mut column, &mut scene.scratch);
            let own: Vec<f64> = column.iter().zip(&bias).map(|(a, b)| a - b).collect();
            let difference = own.iter().zip(&matrix[k * n..(k + 1) * n]).fold(0.0f64, |d, (a, b)| d.max((a - b).abs()));
            assert!(
                difference < 1e-11 * crate::trees::random::largest(&column).max(1.0),
                "seed {seed}: {difference:e}"
            );
        }

        // T is quadratic: w · M v = T(v + w) − T(v) − T(w).
        let mut energy = |v: &[f64]| {
            scene.tree.velocities(v, &BaseMotion::default(), &mut scene.kin);
            scene.kin.kinetic_energy()
        };
        let (v, w) = (scene.random.list(n), scene.random.list(n));
        let sum: Vec<f64> = v.iter().zip(&w).map(|(v, w)| v + w).collect();
        let polar = energy(&sum) - energy(&v) - energy(&w);
        let product: f64 = (0..n).map(|i| w[i] * dot(&matrix[i * n..(i + 1) * n], &v)).sum();
        assert!((polar - product).abs() < 1e-12 * energy(&sum), "seed {seed}");
    }
}

#[test]
fn the_bias_does_no_work_that_the_mass_matrix_does_not_take() {
    // vᵀ (Ṁ − 2 C) v = 0: at v̇ = 0 the power of the bias is the rate of the kinetic energy of the moving matrix.
    for seed in 0..300 {
        let mut scene = Scene::new(seed, 40);
        scene.base_motion = BaseMotion::default();
        scene.update();
        let n = scene.tree.dof_count();
        let mut bias = vec![0.0; n];
        scene.tree.inverse_dynamics(&scene.kin, &Loads::default(), &vec![0.0; n], &mut bias, &mut scene.scratch);
        let h = 1e-5;
        let rate =
            (scene.kinematics_after(h).kinetic_energy() - scene.kinematics_after(-h).kinetic_energy()) / (2.0 * h);
        let power = dot(&bias, &scene.v);
        assert!((power - rate).abs() < 1e-6 * (1.0 + rate.abs()), "seed {seed}: {power} {rate}");
    }
}

#[test]
fn a_base_that_accelerates_is_gravity_the_other_way() {
    for seed in 0..300 {
        let mut scene = Scene::new(2 * seed, 40);
        scene.base_motion = BaseMotion::default();
        scene.update();
        let n = scene.tree.dof_count();
        let a = scene.random.list(n);
        let (mut falling, mut lifted) = (vec![0.0; n], vec![0.0; n]);
        scene.tree.inverse_dynamics(&scene.kin, &Loads::gravity(GRAVITY), &a, &mut falling, &mut scene.scratch);
        scene.base_motion.acceleration = MotionVector::new(DVec3::ZERO, -GRAVITY);
        scene.update();
        scene.tree.inverse_dynamics(&scene.kin, &Loads::default(), &a, &mut lifted, &mut scene.scratch);
        assert!(relative(&lifted, &falling, 1.0) < 1e-12, "seed {seed}");
    }
}

#[test]
fn gravity_pulls_each_link_by_its_own_factor() {
    for seed in 0..100 {
        let mut scene = Scene::new(seed, 30);
        let (n, links) = (scene.tree.dof_count(), scene.tree.link_count());
        let gravity_scale = scene.random.list(links);
        let loads = Loads { gravity: GRAVITY, gravity_scale: &gravity_scale, wrenches: &[] };
        let (mut with, mut without, zero) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        scene.tree.inverse_dynamics(&scene.kin, &loads, &zero, &mut with, &mut scene.scratch);
        scene.tree.inverse_dynamics(&scene.kin, &Loads::default(), &zero, &mut without, &mut scene.scratch);
        let mut expected = vec![0.0; n];
        let mut jacobian = vec![0.0; 6 * n];
        for link in 0..links {
            let mass = scene.definitions[link].mass;
            let center = scene.kin.poses()[link].point(mass.center_of_mass);
            scene.tree.jacobian(&scene.kin, link, center, &mut jacobian);
            let weight = (GRAVITY * gravity_scale[link] * mass.mass).to_array();
            for k in 0..n {
                expected[k] -= (0..3).map(|row| jacobian[row * n + k] * weight[row]).sum::<f64>();
            }
        }
        let own: Vec<f64> = with.iter().zip(&without).map(|(a, b)| a - b).collect();
        assert!(relative(&own, &expected, 1.0) < 1e-11, "seed {seed}");
    }
}

#[test]
fn joints_of_several_dofs_are_simple_ones_with_massless_links_between() {
    let (x, y) = (DVec3::X, DVec3::new(0.6, 0.8, 0.0));
    let hinge = |axis| Mobility::Revolute { axis };
    let slider = |axis| Mobility::Prismatic { axis };
    let across = DVec3::Y;
    let pairs = [
        (Mobility::Universal { axes: [x, y] }, vec![hinge(x), hinge(y)]),
        (Mobility::Planar { axes: [x, across] }, vec![slider(x), slider(across), hinge(DVec3::Z)]),
        (Mobility::Screw { axis: x, pitch: 0.0 }, vec![hinge(x)]),
        (Mobility::PrismaticRevolute { slide: across, axis: x }, vec![slider(across), hinge(x)]),
        (Mobility::PrismaticRevolute { slide: x, axis: x }, vec![slider(x), hinge(x)]),
        (Mobility::RevolutePrismatic { axis: x, slide: y }, vec![hinge(x), slider(y)]),
        (Mobility::PrismaticUniversal { slide: across, axes: [x, y] }, vec![slider(across), hinge(x), hinge(y)]),
        (Mobility::UniversalPrismatic { axes: [x, y], slide: across }, vec![hinge(x), hinge(y), slider(across)]),
        (Mobility::Fixed, vec![]),
    ];
    for (whole, parts) in pairs {
        let whole = one_between(&[whole]);
        let parts = one_between(&parts);
        assert!(relative(&parts.0, &whole.0, 1.0) < 1e-13);
        assert!(relative(&parts.1, &whole.1, 1.0) < 1e-13);
    }
}

/// Bias and accelerations of a three-link tree in whose middle a joint is made of the given motions.
fn one_between(joint: &[Mobility]) -> (Vec<f64>, Vec<f64>) {
    let template = Scene::new(5, 20).definitions[0];
    let end = |parent: usize| LinkDefinition { parent: parent.checked_sub(1), mobility: hinge_of_ends(), ..template };
    let nothing = MassProperties { mass: 0.0, center_of_mass: DVec3::ZERO, inertia: DMat3::ZERO };
    let mut definitions = vec![end(0)];
    let last = joint.len().max(1) - 1;
    let parts = if joint.is_empty() { &[Mobility::Fixed] } else { joint };
    for (index, mobility) in parts.iter().enumerate() {
        definitions.push(LinkDefinition {
            parent: Some(definitions.len() - 1),
            mobility: *mobility,
            parent_frame: if index == 0 { template.parent_frame } else { Pose::IDENTITY },
            child_frame: if index == last { template.child_frame } else { Pose::IDENTITY },
            mass: if index == last { template.mass } else { nothing },
        });
    }
    definitions.push(end(definitions.len()));
    let tree = Tree::new(&definitions).expect("a tree");
    let n = tree.dof_count();
    let q: Vec<f64> = (0..n).map(|k| 0.3 + 0.2 * k as f64).collect();
    let v: Vec<f64> = (0..n).map(|k| 1.0 - 0.7 * k as f64).collect();
    let (mut kin, mut factor, mut scratch) = (Kinematics::default(), Factor::default(), Scratch::default());
    tree.positions(&q, &Pose::IDENTITY, DVec3::ZERO, &mut kin);
    tree.velocities(&v, &BaseMotion::default(), &mut kin);
    tree.factor(&kin, &[], &mut factor).expect("inertia");
    let (mut bias, mut a) = (vec![0.0; n], vec![0.0; n]);
    let loads = Loads::gravity(GRAVITY);
    tree.inverse_dynamics(&kin, &loads, &vec![0.0; n], &mut bias, &mut scratch);
    tree.accelerations(&kin, &factor, &loads, &mut a, &mut scratch);
    (bias, a)
}

fn hinge_of_ends() -> Mobility {
    Mobility::Revolute { axis: DVec3::new(1.0, 2.0, -1.0) }
}
