//! Advice of `check`: each code on one side of its threshold and on the other, figures judged by simulation or by closed
//! forms. `UPDATE=1 cargo test -p stiction-formats --test it advice` rewrites `docs/advice.md`.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use common::{load_good, load_text};
use proptest::prelude::*;
use stiction::math::DVec3;
use stiction::world::Preset;
use stiction_formats::description::{GeometryDescription, WorldDescription};
use stiction_formats::diagnostic::{Diagnostic, Severity};
use stiction_formats::mesh::MeshDescription;
use stiction_formats::simulation::{engine_parameters, simulate, world_parameters};
use stiction_formats::{
    ADVICE_CODES, FixedBy, LoadOptions, advice, advice_applies, start_advice, unit_advice, weight_advice,
};

const G: f64 = 10.0;
const GROUND: &str = r#"<model name="ground"><static>true</static><link name="l"><collision name="c"><geometry><plane/></geometry></collision></link></model>"#;

fn world(physics: &str, body: &str) -> String {
    format!(
        r#"<sdf version="1.9"><world name="w"><gravity>0 0 -{G}</gravity><physics name="p" type="ode">{physics}</physics>{GROUND}{body}</world></sdf>"#
    )
}

/// A cube with its own inertia.
fn cube(name: &str, pose: &str, side: f64, mass: f64, surface: &str, more: &str) -> String {
    let i = mass * side * side / 6.0;
    format!(
        r#"<model name="{name}"><pose>{pose}</pose><link name="l"><inertial><mass>{mass}</mass>
           <inertia><ixx>{i}</ixx><iyy>{i}</iyy><izz>{i}</izz></inertia></inertial>
           <collision name="c"><geometry><box><size>{side} {side} {side}</size></box></geometry>
           <surface>{surface}</surface></collision></link>{more}</model>"#
    )
}

fn found(text: &str) -> Vec<Diagnostic> {
    let loaded = load_text(text, &LoadOptions { no_ground: true, ..LoadOptions::default() });
    let world = loaded.world.as_ref().unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
    let preset = Preset::from_name(&world.physics.engine.value).unwrap();
    let parameters = engine_parameters(world, preset);
    let mut found = advice(world, world.physics.max_step_size.value);
    found.retain(|d| advice_applies(d.code, preset.name(), &parameters));
    found.extend(start_advice(world, world.physics.max_step_size.value));
    if let Ok(mut simulation) = simulate(world, world_parameters(world)) {
        found.extend(weight_advice(world, &mut simulation));
    }
    found.extend(unit_advice(&loaded.sources));
    found
}

fn of<'a>(found: &'a [Diagnostic], code: &str) -> Vec<&'a Diagnostic> {
    found.iter().filter(|d| d.code == code).collect()
}

/// The figure is that of the pair: of two surfaces in series, of a soft ground alone, of the points that the engine has; none where
/// the engine has no kp.
#[test]
fn the_depth_under_the_weight_is_that_of_the_pair() {
    let kp = |kp: f64| format!("<surface><contact><ode><kp>{kp}</kp></ode></contact></surface>");
    let soft_ground = |text: String, stiffness: f64| {
        text.replace("<plane/></geometry>", &format!("<plane/></geometry>{}", kp(stiffness)))
    };
    let body = |surface: &str| world("", &cube("a", "0 0 0.5 0 0 0", 1.0, 5.0, surface, ""));
    let own = "<contact><ode><kp>6000</kp></ode></contact>";
    let (both, ground) = (soft_ground(body(own), 3000.0), soft_ground(body(""), 1000.0));
    let weight = 5.0 * G;
    let cases = [
        (&both, Preset::OdeQuick, Some(weight / (4.0 * 2000.0))),
        (&both, Preset::Bullet, Some(weight / (4.0 * 2000.0))),
        (&both, Preset::DrakeDiscrete, Some(weight / (4.0 * 2000.0))),
        (&both, Preset::Dart, None),
        (&ground, Preset::OdeQuick, Some(weight / (4.0 * 1000.0))),
        (&ground, Preset::Agx, Some(weight / (4.0 * 1000.0))),
    ];
    for (text, preset, depth) in cases {
        let world = load_good(text);
        let mut simulation = simulate(&world, engine_parameters(&world, preset)).unwrap();
        let found = weight_advice(&world, &mut simulation);
        let told: Vec<&str> = found.iter().map(|d| d.message.as_str()).collect();
        match depth {
            None => assert!(told.is_empty(), "{preset:?} {told:?}"),
            Some(depth) => {
                let figure: f64 =
                    told[0].split(" by ").nth(1).and_then(|t| t.split(' ').next()).unwrap().parse().unwrap();
                assert!((figure / (1e3 * depth) - 1.0).abs() < 1e-3, "{preset:?} {depth} {told:?}");
                assert!(found[0].location.is_some());
            }
        }
    }
}

/// The file on the first side has the finding, with the severity of the table; that on the other has not.
fn sides(code: &str, with: &str, without: &str) {
    let entry = ADVICE_CODES.iter().find(|c| c.code == code).unwrap();
    let (with, without) = (found(with), found(without));
    let own = of(&with, code);
    assert!(!own.is_empty() && own.iter().all(|d| d.severity == entry.severity && d.location.is_some()), "{with:#?}");
    assert!(of(&without, code).is_empty(), "{without:#?}");
    let by_hand = matches!(entry.fixed, FixedBy::ByHand(_));
    assert!(own.iter().all(|d| d.fix.is_some() != by_hand), "{own:#?}");
}

#[test]
fn settings_that_few_mean_have_findings() {
    let body = || cube("a", "0 0 0.5 0 0 0", 1.0, 1.0, "", "");
    let step = |h: f64| world(&format!("<max_step_size>{h}</max_step_size>"), &body());
    sides("long-step", &step(0.021), &step(0.02));
    let gravity = |z: f64| {
        world("", &body()).replace(&format!("<gravity>0 0 -{G}</gravity>"), &format!("<gravity>1 0 {z}</gravity>"))
    };
    sides("gravity-upwards", &gravity(9.8), &gravity(-9.8));
    let points = |n: u32| {
        let most = format!("</box></geometry><max_contacts>{n}</max_contacts>");
        world("", &body()).replace("</box></geometry>", &most)
    };
    sides("few-contact-points", &points(2), &points(3));
    let round = |shape: &str, n: u32| points(n).replace("<box><size>1 1 1</size></box>", shape);
    let capsule = "<capsule><radius>0.2</radius><length>1</length></capsule>";
    sides("few-contact-points", &round(capsule, 1), &round(capsule, 2));
    for shape in ["<sphere><radius>0.2</radius></sphere>", "<ellipsoid><radii>0.2 0.3 0.4</radii></ellipsoid>"] {
        sides("few-contact-points", &round(shape, 0), &round(shape, 1));
    }
    let none = found(&points(0));
    assert!(of(&none, "few-contact-points")[0].message.ends_with("it goes through everything"), "{none:#?}");
    let spin = |w: f64| {
        let plugin =
            format!("<plugin name='i' filename='libInitialVelocityPlugin.so'><angular>0 0 {w}</angular></plugin>");
        world("", &body()).replace("</link></model></world>", &format!("</link>{plugin}</model></world>"))
    };
    sides("fast-spin", &spin(501.0), &spin(499.0));
    let limit = |effort: f64| {
        let arm = format!(
            r#"<model name="m"><link name="l"><inertial><mass>1</mass></inertial></link><joint name="j" type="revolute"><parent>world</parent><child>l</child><axis><xyz>0 0 1</xyz><limit><effort>{effort}</effort></limit></axis></joint></model>"#
        );
        world("", &arm)
    };
    sides("zero-limit", &limit(0.0), &limit(0.1));
    let direction = |xyz: &str| {
        let surface = format!("<friction><ode><fdir1>{xyz}</fdir1></ode></friction>");
        world("", &cube("a", "0 0 0.4999 0 0 0", 1.0, 1.0, &surface, ""))
    };
    sides("fdir1-along-normal", &direction("0 0 1"), &direction("1 0 1"));
}

#[test]
fn surfaces_have_findings_beyond_their_thresholds() {
    let spring = |kp: f64| {
        world("", &cube("a", "0 0 0.5 0 0 0", 1.0, 1.0, &format!("<contact><ode><kp>{kp}</kp></ode></contact>"), ""))
    };
    // 2 ζ √(kp m) of 1 kg at ζ = 0.05.
    let damped = |kd: f64| {
        let surface = format!("<contact><ode><kp>10000</kp><kd>{kd}</kd></ode></contact>");
        world("", &cube("a", "0 0 0.5 0 0 0", 1.0, 1.0, &surface, "")).replace("type=\"ode\"", "type=\"simbody\"")
    };
    sides("undamped-contact", &damped(9.9), &damped(10.1));
    // What an engine leaves out is not told a second time.
    let in_fixed_steps = found(&damped(0.0).replace("type=\"simbody\"", "type=\"ode\""));
    assert!(of(&in_fixed_steps, "undamped-contact").is_empty(), "{in_fixed_steps:#?}");
    assert!(of(&found(&damped(0.0)), "implied-erp-cfm").is_empty());
    sides("implied-erp-cfm", &spring(1e6), &spring(1e12));
    // m g / 4 k = 1 mm at 2500 N/m; 1 % of the side is more.
    sides("sinks-by-weight", &spring(2490.0), &spring(2510.0));
    let bound = |v: f64| {
        let surface = format!("<contact><ode><max_vel>{v}</max_vel></ode></contact>");
        world(
            "<ode><constraints><contact_max_correcting_vel>5</contact_max_correcting_vel></constraints></ode>",
            &cube("a", "0 0 0.5 0 0 0", 1.0, 1.0, &surface, ""),
        )
    };
    sides("unreachable-max-vel", &bound(5.1), &bound(5.0));
    sides("push-out-bounces", &bound(1.1), &bound(1.0));
    let mu = |a: f64, b: f64| {
        let of = |mu: f64| format!("<friction><ode><mu>{mu}</mu></ode></friction>");
        world(
            "",
            &(cube("a", "0 0 0.5 0 0 0", 1.0, 1.0, &of(a), "") + &cube("b", "0 0 1.5 0 0 0", 1.0, 1.0, &of(b), "")),
        )
    };
    sides("large-friction", &mu(11.0, 12.0), &mu(1e6, 10.0));
    // 10 √(2 g H) with H = 2 m is 63.2 m/s.
    let bounce = |threshold: f64, e: f64| {
        let of = |e: f64| {
            format!(
                "<bounce><restitution_coefficient>{e}</restitution_coefficient><threshold>{threshold}</threshold></bounce>"
            )
        };
        world(
            "",
            &(cube("a", "0 0 2 0 0 0", 1.0, 1.0, &of(0.5), "") + &cube("b", "0 0 0.5 0 0 0", 1.0, 1.0, &of(e), "")),
        )
    };
    sides("unreachable-bounce-threshold", &bounce(63.5, 0.5), &bounce(63.0, 0.5));
    sides("one-sided-restitution", &bounce(0.1, 0.0), &bounce(0.1, 0.1));
}

#[test]
fn structure_has_findings_beyond_its_thresholds() {
    let joined = |kind: &str, m: f64, n: f64, limit: &str| {
        let link = |name: &str, z: f64, m: f64| {
            let i = m / 6.0;
            format!(
                r#"<link name="{name}"><pose>0 0 {z} 0 0 0</pose><inertial><mass>{m}</mass><inertia><ixx>{i}</ixx><iyy>{i}</iyy><izz>{i}</izz></inertia></inertial>
                   <collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link>"#
            )
        };
        let links = link("p", 1.0, m) + &link("c", 3.0, n);
        world(
            "",
            &format!(
                r#"<model name="m">{links}<joint name="j" type="{kind}"><parent>p</parent><child>c</child><axis><xyz>0 1 0</xyz>{limit}</axis></joint></model>"#
            ),
        )
    };
    sides("mass-ratio", &joined("revolute", 1.0, 101.0, ""), &joined("revolute", 1.0, 99.0, ""));
    sides("mass-ratio", &joined("revolute", 1001.0, 1.0, ""), &joined("revolute", 999.0, 1.0, ""));
    sides("needless-fixed-joint", &joined("fixed", 1.0, 1.0, ""), &joined("revolute", 1.0, 1.0, ""));
    let limit = |x: f64| format!("<limit><lower>{}</lower><upper>{x}</upper></limit>", -x);
    sides("limit-in-degrees", &joined("revolute", 1.0, 1.0, &limit(90.0)), &joined("revolute", 1.0, 1.0, &limit(6.25)));
    let plane = |is_static: &str| {
        let i = "<inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia>";
        let body = format!(
            r#"<model name="p"><static>{is_static}</static><link name="l"><inertial>{i}</inertial><collision name="c"><geometry><plane/></geometry></collision></link></model>"#
        );
        world("", &body).replace(GROUND, "")
    };
    sides("movable-plane", &plane("false"), &plane("true"));
    let steps = |h: f64| {
        world(
            &format!(
                "<max_step_size>0.001</max_step_size><ode><solver><min_step_size>{h}</min_step_size></solver></ode>"
            ),
            "",
        )
    };
    sides("min-step-size", &steps(0.001), &steps(0.0009));
    // 2 m r² is 1.5 kg m² for a cube of 1 m and 1 kg.
    let inertia = |i: f64| {
        let own = 1.0 / 6.0;
        world("", &cube("a", "0 0 1 0 0 0", 1.0, 1.0, "", "")).replace(
            &format!("<ixx>{own}</ixx><iyy>{own}</iyy><izz>{own}</izz>"),
            &format!("<ixx>{i}</ixx><iyy>{i}</iyy><izz>{i}</izz>"),
        )
    };
    sides("impossible-inertia", &inertia(0.502), &inertia(0.499));
    sides("unlikely-inertia", &inertia(0.99 / 600.0), &inertia(1.01 / 600.0));
}

#[test]
fn units_and_starts_have_findings_beyond_their_thresholds() {
    let turned = |a: &str| world("", &cube("a", &format!("0 0 2 {a} 0 0"), 1.0, 1.0, "", ""));
    sides("pose-in-degrees", &turned("90"), &turned("6.28"));
    let big = |mass: f64| world("", &cube("a", "0 0 50 0 0 0", 100.0, mass, "", ""));
    // A millionth of a cubic metre's 1e6 times 0.01.
    sides("millimetres", &big(9_990.0), &big(10_010.0));
    // 2 % of 1 m, and the layer of 1 mm.
    let sunk = |depth: f64| world("", &cube("a", &format!("0 0 {} 0 0 0", 0.5 - depth), 1.0, 1.0, "", ""));
    sides("overlapping-start", &sunk(0.0215), &sunk(0.0205));
    // Shapes that are sensors to each other stay where they are.
    let sensor = "<contact><collide_without_contact>true</collide_without_contact></contact>";
    let deep = |surface: &str| world("", &cube("a", "0 0 0.3 0 0 0", 1.0, 1.0, surface, ""));
    sides("overlapping-start", &deep(""), &deep(sensor));
    let shot = |v: f64| {
        let plugin =
            format!(r#"<plugin name="v" filename="libInitialVelocityPlugin.so"><linear>{v} 0 0</linear></plugin>"#);
        world("", &(cube("a", "-5 0 2 0 0 0", 0.2, 1.0, "", &plugin) + &cube("b", "0 0 2 0 0 0", 0.3, 1.0, "", "")))
    };
    // (0.2 + 0.3)/2 m a millisecond.
    sides("tunnelling", &shot(251.0), &shot(249.0));
    let weld = |far: f64| {
        let link = |name: &str, x: f64| {
            format!(
                r#"<link name="{name}"><self_collide>true</self_collide><pose>{x} 0 3 0 0 0</pose><inertial><inertia><ixx>.17</ixx><iyy>.17</iyy><izz>.17</izz></inertia></inertial><collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link>"#
            )
        };
        let joint = |name: &str, a: &str, b: &str| {
            format!(r#"<joint name="{name}" type="fixed"><parent>{a}</parent><child>{b}</child></joint>"#)
        };
        let links = link("a", 0.0) + &link("b", 5.0) + &link("c", far);
        world("", &format!(r#"<model name="m">{links}{}{}</model>"#, joint("j", "a", "b"), joint("k", "b", "c")))
    };
    sides("welded-contact", &weld(0.9), &weld(1.2));
}

/// A body on a hinge to the world that starts with an angular velocity about an axis.
/// The ground of two triangles of 1 m², and what stands on it, with another shape in place of a plane or box.
fn with_mesh(text: &str, link: &str, points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Vec<Diagnostic> {
    let loaded = load_text(text, &LoadOptions { no_ground: true, ..LoadOptions::default() });
    let mut world = loaded.world.unwrap();
    let vertices = points.iter().map(|p| DVec3::from_array(*p)).collect();
    let mesh = MeshDescription { vertices, triangles: triangles.to_vec() };
    let link = world.links.iter_mut().find(|l| l.name.starts_with(link)).unwrap();
    link.collisions[0].geometry = GeometryDescription::Mesh(std::sync::Arc::new(mesh));
    advice(&world, 1e-3)
}

#[test]
fn meshes_without_an_inside_and_grounds_that_face_down_are_reported() {
    let square = [[-0.5, -0.5, 0.0], [0.5, -0.5, 0.0], [0.5, 0.5, 0.0], [-0.5, 0.5, 0.0]];
    let (up, down) = ([[0, 1, 2], [0, 2, 3]], [[0, 2, 1], [0, 3, 2]]);
    let at = |x: f64, z: f64| world("", &cube("a", &format!("{x} 0 {z} 0 0 0"), 0.2, 1.0, "", ""));
    let grounds = [(&up, 0.0, 1.0, 0), (&down, 0.0, 1.0, 1), (&down, 0.6, 1.0, 0), (&down, 0.0, -1.0, 0)];
    for (triangles, x, z, count) in grounds {
        let found = with_mesh(&at(x, z), "ground", &square, triangles);
        let own = of(&found, "ground-faces-down");
        assert_eq!(own.len(), count, "{x} {z}: {found:#?}");
        assert!(own.iter().all(|d| d.location.is_some() && d.message.contains("1 of 1 m²")), "{own:#?}");
        assert!(of(&found, "flat-mesh").is_empty() && of(&found, "open-mesh").is_empty());
    }
    // A pyramid over the square: without its base, with it, and pressed flat.
    let sides = [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]];
    let closed = [&sides[..], &down[..]].concat();
    let pyramid = |height: f64| [&square[..], &[[0.0, 0.0, height]]].concat();
    type Case<'a> = (f64, &'a [[u32; 3]], [usize; 2]);
    let cases: [Case; 4] =
        [(0.5, &sides, [1, 0]), (0.5, &closed, [0, 0]), (0.0, &sides, [0, 1]), (1e-6, &sides, [1, 0])];
    for (height, triangles, [open, flat]) in cases {
        let found = with_mesh(&at(0.0, 1.0), "a", &pyramid(height), triangles);
        assert_eq!([of(&found, "open-mesh").len(), of(&found, "flat-mesh").len()], [open, flat], "{height} {found:#?}");
        assert!(of(&found, "open-mesh").iter().all(|d| d.message.contains(": 4 edges of its 4 triangles")));
    }
}

fn hinged(omega: &str, v: &str) -> String {
    let i = "<inertia><ixx>.17</ixx><iyy>.17</iyy><izz>.17</izz></inertia>";
    world(
        "",
        &format!(
            r#"<model name="m"><link name="l"><pose>0 0 3 0 0 0</pose><inertial>{i}</inertial></link>
               <joint name="j" type="revolute"><pose>0 0 0.5 0 0 0</pose><parent>world</parent><child>l</child><axis><xyz>0 1 0</xyz></axis></joint>
               <plugin name="v" filename="libInitialVelocityPlugin.so"><angular>{omega}</angular><linear>{v}</linear></plugin></model>"#
        ),
    )
}

#[test]
fn velocities_that_fit_a_joint_are_kept_by_a_step_and_others_are_not() {
    // About the hinge 0.5 m above: v = ω × r = (0, 2, 0) × (0, 0, −0.5).
    let fitting = hinged("0 2 0", "-1 0 0");
    sides("jointed-velocity", &hinged("0 2 0", "0 0 0"), &fitting);
    sides("jointed-velocity", &hinged("2 0 0", "0 1 0"), &fitting);
    let after = |text: &str| {
        let description = load_good(text);
        let mut simulation = simulate(&description, world_parameters(&description)).unwrap();
        let before = simulation.link_velocity(&simulation.links[1]);
        simulation.world.step(1e-6);
        let after = simulation.link_velocity(&simulation.links[1]);
        (after.0 - before.0).length() + (after.1 - before.1).length()
    };
    assert!(after(&fitting) < 1e-4 && after(&hinged("0 2 0", "0 0 0")) > 0.1 && after(&hinged("2 0 0", "0 1 0")) > 0.1);
}

fn settled(description: &WorldDescription) -> f64 {
    let mut simulation = simulate(description, world_parameters(description)).unwrap();
    for _ in 0..20_000 {
        simulation.world.step(1e-3);
    }
    simulation.link_pose(&simulation.links[1]).position.z
}

#[test]
fn bodies_sink_as_deep_as_the_advice_says() {
    let surface = "<contact><ode><kp>1000</kp><kd>50</kd><min_depth>0</min_depth></ode></contact>";
    let text = world(
        "<ode><constraints><contact_surface_layer>0</contact_surface_layer></constraints></ode>",
        &cube("a", "0 0 0.5 0 0 0", 1.0, 2.0, surface, ""),
    );
    let sphere = text.replace("<box><size>1 1 1</size></box>", "<sphere><radius>0.5</radius></sphere>");
    for (text, points) in [(text, 4.0), (sphere, 1.0)] {
        let predicted = 2.0 * G / (points * 1000.0);
        let depth = 0.5 - settled(&load_good(&text));
        assert!((depth / predicted - 1.0).abs() < 0.01, "{depth} {predicted}");
        let findings = found(&text);
        assert!(
            of(&findings, "sinks-by-weight")[0].message.contains(&format!("by {} mm", 1e3 * predicted)),
            "{findings:#?}"
        );
    }
}

#[test]
fn overlaps_are_those_of_closed_forms() {
    let bodies = cube("a", "0 0 3 0 0 0", 1.0, 1.0, "", "") + &cube("b", "0.9 0 3.3 0 0 0", 1.0, 1.0, "", "");
    let text = world("", &bodies).replace("<box><size>1 1 1</size></box>", "<sphere><radius>0.5</radius></sphere>");
    let depth = 1.0 - (0.9f64 * 0.9 + 0.3 * 0.3).sqrt();
    let findings = found(&text);
    let own = of(&findings, "overlapping-start");
    assert!(own.len() == 1 && own[0].message.contains(&format!("{depth:.5}")[..6]), "{depth} {own:#?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// No set of points within the shape has an inertia that is called impossible.
    #[test]
    fn points_within_a_box_are_possible(points in prop::collection::vec((0.01f64..1.0, -0.5f64..0.5, -0.4f64..0.4, -0.3f64..0.3), 4..12)) {
        let mass: f64 = points.iter().map(|p| p.0).sum();
        let at = |p: &(f64, f64, f64, f64)| DVec3::new(p.1, p.2, p.3);
        let centre = points.iter().map(|p| p.0 * at(p)).sum::<DVec3>() / mass;
        let sum = |f: &dyn Fn(DVec3) -> f64| points.iter().map(|p| p.0 * f(at(p) - centre)).sum::<f64>();
        let text = world("", &format!(
            r#"<model name="m"><pose>0 0 5 0 0 0</pose><link name="l"><inertial><pose>{} {} {} 0 0 0</pose><mass>{mass}</mass><inertia><ixx>{}</ixx><iyy>{}</iyy><izz>{}</izz><ixy>{}</ixy><ixz>{}</ixz><iyz>{}</iyz></inertia></inertial>
               <collision name="c"><geometry><box><size>1 0.8 0.6</size></box></geometry></collision></link></model>"#,
            centre.x, centre.y, centre.z,
            sum(&|d| d.y * d.y + d.z * d.z), sum(&|d| d.x * d.x + d.z * d.z), sum(&|d| d.x * d.x + d.y * d.y),
            sum(&|d| -d.x * d.y), sum(&|d| -d.x * d.z), sum(&|d| -d.y * d.z)
        ));
        prop_assert!(of(&found(&text), "impossible-inertia").is_empty());
    }
}

#[test]
fn the_page_of_codes_is_that_of_the_table() {
    let mut page = String::from(
        "# Advice of `stiction check`\n\nMade by `UPDATE=1 cargo test -p stiction-formats --test it advice`. Advice is a warning or a note, never an error. \
         `--allow CODE` leaves it out, `--allow all` all of it; `--fix` writes the proposals that need no judgement into files of SDFormat, and says what \
         it changed. h is the step, g gravity; SI units.\n\n| code | | meaning | formula | `--fix` |\n|---|---|---|---|---|\n",
    );
    for c in ADVICE_CODES {
        let severity = if c.severity == Severity::Note { "note" } else { "warning" };
        let fixed = match c.fixed {
            FixedBy::Always(what) => format!("yes: {what}"),
            FixedBy::Sometimes(what) => format!("in part: {what}"),
            FixedBy::ByHand(what) => format!("no: {what}"),
        };
        let formula = c.formula.replace('|', "\\|");
        writeln!(page, "| `{}` | {severity} | {} | {formula} | {fixed} |", c.code, c.meaning.replace('|', "\\|"))
            .unwrap();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/advice.md");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &page).unwrap();
    }
    assert!(fs::read_to_string(path).unwrap_or_default() == page, "run with UPDATE=1");
    // Every code that the sources say is in the table, and the other way round.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = fs::read_to_string(folder.join("compliant_advice.rs")).unwrap();
    for entry in fs::read_dir(folder.join("advice")).unwrap().flatten().filter(|e| e.file_name() != "codes.rs") {
        sources += &fs::read_to_string(entry.path()).unwrap();
    }
    for c in ADVICE_CODES {
        assert!(sources.contains(&format!("\"{}\"", c.code)), "{}", c.code);
    }
    for call in ["warning(\"", "Diagnostic::note(\""] {
        for at in sources.split(call).skip(1) {
            let code = at.split('"').next().unwrap();
            assert!(ADVICE_CODES.iter().any(|c| c.code == code), "{code}");
        }
    }
}
