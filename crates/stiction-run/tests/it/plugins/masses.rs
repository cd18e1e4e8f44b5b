//! Masses that commands change.

use super::*;

const LINK: &str = r#"<link name="l"><inertial><mass>2</mass><inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.15</izz></inertia></inertial></link>"#;

#[test]
fn a_rocket_gains_speed_by_the_mass_that_it_burns() {
    // v = (F / k) ln(m₀ / m) with m = m₀ − k t: the velocity of what goes stays with it, the thrust is a force.
    let model = format!(
        r#"<model name="m">{LINK}<plugin name="f" filename="libgazebo_ros_force.so"><link_name>l</link_name></plugin></model>"#
    );
    let table = tempfile::NamedTempFile::with_suffix(".csv").unwrap();
    std::fs::write(table.path(), "time,m::l:mass\n0,2\n2,0.5\n").unwrap();
    for engine in ["ode-quick", "ode-world", "bullet", "dart", "simbody", "drake-discrete"] {
        let commands = [table.path().to_str().unwrap(), "m:wrench=3,0,0"];
        let mut run = setup(&world("0 0 0", &model), &commands).engine(engine).start().unwrap();
        run.advance(2.0).unwrap();
        near(velocity(&run, "m::l").0.x, 3.0 / 0.75 * f64::ln(4.0), 3e-3, engine);
        is_sound(&run);
    }
}

#[test]
fn inertia_goes_with_the_mass_and_the_energy_is_accounted_for() {
    let model = format!(
        r#"<model name="m"><pose>0 0 5 0 0 0</pose>{LINK}</model><plugin name="w" filename="gz-sim-apply-link-wrench-system"><persistent><entity_name>m::l</entity_name><torque>0 0 0.3</torque></persistent></plugin>"#
    );
    for command in ["m::l:mass=6", "l:mass=0.25"] {
        let mut run = start(&world("0 0 -9.8", &model), &[command]);
        run.advance(1.0).unwrap();
        let mass: f64 = command.split('=').nth(1).unwrap().parse().unwrap();
        near(velocity(&run, "m::l").1.z, 0.3 / (0.15 * mass / 2.0), 1e-9, command);
        near(velocity(&run, "m::l").0.z, -9.8, 1e-9, command);
        is_sound(&run);
    }
}

#[test]
fn a_load_presses_with_its_weight() {
    // A lumped link: the body is both.
    let pair = r#"<link name="base"><inertial><mass>3</mass></inertial><collision name="c"><geometry><box><size>1 1 0.2</size></box></geometry></collision></link>
<link name="tank"><pose>0.3 0 0.2 0 0 0</pose><inertial><mass>1</mass></inertial></link><joint name="j" type="fixed"><parent>base</parent><child>tank</child><sensor name="s" type="force_torque"/></joint>"#;
    let text = world("0 0 -10", &format!(r#"{}<model name="m"><pose>0 0 0.1 0 0 0</pose>{pair}</model>"#, ground()));
    let mut run = start(&text, &["tank:mass=4"]);
    run.advance(0.5).unwrap();
    let reading = run.simulation().readings().next().map(|r| format!("{:?}", r.value)).unwrap();
    assert!(reading.contains("40.0") || reading.contains("39.99"), "{reading}");
    is_sound(&run);
}

#[test]
fn masses_that_cannot_be_are_refused() {
    let text = world("0 0 -10", &format!(r#"{}<model name="m"><pose>0 0 1 0 0 0</pose>{LINK}</model>"#, ground()));
    for (command, expected) in [
        ("m::l:mass=0", "expected more than 0"),
        ("m::l:mass=-1", "expected more than 0"),
        ("m::x:mass=1", "no link `m::x`"),
        ("m::l/1:mass=1", "no axes"),
    ] {
        let error = setup(&text, &[command]).start().err().map(|e| e.to_string()).unwrap_or_default();
        assert!(error.contains(expected), "{command}: {error}");
    }
    let ground = text.split("model name=\"").nth(1).unwrap().split('"').next().unwrap();
    let name = text.split("link name=\"").nth(1).unwrap().split('"').next().unwrap();
    let error = setup(&text, &[&format!("{ground}::{name}:mass=3")]).start().err().unwrap().to_string();
    assert!(error.contains("no mass that could change"), "{error}");
}
