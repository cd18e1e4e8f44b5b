//! Accessors: vertices and indices out of buffers.

use serde_json::Value;
use stiction::math::DVec3;

use super::buffers::Buffers;
use super::{entry, needed, whole};
use crate::mesh::file::MAX_TRIANGLES;
use crate::mesh::file::error::{Fault, MeshProblem};

/// `GL_FLOAT`, the signed integers of positions, and the unsigned ones of positions and indices.
const FLOAT: usize = 5126;
const SIGNED_BYTE: usize = 5120;
const SIGNED_SHORT: usize = 5122;
const BYTE: usize = 5121;
const SHORT: usize = 5123;
const INT: usize = 5125;

/// Items of a buffer view, a stride apart.
struct View<'a> {
    bytes: &'a [u8],
    stride: usize,
    count: usize,
}

impl<'a> View<'a> {
    /// `count` items of `size` bytes that begin at `offset` in a view.
    fn new(
        root: &Value,
        buffers: &'a Buffers<'_>,
        view: usize,
        offset: usize,
        count: usize,
        size: usize,
    ) -> Result<Self, Fault> {
        let view = entry(root, "bufferViews", view)?;
        let buffer = buffers.get(needed(view, "buffer")?)?;
        let start = whole(view, "byteOffset")?.unwrap_or(0);
        let length = needed(view, "byteLength")?;
        let found = buffer.len() as u64;
        let bytes = start.checked_add(length).and_then(|end| buffer.get(start..end)).ok_or_else(|| {
            let expected = start.saturating_add(length) as u64;
            MeshProblem::Truncated { what: "a buffer view", expected, found }.of_file()
        })?;
        let stride = whole(view, "byteStride")?.filter(|s| *s > 0).unwrap_or(size);
        // The last item needs no stride behind it.
        let needed = count.saturating_sub(1).checked_mul(stride).and_then(|n| n.checked_add(size));
        let needed = needed.and_then(|n| n.checked_add(offset)).filter(|_| count > 0).or((count == 0).then_some(0));
        if needed.is_none_or(|n| n > bytes.len()) || stride < size {
            let (expected, found) = (needed.unwrap_or(usize::MAX) as u64, bytes.len() as u64);
            return Err(MeshProblem::Truncated { what: "an accessor", expected, found }.of_file());
        }
        Ok(Self { bytes: &bytes[offset.min(bytes.len())..], stride, count })
    }

    fn item(&self, index: usize) -> &'a [u8] {
        &self.bytes[index * self.stride..]
    }
}

/// How a coordinate of a position is written: a float, or an integer (`KHR_mesh_quantization`), which may stand for a share
/// of its range.
#[derive(Clone, Copy)]
struct Component {
    kind: usize,
    size: usize,
    /// Value of the integer 1.
    unit: f64,
}

impl Component {
    fn new(accessor: &Value) -> Result<Self, Fault> {
        let kind = needed(accessor, "componentType")?;
        let (size, most) = match kind {
            FLOAT => (4, 1.0),
            SIGNED_BYTE => (1, f64::from(i8::MAX)),
            SIGNED_SHORT => (2, f64::from(i16::MAX)),
            BYTE => (1, f64::from(u8::MAX)),
            SHORT => (2, f64::from(u16::MAX)),
            other => {
                return Err(MeshProblem::Unsupported(format!("positions of component type {other}")).of_file());
            }
        };
        let is_share = accessor.get("normalized").and_then(Value::as_bool).unwrap_or(false) && kind != FLOAT;
        Ok(Self { kind, size, unit: if is_share { 1.0 / most } else { 1.0 } })
    }

    fn point(self, bytes: &[u8]) -> DVec3 {
        let at = |axis: usize| {
            let b = &bytes[self.size * axis..];
            let number = match self.kind {
                FLOAT => f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])),
                SIGNED_BYTE => f64::from(i8::from_le_bytes([b[0]])),
                SIGNED_SHORT => f64::from(i16::from_le_bytes([b[0], b[1]])),
                BYTE => f64::from(b[0]),
                _ => f64::from(u16::from_le_bytes([b[0], b[1]])),
            };
            // The lowest integer of a signed range is as far as its highest.
            if self.unit < 1.0 { (number * self.unit).max(-1.0) } else { number }
        };
        DVec3::new(at(0), at(1), at(2))
    }
}

/// Size of an unsigned integer of this type.
fn index_size(kind: usize) -> Result<usize, Fault> {
    match kind {
        BYTE => Ok(1),
        SHORT => Ok(2),
        INT => Ok(4),
        other => Err(MeshProblem::unexpected("the type of an index", &other.to_string()).of_file()),
    }
}

fn index(bytes: &[u8], size: usize) -> u32 {
    match size {
        1 => u32::from(bytes[0]),
        2 => u32::from(u16::from_le_bytes([bytes[0], bytes[1]])),
        _ => u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
    }
}

fn check_type(accessor: &Value, expected: &'static str) -> Result<(), Fault> {
    let found = accessor.get("type").and_then(Value::as_str).unwrap_or_default();
    if found == expected { Ok(()) } else { Err(MeshProblem::unexpected(expected, found).of_file()) }
}

fn check_count(count: usize) -> Result<(), Fault> {
    let limit = 3 * MAX_TRIANGLES as u64;
    if count as u64 > limit {
        return Err(MeshProblem::TooLarge { what: "items of an accessor", found: count as u64, limit }.of_file());
    }
    Ok(())
}

/// Positions of vertices.
pub(super) fn points(root: &Value, buffers: &Buffers<'_>, accessor: usize) -> Result<Vec<DVec3>, Fault> {
    let accessor = entry(root, "accessors", accessor)?;
    let count = needed(accessor, "count")?;
    check_count(count)?;
    check_type(accessor, "VEC3")?;
    let component = Component::new(accessor)?;
    let offset = whole(accessor, "byteOffset")?.unwrap_or(0);
    let mut points = match whole(accessor, "bufferView")? {
        Some(view) => {
            let view = View::new(root, buffers, view, offset, count, 3 * component.size)?;
            (0..view.count).map(|i| component.point(view.item(i))).collect()
        }
        // The format's zeros, of which a sparse accessor replaces some.
        None if accessor.get("sparse").is_some() => vec![DVec3::ZERO; count],
        None => return Err(MeshProblem::Unsupported("a compressed mesh".into()).of_file()),
    };
    if let Some(sparse) = accessor.get("sparse") {
        replace(root, buffers, sparse, component, &mut points)?;
    }
    if points.iter().any(|p: &DVec3| !p.is_finite()) {
        return Err(MeshProblem::NotFinite.of_file());
    }
    Ok(points)
}

/// Points that a sparse accessor has instead.
fn replace(
    root: &Value,
    buffers: &Buffers<'_>,
    sparse: &Value,
    component: Component,
    points: &mut [DVec3],
) -> Result<(), Fault> {
    let part = |name: &'static str| {
        sparse.get(name).ok_or_else(|| MeshProblem::Missing { what: "member", name: name.into() }.of_file())
    };
    let count = needed(sparse, "count")?;
    check_count(count)?;
    let (indices, values) = (part("indices")?, part("values")?);
    let size = index_size(needed(indices, "componentType")?)?;
    let view = |of: &Value, size: usize| {
        let offset = whole(of, "byteOffset")?.unwrap_or(0);
        View::new(root, buffers, needed(of, "bufferView")?, offset, count, size)
    };
    let (numbers, values) = (view(indices, size)?, view(values, 3 * component.size)?);
    for i in 0..count {
        let found = index(numbers.item(i), size);
        let count = points.len();
        let point = points.get_mut(found as usize);
        let outside = MeshProblem::Index { found: i64::from(found), count };
        *point.ok_or_else(|| outside.of_file())? = component.point(values.item(i));
    }
    Ok(())
}

/// Indices of vertices, each checked against their number.
pub(super) fn indices(
    root: &Value,
    buffers: &Buffers<'_>,
    accessor: usize,
    vertices: usize,
) -> Result<Vec<u32>, Fault> {
    let accessor = entry(root, "accessors", accessor)?;
    let count = needed(accessor, "count")?;
    check_count(count)?;
    check_type(accessor, "SCALAR")?;
    if accessor.get("sparse").is_some() {
        return Err(MeshProblem::Unsupported("a sparse list of indices".into()).of_file());
    }
    let size = index_size(needed(accessor, "componentType")?)?;
    let Some(view) = whole(accessor, "bufferView")? else {
        return Err(MeshProblem::Unsupported("a compressed mesh".into()).of_file());
    };
    let offset = whole(accessor, "byteOffset")?.unwrap_or(0);
    let view = View::new(root, buffers, view, offset, count, size)?;
    let checked = |i: usize| {
        let found = index(view.item(i), size);
        let outside = MeshProblem::Index { found: i64::from(found), count: vertices };
        ((found as usize) < vertices).then_some(found).ok_or_else(|| outside.of_file())
    };
    (0..count).map(checked).collect()
}
