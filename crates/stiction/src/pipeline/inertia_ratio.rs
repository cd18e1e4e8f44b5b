//! Inertias of the two bodies of a hinge, made less unequal: Gazebo's `use_dynamic_moi_rescaling`.
//!
//! About each of the two axes that a hinge holds, where the larger moment is more than r = 200 times the smaller,
//! `(I₁ − r I₂)/(r + 1)` goes from the larger to the smaller, after which they are r to 1. Torques and impulses of the step act on
//! these inertias, so that sweeps converge; the pair as a whole keeps its moment about the hinge, each body alone does not.

use glam::{DMat3, DVec3};

use super::views::BodyView;
use crate::base::Arena;
use crate::dynamics::rigid::Whitening;
use crate::joints::{Joint, JointKind};
use crate::model::{Bodies, State, WorldParameters, joint_pose};

/// Largest ratio of moments.
const RATIO: f64 = 200.0;

/// Rescales the inertias of the loose bodies of hinges, joint by joint.
pub(super) fn rescale(
    parameters: &WorldParameters,
    bodies: &Bodies,
    joints: &Arena<Joint>,
    state: &State,
    views: &mut [BodyView],
) {
    if !parameters.inertia_rescaling {
        return;
    }
    for (_, joint) in joints.iter().filter(|(_, joint)| matches!(joint.definition.kind, JointKind::Hinge)) {
        let [Some(first), Some(second)] = joint.definition.bodies else { continue };
        let slots = [first.slot(), second.slot()];
        let [Some(a), Some(b)] = slots.map(|slot| views[slot].whitening) else { continue };
        let axis = joint_pose(joint, &state.bodies).axis(0, 0);
        let (p, q) = axis.any_orthonormal_pair();
        let mut inertias = [a.inertia(), b.inertia()];
        let before = inertias;
        for held in [p, q] {
            share(&mut inertias, held);
        }
        for (k, slot) in slots.into_iter().enumerate().filter(|(k, _)| inertias[*k] != before[*k]) {
            let Some(body) = bodies.at(slot) else { continue };
            let view = &mut views[slot];
            view.whitening = Some(Whitening::of_inertia(body.mass.mass, inertias[k]));
            let motion = &state.bodies[slot].motion;
            let free = motion.rotation * (body.mass.axes * view.spin.after);
            let impulse = body.mass.whitening(motion.rotation).inertia() * (free - motion.omega);
            view.rescaled = Some(motion.omega + inertias[k].inverse() * impulse);
        }
    }
}

/// Moves what is too much of the moment about an axis from one inertia to the other, unless that would leave an inertia that is
/// not diagonally dominant.
fn share(inertias: &mut [DMat3; 2], axis: DVec3) {
    let moments = inertias.map(|inertia| axis.dot(inertia * axis));
    let large = usize::from(moments[1] > moments[0]);
    let excess = (moments[large] - RATIO * moments[1 - large]) / (RATIO + 1.0);
    if excess <= 0.0 {
        return;
    }
    let moved = excess * DMat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z);
    let rest = inertias[large] - moved;
    if is_dominant(&rest) {
        inertias[large] = rest;
        inertias[1 - large] += moved;
    }
}

/// Each diagonal element is at least the sum of the others in its row.
fn is_dominant(m: &DMat3) -> bool {
    (0..3).all(|i| {
        let row = m.row(i).to_array();
        row[i] >= (0..3).filter(|j| *j != i).map(|j| row[j].abs()).sum()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unequal_moments_become_two_hundred_to_one_and_keep_their_sum() {
        let mut inertias =
            [DMat3::from_diagonal(DVec3::new(1e-3, 1e-3, 1e-3)), DMat3::from_diagonal(DVec3::splat(10.0))];
        share(&mut inertias, DVec3::X);
        let [small, large] = [0, 1].map(|i| inertias[i].x_axis.x);
        assert!((large / small - RATIO).abs() < 1e-9 && (large + small - 10.001).abs() < 1e-12);
        assert_eq!(inertias.map(|i| i.y_axis.y), [1e-3, 10.0]);
    }

    #[test]
    fn equal_moments_stay() {
        let mut inertias = [DMat3::IDENTITY, DMat3::from_diagonal(DVec3::splat(200.0))];
        let before = inertias;
        share(&mut inertias, DVec3::new(0.6, 0.8, 0.0));
        assert_eq!(inertias, before);
    }

    #[test]
    fn what_would_not_be_dominant_stays() {
        let slanted = DMat3::from_cols_array(&[10.0, 9.99, 0.0, 9.99, 10.0, 0.0, 0.0, 0.0, 10.0]);
        let mut inertias = [DMat3::from_diagonal(DVec3::splat(1e-3)), slanted];
        share(&mut inertias, DVec3::X);
        assert_eq!(inertias[1], slanted);
    }
}
