//! Rigid-body physics for robots and machines: one engine, every contact model.
//!
//! A [`World`](world::World) holds bodies, shapes on them (*geoms*), joints and contacts. Each step finds contacts, solves
//! for the impulses of joints and contacts, and moves the bodies. All quantities are in SI units; quaternions are
//! `(x, y, z, w)`; poses map from a body's frame to the world.
//!
//! ```
//! use stiction::prelude::*;
//!
//! let mut world = World::new(WorldParameters { gravity: DVec3::new(0.0, 0.0, -9.81), ..WorldParameters::default() });
//! world.add_geom(&GeomDefinition::new(Shape::plane(DVec3::Z, 0.0)?, None))?;
//!
//! let ball = Shape::sphere(0.1)?;
//! let body = world.add_body(&BodyDefinition {
//!     mass: ball.mass_properties(1000.0).ok_or("a solid")?,
//!     pose: Pose::from_position(DVec3::new(0.0, 0.0, 1.0)),
//!     ..BodyDefinition::default()
//! })?;
//! world.add_geom(&GeomDefinition::new(ball, Some(body)))?;
//!
//! for _ in 0..1000 {
//!     world.step(1e-3);
//! }
//! let height = world.body(body).ok_or("the ball is there")?.pose().position.z;
//! assert!((height - 0.1).abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! | to | see |
//! |---|---|
//! | create bodies, geoms and joints, and step | [`world`], [`joints`], [`shape`] |
//! | choose an engine style: ODE's steppers, Drake's plants | [`world::Preset`] |
//! | set solver, coordinates, contact model, threads | [`world::WorldParameters`], [`parameter`] |
//! | set friction, restitution and compliance of surfaces, or of pairs of materials | [`material`] |
//! | ask for distances, rays, casts and overlaps | [`world::World::ray_cast_all`], [`collision`] |
//! | run collision detection yourself and add the contacts | [`space`], [`world::World::add_contact`] |
//! | step many copies of a world together, with commands and states as arrays | [`batch`] |
//! | know what a step did: residuals, energy, penetration | [`StepReport`] |
//! | write a solver or an integrator | [`constraint`], [`solvers`], [`integrators`] |
//!
//! Results are the same bits on every run, for every number of threads.

pub mod base;
pub mod batch;
pub mod broadphase;
pub mod collision;
pub mod constraint;
pub mod contact;
pub mod dynamics;
pub mod integrators;
pub mod joints;
pub mod material;
pub mod math;
mod model;
pub mod parameter;
mod pipeline;
pub mod prelude;
pub mod shape;
pub mod solvers;
pub mod space;
pub mod world;

pub use model::{
    CachedPoint, ContactCache, PATCH_RECORDS, PatchCache, PatchHead, PatchSurface, RelativePlace, RollingShape,
};
pub use pipeline::{
    EnergyBalance, Outrun, PassedThrough, Residual, Stage, StageTimes, StepCounts, StepReport, Unmet, WorstRow,
};
