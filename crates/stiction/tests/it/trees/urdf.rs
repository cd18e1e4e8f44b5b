//! As much URDF as the reference models need.

use std::fs;
use std::path::Path;

use glam::{DMat3, DVec3};
use roxmltree::{Document, Node};
use stiction::dynamics::tree::{LinkDefinition, Mobility, Tree};
use stiction::math::Pose;
use stiction::shape::MassProperties;

pub struct Model {
    pub tree: Tree,
    /// Name and centre of mass of each link.
    pub links: Vec<(String, DVec3)>,
    /// Joint that carries each link; empty for the root.
    pub joints: Vec<String>,
}

impl Model {
    pub fn read(path: &Path, is_floating: bool) -> Self {
        let text = fs::read_to_string(path).expect("a readable model");
        let document = Document::parse(&text).expect("XML");
        let robot = document.root_element();
        let joints: Vec<Node> = children(robot, "joint").collect();
        let root = children(robot, "link")
            .map(|link| name(link).to_owned())
            .find(|link| joints.iter().all(|j| end(*j, "child") != link))
            .expect("a root");

        let mass = |name: &str| mass(children(robot, "link").find(|l| l.attribute("name") == Some(name)).expect(name));
        let mut links = vec![(root.clone(), mass(&root).center_of_mass)];
        let mut carried_by = vec![String::new()];
        let mut definitions = vec![LinkDefinition {
            parent: None,
            mobility: if is_floating { Mobility::Free } else { Mobility::Fixed },
            parent_frame: Pose::IDENTITY,
            child_frame: Pose::IDENTITY,
            mass: mass(&root),
        }];
        let mut at = 0;
        while at < links.len() {
            let parent = links[at].0.clone();
            for joint in joints.iter().filter(|j| end(**j, "parent") == parent) {
                let child = end(*joint, "child").to_owned();
                let axis = numbers(child_of(*joint, "axis"), "xyz", DVec3::X);
                let mobility = match joint.attribute("type") {
                    Some("revolute" | "continuous") => Mobility::Revolute { axis },
                    Some("prismatic") => Mobility::Prismatic { axis },
                    Some("fixed") => Mobility::Fixed,
                    other => panic!("joint type {other:?}"),
                };
                let (parent_frame, child_frame) = (pose(*joint), Pose::IDENTITY);
                let mass = mass(&child);
                definitions.push(LinkDefinition { parent: Some(at), mobility, parent_frame, child_frame, mass });
                links.push((child, mass.center_of_mass));
                carried_by.push(name(*joint).to_owned());
            }
            at += 1;
        }
        Self { tree: Tree::new(&definitions).expect("a tree"), links, joints: carried_by }
    }

    pub fn link(&self, name: &str) -> usize {
        self.links.iter().position(|l| l.0 == name).expect(name)
    }

    pub fn joint(&self, name: &str) -> usize {
        self.joints.iter().position(|j| j == name).expect(name)
    }
}

fn children<'a, 'i>(node: Node<'a, 'i>, tag: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |c| c.has_tag_name(tag))
}

fn child_of<'a, 'i>(node: Node<'a, 'i>, tag: &'static str) -> Option<Node<'a, 'i>> {
    children(node, tag).next()
}

fn name<'a>(node: Node<'a, '_>) -> &'a str {
    node.attribute("name").expect("a name")
}

fn end<'a>(joint: Node<'a, '_>, tag: &'static str) -> &'a str {
    child_of(joint, tag).and_then(|e| e.attribute("link")).expect("a link")
}

fn number(node: Node, key: &str) -> f64 {
    node.attribute(key).and_then(|t| t.parse().ok()).expect("a number")
}

fn numbers(node: Option<Node>, key: &str, default: DVec3) -> DVec3 {
    let Some(text) = node.and_then(|n| n.attribute(key)) else { return default };
    let values: Vec<f64> = text.split_whitespace().map(|t| t.parse().expect("a number")).collect();
    DVec3::from_slice(&values)
}

fn pose(node: Node) -> Pose {
    let origin = child_of(node, "origin");
    Pose::from_xyz_rpy(numbers(origin, "xyz", DVec3::ZERO), numbers(origin, "rpy", DVec3::ZERO))
}

fn mass(link: Node) -> MassProperties {
    let Some(inertial) = child_of(link, "inertial") else {
        return MassProperties { mass: 0.0, center_of_mass: DVec3::ZERO, inertia: DMat3::ZERO };
    };
    let inertia = child_of(inertial, "inertia").expect("an inertia");
    let [xx, xy, xz, yy, yz, zz] = ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"].map(|k| number(inertia, k));
    let matrix = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz));
    let placed = pose(inertial);
    let mass = number(child_of(inertial, "mass").expect("a mass"), "value");
    let turned = MassProperties { mass, center_of_mass: DVec3::ZERO, inertia: matrix }.rotated(placed.rotation);
    turned.translated(placed.position)
}
