//! Recordings are read by the tools of the field, and hold the same numbers in every form.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::stiction;
use stiction_testing::python_with;

/// A pendulum that swings beside a box that lies on the ground.
const WORLD: &str = r#"<sdf version="1.9"><world name="w">
<model name="ground"><static>true</static><link name="link"><collision name="c"><geometry><plane/></geometry></collision></link></model>
<model name="box, red"><pose>2 0 0.5 0 0 0</pose><link name="link"><collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>
<model name="arm"><link name="base"/><link name="rod"><pose>0 0 3 0 0 0</pose><inertial><pose>0.5 0 0 0 0 0</pose><mass>2</mass></inertial></link>
<joint name="foot" type="fixed"><parent>world</parent><child>base</child></joint>
<joint name="pin" type="universal"><parent>base</parent><child>rod</child><axis><xyz>0 1 0</xyz></axis><axis2><xyz>0 0 1</xyz></axis2></joint></model>
</world></sdf>"#;

fn record(folder: &Path, place: &str, options: &[&str]) {
    let world = folder.join("world.sdf");
    fs::write(&world, WORLD).unwrap();
    let steps = ["--steps", "100", "-q", "--record"];
    stiction(folder).arg("run").arg(&world).args(steps).arg(folder.join(place)).args(options).assert().success();
}

fn python(program: &Path, folder: &Path, script: &str) {
    let output = Command::new(program).current_dir(folder).args(["-c", script]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Every number of the tables, by the text that reads back to the same bits.
const TABLES: &str = r"
import csv, struct
def table(name):
    with open('csv/' + name + '.csv') as file:
        return list(csv.DictReader(file))
def same(a, b):
    assert struct.pack('d', float(a)) == struct.pack('d', b), (a, b)
links, joints, contacts = table('links'), table('joints'), table('contacts')
assert len(links) == 101 * 4 and len(joints) == 101 * 2 and len(contacts) == 100 * 4
";

#[cfg(feature = "arrow")]
#[test]
fn arrow_files_hold_what_tables_of_text_hold() {
    let Some(program) = python_with(&[("pyarrow", "pyarrow.feather")]) else { return };
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), "csv", &["--record-contacts"]);
    record(folder.path(), "columns", &["--record-format", "arrow", "--record-contacts"]);
    let script = r"
import pyarrow.feather
for name, rows in [('links', links), ('joints', joints), ('contacts', contacts)]:
    columns = pyarrow.feather.read_table('columns/' + name + '.arrow').to_pydict()
    assert list(columns) == list(rows[0]), list(columns)
    for key, values in columns.items():
        assert len(values) == len(rows)
        for row, value in zip(rows, values):
            if isinstance(value, float): same(row[key], value)
            else: assert row[key] == str(value)
";
    python(&program, folder.path(), &format!("{TABLES}{script}"));
    assert!(folder.path().join("columns/summary.json").exists());
}

#[test]
fn mcap_files_hold_what_tables_hold() {
    let packages = [("mcap", "mcap.reader"), ("mcap-ros2-support", "mcap_ros2.decoder")];
    let Some(program) = python_with(&packages) else { return };
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), "csv", &["--record-contacts"]);
    record(folder.path(), "run.mcap", &["--record-contacts"]);
    record(folder.path(), "text.mcap", &["--record-format", "mcap-json", "--record-contacts"]);
    let script = r"
import json
from types import SimpleNamespace
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
def of_cdr():
    for schema, channel, message, content in make_reader(open('run.mcap', 'rb'), decoder_factories=[DecoderFactory()]).iter_decoded_messages():
        yield schema, channel, message, content
def of_json():
    for schema, channel, message in make_reader(open('text.mcap', 'rb')).iter_messages():
        yield schema, channel, message, json.loads(message.data, object_hook=lambda d: SimpleNamespace(**d))
for messages in of_cdr(), of_json():
    rows = {'/link_states': iter(links), '/joint_states': iter(joints), '/contacts': iter(contacts)}
    schemas, counts = {}, {}
    for schema, channel, message, content in messages:
        topic, mine = channel.topic, rows.get(channel.topic)
        schemas[topic] = schema.name
        counts[topic] = counts.get(topic, 0) + 1
        if topic == '/tf':
            # The base of the arm never moves, and the rod's frame is in that of the base.
            assert [(p.header.frame_id, p.child_frame_id) for p in content.transforms] == [('world', 'box, red::link'), ('arm::base', 'arm::rod')]
            for part in content.transforms:
                assert message.log_time == part.header.stamp.sec * 10**9 + part.header.stamp.nanosec
        elif topic == '/tf_static':
            assert [(p.header.frame_id, p.child_frame_id) for p in content.transforms] == [('world', 'ground::link'), ('world', 'arm::base')]
        elif topic == '/link_states':
            for name, pose, twist in zip(content.name, content.pose, content.twist):
                row, v, w = next(mine), twist.linear, twist.angular
                assert name == row['link']
                for key, value in dict(pz=pose.position.z, vx=v.x, vy=v.y, vz=v.z, wx=w.x, wy=w.y, wz=w.z).items(): same(row[key], value)
        elif topic == '/joint_states':
            for name, position, velocity, effort in zip(content.name, content.position, content.velocity, content.effort):
                row = next(mine)
                assert name == row['joint'] + ('' if row['axis'] == '0' else '/' + row['axis'])
                for key, value in dict(position=position, velocity=velocity, effort=effort).items(): same(row[key], value)
        else:
            for state in content.states:
                total = 0.0
                for p, n, d, w in zip(state.contact_positions, state.contact_normals, state.depths, state.wrenches):
                    row = next(mine)
                    assert [row['a'], row['b']] == [state.collision1_name, state.collision2_name]
                    total += w.force.z
                    for key, value in dict(px=p.x, py=p.y, pz=p.z, nx=n.x, ny=n.y, nz=n.z, depth=d, fx=w.force.x, fy=w.force.y, fz=w.force.z).items(): same(row[key], value)
                assert abs(total - state.total_wrench.force.z) < 1e-9 * abs(total) and abs(total) > 5
    assert all(next(rest, None) is None for rest in rows.values())
    assert counts == {'/tf': 101, '/tf_static': 1} | {topic: 101 for topic in rows}, counts
    assert schemas['/tf'] == 'tf2_msgs/msg/TFMessage' and schemas['/joint_states'] == 'sensor_msgs/msg/JointState'
for name in 'run.mcap', 'text.mcap':
    attached = [a for a in make_reader(open(name, 'rb')).iter_attachments()]
    assert [a.name for a in attached] == ['summary.json'] and json.loads(attached[0].data)['steps'] == 100
";
    python(&program, folder.path(), &format!("{TABLES}{script}"));
}

#[test]
fn each_topic_has_its_rate() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), "rates", &["--record-rate", "100,joints=500,contacts=50"]);
    let rows = |name: &str| {
        let text = fs::read_to_string(folder.path().join("rates").join(name)).unwrap();
        text.lines().count() - 1
    };
    // Samples of contacts every 20 ms of 100; there are none before the first step.
    assert_eq!([rows("links.csv"), rows("joints.csv"), rows("contacts.csv")], [11 * 4, 51 * 2, 5 * 4]);
}

/// The odometry of a drive is its only reading, and there is none before the first step.
#[test]
fn the_odometry_of_a_drive_is_a_table_too() {
    let folder = tempfile::tempdir().unwrap();
    let arrow = cfg!(feature = "arrow").then_some(("arrow", "arrow", "sensors.arrow"));
    for (place, format, file) in [("csv", "csv", "sensors.csv")].into_iter().chain(arrow) {
        let options = ["--duration", "0.1", "-q", "--command", "rover:twist=0.5,0.2", "--record-format", format];
        let mut run = stiction(folder.path());
        run.args(["run", "robots/rover"])
            .args(options)
            .arg("--record")
            .arg(folder.path().join(place))
            .assert()
            .success();
        let table = fs::read(folder.path().join(place).join(file)).unwrap();
        assert!(table.windows(15).any(|part| part == b"rover::odometry"), "{format}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let world = folder.path().join("world.sdf");
    fs::write(&world, WORLD).unwrap();
    for (place, options, word) in [
        ("a", ["--record-format", "mcap"], "must end in `.mcap`"),
        ("a.mcap", ["--record-format", "csv"], "cannot end in `.mcap`"),
        ("a", ["--record-rate", "feet=3"], "one of links, contacts, joints"),
        ("a", ["--record-rate=-3", "-q"], "HZ or TOPIC=HZ"),
        ("o.csv", ["--record-rate", "50"], "expected a folder"),
        ("a.bag", ["--record-rate", "50"], "expected a folder"),
        ("a", ["--record-contacts", "--record-rate=contacts=0"], "contradicts `contacts=0`"),
    ] {
        let output = stiction(folder.path())
            .arg("run")
            .arg(&world)
            .arg("--record")
            .arg(folder.path().join(place))
            .args(options)
            .output();
        let output = output.unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{options:?}: {stderr}");
        assert!(stderr.contains(word), "{options:?}: {stderr}");
    }
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().map(|e| e.file_name()).collect();
    assert_eq!(left, ["world.sdf"]);
}

/// A turntable with an IMU 0.5 m off its axis, which reads at 100 Hz, and a force-torque sensor in its joint at 50 Hz.
const TURNTABLE: &str = r#"<sdf version="1.9"><model name="table"><link name="disc"><inertial><mass>3</mass></inertial>
<sensor name="imu" type="imu"><pose>0.5 0 0 0 0 0</pose><update_rate>100</update_rate></sensor></link>
<joint name="axle" type="revolute"><parent>world</parent><child>disc</child><axis><xyz>0 0 1</xyz></axis>
<sensor name="wrench" type="force_torque"><update_rate>50</update_rate></sensor></joint></model></sdf>"#;

#[test]
fn sensors_are_recorded_at_their_own_rates() {
    let packages = [("mcap", "mcap.reader"), ("mcap-ros2-support", "mcap_ros2.decoder")];
    let Some(program) = python_with(&packages) else { return };
    let folder = tempfile::tempdir().unwrap();
    let world = folder.path().join("table.sdf");
    fs::write(&world, TURNTABLE).unwrap();
    for place in ["csv", "run.mcap"] {
        let options = ["--no-ground", "--duration", "1", "-q", "--command", "axle:velocity=2", "--record"];
        stiction(folder.path()).arg("run").arg(&world).args(options).arg(folder.path().join(place)).assert().success();
    }
    let script = r"
import csv
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
rows = list(csv.DictReader(open('csv/sensors.csv')))
last = {(row['sensor'].split('::')[-1], row['quantity']): float(row['value']) for row in rows}
# At rest on a table that turns at 2 rad/s: towards the axis by 0.5 m times (2 rad/s) squared, and up by gravity.
assert abs(last['imu', 'ax'] + 2) < 1e-2 and abs(last['imu', 'az'] - 9.8) < 1e-6 and abs(last['imu', 'wz'] - 2) < 1e-6, last
assert abs(abs(last['wrench', 'fz']) - 29.4) < 1e-3, last
messages = {}
for schema, channel, message, content in make_reader(open('run.mcap', 'rb'), decoder_factories=[DecoderFactory()]).iter_decoded_messages():
    messages.setdefault((channel.topic, schema.name), []).append(content)
imu = messages['/table/disc/imu', 'sensor_msgs/msg/Imu']
assert 99 <= len(imu) <= 101, len(imu)
assert imu[-1].linear_acceleration.x == last['imu', 'ax'] and imu[-1].orientation.w == last['imu', 'qw']
assert imu[-1].header.frame_id == 'disc' and list(imu[-1].orientation_covariance) == [0] * 9
wrench = [m for (topic, name), m in messages.items() if name == 'geometry_msgs/msg/WrenchStamped'][0]
assert 49 <= len(wrench) <= 51 and wrench[-1].wrench.force.z == last['wrench', 'fz'], len(wrench)
";
    python(&program, folder.path(), script);
}

/// Ctrl-C ends a run after its step: exit code 130, the recording is whole, and nothing is left under another name.
#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_a_whole_recording() {
    for (place, file) in [("tables", "tables/links.csv"), ("out.mcap", "out.mcap")] {
        let folder = tempfile::tempdir().unwrap();
        let world = folder.path().join("world.sdf");
        fs::write(&world, WORLD).unwrap();
        let program = env!("CARGO_BIN_EXE_stiction");
        let run = Command::new(program)
            .current_dir(folder.path())
            .args(["run", "world.sdf", "--duration", "1000000", "--json", "--record", place])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        // It listens once it steps, and records from then on.
        let begun = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().contains("partial");
        for _ in 0..600 {
            std::thread::sleep(std::time::Duration::from_millis(50));
            if fs::read_dir(folder.path()).unwrap().flatten().any(|e| begun(&e)) {
                break;
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(500));
        let asked = Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
        assert!(asked.success());
        let output = run.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{told}");
        assert!(told.contains("warning: interrupted after "), "{told}");
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let steps = summary["steps"].as_u64().unwrap();
        assert!(steps > 0, "{summary}");
        let names: Vec<String> =
            fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        assert!(names.len() == 2 && names.contains(&place.to_owned()), "{names:?}");
        let bytes = fs::read(folder.path().join(file)).unwrap();
        if place == "tables" {
            let last = String::from_utf8(bytes).unwrap().lines().last().unwrap().to_owned();
            let time: f64 = last.split(',').next().unwrap().parse().unwrap();
            assert!((time - 0.001 * steps as f64).abs() < 1e-9, "{last} {steps}");
        } else {
            // MCAP begins and ends with its mark.
            assert!(bytes.starts_with(b"\x89MCAP0\r\n") && bytes.ends_with(b"\x89MCAP0\r\n"));
        }
    }
}
