//! A scene as data.

use stiction::math::{DVec3, Pose};

/// A scene: a ground plane, static boxes, bodies and joints, and how it is to be stepped.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Name, without spaces.
    pub name: String,
    /// Step \[s\].
    pub step: f64,
    /// Number of steps of the run.
    pub steps: usize,
    /// Gravity \[m/s²\].
    pub gravity: DVec3,
    /// Coefficient of friction of every pair.
    pub friction: f64,
    /// The ground z = 0 is there.
    pub has_ground: bool,
    /// Static boxes: centre and half extents \[m\].
    pub static_boxes: Vec<(DVec3, DVec3)>,
    /// Terrain.
    pub field: Option<HeightGrid>,
    /// Bodies.
    pub bodies: Vec<SceneBody>,
    /// Joints.
    pub joints: Vec<SceneJoint>,
}

/// Heights over a square grid about the origin.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightGrid {
    /// Vertices along x and along y; at least 2.
    pub count: usize,
    /// Half extents along x and y \[m\].
    pub half: [f64; 2],
    /// Heights, row by row along x \[m\].
    pub heights: Vec<f64>,
}

impl HeightGrid {
    /// Vertices, row by row.
    #[must_use]
    pub fn vertices(&self) -> Vec<DVec3> {
        let at = |k: usize, half: f64| -half + 2.0 * half * k as f64 / (self.count - 1) as f64;
        let vertex =
            |(k, z): (usize, &f64)| DVec3::new(at(k % self.count, self.half[0]), at(k / self.count, self.half[1]), *z);
        self.heights.iter().enumerate().map(vertex).collect()
    }

    /// Two triangles a cell, counter-clockwise from above, as indices of vertices.
    #[must_use]
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let n = self.count as u32;
        let cells = (0..n - 1).flat_map(|row| (0..n - 1).map(move |column| row * n + column));
        cells.flat_map(|a| [[a, a + 1, a + n + 1], [a, a + n + 1, a + n]]).collect()
    }
}

/// What a body collides with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// With everything.
    All,
    /// With everything but bodies of the same group.
    Group(u32),
    /// With nothing.
    Nothing,
}

/// Shape of a body, centred at its centre of mass unless it says otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SceneShape {
    /// No shape.
    None,
    /// A sphere.
    Sphere {
        /// Radius \[m\].
        radius: f64,
        /// Centre in the body frame \[m\].
        offset: DVec3,
    },
    /// A box.
    Box {
        /// Half extents \[m\].
        half: DVec3,
    },
    /// A capsule along z.
    Capsule {
        /// Radius \[m\].
        radius: f64,
        /// Half length of its segment \[m\].
        half: f64,
    },
}

/// A body. Its origin is the centre of mass, and its inertia is diagonal in its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneBody {
    /// What it collides with.
    pub kind: BodyKind,
    /// Mass \[kg\].
    pub mass: f64,
    /// Principal moments \[kg m²\].
    pub moments: DVec3,
    /// Pose.
    pub pose: Pose,
    /// Velocity of the centre of mass \[m/s\].
    pub velocity: DVec3,
    /// Angular velocity, world axes \[rad/s\].
    pub omega: DVec3,
    /// Shape.
    pub shape: SceneShape,
}

/// Free angle of a hinge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    /// Axis in the world at the start.
    pub axis: DVec3,
    /// Explicit torque `−kp q − kd q̇` about the start: kp \[N m/rad\] and kd \[N m s/rad\]; none if kp is zero.
    pub gains: [f64; 2],
}

/// A joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneJoint {
    /// Indices of its bodies; `None` is the world.
    pub bodies: [Option<usize>; 2],
    /// Anchor in the world at the start \[m\].
    pub anchor: DVec3,
    /// A hinge; a ball joint if absent.
    pub hinge: Option<Hinge>,
}

impl Scene {
    /// An empty scene under gravity, with friction 0.5.
    #[must_use]
    pub fn new(name: &str, step: f64, steps: usize) -> Self {
        Self {
            name: name.to_owned(),
            step,
            steps,
            gravity: DVec3::new(0.0, 0.0, -9.81),
            friction: 0.5,
            has_ground: false,
            static_boxes: Vec::new(),
            field: None,
            bodies: Vec::new(),
            joints: Vec::new(),
        }
    }

    /// Adds a body of a shape at rest with the moments of a solid of this mass, and returns its index.
    pub fn add(&mut self, mass: f64, shape: SceneShape, pose: Pose) -> usize {
        let moments = solid_moments(mass, &shape);
        let (velocity, omega) = (DVec3::ZERO, DVec3::ZERO);
        self.bodies.push(SceneBody { kind: BodyKind::All, mass, moments, pose, velocity, omega, shape });
        self.bodies.len() - 1
    }
}

fn solid_moments(mass: f64, shape: &SceneShape) -> DVec3 {
    match *shape {
        SceneShape::None => DVec3::ONE,
        SceneShape::Sphere { radius, .. } => DVec3::splat(0.4 * mass * radius * radius),
        SceneShape::Box { half } => {
            let s = half * half;
            mass / 3.0 * DVec3::new(s.y + s.z, s.x + s.z, s.x + s.y)
        }
        SceneShape::Capsule { radius: r, half: h } => {
            // A cylinder of length 2h and two half spheres share the mass by volume.
            let (cylinder, sphere) = (2.0 * h, 4.0 / 3.0 * r);
            let (mc, ms) = (mass * cylinder / (cylinder + sphere), mass * sphere / (cylinder + sphere));
            let across = mc * (r * r / 4.0 + h * h / 3.0) + ms * (0.4 * r * r + h * h + 0.75 * h * r);
            DVec3::new(across, across, mc * r * r / 2.0 + ms * 0.4 * r * r)
        }
    }
}
