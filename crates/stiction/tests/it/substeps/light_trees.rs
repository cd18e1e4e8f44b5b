//! Trees whose links have any inertia, whatever their shapes and masses say, in contact with the ground.

use super::*;
use crate::numbers::Numbers;
use stiction::joints::{AxisParameters, JointDefinition, JointKind};
use stiction::math::DMat3;
use stiction::shape::MassProperties;
use stiction::world::BodyDefinition;

/// Steps, and shares of the energy in play that may be made in them.
const STEPS: [(f64, f64); 3] = [(1.0 / 60.0, 1e-2), (1.0 / 240.0, 1e-3), (1e-3, 1e-3)];

struct Scene {
    world: World,
    step: f64,
    bound: f64,
    /// Weight by size of all links \[J\].
    size: f64,
}

/// A shape, and its size: it is nowhere farther from its centre than √3 times that.
fn shape(random: &mut Numbers) -> (Shape, f64) {
    let size = 0.03 * 10f64.powf(random.next());
    let shape = match (3.0 * random.next()) as usize {
        0 => Shape::cuboid(size * DVec3::new(1.0 + random.next(), 1.0 + random.next(), 1.0 + random.next())),
        1 => Shape::sphere(size),
        _ => Shape::capsule(0.5 * size, size),
    };
    (shape.unwrap(), size)
}

/// Moments of any size over six decades; a mass that goes with them, or any.
fn mass(size: f64, random: &mut Numbers) -> MassProperties {
    let moment = 1e-6 * 1e6f64.powf(random.next());
    let mass = if random.next() < 0.5 { moment / (0.2 * size * size) } else { 1e-3 * 1e5f64.powf(random.next()) };
    let axes = DMat3::from_quat(random.rotation());
    // What is between 1 and 2 are the moments of some body.
    let moments = moment * DVec3::new(1.0 + random.next(), 1.0 + random.next(), 1.0 + random.next());
    let inertia = axes * DMat3::from_diagonal(moments) * axes.transpose();
    MassProperties { mass, center_of_mass: 0.3 * size * random.vector(), inertia }
}

/// Motors and stops on some.
fn law(effort: f64, random: &mut Numbers) -> AxisParameters {
    match (4.0 * random.next()) as usize {
        0 => AxisParameters::default().with_motor(3.0 * random.signed(), effort * random.next()),
        1 => AxisParameters::default().with_stops(-0.5 * random.next(), 0.5 * random.next()),
        _ => AxisParameters::default(),
    }
}

impl Scene {
    fn random(case: usize) -> Self {
        let mut random = Numbers(7919 * case as u64 + 11);
        let (step, bound) = STEPS[case % STEPS.len()];
        let mut world = world();
        add_ground(&mut world, rough(random.next()));
        let (mut last, mut at, mut size) = (None, DVec3::Z * (0.1 + 0.4 * random.next()), 0.0);
        for number in 0..2 + (5.0 * random.next()) as usize {
            let (shape, reach) = shape(&mut random);
            let mass = mass(reach, &mut random);
            size += mass.mass * GRAVITY * reach;
            let place = if number == 0 { at } else { at + reach * random.vector() };
            let pose = Pose::new(place.with_z(place.z.max(1.75 * reach)), random.rotation());
            let id = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
            let surface = rough(random.next());
            world.add_geom(&GeomDefinition { surface, group: 1, ..GeomDefinition::new(shape, Some(id)) }).unwrap();
            // Half of the trees hang on the world.
            if number > 0 || random.next() < 0.3 {
                let kind = [JointKind::Hinge, JointKind::Hinge, JointKind::Ball, JointKind::Slider]
                    [(4.0 * random.next()) as usize];
                let mut joint = JointDefinition::new(kind, Some(id), last).at(at + 0.5 * reach * random.vector());
                joint.axes[0] = random.rotation() * DVec3::X;
                if kind != JointKind::Ball {
                    joint.parameters[0] = law(mass.mass * GRAVITY * reach, &mut random);
                }
                world.add_joint(joint).unwrap();
            }
            if last.is_none() || random.next() < 0.7 {
                (last, at) = (Some(id), pose.position);
            }
        }
        Self { world, step, bound, size }
    }

    /// The largest rise of the energy above the least so far, without what motors give, how much was in play \[J\], and the farthest turn of a link in
    /// a step \[rad\]; `None` where bodies were stopped for having no numbers.
    fn rise(&mut self, time: f64) -> Option<[f64; 3]> {
        self.world.step(self.step);
        let start = energy(&self.world);
        let (mut least, mut rise, mut given, mut play, mut turn) = (start, 0.0f64, 0.0, 0.0f64, 0.0f64);
        for _ in 0..(time / self.step) as usize {
            let report = self.world.step(self.step);
            if !report.quarantined.is_empty() {
                return None;
            }
            given += report.energy.motors;
            play += report.energy.motors.max(0.0);
            let now = energy(&self.world) - given;
            if !now.is_finite() {
                return None;
            }
            let fastest = self.world.body_ids().map(|id| body(&self.world, id).omega().length()).fold(0.0, f64::max);
            turn = turn.max(self.step * fastest);
            rise = rise.max(now - least);
            least = least.min(now);
        }
        Some([rise, play + start - least, turn])
    }
}

/// Cases in which links of no mass to speak of, or such that turn more easily than their shapes allow, were driven around until they had no numbers.
const UNBOUNDED: [usize; 3] = [138, 258, 594];
/// Share of cases that may make more than their bounds: what turns by tenths of a radian in a step, or carries a thousand times its mass, overlaps by
/// centimetres, and rises as it is pushed apart.
const OFTEN: f64 = 0.18;

#[test]
fn trees_of_any_inertia_stay_finite_and_seldom_make_energy() {
    let count = stiction_testing::cases(60, 600);
    let mut faults = 0;
    for case in (0..count).chain(UNBOUNDED) {
        let mut scene = Scene::random(case);
        let Some([rise, play, turn]) = scene.rise(1.5) else { panic!("{case}: bodies have no numbers") };
        let gain = rise / play.max(1e-2 * scene.size);
        println!("{case}: step {:.1e}, turn {turn:.1e} rad: {gain:.1e}", scene.step);
        faults += usize::from(case < count && (gain.is_nan() || gain > scene.bound));
    }
    hold("share of cases that make energy", faults as f64 / count as f64, OFTEN);
}
