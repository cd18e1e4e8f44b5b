//! Random scenes of contact: shapes that fall, slide, roll and pile up on a slope.

use stiction::contact::restitution::Restitution;
use stiction::material::{FrictionModel, Surface};
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{BodyDefinition, BodyId, GeomDefinition, World};

use crate::energy::energy;
use crate::mechanism::Setting;
use crate::random::Draw;

/// A scene of a seed, as a world under a setting.
pub struct ContactScene {
    /// The world.
    pub world: World,
    /// Step \[s\].
    pub step: f64,
    /// Largest friction coefficient of a pair.
    pub friction: f64,
    /// In words.
    pub description: String,
}

/// What a scene violated, at worst.
#[derive(Clone, Debug, Default)]
pub struct Violations {
    /// Force that pulls, over the largest force of the step.
    pub pull: f64,
    /// Friction beyond its bound, over the largest force of the step.
    pub cone: f64,
    /// Energy above that of the start, over the energy at play.
    pub gain: f64,
    /// Depth, over the size of the smallest shape.
    pub depth: f64,
    /// Residual of the rows \[m/s\].
    pub residual: f64,
    /// Steps in which a solver gave up.
    pub gave_up: u32,
    /// Steps.
    pub steps: u32,
    /// Numbers stayed finite.
    pub is_finite: bool,
}

impl ContactScene {
    /// The scene of a seed; the same bodies under every setting.
    ///
    /// # Panics
    /// Never: the shapes are sound.
    #[must_use]
    pub fn new(seed: u64, setting: &Setting) -> Self {
        let draw = &mut Draw::new(seed ^ 0x5ca1_ab1e);
        let lean = if draw.chance(0.5) { 0.0 } else { draw.uniform(0.0, 0.6) };
        let gravity = 9.81 * DVec3::new(lean.sin(), 0.0, -lean.cos());
        let step = *draw.pick(&[1e-3, 1e-3, 2e-3, 4e-3, 1.0 / 120.0]);
        let mut parameters = setting.parameters(gravity);
        parameters.friction_model = *draw.pick(&[FrictionModel::Pyramid, FrictionModel::Pyramid, FrictionModel::Cone]);
        let model = parameters.friction_model;
        let mut world = World::new(parameters);
        let mu = draw.uniform(0.0, 1.2);
        let bounce = draw.chance(0.2).then(|| draw.uniform(0.0, 1.0));
        let surface = |mu: f64| Surface {
            friction: [mu; 2],
            bounce: bounce.map(|coefficient| Restitution { coefficient, threshold: 0.01 }),
            ..Surface::default()
        };
        let add = |world: &mut World, shape: Shape, body: Option<BodyId>, mu: f64| {
            let _ = world.add_geom(&GeomDefinition { surface: surface(mu), ..GeomDefinition::new(shape, body) });
        };
        if let Ok(plane) = Shape::plane(DVec3::Z, 0.0) {
            add(&mut world, plane, None, mu);
        }
        let count = if draw.chance(0.15) { draw.index(10, 30) } else { draw.index(1, 9) };
        let spread = if draw.chance(0.7) { 2.0 } else { 30.0 };
        let columns = draw.index(1, 4);
        let speed = draw.log(0.01, 3.0);
        let size = draw.log(0.05, 0.4);
        let is_upright = draw.chance(0.6);
        for number in 0..count {
            let extent = draw.vector(0.5).abs() * size + DVec3::splat(0.3 * size);
            let shape = match draw.index(0, 8) {
                0 => Shape::sphere(extent.x),
                1 => Shape::capsule(0.5 * extent.x, extent.y),
                2 => Shape::cylinder(extent.x, extent.y),
                _ => Shape::cuboid(2.0 * extent),
            };
            let Ok(shape) = shape else { continue };
            let Some(mass) = shape.mass_properties(1000.0) else { continue };
            let mass = mass.with_mass(draw.log(1.0 / spread, spread));
            let level = number / columns;
            // Upright shapes stand close, turned ones have room, so that nothing begins inside another.
            let (across, up) = if is_upright { (2.0, 1.9) } else { (3.2, 3.2) };
            let place = DVec3::new((number % columns) as f64 * across, 0.0, 0.5 * up + up * level as f64) * size;
            let rotation = if is_upright { stiction::math::DQuat::IDENTITY } else { draw.rotation() };
            let definition = BodyDefinition {
                pose: Pose::new(place + draw.vector(0.1 * size), rotation),
                velocity: draw.vector(speed),
                omega: draw.vector(speed),
                mass,
                ..BodyDefinition::default()
            };
            if let Ok(body) = world.add_body(&definition) {
                add(&mut world, shape, Some(body), mu);
            }
        }
        let friction = if model == FrictionModel::Cone { mu } else { mu * std::f64::consts::SQRT_2 };
        let description = format!(
            "{count} shapes of {size:.2} m, lean {lean:.2}, mu {mu:.2}, {model:?}, bounce {bounce:?}, spread {spread}, step {step:.4}"
        );
        Self { world, step, friction, description }
    }

    /// Runs it and looks at every step.
    pub fn run(&mut self, duration: f64) -> Violations {
        let mut worst = Violations { is_finite: true, ..Violations::default() };
        let start = energy(&self.world).total();
        let mut scale = energy(&self.world).kinetic.max(1e-6);
        let size = 0.1;
        for _ in 0..(duration / self.step) as usize {
            let report = self.world.step(self.step);
            worst.steps += 1;
            worst.gave_up += u32::from(report.gave_up > 0);
            worst.residual = worst.residual.max(report.residual());
            worst.depth = worst.depth.max(report.penetration / size);
            worst.is_finite &= report.quarantined.is_empty();
            let largest = self.world.contact_reports().iter().map(|c| c.force.length()).fold(1e-9, f64::max);
            for contact in self.world.contact_reports() {
                let normal = contact.force.dot(contact.normal);
                let tangent = (contact.force - normal * contact.normal).length();
                worst.pull = worst.pull.max(-normal / largest);
                worst.cone = worst.cone.max((tangent - self.friction * normal.max(0.0)) / largest);
            }
            let now = energy(&self.world);
            if !now.total().is_finite() {
                worst.is_finite = false;
                return worst;
            }
            scale = scale.max((start - now.potential).max(0.0).min(10.0 * scale));
            worst.gain = worst.gain.max((now.total() - start) / scale);
        }
        worst
    }
}
