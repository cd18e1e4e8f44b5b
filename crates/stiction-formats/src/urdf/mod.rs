//! URDF: a robot as an SDFormat model, each part with its place in the file.
//!
//! Everything after that (frames, checks of meaning, overrides, the description) is SDFormat's.

mod check;
mod commanded;
mod find;
mod gazebo;
mod joint;
mod link;
mod structure;
pub(crate) mod xacro;

use crate::diagnostic::Diagnostic;
use crate::materials::MaterialTable;
use crate::sdf::element::Element;
use crate::sdf::plugins::FROM_URDF;
use crate::sdf::report::Report;

use gazebo::Extensions;
use structure::Structure;

/// The root link of this name is the world itself.
const WORLD: &str = "world";

/// An `<sdf>` element with the one model that a `<robot>` is.
/// `table` is where `<material>` of `<gazebo reference>` may be found.
pub(crate) fn to_sdf(mut robot: Element, table: Option<&MaterialTable>, report: &mut Report) -> Element {
    robot.assign_paths("");
    name_shapes(&mut robot);
    let mut model = Element { from_urdf: true, ..Element::new("model", &robot.location) };
    let name = robot.named();
    check_name("robot", name, &robot, report);
    model.set_attribute("name", if name.is_empty() { "robot" } else { name }, &robot.location);
    check::check(&robot, report);
    let structure = Structure::new(&robot, report);
    let extensions = Extensions::new(&robot, table, report);
    if let Some(root) = structure.canonical_link() {
        model.set_attribute("canonical_link", root.named(), root.place());
    }
    // Gazebo has it, as the pose of the model.
    model.children.extend(link::pose(robot.child("origin")));
    extensions.extend_model(&mut model);
    for child in &robot.children {
        match child.name.as_str() {
            "link" if structure.holds(child) => {
                if child.named() == WORLD && structure.is_root(child) {
                    world_link(child, report);
                } else {
                    model.children.push(link::convert(child, structure.hung_on(child), &extensions, report));
                }
            }
            "joint" if structure.holds(child) => {
                joint::check_limit(child, report);
                let mut made = joint::convert(child, &robot, &extensions);
                if structure.follows_left_out(child, report)
                    && let Some(axis) = made.as_mut().and_then(|made| made.child_mut("axis"))
                {
                    axis.children.retain(|c| c.name != "mimic");
                }
                model.children.extend(made);
                let skipped = child.children.iter().filter(|c| matches!(&*c.name, "safety_controller" | "calibration"));
                model.children.extend(skipped.map(skipped_element));
            }
            "transmission" | "ros2_control" => model.children.extend(commanded::convert(child, &structure, report)),
            name if name.starts_with("drake.") => model.children.push(child.clone()),
            _ => {}
        }
    }
    wrapped(model)
}

/// `drake:capsule` and `drake:ellipsoid` are shapes as any other.
fn name_shapes(robot: &mut Element) {
    let parts = robot.children.iter_mut().flat_map(|link| &mut link.children);
    let geometries = parts.flat_map(|part| &mut part.children).filter(|g| g.name == "geometry");
    for shape in geometries.flat_map(|g| &mut g.children) {
        if let Some(own) = shape.name.strip_prefix("drake.").filter(|n| matches!(*n, "capsule" | "ellipsoid")) {
            shape.name = own.to_owned();
        }
    }
}

fn wrapped(model: Element) -> Element {
    let mut root = Element::new("sdf", &model.location);
    root.children.push(model);
    root
}

/// Under a name that the checks of SDFormat leave alone.
fn skipped_element(element: &Element) -> Element {
    Element::new(&format!("{FROM_URDF}{}", element.name), &element.location)
}

/// False, with a finding, for what cannot be a name.
fn check_name(kind: &str, name: &str, element: &Element, report: &mut Report) -> bool {
    let place = element.attribute("name").map_or(&element.location, |a| &a.location);
    let (code, message) = if name.is_empty() {
        ("missing-name", format!("<{kind}> has no name"))
    } else if name.contains("::") {
        ("reserved-name", format!("the name `{name}` contains `::`, which separates the names of nested models"))
    } else {
        return true;
    };
    report.add(Diagnostic::error(code, message).at(place).element(element.path.as_str()));
    false
}

fn world_link(link: &Element, report: &mut Report) {
    if let Some(part) = link.children.iter().find(|c| matches!(&*c.name, "collision" | "inertial")) {
        let message = format!("the root link `{WORLD}` is the world itself: its <{}> is left out", part.name);
        report.add(
            Diagnostic::warning("world-link", message)
                .at(&part.location)
                .help("give the shape a link of its own, joined to `world` by a fixed joint")
                .element(part.path.as_str()),
        );
    }
}
