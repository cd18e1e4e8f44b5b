//! The visual scene: nodes place geometries, each part by the name of its node.

use std::collections::BTreeMap;
use std::rc::Rc;

use roxmltree::Node;
use stiction::math::DMat3;

use super::LocalName as _;
use super::document::Document;
use super::geometry;
use super::transform::{self, Affine};
use crate::mesh::MeshDescription;
use crate::mesh::file::error::{Fault, MeshProblem};
use crate::mesh::file::{MeshFile, check_triangles, check_vertices};

/// Deepest nesting of nodes, instances included.
const DEEPEST: usize = 64;
/// Most visits of nodes: instances of instances may name a node any number of times.
const MOST_VISITS: usize = 1_000_000;

/// Parts of the scene that the file instantiates; of a file without one, all its geometries.
pub(super) fn read(document: &Document<'_, '_>) -> Result<MeshFile, Fault> {
    let unit = unit(document)?;
    let mut scene = Scene {
        document,
        geometries: BTreeMap::new(),
        parts: BTreeMap::new(),
        file: MeshFile::default(),
        visits: 0,
        triangles: 0,
        vertices: 0,
    };
    let scale = Affine { linear: DMat3::from_diagonal(stiction::math::DVec3::splat(unit)), ..Affine::IDENTITY };
    let instance = document
        .root
        .children()
        .find(|c| c.has_tag_name_local("scene"))
        .and_then(|s| s.children().find(|c| c.has_tag_name_local("instance_visual_scene")));
    let visual = match instance {
        Some(instance) => Some(document.find(instance, "url", &["visual_scene"])?),
        None => document.root.descendants().find(|c| c.has_tag_name_local("visual_scene")),
    };
    match visual {
        Some(visual) => {
            for node in visual.children().filter(|c| c.has_tag_name_local("node")) {
                scene.node(node, &scale, "", 0)?;
            }
        }
        None => {
            for geometry in document.root.descendants().filter(|c| c.has_tag_name_local("geometry")) {
                let name = geometry.attribute("name").or(geometry.attribute("id")).unwrap_or_default();
                scene.place(geometry, &scale, name)?;
            }
        }
    }
    Ok(scene.file)
}

/// Metres of the file's unit.
fn unit(document: &Document<'_, '_>) -> Result<f64, Fault> {
    let asset = document.root.children().find(|c| c.has_tag_name_local("asset"));
    let unit = asset.and_then(|a| a.children().find(|c| c.has_tag_name_local("unit")));
    let Some((unit, text)) = unit.and_then(|u| u.attribute("meter").map(|m| (u, m))) else { return Ok(1.0) };
    let metres = text.trim().parse().ok().filter(|m: &f64| m.is_finite() && *m > 0.0);
    metres.ok_or_else(|| document.fault(unit, MeshProblem::unexpected("a length of the unit in metres", text)))
}

struct Scene<'r, 'a, 'i> {
    document: &'r Document<'a, 'i>,
    /// Geometries in their own frames.
    geometries: BTreeMap<u32, Rc<MeshDescription>>,
    /// Index of a part by its name.
    parts: BTreeMap<String, usize>,
    file: MeshFile,
    visits: usize,
    triangles: usize,
    vertices: usize,
}

impl<'a, 'i> Scene<'_, 'a, 'i> {
    /// `name` is that of the nearest node around which has one.
    fn node(&mut self, node: Node<'a, 'i>, around: &Affine, name: &str, depth: usize) -> Result<(), Fault> {
        self.visits += 1;
        if self.visits > MOST_VISITS {
            let (found, limit) = (self.visits as u64, MOST_VISITS as u64);
            let problem = MeshProblem::TooLarge { what: "instances of nodes", found, limit };
            return Err(self.document.fault(node, problem));
        }
        if depth > DEEPEST {
            return Err(self.document.fault(node, MeshProblem::Nesting { limit: DEEPEST }));
        }
        let pose = around.compose(&transform::of_node(self.document, node)?);
        let name = node.attribute("name").filter(|n| !n.is_empty()).unwrap_or(name);
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "node" => self.node(child, &pose, name, depth + 1)?,
                "instance_node" => {
                    let target = self.document.find(child, "url", &["node"])?;
                    self.node(target, &pose, name, depth + 1)?;
                }
                "instance_geometry" => {
                    let geometry = self.document.find(child, "url", &["geometry"])?;
                    self.place(geometry, &pose, name)?;
                }
                "instance_controller" => self.controller(child, &pose, name)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The shape that a skin or a morph has without its joints: that of its source, at its bind shape.
    fn controller(&mut self, instance: Node<'a, 'i>, pose: &Affine, name: &str) -> Result<(), Fault> {
        let mut target = self.document.find(instance, "url", &["controller"])?;
        let mut pose = *pose;
        for _ in 0..DEEPEST {
            if target.has_tag_name_local("geometry") {
                return self.place(target, &pose, name);
            }
            let is_inner = |c: &Node<'_, '_>| c.has_tag_name_local("skin") || c.has_tag_name_local("morph");
            let Some(inner) = target.children().find(is_inner) else {
                let missing = MeshProblem::Missing { what: "<skin> or <morph>", name: String::new() };
                return Err(self.document.fault(target, missing));
            };
            if let Some(bind) = inner.children().find(|c| c.has_tag_name_local("bind_shape_matrix")) {
                pose = pose.compose(&transform::of_numbers(self.document, bind, 16)?);
            }
            target = self.document.find(inner, "source", &["geometry", "controller"])?;
        }
        Err(self.document.fault(instance, MeshProblem::Nesting { limit: DEEPEST }))
    }

    fn place(&mut self, geometry: Node<'a, 'i>, pose: &Affine, name: &str) -> Result<(), Fault> {
        let known = self.geometries.get(&geometry.id().get()).cloned();
        let mesh = match known {
            Some(mesh) => mesh,
            None => {
                let mesh = Rc::new(geometry::read(self.document, geometry)?);
                self.geometries.insert(geometry.id().get(), Rc::clone(&mesh));
                mesh
            }
        };
        self.triangles += mesh.triangles.len();
        self.vertices += mesh.vertices.len();
        let checked = check_triangles(self.triangles).and_then(|()| check_vertices(self.vertices));
        checked.map_err(|problem| self.document.fault(geometry, problem))?;
        let vertices = mesh.vertices.iter().map(|v| pose.point(*v)).collect();
        let placed = MeshDescription { vertices, triangles: mesh.triangles.clone() };
        // A mirror turns the faces.
        let placed = if pose.linear.determinant() < 0.0 { placed.turned() } else { placed };
        match self.parts.get(name) {
            Some(&index) => self.file.submeshes[index].mesh.append(&placed),
            None if placed.triangles.is_empty() => {}
            None => {
                self.parts.insert(name.to_owned(), self.file.submeshes.len());
                self.file.push(name, placed);
            }
        }
        Ok(())
    }
}
