//! What a scenario file says; `testdata/README.md` explains it. Keys that are not known are errors.

use std::collections::BTreeMap;

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// What happens, and the law that gives the figures.
    pub about: String,
    /// Step \[s\].
    pub step: f64,
    /// Duration \[s\].
    pub duration: f64,
    #[serde(default = "downwards")]
    pub gravity: [f64; 3],
    /// Values of `docs/parameters.md` by path.
    #[serde(default)]
    pub parameters: BTreeMap<String, String>,
    /// Presets under which the law does not hold, and why.
    #[serde(default)]
    pub not_under: BTreeMap<String, String>,
    #[serde(default)]
    pub bodies: BTreeMap<String, Body>,
    #[serde(default)]
    pub grounds: Vec<Ground>,
    #[serde(default)]
    pub joints: BTreeMap<String, Joint>,
    pub expect: Vec<Expectation>,
}

fn downwards() -> [f64; 3] {
    [0.0, 0.0, -9.81]
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    pub shape: Option<Solid>,
    /// Mass \[kg\]; 1 where nothing is said.
    pub mass: Option<f64>,
    /// Principal moments \[kg m²\]; those of the shape, or 1, where nothing is said.
    pub inertia: Option<[f64; 3]>,
    #[serde(default)]
    pub position: [f64; 3],
    #[serde(default)]
    pub velocity: [f64; 3],
    #[serde(default)]
    pub omega: [f64; 3],
    #[serde(default)]
    pub surface: Surface,
    #[serde(default)]
    pub kinematic: bool,
    #[serde(default)]
    pub may_sleep: bool,
    /// So many along x and y, `spacing` apart; `NAME_0`, `NAME_1` …
    pub copies: Option<[u32; 2]>,
    /// Distance of copies \[m\].
    #[serde(default)]
    pub spacing: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Solid {
    /// Radius \[m\].
    Sphere(f64),
    /// Sides \[m\].
    Box([f64; 3]),
    /// Radius and length along z \[m\].
    Cylinder([f64; 2]),
    /// Normal and offset of the plane \[m\].
    Plane([f64; 4]),
    /// Triangles in z = 0: so many squares of a side each way from the origin, each halved.
    Sheet { squares: i32, side: f64 },
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surface {
    /// Friction coefficient; 0 where nothing is said.
    #[serde(default)]
    pub friction: f64,
    /// Restitution; none where nothing is said.
    pub restitution: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ground {
    pub shape: Solid,
    #[serde(default)]
    pub position: [f64; 3],
    #[serde(default)]
    pub surface: Surface,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    pub kind: Kind,
    /// The body that moves, and the one that carries it; the world where it is not given.
    pub body: String,
    pub parent: Option<String>,
    #[serde(default)]
    pub anchor: [f64; 3],
    pub axis: [f64; 3],
    /// Stops \[m or rad\].
    pub limits: Option<[f64; 2]>,
    /// Speed and largest force.
    pub motor: Option<[f64; 2]>,
    /// Stiffness, damping, and the position of rest.
    pub spring: Option<[f64; 3]>,
    /// Dry friction.
    #[serde(default)]
    pub friction: f64,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Hinge,
    Slider,
    Ball,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// A quantity: `BODY.x`, `JOINT.rate`, `energy` …
    pub of: String,
    /// What of its course.
    #[serde(default)]
    pub statistic: Statistic,
    /// Looked at from here on \[s\].
    #[serde(default)]
    pub from: f64,
    /// And up to here; the end where nothing is said \[s\].
    pub to: Option<f64>,
    pub is: f64,
    pub within: f64,
    /// Other tolerances by preset.
    #[serde(default)]
    pub within_under: BTreeMap<String, f64>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Statistic {
    /// The last value.
    #[default]
    Last,
    Largest,
    Smallest,
    /// Largest less smallest.
    Range,
    /// Mean time from one rise through zero to the next.
    Period,
}

impl Statistic {
    /// Of times and values.
    pub fn of(self, course: &[[f64; 2]]) -> f64 {
        let largest = course.iter().fold(f64::NEG_INFINITY, |m, [_, x]| m.max(*x));
        let smallest = course.iter().fold(f64::INFINITY, |m, [_, x]| m.min(*x));
        match self {
            Self::Last => course.last().map_or(f64::NAN, |[_, x]| *x),
            Self::Largest => largest,
            Self::Smallest => smallest,
            Self::Range => largest - smallest,
            Self::Period => {
                let rises = course.windows(2).filter(|w| w[0][1] < 0.0 && w[1][1] >= 0.0);
                let times: Vec<f64> =
                    rises.map(|w| w[0][0] + (w[1][0] - w[0][0]) * w[0][1] / (w[0][1] - w[1][1])).collect();
                match times[..] {
                    [first, .., last] => (last - first) / (times.len() - 1) as f64,
                    _ => f64::NAN,
                }
            }
        }
    }
}
