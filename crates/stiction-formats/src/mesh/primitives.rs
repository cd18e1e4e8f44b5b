//! Closed meshes of round shapes, for scales that leave nothing round.

use stiction::math::DVec3;

use super::MeshDescription;

/// A box.
pub(super) fn cuboid(size: DVec3) -> MeshDescription {
    let sign = |bit: usize| if bit == 0 { -0.5 } else { 0.5 };
    let corner = |i: usize| DVec3::new(sign(i & 1), sign(i & 2), sign(i & 4)) * size;
    let sides: [[u32; 4]; 6] = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = sides.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    MeshDescription { vertices: (0..8).map(corner).collect(), triangles }
}

/// A polyline of radii and heights turned about y, from the bottom to the top; radius 0 only at its ends.
fn turned(outline: &[[f64; 2]], divisions: u32) -> MeshDescription {
    let n = divisions.max(3);
    let mut mesh = MeshDescription::default();
    // First vertex of each point of the outline, and whether it is a pole.
    let mut rings = Vec::with_capacity(outline.len());
    for [radius, height] in outline {
        let is_pole = *radius == 0.0;
        rings.push((mesh.vertices.len() as u32, is_pole));
        for k in 0..if is_pole { 1 } else { n } {
            let (sin, cos) = libm::sincos(f64::from(k) / f64::from(n) * core::f64::consts::TAU);
            mesh.vertices.push(DVec3::new(radius * cos, *height, radius * sin));
        }
    }
    for pair in rings.windows(2) {
        let [(low, low_pole), (high, high_pole)] = [pair[0], pair[1]];
        for k in 0..n {
            let next = (k + 1) % n;
            if !low_pole {
                mesh.triangles.push([low + k, if high_pole { high } else { high + k }, low + next]);
            }
            if !high_pole {
                mesh.triangles.push([high + k, high + next, if low_pole { low } else { low + next }]);
            }
        }
    }
    mesh
}

/// A cylinder along y.
pub(super) fn cylinder(radius: f64, height: f64, divisions: u32) -> MeshDescription {
    let h = 0.5 * height;
    turned(&[[0.0, -h], [radius, -h], [radius, h], [0.0, h]], divisions)
}

/// A cone along y, its tip at +y.
pub(super) fn cone(radius: f64, height: f64, divisions: u32) -> MeshDescription {
    let h = 0.5 * height;
    turned(&[[0.0, -h], [radius, -h], [0.0, h]], divisions)
}

/// A ball with radii across and along y, its halves apart by a height: a sphere, or a capsule.
pub(super) fn ball([across, along]: [f64; 2], height: f64, divisions: u32) -> MeshDescription {
    // Parts of a quarter of a circle.
    let parts = divisions.div_ceil(4).max(2);
    let point = |k: u32, sign: f64| {
        let (sin, cos) = libm::sincos(f64::from(k) / f64::from(parts) * core::f64::consts::FRAC_PI_2);
        [if k == parts { 0.0 } else { across * cos }, sign * (0.5 * height + along * sin)]
    };
    let mut outline: Vec<[f64; 2]> = (0..=parts).rev().map(|k| point(k, -1.0)).collect();
    outline.extend((0..=parts).map(|k| point(k, 1.0)));
    outline.dedup();
    turned(&outline, divisions)
}

#[cfg(test)]
mod tests {
    use super::super::Solidity;
    use super::*;
    use core::f64::consts::PI;

    #[test]
    fn they_are_closed_and_outward_and_near_their_volumes() {
        for (mesh, volume) in [
            (cuboid(DVec3::new(1.0, 2.0, 3.0)), 6.0),
            (cylinder(0.5, 2.0, 200), PI * 0.5),
            (cone(0.5, 3.0, 200), PI * 0.25),
            (ball([1.0, 1.0], 0.0, 200), 4.0 / 3.0 * PI),
            (ball([0.5, 0.5], 1.0, 200), PI * 0.25 + PI / 6.0),
        ] {
            let Ok(Solidity::Solid(mass)) = mesh.solidity() else { panic!("{volume}: {:?}", mesh.solidity()) };
            assert!((mass.mass / volume - 1.0).abs() < 5e-4, "{} {volume}", mass.mass);
        }
    }
}
