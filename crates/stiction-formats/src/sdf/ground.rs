//! A ground plane for a model that comes without a world.

use stiction::math::Pose;

use crate::bounds::lowest;
use crate::bundled;
use crate::description::{GeometryDescription, WorldDescription};
use crate::diagnostic::Diagnostic;

use super::element::Element;
use super::files::Files;
use super::report::Report;

/// The bundled ground plane, under a name that the world does not use yet.
pub(crate) fn model(world: &Element, files: &mut Files, report: &mut Report) -> Option<Element> {
    let root = files.sdf(&bundled::model_path("ground_plane"), None, report)?;
    let mut model = root.child("model")?.clone();
    let place = model.location.clone();
    while world.children.iter().any(|c| c.named() == model.named()) {
        let name = format!("{}_", model.named());
        model.set_attribute("name", &name, &place);
    }
    Some(model)
}

/// Moves the first model up, with all that is in it, if it begins inside the ground.
pub(crate) fn lift_first_model(world: &mut WorldDescription, report: &mut Report) {
    let is_first: Vec<bool> = (0..world.models.len()).map(|m| world.outermost_model(m) == 0).collect();
    if world.models.first().is_none_or(|m| m.is_static) {
        return;
    }
    let collisions = world
        .links
        .iter()
        .filter(|l| is_first[l.model])
        .flat_map(|l| l.collisions.iter().map(|c| (&c.geometry, l.pose.compose(&c.pose))));
    let mut height = f64::INFINITY;
    for (shape, pose) in collisions {
        if matches!(shape, GeometryDescription::Plane(_)) {
            return;
        }
        height = height.min(lowest(shape, &pose).unwrap_or(f64::INFINITY));
    }
    if !(height < 0.0 && height.is_finite()) {
        return;
    }
    let lift = |pose: &mut Pose| pose.position.z -= height;
    let moved = |model: Option<usize>| model.is_some_and(|m| is_first[m]);
    world.models.iter_mut().enumerate().filter(|(m, _)| is_first[*m]).for_each(|(_, m)| lift(&mut m.pose));
    world.links.iter_mut().filter(|l| is_first[l.model]).for_each(|l| lift(&mut l.pose));
    world.joints.iter_mut().filter(|j| moved(j.model)).for_each(|j| lift(&mut j.pose));
    let message = format!(
        "model `{}` would start {} m below the ground: it is raised by that distance",
        world.models[0].name, -height
    );
    report.add(Diagnostic::note("lifted", message).at(&world.models[0].location.clone()));
}
