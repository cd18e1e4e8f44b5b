//! Who touches whom, and where.

use super::sdf::{GROUND, collision, cuboid, inertial, link, model, moments_of_box, world};
use crate::gazebo::support::{ENGINES, Run, shared};
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction_formats::{FileRequest, LoadOptions, load};

#[test]
fn t12_links_of_a_model_collide_where_they_say_so() {
    for engine in ["ode", "bullet", "dart"] {
        let Some(mut run) = Run::test_world(engine, "model_self_collide.world") else { return };
        run.steps(200);
        for link in run.links("link") {
            assert!(run.velocity(&link).z < -9.8 * 0.2 * 0.99 || link.contains("ground"), "{engine} {link}");
        }
        run.steps(3000);
        let heights = ["all_collide", "some_collide", "no_collide", "explicit_no_collide"]
            .map(|model| run.position(&format!("{model}::link2")).z);
        println!("T12 {engine}: heights {heights:.5?}");
        for (height, expected) in heights.into_iter().zip([2.5, 1.5, 0.5, 0.5]) {
            assert!((height - expected).abs() < 1e-2, "{engine} {heights:?}");
        }
        for link in run.links("link").into_iter().filter(|link| !link.contains("ground")) {
            assert!(run.velocity(&link).z.abs() < 1e-2, "{engine} {link}");
        }
    }
}

#[test]
fn t19_overlapping_links_of_a_model_are_left_alone() {
    let solid = inertial(1.0, "0 0 0 0 0 0", [1.0; 3]) + &collision("0 0 0 0 0 0", &cuboid([1.0; 3]), "");
    let links = link("link1", "0 0 2 0 0 0", &solid) + &link("link2", "0.2 0 2 0 0 0", &solid);
    for engine in ENGINES {
        let mut run = Run::text(engine, &world("0 0 -9.8", &(GROUND.to_owned() + &model("m", "0 0 0 0 0 0", &links))));
        run.steps(10);
        for link in ["m::link1", "m::link2"] {
            let v = run.velocity(link);
            println!("T19 {engine}: {link} {v}");
            assert!(v.x == 0.0 && v.y == 0.0 && v.z < 0.0, "{engine} {link} {v}");
        }
    }
}

#[test]
fn t40_bitmasks_decide_who_falls() {
    for engine in ENGINES {
        let Some(mut run) = Run::test_world(engine, "collide_bitmask.world") else { return };
        run.steps(1000);
        let z = [1, 2, 3, 4].map(|box_| run.position(&format!("box{box_}::link")).z);
        println!("T40 {engine}: heights {z:.6?}");
        for (z, expected) in z.into_iter().zip([0.5, 0.5, 1.5]) {
            assert!((z - expected).abs() < 1e-3, "{engine} {z}");
        }
        assert!(z[3] < -1.0, "{engine} {z:?}");
    }
}

#[test]
fn t40_a_shape_without_contact_is_touched_and_not_held() {
    let surface = "<contact><collide_without_contact>true</collide_without_contact></contact>";
    let falling = |name: &str, x: f64, surface: &str| {
        let inside = inertial(1.0, "0 0 0 0 0 0", [0.1667; 3]) + &collision("0 0 0 0 0 0", &cuboid([0.5; 3]), surface);
        model(name, &format!("{x} 0 1.2 0 0 0"), &link("link", "0 0 0 0 0 0", &inside))
    };
    let table = "<model name='table'><static>true</static><link name='link'><collision name='collision'><pose>0 0 0.25 0 0 0</pose>\
                 <geometry><box><size>4 2 0.5</size></box></geometry></collision></link></model>";
    for engine in ENGINES {
        let elements = table.to_owned() + &falling("contact_box", -1.0, "") + &falling("collide_box", 1.0, surface);
        let mut run = Run::text(engine, &world("0 0 -9.8", &elements));
        // Both fall by 0.45 m; one goes on.
        run.until(0.2);
        assert!(["contact_box::link", "collide_box::link"].iter().all(|l| run.velocity(l).z < -1.94), "{engine}");
        run.until(0.4);
        let reported = |run: &Run, name: &str| {
            run.simulation.world.contact_reports().iter().any(|contact| {
                contact.geoms.is_some_and(|geoms| {
                    geoms.iter().any(|geom| run.simulation.shape_name(*geom).is_some_and(|n| n.starts_with(name)))
                })
            })
        };
        assert!((run.velocity("contact_box::link").z).abs() < 1e-2, "{engine}");
        assert!(run.velocity("collide_box::link").z < -9.8 * 0.4 * 0.99, "{engine}");
        println!("T40 {engine}: reported: {} and {}", reported(&run, "contact_box"), reported(&run, "collide_box"));
        assert!(reported(&run, "contact_box") && reported(&run, "collide_box"), "{engine}");
        run.until(0.8);
        assert!(run.velocity("collide_box::link").z < -9.8 * 0.8 * 0.99, "{engine}");
        assert!(reported(&run, "contact_box") && !reported(&run, "collide_box"), "{engine}");
    }
}

#[test]
fn t41_offsets_of_model_link_and_collision_are_one() {
    let (size, turned) = ([0.9, 0.4, 0.9], "1.5707963267948966 0 0");
    let box_ = |name: &str, x: f64, poses: [&str; 3], height: f64| {
        let inside =
            inertial(10.0, "0 0 0 0 0 0", moments_of_box(10.0, size)) + &collision(poses[2], &cuboid(size), "");
        let pose = format!("{x} 0 0.9 {}", poses[0]);
        (model(name, &pose, &link("link", poses[1], &inside)), format!("{name}::link"), height)
    };
    let (none, straight) = ("0 0 0 0 0 0", "0 0 0");
    let boxes = [
        box_("model", 0.0, [turned, none, none], 0.2),
        box_("link", 4.5, [straight, &format!("0 0 0 {turned}"), none], 0.2),
        box_("collision", 9.0, [straight, none, &format!("0 0 0 {turned}")], 0.2),
        box_("shift", 13.5, [straight, none, "0 0 0.9 0 0 0"], 0.45 - 0.9),
    ];
    let text = boxes.iter().map(|(text, ..)| text.as_str()).collect::<String>();
    for engine in ENGINES {
        let mut run = Run::text(engine, &world("0 0 -9.8", &(GROUND.to_owned() + &text)));
        run.until(1.5);
        for (_, link, height) in &boxes {
            let z = run.position(link).z;
            println!("T41 {engine}: {link} {z:.6} m");
            assert!((z - height).abs() < 1e-2, "{engine} {link}: {z}");
        }
    }
}

#[test]
fn t41_the_world_of_offsets_rests_as_in_the_fork() {
    let Some(mut run) = Run::test_world("ode", "collision_pose_offset.world") else { return };
    run.until(1.5);
    for link in run.links("link").into_iter().filter(|link| !link.contains("ground")) {
        let world = &run.simulation.world;
        let lowest = world.geom_ids().filter(|g| run.simulation.collisions[g].starts_with(&link));
        let lowest = lowest.map(|g| world.geom(g).unwrap().shape().aabb(&world.geom_pose(g).unwrap()).min.z);
        let lowest = lowest.fold(f64::INFINITY, f64::min);
        assert!(lowest.abs() < 1e-2, "{link} {lowest}");
    }
}

#[test]
fn t42_bounds_of_shapes() {
    // A T of two boxes, and the ground.
    let parts = [([1.0, 0.2, 0.1], DVec3::new(0.0, 0.1, 0.0)), ([0.2, 0.8, 0.1], DVec3::new(0.0, 0.6, 0.0))];
    let bounds = parts.map(|(size, at)| Shape::cuboid(DVec3::from_array(size)).unwrap().aabb(&Pose::from_position(at)));
    let (min, max) = (bounds[0].min.min(bounds[1].min), bounds[0].max.max(bounds[1].max));
    println!("T42: {min} to {max}");
    assert!((min - DVec3::new(-0.5, 0.0, -0.05)).length() < 1e-3 && (max - DVec3::new(0.5, 1.0, 0.05)).length() < 1e-3);
    let plane = Shape::plane(DVec3::Z, 0.0).unwrap().aabb(&Pose::IDENTITY);
    println!("T42: plane {} to {}", plane.min, plane.max);
    assert_eq!(plane.max.z, 0.0);
    assert!(plane.min.max_element() < -1e17 && plane.max.x > 1e17 && plane.max.y > 1e17);
}

#[test]
fn t46_defaults_presets_and_no_contacts() {
    let Some(shared) = shared() else { return };
    let folder = shared.join("worlds/gazebo-classic/test_worlds");
    let physics = |name: &str| {
        let file = FileRequest { path: folder.join(name), name: None, pose: None };
        let model_path = vec![shared.join("models")];
        load(&[file], &LoadOptions { model_path, ..LoadOptions::default() }).world.unwrap().physics
    };
    let ode = physics("zero_max_contacts.world").ode;
    assert_eq!((ode.iters.value, ode.sor.value, ode.cfm.value, ode.erp.value), (50, 1.3, 0.0, 0.2));
    assert_eq!((ode.contact_max_correcting_vel.value, ode.contact_surface_layer.value), (100.0, 0.001));
    // The first preset that is marked as the default counts.
    let preset = physics("presets.world");
    assert_eq!((preset.name.as_str(), preset.max_step_size.value), ("preset_1", 0.01));
    assert_eq!((preset.ode.sor.value, preset.ode.erp.value, preset.ode.contact_surface_layer.value), (1.4, 0.3, 0.002));
    // Without a contact point the box falls through.
    let mut run = Run::test_world("ode", "zero_max_contacts.world").unwrap();
    run.until(1.0);
    let z = run.position("box::link").z;
    println!("T46: without contacts the box is at {z:.4} m after 1 s");
    assert!((z - (1.0 - 4.9)).abs() < 0.01, "{z}");
    let mut run = Run::test_world("ode", "world_step.world").unwrap();
    run.steps(500);
    let fastest = run.links("").iter().map(|link| run.velocity(link).length()).fold(0.0, f64::max);
    println!("T46: world_step: 500 steps, fastest {fastest:.3} m/s");
    assert!(fastest < 20.0, "{fastest}");
}
