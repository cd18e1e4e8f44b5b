//! URDF: one robot whose joints form a tree. The frame of a link is that of the joint that holds it, as the format has it.

use std::collections::BTreeSet;

use stiction::math::{DMat3, DVec3, Pose};
use stiction::shape::MassProperties;

use crate::bodies::{self, carrier};
use crate::description::{
    CollisionDescription, GeometryDescription, JointDescription, JointType, SurfaceDescription, WorldDescription,
};

use crate::sdf::element::{INERTIA, inertia_values};

use super::kinematics::{Branch, Kinematics, axis_in_tree, is_static, relative};
use super::mesh_file::obj;
use super::xml::{Node, number, numbers, vector};
use super::{ConvertError, Converted};

/// What a limit that the format asks for is where there is none.
const NO_LIMIT: f64 = 1e10;

fn refused(reason: impl Into<String>) -> ConvertError {
    ConvertError::Format { format: "URDF", reason: reason.into() }
}

/// Writes the one model of a world that moves.
pub(super) fn write(world: &WorldDescription) -> Result<Converted, ConvertError> {
    let robots =
        || (0..world.models.len()).filter(|m| world.models[*m].parent.is_none() && !world.models[*m].is_static);
    let (Some(robot), None) = (robots().next(), robots().nth(1)) else {
        return Err(refused(format!("a file holds one robot, and the input has {}", robots().count())));
    };
    let kinematics = Kinematics::new(world);
    if let Some(joint) = kinematics.loops.first() {
        let name = &world.joints[*joint].name;
        return Err(refused(format!("the joint `{name}` closes a loop; links form a tree")));
    }
    let is_own = |l: usize| world.outermost_model(world.links[l].model) == robot;
    let fixed: Vec<usize> =
        (0..world.links.len()).filter(|l| carrier(world, *l) == *l && is_static(world, *l) && is_own(*l)).collect();
    // What hangs on the world is one tree.
    let has_world = !fixed.is_empty() || kinematics.roots.iter().any(|root| root.joint.is_some());
    let trees = usize::from(has_world) + kinematics.roots.iter().filter(|root| root.joint.is_none()).count();
    if trees != 1 {
        return Err(refused(format!("links form {trees} trees; a file holds one")));
    }
    let mut writer = Urdf {
        world,
        scope: format!("{}::", world.models[robot].name),
        masses: bodies::masses(world),
        converted: Converted::default(),
    };
    let mut node = Node::new("robot").with("name", &world.models[robot].name);
    if has_world {
        node.children.push(Node::new("link").with("name", "world"));
    }
    for link in &fixed {
        writer.fixed(*link, &mut node);
    }
    for root in &kinematics.roots {
        let (holder, start) = match root.joint {
            None => ("world", world.links[root.link].pose),
            Some((joint, is_turned)) => {
                let joint = &world.joints[joint];
                let end = if is_turned { joint.child } else { joint.parent };
                match end.map(|end| carrier(world, end)).filter(|end| fixed.contains(end)) {
                    Some(end) => (writer.own(&world.links[end].name), world.links[end].pose),
                    None => ("world", Pose::IDENTITY),
                }
            }
        };
        if root.joint.is_none() && start != Pose::IDENTITY {
            writer.converted.lose("the pose of the robot is left out: its first link is at the origin");
        }
        writer.branch(root, holder, &start, &mut node)?;
    }
    if (0..world.links.len()).any(|l| !is_own(l) && is_static(world, l)) {
        writer.converted.lose("models that do not move are left out");
    }
    let mut converted = writer.converted;
    converted.text = node.document();
    Ok(converted)
}

struct Urdf<'a> {
    world: &'a WorldDescription,
    /// Prefix of the names of links and joints.
    scope: String,
    masses: Vec<Option<MassProperties>>,
    converted: Converted,
}

impl Urdf<'_> {
    fn own<'b>(&self, name: &'b str) -> &'b str {
        name.strip_prefix(self.scope.as_str()).unwrap_or(name)
    }

    /// A link that does not move, with the fixed joint that holds it on the world.
    fn fixed(&mut self, link: usize, robot: &mut Node) {
        let world = self.world;
        let found = &world.links[link];
        let name = self.own(&found.name).to_owned();
        let holds =
            |j: &&JointDescription| j.joint_type == JointType::Fixed && j.parent.is_none() && j.child == Some(link);
        let joint = match world.joints.iter().find(holds) {
            Some(joint) => self.own(&joint.name).to_owned(),
            None => format!("{name}_to_world"),
        };
        robot.children.push(self.link(link, &found.pose));
        robot.children.extend(self.extension(link));
        robot.children.push(Node::new("joint").with("name", joint).with("type", "fixed").holding([
            origin(&found.pose),
            Node::new("parent").with("link", "world"),
            Node::new("child").with("link", name),
        ]));
    }

    /// A link with the joint that holds it, and all that hangs on it; `outer` is the frame of what holds it.
    fn branch(&mut self, branch: &Branch, holder: &str, outer: &Pose, robot: &mut Node) -> Result<(), ConvertError> {
        let world = self.world;
        let link = &world.links[branch.link];
        let joint = branch.joint.map(|(index, is_turned)| (&world.joints[index], is_turned));
        // At the anchor of its joint, with the axes of the link itself.
        let frame = match joint {
            Some((joint, _)) => Pose::new(joint.pose.position, link.pose.rotation),
            None => link.pose,
        };
        if relative(&frame, &link.pose).position.length() > 1e-9 {
            let message = format!("link `{}`: its frame moves to the anchor of its joint", link.name);
            self.converted.lose(message);
        }
        let name = self.own(&link.name).to_owned();
        robot.children.push(self.link(branch.link, &frame));
        robot.children.extend(self.extension(branch.link));
        if let Some((joint, is_turned)) = joint {
            let made = self.joint(joint, is_turned, [holder, &name], &relative(outer, &frame), &frame)?;
            robot.children.extend(made);
        }
        for inner in &branch.branches {
            self.branch(inner, &name, &frame, robot)?;
        }
        Ok(())
    }

    fn link(&mut self, link: usize, frame: &Pose) -> Node {
        let world = self.world;
        let mut node = Node::new("link").with("name", self.own(&world.links[link].name));
        if let Some(mass) = self.masses[link].as_ref().filter(|mass| mass.mass > 0.0) {
            let offset = relative(frame, &world.links[link].pose);
            let turn = DMat3::from_quat(offset.rotation);
            let i = turn * mass.inertia * turn.transpose();
            let values = INERTIA.into_iter().zip(inertia_values(&i));
            let inertia = values.fold(Node::new("inertia"), |node, (name, x)| node.with(name, number(x)));
            node.children.push(Node::new("inertial").holding([
                origin(&Pose::from_position(offset.point(mass.center_of_mass))),
                Node::new("mass").with("value", number(mass.mass)),
                inertia,
            ]));
        }
        let mut names = BTreeSet::new();
        for index in (0..world.links.len()).filter(|l| carrier(world, *l) == link) {
            let offset = relative(frame, &world.links[index].pose);
            for collision in &world.links[index].collisions {
                let own = collision.name.rsplit("::").next().unwrap_or("");
                // Links that became one may have named their shapes alike.
                let mut name = own.to_owned();
                let mut count = 1;
                while !names.insert(name.clone()) {
                    count += 1;
                    name = format!("{own}_{count}");
                }
                node.children.extend(self.collision(collision, &name, &offset));
            }
        }
        node
    }

    fn collision(&mut self, collision: &CollisionDescription, name: &str, link: &Pose) -> Option<Node> {
        let shape = match &collision.geometry {
            GeometryDescription::Empty => return None,
            GeometryDescription::Box(size) => Node::new("box").with("size", vector(*size)),
            GeometryDescription::Sphere(radius) => Node::new("sphere").with("radius", number(*radius)),
            GeometryDescription::Cylinder { radius, length } => {
                Node::new("cylinder").with("radius", number(*radius)).with("length", number(*length))
            }
            GeometryDescription::Capsule { radius, length } => {
                Node::new("capsule").with("radius", number(*radius)).with("length", number(*length))
            }
            GeometryDescription::Mesh(mesh) => {
                Node::new("mesh").with("filename", self.converted.add_mesh(&collision.name, obj(mesh)))
            }
            other => {
                let kind = match other {
                    GeometryDescription::Ellipsoid(_) => "ellipsoid",
                    GeometryDescription::Cone { .. } => "cone",
                    GeometryDescription::Plane(_) => "plane",
                    GeometryDescription::ConvexHull(_) => "convex hull",
                    _ => "shape",
                };
                self.converted.lose(format!("collision `{}`: URDF has no {kind}", collision.name));
                return None;
            }
        };
        let geometry = Node::new("geometry").holding([shape]);
        Some(Node::new("collision").with("name", name).holding([origin(&link.compose(&collision.pose)), geometry]))
    }

    /// `<gazebo reference>` of a link: its surface and flags.
    fn extension(&self, link: usize) -> Option<Node> {
        let found = &self.world.links[link];
        let mut node = Node::new("gazebo").with("reference", self.own(&found.name));
        let leaf = |name: &str, text: String| Node::new(name).text(text);
        if let Some(collision) = found.collisions.first() {
            node.children.extend(surface(&collision.surface));
        }
        if found.self_collide.is_given() {
            node.children.push(leaf("selfCollide", found.self_collide.value.to_string()));
        }
        if !found.gravity.value {
            node.children.push(leaf("gravity", "false".to_owned()));
        }
        (!node.children.is_empty()).then_some(node)
    }

    fn joint(
        &mut self,
        joint: &JointDescription,
        is_turned: bool,
        [parent, child]: [&str; 2],
        place: &Pose,
        frame: &Pose,
    ) -> Result<Vec<Node>, ConvertError> {
        let axis = joint.axes.first();
        let has_range = axis.is_some_and(|a| a.lower.value.is_finite() || a.upper.value.is_finite());
        let kind = match joint.joint_type {
            JointType::Fixed => "fixed",
            JointType::Revolute | JointType::Continuous if !has_range => "continuous",
            JointType::Revolute | JointType::Continuous => "revolute",
            JointType::Prismatic => "prismatic",
            JointType::Planar => "planar",
            other => return Err(refused(format!("joint `{}`: URDF has no {other:?} joint", joint.name))),
        };
        let mut node = Node::new("joint").with("name", self.own(&joint.name)).with("type", kind).holding([
            origin(place),
            Node::new("parent").with("link", parent),
            Node::new("child").with("link", child),
        ]);
        let mut extension = Node::new("gazebo").with("reference", self.own(&joint.name));
        if let Some(axis) = axis.filter(|_| kind != "fixed") {
            let in_tree = axis_in_tree(axis, is_turned);
            let direction = frame.inverse_direction(in_tree.direction);
            node.children.push(Node::new("axis").with("xyz", vector(direction)));
            if in_tree.position != 0.0 {
                self.converted.lose(format!("joint `{}` does not start at 0: its limits are moved", joint.name));
            }
            let mut limit = Node::new("limit")
                .with("effort", number(axis.effort.value.min(NO_LIMIT)))
                .with("velocity", number(axis.velocity.value.min(NO_LIMIT)));
            if has_range || kind == "prismatic" {
                let [lower, upper] = [axis.lower.value, axis.upper.value].map(|x| x - in_tree.position);
                limit = limit.with("lower", number(lower.max(-NO_LIMIT))).with("upper", number(upper.min(NO_LIMIT)));
            }
            node.children.push(limit);
            if axis.damping.value != 0.0 || axis.friction.value != 0.0 {
                let dynamics = Node::new("dynamics").with("damping", number(axis.damping.value));
                node.children.push(dynamics.with("friction", number(axis.friction.value)));
            }
            if axis.spring_stiffness.value != 0.0 {
                let leaf = |name: &str, value: f64| Node::new(name).text(number(value));
                extension.children.push(leaf("springStiffness", axis.spring_stiffness.value));
                extension.children.push(leaf("springReference", axis.spring_reference.value - in_tree.position));
            }
            if let Some(mimic) = &axis.mimic {
                let leader = &self.world.joints[mimic.joint];
                // Joints of the file count from where they start.
                let start = leader.axes.get(mimic.axis).map_or(0.0, |axis| axis.position);
                let offset = mimic.offset + mimic.multiplier * (start - mimic.reference) - in_tree.position;
                node.children.push(
                    Node::new("mimic")
                        .with("joint", self.own(&leader.name))
                        .with("multiplier", number(mimic.multiplier))
                        .with("offset", number(offset)),
                );
            }
        }
        // A joint between two bodies that are one in a URDF file without this.
        if kind == "fixed" && parent != "world" {
            extension.children.push(Node::new("preserveFixedJoint").text("true"));
        }
        Ok(std::iter::once(node).chain(Some(extension).filter(|e| !e.children.is_empty())).collect())
    }
}

fn surface(surface: &SurfaceDescription) -> Vec<Node> {
    let values = [
        ("mu1", &surface.mu),
        ("mu2", &surface.mu2),
        ("kp", &surface.kp),
        ("kd", &surface.kd),
        ("maxVel", &surface.max_vel),
        ("minDepth", &surface.min_depth),
    ];
    values.into_iter().filter(|(_, s)| s.is_given()).map(|(name, s)| Node::new(name).text(number(s.value))).collect()
}

fn origin(pose: &Pose) -> Node {
    let DVec3 { x, y, z } = pose.rpy();
    Node::new("origin").with("xyz", vector(pose.position)).with("rpy", numbers(&[x, y, z]))
}
