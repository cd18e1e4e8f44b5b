//! The text format: one thing a line, z up, SI units, quaternions w x y z.
//!
//! ```text
//! scene NAME
//! dt DT
//! steps N
//! gravity GX GY GZ
//! friction MU
//! plane
//! sbox  PX PY PZ HX HY HZ
//! hfield N SX SY        N x N vertices over [-SX,SX] x [-SY,SY]; then N lines of N heights, a row along x each
//! body  ID GROUP MASS IXX IYY IZZ PX PY PZ QW QX QY QZ VX VY VZ WX WY WZ SHAPE...
//!       SHAPE: none | sphere R OX OY OZ | box HX HY HZ | capsule R HALF
//! joint ball|hinge A B AX AY AZ UX UY UZ KP KD
//! ```

use std::fmt::Write;
use std::str::{FromStr, SplitWhitespace};

use stiction::math::{DQuat, DVec3, Pose};
use thiserror::Error;

use crate::scene::{BodyKind, HeightGrid, Hinge, Scene, SceneBody, SceneJoint, SceneShape};

/// Why a text is no scene that can be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TextError {
    /// A line starts with an unknown word.
    #[error("line {line}: unknown word `{word}`")]
    Unknown {
        /// Number of the line, from 1.
        line: usize,
        /// The word.
        word: String,
    },
    /// A value is missing or is not of its kind.
    #[error("line {line}: {what} is missing or malformed")]
    Value {
        /// Number of the line, from 1.
        line: usize,
        /// Which value.
        what: &'static str,
    },
    /// Bodies are numbered in order.
    #[error("line {line}: bodies must be numbered 0, 1, 2, …")]
    Order {
        /// Number of the line, from 1.
        line: usize,
    },
}

/// Most vertices of a height field along an axis.
const MOST_VERTICES: usize = 4096;

struct Words<'a> {
    words: SplitWhitespace<'a>,
    line: usize,
}

impl Words<'_> {
    fn next<T: FromStr>(&mut self, what: &'static str) -> Result<T, TextError> {
        let error = TextError::Value { line: self.line, what };
        self.words.next().and_then(|w| w.parse().ok()).ok_or(error)
    }

    fn number(&mut self, what: &'static str) -> Result<f64, TextError> {
        let x: f64 = self.next(what)?;
        if x.is_finite() { Ok(x) } else { Err(TextError::Value { line: self.line, what }) }
    }

    fn vector(&mut self, what: &'static str) -> Result<DVec3, TextError> {
        Ok(DVec3::new(self.number(what)?, self.number(what)?, self.number(what)?))
    }
}

/// Reads a scene.
///
/// # Errors
/// The first line that is not of the format.
pub fn parse(text: &str) -> Result<Scene, TextError> {
    let mut scene = Scene::new("unnamed", 0.01, 0);
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let mut words = Words { words: line.split_whitespace(), line: number + 1 };
        let Some(word) = words.words.next() else { continue };
        match word {
            "scene" => scene.name = words.next("name")?,
            "dt" => scene.step = words.number("step")?,
            "steps" => scene.steps = words.next("number of steps")?,
            "gravity" => scene.gravity = words.vector("gravity")?,
            "friction" => scene.friction = words.number("friction")?,
            "plane" => scene.has_ground = true,
            "sbox" => scene.static_boxes.push((words.vector("centre")?, words.vector("half extents")?)),
            "body" => {
                if words.next::<usize>("number of the body")? != scene.bodies.len() {
                    return Err(TextError::Order { line: number + 1 });
                }
                scene.bodies.push(body(&mut words)?);
            }
            "joint" => scene.joints.push(joint(&mut words, scene.bodies.len())?),
            "hfield" => scene.field = Some(field(&mut words, &mut lines)?),
            word => return Err(TextError::Unknown { line: number + 1, word: word.to_owned() }),
        }
    }
    Ok(scene)
}

fn field<'a>(
    words: &mut Words<'a>,
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
) -> Result<HeightGrid, TextError> {
    let count: usize = words.next("number of vertices")?;
    if !(2..=MOST_VERTICES).contains(&count) {
        return Err(TextError::Value { line: words.line, what: "number of vertices" });
    }
    let half = [words.number("half extent")?, words.number("half extent")?];
    let mut heights = Vec::new();
    for row in 0..count {
        let end = (words.line + row, "");
        let (number, line) = lines.next().unwrap_or(end);
        let mut words = Words { words: line.split_whitespace(), line: number + 1 };
        for _ in 0..count {
            heights.push(words.number("height")?);
        }
    }
    Ok(HeightGrid { count, half, heights })
}

fn body(words: &mut Words<'_>) -> Result<SceneBody, TextError> {
    let kind = match words.next::<i64>("group")? {
        0 => BodyKind::All,
        -1 => BodyKind::Nothing,
        g => BodyKind::Group(u32::try_from(g).map_err(|_| TextError::Value { line: words.line, what: "group" })?),
    };
    let mass = words.number("mass")?;
    let moments = words.vector("moments of inertia")?;
    let position = words.vector("position")?;
    let (w, v) = (words.number("rotation")?, words.vector("rotation")?);
    Ok(SceneBody {
        kind,
        mass,
        moments,
        pose: Pose::new(position, DQuat::from_xyzw(v.x, v.y, v.z, w)),
        velocity: words.vector("velocity")?,
        omega: words.vector("angular velocity")?,
        shape: match words.next::<String>("shape")?.as_str() {
            "none" => SceneShape::None,
            "sphere" => SceneShape::Sphere { radius: words.number("radius")?, offset: words.vector("centre")? },
            "box" => SceneShape::Box { half: words.vector("half extents")? },
            "capsule" => SceneShape::Capsule { radius: words.number("radius")?, half: words.number("half length")? },
            _ => return Err(TextError::Value { line: words.line, what: "shape" }),
        },
    })
}

fn joint(words: &mut Words<'_>, bodies: usize) -> Result<SceneJoint, TextError> {
    let kind: String = words.next("type of the joint")?;
    let what = "body of the joint";
    let ends = [words.next::<i64>(what)?, words.next::<i64>(what)?];
    if ends.iter().any(|i| *i < -1 || *i >= bodies as i64) {
        return Err(TextError::Value { line: words.line, what });
    }
    let (anchor, axis) = (words.vector("anchor")?, words.vector("axis")?);
    let gains = [words.number("gain")?, words.number("gain")?];
    let hinge = match kind.as_str() {
        "ball" => None,
        "hinge" => Some(Hinge { axis, gains }),
        _ => return Err(TextError::Value { line: words.line, what: "type of the joint" }),
    };
    Ok(SceneJoint { bodies: ends.map(|i| usize::try_from(i).ok()), anchor, hinge })
}

/// Writes a scene; reading it gives back every bit.
#[must_use]
pub fn write(scene: &Scene) -> String {
    let v = |v: DVec3| format!("{:?} {:?} {:?}", v.x, v.y, v.z);
    let mut out = format!(
        "scene {}\ndt {:?}\nsteps {}\ngravity {}\nfriction {:?}\n",
        scene.name,
        scene.step,
        scene.steps,
        v(scene.gravity),
        scene.friction
    );
    // Writing to a string cannot fail.
    if scene.has_ground {
        out.push_str("plane\n");
    }
    for (center, half) in &scene.static_boxes {
        let _ = writeln!(out, "sbox {} {}", v(*center), v(*half));
    }
    if let Some(field) = &scene.field {
        let _ = writeln!(out, "hfield {} {:?} {:?}", field.count, field.half[0], field.half[1]);
        for row in field.heights.chunks(field.count) {
            let row: Vec<_> = row.iter().map(|z| format!("{z:?}")).collect();
            let _ = writeln!(out, "{}", row.join(" "));
        }
    }
    for (i, b) in scene.bodies.iter().enumerate() {
        let group = match b.kind {
            BodyKind::All => 0,
            BodyKind::Nothing => -1,
            BodyKind::Group(g) => i64::from(g),
        };
        let q = b.pose.rotation;
        let shape = match b.shape {
            SceneShape::None => "none".to_owned(),
            SceneShape::Sphere { radius, offset } => format!("sphere {radius:?} {}", v(offset)),
            SceneShape::Box { half } => format!("box {}", v(half)),
            SceneShape::Capsule { radius, half } => format!("capsule {radius:?} {half:?}"),
        };
        let (moments, position, velocity, omega) = (v(b.moments), v(b.pose.position), v(b.velocity), v(b.omega));
        let rotation = format!("{:?} {:?} {:?} {:?}", q.w, q.x, q.y, q.z);
        let _ =
            writeln!(out, "body {i} {group} {:?} {moments} {position} {rotation} {velocity} {omega} {shape}", b.mass);
    }
    for j in &scene.joints {
        let [a, b] = j.bodies.map(|i| i.map_or(-1, |i| i as i64));
        let (kind, axis, gains) = match j.hinge {
            None => ("ball", DVec3::Z, [0.0; 2]),
            Some(hinge) => ("hinge", hinge.axis, hinge.gains),
        };
        let _ = writeln!(out, "joint {kind} {a} {b} {} {} {:?} {:?}", v(j.anchor), v(axis), gains[0], gains[1]);
    }
    out
}
