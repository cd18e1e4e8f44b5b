//! Belt tracks: a ring of plates, joined by hinges, around wheels that drive it by friction.

use std::collections::{BTreeMap, BTreeSet};

use stiction::joints::{JointDefinition, JointKind, JointSpook};
use stiction::math::{DMat3, DQuat, DVec2, DVec3, Pose};
use stiction::shape::{MassProperties, Shape};
use stiction::world::{AutoDisable, BodyDefinition, BodyId, GeomDefinition, GeomId};

use super::devices::scoped_name;
use super::track_route::{Circle, Route};
use super::{SimulatedJoint, SimulatedLink, Simulation, SimulationError};
use crate::description::{GeometryDescription, WorldDescription};
use crate::devices::{DeviceDescription, DeviceKind, TrackDescription};
use crate::materials::MaterialTable;

/// Density of a plate until its material is known \[kg/m³\]: that of AGX's default material.
const DENSITY: f64 = 1000.0;
/// Axes of wheels that turn less than that against each other are parallel \[rad\].
const PARALLEL: f64 = 1e-3;
/// Models whose plates and chassis can be kept apart by bits of their own.
const MODELS: u32 = 32;

/// A plate of a belt.
#[derive(Clone, Debug)]
pub struct Plate {
    /// Its body.
    pub body: BodyId,
    /// Its shape.
    pub geom: GeomId,
    /// Name of its material.
    pub material: String,
    /// Group of the shape.
    group: u32,
    /// Mass properties at a density of 1 kg/m³.
    unit: MassProperties,
}

/// The plane of a belt: its origin, two directions in it, and the axis of the wheels.
struct Plane {
    origin: DVec3,
    axes: [DVec3; 3],
}

impl Plane {
    fn flat(&self, point: DVec3) -> DVec2 {
        let offset = point - self.origin;
        DVec2::new(offset.dot(self.axes[0]), offset.dot(self.axes[1]))
    }

    fn direction(&self, flat: DVec2) -> DVec3 {
        flat.x * self.axes[0] + flat.y * self.axes[1]
    }
}

/// Adds the belts of every track.
pub(super) fn add(simulation: &mut Simulation, description: &WorldDescription) -> Result<(), SimulationError> {
    let mut wheels_of: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for device in &description.devices {
        let DeviceKind::Track(track) = &device.kind else { continue };
        let link = &description.links[device.link];
        let name = scoped_name(device, link);
        let whole = description.outermost_model(link.model);
        match add_belt(simulation, description, device, track, &name, whole)? {
            Ok(wheels) => wheels_of.entry(whole).or_default().extend(wheels),
            Err(reason) => simulation.leave_out(&device.location, format!("`{name}`: {reason}")),
        }
    }
    for (number, (whole, wheels)) in wheels_of.iter().enumerate() {
        let (_, chassis) = bits(number as u32);
        let links = description.links.iter().enumerate();
        let others = links.filter(|(i, link)| description.outermost_model(link.model) == *whole && !wheels.contains(i));
        let names: BTreeSet<&str> = others.flat_map(|(_, link)| &link.collisions).map(|c| c.name.as_str()).collect();
        let geoms = simulation.collisions.iter().filter(|(_, name)| names.contains(name.as_str()));
        for geom in geoms.map(|(geom, _)| *geom).collect::<Vec<_>>() {
            simulation.world.set_geom_bits(geom, chassis[0], chassis[1]);
        }
        let group = group(*whole);
        let plates = simulation.plates.iter().filter(|plate| plate.group == group).map(|plate| plate.geom);
        for geom in plates.collect::<Vec<_>>() {
            let (plate, _) = bits(number as u32);
            simulation.world.set_geom_bits(geom, plate[0], plate[1]);
        }
    }
    Ok(())
}

/// Group of the plates of a model: they do not touch each other. Groups of links count up from 1.
fn group(model: usize) -> u32 {
    u32::MAX - model as u32
}

/// What the plates of a model, and the links of it that are no wheels, are and touch: not each other.
fn bits(number: u32) -> ([u64; 2], [u64; 2]) {
    let shift = 2 * (number % MODELS);
    let (plate, chassis) = (1_u64 << shift, 2_u64 << shift);
    ([plate, !chassis], [chassis, !plate])
}

/// Makes a belt; the indices of its wheels, or why there is none.
fn add_belt(
    simulation: &mut Simulation,
    description: &WorldDescription,
    device: &DeviceDescription,
    track: &TrackDescription,
    name: &str,
    model: usize,
) -> Result<Result<Vec<usize>, String>, SimulationError> {
    let named = track.sprockets.iter().chain(&track.idlers).chain(&track.rollers);
    let wheels: Vec<usize> = named.filter_map(|wheel| wheel.link).collect();
    let (plane, circles) = match circles(simulation, description, device, track, &wheels) {
        Ok(found) => found,
        Err(reason) => return Ok(Err(reason)),
    };
    let count = track.nodes.value;
    let (corners, link) = corners(&circles, count, track.node_thickness.value);
    let shortest = circles.iter().map(|circle| circle.radius).fold(f64::INFINITY, f64::min);
    let length = link - track.node_distance_tension.value;
    if count < 3 || link > shortest + track.node_thickness.value || length <= 0.0 {
        return Ok(Err(format!("{count} plates of {length} m are no belt for a wheel of radius {shortest} m")));
    }
    let mut bodies = Vec::with_capacity(corners.len());
    for (k, corner) in corners.iter().enumerate() {
        let next = corners[(k + 1) % corners.len()];
        let along = plane.direction((next - *corner).normalize());
        // Counterclockwise about the axis, outwards is right of the way.
        let outward = along.cross(plane.axes[2]);
        let rotation = DQuat::from_mat3(&DMat3::from_cols(along, plane.axes[2], outward));
        let position = plane.origin + plane.direction(0.5 * (*corner + next));
        let is_thick = track.thicker_every.value > 0 && (k as u32).is_multiple_of(track.thicker_every.value);
        let thickness = if is_thick { track.thicker_thickness.value } else { track.node_thickness.value };
        let raised = 0.5 * (thickness - track.node_thickness.value);
        let plate = PlateDefinition {
            name: format!("{name}::node_{k}"),
            pose: Pose { position, rotation },
            size: DVec3::new(length, track.node_width.value, thickness),
            raised,
        };
        bodies.push(add_plate(simulation, &plate, track, model)?);
    }
    let half = 0.5 * track.node_distance_tension.value;
    for (k, corner) in corners.iter().enumerate() {
        let before = (k + corners.len() - 1) % corners.len();
        let at = plane.origin + plane.direction(*corner);
        let ways = [corners[before] - *corner, corners[(k + 1) % corners.len()] - *corner];
        let [back, forth] = ways.map(|way| at + half * plane.direction(way.normalize()));
        let mut hinge = JointDefinition::new(JointKind::Hinge, Some(bodies[k]), Some(bodies[before]))
            .at(forth)
            .with_second_anchor(back)
            .with_axis(0, plane.axes[2]);
        hinge.spook = Some(JointSpook::new(track.hinge_compliance.value, track.hinge_spook_damping.value));
        // Friction of the pins, which half the thickness has for a radius: it holds the plates against the swinging that a taut
        // chain of light bodies has, `2 √(T/(m a))`, faster than a step resolves.
        let least = track.min_stabilizing_normal_force.value;
        hinge.parameters[0].friction = track.stabilizing_friction.value * least * 0.5 * track.node_thickness.value;
        let hinge_name = format!("{name}::hinge_{k}");
        let id = simulation.world.add_joint(hinge).map_err(|e| SimulationError::new(&hinge_name, e))?;
        simulation.joints.push(SimulatedJoint { name: hinge_name, id: Some(id), axes: vec![0], child: None });
    }
    Ok(Ok(wheels))
}

/// Corners of the chain whose links touch the wheels at their middles: a link of length a stands out from a circle of radius
/// R by `√(R² + a²/4) − R` at its ends.
fn corners(circles: &[Circle], count: u32, thickness: f64) -> (Vec<DVec2>, f64) {
    let around = |link: f64| {
        let out = |circle: &Circle| {
            let touching = circle.radius + 0.5 * thickness;
            Circle { radius: (touching * touching + 0.25 * link * link).sqrt(), ..*circle }
        };
        Route::new(&circles.iter().map(out).collect::<Vec<_>>())
    };
    let mut link = around(0.0).length / f64::from(count.max(1));
    // Each round leaves about link / (8 R n) of the last change.
    for _ in 0..4 {
        link = around(link).chain(count).1;
    }
    around(link).chain(count)
}

/// The plane of a belt and its wheels in it.
fn circles(
    simulation: &Simulation,
    description: &WorldDescription,
    device: &DeviceDescription,
    track: &TrackDescription,
    wheels: &[usize],
) -> Result<(Plane, Vec<Circle>), String> {
    let Some(first) = wheels.first() else { return Err("it names no wheels".to_owned()) };
    let axis = axis(simulation, description, *first)?;
    for wheel in wheels {
        let other = self::axis(simulation, description, *wheel)?;
        if other.cross(axis).length() > PARALLEL {
            let [a, b] = [*first, *wheel].map(|link| &description.links[link].name);
            return Err(format!("the axes of `{a}` and `{b}` are not parallel"));
        }
    }
    let centers: Vec<DVec3> =
        wheels.iter().map(|wheel| simulation.link_pose(&simulation.links[*wheel]).position).collect();
    let origin = centers.iter().sum::<DVec3>() / centers.len() as f64;
    let up = simulation.link_pose(&simulation.links[device.link]).direction(track.up_axis);
    let up = up.reject_from_normalized(axis).normalize_or(axis.any_orthonormal_vector());
    let plane = Plane { origin, axes: [up.cross(axis), up, axis] };
    let circles = wheels.iter().zip(&centers).map(|(wheel, center)| {
        let radius = radius(description, *wheel)
            .ok_or_else(|| format!("its wheel `{}` has no round shape", description.links[*wheel].name))?;
        Ok(Circle { center: plane.flat(*center), radius })
    });
    let circles = circles.collect::<Result<Vec<Circle>, String>>()?;
    Ok((plane, circles))
}

/// Unit axis of a wheel in the world: that of its joint, otherwise that of its first cylinder or capsule.
fn axis(simulation: &Simulation, description: &WorldDescription, wheel: usize) -> Result<DVec3, String> {
    let joint = description.joints.iter().find(|joint| joint.child == Some(wheel));
    if let Some(axis) = joint.and_then(|joint| joint.axes.first()) {
        return Ok(axis.xyz.normalize());
    }
    let link = &description.links[wheel];
    let is_round = |g: &GeometryDescription| {
        matches!(g, GeometryDescription::Cylinder { .. } | GeometryDescription::Capsule { .. })
    };
    let round = link.collisions.iter().find(|c| is_round(&c.geometry));
    let pose = simulation.link_pose(&simulation.links[wheel]);
    round
        .map(|c| pose.compose(&c.pose).direction(DVec3::Z))
        .ok_or_else(|| format!("its wheel `{}` has no axis", link.name))
}

/// Radius of a wheel \[m\]: that of its first cylinder or capsule, otherwise of its first sphere.
fn radius(description: &WorldDescription, wheel: usize) -> Option<f64> {
    let shapes = || description.links[wheel].collisions.iter().map(|c| &c.geometry);
    let round = shapes().find_map(|g| match g {
        GeometryDescription::Cylinder { radius, .. } | GeometryDescription::Capsule { radius, .. } => Some(*radius),
        _ => None,
    });
    round.or_else(|| {
        shapes().find_map(|g| if let GeometryDescription::Sphere(radius) = g { Some(*radius) } else { None })
    })
}

/// What a plate is.
struct PlateDefinition {
    name: String,
    pose: Pose,
    /// Length along the belt, width, thickness \[m\].
    size: DVec3,
    /// How far its middle lies outside the line of the hinges \[m\].
    raised: f64,
}

fn add_plate(
    simulation: &mut Simulation,
    plate: &PlateDefinition,
    track: &TrackDescription,
    model: usize,
) -> Result<BodyId, SimulationError> {
    let refused = |reason: &dyn ToString| SimulationError::new(&plate.name, reason.to_string());
    let unit = MassProperties::cuboid(1.0, plate.size).translated(plate.raised * DVec3::Z);
    let awake =
        AutoDisable { enabled: false, linear_threshold: 0.1, angular_threshold: 0.1, steps: 5, time: 1.0, samples: 1 };
    let body = BodyDefinition {
        pose: plate.pose,
        mass: unit.with_mass(DENSITY * unit.mass),
        auto_disable: Some(awake),
        ..BodyDefinition::default()
    };
    let body = simulation.world.add_body(&body).map_err(|e| refused(&e))?;
    let shape = Shape::cuboid(plate.size).map_err(|e| refused(&e))?;
    let pose = Pose::from_position(plate.raised * DVec3::Z);
    let geom = GeomDefinition { pose, group: group(model), ..GeomDefinition::new(shape, Some(body)) };
    let geom = simulation.world.add_geom(&geom).map_err(|e| refused(&e))?;
    simulation.links.push(SimulatedLink { name: plate.name.clone(), body: Some(body), pose: Pose::IDENTITY });
    simulation.collisions.insert(geom, plate.name.clone());
    let material = track.material.value.clone();
    simulation.plates.push(Plate { body, geom, material, group: group(model), unit });
    Ok(body)
}

/// Gives plates the mass that follows from the density of their material.
pub(super) fn weigh(simulation: &mut Simulation, table: &MaterialTable) {
    for plate in &simulation.plates {
        let density = table.material(&plate.material).map_or(DENSITY, |material| material.density);
        if let Some(mut body) = simulation.world.body_mut(plate.body) {
            // A density of a table is positive, which its reader sees to.
            let _ = body.set_mass(&plate.unit.with_mass(density * plate.unit.mass));
        }
    }
}
