//! `<geometry>`: positions, and primitives as triangles between them.

use roxmltree::Node;
use stiction::math::DVec3;

use super::LocalName as _;
use super::document::Document;
use crate::mesh::MeshDescription;
use crate::mesh::file::error::{Fault, MeshProblem};
use crate::mesh::file::{check_triangles, check_vertices};
use crate::mesh::holes::with_holes;
use crate::mesh::polygon::{MOST_CORNERS, triangulate};

/// Triangles of a `<geometry>` in its own frame; none of one that has no surface, such as a spline.
pub(super) fn read(document: &Document<'_, '_>, geometry: Node<'_, '_>) -> Result<MeshDescription, Fault> {
    let mut whole = MeshDescription::default();
    let Some(mesh) = geometry.children().find(|c| c.has_tag_name_local("mesh")) else {
        if let Some(convex) = geometry.children().find(|c| c.has_tag_name_local("convex_mesh")) {
            return Err(document.fault(convex, MeshProblem::Unsupported("<convex_mesh>".into())));
        }
        return Ok(whole);
    };
    // Primitives mostly share one list of positions.
    let mut lists: Vec<(Node<'_, '_>, u32, usize)> = Vec::new();
    for primitive in mesh.children().filter(Node::is_element) {
        let kind = primitive.tag_name().name();
        if !matches!(kind, "triangles" | "polylist" | "polygons" | "trifans" | "tristrips") {
            continue;
        }
        let Some(inputs) = Inputs::of(document, primitive)? else { continue };
        let known = lists.iter().find(|(source, ..)| *source == inputs.source);
        let (first, count) = match known {
            Some((_, first, count)) => (*first, *count),
            None => {
                let first = whole.vertices.len() as u32;
                positions(document, inputs.source, &mut whole.vertices)?;
                let count = whole.vertices.len() - first as usize;
                lists.push((inputs.source, first, count));
                (first, count)
            }
        };
        let mut reader = Primitive { document, node: primitive, inputs, first, count, mesh: &mut whole };
        reader.read(kind)?;
    }
    Ok(whole)
}

/// Where the position of a corner stands among its indices.
struct Inputs<'a, 'i> {
    /// The `<source>` of the positions.
    source: Node<'a, 'i>,
    offset: usize,
    /// Indices of one corner.
    stride: usize,
}

impl<'a, 'i> Inputs<'a, 'i> {
    /// None without positions.
    fn of(document: &Document<'a, 'i>, primitive: Node<'a, 'i>) -> Result<Option<Self>, Fault> {
        let mut found = None;
        let mut stride = 1;
        for input in primitive.children().filter(|c| c.has_tag_name_local("input")) {
            let offset = document.count(input, "offset", 0)?;
            if offset >= 64 {
                return Err(document.fault(input, MeshProblem::unexpected("an offset below 64", &offset.to_string())));
            }
            stride = stride.max(offset + 1);
            match input.attribute("semantic") {
                Some("VERTEX") => {
                    let vertices = document.find(input, "source", &["vertices"])?;
                    let is_position =
                        |c: &Node<'_, '_>| c.has_tag_name_local("input") && c.attribute("semantic") == Some("POSITION");
                    let Some(position) = vertices.children().find(is_position) else {
                        let missing = MeshProblem::Missing { what: "input", name: "POSITION".into() };
                        return Err(document.fault(vertices, missing));
                    };
                    found = Some((document.find(position, "source", &["source"])?, offset));
                }
                Some("POSITION") => found = Some((document.find(input, "source", &["source"])?, offset)),
                _ => {}
            }
        }
        Ok(found.map(|(source, offset)| Self { source, offset, stride }))
    }
}

/// Points of a `<source>`, as its accessor takes them from its array.
fn positions(document: &Document<'_, '_>, source: Node<'_, '_>, into: &mut Vec<DVec3>) -> Result<(), Fault> {
    let array = source.children().find(|c| c.has_tag_name_local("float_array"));
    let accessor = source.descendants().find(|c| c.has_tag_name_local("accessor"));
    let Some(array) = array else {
        let missing = MeshProblem::Missing { what: "<float_array> of positions", name: String::new() };
        return Err(document.fault(source, missing));
    };
    let mut numbers = Vec::new();
    document.reals(array, &mut numbers)?;
    // Any number of geometries may name one source.
    let total = document.points.get() + numbers.len() / 3;
    document.points.set(total);
    check_vertices(total).map_err(|problem| document.fault(array, problem))?;
    let claimed = document.count(array, "count", numbers.len())?;
    if claimed > numbers.len() {
        let found = format!("{} of {claimed}", numbers.len());
        return Err(document.fault(array, MeshProblem::unexpected("as many numbers as `count` says", &found)));
    }
    let (mut stride, mut offset, mut count) = (3, 0, numbers.len() / 3);
    let mut columns = vec![0, 1, 2];
    if let Some(accessor) = accessor {
        stride = document.count(accessor, "stride", 1)?;
        offset = document.count(accessor, "offset", 0)?;
        count = document.count(accessor, "count", count)?;
        // Parameters without a name are passed over.
        let parameters = accessor.children().filter(|c| c.has_tag_name_local("param")).enumerate();
        let named = |p: &Node<'_, '_>| p.attribute("name").is_some_and(|n| !n.is_empty());
        let own: Vec<usize> = parameters.filter(|(_, p)| named(p)).map(|(i, _)| i).take(3).collect();
        if own.len() == 3 {
            columns = own;
        }
        let needed = stride.checked_mul(count.saturating_sub(1)).and_then(|n| n.checked_add(offset + columns[2] + 1));
        if stride < 3 || (count > 0 && needed.is_none_or(|n| n > numbers.len())) {
            let found = format!("{count} points of stride {stride} in {} numbers", numbers.len());
            return Err(document.fault(accessor, MeshProblem::unexpected("an accessor within its array", &found)));
        }
    }
    for i in 0..count {
        let at = offset + i * stride;
        let point = DVec3::new(numbers[at + columns[0]], numbers[at + columns[1]], numbers[at + columns[2]]);
        if !point.is_finite() {
            return Err(document.fault(array, MeshProblem::NotFinite));
        }
        into.push(point);
    }
    Ok(())
}

/// One primitive element being read.
struct Primitive<'r, 'a, 'i> {
    document: &'r Document<'a, 'i>,
    node: Node<'a, 'i>,
    inputs: Inputs<'a, 'i>,
    /// First vertex and number of vertices of its positions.
    first: u32,
    count: usize,
    mesh: &'r mut MeshDescription,
}

impl Primitive<'_, '_, '_> {
    fn read(&mut self, kind: &str) -> Result<(), Fault> {
        let lists = self.node.children().filter(|c| c.has_tag_name_local("p"));
        match kind {
            "polylist" => {
                let mut sizes = Vec::new();
                for vcount in self.node.children().filter(|c| c.has_tag_name_local("vcount")) {
                    self.document.integers(vcount, &mut sizes)?;
                }
                let mut corners = Vec::new();
                for list in lists {
                    corners.extend(self.corners(list)?);
                }
                self.polygons(&sizes, &corners)
            }
            "polygons" => {
                for list in lists {
                    let corners = self.corners(list)?;
                    self.polygon(&corners)?;
                }
                for holed in self.node.children().filter(|c| c.has_tag_name_local("ph")) {
                    self.polygon_with_holes(holed)?;
                }
                Ok(())
            }
            _ => {
                for list in lists {
                    let corners = self.corners(list)?;
                    match kind {
                        "triangles" => {
                            let triangles = corners.chunks_exact(3).map(|t| [t[0], t[1], t[2]]);
                            self.mesh.triangles.extend(triangles);
                        }
                        "trifans" => {
                            let triangles = corners.windows(2).skip(1).map(|t| [corners[0], t[0], t[1]]);
                            self.mesh.triangles.extend(triangles);
                        }
                        _ => {
                            let turned = |(i, t): (usize, &[u32])| {
                                if i % 2 == 0 { [t[0], t[1], t[2]] } else { [t[1], t[0], t[2]] }
                            };
                            self.mesh.triangles.extend(corners.windows(3).enumerate().map(turned));
                        }
                    }
                    self.check()?;
                }
                Ok(())
            }
        }
    }

    fn check(&self) -> Result<(), Fault> {
        check_triangles(self.mesh.triangles.len()).map_err(|problem| self.document.fault(self.node, problem))
    }

    /// Vertices of the corners that a `<p>` or `<h>` lists.
    fn corners(&self, list: Node<'_, '_>) -> Result<Vec<u32>, Fault> {
        let mut indices = Vec::new();
        self.document.integers(list, &mut indices)?;
        let vertex = |corner: &[i64]| {
            let found = corner[self.inputs.offset];
            let known = u32::try_from(found).ok().filter(|v| (*v as usize) < self.count);
            let index = MeshProblem::Index { found, count: self.count };
            known.map(|v| v + self.first).ok_or_else(|| self.document.fault(list, index))
        };
        indices.chunks_exact(self.inputs.stride).map(vertex).collect()
    }

    fn polygons(&mut self, sizes: &[i64], corners: &[u32]) -> Result<(), Fault> {
        let mut rest = corners;
        for size in sizes {
            let split = usize::try_from(*size).ok().and_then(|size| rest.split_at_checked(size));
            let Some((polygon, after)) = split else {
                let found = format!("{size}, with {} corners left", rest.len());
                return Err(self.document.fault(self.node, MeshProblem::unexpected("<vcount> that fits <p>", &found)));
            };
            self.polygon(polygon)?;
            rest = after;
        }
        Ok(())
    }

    fn polygon(&mut self, corners: &[u32]) -> Result<(), Fault> {
        self.check_corners(corners.len())?;
        match *corners {
            [] | [_] | [_, _] => {}
            [a, b, c] => self.mesh.triangles.push([a, b, c]),
            _ => triangulate(&self.mesh.vertices, corners, &mut self.mesh.triangles),
        }
        self.check()
    }

    fn polygon_with_holes(&mut self, holed: Node<'_, '_>) -> Result<(), Fault> {
        let outline = |name: &'static str| holed.children().filter(move |c| c.has_tag_name_local(name));
        let outer: Vec<u32> = match outline("p").next() {
            Some(list) => self.corners(list)?,
            None => return Ok(()),
        };
        let holes = outline("h").map(|list| self.corners(list)).collect::<Result<Vec<_>, _>>()?;
        self.check_corners(outer.len() + holes.iter().map(|h| h.len() + 2).sum::<usize>())?;
        let polygon = with_holes(&self.mesh.vertices, &outer, &holes);
        triangulate(&self.mesh.vertices, &polygon, &mut self.mesh.triangles);
        self.check()
    }

    fn check_corners(&self, found: usize) -> Result<(), Fault> {
        if found <= MOST_CORNERS {
            return Ok(());
        }
        Err(self.document.fault(self.node, MeshProblem::Corners { found, limit: MOST_CORNERS }))
    }
}
