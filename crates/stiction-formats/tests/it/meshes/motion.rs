//! Bodies with meshes in motion.

use super::*;

use stiction_formats::Override;
use stiction_formats::simulation::Simulation;

const GROUND: &str = "<model name=\"ground\"><static>true</static><link name=\"l\"><collision name=\"c\"><geometry><plane/></geometry></collision></link></model>";

fn model(name: &str, pose: &str, geometry: &str) -> String {
    format!(
        "<model name=\"{name}\"><pose>{pose}</pose><link name=\"l\"><inertial auto=\"true\"/><collision name=\"c\"><geometry>{geometry}</geometry></collision></link></model>"
    )
}

fn simulation(folder: &Folder, models: &str, mesh_use: Option<&str>) -> Simulation {
    let text = format!("<sdf version=\"1.11\"><world name=\"w\">{GROUND}{models}</world></sdf>");
    folder.write("motion.sdf", text.as_bytes());
    let of_meshes = |value: &str| Override { path: "collision.mesh".into(), value: value.into() };
    let options = LoadOptions { overrides: mesh_use.map(of_meshes).into_iter().collect(), ..LoadOptions::default() };
    let file = FileRequest { path: folder.path("motion.sdf"), name: None, pose: None };
    let loaded = load(&[file], &options);
    let world = loaded.world.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    simulate(&world, world_parameters(&world)).unwrap()
}

#[test]
fn a_mesh_of_a_box_moves_as_the_box() {
    let folder = Folder::new(&[("box.obj", &obj(&cuboid(DVec3::new(0.2, 0.3, 0.4))))]);
    let pose = "0 0 0.6 0.3 0.2 0.1";
    let paths = ["<box><size>0.2 0.3 0.4</size></box>", "<mesh><uri>box.obj</uri></mesh>"].map(|geometry| {
        let mut simulation = simulation(&folder, &model("m", pose, geometry), None);
        for _ in 0..3000 {
            simulation.world.step(1e-3);
        }
        simulation.link_pose(simulation.link("m::l").unwrap())
    });
    // It has come to rest on the same face; the way there need not be the same to the last bit.
    let rest = |pose: &stiction::math::Pose| {
        let up = pose.inverse_direction(DVec3::Z).abs();
        let half = DVec3::new(0.1, 0.15, 0.2);
        (pose.position.z - half.dot(up)).abs() < 1e-3 && up.max_element() > 0.9999
    };
    assert!(paths.iter().all(rest), "{paths:?}");
    assert!((paths[0].position.z - paths[1].position.z).abs() < 1e-4, "{paths:?}");
}

/// A ball is dropped into a mug that stands on the ground: it lies on its floor, unless the mug is filled by its hull.
#[test]
fn a_mug_holds_a_ball_unless_it_is_a_hull() {
    let folder = Folder::new(&[("mug.obj", &obj(&mug(32)))]);
    let mug = model("mug", "0 0 0.0001 0 0 0", "<mesh><uri>mug.obj</uri></mesh>");
    let ball = model("ball", "0.003 0.001 0.15 0 0 0", "<sphere><radius>0.02</radius></sphere>");
    let drop_into = |mesh_use: &str| {
        let mut simulation = simulation(&folder, &format!("{mug}{ball}"), Some(mesh_use));
        for _ in 0..2000 {
            simulation.world.step(1e-3);
        }
        let place = |name: &str| simulation.link_pose(simulation.link(name).unwrap()).position;
        (place("ball::l"), place("mug::l"), simulation.collisions.len())
    };
    let parts = cfg!(feature = "decomposition").then_some(("decomposition", 6e-3));
    for (mesh_use, slack) in [("exact", 1e-3)].into_iter().chain(parts) {
        let (ball, mug, shapes) = drop_into(mesh_use);
        assert!((ball.z - mug.z - 0.03).abs() < slack, "{mesh_use}: {ball} {mug}");
        assert!((ball - mug).truncate().length() < 0.03 && mug.length() < 0.02, "{mesh_use}: {ball} {mug}");
        assert_eq!(shapes > 3, mesh_use == "decomposition", "{shapes}");
    }
    let (ball, mug, _) = drop_into("hull");
    assert!(ball.z - mug.z > 0.1 || (ball - mug).truncate().length() > 0.06, "{ball} {mug}");
}

/// Concave meshes that fall on each other make no energy.
#[test]
fn mugs_that_fall_on_each_other_make_no_energy() {
    let folder = Folder::new(&[("mug.obj", &obj(&mug(16)))]);
    let mugs: String = (0..4)
        .map(|i| {
            let pose = format!(
                "{} 0.01 {} {} 0.3 {}",
                0.02 * f64::from(i),
                0.1 + 0.15 * f64::from(i),
                0.5 * f64::from(i),
                0.2 * f64::from(i)
            );
            model(&format!("mug{i}"), &pose, "<mesh><uri>mug.obj</uri></mesh>")
        })
        .collect();
    let parts = cfg!(feature = "decomposition").then_some("decomposition");
    for mesh_use in ["exact", "hull"].into_iter().chain(parts) {
        let mut simulation = simulation(&folder, &mugs, Some(mesh_use));
        let start = energy(&simulation);
        let mut highest = start;
        for _ in 0..2000 {
            simulation.world.step(1e-3);
            highest = highest.max(energy(&simulation));
        }
        let end = energy(&simulation);
        // Overlaps that are pushed apart lift bodies by millimetres.
        assert!(highest < start * 1.01 && end < 0.7 * start, "{mesh_use}: {start} {highest} {end}");
        let lowest =
            simulation.links.iter().skip(1).map(|l| simulation.link_pose(l).position.z).fold(f64::MAX, f64::min);
        assert!(lowest > -0.01, "{mesh_use}: {lowest}");
    }
}

/// Kinetic and potential energy \[J\].
fn energy(simulation: &Simulation) -> f64 {
    let bodies = simulation.links.iter().filter_map(|l| simulation.world.body(l.body?));
    bodies
        .map(|b| {
            let spin = b.pose().inverse_direction(b.omega());
            let turning = 0.5 * spin.dot(b.mass_properties().inertia * spin);
            let arm = b.center_of_mass() - b.pose().position;
            let v = b.velocity_at_body_point(b.pose().inverse_direction(arm));
            turning + b.mass() * (0.5 * v.length_squared() + 9.8 * b.center_of_mass().z)
        })
        .sum()
}
