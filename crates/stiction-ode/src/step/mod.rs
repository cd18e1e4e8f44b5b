//! One step of a world, as ODE takes it: idle bodies are disabled, islands are found, every island's rows are solved, bodies
//! move.

mod advance;
mod auto_disable;
mod direct;
mod fast;
mod flow;
mod islands;
mod memory;
mod prepare;
mod push;
mod quick;
mod reach;
mod rows;
mod sweeps;
mod swept;

use std::any::Any;
use std::ffi::{c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::in_progress::Mark;
use crate::objects::mode::Mode;
use crate::objects::world::WorldId;
use crate::report::{INTERNAL, debug, require};
use crate::types::dReal;

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
struct Stepper {
    islands: islands::Islands,
    bodies: Vec<prepare::StepBody>,
    /// Forces and torques of bodies that have begun the step, or have not, whichever the bodies do not hold.
    forces: prepare::Accumulators,
    assembly: rows::Assembly,
    quick: quick::Quick,
    direct: direct::DirectStep,
    fast: fast::FastStep,
    flow: flow::Flow,
    /// Forces of its bodies.
    flow_forces: prepare::Accumulators,
    swept: swept::Swept,
}

/// The page of a step; false if it failed.
unsafe fn step(world: WorldId, h: f64, method: Method) -> bool {
    auto_disable::run(world, h);
    // Nothing else of the world refers to its stepper, and a callback's step is refused: the borrows do not meet.
    let stepper: *mut Option<Box<dyn Any>> = &raw mut (*world).stepper;
    let kept = (*stepper).get_or_insert_with(|| Box::<Stepper>::default());
    let Some(parts) = kept.downcast_mut::<Stepper>() else { return false };
    // Those of a step that a callback left by `longjmp` are still held.
    (*world).rim.release();
    let _release = reach::Release(&raw mut (*world).rim);
    if let Method::Fast1(_) = method {
        reach::hold(world, (*world).auto_enable_depth.max(0) as u32);
    }
    parts.islands.find(world);
    prepare::mend(&parts.islands);
    if (*world).mode == Mode::Fast && method != Method::Direct {
        parts.flow.take(&*world, &mut parts.islands);
    } else {
        parts.flow.clear();
    }
    prepare::bodies(&*world, &parts.islands, Some(h), &mut parts.bodies, &mut parts.forces);
    prepare::bodies(&*world, &parts.flow.islands, None, &mut parts.flow.bodies, &mut parts.flow_forces);
    // Functions of the program are called before and after this, so that their exceptions pass; ours do not leave.
    let solved = catch_unwind(AssertUnwindSafe(|| {
        parts.flow.run(h);
        solve(world, parts, h, method);
    }));
    if solved.is_err() {
        return false;
    }
    prepare::exchange(&parts.islands.bodies, &mut parts.forces);
    prepare::exchange(&parts.flow.islands.bodies, &mut parts.flow_forces);
    if parts.direct.has_found_redundance() {
        debug(INTERNAL, "joints without CFM hold a pair of bodies more than once; the least forces are taken");
    }
    let is_quick = method != Method::Direct;
    let stops = parts.swept.find(world, &parts.islands, &parts.bodies, h);
    advance::bodies(&parts.islands, &parts.bodies, &mut parts.forces, stops, h, is_quick);
    advance::bodies(&parts.flow.islands, &parts.flow.bodies, &mut parts.flow_forces, &[], h, is_quick);
    true
}

/// Finds the velocities at the end of the step, and the forces of the joints.
unsafe fn solve(world: WorldId, parts: &mut Stepper, h: f64, method: Method) {
    match (method, (*world).mode) {
        (Method::Quick(sweeps) | Method::Fast1(sweeps), Mode::Exact) => {
            parts.quick.run(&*world, &parts.islands, &mut parts.bodies, &mut parts.assembly, h, sweeps);
        }
        (Method::Quick(sweeps) | Method::Fast1(sweeps), Mode::Fast) => {
            let direct = &mut parts.direct;
            parts.fast.run(&*world, &parts.islands, &mut parts.bodies, &mut parts.assembly, (h, sweeps), direct);
        }
        (Method::Direct, _) => {
            parts.direct.run(&*world, &parts.islands, &mut parts.bodies, &mut parts.assembly, h);
        }
    }
    parts.assembly.write_feedback();
}

/// Takes a step unless something is wrong with it.
unsafe fn guarded(world: WorldId, h: dReal, method: Method) -> c_int {
    require!(!world.is_null(), "bad world argument", 0);
    require!(h > 0.0 && h.is_finite(), "stepsize must be > 0", 0);
    // Asked before the frame begins that is marked as a step.
    require!(!(*world).steps.is_any(), "the world is in a step already", 0);
    let (bodies, joints) = ((*world).body_count, (*world).joint_count);
    if !(*world).working_memory.reserve(bodies, joints) {
        return 0;
    }
    let succeeded = marked(world, h.into(), method);
    if !succeeded {
        debug(INTERNAL, "the step failed; the world may be in part as it was before it");
    }
    succeeded.into()
}

/// Takes a step, during which the world is known to be in one.
#[inline(never)]
unsafe fn marked(world: WorldId, h: f64, method: Method) -> bool {
    let mut mark = Mark::NONE;
    mark.begin(&raw mut (*world).steps, marked as *const () as usize);
    step(world, h, method)
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

/// Largest residual of a row in the last direct step [m/s or rad/s].
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldGetStictionResidual(world: WorldId) -> dReal {
    require!(!world.is_null(), "bad world argument", 0.0);
    let stepper = (*world).stepper.as_deref().and_then(<dyn Any>::downcast_ref::<Stepper>);
    stepper.map_or(0.0, |stepper| stepper.direct.residual() as dReal)
}

/// The version of the engine behind the interface.
#[unsafe(no_mangle)]
extern "C-unwind" fn dGetStictionVersion() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
