//! Surfaces and materials of shapes, and how two of them become the rule of their contacts.

mod combine;
mod compliant;
mod rule;
mod surface;
mod table;

use combine::combine;
use compliant::combine_compliant;

pub use combine::FrictionModel;
pub use compliant::CompliantRule;
pub use rule::{Combination, ContactLaw, ContactRule, ContactRules, ManifoldRule};
pub use surface::{Bounce, ContactSurface, MaterialId, NormalLaw, PointContact, SolveType, Surface, SurfaceCompliance};
pub use table::ContactTable;
