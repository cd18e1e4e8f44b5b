//! The worlds of the tutorial (`docs/tutorial.md`) do what their first comments and the tutorial say.
#![allow(clippy::unwrap_used, missing_docs)]

use stiction::math::DVec3;
use stiction_run::{Quantity, Run, Setup};

const GRAVITY: f64 = 9.81;
const STEP: f64 = 1e-3;

fn started(world: &str, set: &[(&str, &str)]) -> Run {
    set.iter().fold(Setup::new(world), |setup, (path, value)| setup.set(*path, *value)).start().unwrap()
}

fn position(run: &Run, link: &str) -> DVec3 {
    run.simulation().link_pose(run.simulation().link(link).unwrap()).position
}

fn velocity(run: &Run, link: &str) -> (DVec3, DVec3) {
    run.simulation().link_velocity(run.simulation().link(link).unwrap())
}

/// The example world of Gazebo's tutorial: `max_vel = min(10, 1, 0.1)`, `min_depth = min(0.001, 0.01, 0.0001)`.
#[test]
fn world_parameters_truncate_those_of_the_pair() {
    for solver in ["world", "quick"] {
        let setup = Setup::new("tutorial/parameters").set("physics.ode.solver.type", solver);
        let project = setup.load().unwrap();
        let found = project.explain_pair(&project.engine().unwrap(), ["ball_1", "ball_2"]).unwrap();
        let value = |name: &str| found.combined.iter().find(|c| c.name.ends_with(name)).unwrap().result.clone();
        assert_eq!([value(".max_vel"), value(".min_depth")], ["0.1", "1e-4"], "{solver}");
    }
    // Without the world's values those of the pair hold.
    let setup = Setup::new("tutorial/max_vel");
    let project = setup.load().unwrap();
    let found = project.explain_pair(&project.engine().unwrap(), ["upper_10", "lower_1"]).unwrap();
    assert_eq!(found.combined.iter().find(|c| c.name.ends_with(".max_vel")).unwrap().result, "1");
}

/// An overlap of 0.5 m is gone after one step; the ball leaves with `max_vel` and rises by `v²/(2 g)`, less half a step's way.
#[test]
fn what_overlaps_leaves_with_max_vel() {
    let mut run = started("tutorial/max_vel", &[]);
    run.step().unwrap();
    let mut tops = [0.0; 3];
    for (index, max_vel) in [0, 1, 10].into_iter().enumerate() {
        let link = format!("upper_{max_vel}::link");
        // The springs of kp 1e12 N/m, in series, give way by 2 µm under the 5e5 N that part the balls.
        assert!((position(&run, &link).z - 1.5).abs() < 5e-6, "{max_vel}");
        assert!((velocity(&run, &link).0.z - f64::from(max_vel)).abs() < 5e-6 * f64::from(1 + max_vel), "{max_vel}");
        tops[index] = position(&run, &link).z;
    }
    for _ in 0..1500 {
        run.step().unwrap();
        for (index, max_vel) in [0, 1, 10].into_iter().enumerate() {
            tops[index] = f64::max(tops[index], position(&run, &format!("upper_{max_vel}::link")).z);
        }
    }
    for (top, gazebo) in tops.into_iter().zip([1.5, 1.5505, 6.5918]) {
        assert!((top - gazebo).abs() < 1e-4, "{top}, Gazebo {gazebo}");
    }
    // What is pushed out of each other did not go through.
    assert!(run.warnings().iter().all(|warning| !warning.contains("went through")), "{:?}", run.warnings());
}

#[test]
fn an_overlap_up_to_min_depth_stays() {
    let mut run = started("tutorial/min_depth", &[]);
    run.advance(3.0).unwrap();
    for (pair, expected, slack) in [("apart", 0.0, 2e-3), ("hard", 0.0, 1e-5), ("soft", 0.5, 1e-5)] {
        let overlap = 1.0
            - (position(&run, &format!("upper_{pair}::link")) - position(&run, &format!("lower_{pair}::link")))
                .length();
        assert!((overlap - expected).abs() < slack, "{pair}: {overlap}");
    }
}

/// Gazebo's plate loses all contacts in 619 of 5000 steps under `quick`, where their number changes 4794 times.
#[test]
fn the_plate_of_the_double_pendulum_keeps_its_contacts() {
    let plate = "model.pendulum.link.base.collision.plate.surface.contact.ode";
    let (kp, kd) = (format!("{plate}.kp"), format!("{plate}.kd"));
    let cases: [&[(&str, &str)]; 4] =
        [&[], &[("contact.hybrid", "off")], &[(&kp, "1e15"), (&kd, "1e13")], &[("physics.ode.solver.type", "world")]];
    for set in cases {
        let mut run = started("tutorial/double_pendulum", set);
        for step in 0..5000 {
            run.step().unwrap();
            assert_eq!(run.total(Quantity::Contacts), 8.0, "{set:?} step {step}");
        }
        assert!(position(&run, "pendulum::base").length() < 1e-3, "{set:?}");
    }
}

/// `s F`, at which the load and the slip are one: `v(t) = s F (1 − e^(−t/(s m)))` by steps.
#[test]
fn slip_is_a_speed_for_a_force() {
    let mut run = started("tutorial/slip", &[]);
    run.advance(2.0).unwrap();
    for (name, slip, mass) in [
        ("0_mass_1", 0.0, 1.0),
        ("0_1_mass_1", 0.1, 1.0),
        ("0_1_mass_2", 0.1, 2.0),
        ("0_2_mass_1", 0.2, 1.0),
        ("0_2_mass_2", 0.2, 2.0),
    ] {
        let limit = slip * 2.0 * mass;
        let expected = if slip > 0.0 { limit * (1.0 - (1.0 + STEP / (slip * mass)).powi(-2000)) } else { 0.0 };
        let found = velocity(&run, &format!("slip_{name}::link")).0.y;
        assert!((found - expected).abs() < 1e-6, "{name}: {found}, expected {expected}");
    }
}

#[test]
fn a_box_grips_along_its_own_first_direction() {
    let mut run = started("tutorial/fdir1", &[]);
    run.advance(2.0).unwrap();
    for angle in [0, 15, 30, 45, 60, 75, 90] {
        let (sin, cos) = f64::from(angle).to_radians().sin_cos();
        let found = velocity(&run, &format!("turned_{angle}::link")).0;
        let expected = 2.0 * cos * DVec3::new(-sin, cos, 0.0);
        assert!((found - expected).length() < 1e-5, "{angle}: {found}, expected {expected}");
    }
}

/// `ω = 10 − M t/I`, `M = 3 π/16 a μ m g`.
#[test]
fn a_patch_stops_a_spin() {
    let mut run = started("tutorial/torsional_friction", &[]);
    for _ in 0..20 {
        run.advance(0.1).unwrap();
        for (name, radius) in [("0", 0.0), ("0_1", 0.1), ("0_2", 0.2), ("0_4", 0.4)] {
            let slope = 3.0 * std::f64::consts::PI / 16.0 * radius * GRAVITY / 0.1;
            let expected = (10.0 - slope * run.time()).max(0.0);
            let found = velocity(&run, &format!("patch_{name}::link")).1.z;
            assert!((found - expected).abs() < 1e-9, "{radius} at {} s: {found}, expected {expected}", run.time());
        }
    }
}

/// Gazebo's figures after 1.5 s: boxes at 0°, 22.5° and 45°; of the box model, where Gazebo loses a contact, the closed form.
#[test]
fn boxes_slide_out_by_their_friction_model() {
    let decelerated = |v: f64, a: f64| 9.0 * v + 9.0 * v * 1.5 - 0.5 * a * 1.5 * 1.5;
    let of_box = |angle: f64| {
        let (sin, cos) = angle.to_radians().sin_cos();
        (decelerated(cos, 1.2), if sin > 0.0 { decelerated(sin, 1.2) } else { 0.0 })
    };
    let cases = [
        ("pyramid_model", [(19.190, 0.0), (17.478, 5.460), (12.600, 12.600)]),
        ("cone_model", [(19.190, 0.0), (17.730, 7.344), (13.570, 13.570)]),
        ("box_model", [of_box(0.0), of_box(22.5), of_box(45.0)]),
    ];
    for (model, places) in cases {
        let mut run = started("friction_pyramid", &[("physics.ode.solver.friction_model", model)]);
        run.advance(1.5).unwrap();
        for (index, (x, y)) in [0, 2, 4].into_iter().zip(places) {
            let place = position(&run, &format!("box_{index}::link"));
            assert!((place.x - x).hypot(place.y - y) < 0.01, "{model}, box {index}: {place}, expected {x} {y}");
        }
    }
}
