//! Random scenes of contact: shapes that fall, slide, roll and pile up on ground of every kind.

mod judge;
mod shapes;

use stiction::contact::restitution::Restitution;
use stiction::material::{FrictionModel, Surface};
use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{BodyDefinition, BodyId, GeomDefinition, World};

use crate::random::Draw;
use crate::setting::Setting;
use crate::verdict::Verdict;

/// A scene of a seed, as a world under a setting.
pub struct ContactScene {
    /// The world.
    pub world: World,
    /// Step \[s\].
    pub step: f64,
    /// Contacts are rows that hold, not forces of a law.
    is_hard: bool,
    /// Friction is what a number of sweeps leaves of it, beside normals that are solved again.
    is_swept: bool,
    /// Forces are sums of those in parts of a step.
    is_in_substeps: bool,
    is_continuous: bool,
    /// Some body is a mesh.
    has_meshes: bool,
    /// Largest friction coefficient in any direction.
    friction: f64,
    /// Restitution.
    bounce: f64,
    /// Smallest half length of a shape \[m\].
    size: f64,
    /// In words.
    pub description: String,
}

/// Adds a shape with its surface.
fn put(world: &mut World, shape: Shape, body: Option<BodyId>, pose: Pose, surface: Surface) -> bool {
    world.add_geom(&GeomDefinition { surface, pose, ..GeomDefinition::new(shape, body) }).is_ok()
}

impl ContactScene {
    /// The scene of a seed; the same bodies under every setting.
    #[must_use]
    pub fn new(seed: u64, setting: &Setting) -> Self {
        let draw = &mut Draw::new(seed ^ 0x5ca1_ab1e);
        let lean = if draw.chance(0.5) { 0.0 } else { draw.uniform(0.0, 0.6) };
        let gravity = 9.81 * DVec3::new(lean.sin(), 0.0, -lean.cos());
        let step = *draw.pick(&[1e-3, 1e-3, 2e-3, 4e-3, 1.0 / 120.0]);
        let mut parameters = setting.parameters(gravity);
        let model = *draw.pick(&[FrictionModel::Pyramid, FrictionModel::Pyramid, FrictionModel::Cone]);
        parameters.friction_model = model;
        let mut world = World::new(parameters);
        let mu = if draw.chance(0.1) { 0.0 } else { draw.uniform(0.0, 1.2) };
        let bounce = draw.chance(0.2).then(|| draw.uniform(0.0, 1.0));
        let surface = Surface {
            friction: [mu; 2],
            bounce: bounce.map(|coefficient| Restitution { coefficient, threshold: 0.01 }),
            ..Surface::default()
        };
        let count = if draw.chance(0.15) { draw.index(10, 30) } else { draw.index(1, 9) };
        let spread = if draw.chance(0.7) { 2.0 } else { 30.0 };
        let columns = draw.index(1, 4);
        let speed = draw.log(0.01, 3.0);
        let size = draw.log(0.05, 0.4);
        let is_upright = draw.chance(0.6);
        let mut names = Vec::new();
        let mut above = 0.0;
        if let Ok((ground, pose, height, name)) = shapes::ground(draw, size)
            && put(&mut world, ground, None, pose, surface)
        {
            names.push(name);
            above = height;
        }
        let mut smallest = f64::INFINITY;
        for number in 0..count {
            let half = draw.vector(0.5).abs() * size + DVec3::splat(0.3 * size);
            let Ok((shape, Some(mass), name)) = shapes::solid(draw, half) else { continue };
            let mass = mass.with_mass(draw.log(1.0 / spread, spread));
            let level = number / columns;
            // Upright shapes stand close, turned ones have room, so that nothing begins inside another.
            let (across, up) = if is_upright { (2.0, 1.9) } else { (3.2, 3.2) };
            let place = DVec3::new((number % columns) as f64 * across, 0.0, 0.5 * up + up * level as f64) * size;
            let rotation = if is_upright { DQuat::IDENTITY } else { draw.rotation() };
            let definition = BodyDefinition {
                pose: Pose::new(place + above * DVec3::Z + draw.vector(0.1 * size), rotation),
                velocity: draw.vector(speed),
                omega: draw.vector(speed),
                mass,
                ..BodyDefinition::default()
            };
            if let Ok(body) = world.add_body(&definition) {
                smallest = half.min_element().min(smallest);
                put(&mut world, shape, Some(body), Pose::IDENTITY, surface);
                names.push(name);
            }
        }
        let is_cone = model == FrictionModel::Cone || !setting.is_hard();
        let friction = if is_cone { mu } else { mu * std::f64::consts::SQRT_2 };
        let description = format!(
            "size {size:.2} m, lean {lean:.2}, mu {mu:.2}, {model:?}, bounce {bounce:?}, spread {spread}, step {step:.1e}, {}",
            names.join(" ")
        );
        Self {
            world,
            step,
            is_hard: setting.is_hard(),
            is_swept: setting.is_swept(),
            is_in_substeps: setting.is_in_substeps(),
            is_continuous: setting.is_continuous(),
            has_meshes: names.contains(&"mesh"),
            friction,
            bounce: bounce.unwrap_or(0.0),
            size: smallest,
            description,
        }
    }

    /// Runs it and looks at every step.
    #[must_use]
    pub fn judge(self, steps: usize) -> Verdict {
        judge::judge(self, steps)
    }
}
