//! Forces on links for a time.

use stiction::math::DVec3;
use stiction::world::BodyId;
use stiction_formats::simulation::Simulation;

use crate::clock::Clock;
use crate::error::{Request, RunError, near_or_all};

/// A force and torque on a link, world axes, at its centre of mass, in every step that begins between two times.
#[derive(Clone, Debug, PartialEq)]
pub struct ForceRequest {
    /// Scoped name of the link.
    pub link: String,
    /// Force \[N\].
    pub force: DVec3,
    /// Torque \[N m\].
    pub torque: DVec3,
    /// First time \[s\].
    pub from: f64,
    /// Last time \[s\]; ∞ is none.
    pub until: f64,
}

/// A force on a body, world frame, at its centre of mass.
pub(crate) struct AppliedForce {
    body: BodyId,
    force: DVec3,
    torque: DVec3,
    from: f64,
    until: f64,
}

impl ForceRequest {
    /// Reads `LINK=fx,fy,fz[,tx,ty,tz][@t0..t1]`.
    ///
    /// # Errors
    /// The text has another form.
    pub fn parse(text: &str) -> Result<Self, RunError> {
        parse(text)
    }
}

fn parse(text: &str) -> Result<ForceRequest, RunError> {
    let wrong = || RunError::Text {
        request: Request::Force,
        text: text.to_owned(),
        reason: "expected LINK=fx,fy,fz[,tx,ty,tz][@t0..t1] with finite numbers".to_owned(),
    };
    let (link, rest) = text.split_once('=').ok_or_else(wrong)?;
    let (numbers, times) = match rest.split_once('@') {
        Some((numbers, times)) => (numbers, Some(times)),
        None => (rest, None),
    };
    let read = |n: &str| n.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    let values: Vec<f64> = numbers.split(',').map(read).collect::<Option<_>>().ok_or_else(wrong)?;
    let (force, torque) = match values[..] {
        [fx, fy, fz] => (DVec3::new(fx, fy, fz), DVec3::ZERO),
        [fx, fy, fz, tx, ty, tz] => (DVec3::new(fx, fy, fz), DVec3::new(tx, ty, tz)),
        _ => return Err(wrong()),
    };
    let (from, until) = match times {
        None => (0.0, f64::INFINITY),
        Some(times) => {
            let (from, until) = times.split_once("..").ok_or_else(wrong)?;
            let from = if from.is_empty() { Some(0.0) } else { read(from) };
            let until = if until.is_empty() { Some(f64::INFINITY) } else { read(until) };
            from.zip(until).filter(|(a, b)| a <= b).ok_or_else(wrong)?
        }
    };
    Ok(ForceRequest { link: link.to_owned(), force, torque, from, until })
}

/// Finds the link of a force.
pub(crate) fn resolve(request: &ForceRequest, simulation: &Simulation) -> Result<AppliedForce, RunError> {
    let name = &request.link;
    let link = simulation.link(name).ok_or_else(|| {
        let moving = simulation.links.iter().filter(|l| l.body.is_some()).map(|l| l.name.as_str());
        let (near, is_near) = near_or_all(name, moving);
        let (text, name) = (name.clone(), name.clone());
        RunError::Unknown { request: Request::Force, text, kind: "link", name, near, is_near }
    })?;
    let unfit =
        || RunError::Unfit { request: Request::Force, text: name.clone(), reason: "this link is static".to_owned() };
    let body = link.body.ok_or_else(unfit)?;
    let ForceRequest { force, torque, from, until, .. } = *request;
    Ok(AppliedForce { body, force, torque, from, until })
}

/// Part of a step that is none.
const ROUNDING: f64 = 1e-6;

impl AppliedForce {
    /// Adds the force to a step, by the part of the step that is within its time, so that its impulse is that of the time; a sleeping body
    /// is woken.
    pub(crate) fn apply(&self, simulation: &mut Simulation, clock: &Clock, step: f64) {
        let time = clock.time();
        let part = (self.until.min(time + step) - self.from.max(time)) / step;
        // Ends of steps are sums with rounding.
        let part = if part > 1.0 - ROUNDING { 1.0 } else { part };
        if part < ROUNDING {
            return;
        }
        if let Some(mut body) = simulation.world.body_mut(self.body) {
            if !body.as_ref().is_enabled() {
                body.enable();
            }
            body.add_force(part * self.force);
            body.add_torque(part * self.torque);
        }
    }
}
