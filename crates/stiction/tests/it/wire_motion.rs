//! Wires that move: winches, a crane, contacts, sleep; random wires, judged by energy and bits.

use glam::DVec3;
use stiction::joints::{AxisParameters, JointDefinition, JointKind};
use stiction::material::Surface;
use stiction::math::Pose;
use stiction::shape::Shape;
use stiction::world::{
    BodyDefinition, BodyId, BodyKind, Coordinates, GeomDefinition, Preset, TimeAdvancement, Winch, WinchControl,
    WireDefinition, WireElasticity, WireId, WireMaterial, WirePoint, World, WorldParameters,
};

use crate::wires::{GRAVITY, RADIUS, STEP, ball, light, near, place, run, world};

fn winch_wire(world: &mut World, mass: f64, winch: Winch) -> (WireId, BodyId) {
    let at = DVec3::new(0.0, 0.0, -5.0);
    let load = ball(world, mass, at);
    let route = vec![WirePoint::Winch(None, DVec3::ZERO, winch), WirePoint::Fixed(Some(load), at)];
    (world.add_wire(&WireDefinition { material: light(0.0), ..WireDefinition::new(RADIUS, route) }).unwrap(), load)
}

/// 6 kg on a winch that holds with 50 N pays out at `(m g − F) / m`; with 60 N it holds.
#[test]
fn a_winch_holds_up_to_its_force() {
    let mut world = world();
    let winch = Winch { stored: 20.0, force_range: [-50.0, 50.0], ..Winch::default() };
    let (wire, load) = winch_wire(&mut world, 6.0, winch);
    run(&mut world, STEP, 0.5);
    let before = world.body(load).unwrap().velocity().z;
    run(&mut world, STEP, 1.0);
    let acceleration = before - world.body(load).unwrap().velocity().z;
    near(acceleration, 6.0 * GRAVITY / 6.0 - 50.0 / 6.0, 0.02, "pays out");
    let all = world.wire(wire).unwrap();
    near(all.stored() + all.rest_length(), 25.0, 1e-12, "length");
    // At the end of the drum it stops; the jerk is what the wire's damping leaves.
    run(&mut world, STEP, 20.0);
    assert_eq!(world.wire(wire).unwrap().stored(), 0.0);
    assert!(world.body(load).unwrap().velocity().length() < 1e-3);
    near(-place(&world, load).z, 25.0, 1e-3, "end of the wire");

    world = self::world();
    let winch = Winch { stored: 20.0, force_range: [-60.0, 60.0], ..Winch::default() };
    let (wire, load) = winch_wire(&mut world, 6.0, winch);
    run(&mut world, STEP, 10.0);
    assert!(world.body(load).unwrap().velocity().length() < 1e-6);
    near(-place(&world, load).z, 5.0, 1e-3, "holds");
    near(world.wire(wire).unwrap().stored(), 20.0, 1e-3, "on the drum");
}

/// Speed and length are followed within the range of force; hauling with less than the load's weight lets it down.
#[test]
fn a_winch_follows_speed_and_length() {
    let mut world = world();
    let (wire, load) = winch_wire(&mut world, 100.0, Winch { stored: 20.0, ..Winch::default() });
    world.set_winch_control(wire, WinchControl::Speed(0.5)).unwrap();
    run(&mut world, STEP, 10.0);
    near(-place(&world, load).z, 10.0, 1e-3, "lowered");
    near(world.wire(wire).unwrap().stored(), 15.0, 1e-9, "on the drum");
    world.set_winch_control(wire, WinchControl::Length { length: 3.0, speed: 1.0 }).unwrap();
    run(&mut world, STEP, 10.0);
    near(-place(&world, load).z, 3.0, 1e-3, "lifted");
    near(world.wire(wire).unwrap().rest_length(), 3.0, 1e-9, "off the drum");
    assert!(world.body(load).unwrap().velocity().length() < 1e-4);
    world.set_winch_force_range(wire, [-500.0, 500.0]).unwrap();
    world.set_winch_control(wire, WinchControl::Speed(-1.0)).unwrap();
    let before = world.body(load).unwrap().velocity().z;
    run(&mut world, STEP, 0.5);
    let fell = before - world.body(load).unwrap().velocity().z;
    near(fell, 0.5 * (GRAVITY - 5.0), 0.02, "hauls with too little");
    assert!(world.set_winch_force_range(wire, [1.0, 2.0]).is_err());
}

/// Where a wire is tied to the hook.
const TOP: DVec3 = DVec3::new(0.0, 0.0, -9.9);

/// A hook 10 m below the origin, and a tonne on it.
fn hook_and_load(world: &mut World, mass: f64) -> (BodyId, BodyId) {
    let hook = ball(world, mass, DVec3::new(0.0, 0.0, -10.0));
    let load = ball(world, 1000.0, DVec3::new(0.0, 0.0, -10.5));
    let joint = JointDefinition::new(JointKind::Ball, Some(load), Some(hook));
    world.add_joint(joint.at(DVec3::new(0.0, 0.0, -10.1))).unwrap();
    (hook, load)
}

/// One tonne on a hook of one kilogram on a wire.
#[test]
fn a_tonne_on_a_light_hook_rests() {
    let mut world = world();
    let (hook, load) = hook_and_load(&mut world, 1.0);
    let route = vec![WirePoint::Fixed(None, DVec3::ZERO), WirePoint::Fixed(Some(hook), TOP)];
    let wire = world.add_wire(&WireDefinition::new(RADIUS, route)).unwrap();
    // A nudge.
    world.body_mut(hook).unwrap().set_velocity(DVec3::new(0.1, 0.02, 0.0)).unwrap();
    run(&mut world, STEP, 60.0);
    let tension = world.wire(wire).unwrap().tensions().last().unwrap();
    near(tension, 1001.0 * GRAVITY, 0.01, "tension at the hook");
    let swing = world.body(load).unwrap().velocity();
    assert!(swing.z.abs() < 1e-6 && swing.length() < 1e-3, "{swing}");

    let mut world = self::world();
    let (hook, load) = hook_and_load(&mut world, 1.0);
    let route = vec![WirePoint::Fixed(None, DVec3::ZERO), WirePoint::Fixed(Some(hook), TOP)];
    world.add_wire(&WireDefinition::new(RADIUS, route)).unwrap();
    run(&mut world, STEP, 60.0);
    for body in [hook, load] {
        assert!(world.body(body).unwrap().velocity().length() < 1e-6);
    }
}

/// A crane: a post that turns, a winch at its foot, an eye at the tip of its jib. It lifts a load off the ground, swings it by a
/// quarter of a turn and puts it down.
#[test]
fn a_crane_lifts_swings_and_lowers_a_load() {
    let mut world = world();
    world.add_geom(&GeomDefinition::new(Shape::plane(DVec3::Z, 0.0).unwrap(), None)).unwrap();
    let post = ball(&mut world, 2000.0, DVec3::new(0.0, 0.0, 4.0));
    let mut hinge = JointDefinition::new(JointKind::Hinge, Some(post), None).at(DVec3::ZERO);
    hinge.axes[0] = DVec3::Z;
    let mut motor = AxisParameters::default();
    motor.motor.max_force = 1e6;
    hinge.parameters[0] = motor;
    let hinge = world.add_joint(hinge).unwrap();
    let side = Shape::cuboid(DVec3::splat(0.5)).unwrap();
    let mass = side.mass_properties(1.0).unwrap().with_mass(500.0);
    let pose = Pose::from_position(DVec3::new(5.0, 0.0, 0.25));
    let load = world.add_body(&BodyDefinition { mass, pose, ..BodyDefinition::default() }).unwrap();
    world.add_geom(&GeomDefinition::new(side, Some(load))).unwrap();
    let tip = DVec3::new(5.0, 0.0, 8.0);
    let winch = Winch { stored: 5.0, ..Winch::default() };
    let route = vec![
        WirePoint::Winch(Some(post), DVec3::new(0.5, 0.0, 1.0), winch),
        WirePoint::Eye(Some(post), tip),
        WirePoint::Fixed(Some(load), DVec3::new(5.0, 0.0, 0.5)),
    ];
    let material = WireMaterial { friction: 0.1, density: 7850.0, ..WireMaterial::default() };
    let wire = world.add_wire(&WireDefinition { material, ..WireDefinition::new(0.008, route) }).unwrap();
    let length = world.wire(wire).unwrap().rest_length();
    world.set_winch_control(wire, WinchControl::Length { length: length - 3.0, speed: 0.5 }).unwrap();
    run(&mut world, STEP, 12.0);
    near(place(&world, load).z, 3.25, 0.02, "lifted");
    // The wire of the jib, bent at the eye with friction, holds between the two ends.
    for k in 0..600 {
        let way: f64 = (0.005 * f64::from(k)).min(0.2).min(0.005 * f64::from(599 - k));
        world.joint_parameters_mut(hinge, 0).unwrap().motor.velocity = way;
        world.step(STEP);
    }
    let turned = world.joint(hinge).unwrap().position(0);
    near(turned, 0.2 * (600.0 - 40.0) * STEP, 0.02, "turned");
    run(&mut world, STEP, 40.0);
    world.set_winch_control(wire, WinchControl::Length { length: length + 0.3, speed: 0.2 }).unwrap();
    run(&mut world, STEP, 40.0);
    let at = place(&world, load);
    near(at.z, 0.25, 0.01, "put down");
    let angle = at.y.atan2(at.x);
    assert!((angle - turned).abs() < 0.3 && (at.truncate().length() - 5.0).abs() < 1.0, "{at}, {turned}");
    assert!(world.body(load).unwrap().velocity().length() < 1e-3);
    near(world.wire(wire).unwrap().rest_length() + world.wire(wire).unwrap().stored(), length + 5.0, 1e-9, "length");
}

/// Random wires: any stiffness, damping, load and route, with eyes, bends, winches and nodes that come and go.
fn random_world(seed: u64, threads: u32) -> World {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03);
    let mut world = world();
    world.parameters.threads = threads;
    let count = 1 + (random.next() * 3.0) as usize;
    for number in 0..count {
        let mut at = DVec3::new(30.0 * number as f64, 0.0, 0.0);
        let mut route = Vec::new();
        let points = 2 + (random.next() * 4.0) as usize;
        let ends = random.next();
        for k in 0..points {
            let body = if k > 0 && random.next() < 0.7 || ends < 0.2 {
                Some(ball(&mut world, 10f64.powf(5.0 * random.next() - 2.0), at))
            } else {
                None
            };
            let point = match (random.next() * 4.0) as u32 {
                0 => WirePoint::Free(at),
                1 if k == 0 || k + 1 == points => WirePoint::Link(body, at),
                2 if k > 0 && k + 1 < points => WirePoint::Eye(body, at),
                _ if k == 0 && random.next() < 0.3 => {
                    let control = WinchControl::Speed(0.0);
                    WirePoint::Winch(body, at, Winch { stored: 3.0, control, ..Winch::default() })
                }
                _ => WirePoint::Fixed(body, at),
            };
            route.push(point);
            let direction = DVec3::new(random.next() - 0.3, random.next() - 0.5, random.next() - 0.5);
            at += direction.normalize() * (0.3 + 5.0 * random.next());
        }
        let elasticity = |random: &mut Random| WireElasticity {
            youngs_modulus: 10f64.powf(6.0 + 6.0 * random.next()),
            damping_time: if random.next() < 0.2 { 0.0 } else { 10f64.powf(4.0 * random.next() - 3.0) },
        };
        let stretch = elasticity(&mut random);
        let mut bend = elasticity(&mut random);
        if random.next() < 0.4 {
            bend.youngs_modulus = 0.0;
        }
        let density = 10f64.powf(1.0 + 3.0 * random.next());
        let material = WireMaterial { density, stretch, bend, friction: random.next() };
        let resolution = 0.3 + 4.0 * random.next();
        let radius = 10f64.powf(-3.0 + 1.5 * random.next());
        world.add_wire(&WireDefinition { material, resolution, ..WireDefinition::new(radius, route) }).unwrap();
    }
    world
}

/// What it takes to lift everything by a metre \[J\].
fn weight(world: &World) -> f64 {
    let bodies = world.body_ids().filter_map(|id| world.body(id));
    bodies.filter(|b| b.kind() == BodyKind::Dynamic).map(|b| b.mass() * GRAVITY).sum()
}

/// Xorshift, for numbers in 0 to 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A step that moves by its new velocity keeps `E + h p·g / 2` of what falls: this part comes and goes with the speed \[J\].
fn swing(world: &World) -> f64 {
    0.5 * STEP * world.parameters.gravity.dot(world.momentum().0)
}

/// Kinetic and gravitational energy are never more than what there was, with the springs of wires that begin bent, but for
/// 1 % of what fell.
#[test]
fn random_wires_make_no_energy() {
    let mut worst: (f64, u64) = (0.0, 0);
    for seed in 0..stiction_testing::cases(150, 600) as u64 {
        let mut world = random_world(seed, 1);
        let start = world.energy().total();
        let mut fallen = weight(&world);
        for number in 0..300 {
            world.step(STEP);
            let energy = world.energy();
            assert!(energy.total().is_finite() && world.report().quarantined.is_empty(), "seed {seed}, step {number}");
            fallen = fallen.max((start - energy.gravitational).abs());
            let brought: f64 = world.wire_ids().filter_map(|id| world.wire(id)).map(|w| w.energy_brought()).sum();
            let gained = (energy.kinetic + energy.gravitational - brought - start + swing(&world)) / fallen;
            if gained > worst.0 {
                worst = (gained, seed);
            }
        }
    }
    println!("most energy made: {:.2e} of what fell, seed {}", worst.0, worst.1);
    assert!(worst.0 < 0.01, "{} of what fell, seed {}", worst.0, worst.1);
}

/// The same bits again, on three threads, and from a snapshot in the middle.
#[test]
fn wires_repeat_bit_for_bit() {
    for seed in 0..40 {
        let hash = |threads: u32| {
            let mut world = random_world(seed, threads);
            run(&mut world, STEP, 2.0);
            let snapshot = world.snapshot();
            run(&mut world, STEP, 2.0);
            let end = world.state_hash();
            world.restore(&snapshot);
            run(&mut world, STEP, 2.0);
            assert_eq!(world.state_hash(), end, "seed {seed}: from the snapshot");
            end
        };
        assert_eq!(hash(1), hash(1), "seed {seed}: again");
        assert_eq!(hash(1), hash(3), "seed {seed}: three threads");
    }
}

/// A wire laid over a box between two loads: its nodes rest on the box, and the loads hang beside it.
#[test]
fn a_wire_falls_over_a_box() {
    let mut world = world();
    let side = Shape::cuboid(DVec3::new(2.0, 2.0, 1.0)).unwrap();
    let pose = Pose::from_position(DVec3::new(0.0, 0.0, -0.5));
    world.add_geom(&GeomDefinition { pose, ..GeomDefinition::new(side, None) }).unwrap();
    let ends = [-2.0, 2.0].map(|x| DVec3::new(x, 0.0, 0.1));
    let loads = ends.map(|at| ball(&mut world, 1.0, at));
    let route = vec![WirePoint::Fixed(Some(loads[0]), ends[0]), WirePoint::Fixed(Some(loads[1]), ends[1])];
    let material = WireMaterial { stretch: WireElasticity { youngs_modulus: 1e9, damping_time: 0.05 }, ..light(0.3) };
    let material = WireMaterial { density: 1000.0, ..material };
    let surface = Some(Surface::default());
    let definition = WireDefinition { material, surface, resolution: 10.0, ..WireDefinition::new(RADIUS, route) };
    let wire = world.add_wire(&definition).unwrap();
    run(&mut world, STEP, 20.0);
    let wire = world.wire(wire).unwrap();
    let over: Vec<DVec3> = wire.positions().filter(|p| p.x.abs() < 0.9).collect();
    assert!(over.len() > 10, "{} nodes on the box", over.len());
    for at in over {
        assert!(at.z > 0.9 * RADIUS && at.z < 3.0 * RADIUS, "{at}");
    }
    for load in loads {
        let (at, velocity) = (place(&world, load), world.body(load).unwrap().velocity());
        assert!(at.z < -0.5 && at.x.abs() > 0.99 && at.x.abs() < 1.3, "{at}");
        // Nothing damps the swinging of what hangs along the side but the side.
        assert!(velocity.length() < 0.4, "{velocity}");
    }
    let mid: Vec<f64> = wire.tensions().collect();
    near(mid[0], 1.0 * GRAVITY, 0.05, "tension beside the load");
}

/// A load on a wire falls asleep with all nodes, and the winch wakes it.
#[test]
fn a_wire_sleeps_and_wakes() {
    let mut world = world();
    world.parameters.sleeping = true;
    world.parameters.auto_disable.enabled = true;
    let (wire, load) = winch_wire(&mut world, 10.0, Winch { stored: 3.0, ..Winch::default() });
    run(&mut world, STEP, 30.0);
    assert!(!world.body(load).unwrap().is_enabled());
    let energy = world.energy();
    run(&mut world, STEP, 1.0);
    assert_eq!(world.energy(), energy);
    world.set_winch_control(wire, WinchControl::Speed(0.2)).unwrap();
    run(&mut world, STEP, 2.0);
    near(place(&world, load).z, -5.4, 1e-3, "woken");
}

/// What is wrong is told; what is removed is gone.
#[test]
fn wires_are_checked_and_removed() {
    let mut world = world();
    let load = ball(&mut world, 1.0, DVec3::new(0.0, 0.0, -2.0));
    let good = vec![WirePoint::Fixed(None, DVec3::ZERO), WirePoint::Fixed(Some(load), DVec3::new(0.0, 0.0, -2.0))];
    let refused = |world: &mut World, change: &dyn Fn(&mut WireDefinition)| {
        let mut definition = WireDefinition::new(RADIUS, good.clone());
        change(&mut definition);
        world.add_wire(&definition).unwrap_err().to_string()
    };
    for (change, said) in [
        (&(|d: &mut WireDefinition| d.radius = 0.0) as &dyn Fn(&mut WireDefinition), "wire radius is 0, expected more"),
        (&|d| d.material.density = f64::NAN, "density is NaN"),
        (&|d| d.material.bend.damping_time = -1.0, "damping time of bending is -1"),
        (&|d| d.resolution = 1e9, "nodes"),
        (&|d| d.route.truncate(1), "at least two points"),
        (&|d| d.route.push(WirePoint::Eye(None, DVec3::X)), "point 2 of the wire's route is an eye"),
        (&|d| d.route.push(WirePoint::Winch(None, DVec3::X, Winch::default())), "only the first point"),
        (&|d| d.route.push(d.route[1]), "point 2 of the wire's route is not finite, or at the place"),
        (&|d| d.route[0] = WirePoint::Link(None, DVec3::NAN), "point 0"),
    ] {
        let found = refused(&mut world, change);
        assert!(found.contains(said), "{found}");
    }
    let bodies = world.body_ids().count();
    let wire = world.add_wire(&WireDefinition::new(RADIUS, good.clone())).unwrap();
    assert!(world.set_winch_control(wire, WinchControl::Speed(1.0)).is_err());
    run(&mut world, STEP, 1.0);
    assert!(world.body(load).unwrap().velocity().length() < 0.1);
    assert!(world.remove_wire(wire) && !world.remove_wire(wire) && world.wire(wire).is_none());
    assert_eq!(world.body_ids().count(), bodies);
    run(&mut world, STEP, 0.5);
    assert!(world.body(load).unwrap().velocity().z < -4.0);
    let wire = world.add_wire(&WireDefinition::new(RADIUS, good)).unwrap();
    world.remove_body(load);
    assert!(world.wire(wire).is_none());
    assert_eq!(world.body_ids().count(), 0);
    run(&mut world, STEP, 0.5);
}

/// A load on a wire under every engine of fixed steps: the tension is its weight. Continuous time has no wires, and says so.
#[test]
fn wires_work_under_every_engine_of_fixed_steps() {
    for preset in Preset::ALL {
        for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
            let gravity = DVec3::new(0.0, 0.0, -GRAVITY);
            let mut parameters = WorldParameters { gravity, ..WorldParameters::default() };
            preset.apply(&mut parameters);
            parameters.coordinates = coordinates;
            let mut world = World::new(parameters);
            let (hook, load) = hook_and_load(&mut world, 10.0);
            let route = vec![WirePoint::Fixed(None, DVec3::ZERO), WirePoint::Fixed(Some(hook), TOP)];
            let wire = world.add_wire(&WireDefinition::new(RADIUS, route)).unwrap();
            run(&mut world, STEP, 10.0);
            if world.parameters.time == TimeAdvancement::Continuous {
                assert!(world.report().refused && world.report().refused_parameter.is_some());
                continue;
            }
            assert!(world.body(load).unwrap().velocity().length() < 1e-5, "{preset:?}");
            let tension = world.wire(wire).unwrap().tensions().last().unwrap();
            near(tension, 1010.0 * GRAVITY, 0.01, preset.name());
        }
    }
}

/// Random wires that fall on a floor with loads of 0.1 m, with winches that haul and pay out, half of them without any
/// bound, against whatever jams: what they have is at most what fell and what the winches put in.
#[test]
fn random_wires_over_shapes_stay_sound() {
    let mut worst: (f64, u64) = (0.0, 0);
    for seed in 1000..1000 + stiction_testing::cases(50, 200) as u64 {
        let mut world = random_world(seed, 1);
        let mut random = Random(seed.wrapping_mul(0x2545_F491_4F6C_DD1D) | 1);
        world.add_geom(&GeomDefinition::new(Shape::plane(DVec3::Z, -12.0).unwrap(), None)).unwrap();
        let dynamic = |id: &BodyId| {
            world
                .body(*id)
                .is_some_and(|b| b.kind() == BodyKind::Dynamic && b.mass_properties().inertia.x_axis.x < 1e20)
        };
        let loads: Vec<BodyId> = world.body_ids().filter(dynamic).collect();
        for load in loads {
            world.add_geom(&GeomDefinition::new(Shape::sphere(0.1).unwrap(), Some(load))).unwrap();
        }
        let wires: Vec<WireId> = world.wire_ids().collect();
        let definitions: Vec<WireDefinition> =
            wires.iter().map(|wire| world.wire(*wire).unwrap().definition().clone()).collect();
        for (wire, definition) in wires.into_iter().zip(definitions) {
            world.remove_wire(wire);
            let collide = WireDefinition { surface: Some(Surface::default()), ..definition };
            let wire = world.add_wire(&collide).unwrap();
            let speed = 2.0 * random.next() - 1.0;
            // Refused where there is no winch.
            let _ = world.set_winch_control(wire, WinchControl::Speed(speed));
            if seed % 2 == 0 {
                let _ = world.set_winch_force_range(wire, [-1e4, 1e4]);
            }
        }
        let start = world.energy().total();
        let scale = weight(&world);
        let mut motors = 0.0;
        for number in 0..300 {
            motors += world.step(STEP).energy.motors.max(0.0);
            let energy = world.energy();
            assert!(energy.total().is_finite() && world.report().quarantined.is_empty(), "seed {seed}, step {number}");
            let brought: f64 = world.wire_ids().filter_map(|id| world.wire(id)).map(|w| w.energy_brought()).sum();
            let gained = energy.kinetic + energy.gravitational - brought - start - motors + swing(&world);
            let fallen = scale + motors + (start - energy.gravitational).abs();
            if gained / fallen > worst.0 {
                worst = (gained / fallen, seed);
            }
        }
    }
    println!("most energy made: {:.2e}, seed {}", worst.0, worst.1);
    assert!(worst.0 < 0.02, "{}, seed {}", worst.0, worst.1);
}
