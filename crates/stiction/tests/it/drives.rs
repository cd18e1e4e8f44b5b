//! Drives: whatever the axis, its stops, limits and load, the gains, the step and the engine, a driven motion keeps within its
//! limits and comes to rest, where what acts along it is its load.

use super::support::*;
use stiction::joints::{AxisParameters, Drive, DriveGains, JointDefinition, JointKind};
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{BodyDefinition, Coordinates, JointId, Preset, World, WorldParameters};
use stiction_testing::cases;

/// A motion with its judge's numbers.
#[derive(Debug)]
struct Case {
    preset: Preset,
    coordinates: Coordinates,
    is_hinge: bool,
    step: f64,
    mass: f64,
    /// Distance of the centre from the hinge \[m\].
    arm: f64,
    /// Direction of the axis.
    axis: DVec3,
    law: AxisParameters,
    drive: Drive,
    /// Inertia that the axis feels.
    inertia: f64,
    /// What its load comes to at most.
    load: f64,
    /// Time until it must be at rest \[s\].
    time: f64,
}

struct Draw(Sequence);

impl Draw {
    fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * 0.5 * (self.0.next() + 1.0)
    }

    fn log(&mut self, low: f64, high: f64) -> f64 {
        self.uniform(low.ln(), high.ln()).exp()
    }

    fn chance(&mut self, share: f64) -> bool {
        self.uniform(0.0, 1.0) < share
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[(self.uniform(0.0, list.len() as f64) as usize).min(list.len() - 1)]
    }
}

const RADIUS: f64 = 0.05;

fn is_continuous(preset: Preset) -> bool {
    matches!(preset, Preset::Simbody | Preset::DrakeContinuous)
}

fn case(seed: u64) -> Case {
    let mut d = Draw(Sequence(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1));
    for _ in 0..8 {
        d.0.next();
    }
    let fixed = Preset::ALL.into_iter().filter(|p| !is_continuous(*p)).collect::<Vec<_>>();
    let preset = if d.chance(0.08) { d.of(&[Preset::Simbody, Preset::DrakeContinuous]) } else { d.of(&fixed) };
    let continuous = is_continuous(preset);
    let coordinates = d.of(&[Coordinates::Maximal, Coordinates::Reduced]);
    let is_hinge = d.chance(0.5);
    let (step, mass) = (d.log(5e-4, 16e-3), d.log(1e-5, 1e3));
    let arm = if is_hinge && d.chance(0.7) { d.uniform(0.0, 0.3) } else { 0.0 };
    let axis = loop {
        let v = d.0.vector();
        if v.length() > 0.1 {
            break v.normalize();
        }
    };
    let inertia = if is_hinge { mass * (0.4 * RADIUS * RADIUS + arm * arm) } else { mass };
    let load = if is_hinge { mass * GRAVITY * arm } else { mass * GRAVITY * axis.z.abs() };
    let speed = if continuous || d.chance(0.8) { d.log(0.1, 8.0) } else { f64::INFINITY };
    let width = d.log(0.02, 2.0);
    let lower = d.of(&[0.0, -1e-9, -0.3 * width, -0.5 * width, -width]);
    let upper = lower + width;
    let (lower, upper) = if d.chance(0.15) { (f64::NEG_INFINITY, f64::INFINITY) } else { (lower, upper) };
    let near = |d: &mut Draw, stop: f64| stop + d.of(&[0.0, 1e-6, -1e-6, 1e-3, -1e-3, 0.3, -0.3]);
    let position = match d.uniform(0.0, 3.0) as u32 {
        _ if lower.is_infinite() => d.uniform(-1.0, 1.0),
        0 => d.uniform(lower, upper),
        1 => near(&mut d, lower),
        _ => near(&mut d, upper),
    };
    let far = position.abs() + 1e-3;
    let (gains, velocity, force, settling) = match d.uniform(0.0, 3.0) as u32 {
        // Gains: critically damped or more, with the force that they need to stop from the largest speed; or far too stiff.
        0 => {
            let frequency = d.log(20.0, if continuous { 200.0 } else { 1e5 });
            let damping = d.uniform(1.0, 1.5);
            let closing = 2.0 * damping / frequency;
            let force = if speed.is_finite() && !d.chance(0.2) {
                2.0 * load + 2.0 * inertia * speed / closing
            } else {
                f64::INFINITY
            };
            let gains = DriveGains::Soft {
                stiffness: inertia * frequency * frequency,
                damping: closing * inertia * frequency * frequency,
            };
            (gains, 0.0, force, 12.0 / (frequency * (damping - (damping * damping - 1.0).sqrt())))
        }
        // A velocity, into a stop.
        1 if lower.is_finite() => {
            let velocity = d.uniform(-3.0, 3.0);
            let force = 1.5 * load + inertia * d.log(1.0, 1e3);
            (DriveGains::Rigid { closing: 0.0 }, velocity, force, width / velocity.abs().min(speed) + 0.1)
        }
        _ => {
            let force = 2.0 * load + inertia * d.log(if continuous { 200.0 } else { 0.5 }, 1e4);
            let force = if d.chance(0.2) { f64::INFINITY } else { force };
            (DriveGains::Rigid { closing: 50.0 }, 0.0, force, 0.0)
        }
    };
    let travel = if velocity == 0.0 { far } else { width };
    let spare = (force - load) / inertia;
    let time = 1.0
        + travel / speed
        + settling
        + 4.0 * (travel / spare).sqrt()
        + if spare.is_finite() { 4.0 * speed.min(far * 50.0) / spare } else { 0.0 };
    let law = AxisParameters { effort_limit: force, velocity_limit: speed, ..AxisParameters::default() }
        .with_stops(lower, upper);
    // Gains without a bound press with a force without bound: no stop is as hard.
    let is_unbounded = force.is_infinite() && matches!(gains, DriveGains::Soft { .. });
    let position = if is_unbounded && lower.is_finite() { position.clamp(lower, upper) } else { position };
    let time = if continuous { 2.0 * time } else { time };
    let drive = Drive::new(position, velocity, gains);
    Case { preset, coordinates, is_hinge, step, mass, arm, axis, law, drive, inertia, load, time }
}

fn build(case: &Case) -> (World, JointId) {
    let mut parameters = WorldParameters { gravity: DVec3::new(0.0, 0.0, -GRAVITY), ..WorldParameters::default() };
    case.preset.apply(&mut parameters);
    parameters.gravity = DVec3::new(0.0, 0.0, -GRAVITY);
    if !is_continuous(case.preset) {
        parameters.coordinates = case.coordinates;
    }
    let mut world = World::new(parameters);
    let mass = Shape::sphere(RADIUS).unwrap().mass_properties(1.0).unwrap().with_mass(case.mass);
    let across = case.axis.any_orthonormal_vector();
    let pose = Pose::from_position(case.arm * across);
    let body = world.add_body(&BodyDefinition { mass, pose, ..BodyDefinition::default() }).unwrap();
    let kind = if case.is_hinge { JointKind::Hinge } else { JointKind::Slider };
    let law = AxisParameters { drive: Some(case.drive), ..case.law };
    let joint =
        JointDefinition::new(kind, Some(body), None).at(DVec3::ZERO).with_axis(0, case.axis).with_parameters(0, law);
    let joint = world.add_joint(joint).unwrap();
    (world, joint)
}

/// Gravity along the axis.
fn load_of(case: &Case, world: &World, joint: JointId) -> f64 {
    let weight = DVec3::new(0.0, 0.0, -GRAVITY * case.mass);
    if !case.is_hinge {
        return weight.dot(case.axis);
    }
    let body = world.joint(joint).unwrap().definition().bodies[0].unwrap();
    world.body(body).unwrap().center_of_mass().cross(weight).dot(case.axis)
}

fn judge(case: &Case) -> Result<(), String> {
    let (mut world, joint) = build(case);
    let AxisParameters { lower, upper, effort_limit, velocity_limit, .. } = case.law;
    let soft = if is_continuous(case.preset) || case.preset == Preset::DrakeDiscrete { 1e-2 } else { 2e-4 };
    // Stops of AGX give way by 1e-8 m/N.
    let yielding = if case.preset == Preset::Agx && effort_limit.is_finite() { 1e-8 * effort_limit } else { 0.0 };
    let steps = (case.time / case.step).ceil() as usize;
    let mut restless = 0.0_f64;
    let mut way = [f64::INFINITY, f64::NEG_INFINITY];
    let rest = (0.05 / case.step).ceil() as usize;
    for k in 0..steps + rest {
        world.step(case.step);
        let j = world.joint(joint).unwrap();
        let (rate, effort, position) = (j.rate(0), j.drive_effort(0), j.position(0));
        if !(rate.is_finite() && effort.is_finite()) {
            return Err(format!("step {k}: rate {rate}, effort {effort}"));
        }
        // In continuous time soft gains do not push beyond the limit; they do not brake a load either.
        let is_carried =
            is_continuous(case.preset) && case.load > 0.0 && matches!(case.drive.gains, DriveGains::Soft { .. });
        if rate.abs() > velocity_limit * (1.0 + soft) && !is_carried {
            return Err(format!("step {k}: {rate} at a limit of {velocity_limit}"));
        }
        if effort.abs() > effort_limit * (1.0 + 1e-9) {
            return Err(format!("step {k}: {effort} at a limit of {effort_limit}"));
        }
        // Stops are come to, not passed.
        let give = match case.preset {
            Preset::Agx => yielding,
            // Its rows are regularized: the force of gains without bound moves them.
            Preset::DrakeDiscrete if effort_limit.is_infinite() => 0.02,
            _ => 0.0,
        };
        let beyond = (lower - position).max(position - upper);
        if !is_continuous(case.preset) && beyond > 2e-3 + 1e-3 * velocity_limit.min(10.0) + give {
            return Err(format!("step {k}: {beyond} beyond a stop"));
        }
        if k >= steps {
            restless = restless.max(rate.abs());
            way = [way[0].min(position), way[1].max(position)];
        }
    }
    let j = world.joint(joint).unwrap();
    let (load, position) = (load_of(case, &world, joint), j.position(0));
    // At a stop a tenth of a millimetre to and fro is rest.
    if restless > 3e-3 && way[1] - way[0] > 2e-4 {
        return Err(format!("at {position} it still moves at {restless}"));
    }
    let off = (j.effort(0) + load).abs();
    // The smooth stops of continuous time take longer.
    if off > 0.1 * case.load + case.inertia * 0.05 && !is_continuous(case.preset) {
        return Err(format!("at {position} the effort {} carries a load of {load}", j.effort(0)));
    }
    // It has gone where it was told.
    if case.drive.velocity == 0.0 {
        let sag = match case.drive.gains {
            DriveGains::Soft { stiffness, .. } => case.load / stiffness,
            DriveGains::Rigid { .. } => 0.0,
        };
        let wanted = case.drive.position.clamp(lower, upper);
        let off = (position - wanted).abs();
        let give = if is_continuous(case.preset) { 0.12 } else { 2e-3 };
        if off > 1.01 * sag + give + yielding {
            return Err(format!("it stands at {position}, not {wanted}"));
        }
    } else {
        let wanted = if case.drive.velocity > 0.0 { upper } else { lower };
        let give = if is_continuous(case.preset) { 0.12 } else { 5e-3 };
        if (position - wanted).abs() > give + yielding {
            return Err(format!("it stands at {position}, not at its stop {wanted}"));
        }
    }
    Ok(())
}

#[test]
fn driven_motions_come_to_rest_within_their_limits() {
    let mut wrong = Vec::new();
    let count = cases(400, 20_000) as u64;
    for seed in 0..count {
        let case = case(seed);
        if let Err(what) = judge(&case) {
            wrong.push(format!("{seed}: {what}: {case:?}"));
        }
    }
    let shown = wrong.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} of {count}:\n{shown}", wrong.len());
}
