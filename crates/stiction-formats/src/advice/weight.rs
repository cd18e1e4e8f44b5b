//! How deep bodies sink into what they rest on, by the law of the pair under the engine.

use stiction::contact::compliance::NormalForce;
use stiction::material::{Combination, NormalLaw};
use stiction::world::{GeomId, TimeAdvancement};

use crate::bodies;
use crate::description::{CollisionDescription, Setting, WorldDescription};
use crate::diagnostic::Diagnostic;
use crate::simulation::Simulation;

use super::{figure, location, moves, shapes, warning};

/// Penetration that is seen \[m\], and as a share of the smallest side.
const SUNK: f64 = 1e-3;
const SUNK_SHARE: f64 = 0.01;

/// A shape of the world.
struct Placed<'w> {
    link: usize,
    collision: &'w CollisionDescription,
    geom: GeomId,
}

/// A weight m g on n points of stiffness k sinks by `m g / (n k)`, k that of the pair.
pub(super) fn sinks(world: &WorldDescription, simulation: &mut Simulation, found: &mut Vec<Diagnostic>) {
    // Contacts are found before anything moves.
    simulation.world.step(1e-9);
    let masses = bodies::masses(world);
    let links = world.links.iter().enumerate();
    let all: Vec<Placed<'_>> = links
        .flat_map(|(link, l)| l.collisions.iter().map(move |collision| (link, collision)))
        .filter_map(|(link, collision)| Some(Placed { link, collision, geom: simulation.geom(&collision.name)? }))
        .collect();
    for own in all.iter().filter(|own| moves(world, own.link) && world.links[own.link].gravity.value) {
        let mass = masses[bodies::carrier(world, own.link)].map_or(0.0, |m| m.mass);
        let weight = mass * world.gravity.value.length() / world.links[own.link].collisions.len() as f64;
        let Some(size) = shapes::extents(&own.collision.geometry).map(|e| e.min_element()) else { continue };
        let bound = SUNK.min(SUNK_SHARE * size);
        let grounds = all.iter().filter(|other| !moves(world, other.link));
        let pairs = grounds.filter_map(|ground| {
            let soft = [own, ground]
                .into_iter()
                .find_map(|side| given(side.collision, simulation.world.parameters.combination))?;
            let (points, stiffness) = law(simulation, own, ground)?;
            Some((weight / (points * stiffness), points, stiffness, ground, soft))
        });
        let deepest = pairs.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(depth, ..)| *depth > bound);
        let Some((depth, points, stiffness, ground, soft)) = deepest else { continue };
        let message = format!(
            "`{}` sinks by {} mm into `{}` under its weight: m g / (n k) = {} N / ({points} · {} N/m)",
            own.collision.name,
            figure(1e3 * depth),
            ground.collision.name,
            figure(weight),
            figure(stiffness)
        );
        let help = format!(
            "with k {} N/m of the pair (kp are in series) it sinks by {} mm; a soft surface may be meant",
            figure(weight / (points * bound)),
            figure(1e3 * bound)
        );
        found.push(warning("sinks-by-weight", message, location(soft)).help(help));
    }
}

/// The stiffness that a file gives a surface.
fn given(collision: &CollisionDescription, combination: Combination) -> Option<&Setting<f64>> {
    let (s, bullet) = (&collision.surface, combination == Combination::Bullet);
    [Some(&s.bullet.kp).filter(|_| bullet), Some(&s.kp)].into_iter().flatten().find(|kp| kp.is_given())
}

/// Points of two shapes, and the stiffness of each \[N/m\], if their law is linear.
fn law(simulation: &Simulation, own: &Placed<'_>, ground: &Placed<'_>) -> Option<(f64, f64)> {
    let world = &simulation.world;
    let geoms = [own.geom, ground.geom];
    let reports = world.contact_reports().iter().filter_map(|contact| contact.geoms);
    let touching = reports.filter(|pair| *pair == geoms || *pair == [geoms[1], geoms[0]]).count();
    let of_shapes = [own, ground].map(|side| side.collision.geometry.resting_points());
    let count = if touching > 0 { touching } else { of_shapes[0].min(of_shapes[1]) };
    let count = world.pair_contact(geoms, count)?.points(count);
    let contact = world.pair_contact(geoms, count).filter(|contact| contact.acts)?;
    let stiffness = match contact.surface.normal {
        NormalLaw::Spring { stiffness, .. } if world.parameters.time == TimeAdvancement::Discrete => stiffness,
        NormalLaw::Spook { compliance, .. } if world.parameters.time == TimeAdvancement::Discrete => 1.0 / compliance,
        NormalLaw::ErpCfm { .. } => return None,
        _ => match contact.force {
            NormalForce::HuntCrossley { stiffness, .. } | NormalForce::KelvinVoigt { stiffness, .. } => stiffness,
            _ => return None,
        },
    };
    (stiffness > 0.0 && !contact.is_per_mass).then_some((count as f64, stiffness))
}
