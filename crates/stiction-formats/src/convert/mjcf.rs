//! MJCF for MuJoCo: a tree of bodies, joints that close loops as equalities.

mod equality;
mod geom;

use std::collections::BTreeSet;

use stiction::math::Pose;
use stiction::shape::MassProperties;

use crate::bodies::{self, carrier};
use crate::description::{JointAxisDescription, JointDescription, JointType, LinkDescription, WorldDescription};

use crate::sdf::element::inertia_values;
use crate::sdf::inertia::principal_moments;

use super::Converted;
use super::kinematics::{AxisInTree, Branch, Kinematics, axis_in_tree, is_static, relative};
use super::xml::{Node, number, numbers, quaternion_wxyz, vector};

/// What MuJoCo takes for no limit on one side of a range.
const FAR: f64 = 1e10;

/// Writes a world.
pub(super) fn write(world: &WorldDescription) -> Converted {
    let kinematics = Kinematics::new(world);
    let mut writer = Mjcf {
        world,
        masses: bodies::masses(world),
        converted: Converted::default(),
        assets: Vec::new(),
        actuators: Vec::new(),
        frictions: geom::frictions(world),
        has_masks: geom::has_masks(world),
    };
    let mut worldbody = Node::new("worldbody");
    let of_robots = static_bodies(world);
    for index in (0..world.links.len()).filter(|l| is_static(world, *l)) {
        if of_robots.contains(&index) {
            let body = writer.static_body(index);
            worldbody.children.push(body);
        } else if !of_robots.contains(&carrier(world, index)) {
            let geoms = writer.geoms(index, &world.links[index].pose, true);
            worldbody.children.extend(geoms);
        }
    }
    for root in &kinematics.roots {
        let body = writer.body(root, &Pose::IDENTITY);
        worldbody.children.push(body);
    }
    let equality = equality::all(&mut writer, &kinematics);
    let contact = writer.exclusions(&kinematics, &of_robots);
    let gravity = world.gravity.value;
    let option = Node::new("option")
        .with("timestep", number(world.physics.max_step_size.value))
        .with("gravity", vector(gravity))
        .with("integrator", "implicitfast");
    let mut compiler = Node::new("compiler").with("angle", "radian").with("autolimits", "true");
    if has_impossible_inertia(world, &writer.masses) {
        compiler = compiler.with("balanceinertia", "true");
        writer.converted.lose("moments of inertia that no body can have (A + B < C) are replaced by their mean");
    }
    let parts = [
        compiler,
        option,
        Node::new("asset").holding(std::mem::take(&mut writer.assets)),
        worldbody,
        contact,
        equality,
        Node::new("actuator").holding(std::mem::take(&mut writer.actuators)),
    ];
    let needed = parts.into_iter().filter(|part| part.name_is("compiler", "option") || !part.children.is_empty());
    let root = Node::new("mujoco").with("model", &world.name).holding(needed);
    let mut converted = writer.converted;
    converted.text = root.document();
    converted.lose("MuJoCo has its own law of contact: `solref` and `solimp` are its defaults");
    converted
}

struct Mjcf<'a> {
    world: &'a WorldDescription,
    masses: Vec<Option<MassProperties>>,
    converted: Converted,
    assets: Vec<Node>,
    frictions: Vec<f64>,
    /// A collision has masks of its own, so that all need theirs.
    has_masks: bool,
    actuators: Vec<Node>,
}

/// Links that do not move and need a body: what hangs on them, or is of their model, does not touch them.
fn static_bodies(world: &WorldDescription) -> Vec<usize> {
    let outer = |link: usize| world.outermost_model(world.links[link].model);
    let moving: Vec<usize> = (0..world.links.len()).filter(|l| !is_static(world, *l)).collect();
    let is_needed = |link: usize| {
        let is_end = |joint: &JointDescription| {
            [joint.parent, joint.child].into_iter().flatten().any(|end| carrier(world, end) == link)
        };
        moving.iter().any(|other| outer(*other) == outer(link)) || world.joints.iter().any(is_end)
    };
    let carriers = (0..world.links.len()).filter(|l| is_static(world, *l) && carrier(world, *l) == *l);
    carriers.filter(|l| is_needed(*l)).collect()
}

impl Mjcf<'_> {
    /// A body without a joint, with the shapes of all links that it carries.
    fn static_body(&mut self, link: usize) -> Node {
        let world = self.world;
        let pose = world.links[link].pose;
        let body = Node::new("body")
            .with("name", &world.links[link].name)
            .with("pos", vector(pose.position))
            .with("quat", quaternion_wxyz(pose.rotation));
        let mut geoms = Vec::new();
        for index in (0..world.links.len()).filter(|l| carrier(world, *l) == link) {
            geoms.extend(self.geoms(index, &relative(&pose, &world.links[index].pose), true));
        }
        body.holding(geoms)
    }

    /// A body and all that hangs on it; `outer` is the pose of the body that holds it.
    fn body(&mut self, branch: &Branch, outer: &Pose) -> Node {
        let world = self.world;
        let link = &world.links[branch.link];
        let pose = relative(outer, &link.pose);
        let mut body = Node::new("body")
            .with("name", &link.name)
            .with("pos", vector(pose.position))
            .with("quat", quaternion_wxyz(pose.rotation));
        if !link.gravity.value {
            body = body.with("gravcomp", "1");
        }
        if link.kinematic.value {
            self.converted.lose(format!("link `{}` is kinematic: it moves freely", link.name));
        }
        match branch.joint {
            None => body.children.push(Node::new("freejoint").with("name", format!("{}::free", link.name))),
            Some((joint, is_turned)) => {
                let joints = self.joints(&world.joints[joint], link, is_turned);
                body.children.extend(joints);
            }
        }
        body.children.push(inertial(self.masses[branch.link].as_ref()));
        for index in (0..world.links.len()).filter(|l| carrier(world, *l) == branch.link) {
            let offset = relative(&link.pose, &world.links[index].pose);
            let geoms = self.geoms(index, &offset, false);
            body.children.extend(geoms);
        }
        for inner in &branch.branches {
            let inner = self.body(inner, &link.pose);
            body.children.push(inner);
        }
        body
    }

    /// Joints of a body, the one nearest to what holds it first.
    fn joints(&mut self, joint: &JointDescription, link: &LinkDescription, is_turned: bool) -> Vec<Node> {
        let kinds: &[&str] = match joint.joint_type {
            JointType::Fixed => &[],
            JointType::Revolute | JointType::Continuous => &["hinge"],
            JointType::Prismatic => &["slide"],
            JointType::Revolute2 | JointType::Universal => &["hinge", "hinge"],
            JointType::Ball => {
                let anchor = relative(&link.pose, &joint.pose).position;
                let node = Node::new("joint").with("name", &joint.name).with("type", "ball");
                return vec![node.with("pos", vector(anchor))];
            }
            // A turn, and a displacement that an equality ties to it.
            JointType::Screw => &["hinge", "slide"],
            JointType::Planar => {
                self.converted.lose(format!("joint `{}`: MuJoCo has no planar joint; its link is free", joint.name));
                return vec![Node::new("freejoint")];
            }
            JointType::Gearbox => &[],
        };
        let mut nodes = Vec::new();
        for (number, kind) in kinds.iter().enumerate() {
            let axis = joint.axes.get(number).or(joint.axes.first());
            let Some(axis) = axis else { continue };
            let own = if number == 0 { joint.name.clone() } else { format!("{}/{number}", joint.name) };
            let is_follower = joint.joint_type == JointType::Screw && number == 1;
            let (places, in_tree) = ([&link.pose, &joint.pose], axis_in_tree(axis, is_turned));
            nodes.push(self.joint(&own, kind, places, &in_tree, Some(axis).filter(|_| !is_follower)));
        }
        if is_turned {
            nodes.reverse();
        }
        nodes
    }

    fn joint(
        &mut self,
        name: &str,
        kind: &str,
        [link, anchor]: [&Pose; 2],
        in_tree: &AxisInTree,
        axis: Option<&JointAxisDescription>,
    ) -> Node {
        let direction = link.inverse_direction(in_tree.direction);
        let mut node = Node::new("joint")
            .with("name", name)
            .with("type", kind)
            .with("pos", vector(relative(link, anchor).position))
            .with("axis", vector(direction));
        // The displacement of a screw follows its turn.
        let Some(axis) = axis else { return node };
        if in_tree.position != 0.0 {
            node = node.with("ref", number(in_tree.position));
        }
        if axis.lower.value.is_finite() || axis.upper.value.is_finite() {
            node = node.with("range", numbers(&[axis.lower.value.max(-FAR), axis.upper.value.min(FAR)]));
        }
        for (name, value) in [
            ("damping", axis.damping.value),
            ("frictionloss", axis.friction.value),
            ("stiffness", axis.spring_stiffness.value),
            ("armature", axis.armature.value),
        ] {
            if value != 0.0 {
                node = node.with(name, number(value));
            }
        }
        if axis.spring_stiffness.value != 0.0 {
            node = node.with("springref", number(axis.spring_reference.value));
        }
        if axis.velocity.value.is_finite() {
            self.converted.lose("limits of joint velocity are left out");
        }
        if axis.effort.value.is_finite() && axis.effort.value > 0.0 {
            let effort = axis.effort.value;
            let motor = Node::new("motor").with("name", name).with("joint", name);
            self.actuators.push(motor.with("ctrlrange", numbers(&[-effort, effort])));
        }
        node
    }

    /// Pairs of bodies that do not touch: those of one model, unless both say so, and those that a joint connects. MuJoCo leaves out
    /// what hangs on each other itself, but not where the one that holds does not move.
    fn exclusions(&mut self, kinematics: &Kinematics, static_bodies: &[usize]) -> Node {
        let world = self.world;
        let mut bodies = static_bodies.to_vec();
        for root in &kinematics.roots {
            collect(root, &mut bodies);
        }
        let ends = |joint: &JointDescription| Some([carrier(world, joint.parent?), carrier(world, joint.child?)]);
        let holds = |joint: &&JointDescription| joint.joint_type != JointType::Gearbox;
        let joined: BTreeSet<[usize; 2]> = world.joints.iter().filter(holds).filter_map(ends).collect();
        let is_moving: Vec<bool> = (0..world.links.len()).map(|l| !is_static(world, l)).collect();
        let mut contact = Node::new("contact");
        for (i, a) in bodies.iter().enumerate() {
            for b in &bodies[i + 1..] {
                let [first, second] = [a, b].map(|l| &world.links[*l]);
                let is_one_model = world.outermost_model(first.model) == world.outermost_model(second.model);
                let is_silent = is_one_model && !(first.self_collide.value && second.self_collide.value);
                let is_excluded = world.excluded_pairs.contains(&[*a.min(b), *a.max(b)]);
                let is_joined = joined.contains(&[*a, *b]) || joined.contains(&[*b, *a]);
                if (is_silent || is_excluded || is_joined) && (is_moving[*a] || is_moving[*b]) {
                    let pair = Node::new("exclude").with("body1", &first.name).with("body2", &second.name);
                    contact.children.push(pair);
                }
            }
        }
        contact
    }
}

/// Bodies of a branch.
fn collect(branch: &Branch, bodies: &mut Vec<usize>) {
    bodies.push(branch.link);
    branch.branches.iter().for_each(|inner| collect(inner, bodies));
}

/// MuJoCo refuses moments that violate the triangle inequality.
fn has_impossible_inertia(world: &WorldDescription, masses: &[Option<MassProperties>]) -> bool {
    let mut moving = (0..world.links.len()).filter(|l| !is_static(world, *l)).filter_map(|l| masses[l].as_ref());
    moving.any(|mass| {
        let mut moments = principal_moments(&inertia_values(&mass.inertia));
        moments.sort_by(f64::total_cmp);
        moments[0] + moments[1] < moments[2] * (1.0 + 1e-12)
    })
}

fn inertial(mass: Option<&MassProperties>) -> Node {
    let Some(mass) = mass else { return Node::new("inertial") };
    Node::new("inertial")
        .with("pos", vector(mass.center_of_mass))
        .with("mass", number(mass.mass))
        .with("fullinertia", numbers(&inertia_values(&mass.inertia)))
}
