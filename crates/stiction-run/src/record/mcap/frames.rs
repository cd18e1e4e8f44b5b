//! Frames of links as ROS has them: a tree by the joints, what never moves apart from it, and names without the robot's.

use std::borrow::Cow;
use std::collections::BTreeSet;

use stiction::math::Pose;
use stiction_formats::description::{JointType, WorldDescription};

use crate::error::{Request, RunError};
use crate::record::options::FrameNames;
use crate::run::Run;

/// The frames of the links of a run.
pub(in crate::record) struct Frames {
    links: Vec<Frame>,
    /// Names of joints, in their order.
    joints: Vec<String>,
    /// `MODEL::` of the robot whose parts go without it.
    scope: Option<String>,
}

/// The frame of a link.
pub(super) struct Frame {
    pub(super) name: String,
    /// Index of the link whose frame it stands in; none for the world.
    pub(super) parent: Option<usize>,
    /// It never moves in that.
    pub(super) is_static: bool,
}

impl Frames {
    pub(in crate::record) fn of(run: &Run, names: FrameNames) -> Result<Self, RunError> {
        let (world, simulation) = (run.description(), run.simulation());
        let scope = if names == FrameNames::Scoped { None } else { only_robot(world) };
        if names == FrameNames::Short && scope.is_none() {
            return Err(refused("the world has several models that move, or none: give `scoped` or `auto`".to_owned()));
        }
        let mut frames: Vec<Frame> = parents(world);
        // Plates of tracks come after the links of the description.
        frames.extend((frames.len()..simulation.links.len()).map(|_| Frame::in_world(false)));
        for (frame, link) in frames.iter_mut().zip(&simulation.links) {
            frame.name = shortened(&link.name, scope.as_deref()).to_owned();
        }
        let joints =
            simulation.joints.iter().map(|joint| shortened(&joint.name, scope.as_deref()).to_owned()).collect();
        let mut seen = BTreeSet::from([super::WORLD]);
        let is_short = scope.is_some();
        if let Some(twice) = frames.iter().map(|frame| frame.name.as_str()).find(|name| !seen.insert(name) && is_short)
        {
            if names == FrameNames::Short {
                return Err(refused(format!("two frames would be called `{twice}`: give `scoped` or `auto`")));
            }
            return Self::of(run, FrameNames::Scoped);
        }
        Ok(Self { links: frames, joints, scope })
    }

    /// The name of a joint.
    pub(super) fn joint(&self, index: usize) -> &str {
        &self.joints[index]
    }

    /// A scoped name as it is written here.
    pub(super) fn name<'n>(&self, scoped: &'n str) -> &'n str {
        shortened(scoped, self.scope.as_deref())
    }

    /// Name of the parent, name and relative pose of every frame that is static, or of every one that is not.
    pub(super) fn transforms<'a>(
        &'a self,
        poses: &'a [Pose],
        is_static: bool,
    ) -> impl Iterator<Item = (&'a str, &'a str, Cow<'a, Pose>)> {
        self.links.iter().zip(poses).filter(move |(frame, _)| frame.is_static == is_static).map(|(frame, pose)| {
            match frame.parent {
                None => (super::WORLD, frame.name.as_str(), Cow::Borrowed(pose)),
                Some(parent) => {
                    let inner = poses[parent].inverse().compose(pose);
                    (self.links[parent].name.as_str(), frame.name.as_str(), Cow::Owned(inner))
                }
            }
        })
    }
}

impl Frame {
    const fn in_world(is_static: bool) -> Self {
        Self { name: String::new(), parent: None, is_static }
    }
}

/// Of each link the first joint that it is the child of, as long as that makes no circle.
fn parents(world: &WorldDescription) -> Vec<Frame> {
    let stays = |link: usize| world.models[world.links[link].model].is_static || world.links[link].is_fixed_to_world;
    let mut frames: Vec<Frame> = (0..world.links.len()).map(|link| Frame::in_world(stays(link))).collect();
    let mut has_joint = vec![false; frames.len()];
    for joint in world.joints.iter().filter(|joint| joint.joint_type != JointType::Gearbox) {
        let Some(child) = joint.child.filter(|child| !has_joint[*child]) else { continue };
        let is_fixed = joint.joint_type == JointType::Fixed;
        // What stands still in the world does so in no link that moves.
        if stays(child) && !(is_fixed || joint.parent.is_some_and(stays)) {
            continue;
        }
        let mut above = joint.parent;
        while let Some(link) = above.filter(|link| *link != child) {
            above = frames[link].parent;
        }
        if above.is_none() {
            has_joint[child] = true;
            frames[child].parent = joint.parent;
            frames[child].is_static |= is_fixed;
        }
    }
    frames
}

/// `MODEL::` of the only outermost model that is not static.
fn only_robot(world: &WorldDescription) -> Option<String> {
    let is_robot = |index: &usize| world.models[*index].parent.is_none() && !world.models[*index].is_static;
    let mut robots = (0..world.models.len()).filter(is_robot);
    let robot = robots.next().filter(|_| robots.next().is_none())?;
    Some(format!("{}::", world.models[robot].name))
}

fn shortened<'n>(name: &'n str, scope: Option<&str>) -> &'n str {
    scope.and_then(|scope| name.strip_prefix(scope)).unwrap_or(name)
}

fn refused(reason: String) -> RunError {
    RunError::Unfit { request: Request::RecordNames, text: "short".to_owned(), reason }
}
