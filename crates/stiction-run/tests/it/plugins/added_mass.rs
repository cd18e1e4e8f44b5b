//! `<fluid_added_mass>`, judged by Kirchhoff's equations as they stand in books.

use stiction::math::DMat3;
use stiction_run::ForceRequest;

use super::*;

/// A link of 3 kg with its centre of mass at c, moments (0.2, 0.3, 0.4) about it, and an added mass.
fn body(pose: &str, center: &str, added: &str, more: &str) -> String {
    format!(
        r#"<model name="b"><pose>{pose}</pose><link name="l"><inertial><pose>{center} 0 0 0</pose><mass>3</mass><inertia><ixx>0.2</ixx><iyy>0.3</iyy><izz>0.4</izz></inertia>
<fluid_added_mass>{added}</fluid_added_mass></inertial></link>{more}</model>"#
    )
}

fn initial(linear: &str, angular: &str) -> String {
    format!(
        r#"<plugin name="v" filename="libInitialVelocityPlugin.so"><linear>{linear}</linear><angular>{angular}</angular></plugin>"#
    )
}

#[test]
fn gravity_pulls_the_body_and_not_the_fluid() {
    for engine in ["ode-quick", "ode-world", "drake-discrete", "drake-continuous", "dart", "bullet"] {
        for added in [0.5, 7.0, 785.0] {
            let model = body("0 0 9 0 0 0", "0 0 0", &format!("<xx>1</xx><yy>2</yy><zz>{added}</zz>"), "");
            let mut run = setup(&world("0 0 -9.8", &model), &[]).engine(engine).start().unwrap();
            run.advance(1.0).unwrap();
            let expected = -9.8 * 3.0 / (3.0 + added);
            near(velocity(&run, "b::l").0.z, expected, 1e-9, &format!("{engine}, {added}"));
        }
    }
    // A force pushes both too, and of a matrix with products the answer is that of the whole matrix.
    let mut push = setup(&world("0 0 0", &body("0 0 0 0 0 0", "0 0 0", "<xx>1</xx><xy>1.5</xy><pp>3</pp>", "")), &[]);
    push.forces = vec![ForceRequest::parse("b::l=8,0,0").unwrap()];
    let mut run = push.start().unwrap();
    run.step().unwrap();
    // [4 1.5; 1.5 3] a = (8, 0).
    let determinant = 4.0 * 3.0 - 1.5 * 1.5;
    let expected = 1e-3 * DVec3::new(8.0 * 3.0, -8.0 * 1.5, 0.0) / determinant;
    assert!((velocity(&run, "b::l").0 - expected).length() < 1e-12, "{}", velocity(&run, "b::l").0);
}

/// An added mass about the origin of the link with every coupling, from a positive matrix `B Bᵀ`.
struct Case {
    matrix: [[f64; 6]; 6],
    center: DVec3,
}

impl Case {
    fn new(next: &mut impl FnMut() -> f64) -> Self {
        let root: [[f64; 6]; 6] = std::array::from_fn(|_| std::array::from_fn(|_| 0.9 * (next() - 0.5)));
        let matrix = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let sum: f64 = (0..6).map(|k| root[i][k] * root[j][k]).sum();
                // What turns, turns with a tenth of the length.
                sum * [6.0, 1.0][i / 3] * [6.0, 1.0][j / 3] / 6.0
            })
        });
        Self { matrix, center: 0.1 * DVec3::new(next() - 0.5, next() - 0.5, next() - 0.5) }
    }

    fn text(&self) -> String {
        let names = ["x", "y", "z", "p", "q", "r"];
        let entry = |i: usize, j: usize| format!("<{0}{1}>{2:?}</{0}{1}>", names[i], names[j], self.matrix[i][j]);
        (0..6).flat_map(|i| (i..6).map(move |j| (i, j))).map(|(i, j)| entry(i, j)).collect()
    }

    /// Energy of body and fluid, and their momentum about the origin of the world. The centre of mass moves by the velocity at the
    /// end of each step, and so half a step ahead of the mean.
    fn kept(&self, run: &Run) -> (f64, DVec3, DVec3) {
        let at = pose(run, "b::l");
        let (velocity, omega) = velocity(run, "b::l");
        let back = at.rotation.conjugate();
        let (v, w) = (back * velocity, back * omega);
        let motion = [v.x, v.y, v.z, w.x, w.y, w.z];
        let fluid: [f64; 6] = std::array::from_fn(|i| (0..6).map(|j| self.matrix[i][j] * motion[j]).sum());
        let own = 3.0 * (v + w.cross(self.center));
        let spin = DMat3::from_diagonal(DVec3::new(0.2, 0.3, 0.4)) * w + self.center.cross(own);
        let linear = own + DVec3::new(fluid[0], fluid[1], fluid[2]);
        let angular = spin + DVec3::new(fluid[3], fluid[4], fluid[5]);
        let energy = 0.5 * (linear.dot(v) + angular.dot(w));
        let linear = at.rotation * linear;
        let center = velocity + omega.cross(at.rotation * self.center);
        (energy, linear, at.rotation * angular + (at.position - 0.5e-3 * center).cross(linear))
    }
}

#[test]
fn a_free_body_keeps_energy_and_impulse_with_its_fluid() {
    let mut seed = 7u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    for number in 0..12 {
        let case = Case::new(&mut next);
        let c = case.center;
        let [v, w] = [2.0, 4.0].map(|size| {
            let vector = size * DVec3::new(next() - 0.5, next() - 0.5, next() - 0.5);
            format!("{} {} {}", vector.x, vector.y, vector.z)
        });
        let model = body("1 -2 3 0.3 0.2 1", &format!("{} {} {}", c.x, c.y, c.z), &case.text(), &initial(&v, &w));
        let mut run = start(&world("0 0 0", &model), &[]);
        let before = case.kept(&run);
        let mut swing = 0.0f64;
        for _ in 0..20_000 {
            run.step().unwrap();
            swing = swing.max((case.kept(&run).0 / before.0 - 1.0).abs());
        }
        let after = case.kept(&run);
        let linear = (after.1 - before.1).length() / before.1.length();
        let angular = (after.2 - before.2).length() / (before.1.length() + before.2.length());
        assert!(linear < 1e-10, "case {number}: impulse {linear:e}");
        assert!(angular < 1e-10, "case {number}: angular impulse {angular:e}");
        assert!(swing < 5e-6, "case {number}: energy {swing:e}");
    }
}

#[test]
fn a_plate_that_moves_broadside_swings_about_it() {
    // With the momentum P across the plate and a tilt θ: I θ̈ = (P × V)_y = −P² (1/m_x − 1/m_z) θ (Munk's moment).
    let (mx, mz, inertia) = (3.0 + 0.4, 3.0 + 9.0, 0.3 + 0.7_f64);
    let speed = 2.0;
    let model = body(
        "0 0 0 0 0.01 0",
        "0 0 0",
        "<xx>0.4</xx><yy>0.4</yy><zz>9</zz><pp>0.7</pp><qq>0.7</qq>",
        &initial(&format!("0 0 {speed}"), "0 0 0"),
    );
    let mut run = start(&world("0 0 0", &model), &[]);
    let momentum = mz * speed;
    let rate = momentum * ((1.0 / mx - 1.0 / mz) / inertia).sqrt();
    let mut crossings = Vec::new();
    let tilt = |run: &Run| {
        let q = pose(run, "b::l").rotation;
        2.0 * q.y.atan2(q.w)
    };
    let middle = {
        // The velocity, and not the momentum, is along z at the start; the plate swings about the momentum.
        let (s, c) = 0.01f64.sin_cos();
        let p = DVec3::new((mz - mx) * speed * s * c, 0.0, speed * (mz * c * c + mx * s * s));
        p.x.atan2(p.z)
    };
    let mut last = tilt(&run) - middle;
    for _ in 0..8000 {
        run.step().unwrap();
        let now = tilt(&run) - middle;
        if last > 0.0 && now <= 0.0 {
            crossings.push(run.time() - 1e-3 * now / (now - last));
        }
        last = now;
    }
    let found = (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f64;
    let expected = 2.0 * std::f64::consts::PI / rate;
    near(found, expected, 2e-3 * expected, "period");
}

#[test]
fn a_pendulum_in_water_swings_slower() {
    for added in [1.5, 60.0] {
        let joint = r#"<joint name="j" type="revolute"><parent>world</parent><child>l</child><pose>0 0 0.5 0 0 0</pose><axis><xyz>0 1 0</xyz></axis></joint>"#;
        let added_text = format!("<xx>{added}</xx><yy>{added}</yy><zz>{added}</zz>");
        let model = body("0.02 0 1 0 0 0", "0 0 0", &added_text, "");
        let model = model.replace("</link></model>", &format!("</link>{joint}</model>"));
        // The weight is along z of the world; a gravity that leans sets it swinging.
        let mut run = start(&world("0.3 0 -9.8", &model), &[]);
        let angle = |run: &Run| {
            let q = pose(run, "b::l").rotation;
            2.0 * q.y.atan2(q.w)
        };
        let middle = -(0.3f64 / 9.8).atan();
        let mut crossings = Vec::new();
        let mut last = angle(&run) - middle;
        for _ in 0..20_000 {
            run.step().unwrap();
            let now = angle(&run) - middle;
            if last > 0.0 && now <= 0.0 {
                crossings.push(run.time() - 1e-3 * now / (now - last));
            }
            last = now;
        }
        let found = (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f64;
        let gravity = 9.8f64.hypot(0.3);
        let expected = 2.0 * std::f64::consts::PI * (((3.0 + added) * 0.25 + 0.3) / (3.0 * gravity * 0.5)).sqrt();
        near(found, expected, 5e-3 * expected, &format!("added {added}"));
    }
}

#[test]
fn a_body_in_its_fluid_lies_on_the_ground() {
    let collision =
        r#"<collision name="c"><geometry><box><size>0.4 0.4 0.4</size></box></geometry></collision></link>"#;
    for added in [3.0, 300.0] {
        let matrix = format!("<xx>{added}</xx><yy>{added}</yy><zz>{added}</zz><pp>0.1</pp><qq>0.1</qq><rr>0.1</rr>");
        let model = body("0 0 0.21 0 0 0", "0 0 0", &matrix, "").replace("</link>", collision);
        let mut run = start(&world("0 0 -9.8", &format!("{}{model}", ground())), &[]);
        run.advance(6.0).unwrap();
        let (at, (v, w)) = (pose(&run, "b::l"), velocity(&run, "b::l"));
        near(at.position.z, 0.2, 2e-3, "height");
        assert!(v.length() < 1e-3 && w.length() < 1e-3, "{added}: {v} {w}");
    }
}

#[test]
fn a_matrix_that_resists_nothing_is_refused() {
    for (added, message) in
        [("<xx>-4</xx>", "no positive inertia"), ("<xy>9</xy>", "no positive inertia"), ("<rr>1e20</rr>", "too large")]
    {
        let error = setup(&world("0 0 0", &body("0 0 0 0 0 0", "0 0 0", added, "")), &[]).start().err().unwrap();
        let text = error.to_string();
        assert!(text.contains("invalid-added-mass") && text.contains(message), "{text}");
    }
}

/// A mass of fluid with the wrong sign that is more than the body's would let it move against the force.
#[test]
fn a_mass_that_is_not_positive_is_an_error() {
    for (coefficient, is_wrong) in [(30.0, true), (9.0, false), (-30.0, false)] {
        let plugin =
            sim("hydrodynamics", "Hydrodynamics", &format!("<link_name>l</link_name><xDotU>{coefficient}</xDotU>"));
        let text = world(
            "0 0 0",
            &format!(
                "<model name='m'><link name='l'><inertial><mass>10</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>{plugin}</model>"
            ),
        );
        let project = setup(&text, &[]).load().unwrap();
        let found = project.loaded.diagnostics.iter().find(|d| d.code == "invalid-added-mass");
        assert_eq!(found.is_some_and(|d| d.blocks_run && d.location.is_some()), is_wrong, "{coefficient}: {found:?}");
    }
}
