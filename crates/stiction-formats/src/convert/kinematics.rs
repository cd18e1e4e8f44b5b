//! The tree of bodies that URDF and MJCF want: from the joints of a world.

use stiction::math::{DVec3, Pose};

use crate::bodies::carrier;
use crate::description::{JointAxisDescription, JointDescription, JointType, WorldDescription};

/// A body in the tree: a link with those lumped into it.
pub(super) struct Branch {
    /// The link that carries it.
    pub(super) link: usize,
    /// The joint to the body that holds it, and whether its child is that body.
    pub(super) joint: Option<(usize, bool)>,
    /// Bodies that hang on it.
    pub(super) branches: Vec<Branch>,
}

/// Bodies of a world by what holds them.
pub(super) struct Kinematics {
    /// Bodies that joints hang on the world, and bodies without a joint that holds them.
    pub(super) roots: Vec<Branch>,
    /// Joints between bodies that are in the tree already.
    pub(super) loops: Vec<usize>,
}

/// A joint as its tree sees it.
pub(super) struct AxisInTree {
    /// Unit vector in the world.
    pub(super) direction: DVec3,
    /// Position at time 0 \[m or rad\].
    pub(super) position: f64,
}

/// True for a link of the static environment.
pub(super) fn is_static(world: &WorldDescription, link: usize) -> bool {
    world.models[world.links[link].model].is_static || world.links[carrier(world, link)].is_fixed_to_world
}

impl Kinematics {
    pub(super) fn new(world: &WorldDescription) -> Self {
        let count = world.links.len();
        let ends = |joint: &JointDescription| {
            [joint.parent, joint.child].map(|end| end.filter(|l| !is_static(world, *l)).map(|l| carrier(world, l)))
        };
        let is_tree_joint = |joint: &JointDescription| holds(joint) && ends(joint)[0] != ends(joint)[1];
        let mut is_placed = vec![false; count];
        let mut is_used = vec![false; world.joints.len()];
        let mut roots = Vec::new();
        // What joints hang on the world comes first: those bodies are not free.
        for (index, joint) in world.joints.iter().enumerate().filter(|(_, j)| is_tree_joint(j)) {
            let (link, is_turned) = match ends(joint) {
                [None, Some(link)] => (link, false),
                [Some(link), None] => (link, true),
                _ => continue,
            };
            if !is_placed[link] {
                is_placed[link] = true;
                is_used[index] = true;
                roots.push(Branch { link, joint: Some((index, is_turned)), branches: Vec::new() });
            }
        }
        let is_child = |link: usize| world.joints.iter().any(|j| is_tree_joint(j) && ends(j)[1] == Some(link));
        let bodies = || (0..count).filter(|l| carrier(world, *l) == *l && !is_static(world, *l));
        let mut grow = |roots: &mut Vec<Branch>, from: usize, is_placed: &mut Vec<bool>| {
            for root in &mut roots[from..] {
                grow(root, world, &ends, is_placed, &mut is_used);
            }
        };
        grow(&mut roots, 0, &mut is_placed);
        // Then bodies that are no child of a joint, then what circles of joints leave.
        for only_heads in [true, false] {
            for link in bodies() {
                if !is_placed[link] && (!only_heads || !is_child(link)) {
                    is_placed[link] = true;
                    let from = roots.len();
                    roots.push(Branch { link, joint: None, branches: Vec::new() });
                    grow(&mut roots, from, &mut is_placed);
                }
            }
        }
        let loops = (0..world.joints.len()).filter(|j| is_tree_joint(&world.joints[*j]) && !is_used[*j]).collect();
        Self { roots, loops }
    }
}

/// A joint that can hold a body: a gearbox only ties the turns of two.
fn holds(joint: &JointDescription) -> bool {
    !joint.is_lumped && joint.joint_type != JointType::Gearbox
}

/// Hangs on a body what its joints reach.
fn grow(
    branch: &mut Branch,
    world: &WorldDescription,
    ends: &impl Fn(&JointDescription) -> [Option<usize>; 2],
    is_placed: &mut Vec<bool>,
    is_used: &mut Vec<bool>,
) {
    for (index, joint) in world.joints.iter().enumerate().filter(|(_, joint)| holds(joint)) {
        if is_used[index] {
            continue;
        }
        let (link, is_turned) = match ends(joint) {
            [Some(parent), Some(child)] if parent == branch.link => (child, false),
            [Some(parent), Some(child)] if child == branch.link => (parent, true),
            _ => continue,
        };
        if !is_placed[link] {
            is_placed[link] = true;
            is_used[index] = true;
            let mut inner = Branch { link, joint: Some((index, is_turned)), branches: Vec::new() };
            grow(&mut inner, world, ends, is_placed, is_used);
            branch.branches.push(inner);
        }
    }
}

/// An axis as the body that moves sees it: the other way round where the tree goes from child to parent.
pub(super) fn axis_in_tree(axis: &JointAxisDescription, is_turned: bool) -> AxisInTree {
    let direction = if is_turned { -axis.xyz } else { axis.xyz };
    AxisInTree { direction, position: axis.position }
}

/// A pose of the world in a frame of the world.
pub(super) fn relative(frame: &Pose, pose: &Pose) -> Pose {
    frame.inverse().compose(pose)
}
