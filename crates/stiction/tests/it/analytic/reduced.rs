//! The mechanisms again in the coordinates of their joints: fixed steps, and continuous time.

use stiction::integrators::Scheme;
use stiction::joints::{JointDefinition, JointKind};
use stiction::math::{DVec3, Pose};
use stiction::world::{BodyDefinition, Coordinates, Preset, SolverKind, World, WorldParameters};

use super::closed_forms::*;
use super::four_bar::thin_bars;
use super::mechanisms::{CASES, Mechanism, build, errors, meta, shared};

/// Fixed steps of trees, hard constraints at the loops.
fn discrete() -> WorldParameters {
    WorldParameters {
        coordinates: Coordinates::Reduced,
        solver: SolverKind::Direct,
        cfm: 0.0,
        ..WorldParameters::default()
    }
}

/// Dormand and Prince's scheme at a fine accuracy.
fn continuous() -> WorldParameters {
    let mut parameters = WorldParameters::default();
    Preset::DrakeContinuous.apply(&mut parameters);
    parameters.integrator.scheme = Scheme::RungeKutta5;
    parameters.integrator.accuracy = 1e-9;
    parameters
}

/// Position, rotation, angular velocity, velocity.
fn list(x: [f64; 4]) -> String {
    x.map(|x| format!("{x:.2e}")).join(" ")
}

#[test]
fn fixed_steps_of_trees_are_as_good_as_semi_implicit_euler_with_projection() {
    let Some(folder) = shared() else { return };
    for (case, step, yardstick, torque) in CASES {
        if case.starts_with("boxes") || case.starts_with("tumbling") {
            continue;
        }
        let found = errors(&folder, case, discrete(), step, torque);
        let bars = &meta(&folder, case)["yardstick_max_error_of_textbook_steppers"][yardstick];
        let bars = ["pos", "rot_rad", "w", "v"].map(|k| number(&bars[k]));
        println!("{case:18} found {}  yardstick {}", list(found), list(bars));
        // Bricard's loop in a tree of five links: first order as the yardstick, with a larger constant.
        let factor = if case == "bricard_A04" { 3.0 } else { 1.2 };
        assert!(found.iter().zip(bars).all(|(f, b)| *f < factor * b), "{case}: {found:?} {bars:?}");
    }
}

#[test]
fn fixed_steps_of_trees_are_of_second_order_for_tops_and_overconstrained_loops() {
    let Some(folder) = shared() else { return };
    for (case, step) in [("bricard_A04", 1e-3), ("heavy_top_steady", 1e-5), ("heavy_top_cusp", 1e-5)] {
        let run = |step: f64| errors(&folder, case, discrete(), step, None);
        let (first, second) = (run(step), run(0.5 * step));
        println!("{case:18} at {step:.0e} s {}, at half of it {}", list(first), list(second));
        assert!(first.iter().zip(second).all(|(a, b)| (0.2..0.3).contains(&(b / a))), "{case}: {first:?} {second:?}");
    }
}

#[test]
fn continuous_trees_follow_the_references() {
    let Some(folder) = shared() else { return };
    for (case, step, _, torque) in CASES {
        let found = errors(&folder, case, continuous(), step, torque);
        println!("{case:18} {}", list(found));
        let bars = match case {
            // Springs to the world are forces of the user, which hold for a step: first order.
            "andrews_A03" => [1e-3, 0.1, 50.0, 1.0],
            // Spins of 200 and 250 rad/s: velocities scale with them.
            "heavy_top_steady" | "heavy_top_cusp" => [1e-6, 1e-6, 1e-4, 1e-6],
            _ => [1e-6; 4],
        };
        assert!(found.iter().zip(bars).all(|(f, b)| *f < b), "{case}: {found:?}");
    }
}

#[test]
fn a_four_bar_linkage_in_a_tree_passes_its_singular_positions_in_fixed_steps() {
    let Some(folder) = shared() else { return };
    let meta = thin_bars(&folder);
    let rows = table(&folder.join("four_bar_A02/reference.csv"));
    // Where its cranks are level the loop has another branch: continuous time is compared up to there.
    for (way, parameters, end, bars) in
        [("discrete", discrete(), 10.0, [1e-3, 0.1]), ("continuous", continuous(), 0.5, [1e-6, 1e-6])]
    {
        let parameters = WorldParameters { gravity: vector(&meta["gravity"]), ..parameters };
        let Mechanism { mut world, bodies, .. } = build(&meta, parameters);
        let (mut place, mut energy, mut gap) = (0.0f64, 0.0f64, 0.0f64);
        for row in rows[1..].iter().filter(|row| row[0] <= end) {
            run_until(&mut world, row[0], 1e-3);
            gap = gap.max(world.report().joint_error);
            let crank = world.body(bodies["crank0"]).unwrap();
            let end = crank.point_to_world(DVec3::new(0.0, 0.0, 0.5));
            place = place.max((end - DVec3::new(row[3], row[4], 0.0)).length());
            energy = energy.max((world.energy().total() - number(&meta["energy_J"])).abs());
        }
        println!("four bar, {way}: end off by {place:.1e} m, energy by {energy:.1e} J, loops by {gap:.1e} m");
        assert!(place < bars[0] && energy < bars[1] && gap < 1e-9, "{way}: {place} {energy} {gap}");
    }
}

#[test]
fn a_pendulum_in_its_own_coordinate_follows_the_elliptic_functions() {
    let Some(folder) = shared() else { return };
    let rows = table(&folder.join("pendulum_A01/reference.csv"));
    for (way, parameters, bar) in [("discrete", discrete(), 4.43e-3), ("continuous", continuous(), 1e-6)] {
        let mut world = World::new(WorldParameters { gravity: DVec3::Z * -GRAVITY, ..parameters });
        // A point mass, nearly: the inertia lengthens the period by half of 1e-9.
        let definition = BodyDefinition { mass: mass(1.0, DVec3::splat(1e-9)), ..BodyDefinition::default() };
        let bob = world.add_body(&definition).unwrap();
        world.body_mut(bob).unwrap().set_pose(&Pose::from_position(-DVec3::X)).unwrap();
        let joint =
            world.add_joint(JointDefinition::new(JointKind::Hinge, Some(bob), None).with_axis(0, -DVec3::Y)).unwrap();
        let mut angle = 0.0f64;
        for row in &rows[1..] {
            run_until(&mut world, row[0], 1e-3);
            let position = world.joint(joint).unwrap().position(0);
            angle = angle.max((position - std::f64::consts::FRAC_PI_2 - row[1]).abs());
        }
        println!("pendulum, {way}: angle off by {angle:.2e}");
        assert!(angle < bar, "{way}: {angle}");
    }
}
