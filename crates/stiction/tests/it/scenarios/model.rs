//! A scenario as a world, and its quantities.

use std::collections::BTreeMap;

use stiction::contact::restitution::Restitution;
use stiction::joints::{JointDefinition, JointKind};
use stiction::material::Surface;
use stiction::math::{DMat3, DVec3, Pose};
use stiction::parameter;
use stiction::shape::{MassProperties, Shape};
use stiction::world::{
    AutoDisable, BodyDefinition, BodyId, BodyKind, Coordinates, GeomDefinition, JointId, Preset, World, WorldParameters,
};

use crate::scenarios::file::{self, Kind, Scenario, Solid};

pub struct Model {
    pub world: World,
    bodies: BTreeMap<String, BodyId>,
    joints: BTreeMap<String, JointId>,
}

fn shape(solid: &Solid) -> Shape {
    match *solid {
        Solid::Sphere(radius) => Shape::sphere(radius),
        Solid::Box(sides) => Shape::cuboid(sides.into()),
        Solid::Cylinder([radius, length]) => Shape::cylinder(radius, length),
        Solid::Plane([x, y, z, offset]) => Shape::plane(DVec3::new(x, y, z), offset),
        Solid::Sheet { squares, side } => {
            let rows = 2 * squares + 1;
            let at = |k: i32| f64::from(k - squares) * side;
            let vertices: Vec<DVec3> = (0..rows * rows).map(|k| DVec3::new(at(k % rows), at(k / rows), 0.0)).collect();
            let corners = (0..rows - 1).flat_map(|y| (0..rows - 1).map(move |x| (y * rows + x) as u32));
            let up = rows as u32;
            let triangles: Vec<[u32; 3]> =
                corners.flat_map(|c| [[c, c + 1, c + 1 + up], [c, c + 1 + up, c + up]]).collect();
            Shape::triangle_mesh(&vertices, &triangles)
        }
    }
    .unwrap()
}

fn surface(given: file::Surface) -> Surface {
    let bounce = given.restitution.map(|coefficient| Restitution { coefficient, threshold: 0.01 });
    Surface { friction: [given.friction; 2], bounce, ..Surface::default() }
}

impl Model {
    pub fn new(scenario: &Scenario, preset: Preset, coordinates: Coordinates, threads: u32) -> Self {
        let mut parameters = WorldParameters { gravity: scenario.gravity.into(), ..WorldParameters::default() };
        preset.apply(&mut parameters);
        (parameters.coordinates, parameters.threads) = (coordinates, threads);
        for (path, text) in &scenario.parameters {
            let access = parameter::find(path).and_then(|p| p.access).unwrap_or_else(|| panic!("no parameter {path}"));
            (access.set)(&mut parameters, text).unwrap_or_else(|e| panic!("{path}: expected {e}"));
        }
        let mut model = Self { world: World::new(parameters), bodies: BTreeMap::new(), joints: BTreeMap::new() };
        for ground in &scenario.grounds {
            model.add_shape(&ground.shape, None, &Pose::from_position(ground.position.into()), ground.surface);
        }
        for (name, body) in &scenario.bodies {
            let Some([nx, ny]) = body.copies else {
                model.add_body(name, body, DVec3::ZERO);
                continue;
            };
            for k in 0..nx * ny {
                let place = DVec3::new(f64::from(k % nx), f64::from(k / nx), 0.0) * body.spacing;
                model.add_body(&format!("{name}_{k}"), body, place);
            }
        }
        for (name, joint) in &scenario.joints {
            model.add_joint(name, joint);
        }
        model
    }

    fn add_shape(&mut self, solid: &Solid, body: Option<BodyId>, pose: &Pose, given: file::Surface) {
        let definition =
            GeomDefinition { pose: *pose, surface: surface(given), ..GeomDefinition::new(shape(solid), body) };
        self.world.add_geom(&definition).unwrap();
    }

    fn add_body(&mut self, name: &str, body: &file::Body, offset: DVec3) {
        let of_shape = body.shape.as_ref().and_then(|solid| shape(solid).mass_properties(1.0));
        let kilogram = MassProperties { mass: 1.0, center_of_mass: DVec3::ZERO, inertia: DMat3::IDENTITY };
        let mut mass = of_shape.unwrap_or(kilogram).with_mass(body.mass.unwrap_or(1.0));
        if let Some(moments) = body.inertia {
            mass.inertia = DMat3::from_diagonal(moments.into());
        }
        let id = self
            .world
            .add_body(&BodyDefinition {
                kind: if body.kinematic { BodyKind::Kinematic } else { BodyKind::Dynamic },
                pose: Pose::from_position(DVec3::from(body.position) + offset),
                velocity: body.velocity.into(),
                omega: body.omega.into(),
                mass,
                auto_disable: Some(AutoDisable { enabled: body.may_sleep, ..AutoDisable::default() }),
                ..BodyDefinition::default()
            })
            .unwrap();
        if let Some(solid) = &body.shape {
            self.add_shape(solid, Some(id), &Pose::IDENTITY, body.surface);
        }
        self.bodies.insert(name.to_owned(), id);
    }

    fn add_joint(&mut self, name: &str, joint: &file::Joint) {
        let kind = match joint.kind {
            Kind::Hinge => JointKind::Hinge,
            Kind::Slider => JointKind::Slider,
            Kind::Ball => JointKind::Ball,
        };
        let body = |name: &String| *self.bodies.get(name).unwrap_or_else(|| panic!("no body {name}"));
        let mut definition = JointDefinition::new(kind, Some(body(&joint.body)), joint.parent.as_ref().map(body))
            .at(joint.anchor.into());
        definition.axes[0] = joint.axis.into();
        let own = &mut definition.parameters[0];
        if let Some([lower, upper]) = joint.limits {
            *own = own.with_stops(lower, upper);
        }
        if let Some([speed, force]) = joint.motor {
            *own = own.with_motor(speed, force);
        }
        if let Some([stiffness, damping, rest]) = joint.spring {
            (own.stiffness, own.damping, own.spring_reference) = (stiffness, damping, rest);
        }
        own.friction = joint.friction;
        let id = self.world.add_joint(definition).unwrap();
        self.joints.insert(name.to_owned(), id);
    }

    /// A quantity by its name.
    pub fn value(&self, name: &str) -> f64 {
        if let Some((owner, what)) = name.split_once('.') {
            if let Some(id) = self.bodies.get(owner) {
                return self.of_body(*id, what);
            }
            let id = *self.joints.get(owner).unwrap_or_else(|| panic!("no body or joint {owner}"));
            let joint = self.world.joint(id).unwrap();
            let motion = joint.motion(0).unwrap();
            return match what {
                "position" => motion.position,
                "rate" => motion.rate,
                "effort" => motion.effort,
                "gap" => joint.gap(),
                _ => panic!("joints have no {what}"),
            };
        }
        let energy = self.world.energy();
        match name {
            "energy" => energy.total(),
            "kinetic" => energy.kinetic,
            "contacts" => self.world.contact_reports().len() as f64,
            // Force of the bodies on the environment, downwards.
            "ground_load" => {
                let on_body = |c: &stiction::world::ContactReport| match c.bodies {
                    [Some(_), None] => c.force.z,
                    [None, Some(_)] => -c.force.z,
                    _ => 0.0,
                };
                self.world.contact_reports().iter().map(on_body).sum()
            }
            _ => panic!("no quantity {name}"),
        }
    }

    fn of_body(&self, id: BodyId, what: &str) -> f64 {
        let body = self.world.body(id).unwrap();
        let (p, v, w, l) = (body.center_of_mass(), body.velocity(), body.omega(), body.angular_momentum());
        match what {
            "x" => p.x,
            "y" => p.y,
            "z" => p.z,
            "vx" => v.x,
            "vy" => v.y,
            "vz" => v.z,
            "wx" => w.x,
            "wy" => w.y,
            "wz" => w.z,
            "speed" => v.length(),
            "lx" => l.x,
            "ly" => l.y,
            "lz" => l.z,
            "awake" => f64::from(u8::from(body.is_enabled())),
            _ => panic!("bodies have no {what}"),
        }
    }
}
