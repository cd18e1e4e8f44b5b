//! Triangle meshes and heightfields against everything: triangle by triangle, in the mesh's axes.
//!
//! A triangle is met if the solid truly overlaps it, and counts if the solid's centre is before it. A centre that is inside
//! a closed mesh or field, or behind an open one, has gone through the surface at the nearest place, and that place's side
//! counts: closed meshes have an inside, open ones are met from one side, and only past their rim they are met sideways.
//! Which side that is the query says (see [`back`]): the front, or the back for what came from there.
//!
//! The contact direction is that of least depth if the surface has it there (see [`source`]'s `is_outward`), so that
//! edges within a flat surface stop nothing; otherwise the triangle's own normal. Where an overlap is deep, or a triangle
//! is met that no contact shows, the contacts are those of the shortest way out (see [`search`]).

mod among;
mod back;
mod box_axes;
mod capsule_axes;
mod crossing;
mod direction;
mod facet;
mod gather;
mod hull;
mod hull_axes;
mod near;
mod outline;
mod pair;
mod pair_way_out;
mod plane;
mod query;
mod ridges;
mod round_axes;
mod search;
mod solid;
mod source;
mod sphere;
mod touch;
mod translation;
mod way_out;

pub(crate) use among::collide_among;
pub(crate) use back::{behind, is_two_sided};
pub(super) use facet::Facet;
pub(super) use pair::mesh_mesh;
pub(super) use plane::mesh_plane;
pub(super) use query::mesh_ray;
pub use query::{candidates, collide_accepted};
pub(super) use solid::solid_mesh;
pub(super) use source::{TriangleSource, source};
pub(super) use sphere::sphere_mesh;

#[cfg(test)]
mod tests;
