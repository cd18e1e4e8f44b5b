//! Solvers of smooth laws: every impulse is a function of the velocity after the step, `λ = F(u)`, and Newton's method
//! finds the velocity, `z = z_free + Y F(Yᵀ z)`.
//!
//! In whitened coordinates the mass is the identity: Newton's matrix is `H = 1 + Y G Yᵀ` with `G = −∂F/∂u`, in the shape
//! of the graph of cliques, whatever the contacts are. Two free balls that do not touch share no block.
//!
//! | module | idea |
//! |---|---|
//! | `island` | an island beside each other, products with its rows, Newton's matrix |
//! | `laws` | impulses and their derivatives: contacts, and linear rows as stiff springs |
//! | `transition` | the transition-aware line search |
//! | `tamsi` | the implicit Stribeck solver (TAMSI, arXiv 1909.05700) |
//! | `convex` | friction bounds from the start of the step: a convex problem, which always converges |

mod convex;
mod island;
mod laws;
mod tamsi;
pub mod transition;

pub use convex::Convex;
pub use tamsi::Tamsi;
