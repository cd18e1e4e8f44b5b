//! Contacts by pair of materials: listed laws, SPOOK, and the solvers that have their rows.

use super::support::*;
use stiction::material::{ContactSurface, MaterialId, NormalLaw, SolveType, Surface};
use stiction::math::DVec3;
use stiction::world::{AutoDisable, BodyId, HybridRule, Preset, SolverKind, TimeAdvancement, World, WorldParameters};

const GROUND: MaterialId = MaterialId(0);
const WOOD: MaterialId = MaterialId(1);

fn of(material: MaterialId) -> Surface {
    Surface { material: Some(material), ..Surface::default() }
}

/// Nothing falls asleep.
fn awake() -> WorldParameters {
    WorldParameters { auto_disable: AutoDisable { enabled: false, ..AutoDisable::default() }, ..parameters() }
}

fn add(world: &mut World, sides: DVec3, mass: f64, height: f64) -> BodyId {
    let body = add_box(world, sides, mass, DVec3::new(0.0, 0.0, height), 0.0);
    let geom = world.geom_ids().last().unwrap();
    *world.geom_surface_mut(geom).unwrap() = of(WOOD);
    body
}

/// A block of 2 kg on the ground, with the law of its material pair.
fn block(parameters: WorldParameters, law: ContactSurface) -> (World, BodyId) {
    let mut world = World::new(parameters);
    add_ground(&mut world, of(GROUND));
    world.contact_table_mut().set(WOOD, GROUND, law);
    let body = add(&mut world, DVec3::new(0.4, 0.4, 0.2), 2.0, 0.1);
    (world, body)
}

#[test]
fn a_spook_contact_rests_at_its_compliance_whatever_the_step_and_damping() {
    let stiffness = 2e4;
    for solver in [SolverKind::Direct, SolverKind::Iterative] {
        for step in [1.0 / 60.0, 1.0 / 240.0, 1e-3] {
            for damping_time in [0.0333, 0.075, 0.3] {
                let normal = NormalLaw::spook(1.0 / stiffness, damping_time);
                let law = ContactSurface { normal, ..ContactSurface::with_friction(0.5) };
                let (mut world, body) = block(WorldParameters { solver, ..awake() }, law);
                for _ in 0..(20.0 * damping_time.max(0.1) / step) as u32 {
                    world.step(step);
                }
                let depth = 0.1 - world.body(body).unwrap().pose().position.z;
                let wanted = 2.0 * GRAVITY / (4.0 * stiffness);
                assert!((depth - wanted).abs() < 1e-5 * wanted, "{solver:?} {step} {damping_time}: {depth} {wanted}");
            }
        }
    }
}

/// The bound on the velocity that corrects an overlap (1 mm/s under DART's preset) is none on a force.
#[test]
fn soft_contacts_rest_at_their_stiffness_under_every_preset() {
    let mut random = Sequence(6);
    for _ in 0..stiction_testing::cases(2, 20) {
        let stiffness = 1e5 * libm::pow(10.0, 0.7 * random.next());
        for preset in Preset::ALL {
            let mut parameters = awake();
            preset.apply(&mut parameters);
            if parameters.time == TimeAdvancement::Continuous || preset == Preset::DrakeDiscrete {
                // Their laws are forces of their own.
                continue;
            }
            for normal in
                [NormalLaw::spook(1.0 / stiffness, 0.05), NormalLaw::Spring { stiffness, damping: 0.05 * stiffness }]
            {
                let law = ContactSurface { normal, ..ContactSurface::with_friction(0.5) };
                let (mut world, body) = block(parameters.clone(), law);
                for _ in 0..4_000 {
                    world.step(1e-3);
                }
                let depth = 0.1 - world.body(body).unwrap().pose().position.z;
                let wanted = 2.0 * GRAVITY / (4.0 * stiffness);
                assert!((depth - wanted).abs() < 0.02 * wanted, "{preset:?} {normal:?}: {depth}, expected {wanted}");
            }
        }
    }
}

/// Below two steps of damping time a contact may open between two steps with more than it had.
#[test]
fn spook_makes_no_energy_at_any_stiffness() {
    for exponent in 3..=13 {
        for damping_time in [0.0, 1e-4, 0.004, 0.01, 0.0334, 0.075, 1.0, 10.0] {
            let normal = NormalLaw::spook(10f64.powi(-exponent), damping_time);
            let law = ContactSurface { normal, ..ContactSurface::with_friction(0.5) };
            let (mut world, body) = block(awake(), law);
            let mut edit = world.body_mut(body).unwrap();
            edit.set_velocity(DVec3::new(0.0, 0.0, -2.0)).unwrap();
            let start = world.energy().total();
            for _ in 0..300 {
                world.step(1.0 / 60.0);
                let now = world.energy().total();
                assert!(now <= start + 1e-6 * start.abs(), "1e{exponent} N/m, {damping_time} s: {now} J of {start} J");
            }
        }
    }
}

#[test]
fn every_solve_type_slides_as_far() {
    for solve_type in
        [SolveType::World, SolveType::Split, SolveType::Direct, SolveType::Iterative, SolveType::DirectAndIterative]
    {
        let law = ContactSurface { solve_type, ..ContactSurface::with_friction(0.4) };
        let (mut world, body) = block(awake(), law);
        world.step(1e-3);
        world.body_mut(body).unwrap().set_velocity(DVec3::new(2.0, 0.0, 0.0)).unwrap();
        for _ in 0..2000 {
            world.step(1e-3);
        }
        let way = world.body(body).unwrap().pose().position.x;
        let wanted = 2.0 * 2.0 / (2.0 * 0.4 * GRAVITY);
        assert!((way - wanted).abs() < 2e-3 * wanted, "{solve_type:?}: {way} m, expected {wanted} m");
    }
}

/// A heavy block on a light one: largest residual of the rows after two seconds.
fn heavy_on_light(solve_type: SolveType) -> f64 {
    let parameters = WorldParameters { hybrid: HybridRule::Off, iterations: 4, ..awake() };
    let mut world = World::new(parameters);
    add_ground(&mut world, of(GROUND));
    let law = ContactSurface { solve_type, ..ContactSurface::with_friction(0.5) };
    world.contact_table_mut().set(WOOD, GROUND, law);
    world.contact_table_mut().set(WOOD, WOOD, law);
    add(&mut world, DVec3::splat(0.2), 1.0, 0.1);
    add(&mut world, DVec3::new(0.2, 0.2, 0.4), 1000.0, 0.4);
    let mut worst = 0.0_f64;
    for number in 0..120 {
        let report = world.step(1.0 / 60.0);
        assert_eq!(report.unmet.routes, 0);
        if number > 20 {
            worst = worst.max(report.residual());
        }
    }
    worst
}

#[test]
fn the_direct_route_solves_a_mass_ratio_that_sweeps_do_not() {
    let [direct, both, sweeps] =
        [SolveType::Direct, SolveType::DirectAndIterative, SolveType::Iterative].map(heavy_on_light);
    assert!(direct < 1e-8, "{direct} m/s");
    assert!(both < 1e-6, "{both} m/s");
    assert!(sweeps > 1e-4, "{sweeps} m/s");
}

#[test]
fn a_solver_that_cannot_follow_routes_says_so() {
    let law = ContactSurface { solve_type: SolveType::Split, ..ContactSurface::with_friction(0.4) };
    let (mut world, _) = block(WorldParameters { solver: SolverKind::Tamsi, ..awake() }, law);
    assert_eq!(world.step(1e-3).unmet.routes, 1);
}
