//! What a wrench on a link does to its motion, with all that joints hold to it.

use stiction::dynamics::tree::{Factor, ForceVector, Kinematics};
use stiction::math::DVec3;
use stiction::world::BodyId;

use super::super::Simulation;

/// `A = J M⁻¹ Jᵀ` of a body: the change of its angular velocity and of the velocity of its centre of mass by a unit impulse,
/// moments first, in world axes. A wing that a joint holds to a heavy body answers as that body does. Joints that close loops
/// are left out, which shows more motion than there is.
pub(super) struct Compliance {
    matrix: [[f64; 6]; 6],
    pub(super) center: DVec3,
}

impl Compliance {
    pub(super) fn new(simulation: &Simulation, id: BodyId) -> Option<Self> {
        let body = simulation.world.body(id)?;
        let center = body.center_of_mass();
        if let Some(matrix) = (!body.joints().is_empty()).then(|| Self::held(simulation, id, center)).flatten() {
            return Some(Self { matrix, center });
        }
        let inverse = body.world_inertia().inverse();
        let mut matrix = [[0.0; 6]; 6];
        for i in 0..3 {
            (0..3).for_each(|j| matrix[i][j] = inverse.col(j)[i]);
            matrix[3 + i][3 + i] = 1.0 / body.mass();
        }
        Some(Self { matrix, center })
    }

    /// Of a link of a tree: `YᵀY` with `Y = L⁻ᵀ Jᵀ` of the articulated-body factor `M = LᵀL`.
    fn held(simulation: &Simulation, id: BodyId, center: DVec3) -> Option<[[f64; 6]; 6]> {
        let model = simulation.world.articulated_model(id)?;
        let link = model.bodies.iter().position(|body| *body == id)?;
        let (mut kin, mut factor) = (Kinematics::default(), Factor::default());
        model.tree.positions(&model.q, &model.base_pose, center, &mut kin);
        model.tree.factor(&kin, &[], &mut factor).ok()?;
        let unit = |k: usize| ForceVector(std::array::from_fn(|i| f64::from(u8::from(i == k))));
        let mut matrix = [[0.0; 6]; 6];
        model.tree.whiten_wrenches(&factor, link, std::array::from_fn::<_, 6, _>(unit), |_, y| {
            for (row, a) in matrix.iter_mut().zip(y) {
                row.iter_mut().zip(y).for_each(|(entry, b)| *entry += a * b);
            }
        });
        Some(matrix)
    }

    /// Change of the angular velocity, and of the velocity of the centre of mass, by an impulse about that centre.
    pub(super) fn answer(&self, moment: DVec3, force: DVec3) -> (DVec3, DVec3) {
        let impulse = [moment.x, moment.y, moment.z, force.x, force.y, force.z];
        let row = |i: usize| self.matrix[i].iter().zip(&impulse).map(|(a, b)| a * b).sum::<f64>();
        (DVec3::new(row(0), row(1), row(2)), DVec3::new(row(3), row(4), row(5)))
    }
}
