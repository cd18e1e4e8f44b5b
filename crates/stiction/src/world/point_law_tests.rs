//! Restitution, torsional and rolling friction of contacts that are swept by points, against closed forms and for every width of lanes.

use glam::DVec3;

use super::{BodyDefinition, BodyId, ContactDefinition, Preset, World, WorldParameters};
use crate::contact::restitution::Restitution;
use crate::contact::torsional::{Patch, TorsionalFriction};
use crate::material::ContactSurface;
use crate::math::Pose;
use crate::model::HybridRule;
use crate::shape::Shape;
use crate::solvers::soft::MOST_LANES;

const STEP: f64 = 5e-4;
const GRAVITY: f64 = 9.81;
const RADIUS: f64 = 0.1;

/// Balls side by side on the ground, each an island.
struct Balls {
    world: World,
    bodies: Vec<BodyId>,
    surface: ContactSurface,
}

impl Balls {
    /// Balls of one kilogram, by their heights above the ground, velocities and spins.
    fn new(
        preset: Preset,
        surface: ContactSurface,
        balls: &[(f64, DVec3, DVec3)],
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let mut parameters = WorldParameters { gravity: DVec3::Z * -GRAVITY, ..WorldParameters::default() };
        preset.apply(&mut parameters);
        (parameters.hybrid, parameters.cfm) = (HybridRule::Off, 0.0);
        (parameters.residual_interval, parameters.audit) = (0, false);
        let mut world = World::new(parameters);
        let mass = Shape::sphere(RADIUS)?.mass_properties(1.0).ok_or("a solid")?.with_mass(1.0);
        let mut bodies = Vec::new();
        for (number, (height, velocity, omega)) in balls.iter().enumerate() {
            let pose = Pose::from_position(DVec3::new(0.0, number as f64, RADIUS + height));
            let (velocity, omega) = (*velocity, *omega);
            bodies.push(world.add_body(&BodyDefinition {
                pose,
                mass,
                velocity,
                omega,
                ..BodyDefinition::default()
            })?);
        }
        Ok(Self { world, bodies, surface })
    }

    fn states(&self) -> Vec<[DVec3; 3]> {
        let of = |body: &BodyId| self.world.body(*body).map(|b| [b.center_of_mass(), b.velocity(), b.omega()]);
        self.bodies.iter().filter_map(of).collect()
    }

    fn step(&mut self) -> Result<(), Box<dyn std::error::Error>> {
        self.world.clear_contacts();
        let states = self.states();
        for (body, [center, ..]) in self.bodies.iter().zip(states) {
            let (bodies, depth) = ([Some(*body), None], RADIUS - center.z);
            let (position, surface) = (DVec3::new(center.x, center.y, 0.0), self.surface);
            if depth >= -1e-9 {
                let contact = ContactDefinition { bodies, position, normal: DVec3::Z, depth, surface };
                self.world.add_contact(contact).ok_or("a contact")?;
            }
        }
        self.world.step(STEP);
        assert!(self.world.work.problems.is_empty(), "rows in memory");
        Ok(())
    }
}

/// Runs a test under both engines with every width of lanes; what it returns is the same bits for all.
fn for_all(
    test: impl Fn(Preset) -> Result<Vec<f64>, Box<dyn std::error::Error>>,
) -> Result<(), Box<dyn std::error::Error>> {
    for preset in [Preset::OdeQuick, Preset::Bullet] {
        let mut found = Vec::new();
        for lanes in [1, 4, 8] {
            MOST_LANES.set(lanes);
            found.push(test(preset)?);
        }
        MOST_LANES.set(u32::MAX);
        assert!(found.iter().all(|own| *own == found[0]), "{preset:?}: {found:?}");
    }
    Ok(())
}

#[test]
fn a_ball_rises_to_the_share_of_its_height_that_restitution_leaves() -> Result<(), Box<dyn std::error::Error>> {
    let e = 0.7;
    let bounce = Some(Restitution { coefficient: e, threshold: 0.1 });
    let heights: Vec<f64> = (0..9).map(|k| 0.2 + 0.05 * f64::from(k)).collect();
    for_all(|preset| {
        let starts: Vec<_> = heights.iter().map(|height| (*height, DVec3::ZERO, DVec3::ZERO)).collect();
        let surface = ContactSurface { bounce, ..ContactSurface::with_friction(0.5) };
        let mut balls = Balls::new(preset, surface, &starts)?;
        let mut apexes = vec![0.0f64; heights.len()];
        let mut has_bounced = vec![false; heights.len()];
        // To the top of the highest after its first bounce; after a second one a ball rises less.
        for _ in 0..1300 {
            balls.step()?;
            for (number, [center, velocity, _]) in balls.states().into_iter().enumerate() {
                has_bounced[number] |= velocity.z > 0.0;
                if has_bounced[number] {
                    apexes[number] = apexes[number].max(center.z - RADIUS);
                }
            }
        }
        for (apex, height) in apexes.iter().zip(&heights) {
            let expected = e * e * height;
            assert!((apex / expected - 1.0).abs() < 0.01, "{preset:?}: {apex} {expected}");
        }
        Ok(apexes)
    })
}

#[test]
fn a_spinning_ball_stops_by_torsional_friction() -> Result<(), Box<dyn std::error::Error>> {
    let (coefficient, patch) = (0.05, 0.2);
    let torsional = TorsionalFriction { coefficient, patch: Patch::Radius(patch), slip: 0.0 };
    let (inertia, moment) = (0.4 * RADIUS * RADIUS, torsional.moment_arm(0.0) * GRAVITY);
    for_all(|preset| {
        let spin = |k: u32| 1.0 + f64::from(k);
        let starts: Vec<_> = (0..9).map(|k| (0.0, DVec3::ZERO, DVec3::Z * spin(k))).collect();
        let surface = ContactSurface { torsional, ..ContactSurface::with_friction(0.5) };
        let mut balls = Balls::new(preset, surface, &starts)?;
        let mut times = vec![0.0; starts.len()];
        while balls.world.time() < 1.1 * inertia * spin(8) / moment {
            balls.step()?;
            for (time, [.., omega]) in times.iter_mut().zip(balls.states()) {
                if omega.z > 1e-9 {
                    *time = balls.world.time();
                }
            }
        }
        for (number, time) in (0..).zip(&times) {
            let expected = inertia * spin(number) / moment;
            assert!((time - expected).abs() < 2.0 * STEP, "{preset:?}: {time} {expected}");
        }
        Ok(times)
    })
}

#[test]
fn a_rolling_ball_stops_by_rolling_friction() -> Result<(), Box<dyn std::error::Error>> {
    // m a R = −f R and I α = f R − ρ N with rolling v = ω R: a = −ρ g / (7/5 R).
    let reach = 0.01;
    let deceleration = reach * GRAVITY / (1.4 * RADIUS);
    for_all(|preset| {
        let speed = |k: u32| 0.2 + 0.05 * f64::from(k);
        let rolls = |v: f64| (0.0, DVec3::X * v, DVec3::Y * (v / RADIUS));
        let starts: Vec<_> = (0..9).map(|k| rolls(speed(k))).collect();
        let surface = ContactSurface { rolling: [reach, reach, 0.0], ..ContactSurface::with_friction(0.8) };
        let mut balls = Balls::new(preset, surface, &starts)?;
        while balls.world.time() < 1.1 * speed(8) / deceleration {
            balls.step()?;
        }
        let distances: Vec<f64> = balls.states().iter().map(|[center, ..]| center.x).collect();
        for (number, (distance, [_, velocity, omega])) in (0..).zip(distances.iter().zip(balls.states())) {
            let expected = speed(number) * speed(number) / (2.0 * deceleration);
            assert!((distance / expected - 1.0).abs() < 0.005, "{preset:?}: {distance} {expected}");
            assert!(velocity.length() < 1e-9 && omega.length() < 1e-9, "{preset:?}: {velocity} {omega}");
        }
        Ok(distances)
    })
}
