//! STL, binary and ASCII.
//!
//! A binary file is 80 bytes of anything, a little-endian count, and 50 bytes a triangle: normal, three corners, two bytes
//! more. Its header may begin with `solid`, as every ASCII file does, so the length decides. Normals are not used: the order
//! of the corners says which side is out.

use stiction::math::DVec3;

use super::error::{Fault, MeshProblem};
use super::text::{Lines, number, shown, without_mark, words};
use super::{MeshDescription, MeshFile, check_triangles};
use crate::mesh::weld::Welder;

const HEADER: usize = 84;
const TRIANGLE: usize = 50;

pub(super) fn read(bytes: &[u8]) -> Result<MeshFile, Fault> {
    let mut file = MeshFile::default();
    let claimed = bytes.get(80..HEADER).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize);
    let is_whole = claimed.is_some_and(|count| bytes.len() == HEADER + TRIANGLE * count);
    if is_whole || !is_text(bytes) {
        file.push("", binary(bytes)?);
    } else {
        ascii(without_mark(bytes), &mut file)?;
    }
    Ok(file)
}

/// It begins like an ASCII file, and its second word or line does not tell otherwise.
fn is_text(bytes: &[u8]) -> bool {
    let start = without_mark(bytes).trim_ascii_start();
    start.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"))
        && !start[..start.len().min(512)].contains(&0)
}

fn binary(bytes: &[u8]) -> Result<MeshDescription, Fault> {
    let truncated = |what, expected: usize, found: usize| MeshProblem::Truncated {
        what,
        expected: expected as u64,
        found: found as u64,
    };
    let Some(body) = bytes.get(HEADER..) else {
        return Err(truncated("the header of a binary STL file", HEADER, bytes.len()).of_file());
    };
    let count = u32::from_le_bytes([bytes[80], bytes[81], bytes[82], bytes[83]]) as usize;
    check_triangles(count).map_err(|problem| problem.at_byte(80))?;
    // Some programs write more behind the triangles.
    if body.len() < TRIANGLE * count {
        let whole = body.len() / TRIANGLE * TRIANGLE;
        return Err(truncated("its triangles", TRIANGLE * count, body.len()).at_byte(HEADER + whole));
    }
    let mut welder = Welder::with_capacity(count / 2);
    let mut triangles = Vec::with_capacity(count);
    for (index, facet) in body.chunks_exact(TRIANGLE).take(count).enumerate() {
        let corner = |k: usize| {
            let at = |axis: usize| {
                let b = 12 + 12 * k + 4 * axis;
                f64::from(f32::from_le_bytes([facet[b], facet[b + 1], facet[b + 2], facet[b + 3]]))
            };
            DVec3::new(at(0), at(1), at(2))
        };
        let corners = [corner(0), corner(1), corner(2)];
        if corners.iter().any(|c| !c.is_finite()) {
            return Err(MeshProblem::NotFinite.at_byte(HEADER + TRIANGLE * index));
        }
        triangles.push(corners.map(|c| welder.index(c)));
    }
    Ok(MeshDescription { vertices: welder.into_vertices(), triangles })
}

/// `solid NAME`, then `facet normal … outer loop vertex … endloop endfacet`; a file may hold several solids. Line breaks mean
/// nothing.
fn ascii(bytes: &[u8], file: &mut MeshFile) -> Result<(), Fault> {
    let mut name = String::new();
    let mut welder = Welder::default();
    let mut mesh = MeshDescription::default();
    let mut corners: Vec<u32> = Vec::new();
    let mut is_open = false;
    let mut lines = Lines::new(bytes);
    while let Some(line) = lines.next() {
        let at = lines.number;
        let mut rest = words(line).peekable();
        while let Some(word) = rest.next() {
            match word.to_ascii_lowercase().as_slice() {
                b"solid" => {
                    name = shown(line).split_whitespace().nth(1).unwrap_or("").to_owned();
                    break;
                }
                b"endsolid" => {
                    mesh.vertices = std::mem::take(&mut welder).into_vertices();
                    file.push(&name, std::mem::take(&mut mesh));
                    break;
                }
                b"facet" => {
                    corners.clear();
                    is_open = true;
                    // `normal` and three numbers, which may be NaN.
                    rest.by_ref().take(4).for_each(drop);
                }
                b"outer" => drop(rest.next()),
                // Three numbers that some programs write of each facet.
                b"color" => rest.by_ref().take(3).for_each(drop),
                b"vertex" if is_open => {
                    let mut coordinate = || number(rest.next(), at);
                    corners.push(welder.index(DVec3::new(coordinate()?, coordinate()?, coordinate()?)));
                    if corners.len() > 3 {
                        return Err(MeshProblem::Corners { found: corners.len(), limit: 3 }.at_line(at));
                    }
                }
                b"endloop" => {}
                b"endfacet" if is_open => {
                    let [a, b, c] = corners[..] else {
                        return Err(MeshProblem::unexpected(
                            "three vertices in a facet",
                            &format!("{}", corners.len()),
                        )
                        .at_line(at));
                    };
                    mesh.triangles.push([a, b, c]);
                    check_triangles(mesh.triangles.len()).map_err(|problem| problem.at_line(at))?;
                    is_open = false;
                }
                _ => return Err(MeshProblem::unexpected("`facet`, `vertex` or `endsolid`", &shown(word)).at_line(at)),
            }
        }
    }
    if is_open {
        let (expected, found) = ("`endfacet`", "the end of the file");
        return Err(MeshProblem::unexpected(expected, found).at_line(lines.number));
    }
    mesh.vertices = welder.into_vertices();
    file.push(&name, mesh);
    Ok(())
}
