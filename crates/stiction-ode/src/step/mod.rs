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
mod swept;

use std::ffi::{c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use crate::in_progress::{InProgress, Mark};
use crate::objects::world::WorldId;
use crate::random::Stream;
use crate::report::{INTERNAL, debug, require};
use crate::types::dReal;
pub(crate) use swept::{is_noted as is_any_swept, is_swept_by_default, note_swept};

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
    pub steps: InProgress,
    stream: Stream,
    islands: islands::Islands,
    bodies: Vec<prepare::StepBody>,
    /// Forces and torques of bodies that have begun the step, or have not, whichever the bodies do not hold.
    forces: prepare::Accumulators,
    assembly: rows::Assembly,
    quick: quick::Quick,
    direct: direct::DirectStep,
    fast: fast::FastStep,
    swept: swept::Swept,
    rim: reach::Rim,
}

impl Stepper {
    /// Lets bodies go that a step held whose callback was left by `longjmp`.
    pub(crate) unsafe fn release_held(&mut self) {
        self.rim.release();
    }

    /// Gives the memory back.
    pub(crate) fn forget(&mut self) {
        if !self.steps.is_any() {
            (self.islands, self.bodies, self.assembly) = Default::default();
            (self.quick, self.direct, self.fast) = Default::default();
        }
    }
}

/// The page of a step; false if it failed.
unsafe fn step(world: WorldId, h: f64, method: Method) -> bool {
    auto_disable::run(world, h);
    // Nothing else of the world refers to its stepper, and a callback's step is refused: the two borrows do not meet.
    let stepper: *mut Stepper = &raw mut *(*world).stepper;
    let parts = &mut *stepper;
    let depth = (*world).auto_enable_depth;
    // Those of a step that a callback left by `longjmp` are still held.
    parts.rim.release();
    let _release = reach::Release(&raw mut parts.rim);
    if let Method::Fast1(_) = method {
        parts.rim.hold(world, depth.max(0) as u32);
    }
    parts.islands.find(world);
    prepare::bodies(&*world, &parts.islands, h, &mut parts.bodies, &mut parts.forces);
    // Functions of the program are called before and after this, so that their exceptions pass; ours do not leave.
    if catch_unwind(AssertUnwindSafe(|| solve(world, parts, h, method))).is_err() {
        return false;
    }
    prepare::exchange(&parts.islands.bodies, &mut parts.forces);
    if parts.direct.has_found_redundance() {
        debug(INTERNAL, "joints without CFM hold a pair of bodies more than once; the least forces are taken");
    }
    let is_quick = method != Method::Direct;
    let stops = parts.swept.find(world, &parts.islands, &parts.bodies, h);
    advance::bodies(&parts.islands, &parts.bodies, &mut parts.forces, stops, h, is_quick);
    true
}

/// Finds the velocities at the end of the step, and the forces of the joints.
unsafe fn solve(world: WorldId, parts: &mut Stepper, h: f64, method: Method) {
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
}

/// A step as a call for the program's threads.
struct StepCall {
    world: WorldId,
    h: f64,
    method: Method,
    succeeded: bool,
}

/// Takes the step of a [`StepCall`].
unsafe extern "C-unwind" fn call(context: *mut c_void, _index: usize, _releasee: *mut c_void) -> c_int {
    let request = &mut *context.cast::<StepCall>();
    let (world, h, method) = (request.world, request.h, request.method);
    request.succeeded = step(world, h, method);
    request.succeeded.into()
}

/// Takes a step unless something is wrong with it.
unsafe fn guarded(world: WorldId, h: dReal, method: Method) -> c_int {
    require!(!world.is_null(), "bad world argument", 0);
    require!(h > 0.0 && h.is_finite(), "stepsize must be > 0", 0);
    // Asked before the frame begins that is marked as a step.
    require!(!(*world).stepper.steps.is_any(), "the world is in a step already", 0);
    let (bodies, joints) = ((*world).body_count, (*world).joint_count);
    if !(*world).working_memory.reserve(bodies, joints) {
        return 0;
    }
    let succeeded = marked(StepCall { world, h: h.into(), method, succeeded: false });
    if !succeeded {
        debug(INTERNAL, "the step failed; the world may be in part as it was before it");
    }
    succeeded.into()
}

/// Takes a step, during which the world is known to be in one.
#[inline(never)]
unsafe fn marked(mut request: StepCall) -> bool {
    let world = request.world;
    let mut mark = Mark::NONE;
    mark.begin(&raw mut (*world).stepper.steps, marked as *const () as usize);
    let context = (&raw mut request).cast();
    if !(*world).threads.run(call, context) {
        call(context, 0, std::ptr::null_mut());
    }
    request.succeeded
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldStep(world: WorldId, h: dReal) -> c_int {
    guarded(world, h, Method::Direct)
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldQuickStep(world: WorldId, h: dReal) -> c_int {
    require!(!world.is_null(), "bad world argument", 0);
    guarded(world, h, Method::Quick((*world).iterations.max(0) as u32))
}

/// StepFast1 of the guide's chapter 8: an iterative step with the given number of iterations, in which enabled bodies enable
/// only those within a distance of them.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldStepFast1(world: WorldId, h: dReal, iterations: c_int) {
    require!(iterations > 0, "maxiterations must be > 0");
    guarded(world, h, Method::Fast1(iterations as u32));
}

/// Chooses the iterative stepper of a world: 0 ODE's own, 1 the engine's.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldSetStictionMode(world: WorldId, mode: c_int) {
    require!(!world.is_null(), "bad world argument");
    require!((0..=1).contains(&mode), "mode must be 0 or 1");
    (*world).stepper.mode = if mode == 1 { Mode::Fast } else { Mode::Exact };
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldGetStictionMode(world: WorldId) -> c_int {
    require!(!world.is_null(), "bad world argument", 0);
    c_int::from((*world).stepper.mode == Mode::Fast)
}

/// Largest residual of a row in the last direct step [m/s or rad/s].
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldGetStictionResidual(world: WorldId) -> dReal {
    require!(!world.is_null(), "bad world argument", 0.0);
    (*world).stepper.direct.residual() as dReal
}

/// The version of the engine behind the interface.
#[unsafe(no_mangle)]
extern "C-unwind" fn dGetStictionVersion() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
