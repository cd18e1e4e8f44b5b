//! A chain and a quadruped, written as SDFormat for us and as MJCF for MuJoCo, from the same numbers.

use std::fmt::Write;

use crate::scene::{Mode, STEP, Scene};

/// Both scenes.
pub(crate) fn all() -> Vec<Scene> {
    vec![chain(), quadruped()]
}

/// A link on a hinge; all link frames are parallel at the start.
struct Link {
    name: String,
    /// Link that carries it; `None` is the world.
    parent: Option<usize>,
    /// Origin in the frame of the parent \[m\].
    origin: [f64; 3],
    /// Hinge through the origin; `None` moves freely.
    axis: Option<[f64; 3]>,
    mass: f64,
    /// Centre of mass \[m\].
    center: [f64; 3],
    /// Moments about it along the axes of the link \[kg m²\].
    moments: [f64; 3],
    /// Stiffness \[N m/rad\] and damping \[N m s/rad\] of its hinge.
    spring: [f64; 2],
    /// A ball that touches the ground: its centre, and radius \[m\].
    foot: Option<([f64; 3], f64)>,
}

const FRICTION: f64 = 0.8;
const GRAVITY: &str = "0 0 -9.81";

/// 100 hinges in a row, which fall from the horizontal.
fn chain() -> Scene {
    let links: Vec<Link> = (0..100usize)
        .map(|k| Link {
            name: format!("link{k}"),
            parent: k.checked_sub(1),
            origin: [if k == 0 { 0.0 } else { 0.5 }, 0.0, 0.0],
            axis: Some([0.0, 1.0, 0.0]),
            mass: 1.0,
            center: [0.25, 0.0, 0.0],
            moments: [0.001, 0.021, 0.021],
            spring: [0.0; 2],
            foot: None,
        })
        .collect();
    scene("chain100", &links, 1.0)
}

/// A trunk on four legs of three sprung hinges, which stands on four feet: 18 dofs.
fn quadruped() -> Scene {
    let (length, bend, radius) = (0.2, 0.6f64, 0.025);
    let (down, aside) = (length * bend.cos(), length * bend.sin());
    let trunk = Link {
        name: "trunk".to_owned(),
        parent: None,
        origin: [0.0, 0.0, 2.0 * down + radius],
        axis: None,
        mass: 8.0,
        center: [0.0; 3],
        moments: [0.04, 0.12, 0.14],
        spring: [0.0; 2],
        foot: None,
    };
    let mut links = vec![trunk];
    for (leg, [x, y]) in [[0.2, 0.12], [0.2, -0.12], [-0.2, 0.12], [-0.2, -0.12]].into_iter().enumerate() {
        let first = links.len();
        let mut add = |name: &str, parent, origin, axis, mass, center, foot| {
            let moments = [0.002 * mass, 0.003 * mass, 0.002 * mass];
            let (name, axis, spring) = (format!("{name}{leg}"), Some(axis), [150.0, 3.0]);
            links.push(Link { name, parent: Some(parent), origin, axis, mass, center, moments, spring, foot });
        };
        let thigh = [-aside, 0.0, -down];
        let shank = [aside, 0.0, -down];
        add("hip", 0, [x, y, 0.0], [1.0, 0.0, 0.0], 0.6, [0.0; 3], None);
        add("thigh", first, [0.0; 3], [0.0, 1.0, 0.0], 0.8, thigh.map(|c| c / 2.0), None);
        add("shank", first + 1, thigh, [0.0, 1.0, 0.0], 0.2, shank.map(|c| c / 2.0), Some((shank, radius)));
    }
    scene("quadruped", &links, 2.0)
}

fn scene(name: &'static str, links: &[Link], duration: f64) -> Scene {
    let hinges = links.iter().enumerate().filter(|(_, link)| link.axis.is_some());
    Scene {
        name,
        sdf: sdf(links),
        mjcf: Some(mjcf(links)),
        links: links.iter().map(|l| l.name.clone()).collect(),
        velocities: Vec::new(),
        hinges: hinges.filter_map(|(i, link)| Some(([link.parent?, i], [link.origin, [0.0; 3]]))).collect(),
        runs: vec![(Mode::Sweeps, duration), (Mode::Direct, duration)],
    }
}

fn triple([x, y, z]: [f64; 3]) -> String {
    format!("{x} {y} {z}")
}

/// Writing to a string cannot fail.
macro_rules! put {
    ($text:expr, $($rest:tt)*) => { let _ = writeln!($text, $($rest)*); };
}

fn sdf(links: &[Link]) -> String {
    let mut text = format!(
        "<?xml version=\"1.0\"?>\n<sdf version=\"1.9\">\n<world name=\"scene\">\n<gravity>{GRAVITY}</gravity>\n"
    );
    let friction =
        format!("<surface><friction><ode><mu>{FRICTION}</mu><mu2>{FRICTION}</mu2></ode></friction></surface>");
    put!(
        text,
        "<model name=\"ground\"><static>true</static><link name=\"ground\"><collision name=\"plane\"><geometry>"
    );
    put!(text, "<plane><normal>0 0 1</normal></plane></geometry>{friction}</collision></link></model>");
    put!(text, "<model name=\"robot\">");
    let mut origins: Vec<[f64; 3]> = Vec::new();
    for link in links {
        let base = link.parent.map_or([0.0; 3], |p| origins[p]);
        let origin = [0, 1, 2].map(|i| base[i] + link.origin[i]);
        origins.push(origin);
        let [x, y, z] = link.moments;
        put!(text, "<link name=\"{}\"><pose>{} 0 0 0</pose>", link.name, triple(origin));
        put!(text, "<inertial><pose>{} 0 0 0</pose><mass>{}</mass>", triple(link.center), link.mass);
        put!(text, "<inertia><ixx>{x}</ixx><iyy>{y}</iyy><izz>{z}</izz></inertia></inertial>");
        if let Some((at, radius)) = link.foot {
            put!(text, "<collision name=\"foot\"><pose>{} 0 0 0</pose><geometry>", triple(at));
            put!(text, "<sphere><radius>{radius}</radius></sphere></geometry>{friction}</collision>");
        }
        put!(text, "</link>");
        if let Some(axis) = link.axis {
            let parent = link.parent.map_or("world", |p| &links[p].name);
            let [stiffness, damping] = link.spring;
            put!(
                text,
                "<joint name=\"to_{n}\" type=\"revolute\"><parent>{parent}</parent><child>{n}</child>",
                n = link.name
            );
            put!(text, "<axis><xyz>{}</xyz><dynamics><spring_stiffness>{stiffness}</spring_stiffness>", triple(axis));
            put!(text, "<spring_reference>0</spring_reference><damping>{damping}</damping></dynamics></axis></joint>");
        }
    }
    text + "</model>\n</world>\n</sdf>\n"
}

fn mjcf(links: &[Link]) -> String {
    let mut text = format!("<mujoco>\n<option timestep=\"{STEP}\" gravity=\"{GRAVITY}\"/>\n<worldbody>\n");
    put!(text, "<geom type=\"plane\" size=\"9 9 1\" friction=\"{FRICTION}\" contype=\"1\" conaffinity=\"0\"/>");
    for root in (0..links.len()).filter(|i| links[*i].parent.is_none()) {
        mjcf_body(links, root, &mut text);
    }
    text + "</worldbody>\n</mujoco>\n"
}

fn mjcf_body(links: &[Link], index: usize, text: &mut String) {
    let link = &links[index];
    put!(text, "<body name=\"{}\" pos=\"{}\">", link.name, triple(link.origin));
    match link.axis {
        Some(axis) => {
            let [stiffness, damping] = link.spring;
            put!(
                text,
                "<joint type=\"hinge\" axis=\"{}\" stiffness=\"{stiffness}\" damping=\"{damping}\"/>",
                triple(axis)
            );
        }
        None => {
            put!(text, "<freejoint/>");
        }
    }
    let (center, moments) = (triple(link.center), triple(link.moments));
    put!(text, "<inertial pos=\"{center}\" mass=\"{}\" diaginertia=\"{moments}\"/>", link.mass);
    if let Some((at, radius)) = link.foot {
        put!(
            text,
            "<geom type=\"sphere\" size=\"{radius}\" pos=\"{}\" friction=\"{FRICTION}\" contype=\"0\"",
            triple(at)
        );
        put!(text, " conaffinity=\"1\"/>");
    }
    for child in (0..links.len()).filter(|i| links[*i].parent == Some(index)) {
        mjcf_body(links, child, text);
    }
    put!(text, "</body>");
}
