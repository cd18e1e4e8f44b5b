//! `<collision>` and its `<surface>`.

use stiction::math::{DVec3, Pose};

use crate::description::{
    BeltDescription, CollisionDescription, GeometryDescription, Origin, Setting, SurfaceDescription,
};
use crate::diagnostic::Diagnostic;

use super::drake;
use super::element::Element;
use super::engine_blocks;
use super::geometry::{self, Meshes};
use super::read::Reader;
use super::report::Report;
use super::search::SearchPath;
use super::value;

/// Element or attribute with the name of a material.
pub(crate) const MATERIAL: &str = "stiction.material";
/// Element of a collision whose surface runs.
pub(crate) const BELT: &str = "stiction.belt";
/// Element of a link with the values of its own material.
pub(crate) const OWN_MATERIAL: &str = "stiction.own_material";

/// Reads a collision whose pose in its link is known.
pub(crate) fn read(
    element: &Element,
    name: String,
    pose: Pose,
    search: &SearchPath,
    meshes: &mut Meshes,
    report: &mut Report,
) -> CollisionDescription {
    let (geometry, solid) = match element.child("geometry") {
        Some(g) => geometry::read(g, search, meshes, report),
        None => {
            let message = "<collision> has no <geometry>: it is ignored";
            report.add(
                Diagnostic::warning("missing-geometry", message).at(&element.location).element(element.path.as_str()),
            );
            (GeometryDescription::Empty, None)
        }
    };
    CollisionDescription {
        name,
        pose,
        geometry,
        solid,
        max_contacts: Reader::new(Some(element), "collision").unsigned("max_contacts"),
        surface: read_surface(element, report),
        material: material(element),
        belt: belt(element, report),
        location: element.location.clone(),
    }
}

/// `<stiction:belt>` with `<axis>`, y without one, and `<speed>`, 0 without one.
fn belt(collision: &Element, report: &mut Report) -> Option<BeltDescription> {
    let element = collision.child(BELT)?;
    let mut refuse = |child: &Element, expected: &str| {
        let message = format!("<{}> of a belt is `{}`, not {expected}", child.name, child.text);
        report.add(Diagnostic::error("invalid-value", message).at(&child.location));
    };
    let axis = match element.child("axis") {
        None => DVec3::Y,
        Some(child) => {
            let axis = value::vector3(&child.text).and_then(DVec3::try_normalize);
            axis.unwrap_or_else(|| {
                refuse(child, "a direction of three numbers");
                DVec3::Y
            })
        }
    };
    let speed = match element.child("speed") {
        None => Setting::default(0.0),
        Some(child) => match value::real(&child.text).filter(|speed| speed.is_finite()) {
            Some(value) => Setting { value, origin: child.origin() },
            None => {
                refuse(child, "a number [m/s]");
                Setting::default(0.0)
            }
        },
    };
    Some(BeltDescription { axis, speed })
}

/// `<stiction:material>` or `stiction:material="…"` of a collision or a link.
pub(crate) fn material(element: &Element) -> Option<Setting<String>> {
    if let Some(own) = element.child(MATERIAL).filter(|e| !e.text.is_empty()) {
        return Some(Setting { value: own.text.clone(), origin: own.origin() });
    }
    let own = element.attribute(MATERIAL).filter(|a| !a.value.trim().is_empty())?;
    Some(Setting { value: own.value.trim().to_owned(), origin: Origin::File(own.location.clone()) })
}

fn read_surface(collision: &Element, report: &mut Report) -> SurfaceDescription {
    let r = Reader::new(collision.child("surface"), "surface");
    SurfaceDescription {
        restitution: r.real("bounce/restitution_coefficient"),
        restitution_threshold: r.real("bounce/threshold"),
        mu: r.unlimited_if_negative("friction/ode/mu"),
        mu2: r.unlimited_if_negative("friction/ode/mu2"),
        fdir1: r.vector("friction/ode/fdir1"),
        slip1: r.real("friction/ode/slip1"),
        slip2: r.real("friction/ode/slip2"),
        torsional_coefficient: r.unlimited_if_negative("friction/torsional/coefficient"),
        use_patch_radius: r.boolean("friction/torsional/use_patch_radius"),
        patch_radius: r.real("friction/torsional/patch_radius"),
        surface_radius: r.real("friction/torsional/surface_radius"),
        torsional_slip: r.real("friction/torsional/ode/slip"),
        collide_without_contact: r.boolean("contact/collide_without_contact"),
        collide_without_contact_bitmask: r.unsigned("contact/collide_without_contact_bitmask"),
        collide_bitmask: r.unsigned("contact/collide_bitmask"),
        category_bitmask: r.unsigned("contact/category_bitmask"),
        poissons_ratio: r.real("contact/poissons_ratio"),
        elastic_modulus: r.real("contact/elastic_modulus"),
        soft_cfm: r.real("contact/ode/soft_cfm"),
        soft_erp: r.real("contact/ode/soft_erp"),
        kp: r.real("contact/ode/kp"),
        kd: r.real("contact/ode/kd"),
        max_vel: r.real("contact/ode/max_vel"),
        min_depth: r.real("contact/ode/min_depth"),
        bullet: engine_blocks::bullet_surface(&r),
        proximity: drake::proximity(collision, report),
    }
}

/// The name of the frame that `fdir1` is expressed in, if it is not the collision's own.
pub(crate) fn fdir1_frame(collision: &Element) -> Option<&Element> {
    collision
        .find("surface/friction/ode/fdir1")
        .filter(|f| f.attributes.iter().any(|a| a.name.ends_with("expressed_in") && !a.value.trim().is_empty()))
}

/// Turns the first friction direction from the frame it is expressed in, given by its rotation in the collision.
pub(crate) fn turn_fdir1(collision: &mut CollisionDescription, in_collision: &Pose) {
    let turned: DVec3 = in_collision.direction(collision.surface.fdir1.value);
    collision.surface.fdir1.value = turned;
}
