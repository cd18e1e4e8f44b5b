//! Degrees of freedom against those of mechanisms that are known: sums of trees, `n − 3` of a planar loop of n hinges, `n − 6` of a
//! spatial one, Grübler's count of parallel robots, none of trusses with bars to spare. Sizes, places and directions are random.

use super::support::Sequence;
use stiction::joints::{JointDefinition, JointKind};
use stiction::math::{DMat3, DQuat, DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, BodyId, JointId, Mimic, World, WorldParameters};
use stiction_testing::cases;

/// A world whose mechanism is scaled, turned and moved.
struct Place {
    world: World,
    scale: f64,
    rotation: DQuat,
    origin: DVec3,
}

impl Place {
    fn new(random: &mut Sequence) -> Self {
        Self {
            world: World::new(WorldParameters::default()),
            scale: libm::exp2(between(random, -6.0, 6.0)),
            rotation: random.rotation(),
            origin: 1e3 * direction(random),
        }
    }

    fn at(&self, p: DVec3) -> DVec3 {
        self.origin + self.scale * (self.rotation * p)
    }

    fn body(&mut self, p: DVec3) -> BodyId {
        let mass = MassProperties { mass: 1.0, center_of_mass: DVec3::ZERO, inertia: DMat3::IDENTITY };
        let pose = Pose::from_position(self.at(p));
        self.world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap()
    }

    fn joint(&mut self, kind: JointKind, ends: [Option<BodyId>; 2], p: DVec3, axes: [DVec3; 2]) -> JointId {
        let [first, second] = ends;
        let (first, second) = if first.is_some() { (first, second) } else { (second, first) };
        let mut definition = JointDefinition::new(kind, first, second).at(self.at(p));
        for (k, axis) in axes.into_iter().enumerate() {
            definition = definition.with_axis(k, self.rotation * axis);
        }
        self.world.add_joint(definition).unwrap()
    }

    /// Links between points, from the environment back to it; hinges about axes at the points.
    fn loop_of(&mut self, points: &[DVec3], axes: &[DVec3]) {
        let n = points.len();
        let links: Vec<BodyId> = points.windows(2).map(|w| self.body(0.5 * (w[0] + w[1]))).collect();
        for k in 0..n {
            let ends = [k.checked_sub(1).map(|k| links[k]), links.get(k).copied()];
            self.joint(JointKind::Hinge, ends, points[k], [axes[k], axes[k].any_orthonormal_vector()]);
        }
    }
}

fn between(random: &mut Sequence, low: f64, high: f64) -> f64 {
    low + 0.5 * (high - low) * (random.next() + 1.0)
}

fn below(random: &mut Sequence, n: usize) -> usize {
    (between(random, 0.0, n as f64) as usize).min(n - 1)
}

fn direction(random: &mut Sequence) -> DVec3 {
    loop {
        let v = random.vector();
        if (0.1..1.0).contains(&v.length()) {
            return v.normalize();
        }
    }
}

/// Corners of a convex polygon that is no parallelogram folded flat.
fn polygon(random: &mut Sequence, n: usize) -> Vec<DVec3> {
    let corner = |k: usize, random: &mut Sequence| {
        let angle = std::f64::consts::TAU * (k as f64 + between(random, -0.2, 0.2)) / n as f64;
        DVec3::new(libm::cos(angle), libm::sin(angle), 0.0) * between(random, 0.8, 1.2)
    };
    (0..n).map(|k| corner(k, random)).collect()
}

#[test]
fn a_planar_loop_of_n_hinges_has_n_minus_three() {
    let mut random = Sequence(401);
    for case in 0..cases(60, 3000) {
        let n = 3 + case % 6;
        let mut place = Place::new(&mut random);
        let points = polygon(&mut random, n);
        // Parallel up to rounding of files; an exact rank would have 3 more rows.
        let tilt = [0.0, 1e-9, 1e-7][case % 3];
        let axes: Vec<DVec3> = points.iter().map(|_| (DVec3::Z + tilt * direction(&mut random)).normalize()).collect();
        place.loop_of(&points, &axes);
        assert_eq!(place.world.degrees_of_freedom(), n - 3, "case {case}: {n} hinges, scale {}", place.scale);
    }
}

#[test]
fn a_spatial_loop_of_n_hinges_has_n_minus_six() {
    let mut random = Sequence(402);
    for case in 0..cases(60, 3000) {
        let n = 4 + case % 6;
        let mut place = Place::new(&mut random);
        let points: Vec<DVec3> = (0..n).map(|_| direction(&mut random) * between(&mut random, 0.5, 1.5)).collect();
        let axes: Vec<DVec3> = (0..n).map(|_| direction(&mut random)).collect();
        place.loop_of(&points, &axes);
        assert_eq!(place.world.degrees_of_freedom(), n.saturating_sub(6), "case {case}: {n} hinges");
    }
}

#[test]
fn trees_have_the_sum_of_their_joints() {
    let mut random = Sequence(403);
    for case in 0..cases(60, 3000) {
        let mut place = Place::new(&mut random);
        let mut bodies: Vec<Option<BodyId>> = vec![None];
        let mut expected = 0;
        let mut hinges = Vec::new();
        for _ in 0..1 + below(&mut random, 30) {
            let p = 2.0 * direction(&mut random);
            let body = place.body(p);
            let parent = bodies[below(&mut random, bodies.len())];
            let axis = direction(&mut random);
            let axes = [axis, axis.any_orthonormal_vector()];
            let kinds = [
                (Some(JointKind::Hinge), 1),
                (Some(JointKind::Slider), 1),
                (Some(JointKind::Ball), 3),
                (Some(JointKind::Universal), 2),
                (Some(JointKind::Fixed), 0),
                (Some(JointKind::Screw { pitch: 0.01 }), 1),
                (None, 6),
            ];
            let (kind, own) = kinds[below(&mut random, kinds.len())];
            if let Some(kind) = kind {
                let is_hinge = kind == JointKind::Hinge;
                let joint = place.joint(kind, [Some(body), parent], p + 0.5 * direction(&mut random), axes);
                if is_hinge {
                    hinges.push(joint);
                }
            }
            expected += own;
            bodies.push(Some(body));
        }
        // Every follower takes one.
        for pair in hinges.windows(2) {
            let [leader, follower] = [(pair[0], 0), (pair[1], 0)];
            let multiplier = between(&mut random, -2.0, 2.0);
            place.world.add_mimic(Mimic { follower, leader, multiplier, offset: 0.0, reference: 0.0 }).unwrap();
            expected -= 1;
        }
        assert_eq!(place.world.degrees_of_freedom(), expected, "case {case}");
    }
}

/// A Delta robot whose rods have a universal joint at one end and a ball at the other moves its platform in three directions; with
/// balls at both ends each of the six rods turns about itself, too. A hexapod of universal joint, slider and ball has six.
#[test]
fn parallel_robots_have_their_mobility() {
    let mut random = Sequence(404);
    for _ in 0..cases(20, 500) {
        for (kind, expected) in [(JointKind::Universal, 3), (JointKind::Ball, 9)] {
            let mut place = Place::new(&mut random);
            let platform = place.body(DVec3::new(0.0, 0.0, -1.0));
            for arm in 0..3 {
                let turned = DQuat::from_rotation_z(arm as f64 * std::f64::consts::TAU / 3.0);
                let on = |x, y, z| turned * DVec3::new(x, y, z);
                let elbow = on(0.9, 0.0, between(&mut random, -0.3, -0.1));
                let upper = place.body(0.5 * (on(0.4, 0.0, 0.0) + elbow));
                place.joint(
                    JointKind::Hinge,
                    [Some(upper), None],
                    on(0.4, 0.0, 0.0),
                    [on(0.0, 1.0, 0.0), on(1.0, 0.0, 0.0)],
                );
                for side in [-0.1, 0.1] {
                    let (from, to) = (elbow + on(0.0, side, 0.0), on(0.2, side, -1.0));
                    let rod = place.body(0.5 * (from + to));
                    // Neither axis along the rod.
                    let axes = [on(0.0, 1.0, 0.0), (to - from).cross(on(0.0, 1.0, 0.0)).normalize()];
                    place.joint(kind, [Some(rod), Some(upper)], from, axes);
                    place.joint(JointKind::Ball, [Some(rod), Some(platform)], to, axes);
                }
            }
            assert_eq!(place.world.degrees_of_freedom(), expected);
        }
        let mut place = Place::new(&mut random);
        let platform = place.body(DVec3::Z);
        for leg in 0..6 {
            let angle = leg as f64 + between(&mut random, -0.2, 0.2);
            let from = DVec3::new(libm::cos(angle), libm::sin(angle), 0.0);
            let to = 0.6 * DVec3::new(libm::cos(angle + 0.5), libm::sin(angle + 0.5), 0.0) + DVec3::Z;
            let along = (to - from).normalize();
            let [lower, upper] = [0.25, 0.75].map(|s| place.body(from.lerp(to, s)));
            let across = along.any_orthonormal_pair();
            place.joint(JointKind::Universal, [Some(lower), None], from, [across.0, across.1]);
            place.joint(JointKind::Slider, [Some(upper), Some(lower)], from, [along, across.0]);
            place.joint(JointKind::Ball, [Some(upper), Some(platform)], to, [along, across.0]);
        }
        assert_eq!(place.world.degrees_of_freedom(), 6);
    }
}

/// Bars on pins between two fixed and a free node stand still; a third bar to the node is one too many, and changes nothing. Two equal
/// hinges of a door leave what one leaves, and wheels in gear turn together.
#[test]
fn what_repeats_takes_nothing() {
    let mut random = Sequence(405);
    for _ in 0..cases(20, 500) {
        for bars in [2, 3, 4] {
            let mut place = Place::new(&mut random);
            let node = DVec3::new(between(&mut random, -0.5, 0.5), 1.0, 0.0);
            let axes = [DVec3::Z, DVec3::X];
            let feet: Vec<DVec3> =
                (0..bars).map(|k| DVec3::new(-1.0 + 2.0 * k as f64 / (bars - 1) as f64, 0.0, 0.0)).collect();
            let links: Vec<BodyId> = feet.iter().map(|foot| place.body(0.5 * (*foot + node))).collect();
            for (link, foot) in links.iter().zip(&feet) {
                place.joint(JointKind::Hinge, [Some(*link), None], *foot, axes);
            }
            for link in &links[1..] {
                place.joint(JointKind::Hinge, [Some(*link), Some(links[0])], node, axes);
            }
            assert_eq!(place.world.degrees_of_freedom(), 0, "{bars} bars");
        }
        let mut place = Place::new(&mut random);
        let door = place.body(DVec3::X);
        for height in [0.0, 0.7, 1.5] {
            place.joint(JointKind::Hinge, [Some(door), None], DVec3::Z * height, [DVec3::Z, DVec3::X]);
        }
        let wheels = [place.body(DVec3::Y), place.body(2.0 * DVec3::Y)];
        for (wheel, at) in wheels.into_iter().zip([1.0, 2.0]) {
            place.joint(JointKind::Hinge, [Some(wheel), None], DVec3::Y * at, [DVec3::Z, DVec3::X]);
        }
        assert_eq!(place.world.degrees_of_freedom(), 3);
        let axes = [place.rotation * DVec3::Z; 3];
        let gears = JointDefinition::new(
            JointKind::Gearbox { ratio: between(&mut random, 0.2, 5.0) },
            Some(wheels[0]),
            Some(wheels[1]),
        );
        place.world.add_joint(JointDefinition { axes, ..gears }).unwrap();
        assert_eq!(place.world.degrees_of_freedom(), 2);
    }
}
