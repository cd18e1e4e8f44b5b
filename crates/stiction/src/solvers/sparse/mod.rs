//! Sparse factors in velocity space, in blocks of six: what the direct and the compliant solvers share.
//!
//! | module | idea |
//! |---|---|
//! | `nodes` | cliques cut into groups of six coordinates |
//! | `ordering` | elimination order and shape of the factor, kept while the pairs stay |
//! | `block`, `factor` | Cholesky and LU in blocks of six |

pub(in crate::solvers) mod block;
pub(in crate::solvers) mod factor;
pub(in crate::solvers) mod nodes;
pub(in crate::solvers) mod ordering;
