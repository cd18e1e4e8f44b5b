//! One step of a world, as ODE takes it: idle bodies are disabled, islands are found, every island's rows are solved, bodies
//! move.

mod advance;
mod auto_disable;
mod direct;
mod fast;
mod islands;
mod memory;
mod prepare;
mod push;
mod quick;
mod reach;
mod rows;
mod sweeps;

use std::ffi::{c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use crate::objects::world::WorldId;
use crate::random::Stream;
use crate::report::{INTERNAL, debug, require};
use crate::types::dReal;

/// How the iterative stepper works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// ODE's own rows, order and random stream, from zero: its trajectories.
    Exact,
    /// The engine's sweeps.
    Fast,
}

impl Default for Mode {
    /// `STICTION_ODE_MODE=fast` in the environment chooses the fast mode for every new world.
    fn default() -> Self {
        static MODE: OnceLock<Mode> = OnceLock::new();
        *MODE.get_or_init(|| match std::env::var("STICTION_ODE_MODE") {
            Ok(mode) if mode == "fast" => Self::Fast,
            _ => Self::Exact,
        })
    }
}

/// Which solver a step uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    /// `dWorldStep`.
    Direct,
    /// `dWorldQuickStep` with so many sweeps.
    Quick(u32),
    /// `dWorldStepFast1` with so many sweeps.
    Fast1(u32),
}

/// What a world's steps work with. It is kept from step to step so that a step that is like the last takes no memory.
#[derive(Default)]
pub(crate) struct Stepper {
    pub mode: Mode,
    pub is_stepping: bool,
    stream: Stream,
    islands: islands::Islands,
    bodies: Vec<prepare::StepBody>,
    assembly: rows::Assembly,
    quick: quick::Quick,
    direct: direct::DirectStep,
    fast: fast::FastStep,
}

impl Stepper {
    /// Gives the memory back.
    pub(crate) fn forget(&mut self) {
        if !self.is_stepping {
            (self.islands, self.bodies, self.assembly) = Default::default();
            (self.quick, self.direct, self.fast) = Default::default();
        }
    }
}

/// The page of a step.
unsafe fn step(world: WorldId, h: f64, method: Method) {
    auto_disable::run(world, h);
    // Nothing else of the world refers to its stepper, and a callback's step is refused: the two borrows do not meet.
    let stepper: *mut Stepper = &raw mut *(*world).stepper;
    let parts = &mut *stepper;
    let depth = (*world).auto_enable_depth;
    let rim =
        if let Method::Fast1(_) = method { reach::hold(world, depth.max(0) as u32) } else { reach::Rim::default() };
    parts.islands.find(world);
    prepare::bodies(&*world, &parts.islands, h, &mut parts.bodies);
    match (method, parts.mode) {
        (Method::Quick(sweeps) | Method::Fast1(sweeps), Mode::Exact) => {
            let stream = &mut parts.stream;
            parts.quick.run(&*world, &parts.islands, &mut parts.bodies, &mut parts.assembly, h, sweeps, stream);
        }
        (Method::Quick(sweeps) | Method::Fast1(sweeps), Mode::Fast) => {
            let direct = &mut parts.direct;
            parts.fast.run(&*world, &parts.islands, &mut parts.bodies, &mut parts.assembly, h, sweeps, direct);
        }
        (Method::Direct, _) => {
            parts.direct.run(&*world, &parts.islands, &mut parts.bodies, &mut parts.assembly, h);
        }
    }
    parts.assembly.write_feedback();
    let scales_torque = method != Method::Direct;
    advance::bodies(&parts.islands, &parts.bodies, h, scales_torque);
    drop(rim);
}

/// A step as a call for the program's threads.
struct StepCall {
    world: WorldId,
    h: f64,
    method: Method,
    succeeded: bool,
}

/// Takes the step of a [`StepCall`].
unsafe extern "C" fn call(context: *mut c_void, _index: usize, _releasee: *mut c_void) -> c_int {
    let request = &mut *context.cast::<StepCall>();
    let (world, h, method) = (request.world, request.h, request.method);
    request.succeeded = catch_unwind(AssertUnwindSafe(|| step(world, h, method))).is_ok();
    request.succeeded.into()
}

/// Takes a step unless something is wrong with it.
unsafe fn guarded(world: WorldId, h: dReal, method: Method) -> c_int {
    require!(!world.is_null(), "bad world argument", 0);
    require!(h > 0.0 && h.is_finite(), "stepsize must be > 0", 0);
    require!(!(*world).stepper.is_stepping, "the world is in a step already", 0);
    let (bodies, joints) = ((*world).body_count, (*world).joint_count);
    if !(*world).working_memory.reserve(bodies, joints) {
        return 0;
    }
    (*world).stepper.is_stepping = true;
    let mut request = StepCall { world, h: h.into(), method, succeeded: false };
    let context = (&raw mut request).cast();
    if !(*world).threads.run(call, context) {
        call(context, 0, std::ptr::null_mut());
    }
    (*world).stepper.is_stepping = false;
    if !request.succeeded {
        debug(INTERNAL, "the step failed; the world may be in part as it was before it");
    }
    request.succeeded.into()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn dWorldStep(world: WorldId, h: dReal) -> c_int {
    guarded(world, h, Method::Direct)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn dWorldQuickStep(world: WorldId, h: dReal) -> c_int {
    require!(!world.is_null(), "bad world argument", 0);
    guarded(world, h, Method::Quick((*world).iterations.max(0) as u32))
}

/// StepFast1 of the guide's chapter 8: an iterative step with the given number of iterations, in which enabled bodies enable
/// only those within a distance of them.
#[unsafe(no_mangle)]
unsafe extern "C" fn dWorldStepFast1(world: WorldId, h: dReal, iterations: c_int) {
    require!(iterations > 0, "maxiterations must be > 0");
    guarded(world, h, Method::Fast1(iterations as u32));
}

/// Chooses the iterative stepper of a world: 0 ODE's own, 1 the engine's.
#[unsafe(no_mangle)]
unsafe extern "C" fn dWorldSetStictionMode(world: WorldId, mode: c_int) {
    require!(!world.is_null(), "bad world argument");
    require!((0..=1).contains(&mode), "mode must be 0 or 1");
    (*world).stepper.mode = if mode == 1 { Mode::Fast } else { Mode::Exact };
}

#[unsafe(no_mangle)]
unsafe extern "C" fn dWorldGetStictionMode(world: WorldId) -> c_int {
    require!(!world.is_null(), "bad world argument", 0);
    c_int::from((*world).stepper.mode == Mode::Fast)
}

/// Largest residual of a row in the last direct step [m/s or rad/s].
#[unsafe(no_mangle)]
unsafe extern "C" fn dWorldGetStictionResidual(world: WorldId) -> dReal {
    require!(!world.is_null(), "bad world argument", 0.0);
    (*world).stepper.direct.residual() as dReal
}

/// The version of the engine behind the interface.
#[unsafe(no_mangle)]
extern "C" fn dGetStictionVersion() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
