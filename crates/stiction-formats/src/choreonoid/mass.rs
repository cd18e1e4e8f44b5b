//! Mass, centre of mass and inertia of links: as written, of rigid bodies, or of the shapes.

use stiction::math::{DMat3, DVec3};
use stiction::shape::MassProperties;

use crate::description::DensityDescription;
use crate::diagnostic::Diagnostic;
use crate::sdf::report::Report;

use super::elements::{Contents, ShapePart};
use super::fields::Fields;

/// Mass \[kg\] of what gives none.
const DEFAULT_MASS: f64 = 1.0;

/// Mass properties of a link that its file gives, or whose shapes give them.
#[derive(Clone, Debug)]
pub(super) struct LinkMass {
    pub(super) properties: MassProperties,
    /// A mass, inertia or density is written.
    pub(super) is_given: bool,
    /// All follows from the shapes and this density.
    pub(super) density: Option<DensityDescription>,
}

/// Of a link; `made_of` is the density of its shapes.
pub(super) fn of_link(
    fields: &Fields<'_>,
    contents: &Contents,
    made_of: &DensityDescription,
    report: &mut Report,
) -> LinkMass {
    if is_by_density(fields, report) {
        let density = made_of.density.value;
        for shape in contents.shapes.iter().filter(|shape| shape.solid.mass(density).is_none()) {
            let message = "`massType: density` and an open mesh, which has no volume";
            let help = "close the mesh, or write `mass` and `inertia`";
            report.strict(Diagnostic::error("open-mesh", message).at(&shape.location).help(help));
        }
        let whole = of_shapes(&contents.shapes, density);
        if whole.is_none() {
            let message = "`massType: density` needs shapes with a volume (boxes, spheres, cylinders, capsules, cones, closed meshes)";
            let place = fields.place("mass_type");
            let help = format!("taken as {DEFAULT_MASS} kg; write `mass` and `inertia` instead");
            report.add(Diagnostic::warning("mass-type", message).at(place).help(help));
        }
        let properties = whole.unwrap_or_else(|| point(DEFAULT_MASS, DVec3::ZERO));
        return LinkMass { properties, is_given: true, density: whole.map(|_| made_of.clone()) };
    }
    let has_own = ["mass", "inertia", "center_of_mass"].iter().any(|key| fields.get(key).is_some());
    let bodies = contents.bodies.iter().copied();
    let own = (has_own || contents.bodies.is_empty()).then(|| rigid_body(fields, report));
    let whole = own.into_iter().chain(bodies).reduce(|whole, body| whole.combined(&body));
    let mut properties = whole.unwrap_or_else(|| point(DEFAULT_MASS, DVec3::ZERO));
    // Without an inertia that of the shapes, of the given mass, about the given centre.
    if properties.inertia == DMat3::ZERO
        && let Some(shapes) = of_shapes(&contents.shapes, 1.0)
    {
        properties.inertia = shapes.with_mass(properties.mass).inertia;
    }
    LinkMass { properties, is_given: has_own || !contents.bodies.is_empty(), density: None }
}

fn is_by_density(fields: &Fields<'_>, report: &mut Report) -> bool {
    match fields.text("mass_type", report) {
        None | Some("mass") => false,
        Some("density") => true,
        Some(_) => {
            fields.refuse("mass_type", "`mass` or `density`", report);
            false
        }
    }
}

/// The sum over shapes with a volume, none of which is counted less for another that overlaps it.
fn of_shapes(shapes: &[ShapePart], density: f64) -> Option<MassProperties> {
    let each = shapes.iter().filter_map(|shape| {
        let own = shape.solid.mass(density)?;
        Some(own.rotated(shape.pose.rotation).translated(shape.pose.position))
    });
    each.reduce(|whole, shape| whole.combined(&shape))
}

/// `mass`, `center_of_mass` and `inertia` of a mapping; an inertia of zero is none.
pub(super) fn rigid_body(fields: &Fields<'_>, report: &mut Report) -> MassProperties {
    let centre = fields.vector("center_of_mass", report).unwrap_or(DVec3::ZERO);
    let mut mass = fields.number("mass", report).unwrap_or(DEFAULT_MASS);
    if mass <= 0.0 {
        let message = format!("the mass is {mass} kg: it is taken as {DEFAULT_MASS} kg");
        let place = fields.get("mass").map_or(fields.location, |node| &node.location);
        let finding = Diagnostic::warning("invalid-mass", message).at(place);
        report.add(finding.label("expected a number above 0"));
        mass = DEFAULT_MASS;
    }
    let inertia = inertia(fields, report).unwrap_or(DMat3::ZERO);
    MassProperties { mass, center_of_mass: centre, inertia }
}

fn point(mass: f64, centre: DVec3) -> MassProperties {
    MassProperties { mass, center_of_mass: centre, inertia: DMat3::ZERO }
}

/// Nine numbers by rows, or six of the upper triangle by rows.
fn inertia(fields: &Fields<'_>, report: &mut Report) -> Option<DMat3> {
    let node = fields.get("inertia")?;
    let given = node.numbers();
    let [xx, xy, xz, yy, yz, zz] = match given.as_deref() {
        Some([xx, xy, xz, yx, yy, yz, zx, zy, zz]) => {
            let largest = [xx, yy, zz].into_iter().fold(0.0_f64, |largest, i| largest.max(libm::fabs(*i)));
            let skew = [xy - yx, xz - zx, yz - zy].into_iter().fold(0.0_f64, |worst, d| worst.max(libm::fabs(d)));
            if skew > 1e-6 * largest {
                let message = "the inertia is not symmetric: its upper triangle counts";
                report.add(Diagnostic::warning("invalid-inertia", message).at(&node.location));
            }
            [*xx, *xy, *xz, *yy, *yz, *zz]
        }
        Some([xx, xy, xz, yy, yz, zz]) => [*xx, *xy, *xz, *yy, *yz, *zz],
        _ => {
            fields.refuse("inertia", "9 numbers by rows, or the 6 of the upper triangle", report);
            return None;
        }
    };
    Some(DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz)))
}
