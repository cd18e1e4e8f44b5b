//! Functions that many kinds of joints have, by what they take and give.
//!
//! A line is `what name |data, sides, …| body`: the data of the kind, the bodies at their poses, and the values that the
//! program gives. A joint of another kind is refused before.

/// Data of a joint of one kind; a joint of another is refused.
macro_rules! data_of {
    ($joint:ident, $kind:ident $(, $value:expr)?) => {{
        $crate::report::require!(!$joint.is_null(), "bad joint argument" $(, $value)?);
        match (*$joint).kind.of_mut::<$kind>() {
            Some(data) => &raw mut *data,
            None => {
                $crate::report::require!(false, "joint type is not the one that the function is for" $(, $value)?);
                unreachable!()
            }
        }
    }};
}

/// Functions of one kind.
macro_rules! functions {
    ($kind:ident: $($(#[$doc:meta])* $what:ident $name:ident |$($p:tt),*| $body:expr;)*) => {
        $($crate::joints::functions::function! { $what $kind $(#[$doc])* $name |$($p),*| $body })*
    };
}

/// One function.
macro_rules! function {
    // A vector of the world, written to where the program says.
    (vector $kind:ident $(#[$doc:meta])* $name:ident |$data:tt, $sides:tt| $body:expr) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(joint: $crate::objects::joint::JointId, result: *mut $crate::types::dReal) {
            let $data = &*$crate::joints::functions::data_of!(joint, $kind);
            $crate::report::require!(!result.is_null(), "bad result argument");
            let $sides = &(*joint).sides();
            $crate::types::write3(result, $body);
        }
    };
    // A number.
    (number $kind:ident $(#[$doc:meta])* $name:ident |$data:tt, $sides:tt| $body:expr) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(joint: $crate::objects::joint::JointId) -> $crate::types::dReal {
            let $data = &*$crate::joints::functions::data_of!(joint, $kind, 0.0);
            let $sides = &(*joint).sides();
            ($body) as $crate::types::dReal
        }
    };
    // Two numbers, written to where the program says.
    (numbers $kind:ident $(#[$doc:meta])* $name:ident |$data:tt, $sides:tt| $body:expr) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(
            joint: $crate::objects::joint::JointId,
            first: *mut $crate::types::dReal,
            second: *mut $crate::types::dReal,
        ) {
            let $data = &*$crate::joints::functions::data_of!(joint, $kind);
            $crate::report::require!(!first.is_null() && !second.is_null(), "bad result argument");
            let $sides = &(*joint).sides();
            let [a, b]: [f64; 2] = $body;
            (*first, *second) = (a as $crate::types::dReal, b as $crate::types::dReal);
        }
    };
    // Takes a number.
    (set $kind:ident $(#[$doc:meta])* $name:ident |$data:tt, $sides:tt, $value:tt| $body:expr) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(joint: $crate::objects::joint::JointId, value: $crate::types::dReal) {
            let $data = &mut *$crate::joints::functions::data_of!(joint, $kind);
            let ($sides, $value) = (&(*joint).sides(), f64::from(value));
            $body;
        }
    };
    // Takes two numbers.
    (set2 $kind:ident $(#[$doc:meta])* $name:ident |$data:tt, $sides:tt, $value:tt| $body:expr) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(joint: $crate::objects::joint::JointId, first: $crate::types::dReal, second: $crate::types::dReal) {
            let $data = &mut *$crate::joints::functions::data_of!(joint, $kind);
            let ($sides, $value) = (&(*joint).sides(), [f64::from(first), f64::from(second)]);
            $body;
        }
    };
    // Takes a point or vector of the world.
    (place $kind:ident $(#[$doc:meta])* $name:ident |$data:tt, $sides:tt, $v:tt| $body:expr) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(joint: $crate::objects::joint::JointId, x: $crate::types::dReal, y: $crate::types::dReal, z: $crate::types::dReal) {
            let $data = &mut *$crate::joints::functions::data_of!(joint, $kind);
            let ($sides, $v) = (&(*joint).sides(), glam::DVec3::new(x.into(), y.into(), z.into()));
            $body;
        }
    };
    // Takes a point, once the joint has bodies.
    (point $kind:ident $(#[$doc:meta])* $name:ident |$data:tt, $sides:tt, $v:tt| $body:expr) => {
        $crate::joints::functions::function! {
            place $kind $(#[$doc])* $name |$data, $sides, $v| if $sides.has(0) { $body; }
        }
    };
    // Takes a point and a displacement, once the joint has bodies.
    (moved $kind:ident $(#[$doc:meta])* $name:ident |$data:tt, $sides:tt, $v:tt, $d:tt| $body:expr) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(
            joint: $crate::objects::joint::JointId,
            x: $crate::types::dReal,
            y: $crate::types::dReal,
            z: $crate::types::dReal,
            dx: $crate::types::dReal,
            dy: $crate::types::dReal,
            dz: $crate::types::dReal,
        ) {
            let $data = &mut *$crate::joints::functions::data_of!(joint, $kind);
            let $sides = &(*joint).sides();
            if $sides.has(0) {
                let $v = glam::DVec3::new(x.into(), y.into(), z.into());
                let $d = glam::DVec3::new(dx.into(), dy.into(), dz.into());
                $body;
            }
        }
    };
    // Takes an axis, which must have a direction, once the joint has bodies.
    (axis $kind:ident $(#[$doc:meta])* $name:ident |$data:tt, $sides:tt, $v:tt| $body:expr) => {
        $crate::joints::functions::function! {
            direction $kind $(#[$doc])* $name |$data, $sides, $v| if $sides.has(0) { $body; }
        }
    };
    // Takes an axis, which must have a direction.
    (direction $kind:ident $(#[$doc:meta])* $name:ident |$data:tt, $sides:tt, $v:tt| $body:expr) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(joint: $crate::objects::joint::JointId, x: $crate::types::dReal, y: $crate::types::dReal, z: $crate::types::dReal) {
            let $data = &mut *$crate::joints::functions::data_of!(joint, $kind);
            let $v = glam::DVec3::new(x.into(), y.into(), z.into());
            $crate::report::require_internal!($v.is_finite() && $v != glam::DVec3::ZERO, "the axis has no direction");
            let $sides = &(*joint).sides();
            $body;
        }
    };
    // Takes a parameter by its number; the body gives the motion, or the softness, and the number within its group.
    (set_parameter $kind:ident $(#[$doc:meta])* $name:ident |$data:tt, $number:tt| $body:expr) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(
            joint: $crate::objects::joint::JointId,
            $number: std::ffi::c_int,
            value: $crate::types::dReal,
        ) {
            let $data = &mut *$crate::joints::functions::data_of!(joint, $kind);
            let (of, number) = $body;
            of.set(number, value);
        }
    };
    // Gives a parameter by its number.
    (get_parameter $kind:ident $(#[$doc:meta])* $name:ident |$data:tt, $number:tt| $body:expr) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(
            joint: $crate::objects::joint::JointId,
            $number: std::ffi::c_int,
        ) -> $crate::types::dReal {
            let $data = &mut *$crate::joints::functions::data_of!(joint, $kind, 0.0);
            let (of, number) = $body;
            of.get(number)
        }
    };
}

/// The pair of functions that set and get parameters: the body gives what has them and the number within its group.
macro_rules! parameters {
    ($kind:ident: $set:ident, $get:ident |$data:tt, $number:tt| $body:expr) => {
        $crate::joints::functions::function! { set_parameter $kind $set |$data, $number| $body }
        $crate::joints::functions::function! { get_parameter $kind $get |$data, $number| $body }
    };
}

pub(crate) use {data_of, function, functions, parameters};
