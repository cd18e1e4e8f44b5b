//! Bodies that tunnel or sink through others are told, and bodies that do not are not.

use super::support::*;
use proptest::prelude::*;
use stiction::PassedThrough;
use stiction::material::Surface;
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{BodyId, Coordinates, Preset, SweptRule, World, WorldParameters};

/// A static box, centred at a point.
fn add_static(world: &mut World, sides: DVec3, at: DVec3) {
    let geom = stiction::world::GeomDefinition {
        pose: Pose::from_position(at),
        ..stiction::world::GeomDefinition::new(Shape::cuboid(sides).unwrap(), None)
    };
    world.add_geom(&geom).unwrap();
}

/// Runs; returns all that was told of passing through, and the most sizes that a shape moved in a step.
fn run(world: &mut World, step: f64, time: f64) -> (Vec<PassedThrough>, f64) {
    let (mut passed, mut sizes) = (Vec::new(), 0.0_f64);
    while world.time() < time {
        world.step(step);
        passed.extend_from_slice(&world.report().passed_through);
        sizes = sizes.max(world.report().outrun.map_or(0.0, |o| o.sizes));
    }
    (passed, sizes)
}

fn throw(world: &mut World, shape: Shape, from: DVec3, velocity: DVec3) -> BodyId {
    let body = add_shape(world, shape, 1.0, Pose::from_position(from), Surface::default());
    assert!(world.body_mut(body).unwrap().set_velocity(velocity).is_ok());
    body
}

#[test]
fn a_ball_at_100_km_per_s_goes_through_a_wall_and_that_is_told_once() {
    for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
        let mut world = World::new(WorldParameters { coordinates, swept: SweptRule::Off, ..parameters() });
        add_static(&mut world, DVec3::new(0.1, 5.0, 5.0), DVec3::ZERO);
        let body = throw(&mut world, Shape::sphere(0.1).unwrap(), DVec3::new(-30.0, 0.0, 0.0), DVec3::X * 1e5);
        let (passed, sizes) = run(&mut world, 1e-3, 0.01);
        assert!(world.body(body).unwrap().pose().position.x > 1.0);
        assert_eq!(passed.len(), 1, "{passed:?}");
        assert!(passed[0].is_through);
        assert_eq!(world.geom(passed[0].geoms[0]).unwrap().body(), Some(body));
        assert!((sizes - 500.0).abs() < 1.0, "{sizes}");
    }
}

/// Shapes whose surfaces or world allow no contacts go through each other by what was asked: nothing stops them, and nothing is told. The
/// same throw with contacts is stopped or told.
#[test]
fn shapes_that_may_have_no_contacts_pass_without_a_word() {
    let mut random = Sequence(406);
    for case in 0..stiction_testing::cases(40, 2000) {
        let swept = if case % 2 == 0 { SweptRule::Off } else { WorldParameters::default().swept };
        let radius = 0.1 + 0.05 * random.next();
        let speed = 300.0 + 200.0 * random.next();
        let of = |most: u32, of_world: bool| {
            let max_contacts = if of_world { most } else { 10 };
            let mut world = World::new(WorldParameters { swept, max_contacts, gravity: DVec3::ZERO, ..parameters() });
            add_static(&mut world, DVec3::new(0.05, 5.0, 5.0), DVec3::ZERO);
            let surface = Surface { max_contacts: (!of_world).then_some(most), ..Surface::default() };
            let ball = Shape::sphere(radius).unwrap();
            let body = add_shape(&mut world, ball, 1.0, Pose::from_position(DVec3::X * -2.0), surface);
            assert!(world.body_mut(body).unwrap().set_velocity(DVec3::X * speed).is_ok());
            let start = world.time();
            let (passed, _) = run(&mut world, 1e-3, 0.05);
            let way = world.body(body).unwrap().pose().position.x + 2.0;
            (passed, way - speed * (world.time() - start))
        };
        for of_world in [false, true] {
            let (passed, off) = of(0, of_world);
            assert!(passed.is_empty() && off.abs() < 1e-9, "case {case}: {passed:?}, {off} m");
            let (passed, off) = of(4, of_world);
            assert!(!passed.is_empty() || off < -0.1, "case {case}: {passed:?}, {off} m");
        }
    }
}

#[test]
fn a_sheet_of_100_um_that_falls_through_another_is_told() {
    let sheet = DVec3::new(0.3, 0.3, 1e-4);
    let mut world = World::new(WorldParameters { swept: SweptRule::Off, ..parameters() });
    add_static(&mut world, DVec3::new(1.0, 1.0, 1e-4), DVec3::ZERO);
    let body = throw(&mut world, Shape::cuboid(sheet).unwrap(), DVec3::Z * 0.1013, DVec3::Z * -2.0);
    let (passed, sizes) = run(&mut world, 1e-3, 0.2);
    assert!(world.body(body).unwrap().pose().position.z < -0.01);
    assert!(passed.iter().any(|p| p.is_through), "{passed:?}");
    // 2 mm a step are less than its longest side.
    assert_eq!(sizes, 0.0);
}

#[test]
fn two_bullets_that_meet_and_pass_are_told() {
    let mut world = World::new(WorldParameters { swept: SweptRule::Off, ..WorldParameters::default() });
    let ball = || Shape::sphere(0.01).unwrap();
    throw(&mut world, ball(), DVec3::X * -0.25, DVec3::X * 400.0);
    throw(&mut world, ball(), DVec3::X * 0.25, DVec3::X * -400.0);
    let (passed, _) = run(&mut world, 1e-3, 0.005);
    assert_eq!(passed.len(), 1, "{passed:?}");
}

#[test]
fn continuous_time_tells_it_too() {
    let mut p = parameters();
    Preset::DrakeContinuous.apply(&mut p);
    p.integrator.error_control = false;
    p.integrator.max_step = 1e-3;
    let mut world = World::new(p);
    add_static(&mut world, DVec3::new(0.01, 5.0, 5.0), DVec3::ZERO);
    throw(&mut world, Shape::sphere(0.1).unwrap(), DVec3::new(-3.0, 0.0, 0.0), DVec3::X * 1e4);
    let (passed, _) = run(&mut world, 1e-3, 0.003);
    assert_eq!(passed.len(), 1, "{passed:?}");
}

/// Light things fall on a sheet in continuous time, whose contacts are soft for what is light: what comes out below is told to
/// have gone through, however slow it is, and nothing else is.
#[test]
fn continuous_time_tells_of_what_falls_through_a_sheet() {
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| DVec3::new(x, y, 0.0));
    let mut random = Sequence(7);
    let mut through = 0;
    let count = stiction_testing::cases(60, 3000);
    for case in 0..count {
        let preset = [Preset::DrakeContinuous, Preset::Simbody][case % 2];
        let mut p = parameters();
        preset.apply(&mut p);
        let mut world = World::new(p);
        let sheet = Shape::triangle_mesh(&corners, &[[0, 1, 2], [0, 2, 3]]).unwrap();
        world.add_geom(&stiction::world::GeomDefinition::new(sheet, None)).unwrap();
        let mut between = |low: f64, high: f64| low + 0.5 * (random.next() + 1.0) * (high - low);
        let radius = 10f64.powf(between(-3.0, -1.5));
        let shape = match case / 2 % 2 {
            0 => Shape::sphere(radius).unwrap(),
            _ => Shape::capsule(radius, 2.0 * radius).unwrap(),
        };
        let mass = 10f64.powf(between(-4.0, 0.0));
        let at = DVec3::new(between(-0.3, 0.3), between(-0.3, 0.3), 5.0 * radius);
        let body = add_shape(&mut world, shape, mass, Pose::from_position(at), Surface::default());
        assert!(world.body_mut(body).unwrap().set_velocity(DVec3::Z * between(-2.0, 0.0)).is_ok());
        let (passed, _) = run(&mut world, 1e-3, 0.3);
        let is_through = world.body(body).unwrap().pose().position.z < -2.0 * radius;
        let is_told = passed.iter().any(|passed| passed.is_through);
        assert_eq!(is_told, is_through, "case {case} {preset:?}: {mass} kg, radius {radius}, {passed:?}");
        through += usize::from(is_through);
    }
    assert!(through > count / 20 && through < count, "{through} of {count} went through");
}

#[test]
fn what_lies_in_the_ground_for_ten_steps_has_sunk() {
    let surface = Surface {
        compliance: Some(stiction::material::SurfaceCompliance::Spring { stiffness: 10.0, damping: 1.0 }),
        ..Surface::default()
    };
    let mut world = World::new(parameters());
    add_ground(&mut world, surface);
    add_shape(&mut world, Shape::sphere(0.1).unwrap(), 1.0, Pose::from_position(DVec3::Z * 0.2), surface);
    let (passed, _) = run(&mut world, 1e-3, 1.0);
    assert_eq!(passed.len(), 1, "{passed:?}");
    assert!(!passed[0].is_through);
}

/// A point from which sweeps went on had impulses of 1e17 N s: their rounding stayed in the velocities.
#[test]
fn a_heap_of_a_ball_and_four_boxes_does_not_leave_at_1e17_metres_per_second() {
    let seeds = [
        ([0.253_235_707_346_459_06, 0.077_562_840_665_308_11, 0.490_171_989_017_710_36], true),
        ([0.061_113_141_124_582_285, 0.031_220_972_339_344_278, 0.885_275_268_607_548_6], false),
        ([0.0, 0.578_770_317_050_495_9, 0.100_123_455_178_669_84], false),
        ([0.429_211_410_596_816_17, 0.915_637_279_913_717_1, 0.605_071_212_110_575_5], false),
        ([0.123_113_411_530_194_88, 0.286_082_879_610_818_1, 0.314_596_458_315_491_7], false),
    ];
    let mut world = World::new(parameters());
    add_static(&mut world, DVec3::new(4.0, 4.0, 0.2), DVec3::Z * -0.1);
    for (k, (at, is_ball)) in seeds.iter().enumerate() {
        let at = DVec3::new(0.3 * at[0], 0.3 * at[1], 0.2 + 0.35 * k as f64 + 0.1 * at[2]);
        let shape = if *is_ball { Shape::sphere(0.1) } else { Shape::cuboid(DVec3::new(0.2, 0.25, 0.15)) }.unwrap();
        throw(&mut world, shape, at, DVec3::Z * -1.0);
    }
    let (passed, sizes) = run(&mut world, 2e-3, 1.0);
    assert!(passed.is_empty() && sizes == 0.0, "{passed:?} {sizes}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    /// Boxes and balls that fall in a heap at everyday speeds stop each other: nothing is told.
    #[test]
    fn nothing_is_told_of_a_heap_that_stops(
        seeds in prop::collection::vec((prop::array::uniform3(0.0..1.0_f64), any::<bool>()), 3..9),
    ) {
        let mut world = World::new(parameters());
        add_static(&mut world, DVec3::new(4.0, 4.0, 0.2), DVec3::Z * -0.1);
        for (k, (at, is_ball)) in seeds.iter().enumerate() {
            let at = DVec3::new(0.3 * at[0], 0.3 * at[1], 0.2 + 0.35 * k as f64 + 0.1 * at[2]);
            let sides = DVec3::new(0.2, 0.25, 0.15);
            let shape = if *is_ball { Shape::sphere(0.1) } else { Shape::cuboid(sides) }.unwrap();
            throw(&mut world, shape, at, DVec3::Z * -1.0);
        }
        let (passed, sizes) = run(&mut world, 2e-3, 1.0);
        prop_assert!(passed.is_empty(), "{:?}", passed);
        prop_assert_eq!(sizes, 0.0);
    }

    /// A wall is passed by a ball exactly if no step begins with the two in contact.
    #[test]
    fn a_ball_is_told_to_pass_a_wall_if_and_only_if_it_does(
        speed in 1.0..2000.0_f64,
        start in 1.0..3.0_f64,
        thickness in 1e-4..0.3_f64,
    ) {
        let mut world = World::new(WorldParameters::default());
        add_static(&mut world, DVec3::new(thickness, 9.0, 9.0), DVec3::ZERO);
        let body = throw(&mut world, Shape::sphere(0.05).unwrap(), DVec3::X * -start, DVec3::X * speed);
        let (passed, _) = run(&mut world, 1e-3, 0.05 + 2.0 * start / speed);
        let is_through = world.body(body).unwrap().pose().position.x > 0.5 * thickness;
        prop_assert_eq!(passed.len(), usize::from(is_through), "{:?}", passed);
    }
}
