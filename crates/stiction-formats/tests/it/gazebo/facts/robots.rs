//! Robots: a humanoid, wheels under controllers, a tracked vehicle.

use super::sdf::{collision, cuboid, cylinder, inertial, joint, link, model, world};
use crate::gazebo::support::{ENGINES, Run, short};
use std::f64::consts::PI;
use stiction::math::{DVec3, Pose};

/// A humanoid of 28 spheres and about 90 kg, both feet held by the world.
fn humanoid() -> String {
    // Name, parent, place, mass; a hinge about x, y or z at the place of the link.
    let mut links: Vec<(String, String, [f64; 3], f64)> = Vec::new();
    let mut add =
        |name: &str, parent: &str, at: [f64; 3], mass: f64| links.push((name.into(), parent.into(), at, mass));
    add("pelvis", "", [0.0, 0.0, 0.9], 14.0);
    for (k, (name, mass)) in [("back_z", 0.5), ("back_y", 0.5), ("torso", 37.0), ("head", 5.0)].into_iter().enumerate()
    {
        let parent = ["pelvis", "back_z", "back_y", "torso"][k];
        add(name, parent, [0.0, 0.0, 1.0 + 0.1 * k as f64 + if k == 3 { 0.3 } else { 0.0 }], mass);
    }
    for (side, y) in [("l", 1.0), ("r", -1.0)] {
        let mut parent = "torso".to_owned();
        for (k, (name, mass)) in
            [("clav", 2.4), ("scap", 2.7), ("uarm", 3.2), ("larm", 2.5), ("farm", 1.6), ("hand", 0.5)]
                .into_iter()
                .enumerate()
        {
            let name = format!("{side}_{name}");
            add(&name, &parent, [0.0, y * (0.2 + 0.12 * k as f64), 1.3], mass);
            parent = name;
        }
        let mut parent = "pelvis".to_owned();
        for (name, z, mass) in [
            ("uglut", 0.85, 0.7),
            ("lglut", 0.83, 0.8),
            ("uleg", 0.6, 7.3),
            ("lleg", 0.3, 4.4),
            ("talus", 0.1, 0.4),
            ("foot", 0.05, 1.6),
        ] {
            let name = format!("{side}_{name}");
            add(&name, &parent, [0.0, 0.1 * y, z], mass);
            parent = name;
        }
    }
    let mut inside = String::new();
    for (k, (name, parent, [x, y, z], mass)) in links.iter().enumerate() {
        let moment = 0.4 * mass * 0.05 * 0.05;
        inside += &link(name, &format!("{x} {y} {z} 0 0 0"), &inertial(*mass, "0 0 0 0 0 0", [moment; 3]));
        let axis = ["1 0 0", "0 1 0", "0 0 1"][k % 3];
        if !parent.is_empty() {
            inside +=
                &joint(&format!("{name}_joint"), "revolute", parent, name, &format!("<axis><xyz>{axis}</xyz></axis>"));
        }
        if name.ends_with("foot") {
            inside += &joint(&format!("{name}_pin"), "fixed", "world", name, "");
        }
    }
    world("0 0 0", &model("robot", "0 0 0 0 0 0", &inside))
}

#[test]
fn t18_a_humanoid_moved_far_off_comes_back() {
    for engine in ["ode", "ode-world"] {
        let mut run = Run::text(engine, &humanoid());
        for link in run.links("robot::") {
            let id = run.body(&link);
            let mut body = run.simulation.world.body_mut(id).unwrap();
            let pose = body.as_ref().pose();
            body.set_pose(&Pose::new(pose.position + 1000.0 * DVec3::X, pose.rotation)).unwrap();
        }
        run.steps(2000);
        let mut worst = 0.0f64;
        for _ in 0..10 {
            run.steps(1);
            for joint in run.simulation.joints.iter().filter_map(|joint| joint.id) {
                let gap = run.simulation.world.joint(joint).unwrap().gap();
                worst = worst.max(gap * gap);
            }
        }
        let fastest = run.links("robot::").iter().map(|link| run.velocity(link).length()).fold(0.0, f64::max);
        println!("T18 {engine}: worst squared gap {worst:.1e} m² (bound 1e-2), fastest {fastest:.1e} m/s");
        assert!(worst < 1e-2, "{engine} {worst}");
    }
}

#[test]
fn t19_a_fixed_joint_holds_a_skew_inertia() {
    let skew = "<inertial><pose>0.1 0.2 -0.1 0 0 0</pose><mass>1</mass><inertia><ixx>0.2</ixx><iyy>0.3</iyy><izz>0.25</izz><ixy>0.05</ixy>\
                <ixz>-0.04</ixz><iyz>0.03</iyz></inertia></inertial>";
    let inside = link("l", "0 0 0 0 0 0", skew) + &joint("j", "fixed", "world", "l", "");
    for engine in ENGINES {
        let mut run = Run::text(engine, &world("0 0 -9.8", &model("m", "0 0 1 0.3 -0.2 0.5", &inside)));
        let start = run.pose("m::l");
        run.steps(100);
        let now = run.pose("m::l");
        let moved = (now.position - start.position).length();
        let turned = 2.0 * (now.rotation * start.rotation.conjugate()).xyz().length();
        println!("T19 {engine}: fixed: moved {moved:.1e} m, turned {turned:.1e} rad");
        assert!(moved < 1e-9 && turned < 1e-9, "{engine} {moved} {turned}");
    }
}

#[test]
fn t36_wheels_in_three_directions_answer_alike() {
    // Wheels 120° apart on a free base, whose inertias are unlike about their axes.
    let mut inside = link("base", "0 0 0 0 0 0", &inertial(40.0, "0 0 0 0 0 0", [1.5, 1.5, 2.5]));
    for k in 1..=3 {
        let turn = 2.0 * PI / 3.0 * f64::from(k);
        let pose = format!("{} {} -0.1 0 0 {turn}", 0.3 * turn.cos(), 0.3 * turn.sin());
        inside += &link(&format!("wheel{k}"), &pose, &inertial(1.1, "0 0 0 0 0 0", [0.005, 0.0025, 0.003]));
        let axis = "<axis><xyz>1 0 0</xyz><dynamics><damping>0.3</damping></dynamics></axis>";
        inside += &joint(&format!("wheel{k}_joint"), "revolute", "base", &format!("wheel{k}"), axis);
    }
    for engine in ENGINES {
        let mut run = Run::text(engine, &world("0 0 0", &model("trikey", "0 0 1 0 0 0", &inside)));
        let names = [1, 2, 3].map(|k| format!("trikey::wheel{k}_joint"));
        let (mut worst, mut late) = (0.0f64, 0.0f64);
        for step in 0..1500 {
            let states = names.each_ref().map(|name| run.joint(name, 0));
            for (x, v) in &states[1..] {
                worst = worst.max((x - states[0].0).abs()).max((v - states[0].1).abs());
            }
            late = late.max((run.simulation.world.time() - f64::from(step) * run.step).abs());
            for (name, (x, _)) in names.iter().zip(states) {
                run.push(name, 0, -10.0 * (x - 1.3));
            }
            run.steps(1);
        }
        let reached = run.joint(&names[0], 0).0;
        println!(
            "T36 {engine}: wheels apart by {worst:.1e} (bound 5e-5), at {reached:.4} rad, time off by {late:.1e} s"
        );
        assert!(worst < 5e-5 && (reached - 1.3).abs() < 0.1 && late < 1e-12, "{engine} {worst} {reached} {late}");
    }
}

/// A vehicle on two tracks, each a box with a wheel at either end, whose surfaces run; stairs of 0.1 m ahead at x = −1.
fn vehicle() -> String {
    let track = |name: &str, y: f64| {
        let shape = |name: &str, x: f64, geometry: &str, turned: &str| {
            let axis = if turned == "0 0 0" { "0 1 0" } else { "0 0 -1" };
            format!(
                "<collision name='{name}'><pose>{x} 0 0 {turned}</pose><geometry>{geometry}</geometry><surface><friction><ode><mu>1</mu><mu2>0.3\
                 </mu2></ode></friction></surface><stiction:belt><axis>{axis}</axis><speed>0</speed></stiction:belt></collision>"
            )
        };
        let wheel = cylinder(0.09, 0.1);
        let shapes = shape("track", 0.0, &cuboid([0.5, 0.1, 0.18]), "0 0 0")
            + &shape("front", 0.25, &wheel, "1.5707963267948966 0 0")
            + &shape("rear", -0.25, &wheel, "1.5707963267948966 0 0");
        link(name, &format!("0 {y} 0 0 0 0"), &(inertial(3.0, "0 0 0 0 0 0", [0.01, 0.08, 0.08]) + &shapes))
            + &joint(&format!("{name}_joint"), "fixed", "body", name, "")
    };
    let body = link("body", "0 0 0.02 0 0 0", &inertial(10.0, "0 0 0 0 0 0", [0.1, 0.3, 0.35]));
    let vehicle = model("vehicle", "0 0 0.1 0 0 0", &(body + &track("left", 0.2) + &track("right", -0.2)));
    let step = |k: u32| {
        let height = 0.08 * f64::from(k);
        let shape = collision(
            "0 0 0 0 0 0",
            &cuboid([0.25, 2.0, height]),
            "<friction><ode><mu>1</mu><mu2>1</mu2></ode></friction>",
        );
        let pose = format!("{} 5 {} 0 0 0", 1.0 + 0.25 * f64::from(k), 0.5 * height);
        format!("<model name='step{k}'><static>true</static>{}</model>", link("link", &pose, &shape))
    };
    let stairs: String = (1..=10).map(step).collect();
    let ground = "<model name='ground'><static>true</static><link name='l'><collision name='c'><geometry><plane/></geometry></collision></link>\
                  </model>";
    let pole = format!(
        "<model name='pole'><static>true</static>{}</model>",
        link("link", "1.2 -5 0 1.5707963267948966 0 0", &collision("0 0 0 0 0 0", &cylinder(0.06, 2.0), ""))
    );
    world("0 0 -9.8", &(ground.to_owned() + &vehicle + &stairs + &pole))
        .replace("<sdf ", "<sdf xmlns:stiction='stiction' ")
}

/// Lets the tracks run for a vehicle with a forward speed \[m/s\] and a turn to the left \[rad/s\].
fn drive(run: &mut Run, forward: f64, turn: f64) {
    for (name, y) in [("vehicle::left", 0.2), ("vehicle::right", -0.2)] {
        let index = run.simulation.links.iter().position(|link| link.name == name).unwrap();
        run.simulation.set_belt_speed(index, forward - turn * y);
    }
}

/// Puts the vehicle somewhere, at rest.
fn put(run: &mut Run, x: f64, y: f64) {
    let shift = DVec3::new(x, y, 0.1) - run.position("vehicle::body");
    for link in ["vehicle::body", "vehicle::left", "vehicle::right"] {
        let id = run.body(link);
        let mut body = run.simulation.world.body_mut(id).unwrap();
        let pose = body.as_ref().pose();
        body.set_pose(&Pose::new(pose.position + DVec3::new(shift.x, shift.y, 0.0), pose.rotation)).unwrap();
        body.set_velocity(DVec3::ZERO).unwrap();
        body.set_omega(DVec3::ZERO).unwrap();
    }
}

#[test]
fn t48_a_tracked_vehicle_drives_turns_and_climbs() {
    let mut run = Run::text("ode", &vehicle());
    run.steps(300);
    let start = run.pose("vehicle::body");
    drive(&mut run, 1.0, 0.0);
    run.steps(1000);
    let (p, rpy) = (run.position("vehicle::body") - start.position, run.pose("vehicle::body").rpy());
    println!("T48: straight: moved by {p:.4} m, turned by {} rad", short(rpy.to_array()));
    assert!((p.x - 1.0).abs() < 0.1 && p.y.abs() < 0.1 && p.z.abs() < 1e-2, "{p}");
    assert!(rpy.x.abs() < 1e-2 && rpy.y.abs() < 1e-2 && rpy.z.abs() < 0.1, "{rpy}");
    drive(&mut run, 0.0, 0.0);
    run.steps(300);
    let start = run.pose("vehicle::body");
    drive(&mut run, 0.0, 0.25);
    run.steps(1000);
    let (p, rpy) = (run.position("vehicle::body") - start.position, run.pose("vehicle::body").rpy());
    println!("T48: in place: moved by {p:.4} m, turned by {:.4} rad", rpy.z - start.rpy().z);
    assert!(p.length() < 0.1 && (rpy.z - start.rpy().z - 0.25).abs() < 0.1, "{p} {rpy}");
    // The stairs rise by 0.08 m in 0.25 m: a slope of 0.31 rad.
    let mut run = Run::text("ode", &vehicle());
    put(&mut run, 0.3, 5.0);
    run.steps(300);
    drive(&mut run, 1.0, 0.0);
    run.steps(2300);
    let (p, rpy) = (run.position("vehicle::body"), run.pose("vehicle::body").rpy());
    println!("T48: stairs: at {p:.3} m, pitch {:.3} rad", rpy.y);
    assert!(p.z > 0.45 && (p.y - 5.0).abs() < 0.15 && (rpy.y + 0.31).abs() < 0.12 && rpy.x.abs() < 0.1, "{p} {rpy}");
    // Over a pole that lies across.
    let mut run = Run::text("ode", &vehicle());
    put(&mut run, 0.3, -5.0);
    run.steps(300);
    drive(&mut run, 1.0, 0.0);
    run.steps(2000);
    let (p, rpy) = (run.position("vehicle::body"), run.pose("vehicle::body").rpy());
    println!("T48: pole: at {p:.3} m, pitch {:.3} rad", rpy.y);
    assert!(p.x > 1.7 && (p.y + 5.0).abs() < 0.5 && (p.z - 0.11).abs() < 0.1 && rpy.y.abs() < 0.1, "{p} {rpy}");
}
