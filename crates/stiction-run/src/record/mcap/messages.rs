//! Messages as they are written: fields in the order of their definitions.

use std::borrow::Cow;

use serde::Serialize;
use stiction::math::{DQuat, DVec3};

/// A message with a name.
pub(super) trait Named {
    /// By which readers know it.
    const NAME: &'static str;
}

#[derive(Clone, Copy, Serialize)]
pub(super) struct Stamp {
    pub(super) sec: i32,
    pub(super) nanosec: u32,
}

#[derive(Clone, Serialize)]
pub(super) struct Header<'a> {
    stamp: Stamp,
    frame_id: &'a str,
}

impl<'a> Header<'a> {
    /// Of a time \[s\] and a frame.
    pub(super) fn at(time: f64, frame_id: &'a str) -> Self {
        Self { stamp: time.into(), frame_id }
    }
}

impl Default for Header<'_> {
    fn default() -> Self {
        Self::at(0.0, "")
    }
}

#[derive(Clone, Copy, Default, Serialize)]
pub(super) struct Vector3 {
    x: f64,
    y: f64,
    z: f64,
}

impl Vector3 {
    pub(super) fn add(&mut self, v: DVec3) {
        self.x += v.x;
        self.y += v.y;
        self.z += v.z;
    }
}

impl From<DVec3> for Vector3 {
    fn from(v: DVec3) -> Self {
        Self { x: v.x, y: v.y, z: v.z }
    }
}

#[derive(Clone, Copy, Serialize)]
pub(super) struct Quaternion {
    x: f64,
    y: f64,
    z: f64,
    w: f64,
}

impl From<DQuat> for Quaternion {
    fn from(q: DQuat) -> Self {
        Self { x: q.x, y: q.y, z: q.z, w: q.w }
    }
}

#[derive(Clone, Copy, Serialize)]
pub(super) struct Transform {
    translation: Vector3,
    rotation: Quaternion,
}

impl From<&stiction::math::Pose> for Transform {
    fn from(pose: &stiction::math::Pose) -> Self {
        Self { translation: pose.position.into(), rotation: pose.rotation.into() }
    }
}

#[derive(Serialize)]
pub(super) struct TransformStamped<'a> {
    pub(super) header: Header<'a>,
    pub(super) child_frame_id: &'a str,
    pub(super) transform: Transform,
}

#[derive(Serialize)]
pub(super) struct TfMessage<'a> {
    pub(super) transforms: Vec<TransformStamped<'a>>,
}

impl Named for TfMessage<'_> {
    const NAME: &'static str = "tf2_msgs/msg/TFMessage";
}

#[derive(Clone, Copy, Serialize)]
pub(super) struct Pose {
    position: Vector3,
    orientation: Quaternion,
}

impl From<&stiction::math::Pose> for Pose {
    fn from(pose: &stiction::math::Pose) -> Self {
        let Transform { translation, rotation } = pose.into();
        Self { position: translation, orientation: rotation }
    }
}

#[derive(Clone, Copy, Serialize)]
pub(super) struct Twist {
    pub(super) linear: Vector3,
    pub(super) angular: Vector3,
}

#[derive(Serialize)]
pub(super) struct LinkStates<'a> {
    pub(super) name: Vec<&'a str>,
    pub(super) pose: Vec<Pose>,
    pub(super) twist: Vec<Twist>,
}

impl Named for LinkStates<'_> {
    const NAME: &'static str = "gazebo_msgs/msg/LinkStates";
}

#[derive(Default, Serialize)]
pub(super) struct JointState<'a> {
    pub(super) header: Header<'a>,
    pub(super) name: Vec<Cow<'a, str>>,
    pub(super) position: Vec<f64>,
    pub(super) velocity: Vec<f64>,
    pub(super) effort: Vec<f64>,
}

impl Named for JointState<'_> {
    const NAME: &'static str = "sensor_msgs/msg/JointState";
}

#[derive(Clone, Copy, Default, Serialize)]
pub(super) struct Wrench {
    pub(super) force: Vector3,
    pub(super) torque: Vector3,
}

/// The points of a pair of shapes. Normals point into the first one, and forces act on it.
#[derive(Serialize)]
pub(super) struct ContactState<'a> {
    pub(super) info: &'a str,
    pub(super) collision1_name: Cow<'a, str>,
    pub(super) collision2_name: Cow<'a, str>,
    pub(super) wrenches: Vec<Wrench>,
    pub(super) total_wrench: Wrench,
    pub(super) contact_positions: Vec<Vector3>,
    pub(super) contact_normals: Vec<Vector3>,
    pub(super) depths: Vec<f64>,
}

#[derive(Serialize)]
pub(super) struct ContactsState<'a> {
    pub(super) header: Header<'a>,
    pub(super) states: Vec<ContactState<'a>>,
}

impl Named for ContactsState<'_> {
    const NAME: &'static str = "gazebo_msgs/msg/ContactsState";
}

#[derive(Serialize)]
pub(super) struct WireNode<'a> {
    pub(super) wire: &'a str,
    pub(super) position: Vector3,
    pub(super) length: f64,
    pub(super) tension: f64,
}

#[derive(Serialize)]
pub(super) struct WireNodes<'a> {
    pub(super) header: Header<'a>,
    pub(super) nodes: Vec<WireNode<'a>>,
}

impl Named for WireNodes<'_> {
    const NAME: &'static str = "stiction_msgs/msg/WireNodes";
}
