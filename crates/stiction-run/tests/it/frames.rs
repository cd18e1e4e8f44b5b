//! Frames of an MCAP recording: a tree whose products are the poses of links, and names as a URDF has them.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use stiction::math::{DQuat, DVec3, Pose};
use stiction_run::{FrameNames, MessageEncoding, RecordFormat, RecordOptions, Recorder, Run, Setup};
use stiction_testing::cases;

/// A sequence of numbers that is the same on every machine.
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }

    fn number(&mut self) -> f64 {
        self.below(2001) as f64 / 1000.0 - 1.0
    }
}

/// A robot of random links on random joints; the types of the joints, and the parents of the links.
fn robot(numbers: &mut Sequence) -> (String, Vec<(usize, &'static str)>) {
    let mut text = "<robot name=\"r\">".to_owned();
    let mut joints = Vec::new();
    for link in 0..2 + numbers.below(8) {
        text += &format!(
            "<link name=\"l{link}\"><inertial><origin xyz=\"0.1 0 {}\"/><mass value=\"1\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>",
            numbers.number()
        );
        if link > 0 {
            let (parent, kind) =
                (numbers.below(link), ["continuous", "fixed", "revolute", "prismatic"][numbers.below(4)]);
            let mut number = || numbers.number();
            let (origin, turn, axis) =
                ([number(), number(), number()], [number(), number(), number()], [number(), number(), 1.5]);
            let list = |v: [f64; 3]| format!("{} {} {}", v[0], v[1], v[2]);
            text += &format!(
                "<joint name=\"j{link}\" type=\"{kind}\"><parent link=\"l{parent}\"/><child link=\"l{link}\"/><origin xyz=\"{}\" rpy=\"{}\"/><axis xyz=\"{}\"/>\
                 <limit lower=\"-3\" upper=\"3\" effort=\"10\" velocity=\"100\"/></joint>",
                list(origin),
                list(turn),
                list(axis)
            );
            joints.push((parent, kind));
        }
    }
    (text + "</robot>", joints)
}

/// Messages by topic.
type Messages = BTreeMap<String, Vec<Value>>;

/// Every message by topic, and poses of links by name at each of its times.
fn record(folder: &Path, mut run: Run, names: FrameNames) -> (Messages, Vec<BTreeMap<String, Pose>>) {
    let path = folder.join("out.mcap");
    let format = Some(RecordFormat::Mcap(MessageEncoding::Json));
    let mut recorder = Recorder::create(&path, &RecordOptions { format, names, ..RecordOptions::default() }, &run)
        .expect("a recording");
    let mut poses = Vec::new();
    for step in 0..31 {
        if step > 0 {
            run.step().expect("a step");
        }
        recorder.record(&run).expect("a message");
        let simulation = run.simulation();
        poses.push(simulation.links.iter().map(|link| (link.name.clone(), simulation.link_pose(link))).collect());
    }
    recorder.finish(&Value::Null).expect("a file");
    let bytes = std::fs::read(&path).expect("a file");
    let mut messages = Messages::new();
    for message in mcap::MessageStream::new(&bytes).expect("an MCAP file") {
        let message = message.expect("a message");
        let value = serde_json::from_slice(&message.data).expect("JSON");
        messages.entry(message.channel.topic.clone()).or_default().push(value);
    }
    (messages, poses)
}

/// Frames of a message: parent and pose in it, by name.
fn frames(message: &Value) -> BTreeMap<String, (String, Pose)> {
    let number = |value: &Value| value.as_f64().expect("a number");
    let of = |part: &Value| {
        let (t, r) = (&part["transform"]["translation"], &part["transform"]["rotation"]);
        let position = DVec3::new(number(&t["x"]), number(&t["y"]), number(&t["z"]));
        let rotation = DQuat::from_xyzw(number(&r["x"]), number(&r["y"]), number(&r["z"]), number(&r["w"]));
        let word = |value: &Value| value.as_str().expect("a name").to_owned();
        (word(&part["child_frame_id"]), (word(&part["header"]["frame_id"]), Pose::new(position, rotation)))
    };
    message["transforms"].as_array().expect("transforms").iter().map(of).collect()
}

#[test]
fn products_of_frames_are_the_poses_of_links() {
    let mut numbers = Sequence(17);
    for case in 0..cases(12, 500) {
        let folder = tempfile::tempdir().expect("a folder");
        let (text, joints) = robot(&mut numbers);
        let path = folder.path().join("r.urdf");
        std::fs::write(&path, &text).expect("a file");
        let mut setup = Setup::new(&path).engine(["ode", "drake-discrete", "agx"][case % 3]);
        setup.no_ground = case % 2 == 0;
        let run = setup.start().unwrap_or_else(|error| panic!("{error}"));
        let (messages, poses) = record(folder.path(), run, FrameNames::Auto);
        let [fixed] = &messages["/tf_static"][..] else { panic!("one message") };
        let fixed = frames(fixed);
        assert_eq!(messages["/tf"].len(), poses.len());
        for (message, wanted) in messages["/tf"].iter().zip(&poses) {
            let moving = frames(message);
            assert!(moving.keys().all(|name| !fixed.contains_key(name)));
            assert_eq!(moving.len() + fixed.len(), wanted.len(), "{text}");
            for (number, (parent, kind)) in joints.iter().enumerate() {
                let name = format!("l{}", number + 1);
                let own = if *kind == "fixed" { &fixed } else { &moving };
                assert_eq!(own[&name].0, format!("l{parent}"), "{text}");
            }
            for (link, pose) in wanted {
                // Links of the robot are without its name, the ground's keep theirs.
                let mut name = link.strip_prefix("r::").unwrap_or(link).to_owned();
                let mut product = Pose::IDENTITY;
                while name != "world" {
                    let (parent, inner) = moving.get(&name).or(fixed.get(&name)).expect("a frame");
                    product = inner.compose(&product);
                    name.clone_from(parent);
                }
                let off = product.position.distance(pose.position);
                let turned = 1.0 - product.rotation.dot(pose.rotation).abs();
                assert!(off < 1e-9 && turned < 1e-12, "{link}: {off} {turned}");
            }
        }
        let names = messages.get("/joint_states").map(|states| states[0]["name"].clone());
        if let Some(names) = names {
            assert!(names.as_array().expect("names").iter().all(|n| n.as_str().is_some_and(|n| n.starts_with('j'))));
        }
    }
}

#[test]
fn names_are_short_where_they_are_asked_for_and_can_be() {
    let model = |name: &str, link: &str| {
        format!("<model name=\"{name}\"><link name=\"{link}\"><inertial><mass>1</mass></inertial></link></model>")
    };
    let world = |models: &str| format!("<sdf version=\"1.9\"><world name=\"w\">{models}</world></sdf>");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("w.world");
    let (one, two, named) = (model("a", "x"), model("a", "x") + &model("b", "x"), model("a", "world_link"));
    for (models, names, wanted) in [
        (&one, FrameNames::Auto, Some("x")),
        (&one, FrameNames::Short, Some("x")),
        (&one, FrameNames::Scoped, Some("a::x")),
        (&two, FrameNames::Auto, Some("a::x")),
        (&two, FrameNames::Short, None),
        (&named, FrameNames::Auto, Some("world_link")),
    ] {
        std::fs::write(&path, world(models)).expect("a file");
        let run = Setup::new(&path).start().expect("a world");
        match wanted {
            Some(wanted) => {
                let (messages, _) = record(folder.path(), run, names);
                assert!(frames(&messages["/tf"][0]).contains_key(wanted), "{names:?}");
            }
            None => {
                let options = RecordOptions { names, ..RecordOptions::default() };
                let refused = Recorder::create(&folder.path().join("b.mcap"), &options, &run).err();
                let error = refused.expect("an error").to_string();
                assert!(error.contains("several models"), "{error}");
            }
        }
    }
}
