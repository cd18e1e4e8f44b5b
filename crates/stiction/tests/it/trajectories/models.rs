//! The engine's models of the references.

use stiction::contact::restitution::Restitution;
use stiction::joints::{JointDefinition, JointKind};
use stiction::material::Surface;
use stiction::math::{DMat3, DQuat, DVec3, Pose};
use stiction::shape::{MassProperties, Shape};
use stiction::world::{BodyDefinition, BodyId, Coordinates, GeomDefinition, World, WorldParameters};

pub struct Running {
    pub world: World,
    pub bodies: Vec<BodyId>,
}

pub struct Model {
    pub name: &'static str,
    /// Largest error at 1 ms, beside the largest value in the file.
    pub tolerance: f64,
    /// So many columns are there before the first step.
    pub kinematic: usize,
    pub build: fn(Coordinates) -> Running,
    pub read: fn(&Running) -> Vec<f64>,
}

const ANY: usize = usize::MAX;

pub const ALL: &[Model] = &[
    Model {
        name: "projectile",
        tolerance: 7e-4,
        kinematic: ANY,
        build: |coordinates| {
            let mut r = Running::new(coordinates);
            r.body(BodyDefinition { velocity: DVec3::new(3.0, 0.0, 4.0), ..BodyDefinition::default() });
            r
        },
        read: |r| vec![r.center(0).x, r.center(0).z, r.velocity(0).z],
    },
    Model {
        name: "bouncing_ball",
        tolerance: 7e-3,
        kinematic: ANY,
        build: |coordinates| {
            let mut r = Running::new(coordinates);
            let bounce = Some(Restitution { coefficient: 0.8, threshold: 0.0 });
            let surface = Surface { bounce, ..Surface::default() };
            r.ground(surface);
            r.solid(Shape::sphere(0.1).unwrap(), surface, DVec3::Z * 1.1, DVec3::ZERO);
            r
        },
        read: |r| vec![r.center(0).z - 0.1],
    },
    Model {
        name: "sliding_block",
        tolerance: 6e-4,
        kinematic: ANY,
        build: |coordinates| {
            let mut r = Running::new(coordinates);
            let surface = Surface { friction: [0.4; 2], ..Surface::default() };
            r.ground(surface);
            let block = Shape::cuboid(DVec3::new(1.0, 1.0, 0.2)).unwrap();
            r.solid(block, surface, DVec3::Z * 0.1, DVec3::X * 3.0);
            r
        },
        read: |r| vec![r.center(0).x, r.velocity(0).x],
    },
    Model {
        name: "rolling_sphere",
        tolerance: 2.5e-5,
        kinematic: ANY,
        build: |coordinates| {
            let mut r = Running::new(coordinates);
            let surface = Surface { friction: [0.2; 2], ..Surface::default() };
            r.ground(surface);
            r.solid(Shape::sphere(0.1).unwrap(), surface, DVec3::Z * 0.1, DVec3::X * 2.0);
            r
        },
        read: |r| vec![r.center(0).x, r.velocity(0).x, r.omega(0).y],
    },
    Model {
        name: "stack",
        tolerance: 1e-6,
        kinematic: 4,
        build: |coordinates| {
            let mut r = Running::new(coordinates);
            r.ground(Surface::default());
            for k in 0..4 {
                let place = DVec3::Z * (0.5 + f64::from(k));
                r.solid(Shape::cuboid(DVec3::ONE).unwrap(), Surface::default(), place, DVec3::ZERO);
            }
            r
        },
        read: |r| {
            let load = |k: usize| -> f64 {
                let below = k.checked_sub(1).map(|below| r.bodies[below]);
                let own = |c: &stiction::world::ContactReport| match c.bodies {
                    [first, second] if first == Some(r.bodies[k]) && second == below => c.force.z,
                    [first, second] if second == Some(r.bodies[k]) && first == below => -c.force.z,
                    _ => 0.0,
                };
                r.world.contact_reports().iter().map(own).sum()
            };
            (0..4).map(|k| r.center(k).z).chain((0..4).map(load)).collect()
        },
    },
    Model {
        name: "spring",
        tolerance: 1.6e-2,
        kinematic: ANY,
        build: |coordinates| {
            let mut r = Running::new(coordinates);
            let body = r.body(BodyDefinition {
                mass: MassProperties { mass: 2.0, center_of_mass: DVec3::ZERO, inertia: DMat3::IDENTITY },
                ..BodyDefinition::default()
            });
            let mut slider = JointDefinition::new(JointKind::Slider, Some(body), None);
            (slider.parameters[0].stiffness, slider.parameters[0].damping) = (50.0, 1.0);
            slider.axes[0] = DVec3::X;
            slider.present_positions[0] = 0.5;
            r.world.add_joint(slider).unwrap();
            r
        },
        read: |r| vec![r.center(0).x + 0.5, r.velocity(0).x],
    },
    Model {
        name: "pendulum",
        tolerance: 3e-4,
        kinematic: ANY,
        build: |coordinates| {
            let mut r = Running::new(coordinates);
            let rod = r.rod(1.0, DVec3::new(0.4, 0.0, -0.3));
            r.hinge(Some(rod), None, DVec3::ZERO);
            r
        },
        read: |r| vec![r.center(0).x, r.center(0).z, -r.omega(0).y],
    },
    Model {
        name: "four_bar",
        tolerance: 2.1e-3,
        kinematic: ANY,
        build: |coordinates| {
            let mut r = Running::new(coordinates);
            let (b, d) = (DVec3::new(0.3, 0.0, 0.4), DVec3::X);
            // Where the circles about B and D meet, above.
            let across = d - b;
            let a = (1.0 - 0.81 + across.length_squared()) / (2.0 * across.length_squared());
            let h = (1.0 / across.length_squared() - a * a).sqrt();
            let c = b + a * across + h * DVec3::new(-across.z, 0.0, across.x);
            let crank = r.rod(0.5, 0.5 * b);
            let coupler = r.rod(1.0, 0.5 * (b + c));
            let rocker = r.rod(0.9, 0.5 * (c + d));
            r.hinge(Some(crank), None, DVec3::ZERO);
            r.hinge(Some(coupler), Some(crank), b);
            r.hinge(Some(rocker), None, d);
            r.hinge(Some(coupler), Some(rocker), c);
            r
        },
        read: |r| {
            let centers = (0..3).flat_map(|k| [r.center(k).x, r.center(k).z]);
            centers.chain([-r.omega(0).y]).collect()
        },
    },
    Model {
        name: "spinning_top",
        tolerance: 4e-3,
        kinematic: ANY,
        build: |coordinates| {
            let mut r = Running::new(coordinates);
            let rotation = DQuat::from_xyzw(0.28, 0.0, 0.0, 0.96);
            let omega = rotation * DVec3::Z * 20.0;
            let center = DVec3::Z * 0.2;
            let inertia = DMat3::from_diagonal(DVec3::new(0.1, 0.1, 0.2));
            let top = r.body(BodyDefinition {
                pose: Pose::new(DVec3::ZERO, rotation),
                omega,
                velocity: omega.cross(rotation * center),
                mass: MassProperties { mass: 1.0, center_of_mass: center, inertia },
                ..BodyDefinition::default()
            });
            r.world.add_joint(JointDefinition::new(JointKind::Ball, Some(top), None)).unwrap();
            r
        },
        read: |r| [r.center(0).to_array(), r.omega(0).to_array()].concat(),
    },
    Model {
        name: "free_rotation",
        tolerance: 2.5e-6,
        kinematic: ANY,
        build: |coordinates| {
            let mut r = Running::new(coordinates);
            let inertia = DMat3::from_diagonal(DVec3::new(0.1, 0.2, 0.3));
            r.body(BodyDefinition {
                omega: DVec3::new(1.0, 4.0, 0.5),
                gravity: false,
                mass: MassProperties { mass: 1.0, center_of_mass: DVec3::ZERO, inertia },
                ..BodyDefinition::default()
            });
            r
        },
        read: |r| {
            let axis = r.world.body(r.bodies[0]).unwrap().pose().rotation * DVec3::Z;
            [axis.to_array(), r.omega(0).to_array()].concat()
        },
    },
];

impl Running {
    fn new(coordinates: Coordinates) -> Self {
        let gravity = DVec3::new(0.0, 0.0, -9.81);
        let parameters = WorldParameters { gravity, coordinates, ..WorldParameters::default() };
        Self { world: World::new(parameters), bodies: Vec::new() }
    }

    fn body(&mut self, definition: BodyDefinition) -> BodyId {
        let body = self.world.add_body(&definition).unwrap();
        self.bodies.push(body);
        body
    }

    fn ground(&mut self, surface: Surface) {
        let shape = Shape::plane(DVec3::Z, 0.0).unwrap();
        self.world.add_geom(&GeomDefinition { surface, ..GeomDefinition::new(shape, None) }).unwrap();
    }

    fn solid(&mut self, shape: Shape, surface: Surface, position: DVec3, velocity: DVec3) {
        let mass = shape.mass_properties(1.0).unwrap().with_mass(1.0);
        let pose = Pose::from_position(position);
        let body = self.body(BodyDefinition { pose, velocity, mass, ..BodyDefinition::default() });
        self.world.add_geom(&GeomDefinition { surface, ..GeomDefinition::new(shape, Some(body)) }).unwrap();
    }

    /// A thin rod in the plane y = 0; only its moment about y counts.
    fn rod(&mut self, length: f64, position: DVec3) -> BodyId {
        let inertia = DMat3::IDENTITY * (length * length * length / 12.0);
        self.body(BodyDefinition {
            pose: Pose::from_position(position),
            mass: MassProperties { mass: length, center_of_mass: DVec3::ZERO, inertia },
            ..BodyDefinition::default()
        })
    }

    fn hinge(&mut self, first: Option<BodyId>, second: Option<BodyId>, anchor: DVec3) {
        let mut hinge = JointDefinition::new(JointKind::Hinge, first, second).at(anchor);
        hinge.axes[0] = DVec3::Y;
        self.world.add_joint(hinge).unwrap();
    }

    fn center(&self, k: usize) -> DVec3 {
        self.world.body(self.bodies[k]).unwrap().center_of_mass()
    }

    fn velocity(&self, k: usize) -> DVec3 {
        self.world.body(self.bodies[k]).unwrap().velocity()
    }

    fn omega(&self, k: usize) -> DVec3 {
        self.world.body(self.bodies[k]).unwrap().omega()
    }
}
