//! What a wire is made of, and what it is led over.

use glam::DVec3;
use thiserror::Error;

use super::BodyId;
use crate::material::Surface;

/// Young's modulus and damping time of one way in which a wire gives way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WireElasticity {
    /// E \[Pa\].
    pub youngs_modulus: f64,
    /// Damping time τ: the damper beside a spring k is `k τ` \[s\].
    pub damping_time: f64,
}

/// What a wire is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WireMaterial {
    /// ρ \[kg/m³\].
    pub density: f64,
    /// Along the wire: a segment of the length l is a spring `k = E A / l`, `A = π r²`.
    pub stretch: WireElasticity,
    /// Across it: a bend by the angle θ is a spring `k = E I / l`, `I = π r⁴ / 4`. With a modulus of 0 the wire has no
    /// stiffness against bending, and bears no pressure.
    pub bend: WireElasticity,
    /// Coulomb's coefficient μ along the wire where it runs through eyes.
    pub friction: f64,
}

impl Default for WireMaterial {
    /// The material `default` of AGX in Choreonoid.
    fn default() -> Self {
        let elasticity = WireElasticity { youngs_modulus: 6e10, damping_time: 0.075 };
        Self { density: 1000.0, stretch: elasticity, bend: elasticity, friction: 0.416_67 }
    }
}

/// A drum that stores wire, at the beginning of a wire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Winch {
    /// Wire on the drum \[m\].
    pub stored: f64,
    /// Largest force against paying out, and largest force in hauling in \[N\].
    pub force_range: [f64; 2],
    /// Force that a brake adds against paying out while the wanted speed is 0 \[N\].
    pub brake: f64,
    /// What it is asked for.
    pub control: WinchControl,
}

impl Default for Winch {
    /// It holds, whatever the force.
    fn default() -> Self {
        Self {
            stored: 0.0,
            force_range: [f64::NEG_INFINITY, f64::INFINITY],
            brake: 0.0,
            control: WinchControl::Speed(0.0),
        }
    }
}

/// What a winch is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum WinchControl {
    /// Speed at which it pays out; negative hauls in \[m/s\].
    Speed(f64),
    /// Rest length of the wire off the drum \[m\], approached at this speed at most \[m/s\].
    Length {
        /// Rest length off the drum \[m\].
        length: f64,
        /// Speed \[m/s\].
        speed: f64,
    },
}

/// A point of a wire's route, in the world at the time when the wire is made.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum WirePoint {
    /// A node of the wire that nothing holds.
    Free(DVec3),
    /// Tied to a point of a body, or of the world, free to turn there.
    Fixed(Option<BodyId>, DVec3),
    /// Clamped at a point of a body, or of the world: bending stiffness acts against the direction that the wire has there.
    /// Only at an end.
    Link(Option<BodyId>, DVec3),
    /// Runs through an eye of a body, or of the world, with the friction of its material. Not at an end.
    Eye(Option<BodyId>, DVec3),
    /// Comes from a winch on a body, or in the world. Only at the beginning.
    Winch(Option<BodyId>, DVec3, Winch),
}

impl WirePoint {
    /// Where it is \[m\].
    #[must_use]
    pub const fn position(&self) -> DVec3 {
        match *self {
            Self::Free(at) | Self::Fixed(_, at) | Self::Link(_, at) | Self::Eye(_, at) | Self::Winch(_, at, _) => at,
        }
    }

    /// The body that holds it.
    #[must_use]
    pub const fn body(&self) -> Option<BodyId> {
        match *self {
            Self::Free(_) => None,
            Self::Fixed(body, _) | Self::Link(body, _) | Self::Eye(body, _) | Self::Winch(body, ..) => body,
        }
    }
}

/// Description of a wire. It is made straight between the points of its route, without tension.
#[derive(Clone, Debug, PartialEq)]
pub struct WireDefinition {
    /// Radius r \[m\].
    pub radius: f64,
    /// What it is made of.
    pub material: WireMaterial,
    /// Most nodes for each metre; there are fewer where tension makes the wire too lively for the step.
    pub resolution: f64,
    /// At least two points. Consecutive points must be apart.
    pub route: Vec<WirePoint>,
    /// Surface of its nodes, which are small spheres of the wire's radius; `None` lets it pass through everything.
    pub surface: Option<Surface>,
    /// Bits of what its nodes collide with.
    pub collide: u64,
    /// Gravity acts on it.
    pub gravity: bool,
    /// Nodes are removed where the wire is too lively for the step, and put back where it is slack.
    pub is_adaptive: bool,
}

impl WireDefinition {
    /// A wire of the default material along a route, with one node a metre, that collides with nothing.
    #[must_use]
    pub fn new(radius: f64, route: Vec<WirePoint>) -> Self {
        Self {
            radius,
            material: WireMaterial::default(),
            resolution: 1.0,
            route,
            surface: None,
            collide: u64::MAX,
            gravity: true,
            is_adaptive: true,
        }
    }
}

/// Why a wire, or a change of it, is refused.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum WireError {
    /// A number is out of its range.
    #[error("{what} is {found}, expected {expected}")]
    OutOfRange {
        /// Which quantity.
        what: &'static str,
        /// What was found.
        found: f64,
        /// What is expected.
        expected: &'static str,
    },
    /// A body of the route does not exist.
    #[error("the body of point {0} of the wire's route does not exist")]
    UnknownBody(usize),
    /// A point of the route is not finite, or where the one before it is.
    #[error("point {0} of the wire's route is not finite, or at the place of the one before it")]
    NoLength(usize),
    /// The route has fewer than two points.
    #[error("a wire's route has at least two points")]
    TooShort,
    /// A kind of point that cannot be there.
    #[error("point {point} of the wire's route is {kind}, which {expected}")]
    Misplaced {
        /// Number of the point.
        point: usize,
        /// What it is.
        kind: &'static str,
        /// Where it may be.
        expected: &'static str,
    },
    /// So many nodes that they would not fit in memory.
    #[error("the wire would have {0} nodes, at most 100000 are possible")]
    TooManyNodes(f64),
    /// The wire does not exist (any more), or has no winch.
    #[error("the wire does not exist (any more), or has no winch")]
    Stale,
}

const NODES: f64 = 1e5;

fn within(what: &'static str, found: f64, fits: bool, expected: &'static str) -> Result<(), WireError> {
    if fits { Ok(()) } else { Err(WireError::OutOfRange { what, found, expected }) }
}

impl Winch {
    /// Numbers that a winch can have.
    ///
    /// # Errors
    /// The number that is out of its range.
    pub fn check(&self) -> Result<(), WireError> {
        let [hold, haul] = self.force_range;
        within("stored length", self.stored, self.stored >= 0.0 && self.stored.is_finite(), "zero or more")?;
        within("lower end of the force range", hold, hold <= 0.0, "zero or less")?;
        within("upper end of the force range", haul, haul >= 0.0, "zero or more")?;
        within("brake force", self.brake, self.brake >= 0.0, "zero or more")?;
        self.control.check()
    }
}

impl WinchControl {
    pub(crate) fn check(&self) -> Result<(), WireError> {
        match *self {
            Self::Speed(speed) => within("winch speed", speed, speed.is_finite(), "a finite number"),
            Self::Length { length, speed } => {
                within("wire length", length, length >= 0.0 && length.is_finite(), "zero or more")?;
                within("winch speed", speed, speed >= 0.0, "zero or more")
            }
        }
    }
}

impl WireDefinition {
    /// Checks all that does not depend on a world.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), WireError> {
        let positive = |what, x: f64| within(what, x, x > 0.0 && x.is_finite(), "more than zero");
        let not_negative = |what, x: f64| within(what, x, x >= 0.0 && x.is_finite(), "zero or more");
        let WireMaterial { density, stretch, bend, friction } = self.material;
        positive("wire radius", self.radius)?;
        positive("density", density)?;
        positive("Young's modulus of stretch", stretch.youngs_modulus)?;
        not_negative("damping time of stretch", stretch.damping_time)?;
        not_negative("Young's modulus of bending", bend.youngs_modulus)?;
        not_negative("damping time of bending", bend.damping_time)?;
        not_negative("wire friction", friction)?;
        positive("resolution", self.resolution)?;
        if self.route.len() < 2 {
            return Err(WireError::TooShort);
        }
        let last = self.route.len() - 1;
        let mut length = 0.0;
        for (number, point) in self.route.iter().enumerate() {
            if !point.position().is_finite() {
                return Err(WireError::NoLength(number));
            }
            if number > 0 {
                let segment = self.route[number - 1].position().distance(point.position());
                if segment < 1e-9 || !segment.is_finite() {
                    return Err(WireError::NoLength(number));
                }
                length += segment;
            }
            let is_end = number == 0 || number == last;
            let misplaced = |kind, expected| Err(WireError::Misplaced { point: number, kind, expected });
            match point {
                WirePoint::Link(..) if !is_end => return misplaced("clamped", "only an end can be"),
                WirePoint::Eye(..) if is_end => return misplaced("an eye", "an end cannot be"),
                WirePoint::Winch(..) if number > 0 => return misplaced("a winch", "only the first point can be"),
                WirePoint::Winch(_, _, winch) => {
                    winch.check()?;
                    length += winch.stored;
                }
                _ => {}
            }
        }
        let nodes = length * self.resolution;
        if nodes > NODES { Err(WireError::TooManyNodes(nodes)) } else { Ok(()) }
    }
}
