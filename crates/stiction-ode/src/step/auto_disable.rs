//! Disables bodies that have been idle for long enough.

use crate::objects::body::{Body, flag};
use crate::objects::world::WorldId;
use crate::types::{dReal, vector};

/// Bodies without joints never fall asleep: they would hang in the air.
pub(super) unsafe fn run(world: WorldId, h: f64) {
    let mut next = (*world).first_body;
    while let Some(body) = next.as_mut() {
        next = body.next;
        let may_sleep = body.flags & (flag::AUTO_DISABLE | flag::DISABLED) == flag::AUTO_DISABLE;
        if may_sleep && !body.first_joint.is_null() && !body.average_linear.is_empty() {
            watch(body, h as dReal);
        }
    }
}

fn watch(body: &mut Body, h: dReal) {
    let samples = body.average_linear.len();
    let at = body.average_counter as usize;
    body.average_linear[at] = body.linear_velocity;
    body.average_angular[at] = body.angular_velocity;
    body.average_counter += 1;
    if body.average_counter as usize >= samples {
        body.average_counter = 0;
        body.average_ready = true;
    }
    if body.average_ready && is_idle(body) {
        body.idle_steps_left -= 1;
        body.idle_time_left -= h;
    } else {
        body.idle_steps_left = body.auto_disable.idle_steps;
        body.idle_time_left = body.auto_disable.idle_time;
    }
    if body.idle_steps_left <= 0 && body.idle_time_left <= 0.0 {
        body.flags |= flag::DISABLED;
        body.linear_velocity = [0.0; 4];
        body.angular_velocity = [0.0; 4];
    }
}

fn is_idle(body: &Body) -> bool {
    let mean = |samples: &[[dReal; 4]]| samples.iter().map(|s| vector(s)).sum::<glam::DVec3>() / samples.len() as f64;
    mean(&body.average_linear).length_squared() <= f64::from(body.auto_disable.linear_threshold)
        && mean(&body.average_angular).length_squared() <= f64::from(body.auto_disable.angular_threshold)
}
