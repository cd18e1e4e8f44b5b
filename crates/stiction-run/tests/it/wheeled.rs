//! Wheels, casters, tracks and belts: contacts of which there are more than hold a machine, so that a solver chooses who carries it.
//! Judged by rates that are commanded, and by balances of friction that are solved here.

use crate::plugins::random::Random;
use crate::plugins::{ground, pose, setup, sim, velocity};
use stiction::math::DVec3;
use stiction_run::Run;

/// Engines whose contacts are rows of a fixed step.
const ENGINES: [&str; 5] = ["ode-quick", "ode-world", "bullet", "bullet-featherstone", "dart"];

fn inertial(mass: f64, inertia: [f64; 3], place: [f64; 3]) -> String {
    let [ixx, iyy, izz] = inertia;
    let [x, y, z] = place;
    format!(
        "<inertial><pose>{x} {y} {z} 0 0 0</pose><mass>{mass}</mass><inertia><ixx>{ixx}</ixx><iyy>{iyy}</iyy><izz>{izz}</izz></inertia></inertial>"
    )
}

fn friction(mu: f64) -> String {
    format!("<surface><friction><ode><mu>{mu}</mu><mu2>{mu}</mu2></ode></friction></surface>")
}

/// A collision of a ball.
fn ball(name: &str, [x, y, z]: [f64; 3], radius: f64, mu: f64) -> String {
    format!(
        "<collision name=\"{name}\"><pose>{x} {y} {z} 0 0 0</pose><geometry><sphere><radius>{radius}</radius></sphere></geometry>{}</collision>",
        friction(mu)
    )
}

/// A robot on two driven wheels and on casters without friction.
struct Base {
    mass: f64,
    center: [f64; 2],
    radius: f64,
    separation: f64,
    casters: Vec<[f64; 2]>,
}

/// Mass of a wheel \[kg\].
const WHEEL: f64 = 0.8;
/// Radius of a caster \[m\].
const CASTER: f64 = 0.03;

impl Base {
    fn text(&self, gravity: &str) -> String {
        let Self { mass, center: [x, y], radius, separation, casters } = self;
        let collisions = casters.iter().enumerate();
        let collisions: String =
            collisions.map(|(n, [x, y])| ball(&format!("c{n}"), [*x, *y, CASTER - radius], CASTER, 0.0)).collect();
        let chassis = format!(
            "<link name=\"chassis\"><pose>0 0 {radius} 0 0 0</pose>{}{collisions}</link>",
            inertial(*mass, [0.02 * mass, 0.03 * mass, 0.04 * mass], [*x, *y, 0.06])
        );
        let wheels: String = [("l", 0.5 * separation), ("r", -0.5 * separation)]
            .map(|(name, y)| {
                format!(
                    "<link name=\"{name}w\"><pose>0 {y} {radius} 0 0 0</pose>{}{}</link>\
                     <joint name=\"{name}\" type=\"revolute\"><parent>chassis</parent><child>{name}w</child><axis><xyz>0 1 0</xyz></axis></joint>",
                    inertial(WHEEL, [0.002, 0.003, 0.002], [0.0; 3]),
                    ball("c", [0.0; 3], *radius, 1.0)
                )
            })
            .concat();
        let drive = sim(
            "diff-drive",
            "DiffDrive",
            &format!(
                "<left_joint>l</left_joint><right_joint>r</right_joint><wheel_separation>{separation}</wheel_separation><wheel_radius>{radius}</wheel_radius>\
                 <max_linear_acceleration>0.5</max_linear_acceleration><min_linear_acceleration>-0.5</min_linear_acceleration>\
                 <max_angular_acceleration>1</max_angular_acceleration><min_angular_acceleration>-1</min_angular_acceleration>"
            ),
        );
        on_ground(gravity, &format!("<model name=\"bot\">{chassis}{wheels}{drive}</model>"))
    }

    /// Loads of least norm, linear in the place: of the wheels, then of the casters \[N\].
    fn loads(&self) -> Vec<f64> {
        let wheels = [0.5 * self.separation, -0.5 * self.separation].map(|y| [0.0, y]);
        let places: Vec<[f64; 2]> = wheels.into_iter().chain(self.casters.iter().copied()).collect();
        let row = |p: &[f64; 2]| DVec3::new(1.0, p[0], p[1]);
        let mut gram = [DVec3::ZERO; 3];
        for g in places.iter().map(row) {
            gram.iter_mut().zip(g.to_array()).for_each(|(column, k)| *column += g * k);
        }
        let gram = stiction::math::DMat3::from_cols(gram[0], gram[1], gram[2]);
        let load = DVec3::new(self.mass + 2.0 * WHEEL, self.mass * self.center[0], self.mass * self.center[1]);
        let weights = gram.inverse() * (9.8 * load);
        places.iter().map(|p| row(p).dot(weights)).collect()
    }
}

fn on_ground(gravity: &str, models: &str) -> String {
    format!(
        "<sdf version=\"1.9\"><world name=\"w\"><gravity>{gravity}</gravity><physics type=\"ode\"><max_step_size>0.001</max_step_size>\
         <ode><solver><friction_model>cone_model</friction_model></solver></ode></physics>{}{models}</world></sdf>",
        ground()
    )
}

fn start(text: &str, engine: &str, commands: &[&str]) -> Run {
    setup(text, commands).engine(engine).start().unwrap_or_else(|error| panic!("{engine}: {error}"))
}

/// Rate of the chassis about the vertical, the mean of some seconds \[rad/s\].
fn rate(run: &mut Run, seconds: usize) -> f64 {
    let mut sum = 0.0;
    for _ in 0..20 * seconds {
        run.advance(0.05).unwrap();
        sum += velocity(run, "bot::chassis").1.z;
    }
    sum / (20 * seconds) as f64
}

#[test]
fn a_drive_with_two_casters_has_traction() {
    let base =
        Base { mass: 14.0, center: [0.0; 2], radius: 0.08, separation: 0.4, casters: vec![[0.22, 0.0], [-0.22, 0.0]] };
    for engine in ENGINES.into_iter().chain(["stiction", "agx", "drake-discrete"]) {
        let mut run = start(&base.text("0 0 -9.8"), engine, &["bot:twist=0.4,0.6"]);
        run.advance(1.2).unwrap();
        let found = rate(&mut run, 4);
        assert!((found / 0.6 - 1.0).abs() < 0.02, "{engine}: {found}");
        let speed = velocity(&run, "bot::chassis").0.length();
        assert!((speed / 0.4 - 1.0).abs() < 0.02, "{engine}: {speed}");
    }
}

#[test]
fn random_bases_turn_as_commanded() {
    let cases = stiction_testing::cases(50, 400);
    let (mut worst, mut number) = (0.0f64, 0);
    let mut random = Random(2718);
    while number < cases {
        let supports = 3 + (random.next() * 5.99) as usize;
        let radius = random.within(0.05, 0.15);
        let spread = |r: &mut Random| [r.within(-0.4, 0.4), r.within(-0.25, 0.25)];
        let base = Base {
            mass: random.within(2.0, 60.0),
            center: [random.within(-0.08, 0.08), random.within(-0.05, 0.05)],
            radius,
            separation: random.within(0.25, 0.6),
            casters: (2..supports).map(|_| spread(&mut random)).collect(),
        };
        // A base that stands on all it has, and whose wheels bear enough to turn it.
        let loads = base.loads();
        let mean = loads.iter().sum::<f64>() / loads.len() as f64;
        if !loads.iter().all(|load| *load > 0.15 * mean) {
            continue;
        }
        let twist = [random.within(-0.5, 0.5), random.within(0.3, 1.0)];
        let command = format!("bot:twist={},{}", twist[0], twist[1]);
        let engine = ENGINES[number % ENGINES.len()];
        number += 1;
        let mut run = start(&base.text("0 0 -9.8"), engine, &[&command]);
        run.advance(1.2).unwrap();
        let found = rate(&mut run, 2);
        let error = (found / twist[1] - 1.0).abs();
        assert!(error < 0.05, "{engine} {number}: {found} for {}, {loads:?}", twist[1]);
        worst = worst.max(error);
    }
    println!("judged: rates of {number} bases: {worst:.2e}");
}

#[test]
fn what_is_parked_on_a_slope_stays() {
    let base = Base {
        mass: 11.0,
        center: [0.04, 0.03],
        radius: 0.09,
        separation: 0.45,
        casters: vec![[0.24, 0.0], [-0.24, 0.05], [-0.2, -0.1]],
    };
    for engine in ENGINES {
        let mut run = start(&base.text("-1.2 0.4 -9.7"), engine, &[]);
        let before = pose(&run, "bot::chassis").position;
        run.advance(20.0).unwrap();
        let way = (pose(&run, "bot::chassis").position - before).length();
        assert!(way < 1e-4, "{engine}: {way}");
    }
}

/// Rate at which friction of one size at every corner of two tracks turns a vehicle, by its balance of moments \[rad/s\].
fn skid_rate(speed: f64, length: f64, width: f64, gauge: f64) -> f64 {
    let moment = |rate: f64| {
        let mut sum = 0.0;
        for y in [0.5 * (gauge - width), 0.5 * (gauge + width)] {
            // Slip of the belt of the left side, which runs backwards along the ground as the vehicle turns to the right.
            let slip = [speed - rate * y, rate * 0.5 * length];
            let size = slip[0].hypot(slip[1]);
            sum += (y * slip[0] - 0.5 * length * slip[1]) / size;
        }
        sum
    };
    let (mut low, mut high) = (0.0, 2.0 * speed / gauge);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if moment(middle) > 0.0 { low = middle } else { high = middle }
    }
    low
}

#[test]
fn tracks_turn_on_the_spot() {
    let (length, width, gauge) = (0.35, 0.09, 0.5);
    let track = |name: &str, y: f64| {
        format!(
            "<link name=\"{name}\"><pose>0 {y} 0.05 0 0 0</pose>{}<collision name=\"c\"><geometry><box><size>{length} {width} 0.1</size></box></geometry>{}</collision></link>\
             <joint name=\"{name}j\" type=\"fixed\"><parent>chassis</parent><child>{name}</child></joint>{}",
            inertial(1.0, [0.01, 0.02, 0.02], [0.0; 3]),
            friction(0.6),
            sim("track-controller", "TrackController", &format!("<link>{name}</link>"))
        )
    };
    let text = on_ground(
        "0 0 -9.8",
        &format!(
            "<model name=\"bot\"><link name=\"chassis\"><pose>0 0 0.12 0 0 0</pose>{}</link>{}{}</model>",
            inertial(9.0, [0.1, 0.2, 0.25], [0.0; 3]),
            track("left", 0.5 * gauge),
            track("right", -0.5 * gauge)
        ),
    );
    let expected = skid_rate(0.3, length, width, gauge);
    for engine in ["ode-quick", "ode-world", "bullet", "bullet-featherstone"] {
        let mut run = start(&text, engine, &["bot::left:velocity=-0.3", "bot::right:velocity=0.3"]);
        run.advance(0.5).unwrap();
        let before = pose(&run, "bot::chassis").position;
        let found = rate(&mut run, 4);
        let way = (pose(&run, "bot::chassis").position - before).length();
        assert!((found / expected - 1.0).abs() < 0.01, "{engine}: {found} {expected}");
        assert!(way < 1e-3, "{engine}: {way}");
    }
}

#[test]
fn a_parcel_across_two_belts_goes_straight() {
    let belt = |name: &str, y: f64, angle: f64| {
        format!(
            "<model name=\"{name}\"><pose>0 {y} 0.05 0 0 0</pose><link name=\"link\">{}<collision name=\"c\"><geometry><box><size>10 0.8 0.1</size></box></geometry>{}</collision></link>\
             <joint name=\"w\" type=\"fixed\"><parent>world</parent><child>link</child></joint>{}</model>",
            inertial(40.0, [3.0, 400.0, 400.0], [0.0; 3]),
            friction(0.6),
            sim(
                "track-controller",
                "TrackController",
                &format!("<link>link</link><track_orientation>0 0 {angle}</track_orientation>")
            )
        )
    };
    let parcel = format!(
        "<model name=\"parcel\"><pose>-3 0 0.175 0 0 0</pose><link name=\"link\">{}<collision name=\"c\"><geometry><box><size>0.5 0.3 0.15</size></box></geometry>{}</collision></link></model>",
        inertial(4.0, [0.04, 0.09, 0.11], [0.0; 3]),
        friction(0.6)
    );
    let angle = 0.4;
    let text = on_ground("0 0 -9.8", &format!("{}{}{parcel}", belt("left", 0.4, -angle), belt("right", -0.4, angle)));
    for engine in ENGINES {
        let mut run = start(&text, engine, &["left::link:velocity=0.8", "right::link:velocity=0.8"]);
        run.advance(1.5).unwrap();
        let (speed, place) = (velocity(&run, "parcel::link").0, pose(&run, "parcel::link").position);
        assert!((speed.x / (0.8 * angle.cos()) - 1.0).abs() < 1e-3, "{engine}: {speed}");
        assert!(place.y.abs() < 1e-3 && speed.y.abs() < 1e-2, "{engine}: {place} {speed}");
    }
}
