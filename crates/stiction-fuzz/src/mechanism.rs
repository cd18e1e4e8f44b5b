//! Random mechanisms: bodies on joints of every kind, as trees and with loops.

use stiction::joints::{AxisParameters, JointDefinition, JointKind, Wheels};
use stiction::math::{DMat3, DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, BodyId, Coordinates, HybridRule, Preset, World, WorldParameters};

use crate::energy::{energy, momentum, reach};
use crate::random::Draw;

/// How a mechanism is run.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Engine.
    pub preset: Preset,
    /// Coordinates other than the preset's.
    pub coordinates: Option<Coordinates>,
    /// Sweeps alone.
    pub bare: bool,
}

impl Setting {
    /// Every way to run a mechanism.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let of = |preset, coordinates, bare| Self { preset, coordinates, bare };
        vec![
            of(Preset::Ode, None, false),
            of(Preset::OdeQuick, None, false),
            of(Preset::OdeQuick, None, true),
            of(Preset::OdeWorld, None, false),
            of(Preset::Ode, Some(Coordinates::Reduced), false),
            of(Preset::OdeWorld, Some(Coordinates::Reduced), false),
            of(Preset::DrakeDiscrete, None, false),
        ]
    }

    /// Name in reports.
    #[must_use]
    pub fn name(&self) -> String {
        let mut name = self.preset.name().to_owned();
        if self.coordinates == Some(Coordinates::Reduced) {
            name += " reduced";
        }
        if self.bare {
            name += " bare";
        }
        name
    }

    /// Parameters of a world of this setting.
    #[must_use]
    pub fn parameters(&self, gravity: DVec3) -> WorldParameters {
        let mut parameters = WorldParameters { gravity, ..WorldParameters::default() };
        self.preset.apply(&mut parameters);
        if let Some(coordinates) = self.coordinates {
            parameters.coordinates = coordinates;
        }
        if self.bare {
            parameters.hybrid = HybridRule::Off;
        }
        parameters
    }
}

/// What happened to a mechanism.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Largest rise of the energy above its start, over the energy at play.
    pub gain: f64,
    /// Largest relative change of the momentum of a free mechanism without gravity.
    pub momentum: f64,
    /// Largest gap of a joint, over the size of the mechanism.
    pub gap: f64,
    /// Numbers stayed finite, and no body was quarantined.
    pub is_finite: bool,
}

/// A mechanism of a seed, as a world under a setting.
pub struct Mechanism {
    /// The world.
    pub world: World,
    /// Step \[s\].
    pub step: f64,
    /// Nothing holds it to the world and nothing pulls at it.
    pub is_free: bool,
    /// In words.
    pub description: String,
}

/// Kinds of joints that a mechanism draws from.
fn kind(draw: &mut Draw) -> JointKind {
    match draw.index(0, 20) {
        0..=6 => JointKind::Hinge,
        7..=9 => JointKind::Ball,
        10 | 11 => JointKind::Universal,
        12 => JointKind::Slider,
        13 => JointKind::Fixed,
        14 => JointKind::Screw { pitch: draw.uniform(0.01, 0.5) },
        15 => JointKind::Planar,
        16 => JointKind::Piston,
        17 => JointKind::PrismaticRotoide,
        18 => JointKind::PrismaticUniversal,
        _ => {
            if draw.chance(0.5) {
                JointKind::DoubleBall { distance: None }
            } else {
                JointKind::DoubleHinge { distance: None }
            }
        }
    }
}

/// Springs, dampers, stops and dry friction of one axis; motors put work in, and have cases of their own.
fn law(draw: &mut Draw) -> AxisParameters {
    let mut law = AxisParameters::default();
    match draw.index(0, 12) {
        0 => {
            law.stiffness = draw.log(0.1, 1e4);
            law.spring_reference = draw.uniform(-0.5, 0.5);
        }
        1 => law.damping = draw.log(1e-3, 10.0),
        2 => law = law.with_stops(draw.uniform(-1.0, 0.0), draw.uniform(0.0, 1.0)),
        3 => law.friction = draw.log(1e-3, 10.0),
        4 => {
            law = law.with_stops(draw.uniform(-0.5, 0.0), draw.uniform(0.0, 0.5));
            law.bounce = draw.uniform(0.0, 1.0);
        }
        _ => {}
    }
    law
}

impl Mechanism {
    /// The mechanism of a seed; the same bodies and joints under every setting.
    #[must_use]
    pub fn new(seed: u64, setting: &Setting) -> Self {
        let draw = &mut Draw::new(seed);
        let gravity = if draw.chance(0.3) { DVec3::ZERO } else { DVec3::new(0.0, 0.0, -9.81) };
        let step = *draw.pick(&[1e-4, 1e-3, 1e-3, 1e-3, 2e-3, 4e-3, 5e-3, 1.0 / 60.0]);
        let count = if draw.chance(0.1) { draw.index(12, 40) } else { draw.index(2, 12) };
        let is_held = draw.chance(0.7);
        let spread = if draw.chance(0.4) { 1.0 } else { draw.log(1.0, 1e6).sqrt() };
        let slender = draw.log(1.0, 300.0);
        let has_laws = draw.chance(0.4);
        let is_planar = draw.chance(0.15);
        let mut world = World::new(setting.parameters(gravity));
        let mut bodies: Vec<(BodyId, DVec3)> = Vec::new();
        let mut joints = Vec::new();
        for number in 0..count {
            let parent = match number {
                0 => None,
                _ if draw.chance(0.7) => Some(number - 1),
                _ => Some(draw.index(0, number)),
            };
            let from = parent.map_or(DVec3::ZERO, |p| bodies[p].1);
            let mut along = draw.direction() * draw.uniform(0.1, 1.0);
            if is_planar {
                along.y = 0.0;
            }
            let at = from + along;
            let mass = draw.log(1.0 / spread, spread);
            let size = along.length().max(0.1);
            let moment = mass * size * size / 12.0 / draw.log(1.0, slender);
            let thin = draw.uniform(0.01, 1.0);
            let inertia = DMat3::from_diagonal(DVec3::new(moment, moment, moment * thin));
            let pose = Pose::new(at, draw.rotation());
            let definition = BodyDefinition {
                pose,
                mass: MassProperties { mass, center_of_mass: DVec3::ZERO, inertia },
                ..BodyDefinition::default()
            };
            let Ok(body) = world.add_body(&definition) else { continue };
            let other = parent.map(|p| bodies[p].0);
            bodies.push((body, at));
            if number == 0 && !is_held {
                continue;
            }
            let anchor = 0.5 * (from + at);
            let mut joint = if is_planar {
                JointDefinition::new(JointKind::Hinge, Some(body), other).at(anchor).with_axis(0, DVec3::Y)
            } else {
                let second = draw.direction();
                JointDefinition::new(kind(draw), Some(body), other)
                    .at(anchor)
                    .with_axis(0, draw.direction())
                    .with_axis(1, second)
                    .with_axis(2, draw.direction())
            };
            if matches!(joint.kind, JointKind::DoubleBall { .. } | JointKind::DoubleHinge { .. }) {
                joint.second_anchor = Some(anchor + 0.3 * draw.direction());
            }
            if has_laws {
                joint.parameters = std::array::from_fn(|_| law(draw));
            }
            joints.push((joint.kind, world.add_joint(joint).is_ok()));
        }
        let loops = if draw.chance(0.35) { draw.index(1, 3) } else { 0 };
        for _ in 0..loops {
            let a = draw.index(0, bodies.len());
            let b = if draw.chance(0.4) { None } else { Some(draw.index(0, bodies.len())) };
            let axis = if is_planar { DVec3::Y } else { draw.direction() };
            let closing = *draw.pick(&[JointKind::Hinge, JointKind::Ball, JointKind::Fixed, JointKind::Slider]);
            let closing = if is_planar { JointKind::Hinge } else { closing };
            let at = bodies[a].1 + draw.vector(0.3) * if is_planar { DVec3::new(1.0, 0.0, 1.0) } else { DVec3::ONE };
            let second = b.map(|b| bodies[b].0);
            if second == Some(bodies[a].0) {
                continue;
            }
            let joint = JointDefinition::new(closing, Some(bodies[a].0), second).at(at).with_axis(0, axis);
            joints.push((joint.kind, world.add_joint(joint).is_ok()));
        }
        if bodies.len() > 2 && !is_planar && draw.chance(0.08) {
            let (a, b) = (bodies[1], bodies[2]);
            let wheels = Wheels::ParallelAxes { ratio: draw.log(0.2, 5.0) };
            let joint = JointDefinition::new(JointKind::Transmission { wheels }, Some(a.0), Some(b.0))
                .at(a.1)
                .with_second_anchor(b.1)
                .with_axis(0, draw.direction());
            joints.push((joint.kind, world.add_joint(joint).is_ok()));
        }
        let speed = draw.log(0.03, 30.0);
        let pushed = draw.index(1, bodies.len() + 1);
        for (id, _) in bodies.iter().take(pushed) {
            let (velocity, omega) = (draw.vector(speed), draw.vector(speed));
            if let Some(mut body) = world.body_mut(*id) {
                let set = if is_planar {
                    body.set_velocity(velocity * DVec3::new(1.0, 0.0, 1.0)).and(body.set_omega(omega * DVec3::Y))
                } else {
                    body.set_velocity(velocity).and(body.set_omega(omega))
                };
                debug_assert!(set.is_ok());
            }
        }
        let kinds: Vec<_> =
            joints.iter().map(|(kind, made)| format!("{kind:?}{}", if *made { "" } else { "!" })).collect();
        let description =
            format!("{count} bodies, loops {loops}, held {is_held}, mass spread {spread:.0}, step {step}, {kinds:?}");
        Self { world, step, is_free: !is_held && gravity == DVec3::ZERO && loops == 0, description }
    }

    /// Runs it and looks at every step.
    pub fn run(&mut self, duration: f64, most_steps: usize) -> Outcome {
        let mut outcome = Outcome { is_finite: true, ..Outcome::default() };
        // The first step takes away what of the given velocities the joints do not allow: loss, never gain.
        let mut start = energy(&self.world);
        if self.world.parameters.coordinates == Coordinates::Reduced {
            // Trees read the motions of their joints off velocities that need not fit: the first step makes them fit.
            self.world.step(self.step);
            let fitting = energy(&self.world);
            start = if fitting.total() > start.total() { fitting } else { start };
        }
        let (linear, angular) = momentum(&self.world);
        let mut scale = start.kinetic.max(reach(&self.world)).max(start.springs);
        let size = self
            .world
            .body_ids()
            .filter_map(|id| self.world.body(id))
            .map(|b| b.center_of_mass().length())
            .fold(0.3, f64::max);
        let inertia: f64 = self.world.body_ids().filter_map(|id| self.world.body(id)).map(|b| b.mass()).sum();
        let steps = ((duration / self.step) as usize).min(most_steps);
        for _ in 0..steps {
            let report = self.world.step(self.step);
            if !report.quarantined.is_empty() {
                outcome.is_finite = false;
            }
            outcome.gap = outcome.gap.max(report.joint_error / size);
            let now = energy(&self.world);
            if !now.total().is_finite() {
                outcome.is_finite = false;
                outcome.gain = f64::INFINITY;
                return outcome;
            }
            // What moves: grows with a fall, not with an explosion.
            let fallen = (start.total() - now.potential).max(0.0);
            scale = scale.max(fallen.min(10.0 * scale.max(1e-12)));
            outcome.gain = outcome.gain.max((now.total() - start.total()) / scale);
        }
        if self.is_free {
            let (l, a) = momentum(&self.world);
            let speed = (2.0 * start.kinetic * inertia).sqrt();
            outcome.momentum = ((l - linear).length() / speed).max((a - angular).length() / (speed * size));
        }
        outcome
    }
}
