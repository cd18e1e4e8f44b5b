//! glTF 2.0, as JSON (`.gltf`) or in one binary file (`.glb`): triangles of meshes, placed by the nodes of the scene.
//!
//! Axes are as the file has them, y up: Gazebo does not turn them. Skins, morph targets and animations are passed over.
//! Buffers lie in the file, in data URIs, or in files beside it.

mod accessor;
mod buffers;
mod scene;

use std::path::Path;

use serde_json::Value;

use super::error::{Fault, MeshError, MeshProblem};
use super::text::without_mark;
use super::{MeshFile, UpAxis};
use buffers::Buffers;

/// Begins a binary file.
const MAGIC: &[u8; 4] = b"glTF";

pub(super) fn read(bytes: &[u8], path: &Path) -> Result<MeshFile, MeshError> {
    let named = |fault: Fault| MeshError { file: path.to_owned(), place: fault.place, problem: fault.problem };
    let (json, binary) = if bytes.starts_with(MAGIC) { chunks(bytes).map_err(named)? } else { (bytes, None) };
    let json = without_mark(json);
    let root: Value = serde_json::from_slice(json).map_err(|error| {
        let words = error.to_string();
        let message = words.split(" at line").next().unwrap_or_default().to_owned();
        named(MeshProblem::Syntax { format: "JSON", message }.at_line(error.line()))
    })?;
    check_version(&root).map_err(named)?;
    let buffers = Buffers::new(&root, binary, path)?;
    let mut file = scene::read(&root, &buffers).map_err(named)?;
    file.up_axis = UpAxis::Y;
    Ok(file)
}

/// The two chunks of a binary file: JSON, and the bytes of the first buffer.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Fault> {
    let word = |at: usize| {
        let raw = bytes.get(at..at + 4);
        raw.map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    };
    let truncated = |what, expected: u64, at: usize| {
        let found = bytes.len().saturating_sub(at) as u64;
        MeshProblem::Truncated { what, expected, found }.at_byte(at.min(bytes.len()))
    };
    let (Some(version), Some(length)) = (word(4), word(8)) else {
        return Err(truncated("the header of a GLB file", 12, 0));
    };
    if version != 2 {
        return Err(MeshProblem::Unsupported(format!("version {version} of glTF")).at_byte(4));
    }
    if u64::from(length) > bytes.len() as u64 {
        return Err(truncated("a GLB file", u64::from(length), 0));
    }
    let chunk = |at: usize| -> Result<(u32, &[u8]), Fault> {
        let (Some(size), Some(kind)) = (word(at), word(at + 4)) else {
            return Err(truncated("the header of a chunk", 8, at));
        };
        let start = at + 8;
        let end = start.saturating_add(size as usize);
        let body = bytes.get(start..end).ok_or_else(|| truncated("a chunk", u64::from(size), start))?;
        Ok((kind, body))
    };
    let (kind, json) = chunk(12)?;
    if kind != u32::from_le_bytes(*b"JSON") {
        return Err(MeshProblem::unexpected("a chunk of JSON", &format!("type {kind:#x}")).at_byte(16));
    }
    let mut at = 20 + json.len();
    while at + 8 <= bytes.len() {
        let (kind, body) = chunk(at)?;
        if kind == u32::from_le_bytes(*b"BIN\0") {
            return Ok((json, Some(body)));
        }
        at += 8 + body.len();
    }
    Ok((json, None))
}

fn check_version(root: &Value) -> Result<(), Fault> {
    let version = root.get("asset").and_then(|a| a.get("version")).and_then(Value::as_str);
    match version {
        Some(version) if version.starts_with("2.") => Ok(()),
        Some(other) => Err(MeshProblem::Unsupported(format!("version {other} of glTF")).of_file()),
        None => Err(MeshProblem::Missing { what: "member", name: "asset.version".into() }.of_file()),
    }
}

/// The entry of a top-level list.
fn entry<'a>(root: &'a Value, list: &'static str, index: usize) -> Result<&'a Value, Fault> {
    let found = root.get(list).and_then(|l| l.get(index));
    found.ok_or_else(|| MeshProblem::Missing { what: list, name: index.to_string() }.of_file())
}

/// A member that is a whole number; none without it.
fn whole(value: &Value, member: &str) -> Result<Option<usize>, Fault> {
    let Some(found) = value.get(member) else { return Ok(None) };
    // Some exporters write 12.0.
    let exact = |x: f64| (x >= 0.0 && x.fract() == 0.0 && x < 9e15).then_some(x as usize);
    let number = found.as_u64().map(|n| n as usize).or_else(|| found.as_f64().and_then(exact));
    match number {
        Some(number) => Ok(Some(number)),
        None => Err(MeshProblem::unexpected("a whole number, 0 or more", &format!("{member}: {found}")).of_file()),
    }
}

/// The same that has to be there.
fn needed(value: &Value, member: &'static str) -> Result<usize, Fault> {
    whole(value, member)?.ok_or_else(|| MeshProblem::Missing { what: "member", name: member.into() }.of_file())
}
