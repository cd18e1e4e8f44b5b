//! What `check` advises on compliant contact, and that it is true.

use stiction::integrators::Scheme;
use stiction::material::ManifoldRule;
use stiction::world::{Preset, WorldParameters};
use stiction_formats::compliant_advice;
use stiction_formats::diagnostic::Severity;
use stiction_formats::simulation::world_parameters;

use crate::drake::worlds::{description, world};

/// Codes of the findings on a bundled world under a preset.
fn codes(name: &str, preset: Preset, step: f64, change: impl FnOnce(&mut WorldParameters)) -> Vec<&'static str> {
    let description = description(name);
    let mut parameters = world_parameters(&description);
    preset.apply(&mut parameters);
    change(&mut parameters);
    compliant_advice(&description, &parameters, step).iter().map(|d| d.code).collect()
}

/// Fixed explicit steps, a small tolerance, and springs so soft that only friction can be at fault.
fn fixed(p: &mut WorldParameters) {
    p.integrator.scheme = Scheme::SemiExplicitEuler;
    p.integrator.error_control = false;
    p.compliant.stiction_tolerance = 1e-5;
    p.compliant.stiffness = Some(980.0);
    p.compliant.dissipation = Some(10.0);
}

#[test]
fn steps_too_long_for_a_stiction_tolerance_shake_and_those_of_the_advice_do_not() {
    let description = description("incline_block_spheres");
    let mut parameters = world_parameters(&description);
    Preset::DrakeContinuous.apply(&mut parameters);
    fixed(&mut parameters);
    let advice = compliant_advice(&description, &parameters, 1e-3);
    let finding = advice.iter().find(|d| d.code == "step-too-long-for-stiction").unwrap();
    assert_eq!(finding.severity, Severity::Warning);
    let help = finding.help.clone().unwrap();
    let longest: f64 = help.strip_prefix("use steps below ").unwrap().split(' ').next().unwrap().parse().unwrap();
    // Largest speed of the second half of a run that starts at rest.
    let shaking = |step: f64, time: f64| {
        let (mut world, body) = world("incline_block_spheres", Preset::DrakeContinuous, fixed);
        let count = (time / step) as u64;
        let mut largest = 0.0f64;
        for i in 0..count {
            world.step(step);
            if i > count / 2 {
                largest = largest.max(world.body(body).unwrap().velocity().length());
            }
        }
        largest
    };
    let [long, short] = [shaking(1e-3, 2.0), shaking(longest, 0.4)];
    println!("steps of 1e-3 s shake at {long:.1e} m/s, of {longest} s creep at {short:.1e} m/s");
    assert!(long > 100.0 * 1e-5, "{long}");
    assert!(short < 1e-5, "{short}");
}

#[test]
fn advice_fits_the_way_time_advances() {
    let (block, spheres) = ("incline_block", "incline_block_spheres");
    let stiff = |p: &mut WorldParameters| {
        fixed(p);
        p.compliant.penetration_allowance = 1e-5;
    };
    assert!(codes(spheres, Preset::DrakeContinuous, 1e-3, stiff).contains(&"step-too-long-for-contact"));
    // Short enough for friction, with a tolerance that fixed steps can still miss.
    let short = codes(spheres, Preset::DrakeContinuous, 1e-6, fixed);
    assert_eq!(short, ["fixed-step-misses-stiction"]);
    // Error control, discrete time and hard contact need no such advice.
    let fine = |p: &mut WorldParameters| p.compliant.stiction_tolerance = 1e-5;
    assert!(codes(spheres, Preset::DrakeContinuous, 1e-3, fine).is_empty());
    assert!(codes(spheres, Preset::DrakeDiscrete, 1e-3, fine).is_empty());
    assert!(codes(block, Preset::Ode, 1e-3, fixed).is_empty());
    // A discrete step beyond √(δ/g) sees no bounce; a box on one point rocks, on its face it does not.
    assert!(codes(spheres, Preset::DrakeDiscrete, 0.02, fine).contains(&"contact-unresolved"));
    let single = |p: &mut WorldParameters| p.manifold = ManifoldRule::Single;
    assert_eq!(codes(block, Preset::DrakeDiscrete, 1e-3, single), ["flat-shape-on-one-point"]);
    assert!(codes(block, Preset::DrakeDiscrete, 1e-3, fine).is_empty());
}
