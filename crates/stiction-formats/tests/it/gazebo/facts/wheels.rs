//! Wheels that slip: the plugin WheelSlip.

use super::sdf::{collision, cylinder, inertial, joint, link, model, world};
use crate::gazebo::support::{Run, shared, short};
use stiction::math::DVec3;

/// A wheel of 0.5 m under an axle that steers on an upright that slides up and down, over a drum of 4 m.
fn tire_drum() -> String {
    let contact =
        |more: &str| format!("<contact><ode><max_vel>1e5</max_vel><min_depth>0</min_depth>{more}</ode></contact>");
    let wheel = collision(
        "0 0 0 0 0 0",
        &cylinder(0.5, 0.5),
        &format!(
            "{}<friction><ode><mu>1</mu><mu2>1</mu2><fdir1>0 0 1</fdir1></ode></friction>",
            contact("<kp>250e3</kp><kd>5</kd>")
        ),
    );
    let drum = collision(
        "0 0 0 0 0 0",
        &cylinder(4.0, 2.0),
        &format!("{}<friction><ode><mu>1.5</mu><mu2>1.5</mu2></ode></friction>", contact("")),
    );
    let axis = "<axis><xyz>0 0 1</xyz></axis>";
    let limited = |limit: f64| {
        format!("<axis><xyz>0 0 1</xyz><limit><lower>-{limit}</lower><upper>{limit}</upper></limit></axis>")
    };
    let turned = "1.5707963267948966 0 0";
    let tire = [
        link("wheel", &format!("0 0 0 {turned}"), &(inertial(2.5, "0 0 0 0 0 0", [0.208_333, 0.208_333, 0.3125]) + &wheel)),
        link("axel", "0 0.35 0 0 0 0", &inertial(0.5, "0 0 0 0 0 0", [0.002_916_6, 0.002_916_6, 0.0025])),
        link("upright", "0 0.55 0.4 0 0 0", &inertial(1.0, "0 0 0 0 0 0", [0.086_67, 0.086_67, 0.006_666_7])),
        joint("spin", "revolute", "axel", "wheel", &format!("{axis}<physics><provide_feedback>true</provide_feedback></physics>")),
        joint("steer", "revolute", "upright", "axel", &limited(0.0)),
        joint("suspension", "prismatic", "world", "upright", &limited(0.1)),
        "<plugin name='wheel_slip' filename='libWheelSlipPlugin.so'><wheel link_name='wheel'><slip_compliance_lateral>0.01\
         </slip_compliance_lateral><slip_compliance_longitudinal>0.01</slip_compliance_longitudinal><wheel_normal_force>1000\
         </wheel_normal_force></wheel></plugin>"
            .to_owned(),
    ]
    .concat();
    let drum = link("link", "0 0 0 0 0 0", &(inertial(10.0, "0 0 0 0 0 0", [43.333, 43.333, 80.0]) + &drum))
        + &joint("joint", "revolute", "world", "link", axis);
    world("0 0 -9.8", &(model("tire", "0 0 0.5 0 0 0", &tire) + &model("drum", &format!("0 0 -4 {turned}"), &drum)))
}

/// Commands of the rig, and the forces of the wheel on its axle that they lead to.
struct State {
    steer: f64,
    /// Speed of the rim over that of the drum.
    speed: f64,
    /// Torque on the wheel beside that of its controller \[N m\].
    torque: f64,
    /// Compliances, lateral and longitudinal.
    compliance: [f64; 2],
    lateral: f64,
    longitudinal: f64,
}

#[test]
fn t8_a_tire_on_a_drum_slips_by_its_load() {
    let mut run = Run::text("ode", &tire_drum());
    let (load, radius, speed) = (1000.0, 0.5, 25.0 * 1609.34 / 3600.0);
    let degrees = std::f64::consts::PI / 180.0;
    let free = State { steer: 0.0, speed: 1.0, torque: 0.0, compliance: [0.01, 0.01], lateral: 0.0, longitudinal: 0.0 };
    let driven = State { compliance: [0.1, 0.01], ..free };
    let states = [
        State { ..free },
        State { steer: 3.0, compliance: [0.1, 0.01], lateral: -load * (3.0 * degrees).sin() / 0.1, ..free },
        State { steer: 10.0, speed: (10.0 * degrees).cos(), lateral: -load, ..free },
        State { speed: 1.055, torque: 0.25 * load * radius, longitudinal: -250.0, ..driven },
        State { speed: 1.12, torque: 0.5 * load * radius, longitudinal: -600.0, ..driven },
    ];
    for (i, state) in states.iter().enumerate() {
        let steer = state.steer * degrees;
        let stops = run.parameters("tire::steer", 0);
        (stops.lower, stops.upper) = (steer, steer);
        run.simulation.wheel_slips[0].compliance = state.compliance;
        let (wheel, drum) = (state.speed * speed / radius, -speed / 4.0);
        let mut worst = [0.0f64; 7];
        let mut mean = DVec3::ZERO;
        for step in 0..1250 {
            run.push("drum::joint", 0, 1e4 * (drum - run.joint("drum::joint", 0).1));
            run.push("tire::spin", 0, 100.0 * (wheel - run.joint("tire::spin", 0).1) + state.torque);
            run.push("tire::suspension", 0, -load);
            run.steps(1);
            if step < 250 {
                continue;
            }
            let spin = run.simulation.world.joint(run.simulation.joint("tire::spin").unwrap().id.unwrap()).unwrap();
            let force = run.pose("tire::axel").inverse().direction(spin.feedback().forces[1]);
            mean += force / 1000.0;
            let errors = [
                run.joint("drum::joint", 0).1 - drum,
                run.position("tire::wheel").z - (radius - load / 250e3),
                run.joint("tire::steer", 0).0 - steer,
                force.y - state.lateral,
                force.x - state.longitudinal,
                force.z - (load + 1.5 * 9.8),
                run.joint("tire::spin", 0).1 - wheel,
            ];
            (0..7).for_each(|k| worst[k] = worst[k].max(errors[k].abs()));
        }
        // The law where they touch, by the speeds of both surfaces along the axle's x: F = −N s / (c r ω).
        let bodies = ["tire::wheel", "drum::link"].map(|link| run.simulation.world.body(run.body(link)).unwrap());
        let at = run.simulation.world.contact_reports()[0].position;
        let slip = bodies[0].velocity_at(at) - bodies[1].velocity_at(at);
        let slip = run.pose("tire::axel").inverse().direction(slip).x;
        let law = -load * slip / (state.compliance[1] * radius * run.joint("tire::spin", 0).1);
        println!("T8: state {i}: force {mean:.2} N, by the law {law:.2} N longitudinal, worst errors {}", short(worst));
        let bounds = [0.5, 2e-3, 1e-2, 62.0, 90.0, 90.0, 0.6];
        for k in 0..7 {
            assert!(worst[k] < bounds[k], "state {i}, {k}: {worst:?}");
        }
        assert!((mean.x - law).abs() < 5e-3 * load, "state {i}: {mean} {law}");
    }
}

#[test]
fn t9_locked_vehicles_hold_on_a_slope() {
    let Some(shared) = shared() else { return };
    let world = shared.join("worlds/gz-sim/test/triball_drift.sdf");
    // Gazebo's bounds on the way and on the speed for 50 and 200 sweeps, but for the way of the lumped one, 1e-18 m, which only
    // a body at x = 0 can keep: ours are of rounding. The vehicle with hinges is the one with slip, too.
    let bounds = [
        ("50", [("lumped", 2e-14, 1e-11), ("fixed", 1e-5, 1e-5), ("revolute", 2e-4, 7e-5)], (3e-4, 7e-5)),
        ("200", [("lumped", 2e-14, 1e-11), ("fixed", 1e-8, 1e-6), ("revolute", 1e-7, 1e-6)], (2e-7, 1e-6)),
    ];
    for (iters, bounds, of_slip) in bounds {
        for slips in [false, true] {
            // gz-sim's version of the vehicle with hinges is made to slide; classic's has brakes, and friction as the others.
            let overrides = [
                ("physics.ode.solver.iters", iters),
                ("model.triball_revolute.joint.*.axis.dynamics.friction", "10"),
                ("model.triball_revolute.link.*.collision.*.surface.friction.ode.mu", "0.9"),
                ("model.triball_revolute.link.*.collision.*.surface.friction.ode.mu2", "0.9"),
            ];
            let mut run = Run::load(std::slice::from_ref(&world), &overrides, |_| {});
            assert_eq!(run.simulation.wheel_slips.len(), 3);
            if !slips {
                run.simulation.wheel_slips.clear();
            }
            run.steps(100);
            let links = bounds.map(|(name, ..)| run.links(&format!("triball_{name}::")).first().unwrap().clone());
            let start = links.clone().map(|link| run.position(&link).x);
            let mut worst = [[0.0f64; 2]; 3];
            for _ in 0..3000 {
                run.steps(1);
                for (k, link) in links.iter().enumerate() {
                    worst[k][0] = worst[k][0].max((run.position(link).x - start[k]).abs());
                    worst[k][1] = worst[k][1].max(run.velocity(link).x.abs());
                }
            }
            let [ways, speeds] = [0, 1].map(|k| short(worst.map(|w| w[k])));
            println!("T9: {iters} sweeps, slip {slips}: ways {ways} m, speeds {speeds} m/s");
            for (k, (name, way, speed)) in bounds.into_iter().enumerate() {
                let (way, speed) = if slips && name == "revolute" { of_slip } else { (way, speed) };
                assert!(worst[k][0] <= way && worst[k][1] <= speed, "{iters} {slips} {name}: {:?}", worst[k]);
            }
        }
    }
}

#[test]
fn t10_tricycles_climb_with_the_slip_of_their_load() {
    let Some(shared) = shared() else { return };
    let cycle = |name: &str, y: f64, compliance: f64| {
        let wheel = |link: &str, force: f64| {
            format!(
                "<wheel link_name='{link}'><slip_compliance_lateral>{compliance}</slip_compliance_lateral><slip_compliance_longitudinal>\
                 {compliance}</slip_compliance_longitudinal><wheel_normal_force>{force}</wheel_normal_force></wheel>"
            )
        };
        let wheels = wheel("wheel_front", 77.0) + &wheel("wheel_rear_left", 32.0) + &wheel("wheel_rear_right", 32.0);
        format!(
            "<include><uri>model://trisphere_cycle</uri><name>{name}</name><pose>0 {y} 0 0 0 0</pose><plugin name='s' \
             filename='libWheelSlipPlugin.so'>{wheels}</plugin></include>"
        )
    };
    let ground = "<include><uri>model://ground_plane</uri></include>";
    let text = world("-2 0 -9.8", &(ground.to_owned() + &cycle("slip0", 0.0, 0.0) + &cycle("slip1", 2.0, 1.0)));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.world");
    std::fs::write(&path, text).unwrap();
    drop(shared);
    let mut run = Run::load(&[path], &[], |_| {});
    let mut last = [0.0; 2];
    for _ in 0..2000 {
        for (k, name) in ["slip0", "slip1"].into_iter().enumerate() {
            for side in ["left", "right"] {
                let spin = format!("{name}::wheel_rear_{side}_spin");
                run.push(&spin, 0, 2.15 + 9.0 * (6.0 - run.joint(&spin, 0).1));
            }
            let steer = format!("{name}::wheel_front_steer");
            let angle = run.joint(&steer, 0).0;
            run.push(&steer, 0, -9.0 * angle - 0.1 * (angle - last[k]) / run.step);
            last[k] = angle;
        }
        run.steps(1);
    }
    for (name, compliance) in [("slip0", 0.0), ("slip1", 1.0)] {
        let rates = ["left", "right"].map(|side| run.joint(&format!("{name}::wheel_rear_{side}_spin"), 0).1);
        let (rim, v) = (0.15 * 6.0, run.velocity(&format!("{name}::frame")).x);
        // Each of the two driven wheels holds half of m g sin, and its normal force is taken for 32 N.
        let expected = rim * compliance * (14.5 / 2.0 * 2.0 / 32.0);
        println!("T10: {name}: rates {rates:.5?} rad/s, slip {:.5} m/s, expected {expected:.5}", rim - v);
        assert!(rates.iter().all(|rate| (rate - 6.0).abs() < 3e-3), "{rates:?}");
        assert!((rim - v - expected).abs() < 5e-3, "{name}: {v}");
    }
}
