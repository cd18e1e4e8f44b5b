//! Shapes as seen from a place, far triangles first (painter's algorithm).

use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction_bench::outlines::{Corners, triangles};
use stiction_plot::bitmap;

use crate::robots;
use crate::scene::Failure;

/// Size of a picture \[px\].
const SIZE: (u32, u32) = (960, 540);
/// Triangles longer than this are cut, so that what lies before them is drawn after them \[m\].
const LONGEST: f64 = 0.3;
/// The same as a part of the width of the picture.
const LARGEST_PART: f64 = 0.043;

/// Where a picture is taken from and what it looks at \[m\], and the width that it shows there \[m\].
pub struct Camera {
    pub eye: DVec3,
    pub target: DVec3,
    pub width: f64,
}

/// Halves the longest side until none is long.
fn cut([a, b, c]: Corners, most: f64, out: &mut Vec<Corners>) {
    let sides = [(b - a).length(), (c - b).length(), (a - c).length()];
    let longest = sides[0].max(sides[1]).max(sides[2]);
    if longest < most {
        out.push([a, b, c]);
    } else if longest == sides[0] {
        cut([a, 0.5 * (a + b), c], most, out);
        cut([0.5 * (a + b), b, c], most, out);
    } else if longest == sides[1] {
        cut([a, b, 0.5 * (b + c)], most, out);
        cut([a, 0.5 * (b + c), c], most, out);
    } else {
        cut([a, b, 0.5 * (a + c)], most, out);
        cut([0.5 * (a + c), b, c], most, out);
    }
}

/// Draws shapes, the ground first, into a PNG file.
pub fn draw(path: &Path, camera: &Camera, scene: &[(Shape, Pose)]) -> Result<(), Failure> {
    let mut pixels = bitmap::pixels(SIZE);
    paint(&BitMapBackend::with_buffer(&mut pixels, SIZE).into_drawing_area(), camera, scene)?;
    Ok(bitmap::write(path, SIZE, &pixels)?)
}

fn paint(
    root: &DrawingArea<BitMapBackend<'_>, Shift>,
    camera: &Camera,
    scene: &[(Shape, Pose)],
) -> Result<(), Failure> {
    root.fill(&WHITE)?;
    let forward = (camera.target - camera.eye).normalize();
    let right = forward.cross(DVec3::Z).normalize();
    let up = right.cross(forward);
    let distance = (camera.target - camera.eye).length();
    let pixels_per_metre = f64::from(SIZE.0) / camera.width;
    let place = |p: DVec3| {
        let from = p - camera.eye;
        let scale = pixels_per_metre * distance / from.dot(forward);
        let (x, y) = (from.dot(right) * scale, from.dot(up) * scale);
        ((0.5 * f64::from(SIZE.0) + x) as i32, (0.5 * f64::from(SIZE.1) - y) as i32)
    };
    let light = DVec3::new(0.3, -0.5, 1.0).normalize();
    let mut drawn: Vec<(f64, Corners, RGBColor)> = Vec::new();
    for (k, (shape, pose)) in scene.iter().enumerate() {
        let color = if k == 0 { [196, 190, 176] } else { COLORS[k % COLORS.len()] };
        for corners in triangles(shape) {
            let mut pieces = Vec::new();
            cut(corners.map(|p| pose.point(p)), LONGEST.min(LARGEST_PART * camera.width), &mut pieces);
            for piece in pieces {
                let normal = (piece[1] - piece[0]).cross(piece[2] - piece[0]).normalize_or_zero();
                let middle = (piece[0] + piece[1] + piece[2]) / 3.0;
                if normal.dot(middle - camera.eye) >= 0.0 {
                    continue;
                }
                let shade = 0.45 + 0.55 * normal.dot(light).max(0.0);
                let [r, g, b] = color.map(|c| (f64::from(c) * shade) as u8);
                // What lies on the ground is nearer than the ground under it.
                let depth = (middle - camera.eye).length() + if k == 0 { 0.15 } else { 0.0 };
                drawn.push((depth, piece, RGBColor(r, g, b)));
            }
        }
    }
    drawn.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, corners, color) in &drawn {
        root.draw(&Polygon::new(corners.map(place).to_vec(), color.filled()))?;
    }
    root.present()?;
    Ok(())
}

const COLORS: [[u8; 3]; 7] =
    [[70, 120, 190], [210, 100, 60], [80, 150, 90], [150, 90, 170], [220, 180, 70], [90, 170, 180], [190, 90, 110]];

/// Draws into a file.
type Picture = fn(&Path) -> Result<(), Failure>;

/// The bundled robots, a wheel on its way down a staircase, and two hundred bodies at rest on a mesh.
pub const PICTURES: [(&str, Picture); 6] = [
    ("robots_forklift", robots::forklift),
    ("robots_gripper", robots::gripper),
    ("robots_quadruped", robots::quadruped),
    ("robots_rover", robots::rover),
    ("stairs", stairs),
    ("terrain", terrain),
];

fn terrain(path: &Path) -> Result<(), Failure> {
    let camera = Camera { eye: DVec3::new(-9.0, -11.0, 8.0), target: DVec3::new(0.0, 0.0, -0.3), width: 15.5 };
    draw(path, &camera, &super::guide::terrain::settle(12.0)?.0)
}

fn stairs(path: &Path) -> Result<(), Failure> {
    let camera = Camera { eye: DVec3::new(3.0, -9.0, 2.5), target: DVec3::new(1.8, 0.0, -0.5), width: 7.0 };
    draw(path, &camera, &super::guide::stairs::roll(4.0, 0.5)?.0)
}
