//! Impacts of joints at their stops. In such a step the impulses of all rows of the joint are large, and the shares that stops
//! lose and other rows make are a matter of booking: only what is made beyond that loss is made.

use stiction::world::JointId;
use stiction_formats::simulation::Simulation;

/// Steps that an impact lasts: one to reach the stop, one to stop, one to come to rest.
const LASTS: u32 = 3;

/// A motion between stops.
#[derive(Clone, Copy, Debug)]
struct Stop {
    joint: JointId,
    axis: usize,
    range: [f64; 2],
    is_at: bool,
    /// Steps that are left of the impact.
    left: u32,
}

/// All motions between stops, and what impacts have lost that may still come back.
pub(super) struct Stops {
    list: Vec<Stop>,
    lost: f64,
}

impl Stops {
    pub(super) fn new(simulation: &Simulation) -> Self {
        let mut list = Vec::new();
        for id in simulation.joints.iter().filter_map(|joint| joint.id) {
            let Some(joint) = simulation.world.joint(id) else { continue };
            for axis in 0..joint.motion_count().min(3) {
                let p = &joint.definition().parameters[axis];
                if p.lower.is_finite() || p.upper.is_finite() {
                    list.push(Stop { joint: id, axis, range: [p.lower, p.upper], is_at: false, left: 0 });
                }
            }
        }
        Self { list, lost: 0.0 }
    }

    /// Part of what a step of `length` \[s\] has made that impacts had lost before, or lose in it \[J\]: a stop is overrun by up to a
    /// step's way, and what falls that far is lifted back.
    pub(super) fn given_back(&mut self, simulation: &Simulation, length: f64) -> f64 {
        let step = &simulation.world.report().energy;
        let (mut is_hit, mut is_at_one) = (false, false);
        for stop in &mut self.list {
            let Some(joint) = simulation.world.joint(stop.joint) else { continue };
            let (q, way) = (joint.position(stop.axis), length * joint.rate(stop.axis).abs() + 1e-9);
            let is_at = q <= stop.range[0] + way || q >= stop.range[1] - way;
            stop.left = if is_at && !stop.is_at { LASTS } else { stop.left.saturating_sub(1) };
            stop.is_at = is_at;
            is_hit |= stop.left > 0;
            is_at_one |= is_at;
        }
        if is_hit {
            self.lost += step.joint_loss.max(0.0);
        }
        // The loss of a joint that diverges may overflow to infinity, and what is left of that is NaN.
        let back = if is_hit || is_at_one { step.made().max(0.0).min(self.lost) } else { 0.0 };
        self.lost = (self.lost - back).max(0.0);
        back
    }
}
