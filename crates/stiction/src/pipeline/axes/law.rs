//! The law of an axis: a monotone graph of the impulse over the rate, solved exactly.
//!
//! Each part gives `λ = (b − u) / Γ` within its bounds, all of one side where Γ = 0. With the rate `u₀` that the axis has
//! without them and its response W, `u = u₀ + W Σ λ(u)`: the left side rises and the right one falls, so that there is one
//! solution. Motor, stops, friction and limits are complementary by that, in any order.

/// A part of the law.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Part {
    /// Rate b at which it is satisfied \[m/s or rad/s\], in the pass with bias and in the one without.
    pub(in super::super) targets: [f64; 2],
    /// Γ.
    pub(in super::super) compliance: f64,
    /// Bounds of its impulse.
    pub(in super::super) bounds: [f64; 2],
    /// A stop or a limit, which holds against a motor without bound.
    pub(in super::super) is_limit: bool,
}

/// Most parts of an axis: what `joints::axis` makes of all its laws at once.
pub(in super::super) const PARTS: usize = 12;

/// Impulses beside which a bound counts as none, by what the rates of the law need: of motors and of stops.
const UNBOUNDED: [f64; 2] = [1e6, 1e9];

impl Part {
    /// One that gives nothing.
    pub(in super::super) const NONE: Self =
        Self { targets: [0.0; 2], compliance: 0.0, bounds: [0.0; 2], is_limit: false };

    /// Bounds, at most a number that counts as none.
    fn bounded(&self, unit: f64) -> [f64; 2] {
        let most = unit * UNBOUNDED[usize::from(self.is_limit)];
        self.bounds.map(|bound| bound.max(-most).min(most))
    }

    /// Impulse at a rate; at the target of a hard part that of a little less, or of a little more.
    fn impulse(&self, target: f64, bounds: [f64; 2], rate: f64, is_beyond: bool) -> f64 {
        let [low, high] = bounds;
        if self.compliance > 0.0 {
            return ((target - rate) / self.compliance).max(low).min(high);
        }
        if rate > target || rate == target && is_beyond { low } else { high }
    }
}

/// Solves the law for the rate without it and the response; `pass` is 0 with bias. Writes the impulse of each part.
pub(in super::super) fn solve(
    parts: &[Part],
    pass: usize,
    free: f64,
    response: f64,
    impulses: &mut [f64; PARTS],
) -> f64 {
    let parts = &parts[..parts.len().min(PARTS)];
    if let Some(rate) = solve_soft(parts, pass, free, response, impulses) {
        return rate;
    }
    // What a part asks for by itself: no more of its target than its compliance lets through.
    let asked = |part: &Part| part.targets[pass].abs() * (response / (response + part.compliance));
    let reach = parts.iter().map(asked).fold(free.abs() + 1.0, f64::max);
    let unit = reach / response;
    let bounds: [[f64; 2]; PARTS] = std::array::from_fn(|i| parts.get(i).map_or([0.0; 2], |part| part.bounded(unit)));
    let sum = |rate: f64, is_beyond: bool| -> f64 {
        let each = parts.iter().zip(&bounds);
        each.map(|(part, bounds)| part.impulse(part.targets[pass], *bounds, rate, is_beyond)).sum()
    };
    let excess = |rate: f64, is_beyond: bool| rate - free - response * sum(rate, is_beyond);
    // Between the last bend below the solution and the first above it the law is a line.
    let (mut below, mut above) = (f64::NEG_INFINITY, f64::INFINITY);
    for (part, [low, high]) in parts.iter().zip(&bounds) {
        let target = part.targets[pass];
        for bend in [target - part.compliance * high, target - part.compliance * low] {
            if excess(bend, true) <= 0.0 {
                below = below.max(bend);
            } else if excess(bend, false) >= 0.0 {
                above = above.min(bend);
            } else {
                return share(parts, pass, &bounds, bend, free, response, impulses);
            }
        }
    }
    let rate = line(parts, pass, &bounds, [below, above], free, response);
    for (i, part) in parts.iter().enumerate() {
        // At the bend below the solution hard parts are beyond their targets, at the one above they are not.
        impulses[i] = part.impulse(part.targets[pass], bounds[i], rate, rate <= below);
    }
    rate
}

/// Largest impulse of all parts at a rate, or the least.
pub(in super::super) fn edge(parts: &[Part], rate: f64, is_upward: bool) -> f64 {
    parts.iter().map(|part| part.impulse(part.targets[0], part.bounds, rate, !is_upward)).sum()
}

/// The solution where all parts give way and none is at a bound, as of a drive within its effort.
fn solve_soft(parts: &[Part], pass: usize, free: f64, response: f64, impulses: &mut [f64; PARTS]) -> Option<f64> {
    let (mut constant, mut slope) = (free, 1.0);
    for part in parts {
        if part.compliance <= 0.0 {
            return None;
        }
        constant += response * part.targets[pass] / part.compliance;
        slope += response / part.compliance;
    }
    let rate = constant / slope;
    let is_within = |part: &Part, impulse: f64| part.bounds[0] <= impulse && impulse <= part.bounds[1];
    for (part, impulse) in parts.iter().zip(&mut *impulses) {
        *impulse = (part.targets[pass] - rate) / part.compliance;
    }
    parts.iter().zip(&*impulses).all(|(part, impulse)| is_within(part, *impulse)).then_some(rate)
}

/// The solution between two bends, where each part is at a bound or has its slope.
fn line(
    parts: &[Part],
    pass: usize,
    bounds: &[[f64; 2]; PARTS],
    [below, above]: [f64; 2],
    free: f64,
    response: f64,
) -> f64 {
    let (mut constant, mut slope) = (free, 1.0);
    for (part, [low, high]) in parts.iter().zip(bounds) {
        let target = part.targets[pass];
        if part.compliance > 0.0 {
            let bends = [target - part.compliance * high, target - part.compliance * low];
            if bends[0] <= below && bends[1] >= above {
                constant += response * target / part.compliance;
                slope += response / part.compliance;
            } else {
                constant += response * if bends[0] >= above { *high } else { *low };
            }
        } else {
            constant += response * if target >= above { *high } else { *low };
        }
    }
    (constant / slope).max(below).min(above)
}

/// At the target of hard parts: they share what is needed in their order.
fn share(
    parts: &[Part],
    pass: usize,
    bounds: &[[f64; 2]; PARTS],
    rate: f64,
    free: f64,
    response: f64,
    impulses: &mut [f64; PARTS],
) -> f64 {
    let mut left = (rate - free) / response;
    let is_open = |part: &Part| part.compliance == 0.0 && part.targets[pass] == rate;
    for (i, part) in parts.iter().enumerate() {
        impulses[i] = if is_open(part) {
            // None, or the bound that is next to it.
            0f64.max(bounds[i][0]).min(bounds[i][1])
        } else {
            part.impulse(part.targets[pass], bounds[i], rate, false)
        };
        left -= impulses[i];
    }
    for (i, _) in parts.iter().enumerate().filter(|(_, part)| is_open(part)) {
        let given = (impulses[i] + left).max(bounds[i][0]).min(bounds[i][1]);
        left -= given - impulses[i];
        impulses[i] = given;
    }
    rate
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(target: f64, compliance: f64, bounds: [f64; 2], is_limit: bool) -> Part {
        Part { targets: [target; 2], compliance, bounds, is_limit }
    }

    fn solved(parts: &[Part], free: f64) -> (f64, f64) {
        let mut impulses = [0.0; PARTS];
        let rate = solve(parts, 1, free, 2.0, &mut impulses);
        let sum: f64 = impulses[..parts.len()].iter().sum();
        assert!((rate - free - 2.0 * sum).abs() < 1e-9 * (1.0 + free.abs()), "{rate} {sum}");
        (rate, impulses[0])
    }

    #[test]
    fn a_motor_drives_as_far_as_its_force_allows() {
        let motor = part(3.0, 0.0, [-1.0, 1.0], false);
        assert_eq!(solved(&[motor], 2.0), (3.0, 0.5));
        assert_eq!(solved(&[motor], 0.0), (2.0, 1.0));
        assert_eq!(solved(&[motor], 9.0), (7.0, -1.0));
    }

    #[test]
    fn a_stop_holds_against_motors_with_and_without_bound() {
        let stop = part(0.5, 0.0, [f64::NEG_INFINITY, 0.0], true);
        let motor = part(3.0, 0.0, [-1.0, 1.0], false);
        assert_eq!(solved(&[motor, stop], 0.0), (0.5, 1.0));
        let strong = part(3.0, 0.0, [f64::NEG_INFINITY, f64::INFINITY], false);
        assert!((solved(&[strong, stop], 0.0).0 - 0.5).abs() < 1e-12);
        assert_eq!(solved(&[motor, stop], -4.0), (-2.0, 1.0));
    }

    #[test]
    fn soft_parts_and_friction_add_up() {
        let spring = part(1.0, 2.0, [f64::NEG_INFINITY, f64::INFINITY], false);
        // u = 2 (1 − u) / 2.
        assert!((solved(&[spring], 0.0).0 - 0.5).abs() < 1e-12);
        let friction = part(0.0, 0.0, [-0.5, 0.5], false);
        assert_eq!(solved(&[friction, spring], 0.0).0, 0.0);
        assert!((solved(&[friction, spring], 4.0).0 - 2.0).abs() < 1e-12);
    }
}
