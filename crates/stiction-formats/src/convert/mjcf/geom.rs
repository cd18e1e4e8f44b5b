//! Shapes as geoms of MuJoCo.

use stiction::math::{DQuat, DVec3, Pose};

use crate::description::{
    CollisionDescription, GeometryDescription, HeightfieldDescription, SurfaceDescription, WorldDescription,
};

use super::super::mesh_file::obj;
use super::super::xml::{Node, number, numbers, quaternion_wxyz, vector};
use super::Mjcf;

/// Sides of a cone, which MuJoCo does not have.
const SIDES: usize = 64;

/// Most friction: MuJoCo has no endless one.
const ENDLESS: f64 = 1e3;

/// Friction of a shape; one below 0 is endless, as in Gazebo classic.
fn coefficient(collision: &CollisionDescription) -> f64 {
    let mu = collision.surface.mu.value;
    if mu < 0.0 { ENDLESS } else { mu.min(ENDLESS) }
}

/// A collision has masks of its own.
pub(super) fn has_masks(world: &WorldDescription) -> bool {
    let surfaces = || world.links.iter().flat_map(|link| &link.collisions).map(|collision| &collision.surface);
    surfaces().any(|s| s.collide_bitmask.is_given() || s.category_bitmask.is_given())
}

/// What a shape is to others, and what it meets; a sensor meets nothing. MuJoCo's masks have 31 bits.
fn masks(surface: &SurfaceDescription) -> [u32; 2] {
    let meets = surface.collide_bitmask.value;
    let own = surface.category_bitmask.given().copied().unwrap_or(meets);
    [own, meets].map(|mask| if surface.collide_without_contact.value { 0 } else { mask & 0x7fff_ffff })
}

/// Coefficients of friction of a world, each once.
pub(super) fn frictions(world: &WorldDescription) -> Vec<f64> {
    let mut all: Vec<f64> = world.links.iter().flat_map(|link| &link.collisions).map(coefficient).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

impl Mjcf<'_> {
    /// Shapes of a link, whose frame is at `offset` in its body, or in the world.
    pub(super) fn geoms(&mut self, link: usize, offset: &Pose, is_static: bool) -> Vec<Node> {
        let world = self.world;
        let mut nodes = Vec::new();
        for collision in &world.links[link].collisions {
            let pose = offset.compose(&collision.pose);
            match &collision.geometry {
                GeometryDescription::Compound(parts) => {
                    for (number, (place, part)) in parts.iter().enumerate() {
                        let name = format!("{}/{number}", collision.name);
                        nodes.extend(self.geom(&name, part, collision, pose.compose(place), is_static));
                    }
                }
                geometry => nodes.extend(self.geom(&collision.name, geometry, collision, pose, is_static)),
            }
        }
        nodes
    }

    fn geom(
        &mut self,
        name: &str,
        geometry: &GeometryDescription,
        collision: &CollisionDescription,
        mut pose: Pose,
        is_static: bool,
    ) -> Option<Node> {
        let (kind, size): (&str, Option<String>) = match geometry {
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
                self.converted.lose(format!("collision `{name}`: MuJoCo has no plane that moves"));
                return None;
            }
            GeometryDescription::Cone { radius, length } => {
                self.converted.lose(format!("collision `{name}`: a cone of {SIDES} sides"));
                self.add_hull(name, &cone(*radius, *length));
                ("mesh", None)
            }
            GeometryDescription::ConvexHull(points) => {
                self.add_hull(name, points);
                ("mesh", None)
            }
            GeometryDescription::Mesh(mesh) => {
                let message = "MuJoCo takes the convex hull of a mesh for contacts";
                self.converted.lose(format!("collision `{name}`: {message}"));
                let file = self.converted.add_mesh(name, obj(mesh));
                // MuJoCo refuses meshes whose volume is next to nothing, unless it is that of the hull.
                let asset = Node::new("mesh").with("name", name).with("inertia", "convex");
                self.assets.push(asset.with("file", file));
                ("mesh", None)
            }
            GeometryDescription::Heightfield(field) => {
                pose = pose.compose(&self.add_heights(name, field));
                ("hfield", None)
            }
            GeometryDescription::Compound(_) | GeometryDescription::Unsupported(_) => {
                self.converted.lose(format!("collision `{name}`: its shape is left out"));
                return None;
            }
        };
        let mut node = Node::new("geom")
            .with("name", name)
            .with("type", kind)
            .with("pos", vector(pose.position))
            .with("quat", quaternion_wxyz(pose.rotation))
            .with_some("size", size);
        if matches!(kind, "mesh" | "hfield") {
            node = node.with(kind, name);
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
        if self.has_masks || surface.collide_without_contact.value {
            let [own, meets] = masks(surface);
            node = node.with("contype", own.to_string()).with("conaffinity", meets.to_string());
        }
        Some(node)
    }

    /// Heights from the greatest y on, as here; the pose of the field, whose lowest height is 0 in MuJoCo.
    fn add_heights(&mut self, name: &str, field: &HeightfieldDescription) -> Pose {
        let low = field.heights.iter().copied().fold(f64::INFINITY, f64::min);
        let high = field.heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let [x, y] = field.size.map(|side| 0.5 * side);
        // MuJoCo scales heights to their range, which cannot be 0, and wants ground below them.
        let size = [x, y, (high - low).max(1e-9), 0.1 * x.max(y)];
        let asset = Node::new("hfield")
            .with("name", name)
            .with("nrow", field.rows.to_string())
            .with("ncol", field.columns.to_string())
            .with("size", numbers(&size))
            .with("elevation", numbers(&field.heights));
        self.assets.push(asset);
        Pose::from_position(field.position + DVec3::new(0.0, 0.0, low))
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
