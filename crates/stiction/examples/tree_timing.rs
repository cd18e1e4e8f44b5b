//! Times the stages of the dynamics of trees: `cargo run --release -p stiction --example tree_timing`.

use std::hint::black_box;
use std::time::Instant;

use glam::{DMat3, DVec3};
use stiction::dynamics::tree::{
    BaseMotion, Factor, Flow, FlowBase, FlowInputs, ForceVector, Kinematics, LinkDefinition, Loads, Mobility, Scratch,
    Tree,
};
use stiction::math::Pose;
use stiction::shape::MassProperties;

fn link(parent: Option<usize>, mobility: Mobility, from: DVec3) -> LinkDefinition {
    let mass = MassProperties {
        mass: 1.0,
        center_of_mass: DVec3::new(0.02, 0.01, -0.1),
        inertia: DMat3::from_diagonal(DVec3::new(0.01, 0.011, 0.002)),
    };
    LinkDefinition {
        parent,
        mobility,
        parent_frame: Pose::from_xyz_rpy(from, DVec3::new(0.1, 0.0, 0.2)),
        child_frame: Pose::IDENTITY,
        mass,
    }
}

fn chain(links: usize) -> Tree {
    let axes = [DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.0)];
    let definitions: Vec<_> = (0..links)
        .map(|i| link(i.checked_sub(1), Mobility::Revolute { axis: axes[i % 3] }, DVec3::new(0.0, 0.0, -0.2)))
        .collect();
    Tree::new(&definitions).expect("a chain")
}

fn quadruped() -> Tree {
    let mut definitions = vec![link(None, Mobility::Free, DVec3::ZERO)];
    for leg in 0..4 {
        let hip = DVec3::new(if leg < 2 { 0.3 } else { -0.3 }, if leg % 2 == 0 { 0.1 } else { -0.1 }, 0.0);
        let first = definitions.len();
        definitions.push(link(Some(0), Mobility::Revolute { axis: DVec3::X }, hip));
        definitions.push(link(Some(first), Mobility::Revolute { axis: DVec3::Y }, DVec3::new(0.0, 0.08, 0.0)));
        definitions.push(link(Some(first + 1), Mobility::Revolute { axis: DVec3::Y }, DVec3::new(0.0, 0.0, -0.2)));
    }
    Tree::new(&definitions).expect("a quadruped")
}

/// Best of several runs, in µs a call.
fn best(mut call: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..40 {
        let start = Instant::now();
        for _ in 0..100 {
            call();
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e4);
    }
    best
}

fn time(name: &str, tree: &Tree) {
    let mut q = vec![0.0; tree.position_count()];
    tree.zero_positions(&mut q);
    let v: Vec<f64> = (0..tree.dof_count()).map(|k| 0.3 + 0.01 * (k % 7) as f64).collect();
    tree.advance(&mut q, &v, 0.5);
    let (mut kin, mut factor, mut scratch) = (Kinematics::default(), Factor::default(), Scratch::default());
    let loads = Loads::gravity(DVec3::new(0.0, 0.0, -9.81));
    let mut a = v.clone();

    let positions = best(|| tree.positions(black_box(&q), &Pose::IDENTITY, DVec3::ZERO, &mut kin));
    let velocities = best(|| tree.velocities(black_box(&v), &BaseMotion::default(), &mut kin));
    let factors = best(|| tree.factor(black_box(&kin), &[], &mut factor).expect("inertia"));
    let free = best(|| {
        a.fill(0.0);
        tree.accelerations(&kin, &factor, black_box(&loads), &mut a, &mut scratch);
    });
    let all = best(|| {
        tree.positions(black_box(&q), &Pose::IDENTITY, DVec3::ZERO, &mut kin);
        tree.velocities(&v, &BaseMotion::default(), &mut kin);
        tree.factor(&kin, &[], &mut factor).expect("inertia");
        a.fill(0.0);
        tree.accelerations(&kin, &factor, &loads, &mut a, &mut scratch);
    });
    let wrench = ForceVector::at(DVec3::new(0.1, 0.2, -1.0), DVec3::ZERO, DVec3::Z);
    let last = tree.link_count() - 1;
    let rows = best(|| {
        let mut sum = 0.0;
        tree.whiten_wrenches(&factor, last, black_box([wrench; 3]), |_, y| sum += y[0] + y[1] + y[2]);
        black_box(sum);
    });
    let inputs = FlowInputs { base: FlowBase::at_rest(Pose::IDENTITY), armature: &[], held: &[] };
    let mut memory = Flow::default();
    let (mut moved, mut rates) = (q.clone(), v.clone());
    let flow = best(|| {
        moved.copy_from_slice(&q);
        rates.copy_from_slice(&v);
        tree.flow(&kin, &mut moved, &mut rates, &inputs, black_box(1e-4), &mut memory).expect("inertia");
    });
    println!(
        "{name:12} positions {positions:.2} velocities {velocities:.2} factor {factors:.2} free motion {free:.2} \
         all {all:.2} three rows {rows:.2} flow {flow:.2} µs"
    );
}

fn main() {
    time("chain 100", &chain(100));
    time("chain 1000", &chain(1000));
    time("quadruped", &quadruped());
}
