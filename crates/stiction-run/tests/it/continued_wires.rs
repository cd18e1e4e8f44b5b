//! Worlds with wires are continued bit for bit: nodes pass eyes, come from a winch and go onto it, and touch what is in the way.

use stiction_run::{Run, Setup, StateFile};
use stiction_testing::cases;

/// A sequence of numbers in [0, 1) that is the same on every machine.
struct Sequence(u64);

impl Sequence {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// A load on a wire from a winch through two eyes, one of which swings; a second wire lies over a beam. Masses, lengths and speeds
/// are random.
fn world(numbers: &mut Sequence) -> String {
    let (mass, speed) = (numbers.within(5.0, 50.0), numbers.within(0.3, 1.2));
    let speed = if numbers.next() < 0.5 { speed } else { -speed };
    let (lie, side) = (numbers.within(-0.3, 0.3), numbers.within(0.2, 1.0));
    let inertia = |i: f64| format!("<inertia><ixx>{i}</ixx><iyy>{i}</iyy><izz>{i}</izz></inertia>");
    let control = format!("<speed>{speed}</speed>");
    format!(
        r#"<sdf version="1.9" xmlns:stiction="https://stiction.dev/sdf"><world name="w">
<physics type="ode"><max_step_size>0.004</max_step_size></physics>
<include><uri>model://ground_plane</uri></include>
<model name="block"><pose>2 {lie} 3 0 0 0</pose><link name="l"><inertial><pose>0 0 -0.3 0 0 0</pose><mass>3</mass>{}</inertial></link>
<joint name="j" type="revolute"><parent>world</parent><child>l</child><axis><xyz>0 1 0</xyz></axis></joint></model>
<model name="load"><pose>3 {side} 1 0 0 0</pose><link name="l"><inertial><mass>{mass}</mass>{}</inertial></link></model>
<model name="beam"><static>true</static><pose>0 5 1 0 0 0</pose><link name="l"><collision name="c"><geometry><box><size>0.2 2 0.2</size></box></geometry></collision></link></model>
<stiction:wire name="hoist"><radius>0.004</radius><density>7850</density><friction>0.2</friction><resolution>4</resolution>
<stretch><youngs_modulus>1e9</youngs_modulus></stretch>
<winch link="world"><position>0 0 1</position><stored>4</stored>{control}</winch>
<eye link="world"><position>0 0 3</position></eye><eye link="block::l"><position>0 0 0</position></eye>
<fixed link="load::l"><position>0 0 0.1</position></fixed></stiction:wire>
<stiction:wire name="rope"><radius>0.02</radius><density>900</density><resolution>6</resolution><collide>true</collide>
<stretch><youngs_modulus>1e7</youngs_modulus></stretch><free><position>-1 5 1.13</position></free><free><position>{} 5 1.13</position></free></stiction:wire>
</world></sdf>"#,
        inertia(0.1),
        inertia(0.2),
        1.0 + side,
    )
}

fn hash(run: &Run) -> [u64; 2] {
    [run.simulation().world.state_hash(), run.simulation().state_hash()]
}

#[test]
fn worlds_with_wires_are_continued_bit_for_bit() {
    let mut numbers = Sequence(7);
    let (mut changed, mut touched) = (0, 0);
    for case in 0..cases(9, 300) {
        let engine = ["ode", "agx", "drake-discrete"][case % 3];
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("w.world");
        std::fs::write(&path, world(&mut numbers)).expect("a file");
        let setup = || Setup::new(&path).engine(engine);
        let mut whole = setup().start().unwrap_or_else(|error| panic!("{error}"));
        let cut = numbers.within(1.0, 400.0) as usize;
        (0..cut).for_each(|_| whole.step().expect("a step"));
        let saved = folder.path().join("state.json");
        let state = whole.state().expect("a state");
        state.write(&saved).expect("a file");
        let read = StateFile::read(&saved).expect("a state");
        assert_eq!(read, state);
        let mut second = setup();
        second.initial_state = Some(read);
        let mut second = second.start().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(hash(&second), hash(&whole), "{engine}: at the cut");
        let nodes = |run: &Run| {
            let simulation = run.simulation();
            simulation.wires.iter().map(|w| simulation.world.wire(w.id).expect("a wire").nodes().len()).sum::<usize>()
        };
        let before = nodes(&whole);
        touched += usize::from(whole.simulation().world.report().contacts > 0);
        for step in 0..300 {
            whole.step().expect("a step");
            second.step().expect("a step");
            assert_eq!(hash(&second), hash(&whole), "{engine}: {step} steps after the cut at {cut}");
        }
        changed += usize::from(nodes(&whole) != before);
        assert_eq!(second.state().expect("a state").energy.to_bits(), whole.state().expect("a state").energy.to_bits());
    }
    // The cases are what they should be.
    assert!(changed > 0 && touched > 0, "{changed} {touched}");
}

/// A state of other wires, or with nodes that are none, is refused.
#[test]
fn states_of_other_wires_are_refused() {
    let mut numbers = Sequence(3);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("w.world");
    let text = world(&mut numbers);
    std::fs::write(&path, &text).expect("a file");
    let mut run = Setup::new(&path).start().expect("a world");
    (0..10).for_each(|_| run.step().expect("a step"));
    let state = serde_json::to_string(&run.state().expect("a state")).expect("JSON");
    let refused = |text: &str, state: &str| {
        std::fs::write(&path, text).expect("a file");
        let mut setup = Setup::new(&path);
        setup.initial_state = Some(serde_json::from_str(state).expect("a state"));
        setup.start().err().map(|error| error.to_string())
    };
    assert_eq!(refused(&text, &state), None);
    for (from, to) in [("\"lump\":0,", "\"lump\":100000,"), ("\"lump\":0,\"anchor\":null", "\"lump\":0,\"anchor\":1")] {
        assert!(state.contains(from));
        let error = refused(&text, &state.replacen(from, to, 1)).expect("an error");
        assert!(error.contains("no place"), "{error}");
    }
    for other in [text.replace("name=\"rope\"", "name=\"line\""), text.replace("<resolution>4", "<resolution>3")] {
        let error = refused(&other, &state).expect("an error");
        assert!(error.contains("other wires") || error.contains("resolution"), "{error}");
    }
}
