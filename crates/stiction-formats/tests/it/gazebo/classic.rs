//! Gazebo classic where it differs from its documents (`--compat gazebo-classic`), beside the default: the tutorial's contact
//! parameters as the fork of ODE has them.

use stiction::math::DVec3;
use stiction_formats::simulation::{Simulation, make_classic, simulate, world_parameters};
use stiction_formats::{FileRequest, LoadOptions, load};

/// Two spheres of 0.5 m, the second in the first, on a plane.
fn spheres(overlap: f64, surface: &str, physics: &str) -> String {
    let ball = |name: &str, z: f64| {
        format!(
            "<model name='{name}'><allow_auto_disable>false</allow_auto_disable><pose>0 0 {z} 0 0 0</pose><link name='l'><collision \
             name='c'><geometry><sphere><radius>0.5</radius></sphere></geometry><surface>{surface}</surface></collision></link></model>"
        )
    };
    let ground = "<model name='g'><static>true</static><link name='l'><collision name='c'><geometry><plane/></geometry></collision></link></model>";
    let (first, second) = (ball("first", 0.5), ball("second", 1.5 - overlap));
    format!(
        "<sdf version='1.6'><world name='w'><gravity>0 0 -9.81</gravity><physics type='ode'>{physics}</physics>{ground}{first}{second}\
         </world></sdf>"
    )
}

fn world(text: &str, is_classic: bool) -> Simulation {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.world");
    std::fs::write(&path, text).unwrap();
    let description = load(&[FileRequest { path, name: None, pose: None }], &LoadOptions::default()).world.unwrap();
    let mut parameters = world_parameters(&description);
    if is_classic {
        make_classic(&description, &mut parameters);
    }
    simulate(&description, parameters).unwrap()
}

fn run(simulation: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        simulation.world.step(1e-3);
    }
}

fn position(simulation: &Simulation, link: &str) -> DVec3 {
    simulation.link_pose(simulation.link(link).unwrap()).position
}

fn speed(simulation: &Simulation, link: &str) -> f64 {
    simulation.link_velocity(simulation.link(link).unwrap()).0.z
}

fn solver(name: &str) -> String {
    format!("<ode><solver><type>{name}</type></solver></ode>")
}

fn contact(text: &str) -> String {
    format!("<contact><ode>{text}</ode></contact>")
}

#[test]
fn t5_the_bound_on_the_velocity_holds_under_quick_and_under_world_only_by_the_documents() {
    for max_vel in [0.0, 0.01, 1.0, 10.0] {
        let own = contact(&format!("<max_vel>{max_vel}</max_vel>"));
        for (kind, is_classic, expected) in
            [("quick", true, max_vel), ("quick", false, max_vel), ("world", false, max_vel), ("world", true, 499.998)]
        {
            let mut simulation = world(&spheres(0.5, &own, &solver(kind)), is_classic);
            simulation.world.step(1e-3);
            let v = speed(&simulation, "second::l");
            println!("T5 {kind}, classic {is_classic}: max_vel {max_vel}: {v:.4} m/s");
            assert!((v - expected).abs() < 2e-3 * expected.max(1.0), "{kind} {is_classic} {max_vel}: {v}");
            assert!((position(&simulation, "second::l").z - 1.5).abs() < 2e-3, "{kind} {is_classic} {max_vel}");
        }
    }
}

#[test]
fn t5_the_layer_of_the_world_counts_by_the_documents_only() {
    let physics = "<ode><solver><type>quick</type></solver><constraints><contact_surface_layer>0.0001</contact_surface_layer></constraints></ode>";
    for (is_classic, expected) in [(true, 1e-3), (false, 1e-4)] {
        let own = contact("<min_depth>0.001</min_depth>");
        let mut simulation = world(&spheres(0.7, &own, physics), is_classic);
        run(&mut simulation, 3000);
        let [first, second] = ["first::l", "second::l"].map(|link| position(&simulation, link).z);
        let left = 1.0 - (second - first);
        println!("T5 min_depth 0.001, layer 0.0001, classic {is_classic}: {left:.6} m are left");
        assert!((left - expected).abs() < 2e-5, "{is_classic}: {left}");
    }
}

#[test]
fn a_bounce_is_bounded_under_quick_by_classic_only() {
    let bounce = "<bounce><restitution_coefficient>0.8</restitution_coefficient><threshold>0</threshold></bounce>";
    let scene = |kind: &str, own: &str| {
        let ball = format!(
            "<model name='b'><pose>0 0 1 0 0 0</pose><link name='l'><collision name='c'><geometry><sphere><radius>0.5</radius></sphere>\
             </geometry><surface>{bounce}{own}</surface></collision></link></model>"
        );
        let ground = format!(
            "<model name='g'><static>true</static><link name='l'><collision name='c'><geometry><plane/></geometry><surface>{bounce}\
             </surface></collision></link></model>"
        );
        format!(
            "<sdf version='1.6'><world name='w'><gravity>0 0 -9.81</gravity><physics type='ode'>{}</physics>{ground}{ball}</world></sdf>",
            solver(kind)
        )
    };
    let ratio = |kind: &str, own: &str, is_classic: bool| {
        let mut simulation = world(&scene(kind, own), is_classic);
        let (mut down, mut up) = (0.0f64, 0.0f64);
        for _ in 0..400 {
            simulation.world.step(1e-3);
            let v = speed(&simulation, "b::l");
            (down, up) = (down.min(v), up.max(v));
        }
        (-up / down, up)
    };
    let far = contact("<max_vel>100</max_vel>");
    for (kind, own, is_classic) in
        [("quick", "", false), ("world", "", false), ("world", "", true), ("quick", far.as_str(), true)]
    {
        let (e, _) = ratio(kind, own, is_classic);
        assert!((e - 0.8).abs() < 5e-3, "{kind} {own} {is_classic}: {e}");
    }
    let (_, up) = ratio("quick", "", true);
    assert!((up - 0.01).abs() < 1e-6, "{up}");
}

#[test]
fn softness_points_and_cones_are_classics() {
    // soft_cfm is not used: the ball does not sink.
    let soft = contact("<soft_cfm>0.01</soft_cfm><soft_erp>0.5</soft_erp>");
    for (is_classic, is_deep) in [(true, false), (false, true)] {
        let mut simulation = world(&spheres(0.0, &soft, &solver("world")), is_classic);
        run(&mut simulation, 2000);
        assert_eq!(0.5 - position(&simulation, "first::l").z > 1e-4, is_deep, "{is_classic}");
    }
    // A cone with mu 0.5 along x and mu2 0.1 along y.
    let sliding = "<friction><ode><mu>0.5</mu><mu2>0.1</mu2><fdir1>1 0 0</fdir1></ode></friction>";
    let text = format!(
        "<sdf version='1.6'><world name='w'><gravity>0 0 -9.8</gravity><physics type='ode'><ode><solver><friction_model>cone_model\
         </friction_model></solver></ode></physics><model name='g'><static>true</static><link name='l'><collision name='c'><geometry>\
         <plane/></geometry><surface>{sliding}</surface></collision></link></model><model name='b'><pose>0 0 0.25 0 0 0</pose><plugin name='v' \
         filename='libInitialVelocityPlugin.so'><linear>0 3 0</linear></plugin><link name='l'><collision name='c'><geometry><box><size>0.5 \
         0.5 0.5</size></box></geometry><surface>{sliding}</surface></collision></link></model></world></sdf>"
    );
    for (is_classic, mu) in [(true, 0.1), (false, 0.5)] {
        let mut simulation = world(&text, is_classic);
        run(&mut simulation, 500);
        let v = simulation.link_velocity(simulation.link("b::l").unwrap()).0.y;
        assert!((3.0 - v - mu * 9.8 * 0.5).abs() < 0.02, "{is_classic}: {v}");
    }
}
