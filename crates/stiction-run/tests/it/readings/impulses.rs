//! Forces of contacts that are recorded, times the step, are the change of momentum: `Σ f h = m Δv − m g t`, in every engine and at
//! every step, through landings, bounces and slides; and so is what contact sensors read.

use stiction::math::DVec3;
use stiction_formats::simulation::SensorValue;
use stiction_testing::cases;

use super::{Random, angles, file, point, words};

/// A thrown solid over a ground, with a contact sensor.
struct Throw {
    text: String,
    mass: f64,
    gravity: DVec3,
}

fn throw(random: &mut Random, step: f64) -> Throw {
    let mass = random.within(0.2, 5.0);
    let gravity = DVec3::new(random.within(-2.0, 2.0), 0.0, random.within(-12.0, -5.0));
    let size = random.within(0.1, 0.3);
    let shape = match (random.next() * 3.0) as usize {
        0 => format!("<sphere><radius>{size}</radius></sphere>"),
        1 => format!("<box><size>{size} {} {}</size></box>", random.within(0.1, 0.3), random.within(0.1, 0.3)),
        _ => format!("<cylinder><radius>{size}</radius><length>{}</length></cylinder>", random.within(0.1, 0.4)),
    };
    let moment = 0.1 * mass * size * size;
    let [v, w] = [point(random, 2.0), point(random, 4.0)];
    let surface = format!(
        "<surface><friction><ode><mu>{0}</mu><mu2>{0}</mu2></ode></friction><bounce><restitution_coefficient>{1}</restitution_coefficient><threshold>0.01</threshold></bounce></surface>",
        random.within(0.0, 1.0),
        random.within(0.0, 0.7),
    );
    let at = words(DVec3::new(0.0, 0.0, random.within(0.5, 0.8)), angles(random));
    let text = format!(
        r#"<sdf version="1.9"><world name="w"><gravity>{} {} {}</gravity><physics type="ode"><max_step_size>{step}</max_step_size></physics>
<model name="ground"><static>true</static><link name="l"><collision name="c"><geometry><plane/></geometry>{surface}</collision></link></model>
<model name="m"><pose>{at}</pose><link name="l"><inertial><mass>{mass}</mass><inertia><ixx>{moment}</ixx><iyy>{moment}</iyy><izz>{moment}</izz></inertia></inertial>
<collision name="c"><geometry>{shape}</geometry>{surface}</collision><sensor name="s" type="contact"/></link>
<plugin name="i" filename="libInitialVelocityPlugin.so"><linear>{} {} {}</linear><angular>{} {} {}</angular></plugin></model></world></sdf>"#,
        gravity.x, gravity.y, gravity.z, v.x, v.y, v.z, w.x, w.y, w.z
    );
    Throw { text, mass, gravity }
}

#[test]
fn recorded_forces_are_the_change_of_momentum_in_every_engine() {
    let mut random = Random(31);
    for _ in 0..cases(3, 100) {
        for step in [0.001, 0.005] {
            let Throw { text, mass, gravity } = throw(&mut random, step);
            for engine in stiction_formats::usage::engines() {
                let mut run = file(&text, "throw.sdf").engine(engine).start().unwrap();
                let velocity = |run: &stiction_run::Run| {
                    let simulation = run.simulation();
                    let body = simulation.link("m::l").unwrap().body.unwrap();
                    simulation.world.body(body).unwrap().velocity()
                };
                let (start, mut told, mut read, mut worst) = (velocity(&run), DVec3::ZERO, DVec3::ZERO, 0.0_f64);
                let mut largest = 0.0_f64;
                for _ in 0..(0.8 / step) as usize {
                    let before = velocity(&run);
                    run.step().unwrap();
                    let mut here = DVec3::ZERO;
                    for contact in run.simulation().world.contact_reports() {
                        // The force is that on the first body.
                        here += if contact.bodies[0].is_some() { contact.force } else { -contact.force } * step;
                    }
                    let gained = mass * (velocity(&run) - before) - mass * step * gravity;
                    worst = worst.max((here - gained).length());
                    largest = largest.max(gained.length());
                    told += here;
                    if let Some(SensorValue::Touch { force, .. }) = run.simulation().readings().next().map(|r| r.value)
                    {
                        read += *force * step;
                    }
                }
                let given = mass * (velocity(&run) - start) - mass * run.time() * gravity;
                // Solvers that iterate leave what their tolerance is.
                assert!(worst < 1e-4 * largest, "{engine} {step}: {worst} of {largest} N s in a step");
                assert!((told - given).length() < 1e-4 * given.length(), "{engine} {step}: {told} {given}");
                assert!((told - read).length() < 1e-9 * given.length(), "{engine} {step}: {told} {read}");
                assert!(largest > 0.1 * mass, "it lands");
            }
        }
    }
}
