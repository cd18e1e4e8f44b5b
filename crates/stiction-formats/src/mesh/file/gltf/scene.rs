//! Nodes of the scene place meshes, each part by the name of its node.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value;
use stiction::math::{DMat3, DQuat, DVec3};

use super::accessor::{indices, points};
use super::buffers::Buffers;
use super::{entry, needed, whole};
use crate::mesh::MeshDescription;
use crate::mesh::file::error::{Fault, MeshProblem};
use crate::mesh::file::{MeshFile, check_triangles, check_vertices};

/// Deepest nesting of nodes.
const DEEPEST: usize = 64;
/// Most visits of nodes; a node may be a child of several in broken files.
const MOST_VISITS: usize = 1_000_000;

/// `x ↦ linear x + offset`.
#[derive(Clone, Copy)]
struct Affine {
    linear: DMat3,
    offset: DVec3,
}

struct Scene<'a> {
    root: &'a Value,
    buffers: &'a Buffers<'a>,
    /// Meshes in their own frames.
    meshes: BTreeMap<usize, Rc<MeshDescription>>,
    parts: BTreeMap<String, usize>,
    file: MeshFile,
    visits: usize,
    triangles: usize,
    vertices: usize,
}

/// Parts of the default scene, or the first; of a file without one, all its meshes.
pub(super) fn read(root: &Value, buffers: &Buffers<'_>) -> Result<MeshFile, Fault> {
    let mut scene = Scene {
        root,
        buffers,
        meshes: BTreeMap::new(),
        parts: BTreeMap::new(),
        file: MeshFile::default(),
        visits: 0,
        triangles: 0,
        vertices: 0,
    };
    let identity = Affine { linear: DMat3::IDENTITY, offset: DVec3::ZERO };
    if root.get("scenes").and_then(Value::as_array).is_some_and(|s| !s.is_empty()) {
        let own = entry(root, "scenes", whole(root, "scene")?.unwrap_or(0))?;
        for node in list(own, "nodes")? {
            scene.node(node, &identity, "", 0)?;
        }
    } else {
        for mesh in 0..root.get("meshes").and_then(Value::as_array).map_or(0, Vec::len) {
            scene.place(mesh, &identity, "")?;
        }
    }
    Ok(scene.file)
}

/// A member that lists entries by number; empty without it.
fn list(value: &Value, member: &'static str) -> Result<Vec<usize>, Fault> {
    let numbers = value.get(member).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let whole = |n: &Value| n.as_u64().and_then(|n| usize::try_from(n).ok());
    let expected = || MeshProblem::unexpected("a list of numbers", member).of_file();
    numbers.iter().map(|n| whole(n).ok_or_else(expected)).collect()
}

/// So many numbers of a member; none without it.
fn reals<const N: usize>(value: &Value, member: &'static str) -> Result<Option<[f64; N]>, Fault> {
    let Some(found) = value.get(member) else { return Ok(None) };
    let numbers: Option<Vec<f64>> = found.as_array().and_then(|list| list.iter().map(Value::as_f64).collect());
    let array = numbers.and_then(|n| <[f64; N]>::try_from(n).ok());
    array.map(Some).ok_or_else(|| MeshProblem::unexpected("the numbers of a transform", member).of_file())
}

/// `matrix`, column by column, or `translation`, `rotation` and `scale`.
fn transform(node: &Value) -> Result<Affine, Fault> {
    if let Some(m) = reals::<16>(node, "matrix")? {
        let column = |i: usize| DVec3::new(m[4 * i], m[4 * i + 1], m[4 * i + 2]);
        return Ok(Affine { linear: DMat3::from_cols(column(0), column(1), column(2)), offset: column(3) });
    }
    let offset = reals::<3>(node, "translation")?.map_or(DVec3::ZERO, DVec3::from_array);
    let turn = reals::<4>(node, "rotation")?.map_or(DQuat::IDENTITY, DQuat::from_array);
    let turn = if turn.length_squared() > 0.0 { turn.normalize() } else { DQuat::IDENTITY };
    let scale = reals::<3>(node, "scale")?.map_or(DVec3::ONE, DVec3::from_array);
    Ok(Affine { linear: DMat3::from_quat(turn) * DMat3::from_diagonal(scale), offset })
}

impl Scene<'_> {
    fn node(&mut self, index: usize, around: &Affine, name: &str, depth: usize) -> Result<(), Fault> {
        self.visits += 1;
        if self.visits > MOST_VISITS {
            let (found, limit) = (self.visits as u64, MOST_VISITS as u64);
            return Err(MeshProblem::TooLarge { what: "visits of nodes", found, limit }.of_file());
        }
        if depth > DEEPEST {
            return Err(MeshProblem::Nesting { limit: DEEPEST }.of_file());
        }
        let node = entry(self.root, "nodes", index)?;
        let own = transform(node)?;
        let pose = Affine { linear: around.linear * own.linear, offset: around.linear * own.offset + around.offset };
        let name = node.get("name").and_then(Value::as_str).filter(|n| !n.is_empty()).unwrap_or(name);
        if let Some(mesh) = whole(node, "mesh")? {
            self.place(mesh, &pose, name)?;
        }
        for child in list(node, "children")? {
            self.node(child, &pose, name, depth + 1)?;
        }
        Ok(())
    }

    fn place(&mut self, index: usize, pose: &Affine, name: &str) -> Result<(), Fault> {
        let mesh = match self.meshes.get(&index) {
            Some(mesh) => Rc::clone(mesh),
            None => {
                let mesh = Rc::new(self.mesh(index)?);
                self.meshes.insert(index, Rc::clone(&mesh));
                mesh
            }
        };
        self.triangles += mesh.triangles.len();
        self.vertices += mesh.vertices.len();
        check_triangles(self.triangles).map_err(MeshProblem::of_file)?;
        check_vertices(self.vertices).map_err(MeshProblem::of_file)?;
        let vertices = mesh.vertices.iter().map(|v| pose.linear * *v + pose.offset).collect();
        let placed = MeshDescription { vertices, triangles: mesh.triangles.clone() };
        // A mirror turns the faces.
        let placed = if pose.linear.determinant() < 0.0 { placed.turned() } else { placed };
        match self.parts.get(name) {
            Some(&part) => self.file.submeshes[part].mesh.append(&placed),
            None if placed.triangles.is_empty() => {}
            None => {
                self.parts.insert(name.to_owned(), self.file.submeshes.len());
                self.file.push(name, placed);
            }
        }
        Ok(())
    }

    fn mesh(&self, index: usize) -> Result<MeshDescription, Fault> {
        let mesh = entry(self.root, "meshes", index)?;
        let mut whole_mesh = MeshDescription::default();
        let primitives = mesh.get("primitives").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for primitive in primitives {
            // 4 triangles, 5 strips, 6 fans; below are points and lines.
            let mode = whole(primitive, "mode")?.unwrap_or(4);
            let attributes = primitive.get("attributes");
            let Some(attributes) = attributes.filter(|a| (4..=6).contains(&mode) && a.get("POSITION").is_some()) else {
                continue;
            };
            let vertices = points(self.root, self.buffers, needed(attributes, "POSITION")?)?;
            check_vertices(whole_mesh.vertices.len() + vertices.len()).map_err(MeshProblem::of_file)?;
            let corners: Vec<u32> = match whole(primitive, "indices")? {
                Some(accessor) => indices(self.root, self.buffers, accessor, vertices.len())?,
                None => (0..vertices.len() as u32).collect(),
            };
            let triangles = match mode {
                5 => {
                    let turned =
                        |(i, t): (usize, &[u32])| if i % 2 == 0 { [t[0], t[1], t[2]] } else { [t[1], t[0], t[2]] };
                    corners.windows(3).enumerate().map(turned).collect()
                }
                6 => corners.windows(2).skip(1).map(|t| [corners[0], t[0], t[1]]).collect(),
                _ => corners.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect(),
            };
            check_triangles(whole_mesh.triangles.len().saturating_add(corners.len())).map_err(MeshProblem::of_file)?;
            whole_mesh.append(&MeshDescription { vertices, triangles });
        }
        Ok(whole_mesh)
    }
}
