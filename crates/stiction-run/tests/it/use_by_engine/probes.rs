//! Small worlds in which parameters matter: bodies that fall, slide, spin, bounce, sink in and hang on joints.

/// A world, what of the engine is set in it, and how long it runs.
pub struct Probe {
    pub name: &'static str,
    /// Content of `<world>`.
    pub world: String,
    /// Parameters of the engine.
    pub settings: &'static [(&'static str, &'static str)],
    pub steps: usize,
    /// A table of materials, if the shapes have materials.
    pub materials: &'static str,
    /// Efforts and speeds of joints.
    pub commands: &'static [&'static str],
}

/// A body with one shape: its pose, shape, surface, what else its link and its model have.
struct Body {
    name: &'static str,
    pose: &'static str,
    shape: &'static str,
    surface: String,
    link: &'static str,
    /// Linear and angular velocity at the start.
    velocity: &'static str,
}

const BALL: &str = "<sphere><radius>0.1</radius></sphere>";
const BOX: &str = "<box><size>0.3 0.2 0.1</size></box>";
const INERTIAL: &str =
    "<inertial><mass>2</mass><inertia><ixx>0.01</ixx><iyy>0.02</iyy><izz>0.015</izz></inertia></inertial>";

impl Body {
    fn text(&self) -> String {
        let Self { name, pose, shape, surface, link, velocity } = self;
        format!(
            r#"<model name="{name}"><pose>{pose}</pose><link name="l">{INERTIAL}{link}
<collision name="c"><geometry>{shape}</geometry>{surface}</collision></link>
<plugin name="v" filename="libInitialVelocityPlugin.so">{velocity}</plugin></model>"#
        )
    }
}

fn body(name: &'static str, pose: &'static str, shape: &'static str, surface: &str, velocity: &'static str) -> String {
    Body { name, pose, shape, surface: surface.to_owned(), link: "", velocity }.text()
}

const SLIDES: &str = "<linear>1 0.4 0</linear><angular>0.5 0.3 4</angular>";
const SPINS: &str = "<linear>0 0 0</linear><angular>0 0 10</angular>";

fn ground(surface: &str) -> String {
    format!(
        r#"<model name="ground"><static>true</static><link name="l"><collision name="c">
<geometry><plane><normal>0 0 1</normal></plane></geometry>{surface}</collision></link></model>"#
    )
}

/// Bodies that slide, spin, bounce and overlap at the start, with one surface for all.
fn bodies(surface: &str) -> String {
    [
        body("slider", "0 0 0.05 0 0 0", BOX, surface, SLIDES),
        body("top", "2 0 0.099 0 0 0", BALL, surface, SPINS),
        body("bouncer", "4 0 0.25 0.1 0.2 0", BOX, surface, "<linear>0.3 0 -1</linear><angular>0 1 0</angular>"),
        body("ball", "6 0 0.2 0 0 0", BALL, surface, "<linear>0.5 0 -1</linear>"),
        body("sunk", "8 0 0.03 0 0 0", BOX, surface, "<linear>0 0 0</linear>"),
        body("lower", "10 0 0.049 0 0 0", BOX, surface, "<linear>0 0 0</linear>"),
        body("upper", "10.02 0 0.145 0 0 0.4", BOX, surface, "<linear>0.2 0 0</linear>"),
        ground(surface),
    ]
    .concat()
}

fn surface(friction: &str, bounce: &str, contact: &str) -> String {
    format!("<surface><friction>{friction}</friction><bounce>{bounce}</bounce><contact>{contact}</contact></surface>")
}

const TORSION: &str = "<torsional><coefficient>0.5</coefficient><patch_radius>0.05</patch_radius><surface_radius>0.2</surface_radius></torsional>";
const BOUNCES: &str = "<restitution_coefficient>0.5</restitution_coefficient><threshold>0.05</threshold>";

/// A world with physics of its own.
fn probe(name: &'static str, physics: &str, rest: &str) -> Probe {
    let world = format!("<physics type=\"ode\"><max_step_size>0.004</max_step_size>{physics}</physics>{rest}");
    Probe { name, world, settings: &[], steps: 60, materials: "", commands: &[] }
}

/// With `<ode>`, for a joint that has it has stops of its own.
fn with_ode(joint: &str) -> String {
    if joint.contains("<ode>") { joint.to_owned() } else { format!("{joint}<physics><ode/></physics>") }
}

/// A joint below the world with an arm, whose end hangs to the side of it.
fn arm(name: &str, kind: &str, y: f64, more: &str) -> String {
    let more = with_ode(more);
    format!(
        r#"<model name="{name}"><link name="l"><pose>0.3 {y} 1 0 0 0</pose>{INERTIAL}
<collision name="c"><geometry>{BALL}</geometry></collision></link>
<joint name="j" type="{kind}"><pose>-0.3 0 0 0 0 0</pose><parent>world</parent><child>l</child>{more}</joint></model>"#
    )
}

/// Two links on each other: the lower on the world by a hinge, the second on the first by a joint of a kind.
fn chain(name: &str, kind: &str, y: f64, more: &str) -> String {
    let more = with_ode(more);
    format!(
        r#"<model name="{name}"><link name="a"><pose>0.3 {y} 2 0 0 0</pose>{INERTIAL}</link>
<link name="l"><pose>0.7 {y} 2 0 0 0</pose>{INERTIAL}<collision name="c"><geometry>{BALL}</geometry></collision></link>
<joint name="base" type="revolute"><pose>-0.3 0 0 0 0 0</pose><parent>world</parent><child>a</child><axis><xyz>0 1 0</xyz></axis><physics><ode/></physics></joint>
<joint name="j" type="{kind}"><pose>-0.2 0 0 0 0 0</pose><parent>a</parent><child>l</child>{more}</joint></model>"#
    )
}

const AXIS: &str = "<axis><xyz>0 1 0</xyz><limit><lower>-0.15</lower><upper>0.1</upper></limit><dynamics><damping>0.1</damping><friction>0.2</friction><spring_stiffness>3</spring_stiffness><spring_reference>0.1</spring_reference></dynamics></axis>";
const FREE: &str = "<axis><xyz>0 1 0</xyz></axis>";
const TWO: &str = "<axis><xyz>0 1 0</xyz></axis><axis2><xyz>0 0 1</xyz></axis2>";
const UPRIGHT: &str = "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>";
const MOTOR: &str = "<physics><ode><max_force>8</max_force><velocity>2</velocity></ode></physics>";
const STOPS: &str = "<physics><ode><bounce>0.5</bounce><limit><cfm>0.001</cfm><erp>0.3</erp></limit></ode></physics>";
const SOFT: &str = "<physics><ode><cfm>0.1</cfm><erp>0.4</erp></ode></physics>";
const FROM_STOP: &str = "<axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>0</upper></limit></axis><physics><ode><max_force>20</max_force><velocity>-1</velocity><fudge_factor>0.5</fudge_factor></ode></physics>";
const TO_STOP: &str = "<axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>0</upper></limit></axis><physics><ode><max_force>2</max_force><velocity>1</velocity><fudge_factor>0.5</fudge_factor></ode></physics>";

fn joints() -> String {
    [
        chain("hinge", "revolute", 0.0, AXIS),
        chain("stopped", "revolute", 2.0, &format!("{AXIS}{STOPS}")),
        chain("driven", "revolute", 4.0, &format!("{FREE}{MOTOR}")),
        arm("lifted", "revolute", 5.0, FROM_STOP),
        arm("pressed", "revolute", 6.0, TO_STOP),
        chain("soft", "ball", 8.0, SOFT),
        chain("slider", "prismatic", 10.0, AXIS),
        chain("screw", "screw", 12.0, "<screw_thread_pitch>0.3</screw_thread_pitch><axis><xyz>1 0 0</xyz></axis>"),
        chain("old_screw", "screw", 13.0, "<thread_pitch>5</thread_pitch><axis><xyz>1 0 0</xyz></axis>"),
        chain("universal", "universal", 14.0, TWO),
        chain(
            "sprung",
            "revolute2",
            16.0,
            &format!("{UPRIGHT}<physics><ode><suspension><cfm>0.05</cfm><erp>0.3</erp></suspension></ode></physics>"),
        ),
        arm("lone", "revolute", 18.0, AXIS),
        arm("welded", "fixed", 20.0, SOFT),
        gearbox(22.0),
    ]
    .concat()
}

fn gearbox(y: f64) -> String {
    format!(
        r#"<model name="gear"><link name="r"><pose>0 {y} 2 0 0 0</pose>{INERTIAL}</link><link name="a"><pose>0.3 {y} 2 0 0 0</pose>{INERTIAL}</link>
<link name="b"><pose>0 {y} 2.3 0 0 0</pose>{INERTIAL}</link>
<joint name="w" type="fixed"><parent>world</parent><child>r</child></joint>
<joint name="ja" type="revolute"><pose>-0.3 0 0 0 0 0</pose><parent>r</parent><child>a</child>{FREE}<physics><ode/></physics></joint>
<joint name="jb" type="revolute"><pose>0 0 -0.3 0 0 0</pose><parent>r</parent><child>b</child>{FREE}<physics><ode/></physics></joint>
<joint name="g" type="gearbox"><parent>a</parent><child>b</child><gearbox_ratio>2</gearbox_ratio><gearbox_reference_body>r</gearbox_reference_body>{TWO}<physics><ode/></physics></joint></model>"#
    )
}

/// Joints with the mimic of a leader.
fn followers() -> String {
    let leader = arm("leader", "revolute", 0.0, FREE);
    let follower = format!(
        r#"<model name="m"><link name="a"><pose>0.3 3 1 0 0 0</pose>{INERTIAL}</link><link name="b"><pose>0.3 4 1 0 0 0</pose>{INERTIAL}</link>
<joint name="k" type="revolute"><pose>-0.3 0 0 0 0 0</pose><parent>world</parent><child>a</child>{FREE}<physics><ode/></physics></joint>
<joint name="f" type="revolute"><pose>-0.3 0 0 0 0 0</pose><parent>world</parent><child>b</child><axis><xyz>0 1 0</xyz><mimic joint="k"><multiplier>0.5</multiplier><offset>0</offset><reference>0</reference></mimic></axis><physics><ode/></physics></joint></model>"#
    );
    leader + &follower
}

/// Four links in a loop, and a chain of links with rotors.
fn loops() -> String {
    format!(
        r#"<model name="four"><link name="a"><pose>0 0 1.25 0 0 0</pose>{INERTIAL}</link><link name="b"><pose>0.25 0 1.5 0 0 0</pose>{INERTIAL}</link>
<link name="c"><pose>0.5 0 1.2 0 0 0</pose>{INERTIAL}</link>
<joint name="1" type="revolute"><pose>0 0 -0.25 0 0 0</pose><parent>world</parent><child>a</child>{FREE}<physics><ode/></physics></joint>
<joint name="2" type="revolute"><pose>-0.25 0 0 0 0 0</pose><parent>a</parent><child>b</child>{FREE}<physics><ode/></physics></joint>
<joint name="3" type="revolute"><pose>0 0 0.3 0 0 0</pose><parent>b</parent><child>c</child>{FREE}<physics><ode/></physics></joint>
<joint name="4" type="revolute"><pose>0 0 -0.3 0 0 0</pose><parent>world</parent><child>c</child>{FREE}<physics><ode/></physics></joint></model>
<model name="rotor"><link name="l"><pose>0.3 3 1 0 0 0</pose>{INERTIAL}</link><joint name="j" type="revolute"><pose>-0.3 0 0 0 0 0</pose><parent>world</parent><child>l</child>
<drake:rotor_inertia>0.02</drake:rotor_inertia><drake:gear_ratio>3</drake:gear_ratio>{FREE}<physics><ode/></physics></joint></model>"#
    )
}

/// Two links of one model that are in each other, on no joint.
fn selves() -> String {
    format!(
        r#"<model name="two"><self_collide>false</self_collide><link name="a"><pose>0 0 1 0 0 0</pose>{INERTIAL}<collision name="c"><geometry>{BALL}</geometry></collision></link>
<link name="b"><pose>0.15 0 1 0 0 0</pose>{INERTIAL}<collision name="c"><geometry>{BALL}</geometry></collision></link></model>"#
    )
}

/// A pile of boxes that lean on each other.
fn pile() -> String {
    let mut text = ground("");
    for i in 0..4 {
        for j in 0..3 {
            let (x, z) = (0.25 * f64::from(i) + 0.05 * f64::from(j), 0.05 + 0.1 * f64::from(j));
            text += &format!(
                r#"<model name="b{i}{j}"><pose>{x} 0.01 {z} 0 0 0.1</pose><link name="l">{INERTIAL}<collision name="c"><geometry>{BOX}</geometry></collision></link></model>"#
            );
        }
    }
    text
}

/// Every shape on the ground.
fn shapes() -> String {
    let of = |(i, shape): (usize, &&str)| {
        // Extrusions go up from their origin: this one hangs.
        let roll = if shape.contains("polyline") { 3.0 } else { 0.0 };
        format!(
            r#"<model name="s{i}"><pose>{i} 0 0.25 0.1 0.3 0.2</pose><link name="l">{INERTIAL}<collision name="c"><pose>0.01 0 0 {roll} 0 0</pose><geometry>{shape}</geometry></collision></link></model>"#
        )
    };
    let shapes = [
        BOX,
        BALL,
        "<cylinder><radius>0.1</radius><length>0.3</length></cylinder>",
        "<capsule><radius>0.1</radius><length>0.3</length></capsule>",
        "<ellipsoid><radii>0.1 0.2 0.3</radii></ellipsoid>",
        "<cone><radius>0.2</radius><length>0.4</length></cone>",
        "<mesh><uri>wedge.stl</uri></mesh>",
        "<polyline><point>0 0</point><point>0.3 0</point><point>0 0.2</point><height>0.2</height></polyline>",
    ];
    shapes.iter().enumerate().map(of).collect::<String>() + &ground("")
}

/// A box that slides over the gap between two flush tiles.
fn tiles() -> String {
    let tile = |name: &str, x: f64| {
        format!(
            r#"<model name="{name}"><static>true</static><pose>{x} 0 -0.5 0 0 0</pose><link name="l"><collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>"#
        )
    };
    body("slides", "0.33 0 0.05 0 0 0", BOX, "", "<linear>2 0 0</linear>") + &tile("near", 0.0) + &tile("far", 1.0)
}

/// A slow slide by slip, in which a body falls asleep.
fn creep() -> String {
    let surface = surface("<ode><mu>1</mu><mu2>1</mu2><slip1>0.01</slip1><slip2>0.01</slip2></ode>", "", "");
    body("creeper", "0 0 0.05 0 0 0", BOX, &surface, "<linear>0.01 0 0</linear>")
        + &body("rolls", "3 3 1 0 0 0", "<sphere><radius>1</radius></sphere>", &surface, "<linear>0 0 0</linear>")
        + &ground(&surface)
}

/// A table on feet on a slab, of materials of a table.
fn feet() -> String {
    let foot = |i: usize, x: f64, y: f64| {
        format!(
            r#"<collision name="f{i}"><pose>{x} {y} 0 0 0 0</pose><geometry><box><size>0.2 0.2 0.2</size></box></geometry><stiction:material>M</stiction:material></collision>"#
        )
    };
    let feet: String = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (0.0, 0.0)]
        .iter()
        .enumerate()
        .map(|(i, (x, y))| foot(i, *x, *y))
        .collect();
    format!(
        r#"<model name="table"><pose>0 0 0.099 0 0 0</pose><link name="l"><inertial><mass>100</mass><inertia><ixx>10</ixx><iyy>10</iyy><izz>10</izz></inertia></inertial>{feet}</link>
<plugin name="v" filename="libInitialVelocityPlugin.so"><linear>0.5 0 0</linear></plugin></model>
<model name="slab"><static>true</static><link name="l"><collision name="c"><pose>0 0 -0.5 0 0 0</pose><geometry><box><size>4 4 1</size></box></geometry><stiction:material>M</stiction:material></collision></link></model>"#
    )
}

const TABLE: &str = "materials: [ { name: M } ]\ncontact_materials: [ { materials: [ M, M ], youngsModulus: 1e6, contactReductionMode: reduceAll } ]\n";

const PROXIMITY: &str = "<drake:proximity_properties><drake:point_contact_stiffness>20000</drake:point_contact_stiffness><drake:hunt_crossley_dissipation>2</drake:hunt_crossley_dissipation><drake:mu_static>0.5</drake:mu_static><drake:mu_dynamic>0.3</drake:mu_dynamic></drake:proximity_properties>";

const SWEEPS: &[(&str, &str)] = &[("contact.hybrid", "off")];

/// A ball that falls on one of two boxes in touch, which sleep by then.
fn woken() -> String {
    body("first", "0 0 0.05 0 0 0", BOX, "", "<linear>0 0 0</linear>")
        + &body("second", "0.2995 0 0.05 0 0 0", BOX, "", "<linear>0 0 0</linear>")
        + &body("falls", "-0.1 0 7 0 0 0", BALL, "", "<linear>0 0 0</linear>")
        + &ground("")
}

/// A free link and an arm in the wind, one that the wind does not reach, one whose model says nothing.
fn windy() -> String {
    let link = |name: &str, model: &str, more: &str| {
        format!(
            "<model name=\"{name}\">{model}<link name=\"l\"><pose>0 0 3 0 0 0</pose>{INERTIAL}{more}</link></model>"
        )
    };
    let flag = "<enable_wind>true</enable_wind>";
    let wind = "<wind><linear_velocity>3 1 0</linear_velocity></wind>";
    [
        wind,
        &link("free", "", flag),
        &link("all", flag, ""),
        &arm("lone", "revolute", 0.0, FREE).replace("<pose>0.3", &format!("{flag}<pose>0.3")),
    ]
    .concat()
}

/// A light link on the world, a heavy one on it that touches a table, pushed along their hinges.
fn unequal() -> String {
    let light = "<inertial><mass>0.1</mass><inertia><ixx>1e-5</ixx><iyy>1e-5</iyy><izz>1e-6</izz></inertia></inertial>";
    let chain = chain("m", "revolute", 0.0, FREE);
    let table = format!(
        r#"<model name="table"><static>true</static><pose>0.7 0 1.85 0 0 0</pose><link name="l"><collision name="c"><geometry>{BOX}</geometry></collision></link></model>"#
    );
    format!("<gravity>0 0.3 -9.8</gravity>{}{table}", chain.replacen(INERTIAL, light, 1))
}

/// A damped arm whose mass follows from its shapes.
fn auto() -> String {
    let arm = arm("m", "revolute", 0.0, AXIS).replace(INERTIAL, "<inertial auto=\"true\"/>");
    arm.replace(
        "</link>",
        &format!("<collision name=\"d\"><pose>0.2 0 0 0 0 0</pose><geometry>{BOX}</geometry></collision></link>"),
    )
}

/// All probes.
pub fn probes() -> Vec<Probe> {
    let anisotropic = "<ode><mu>0.3</mu><mu2>0.2</mu2></ode>";
    let spring = surface(&format!("{anisotropic}{TORSION}"), BOUNCES, "<ode><kp>2e4</kp><kd>50</kd></ode>");
    let curved = "<torsional><coefficient>0.5</coefficient><use_patch_radius>false</use_patch_radius><surface_radius>0.2</surface_radius></torsional>";
    let curved = surface(&format!("{anisotropic}{curved}"), "", "<ode><kp>2e4</kp><kd>50</kd></ode>");
    let erp =
        surface(anisotropic, "", "<ode><soft_erp>0.3</soft_erp><soft_cfm>0.001</soft_cfm><max_vel>10</max_vel></ode>");
    let layer = "<ode><constraints><contact_surface_layer>0.002</contact_surface_layer></constraints></ode>";
    let deep = surface("", "", "<ode><max_vel>0.5</max_vel><min_depth>0.005</min_depth></ode>");
    let sensor = surface("", "", "<collide_without_contact>true</collide_without_contact>");
    let elastic = surface("", "", "<elastic_modulus>1e6</elastic_modulus><poissons_ratio>0.3</poissons_ratio>");
    let mut all = vec![
        probe("selves", "", &selves()),
        probe("followers", "", &followers()),
        probe("sensors", "", &bodies(&sensor)),
        probe("loops", "", &loops()),
        probe("defaults", "", &bodies("")),
        probe("deep", layer, &bodies(&deep)),
        probe("drake", "", &bodies(PROXIMITY).replacen("20000", "30000", 3)),
        probe("slope", "", &format!("<gravity>2 0 -9.6</gravity>{}", bodies(""))),
        probe("erp", "", &bodies(&erp)),
        probe("joints", "", &joints()),
        probe("springs", "", &bodies(&spring)),
        probe("curved", "", &(body("top", "2 0 0.099 0 0 0", BALL, &curved, SPINS) + &ground(&curved))),
        probe("shapes", "", &shapes()),
        probe("elastic", "", &bodies(&elastic)),
    ];
    let commands = &["lone::j=20", "hinge::j=5", "slider::j=-3"];
    all.push(Probe { commands, ..probe("commands", "", &joints()) });
    all.push(Probe { steps: 400, ..probe("creep", "", &format!("<gravity>0.05 0 -9.8</gravity>{}", creep())) });
    all.push(Probe { steps: 420, ..probe("woken", "", &woken()) });
    all.push(Probe { materials: TABLE, ..probe("feet", "", &feet()) });
    let quick = "<ode><solver><type>quick</type><iters>10</iters></solver></ode>";
    all.push(Probe { steps: 20, ..probe("pile", quick, &pile()) });
    all.push(Probe { steps: 20, settings: SWEEPS, ..probe("swept pile", "", &pile()) });
    all.push(Probe { settings: SWEEPS, ..probe("swept joints", "", &(joints() + &loops())) });
    let fast = body("bullet", "-0.5 0 1 0 0 0", BALL, "", "<linear>150 0 0</linear>")
        + r#"<model name="wall"><static>true</static><link name="l"><collision name="c"><pose>0 0 1 0 0 0</pose><geometry><box><size>0.02 2 2</size></box></geometry></collision></link></model>"#;
    all.push(probe("bullet", "", &fast));
    let settings = &[("contact.classic", "on")];
    all.push(Probe { settings, ..probe("classic", "", &arm("lone", "revolute", 0.0, AXIS)) });
    all.push(probe("wind", "", &windy()));
    all.push(probe("unequal", "", &unequal()));
    all.push(probe("auto", "", &auto()));
    all.push(probe("tiles", "", &tiles()));
    all
}
