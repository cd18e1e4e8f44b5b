//! A gripper that lifts a cube keeps it above the friction threshold `m (g + a) / 2 F`, as `explain grasp` says: under ODE's
//! iterative engine and DART as they are, and under `bullet` with `contact.hybrid=off`.

use std::fmt::Write as _;

use stiction_run::{CommandRequest, Quantity, Setup};

/// A palm on a vertical slide above a cube of 0.4 kg, and two fingers with friction 0.5 (the threshold is 0.43).
const LIFT: &str = r#"<sdf version="1.9"><world name="cell">
<physics type="ode"><max_step_size>0.001</max_step_size></physics>
<model name="floor"><static>true</static><link name="l"><collision name="c"><geometry><plane/></geometry></collision></link></model>
<model name="cube"><pose>0 0 0.02 0 0 0</pose><link name="l"><inertial><mass>0.4</mass><inertia><ixx>0.0001</ixx><iyy>0.0001</iyy><izz>0.0001</izz></inertia></inertial>
<collision name="c"><geometry><box><size>0.04 0.04 0.04</size></box></geometry></collision></link></model>
<model name="hand"><pose>0 0 0.095 0 0 0</pose>
<link name="palm"><inertial><mass>0.3</mass><inertia><ixx>0.0003</ixx><iyy>0.0003</iyy><izz>0.0003</izz></inertia></inertial></link>
<joint name="lift" type="prismatic"><parent>world</parent><child>palm</child><axis><xyz>0 0 1</xyz><limit><lower>-0.1</lower><upper>0.5</upper><effort>200</effort></limit></axis></joint>
FINGERS</model></world></sdf>"#;

fn finger(name: &str, side: f64) -> String {
    format!(
        r#"<link name="{name}"><pose>0 {y} 0 0 0 0</pose><inertial><pose>0 0 -0.04 0 0 0</pose><mass>0.1</mass><inertia><ixx>0.0001</ixx><iyy>0.0001</iyy><izz>0.0001</izz></inertia></inertial>
<collision name="c"><pose>0 0 -0.05 0 0 0</pose><geometry><box><size>0.03 0.01 0.08</size></box></geometry>
<surface><friction><ode><mu>0.5</mu><mu2>0.5</mu2></ode></friction></surface></collision></link>
<joint name="{name}_slide" type="prismatic"><parent>palm</parent><child>{name}</child><axis><xyz>0 {inward} 0</xyz><limit><lower>0</lower><upper>0.05</upper><effort>10</effort></limit></axis></joint>"#,
        y = 0.05 * side,
        inward = -side
    )
}

/// Closes for 2 s with 5 N, and lifts by 0.2 m in the next second along a cosine, with at most 0.99 m/s².
fn table() -> String {
    let mut text =
        "time,hand::lift:position,hand::left_slide:effort,hand::right_slide:effort\n0,0,0,0\n0.1,0,5,5\n".to_owned();
    for k in 0..=100 {
        let share = f64::from(k) / 100.0;
        let height = 0.1 * (1.0 - (std::f64::consts::PI * share).cos());
        writeln!(text, "{},{height},5,5", 2.0 + share).unwrap();
    }
    text
}

#[test]
fn a_lifted_cube_stays_in_the_grasp() {
    let folder = tempfile::tempdir().unwrap();
    let (world, commands) = (folder.path().join("lift.sdf"), folder.path().join("lift.csv"));
    std::fs::write(&world, LIFT.replace("FINGERS", &(finger("left", 1.0) + &finger("right", -1.0)))).unwrap();
    std::fs::write(&commands, table()).unwrap();
    for (engine, hybrid) in [("ode-quick", None), ("dart", None), ("bullet", Some("off"))] {
        let mut setup = Setup::new(&world).engine(engine);
        setup.commands = CommandRequest::parse(&commands.display().to_string()).unwrap();
        if let Some(hybrid) = hybrid {
            setup = setup.set("contact.hybrid", hybrid);
        }
        let mut run = setup.start().unwrap();
        run.advance(4.0).unwrap();
        let height = run.link(Quantity::Height, "cube::l").unwrap().z;
        assert!((height - 0.22).abs() < 2e-3, "{engine}: {height}");
    }
}
