//! Free boxes: how exactly each engine keeps energy, angular momentum and path of bodies that nothing touches, after the
//! benchmark of free-floating boxes for Gazebo (S. Peters).

use stiction::math::{DMat3, DQuat, DVec3, Pose};
use stiction::shape::{MassProperties, Shape};
use stiction::world::{BodyDefinition, BodyId, FreeMotionRule, GeomDefinition, Preset, World, WorldParameters};

use crate::clock::microseconds;

/// Mass \[kg\] and side lengths \[m\] of a box.
pub const MASS: f64 = 10.0;
const SIDES: DVec3 = DVec3::new(0.1, 0.4, 0.9);
/// How long they fly \[s\].
pub const DURATION: f64 = 10.0;
/// Distance of boxes of one world \[m\].
const SPACING: f64 = 3.0;

/// How boxes begin.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    /// Gravity along z \[m/s²\].
    pub gravity: f64,
    /// Velocity \[m/s\].
    pub velocity: DVec3,
    /// Angular velocity \[rad/s\].
    pub omega: DVec3,
}

/// A turn about a principal axis, without gravity.
pub const SIMPLE: Motion =
    Motion { gravity: 0.0, velocity: DVec3::new(-0.9, 0.4, 0.1), omega: DVec3::new(0.5, 0.0, 0.0) };
/// A throw, tumbling about the middle axis of inertia.
pub const COMPLEX: Motion =
    Motion { gravity: -9.8, velocity: DVec3::new(-2.0, 2.0, 8.0), omega: DVec3::new(0.1, 5.0, 0.1) };

/// An engine of the table.
#[derive(Clone, Copy, Debug)]
pub struct Engine {
    /// Preset.
    pub preset: Preset,
    /// Free bodies move to second order (`physics.free_motion=second_order`).
    pub is_second_order: bool,
}

impl Engine {
    /// The four types of `<physics>`, and the first to second order.
    pub const ALL: [Self; 5] = [
        Self { preset: Preset::Ode, is_second_order: false },
        Self { preset: Preset::Ode, is_second_order: true },
        Self { preset: Preset::Bullet, is_second_order: false },
        Self { preset: Preset::Dart, is_second_order: false },
        Self { preset: Preset::Simbody, is_second_order: false },
    ];

    /// As the table has it.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}{}", self.preset.name(), if self.is_second_order { ", second order" } else { "" })
    }

    fn world(&self, gravity: f64) -> World {
        let mut parameters = WorldParameters { gravity: DVec3::Z * gravity, ..WorldParameters::default() };
        self.preset.apply(&mut parameters);
        if self.is_second_order {
            parameters.free_motion = FreeMotionRule::SecondOrder;
        }
        World::new(parameters)
    }
}

/// Largest errors over all steps and boxes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Errors {
    /// Of the energy, relative.
    pub energy: f64,
    /// Of the angular momentum about the centre, relative.
    pub angular_momentum: f64,
    /// Of the place, from `p₀ + v₀ t + ½ g t²` \[m\].
    pub position: f64,
    /// Of the turn, from `ω₀ t` about a principal axis \[rad\].
    pub angle: f64,
    /// Time of a step on the clock, for one box \[µs\].
    pub step_time: f64,
}

/// Energy \[J\] and angular momentum about the centre \[kg m²/s\] of a box.
fn conserved(world: &World, id: BodyId, gravity: f64) -> Option<(f64, DVec3)> {
    let body = world.body(id)?;
    let (pose, omega) = (body.pose(), body.omega());
    let turn = DMat3::from_quat(pose.rotation);
    let momentum = turn * (DMat3::from_diagonal(moments()) * (turn.transpose() * omega));
    let kinetic = 0.5 * (MASS * body.velocity().length_squared() + momentum.dot(omega));
    Some((kinetic - MASS * gravity * pose.position.z, momentum))
}

/// Principal moments of inertia of a box \[kg m²\].
fn moments() -> DVec3 {
    let [a, b, c] = (SIDES * SIDES).to_array();
    MASS / 12.0 * DVec3::new(b + c, c + a, a + b)
}

/// Throws a number of boxes, with or without shapes, and measures at every step.
///
/// # Errors
/// A body or shape that the engine refuses.
pub fn throw(
    engine: &Engine,
    motion: &Motion,
    step: f64,
    count: usize,
    has_shapes: bool,
) -> Result<Errors, Box<dyn std::error::Error>> {
    let mut world = engine.world(motion.gravity);
    let mass = MassProperties { mass: MASS, center_of_mass: DVec3::ZERO, inertia: DMat3::from_diagonal(moments()) };
    let mut boxes = Vec::with_capacity(count);
    for k in 0..count {
        let pose = Pose::from_position(DVec3::new(0.0, SPACING * k as f64, 0.0));
        let Motion { velocity, omega, .. } = *motion;
        let id = world.add_body(&BodyDefinition { pose, velocity, omega, mass, ..BodyDefinition::default() })?;
        if has_shapes {
            world.add_geom(&GeomDefinition::new(Shape::cuboid(SIDES)?, Some(id)))?;
        }
        boxes.push((id, pose.position));
    }
    let start = boxes.iter().filter_map(|(id, _)| conserved(&world, *id, motion.gravity)).next();
    let (energy, momentum) = start.ok_or("no box")?;
    let mut worst = Errors::default();
    let mut time = 0.0;
    let steps = (DURATION / step).round() as u64;
    for k in 1..=steps {
        let begun = microseconds();
        world.step(step);
        time += microseconds() - begun;
        let t = k as f64 * step;
        for (id, from) in &boxes {
            let Some((now, turned)) = conserved(&world, *id, motion.gravity) else { continue };
            let Some(body) = world.body(*id) else { continue };
            let there = *from + motion.velocity * t + 0.5 * motion.gravity * t * t * DVec3::Z;
            let right = DQuat::from_scaled_axis(motion.omega * t);
            worst.energy = worst.energy.max((now / energy - 1.0).abs());
            worst.angular_momentum = worst.angular_momentum.max((turned - momentum).length() / momentum.length());
            worst.position = worst.position.max((body.pose().position - there).length());
            // 2 asin |v| of the quaternion between the two.
            let off = (right.inverse() * body.pose().rotation).xyz().length();
            worst.angle = worst.angle.max(2.0 * off.min(1.0).asin());
        }
    }
    worst.step_time = time / (steps * count as u64) as f64;
    Ok(worst)
}

/// Published maxima of an original: relative energy, relative angular momentum and place \[m\] of the complex motion at steps of 1 ms and
/// of 0.1 ms; place \[m\] and angle \[rad\] of the simple one at 1 ms.
#[derive(Clone, Copy, Debug)]
pub struct Published {
    /// The original.
    pub name: &'static str,
    /// Complex motion, steps of 1 ms.
    pub coarse: [f64; 3],
    /// Complex motion, steps of 0.1 ms.
    pub fine: [f64; 3],
    /// Simple motion, steps of 1 ms.
    pub simple: [f64; 2],
}

/// The four originals, in the order of the types of `<physics>`.
pub const PUBLISHED: [Published; 4] = [
    Published {
        name: "ODE",
        coarse: [0.01246, 0.01307, 0.049],
        fine: [0.00125, 0.00127, 0.0049],
        simple: [1.7e-12, 1.0e-7],
    },
    Published {
        name: "Bullet",
        coarse: [0.01358, 0.01245, 0.049],
        fine: [0.00136, 0.00126, 0.0049],
        simple: [1.7e-12, 1.5e-13],
    },
    Published {
        name: "DART",
        coarse: [0.03762, 2.186, 0.049],
        fine: [0.02691, 2.229, 0.0049],
        simple: [1.7e-12, 3.1e-6],
    },
    Published {
        name: "Simbody",
        coarse: [0.00623, 0.00643, 0.0245],
        fine: [0.00062, 0.00063, 0.00245],
        simple: [2.3e-12, 2.6e-8],
    },
];
