//! Models whose velocity is set before each step (`VelocityControl`, `planar_move`).

use stiction::math::DVec3;
use stiction::world::BodyId;

use super::super::Simulation;
use super::axis::Part;
use super::{Acts, InputKind, Visit};
use crate::plugins::VelocityControlDescription;

/// A model with a twist. Its joints keep their rates: all bodies change by the rigid motion that its root needs.
#[derive(Clone)]
pub(super) struct ModelVelocity {
    model: String,
    root: Option<Part>,
    bodies: Vec<BodyId>,
    is_planar: bool,
    twist: [f64; 6],
    is_commanded: bool,
}

impl ModelVelocity {
    pub(super) fn new(
        simulation: &Simulation,
        model: &str,
        control: &VelocityControlDescription,
        bodies: Vec<BodyId>,
    ) -> Self {
        let [v, w] = [control.linear, control.angular];
        Self {
            model: model.to_owned(),
            root: Part::new(simulation, control.link),
            bodies,
            is_planar: control.is_planar,
            twist: [v.x, v.y, v.z, w.x, w.y, w.z],
            is_commanded: !control.is_planar,
        }
    }
}

impl Acts for ModelVelocity {
    fn before(&mut self, simulation: &mut Simulation, _step: f64) {
        let Some(root) = self.root.filter(|_| self.is_commanded) else { return };
        let [vx, vy, vz, wx, wy, wz] = self.twist;
        let pose = root.pose(simulation);
        let (velocity, omega) = root.velocity(simulation);
        let (linear, angular) = if self.is_planar {
            let yaw = pose.rpy().z;
            let (sin, cos) = (libm::sin(yaw), libm::cos(yaw));
            (DVec3::new(vx * cos - vy * sin, vx * sin + vy * cos, 0.0), DVec3::new(0.0, 0.0, wz))
        } else {
            (pose.rotation * DVec3::new(vx, vy, vz), pose.rotation * DVec3::new(wx, wy, wz))
        };
        let (dv, dw) = (linear - velocity, angular - omega);
        if dv == DVec3::ZERO && dw == DVec3::ZERO {
            return;
        }
        let before = simulation.world.energy().kinetic;
        for body in &self.bodies {
            let Some(mut body) = simulation.world.body_mut(*body) else { continue };
            let (v, w, x) = (body.as_ref().velocity(), body.as_ref().omega(), body.as_ref().center_of_mass());
            // Finite by what was checked of commands and of the state.
            let _ = body.set_velocity(v + dv + dw.cross(x - pose.position)).and_then(|()| body.set_omega(w + dw));
        }
        simulation.plugin_work += simulation.world.energy().kinetic - before;
    }

    fn visit(&mut self, visit: Visit) {
        self.twist.iter_mut().for_each(&mut *visit);
        super::visit_flag(&mut self.is_commanded, visit);
    }

    fn inputs(&self) -> Vec<(String, InputKind, usize)> {
        vec![(self.model.clone(), InputKind::Twist, 0)]
    }

    fn set(&mut self, _part: usize, channel: usize, value: f64) {
        self.twist[channel] = value;
        self.is_commanded = true;
    }
}
