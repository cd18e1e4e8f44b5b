//! Classes of geoms that the program defines.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{GeomId, GeomShape, bounds::EVERYWHERE, class, create, shape};
use crate::report::{self, require};
use crate::types::{dContactGeom, dReal};

/// `dColliderFn`.
pub(crate) type ColliderFn = unsafe extern "C-unwind" fn(GeomId, GeomId, c_int, *mut dContactGeom, c_int) -> c_int;

/// `dGeomClass`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct dGeomClass {
    bytes: c_int,
    collider: Option<unsafe extern "C-unwind" fn(c_int) -> Option<ColliderFn>>,
    bounds: Option<unsafe extern "C-unwind" fn(GeomId, *mut dReal)>,
    bounds_test: Option<unsafe extern "C-unwind" fn(GeomId, GeomId, *mut dReal) -> c_int>,
    destructor: Option<unsafe extern "C-unwind" fn(GeomId)>,
}

/// A geom of such a class.
pub(crate) struct UserGeom {
    pub class: c_int,
    definition: dGeomClass,
    /// The program's data, at first zeros; words, so that it is aligned for anything.
    data: Box<[u128]>,
}

/// A collider that the program set or that a class gave; it is called with the geoms exchanged if `reverse`.
#[derive(Clone, Copy)]
pub(crate) struct Override {
    pub function: Option<ColliderFn>,
    pub reverse: bool,
}

static CLASSES: Mutex<Vec<dGeomClass>> = Mutex::new(Vec::new());
static OVERRIDES: Mutex<BTreeMap<(c_int, c_int), Override>> = Mutex::new(BTreeMap::new());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn definition(number: c_int) -> Option<dGeomClass> {
    usize::try_from(number - class::FIRST_USER).ok().and_then(|index| lock(&CLASSES).get(index).copied())
}

/// The classes and overrides go with the library's last user.
pub(crate) fn close() {
    lock(&CLASSES).clear();
    lock(&OVERRIDES).clear();
    super::narrow::set_overridden(false);
}

/// The collider for a pair of classes where the program has set one, or one of the classes is its own.
pub(super) unsafe fn overriding(first: c_int, second: c_int) -> Option<Override> {
    if let Some(found) = lock(&OVERRIDES).get(&(first, second)) {
        return Some(*found);
    }
    let own = |number: c_int| number >= class::FIRST_USER;
    // Spaces and transforms look inside themselves first.
    let looks_inside =
        |number: c_int| (class::SIMPLE_SPACE..=class::QUADTREE_SPACE).contains(&number) || number == class::TRANSFORM;
    if (!own(first) && !own(second)) || looks_inside(first) || looks_inside(second) {
        return None;
    }
    // The class made first is asked first, whichever way round the geoms come.
    let swap = !own(first) || (own(second) && second < first);
    let (asked, other) = if swap { (second, first) } else { (first, second) };
    let mut function = definition(asked).and_then(|d| d.collider).and_then(|collider| collider(other));
    let mut reverse = swap;
    if function.is_none() && own(other) {
        function = definition(other).and_then(|d| d.collider).and_then(|collider| collider(asked));
        reverse = !swap;
    }
    let mut overrides = lock(&OVERRIDES);
    overrides.insert((first, second), Override { function, reverse });
    if first != second {
        overrides.insert((second, first), Override { function, reverse: !reverse });
    }
    Some(Override { function, reverse })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dSetColliderOverride(i: c_int, j: c_int, function: Option<ColliderFn>) {
    require!(i >= 0 && j >= 0, "Bad argument(s): no such class");
    let mut overrides = lock(&OVERRIDES);
    overrides.insert((i, j), Override { function, reverse: false });
    // For a class with itself this is the entry that stays, as in ODE.
    overrides.insert((j, i), Override { function, reverse: true });
    super::narrow::set_overridden(true);
}

/// A new class. ODE has room for four; more are reported as it reports them, and made all the same.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dCreateGeomClass(definition: *const dGeomClass) -> c_int {
    let good = definition.as_ref().is_some_and(|d| d.bytes >= 0 && d.collider.is_some() && d.bounds.is_some());
    require!(good, "bad geom class", -1);
    let mut classes = lock(&CLASSES);
    classes.push(*definition);
    let (count, number) = (classes.len(), class::FIRST_USER + classes.len() as c_int - 1);
    drop(classes);
    super::narrow::set_overridden(true);
    if count > class::ODE_USER_CLASSES {
        report::debug(report::USER, "more user classes than ODE has room for");
    }
    number
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dCreateGeom(number: c_int) -> GeomId {
    let definition = definition(number);
    require!(definition.is_some(), "not a custom class", null_mut());
    let Some(definition) = definition else { return null_mut() };
    let words = (definition.bytes as usize).div_ceil(size_of::<u128>()).max(1);
    let data = vec![0; words].into_boxed_slice();
    create(null_mut(), true, GeomShape::User(UserGeom { class: number, definition, data }))
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomGetClassData(geom: GeomId) -> *mut c_void {
    shape!(geom, GeomShape::User(user) => user.data.as_mut_ptr().cast(), "not a custom class", null_mut())
}

/// What the class says before its geom ends.
pub(super) unsafe fn call_destructor(geom: GeomId) {
    if let GeomShape::User(UserGeom { definition: dGeomClass { destructor: Some(destructor), .. }, .. }) = (*geom).shape
    {
        destructor(geom);
    }
}

/// What the class says of its bounds.
pub(super) unsafe fn bounds(geom: GeomId) -> [f64; 6] {
    let GeomShape::User(UserGeom { definition: dGeomClass { bounds: Some(bounds), .. }, .. }) = (*geom).shape else {
        return EVERYWHERE;
    };
    let mut result = [0.0; 6];
    bounds(geom, result.as_mut_ptr());
    result.map(Into::into)
}

/// Whether a geom's class lets it touch another geom with these bounds.
pub(crate) unsafe fn test_bounds(geom: GeomId, other: GeomId) -> bool {
    let GeomShape::User(UserGeom { definition: dGeomClass { bounds_test: Some(test), .. }, .. }) = (*geom).shape else {
        return true;
    };
    let mut bounds = (*other).bounds.map(|v| v as dReal);
    test(geom, other, bounds.as_mut_ptr()) != 0
}

/// For callers in C and as a class's own bounds: everything.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dInfiniteAABB(_geom: GeomId, result: *mut dReal) {
    require!(!result.is_null(), "Bad argument(s): nowhere to write to");
    *result.cast::<[dReal; 6]>() = EVERYWHERE.map(|v| v as dReal);
}
