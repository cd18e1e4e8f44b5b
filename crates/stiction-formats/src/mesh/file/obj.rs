//! OBJ: vertices, faces of any number of corners, objects and groups as submeshes. Texture coordinates, normals, materials,
//! lines, points and curves are passed over.

use std::collections::BTreeMap;

use stiction::math::DVec3;

use super::error::{Fault, MeshProblem};
use super::text::{Lines, number, shown, words};
use super::{MeshDescription, MeshFile, check_triangles};
use crate::mesh::polygon::{MOST_CORNERS, triangulate};

/// No vertex.
const NONE: u32 = u32::MAX;

#[derive(Default)]
struct Reader {
    vertices: Vec<DVec3>,
    /// Faces since the last `o` or `g`, as indices of `vertices`.
    triangles: Vec<[u32; 3]>,
    count: usize,
    name: String,
    /// Index of a part by its name: a group may be taken up again.
    parts: BTreeMap<String, usize>,
    /// Scratch: the number of a vertex in the part that is being closed.
    numbers: Vec<u32>,
    file: MeshFile,
}

pub(super) fn read(bytes: &[u8]) -> Result<MeshFile, Fault> {
    let mut reader = Reader::default();
    let mut polygon = Vec::new();
    let mut lines = Lines::new(bytes);
    let mut joined: Vec<u8> = Vec::new();
    while let Some(line) = lines.next() {
        let at = lines.number;
        // A backslash joins a line with the next one.
        if let Some(part) = line.strip_suffix(b"\\") {
            joined.extend_from_slice(part);
            joined.push(b' ');
            continue;
        }
        if joined.is_empty() {
            reader.line(line, at, &mut polygon)?;
        } else {
            joined.extend_from_slice(line);
            let whole = std::mem::take(&mut joined);
            reader.line(&whole, at, &mut polygon)?;
        }
    }
    reader.close_part();
    Ok(reader.file)
}

impl Reader {
    fn line(&mut self, line: &[u8], at: usize, polygon: &mut Vec<u32>) -> Result<(), Fault> {
        if line.contains(&0) {
            return Err(MeshProblem::unexpected("a text file", "a zero byte").at_line(at));
        }
        let mut rest = words(line);
        match rest.next() {
            Some(b"v") => {
                let mut coordinate = || number(rest.next(), at);
                self.vertices.push(DVec3::new(coordinate()?, coordinate()?, coordinate()?));
            }
            Some(b"f" | b"fo") => {
                polygon.clear();
                for corner in rest {
                    polygon.push(self.corner(corner, at)?);
                }
                self.face(polygon, at)?;
            }
            Some(b"o" | b"g") => {
                self.close_part();
                let name = line.get(1..).unwrap_or_default().trim_ascii();
                self.name = shown(name);
            }
            _ => {}
        }
        Ok(())
    }

    /// `V`, `V/T`, `V//N` or `V/T/N`; vertices count from 1, or backwards from −1.
    fn corner(&self, word: &[u8], at: usize) -> Result<u32, Fault> {
        let head = word.split(|b| *b == b'/').next().unwrap_or_default();
        let index: Option<i64> = str::from_utf8(head).ok().and_then(|text| text.parse().ok());
        let Some(found) = index else {
            return Err(MeshProblem::unexpected("the number of a vertex", &shown(word)).at_line(at));
        };
        let count = self.vertices.len();
        let from_zero = if found < 0 { found.saturating_add(count as i64) } else { found - 1 };
        let index = usize::try_from(from_zero).ok().filter(|index| *index < count);
        index.map(|index| index as u32).ok_or_else(|| MeshProblem::Index { found, count }.at_line(at))
    }

    fn face(&mut self, polygon: &[u32], at: usize) -> Result<(), Fault> {
        match *polygon {
            [a, b, c] => self.triangles.push([a, b, c]),
            [_, _] | [_] | [] => {
                let found = format!("a face of {}", polygon.len());
                return Err(MeshProblem::unexpected("three corners or more", &found).at_line(at));
            }
            _ if polygon.len() > MOST_CORNERS => {
                return Err(MeshProblem::Corners { found: polygon.len(), limit: MOST_CORNERS }.at_line(at));
            }
            _ => triangulate(&self.vertices, polygon, &mut self.triangles),
        }
        check_triangles(self.count + self.triangles.len()).map_err(|problem| problem.at_line(at))
    }

    /// Puts the faces so far into the part of their name, with the vertices that they use.
    fn close_part(&mut self) {
        if self.triangles.is_empty() {
            return;
        }
        self.count += self.triangles.len();
        self.numbers.resize(self.vertices.len(), NONE);
        let mut part = MeshDescription::default();
        let mut used = Vec::new();
        for corner in self.triangles.iter_mut().flatten() {
            let number = &mut self.numbers[*corner as usize];
            if *number == NONE {
                *number = used.len() as u32;
                used.push(*corner);
            }
            *corner = *number;
        }
        // Only what was written is undone: a file may have a group for every face.
        used.iter().for_each(|v| self.numbers[*v as usize] = NONE);
        part.vertices = used.iter().map(|v| self.vertices[*v as usize]).collect();
        part.triangles = std::mem::take(&mut self.triangles);
        match self.parts.get(&self.name) {
            Some(&index) => self.file.submeshes[index].mesh.append(&part),
            None => {
                self.parts.insert(self.name.clone(), self.file.submeshes.len());
                self.file.push(&self.name, part);
            }
        }
    }
}
