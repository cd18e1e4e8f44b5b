//! Factoring and solving by several threads (`ode/cooperative.h`, `ode/matrix_coop.h`).
//!
//! The calling thread does the work: the sums then have one order, and the numbers are those of `dFactorLDLT` and its kin for
//! any number of threads. Requirements keep what was asked for, and a container holds it.

use std::ffi::{c_uint, c_void};

use crate::matrix::{self, ldlt};
use crate::report::require;
use crate::threading::Functions;
use crate::types::dReal;

/// `dCooperativeID`: the threads that may help.
struct Cooperative {
    functions: *const Functions,
    implementation: *mut c_void,
}

/// `dResourceRequirementsID`: the most that any of the planned calls needs.
#[derive(Clone, Copy)]
struct Requirements {
    cooperative: *mut Cooperative,
    /// Elements of working memory.
    memory: usize,
    threads: c_uint,
}

/// `dResourceContainerID`.
struct Container {
    requirements: Requirements,
    memory: Vec<dReal>,
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dCooperativeCreate(
    functions: *const Functions,
    implementation: *mut c_void,
) -> *mut Cooperative {
    Box::into_raw(Box::new(Cooperative { functions, implementation }))
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dCooperativeDestroy(cooperative: *mut Cooperative) {
    require!(!cooperative.is_null(), "Bad argument(s): no cooperative");
    drop(Box::from_raw(cooperative));
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dResourceRequirementsCreate(cooperative: *mut Cooperative) -> *mut Requirements {
    require!(!cooperative.is_null(), "Bad argument(s): no cooperative", std::ptr::null_mut());
    Box::into_raw(Box::new(Requirements { cooperative, memory: 0, threads: 0 }))
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dResourceRequirementsDestroy(requirements: *mut Requirements) {
    require!(!requirements.is_null(), "Bad argument(s): no requirements");
    drop(Box::from_raw(requirements));
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dResourceRequirementsClone(requirements: *mut Requirements) -> *mut Requirements {
    require!(!requirements.is_null(), "Bad argument(s): no requirements", std::ptr::null_mut());
    Box::into_raw(Box::new(*requirements))
}

/// Raises the first to what the second needs.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dResourceRequirementsMergeIn(summary: *mut Requirements, extra: *mut Requirements) {
    require!(!summary.is_null() && !extra.is_null(), "Bad argument(s): no requirements");
    raise(&mut *summary, (*extra).memory, (*extra).threads);
}

fn raise(requirements: &mut Requirements, memory: usize, threads: c_uint) {
    requirements.memory = requirements.memory.max(memory);
    requirements.threads = requirements.threads.max(threads);
}

/// Takes the memory that the requirements name, and has the threads prepared; null if they cannot.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dResourceContainerAcquire(requirements: *mut Requirements) -> *mut Container {
    require!(!requirements.is_null(), "Bad argument(s): no requirements", std::ptr::null_mut());
    let requirements = *requirements;
    let cooperative = &*requirements.cooperative;
    if let Some(preallocate) = cooperative.functions.as_ref().and_then(|f| f.preallocate_resources_for_calls)
        && preallocate(cooperative.implementation, requirements.threads.max(1) as usize) == 0
    {
        return std::ptr::null_mut();
    }
    Box::into_raw(Box::new(Container { requirements, memory: vec![0.0; requirements.memory] }))
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dResourceContainerDestroy(container: *mut Container) {
    require!(!container.is_null(), "Bad argument(s): no resources");
    drop(Box::from_raw(container));
}

macro_rules! estimates {
    ($($name:ident: |$rows:ident| $memory:expr;)*) => {$(
        /// Adds what such a call of at most so many threads and rows needs.
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(requirements: *mut Requirements, threads: c_uint, rows: c_uint) {
            require!(!requirements.is_null(), "Bad argument(s): no requirements");
            let $rows = matrix::padded(rows as usize);
            raise(&mut *requirements, $memory, threads);
        }
    )*};
}

estimates! {
    dEstimateCooperativelyFactorLDLTResourceRequirements: |rows| rows;
    dEstimateCooperativelySolveLDLTResourceRequirements: |rows| rows;
    dEstimateCooperativelySolveL1StraightResourceRequirements: |rows| rows;
    dEstimateCooperativelySolveL1TransposedResourceRequirements: |rows| rows;
    dEstimateCooperativelyScaleVectorResourceRequirements: |_rows| 0;
}

/// The resources suffice for so many elements.
unsafe fn is_enough(resources: *const Container, elements: c_uint) -> bool {
    resources.as_ref().is_some_and(|r| r.memory.len() >= elements as usize && r.requirements.threads > 0)
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dCooperativelyFactorLDLT(
    resources: *mut Container,
    threads: c_uint,
    a: *mut dReal,
    d: *mut dReal,
    rows: c_uint,
    skip: c_uint,
) {
    require!(threads != 0 && is_enough(resources, rows), "Bad argument(s): the resources do not suffice");
    require!(rows == 0 || skip >= rows && !a.is_null() && !d.is_null(), "Bad argument(s): no matrix");
    ldlt::factor(a, d, rows as usize, skip as usize);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dCooperativelySolveLDLT(
    resources: *mut Container,
    threads: c_uint,
    l: *const dReal,
    d: *const dReal,
    b: *mut dReal,
    rows: c_uint,
    skip: c_uint,
) {
    require!(threads != 0 && is_enough(resources, rows), "Bad argument(s): the resources do not suffice");
    let given = !l.is_null() && !d.is_null() && !b.is_null();
    require!(rows == 0 || skip >= rows && given, "Bad argument(s): no matrix");
    ldlt::solve(l, d, b, rows as usize, skip as usize);
}

macro_rules! triangular {
    ($($name:ident: $solve:path;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(
            resources: *mut Container,
            threads: c_uint,
            l: *const dReal,
            b: *mut dReal,
            rows: c_uint,
            skip: c_uint,
        ) {
            require!(threads != 0 && is_enough(resources, rows), "Bad argument(s): the resources do not suffice");
            require!(rows == 0 || skip >= rows && !l.is_null() && !b.is_null(), "Bad argument(s): no matrix");
            $solve(l, b, rows as usize, skip as usize);
        }
    )*};
}

triangular! {
    dCooperativelySolveL1Straight: ldlt::solve_straight;
    dCooperativelySolveL1Transposed: ldlt::solve_transposed;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dCooperativelyScaleVector(
    resources: *mut Container,
    threads: c_uint,
    a: *mut dReal,
    scale: *const dReal,
    count: c_uint,
) {
    require!(threads != 0 && is_enough(resources, 0), "Bad argument(s): the resources do not suffice");
    require!(count == 0 || !a.is_null() && !scale.is_null(), "Bad argument(s): no vector");
    matrix::scale_vector(a, scale, count as usize);
}
