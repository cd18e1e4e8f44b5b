//! Force-torque sensors against statics, and against the change of momentum of what lies beyond their joint.

use stiction::math::{DQuat, DVec3};
use stiction_formats::simulation::SensorValue;
use stiction_run::Run;
use stiction_testing::cases;

use super::{Random, angles, file, point, rotation, words};

fn wrench(run: &Run, name: &str) -> (DVec3, DVec3) {
    let found = run.simulation().readings().find(|reading| reading.name == name);
    let Some(SensorValue::Wrench { force, torque }) = found.map(|reading| reading.value) else {
        panic!("`{name}` has no reading")
    };
    (*force, *torque)
}

/// `<frame>` and `<measure_direction>` in words, of a sensor with a pose.
fn sensor(name: &str, frame: &str, direction: &str, pose: &str) -> String {
    format!(
        r#"<sensor name="{name}" type="force_torque"><pose>{pose}</pose><force_torque><frame>{frame}</frame><measure_direction>{direction}</measure_direction></force_torque></sensor>"#
    )
}

const FRAMES: [&str; 3] = ["parent", "child", "sensor"];
const DIRECTIONS: [&str; 2] = ["child_to_parent", "parent_to_child"];

/// A chain that hangs from the world in any pose: each joint carries the weight of what lies beyond, with its moment about the sensor.
#[test]
fn a_sensor_at_rest_reads_the_weight_beyond_and_its_moment_about_itself() {
    let mut random = Random(7);
    for case in 0..cases(12, 1000) {
        let gravity = point(&mut random, 10.0);
        let masses = [random.within(0.5, 5.0), random.within(0.5, 5.0)];
        let links: Vec<_> = (0..2).map(|_| (point(&mut random, 1.0), angles(&mut random))).collect();
        let centers = [point(&mut random, 0.3), point(&mut random, 0.3)];
        let joints: Vec<_> = (0..2).map(|_| (point(&mut random, 0.3), angles(&mut random))).collect();
        let at: Vec<_> = (0..6).map(|_| (point(&mut random, 0.5), angles(&mut random))).collect();
        let link = |n: usize| {
            format!(
                r#"<link name="l{n}"><pose>{}</pose><inertial><pose>{} {} {} 0.3 0.2 0.1</pose><mass>{}</mass><inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.15</izz></inertia></inertial></link>"#,
                words(links[n].0, links[n].1),
                centers[n].x,
                centers[n].y,
                centers[n].z,
                masses[n]
            )
        };
        let sensors: String = (0..6)
            .map(|k| sensor(&format!("s{k}"), FRAMES[k % 3], DIRECTIONS[k / 3], &words(at[k].0, at[k].1)))
            .collect();
        let joint = |n: usize| {
            let parent = ["world", "l0"][n];
            let pose = words(joints[n].0, joints[n].1);
            format!(
                r#"<joint name="j{n}" type="fixed"><pose>{pose}</pose><parent>{parent}</parent><child>l{n}</child>{sensors}</joint>"#
            )
        };
        let text = format!(
            r#"<sdf version="1.9"><world name="w"><gravity>{} {} {}</gravity><model name="m">{}{}{}{}</model></world></sdf>"#,
            gravity.x,
            gravity.y,
            gravity.z,
            link(0),
            link(1),
            joint(0),
            joint(1)
        );
        for engine in stiction_formats::usage::engines() {
            let mut run = file(&text, "chain.sdf").engine(engine).start().unwrap();
            for _ in 0..20 {
                run.step().unwrap();
            }
            let mass_at = |n: usize| (links[n].0 + rotation(links[n].1) * centers[n], masses[n]);
            for joint in 0..2 {
                let of_child = rotation(links[joint].1);
                let of_joint = of_child * rotation(joints[joint].1);
                let origin = links[joint].0 + of_child * joints[joint].0;
                for k in 0..6 {
                    let place = origin + of_joint * at[k].0;
                    let of_parent = if joint == 0 { DQuat::IDENTITY } else { rotation(links[0].1) };
                    let axes = [of_parent, of_child, of_joint * rotation(at[k].1)][k % 3];
                    let sign = [1.0, -1.0][k / 3];
                    let beyond = (joint..2).map(mass_at);
                    let (force, torque) = beyond.fold((DVec3::ZERO, DVec3::ZERO), |(force, torque), (center, mass)| {
                        (force + mass * gravity, torque + (center - place).cross(mass * gravity))
                    });
                    let back = axes.conjugate();
                    let (found_force, found_torque) = wrench(&run, &format!("m::j{joint}::s{k}"));
                    let slack = 2e-3 * force.length();
                    let off = (found_force - sign * (back * force)).length();
                    let turned = (found_torque - sign * (back * torque)).length();
                    assert!(off < slack && turned < slack, "{case} {engine} j{joint} s{k}: {off} {turned} of {force}");
                }
            }
        }
    }
}

/// A body of a URDF file tumbles in the air, its links joined by a fixed joint that Gazebo would lump.
#[test]
fn a_fixed_joint_of_a_urdf_file_reads_what_moves_the_links_beyond() {
    let mut random = Random(8);
    let h = 0.001;
    for _ in 0..cases(6, 300) {
        let masses = [random.within(0.5, 3.0), random.within(0.5, 3.0)];
        let moment = random.within(0.02, 0.1);
        let (arm, turn) = (point(&mut random, 0.5), angles(&mut random));
        let (place, own) = (point(&mut random, 0.3), angles(&mut random));
        let spin = point(&mut random, 3.0);
        let link = |name: &str, mass: f64| {
            format!(
                r#"<link name="{name}"><inertial><mass value="{mass}"/><inertia ixx="{moment}" ixy="0" ixz="0" iyy="{moment}" iyz="0" izz="{moment}"/></inertial></link>"#
            )
        };
        let text = format!(
            r#"<robot name="r">{}{}<link name="flange"/><joint name="wrist" type="fixed"><parent link="base"/><child link="flange"/><origin xyz="{} {} {}" rpy="{} {} {}"/></joint>
<joint name="tip" type="fixed"><parent link="flange"/><child link="tool"/></joint>
<gazebo reference="wrist">{}</gazebo>
<gazebo><plugin name="i" filename="libInitialVelocityPlugin.so"><angular>{} {} {}</angular></plugin></gazebo></robot>"#,
            link("base", masses[0]),
            link("tool", masses[1]),
            arm.x,
            arm.y,
            arm.z,
            turn[0],
            turn[1],
            turn[2],
            sensor("s", "sensor", "parent_to_child", &words(place, own)),
            spin.x,
            spin.y,
            spin.z
        );
        for engine in stiction_formats::usage::engines() {
            let mut setup = file(&text, "r.urdf").engine(engine);
            setup.no_ground = true;
            setup.step_size = Some(h);
            let mut run = setup.start().unwrap();
            let motion = |run: &Run| {
                let simulation = run.simulation();
                let link = simulation.link("r::tool").unwrap();
                (simulation.link_pose(link), simulation.link_velocity(link))
            };
            for _ in 0..30 {
                run.step().unwrap();
            }
            let (from, (v0, w0)) = motion(&run);
            run.step().unwrap();
            let (to, (v1, w1)) = motion(&run);
            let gravity = run.simulation().world.parameters.gravity;
            // The tool's frame is its centre, and its inertia the same about all axes.
            let (force, about_center) = (masses[1] / h * (v1 - v0) - masses[1] * gravity, moment / h * (w1 - w0));
            let center = 0.5 * (from.position + to.position);
            let child = from.rotation.slerp(to.rotation, 0.5);
            let axes = child * rotation(own);
            let torque = about_center + (center - (center + child * place)).cross(force);
            let (found_force, found_torque) = wrench(&run, "r::wrist::s");
            let off = (axes * found_force - force).length().max((axes * found_torque - torque).length());
            // Both turn by ω h in the step.
            let bound = 2.0 * h * (1.0 + w1.length()) * (force.length() + torque.length());
            println!("{engine}: {off:.1e} of {bound:.1e} {force:.3}");
            assert!(force.length() > 0.01 && off < bound, "{engine}: {off} of {bound} {found_force} {force}");
        }
    }
}
