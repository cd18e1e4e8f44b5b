//! A step of a settled scene allocates nothing.

use stiction::material::ManifoldRule;
use stiction::world::{AutoDisable, Coordinates, Preset, WorldParameters};
use stiction_scenes::{Scene, builtin};
use stiction_testing::counting::{Counting, allocations};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_settled_step_allocates_nothing() {
    let never = AutoDisable { enabled: true, linear_threshold: 0.0, angular_threshold: 0.0, ..AutoDisable::default() };
    for scene in [builtin::pyramid(8, 1.0 / 240.0, 0), builtin::chain(10, 1.0 / 240.0, 0)] {
        for auto_disable in [AutoDisable::default(), never] {
            for accelerated in [false, true] {
                let parameters = WorldParameters { accelerated, auto_disable, ..WorldParameters::default() };
                check(&scene, &format!("accelerated {accelerated}"), parameters);
            }
        }
        for preset in [Preset::Ode, Preset::DrakeDiscrete, Preset::DrakeContinuous] {
            let mut parameters = WorldParameters { coordinates: Coordinates::Reduced, ..WorldParameters::default() };
            preset.apply(&mut parameters);
            // Boxes on one point each never settle.
            parameters.manifold = ManifoldRule::Face;
            parameters.integrator.accuracy = 1e-3;
            check(&scene, preset.name(), parameters);
        }
    }
}

fn check(scene: &Scene, name: &str, parameters: WorldParameters) {
    let mut loaded = scene.build(parameters).expect("a built-in scene");
    for _ in 0..600 {
        loaded.step();
    }
    let before = allocations();
    for _ in 0..50 {
        loaded.step();
    }
    let each = (allocations() - before) as f64 / 50.0;
    assert_eq!(each, 0.0, "{} {name}: {each} allocations a step", scene.name);
}
