//! Which links are one body, and its mass: fixed joints of URDF files lump their links.

mod measured;

use stiction::math::{DMat3, DVec3, Pose};
use stiction::shape::MassProperties;

use crate::description::{InertialDescription, LinkDescription, WorldDescription};
use crate::diagnostic::Diagnostic;
use crate::sdf::element::inertia_values;
use crate::sdf::inertia::{is_singular, principal_moments};
use crate::sdf::report::Report;

/// Finds the link that carries each lumped one, and what belongs to the static environment.
pub(crate) fn lump(world: &mut WorldDescription, report: &mut Report) {
    measured::keep_apart(world);
    find_carriers(world);
    check(world, report);
    measured::set_aside(world);
}

fn find_carriers(world: &mut WorldDescription) {
    let mut joined: Vec<Option<Option<usize>>> = vec![None; world.links.len()];
    for joint in world.joints.iter().filter(|j| j.is_lumped) {
        if let Some(child) = joint.child {
            joined[child] = Some(joint.parent);
        }
    }
    for link in 0..world.links.len() {
        let (mut top, mut is_fixed) = (link, false);
        // As many steps as there are links: more would be a circle, which was reported.
        for _ in 0..world.links.len() {
            match joined[top] {
                Some(Some(parent)) => top = parent,
                Some(None) => {
                    is_fixed = true;
                    break;
                }
                None => break,
            }
        }
        world.links[link].lumped_into = (top != link).then_some(top);
        world.links[link].is_fixed_to_world = is_fixed;
    }
}

/// Bodies without mass: a root is fixed to the world, anything else is an error.
fn check(world: &mut WorldDescription, report: &mut Report) {
    let masses = masses(world);
    let mut hangs_on = vec![None; world.links.len()];
    for (index, joint) in world.joints.iter().enumerate().filter(|(_, j)| !j.is_lumped) {
        if let Some(child) = joint.child {
            hangs_on[carrier(world, child)] = Some(index);
        }
    }
    let mut has_become_fixed = vec![false; world.links.len()];
    for (index, mass) in masses.iter().enumerate() {
        let link = &world.links[index];
        let Some(mass) = mass.filter(|_| !link.is_fixed_to_world && !world.models[link.model].is_static) else {
            continue;
        };
        if mass.mass != 0.0 {
            let moments = principal_moments(&inertia_values(&mass.inertia));
            if moments[0] <= 0.0 || is_singular(mass.mass, &moments) {
                // As ODE takes what has no inverse; the finding of each such link says what is wrong.
                for part in 0..world.links.len() {
                    if carrier(world, part) == index {
                        mend(&mut world.links[part].inertial);
                    }
                }
            }
        } else if !link.inertial.is_given {
            match hangs_on[index] {
                Some(joint) => {
                    let message = format!(
                        "link `{}` moves on the joint `{}` and has no mass",
                        link.name, world.joints[joint].name
                    );
                    report.add(
                        Diagnostic::error("massless-link", message)
                            .at(&link.location)
                            .help("give it an <inertial> with <mass> and <inertia>, or make the joint `fixed`"),
                    );
                }
                // A joint at fault leaves such roots behind.
                None if report.is_stopped() => {}
                None => {
                    let message = format!("the root link `{}` has no mass: it is fixed to the world", link.name);
                    report.add(
                        Diagnostic::warning("massless-root", message)
                            .at(&link.location)
                            .help("name it `world` if that is meant, or give it an <inertial>"),
                    );
                    has_become_fixed[index] = true;
                }
            }
        }
    }
    for index in 0..world.links.len() {
        let top = carrier(world, index);
        world.links[index].is_fixed_to_world |= has_become_fixed[top];
    }
}

/// The link whose body a link is part of: itself unless it is lumped.
pub(crate) fn carrier(world: &WorldDescription, link: usize) -> usize {
    world.links[link].lumped_into.unwrap_or(link)
}

/// Gives the unit inertia to a link with a mass whose own has no inverse, or a moment below 0.
fn mend(inertial: &mut InertialDescription) {
    let (mass, moments) = (inertial.mass.value, principal_moments(&inertial.inertia.value));
    if mass > 0.0 && (moments[0] <= 0.0 || is_singular(mass, &moments)) {
        inertial.inertia.value = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
    }
}

/// For each link that carries a body, the mass properties of that body in the link's frame: its own and those of the
/// links lumped into it.
pub(crate) fn masses(world: &WorldDescription) -> Vec<Option<MassProperties>> {
    let parts = parts(world);
    let carriers: Vec<usize> = (0..world.links.len()).map(|link| carrier(world, link)).collect();
    let whole = |link: usize| (carriers[link] == link).then(|| whole(&carriers, |part| parts[part], link));
    (0..world.links.len()).map(whole).collect()
}

/// Mass properties of each link in the frame of the link that carries its body.
pub(crate) fn parts(world: &WorldDescription) -> Vec<MassProperties> {
    let part = |link: &LinkDescription| {
        let own = mass_properties(&link.inertial);
        let Some(top) = link.lumped_into.filter(|_| own.mass != 0.0) else { return own };
        let offset = world.links[top].pose.inverse().compose(&link.pose);
        own.rotated(offset.rotation).translated(offset.position)
    };
    world.links.iter().map(part).collect()
}

/// A body of its parts: that of a carrier and those of the links lumped into it.
pub(crate) fn whole(carriers: &[usize], part: impl Fn(usize) -> MassProperties, top: usize) -> MassProperties {
    let lumped = (0..carriers.len()).filter(|link| carriers[*link] == top && *link != top);
    let with_mass = lumped.map(&part).filter(|part| part.mass != 0.0);
    with_mass.fold(part(top), |sum, part| if sum.mass == 0.0 { part } else { sum.combined(&part) })
}

/// Mass, centre of mass and inertia in the link frame.
pub(crate) fn mass_properties(inertial: &InertialDescription) -> MassProperties {
    let [xx, yy, zz, xy, xz, yz] = inertial.inertia.value;
    let inertia = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz));
    let r = inertial.pose.matrix();
    let is_turned = inertial.pose.rotation != Pose::IDENTITY.rotation;
    MassProperties {
        mass: inertial.mass.value,
        center_of_mass: inertial.pose.position,
        inertia: if is_turned { r * inertia * r.transpose() } else { inertia },
    }
}

/// Rate at which each body takes on the velocity of the wind \[1/s\], by its first link: the mean of its links by mass.
pub(crate) fn wind_rates(world: &WorldDescription) -> Vec<f64> {
    let mut felt = vec![[0.0, 0.0]; world.links.len()];
    for (index, link) in world.links.iter().enumerate() {
        let [with_wind, all] = &mut felt[carrier(world, index)];
        let mass = link.inertial.mass.value;
        *with_wind += if link.enable_wind.value { mass } else { 0.0 };
        *all += mass;
    }
    let rate = world.wind.rate.value;
    felt.into_iter().map(|[with_wind, all]| if with_wind > 0.0 { rate * (with_wind / all) } else { 0.0 }).collect()
}
