//! Chains of light links with heavy ends: they swing as pendulums, keep length and energy, and ordinary trees take their steps whole.

use super::springs::passages;
use stiction::joints::{AxisParameters, JointDefinition, JointKind};
use stiction::math::{DMat3, DQuat, DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, BodyId, BodyKind, Coordinates, Preset, World, WorldParameters};

/// Engines whose trees flow, of their own or where reduced coordinates are asked for.
const ENGINES: [Preset; 4] = [Preset::Stiction, Preset::BulletFeatherstone, Preset::Dart, Preset::Ode];
const GRAVITY: f64 = 9.8;

fn world(engine: Preset) -> World {
    let mut parameters = WorldParameters { sleeping: false, ..WorldParameters::default() };
    engine.apply(&mut parameters);
    parameters.coordinates = Coordinates::Reduced;
    parameters.gravity = DVec3::new(0.0, 0.0, -GRAVITY);
    World::new(parameters)
}

fn add(world: &mut World, mass: f64, moments: DVec3, pose: Pose) -> BodyId {
    let mass = MassProperties { mass, center_of_mass: DVec3::ZERO, inertia: DMat3::from_diagonal(moments) };
    world.add_body(&BodyDefinition { mass, pose, ..BodyDefinition::default() }).unwrap()
}

/// A chain that hangs on the world.
struct Chain {
    world: World,
    links: Vec<BodyId>,
    length: f64,
}

/// What a chain is made of.
struct Making {
    links: usize,
    length: f64,
    mass: f64,
    load: f64,
    /// Moments of a link across and along it, by `m l²`.
    moments: [f64; 2],
    damping: f64,
}

impl Chain {
    /// Links from the origin on, each turned by its own angles about y and x, with a load in the end of the last one.
    fn new(mut world: World, making: &Making, kind: JointKind, angle: impl Fn(usize) -> [f64; 2]) -> Self {
        let (mut at, mut last, mut links) = (DVec3::ZERO, None, Vec::new());
        let scale = making.mass * making.length * making.length;
        let [across, along] = making.moments.map(|m| m * scale);
        for number in 0..making.links {
            let [y, x] = angle(number);
            let turn = DQuat::from_rotation_y(-y) * DQuat::from_rotation_x(x);
            let center = at - turn * (0.5 * making.length * DVec3::Z);
            let body = add(&mut world, making.mass, DVec3::new(across, across, along), Pose::new(center, turn));
            let law = AxisParameters { damping: making.damping, ..AxisParameters::default() };
            let joint = JointDefinition::new(kind, Some(body), last).at(at);
            let joint =
                if kind == JointKind::Hinge { joint.with_axis(0, DVec3::Y).with_parameters(0, law) } else { joint };
            world.add_joint(joint).unwrap();
            at -= turn * (making.length * DVec3::Z);
            last = Some(body);
            links.push(body);
        }
        let moments = DVec3::splat(0.016 * making.load);
        let load = add(&mut world, making.load, moments, Pose::from_position(at));
        world.add_joint(JointDefinition::new(JointKind::Ball, Some(load), last).at(at)).unwrap();
        links.push(load);
        Self { world, links, length: making.length * making.links as f64 }
    }

    fn load(&self) -> DVec3 {
        self.world.body(*self.links.last().unwrap()).unwrap().pose().position
    }

    /// Kinetic and potential energy \[J\] at the time of the positions: velocities of a whole step are those of its middle.
    fn energy(&self, step: f64) -> f64 {
        let mut sum = 0.0;
        for id in &self.links {
            let body = self.world.body(*id).unwrap();
            let spin = body.pose().rotation.conjugate() * body.omega();
            let v = body.velocity();
            let inertia = body.mass_properties().inertia;
            sum += body.mass() * (0.5 * v.length_squared() + GRAVITY * body.pose().position.z)
                + 0.5 * spin.dot(inertia * spin);
        }
        let is_whole = self.world.report().momentum_in_parts == DVec3::ZERO;
        let fall = self.world.parameters.gravity.dot(self.world.momentum().0);
        if is_whole { sum + 0.5 * step * fall } else { sum }
    }
}

/// Ten links of 0.1 kg that hold a load at its centre, released at 20 degrees.
#[test]
fn a_heavy_load_on_a_light_chain_swings_as_a_pendulum() {
    for (engine, step) in ENGINES.iter().flat_map(|e| [1e-3, 2e-3, 4e-3].map(|h| (*e, h))) {
        let name = format!("{} {step}", engine.name());
        let making =
            Making { links: 10, length: 0.2, mass: 0.1, load: 2000.0, moments: [0.0858333333, 0.005], damping: 0.0 };
        let mut chain = Chain::new(world(engine), &making, JointKind::Ball, |_| [20f64.to_radians(), 0.0]);
        let (mut across, mut longest, mut energies, mut parts) = (Vec::new(), 0.0f64, [0.0f64; 2], 0);
        let start = chain.energy(0.0);
        let scale = making.load * GRAVITY * chain.length * (1.0 - 20f64.to_radians().cos());
        for _ in 0..(12.0 / step) as usize {
            chain.world.step(step);
            across.push(chain.load().x);
            longest = longest.max((chain.load().length() - chain.length).abs());
            let made = (chain.energy(step) - start) / scale;
            energies = [energies[0].min(made), energies[1].max(made)];
            parts = parts.max(chain.world.report().tree_parts);
        }
        let times = passages(&across, step, 0.0);
        let period = (times[times.len() - 1] - times[0]) / (times.len() - 1) as f64;
        println!("{name}: T {period:.5} s, length {longest:.1e} m, energy {energies:.7?}, {parts} parts");
        assert!((period / 2.8602 - 1.0).abs() < 1e-3, "{name}: {period}");
        assert!(longest < 1e-5, "{name}: {longest}");
        assert!(energies.iter().all(|made| made.abs() < 1e-4), "{name}: {energies:?}");
    }
}

/// Numbers between 0 and 1.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}

/// Chains of 2 to 20 rods on hinges or balls, with loads of 1 to 100 000 times the mass of a rod, released at an angle, some of them bent.
#[test]
fn random_chains_with_heavy_ends_keep_their_energy() {
    let mut random = Random(32);
    let mut worst = [[0.0f64; 2]; 3];
    let (mut divided, mut most) = (0, 0);
    for case in 0..stiction_testing::cases(60, 4000) {
        let step = [1.0 / 60.0, 1.0 / 240.0, 2e-3, 1e-3][random.between(0.0, 4.0) as usize];
        let engine = ENGINES[case % ENGINES.len()];
        let kind = [JointKind::Hinge, JointKind::Ball][random.between(0.0, 2.0) as usize];
        let mass = 10f64.powf(random.between(-2.0, 1.0));
        let ratio = 10f64.powf(random.between(0.0, 5.0));
        let links = random.between(2.0, 21.0) as usize;
        let length = random.between(0.05, 0.3);
        // Rods with a thickness of a tenth to a third of their length.
        let thickness = random.between(0.1, 0.33).powi(2);
        let moments = [(1.0 + thickness) / 12.0, thickness / 6.0];
        let making = Making { links, length, mass, load: ratio * mass, moments, damping: 0.0 };
        let swing = random.between(10f64.to_radians(), 60f64.to_radians());
        let bend = if case % 3 == 0 { 0.1 } else { 0.0 };
        let angles: Vec<[f64; 2]> = (0..links)
            .map(|_| {
                let [y, x] = [(); 2].map(|()| bend * random.between(-1.0, 1.0));
                [swing + y, if kind == JointKind::Ball { x } else { 0.0 }]
            })
            .collect();
        let mut chain = Chain::new(world(engine), &making, kind, |number| angles[number]);
        let start = chain.energy(0.0);
        let scale = GRAVITY * (ratio + 0.5 * links as f64) * mass * chain.length * (1.0 - swing.cos());
        let mut made = [0.0f64; 2];
        let mut parts = 0;
        for _ in 0..(1.5 / step) as usize {
            chain.world.step(step);
            let now = (chain.energy(step) - start) / scale;
            made = [made[0].min(now), made[1].max(now)];
            parts = parts.max(chain.world.report().tree_parts);
        }
        let is_coarse = step > 1.0 / 200.0;
        // Light links that are let go bent are pulled straight by a blow, and parts do not resolve what trembles from then on.
        let bounds = match (bend == 0.0, is_coarse) {
            (true, false) => [-1e-3, 1e-3],
            (true, true) => [-1e-2, 1e-2],
            (false, _) => [-0.2, 0.1],
        };
        divided += u32::from(parts > 1);
        most = most.max(parts);
        let own = &mut worst[if bend == 0.0 { usize::from(is_coarse) } else { 2 }];
        *own = [own[0].min(made[0]), own[1].max(made[1])];
        let name = format!(
            "case {case} {} {kind:?} {step:.5}: {links} links, ratio {ratio:.0}, bend {bend}, {parts} parts",
            engine.name()
        );
        assert!(made[0] > bounds[0] && made[1] < bounds[1], "{name}: {made:?}");
    }
    println!(
        "lost and gained by fine steps, coarse ones, and bent {worst:.6?}; {divided} divided, {most} parts at most"
    );
}

/// Ordinary trees take their steps whole.
#[test]
fn chains_of_equal_links_are_not_divided() {
    for (links, step) in [(3, 1.0 / 60.0), (50, 1.0 / 240.0), (100, 1e-3)] {
        let making = Making { links, length: 0.2, mass: 1.0, load: 1.0, moments: [0.0858333333, 0.005], damping: 0.0 };
        let mut chain = Chain::new(world(Preset::Stiction), &making, JointKind::Hinge, |_| [0.5, 0.0]);
        for _ in 0..(1.0 / step) as usize {
            let report = chain.world.step(step);
            assert_eq!(report.divided_trees, 0, "{links} links at {step}");
        }
    }
}

/// Dampers of a divided tree take what the books say, and bring it to rest.
#[test]
fn dampers_of_a_divided_chain_are_in_the_books() {
    for step in [1e-3, 4e-3] {
        let making =
            Making { links: 6, length: 0.2, mass: 0.1, load: 1000.0, moments: [0.0858333333, 0.005], damping: 300.0 };
        let mut own = world(Preset::Stiction);
        own.parameters.audit = true;
        let mut chain = Chain::new(own, &making, JointKind::Hinge, |_| [0.5, 0.0]);
        let start = chain.energy(0.0);
        let (mut lost, mut made) = (0.0, 0.0);
        for _ in 0..(6.0 / step) as usize {
            let report = chain.world.step(step);
            assert!(report.momentum_in_parts != DVec3::ZERO);
            lost += report.energy.joint_loss;
            made += report.energy.made();
        }
        let gone = start - chain.energy(step);
        println!("{step}: gone {gone:.3} J, booked {lost:.3} J, made {made:.3} J");
        assert!(gone > 100.0, "{gone} J");
        assert!((lost / gone - 1.0).abs() < 2e-3 && made.abs() < 2e-3 * gone, "{step}: {gone} {lost} {made}");
    }
}

/// Links that fly around each other at any rate keep their energy: what they pull on each other divides the step.
#[test]
fn free_links_that_turn_fast_make_no_energy() {
    let mut random = Random(7);
    for case in 0..stiction_testing::cases(40, 2000) {
        let mut own = world(ENGINES[case % ENGINES.len()]);
        own.parameters.gravity = DVec3::ZERO;
        let (near, far) = (random.between(0.05, 0.5), random.between(0.05, 0.5));
        let mut vector = || DVec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
        let first = add(&mut own, 1.0, DVec3::splat(0.01) + 0.004 * vector(), Pose::IDENTITY);
        let at = vector().normalize() * near;
        let center = at + vector().normalize() * far;
        let second = add(&mut own, 0.3, DVec3::splat(0.002) + 0.0005 * vector(), Pose::from_position(center));
        let hinge = JointDefinition::new(JointKind::Hinge, Some(second), Some(first)).at(at);
        own.add_joint(hinge.with_axis(0, vector().normalize())).unwrap();
        let spins = [vector(), vector()];
        let rate = 10f64.powf(random.between(0.0, 4.0));
        for (id, spin) in [first, second].into_iter().zip(spins) {
            own.body_mut(id).unwrap().set_omega(rate * spin).unwrap();
        }
        let step = [1.0 / 60.0, 1e-3, 1e-4][case % 3];
        own.step(step);
        let start = own.energy().total();
        let (mut most, mut parts) = (0.0f64, 0);
        for _ in 0..100 {
            own.step(step);
            most = most.max(own.energy().total() / start - 1.0);
            parts = parts.max(own.report().tree_parts);
        }
        println!("{case}: rate {rate:.1e}, step {step:.1e}, {parts} parts, made {most:.1e}");
        assert!(most < 5e-3, "case {case} at {rate} rad/s and {step} s: {most}");
    }
}

/// A link on a base that turns steadily keeps T − ω·L (Jacobi's integral).
#[test]
fn a_link_on_a_base_that_turns_fast_keeps_jacobis_integral() {
    let mut random = Random(11);
    let mut all = Vec::new();
    for case in 0..stiction_testing::cases(40, 2000) {
        let mut own = world(ENGINES[case % ENGINES.len()]);
        own.parameters.gravity = DVec3::ZERO;
        let (near, far) = (random.between(0.05, 0.5), random.between(0.05, 0.5));
        let mut vector = || DVec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
        let base = BodyDefinition { kind: BodyKind::Kinematic, ..BodyDefinition::default() };
        let base = own.add_body(&base).unwrap();
        let at = vector().normalize() * near;
        let center = at + vector().normalize() * far;
        let link = add(&mut own, 0.3, DVec3::splat(0.002) + 0.0005 * vector(), Pose::from_position(center));
        let hinge = JointDefinition::new(JointKind::Hinge, Some(link), Some(base)).at(at);
        own.add_joint(hinge.with_axis(0, vector().normalize())).unwrap();
        let turn = vector();
        let rate = 10f64.powf(random.between(0.0, 3.0));
        let turn = rate * turn;
        own.body_mut(base).unwrap().set_omega(turn).unwrap();
        own.body_mut(link).unwrap().set_omega(turn).unwrap();
        own.body_mut(link).unwrap().set_velocity(turn.cross(center)).unwrap();
        let step = [1.0 / 60.0, 1e-3, 1e-4][case % 3];
        let integral = |own: &World| {
            let b = own.body(link).unwrap();
            let inertia = b.world_inertia();
            let l = b.center_of_mass().cross(b.mass() * b.velocity()) + inertia * b.omega();
            let kinetic = 0.5 * b.mass() * b.velocity().length_squared() + 0.5 * b.omega().dot(inertia * b.omega());
            [kinetic - turn.dot(l), kinetic]
        };
        own.step(step);
        let [start, kinetic] = integral(&own);
        let (mut off, mut parts) = (0.0f64, 0);
        for _ in 0..100 {
            own.step(step);
            off = off.max((integral(&own)[0] - start).abs() / kinetic);
            parts = parts.max(own.report().tree_parts);
        }
        println!("{case}: rate {rate:.1e}, step {step:.1e}, {parts} parts, off {off:.1e}");
        all.push(off);
    }
    all.sort_by(f64::total_cmp);
    let [median, most] = [all[all.len() / 2], all[all.len() - 1]];
    assert!(median < 1e-4 && most < 0.5, "median {median}, at most {most}");
}
