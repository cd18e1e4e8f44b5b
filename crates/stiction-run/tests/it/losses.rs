//! Warnings about energy and overlaps: said of what the steps lose, and not of what stops, impacts and touching shapes do.

use stiction_run::{Run, Setup};
use stiction_testing::cases;

use super::plugins::random::Random;

fn started(text: &str, engine: &str) -> Run {
    let path = tempfile::tempdir().unwrap().keep().join("w.sdf");
    std::fs::write(&path, text).unwrap();
    Setup::new(&path).engine(engine).start().unwrap()
}

fn world(step: f64, inner: &str) -> String {
    format!(
        r#"<sdf version="1.9"><world name="w"><gravity>0 0 -9.8</gravity><physics type="ode"><max_step_size>{step}</max_step_size></physics>{inner}</world></sdf>"#
    )
}

const INERTIA: &str = "<inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia>";

/// A mass on a spring without a damper, pulled out by `x` m.
fn slider(mass: f64, stiffness: f64, damping: f64, x: f64) -> String {
    format!(
        r#"<model name="m"><link name="l"><pose>0 0 2 0 0 0</pose><inertial><mass>{mass}</mass>{INERTIA}</inertial></link>
<joint name="s" type="prismatic"><parent>world</parent><child>l</child><axis><xyz>1 0 0</xyz><dynamics><spring_stiffness>{stiffness}</spring_stiffness><spring_reference>{x}</spring_reference><damping>{damping}</damping></dynamics></axis></joint></model>"#
    )
}

/// Joules of the warning about springs.
fn of_springs(run: &Run) -> Option<f64> {
    let warnings = run.warnings();
    let said = warnings.iter().find(|w| w.contains("from springs of joints (most from that of `m::s`)"))?;
    said.split_whitespace().nth(3)?.parse().ok()
}

/// Engines whose springs are implicit.
const IMPLICIT: [&str; 3] = ["ode-world", "agx", "drake-discrete"];

/// Implicit springs lose `1 − exp(−ω² h t)` of their energy, whatever else is in the world; those of other engines, and of continuous
/// time, lose none.
#[test]
fn what_fixed_steps_take_from_springs_is_said_with_its_joules() {
    let resting = r#"<model name="g"><static>true</static><link name="l"><collision name="c"><geometry><plane/></geometry></collision></link></model>
<model name="b"><pose>3 0 0.1 0 0 0</pose><link name="l"><inertial><mass>1</mass></inertial><collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision></link></model>"#;
    let mut random = Random(5);
    for case in 0..cases(6, 300) {
        let (mass, omega, x) = (random.within(0.5, 4.0), random.within(2.0, 40.0), random.within(0.05, 0.3));
        let step = [0.001, 0.002][case % 2];
        let stiffness = mass * omega * omega;
        let time = 2.0;
        let energy = 0.5 * stiffness * x * x;
        let lost = 1.0 - (-omega * omega * step * time).exp();
        let inner = slider(mass, stiffness, 0.0, x) + if case % 3 == 0 { resting } else { "" };
        for engine in stiction_formats::usage::engines() {
            let mut run = started(&world(step, &inner), engine);
            run.advance(time).unwrap();
            let said = of_springs(&run);
            if !IMPLICIT.contains(&engine) {
                assert!(!run.warnings().iter().any(|w| w.contains("energy in play")), "{engine} {:?}", run.warnings());
            } else if lost > 0.03 {
                let said = said.unwrap_or_else(|| panic!("{engine} {lost} {:?}", run.warnings()));
                // The formula is that of small ω h.
                assert!(
                    (said - energy * lost).abs() < 0.1 * energy * lost,
                    "{engine} ω {omega}: {said} {}",
                    energy * lost
                );
            } else if lost < 0.005 {
                assert_eq!(said, None, "{engine} {lost}");
            }
        }
    }
    // A damper of its own, stronger than that of the step, takes what it takes by right.
    for engine in stiction_formats::usage::engines() {
        let mut run = started(&world(0.001, &slider(1.0, 400.0, 5.0, 0.1)), engine);
        run.advance(2.0).unwrap();
        assert!(!run.warnings().iter().any(|w| w.contains("energy in play")), "{engine} {:?}", run.warnings());
    }
}

/// Springs that swing by more than half a radian in a step are brought to rest: what goes, all that they had, is said.
#[test]
fn what_fixed_steps_take_from_stiff_springs_is_said_with_its_joules() {
    let energy = 0.5 * 1e6 * 0.01 * 0.01;
    for engine in stiction_formats::usage::engines() {
        let mut run = started(&world(0.001, &slider(0.05, 1e6, 0.0, 0.01)), engine);
        run.advance(0.2).unwrap();
        let said = of_springs(&run);
        if ["simbody", "drake-continuous"].contains(&engine) {
            assert_eq!(said, None, "{engine} {:?}", run.warnings());
        } else if IMPLICIT.contains(&engine) {
            assert!(said.is_some(), "{engine} {:?}", run.warnings());
        } else {
            let said = said.unwrap_or_else(|| panic!("{engine} {:?}", run.warnings()));
            assert!((said - energy).abs() < 0.01 * energy, "{engine}: {said} of {energy} J");
        }
    }
}

/// A rod that swings against its stops, by its weight or under a drive: an impact loses energy, and nothing else did.
#[test]
fn stops_are_no_loss_of_the_steps() {
    let mut random = Random(6);
    for case in 0..cases(5, 300) {
        let (low, high) = (random.within(-1.5, -0.3), random.within(0.3, 1.5));
        let (mass, arm, start) = (random.within(0.3, 3.0), random.within(0.1, 0.5), random.within(-2.5, 2.5));
        let moment = 0.3 * mass * arm * arm;
        let drive = if case % 2 == 0 {
            format!(
                r#"<plugin filename="gz-sim-joint-controller-system" name="gz::sim::systems::JointController"><joint_name>j</joint_name><initial_velocity>{}</initial_velocity></plugin>"#,
                2.0 * start
            )
        } else {
            String::new()
        };
        let text = world(
            0.001,
            &format!(
                r#"<model name="m"><link name="l"><pose>0 0 2 0 {} 0</pose><inertial><pose>0 0 {arm} 0 0 0</pose><mass>{mass}</mass><inertia><ixx>{moment}</ixx><iyy>{moment}</iyy><izz>{moment}</izz></inertia></inertial></link>
<joint name="j" type="revolute"><parent>world</parent><child>l</child><axis><xyz>0 1 0</xyz><limit><lower>{low}</lower><upper>{high}</upper><effort>100</effort></limit></axis></joint>{drive}</model>"#,
                0.5 * start
            ),
        );
        for engine in stiction_formats::usage::engines() {
            let mut run = started(&text, engine);
            run.advance(2.0).unwrap();
            let said: Vec<_> = run.warnings().into_iter().filter(|w| !w.contains("effort limit")).collect();
            assert!(said.is_empty(), "{engine}: {said:?}\n{text}");
        }
    }
}

/// Wheels that the file puts onto the ground and beside each other touch, and do not overlap.
#[test]
fn shapes_that_touch_do_not_overlap() {
    let mut random = Random(9);
    for case in 0..cases(5, 300) {
        let radius = random.within(0.03, 0.3);
        let count = 2 + case % 4;
        let wheels: String = (0..count)
            .map(|k| {
                format!(
                    r#"<model name="w{k}"><pose>{} 0 {radius} 1.5707963267948966 0 0</pose><link name="l"><inertial><mass>1</mass><inertia><ixx>{i}</ixx><iyy>{i}</iyy><izz>{i}</izz></inertia></inertial><collision name="c"><geometry><cylinder><radius>{radius}</radius><length>0.05</length></cylinder></geometry></collision></link></model>"#,
                    2.0 * radius * f64::from(k as u32),
                    i = 0.4 * radius * radius
                )
            })
            .collect();
        let ground = r#"<model name="g"><static>true</static><link name="l"><collision name="c"><geometry><plane/></geometry></collision></link></model>"#;
        let text = world(0.001, &(ground.to_owned() + &wheels));
        for engine in stiction_formats::usage::engines() {
            let mut run = started(&text, engine);
            let world = run.description();
            let told = stiction_formats::start_advice(world, 0.001);
            assert!(!told.iter().any(|d| d.code == "overlapping-start"), "{told:?}");
            run.advance(0.5).unwrap();
            assert!(!run.warnings().iter().any(|w| w.contains("overlap")), "{engine} {:?}", run.warnings());
        }
    }
}

/// A heavy load on a chain of light links: what the warnings of fixed steps propose keeps joints closed and the energy, and the load
/// swings as a pendulum, `T = 2π √(L/g) (1 + θ²/16 + 11 θ⁴/3072)`.
#[test]
fn what_is_proposed_for_a_heavy_load_on_a_light_chain_solves_it() {
    let mut random = Random(11);
    for _ in 0..cases(2, 60) {
        let (count, length, load, angle) = (
            4 + (random.next() * 5.0) as usize,
            random.within(0.15, 0.3),
            random.within(500.0, 5000.0),
            random.within(0.2, 0.4),
        );
        let (sin, cos) = (angle.sin(), angle.cos());
        let mut inner = String::new();
        for k in 0..count {
            let s = length * (k as f64 + 0.5);
            inner += &format!(
                r#"<link name="l{k}"><pose>{} 0 {} 0 {} 0</pose><inertial><mass>0.1</mass><inertia><ixx>{i}</ixx><iyy>{i}</iyy><izz>{i}</izz></inertia></inertial></link>
<joint name="j{k}" type="ball"><pose>0 0 {} 0 0 0</pose><parent>{}</parent><child>l{k}</child></joint>"#,
                s * sin,
                5.0 - s * cos,
                -angle,
                0.5 * length,
                if k == 0 { "world".to_owned() } else { format!("l{}", k - 1) },
                i = 0.1 * length * length / 12.0
            );
        }
        let whole = length * count as f64;
        inner += &format!(
            r#"<link name="load"><pose>{} 0 {} 0 0 0</pose><inertial><mass>{load}</mass><inertia><ixx>{i}</ixx><iyy>{i}</iyy><izz>{i}</izz></inertia></inertial></link>
<joint name="end" type="ball"><parent>l{}</parent><child>load</child></joint>"#,
            whole * sin,
            5.0 - whole * cos,
            count - 1,
            i = load * 0.01
        );
        let text = world(0.001, &format!(r#"<model name="m">{inner}</model>"#));
        let period = 2.0
            * std::f64::consts::PI
            * (whole / 9.8).sqrt()
            * (1.0 + angle.powi(2) / 16.0 + 11.0 * angle.powi(4) / 3072.0);
        // Passages to the left, and the largest distance of the load from the hook.
        let swing = |engine: &str| {
            let mut run = started(&text, engine);
            let place = |run: &Run| {
                let simulation = run.simulation();
                simulation.link_pose(simulation.link("m::load").unwrap()).position
            };
            let (mut passages, mut stretch) = (Vec::new(), 0.0_f64);
            while run.time() < 2.0 * period {
                let before = place(&run);
                run.step().unwrap();
                let now = place(&run);
                stretch = stretch.max((now - stiction::math::DVec3::new(0.0, 0.0, 5.0)).length() / whole - 1.0);
                if before.x > 0.0 && now.x <= 0.0 {
                    passages.push(run.time() - 0.001 * now.x / (now.x - before.x));
                }
            }
            let found = passages.windows(2).next().map_or(f64::INFINITY, |pair| pair[1] - pair[0]);
            ((found / period - 1.0).abs(), stretch, run.warnings())
        };
        let (off, stretch, said) = swing("simbody");
        assert!(off < 2e-3 && stretch < 1e-6 && said.is_empty(), "{off} {stretch} {said:?}");
        // Fixed steps say it where they do not.
        for engine in ["ode", "ode-world", "bullet", "dart", "agx", "drake-discrete"] {
            let (off, stretch, said) = swing(engine);
            println!("{engine} {count} {load}: {off:.1e} {stretch:.1e} {said:?}");
            assert!(off.max(stretch) < 0.02 || !said.is_empty(), "{engine}: {off} {stretch}");
        }
    }
}
