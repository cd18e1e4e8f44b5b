//! Shapes of a link: forms of a scene at their scales. Choreonoid's cylinders, capsules and cones stand along y, ours
//! along z.

use std::sync::Arc;

use stiction::math::{DMat3, DQuat, DVec3, Pose};
use stiction::shape::MassProperties;

use crate::diagnostic::{Diagnostic, Location};
use crate::mesh::{Form, Frame, MeshDescription, Solidity};
use crate::sdf::report::Report;

/// A shape that collides.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Solid {
    /// Full side lengths \[m\].
    Box(DVec3),
    /// Radius \[m\].
    Sphere(f64),
    /// Semi-axes \[m\].
    Ellipsoid(DVec3),
    /// Radius and length along z \[m\].
    Cylinder(f64, f64),
    /// Radius and length of the cylindrical part along z \[m\].
    Capsule(f64, f64),
    /// Radius of the base and length \[m\], the tip at +z, the origin halfway.
    Cone(f64, f64),
    /// Triangles, and the mass properties of the solid inside at 1 kg/m³; none if they bound none.
    Mesh(Arc<MeshDescription>, Option<MassProperties>),
}

impl Solid {
    /// Mass properties at a density \[kg/m³\] in the frame of the shape; none of an open mesh.
    pub(super) fn mass(&self, density: f64) -> Option<MassProperties> {
        Some(match self {
            Self::Box(size) => MassProperties::cuboid(density, *size),
            Self::Sphere(radius) => MassProperties::sphere(density, *radius),
            Self::Ellipsoid(semi_axes) => MassProperties::ellipsoid(density, *semi_axes),
            Self::Cylinder(radius, length) => MassProperties::cylinder(density, *radius, *length),
            Self::Capsule(radius, length) => MassProperties::capsule(density, *radius, *length),
            Self::Cone(radius, length) => MassProperties::cone(density, *radius, *length),
            Self::Mesh(_, unit) => {
                let unit = (*unit)?;
                MassProperties { mass: unit.mass * density, inertia: unit.inertia * density, ..unit }
            }
        })
    }
}

/// A form in a frame as a shape with its pose; none, with a finding at `place`, for a mesh that is none. What is no
/// primitive any more behind its scales is a mesh with `divisions` parts around.
pub(super) fn of(
    form: &Form,
    frame: &Frame,
    divisions: u32,
    place: &Location,
    report: &mut Report,
) -> Option<(Solid, Pose)> {
    let along_y = Pose { position: DVec3::ZERO, rotation: DQuat::from_rotation_x(-core::f64::consts::FRAC_PI_2) };
    if let Some((pose, scale)) = frame.decomposed() {
        let size = scale.abs();
        let is_round = size.x == size.z;
        let is_uniform = is_round && size.x == size.y;
        let solid = match form {
            Form::Box(sides) => Some(Solid::Box(*sides * size)),
            Form::Sphere(radius) if is_uniform => Some(Solid::Sphere(radius * size.x)),
            Form::Sphere(radius) => Some(Solid::Ellipsoid(size * *radius)),
            Form::Cylinder(radius, height) if is_round => Some(Solid::Cylinder(radius * size.x, height * size.y)),
            Form::Capsule(radius, height) if is_uniform => Some(Solid::Capsule(radius * size.x, height * size.y)),
            Form::Cone(radius, height) if is_round => Some(Solid::Cone(radius * size.x, height * size.y)),
            _ => None,
        };
        if let Some(solid) = solid {
            let own = match form {
                Form::Box(_) | Form::Sphere(_) => Pose::IDENTITY,
                // A cone that is mirrored stands on its tip.
                Form::Cone(..) if scale.y < 0.0 => {
                    let flip = DQuat::from_rotation_x(core::f64::consts::PI);
                    Pose { rotation: flip * along_y.rotation, ..along_y }
                }
                _ => along_y,
            };
            return Some((solid, pose.compose(&own)));
        }
    }
    let mesh = form.mapped(frame.linear(), divisions);
    let (mesh, of_mesh) = checked(mesh, place, report)?;
    let unit = exact(form).map(|own| mapped(&own, frame.linear())).or(of_mesh);
    Some((Solid::Mesh(Arc::new(mesh), unit), frame.pose))
}

/// A mesh turned outward, and what the solid inside weighs at 1 kg/m³.
fn checked(
    mesh: MeshDescription,
    place: &Location,
    report: &mut Report,
) -> Option<(MeshDescription, Option<MassProperties>)> {
    let key = format!("{}:{}", place.file.display(), place.span.start);
    match mesh.solidity() {
        Ok(Solidity::Solid(mass)) => Some((mesh, Some(mass))),
        Ok(Solidity::InsideOut(mass)) => {
            let message = "the faces of the mesh are seen from inside: they are turned about";
            let help = "list the corners of each face counter-clockwise as seen from outside";
            report.once(key, Diagnostic::warning("inside-out-mesh", message).at(place).help(help));
            Some((mesh.turned(), Some(mass)))
        }
        Ok(Solidity::Open) => {
            let message = "the mesh is open: it bounds no solid and has no mass of its own";
            let help =
                "close it; with AGX contacts on open meshes have no friction, here they are those of a thin sheet";
            report.once(key, Diagnostic::warning("open-mesh", message).at(place).help(help));
            Some((mesh, None))
        }
        Err(error) => {
            report.add(Diagnostic::error("mesh", format!("the mesh is no shape: {error}")).at(place));
            None
        }
    }
}

/// Mass properties of a primitive along y at 1 kg/m³.
fn exact(form: &Form) -> Option<MassProperties> {
    let along_z = match form {
        Form::Box(size) => return Some(MassProperties::cuboid(1.0, *size)),
        Form::Sphere(radius) => return Some(MassProperties::sphere(1.0, *radius)),
        Form::Cylinder(radius, height) => MassProperties::cylinder(1.0, *radius, *height),
        Form::Capsule(radius, height) => MassProperties::capsule(1.0, *radius, *height),
        Form::Cone(radius, height) => MassProperties::cone(1.0, *radius, *height),
        Form::Mesh(_) => return None,
    };
    let turn = DQuat::from_rotation_x(-core::f64::consts::FRAC_PI_2);
    Some(along_z.rotated(turn))
}

/// Mass properties behind a linear map: volumes grow by |det L|, second moments `∫ x xᵀ` become `|det L| L · Lᵀ`.
fn mapped(own: &MassProperties, linear: &DMat3) -> MassProperties {
    let growth = libm::fabs(linear.determinant());
    let trace = |m: &DMat3| m.x_axis.x + m.y_axis.y + m.z_axis.z;
    let about_center = DMat3::from_diagonal(DVec3::splat(0.5 * trace(&own.inertia))) - own.inertia;
    let second = *linear * about_center * linear.transpose() * growth;
    MassProperties {
        mass: own.mass * growth,
        center_of_mass: *linear * own.center_of_mass,
        inertia: DMat3::from_diagonal(DVec3::splat(trace(&second))) - second,
    }
}
