//! Forces that follow the motion, in continuous time: floats, springs and drag in closed form for 60 s; and surfaces that run, under
//! every engine.

use std::f64::consts::PI;

use super::random::Random;
use super::*;
use crate::common::ENGINES;

const G: f64 = 9.8;

fn model(name: &str, at: [f64; 3], [mass, i]: [f64; 2], more: &str, plugins: &str) -> String {
    let [x, y, z] = at;
    format!(
        r#"<model name="{name}"><pose>{x} {y} {z} 0 0 0</pose><link name="l"><inertial><mass>{mass}</mass><inertia><ixx>{i}</ixx><iyy>{i}</iyy><izz>{i}</izz></inertia>{more}</link>{plugins}</model>"#
    )
}

/// A body whose height, or way along x, is known.
struct Known {
    name: &'static str,
    text: String,
    at: Box<dyn Fn(f64) -> f64>,
    size: f64,
    is_height: bool,
}

/// Random parameters of a float, one with added mass, a spring that a weight falls into, and a drifting body.
fn bodies(r: &mut Random) -> Vec<Known> {
    let mut known = Vec::new();
    for (name, x) in [("float", 0.0), ("heavy", 10.0)] {
        let [a, b, h] = [r.within(1.0, 2.0), r.within(1.0, 2.0), r.within(0.2, 0.4)];
        let mass = 0.5 * 1000.0 * a * b * h;
        let added = if name == "heavy" { mass * r.within(0.3, 4.0) } else { 0.0 };
        let more = format!(
            "<fluid_added_mass><zz>{added}</zz></fluid_added_mass></inertial><collision name=\"c\"><geometry><box><size>{a} {b} {h}</size></box></geometry></collision>"
        );
        let more = if added > 0.0 { more } else { more.replace("<fluid_added_mass><zz>0</zz></fluid_added_mass>", "") };
        let z = 0.45 * h * r.within(0.3, 1.0);
        let omega = (1000.0 * G * a * b / (mass + added)).sqrt();
        let text = model(name, [x, 0.0, z], [mass, mass], &more, "");
        known.push(Known { name, text, at: Box::new(move |t| z * (omega * t).cos()), size: z, is_height: true });
    }
    let (mass, omega) = (r.within(0.5, 5.0), r.within(3.0, 20.0));
    // Half the spring is a force, half of it the joint's own.
    let (fall, k) = (G / (omega * omega), 0.5 * mass * omega * omega);
    let spring = format!(
        r#"<joint name="j" type="prismatic"><parent>world</parent><child>l</child><axis><xyz>0 0 1</xyz></axis></joint><plugin name="s" filename="libSpringTestPlugin.so"><joint_explicit>j</joint_explicit><kp_explicit>{k}</kp_explicit><kd_explicit>0</kd_explicit><joint_implicit>j</joint_implicit><kp_implicit>{k}</kp_implicit></plugin>"#
    );
    known.push(Known {
        name: "spring",
        text: model("spring", [20.0, 0.0, 0.0], [mass, mass], "</inertial>", &spring),
        at: Box::new(move |t| -fall * (1.0 - (omega * t).cos())),
        size: fall,
        is_height: true,
    });
    // In a current u: w = u / (1 + c u t / m) is the speed of the water past it.
    let (mass, added, c, u) = (r.within(1.0, 9.0), r.within(0.0, 9.0), r.within(0.5, 9.0), r.within(0.2, 3.0));
    let drag = sim(
        "hydrodynamics",
        "Hydrodynamics",
        &format!(
            "<link_name>l</link_name><xDotU>{}</xDotU><xUabsU>{}</xUabsU><default_current>{u} 0 0</default_current>",
            -added, -c
        ),
    );
    let all = mass + added;
    known.push(Known {
        name: "drag",
        text: model("drag", [0.0, 30.0, 0.0], [mass, mass], "</inertial><gravity>0</gravity>", &drag),
        at: Box::new(move |t| u * t - all / c * (c * u * t / all).ln_1p()),
        size: u,
        is_height: false,
    });
    known
}

#[test]
fn continuous_time_keeps_amplitudes_and_phases_of_floats_springs_and_drag() {
    let mut r = Random(8);
    for case in 0..stiction_testing::cases(1, 30) {
        let bodies = bodies(&mut r);
        let text: String = bodies.iter().map(|body| body.text.as_str()).collect();
        let sea = sim(
            "buoyancy",
            "Buoyancy",
            "<graded_buoyancy><default_density>1000</default_density><density_change><above_depth>0</above_depth><density>0</density></density_change></graded_buoyancy>",
        );
        for engine in ["simbody", "drake-continuous"] {
            let mut run =
                setup(&world(&format!("0 0 {}", -G), &format!("{sea}{text}")), &[]).engine(engine).start().unwrap();
            let mut worst = vec![0.0_f64; bodies.len()];
            for _ in 0..60_000 {
                run.step().unwrap();
                for (body, worst) in bodies.iter().zip(&mut worst) {
                    let position = pose(&run, &format!("{}::l", body.name)).position;
                    let found = if body.is_height { position.z } else { position.x };
                    *worst = worst.max((found - (body.at)(run.time())).abs() / body.size);
                }
            }
            // A force held over the step gains 1.6 % a second.
            for (body, worst) in bodies.iter().zip(&worst) {
                assert!(*worst < 5e-3, "{case} {engine} {}: off by {worst} of its amplitude", body.name);
            }
            is_sound(&run);
        }
    }
}

/// Two belts askew carry a crate that lies across both at the component that they share, where friction is no pyramid along
/// each of them.
#[test]
fn skew_belts_carry_no_faster_than_they_run() {
    let mut r = Random(3);
    for _ in 0..stiction_testing::cases(1, 10) {
        let (speed, angle) = (r.within(0.3, 1.2), r.within(0.2, 0.6));
        let belt = |name: &str, y: f64, angle: f64| {
            let track = format!("<link>l</link><track_orientation>0 0 {angle}</track_orientation>");
            format!(
                r#"<model name="{name}"><pose>0 {y} -0.1 0 0 0</pose><link name="l"><collision name="c"><geometry><box><size>8 1 0.2</size></box></geometry><surface><friction><ode><mu>0.5</mu><mu2>0.5</mu2></ode></friction></surface></collision></link><joint name="w" type="fixed"><parent>world</parent><child>l</child></joint>{}</model>"#,
                sim("track-controller", "TrackController", &track)
            )
        };
        let shape = "</inertial><collision name=\"c\"><geometry><box><size>0.4 0.4 0.2</size></box></geometry><surface><friction><ode><mu>0.5</mu><mu2>0.5</mu2></ode></friction></surface></collision>";
        let load = model("load", [-2.0, 0.0, 0.1], [5.0, 0.1], shape, "");
        let belts = belt("left", 0.5, -angle) + &belt("right", -0.5, angle);
        let text = world(&format!("0 0 {}", -G), &format!("{belts}{load}"));
        let text = text
            .replace("</physics>", "<ode><solver><friction_model>cone_model</friction_model></solver></ode></physics>");
        let commands = [format!("left::l:velocity={speed}"), format!("right::l:velocity={speed}")];
        let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
        for engine in ["ode-quick", "ode-world", "dart", "simbody", "drake-discrete"] {
            let mut run = setup(&text, &commands).engine(engine).start().unwrap();
            run.advance(0.8).unwrap();
            let (found, expected) = (velocity(&run, "load::l").0, speed * angle.cos());
            assert!((found.x - expected).abs() < 0.01 * expected, "{engine}: {found}, expected {expected}, {angle}");
        }
    }
}

/// A crate on a belt that runs at a speed in a direction has that velocity, under every engine.
#[test]
fn belts_carry_at_their_speed_under_every_engine() {
    let mut r = Random(15);
    for _ in 0..stiction_testing::cases(1, 20) {
        let (speed, angle, size) = (r.within(0.2, 1.5), r.within(-PI, PI), r.within(0.1, 0.3));
        let ((x, y), apart) = ((4.0, 4.0), 2.0 * size);
        let track = format!("<link>l</link><track_orientation>0 0 {angle}</track_orientation>");
        let belt = format!(
            r#"<model name="belt"><link name="l"><collision name="c"><pose>0 0 -0.1 0 0 0</pose><geometry><box><size>{x} {y} 0.2</size></box></geometry><surface><friction><ode><mu>0.8</mu><mu2>0.8</mu2></ode></friction></surface></collision></link><joint name="w" type="fixed"><parent>world</parent><child>l</child></joint>{}</model>"#,
            sim("track-controller", "TrackController", &track)
        );
        let shape = format!(
            "</inertial><collision name=\"c\"><geometry><sphere><radius>{size}</radius></sphere></geometry><surface><friction><ode><mu>0.8</mu><mu2>0.8</mu2></ode></friction></surface></collision><collision name=\"d\"><pose>{apart} 0 0 0 0 0</pose><geometry><sphere><radius>{size}</radius></sphere></geometry><surface><friction><ode><mu>0.8</mu><mu2>0.8</mu2></ode></friction></surface></collision><collision name=\"e\"><pose>0 {apart} 0 0 0 0</pose><geometry><sphere><radius>{size}</radius></sphere></geometry><surface><friction><ode><mu>0.8</mu><mu2>0.8</mu2></ode></friction></surface></collision>"
        );
        // Its centre of mass is low and amid the three balls: it does not tip.
        let (center, low) = (2.0 * size / 3.0, -0.5 * size);
        let load = model(
            "load",
            [0.0, 0.0, size],
            [3.0, size * size],
            &format!("<pose>{center} {center} {low} 0 0 0</pose>{shape}"),
            "",
        );
        for engine in ENGINES {
            let command = format!("belt::l:velocity={speed}");
            let text = world(&format!("0 0 {}", -G), &format!("{belt}{load}"));
            let mut run = setup(&text, &[&command]).engine(engine).start().unwrap();
            run.advance(1.0).unwrap();
            let expected = speed * DVec3::new(angle.cos(), angle.sin(), 0.0);
            let found = velocity(&run, "load::l").0;
            // Regularized friction of Drake's and Simbody's laws creeps by less than their tolerances.
            assert!((found - expected).length() < 0.005 * speed + 1e-3, "{engine}: {found}, expected {expected}");
        }
    }
}

/// A box of low density that is tilted on still water rocks for ever as widely as at first: in fixed steps too its energy neither
/// grows nor fades, whatever the step.
#[test]
fn a_float_rocks_as_widely_as_at_first_in_fixed_steps() {
    let mut r = Random(21);
    let sea = sim(
        "buoyancy",
        "Buoyancy",
        "<graded_buoyancy><default_density>1000</default_density><density_change><above_depth>0</above_depth><density>0</density></density_change></graded_buoyancy>",
    );
    for case in 0..stiction_testing::cases(3, 60) {
        let [a, b, h] = [r.within(0.8, 2.0), r.within(0.5, 1.0), r.within(0.1, 0.25)];
        let (roll, step) = (r.within(0.02, 0.12), r.within(5e-4, 4e-3));
        let mass = 500.0 * a * b * h;
        let moments = [b * b + h * h, a * a + h * h, a * a + b * b].map(|i| i * mass / 12.0);
        let text = format!(
            r#"{sea}<model name="boat"><pose>0 0 0 {roll} 0 0</pose><link name="l"><inertial><mass>{mass}</mass><inertia><ixx>{}</ixx><iyy>{}</iyy><izz>{}</izz></inertia></inertial><collision name="c"><geometry><box><size>{a} {b} {h}</size></box></geometry></collision></link></model>"#,
            moments[0], moments[1], moments[2]
        );
        let text = world(&format!("0 0 {}", -G), &text);
        for engine in ENGINES.iter().filter(|engine| !["simbody", "drake-continuous"].contains(engine)) {
            let mut setup = setup(&text, &[]).engine(*engine);
            setup.step_size = Some(step);
            let mut run = setup.start().unwrap();
            let tilt = |run: &stiction_run::Run| (pose(run, "boat::l").rotation * DVec3::Z).z.clamp(-1.0, 1.0).acos();
            let mut widest = [0.0_f64; 2];
            while run.time() < 20.0 {
                run.step().unwrap();
                let half = usize::from(run.time() > 15.0);
                widest[half] = widest[half].max(tilt(&run));
            }
            let label = format!("case {case} {engine}, {step} s: {roll} rad, then {widest:?}");
            assert!((widest[0] / roll - 1.0).abs() < 0.02 && (widest[1] / roll - 1.0).abs() < 0.02, "{label}");
        }
    }
}
