//! Contacts swept by points against the same contacts as rows.

use glam::{DQuat, DVec3};

use super::{BodyDefinition, GeomDefinition, Preset, World, WorldParameters};
use crate::contact::restitution::Restitution;
use crate::joints::{JointDefinition, JointKind};
use crate::material::{FrictionModel, Surface, TorsionalSurface};
use crate::math::Pose;
use crate::model::{HybridRule, SolverKind};
use crate::shape::Shape;

/// A step [s].
const STEP: f64 = 1.0 / 240.0;

/// A scene of boxes and balls that lie askew on each other, some with slip, all on a belt.
#[derive(Clone, Copy, Debug)]
struct Scene {
    preset: Preset,
    friction: FrictionModel,
    /// Bound on the velocity that correction leaves \[m/s\].
    bound: f64,
    /// What the surfaces of the bodies have beside friction.
    own: fn(&mut Surface),
    /// Velocity and spin of the bodies at the start.
    motion: [DVec3; 2],
    /// Joints hold the boxes of a level.
    has_joints: bool,
}

/// A scene of bodies at rest that have friction alone.
const PLAIN: Scene = Scene {
    preset: Preset::OdeQuick,
    friction: FrictionModel::Pyramid,
    bound: f64::INFINITY,
    own: |_| {},
    motion: [DVec3::ZERO; 2],
    has_joints: false,
};

impl Scene {
    fn parameters(&self, solver: SolverKind) -> WorldParameters {
        let gravity = DVec3::new(0.3, 0.2, -9.81);
        let mut parameters = WorldParameters { gravity, ..WorldParameters::default() };
        self.preset.apply(&mut parameters);
        (parameters.solver, parameters.hybrid) = (solver, HybridRule::Off);
        (parameters.friction_model, parameters.iterations, parameters.sor) = (self.friction, 20_000, 1.0);
        // With a softness there is one solution; rows at the bound have none, and give way as they share a load.
        (parameters.contact_max_correcting_velocity, parameters.cfm) =
            (self.bound, if self.bound == f64::INFINITY { 1e-4 } else { 0.0 });
        parameters.split_impulse_depth = if self.bound == f64::INFINITY { self.bound } else { 1e-4 };
        (parameters.residual_interval, parameters.audit) = (0, false);
        parameters
    }

    /// Velocities after a step, and places by the step.
    fn velocities(&self, solver: SolverKind) -> Result<Vec<[DVec3; 3]>, Box<dyn std::error::Error>> {
        let mut world = World::new(self.parameters(solver));
        // Rows at the bound are rigid: how they share a load, and with it their friction, is open.
        let friction = if self.bound == f64::INFINITY { [0.4, 0.3] } else { [0.0; 2] };
        let mut belt = Surface { belt: Some(DVec3::Y * 0.3), friction, ..Surface::default() };
        (self.own)(&mut belt);
        world.add_geom(&GeomDefinition { surface: belt, ..GeomDefinition::new(Shape::plane(DVec3::Z, 0.0)?, None) })?;
        let mut bodies = Vec::new();
        for k in 0..12_u32 {
            let (column, level) = (f64::from(k % 4), f64::from(k / 4));
            let is_box = k < 8;
            let shape = if is_box { Shape::cuboid(DVec3::new(0.5, 0.4, 0.3)) } else { Shape::sphere(0.15) }?;
            let position = DVec3::new(0.6 * column + 0.02 * level, 0.03 * level, 0.1495 + 0.299 * level);
            let pose = Pose { position, rotation: DQuat::from_rotation_z(0.1 * column + 0.2 * level) };
            let mass = shape.mass_properties(500.0 * (1.0 + level)).ok_or("a solid")?;
            let [velocity, omega] = self.motion.map(|motion| motion * (1.0 + 0.3 * column));
            let body = world.add_body(&BodyDefinition { pose, mass, velocity, omega, ..BodyDefinition::default() })?;
            let slip = if k % 3 == 0 { [0.001, 0.002] } else { [0.0; 2] };
            let mut surface = Surface { friction, slip, ..Surface::default() };
            (self.own)(&mut surface);
            world.add_geom(&GeomDefinition { surface, ..GeomDefinition::new(shape, Some(body)) })?;
            bodies.push(body);
        }
        let kinds = [JointKind::Hinge, JointKind::Ball, JointKind::Universal, JointKind::Slider, JointKind::Hinge];
        for (number, kind) in kinds.into_iter().enumerate().filter(|_| self.has_joints) {
            // Of the first level and of the second.
            let first = if number < 3 { number } else { number + 1 };
            let [a, b] = [bodies[first], bodies[first + 1]];
            let centers = [a, b].map(|body| world.body(body).map_or(DVec3::ZERO, |body| body.center_of_mass()));
            let mut joint = JointDefinition::new(kind, Some(a), Some(b)).with_axis(0, DVec3::Y).with_axis(1, DVec3::Z);
            joint.anchor = 0.5 * (centers[0] + centers[1]);
            joint.parameters[0].lower = -0.5;
            joint.parameters[0].friction = 0.1;
            world.add_joint(joint)?;
        }
        world.step(STEP);
        assert!(world.report().contacts > 30, "{} contacts", world.report().contacts);
        let has_rows = world.work.problems.iter().any(|own| own.has_contact_rows());
        assert_eq!(has_rows, solver == SolverKind::Direct, "contacts as rows");
        let of = |body| world.body(body).map(|body| [body.velocity(), body.omega(), body.center_of_mass() / STEP]);
        Ok(bodies.into_iter().filter_map(of).collect())
    }

    /// Compares the two roads.
    fn compare(&self) -> Result<(), Box<dyn std::error::Error>> {
        let points = self.velocities(SolverKind::Iterative)?;
        let rows = self.velocities(SolverKind::Direct)?;
        assert_eq!(points.len(), 12);
        for (number, (own, other)) in points.iter().zip(&rows).enumerate() {
            let off = own.iter().zip(other).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            assert!(off < 1e-6, "{self:?} body {number}: {own:?} {other:?}");
        }
        Ok(())
    }
}

#[test]
fn sweeps_by_points_come_to_the_solution_of_the_rows() -> Result<(), Box<dyn std::error::Error>> {
    let cases = [
        (Preset::OdeQuick, FrictionModel::Pyramid, f64::INFINITY),
        (Preset::OdeQuick, FrictionModel::Pyramid, 0.02),
        (Preset::OdeQuick, FrictionModel::Box, f64::INFINITY),
        (Preset::Bullet, FrictionModel::Pyramid, f64::INFINITY),
        (Preset::Bullet, FrictionModel::Pyramid, 0.02),
    ];
    cases.into_iter().try_for_each(|(preset, friction, bound)| Scene { preset, friction, bound, ..PLAIN }.compare())
}

#[test]
fn bounces_by_points_are_those_of_rows() -> Result<(), Box<dyn std::error::Error>> {
    // Columns of bodies that come down together: all restitution would make energy.
    let own = |surface: &mut Surface| surface.bounce = Some(Restitution { coefficient: 0.8, threshold: 0.1 });
    for preset in [Preset::OdeQuick, Preset::Bullet] {
        for motion in [[DVec3::Z * -0.5, DVec3::ZERO], [DVec3::new(0.2, 0.1, -1.0), DVec3::new(0.5, 0.3, 0.2)]] {
            Scene { preset, own, motion, ..PLAIN }.compare()?;
        }
    }
    Ok(())
}

#[test]
fn torsional_and_rolling_friction_by_points_are_those_of_rows() -> Result<(), Box<dyn std::error::Error>> {
    let torsional = |surface: &mut Surface| {
        let own = TorsionalSurface { coefficient: 0.4, patch_radius: 0.1, slip: 0.001, ..TorsionalSurface::default() };
        surface.torsional = own;
    };
    let rolling = |surface: &mut Surface| surface.rolling = 0.1;
    let motion = [DVec3::new(0.2, 0.1, 0.0), DVec3::new(0.5, 0.3, 0.8)];
    let ode = Scene { own: torsional, motion, ..PLAIN };
    let bullet = Scene { preset: Preset::Bullet, own: rolling, motion, ..PLAIN };
    ode.compare()?;
    Scene { friction: FrictionModel::Box, ..ode }.compare()?;
    bullet.compare()
}

#[test]
fn friction_along_a_direction_that_leans_is_that_of_rows() -> Result<(), Box<dyn std::error::Error>> {
    let own = |surface: &mut Surface| surface.direction = Some(DVec3::new(0.8, 0.1, 0.3));
    Scene { own, motion: [DVec3::new(0.5, 0.3, -0.2), DVec3::ZERO], ..PLAIN }.compare()
}

#[test]
fn friction_without_a_bound_is_that_of_rows() -> Result<(), Box<dyn std::error::Error>> {
    let own = |surface: &mut Surface| surface.friction = [f64::INFINITY; 2];
    for friction in [FrictionModel::Pyramid, FrictionModel::Box] {
        Scene { friction, own, motion: [DVec3::new(0.5, 0.3, -0.2), DVec3::Z], ..PLAIN }.compare()?;
    }
    Ok(())
}

#[test]
fn joints_beside_points_come_to_the_solution_of_all_rows() -> Result<(), Box<dyn std::error::Error>> {
    let motion = [DVec3::new(0.2, 0.1, -0.3), DVec3::new(0.5, 0.3, 0.8)];
    for preset in [Preset::OdeQuick, Preset::Bullet] {
        let scene = Scene { preset, has_joints: true, motion, ..PLAIN };
        scene.compare()?;
        let own = |surface: &mut Surface| surface.bounce = Some(Restitution { coefficient: 0.8, threshold: 0.1 });
        Scene { own, ..scene }.compare()?;
        Scene { friction: FrictionModel::Box, own: |surface| surface.rolling = 0.1, ..scene }.compare()?;
    }
    Ok(())
}
