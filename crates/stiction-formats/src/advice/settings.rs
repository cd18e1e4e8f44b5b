//! Settings that few mean: long steps, gravity upwards, limits of zero, flat shapes on few points, fast spins.

use stiction::math::DVec3;

use crate::counted;
use crate::description::{GeometryDescription, Setting, WorldDescription};
use crate::diagnostic::Diagnostic;

use super::{figure, location, moves, warning};

/// A step in which a body falls by 2 mm: what falls meets the ground that deep, or that far above it \[s\].
const LONG_STEP: f64 = 0.02;
/// Angle of a step beyond which the direction of a spin is not resolved \[rad\].
const LARGE_TURN: f64 = 0.5;
/// A speed that lifts by 51 mm \[m/s\].
const LIFTS: f64 = 1.0;
/// A flat face stands on three points.
const FACE: u32 = 3;

/// Advice on single settings, for steps of `step` seconds.
pub(super) fn settings(world: &WorldDescription, step: f64, found: &mut Vec<Diagnostic>) {
    long_step(world, step, found);
    gravity(world, found);
    zero_limits(world, found);
    few_points(world, found);
    spins(world, step, found);
    push_out(world, found);
}

fn long_step(world: &WorldDescription, step: f64, found: &mut Vec<Diagnostic>) {
    if step > LONG_STEP {
        let fall = world.gravity.value.length() * step * step;
        let message = format!(
            "steps of {step} s are long: what falls from rest is {} m lower after the first two, and contacts and joints are \
             found that late",
            figure(3.0 * fall)
        );
        let place = location(&world.physics.max_step_size);
        found.push(warning("long-step", message, place).help("0.001 to 0.005 s are usual for robots"));
    }
}

fn gravity(world: &WorldDescription, found: &mut Vec<Diagnostic>) {
    let gravity = world.gravity.value;
    if gravity.z > 0.5 * gravity.length() {
        let message = format!("gravity {} {} {} m/s² points upwards", gravity.x, gravity.y, gravity.z);
        let finding = warning("gravity-upwards", message, location(&world.gravity));
        found.push(finding.help(format!("z is up: <gravity>0 0 {}</gravity>", -gravity.z)));
    }
}

/// What drives a joint has no force at an effort of 0, and moves nothing at a velocity of 0.
fn zero_limits(world: &WorldDescription, found: &mut Vec<Diagnostic>) {
    for joint in &world.joints {
        for axis in &joint.axes {
            let limits: [(&str, &Setting<f64>, &str); 2] = [
                ("effort", &axis.effort, "motors, controllers and commands have no force on it"),
                ("velocity", &axis.velocity, "nothing drives it"),
            ];
            for (name, setting, what) in limits {
                if setting.is_given() && setting.value == 0.0 {
                    let message = format!("{name} 0 of joint `{}`: {what}", joint.name);
                    let mut note = Diagnostic::note("zero-limit", message).help("a negative number is no limit");
                    note.location = location(setting);
                    found.push(note);
                }
            }
        }
    }
}

fn few_points(world: &WorldDescription, found: &mut Vec<Diagnostic>) {
    let general = &world.physics.max_contacts;
    for (_, link) in world.links.iter().enumerate().filter(|(index, _)| moves(world, *index)) {
        for collision in &link.collisions {
            let needed = match collision.geometry {
                GeometryDescription::Sphere(_) | GeometryDescription::Ellipsoid(_) => 1,
                GeometryDescription::Capsule { .. } => 2,
                _ => FACE,
            };
            let own = collision.max_contacts.given().map(|most| (*most, &collision.max_contacts));
            let of_world = general.is_given().then_some((general.value, general));
            let Some((most, setting)) = own.into_iter().chain(of_world).min_by_key(|(most, _)| *most) else { continue };
            if most >= needed {
                continue;
            }
            let name = &collision.name;
            let message = if most == 0 {
                format!("`{name}` has no contact points: it goes through everything")
            } else {
                let what = if needed == FACE { "a flat face" } else { "a capsule" };
                let points = counted(most, "contact point");
                format!("`{name}` has {points} at most: {what} rocks on fewer than {needed}")
            };
            let finding = warning("few-contact-points", message, location(setting));
            found.push(finding.help("<max_contacts> of 4 or more, or without it"));
        }
    }
}

/// `|ω| h`: beyond half a radian the axis of a body that spins freely turns in leaps.
fn spins(world: &WorldDescription, step: f64, found: &mut Vec<Diagnostic>) {
    for model in &world.models {
        let spin = model.initial_velocity.and_then(|(_, angular)| angular).unwrap_or(DVec3::ZERO);
        let turn = spin.length() * step;
        if turn > LARGE_TURN {
            let message =
                format!("`{}` starts with {} rad/s, {} rad in a step", model.name, figure(spin.length()), figure(turn));
            let finding = warning("fast-spin", message, Some(model.location.clone()));
            found.push(finding.help(format!("steps below {:.1e} s follow it", LARGE_TURN / spin.length())));
        }
    }
}

/// Overlaps are pushed apart at up to `max_vel`, and that velocity stays: a surface without restitution bounces by it.
fn push_out(world: &WorldDescription, found: &mut Vec<Diagnostic>) {
    let bound = world.physics.ode.contact_max_correcting_vel.value;
    let mut lifting = world.links.iter().flat_map(|link| &link.collisions).filter(|collision| {
        let surface = &collision.surface;
        surface.max_vel.is_given() && surface.max_vel.value.min(bound) > LIFTS && surface.restitution.value < 0.5
    });
    let Some(first) = lifting.next() else { return };
    let others = match lifting.count() {
        0 => String::new(),
        1 => " (1 more collision has one, too)".to_owned(),
        n => format!(" ({n} more collisions have one, too)"),
    };
    let setting = &first.surface.max_vel;
    let message = format!(
        "max_vel {} m/s of `{}`{others}: overlaps are pushed apart at up to that velocity, so that impacts bounce in spite of \
         restitution {}",
        setting.value, first.name, first.surface.restitution.value
    );
    let finding = warning("push-out-bounces", message, location(setting));
    found.push(finding.help("0.01 to 0.1 m/s push bodies apart without lifting them"));
}
