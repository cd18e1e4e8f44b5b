//! Small worlds for tests.

use stiction::material::Surface;
use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::{HeightfieldDefinition, MassProperties, Shape};
use stiction::world::{BodyDefinition, BodyId, GeomDefinition, Preset, World, WorldParameters};

pub const GRAVITY: f64 = 9.81;

/// Gravity down, everything else the default.
pub fn parameters() -> WorldParameters {
    WorldParameters { gravity: DVec3::new(0.0, 0.0, -GRAVITY), ..WorldParameters::default() }
}

/// A ground plane z = 0.
pub fn add_ground(world: &mut World, surface: Surface) {
    let shape = Shape::plane(DVec3::Z, 0.0).unwrap();
    world.add_geom(&GeomDefinition { surface, ..GeomDefinition::new(shape, None) }).unwrap();
}

/// A body of one shape and of a total mass.
pub fn add_shape(world: &mut World, shape: Shape, mass: f64, pose: Pose, surface: Surface) -> BodyId {
    let mass = shape.mass_properties(1.0).unwrap().with_mass(mass);
    let body = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
    world.add_geom(&GeomDefinition { surface, ..GeomDefinition::new(shape, Some(body)) }).unwrap();
    body
}

/// A box with full side lengths.
pub fn add_box(world: &mut World, sides: DVec3, mass: f64, position: DVec3, mu: f64) -> BodyId {
    let surface = Surface { friction: [mu; 2], ..Surface::default() };
    add_shape(world, Shape::cuboid(sides).unwrap(), mass, Pose::from_position(position), surface)
}

/// Mass properties of a solid box.
pub fn box_mass(sides: DVec3, mass: f64) -> MassProperties {
    Shape::cuboid(sides).unwrap().mass_properties(1.0).unwrap().with_mass(mass)
}

/// Engines with fixed steps.
pub const FIXED_STEP_ENGINES: [Preset; 8] = [
    Preset::Ode,
    Preset::OdeQuick,
    Preset::OdeWorld,
    Preset::Bullet,
    Preset::BulletFeatherstone,
    Preset::Dart,
    Preset::Agx,
    Preset::DrakeDiscrete,
];

/// Fixed sequence of numbers in −1 … 1.
pub struct Sequence(pub u64);

impl Sequence {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }

    pub fn rotation(&mut self) -> DQuat {
        DQuat::from_xyzw(self.next(), self.next(), self.next(), self.next()).normalize()
    }
}

/// Triangles of a cube whose corner k has its coordinates in the bits of k.
pub const CUBE_TRIANGLES: [[u32; 3]; 12] = [
    [0, 2, 1],
    [1, 2, 3],
    [4, 5, 6],
    [5, 7, 6],
    [0, 1, 4],
    [1, 5, 4],
    [2, 6, 3],
    [3, 6, 7],
    [0, 4, 2],
    [2, 4, 6],
    [1, 3, 5],
    [3, 7, 5],
];

/// Corners of a cube about the origin, in the order of [`CUBE_TRIANGLES`].
pub fn cube_corners(side: f64) -> Vec<DVec3> {
    let coordinate = |k: u32, bit: u32| if k & bit != 0 { 0.5 * side } else { -0.5 * side };
    (0..8).map(|k| DVec3::new(coordinate(k, 1), coordinate(k, 2), coordinate(k, 4))).collect()
}

/// A heightfield of so many heights on each side, over a square of an extent \[m\].
pub fn square_field(heights: &[f64], count: usize, extent: f64, thickness: f64) -> Shape {
    let definition = HeightfieldDefinition {
        heights,
        columns: count,
        rows: count,
        width: extent,
        depth: extent,
        scale: 1.0,
        offset: 0.0,
        thickness,
        wraps: false,
    };
    Shape::heightfield(&definition).unwrap()
}
