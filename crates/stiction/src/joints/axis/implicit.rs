//! Springs and dampers of an axis in a fixed step.
//!
//! The spring acts at `x + h (θ₁ v⁺ + θ₂ v)` and the damper at the velocity after the step,
//! `λ = −h (k x + (c + h k (θ₁ + θ₂)) v) − E (v⁺ − v)` with the inertia `E = h c + h² k θ₁`, where `x⁺ = x + h v⁺`. With θ₁ = ¼ and
//! θ₂ = −¼ that is the trapezoidal rule (Newmark's with γ = ½ and β = ¼) of velocities in the middles of the steps: a spring keeps
//! `m v²/2 + k (x − h v/2)²/2` at any step, and swings in `π h / atan(ω h / 2)`. With θ₁ = 1 and θ₂ = 0 it is the implicit rule, which
//! brings what is stiff to rest. Between them, with a share s of the second one, `m v²/2 + k (x − (1 − s) h v/2)²/2` never rises.
//!
//! Where velocities are those of the ends of the steps, `x⁺ = x + h u` with the mean `u = (v + v⁺)/2`, the spring acts at `x + h u (1 + s)/2` and the damper
//! at u: `m v²/2 + k x²/2` never rises, and without damper and s it is kept. What the step does not resolve would oscillate, `v⁺ = 2u − v`
//! with u near zero: it ends with its mean rate instead, `v⁺ = 2u − v + s (v − u)`. Gains of drives act in the same way.

use super::AxisParameters;

/// What springs and dampers of an axis add to a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Implicit {
    /// Inertia E \[kg or kg m²\].
    pub(crate) inertia: f64,
    /// Effort at the position and rate before the step, `−k x − (c + h k (θ₁ + θ₂)) v` \[N or N m\].
    pub(crate) effort: f64,
    /// Share of the rate before the step that a row keeps, `−h² k θ₂ / E`.
    pub(crate) kept: f64,
    /// Target rate of a row, next to the share that it keeps, `−h k x / E` \[m/s or rad/s\].
    pub(crate) target: f64,
}

/// How a spring was integrated over a step: inertia and kept share of [`Implicit`], both 0 where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SpringLaw {
    pub(crate) inertia: f64,
    pub(crate) kept: f64,
}

impl SpringLaw {
    /// That of a row.
    pub(crate) fn of_row(compliance: f64, kept: f64) -> Self {
        Self { inertia: compliance.recip(), kept }
    }
}

/// How the stiffness of a spring is integrated over a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SpringRule {
    /// By the trapezoidal rule, as far as an inertia \[kg or kg m²\] is resolved by the step; velocities are those in the middles of the steps.
    KeepsEnergy(f64),
    /// The same where velocities are those of the ends of the steps, `x⁺ = x + h (v + v⁺)/2`; dampers and gains of drives too.
    KeepsEnergyAtEnds(f64),
    /// By the implicit rule.
    Implicit,
}

/// Square of the angle by which a spring swings in a step, `h² k / m`, up to which it keeps its energy.
const RESOLVED: f64 = 0.25;
/// Share of a velocity, `h c / m`, that a damper takes in a step at most to be taken at the mean velocity.
const SLOWED: f64 = 0.5;

impl SpringRule {
    /// Share s of the implicit rule, for a stiffness h² k and a damping h c \[kg or kg m²\].
    pub(crate) fn share(self, stiffness: f64, damping: f64) -> f64 {
        match self {
            Self::Implicit => 1.0,
            Self::KeepsEnergy(inertia) => share_above(RESOLVED, stiffness, inertia),
            Self::KeepsEnergyAtEnds(inertia) => {
                share_above(RESOLVED, stiffness, inertia).max(share_above(SLOWED, damping, inertia))
            }
        }
    }

    /// Shares of the velocities after and before a step: in the displacement at whose end a spring acts, by h, and in the velocity by which a damper acts.
    fn shares_of_rates(self, share: f64) -> [[f64; 2]; 2] {
        match self {
            Self::Implicit | Self::KeepsEnergy(_) => [[0.25 + 0.75 * share, -0.25 * (1.0 - share)], [1.0, 0.0]],
            Self::KeepsEnergyAtEnds(_) => [[0.25 * (1.0 + share); 2], [0.5; 2]],
        }
    }

    /// Share of the mean rate with which a motion ends against a compliance Γ, where velocities are those of the ends of the steps.
    pub(crate) fn share_against(self, compliance: f64) -> f64 {
        self.share(0.0, compliance.recip())
    }
}

/// 0 up to a limit of what a step does to an inertia, and 1 far beyond it.
fn share_above(limit: f64, effect: f64, inertia: f64) -> f64 {
    let over = effect - limit * inertia;
    if over > 0.0 { over / (effect + inertia) } else { 0.0 }
}

impl AxisParameters {
    /// A step resolves what spring and damper do to an inertia \[kg or kg m²\].
    pub(crate) fn is_resolved(&self, step: f64, inertia: f64) -> bool {
        step * step * self.stiffness <= RESOLVED * inertia && step * self.damping <= SLOWED * inertia
    }

    /// Spring and damper at a position \[m or rad\] and rate \[m/s or rad/s\] in a step \[s\].
    pub(crate) fn implicit(&self, (position, rate): (f64, f64), step: f64, rule: SpringRule) -> Implicit {
        let (stretch, hk) = (position - self.spring_reference, step * self.stiffness);
        let share = rule.share(step * hk, step * self.damping);
        let [[after, before], [damped_after, damped_before]] = rule.shares_of_rates(share);
        let slope = self.damping * damped_after + hk * after;
        let [part, damped] = if slope > 0.0 { [hk / slope, self.damping / slope] } else { [0.0; 2] };
        Implicit {
            inertia: step * slope,
            effort: -(self.stiffness * stretch + (self.damping + hk * (after + before)) * rate),
            kept: -part * before - damped * damped_before,
            target: -part * stretch / step,
        }
    }

    /// Energy \[J\] that the damper of the axis takes in a step \[s\], and what the step takes from a spring whose energy is that of the
    /// middle of the step, `x − h v / 2`, by the law that [`Self::implicit`] gave: `h c v⁺ v̄` and `h² k s (3 v⁺ + v) v̄ / 4` with the
    /// mean rate v̄. By the implicit rule the damper's is `h c v⁺²`, and the step's is not reported.
    pub(crate) fn taken(&self, law: &SpringLaw, step: f64, [before, after]: [f64; 2]) -> [f64; 2] {
        let own = step * self.damping;
        if law.kept == 0.0 || self.stiffness == 0.0 {
            return [own * after * after, 0.0];
        }
        let quarter = 0.25 * step * step * self.stiffness;
        let mean = 0.5 * (before + after);
        let by_step = (law.inertia - own - quarter) * after + (quarter - law.kept * law.inertia) * before;
        [own * after * mean, by_step * mean]
    }

    /// The same of a kick that makes a share of that change of the rate.
    pub(crate) fn taken_by_share(
        &self,
        law: &SpringLaw,
        (step, share): (f64, f64),
        [before, after]: [f64; 2],
    ) -> [f64; 2] {
        let own = step * self.damping;
        let quarter = 0.25 * step * step * self.stiffness;
        let by_step = (law.inertia - own - quarter) * after + (quarter - law.kept * law.inertia) * before;
        let mean = before + 0.5 * share * (after - before);
        [own * after, by_step].map(|impulse| share * impulse * mean)
    }

    /// The same of a spring whose energy is that of [`Self::swing`], at positions and rates before and after the step.
    pub(crate) fn taken_between(&self, law: &SpringLaw, step: f64, [before, after]: [(f64, f64); 2]) -> [f64; 2] {
        let [own, by_step] = self.taken(law, step, [before.1, after.1]);
        if law.kept == 0.0 {
            return [own, by_step];
        }
        let apart = |at| self.stored(at, 0.5 * step) - self.stored(at, self.behind(law, step));
        [own, by_step + apart(after) - apart(before)]
    }

    /// What the spring stores \[J\] less than at its position, where its energy never rises, `x − (1 − s) h v / 2`.
    pub(crate) fn swing(&self, law: &SpringLaw, step: f64, at: (f64, f64)) -> f64 {
        self.stored(at, self.behind(law, step))
    }

    /// Time by which a rate is behind the positions, `(1 − s) h / 2`, by the share that is kept, `h² k (1 − s) / 4 E` \[s\].
    fn behind(&self, law: &SpringLaw, step: f64) -> f64 {
        if law.kept == 0.0 { 0.0 } else { 2.0 * law.kept * law.inertia / (step * self.stiffness) }
    }

    /// Energy of the spring at a position \[J\].
    pub(crate) fn spring_energy(&self, position: f64) -> f64 {
        let stretch = position - self.spring_reference;
        0.5 * self.stiffness * stretch * stretch
    }

    /// Energy of the rotor at a rate \[J\].
    pub(crate) fn rotor_energy(&self, rate: f64) -> f64 {
        0.5 * self.armature * rate * rate
    }

    /// Energy of the spring some time ago, less that of now \[J\].
    fn stored(&self, (position, rate): (f64, f64), ago: f64) -> f64 {
        let (stretch, back) = (position - self.spring_reference, ago * rate);
        0.5 * self.stiffness * back * (back - 2.0 * stretch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between 0 and 1.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 11) as f64 / (1u64 << 53) as f64
        }

        /// Between two powers of ten.
        fn power(&mut self, low: f64, high: f64) -> f64 {
            10f64.powf(low + (high - low) * self.next())
        }
    }

    fn spring(stiffness: f64, damping: f64) -> AxisParameters {
        AxisParameters { stiffness, damping, ..AxisParameters::default() }
    }

    /// A step of a mass on a spring, as part of its inertia and as a row.
    fn advance(law: &AxisParameters, mass: f64, step: f64, at: (f64, f64)) -> (f64, f64) {
        let own = law.implicit(at, step, SpringRule::KeepsEnergy(mass));
        let rate = at.1 + step * own.effort / (mass + own.inertia);
        let impulse = own.inertia * (own.target + own.kept * at.1 - rate);
        let size = (mass + own.inertia) * (own.target.abs() + at.1.abs() + rate.abs());
        assert!((impulse - mass * (rate - at.1)).abs() <= 1e-12 * size, "row and inertia");
        (at.0 + step * rate, rate)
    }

    /// `m v²/2 + k (x − (1 − s − c/hk)₊ h v/2)²/2`, which no step increases.
    fn bounded_energy(law: &AxisParameters, mass: f64, step: f64, (x, v): (f64, f64)) -> f64 {
        let hk = step * law.stiffness;
        let share = (SpringRule::KeepsEnergy(mass).share(step * hk, 0.0) + law.damping / hk).min(1.0);
        let y = x - 0.5 * (1.0 - share) * step * v;
        0.5 * (mass * v * v + law.stiffness * y * y)
    }

    #[test]
    fn no_spring_and_damper_makes_energy() {
        let mut random = Random(7);
        for case in 0..20_000 {
            let (stiffness, mass) = (random.power(0.0, 9.0), random.power(-3.0, 3.0));
            let damping = if case % 3 == 0 { 0.0 } else { random.power(-6.0, 6.0) };
            let (step, law) = (random.power(-4.0, -60f64.log10()), spring(stiffness, damping));
            let mut at = (2.0 * random.next() - 1.0, (2.0 * random.next() - 1.0) * (stiffness / mass).sqrt());
            let mut before = bounded_energy(&law, mass, step, at);
            let first = before;
            for _ in 0..60 {
                let old = at;
                at = advance(&law, mass, step, at);
                let after = bounded_energy(&law, mass, step, at);
                assert!(after <= before + 1e-14 * first, "{law:?} {mass} kg {step} s: {before} to {after}");
                let is_resolved = step * step * stiffness <= RESOLVED * mass;
                if is_resolved && damping == 0.0 {
                    assert!((after - before).abs() < 1e-13 * first, "{law:?} {mass} kg {step} s: {before} to {after}");
                }
                // What the damper and the step took, and the swing, are all of the change of the energy at the positions.
                let own = law.implicit(old, step, SpringRule::KeepsEnergy(mass));
                let own = SpringLaw { inertia: own.inertia, kept: own.kept };
                let [by_damper, by_step] = law.taken_between(&own, step, [old, at]);
                let total =
                    |at: (f64, f64)| 0.5 * (mass * at.1 * at.1 + stiffness * at.0 * at.0) + law.swing(&own, step, at);
                let change = total(at) - total(old) + by_damper + by_step;
                // Beside what it is at the positions, which a stiff spring hardly has.
                let size = mass * old.1 * old.1 + stiffness * (old.0.abs() + step * old.1.abs()).powi(2);
                assert!(
                    change.abs() <= 1e-9 * size + f64::MIN_POSITIVE,
                    "{law:?} {mass} kg {step} s: {change} of {size}"
                );
                before = after;
            }
        }
    }

    #[test]
    fn what_is_stiff_comes_to_rest() {
        for step in [1e-3, 4e-3] {
            let mut at = (0.0, 0.5);
            for _ in 0..(0.5 / step) as usize {
                at = advance(&spring(1e6, 0.0), 0.05, step, at);
            }
            assert!(at.1.abs() < 1e-9, "{step}: {at:?}");
        }
    }

    #[test]
    fn the_period_is_that_of_the_trapezoidal_rule() {
        let omega: f64 = 20.0;
        let law = spring(2.0 * omega * omega, 0.0);
        for step in [1e-3, 2e-3, 4e-3, 0.02] {
            let (mut at, mut passages, mut time) = ((0.1, 0.0), Vec::new(), 0.0);
            while passages.len() < 41 {
                let old = at;
                at = advance(&law, 2.0, step, at);
                if old.0 * at.0 < 0.0 {
                    passages.push(time + step * old.0 / (old.0 - at.0));
                }
                time += step;
            }
            let period = (passages[40] - passages[0]) / 20.0;
            let expected = std::f64::consts::PI * step / (0.5 * omega * step).atan();
            let bound = 2e-3 * (omega * step).powi(2) + 1e-9;
            assert!((period / expected - 1.0).abs() < bound, "{step}: {period} {expected}");
        }
    }

    #[test]
    fn a_damper_takes_what_its_closed_form_says() {
        let (mass, omega, ratio): (f64, f64, f64) = (2.0, 20.0, 0.05);
        let law = spring(mass * omega * omega, 2.0 * ratio * mass * omega);
        // After a second, from 0.1 m.
        let damped = omega * (1.0 - ratio * ratio).sqrt();
        let (sin, cos) = damped.sin_cos();
        let x = 0.1 * (-ratio * omega).exp() * (cos + ratio * omega / damped * sin);
        let v = -0.1 * (-ratio * omega).exp() * omega * omega / damped * sin;
        let exact = 0.5 * (mass * v * v + law.stiffness * x * x);
        for step in [1e-3, 5e-4, 2.5e-4] {
            let mut at = (0.1, 0.0);
            let energy = |(x, v): (f64, f64)| bounded_energy(&spring(law.stiffness, 0.0), mass, step, (x, v));
            let first = energy(at);
            for _ in 0..(1.0 / step).round() as usize {
                at = advance(&law, mass, step, at);
            }
            let decay = (energy(at) / first).ln() / (exact / first).ln();
            assert!((decay - 1.0).abs() < 0.1 * omega * step, "{step}: {decay}");
        }
    }
}
