//! Collision spaces for programs that run collision detection themselves: which geoms may touch, and where.
//!
//! [`Spaces`] holds all geoms of a program. A geom is a shape at a pose, an instance of a class of the user's own, or a
//! space, which holds other geoms. A space finds the pairs of its members whose bounding boxes touch and hands them to a
//! callback, which may ask for contact points, go down into spaces among the pair, or leave the pair alone. What it makes
//! of contacts is its own affair: [`crate::world::World::add_contact`] takes them.
//!
//! The order of pairs is the same for every kind of space, and does not depend on how the kind finds them: members count
//! from the newest; a pair is named newer member first, and pairs are sorted by their first, then by their second member.

mod collide;
mod error;
mod geom;
mod kind;
mod quadtree;
mod spaces;
pub mod utility;

pub use collide::SpaceContact;
pub use error::SpaceError;
pub use geom::{Form, Geom, GeomClass, GeomId};
pub use kind::{AxisOrder, Space, SpaceKind};
pub use quadtree::QuadTree;
pub use spaces::Spaces;
