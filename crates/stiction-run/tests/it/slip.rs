//! Slip of contacts and wheels against closed forms, and conditions on links and joints.
#![allow(clippy::unwrap_used)]

use stiction_run::{Condition, Failure, Probe, Quantity, RunError, Setup, StateFile};

/// A box that slides with 2 m/s, a sphere that rolls, one that spins in place on ice, and one that falls.
const WORLD: &str = r#"<sdf version="1.9"><world name="w">
<model name="ground"><static>true</static><link name="link"><collision name="c"><geometry><plane/></geometry></collision></link></model>
<model name="box"><pose>0 0 0.5 0 0 0</pose><link name="link"><collision name="c"><geometry><box><size>1 1 1</size></box></geometry>
 <surface><friction><ode><mu>0</mu><mu2>0</mu2></ode></friction></surface></collision></link></model>
<model name="ball"><pose>0 5 0.5 0 0 0</pose><link name="link"><collision name="c"><geometry><sphere><radius>0.5</radius></sphere></geometry></collision></link></model>
<model name="high"><pose>0 9 50 0 0 0</pose><link name="link"><collision name="c"><geometry><sphere><radius>0.5</radius></sphere></geometry></collision></link></model>
<model name="cart"><pose>0 -5 0 0 0 0</pose>
 <link name="frame"><pose>0 0 0.5 0 0 0</pose></link>
 <link name="wheel"><pose>0 0 0.3 0 0 0</pose><inertial><mass>1</mass></inertial><collision name="c"><geometry><sphere><radius>0.3</radius></sphere></geometry>
  <surface><friction><ode><mu>0</mu><mu2>0</mu2></ode></friction></surface></collision></link>
 <joint name="axle" type="revolute"><parent>frame</parent><child>wheel</child><axis><xyz>0 1 0</xyz></axis></joint>
 <joint name="rail" type="prismatic"><parent>world</parent><child>frame</child><axis><xyz>0 0 1</xyz></axis></joint>
</model></world></sdf>"#;

const STATE: &str = r#"{"time": 0, "bodies": {
 "box::link": {"vel": [2, 0, 0]},
 "ball::link": {"vel": [1.5, 0, 0], "angvel": [0, 3, 0]},
 "cart::wheel": {"angvel": [0, 7, 0]}}}"#;

/// The setup, and the folder of its files.
fn setup(engine: &str) -> (tempfile::TempDir, Setup) {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("s.json");
    std::fs::write(&state, STATE).unwrap();
    let world = folder.path().join("w.sdf");
    std::fs::write(&world, WORLD).unwrap();
    let mut setup = Setup::new(&world).engine(engine);
    setup.initial_state = Some(StateFile::read(&state).unwrap());
    (folder, setup)
}

#[test]
fn slip_is_the_speed_of_the_surfaces_against_each_other() {
    for engine in ["ode-world", "ode-quick", "bullet", "dart", "agx"] {
        let (_folder, setup) = setup(engine);
        let mut run = setup.start().unwrap();
        run.advance(0.3).unwrap();
        let value = |quantity: Quantity, name: Option<&str>| {
            let probes = Probe::find(quantity, name, run.simulation()).unwrap();
            assert_eq!(probes.len(), 1, "{name:?}");
            probes[0].point(&run).1
        };
        let near = |found: f64, expected: f64, what: &str| {
            assert!((found - expected).abs() < 2e-3, "{engine}, {what}: {found}, expected {expected}");
        };
        near(value(Quantity::Slip, Some("box::link")), 2.0, "a box slides");
        near(value(Quantity::Slip, Some("ground::link+box::link")), 2.0, "the same with its ground");
        near(value(Quantity::Slip, Some("box+ground")), 2.0, "the same by models");
        near(value(Quantity::Slip, Some("box::link+ball::link")), 0.0, "what does not touch");
        near(value(Quantity::Slip, Some("ball::link")), 0.0, "a ball rolls");
        near(value(Quantity::Slip, Some("high::link")), 0.0, "a ball in the air");
        near(value(Quantity::WheelSlip, Some("cart::axle")), 7.0 * 0.3, "a wheel spins on ice");
        assert!((run.total(Quantity::Slip) - 2.1).abs() < 2e-3, "the largest is that of the wheel");
        // A joint that slides has no wheel: without a name it is left out, by its name it is an error.
        assert_eq!(Probe::find(Quantity::WheelSlip, None, run.simulation()).unwrap().len(), 1);
        assert!(Probe::find(Quantity::WheelSlip, Some("cart::rail"), run.simulation()).is_err());
        let frame = Probe::find(Quantity::Slip, Some("cart::frame"), run.simulation()).unwrap_err();
        assert!(frame.to_string().contains("no collision"), "{frame}");
        let unknown = Probe::find(Quantity::Slip, Some("box::link+bal::link"), run.simulation()).unwrap_err();
        assert!(unknown.to_string().contains("did you mean `ball::link`"), "{unknown}");
    }
}

/// Blocks on a belt that runs at 1 m/s: their slip is what they are slower than the belt.
#[test]
fn slip_is_relative_to_the_surface_of_a_belt() {
    let mut run = Setup::new("materials/conveyor").start().unwrap();
    for (duration, rides) in [(0.2, "rubber"), (0.3, "wood")] {
        run.advance(duration).unwrap();
        for name in ["ice", "wood", "rubber"] {
            let link = format!("{name}::link");
            let slip = Probe::find(Quantity::Slip, Some(&format!("belt+{name}")), run.simulation()).unwrap();
            let (slip, speed) = (slip[0].point(&run).1, run.link(Quantity::Speed, &link).unwrap().x);
            assert!((slip - (1.0 - speed).abs()).abs() < 1e-3, "{name}: slip {slip}, speed {speed}");
            assert!(name != rides || slip < 1e-3, "{name}: {slip}");
        }
    }
}

/// The step of the first failure, the name in it, or the error.
fn first(conditions: &[&str]) -> Result<Option<(u64, String)>, RunError> {
    let (_folder, mut setup) = setup("ode-world");
    setup.conditions = conditions.iter().map(|c| Condition::parse(c)).collect::<Result<_, _>>()?;
    let mut run = setup.start()?;
    run.advance(0.2).unwrap();
    Ok(run.failure().map(|failure| match failure {
        Failure::Condition { step, of, .. } => (step, of),
        other => panic!("{other}"),
    }))
}

#[test]
fn conditions_are_about_links_and_joints() {
    // 4.905 m/s² over t²: 10 mm below the start after 45 steps of 1 ms of free fall.
    let (step, of) = first(&["height:high::link<49.99"]).unwrap().unwrap();
    assert!((44..=46).contains(&step) && of == "high::link", "{step} {of}");
    for (condition, expected) in [
        ("height:box::link<0.4", None),
        ("height:box<0.6", Some("box::link")),
        ("height<0.31", Some("cart::wheel")),
        ("speed>1.9", Some("box::link")),
        ("speed:ball::link>1.6", None),
        ("position.x:box::link>100mm", Some("box::link x")),
        ("position.y:box::link>1mm", None),
        ("orientation.yaw:box::link>1deg", None),
        ("slip:box::link>1.9", Some("box::link")),
        ("slip:box::link+ground::link>=1.9m/s", Some("box::link+ground::link")),
        ("slip:ball::link>10mm/s", None),
        ("wheel_slip>2.0", Some("cart::axle")),
        ("wheel_slip:cart::axle>2.2", None),
        ("angle:cart::axle>60deg", Some("cart::axle")),
        ("angle>1mm", None),
        ("rate:cart::axle>6.9rad/s", Some("cart::axle")),
        ("effort:cart::rail>1N", None),
        ("height:high::link<0.999*start", Some("high::link")),
        ("contacts>5", Some("")),
        ("penetration>1m", None),
        ("energy>2*start", None),
        ("force>1N", Some("")),
        ("tension>1N", None),
        ("residual>1", None),
        ("joint_gap>1mm", None),
        ("made_energy>50%", None),
    ] {
        let found = first(&[condition]).unwrap_or_else(|error| panic!("{condition}: {error}"));
        assert_eq!(found.as_ref().map(|(_, of)| of.as_str()), expected, "{condition}");
    }
}

#[test]
fn conditions_that_name_nothing_say_what_there_is() {
    for (condition, expected) in [
        ("hight<1", "did you mean `height`?"),
        ("height:bix::link<1", "did you mean `box::link`"),
        ("angle:cart::axel>1", "did you mean `cart::axle`"),
        ("penetration:box::link>1", "takes no name"),
        ("path:box::link>1", "position.x"),
        ("angle:cart::axle>1mm", "no joint that slides"),
        ("height.x<1", "has no part `x`"),
        ("speed>3km/h", "units mm/s, m/s"),
        ("speed", "expected QUANTITY"),
    ] {
        let error = first(&[condition]).unwrap_err().to_string();
        assert!(error.contains(expected), "{condition}: {error}");
    }
}
