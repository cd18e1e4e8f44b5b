//! One contact of two shapes under one engine: stiffness, damping, depth at rest, frequency.

use stiction::contact::compliance::NormalForce;
use stiction::material::NormalLaw;
use stiction::world::{BodyKind, GeomId, PairContact, TimeAdvancement, World};

use crate::engine::Engine;

/// Masses that press on a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PairMasses {
    /// Mass of the body of each shape \[kg\]; infinite for what does not move.
    pub bodies: [f64; 2],
    /// m₁ m₂ / (m₁ + m₂), or the mass of the one that moves \[kg\].
    pub reduced: f64,
    /// Mass that rests on the contact: of the body that moves, of two the upper one's \[kg\].
    pub load: f64,
}

impl PairMasses {
    pub(super) fn of(world: &World, geoms: [GeomId; 2]) -> Self {
        let bodies = geoms.map(|geom| {
            let body = world.geom(geom).and_then(|g| g.body()).and_then(|id| world.body(id));
            body.filter(|b| b.kind() == BodyKind::Dynamic).map_or(f64::INFINITY, |b| b.mass())
        });
        let up = -world.parameters.gravity;
        let heights = geoms.map(|geom| world.geom_pose(geom).map_or(0.0, |pose| pose.position.dot(up)));
        let load = match bodies.map(f64::is_finite) {
            [true, true] if heights[1] > heights[0] => bodies[1],
            [false, _] => bodies[1],
            _ => bodies[0],
        };
        let reduced = 1.0 / (1.0 / bodies[0] + 1.0 / bodies[1]);
        Self { bodies, reduced, load }
    }
}

/// A contact point of the pair under an engine.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EngineContact {
    /// Name of the engine.
    pub engine: &'static str,
    /// The normal law with its numbers.
    pub law: String,
    /// Step \[s\].
    pub step: f64,
    /// Contact points that share the load.
    pub points: usize,
    /// Stiffness of a point at the depth at rest \[N/m\]; infinite for a hard one.
    pub stiffness: f64,
    /// Damping of a point at the depth at rest \[N s/m\].
    pub damping: f64,
    /// Depth at which the load rests \[m\].
    pub depth: f64,
    /// Depth at which a point does not press \[m\].
    pub rest_depth: f64,
    /// Natural frequency of all points with the reduced mass, √(n k / m) \[rad/s\].
    pub frequency: f64,
    /// Damping ratio, n c / (2 √(n k m)).
    pub damping_ratio: f64,
    /// Largest stable step of semi-implicit Euler, 2 (√(ζ² + 1) − ζ) / ω \[s\]; 0 for a hard contact.
    pub explicit_step: f64,
}

/// The greatest step with which `v += −h (ω² x + 2 ζ ω v)`, `x += h v` does not grow: the root of
/// `4 − 4 ζ ω h − ω² h² = 0`, where a characteristic value becomes −1.
#[must_use]
pub fn largest_explicit_step(frequency: f64, damping_ratio: f64) -> f64 {
    // 2 (√(ζ² + 1) − ζ) without the difference of near numbers.
    2.0 / ((damping_ratio * damping_ratio + 1.0).sqrt() + damping_ratio) / frequency
}

/// A normal law at rest under a force.
struct AtRest {
    stiffness: f64,
    damping: f64,
    /// Depth under the force, beyond the rest depth \[m\].
    sunk: f64,
}

impl EngineContact {
    pub(super) fn of(engine: &Engine, contact: &PairContact, masses: &PairMasses, points: usize) -> Self {
        let gravity = engine.parameters.gravity.length();
        let n = points as f64;
        let weight = if masses.load.is_finite() { masses.load * gravity / n } else { 0.0 };
        let is_force = engine.parameters.time == TimeAdvancement::Continuous;
        let surface = &contact.surface;
        let (at, law) = match surface.normal {
            NormalLaw::Spring { stiffness, damping } if !is_force => {
                let at = AtRest { stiffness, damping, sunk: weight / stiffness };
                (at, "an implicit spring and damper".to_owned())
            }
            NormalLaw::ErpCfm { erp, cfm } if !is_force => {
                let (erp, cfm) = (erp.unwrap_or(engine.parameters.erp), cfm.unwrap_or(engine.parameters.cfm));
                // erp = h k / (h k + c) and cfm = 1 / (h k + c), solved for k and c.
                let at = if cfm > 0.0 {
                    let stiffness = erp / (engine.step * cfm);
                    AtRest { stiffness, damping: (1.0 - erp) / cfm, sunk: weight / stiffness }
                } else {
                    AtRest { stiffness: f64::INFINITY, damping: f64::INFINITY, sunk: 0.0 }
                };
                (at, format!("erp {erp}, cfm {cfm}"))
            }
            NormalLaw::Spook { compliance, damping_time, .. } if !is_force => {
                let stiffness = 1.0 / compliance;
                let at = AtRest { stiffness, damping: damping_time / compliance, sunk: weight * compliance };
                (at, "SPOOK".to_owned())
            }
            _ => {
                let force = if contact.is_per_mass { contact.force.times(masses.reduced) } else { contact.force };
                (at_rest(&force, weight), words(&force))
            }
        };
        let rest_depth = match (surface.normal, is_force) {
            (NormalLaw::Spook { rest_depth, .. }, false) => rest_depth,
            (NormalLaw::Compliant { .. }, _) | (_, true) => 0.0,
            _ => engine.parameters.layer_of(surface),
        };
        let frequency = (n * at.stiffness / masses.reduced).sqrt();
        let damping_ratio = match at.stiffness.is_finite() && at.stiffness > 0.0 {
            true => n * at.damping / (2.0 * (n * at.stiffness * masses.reduced).sqrt()),
            false => f64::NAN,
        };
        Self {
            engine: engine.name(),
            law,
            step: engine.step,
            points,
            stiffness: at.stiffness,
            damping: at.damping,
            depth: rest_depth + at.sunk,
            rest_depth,
            frequency,
            damping_ratio,
            explicit_step: if frequency.is_finite() { largest_explicit_step(frequency, damping_ratio) } else { 0.0 },
        }
    }

    /// Depth beyond that at which the point does not press \[m\].
    #[must_use]
    pub fn sunk(&self) -> f64 {
        self.depth - self.rest_depth
    }
}

fn words(force: &NormalForce) -> String {
    match force {
        NormalForce::HuntCrossley { .. } => "Hunt-Crossley f = k x (1 − d v)₊",
        NormalForce::KelvinVoigt { .. } => "Kelvin-Voigt f = (k x − c v)₊",
        _ => "Hertz f = (k xᵖ (1 − d v)₊ − c v)₊",
    }
    .to_owned()
}

/// Depth under a weight by bisection, stiffness and damping there by small differences.
fn at_rest(force: &NormalForce, weight: f64) -> AtRest {
    let (mut low, mut high) = (0.0, 1.0);
    if force.force(high, 0.0) < weight {
        return AtRest { stiffness: 0.0, damping: 0.0, sunk: f64::INFINITY };
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if force.force(middle, 0.0) < weight { low = middle } else { high = middle }
    }
    // Without a weight the law is told at a micrometre.
    let at = if weight > 0.0 { high } else { 1e-6 };
    let by = 1e-4 * at;
    let stiffness = (force.force(at + by, 0.0) - force.force(at - by, 0.0)) / (2.0 * by);
    let speed = 1e-9;
    let damping = (force.force(at, -speed) - force.force(at, 0.0)) / speed;
    AtRest { stiffness, damping, sunk: high }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest of two positions after many steps.
    fn grows(frequency: f64, ratio: f64, step: f64) -> bool {
        let (mut x, mut v) = (1.0_f64, 0.0_f64);
        for _ in 0..20_000 {
            v -= step * (frequency * frequency * x + 2.0 * ratio * frequency * v);
            x += step * v;
            if x.abs() > 1e6 {
                return true;
            }
        }
        false
    }

    #[test]
    fn semi_implicit_euler_is_stable_below_the_largest_step_and_unstable_above() {
        for frequency in [1.0, 137.0, 2.5e4] {
            for ratio in [0.0, 0.05, 0.7, 1.0, 3.0, 20.0] {
                let step = largest_explicit_step(frequency, ratio);
                assert!(!grows(frequency, ratio, 0.999 * step), "{frequency} {ratio} below");
                assert!(grows(frequency, ratio, 1.001 * step), "{frequency} {ratio} above");
            }
        }
        // Undamped it is 2 / ω.
        assert!((largest_explicit_step(10.0, 0.0) - 0.2).abs() < 1e-15);
    }

    #[test]
    fn a_force_at_rest_has_its_own_stiffness_and_damping() {
        let hunt = NormalForce::HuntCrossley { stiffness: 1e5, dissipation: 2.0 };
        let at = at_rest(&hunt, 50.0);
        assert!((at.sunk - 5e-4).abs() < 1e-12 && (at.stiffness / 1e5 - 1.0).abs() < 1e-6);
        assert!((at.damping / (50.0 * 2.0) - 1.0).abs() < 1e-4, "{}", at.damping);
        let spring = at_rest(&NormalForce::KelvinVoigt { stiffness: 1e5, damping: 30.0 }, 50.0);
        assert!((spring.damping / 30.0 - 1.0).abs() < 1e-4);
    }
}
