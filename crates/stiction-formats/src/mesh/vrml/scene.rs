//! The shapes of a file, each in the frame of the file.

use std::rc::Rc;

use stiction::math::{DQuat, DVec3};

use super::parser::{Document, Node, Value};
use crate::diagnostic::{Diagnostic, Location};
use crate::mesh::{ElevationGrid, Extrusion, FaceError, Form, Frame, MeshDescription, Placed, faces};

/// Most nodes that are visited: uses of uses multiply.
const MAX_VISITS: usize = 1_000_000;
/// Most vertices of all shapes.
const MAX_VERTICES: usize = 4_000_000;
/// Deepest nesting of nodes in files that are within files.
const MAX_DEPTH: usize = 400;

/// Opens the file that an `Inline` node names at its place; none where there is none.
pub(crate) type Open<'o> = dyn FnMut(&str, &Location) -> Option<Rc<Document>> + 'o;

/// The shapes of a file, or those of the first node with a name: its translation and those around it do not count.
/// None if there is no such node.
pub(crate) fn shapes(
    document: &Document,
    name: Option<&str>,
    open: &mut Open<'_>,
) -> Result<Option<Vec<Placed>>, Box<Diagnostic>> {
    let mut walker = Walker { open, shapes: Vec::new(), visits: 0, vertices: 0, name, is_found: false };
    for root in &document.roots {
        walker.node(root, &Frame::IDENTITY, name.is_none(), 0)?;
    }
    Ok((name.is_none() || walker.is_found).then_some(walker.shapes))
}

struct Walker<'w, 'o> {
    open: &'w mut Open<'o>,
    shapes: Vec<Placed>,
    visits: usize,
    vertices: usize,
    name: Option<&'w str>,
    is_found: bool,
}

type Walked<T> = Result<T, Box<Diagnostic>>;

fn fault<T>(code: &'static str, message: impl Into<String>, place: &Location) -> Walked<T> {
    Err(Box::new(Diagnostic::error(code, message).at(place)))
}

impl Walker<'_, '_> {
    /// A node in a frame; `is_taken` if its shapes count.
    fn node(&mut self, node: &Node, frame: &Frame, is_taken: bool, depth: usize) -> Walked<()> {
        self.visits += 1;
        if self.visits > MAX_VISITS || depth > MAX_DEPTH {
            let message = format!("more than {MAX_VISITS} nodes, or nested deeper than {MAX_DEPTH}");
            return fault("vrml-size", message, &node.location);
        }
        let mut frame = if node.kind == "Transform" { transform(node, frame)? } else { *frame };
        let mut is_taken = is_taken;
        if !is_taken && !self.is_found && node.name.is_some() && node.name.as_deref() == self.name {
            self.is_found = true;
            is_taken = true;
            frame = frame.at_origin();
        }
        let children: &[Rc<Node>] = match node.kind.as_str() {
            "Group" | "Transform" | "Anchor" | "Billboard" | "Collision" => node.nodes("children"),
            "LOD" => node.nodes("level").get(..1).unwrap_or_default(),
            "Switch" => {
                let which = numbers::<1>(node, "whichChoice")?.map_or(-1.0, |[which]| which);
                let chosen = node.nodes("choice").get(which as usize).filter(|_| which >= 0.0);
                chosen.map_or(&[], std::slice::from_ref)
            }
            "Shape" => {
                if is_taken && let Some(geometry) = node.nodes("geometry").first() {
                    self.geometry(geometry, &frame)?;
                }
                &[]
            }
            "Inline" => {
                if let Some(field) = node.field("url")
                    && let Value::Texts(urls) = &field.value
                    && let Some(url) = urls.first()
                    && let Some(document) = (self.open)(url, &field.location)
                {
                    for root in &document.roots {
                        self.node(root, &frame, is_taken, depth + 1)?;
                    }
                }
                &[]
            }
            _ => &[],
        };
        for child in children {
            self.node(child, &frame, is_taken, depth + 1)?;
        }
        Ok(())
    }

    fn geometry(&mut self, node: &Node, frame: &Frame) -> Walked<()> {
        let length = |name: &str, default: f64| -> Walked<f64> {
            match numbers::<1>(node, name)? {
                None => Ok(default),
                Some([x]) if x > 0.0 => Ok(x),
                Some([x]) => {
                    fault("vrml-value", format!("`{name}` is {x}; expected a number above 0"), place(node, name))
                }
            }
        };
        let form = match node.kind.as_str() {
            "Box" => {
                let size = numbers::<3>(node, "size")?.map_or(DVec3::splat(2.0), DVec3::from_array);
                if size.min_element() <= 0.0 {
                    return fault("vrml-value", "the sides of a box are above 0", place(node, "size"));
                }
                Form::Box(size)
            }
            "Sphere" => Form::Sphere(length("radius", 1.0)?),
            "Cylinder" => Form::Cylinder(length("radius", 1.0)?, length("height", 2.0)?),
            "Cone" => Form::Cone(length("bottomRadius", 1.0)?, length("height", 2.0)?),
            "IndexedFaceSet" => Form::Mesh(face_set(node)?),
            "Extrusion" => Form::Mesh(extrusion(node)?),
            "ElevationGrid" => Form::Mesh(elevation_grid(node)?),
            // Points, lines and texts have no inside, and prototypes of other files are not known.
            _ => return Ok(()),
        };
        if let Form::Mesh(mesh) = &form {
            if mesh.triangles.is_empty() {
                return Ok(());
            }
            self.vertices += mesh.vertices.len();
            if self.vertices > MAX_VERTICES {
                return fault("vrml-size", format!("more than {MAX_VERTICES} vertices"), &node.location);
            }
        }
        self.shapes.push(Placed { form, frame: *frame });
        Ok(())
    }
}

/// Where a field stands, or the node without it.
fn place<'n>(node: &'n Node, name: &str) -> &'n Location {
    node.field(name).map_or(&node.location, |field| &field.location)
}

/// All numbers of a field, as many as a multiple; none without the field.
fn list<'n>(node: &'n Node, name: &str, multiple: usize) -> Walked<Option<&'n [f64]>> {
    let Some(field) = node.field(name) else { return Ok(None) };
    match &field.value {
        Value::Numbers(numbers) if numbers.len().is_multiple_of(multiple) => Ok(Some(numbers)),
        Value::Nothing | Value::Is(_) => Ok(Some(&[])),
        Value::Numbers(numbers) => {
            let message = format!("`{name}` has {} numbers; expected a multiple of {multiple}", numbers.len());
            fault("vrml-value", message, &field.location)
        }
        _ => fault("vrml-value", format!("`{name}` is not a list of numbers"), &field.location),
    }
}

/// The numbers of a field; none without it.
fn numbers<const N: usize>(node: &Node, name: &str) -> Walked<Option<[f64; N]>> {
    let Some(found) = list(node, name, 1)? else { return Ok(None) };
    match found.try_into() {
        Ok(numbers) => Ok(Some(numbers)),
        Err(_) => {
            let message = format!("`{name}` has {} numbers; expected {N}", found.len());
            fault("vrml-value", message, place(node, name))
        }
    }
}

fn switch(node: &Node, name: &str) -> bool {
    !matches!(node.field(name).map(|field| &field.value), Some(Value::Switch(false)))
}

fn rotation([x, y, z, angle]: [f64; 4]) -> DQuat {
    DVec3::new(x, y, z).try_normalize().map_or(DQuat::IDENTITY, |axis| DQuat::from_axis_angle(axis, angle))
}

/// `T C R SR S SR⁻¹ C⁻¹` (6.52): translation, centre, rotation, orientation of the scale, scale.
fn transform(node: &Node, outer: &Frame) -> Walked<Frame> {
    let vector = |name: &str| numbers::<3>(node, name).map(|v| v.map(DVec3::from_array));
    let translation = vector("translation")?.unwrap_or(DVec3::ZERO);
    let center = vector("center")?.unwrap_or(DVec3::ZERO);
    let scale = vector("scale")?.unwrap_or(DVec3::ONE);
    if scale.to_array().contains(&0.0) {
        return fault("vrml-value", "a scale is 0", place(node, "scale"));
    }
    let turn = numbers::<4>(node, "rotation")?.map_or(DQuat::IDENTITY, rotation);
    let across = numbers::<4>(node, "scaleOrientation")?.map_or(DQuat::IDENTITY, rotation);
    let mut frame = outer.child(translation + center, turn);
    if scale == DVec3::splat(scale.x) {
        frame = frame.scaled(scale);
    } else {
        frame = frame.child(DVec3::ZERO, across).scaled(scale).child(DVec3::ZERO, across.inverse());
    }
    Ok(if center == DVec3::ZERO { frame } else { frame.child(-center, DQuat::IDENTITY) })
}

fn vectors(numbers: &[f64]) -> Vec<DVec3> {
    numbers.chunks_exact(3).map(DVec3::from_slice).collect()
}

fn face_set(node: &Node) -> Walked<MeshDescription> {
    let Some(coordinates) = node.nodes("coord").first() else { return Ok(MeshDescription::default()) };
    let vertices = vectors(list(coordinates, "point", 3)?.unwrap_or_default());
    let indices = list(node, "coordIndex", 1)?.unwrap_or_default();
    let indices: Vec<i64> = indices.iter().map(|index| *index as i64).collect();
    let triangles = faces(&vertices, &indices).or_else(|error| {
        let message = match error {
            FaceError::Index { item, found } => {
                let count = vertices.len();
                format!("number {} of `coordIndex` is {found}; there are {count} points", item + 1)
            }
            FaceError::Corners { found, .. } => format!("a face has {found} corners"),
        };
        fault("vrml-index", message, place(node, "coordIndex"))
    })?;
    let mesh = MeshDescription { vertices, triangles };
    Ok(if switch(node, "ccw") { mesh } else { mesh.turned() })
}

fn extrusion(node: &Node) -> Walked<MeshDescription> {
    let pairs = |name: &str, default: &[[f64; 2]]| -> Walked<Vec<[f64; 2]>> {
        Ok(list(node, name, 2)?.map_or_else(|| default.to_vec(), |n| n.chunks_exact(2).map(|p| [p[0], p[1]]).collect()))
    };
    let square = [[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];
    let turns = list(node, "orientation", 4)?.unwrap_or_default();
    let extrusion = Extrusion {
        section: pairs("crossSection", &square)?,
        spine: list(node, "spine", 3)?.map_or_else(|| vec![DVec3::ZERO, DVec3::Y], vectors),
        scales: pairs("scale", &[])?,
        orientations: turns.chunks_exact(4).map(|r| rotation([r[0], r[1], r[2], r[3]])).collect(),
        begin_cap: switch(node, "beginCap"),
        end_cap: switch(node, "endCap"),
    };
    match extrusion.fault() {
        Some(message) => fault("vrml-extrusion", message, &node.location),
        None => Ok(extrusion.mesh()),
    }
}

fn elevation_grid(node: &Node) -> Walked<MeshDescription> {
    let one = |name: &str, default: f64| -> Walked<f64> { Ok(numbers::<1>(node, name)?.map_or(default, |[x]| x)) };
    let count = |x: f64| if x >= 0.0 { x as usize } else { 0 };
    let grid = ElevationGrid {
        points: [count(one("xDimension", 0.0)?), count(one("zDimension", 0.0)?)],
        spacing: [one("xSpacing", 1.0)?, one("zSpacing", 1.0)?],
        heights: list(node, "height", 1)?.unwrap_or_default().to_vec(),
        is_up: switch(node, "ccw"),
    };
    match grid.fault() {
        Some(message) => fault("vrml-elevation-grid", message, &node.location),
        None => Ok(grid.mesh()),
    }
}
