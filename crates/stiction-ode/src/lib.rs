//! ODE's C interface on the Stiction engine.
//!
//! A program linked to `libode.so.8` runs on this library unchanged: the names, the structures and the numbers are those of
//! ODE 0.16, and the names that the guide of version 0.5 had and 0.16 dropped exist beside them. The functions are declared and
//! documented in `include/ode/*.h`; here each file has the functions of one object.
//!
//! Objects live on the heap and keep their address, because programs keep pointers into them
//! (`dBodyGetPosition` is the position itself). A step collects their rows, in ODE's own order, in the whitened form of the
//! engine's [`constraint`](stiction::constraint), and calls the engine's solvers; shapes and contact points come from the
//! engine's collision.
//!
//! Safety: every exported function trusts that a handle is null or one that this library gave out and that has not been
//! destroyed, and that pointers to numbers reach as far as ODE's documentation says. Nothing else is trusted.

// The interface is C's: raw pointers in every function, under the promise above; names and cases are ODE's.
#![allow(unsafe_code, unsafe_op_in_unsafe_fn, non_snake_case, non_camel_case_types)]
// `dReal` is `f64` or `f32`: what converts one of them is idle for the other.
#![allow(clippy::useless_conversion, clippy::unnecessary_cast)]

mod alive;
mod cooperative;
mod export;
mod geom;
mod in_progress;
mod init;
mod joints;
mod lifetime;
mod mass;
mod matrix;
mod memory;
mod objects;
mod random;
mod report;
mod rotation;
mod self_test;
mod space;
mod step;
mod stream;
mod threading;
mod timer;
mod types;
