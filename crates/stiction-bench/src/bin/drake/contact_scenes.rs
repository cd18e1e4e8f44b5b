//! Spheres and boxes with compliant contact, as one SDFormat text for us and for Drake.

use std::f64::consts::PI;
use std::fmt::Write;

use crate::scene::{Mode, Scene};

/// The four scenes.
pub(crate) fn all() -> Vec<Scene> {
    vec![rolling_sphere(), sliding_block(), resting_boxes(), heap()]
}

/// Compliant contact of one pair, of which each surface is a half.
#[derive(Clone, Copy)]
struct Contact {
    stiffness: f64,
    friction: f64,
}

/// Contacts of a body of mass m under gravity g that rests at the depth δ: `k = m g / δ`, `d = 1 / √(g δ)`.
struct World {
    text: String,
    contact: Contact,
    dissipation: f64,
    links: Vec<String>,
}

const GRAVITY: f64 = 9.81;

impl World {
    fn new(mass: f64, depth: f64, friction: f64) -> Self {
        let text = format!(
            "<?xml version=\"1.0\"?>\n<sdf version=\"1.9\" xmlns:drake=\"drake.mit.edu\">\n<world name=\"scene\">\n\
             <gravity>0 0 -{GRAVITY}</gravity>\n"
        );
        let contact = Contact { stiffness: mass * GRAVITY / depth, friction };
        Self { text, contact, dissipation: 1.0 / (GRAVITY * depth).sqrt(), links: Vec::new() }
    }

    /// A model of one link; without mass it is static.
    fn model(&mut self, name: &str, pose: [f64; 6], body: Option<(f64, [f64; 3])>, shapes: &[(String, [f64; 3])]) {
        let text = &mut self.text;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "<model name=\"{name}\">\n<pose>{}</pose>", numbers(&pose));
        let _ = writeln!(text, "<static>{}</static>\n<link name=\"{name}\">", body.is_none());
        if let Some((mass, moments)) = body {
            self.links.push(name.to_owned());
            let _ = writeln!(
                text,
                "<inertial><mass>{mass}</mass><inertia><ixx>{}</ixx><iyy>{}</iyy><izz>{}</izz><ixy>0</ixy><ixz>0</ixz>\
                 <iyz>0</iyz></inertia></inertial>",
                moments[0], moments[1], moments[2]
            );
        }
        for (index, (geometry, at)) in shapes.iter().enumerate() {
            // Two equal springs in a row give half the stiffness.
            let _ = writeln!(
                text,
                "<collision name=\"c{index}\"><pose>{} 0 0 0</pose><geometry>{geometry}</geometry>\n\
                 <drake:proximity_properties><drake:point_contact_stiffness>{}</drake:point_contact_stiffness>\
                 <drake:hunt_crossley_dissipation>{}</drake:hunt_crossley_dissipation>\
                 <drake:mu_static>{mu}</drake:mu_static><drake:mu_dynamic>{mu}</drake:mu_dynamic>\
                 </drake:proximity_properties></collision>",
                numbers(at),
                2.0 * self.contact.stiffness,
                self.dissipation,
                mu = self.contact.friction
            );
        }
        let _ = writeln!(text, "</link>\n</model>");
    }

    fn scene(mut self, name: &'static str, velocities: Vec<(String, [f64; 6])>, durations: [f64; 2]) -> Scene {
        self.text += "</world>\n</sdf>\n";
        Scene {
            name,
            sdf: self.text,
            mjcf: None,
            links: self.links,
            velocities,
            hinges: Vec::new(),
            runs: vec![(Mode::DrakeDiscrete, durations[0]), (Mode::DrakeContinuous, durations[1])],
        }
    }
}

fn numbers(list: &[f64]) -> String {
    list.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")
}

fn sphere(radius: f64) -> String {
    format!("<sphere><radius>{radius}</radius></sphere>")
}

fn cuboid(size: [f64; 3]) -> String {
    format!("<box><size>{}</size></box>", numbers(&size))
}

fn plane() -> (String, [f64; 3]) {
    ("<plane><normal>0 0 1</normal><size>1 1</size></plane>".to_owned(), [0.0; 3])
}

fn box_moments(mass: f64, [x, y, z]: [f64; 3]) -> [f64; 3] {
    [y * y + z * z, x * x + z * z, x * x + y * y].map(|s| mass * s / 12.0)
}

/// Spheres at the four lower corners of a box.
fn corner_spheres([x, y, z]: [f64; 3], radius: f64) -> Vec<(String, [f64; 3])> {
    let corners = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]];
    corners.map(|[a, b]| (sphere(radius), [a * x / 2.0, b * y / 2.0, -z / 2.0])).into()
}

/// A ball slides, then rolls, at its resting depth from the start.
fn rolling_sphere() -> Scene {
    let (radius, mass) = (0.05, 0.1);
    let mut world = World::new(mass, 1e-3, 0.3);
    world.model("ground", [0.0; 6], None, &[plane()]);
    let body = (mass, [0.4 * mass * radius * radius; 3]);
    world.model("ball", [0.0, 0.0, radius - 1e-3, 0.0, 0.0, 0.0], Some(body), &[(sphere(radius), [0.0; 3])]);
    world.scene("sphere", vec![("ball".to_owned(), [1.5, 0.0, 0.0, 0.0, 0.0, 0.0])], [10.0; 2])
}

/// A block on four spheres slides down a slope of 25° at μ = 0.3.
fn sliding_block() -> Scene {
    let (size, radius, mass) = ([0.4, 0.2, 0.04], 0.02, 0.1);
    let angle = 25.0 * PI / 180.0;
    let mut world = World::new(mass, 1e-4, 0.3);
    world.model("slope", [0.0, 0.0, 0.0, 0.0, angle, 0.0], None, &[plane()]);
    let height = size[2] / 2.0 + radius;
    let pose = [height * angle.sin(), 0.0, height * angle.cos(), 0.0, angle, 0.0];
    world.model("block", pose, Some((mass, box_moments(mass, size))), &corner_spheres(size, radius));
    world.scene("block", Vec::new(), [10.0; 2])
}

/// Two boxes at rest beside each other, each on four spheres.
fn resting_boxes() -> Scene {
    let (size, radius, mass) = ([0.2, 0.2, 0.1], 0.01, 1.0);
    let mut world = World::new(mass, 1e-3, 0.5);
    world.model("ground", [0.0; 6], None, &[plane()]);
    for (name, x) in [("first", -0.2), ("second", 0.2)] {
        let pose = [x, 0.0, size[2] / 2.0 + radius, 0.0, 0.0, 0.0];
        world.model(name, pose, Some((mass, box_moments(mass, size))), &corner_spheres(size, radius));
    }
    world.scene("boxes", Vec::new(), [10.0; 2])
}

/// 64 balls fall into a bin, a little out of line. The floor is a box: Drake 1.51 crashes on a half-space of a welded
/// link beside so many spheres.
fn heap() -> Scene {
    let (radius, mass) = (0.05, 0.1);
    let mut world = World::new(mass, 1e-3, 0.5);
    let (half, thick, height) = (0.23, 0.1, 0.6);
    let long = 2.0 * (half + thick);
    let beside = half + thick / 2.0;
    let bin = [
        (cuboid([long, long, thick]), [0.0, 0.0, -thick / 2.0]),
        (cuboid([thick, long, height]), [-beside, 0.0, height / 2.0]),
        (cuboid([thick, long, height]), [beside, 0.0, height / 2.0]),
        (cuboid([2.0 * half, thick, height]), [0.0, -beside, height / 2.0]),
        (cuboid([2.0 * half, thick, height]), [0.0, beside, height / 2.0]),
    ];
    world.model("bin", [0.0; 6], None, &bin);
    let body = (mass, [0.4 * mass * radius * radius; 3]);
    for k in 0..64usize {
        let [x, y, z] = [k % 4, k / 4 % 4, k / 16].map(|i| i as f64);
        // Offsets without a pattern, up to 4 mm.
        let aside = |a: usize| 0.004 * ((k * a) as f64).sin();
        let pose = [(x - 1.5) * 0.11 + aside(7), (y - 1.5) * 0.11 + aside(11), 0.06 + 0.11 * z, 0.0, 0.0, 0.0];
        world.model(&format!("ball{k}"), pose, Some(body), &[(sphere(radius), [0.0; 3])]);
    }
    world.scene("heap", Vec::new(), [1.0, 0.2])
}
