//! Positions and rates of joints are those of their bodies whenever they are read, whatever has moved these.

use super::support::*;
use stiction::joints::{JointDefinition, JointKind};
use stiction::math::{DQuat, DVec3, Pose};
use stiction::world::{BodyId, JointId, Preset, World, WorldParameters};

struct Scene {
    world: World,
    turning: BodyId,
    sliding: BodyId,
    hinge: JointId,
    slider: JointId,
}

impl Scene {
    /// A body on a hinge about y through the origin, and one on a slider along x.
    fn new(preset: Preset) -> Self {
        let mut parameters = parameters();
        preset.apply(&mut parameters);
        let mut world = World::new(WorldParameters { gravity: DVec3::new(0.0, 0.0, -GRAVITY), ..parameters });
        let [turning, sliding] =
            [0.0, 3.0].map(|x| add_box(&mut world, DVec3::splat(0.2), 1.0, DVec3::new(x, 0.0, -1.0), 0.5));
        let hinge = JointDefinition::new(JointKind::Hinge, Some(turning), None).with_axis(0, DVec3::Y);
        let slider = JointDefinition::new(JointKind::Slider, Some(sliding), None).with_axis(0, DVec3::X);
        let [hinge, slider] = [hinge, slider].map(|definition| world.add_joint(definition).unwrap());
        Self { world, turning, sliding, hinge, slider }
    }

    /// Position and rate of the hinge and of the slider.
    fn read(&self) -> [[f64; 2]; 2] {
        [self.hinge, self.slider].map(|id| {
            let joint = self.world.joint(id).unwrap();
            [joint.position(0), joint.rate(0)]
        })
    }

    /// The same by the poses and velocities of the bodies.
    fn found(&self) -> [[f64; 2]; 2] {
        let [turning, sliding] = [self.turning, self.sliding].map(|id| self.world.body(id).unwrap());
        let angle = 2.0 * libm::atan2(turning.pose().rotation.y, turning.pose().rotation.w);
        [[angle, turning.omega().y], [sliding.pose().position.x - 3.0, sliding.velocity().x]]
    }

    fn check(&self, when: &str) {
        for (read, found) in self.read().into_iter().zip(self.found()) {
            assert!(
                (read[0] - found[0]).abs() < 1e-9 && (read[1] - found[1]).abs() < 1e-9,
                "{when}: {read:?} {found:?}"
            );
        }
    }

    fn steps(&mut self, count: u32) {
        for _ in 0..count {
            self.world.step(0.002);
        }
    }
}

#[test]
fn joints_are_read_off_their_bodies_whatever_moves_these() {
    for preset in FIXED_STEP_ENGINES.into_iter().chain([Preset::Stiction, Preset::DrakeContinuous]) {
        let mut scene = Scene::new(preset);
        scene.world.body_mut(scene.sliding).unwrap().set_velocity(DVec3::X).unwrap();
        let mut turning = scene.world.body_mut(scene.turning).unwrap();
        turning.set_omega(DVec3::Y).unwrap();
        turning.set_velocity(-DVec3::X).unwrap();
        scene.check("velocities of the user");
        scene.steps(50);
        scene.check("steps");
        let snapshot = scene.world.snapshot();
        let read = scene.read();
        assert!(read.iter().flatten().all(|number| number.abs() > 1e-3), "{preset:?} {read:?}");

        let turn = DQuat::from_rotation_y(-0.4);
        let pose = Pose::new(turn * DVec3::new(0.0, 0.0, -1.0), turn);
        scene.world.body_mut(scene.turning).unwrap().set_pose(&pose).unwrap();
        scene.world.body_mut(scene.sliding).unwrap().set_velocity(-0.5 * DVec3::X).unwrap();
        scene.check("a pose and a velocity of the user");
        scene.steps(20);
        scene.check("steps from there");

        scene.world.restore(&snapshot);
        assert_eq!(scene.read(), read, "{preset:?}");
        scene.steps(20);
        // A NaN force stops its body.
        scene.world.body_mut(scene.turning).unwrap().set_force(DVec3::splat(f64::NAN));
        scene.steps(1);
        if preset != Preset::DrakeContinuous {
            // There nothing sleeps: the body begins anew.
            assert_eq!(scene.read()[0][1], 0.0, "{preset:?}");
        }
        scene.check("a body in quarantine");

        // Where the hinge is now is the zero of another one.
        scene.world.body_mut(scene.turning).unwrap().enable();
        scene.steps(5);
        let definition = JointDefinition::new(JointKind::Hinge, Some(scene.turning), None).with_axis(0, DVec3::Y);
        scene.world.replace_joint(scene.hinge, definition).unwrap();
        assert!(scene.read()[0][0].abs() < 1e-15, "{preset:?}");
    }
}
