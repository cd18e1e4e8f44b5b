//! Mesh files: STL, OBJ, COLLADA, glTF, PLY and VRML become named submeshes.
//!
//! Every reader checks sizes, counts and indices before it takes memory for them, and reports the first fault with its line
//! or byte. Coordinates keep the precision of the file: decimals are read as f64, binary f32 exactly.
//!
//! The readers are ours. Libraries for STL, OBJ and PLY read f32, or take memory by the counts that a header claims, or
//! report no place; COLLADA libraries leave out node transforms or refuse files in use; glTF's validates more than geometry needs
//! and panics on some accessors. XML and JSON are parsed by libraries.

mod collada;
mod error;
mod gltf;
mod obj;
mod ply;
mod stl;
mod text;
mod wrl;

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use stiction::math::{DMat3, DVec3};

pub use error::{MeshError, MeshPlace, MeshProblem};

use crate::bundled;

use super::MeshDescription;
use error::Fault;

/// Largest file \[bytes\].
pub const MAX_BYTES: u64 = 512 << 20;
/// Most triangles of a file, instances counted each time.
pub const MAX_TRIANGLES: usize = 8_000_000;

/// A part of a mesh file that has a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Submesh {
    /// Name; empty if the file has none.
    pub name: String,
    /// Triangles as the file has them, in its frame \[m\].
    pub mesh: MeshDescription,
}

/// Direction that a file calls up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpAxis {
    /// x
    X,
    /// y
    Y,
    /// z, also of formats that do not say.
    #[default]
    Z,
}

/// What a mesh file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshFile {
    /// Parts in the order of the file; each has triangles.
    pub submeshes: Vec<Submesh>,
    /// The file's `up`. Vertices are not turned by it, as Gazebo and RViz do not; [`MeshFile::upright`] turns them.
    pub up_axis: UpAxis,
}

impl MeshFile {
    /// Number of triangles.
    #[must_use]
    pub fn triangles(&self) -> usize {
        self.submeshes.iter().map(|s| s.mesh.triangles.len()).sum()
    }

    /// All parts as one mesh.
    #[must_use]
    pub fn whole(&self) -> MeshDescription {
        let mut whole = MeshDescription::default();
        for part in &self.submeshes {
            whole.append(&part.mesh);
        }
        whole
    }

    /// Turned so that the file's `up` is z.
    #[must_use]
    pub fn upright(mut self) -> Self {
        let turn = match self.up_axis {
            UpAxis::Z => return self,
            UpAxis::Y => DMat3::from_cols(DVec3::X, DVec3::Z, DVec3::NEG_Y),
            UpAxis::X => DMat3::from_cols(DVec3::Z, DVec3::Y, DVec3::NEG_X),
        };
        for part in &mut self.submeshes {
            part.mesh.vertices.iter_mut().for_each(|v| *v = turn * *v);
        }
        self.up_axis = UpAxis::Z;
        self
    }

    /// Adds a part that has triangles.
    fn push(&mut self, name: &str, mesh: MeshDescription) {
        if !mesh.triangles.is_empty() {
            self.submeshes.push(Submesh { name: name.to_owned(), mesh });
        }
    }
}

/// Reads a mesh file; its format follows from the suffix of its name, in any case of letters.
///
/// # Errors
/// A file that is not there, is too large, is of no known format, or breaks the rules of its format.
pub fn load(path: &Path) -> Result<MeshFile, MeshError> {
    let named = |fault: Fault| MeshError { file: path.to_owned(), place: fault.place, problem: fault.problem };
    let format = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    if !matches!(format.as_str(), "stl" | "obj" | "dae" | "gltf" | "glb" | "ply" | "wrl") {
        return Err(named(MeshProblem::UnknownFormat(format).of_file()));
    }
    let bytes = bytes_of(path, MAX_BYTES).map_err(named)?;
    parse(&format, &bytes, path)
}

/// The same of bytes that are in memory. `path` names them in errors, and its folder holds the buffers of a glTF file.
///
/// # Errors
/// As of [`load`].
pub fn parse(format: &str, bytes: &[u8], path: &Path) -> Result<MeshFile, MeshError> {
    let named = |fault: Fault| MeshError { file: path.to_owned(), place: fault.place, problem: fault.problem };
    let file = match format {
        "stl" => stl::read(bytes),
        "obj" => obj::read(bytes),
        "dae" => collada::read(bytes),
        "gltf" | "glb" => return check(gltf::read(bytes, path)?).map_err(named),
        "ply" => ply::read(bytes),
        "wrl" => return check(wrl::read(bytes, path)?).map_err(named),
        other => Err(MeshProblem::UnknownFormat(other.to_owned()).of_file()),
    };
    file.and_then(check).map_err(named)
}

/// Every reader has checked its indices; what is left are numbers that overflowed in transforms, and files without triangles.
fn check(file: MeshFile) -> Result<MeshFile, Fault> {
    if file.submeshes.is_empty() {
        return Err(MeshProblem::Empty.of_file());
    }
    let is_finite = file.submeshes.iter().all(|part| part.mesh.vertices.iter().all(|v| v.is_finite()));
    if is_finite { Ok(file) } else { Err(MeshProblem::NotFinite.of_file()) }
}

/// The bytes of a regular file of bearable size.
fn bytes_of(path: &Path, limit: u64) -> Result<Vec<u8>, Fault> {
    if let Some(bytes) = bundled::bytes(path) {
        return Ok(bytes.to_vec());
    }
    let unreadable = |e: std::io::Error| MeshProblem::Unreadable(e.to_string()).of_file();
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(MeshProblem::Unreadable("it is not a regular file".into()).of_file());
    }
    let too_large = |found| MeshProblem::TooLarge { what: "bytes in the file", found, limit }.of_file();
    if metadata.len() > limit {
        return Err(too_large(metadata.len()));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    // A file may grow while it is read.
    File::open(path).and_then(|f| f.take(limit + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.len() as u64 > limit { Err(too_large(bytes.len() as u64)) } else { Ok(bytes) }
}

/// Refuses more triangles than are read.
fn check_triangles(count: usize) -> Result<(), MeshProblem> {
    let limit = MAX_TRIANGLES as u64;
    if count > MAX_TRIANGLES {
        return Err(MeshProblem::TooLarge { what: "triangles in the file", found: count as u64, limit });
    }
    Ok(())
}

/// Refuses more vertices than so many triangles have.
fn check_vertices(count: usize) -> Result<(), MeshProblem> {
    let limit = 3 * MAX_TRIANGLES;
    if count > limit {
        let (found, limit) = (count as u64, limit as u64);
        return Err(MeshProblem::TooLarge { what: "vertices in the file", found, limit });
    }
    Ok(())
}
