//! Surfaces of shapes, and how two of them become the parameters of one contact.

mod combine;
mod surface;

pub use combine::{FrictionModel, Side, combine};
pub use surface::{Bounce, ContactSurface, NormalLaw, Surface, SurfaceCompliance};
