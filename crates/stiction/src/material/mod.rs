//! Surfaces and materials of shapes, and how two of them become the rule of their contacts.
//!
//! ```
//! use stiction::prelude::*;
//!
//! let (rubber, steel) = (MaterialId(0), MaterialId(1));
//! let mut world = World::default();
//! world.contact_table_mut().set(rubber, steel, ContactSurface::with_friction(0.9));
//! let mut geom = GeomDefinition::new(Shape::sphere(0.1)?, None);
//! geom.surface.material = Some(rubber);
//! world.add_geom(&geom)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod combine;
mod compliant;
mod points;
mod rule;
mod spook;
mod surface;
mod table;
mod torsional;

use combine::combine;
use compliant::combine_compliant;
use spook::combine_spook;
use torsional::combine_torsional;

pub use combine::FrictionModel;
pub(crate) use compliant::CompliantRule;
pub use points::{AreaLaw, ContactPoints, PointReduction};
pub use rule::{Combination, ManifoldRule};
pub(crate) use rule::{ContactLaw, ContactRule, ContactRules};
pub use surface::{
    Bounce, ContactSurface, MaterialId, NormalLaw, PointContact, SolveType, Surface, SurfaceCompliance,
    TorsionalSurface,
};
pub use table::ContactTable;
pub(crate) use table::PairEntry;
