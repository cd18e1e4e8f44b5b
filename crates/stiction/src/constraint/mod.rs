//! The waist: what joints and contacts hand to solvers. Data only.
//!
//! `J v⁺ + Γ λ = b`, `lo ≤ λ ≤ hi`; λ impulses \[N s, N m s\], `u = J v` velocities \[m/s, rad/s\]. A *clique* is a
//! set of coordinates with one mass matrix: a free body (6), an articulated tree (n). Each clique factors its mass
//! once a step, `M = LᵀL`, and a row carries `Y = L⁻ᵀ Jᵀ`, so that with `z = L v` everything a solver does is
//! plain numbers: `u = Yᵀ z`, `z += Y λ`, `A = Yᵀ Y + Γ`.

mod problem;
mod restriction;
mod row;

pub use problem::{Block, Clique, ContactPoint, Island, Problem, SmoothLaw};
pub use restriction::Restriction;
pub use row::{Bound, Route, Row, RowKind, RowSource};
