//! A face that turns about its normal is stopped by the friction of its contact points: of a ring, not of uniform pressure.

use stiction_run::{Quantity, Setup};

const G: f64 = 9.8;

/// Time to the stop of a body that turns at 20 rad/s on a plane with friction μ \[s\].
fn stop(engine: &str, shape: &str, inertia: f64, mu: f64) -> f64 {
    let surface = format!("<surface><friction><ode><mu>{mu}</mu><mu2>{mu}</mu2></ode></friction></surface>");
    let text = format!(
        "<sdf version=\"1.9\"><world name=\"w\"><gravity>0 0 -{G}</gravity><physics type=\"ode\"><max_step_size>0.001</max_step_size>\
         <ode><solver><friction_model>cone_model</friction_model></solver></ode></physics>\
         <model name=\"g\"><static>true</static><link name=\"l\"><collision name=\"c\"><geometry><plane/></geometry>{surface}</collision></link></model>\
         <model name=\"b\"><pose>0 0 0.02 0 0 0</pose><link name=\"l\"><inertial><mass>1</mass><inertia><ixx>{0}</ixx><iyy>{0}</iyy><izz>{inertia}</izz></inertia></inertial>\
         <collision name=\"c\"><geometry>{shape}</geometry>{surface}</collision></link>\
         <plugin name=\"v\" filename=\"libInitialVelocityPlugin.so\"><angular>0 0 20</angular></plugin></model></world></sdf>",
        0.52 * inertia
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("w.world");
    std::fs::write(&path, text).expect("a file");
    let mut run = Setup::new(&path).engine(engine).start().unwrap_or_else(|error| panic!("{error}"));
    let link = run.simulation().link("b::l").expect("a link").clone();
    while run.simulation().link_velocity(&link).1.z > 0.02 {
        run.step().expect("a step");
        assert!(run.time() < 5.0, "{engine}");
    }
    assert!(run.link(Quantity::Position, "b::l").is_ok_and(|at| at.length() < 0.03), "{engine}");
    run.time()
}

#[test]
fn faces_are_stopped_by_their_rims_and_corners() {
    for (k, engine) in ["ode", "ode-world", "bullet", "drake-discrete", "agx"].into_iter().enumerate() {
        let k = k as f64;
        let (radius, mu, side) = (0.1 + 0.03 * k, 0.2 + 0.05 * k, 0.2 + 0.05 * k);
        let disc = format!("<cylinder><radius>{radius}</radius><length>0.04</length></cylinder>");
        let plate = format!("<box><size>{side} {side} 0.04</size></box>");
        let of_disc = stop(engine, &disc, 0.5 * radius * radius, mu);
        let of_plate = stop(engine, &plate, side * side / 6.0, mu);
        for (found, inertia, arm) in
            [(of_disc, 0.5 * radius * radius, radius), (of_plate, side * side / 6.0, side / 2.0_f64.sqrt())]
        {
            let wanted = 20.0 * inertia / (mu * G * arm);
            assert!((found - wanted).abs() < 0.01 * wanted + 2e-3, "{engine}: {found} s, wanted {wanted} s");
        }
    }
}
