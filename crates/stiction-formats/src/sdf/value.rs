//! Texts as values, and what is wrong with a text that is none.

use stiction::math::{DQuat, DVec3, Pose};

use super::element::Element;
use super::spec::{Entry, Kind, Range};

/// Numbers beyond this have no physical meaning, and their products overflow.
const LARGEST: f64 = 1e15;

/// A text that is not accepted.
pub(crate) struct BadValue {
    pub code: &'static str,
    /// What was expected.
    pub expected: String,
    /// Gazebo classic runs it.
    pub is_soft: bool,
}

fn bad(code: &'static str, expected: impl Into<String>) -> BadValue {
    BadValue { code, expected: expected.into(), is_soft: false }
}

/// A whole-token number; NaN and infinities included.
pub(crate) fn real(text: &str) -> Option<f64> {
    text.trim().parse().ok()
}

/// Numbers between white space.
pub(crate) fn reals(text: &str) -> Option<Vec<f64>> {
    text.split_whitespace().map(real).collect()
}

/// `true`, `false`, `1`, `0`.
pub(crate) fn boolean(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// A count: decimal, hexadecimal with `0x`, or a decimal fraction without a remainder, as files have it.
pub(crate) fn unsigned(text: &str) -> Option<u32> {
    let text = text.trim();
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return u32::from_str_radix(digits, 16).ok();
    }
    text.parse().ok().or_else(|| {
        let number = real(text)?;
        let is_count = (0.0..=f64::from(u32::MAX)).contains(&number) && libm::trunc(number) == number;
        is_count.then_some(number as u32)
    })
}

/// Three numbers.
pub(crate) fn vector3(text: &str) -> Option<DVec3> {
    match reals(text)?.as_slice() {
        [x, y, z] => Some(DVec3::new(*x, *y, *z)),
        _ => None,
    }
}

/// A pose as text and attributes give it; an empty text is the identity.
pub(crate) fn pose(element: &Element) -> Option<Pose> {
    let degrees = element.value("degrees").and_then(boolean).unwrap_or(false);
    let numbers = reals(&element.text)?;
    let scale = if degrees { core::f64::consts::PI / 180.0 } else { 1.0 };
    let result = match (element.value("rotation_format"), numbers.as_slice()) {
        (_, []) => Pose::IDENTITY,
        (Some("quat_xyzw"), [x, y, z, qx, qy, qz, qw]) => {
            let rotation = DQuat::from_xyzw(*qx, *qy, *qz, *qw);
            let is_zero = rotation.length_squared() < 1e-24;
            Pose::new(DVec3::new(*x, *y, *z), if is_zero { DQuat::IDENTITY } else { rotation.normalize() })
        }
        (Some("quat_xyzw"), _) => return None,
        (_, [x, y, z, roll, pitch, yaw]) => {
            Pose::from_xyz_rpy(DVec3::new(*x, *y, *z), DVec3::new(*roll, *pitch, *yaw) * scale)
        }
        _ => return None,
    };
    result.is_finite().then_some(result)
}

/// What is wrong with the text of `element`, which the table describes by `entry`.
pub(crate) fn check(element: &Element, entry: Entry) -> Result<(), BadValue> {
    let text = element.text.trim();
    // An empty element is its default, as everywhere in the format.
    if text.is_empty() {
        return Ok(());
    }
    match entry.kind {
        Kind::Tree | Kind::Opaque | Kind::Text => Ok(()),
        Kind::Bool => boolean(text).map(|_| ()).ok_or_else(|| bad("invalid-value", "`true` or `false`")),
        Kind::Unsigned => match (unsigned(text), real(text)) {
            (Some(_), _) => Ok(()),
            // Classic reads a negative count as "no own value".
            (None, Some(n)) if n < 0.0 => {
                Err(BadValue { code: "out-of-range", expected: "a count, 0 or more".into(), is_soft: true })
            }
            _ => Err(bad("invalid-value", "a whole number, 0 or more")),
        },
        Kind::Real => numbers(text, 1, "a number", entry.range),
        Kind::Vector2 => numbers(text, 2, "two numbers", entry.range),
        Kind::Vector3 => numbers(text, 3, "three numbers", entry.range),
        Kind::Pose => check_pose(element, text),
    }
}

fn numbers(text: &str, count: usize, words: &str, range: Range) -> Result<(), BadValue> {
    let Some(values) = reals(text).filter(|v| v.len() == count) else {
        return Err(bad("invalid-value", format!("{words}{}", if count > 1 { ", separated by spaces" } else { "" })));
    };
    values.into_iter().try_for_each(|v| check_range(v, range))
}

fn check_range(v: f64, range: Range) -> Result<(), BadValue> {
    if v.is_nan() || (v.is_infinite() && range != Range::Infinite) {
        return Err(bad("not-finite", "a finite number"));
    }
    let soft = |ok: bool, words: &str| {
        if ok { Ok(()) } else { Err(BadValue { code: "out-of-range", expected: words.into(), is_soft: true }) }
    };
    let hard = |ok: bool, words: &str| if ok { Ok(()) } else { Err(bad("out-of-range", words)) };
    match range {
        Range::Finite | Range::Infinite => Ok(()),
        Range::Positive if v == 0.0 => soft(false, "a number above 0"),
        Range::Positive => hard(v > 0.0 && v <= LARGEST, "a number above 0"),
        Range::NonNegative => hard(v >= 0.0, "0 or more"),
        Range::Unit => hard((0.0..=1.0).contains(&v), "a number from 0 to 1"),
        Range::SoftPositive => soft(v > 0.0, "a number above 0"),
        Range::SoftNonNegative => soft(v >= 0.0, "0 or more"),
        Range::SoftUnit => soft((0.0..=1.0).contains(&v), "a number from 0 to 1"),
        Range::SoftRelaxation => soft(v > 0.0 && v < 2.0, "a number above 0 and below 2"),
        Range::Step => hard((1e-9..=1.0).contains(&v), "a time step from 1e-9 s to 1 s"),
    }
}

fn check_pose(element: &Element, text: &str) -> Result<(), BadValue> {
    let is_quaternion = element.value("rotation_format") == Some("quat_xyzw");
    let (count, words) =
        if is_quaternion { (7, "seven numbers: x y z qx qy qz qw") } else { (6, "six numbers: x y z roll pitch yaw") };
    let Some(values) = reals(text).filter(|v| v.len() == count) else { return Err(bad("invalid-value", words)) };
    if values.iter().any(|v| !v.is_finite()) {
        return Err(bad("not-finite", "finite numbers"));
    }
    if is_quaternion && values[3..].iter().all(|v| *v == 0.0) {
        return Err(bad("invalid-value", "a pose whose quaternion has a direction"));
    }
    if values.iter().any(|v| v.abs() > LARGEST) {
        return Err(bad("out-of-range", "numbers of at most 1e15"));
    }
    Ok(())
}
