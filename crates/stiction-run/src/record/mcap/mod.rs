//! One MCAP file of ROS 2 messages, which `ros2 bag`, Foxglove, PlotJuggler, Rerun and the Python package `mcap` read.

mod definition;
mod frames;
mod messages;
mod sensors;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ::mcap::records::MessageHeader;
use ::mcap::{Attachment, WriteOptions, Writer};
use cdr::{CdrLe, Infinite};
use serde::Serialize;
use serde_json::Value;

use crate::error::RunError;
use crate::run::Run;

use super::options::MessageEncoding;
use super::place::SUMMARY;
use super::rates::Topic;
use super::rows::{joint_values, shape_names};
use super::{Sink, failed, failed_by};
use definition::Definition;
pub(super) use frames::Frames;
use messages::{
    ContactState, ContactsState, Header, JointState, LinkStates, Named, Pose, Stamp, TfMessage, Transform,
    TransformStamped, Twist, Vector3, WireNode, WireNodes, Wrench,
};

/// Bytes of messages that are indexed together.
const CHUNK: u64 = 1 << 20;

/// The topic of frames that never move.
const STATIC: &str = "/tf_static";

/// A player of the file keeps the last message for those who come later, as ROS 2 has it for `/tf_static`.
fn latched() -> BTreeMap<String, String> {
    // History: the last one; reliable; durability: transient local.
    let profile = "- history: 1\n  depth: 1\n  reliability: 1\n  durability: 1\n  deadline: {sec: 9223372036, nsec: 854775807}\n  \
         lifespan: {sec: 9223372036, nsec: 854775807}\n  liveliness: 1\n  \
         liveliness_lease_duration: {sec: 9223372036, nsec: 854775807}\n  avoid_ros_namespace_conventions: false\n";
    BTreeMap::from([("offered_qos_profiles".to_owned(), profile.to_owned())])
}

/// The frame of the world.
const WORLD: &str = "world";

/// An MCAP file in the making.
pub(super) struct McapFile {
    path: PathBuf,
    writer: Writer<BufWriter<File>>,
    encoding: MessageEncoding,
    /// Channels by topic.
    channels: BTreeMap<String, u16>,
    sequence: u32,
    message: Vec<u8>,
    frames: Rc<Frames>,
    /// The frames that never move are written.
    has_static: bool,
}

impl McapFile {
    pub(super) fn create(
        path: &Path,
        encoding: MessageEncoding,
        topics: &[Topic],
        frames: Frames,
    ) -> Result<Self, RunError> {
        let failed = |e: ::mcap::McapError| failed_by(path, &e);
        let file = File::create(path).map_err(|e| super::failed(path, e))?;
        let profile = if encoding == MessageEncoding::Cdr { "ros2" } else { "" };
        let options = WriteOptions::new()
            .compression(None)
            .chunk_size(Some(CHUNK))
            .profile(profile)
            .library(concat!("stiction ", env!("CARGO_PKG_VERSION")));
        let writer = options.create(BufWriter::with_capacity(1 << 16, file)).map_err(failed)?;
        let mut this = Self {
            path: path.to_owned(),
            writer,
            encoding,
            channels: BTreeMap::new(),
            sequence: 0,
            message: Vec::new(),
            frames: Rc::new(frames),
            has_static: false,
        };
        for topic in topics {
            match topic {
                Topic::Links => {
                    this.add_channel::<TfMessage<'_>>("/tf")?;
                    this.add_channel_with::<TfMessage<'_>>(STATIC, &latched())?;
                    this.add_channel::<LinkStates<'_>>("/link_states")?;
                }
                Topic::Contacts => this.add_channel::<ContactsState<'_>>("/contacts")?,
                Topic::Joints => this.add_channel::<JointState<'_>>("/joint_states")?,
                Topic::Wires => this.add_channel::<WireNodes<'_>>("/wires")?,
                // With the first reading of each.
                Topic::Sensors => {}
            }
        }
        Ok(this)
    }

    /// A topic; once.
    fn add_channel<M: Named>(&mut self, topic: &str) -> Result<(), RunError> {
        self.add_channel_with::<M>(topic, &BTreeMap::new())
    }

    fn add_channel_with<M: Named>(&mut self, topic: &str, more: &BTreeMap<String, String>) -> Result<(), RunError> {
        if self.channels.contains_key(topic) {
            return Ok(());
        }
        let definition = Definition::of(M::NAME);
        let (schema_encoding, schema, message_encoding) = match self.encoding {
            MessageEncoding::Cdr => ("ros2msg", definition.ros2msg(), "cdr"),
            MessageEncoding::Json => ("jsonschema", definition.json_schema().to_string(), "json"),
        };
        let schema = self.writer.add_schema(M::NAME, schema_encoding, schema.as_bytes());
        let channel = schema
            .and_then(|schema| self.writer.add_channel(schema, topic, message_encoding, more))
            .map_err(|e| failed_by(&self.path, &e))?;
        self.channels.insert(topic.to_owned(), channel);
        Ok(())
    }

    /// Writes a message of a time \[s\].
    fn send<M: Named + Serialize>(&mut self, topic: &str, time: f64, message: &M) -> Result<(), RunError> {
        let Some(channel_id) = self.channels.get(topic).copied() else { return Ok(()) };
        self.message.clear();
        match self.encoding {
            MessageEncoding::Cdr => {
                cdr::serialize_into::<_, _, _, CdrLe>(&mut self.message, message, Infinite)
                    .map_err(|e| failed(&self.path, e))?;
            }
            MessageEncoding::Json => {
                serde_json::to_writer(&mut self.message, message).map_err(|e| failed(&self.path, e))?;
            }
        }
        let time = nanoseconds(time);
        let header = MessageHeader { channel_id, sequence: self.sequence, log_time: time, publish_time: time };
        self.sequence = self.sequence.wrapping_add(1);
        self.writer.write_to_known_channel(&header, &self.message).map_err(|e| failed_by(&self.path, &e))
    }

    fn send_links(&mut self, run: &Run) -> Result<(), RunError> {
        let (simulation, time) = (run.simulation(), run.time());
        let poses: Vec<_> = simulation.links.iter().map(|link| simulation.link_pose(link)).collect();
        let names = || simulation.links.iter().map(|link| link.name.as_str());
        let frames = Rc::clone(&self.frames);
        let transforms = |is_static| {
            let stamped = |(parent, child_frame_id, pose): (_, _, Cow<'_, stiction::math::Pose>)| TransformStamped {
                header: Header::at(time, parent),
                child_frame_id,
                transform: Transform::from(&*pose),
            };
            TfMessage { transforms: frames.transforms(&poses, is_static).map(stamped).collect() }
        };
        if !std::mem::replace(&mut self.has_static, true) {
            self.send(STATIC, time, &transforms(true))?;
        }
        self.send("/tf", time, &transforms(false))?;
        let twist = |link| {
            let (v, w) = simulation.link_velocity(link);
            Twist { linear: v.into(), angular: w.into() }
        };
        let states = LinkStates {
            name: names().collect(),
            pose: poses.iter().map(Pose::from).collect(),
            twist: simulation.links.iter().map(twist).collect(),
        };
        self.send("/link_states", time, &states)
    }

    fn send_joints(&mut self, run: &Run) -> Result<(), RunError> {
        let frames = Rc::clone(&self.frames);
        let mut state = JointState { header: Header::at(run.time(), ""), ..JointState::default() };
        for (index, joint) in run.simulation().joints.iter().enumerate() {
            for axis in 0..joint.axes.len() {
                let [position, velocity, effort] = joint_values(run, index, axis);
                // As a command names them.
                state.name.push(match axis {
                    0 => Cow::Borrowed(frames.joint(index)),
                    axis => Cow::Owned(format!("{}/{axis}", frames.joint(index))),
                });
                state.position.push(position);
                state.velocity.push(velocity);
                state.effort.push(effort);
            }
        }
        self.send("/joint_states", run.time(), &state)
    }

    fn send_contacts(&mut self, run: &Run) -> Result<(), RunError> {
        let reports = if run.steps() == 0 { &[] } else { run.simulation().world.contact_reports() };
        // One state for a pair: its points are adjacent.
        let pairs = reports.chunk_by(|a, b| a.geoms.is_some() && a.geoms == b.geoms);
        let states = pairs.map(|points| {
            let [collision1_name, collision2_name] = shape_names(run, points[0].geoms);
            let mut total_wrench = Wrench::default();
            for point in points {
                total_wrench.force.add(point.force);
            }
            ContactState {
                info: "",
                collision1_name,
                collision2_name,
                wrenches: points
                    .iter()
                    .map(|point| Wrench { force: point.force.into(), ..Wrench::default() })
                    .collect(),
                total_wrench,
                contact_positions: points.iter().map(|point| Vector3::from(point.position)).collect(),
                contact_normals: points.iter().map(|point| Vector3::from(point.normal)).collect(),
                depths: points.iter().map(|point| point.depth).collect(),
            }
        });
        let message = ContactsState { header: Header::at(run.time(), WORLD), states: states.collect() };
        self.send("/contacts", run.time(), &message)
    }

    fn send_wires(&mut self, run: &Run) -> Result<(), RunError> {
        let mut message = WireNodes { header: Header::at(run.time(), WORLD), nodes: Vec::new() };
        for wire in &run.simulation().wires {
            let Some(own) = run.simulation().world.wire(wire.id) else { continue };
            message.nodes.extend(own.nodes().iter().zip(own.positions()).map(|(node, position)| WireNode {
                wire: &wire.name,
                position: position.into(),
                length: node.length,
                tension: node.tension,
            }));
        }
        self.send("/wires", run.time(), &message)
    }
}

impl Sink for McapFile {
    fn write(&mut self, run: &Run, topic: Topic, after: f64) -> Result<(), RunError> {
        match topic {
            Topic::Links => self.send_links(run),
            Topic::Contacts => self.send_contacts(run),
            Topic::Joints => self.send_joints(run),
            Topic::Wires => self.send_wires(run),
            Topic::Sensors => {
                let mut new = run.simulation().readings().filter(|reading| reading.time > after);
                new.try_for_each(|reading| self.send_reading(&reading))
            }
        }
    }

    fn finish(mut self: Box<Self>, summary: &Value) -> Result<(), RunError> {
        let text = format!("{summary:#}\n");
        let attachment = Attachment {
            log_time: 0,
            create_time: 0,
            name: SUMMARY.to_owned(),
            media_type: "application/json".to_owned(),
            data: Cow::Borrowed(text.as_bytes()),
        };
        self.writer.attach(&attachment).map_err(|e| failed_by(&self.path, &e))?;
        self.writer.finish().map(drop).map_err(|e| failed_by(&self.path, &e))
    }
}

/// A time \[s\] in whole nanoseconds; times before 0 are 0.
fn nanoseconds(time: f64) -> u64 {
    (time * 1e9).round() as u64
}

impl From<f64> for Stamp {
    fn from(time: f64) -> Self {
        let time = nanoseconds(time);
        Self { sec: i32::try_from(time / 1_000_000_000).unwrap_or(i32::MAX), nanosec: (time % 1_000_000_000) as u32 }
    }
}
