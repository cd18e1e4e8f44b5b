//! Bodies that turn far more easily than they move: contacts turn them all in nearly the same ways.

use super::solids::Solid;
use super::*;
use crate::numbers::Numbers;
use stiction::math::DMat3;
use stiction::shape::MassProperties;
use stiction::world::BodyDefinition;

const STEPS: [f64; 3] = [1.0 / 240.0, 1.0 / 500.0, 1.0 / 1000.0];

/// Kinds of [`Solid::random`]: a box, a capsule, a cylinder and a hull.
const KINDS: [usize; 4] = [0, 2, 3, 4];

/// Moments of a body by `m r²`, for its farthest point at r from the centre of its shape.
fn light(mass: f64, reach: f64, share: f64, random: &mut Numbers) -> DMat3 {
    let axes = DMat3::from_quat(random.rotation());
    // What is between 1 and 2 are the moments of some body.
    let moments = DVec3::new(1.0 + random.next(), 1.0 + random.next(), 1.0 + random.next());
    axes * DMat3::from_diagonal(share * mass * reach * reach * moments) * axes.transpose()
}

/// One or two bodies that begin on the ground, on each other, or above: on faces, edges and corners, with centres of mass off those of their
/// shapes.
struct Scene {
    world: World,
    step: f64,
    /// Moments by `m r²`.
    share: f64,
    /// Weight by size of all bodies [J].
    size: f64,
}

impl Scene {
    fn random(case: usize) -> Self {
        let mut random = Numbers(6007 * case as u64 + 29);
        let step = STEPS[case % 3];
        let share = 1e-4f64.powf(random.next());
        let mut world = world();
        let surface = rough(2.0 * random.next());
        add_ground(&mut world, surface);
        let (mut height, mut size) = (0.0, 0.0);
        let lightest = 0.1 * 1e4f64.powf(random.next());
        for _ in 0..1 + usize::from(case % 4 == 3) {
            let kind = KINDS[(4.0 * random.next()) as usize];
            let solid = Solid::random(kind, 0.1 + 0.9 * random.next(), &mut random);
            let mass = lightest * 10f64.powf(random.next());
            let center_of_mass = 0.4 * solid.reach * random.vector();
            let inertia = light(mass, solid.reach, share, &mut random);
            let quarter = DQuat::from_rotation_x(0.5 * std::f64::consts::PI);
            let rotation = match (4.0 * random.next()) as usize {
                0 => DQuat::IDENTITY,
                1 => quarter,
                2 => DQuat::from_rotation_x(0.5 * random.signed()),
                _ => random.rotation(),
            };
            let mut pose = Pose { position: DVec3::ZERO, rotation };
            let above = if random.next() < 0.5 { 0.0 } else { 0.3 * random.next() };
            pose.position.z = height + above + solid.below(&pose, DVec3::Z, 0.0);
            height = solid.below(&pose, DVec3::NEG_Z, 0.0);
            let mass = MassProperties { mass, center_of_mass, inertia };
            size += mass.mass * GRAVITY * solid.reach;
            let id = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
            world.add_geom(&GeomDefinition { surface, ..GeomDefinition::new(solid.shape.clone(), Some(id)) }).unwrap();
        }
        Self { world, step, share, size }
    }

    /// The largest rise of the energy above the least so far, and how much was in play [J].
    fn rise(&mut self, time: f64) -> [f64; 2] {
        let start = energy(&self.world);
        let (mut least, mut rise) = (start, 0.0f64);
        let mut lowest = f64::INFINITY;
        for _ in 0..(time / self.step) as usize {
            let report = self.world.step(self.step);
            assert!(report.quarantined.is_empty());
            let now = energy(&self.world);
            rise = rise.max(now - least);
            least = least.min(now);
            let height = |id| body(&self.world, id).mass() * GRAVITY * body(&self.world, id).center_of_mass().z;
            lowest = lowest.min(self.world.body_ids().map(height).sum());
        }
        [rise, start - lowest]
    }
}

/// What rests is judged by what it had in falling a hundredth of its size.
#[test]
fn bodies_that_turn_easily_make_no_energy() {
    let mut gains: Vec<f64> = Vec::new();
    for case in 0..stiction_testing::cases(60, 4000) {
        let mut scene = Scene::random(case);
        let [rise, play] = scene.rise(1.0);
        let gain = rise / play.max(1e-2 * scene.size);
        let Scene { step, share, .. } = scene;
        println!("{case}: step {step:.1e} moments {share:.1e} m r²: {gain:.1e}, {rise:.1e} of {play:.1e} J");
        gains.push(gain);
    }
    gains.sort_by(f64::total_cmp);
    hold("energy that the middle one of them makes", gains[gains.len() / 2], 2e-4);
    hold("energy that four of five make at most", gains[gains.len() * 4 / 5], 1e-3);
    // Overlaps come up that new points of a rim or an edge find, as of bodies that turn like solids.
    hold_for_now("energy that any of them makes", gains[gains.len() - 1], 0.05, 1e-3);
}

/// That of Gazebo's `max_vel_test`: 10 t with moments of 1 kg m², a cube that rests on a face, with the centre of mass 5 cm from its edge. No
/// overlap is parted.
#[test]
fn a_heavy_cube_that_turns_easily_rests() {
    for step in STEPS {
        for substeps in [1, 2, 3, 4, 6, 8] {
            let mut world = world();
            world.parameters.substeps = substeps;
            let surface = Surface { max_correcting_velocity: Some(0.0), ..rough(100.0) };
            add_ground(&mut world, surface);
            let mass = MassProperties { mass: 1e4, center_of_mass: DVec3::X * 0.45, inertia: DMat3::IDENTITY };
            let pose = Pose::from_position(DVec3::Z * 0.5);
            let id = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
            attach(&mut world, Shape::cuboid(DVec3::ONE).unwrap(), Some(id), DVec3::ZERO, surface);
            let start = energy(&world);
            let (mut least, mut rise) = (start, 0.0f64);
            for _ in 0..(1.0 / step) as usize {
                world.step(step);
                rise = rise.max(energy(&world) - least);
                least = least.min(energy(&world));
            }
            println!("step {step:.1e}, {substeps} sub-steps");
            hold("energy above the least so far, by the weight [m]", rise / (1e4 * GRAVITY), 1e-6);
            hold("speed at the end [m/s]", body(&world, id).velocity().length(), 1e-3);
            hold("sinking [m]", 0.5 - at(&world, id).z, 1e-4);
        }
    }
}

/// Forces that are reported, times the step, are the change of momentum.
#[test]
fn reported_forces_are_the_change_of_momentum() {
    let mut worst = 0.0f64;
    for case in 0..stiction_testing::cases(60, 4000) {
        let mut scene = Scene::random(case);
        let step = scene.step;
        let momentum = |world: &World| -> DVec3 {
            world.body_ids().map(|id| body(world, id).mass() * body(world, id).velocity()).sum()
        };
        let mass: f64 = scene.world.body_ids().map(|id| body(&scene.world, id).mass()).sum();
        let (mut largest, mut off) = (mass * GRAVITY * step, 0.0f64);
        for _ in 0..(0.5 / step) as usize {
            let before = momentum(&scene.world);
            scene.world.step(step);
            let of_ground = scene.world.contact_reports().iter().filter(|report| report.bodies.contains(&None));
            let force: DVec3 =
                of_ground.map(|report| if report.bodies[0].is_some() { report.force } else { -report.force }).sum();
            let gained = momentum(&scene.world) - before + step * mass * GRAVITY * DVec3::Z;
            largest = largest.max(gained.length());
            off = off.max((step * force - gained).length());
        }
        println!("{case}: {:.1e}", off / largest);
        worst = worst.max(off / largest);
    }
    hold("change of momentum that is not reported, by the largest", worst, 1e-6);
}
