//! Constraint rows: what joints and contacts hand to solvers. Data only.
//!
//! `J v⁺ + Γ λ = b`, `lo ≤ λ ≤ hi`; λ impulses \[N s, N m s\], `u = J v` velocities \[m/s, rad/s\]. A *clique* is a
//! set of coordinates with one mass matrix: a free body (6), an articulated tree (n). Each clique factors its mass
//! once a step, `M = LᵀL`, and a row carries `Y = L⁻ᵀ Jᵀ`, so that with `z = L v` everything a solver does is
//! plain numbers: `u = Yᵀ z`, `z += Y λ`, `A = Yᵀ Y + Γ`.
//!
//! ```
//! use stiction::constraint::{Problem, RowKind, RowSource};
//!
//! // A body of 4 kg that falls at 1 m/s, and a row that stops it: Y = 1/√m, z = √m v.
//! let mut problem = Problem::default();
//! problem.clear(1e-3);
//! let body = problem.push_clique(&[-2.0]);
//! let row = problem.push_row(&[(body, &[0.5])], 0.0, 0.0, RowKind::Joint, RowSource::Contact(0));
//! problem.close_island();
//! let row = &problem.rows[row as usize];
//! assert_eq!(problem.velocity(row, &problem.z_free), -1.0);
//! // λ = −u / A stops it: 4 N s.
//! assert_eq!(1.0 / row.diagonal, 4.0);
//! ```

mod problem;
mod restriction;
mod row;

pub use problem::{Block, Clique, ContactPoint, Island, Problem, SmoothLaw};
pub use restriction::Restriction;
pub use row::{Bound, Route, Row, RowKind, RowSource};
