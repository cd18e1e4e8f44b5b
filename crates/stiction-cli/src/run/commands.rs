//! `--command JOINT[/AXIS][:KIND]=VALUE` or `FILE.csv`: joint inputs.

use std::collections::BTreeSet;
use std::path::Path;

use stiction::world::JointId;
use stiction_formats::nearest;
use stiction_formats::simulation::Simulation;

use super::signal::{Signal, read_csv};
use crate::exit::Failure;

/// What a command asks of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// A force or torque along the axis \[N or N m\].
    Effort,
    /// A rate \[m/s or rad/s\], by a motor.
    Velocity,
    /// A position \[m or rad\], by a motor.
    Position,
}

const KINDS: [(&str, Kind); 3] = [("effort", Kind::Effort), ("velocity", Kind::Velocity), ("position", Kind::Position)];

/// A command as it stands on the command line or in the header of a file.
#[derive(Clone, Debug)]
pub struct CommandRequest {
    /// As it was written, for messages.
    text: String,
    joint: String,
    axis: usize,
    kind: Kind,
    signal: Signal,
}

/// A command of an axis of a joint in the world.
pub struct Command {
    joint: JointId,
    axis: usize,
    kind: Kind,
    signal: Signal,
    effort_limit: f64,
    velocity_limit: f64,
}

/// Reads one option: a value for one axis, or the columns of a file.
pub fn parse(text: &str) -> Result<Vec<CommandRequest>, Failure> {
    if text.ends_with(".csv") {
        let columns = read_csv(Path::new(text))?;
        return columns.into_iter().map(|(name, signal)| target(&format!("{text}: {name}"), &name, signal)).collect();
    }
    let wrong = || {
        Failure::usage(format!(
            "--command `{text}`: expected JOINT=VALUE or JOINT:KIND=VALUE with a finite number, or FILE.csv"
        ))
    };
    let (name, value) = text.rsplit_once('=').filter(|(name, _)| !name.trim().is_empty()).ok_or_else(wrong)?;
    let value = value.trim().parse::<f64>().ok().filter(|v| v.is_finite()).ok_or_else(wrong)?;
    Ok(vec![target(text, name.trim(), Signal::constant(value))?])
}

/// `JOINT[/AXIS][:KIND]`; names of joints have `::` in them.
fn target(text: &str, name: &str, signal: Signal) -> Result<CommandRequest, Failure> {
    let (rest, kind) = match name.rsplit_once(':').filter(|(rest, _)| !rest.ends_with(':')) {
        None => (name, Kind::Effort),
        Some((rest, word)) => {
            let known = KINDS.iter().find(|(n, _)| *n == word);
            let kind = known.map(|(_, kind)| *kind).ok_or_else(|| {
                Failure::usage(format!("--command `{text}`: `{word}` is not one of effort, velocity, position"))
            })?;
            (rest, kind)
        }
    };
    // Only a number makes it an axis: names may have slashes.
    let axis = rest.rsplit_once('/').and_then(|(joint, axis)| Some((joint, axis.parse().ok()?)));
    let (joint, axis) = axis.unwrap_or((rest, 0));
    Ok(CommandRequest { text: text.to_owned(), joint: joint.to_owned(), axis, kind, signal })
}

/// Finds the joints of commands; a joint that cannot be driven is said in `warnings`.
pub fn resolve(
    requests: &[CommandRequest],
    simulation: &Simulation,
    warnings: &mut Vec<String>,
) -> Result<Vec<Command>, Failure> {
    let mut taken = BTreeSet::new();
    let mut commands = Vec::new();
    for request in requests {
        let wrong = |what: String| Failure::usage(format!("--command `{}`: {what}", request.text));
        let index = find(&request.joint, simulation).map_err(wrong)?;
        let joint = &simulation.joints[index];
        let wrong = |what: String| Failure::usage(format!("--command `{}`: {what}", request.text));
        let Some(id) = joint.id else {
            return Err(wrong(format!("the links of joint `{}` do not move against each other", joint.name)));
        };
        let axis = *joint.axes.get(request.axis).ok_or_else(|| {
            wrong(match joint.axes.len() {
                0 => format!("joint `{}` has no axis to command", joint.name),
                n => format!("joint `{}` has {n} axes, counted from 0", joint.name),
            })
        })?;
        // A position and a rate are both the motor's.
        if !taken.insert((index, axis, request.kind == Kind::Effort)) {
            return Err(wrong("this axis is commanded already".to_owned()));
        }
        let Some(parameters) = simulation.world.joint(id).map(|j| j.definition().parameters[axis]) else { continue };
        let (effort_limit, velocity_limit) = (parameters.effort_limit, parameters.velocity_limit);
        if effort_limit == 0.0 {
            warnings.push(format!("the effort limit of joint `{}` is 0: no command moves it", joint.name));
        }
        let (kind, signal) = (request.kind, request.signal.clone());
        commands.push(Command { joint: id, axis, kind, signal, effort_limit, velocity_limit });
    }
    Ok(commands)
}

/// A joint by its scoped name, or by its own name where only one has it.
fn find(name: &str, simulation: &Simulation) -> Result<usize, String> {
    let joints = &simulation.joints;
    if let Some(index) = joints.iter().position(|j| j.name == name) {
        return Ok(index);
    }
    let own = |scoped: &'_ str| scoped.rsplit("::").next().unwrap_or("").to_owned();
    let namesakes: Vec<usize> = (0..joints.len()).filter(|i| own(&joints[*i].name) == name).collect();
    if let [only] = namesakes[..] {
        return Ok(only);
    }
    let mut near: Vec<&str> = namesakes.iter().map(|i| joints[*i].name.as_str()).collect();
    if near.is_empty() {
        near = nearest(name, joints.iter().map(|j| j.name.as_str()));
    }
    if near.is_empty() {
        let names: Vec<String> = joints.iter().map(|j| own(&j.name)).collect();
        let close = nearest(name, names.iter().map(String::as_str));
        near = joints.iter().filter(|j| close.contains(&own(&j.name).as_str())).map(|j| j.name.as_str()).collect();
    }
    let (words, list) = match (near.is_empty(), joints.is_empty()) {
        (false, _) => ("did you mean", near),
        (true, false) => ("joints are", joints.iter().map(|j| j.name.as_str()).collect()),
        (true, true) => return Err(format!("no joint `{name}`: there are no joints")),
    };
    let list: Vec<String> = list.iter().take(8).map(|n| format!("`{n}`")).collect();
    let end = if words.starts_with("did") { "?" } else { "" };
    Err(format!("no joint `{name}`; {words} {}{end}", list.join(", ")))
}

impl Command {
    /// Applies the command to the next step. An effort is that of its beginning; a motor reaches at the step's end what is
    /// asked for then, within the limits of the joint.
    pub fn apply(&self, simulation: &mut Simulation, step: f64) {
        let world = &mut simulation.world;
        let Some(joint) = world.joint(self.joint) else { return };
        let (position, bodies) = (joint.position(self.axis), joint.definition().bodies);
        let time = world.time();
        for body in bodies.into_iter().flatten() {
            if let Some(mut body) = world.body_mut(body)
                && !body.as_ref().is_enabled()
            {
                body.enable();
            }
        }
        let velocity = match self.kind {
            Kind::Effort => {
                // False only for a joint that is gone, which was found above.
                let _ = world.add_joint_force(self.joint, self.axis, self.signal.value(time));
                return;
            }
            Kind::Velocity => self.signal.value(time + step),
            Kind::Position => (self.signal.value(time + step) - position) / step,
        };
        if let Some(parameters) = world.joint_parameters_mut(self.joint, self.axis) {
            parameters.motor.velocity = velocity.clamp(-self.velocity_limit, self.velocity_limit);
            parameters.motor.max_force = self.effort_limit;
        }
    }
}
