//! The world as it starts: overlaps, speeds that steps do not resolve, velocities that joints do not allow.

use std::collections::BTreeMap;

use stiction::math::DVec3;
use stiction::world::{GeomId, QueryFilter};

use crate::bodies;
use crate::description::{JointDescription, JointType, WorldDescription};
use crate::diagnostic::{Diagnostic, Location};
use crate::simulation::{Simulation, simulate, world_parameters};

use super::{figure, location, moves, structure, warning};

/// Overlap that is seen beyond what surfaces leave alone \[m\], and as a share of the smaller side.
const OVERLAP: f64 = 1e-3;
const OVERLAP_SHARE: f64 = 0.02;
/// Most pairs that are told one by one.
const MOST: usize = 5;
/// Speed along or about what a joint holds that is more than rounding \[m/s, rad/s\].
const HELD: f64 = 1e-6;
/// Cosine of 8°.
const ACROSS: f64 = 0.99;
/// How far ahead a straight way is looked along \[s\].
const AHEAD: f64 = 1.0;

/// Advice on the poses and velocities at the start, for steps of `step` seconds.
pub(super) fn start(world: &WorldDescription, step: f64, found: &mut Vec<Diagnostic>) {
    // What the engine refuses is told by a run.
    let Ok(mut simulation) = simulate(world, world_parameters(world)) else { return };
    let collisions = Collisions::of(world);
    tunnelling(world, &collisions, &simulation, step, found);
    velocities(world, found);
    overlaps(world, &collisions, &mut simulation, found);
}

/// Places and links of collisions, by their names.
struct Collisions<'w> {
    places: BTreeMap<&'w str, &'w Location>,
    links: BTreeMap<&'w str, usize>,
}

impl<'w> Collisions<'w> {
    fn of(world: &'w WorldDescription) -> Self {
        let all = || world.links.iter().enumerate().flat_map(|(i, l)| l.collisions.iter().map(move |c| (i, c)));
        let places = all().map(|(_, c)| (c.name.as_str(), &c.location)).collect();
        Self { places, links: all().map(|(i, c)| (c.name.as_str(), i)).collect() }
    }

    fn place(&self, name: &str) -> Option<Location> {
        self.places.get(name).map(|place| (*place).clone())
    }
}

/// Depths are those of the contacts that the engine finds at the start: of all pairs that may touch.
fn overlaps(
    world: &WorldDescription,
    collisions: &Collisions<'_>,
    simulation: &mut Simulation,
    found: &mut Vec<Diagnostic>,
) {
    // Contacts are found before anything moves.
    simulation.world.step(1e-9);
    let mut deepest: BTreeMap<[GeomId; 2], (f64, DVec3)> = BTreeMap::new();
    for contact in simulation.world.contact_reports().iter().filter(|contact| contact.acts) {
        let Some(geoms) = contact.geoms else { continue };
        let entry = deepest.entry(geoms).or_insert((f64::NEG_INFINITY, DVec3::ZERO));
        if contact.depth > entry.0 {
            *entry = (contact.depth, contact.normal);
        }
    }
    let welded = structure::welded(world);
    let mut told = Vec::new();
    for (geoms, (depth, normal)) in deepest {
        let names = geoms.map(|id| simulation.collisions.get(&id).map(String::as_str));
        let [Some(a), Some(b)] = names else { continue };
        if let (Some(i), Some(j)) = (collisions.links.get(a), collisions.links.get(b))
            && welded[*i] == welded[*j]
        {
            let message =
                format!("`{a}` and `{b}` touch and are welded together by fixed joints: their contact only costs");
            let finding = warning("welded-contact", message, collisions.place(a));
            found.push(finding.help("<self_collide>false, or make one link of them"));
            continue;
        }
        directions(world, collisions, simulation, geoms, normal, found);
        let size = geoms.iter().filter_map(|id| simulation.world.geom(*id)).fold(f64::INFINITY, |least, geom| {
            let bounds = geom.shape().aabb(&stiction::math::Pose::IDENTITY);
            least.min((bounds.max - bounds.min).min_element())
        });
        let allowed = geoms
            .iter()
            .filter_map(|id| simulation.world.geom(*id)?.surface().min_depth)
            .fold(simulation.world.parameters.contact_surface_layer, f64::max);
        let share = if size.is_finite() { OVERLAP_SHARE * size } else { 0.0 };
        if depth > allowed + OVERLAP.max(share) {
            // What is to be moved comes first: something that the file does not keep in its place.
            let moves = collisions.links.get(a).is_none_or(|link| moves(world, *link));
            let (normal, a, b) = if moves { (normal, a, b) } else { (-normal, b, a) };
            told.push((depth, normal, a.to_owned(), b.to_owned()));
        }
    }
    told.sort_by(|a, b| b.0.total_cmp(&a.0));
    let rest = told.len().saturating_sub(MOST);
    for (k, (depth, n, a, b)) in told.into_iter().take(MOST).enumerate() {
        let others = if k == 0 && rest > 0 {
            format!(" ({rest} more pairs do by less than the first {MOST})")
        } else {
            String::new()
        };
        let message = format!("`{a}` and `{b}` overlap by {} m at the start{others}", figure(depth));
        // No −0.
        let way = (depth * n + DVec3::ZERO).to_array().map(figure);
        let finding = warning("overlapping-start", message, collisions.place(&a));
        found.push(finding.help(format!("they are pushed apart; move `{a}` by ({}) m", way.join(", "))));
    }
}

/// A friction direction across the surface has no part along it: the engine takes another.
fn directions(
    world: &WorldDescription,
    collisions: &Collisions<'_>,
    simulation: &Simulation,
    geoms: [GeomId; 2],
    normal: DVec3,
    found: &mut Vec<Diagnostic>,
) {
    for id in geoms {
        let (Some(geom), Some(pose)) = (simulation.world.geom(id), simulation.world.geom_pose(id)) else { continue };
        let Some(direction) = geom.surface().direction.and_then(DVec3::try_normalize) else { continue };
        let Some(name) = simulation.collisions.get(&id) else { continue };
        if libm::fabs((pose.rotation * direction).dot(normal)) <= ACROSS {
            continue;
        }
        let message = format!("fdir1 of `{name}` is across the surface on which it rests: it does not act there");
        let link = collisions.links.get(name.as_str()).map(|link| &world.links[*link]);
        let own = link.and_then(|link| link.collisions.iter().find(|c| c.name == *name));
        let place = own.and_then(|c| location(&c.surface.fdir1)).or_else(|| collisions.place(name));
        if found.iter().all(|finding| finding.code != "fdir1-along-normal" || finding.location != place) {
            let finding = warning("fdir1-along-normal", message, place);
            found.push(finding.help("a direction along the surface, as 1 0 0 for wheels that roll along x"));
        }
    }
}

/// A body that goes through what it meets in less than two steps, `v h > (S + T) / 2`.
fn tunnelling(
    world: &WorldDescription,
    collisions: &Collisions<'_>,
    simulation: &Simulation,
    step: f64,
    found: &mut Vec<Diagnostic>,
) {
    let sides = |geom: GeomId| {
        let size = simulation.world.geom(geom)?.shape().aabb(&stiction::math::Pose::IDENTITY).size();
        Some(size.min_element()).filter(|s| s.is_finite())
    };
    for (geom, name) in &simulation.collisions {
        let Some(shape) = simulation.world.geom(*geom) else { continue };
        let Some(id) = shape.body() else { continue };
        let velocity = simulation.world.body(id).map_or(DVec3::ZERO, |b| b.velocity());
        let (Some(own), Some(pose)) = (sides(*geom), simulation.world.geom_pose(*geom)) else { continue };
        let way = velocity.length() * step;
        if way <= 0.5 * own {
            continue;
        }
        let model = |id: GeomId| {
            let link = collisions.links.get(simulation.collisions.get(&id)?.as_str())?;
            Some(world.outermost_model(world.links[*link].model))
        };
        let own_model = model(*geom);
        let accept = |other: GeomId, _: &stiction::world::Geom| model(other) != own_model;
        let filter = QueryFilter { except: Some(id), accept: Some(&accept), ..QueryFilter::default() };
        let hit = simulation.world.shape_cast(shape.shape(), &pose, velocity * AHEAD, &filter);
        let Some(hit) = hit.filter(|hit| hit.fraction > 0.0) else { continue };
        let (Some(thick), Some(other)) = (sides(hit.geom), simulation.collisions.get(&hit.geom)) else { continue };
        let passage = 0.5 * (own + thick);
        if way > passage {
            let message = format!(
                "`{name}` meets `{other}` at {} m/s: it moves {} m in a step, more than half of what it passes, ({} + {}) m",
                figure(velocity.length()),
                figure(way),
                figure(own),
                figure(thick)
            );
            let finding = warning("tunnelling", message, collisions.place(name));
            found.push(finding.help(format!("v h < (S + T)/2: steps below {} s", figure(passage / velocity.length()))));
        }
    }
}

/// What a joint holds must not move at the start: the first step would take it back with a shock.
fn velocities(world: &WorldDescription, found: &mut Vec<Diagnostic>) {
    for joint in world.joints.iter().filter(|j| !j.is_lumped) {
        let Some((linear, angular)) = violated(world, joint) else { continue };
        if linear > HELD || angular > HELD {
            let message = format!(
                "the initial velocities do not fit joint `{}`: what it holds moves at {} m/s and turns at {} rad/s",
                joint.name,
                figure(linear),
                figure(angular)
            );
            let model = joint.model.or_else(|| Some(world.links[joint.child.or(joint.parent)?].model));
            let place = model.map_or_else(|| joint.location.clone(), |m| world.models[m].location.clone());
            let finding = warning("jointed-velocity", message, Some(place));
            found.push(finding.help(
                "every link of the model gets the same velocity; set joint velocities by --initial-state, or velocities of a free model",
            ));
        }
    }
}

/// Relative velocity of the ends of a joint at its place in the directions that it holds \[m/s, rad/s\].
fn violated(world: &WorldDescription, joint: &JointDescription) -> Option<(f64, f64)> {
    let motion = |link: Option<usize>| {
        let Some(link) = link.map(|l| bodies::carrier(world, l)).filter(|l| super::moves(world, *l)) else {
            return (DVec3::ZERO, DVec3::ZERO);
        };
        let own = &world.links[link];
        let (v, w) = world.models[own.model].initial_velocity.unwrap_or((None, None));
        let (v, w) = (v.unwrap_or(DVec3::ZERO), w.unwrap_or(DVec3::ZERO));
        let centre = own.pose.point(own.inertial.pose.position);
        (v + w.cross(joint.pose.position - centre), w)
    };
    let ((va, wa), (vb, wb)) = (motion(joint.parent), motion(joint.child));
    let (v, w) = (vb - va, wb - wa);
    if v == DVec3::ZERO && w == DVec3::ZERO {
        return Some((0.0, 0.0));
    }
    let across = |x: DVec3| joint.axes.first().map_or(x, |a| x - a.xyz * x.dot(a.xyz));
    let across_both = |x: DVec3| match joint.axes.as_slice() {
        [a, b, ..] => {
            let n = a.xyz.cross(b.xyz).normalize_or_zero();
            n * x.dot(n)
        }
        _ => x,
    };
    Some(match joint.joint_type {
        JointType::Revolute | JointType::Continuous => (v.length(), across(w).length()),
        JointType::Prismatic => (across(v).length(), w.length()),
        JointType::Screw => (across(v).length(), across(w).length()),
        JointType::Ball => (v.length(), 0.0),
        JointType::Universal | JointType::Revolute2 => (v.length(), across_both(w).length()),
        JointType::Fixed => (v.length(), w.length()),
        JointType::Gearbox | JointType::Planar => return None,
    })
}
