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

mod bullet;
mod combine;
mod compliant;
mod dart;
mod points;
mod rule;
mod simbody;
mod spook;
mod surface;
mod table;
mod torsional;

use bullet::combine_bullet;
use combine::combine;
use compliant::combine_compliant;
use dart::combine_dart;
use simbody::combine_simbody;
use spook::combine_spook;
use torsional::combine_torsional;

pub use combine::FrictionModel;
pub(crate) use compliant::CompliantRule;
pub use points::{AreaLaw, ContactPoints, PointReduction};
pub use rule::{Combination, ManifoldRule};
pub(crate) use rule::{ContactLaw, ContactRule, ContactRules};
pub(crate) use simbody::Roundness;
pub use simbody::SimbodyMaterial;
pub use surface::{
    Bounce, ContactSurface, Elasticity, MaterialId, NormalLaw, PointContact, SolveType, Surface, SurfaceCompliance,
    TorsionalSurface,
};
pub use table::ContactTable;
pub(crate) use table::PairEntry;
