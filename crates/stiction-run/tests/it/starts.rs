//! Where joints start: within their limits, followers where their drivers have them; and what cannot start so is led there
//! slowly.

use std::fmt::Write as _;

use stiction_formats::simulation::Simulation;
use stiction_run::{Run, Setup, StateFile};
use stiction_testing::cases;

/// Numbers in 0 … 1, the same for a seed.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    fn chance(&mut self, share: f64) -> bool {
        self.next() < share
    }
}

/// What the file says of a joint.
struct Wanted {
    name: String,
    limits: Option<[f64; 2]>,
    /// Number of the driver, multiplier, offset.
    mimic: Option<(usize, f64, f64)>,
}

/// A random tree of links on a base that is fixed, or flies, and what its joints must keep.
fn tree(draw: &mut Draw) -> (String, Vec<Wanted>) {
    let mut text = "<link name='l0'><inertial><mass>2</mass></inertial></link>".to_owned();
    if draw.chance(0.7) {
        text += "<joint name='weld' type='fixed'><parent>world</parent><child>l0</child></joint>";
    }
    let mut joints: Vec<Wanted> = Vec::new();
    for k in 1..=(1.0 + draw.uniform(1.0, 8.0)) as usize {
        let parent = draw.uniform(0.0, k as f64) as usize;
        let mut pose = || [(); 6].map(|()| draw.uniform(-1.0, 1.0).to_string()).join(" ");
        let (pose, axis) = (pose(), pose());
        let axis = axis.split(' ').take(3).collect::<Vec<_>>().join(" ");
        let kind = if draw.chance(0.6) { "revolute" } else { "prismatic" };
        let leader = (k > 1 && draw.chance(0.35)).then(|| draw.uniform(0.0, (k - 1) as f64) as usize);
        let mimic = leader.map(|leader| (leader, draw.uniform(-1.2, 1.2), draw.uniform(-0.3, 0.3)));
        let lower = draw.uniform(-1.5, 1.0);
        let limits = (mimic.is_none() && draw.chance(0.8)).then(|| [lower, lower + draw.uniform(0.01, 2.0)]);
        let limit =
            limits.map_or_else(String::new, |[l, u]| format!("<limit><lower>{l}</lower><upper>{u}</upper></limit>"));
        let follows = mimic.map_or_else(String::new, |(leader, m, o)| {
            format!(
                "<mimic joint='j{}'><multiplier>{m}</multiplier><offset>{o}</offset><reference>0</reference></mimic>",
                leader + 1
            )
        });
        write!(
            text,
            "<link name='l{k}'><pose relative_to='l{parent}'>{pose}</pose><inertial><mass>{}</mass><inertia><ixx>0.02</ixx>\
             <iyy>0.02</iyy><izz>0.02</izz></inertia></inertial></link>\
             <joint name='j{k}' type='{kind}'><parent>l{parent}</parent><child>l{k}</child><axis><xyz>{axis}</xyz>{limit}{follows}</axis></joint>",
            draw.uniform(0.2, 3.0)
        )
        .unwrap();
        joints.push(Wanted { name: format!("m::j{k}"), limits, mimic });
    }
    (text, joints)
}

fn start(text: &str, state: Option<&str>, engine: &str, step: f64, gravity: f64) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.sdf");
    let text = format!(
        "<sdf version='1.11'><world name='w'><physics type='ode'><max_step_size>{step}</max_step_size></physics>\
         <gravity>0 0 {gravity}</gravity><model name='m'>{text}</model></world></sdf>"
    );
    std::fs::write(&path, text).unwrap();
    let mut setup = Setup::new(path).engine(engine);
    if let Some(state) = state {
        let path = folder.path().join("s.json");
        std::fs::write(&path, state).unwrap();
        setup.initial_state = Some(StateFile::read(&path).unwrap());
    }
    setup.start().unwrap()
}

/// Position and rate of a joint.
fn motion(simulation: &Simulation, name: &str) -> [f64; 2] {
    let id = simulation.joint(name).unwrap().id.unwrap();
    let joint = simulation.world.joint(id).unwrap();
    [joint.position(0), joint.rate(0)]
}

const ENGINES: [&str; 6] = ["ode", "ode-world", "bullet", "dart", "drake-discrete", "agx"];

#[test]
fn random_trees_start_within_their_limits_and_make_no_energy() {
    for seed in 0..cases(60, 3000) as u64 {
        let mut draw = Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        (0..5).for_each(|_| {
            draw.next();
        });
        let (text, joints) = tree(&mut draw);
        let engine = ENGINES[draw.uniform(0.0, ENGINES.len() as f64) as usize];
        let gravity = if draw.chance(0.5) { 0.0 } else { -9.8 };
        let mut run = start(&text, None, engine, 1e-3, gravity);
        let at = |what: &str| format!("{seed} under {engine}: {what}");
        let mut starts = Vec::new();
        for joint in &joints {
            let [found, rate] = motion(run.simulation(), &joint.name);
            // Drivers move to the nearest limit, and not at all within them.
            let expected = match (joint.mimic, joint.limits) {
                (Some((leader, m, o)), _) => {
                    let leader: f64 = starts[leader];
                    m * leader + o
                }
                (None, Some([lower, upper])) => 0.0_f64.clamp(lower, upper),
                (None, None) => 0.0,
            };
            assert!((found - expected).abs() < 1e-9, "{}", at(&format!("{} at {found}, not {expected}", joint.name)));
            assert!(rate == 0.0, "{}", at(&joint.name));
            starts.push(found);
            let id = run.simulation().joint(&joint.name).unwrap().id.unwrap();
            assert!(run.simulation().world.joint(id).unwrap().gap() < 1e-9, "{}", at(&joint.name));
        }
        let is_told =
            run.warnings().iter().any(|w| w.contains("inconsistent-start") || w.contains("at another position"));
        assert_eq!(is_told, starts.iter().any(|start| start.abs() > 1e-9), "{}", at("told"));
        let energy = |run: &Run| {
            let energy = run.simulation().world.energy();
            (energy.total(), energy.kinetic)
        };
        let first = energy(&run).0;
        let mut last: Vec<f64> = starts;
        for _ in 0..500 {
            run.step().unwrap();
            let (total, kinetic) = energy(&run);
            // What a step of a tree at rest makes of gravity alone, and of fast motion.
            assert!(total - first < 0.02 * kinetic + 1e-3, "{}", at(&format!("{} J made of {kinetic}", total - first)));
            for (joint, last) in joints.iter().zip(&mut last) {
                let [position, rate] = motion(run.simulation(), &joint.name);
                let moved = (position - *last) / 1e-3;
                assert!(
                    (moved - rate).abs() < 0.1 + 0.1 * rate.abs(),
                    "{}",
                    at(&format!("{} moves at {moved}, and is said to move at {rate}", joint.name))
                );
                *last = position;
            }
        }
    }
}

const HINGE: &str = "<link name='l'><pose>0 0 1 0 0 0</pose><inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial></link>\
    <joint name='j' type='revolute'><parent>world</parent><child>l</child><axis><xyz>0 0 1</xyz><limit><lower>0.8</lower><upper>2.5</upper></limit></axis></joint>";

#[test]
fn a_start_outside_the_limits_is_at_the_nearest_and_is_said() {
    for engine in [
        "stiction",
        "ode",
        "ode-world",
        "bullet",
        "bullet-featherstone",
        "dart",
        "simbody",
        "drake-discrete",
        "drake-continuous",
        "agx",
    ] {
        let mut run = start(HINGE, None, engine, 1e-3, 0.0);
        assert!(run.warnings().iter().any(|w| w.contains("`m::j` at 0.8, not 0")), "{:?}", run.warnings());
        for _ in 0..500 {
            run.step().unwrap();
            let [position, rate] = motion(run.simulation(), "m::j");
            assert!((position - 0.8).abs() < 1e-9 && rate.abs() < 1e-9, "{engine}: {position} {rate}");
        }
    }
}

#[test]
fn what_a_state_puts_outside_is_led_back_slowly() {
    // A pose of a link is taken as it is.
    let state = r#"{"bodies": {"m::l": {"quat": [1, 0, 0, 0]}}}"#;
    for engine in ["stiction", "ode", "ode-world", "bullet", "bullet-featherstone", "dart", "drake-discrete"] {
        for step in [1e-3, 8e-3] {
            let mut run = start(HINGE, Some(state), engine, step, 0.0);
            let [mut last, _] = motion(run.simulation(), "m::j");
            assert!(last.abs() < 1e-9, "{engine}: {last}");
            // DART closes a hundredth of what is left in a step.
            for _ in 0..(12.0 / step) as usize {
                run.step().unwrap();
                let [position, rate] = motion(run.simulation(), "m::j");
                assert!(rate.abs() < 0.5 + 1e-6, "{engine}: {rate}");
                assert!(
                    ((position - last) / step - rate).abs() < 1e-3,
                    "{engine}: {} and {rate}",
                    (position - last) / step
                );
                last = position;
            }
            let [position, rate] = motion(run.simulation(), "m::j");
            assert!((position - 0.8).abs() < 1e-4 && rate.abs() < 1e-4, "{engine}: {position} {rate}");
        }
    }
}

#[test]
fn a_lone_model_stands_on_the_ground_as_a_state_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, state) = (folder.path().join("m.sdf"), folder.path().join("s.json"));
    let foot = "<collision name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry></collision>";
    let text = format!(
        "<sdf version='1.11'><model name='m'><link name='body'><pose>0 0 0.5 0 0 0</pose></link>\
         <link name='foot'>{foot}</link><joint name='leg' type='prismatic'><parent>body</parent><child>foot</child>\
         <axis><xyz>0 0 1</xyz></axis></joint></model></sdf>"
    );
    std::fs::write(&path, text).unwrap();
    for (position, height) in [(0.0, 0.1), (0.05, 0.1), (-0.3, 0.1), (0.3, 0.3)] {
        std::fs::write(&state, format!(r#"{{"joints": {{"m::leg": {{"position": [{position}]}}}}}}"#)).unwrap();
        let mut setup = Setup::new(&path);
        setup.initial_state = Some(StateFile::read(&state).unwrap());
        let run = setup.start().unwrap();
        let simulation = run.simulation();
        let z = |name: &str| simulation.link_pose(simulation.link(name).unwrap()).position.z;
        assert!((z("m::foot") - height).abs() < 1e-12, "{position}: {}", z("m::foot"));
        assert!((z("m::body") - z("m::foot") - 0.5 + position).abs() < 1e-12, "{position}");
        assert!((motion(simulation, "m::leg")[0] - position).abs() < 1e-12);
    }
}
