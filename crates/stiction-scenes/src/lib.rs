//! Benchmark scenes: read from plain text or made in code, and built into a world.
//!
//! A [`Scene`] is data; every engine that takes part in a comparison reads the same. [`Scene::build`] makes a
//! [`stiction::world::World`] of it.

mod build;
pub mod builtin;
pub mod mechanisms;
mod scene;
mod text;

pub use build::{BuildError, Loaded, Servo};
pub use scene::{BodyKind, HeightGrid, Hinge, Scene, SceneBody, SceneJoint, SceneShape};
pub use text::{TextError, parse, write};
