//! How fast links swing under what pulls on them.
//!
//! A body whose joints pull at arms rⱼ from its centre with forces Fⱼ turns back when it is turned away, at an angular frequency of at most
//! `ω² = Σ rⱼ Fⱼ / I`, with its moment of inertia I across the arm: of a light link that carries much it is far above that of any pendulum. Forces
//! that are taken at the ends of a step, as in the leapfrog rule, follow it while `ω h < 2`.

use glam::{DMat3, DQuat, DVec3};

use super::kinematics::Kinematics;
use super::spatial::ForceVector;
use super::structure::{Joint, Tree};

/// Arms by moments of inertia of a tree. Links that a joint without freedom holds together are one body.
#[derive(Clone, Debug, Default)]
pub(crate) struct TensionRates {
    pulls: Vec<Pull>,
    /// By body: work space of a sum.
    sums: Vec<f64>,
    /// Most of `Σ rⱼ mⱼ / I`, with the mass mⱼ that hangs on a joint \[1/m\], and of `Σ rⱼ / I` \[1/(kg m)\].
    by_acceleration: f64,
    by_force: f64,
}

/// A joint that can pull on one of its bodies.
#[derive(Clone, Copy, Debug)]
struct Pull {
    /// Link that the joint carries.
    link: u32,
    body: u32,
    /// It pulls on what carries the link, not on the link.
    is_above: bool,
    /// `r / I` \[1/(kg m)\].
    by_force: f64,
}

/// Links that move as one.
#[derive(Clone, Copy, Debug)]
struct Welded {
    mass: f64,
    first_moment: DVec3,
    /// About the origin of the first of the links.
    inertia: DMat3,
}

/// Place of a link in its body, which is none where the base holds it.
#[derive(Clone, Copy)]
struct Place {
    body: Option<usize>,
    rotation: DQuat,
    position: DVec3,
}

impl TensionRates {
    pub(crate) fn new(tree: &Tree) -> Self {
        let (mut welded, mut places): (Vec<Welded>, Vec<Place>) = (Vec::new(), Vec::new());
        for link in &tree.links {
            let parent = (link.parent as usize).checked_sub(1).map(|parent| places[parent]);
            let place = match (link.joint, parent) {
                (Joint::Fixed, Some(parent)) => Place {
                    rotation: parent.rotation * link.rest,
                    position: parent.position + parent.rotation * (link.parent_anchor - link.rest * link.child_anchor),
                    ..parent
                },
                (Joint::Fixed, None) => Place { body: None, rotation: DQuat::IDENTITY, position: DVec3::ZERO },
                _ => {
                    welded.push(Welded::NONE);
                    Place { body: Some(welded.len() - 1), rotation: DQuat::IDENTITY, position: DVec3::ZERO }
                }
            };
            if let Some(body) = place.body {
                let axes = DMat3::from_quat(place.rotation) * link.principal_axes;
                let own = axes * DMat3::from_diagonal(link.moments) * axes.transpose();
                welded[body].add(link.mass, place.position + place.rotation * link.center, own);
            }
            places.push(place);
        }
        let mut own = Self { sums: vec![0.0; welded.len()], ..Self::default() };
        for (number, link) in tree.links.iter().enumerate() {
            if matches!(link.joint, Joint::Fixed | Joint::Free) {
                continue;
            }
            let above = (link.parent as usize).checked_sub(1).map(|parent| (places[parent], link.parent_anchor, true));
            for (place, anchor, is_above) in above.into_iter().chain([(places[number], link.child_anchor, false)]) {
                let Some(body) = place.body else { continue };
                let by_force = welded[body].arm_by_moment(place.position + place.rotation * anchor);
                if by_force > 0.0 {
                    own.pulls.push(Pull { link: number as u32, body: body as u32, is_above, by_force });
                }
            }
        }
        let carried = carried(tree);
        own.by_force = own.most(|_| 1.0);
        own.by_acceleration = own.most(|link| carried[link]);
        own
    }

    /// Link whose joint pulls, whether it pulls on what carries the link or on the link, and `r / I` there \[1/(kg m)\].
    pub(crate) fn pulls(&self) -> impl Iterator<Item = (usize, bool, f64)> {
        self.pulls.iter().map(|pull| (pull.link as usize, pull.is_above, pull.by_force))
    }

    /// The largest ω² \[1/s²\] that accelerations of the bodies \[m/s²\] and forces from outside \[N\] may cause.
    pub(crate) fn estimate(&self, acceleration: f64, force: f64) -> f64 {
        self.by_acceleration * acceleration + self.by_force * force
    }

    /// The largest ω² \[1/s²\] with what joints transmit.
    pub(crate) fn largest(&mut self, reactions: &[ForceVector]) -> f64 {
        self.most(|link| reactions[link].linear().length())
    }

    /// Largest sum of a body, with the force across the joint of a link.
    fn most(&mut self, force: impl Fn(usize) -> f64) -> f64 {
        self.sums.fill(0.0);
        for pull in &self.pulls {
            self.sums[pull.body as usize] += pull.by_force * force(pull.link as usize);
        }
        self.sums.iter().fold(0.0, |most, sum| sum.max(most))
    }
}

impl Welded {
    const NONE: Self = Self { mass: 0.0, first_moment: DVec3::ZERO, inertia: DMat3::ZERO };

    fn add(&mut self, mass: f64, center: DVec3, inertia: DMat3) {
        self.mass += mass;
        self.first_moment += mass * center;
        self.inertia += inertia + mass * offset_inertia(center);
    }

    /// Distance of a point from the centre over the least moment of inertia about an axis across it; 0 where there is none.
    fn arm_by_moment(&self, point: DVec3) -> f64 {
        if self.mass <= 0.0 {
            return 0.0;
        }
        let center = self.first_moment / self.mass;
        let (arm, inertia) = (point - center, self.inertia - self.mass * offset_inertia(center));
        let length = arm.length();
        if length <= 0.0 {
            return 0.0;
        }
        let (x, y) = (arm / length).any_orthonormal_pair();
        let [xx, yy, xy] = [x.dot(inertia * x), y.dot(inertia * y), x.dot(inertia * y)];
        let least = 0.5 * (xx + yy) - (0.25 * (xx - yy) * (xx - yy) + xy * xy).sqrt();
        if least > 0.0 { length / least } else { 0.0 }
    }
}

/// Of a unit mass at a place, about the origin.
fn offset_inertia(at: DVec3) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(at.length_squared())) - DMat3::from_cols(at * at.x, at * at.y, at * at.z)
}

/// Mass \[kg\] on the lighter side of the joint of each link; beyond it where a base carries the tree.
fn carried(tree: &Tree) -> Vec<f64> {
    let mut masses: Vec<f64> = tree.links.iter().map(|link| link.mass).collect();
    for (index, link) in tree.links.iter().enumerate().rev() {
        if let Some(parent) = (link.parent as usize).checked_sub(1) {
            masses[parent] += masses[index];
        }
    }
    let mut totals = vec![f64::INFINITY; masses.len()];
    for (index, link) in tree.links.iter().enumerate() {
        totals[index] = match (link.joint, (link.parent as usize).checked_sub(1)) {
            (Joint::Free, _) => masses[index],
            (_, Some(parent)) => totals[parent],
            (_, None) => f64::INFINITY,
        };
    }
    masses.iter().zip(totals).map(|(beyond, total)| beyond.min(total - beyond)).collect()
}

impl Tree {
    /// Most by which velocities accelerate the centres of the links where no joint does \[m/s²\].
    pub(crate) fn largest_centripetal(&self, kin: &Kinematics) -> f64 {
        let mut most = 0.0f64;
        for (index, link) in self.links.iter().enumerate() {
            let at = kin.poses[index + 1].position - kin.origin + kin.rotations[index + 1] * link.center;
            let (twist, bias) = (&kin.twists[index + 1], &kin.bias_accelerations[index + 1]);
            most = most.max((bias.point(at) + twist.angular().cross(twist.point(at))).length_squared());
        }
        most.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::tree::{LinkDefinition, Mobility};
    use crate::math::Pose;
    use crate::shape::MassProperties;

    fn link(parent: Option<usize>, mobility: Mobility, anchor: DVec3, mass: f64, moments: DVec3) -> LinkDefinition {
        let inertia = DMat3::from_diagonal(moments);
        let mass = MassProperties { mass, center_of_mass: DVec3::NEG_Z * 0.1, inertia };
        let parent_frame = Pose::from_position(anchor);
        LinkDefinition { parent, mobility, parent_frame, child_frame: Pose::IDENTITY, mass }
    }

    /// A rod with its centre 0.1 m below its hinge, and a ball joint 0.2 m below that, from which a load hangs.
    #[test]
    fn a_rod_with_a_load_is_pulled_at_both_ends() {
        let rod = link(None, Mobility::Revolute { axis: DVec3::Y }, DVec3::ZERO, 0.1, DVec3::new(4e-4, 5e-4, 1e-5));
        let load = link(Some(0), Mobility::Ball, DVec3::NEG_Z * 0.2, 50.0, DVec3::splat(2.0));
        let mut rates = TensionRates::new(&Tree::new(&[rod, load]).unwrap());
        let forces = [501.0, 500.0].map(|force| ForceVector::new(DVec3::X, DVec3::Z * force));
        let exact = 0.1 * (501.0 + 500.0) / 4e-4;
        assert!((rates.largest(&forces) / exact - 1.0).abs() < 1e-12, "{}", rates.largest(&forces));
        let estimate = rates.estimate(10.0, 0.0);
        assert!((estimate / exact - 1.0).abs() < 1e-12, "{estimate}");
    }

    /// The load is one body with the rod, and nothing pulls that beyond its weight.
    #[test]
    fn a_load_without_a_joint_of_its_own_is_part_of_the_rod() {
        let rod = link(None, Mobility::Ball, DVec3::ZERO, 0.1, DVec3::new(4e-4, 5e-4, 1e-5));
        let load = link(Some(0), Mobility::Fixed, DVec3::NEG_Z * 0.2, 50.0, DVec3::splat(2.0));
        let mut rates = TensionRates::new(&Tree::new(&[rod, load]).unwrap());
        let center: f64 = (0.1 * 0.1 + 50.0 * 0.3) / 50.1;
        let inertia = 2.0 + 4e-4 + 0.1 * (center - 0.1).powi(2) + 50.0 * (0.3 - center).powi(2);
        let exact = 501.0 * center / inertia;
        let found = rates.largest(&[ForceVector::new(DVec3::ZERO, DVec3::Z * 501.0), ForceVector::ZERO]);
        assert!((found / exact - 1.0).abs() < 1e-12, "{found} {exact}");
    }

    /// Of a tree that floats the lighter side of a joint counts.
    #[test]
    fn what_floats_is_pulled_by_its_lighter_side() {
        let root = link(None, Mobility::Free, DVec3::ZERO, 50.0, DVec3::splat(2.0));
        let rod = link(Some(0), Mobility::Ball, DVec3::NEG_Z * 0.1, 0.1, DVec3::new(4e-4, 5e-4, 1e-5));
        let rates = TensionRates::new(&Tree::new(&[root, rod]).unwrap());
        assert!((rates.estimate(10.0, 0.0) / (0.1 * 1.0 / 4e-4) - 1.0).abs() < 1e-12);
    }
}
