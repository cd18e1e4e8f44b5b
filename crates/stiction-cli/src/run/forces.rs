//! `--force LINK=fx,fy,fz[,tx,ty,tz][@t0..t1]`.

use stiction::math::DVec3;
use stiction::world::BodyId;
use stiction_formats::simulation::Simulation;

use crate::exit::Failure;

/// A force as it stands on the command line.
pub struct ForceRequest {
    link: String,
    force: DVec3,
    torque: DVec3,
    from: f64,
    until: f64,
}

/// A force on a body, world frame, at its centre of mass.
pub struct AppliedForce {
    body: BodyId,
    force: DVec3,
    torque: DVec3,
    from: f64,
    until: f64,
}

/// Reads one option.
pub fn parse(text: &str) -> Result<ForceRequest, Failure> {
    let wrong =
        || Failure::usage(format!("--force `{text}`: expected LINK=fx,fy,fz[,tx,ty,tz][@t0..t1] with finite numbers"));
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
pub fn resolve(request: &ForceRequest, simulation: &Simulation) -> Result<AppliedForce, Failure> {
    let link = simulation.link(&request.link).ok_or_else(|| {
        let names: Vec<_> =
            simulation.links.iter().filter(|l| l.body.is_some()).take(8).map(|l| l.name.as_str()).collect();
        Failure::input(format!("--force: no link `{}`; links are {}", request.link, names.join(", ")))
    })?;
    let body = link.body.ok_or_else(|| Failure::input(format!("--force: link `{}` is static", request.link)))?;
    let ForceRequest { force, torque, from, until, .. } = *request;
    Ok(AppliedForce { body, force, torque, from, until })
}

impl AppliedForce {
    /// Adds the force to a step that begins within its time; a sleeping body is woken.
    pub fn apply(&self, simulation: &mut Simulation, step: f64) {
        let time = simulation.world.time();
        // Half a step of slack, since time is a sum of steps.
        if time < self.from - 0.5 * step || time > self.until - 0.5 * step {
            return;
        }
        if let Some(mut body) = simulation.world.body_mut(self.body) {
            if !body.as_ref().is_enabled() {
                body.enable();
            }
            body.add_force(self.force);
            body.add_torque(self.torque);
        }
    }
}
