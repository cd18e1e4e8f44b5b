//! Surfaces of shapes, and how two of them become the parameters of one contact.

mod combine;
mod compliant;
mod surface;

pub use combine::{FrictionModel, Side, combine};
pub use compliant::{CompliantRule, combine_compliant};
pub use surface::{Bounce, ContactSurface, NormalLaw, PointContact, Surface, SurfaceCompliance};
