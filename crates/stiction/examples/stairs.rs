//! A wheel with spokes rolls down a staircase, both of them meshes: `cargo run -p stiction --release --example stairs`.

use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::{Shape, ShapeError, TriangleMesh};
use stiction::world::{BodyDefinition, GeomDefinition, World, WorldParameters};

/// Sectors of the wheel, its spokes, and its radii: hub, inside of the rim, outside \[m\].
const SECTORS: u32 = 48;
const SPOKES: u32 = 6;
const RADII: [f64; 3] = [0.08, 0.32, 0.4];
/// Half of the wheel's width \[m\].
const HALF: f64 = 0.06;
/// Steps, and the depth and height of each \[m\].
const STEPS: u32 = 8;
const TREAD: f64 = 0.5;
const RISE: f64 = 0.16;

/// Shapes and their poses.
pub type Scene = Vec<(Shape, Pose)>;

/// The wheel about y: sectors of the hub, spokes between hub and rim, and the rim. Of the sides of its cells those count that no other
/// cell has.
fn wheel() -> Result<TriangleMesh, ShapeError> {
    let is_there = |ring: u32, sector: u32| ring != 1 || sector.is_multiple_of(SECTORS / SPOKES);
    let radii = [0.0, RADII[0], RADII[1], RADII[2]];
    // Two sides of the wheel, four circles each.
    let number = |side: u32, circle: u32, sector: u32| (side * 4 + circle) * SECTORS + sector % SECTORS;
    let mut vertices = Vec::new();
    for y in [-HALF, HALF] {
        for radius in radii {
            for sector in 0..SECTORS {
                let (sine, cosine) = (std::f64::consts::TAU * f64::from(sector) / f64::from(SECTORS)).sin_cos();
                vertices.push(DVec3::new(radius * cosine, y, radius * sine));
            }
        }
    }
    let mut triangles = Vec::new();
    let mut quad = |[a, b, c, d]: [u32; 4]| triangles.extend([[a, b, c], [a, c, d]]);
    for ring in 0..3 {
        for sector in (0..SECTORS).filter(|s| is_there(ring, *s)) {
            let corners = |side| {
                [(ring, sector), (ring + 1, sector), (ring + 1, sector + 1), (ring, sector + 1)]
                    .map(|(circle, sector)| number(side, circle, sector))
            };
            let (near, far) = (corners(0), corners(1));
            quad(near);
            quad([far[3], far[2], far[1], far[0]]);
            let neighbours = [
                is_there(ring, (sector + SECTORS - 1) % SECTORS),
                ring < 2 && is_there(ring + 1, sector),
                is_there(ring, (sector + 1) % SECTORS),
                ring == 0 || is_there(ring - 1, sector),
            ];
            for (k, _) in neighbours.iter().enumerate().filter(|(_, is_there)| !**is_there) {
                quad([near[(k + 1) % 4], near[k], far[k], far[(k + 1) % 4]]);
            }
        }
    }
    TriangleMesh::new(&vertices, &triangles)
}

/// Going down along x from a landing to a floor, 3 m wide.
fn stairs() -> Result<Shape, ShapeError> {
    let mut profile = vec![[-1.5, 0.0]];
    for step in 0..STEPS {
        let (x, z) = (TREAD * f64::from(step), -RISE * f64::from(step));
        profile.extend([[x, z], [x, z - RISE]]);
    }
    let foot = -RISE * f64::from(STEPS);
    profile.push([TREAD * f64::from(STEPS) + 4.0, foot]);
    let mut vertices = Vec::new();
    for &[x, z] in &profile {
        // The surface on both sides, and the ground under it.
        vertices.extend([(-1.5, z), (1.5, z), (1.5, foot - 0.5), (-1.5, foot - 0.5)].map(|(y, z)| DVec3::new(x, y, z)));
    }
    let mut triangles: Vec<[u32; 3]> = vec![[0, 2, 3], [0, 1, 2]];
    let last = 4 * (profile.len() as u32 - 1);
    triangles.extend([[last, last + 2, last + 1], [last, last + 3, last + 2]]);
    for a in (0..last).step_by(4) {
        for k in 0..4 {
            let [p, q] = [a + k, a + (k + 1) % 4];
            triangles.extend([[p, q + 4, q], [p, p + 4, q + 4]]);
        }
    }
    Shape::triangle_mesh(&vertices, &triangles)
}

/// Rolls the wheel for a time \[s\] and gives the stairs, then the wheel every so often; and the largest overlap on its way \[m\].
pub fn roll(time: f64, every: f64) -> Result<(Scene, f64), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldParameters { gravity: DVec3::NEG_Z * 9.81, ..WorldParameters::default() });
    let stairs = stairs()?;
    world.add_geom(&GeomDefinition::new(stairs.clone(), None))?;
    let mesh = wheel()?;
    let mass = mesh.mass_properties(700.0)?;
    let wheel = Shape::TriangleMesh(std::sync::Arc::new(mesh));
    let definition = BodyDefinition {
        pose: Pose::new(DVec3::new(-1.0, 0.0, RADII[2] + 0.001), DQuat::IDENTITY),
        velocity: DVec3::X,
        omega: DVec3::Y / RADII[2],
        mass,
        ..BodyDefinition::default()
    };
    let body = world.add_body(&definition)?;
    world.add_geom(&GeomDefinition::new(wheel.clone(), Some(body)))?;
    let mut scene = vec![(stairs, Pose::IDENTITY)];
    let mut deepest = 0.0f64;
    while world.time() < time {
        let due = scene.len() as f64 - 1.0;
        if world.time() >= due * every {
            scene.extend(world.body(body).map(|b| (wheel.clone(), b.pose())));
        }
        deepest = deepest.max(world.step(2e-3).penetration);
    }
    Ok((scene, deepest))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (scene, deepest) = roll(4.0, 0.5)?;
    for (k, (_, pose)) in scene.iter().skip(1).enumerate() {
        println!("after {:.1} s the wheel is at {:.2}", 0.5 * k as f64, pose.position);
    }
    println!("its deepest overlap was {:.1} mm", 1e3 * deepest);
    Ok(())
}

#[test]
fn the_wheel_comes_down_upright() -> Result<(), Box<dyn std::error::Error>> {
    let (scene, deepest) = roll(4.0, 4.0)?;
    let mesh = wheel()?;
    assert!(mesh.is_closed());
    // Hub, spokes and rim of sectors, whose triangles are smaller than the circle's by sin(2π/n) n/2π.
    let [hub, inner, outer] = RADII.map(|r| r * r);
    let spokes = (inner - hub) * f64::from(SPOKES) / f64::from(SECTORS);
    let angle = std::f64::consts::TAU / f64::from(SECTORS);
    let exact = f64::from(SECTORS) * angle.sin() * HALF * (hub + spokes + outer - inner);
    assert!((mesh.volume() / exact - 1.0).abs() < 1e-12, "{} for {exact} m³", mesh.volume());
    let (_, pose) = scene.last().ok_or("the wheel")?;
    assert!(pose.position.x < -0.9, "the first picture is of the start");
    let (scene, _) = roll(4.01, 2.0)?;
    let end = scene[scene.len() - 1].1;
    let floor = RADII[2] - RISE * f64::from(STEPS);
    assert!(end.position.x > 3.0 && end.position.z > floor - 0.01 && end.position.z < 0.0, "{}", end.position);
    // Upright: its axis is level.
    assert!((end.rotation * DVec3::Y).z.abs() < 0.2, "{}", end.rotation);
    assert!(deepest < 0.02, "{deepest} m deep");
    Ok(())
}
