//! Commands of joints and of plugins: efforts, velocities, positions, twists and so on over time.

mod gains;
mod hints;

use std::collections::BTreeSet;
use std::path::Path;

use stiction::joints::{Drive, DriveGains};
use stiction::world::JointId;
use stiction_formats::plugins::InputKind;
use stiction_formats::simulation::{PluginInput, Simulation};

use crate::clock::Clock;
use crate::error::{Request, RunError, near_or_all};
use crate::signal::Signal;

/// What a command asks of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// A force or torque along the axis \[N or N m\].
    Effort,
    /// A rate \[m/s or rad/s\], by a drive.
    Velocity,
    /// A position \[m or rad\], by a drive.
    Position,
    /// The mass of a link \[kg\].
    Mass,
    /// What only a plugin takes.
    Plugin(InputKind),
}

const KINDS: [(&str, Kind); 12] = [
    ("effort", Kind::Effort),
    ("velocity", Kind::Velocity),
    ("position", Kind::Position),
    ("mass", Kind::Mass),
    ("twist", Kind::Plugin(InputKind::Twist)),
    ("thrust", Kind::Plugin(InputKind::Thrust)),
    ("motor_speed", Kind::Plugin(InputKind::MotorSpeed)),
    ("detach", Kind::Plugin(InputKind::Detach)),
    ("attach", Kind::Plugin(InputKind::Attach)),
    ("volume", Kind::Plugin(InputKind::Volume)),
    ("winch", Kind::Plugin(InputKind::Winch)),
    ("wrench", Kind::Plugin(InputKind::Wrench)),
];

pub(crate) use gains::GainRequest;
use gains::{Gains, GivenGains};
pub(crate) use hints::hints;

/// Names of the numbers of a twist and of a wrench, behind a dot.
const CHANNELS: [[&str; 2]; 6] = [["vx", "fx"], ["vy", "fy"], ["vz", "fz"], ["wx", "tx"], ["wy", "ty"], ["wz", "tz"]];

/// A command as it stands in a text or in the header of a file.
#[derive(Clone, Debug)]
pub struct CommandRequest {
    /// As it was written, for messages.
    text: String,
    joint: String,
    axis: usize,
    kind: Kind,
    /// Which of the numbers of the kind.
    channel: usize,
    signal: Signal,
    /// The number is a time \[s\] at which it happens.
    is_time: bool,
}

/// A command of the world.
pub(crate) enum Command {
    /// Of an axis of a joint.
    Axis(AxisCommand),
    /// Of the belts of a link, given by its index: their speed \[m/s\].
    Belt(usize, Signal),
    /// Of the mass of a link, given by its index \[kg\].
    Mass(usize, Signal),
    /// Of a plugin: which of its numbers.
    Plugin { input: PluginInput, channel: usize, signal: Signal, is_time: bool },
}

/// A command of an axis of a joint in the world.
pub(crate) struct AxisCommand {
    joint: JointId,
    axis: usize,
    kind: Kind,
    signal: Signal,
    /// Gains of a velocity and of a position.
    gains: DriveGains,
    /// Largest force, in addition to the effort limit of the joint \[N or N m\].
    most: f64,
    /// What drives the axis beside lets go of it: the effort is all that drives it.
    releases: bool,
}

impl CommandRequest {
    /// Reads `JOINT[/AXIS][:KIND]=VALUE`, or a path that ends in `.csv` of a table with the column `time` and one column
    /// `JOINT[/AXIS][:KIND]` a command. KIND is `effort` (the default), `velocity` or `position`.
    ///
    /// `LINK:mass=` gives a link a mass \[kg\].
    ///
    /// For plugins: `MODEL:twist=vx,vy,vz,wx,wy,wz` or `MODEL:twist=v,w` (columns `MODEL:twist.vx` and so on),
    /// `JOINT:thrust=`, `JOINT:motor_speed=`, `LINK:volume=`, `MODEL:winch=`, `MODEL:wrench=fx,fy,fz[,tx,ty,tz]`, and `MODEL:detach=TIME`
    /// and `MODEL:attach=TIME` (in a column: lets go or takes hold once it is above 0).
    ///
    /// # Errors
    /// The text has another form, or the file cannot be read.
    pub fn parse(text: &str) -> Result<Vec<Self>, RunError> {
        parse(text)
    }
}

/// The world does not fit a command.
fn unfit(request: &CommandRequest, reason: String) -> RunError {
    RunError::Unfit { request: Request::Command, text: request.text.clone(), reason }
}

fn wrong(text: &str, reason: impl Into<String>) -> RunError {
    RunError::Text { request: Request::Command, text: text.to_owned(), reason: reason.into() }
}

fn parse(text: &str) -> Result<Vec<CommandRequest>, RunError> {
    if text.ends_with(".csv") {
        let columns = Signal::read_csv(Path::new(text))?;
        return columns.into_iter().map(|(name, signal)| target(&format!("{text}: {name}"), &name, signal)).collect();
    }
    let wrong = |reason: &str| wrong(text, reason);
    const FORM: &str = "expected JOINT=VALUE or JOINT:KIND=VALUE with a finite number, or FILE.csv";
    let (name, value) = text.rsplit_once('=').filter(|(name, _)| !name.trim().is_empty()).ok_or_else(|| wrong(FORM))?;
    let read = |number: &str| number.trim().parse::<f64>().ok().filter(|v| v.is_finite());
    let numbers: Option<Vec<f64>> = value.split(',').map(read).collect();
    let numbers = numbers.ok_or_else(|| wrong(FORM))?;
    let first = target(text, name.trim(), Signal::constant(numbers[0]))?;
    let count = match first.kind {
        Kind::Plugin(kind) => kind.channels(),
        _ => 1,
    };
    let is_twist = first.kind == Kind::Plugin(InputKind::Twist);
    let channels: &[usize] = match (count, numbers.len()) {
        (1, 1) => &[0],
        (6, 2) if is_twist => &[0, 5],
        (6, 3) if !is_twist => &[0, 1, 2],
        (6, 6) => &[0, 1, 2, 3, 4, 5],
        (1, _) => return Err(wrong(FORM)),
        _ if is_twist => return Err(wrong("expected MODEL:twist=v,w or MODEL:twist=vx,vy,vz,wx,wy,wz")),
        _ => return Err(wrong("expected MODEL:wrench=fx,fy,fz or MODEL:wrench=fx,fy,fz,tx,ty,tz")),
    };
    let is_time = matches!(first.kind, Kind::Plugin(InputKind::Detach | InputKind::Attach));
    let one = |(channel, number): (&usize, &f64)| CommandRequest {
        channel: *channel,
        signal: Signal::constant(*number),
        is_time,
        ..first.clone()
    };
    Ok(channels.iter().zip(&numbers).map(one).collect())
}

/// `JOINT[/AXIS][:KIND[.CHANNEL]]`; names of joints have `::` in them.
fn target(text: &str, name: &str, signal: Signal) -> Result<CommandRequest, RunError> {
    let (rest, kind, channel) = match name.rsplit_once(':').filter(|(rest, _)| !rest.ends_with(':')) {
        None => (name, Kind::Effort, 0),
        Some((rest, word)) => {
            let (word, part) = word.split_once('.').map_or((word, None), |(word, part)| (word, Some(part)));
            let known = KINDS.iter().find(|(n, _)| *n == word);
            let kind = known.map(|(_, kind)| *kind).ok_or_else(|| {
                let all: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
                wrong(text, format!("`{word}` is not one of {}", all.join(", ")))
            })?;
            let which = usize::from(kind == Kind::Plugin(InputKind::Wrench));
            let channel = part.map(|part| {
                let short = ["v", "w"].iter().position(|s| *s == part && which == 0).map(|k| 5 * k);
                let found = CHANNELS.iter().position(|names| names[which] == part).or(short);
                let has_parts = matches!(kind, Kind::Plugin(InputKind::Twist | InputKind::Wrench));
                found.filter(|_| has_parts).ok_or_else(|| wrong(text, format!("`{part}` is not a part of {word}")))
            });
            (rest, kind, channel.transpose()?.unwrap_or(0))
        }
    };
    // Only a number makes it an axis: names may have slashes.
    let axis = rest.rsplit_once('/').and_then(|(joint, axis)| Some((joint, axis.parse().ok()?)));
    let (joint, axis) = axis.unwrap_or((rest, 0));
    Ok(CommandRequest { text: text.to_owned(), joint: joint.to_owned(), axis, kind, channel, signal, is_time: false })
}

/// Inputs of plugins that a command is for: by the scoped name, or by the own name where only one has it.
fn inputs_of<'i>(inputs: &'i [PluginInput], name: &str, kind: InputKind, axis: usize) -> Vec<&'i PluginInput> {
    let of_kind = |input: &&PluginInput| input.kind == kind && input.axis == axis && !input.name.is_empty();
    let exact: Vec<_> = inputs.iter().filter(of_kind).filter(|input| input.name == name).collect();
    if !exact.is_empty() {
        return exact;
    }
    let is_own = |input: &&PluginInput| input.name.rsplit("::").next() == Some(name);
    let own: Vec<_> = inputs.iter().filter(of_kind).filter(is_own).collect();
    if own.iter().all(|input| input.name == own[0].name) { own } else { Vec::new() }
}

/// What a kind of input is a command of, for messages.
const fn holder(kind: InputKind) -> &'static str {
    match kind {
        InputKind::Twist => "model that takes a twist",
        InputKind::Wrench => "model that takes a wrench",
        InputKind::Detach => "model that can be detached",
        InputKind::Attach => "model that can be attached",
        InputKind::Volume => "link with a buoyancy engine",
        InputKind::Winch => "model with a winch",
        InputKind::Thrust => "joint that takes a thrust",
        InputKind::MotorSpeed => "joint that takes a motor speed",
        InputKind::Position | InputKind::Velocity => "joint",
    }
}

/// Commands of plugins that a request means; `None` if it is one of a joint.
fn of_plugins(
    request: &CommandRequest,
    simulation: &Simulation,
    inputs: &[PluginInput],
) -> Result<Option<Vec<Command>>, RunError> {
    let (found, kind) = match request.kind {
        Kind::Effort | Kind::Mass => return Ok(None),
        Kind::Plugin(kind) => (inputs_of(inputs, &request.joint, kind, request.axis), kind),
        Kind::Position | Kind::Velocity => {
            let is_position = request.kind == Kind::Position;
            let kind = if is_position { InputKind::Position } else { InputKind::Velocity };
            let joint = find(request, simulation).map(|index| simulation.joints[index].name.clone());
            let name = joint.as_deref().unwrap_or(&request.joint);
            let found = inputs_of(inputs, name, kind, request.axis);
            if found.is_empty() {
                return Ok(None);
            }
            (found, kind)
        }
    };
    if found.is_empty() {
        let known = inputs.iter().filter(|input| input.kind == kind).map(|input| input.name.as_str());
        let (near, is_near) = near_or_all(&request.joint, known);
        let (text, name) = (request.text.clone(), request.joint.clone());
        return Err(RunError::Unknown { request: Request::Command, text, kind: holder(kind), name, near, is_near });
    }
    let command = |input: &&PluginInput| Command::Plugin {
        input: (*input).clone(),
        channel: request.channel,
        signal: request.signal.clone(),
        is_time: request.is_time,
    };
    Ok(Some(found.iter().map(command).collect()))
}

/// Finds the joints of commands; a joint that cannot be driven is said in `warnings`.
pub(crate) fn resolve(
    requests: &[CommandRequest],
    gains: &[GainRequest],
    simulation: &Simulation,
    warnings: &mut Vec<String>,
) -> Result<Vec<Command>, RunError> {
    let (mut taken, mut of_plugin, mut of_mass) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut commands = Vec::new();
    let inputs = simulation.plugin_inputs();
    let mut gains = Gains::new(gains);
    for request in requests {
        let wrong = |reason| unfit(request, reason);
        if let Some(found) = of_plugins(request, simulation, &inputs)? {
            for command in found {
                if let Command::Plugin { input, channel, .. } = &command
                    && !of_plugin.insert((input.plugin, input.part, *channel))
                {
                    return Err(wrong("this is commanded already".to_owned()));
                }
                commands.push(command);
            }
            continue;
        }
        if request.kind == Kind::Mass {
            let link = link_with_mass(request, simulation)?;
            if !of_mass.insert(link) {
                return Err(wrong("this is commanded already".to_owned()));
            }
            commands.push(Command::Mass(link, request.signal.clone()));
            continue;
        }
        let index = find(request, simulation)?;
        let joint = &simulation.joints[index];
        let belts = joint.child.filter(|link| simulation.belts.iter().any(|belt| belt.link == *link));
        if let (Some(link), Kind::Velocity, []) = (belts, request.kind, &joint.axes[..]) {
            if !taken.insert((index, 0, false)) {
                return Err(wrong("this belt is commanded already".to_owned()));
            }
            commands.push(Command::Belt(link, request.signal.clone()));
            continue;
        }
        let Some(id) = joint.id else {
            return Err(wrong(format!("the links of joint `{}` do not move against each other", joint.name)));
        };
        let axis = *joint.axes.get(request.axis).ok_or_else(|| {
            wrong(match joint.axes.len() {
                0 => format!("joint `{}` has no axis to command", joint.name),
                1 => format!("joint `{}` has 1 axis, counted from 0", joint.name),
                n => format!("joint `{}` has {n} axes, counted from 0", joint.name),
            })
        })?;
        // A position and a rate are both the motor's.
        if !taken.insert((index, axis, request.kind == Kind::Effort)) {
            return Err(wrong("this axis is commanded already".to_owned()));
        }
        let Some(own) = simulation.world.joint(id) else { continue };
        let (parameters, is_spook) = (own.definition().parameters[axis], own.definition().spook.is_some());
        // A motor that its file gives a range of force keeps it, and its slip.
        let range = Some(parameters.motor.max_force).filter(|force| is_spook && *force > 0.0);
        let most = range.unwrap_or(f64::INFINITY);
        if parameters.effort_limit == 0.0 {
            warnings.push(format!("the effort limit of joint `{}` is 0: no command moves it", joint.name));
        }
        let (kind, mut signal) = (request.kind, request.signal.clone());
        let slip = parameters.motor.cfm.filter(|slip| is_spook && *slip > 0.0);
        let mut own_gains = GivenGains::default();
        if kind == Kind::Position {
            own_gains = gains.of(&joint.name);
            let stops = [parameters.lower, parameters.upper];
            if stops[0] <= stops[1] && signal.clamp(stops) {
                warnings.push(format!(
                    "joint `{}` is commanded beyond its limits, {} to {}: it is driven to the limit",
                    joint.name, stops[0], stops[1]
                ));
            }
        }
        let gains = if kind == Kind::Position { own_gains.position(slip) } else { GivenGains::velocity(slip) };
        let releases = kind == Kind::Effort && range.is_some();
        commands.push(Command::Axis(AxisCommand { joint: id, axis, kind, signal, gains, most, releases }));
    }
    gains.all_used()?;
    let driven: Vec<_> = commands.iter().filter_map(Command::driven).collect();
    for command in &mut commands {
        if let Command::Axis(command) = command {
            command.releases &= !driven.contains(&(command.joint, command.axis));
        }
    }
    Ok(commands)
}

/// A joint by its scoped name, or by its own name where only one has it.
fn find(request: &CommandRequest, simulation: &Simulation) -> Result<usize, RunError> {
    let names: Vec<&str> = simulation.joints.iter().map(|joint| joint.name.as_str()).collect();
    find_name(request, "joint", &names)
}

/// A link that has a mass, with the masses that it is to have above 0.
fn link_with_mass(request: &CommandRequest, simulation: &Simulation) -> Result<usize, RunError> {
    let names: Vec<&str> = simulation.links.iter().map(|link| link.name.as_str()).collect();
    let link = find_name(request, "link", &names)?;
    let wrong = |reason| unfit(request, reason);
    if simulation.link_mass(link).is_none() {
        return Err(wrong(format!("link `{}` has no mass that could change", names[link])));
    }
    if request.axis != 0 {
        return Err(wrong("a mass has no axes".to_owned()));
    }
    match request.signal.least() {
        least if least > 0.0 => Ok(link),
        least => Err(wrong(format!("a mass of {least} kg, expected more than 0"))),
    }
}

/// What a command is for, by its scoped name, or by its own name where only one has it.
fn find_name(request: &CommandRequest, kind: &'static str, names: &[&str]) -> Result<usize, RunError> {
    let name = &request.joint;
    if let Some(index) = names.iter().position(|n| n == name) {
        return Ok(index);
    }
    let is_own = |scoped: &str| scoped.rsplit("::").next().is_some_and(|own| own == name);
    let namesakes: Vec<usize> = (0..names.len()).filter(|i| is_own(names[*i])).collect();
    if let [only] = namesakes[..] {
        return Ok(only);
    }
    let (near, is_near) = if namesakes.is_empty() {
        near_or_all(name, names.iter().copied())
    } else {
        (namesakes.iter().map(|i| names[*i].to_owned()).collect(), true)
    };
    let (text, name) = (request.text.clone(), name.clone());
    Err(RunError::Unknown { request: Request::Command, text, kind, name, near, is_near })
}

impl Command {
    /// The axis whose motor it commands.
    fn driven(&self) -> Option<(JointId, usize)> {
        match self {
            Self::Axis(command) if command.kind != Kind::Effort => Some((command.joint, command.axis)),
            _ => None,
        }
    }

    /// Applies the command to the next step.
    pub(crate) fn apply(&self, simulation: &mut Simulation, clock: &Clock, step: f64) {
        match self {
            Self::Axis(command) => command.apply(simulation, clock, step),
            Self::Mass(link, signal) => {
                // The masses of the signal are good, and the link was found with one.
                let _ = simulation.set_link_mass(*link, signal.value(clock.next()));
            }
            Self::Belt(link, signal) => simulation.set_belt_speed(*link, signal.value(clock.next())),
            Self::Plugin { input, channel, signal, is_time } => {
                let value = signal.value(clock.next());
                // What happens at a time happens in the step that ends there.
                let value = if *is_time { f64::from(u8::from(clock.next() >= value - 0.5 * step)) } else { value };
                // Only an input of another world would be refused.
                let _ = simulation.set_plugin_input(input, *channel, value);
            }
        }
    }
}

impl AxisCommand {
    /// Applies the command to the next step. An effort is that of its beginning; a motor reaches at the step's end what is
    /// asked for then, within the limits of the joint.
    fn apply(&self, simulation: &mut Simulation, clock: &Clock, step: f64) {
        let world = &mut simulation.world;
        let Some(joint) = world.joint(self.joint) else { return };
        let bodies = joint.definition().bodies;
        for body in bodies.into_iter().flatten() {
            if let Some(mut body) = world.body_mut(body)
                && !body.as_ref().is_enabled()
            {
                body.enable();
            }
        }
        let drive = match self.kind {
            Kind::Effort => {
                if self.releases
                    && let Some(parameters) = world.joint_parameters_mut(self.joint, self.axis)
                {
                    parameters.motor.max_force = 0.0;
                    parameters.drive = None;
                }
                // False only for a joint that is gone, which was found above.
                let _ = world.add_joint_force(self.joint, self.axis, self.signal.value(clock.time()));
                return;
            }
            Kind::Velocity => Drive::new(0.0, self.signal.value(clock.next()), self.gains),
            Kind::Position => {
                let [now, next] = [clock.time(), clock.next()].map(|time| self.signal.value(time));
                // The rate of what moves.
                Drive::new(next, (next - now) / step, self.gains)
            }
            // Those are no commands of an axis.
            Kind::Plugin(_) | Kind::Mass => return,
        };
        if let Some(parameters) = world.joint_parameters_mut(self.joint, self.axis) {
            parameters.drive = Some(Drive { range: [-self.most, self.most], ..drive });
        }
    }
}
