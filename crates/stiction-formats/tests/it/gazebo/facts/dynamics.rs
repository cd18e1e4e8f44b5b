//! Newton and Euler of lone bodies.

use super::sdf::{inertial, link, model, moments_of_box, world};
use crate::gazebo::support::{ENGINES, Run, short};
use stiction::math::{DQuat, DVec3, Pose};
use stiction::world::World;

/// A body of its mass properties under an engine.
fn lone(engine: &str, gravity: &str, pose: &str, inertial: &str) -> Run {
    Run::text(engine, &world(gravity, &model("m", pose, &link("l", "0 0 0 0 0 0", inertial))))
}

fn body(run: &Run) -> stiction::world::BodyRef<'_> {
    run.simulation.world.body(run.body("m::l")).unwrap()
}

#[test]
fn t21_a_force_acts_for_one_step() {
    for engine in ENGINES {
        let mut run =
            lone(engine, "0 0 0", "1 2 3 0.1 0.5 0.9", &inertial(1.0, "0 0 0 0 0 0", moments_of_box(1.0, [1.0; 3])));
        let (h, id) = (run.step, run.body("m::l"));
        let (force, point) = (DVec3::new(1.0, 20.0, 31.0), DVec3::new(0.2, -0.1, 0.4));
        let mut worst = 0.0f64;
        for sign in [1.0, -1.0] {
            let before = body(&run);
            let (v0, w0, inertia) = (before.velocity(), before.omega(), before.world_inertia());
            let offset = before.pose().direction(point);
            run.simulation.world.body_mut(id).unwrap().add_force_at_body_point(sign * force, point);
            run.steps(1);
            let after = body(&run);
            let alpha = inertia.inverse() * offset.cross(sign * force);
            worst = worst.max((after.velocity() - v0 - h * sign * force).length());
            worst = worst.max((after.omega() - w0 - h * alpha).length());
            assert_eq!(after.force(), DVec3::ZERO);
        }
        let rest = body(&run);
        let left = [rest.velocity().length(), rest.omega().length()];
        println!("T21 {engine}: worst error {worst:.2e} m/s, rad/s (bound 1e-6), left {}", short(left));
        assert!(worst < 1e-6, "{engine} {worst}");
        // The opposite force in the frame of the body, which has turned by then.
        assert!(left[0] < 1e-12 && left[1] < 1e-4, "{engine} {left:?}");
    }
}

#[test]
fn t22_angular_momentum_is_kept() {
    for engine in ENGINES {
        let size = [0.1, 0.4, 0.9];
        let mut run = lone(engine, "0 0 0", "0 0 0 0 0 0", &inertial(10.0, "0 0 0 0 0 0", moments_of_box(10.0, size)));
        let id = run.body("m::l");
        // About the intermediate axis.
        run.simulation.world.body_mut(id).unwrap().set_omega(DVec3::new(1e-3, 1.5, 1.5e-2)).unwrap();
        let start = body(&run).angular_momentum();
        let mut worst = 0.0f64;
        for _ in 0..5000 {
            run.steps(1);
            worst = worst.max((body(&run).angular_momentum() - start).length() / start.length());
        }
        println!("T22 {engine}: worst relative change of angular momentum {worst:.2e} (bound 1e-3)");
        assert!(worst < 1e-3, "{engine} {worst}");
    }
}

#[test]
fn t23_a_fall_keeps_its_energy() {
    let energy = |world: &World| world.energy().total();
    for engine in ENGINES {
        let mut run = lone(engine, "0 0 -9.8", "0 0 10 0 0 0", &inertial(10.0, "0 0 0 0 0 0", [1.0; 3]));
        let start = energy(&run.simulation.world);
        while run.position("m::l").z > 0.0 {
            run.steps(1);
        }
        let ratio = energy(&run.simulation.world) / start;
        println!("T23 {engine}: energy ratio − 1 = {:.2e} (bound 1e-3)", ratio - 1.0);
        assert!((ratio - 1.0).abs() < 1e-3, "{engine} {ratio}");
    }
}

#[test]
fn t24_inertia_turns_with_model_link_and_inertial_pose() {
    let principal = moments_of_box(10.0, [1.0, 4.0, 9.0]);
    let turn = std::f64::consts::FRAC_PI_3;
    let turned = format!("0 0 0 0 0 {turn}");
    // The same with products of inertia: R diag R^T.
    let r = stiction::math::DMat3::from_quat(DQuat::from_rotation_z(turn));
    let full = r * stiction::math::DMat3::from_diagonal(DVec3::from_array(principal)) * r.transpose();
    let products = format!(
        "<inertial><mass>10</mass><inertia><ixx>{}</ixx><iyy>{}</iyy><izz>{}</izz><ixy>{}</ixy></inertia></inertial>",
        full.x_axis.x, full.y_axis.y, full.z_axis.z, full.x_axis.y
    );
    let none = "0 0 0 0 0 0";
    let plain = inertial(10.0, none, principal);
    let models = [
        model("by_model", &turned, &link("l", none, &plain)),
        model("by_link", none, &link("l", &turned, &plain)),
        model("by_inertial", none, &link("l", none, &inertial(10.0, &turned, principal))),
        model("by_products", none, &link("l", none, &products)),
    ];
    for engine in ENGINES {
        let mut run = Run::text(engine, &world("0 0 0", &models.concat()));
        let names = ["by_model", "by_link", "by_inertial", "by_products"].map(|name| format!("{name}::l"));
        for name in &names {
            let inertia = run.simulation.world.body(run.body(name)).unwrap().world_inertia();
            let found = [inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z, inertia.x_axis.y];
            let told = [71.4583, 77.7083, 14.1667, 5.4126];
            let error = found.iter().zip(told).map(|(a, b): (&f64, f64)| (a - b).abs()).fold(0.0, f64::max);
            assert!(error < 1e-4, "{engine} {name}: {found:?}");
        }
        for _ in 0..50 {
            for name in &names {
                let id = run.body(name);
                run.simulation.world.body_mut(id).unwrap().add_torque(DVec3::new(100.0, 0.0, 0.0));
            }
            run.steps(1);
        }
        for name in &names {
            let omega = run.omega(name);
            let error = (omega - DVec3::new(0.0703, -0.0049, 0.0)).length();
            println!("T24 {engine}: {name} {omega}");
            assert!(error < 1e-4, "{engine} {name} {omega}");
        }
    }
}

#[test]
fn t25_velocities_of_points_and_turns() {
    for engine in ENGINES {
        let mut run = lone(engine, "0 0 0", "0 0 0.5 0 0 0", &inertial(1.0, "0 0 0 0 0 0", [0.1667; 3]));
        let id = run.body("m::l");
        let mut b = run.simulation.world.body_mut(id).unwrap();
        b.set_velocity(DVec3::new(1.0, 1.0, 0.0)).unwrap();
        b.set_omega(DVec3::new(0.0, 2.0, 0.0)).unwrap();
        let v = body(&run).velocity_at_body_point(DVec3::new(0.0, 0.0, -0.5));
        assert!((v - DVec3::Y).length() < 1e-12, "{v}");
        run.steps(1);
        let Pose { position, .. } = body(&run).pose();
        let error = (body(&run).pose().rpy().y - 2.0 * run.step).abs();
        println!("T25 {engine}: pitch error {error:.1e} rad (bound 1e-4)");
        assert!(error < 1e-4 && (position - DVec3::new(run.step, run.step, 0.5)).length() < 1e-9, "{engine}");
    }
}
