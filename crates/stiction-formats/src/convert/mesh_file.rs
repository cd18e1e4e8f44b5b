//! Meshes as OBJ files, which keep every digit.

use std::fmt::Write;

use crate::mesh::MeshDescription;

use super::xml::number;

/// The text of an OBJ file.
pub(super) fn obj(mesh: &MeshDescription) -> Vec<u8> {
    let mut text = String::new();
    for v in &mesh.vertices {
        text += &format!("v {} {} {}\n", number(v.x), number(v.y), number(v.z));
    }
    for [a, b, c] in &mesh.triangles {
        // Writing into a string does not fail.
        let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
    }
    text.into_bytes()
}
