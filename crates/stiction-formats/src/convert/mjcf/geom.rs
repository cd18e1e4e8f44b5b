//! Shapes as geoms of MuJoCo.

use stiction::math::{DQuat, DVec3, Pose};

use crate::description::{CollisionDescription, GeometryDescription, WorldDescription};

use super::super::mesh_file::obj;
use super::super::xml::{Node, number, numbers, quaternion_wxyz, vector};
use super::Mjcf;

/// Sides of a cone, which MuJoCo does not have.
const SIDES: usize = 64;

/// Friction of a shape; MuJoCo has no endless one.
fn coefficient(collision: &CollisionDescription) -> f64 {
    collision.surface.mu.value.min(1e3)
}

/// Coefficients of friction of a world, each once.
pub(super) fn frictions(world: &WorldDescription) -> Vec<f64> {
    let mut all: Vec<f64> = world.links.iter().flat_map(|link| &link.collisions).map(coefficient).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

impl Mjcf<'_> {
    /// Shapes of a link, whose frame is at `offset` in its body.
    pub(super) fn geoms(&mut self, link: usize, offset: &Pose, is_static: bool) -> Vec<Node> {
        let world = self.world;
        let link = &world.links[link];
        let base = if is_static { &link.pose } else { offset };
        link.collisions.iter().filter_map(|collision| self.geom(collision, base, is_static)).collect()
    }

    fn geom(&mut self, collision: &CollisionDescription, base: &Pose, is_static: bool) -> Option<Node> {
        let mut pose = base.compose(&collision.pose);
        let (kind, size): (&str, Option<String>) = match &collision.geometry {
            GeometryDescription::Empty => return None,
            GeometryDescription::Box(size) => ("box", Some(vector(0.5 * *size))),
            GeometryDescription::Sphere(radius) => ("sphere", Some(number(*radius))),
            GeometryDescription::Cylinder { radius, length } => ("cylinder", Some(numbers(&[*radius, 0.5 * length]))),
            GeometryDescription::Capsule { radius, length } => ("capsule", Some(numbers(&[*radius, 0.5 * length]))),
            GeometryDescription::Ellipsoid(semi_axes) => ("ellipsoid", Some(vector(*semi_axes))),
            GeometryDescription::Plane(normal) if is_static => {
                pose.rotation *= DQuat::from_rotation_arc(DVec3::Z, *normal);
                // Half sizes of 0 are infinite; the last is the distance of lines in pictures.
                ("plane", Some("0 0 1".to_owned()))
            }
            GeometryDescription::Plane(_) => {
                self.converted.lose(format!("collision `{}`: MuJoCo has no plane that moves", collision.name));
                return None;
            }
            GeometryDescription::Cone { radius, length } => {
                self.converted.lose(format!("collision `{}`: a cone of {SIDES} sides", collision.name));
                self.add_hull(&collision.name, &cone(*radius, *length));
                ("mesh", None)
            }
            GeometryDescription::ConvexHull(points) => {
                self.add_hull(&collision.name, points);
                ("mesh", None)
            }
            GeometryDescription::Mesh(mesh) => {
                let message = "MuJoCo takes the convex hull of a mesh for contacts";
                self.converted.lose(format!("collision `{}`: {message}", collision.name));
                let file = self.converted.add_mesh(&collision.name, obj(mesh));
                // MuJoCo refuses meshes whose volume is next to nothing, unless it is that of the hull.
                let asset = Node::new("mesh").with("name", &collision.name).with("inertia", "convex");
                self.assets.push(asset.with("file", file));
                ("mesh", None)
            }
            GeometryDescription::Unsupported(kind) => {
                self.converted.lose(format!("collision `{}`: shape <{kind}>", collision.name));
                return None;
            }
        };
        let mut node = Node::new("geom")
            .with("name", &collision.name)
            .with("type", kind)
            .with("pos", vector(pose.position))
            .with("quat", quaternion_wxyz(pose.rotation))
            .with_some("size", size);
        if kind == "mesh" {
            node = node.with("mesh", &collision.name);
        }
        let surface = &collision.surface;
        // One coefficient for both directions; MuJoCo's default is 1 as well.
        let friction = coefficient(collision);
        if surface.mu2.value.to_bits() != surface.mu.value.to_bits() && surface.mu2.is_given() {
            self.converted.lose("friction in the second direction is left out");
        }
        node = node.with("friction", numbers(&[friction, 0.005, 0.0001]));
        // Of two shapes MuJoCo takes the larger friction, or that of the higher priority: here the smaller, as ODE does.
        let priority = self.frictions.iter().filter(|other| **other > friction).count();
        if priority > 0 {
            node = node.with("priority", priority.to_string());
        }
        let mask = &surface.collide_bitmask;
        if mask.is_given() {
            let mask = (mask.value & 0x7fff_ffff).to_string();
            node = node.with("contype", mask.clone()).with("conaffinity", mask);
        }
        Some(node)
    }

    fn add_hull(&mut self, name: &str, points: &[DVec3]) {
        let vertices: Vec<f64> = points.iter().flat_map(|p| p.to_array()).collect();
        self.assets.push(Node::new("mesh").with("name", name).with("vertex", numbers(&vertices)));
    }
}

fn cone(radius: f64, length: f64) -> Vec<DVec3> {
    let corner = |i: usize| {
        let angle = core::f64::consts::TAU * i as f64 / SIDES as f64;
        DVec3::new(radius * libm::cos(angle), radius * libm::sin(angle), -0.5 * length)
    };
    (0..SIDES).map(corner).chain([DVec3::new(0.0, 0.0, 0.5 * length)]).collect()
}
