//! The bundled worlds of compliant contact: what slides, sticks, rolls, and how far it drifts.

use stiction::material::ManifoldRule;
use stiction::math::{DVec3, Pose};
use stiction::world::{BodyId, Preset, SolverKind, World, WorldParameters};
use stiction_formats::description::WorldDescription;
use stiction_run::Setup;

/// Angle of the slopes \[rad\].
const SLOPE: f64 = 15.0 * std::f64::consts::PI / 180.0;

/// Slip speed that counts as sticking on the slopes \[m/s\].
const TOLERANCE: f64 = 1e-5;

/// A bundled world.
pub fn description(name: &str) -> WorldDescription {
    let project = Setup::new(name).load().unwrap();
    assert_eq!(project.loaded.errors(), 0, "{name}");
    project.description().unwrap().clone()
}

/// A bundled world under a preset, and its one body that moves.
pub fn world(name: &str, preset: Preset, change: impl FnOnce(&mut WorldParameters)) -> (World, BodyId) {
    let run = Setup::new(name).engine(preset.name()).load().unwrap().start_with(change).unwrap();
    let simulation = run.into_simulation();
    let body = simulation.links.iter().find_map(|l| l.body).unwrap();
    (simulation.world, body)
}

/// Steps of a millisecond, all of which converge.
pub fn run(world: &mut World, time: f64) {
    for _ in 0..(time * 1e3).round() as u64 {
        let report = world.step(1e-3);
        assert!(report.gave_up == 0 && report.quarantined.is_empty() && report.integration.forced == 0, "{report:?}");
    }
}

/// The ways to advance time, by name.
const WAYS: [(&str, Preset, SolverKind); 3] = [
    ("tamsi", Preset::DrakeDiscrete, SolverKind::Tamsi),
    ("convex", Preset::DrakeDiscrete, SolverKind::Convex),
    ("continuous", Preset::DrakeContinuous, SolverKind::Tamsi),
];

/// Displacement \[m\] and rotation \[rad\] of a body on the slope over 2 s.
fn drift(name: &str, preset: Preset, solver: SolverKind, manifold: ManifoldRule) -> [f64; 2] {
    let (mut world, body) = world(name, preset, |p| {
        p.solver = solver;
        p.manifold = manifold;
        p.compliant.stiction_tolerance = TOLERANCE;
        // A contact point that jumps makes the motion rough: 1e-6 takes millions of steps.
        let jumps = name == "incline_block" && manifold == ManifoldRule::Single;
        p.integrator.accuracy = if jumps { 1e-4 } else { 1e-6 };
    });
    let start = world.body(body).unwrap().pose();
    run(&mut world, 2.0);
    let end = world.body(body).unwrap().pose();
    let turn = end.rotation * start.rotation.conjugate();
    [(end.position - start.position).length(), 2.0 * turn.xyz().length().min(1.0).asin()]
}

/// A block on four points stands: it creeps as its friction law says, and leans as far as its springs give way.
#[test]
fn blocks_on_four_points_stand_on_the_slope() {
    for (way, preset, solver) in WAYS {
        // Height of the centre above the contacts [m], of a face and of the spheres.
        for (name, manifold, height) in
            [("incline_block", ManifoldRule::Face, 0.02), ("incline_block_spheres", ManifoldRule::Single, 0.04)]
        {
            let [path, turn] = drift(name, preset, solver, manifold);
            println!("{name:22} {manifold:?} {way:11} {path:.3e} m {turn:.3e} rad");
            assert!(path < 1e-4 && turn < 1e-6, "{name} {way}: {path} {turn}");
            // Friction at r = tan 15° / 0.3 of its bound; 8e-6 m are for the way into rest.
            let creep = match way {
                "tamsi" => 0.673_22,
                "convex" => 1.986_00,
                _ => 0.746_88,
            };
            assert!((path - 2.0 * creep * TOLERANCE).abs() < 8e-6, "{name} {way}: {path}");
            // m g sin θ at a height, on four springs k = 9.8e4 N/m at ±0.2 m.
            let lean = 0.1 * 9.8 * SLOPE.sin() * height / (4.0 * 9.8e4 * 0.04);
            assert!((turn / lean - 1.0).abs() < 0.01, "{name} {way}: {turn} {lean}");
        }
    }
}

/// A block on one point creeps and turns about it (Drake itself: 2.4e-3 m and 5e-4 rad, 3.4e-3 m and 2.1e-3 rad with its convex model).
#[test]
fn a_block_on_one_point_wanders() {
    for ((way, preset, solver), bound) in WAYS.into_iter().zip([3e-3, 5e-3, 2e-4]) {
        let [path, turn] = drift("incline_block", preset, solver, ManifoldRule::Single);
        println!("incline_block          Single {way:11} {path:.3e} m {turn:.3e} rad");
        assert!(path > 5e-5 && path < bound && turn > 1e-4 && turn < 2.2e-3, "{way}: {path} {turn}");
    }
}

#[test]
fn a_ball_rolls_down_the_slope() {
    for (way, preset, solver) in WAYS {
        let (mut world, body) = world("incline_sphere", preset, |p| {
            p.solver = solver;
            p.compliant.stiction_tolerance = TOLERANCE;
            p.integrator.accuracy = 1e-6;
        });
        let start = world.body(body).unwrap().center_of_mass();
        run(&mut world, 2.0);
        let ball = world.body(body).unwrap();
        let fall = start.z - ball.center_of_mass().z;
        // m v² / 2 + I ω² / 2 = 7 m v² / 10 = m g h.
        let expected = (2.0 * 9.8 * fall / 1.4).sqrt();
        let [speed, spin] = [ball.velocity().length(), 0.04 * ball.omega().length()].map(|v| v / expected - 1.0);
        println!("ball {way:11} falls {fall:.4} m, v off by {speed:.2e}, ω R by {spin:.2e}");
        assert!(speed.abs() < 5.5e-4 && spin.abs() < 5.5e-4, "{way}: {speed} {spin}");
    }
}

#[test]
fn back_spin_turns_into_rolling_back() {
    let (radius, mu, gravity) = (0.05, 0.3, 9.81);
    let (v0, spin) = (1.5, -120.0);
    // Penetration at rest: the file's, and a tenth of it.
    for allowance in [1e-3, 1e-4f64] {
        for (way, preset, solver) in WAYS {
            let (mut world, body) = world("rolling_sphere", preset, |p| {
                p.integrator.accuracy = 1e-6;
                p.solver = solver;
                p.compliant.stiffness = Some(0.1 * gravity / allowance);
                p.compliant.dissipation = Some(1.0 / (gravity * allowance).sqrt());
            });
            let slip = |world: &World| {
                let ball = world.body(body).unwrap();
                ball.velocity().x - radius * ball.omega().y
            };
            run(&mut world, 0.05);
            let before = slip(&world);
            run(&mut world, 0.4);
            let decay = (before - slip(&world)) / 0.4 / (3.5 * mu * gravity);
            run(&mut world, 1.0);
            let speed = world.body(body).unwrap().velocity().x;
            let ideal = (5.0 * v0 + 2.0 * radius * spin) / 7.0;
            // Contact acts midway between the witness points, half the penetration nearer to the centre.
            let arm = radius - 0.5 * allowance;
            let share = 0.4 * radius * radius / (arm * arm);
            let expected = (v0 + share * arm * spin) / (1.0 + share);
            println!(
                "back-spin δ {allowance:.0e} {way:11} slip decays at {decay:.4} of 3.5 μ g; final {speed:.5} m/s, of {ideal:.5}: {:.1e}, with the arm of the model: {:.1e}",
                speed / ideal - 1.0,
                speed / expected - 1.0
            );
            assert!((speed / expected - 1.0).abs() < 1e-3, "{way}: {speed} {expected}");
            assert!((decay - 1.0).abs() < 12.0 * allowance + 1e-3, "{way}: {decay}");
            if allowance < 1e-3 {
                assert!((speed / ideal - 1.0).abs() < 0.01, "{way}: {speed} {ideal}");
            }
        }
    }
}

/// The convex solver bounds friction by the normal force of the start of the step, in an impact that at the full speed of
/// approach: friction takes more than μ times the normal impulse, and the block is slower (Drake's lagged model too).
#[test]
fn the_convex_solver_is_biased_in_an_impact() {
    let (down, normal) = (DVec3::new(SLOPE.cos(), 0.0, -SLOPE.sin()), DVec3::new(SLOPE.sin(), 0.0, SLOPE.cos()));
    // Gravity leans so that the slope has 25 degrees, on which friction 0.3 does not hold.
    let slope = 25.0f64.to_radians();
    let gravity = 9.8 * (slope.sin() * down - slope.cos() * normal);
    let found = WAYS.map(|(way, preset, solver)| {
        let (mut world, body) = world("incline_block_spheres", preset, |p| {
            p.solver = solver;
            p.gravity = gravity;
            p.integrator.accuracy = 1e-6;
        });
        let start = world.body(body).unwrap().pose();
        let raised = Pose::new(start.position - 0.02 * gravity.normalize(), start.rotation);
        world.body_mut(body).unwrap().set_pose(&raised).unwrap();
        run(&mut world, 0.5);
        let block = world.body(body).unwrap();
        let (path, speed) = ((block.pose().position - start.position).dot(down), block.velocity().dot(down));
        // The normal impulse of flight, impact and sliding is m g cos θ t, of which friction takes μ.
        let coulomb = 9.8 * 0.5 * (slope.sin() - 0.3 * slope.cos());
        println!("drop of 2 cm onto 25°, {way}: slides {path:.4} m in 0.5 s, {speed:.4} m/s, Coulomb {coulomb:.4} m/s");
        (path, speed - coulomb)
    });
    let [tamsi, convex, continuous] = found;
    assert!(tamsi.1.abs() < 1e-6 && continuous.1.abs() < 1e-6, "{found:?}");
    assert!((tamsi.0 - continuous.0).abs() < 1e-3, "{found:?}");
    assert!((-0.15..-0.05).contains(&convex.1) && convex.0 < 0.85 * continuous.0, "{found:?}");
}
