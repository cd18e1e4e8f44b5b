//! Integrators allocate nothing once they have seen a system.

#[allow(dead_code)]
#[path = "../it/integrators/systems.rs"]
mod systems;

use glam::DVec3;
use stiction::integrators::{Integrator, IntegratorParameters, Interval, Scheme};
use stiction_testing::counting::allocations;
use systems::RigidBody;

#[test]
fn nothing_is_allocated_after_the_first_call() {
    let mut body = RigidBody { moments: DVec3::new(1.0, 2.0, 3.5), gravity: DVec3::new(0.0, 0.0, -9.81) };
    for scheme in Scheme::ALL {
        for error_control in [false, true] {
            let parameters = IntegratorParameters { scheme, error_control, ..Default::default() };
            let (mut q, mut v) = (RigidBody::REST, [1.0, 0.0, 0.0, 3.0, 5.0, -2.0]);
            let mut integrator = Integrator::default();
            let mut advance = || {
                let before = allocations();
                integrator.advance(
                    &mut body,
                    &parameters,
                    Interval { start: 0.0, duration: 0.5 },
                    &mut q,
                    &mut v,
                    |_, _, _| (),
                );
                allocations() - before
            };
            advance();
            assert_eq!(advance(), 0, "{scheme:?}");
        }
    }
}
