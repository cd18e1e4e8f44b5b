//! Laws of contact: friction, restitution, compliance, and the rows they become.
//!
//! ```
//! use stiction::contact::compliance::{erp_cfm, spring_damper};
//!
//! // A spring of 1000 N/m with a damper of 5 N s/m is an ERP and a CFM at every step.
//! let (k, c, h) = (1000.0, 5.0, 0.01);
//! let (spring, ode) = (spring_damper(k, c, h), erp_cfm(h * k / (h * k + c), 1.0 / (h * k + c), h));
//! assert!((spring.correction - ode.correction).abs() < 1e-15);
//! assert!((spring.compliance / ode.compliance - 1.0).abs() < 1e-14);
//! ```

pub mod compliance;
pub mod friction;
pub mod restitution;
pub(crate) mod rows;
pub(crate) mod spread;
pub mod torsional;
