//! Contacts of the user's own, with every mode of their surface. A point mass is touched at its centre, anew each step.

use super::support::*;
use stiction::contact::friction::FrictionBound;
use stiction::contact::restitution::Restitution;
use stiction::material::{ContactSurface, NormalLaw};
use stiction::math::{DVec3, Pose};
use stiction::world::{BodyDefinition, BodyId, ContactDefinition, SolverKind, World, WorldParameters};

const SOLVERS: [SolverKind; 2] = [SolverKind::Direct, SolverKind::Iterative];

fn world_of(solver: SolverKind, velocity: DVec3) -> (World, BodyId) {
    let mut world = World::new(WorldParameters { solver, iterations: 100, cfm: 0.0, ..parameters() });
    let body = world.add_body(&BodyDefinition { velocity, ..BodyDefinition::default() }).unwrap();
    (world, body)
}

/// Steps with `count` contacts at the centre of mass, on a floor z = 0.
fn step(world: &mut World, body: BodyId, surface: &ContactSurface, count: u32, h: f64) {
    world.clear_contacts();
    let position = world.body(body).unwrap().center_of_mass();
    for _ in 0..count {
        let bodies = [Some(body), None];
        let depth = -position.z;
        world.add_contact(ContactDefinition { bodies, position, normal: DVec3::Z, depth, surface: *surface }).unwrap();
    }
    world.step(h);
}

fn slide(solver: SolverKind, velocity: DVec3, surface: &ContactSurface, count: u32) -> DVec3 {
    let (mut world, body) = world_of(solver, velocity);
    for _ in 0..200 {
        step(&mut world, body, surface, count, 0.01);
    }
    assert!(world.body(body).unwrap().velocity().length() < 1e-9, "{}", world.body(body).unwrap().velocity());
    world.body(body).unwrap().pose().position
}

#[test]
fn four_constant_forces_of_a_newton_brake_one_kilogram_with_four() {
    for solver in SOLVERS {
        let stop = slide(solver, DVec3::new(2.0, 0.0, 0.0), &ContactSurface::with_friction_force(1.0), 4);
        // v² / 2 a = 0.5, less h v / 2.
        assert!((stop.x - 0.490).abs() < 1e-9, "{solver:?} {stop}");
    }
}

#[test]
fn a_pyramid_holds_more_along_its_diagonal_than_along_its_axes() {
    let v = DVec3::new(2.0f64.sqrt(), 2.0f64.sqrt(), 0.0);
    let pyramid = ContactSurface::with_friction(0.5);
    let along = ContactSurface { direction: Some(v.normalize()), ..pyramid };
    for solver in SOLVERS {
        let (diagonal, aligned) = (slide(solver, v, &pyramid, 1).length(), slide(solver, v, &along, 1).length());
        assert!((diagonal - 0.2784).abs() < 6e-5 && (aligned - 0.3978).abs() < 6e-5, "{diagonal} {aligned}");
    }
}

#[test]
fn each_direction_has_its_own_coefficient() {
    let surface = ContactSurface {
        friction: [FrictionBound::Coefficient(0.5), FrictionBound::Coefficient(0.0)],
        direction: Some(DVec3::X),
        ..ContactSurface::default()
    };
    for solver in SOLVERS {
        let (mut world, body) = world_of(solver, DVec3::new(1.0, 1.0, 0.0));
        for _ in 0..10 {
            step(&mut world, body, &surface, 1, 0.01);
        }
        let v = world.body(body).unwrap().velocity();
        assert!((v - DVec3::new(1.0 - 0.05 * GRAVITY, 1.0, 0.0)).length() < 1e-12, "{v}");
    }
}

#[test]
fn an_ellipse_takes_the_friction_that_dissipates_most() {
    use stiction::contact::friction::Coupling;
    let mu = [0.6, 0.2];
    let surface = ContactSurface {
        friction: mu.map(FrictionBound::Coefficient),
        coupling: Coupling::Ellipse,
        direction: Some(DVec3::X),
        ..ContactSurface::default()
    };
    for solver in SOLVERS {
        let (mut world, body) = world_of(solver, DVec3::new(1.0, 2.0, 0.0));
        step(&mut world, body, &surface, 1, 0.01);
        let v = world.body(body).unwrap().velocity();
        // f = −N (μ₁² vₓ, μ₂² v_y) / √(μ₁² vₓ² + μ₂² v_y²), of the velocity after the step.
        let length = (mu[0] * v.x).hypot(mu[1] * v.y);
        let loss = 0.01 * GRAVITY / length * DVec3::new(mu[0] * mu[0] * v.x, mu[1] * mu[1] * v.y, 0.0);
        assert!((v + loss - DVec3::new(1.0, 2.0, 0.0)).length() < 1e-9, "{solver:?}: {v}");
        // At rest, a force inside the ellipse moves nothing and the contact answers with it.
        let (mut world, body) = world_of(solver, DVec3::ZERO);
        let push = GRAVITY * DVec3::new(0.4, 0.12, 0.0);
        for _ in 0..20 {
            world.body_mut(body).unwrap().add_force(push);
            step(&mut world, body, &surface, 1, 0.01);
        }
        assert!(world.body(body).unwrap().velocity().length() < 1e-9, "{}", world.body(body).unwrap().velocity());
        let answer = world.contact_reports()[0].force + push;
        assert!((answer - DVec3::new(0.0, 0.0, GRAVITY)).length() < 1e-6, "{answer}");
    }
}

#[test]
fn an_ellipse_slips_and_carries_along_its_own_axes() {
    use stiction::contact::friction::Coupling;
    let surface = ContactSurface {
        friction: [6.0, 2.0].map(FrictionBound::Coefficient),
        coupling: Coupling::Ellipse,
        slip: [0.1, 0.2],
        motion: [1.0, -0.5],
        direction: Some(DVec3::X),
        ..ContactSurface::default()
    };
    for solver in SOLVERS {
        let (mut world, body) = world_of(solver, DVec3::ZERO);
        for _ in 0..2000 {
            world.body_mut(body).unwrap().add_force(DVec3::new(2.0, 2.0, 0.0));
            step(&mut world, body, &surface, 1, 0.01);
        }
        // motion + slip · force
        let v = world.body(body).unwrap().velocity();
        assert!((v - DVec3::new(1.2, -0.1, 0.0)).length() < 1e-6, "{solver:?}: {v}");
    }
}

#[test]
fn bounce_has_a_threshold_and_no_cap() {
    for solver in SOLVERS {
        for (threshold, expected) in [(0.9, 0.5), (1.2, 0.0)] {
            let (mut world, body) = world_of(solver, -DVec3::Z);
            world.parameters.contact_max_correcting_velocity = 0.1;
            let bounce = Some(Restitution { coefficient: 0.5, threshold });
            step(&mut world, body, &ContactSurface { bounce, ..ContactSurface::default() }, 1, 0.01);
            let v = world.body(body).unwrap().velocity().z;
            assert!((v - expected).abs() < 1e-12, "{solver:?} {threshold}: {v}");
        }
    }
}

#[test]
fn a_soft_contact_sinks_by_its_cfm_and_erp() {
    let normal = NormalLaw::ErpCfm { erp: Some(0.4), cfm: Some(0.01) };
    let spring = NormalLaw::Spring { stiffness: 4000.0, damping: 60.0 };
    for solver in SOLVERS {
        // J v + cfm f = erp d / h: at rest d = cfm m g h / erp; of a spring d = m g / k.
        for (normal, depth) in [(normal, 0.01 * GRAVITY * 0.01 / 0.4), (spring, GRAVITY / 4000.0)] {
            let (mut world, body) = world_of(solver, DVec3::ZERO);
            for _ in 0..500 {
                step(&mut world, body, &ContactSurface { normal, ..ContactSurface::default() }, 1, 0.01);
            }
            let z = world.body(body).unwrap().pose().position.z;
            assert!((z + depth).abs() < 1e-10, "{solver:?}: {z} {depth}");
        }
    }
}

#[test]
fn a_conveyor_carries_along_both_directions() {
    let surface =
        ContactSurface { motion: [1.0, -0.5], direction: Some(DVec3::X), ..ContactSurface::with_friction(0.5) };
    let lift = ContactSurface { normal_motion: 0.3, ..ContactSurface::default() };
    for solver in SOLVERS {
        let (mut world, body) = world_of(solver, DVec3::ZERO);
        for _ in 0..50 {
            step(&mut world, body, &surface, 1, 0.01);
        }
        let v = world.body(body).unwrap().velocity();
        assert!((v - DVec3::new(1.0, -0.5, 0.0)).length() < 1e-9, "{v}");
        let (mut world, body) = world_of(solver, DVec3::ZERO);
        step(&mut world, body, &lift, 1, 0.01);
        assert!((world.body(body).unwrap().velocity().z - 0.3).abs() < 1e-12);
    }
}

#[test]
fn slip_is_speed_per_force_whatever_the_step() {
    let surface = ContactSurface { slip: [0.1, 0.2], direction: Some(DVec3::X), ..ContactSurface::with_friction(10.0) };
    for solver in SOLVERS {
        for h in [0.01, 0.001] {
            let (mut world, body) = world_of(solver, DVec3::ZERO);
            while world.time() < 5.0 {
                world.body_mut(body).unwrap().add_force(DVec3::new(2.0, 2.0, 0.0));
                step(&mut world, body, &surface, 1, h);
            }
            let v = world.body(body).unwrap().velocity();
            assert!((v - DVec3::new(0.2, 0.4, 0.0)).length() < 1e-6, "{solver:?} {h}: {v}");
        }
    }
}

#[test]
fn rolling_and_spinning_friction_brake_by_their_moments() {
    for solver in SOLVERS {
        let mut world = World::new(WorldParameters { solver, iterations: 200, cfm: 0.0, ..parameters() });
        let mass = stiction::shape::Shape::sphere(0.1).unwrap().mass_properties(1.0).unwrap().with_mass(1.0);
        let pose = Pose::from_position(DVec3::new(0.0, 0.0, 0.1));
        let ball = world
            .add_body(&BodyDefinition {
                pose,
                mass,
                velocity: DVec3::X,
                omega: DVec3::new(0.0, 10.0, 20.0),
                ..BodyDefinition::default()
            })
            .unwrap();
        let surface = ContactSurface {
            rolling: [0.01, 0.01, 0.002],
            direction: Some(DVec3::X),
            ..ContactSurface::with_friction(1.0)
        };
        for _ in 0..200 {
            world.clear_contacts();
            let c = world.body(ball).unwrap().center_of_mass();
            let position = DVec3::new(c.x, c.y, 0.0);
            let bodies = [Some(ball), None];
            let depth = 0.1 - c.z;
            world.add_contact(ContactDefinition { bodies, position, normal: DVec3::Z, depth, surface }).unwrap();
            world.step(0.001);
        }
        let b = world.body(ball).unwrap();
        // m a r = −f r, I α = f r − ρ N: a = −ρ g / (7/5 r). About the normal α = −ρ_N m g / I.
        let v = 1.0 - 0.2 * 0.01 * GRAVITY / (1.4 * 0.1);
        let w = 20.0 - 0.2 * 0.002 * GRAVITY / (0.4 * 0.01);
        assert!((b.velocity().x - v).abs() < 1e-6, "{solver:?}: {} {v}", b.velocity());
        assert!((b.omega().z - w).abs() < 1e-6, "{solver:?}: {} {w}", b.omega());
    }
}

#[test]
fn a_contact_tells_its_force() {
    for solver in SOLVERS {
        let (mut world, body) = world_of(solver, DVec3::ZERO);
        world.body_mut(body).unwrap().set_mass(&box_mass(DVec3::ONE, 2.0)).unwrap();
        let contact = world
            .add_contact(ContactDefinition {
                bodies: [None, Some(body)],
                position: DVec3::ZERO,
                normal: -DVec3::Z,
                depth: 0.0,
                surface: ContactSurface::default(),
            })
            .unwrap();
        world.step(0.01);
        // On the first body, which is the static environment here.
        let force = world.contact_force(contact).unwrap().force;
        assert!((force + DVec3::new(0.0, 0.0, 19.62)).length() < 1e-10, "{force}");
        assert!(world.remove_contact(contact) && world.contact_force(contact).is_none());
        world.step(0.01);
        assert!((world.body(body).unwrap().velocity().z + 0.01 * GRAVITY).abs() < 1e-12);
    }
}

#[test]
fn a_contact_that_lets_go_tells_no_force() {
    let (mut world, body) = world_of(SolverKind::Direct, -DVec3::Z);
    let bodies = [Some(body), None];
    let surface = ContactSurface::default();
    let gap = ContactDefinition { bodies, position: DVec3::ZERO, normal: DVec3::Z, depth: -1e-3, surface };
    let contact = world.add_contact(gap).unwrap();
    world.step(0.01);
    // A gap closes in one step at most: v = −0.1.
    assert!((world.body(body).unwrap().velocity().z + 0.1).abs() < 1e-12);
    let force = (0.9 + 0.01 * GRAVITY) / 0.01;
    assert!((world.contact_force(contact).unwrap().force.z - force).abs() < 1e-9);
    world.body_mut(body).unwrap().set_velocity(DVec3::Z).unwrap();
    world.step(0.01);
    assert_eq!(world.contact_force(contact).unwrap().force, DVec3::ZERO);
}

#[test]
fn contacts_that_make_no_sense_are_refused() {
    let (mut world, body) = world_of(SolverKind::Direct, DVec3::ZERO);
    let good = ContactDefinition {
        bodies: [Some(body), None],
        position: DVec3::ZERO,
        normal: DVec3::Z,
        depth: 0.0,
        surface: ContactSurface::default(),
    };
    assert!(world.add_contact(ContactDefinition { bodies: [None, None], ..good.clone() }).is_none());
    assert!(world.add_contact(ContactDefinition { normal: DVec3::ZERO, ..good.clone() }).is_none());
    assert!(world.add_contact(ContactDefinition { depth: f64::NAN, ..good.clone() }).is_none());
    assert!(world.add_contact(good).is_some());
}
