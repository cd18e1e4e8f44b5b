//! Energy and momentum of a world.

use glam::DVec3;

use super::{BodyKind, Energy, World};
use crate::model::energy_of;

impl World {
    /// Mechanical energy of all dynamic bodies and joint springs.
    #[must_use]
    pub fn energy(&self) -> Energy {
        energy_of(&self.parameters, &self.bodies, &self.joints, &self.state)
    }

    /// Linear momentum \[kg m/s\], and angular momentum about the world's origin \[kg m²/s\], of all dynamic bodies.
    #[must_use]
    pub fn momentum(&self) -> (DVec3, DVec3) {
        let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
        for (id, body) in self.bodies.iter() {
            if body.kind == BodyKind::Dynamic {
                let m = &self.state.bodies[id.slot()].motion;
                let p = body.mass.mass * m.velocity;
                linear += p;
                if let Some(body) = self.body(id) {
                    angular += m.position.cross(p) + body.angular_momentum();
                }
            }
        }
        (linear, angular)
    }
}
