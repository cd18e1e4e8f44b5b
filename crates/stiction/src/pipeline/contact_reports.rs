//! The contact points of a step, as users see them.

use glam::DVec3;

use super::Workspace;
use super::context::Model;
use super::frames::Frames;
use super::remember::rests;
use super::sleep::any_sleeps;
use super::{friction_shares, patches};
use crate::base::Arena;
use crate::model::{Body, BodyId, BodyKind, Contact, ContactForce, ContactReport, PatchCache, State};
use crate::solvers::soft::GIVEN;

/// Writes the forces of the user's contacts, and lists the contact points of the step where bodies sleep; where all are awake they are
/// listed when somebody asks ([`all`]).
pub(super) fn list(
    model: &Model,
    step: f64,
    user_contacts: &mut Arena<Contact>,
    state: &mut State,
    work: &mut Workspace,
) {
    let bodies = model.bodies;
    // Those of the user come last.
    let is_any = user_contacts.iter().next().is_some();
    for contact in work.contacts.iter_mut().filter(|_| is_any) {
        let manifold = &work.manifolds[contact.manifold as usize];
        let Some(user) = manifold.user_contact.and_then(|slot| user_contacts.at_mut(slot as usize)) else { continue };
        if rests(bodies, state, manifold.bodies) {
            contact.force = user.force.force;
        } else {
            user.force = ContactForce { force: contact.force, torque: contact.torque };
        }
    }
    work.reports_are_late = !any_sleeps(model.bodies, state);
    if work.reports_are_late {
        return;
    }
    let mut present = std::mem::take(&mut work.present);
    collect(model, step, &work.patches, work, &mut present);
    hold(model, state, &present, &mut work.reports);
    std::mem::swap(&mut state.reports, &mut work.reports);
    work.present = present;
}

/// A body is asleep or may fall asleep in a step: its contacts of the last step will be asked for.
pub(crate) fn may_sleep(model: &Model, step: f64, state: &State) -> bool {
    let may = |id: BodyId, body: &Body| {
        let own = &state.bodies[id.slot()];
        let is_idle = own.idle_steps_left <= 1 && own.idle_time_left <= step;
        body.kind == BodyKind::Dynamic
            && (!own.is_enabled || (model.parameters.sleeping && body.auto_disable.enabled && is_idle))
    };
    model.bodies.iter().any(|(id, body)| may(id, body))
}

/// The contact points of the last step, in which all bodies were awake: in the order of pairs, then those of the user.
pub(crate) fn all(model: &Model, state: &State, work: &Workspace) -> Vec<ContactReport> {
    let mut reports = Vec::new();
    collect(model, state.last_step, &state.patches, work, &mut reports);
    reports
}

fn collect(model: &Model, step: f64, patches: &PatchCache, work: &Workspace, out: &mut Vec<ContactReport>) {
    let geoms = model.geoms;
    out.clear();
    let mut patches = PatchReports { model, step, frames: &work.frames, patches, next: 0 };
    for contact in &work.contacts {
        let manifold = &work.manifolds[contact.manifold as usize];
        if manifold.patch.is_some() {
            continue;
        }
        patches.push_before(manifold.geoms, out);
        if contact.depth < 0.0 && contact.force == DVec3::ZERO {
            continue;
        }
        let geoms =
            manifold.geoms.and_then(|[a, b]| Some([geoms.handle_at(a as usize)?, geoms.handle_at(b as usize)?]));
        out.push(ContactReport {
            geoms,
            bodies: manifold.bodies,
            position: contact.position,
            normal: contact.normal,
            depth: contact.depth,
            force: contact.force,
            acts: !contact.is_sensor,
        });
    }
    patches.push_before(None, out);
}

/// Reports of the last step between bodies that rest stay; both lists are in the order of pairs.
fn hold(model: &Model, state: &State, present: &[ContactReport], out: &mut Vec<ContactReport>) {
    let pair = |report: &ContactReport| report.geoms.map(|geoms| geoms.map(|g| g.slot() as u32));
    let is_held = |report: &&ContactReport| {
        report.geoms.is_some_and(|g| g.iter().all(|g| model.geoms.get(*g).is_some_and(|g| g.is_enabled)))
            && rests(model.bodies, state, report.bodies)
    };
    let mut held = state.reports.iter().filter(is_held).peekable();
    out.clear();
    let mut last_held = None;
    for report in present {
        let own = pair(report);
        while let Some(report) = held.next_if(|r| own.is_none() || pair(r) <= own) {
            out.push(*report);
            last_held = pair(report);
        }
        if own.is_none() || own != last_held {
            out.push(*report);
        }
    }
    out.extend(held);
}

/// The patches of a step as contact points.
struct PatchReports<'a> {
    model: &'a Model<'a>,
    step: f64,
    frames: &'a Frames,
    patches: &'a PatchCache,
    next: usize,
}

impl PatchReports<'_> {
    /// Adds those of pairs before this one; of all with none.
    fn push_before(&mut self, pair: Option<[u32; 2]>, out: &mut Vec<ContactReport>) {
        while let Some(head) = self.patches.heads.get(self.next)
            && pair.is_none_or(|pair| head.geoms < pair)
        {
            self.push(self.next, out);
            self.next += 1;
        }
    }

    fn push(&self, number: usize, out: &mut Vec<ContactReport>) {
        let Self { model, step, .. } = self;
        let (head, records) = (&self.patches.heads[number], self.patches.records_of(number));
        let [Some(first), Some(second)] = head.geoms.map(|slot| model.geoms.handle_at(slot as usize)) else { return };
        let bodies = head.geoms.map(|slot| model.geoms.at(slot as usize).and_then(|geom| geom.body));
        let (points, count) = patches::at_start(self.frames, head, records);
        let acting = patches::acting_normal(self.frames, head, records);
        let [normals @ .., x, y, z, twist] = records[GIVEN].0;
        let places = points.map(|point| point.position);
        let friction = (DVec3::new(x, y, z), friction_shares::center_of_friction(&places[..count], records), twist);
        let shares = friction_shares::share_friction(&places[..count], &normals[..count], acting, friction);
        // Reports have the normal into the first shape.
        let sign = if head.is_turned { -1.0 } else { 1.0 };
        for (k, point) in points[..count].iter().enumerate() {
            let force = sign * (normals[k] * acting + shares[k].0) / *step;
            if point.depth < 0.0 && force == DVec3::ZERO {
                continue;
            }
            out.push(ContactReport {
                geoms: Some([first, second]),
                bodies,
                position: point.position,
                normal: sign * acting,
                depth: point.depth,
                force,
                acts: true,
            });
        }
    }
}
