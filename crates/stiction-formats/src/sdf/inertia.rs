//! `<inertial>`: mass properties as given, or from the shapes.

use stiction::math::{DMat3, DVec3, Pose};
use stiction::shape::{ConvexHull, MassProperties};

use crate::description::{
    CollisionDescription, DensityDescription, GeometryDescription, InertialDescription, Origin, Setting,
};
use crate::diagnostic::Diagnostic;

use super::added_mass;
use super::element::Element;
use super::read::{Reader, pose_of};
use super::report::Report;
use super::value;

/// Element of an `<inertial>` whose values follow from a density.
pub(crate) const DENSITY: &str = "stiction.density";
/// Relative slack of the triangle inequality, for figures rounded in a file.
const TRIANGLE_SLACK: f64 = 1e-6;
/// Larger masses and moments have no meaning, and overflow.
const LARGEST: f64 = 1e15;
/// Smaller masses \[kg\] have inverses that overflow.
const SMALLEST_MASS: f64 = 1e-15;
/// Smaller moments \[kg m²\] count as none.
const SMALLEST_MOMENT: f64 = 1e-30;
/// Smaller radii of gyration \[m\], √(I/m), are the rounding of a zero: no solid of some mass is as small.
const SMALLEST_RADIUS: f64 = 1e-7;

/// Reads the mass properties of a link. An inertia that has no inverse becomes the unit inertia, as ODE takes it;
/// an indefinite one stops the run.
pub(crate) fn read(
    link: &Element,
    collisions: &[CollisionDescription],
    is_static: bool,
    report: &mut Report,
) -> InertialDescription {
    let element = link.child("inertial");
    if let Some(e) = element.filter(|e| e.value("auto").and_then(value::boolean).unwrap_or(false)) {
        return from_shapes(link, e, collisions, report);
    }
    idle_densities(link, report);
    if link.from_urdf && element.is_none() {
        return InertialDescription {
            mass: Setting::default(0.0),
            pose: Pose::IDENTITY,
            inertia: Setting::default([0.0; 6]),
            is_given: false,
            density: None,
            fluid_added_mass: None,
        };
    }
    let r = Reader::new(element, "inertial");
    let names = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"];
    let parts = names.map(|n| r.real(&format!("inertia/{n}")));
    let origin = parts.iter().find(|p| p.is_given()).map_or(Origin::Default, |p| p.origin.clone());
    let mut inertial = InertialDescription {
        mass: r.real("mass"),
        pose: element.map_or(Pose::IDENTITY, pose_of),
        inertia: Setting { value: parts.map(|p| p.value), origin },
        is_given: element.is_some(),
        density: element.and_then(density),
        fluid_added_mass: element.and_then(added_mass::read),
    };
    if let Some(element) = element {
        check(&inertial, element, (is_static, link.from_urdf), report);
    }
    let moments = principal_moments(&inertial.inertia.value);
    // On a link that is part of a larger body, a point mass is as good as any.
    if (moments[0] <= 0.0 || is_singular(inertial.mass.value, &moments)) && !link.from_urdf {
        inertial.inertia.value = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
    }
    if let Some(element) = element {
        added_mass::check(&mut inertial, element, report);
    }
    inertial
}

fn check(
    inertial: &InertialDescription,
    element: &Element,
    (is_static, is_of_urdf): (bool, bool),
    report: &mut Report,
) {
    let mass = inertial.mass.value;
    let is_meant = is_static && mass == 0.0;
    if !is_meant && !(SMALLEST_MASS..=LARGEST).contains(&mass) {
        let place = element.child("mass").map_or(&element.location, |m| &m.text_location);
        let finding = Diagnostic::error("invalid-mass", format!("the mass is {mass} kg"))
            .at(place)
            .label(if mass <= 0.0 { "expected a number above 0" } else { "expected 1e-15 to 1e15" })
            .element(element.path.as_str());
        if is_static { report.tolerated(finding) } else { report.add(finding) }
    }
    let i = inertial.inertia.value;
    let moments = principal_moments(&i);
    let inertia = element.child("inertia");
    let place = inertia.map_or(&element.location, |e| &e.location);
    let finding =
        |what: &str| Diagnostic::error("invalid-inertia", what.to_owned()).at(place).element(element.path.as_str());
    if is_singular(mass, &moments) {
        report.tolerated(
            finding("the inertia matrix is singular: no rigid body can have it")
                .label(format!("principal moments {}", shown(&moments)))
                .help("`run` uses the unit inertia instead, as ODE does"),
        );
    } else if moments[0] > 0.0 && moments[2] > LARGEST {
        let found = finding("the inertia is too large to compute with")
            .label(format!("principal moments {}: expected at most {LARGEST:e} kg m²", shown(&moments)))
            .help("for a body that should not move, use a <static> model or a fixed joint to the world");
        if is_static { report.tolerated(found) } else { report.add(found) }
    } else if moments[0] <= 0.0 || moments[2] > LARGEST {
        let found = finding("the inertia is not positive definite: no rigid body can have it")
            .label(format!("principal moments {}", shown(&moments)))
            .help("ixx, iyy and izz are positive, and the products ixy, ixz, iyz small enough");
        // With links joined to it by fixed joints the body may have a good inertia; `bodies` looks at that.
        if is_static || (is_of_urdf && moments[2] <= LARGEST) { report.tolerated(found) } else { report.add(found) }
    } else if moments[0] + moments[1] < moments[2] * (1.0 - TRIANGLE_SLACK) {
        report.tolerated(
            finding("the inertia violates the triangle inequality: no rigid body can have it")
                .label(format!("principal moments {}: the largest exceeds the sum of the others", shown(&moments)))
                .help("each principal moment is at most the sum of the other two"),
        );
    }
}

/// No inverse to speak of; not the same as having moments below 0.
pub(crate) fn is_singular(mass: f64, moments: &[f64; 3]) -> bool {
    let least = (1e-12 * moments[2].abs()).max(mass * SMALLEST_RADIUS * SMALLEST_RADIUS);
    let is_small = moments[0].abs() <= least || moments[2].abs() < SMALLEST_MOMENT;
    is_small && moments[2] <= LARGEST
}

fn shown(m: &[f64; 3]) -> String {
    // Rounded, and a moment that is zero but for rounding is shown as such.
    let largest = m[2].abs().max(m[0].abs());
    let round = |x: f64| if x.abs() < 1e-12 * largest { 0.0 } else { format!("{x:.4e}").parse().unwrap_or(x) };
    format!("{}, {}, {}", round(m[0]), round(m[1]), round(m[2]))
}

/// Eigenvalues of a symmetric matrix given as xx, yy, zz, xy, xz, yz, in rising order, by Jacobi rotations.
pub(crate) fn principal_moments(i: &[f64; 6]) -> [f64; 3] {
    let mut a = [[i[0], i[3], i[4]], [i[3], i[1], i[5]], [i[4], i[5], i[2]]];
    for _ in 0..20 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q] == 0.0 {
                continue;
            }
            let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = 1.0f64.copysign(theta) / (libm::fabs(theta) + libm::hypot(theta, 1.0));
            let c = 1.0 / libm::hypot(t, 1.0);
            let s = t * c;
            for k in 0..3 {
                (a[k][p], a[k][q]) = (c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]);
            }
            for k in 0..3 {
                (a[p][k], a[q][k]) = (c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]);
            }
        }
    }
    let mut moments = [a[0][0], a[1][1], a[2][2]];
    moments.sort_by(f64::total_cmp);
    moments
}

/// Volume \[m³\] and diagonal inertia of unit density about the centre \[m⁵\], and the height of the centre.
pub(crate) fn unit_density(shape: &GeometryDescription) -> Option<(f64, DVec3, f64)> {
    use core::f64::consts::PI;
    let ball = |r: f64| 4.0 / 3.0 * PI * r * r * r;
    Some(match shape {
        GeometryDescription::Box(s) => {
            let (v, q) = (s.x * s.y * s.z, *s * *s);
            (v, v / 12.0 * DVec3::new(q.y + q.z, q.x + q.z, q.x + q.y), 0.0)
        }
        GeometryDescription::Sphere(r) => {
            let v = ball(*r);
            (v, DVec3::splat(0.4 * v * r * r), 0.0)
        }
        GeometryDescription::Cylinder { radius: r, length: l } => {
            let v = PI * r * r * l;
            let side = v / 12.0 * (3.0 * r * r + l * l);
            (v, DVec3::new(side, side, 0.5 * v * r * r), 0.0)
        }
        GeometryDescription::Capsule { radius: r, length: l } => {
            let (cylinder, caps) = (PI * r * r * l, ball(*r));
            let side = cylinder / 12.0 * (3.0 * r * r + l * l) + caps * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
            (cylinder + caps, DVec3::new(side, side, 0.5 * cylinder * r * r + 0.4 * caps * r * r), 0.0)
        }
        GeometryDescription::Ellipsoid(a) => {
            let (v, q) = (4.0 / 3.0 * PI * a.x * a.y * a.z, *a * *a);
            (v, 0.2 * v * DVec3::new(q.y + q.z, q.x + q.z, q.x + q.y), 0.0)
        }
        GeometryDescription::Cone { radius: r, length: l } => {
            let v = PI / 3.0 * r * r * l;
            let side = v * (0.15 * r * r + 0.0375 * l * l);
            (v, DVec3::new(side, side, 0.3 * v * r * r), -0.25 * l)
        }
        _ => return None,
    })
}

/// Mass properties at 1 kg/m³ in the frame of a collision; none, with a finding, of what has no volume. An open mesh counts as
/// its convex hull.
fn unit_mass(collision: &CollisionDescription, inertial: &Element, report: &mut Report) -> Option<MassProperties> {
    if let Some(solid) = collision.solid {
        return Some(solid);
    }
    if let GeometryDescription::Mesh(mesh) = &collision.geometry {
        let hull = mesh.hull_points().and_then(|points| of_hull(&points));
        let message = match hull {
            Some(_) => format!(
                "the mesh of `{}` is open and bounds no solid: `auto` inertia takes its convex hull",
                collision.name
            ),
            None => format!("the mesh of `{}` is open and flat: `auto` inertia leaves it out", collision.name),
        };
        let finding = Diagnostic::warning("auto-inertia-open-mesh", message).element(inertial.path.as_str());
        report.add(finding.at(&collision.location).help("close the mesh, or write <mass> and <inertia>"));
        return hull;
    }
    let unit = of_shape(&collision.geometry);
    if unit.is_none() {
        let message = format!("`auto` inertia leaves out the shape of `{}`", collision.name);
        let finding = Diagnostic::warning("auto-inertia-shape", message).element(inertial.path.as_str());
        report.once(
            format!("auto-inertia-shape {}", inertial.path),
            finding.at(&collision.location).help("shapes with a volume count: no planes and no heightmaps"),
        );
    }
    unit
}

fn of_hull(points: &[DVec3]) -> Option<MassProperties> {
    ConvexHull::new(points).ok().map(|hull| MassProperties::convex_hull(1.0, &hull))
}

/// The same of a shape by itself.
pub(crate) fn of_shape(shape: &GeometryDescription) -> Option<MassProperties> {
    match shape {
        GeometryDescription::ConvexHull(points) => of_hull(points),
        GeometryDescription::Mesh(mesh) if mesh.is_closed() => mesh.unit_mass(),
        GeometryDescription::Compound(parts) => {
            let placed = parts.iter().filter_map(|(at, part)| {
                let own = of_shape(part)?.rotated(at.rotation);
                Some(MassProperties { center_of_mass: own.center_of_mass + at.position, ..own })
            });
            placed.reduce(|sum, part| sum.combined(&part))
        }
        _ => unit_density(shape).map(|(mass, diagonal, height)| MassProperties {
            mass,
            center_of_mass: DVec3::new(0.0, 0.0, height),
            inertia: DMat3::from_diagonal(diagonal),
        }),
    }
}

/// Densities of a link whose inertia does not follow from its shapes, told once.
fn idle_densities(link: &Element, report: &mut Report) {
    let holders = link.children_named("inertial").chain(link.children_named("collision"));
    for density in holders.filter_map(|holder| holder.child("density")) {
        let finding = Diagnostic::warning("density-without-auto", "<density> has no effect without `auto`")
            .at(&density.text_location)
            .element(density.path.as_str())
            .help("write <inertial auto=\"true\"/> to compute mass and inertia from the collisions");
        report.once("density", finding);
    }
}

/// `auto="true"`: sums of the collisions, each with its own density, the link's, or water's.
fn from_shapes(
    link: &Element,
    element: &Element,
    collisions: &[CollisionDescription],
    report: &mut Report,
) -> InertialDescription {
    let given = |e: &Element, report: &mut Report| {
        let density = e.child("density")?;
        let number = value::real(&density.text)?;
        if number > 0.0 && number <= LARGEST {
            return Some(number);
        }
        let finding = Diagnostic::error("invalid-density", format!("the density is {number} kg/m³"));
        report
            .add(finding.at(&density.text_location).label("expected a number above 0").element(density.path.as_str()));
        None
    };
    let of_link = given(element, report).unwrap_or(1000.0);
    let elements: Vec<&Element> = link.children_named("collision").collect();
    let mut total: Option<MassProperties> = None;
    for collision in collisions {
        let Some(unit) = unit_mass(collision, element, report) else { continue };
        let own = elements.iter().find(|e| e.location == collision.location);
        let density = own.and_then(|e| given(e, report)).unwrap_or(of_link);
        let own = MassProperties { mass: unit.mass * density, inertia: unit.inertia * density, ..unit };
        let own = own.rotated(collision.pose.rotation);
        let own = MassProperties { center_of_mass: own.center_of_mass + collision.pose.position, ..own };
        total = Some(total.map_or(own, |sum| sum.combined(&own)));
    }
    let origin = Origin::File(element.location.clone());
    let Some(total) = total.filter(|total| total.mass > 0.0 && total.mass <= LARGEST) else {
        let message = "`auto` inertia needs collisions with a volume (no planes, rays, heightmaps, and no flat meshes)";
        report.add(Diagnostic::error("auto-inertia", message).at(&element.location).element(element.path.as_str()));
        return InertialDescription {
            mass: Setting::default(1.0),
            pose: Pose::IDENTITY,
            inertia: Setting::default([1.0, 1.0, 1.0, 0.0, 0.0, 0.0]),
            is_given: true,
            density: None,
            fluid_added_mass: None,
        };
    };
    // A given mass keeps the shape of the distribution.
    let wanted = element.child("mass").and_then(|m| value::real(&m.text)).filter(|m| *m > 0.0 && m.is_finite());
    let i = total.inertia * (wanted.unwrap_or(total.mass) / total.mass);
    let inertia = [i.x_axis.x, i.y_axis.y, i.z_axis.z, i.y_axis.x, i.z_axis.x, i.z_axis.y];
    let mut inertial = InertialDescription {
        mass: Setting { value: wanted.unwrap_or(total.mass), origin: origin.clone() },
        pose: Pose::from_position(total.center_of_mass),
        inertia: Setting { value: inertia, origin },
        is_given: true,
        density: None,
        fluid_added_mass: added_mass::read(element),
    };
    added_mass::check(&mut inertial, element, report);
    inertial
}

/// `<stiction:density>` of what another format gives by its density.
fn density(inertial: &Element) -> Option<DensityDescription> {
    let element = inertial.child(DENSITY)?;
    let value = value::real(&element.text)?;
    let is_default = element.value("of") == Some("default");
    let density = if is_default { Setting::default(value) } else { Setting { value, origin: element.origin() } };
    Some(DensityDescription { density, material: element.value("material").map(str::to_owned) })
}
