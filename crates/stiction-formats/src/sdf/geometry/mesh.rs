//! `<mesh>`: files of triangles, each read once, as hulls or as they are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stiction::math::{DVec3, Pose};

use crate::description::GeometryDescription;
use crate::diagnostic::Diagnostic;
use crate::mesh::file::{MeshFile, load};
use crate::mesh::{Cache, Decomposition, Healing, MeshDescription};

use super::super::element::Element;
use super::super::read::Reader;
use super::super::report::Report;
use super::super::search::SearchPath;
use super::super::value;
use super::Shape;
use super::heightmap::file;

/// How meshes collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MeshUse {
    /// As they are; convex ones as hulls.
    Exact,
    /// As their convex hulls.
    Hull,
    /// As convex parts.
    Decomposition(Decomposition),
}

/// Mesh files and the shapes made of them, so that a mesh that is used many times is read, healed and held once.
#[derive(Default)]
pub(crate) struct Meshes {
    /// By canonical path; of those that cannot be read the reason, which every collision that is left out for it is told.
    files: BTreeMap<PathBuf, Result<Arc<MeshFile>, String>>,
    shapes: BTreeMap<Key, Shape>,
    /// `--set collision.mesh`, over what files say.
    forced: Option<MeshUse>,
    #[cfg_attr(not(feature = "decomposition"), expect(dead_code, reason = "only decompositions are cached"))]
    cache: Cache,
}

/// What decides the shape of a `<mesh>`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    path: PathBuf,
    submesh: Option<String>,
    is_centered: bool,
    /// Bits of the scale.
    scale: [u64; 3],
    mesh_use: MeshUse,
}

impl Meshes {
    pub(crate) fn new(forced: Option<MeshUse>, cache: Cache) -> Self {
        Self { forced, cache, ..Self::default() }
    }

    /// Reads a `<mesh>`. One whose file is not found is left out, as Gazebo leaves it out.
    pub(super) fn read(&mut self, shape: &Element, search: &SearchPath, report: &mut Report) -> Shape {
        let left_out = || (GeometryDescription::Unsupported("mesh".to_owned()), None);
        let Some((path, uri)) = file(shape, "mesh", search, report) else { return left_out() };
        let Some(scale) = scale(shape, report) else { return left_out() };
        let submesh = shape.child("submesh");
        let name = submesh.and_then(|s| s.child("name")).map(|n| n.text.clone()).filter(|n| !n.is_empty());
        let center = submesh.and_then(|s| s.child("center")).and_then(|c| value::boolean(&c.text));
        let key = Key {
            path: std::fs::canonicalize(&path).unwrap_or(path),
            is_centered: name.is_some() && center.unwrap_or(false),
            submesh: name,
            scale: scale.to_array().map(f64::to_bits),
            mesh_use: self.forced.unwrap_or_else(|| of_element(shape, report)),
        };
        if let Some(known) = self.shapes.get(&key) {
            return known.clone();
        }
        let Some(made) = self.make(&key, scale, shape, uri, report) else { return left_out() };
        self.shapes.insert(key, made.clone());
        made
    }
}

/// `optimization` of a `<mesh>`, and the numbers of `<convex_decomposition>`.
fn of_element(shape: &Element, report: &mut Report) -> MeshUse {
    match shape.value("optimization") {
        None | Some("none") => MeshUse::Exact,
        Some("convex_hull") => MeshUse::Hull,
        Some("convex_decomposition") => {
            let inner = shape.child("convex_decomposition");
            let mut count = |name: &str, default: u32| {
                let Some(child) = inner.and_then(|i| i.child(name)).filter(|c| !c.text.is_empty()) else {
                    return default;
                };
                value::unsigned(&child.text).filter(|n| *n > 0).unwrap_or_else(|| {
                    let message = format!("<{name}> is `{}`, not a whole number above 0", child.text);
                    report.add(Diagnostic::error("invalid-value", message).at(&child.text_location));
                    default
                })
            };
            let default = Decomposition::default();
            MeshUse::Decomposition(Decomposition {
                parts: count("max_convex_hulls", default.parts),
                voxels: count("voxel_resolution", default.voxels),
            })
        }
        Some(other) => {
            let message = format!("`{other}` is no way to use a mesh: it is used as it is");
            let place = shape.attribute("optimization").map_or(&shape.location, |a| &a.location);
            let help = "one of `none`, `convex_hull`, `convex_decomposition`";
            report.add(Diagnostic::warning("mesh-optimization", message).at(place).help(help));
            MeshUse::Exact
        }
    }
}

/// `<scale>`, which may mirror but not flatten.
fn scale(shape: &Element, report: &mut Report) -> Option<DVec3> {
    let scale = Reader::new(Some(shape), "geometry/mesh").vector("scale").value;
    let product = scale.element_product();
    if product != 0.0 && product.is_finite() {
        return Some(scale);
    }
    let place = shape.child("scale").map_or(&shape.location, |s| &s.text_location);
    let message = "the scale of a mesh makes it flat";
    report.add(
        Diagnostic::error("mesh-scale", message)
            .at(place)
            .label("expected three numbers other than 0")
            .element(shape.path.as_str()),
    );
    None
}

impl Meshes {
    fn file(&mut self, path: &Path, uri: &Element, report: &mut Report) -> Option<Arc<MeshFile>> {
        if !self.files.contains_key(path) {
            self.files.insert(path.to_owned(), load(path).map(Arc::new).map_err(|error| error.to_string()));
        }
        match self.files.get(path)? {
            Ok(file) => Some(file.clone()),
            Err(reason) => {
                let finding = Diagnostic::error("mesh-file", reason.clone()).at(&uri.text_location);
                report.strict(finding.element(uri.path.as_str()));
                None
            }
        }
    }

    fn make(&mut self, key: &Key, scale: DVec3, shape: &Element, uri: &Element, report: &mut Report) -> Option<Shape> {
        let file = self.file(&key.path, uri, report)?;
        let mut mesh = match &key.submesh {
            None => file.whole(),
            Some(name) => match file.submeshes.iter().find(|part| part.name == *name) {
                Some(part) => part.mesh.clone(),
                None => {
                    no_submesh(&file, name, shape, report);
                    return None;
                }
            },
        };
        if key.is_centered {
            center(&mut mesh);
        }
        mesh.vertices.iter_mut().for_each(|v| *v *= scale);
        if scale.element_product() < 0.0 {
            mesh = mesh.turned();
        }
        let (mesh, healing) = mesh.healed();
        if mesh.triangles.is_empty() {
            let message = format!("{}: no triangle has an area", key.path.display());
            report.strict(Diagnostic::error("mesh-file", message).at(&uri.text_location).element(uri.path.as_str()));
            return None;
        }
        tell(&key.path, mesh.triangles.len(), &healing, uri, report);
        let solid = if healing.is_closed { mesh.unit_mass() } else { None };
        Some((self.shape(mesh, &healing, key, uri, report), solid))
    }

    fn shape(
        &self,
        mesh: MeshDescription,
        healing: &Healing,
        key: &Key,
        uri: &Element,
        report: &mut Report,
    ) -> GeometryDescription {
        let hull = |points| GeometryDescription::ConvexHull(Arc::new(points));
        if let Some(points) = mesh.convex_points(healing) {
            return hull(points);
        }
        let made = match key.mesh_use {
            MeshUse::Exact => return exact(mesh, healing),
            MeshUse::Hull => mesh.hull_points().map(hull),
            #[cfg(feature = "decomposition")]
            MeshUse::Decomposition(wanted) => mesh.decomposed(wanted, &self.cache).map(|parts| {
                let parts = parts.into_iter().map(|points| (Pose::IDENTITY, hull(points)));
                GeometryDescription::Compound(Arc::new(parts.collect()))
            }),
            #[cfg(not(feature = "decomposition"))]
            MeshUse::Decomposition(_) => {
                let reason = crate::features::missing_feature("convex decomposition", "decomposition");
                warn_of_triangles(key, &reason, uri, report);
                return exact(mesh, healing);
            }
        };
        made.unwrap_or_else(|| {
            warn_of_triangles(key, "it is flat, or too large to be decomposed", uri, report);
            GeometryDescription::Mesh(Arc::new(mesh))
        })
    }
}

/// A mesh collides with its triangles where convex parts were asked for.
fn warn_of_triangles(key: &Key, reason: &str, uri: &Element, report: &mut Report) {
    let message = format!("{} collides with its triangles: {reason}", key.path.display());
    report.add(Diagnostic::warning("mesh-without-hull", message).at(&uri.text_location).element(uri.path.as_str()));
}

/// A mesh as it is; solids of it that overlap each by itself.
fn exact(mesh: MeshDescription, healing: &Healing) -> GeometryDescription {
    let solids = if healing.is_closed { mesh.solids() } else { None };
    let Some(solids) = solids else { return GeometryDescription::Mesh(Arc::new(mesh)) };
    let parts = solids.into_iter().map(|solid| {
        let whole = Healing { is_closed: true, components: 1, ..Healing::default() };
        let shape = match solid.convex_points(&whole) {
            Some(points) => GeometryDescription::ConvexHull(Arc::new(points)),
            None => GeometryDescription::Mesh(Arc::new(solid)),
        };
        (Pose::IDENTITY, shape)
    });
    GeometryDescription::Compound(Arc::new(parts.collect()))
}

fn no_submesh(file: &MeshFile, name: &str, shape: &Element, report: &mut Report) {
    let place = shape.find("submesh/name").map_or(&shape.location, |n| &n.text_location);
    let mut finding =
        Diagnostic::warning("mesh-submesh", format!("the mesh file has no part `{name}`: this collision is left out"));
    let names: Vec<&str> = file.submeshes.iter().map(|s| s.name.as_str()).collect();
    finding.help = crate::suggest::did_you_mean(name, names.iter().copied()).or_else(|| {
        let some: Vec<String> = names.iter().take(8).map(|n| format!("`{n}`")).collect();
        Some(format!("its parts are {}", some.join(", ")))
    });
    report.add(finding.at(place).element(shape.path.as_str()));
}

/// Moves the middle of the bounds to the origin.
fn center(mesh: &mut MeshDescription) {
    let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let used = mesh.triangles.iter().flatten().map(|v| mesh.vertices[*v as usize]);
    let (low, high) = used.fold(start, |(low, high), v| (low.min(v), high.max(v)));
    let middle = low + (high - low) * 0.5;
    mesh.vertices.iter_mut().for_each(|v| *v -= middle);
}

/// Says once a file what was healed.
fn tell(path: &Path, triangles: usize, healing: &Healing, uri: &Element, report: &mut Report) {
    if !healing.is_needed() {
        return;
    }
    let mut words = Vec::new();
    let is_inside_out = healing.is_closed && healing.turned == triangles;
    let turned = if is_inside_out {
        "turned about: the mesh was inside out, its volume below 0"
    } else {
        "turned about to face as the others do"
    };
    for (count, what) in [
        (healing.degenerate, "without area left out"),
        (healing.duplicate, "that were there twice left out"),
        (healing.turned, turned),
    ] {
        if count > 0 {
            words.push(format!("{count} {what}"));
        }
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let message = format!("triangles of `{name}`: {}", words.join(", "));
    let finding = Diagnostic::note("mesh-healed", message).at(&uri.text_location).element(uri.path.as_str());
    report.once(path.display().to_string(), finding);
}
