//! PLY: ASCII and binary of both byte orders; vertices with x, y and z of any type, faces as lists of vertices, and triangle
//! strips. Other elements and properties are passed over.

use stiction::math::DVec3;

use super::error::{Fault, MeshProblem};
use super::text::{Lines, number, shown, words};
use super::{MeshDescription, MeshFile, check_triangles};
use crate::mesh::polygon::{MOST_CORNERS, triangulate};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Ascii,
    Little,
    Big,
}

/// Type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn of(word: Option<&[u8]>, line: usize) -> Result<Self, Fault> {
        Ok(match word.unwrap_or_default() {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            other => return Err(MeshProblem::unexpected("a type of number", &shown(other)).at_line(line)),
        })
    }

    const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

#[derive(Clone, Debug)]
struct Property {
    name: String,
    value: Scalar,
    /// Type of the length, of a list.
    count: Option<Scalar>,
}

#[derive(Clone, Debug)]
struct Element {
    name: String,
    count: usize,
    line: usize,
    properties: Vec<Property>,
}

impl Element {
    /// Bytes of one item at least; in ASCII two a number, with the space behind it.
    fn least_size(&self, encoding: Encoding) -> usize {
        let of = |p: &Property| match (encoding, p.count) {
            (Encoding::Ascii, _) => 2,
            (_, Some(count)) => count.size(),
            (_, None) => p.value.size(),
        };
        self.properties.iter().map(of).sum()
    }
}

pub(super) fn read(bytes: &[u8]) -> Result<MeshFile, Fault> {
    let mut lines = Lines::new(bytes);
    let (encoding, elements) = header(&mut lines)?;
    let body = lines.rest();
    let mut source =
        Source { encoding, rest: body, start: bytes.len() - body.len(), line: lines.number, words: Vec::new() };
    let mut mesh = MeshDescription::default();
    for element in &elements {
        let size = element.least_size(encoding);
        let needed = (element.count as u64).saturating_mul(size as u64);
        // The last number needs no space behind it.
        if needed > source.rest.len() as u64 + 1 || (size == 0 && element.count > 0) {
            let found = source.rest.len() as u64;
            let what = "an element that the header declares";
            return Err(MeshProblem::Truncated { what, expected: needed, found }.at_line(element.line));
        }
        match element.name.as_str() {
            "vertex" => vertices(element, &mut source, &mut mesh)?,
            "face" => faces(element, &mut source, &mut mesh)?,
            "tristrips" => strips(element, &mut source, &mut mesh)?,
            _ => (0..element.count).try_for_each(|_| source.item(element, |_, _| Ok(())))?,
        }
    }
    let mut file = MeshFile::default();
    file.push("", mesh);
    Ok(file)
}

fn header(lines: &mut Lines<'_>) -> Result<(Encoding, Vec<Element>), Fault> {
    if lines.next() != Some(b"ply") {
        return Err(MeshProblem::unexpected("`ply` in the first line", "something else").at_line(1));
    }
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    while let Some(line) = lines.next() {
        let at = lines.number;
        let mut rest = words(line);
        match rest.next().unwrap_or_default() {
            b"format" => {
                encoding = Some(match rest.next().unwrap_or_default() {
                    b"ascii" => Encoding::Ascii,
                    b"binary_little_endian" => Encoding::Little,
                    b"binary_big_endian" => Encoding::Big,
                    other => return Err(MeshProblem::unexpected("a format of PLY", &shown(other)).at_line(at)),
                });
            }
            b"element" => {
                let name = shown(rest.next().unwrap_or_default());
                let count = rest.next().and_then(|w| str::from_utf8(w).ok()).and_then(|w| w.parse::<u32>().ok());
                let Some(count) = count else {
                    return Err(MeshProblem::unexpected("a name and a count", &shown(line)).at_line(at));
                };
                elements.push(Element { name, count: count as usize, line: at, properties: Vec::new() });
            }
            b"property" => {
                let Some(element) = elements.last_mut() else {
                    return Err(
                        MeshProblem::unexpected("`element` before the first property", &shown(line)).at_line(at)
                    );
                };
                let first = rest.next();
                let count = if first == Some(b"list") { Some(Scalar::of(rest.next(), at)?) } else { None };
                let value = Scalar::of(if count.is_some() { rest.next() } else { first }, at)?;
                let name = shown(rest.next().unwrap_or_default());
                element.properties.push(Property { name, value, count });
            }
            b"end_header" => {
                let encoding = encoding
                    .ok_or_else(|| MeshProblem::unexpected("`format` in the header", "end_header").at_line(at))?;
                return Ok((encoding, elements));
            }
            b"comment" | b"obj_info" | b"" => {}
            other => return Err(MeshProblem::unexpected("a word of the header", &shown(other)).at_line(at)),
        }
    }
    Err(MeshProblem::unexpected("`end_header`", "the end of the file").at_line(lines.number))
}

fn vertices(element: &Element, source: &mut Source<'_>, mesh: &mut MeshDescription) -> Result<(), Fault> {
    for axis in ["x", "y", "z"] {
        if !element.properties.iter().any(|p| p.name == axis && p.count.is_none()) {
            return Err(MeshProblem::Missing { what: "property of a vertex", name: axis.into() }.at_line(element.line));
        }
    }
    mesh.vertices.reserve(element.count);
    for _ in 0..element.count {
        let mut vertex = DVec3::ZERO;
        let place = source.place();
        source.item(element, |property, value| {
            match property.name.as_str() {
                "x" => vertex.x = value,
                "y" => vertex.y = value,
                "z" => vertex.z = value,
                _ => {}
            }
            Ok(())
        })?;
        if !vertex.is_finite() {
            return Err(MeshProblem::NotFinite.at(place));
        }
        mesh.vertices.push(vertex);
    }
    Ok(())
}

fn faces(element: &Element, source: &mut Source<'_>, mesh: &mut MeshDescription) -> Result<(), Fault> {
    let mut polygon: Vec<u32> = Vec::new();
    for _ in 0..element.count {
        polygon.clear();
        let place = source.place();
        let count = mesh.vertices.len();
        source.item(element, |property, value| {
            if property.count.is_some() && matches!(property.name.as_str(), "vertex_indices" | "vertex_index") {
                let known = (value >= 0.0 && value < count as f64).then_some(value as u32);
                polygon.push(known.ok_or(MeshProblem::Index { found: value as i64, count })?);
                if polygon.len() > MOST_CORNERS {
                    return Err(MeshProblem::Corners { found: polygon.len(), limit: MOST_CORNERS });
                }
            }
            Ok(())
        })?;
        match polygon[..] {
            [] | [_] | [_, _] => {}
            [a, b, c] => mesh.triangles.push([a, b, c]),
            _ => triangulate(&mesh.vertices, &polygon, &mut mesh.triangles),
        }
        check_triangles(mesh.triangles.len()).map_err(|problem| problem.at(place))?;
    }
    Ok(())
}

/// Lists of vertices of which each three in a row are a triangle, every other one turned; −1 begins a new strip.
fn strips(element: &Element, source: &mut Source<'_>, mesh: &mut MeshDescription) -> Result<(), Fault> {
    for _ in 0..element.count {
        let place = source.place();
        let count = mesh.vertices.len();
        let mut strip: Vec<u32> = Vec::new();
        let triangles = &mut mesh.triangles;
        source
            .item(element, |property, value| {
                if property.count.is_none() || property.name != "vertex_indices" {
                    return Ok(());
                }
                if value < 0.0 {
                    strip.clear();
                    return Ok(());
                }
                strip.push(
                    (value < count as f64)
                        .then_some(value as u32)
                        .ok_or(MeshProblem::Index { found: value as i64, count })?,
                );
                if let [.., a, b, c] = strip[..] {
                    triangles.push(if strip.len() % 2 == 1 { [a, b, c] } else { [b, a, c] });
                }
                check_triangles(triangles.len())
            })
            .map_err(|fault| Fault { place, ..fault })?;
    }
    Ok(())
}

/// What comes after the header, number by number.
struct Source<'a> {
    encoding: Encoding,
    rest: &'a [u8],
    /// Byte at which `rest` begins.
    start: usize,
    /// Line of the last word, in ASCII.
    line: usize,
    /// Words of that line which are left, backwards.
    words: Vec<&'a [u8]>,
}

impl Source<'_> {
    fn place(&self) -> super::MeshPlace {
        match self.encoding {
            Encoding::Ascii => super::MeshPlace::Line(u32::try_from(self.line + 1).unwrap_or(u32::MAX)),
            _ => super::MeshPlace::Byte(self.start as u64),
        }
    }

    /// Reads one item and shows each of its numbers, those of lists one by one.
    fn item(
        &mut self,
        element: &Element,
        mut show: impl FnMut(&Property, f64) -> Result<(), MeshProblem>,
    ) -> Result<(), Fault> {
        for property in &element.properties {
            let count = match property.count {
                None => 1,
                Some(scalar) => {
                    let place = self.place();
                    let count = self.scalar(scalar)?;
                    if !(count >= 0.0 && count <= self.left() as f64) {
                        let found = self.rest.len() as u64;
                        let expected = if count >= 0.0 { count as u64 } else { 0 };
                        return Err(MeshProblem::Truncated { what: "a list", expected, found }.at(place));
                    }
                    count as usize
                }
            };
            for _ in 0..count {
                let place = self.place();
                let value = self.scalar(property.value)?;
                show(property, value).map_err(|problem| problem.at(place))?;
            }
        }
        Ok(())
    }

    /// An upper bound of the numbers that are left.
    fn left(&self) -> usize {
        self.rest.len() + self.words.len()
    }

    fn scalar(&mut self, scalar: Scalar) -> Result<f64, Fault> {
        if self.encoding == Encoding::Ascii {
            return self.word();
        }
        let size = scalar.size();
        let Some((bytes, rest)) = self.rest.split_at_checked(size) else {
            let (expected, found) = (size as u64, self.rest.len() as u64);
            return Err(MeshProblem::Truncated { what: "a number", expected, found }.at_byte(self.start));
        };
        let mut raw = [0u8; 8];
        raw[..size].copy_from_slice(bytes);
        if self.encoding == Encoding::Big {
            raw[..size].reverse();
        }
        self.rest = rest;
        self.start += size;
        let [a, b, c, d, ..] = raw;
        Ok(match scalar {
            Scalar::I8 => f64::from(a.cast_signed()),
            Scalar::U8 => f64::from(a),
            Scalar::I16 => f64::from(i16::from_le_bytes([a, b])),
            Scalar::U16 => f64::from(u16::from_le_bytes([a, b])),
            Scalar::I32 => f64::from(i32::from_le_bytes([a, b, c, d])),
            Scalar::U32 => f64::from(u32::from_le_bytes([a, b, c, d])),
            Scalar::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
            Scalar::F64 => f64::from_le_bytes(raw),
        })
    }

    fn word(&mut self) -> Result<f64, Fault> {
        while self.words.is_empty() {
            if self.rest.is_empty() {
                return Err(MeshProblem::unexpected("a number", "the end of the file").at_line(self.line));
            }
            let mut lines = Lines::new(self.rest);
            let line = lines.next().unwrap_or_default();
            self.rest = lines.rest();
            self.line += 1;
            self.words.extend(words(line));
            self.words.reverse();
        }
        number(self.words.pop(), self.line)
    }
}
