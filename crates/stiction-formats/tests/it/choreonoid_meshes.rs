//! Meshes of Choreonoid's bodies and of VRML files: shape, mass and inertia, and findings with their places.

mod vrml;

use std::f64::consts::PI;
use std::fmt::Write;
use std::path::Path;

use stiction::math::{DMat3, DQuat, DVec3};
use stiction::shape::MassProperties;
use stiction_formats::description::{GeometryDescription, LinkDescription, WorldDescription};
use stiction_formats::diagnostic::Severity;
use stiction_formats::simulation::{simulate, world_parameters};
use stiction_formats::{FileRequest, LoadOptions, Loaded, load, render};

use vrml::CUBE;

/// Loads a body of links beside other files.
fn load_body(links: &str, files: &[(&str, &str)]) -> Loaded {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let path = folder.path().join("b.body");
    let text = format!("format: ChoreonoidBody\nformatVersion: 1.0\nname: b\nlinks:\n{links}");
    std::fs::write(&path, text).expect("a file");
    load(&[FileRequest { path, name: None, pose: None }], &LoadOptions { no_ground: true, ..LoadOptions::default() })
}

fn world(loaded: Loaded) -> WorldDescription {
    let findings = render(&loaded.diagnostics, &loaded.sources, false);
    loaded.world.unwrap_or_else(|| panic!("{findings}"))
}

/// A link of density 1000 with elements.
fn link(elements: &str) -> String {
    format!("  - {{ name: a, jointType: free, massType: density, density: 1000, elements: {elements} }}\n")
}

fn mass_of(link: &LinkDescription) -> MassProperties {
    let [xx, yy, zz, xy, xz, yz] = link.inertial.inertia.value;
    MassProperties {
        mass: link.inertial.mass.value,
        center_of_mass: link.inertial.pose.position,
        inertia: DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz)),
    }
}

/// Equal to a share of the mass times the square of the size.
fn same(found: &MassProperties, wanted: &MassProperties, tolerance: f64) {
    let moments = wanted.inertia.to_cols_array();
    let size = moments.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    assert!((found.mass / wanted.mass - 1.0).abs() < tolerance, "{found:?}\n{wanted:?}");
    let reach = (size / wanted.mass).sqrt() + wanted.center_of_mass.length();
    assert!(found.center_of_mass.distance(wanted.center_of_mass) < tolerance * reach, "{found:?}\n{wanted:?}");
    for (a, b) in found.inertia.to_cols_array().iter().zip(moments) {
        assert!((a - b).abs() < tolerance * size, "{found:?}\n{wanted:?}");
    }
}

/// Numbers from 0 to 1 that are the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    fn axis(&mut self) -> DVec3 {
        loop {
            let v = DVec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            if (0.01..1.0).contains(&v.length_squared()) {
                return v.normalize();
            }
        }
    }
}

/// Area, centre and second moments of a polygon by Green's theorem: `∫ dA`, `∫ x`, `∫ z`, `∫ x²`, `∫ z²`, `∫ x z`.
fn polygon(points: &[[f64; 2]]) -> [f64; 6] {
    let mut sums = [0.0; 6];
    for (i, [x, z]) in points.iter().enumerate() {
        let [u, w] = points[(i + 1) % points.len()];
        let c = x * w - u * z;
        let parts = [
            c / 2.0,
            (x + u) * c / 6.0,
            (z + w) * c / 6.0,
            (x * x + x * u + u * u) * c / 12.0,
            (z * z + z * w + w * w) * c / 12.0,
            (x * w + 2.0 * x * z + 2.0 * u * w + u * z) * c / 24.0,
        ];
        sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
    }
    if sums[0] < 0.0 { sums.map(|sum| -sum) } else { sums }
}

/// Mass properties of `∫ dV`, `∫ x`, `∫ x xᵀ` at a density.
fn of_moments(volume: f64, first: DVec3, second: DMat3, density: f64) -> MassProperties {
    let center = first / volume;
    let outer = DMat3::from_cols(center * center.x, center * center.y, center * center.z);
    let about = second - outer * volume;
    let trace = about.x_axis.x + about.y_axis.y + about.z_axis.z;
    MassProperties {
        mass: density * volume,
        center_of_mass: center,
        inertia: (DMat3::from_diagonal(DVec3::splat(trace)) - about) * density,
    }
}

#[test]
fn a_thousand_random_prisms_weigh_what_their_polygons_say() {
    let mut random = Random(7);
    let (mut links, mut wanted) = (String::new(), Vec::new());
    for k in 0..1000 {
        // A star, either way round, in the x-z plane, swept along y.
        let count = 3 + (9.0 * random.next()) as usize;
        let mut points: Vec<[f64; 2]> = (0..count)
            .map(|i| {
                let (sin, cos) = ((i as f64 + 0.4 * random.next()) / count as f64 * 2.0 * PI).sin_cos();
                let radius = random.between(0.2, 1.5);
                [radius * cos, radius * sin]
            })
            .collect();
        if random.next() < 0.5 {
            points.reverse();
        }
        let [low, high] = [random.between(-1.0, 0.0), random.between(0.1, 1.0)];
        let scale = if k % 2 == 0 {
            DVec3::new(random.between(0.2, 3.0), random.between(-3.0, -0.2), random.between(0.2, 3.0))
        } else {
            DVec3::splat(random.between(0.2, 3.0))
        };
        let (axis, degrees, shift) = (random.axis(), random.between(-180.0, 180.0), 2.0 * random.axis());
        let density = random.between(1.0, 9000.0);

        let [area, x, z, xx, zz, xz] = polygon(&points);
        let (height, middle) = (high - low, (high * high - low * low) / 2.0);
        let volume = area * height;
        let first = DVec3::new(x * height, area * middle, z * height);
        let yy = area * (high.powi(3) - low.powi(3)) / 3.0;
        let second = DMat3::from_cols(
            DVec3::new(xx * height, x * middle, xz * height),
            DVec3::new(x * middle, yy, z * middle),
            DVec3::new(xz * height, z * middle, zz * height),
        );
        // x ↦ s + L x: ∫ dV grows by |det L|.
        let linear = DMat3::from_quat(DQuat::from_axis_angle(axis, degrees.to_radians())) * DMat3::from_diagonal(scale);
        let growth = linear.determinant().abs();
        let moved = linear * first;
        let outer = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
        let second = linear * second * linear.transpose()
            + outer(shift, moved)
            + outer(moved, shift)
            + outer(shift, shift) * volume;
        wanted.push(of_moments(volume * growth, (moved + shift * volume) * growth, second * growth, density));

        let section: Vec<String> =
            points.iter().chain(points.first()).flatten().map(|number| format!("{number:e}")).collect();
        let parent = if k == 0 { "" } else { "parent: l0, " };
        writeln!(
            links,
            "  - {{ name: l{k}, {parent}jointType: free, massType: density, density: {density:e}, elements: {{ \
             Transform: {{ translation: [ {:e}, {:e}, {:e} ], rotation: [ {:e}, {:e}, {:e}, {degrees:e} ], \
             scale: [ {:e}, {:e}, {:e} ], elements: {{ Shape: {{ geometry: {{ type: Extrusion, \
             crossSection: [ {} ], spine: [ 0, {low:e}, 0, 0, {high:e}, 0 ] }} }} }} }} }} }}",
            shift.x,
            shift.y,
            shift.z,
            axis.x,
            axis.y,
            axis.z,
            scale.x,
            scale.y,
            scale.z,
            section.join(", ")
        )
        .expect("a text");
    }
    let world = world(load_body(&links, &[]));
    assert_eq!(world.links.len(), 1000);
    for (link, wanted) in world.links.iter().zip(&wanted) {
        same(&mass_of(link), wanted, 1e-9);
    }
}

#[test]
fn a_thousand_random_compounds_weigh_what_their_parts_do() {
    let mut random = Random(11);
    let (mut links, mut wanted) = (String::new(), Vec::new());
    for k in 0..1000 {
        let density = random.between(1.0, 9000.0);
        let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        let mut elements = Vec::new();
        for _ in 0..1 + (4.0 * random.next()) as usize {
            let (r, h) = (random.between(0.05, 0.5), random.between(0.1, 2.0));
            let size = DVec3::new(random.between(0.1, 2.0), h, random.between(0.1, 2.0));
            let ball = 4.0 / 3.0 * PI * r.powi(3);
            // Volume, ∫ x², ∫ y², ∫ z² about the centre of the shape, and the height of its centre of mass along y.
            let (geometry, v, moments, height) = match (5.0 * random.next()) as usize {
                0 => {
                    let v = size.element_product();
                    (
                        format!("type: Box, size: [ {:e}, {:e}, {:e} ]", size.x, size.y, size.z),
                        v,
                        size * size * v / 12.0,
                        0.0,
                    )
                }
                1 => (format!("type: Sphere, radius: {r:e}"), ball, DVec3::splat(ball * r * r / 5.0), 0.0),
                2 => {
                    let v = PI * r * r * h;
                    let across = v * r * r / 4.0;
                    (
                        format!("type: Cylinder, radius: {r:e}, height: {h:e}"),
                        v,
                        DVec3::new(across, v * h * h / 12.0, across),
                        0.0,
                    )
                }
                3 => {
                    let v = PI * r * r * h;
                    let across = v * r * r / 4.0 + ball * r * r / 5.0;
                    let along = v * h * h / 12.0 + ball * (r * r / 5.0 + h * h / 4.0 + 3.0 * h * r / 8.0);
                    (
                        format!("type: Capsule, radius: {r:e}, height: {h:e}"),
                        v + ball,
                        DVec3::new(across, along, across),
                        0.0,
                    )
                }
                _ => {
                    let v = PI * r * r * h / 3.0;
                    let across = v * 3.0 * r * r / 20.0;
                    let along = v * 3.0 * h * h / 80.0;
                    (
                        format!("type: Cone, radius: {r:e}, height: {h:e}"),
                        v,
                        DVec3::new(across, along, across),
                        -h / 4.0,
                    )
                }
            };
            let (axis, degrees, shift) = (random.axis(), random.between(-180.0, 180.0), 2.0 * random.axis());
            let turn = DMat3::from_quat(DQuat::from_axis_angle(axis, degrees.to_radians()));
            let center = shift + turn * DVec3::new(0.0, height, 0.0);
            volume += v;
            first += center * v;
            second += turn * DMat3::from_diagonal(moments) * turn.transpose()
                + DMat3::from_cols(center * center.x, center * center.y, center * center.z) * v;
            elements.push(format!(
                "{{ type: Shape, translation: [ {:e}, {:e}, {:e} ], rotation: [ {:e}, {:e}, {:e}, {degrees:e} ], \
                 geometry: {{ {geometry} }} }}",
                shift.x, shift.y, shift.z, axis.x, axis.y, axis.z
            ));
        }
        wanted.push(of_moments(volume, first, second, density));
        let parent = if k == 0 { "" } else { "parent: l0, " };
        writeln!(
            links,
            "  - {{ name: l{k}, {parent}jointType: free, massType: density, density: {density:e}, elements: [ {} ] }}",
            elements.join(", ")
        )
        .expect("a text");
    }
    let world = world(load_body(&links, &[]));
    for (link, wanted) in world.links.iter().zip(&wanted) {
        same(&mass_of(link), wanted, 1e-9);
    }
}

/// What a form is: the point is inside.
type Inside = Box<dyn Fn(DVec3) -> bool>;

#[test]
fn scaled_and_sheared_primitives_weigh_what_chance_says() {
    let mut random = Random(3);
    let forms: [(&str, Inside, DVec3); 5] = [
        (
            "type: Box, size: [ 1, 2, 3 ]",
            Box::new(|p| p.abs().cmple(DVec3::new(0.5, 1.0, 1.5)).all()),
            DVec3::new(0.5, 1.0, 1.5),
        ),
        ("type: Sphere, radius: 0.7", Box::new(|p| p.length() <= 0.7), DVec3::splat(0.7)),
        (
            "type: Cylinder, radius: 0.6, height: 1",
            Box::new(|p| p.x.hypot(p.z) <= 0.6 && p.y.abs() <= 0.5),
            DVec3::new(0.6, 0.5, 0.6),
        ),
        (
            "type: Capsule, radius: 0.4, height: 1",
            Box::new(|p| (p - DVec3::new(0.0, p.y.clamp(-0.5, 0.5), 0.0)).length() <= 0.4),
            DVec3::new(0.4, 0.9, 0.4),
        ),
        (
            "type: Cone, radius: 0.8, height: 1",
            Box::new(|p| p.y.abs() <= 0.5 && p.x.hypot(p.z) <= 0.8 * (0.5 - p.y)),
            DVec3::new(0.8, 0.5, 0.8),
        ),
    ];
    // Unequal scales before and after a turn: a shear.
    for (outer, inner) in
        [([1.0, 2.0, 0.5], [1.0, 1.0, 1.0]), ([2.0, 1.0, 0.7], [0.5, 1.5, -1.0]), ([-1.0, 1.0, 1.0], [1.0, 1.0, 1.0])]
    {
        for (geometry, inside, half) in &forms {
            let elements = format!(
                "{{ Transform: {{ scale: [ {}, {}, {} ], elements: {{ Transform: {{ rotation: [ 1, 1, 0, 35 ], \
                 scale: [ {}, {}, {} ], elements: {{ Shape: {{ geometry: {{ {geometry} }} }} }} }} }} }} }}",
                outer[0], outer[1], outer[2], inner[0], inner[1], inner[2]
            );
            let world = world(load_body(&link(&elements), &[]));
            let turn = DQuat::from_axis_angle(DVec3::new(1.0, 1.0, 0.0).normalize(), 35.0_f64.to_radians());
            let linear =
                DMat3::from_diagonal(outer.into()) * DMat3::from_quat(turn) * DMat3::from_diagonal(inner.into());
            // Points on a jittered grid: the error of the sums falls much faster than that of points anywhere.
            let cells = 60;
            let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
            let cell = 8.0 * half.element_product() / f64::from(cells * cells * cells) * linear.determinant().abs();
            for i in 0..cells * cells * cells {
                let index = [i % cells, i / cells % cells, i / cells / cells];
                let unit =
                    DVec3::from_array(index.map(|i| 2.0 * (f64::from(i) + random.next()) / f64::from(cells) - 1.0));
                let p = unit * *half;
                if inside(p) {
                    let p = linear * p;
                    volume += cell;
                    first += p * cell;
                    second += DMat3::from_cols(p * p.x, p * p.y, p * p.z) * cell;
                }
            }
            same(&mass_of(&world.links[0]), &of_moments(volume, first, second, 1000.0), 3e-3);
            // The shape is as large as what weighs, but for the flat faces of round ones.
            let GeometryDescription::Mesh(mesh) = &world.links[0].collisions[0].geometry else { continue };
            let tetrahedra: f64 = mesh
                .triangles
                .iter()
                .map(|t| t.map(|v| mesh.vertices[v as usize]))
                .map(|[a, b, c]| a.dot(b.cross(c)) / 6.0)
                .sum();
            assert!((0.93..1.001).contains(&(tetrahedra / volume)), "{geometry}: {tetrahedra} {volume}");
        }
    }
}

#[test]
fn a_bent_extrusion_is_a_ring_of_its_section() {
    // A square of side 0.2 swept around a circle of radius 2 in 64 parts, all but closed by chords.
    let count = 64;
    let spine: Vec<String> = (0..=count)
        .map(|i| (f64::from(i % count) / f64::from(count) * 2.0 * PI).sin_cos())
        .map(|(sin, cos)| format!("{:e}, {:e}, 0", 2.0 * cos, 2.0 * sin))
        .collect();
    let geometry = format!(
        "type: Extrusion, crossSection: [ 0.1, 0.1, -0.1, 0.1, -0.1, -0.1, 0.1, -0.1, 0.1, 0.1 ], spine: [ {} ]",
        spine.join(", ")
    );
    let world = world(load_body(&link(&format!("{{ Shape: {{ geometry: {{ {geometry} }} }} }}")), &[]));
    let found = mass_of(&world.links[0]);
    // Pappus: area times the way of the centre; corners stand across the half angle, so that sides are thinner by cos.
    let half = PI / f64::from(count);
    let wanted = 1000.0 * 0.04 * f64::from(count) * 2.0 * 2.0 * half.sin() * half.cos();
    assert!((found.mass / wanted - 1.0).abs() < 1e-9, "{} {wanted}", found.mass);
    assert!(found.center_of_mass.length() < 1e-12);
}

/// What keeps the link itself from being told.
const MASS: &str = "mass: 1, inertia: [ 1, 0, 0, 1, 0, 1 ],";

#[test]
fn meshes_that_are_none_are_told_at_their_place() {
    let shape = |geometry: &str| format!("{{ Shape: {{ geometry: {{ {geometry} }} }} }}");
    let cube = "vertices: [ 0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1 ]";
    let out = "[ 3,2,1,0,-1, 4,5,6,7,-1, 0,1,5,4,-1, 1,2,6,5,-1, 2,3,7,6,-1, 3,0,4,7,-1 ]";
    let inward = "[ 0,1,2,3,-1, 7,6,5,4,-1, 4,5,1,0,-1, 5,6,2,1,-1, 6,7,3,2,-1, 7,4,0,3,-1 ]";
    let open = "[ 3,2,1,0,-1, 4,5,6,7,-1, 0,1,5,4,-1, 1,2,6,5,-1, 2,3,7,6,-1 ]";
    let of =
        |elements: &str, by: &str| format!("  - {{ name: a, jointType: free, {by}\n      elements: {elements} }}\n");
    let density = "massType: density, density: 1,";
    let errors = |severity: Severity, text: &str, files: &[(&str, &str)]| -> Vec<(&'static str, u32, u32)> {
        let loaded = load_body(text, files);
        let own = loaded.diagnostics.iter().filter(|d| d.severity == severity && d.code != "mass-type");
        own.map(|d| (d.code, d.location.as_ref().expect("a place").line, d.location.as_ref().expect("a place").column))
            .collect()
    };
    let faces = |faces: &str| shape(&format!("type: IndexedFaceSet, {cube}, faces: {faces}"));
    assert_eq!(errors(Severity::Warning, &of(&faces(out), density), &[]), []);
    let inside_out = load_body(&of(&faces(inward), density), &[]);
    assert_eq!(inside_out.diagnostics[0].code, "inside-out-mesh");
    assert!((world(inside_out).links[0].inertial.mass.value - 1.0).abs() < 1e-12);
    // Open: with a mass a warning, by density an error.
    assert_eq!(errors(Severity::Warning, &of(&faces(open), MASS), &[]), [("open-mesh", 6, 26)]);
    assert_eq!(errors(Severity::Error, &of(&faces(open), MASS), &[]), []);
    let by_density = errors(Severity::Error, &of(&faces(open), density), &[]);
    assert_eq!(by_density[0], ("open-mesh", 6, 26));
    for (geometry, code) in [
        (format!("type: IndexedFaceSet, {cube}, faces: [ 0, 1, 8, -1 ]"), "mesh"),
        (format!("type: TriangleMesh, {cube}, faces: [ 0, 1, x ]"), "invalid-value"),
        (format!("type: TriangleMesh, {cube}"), "missing-key"),
        ("type: Extrusion, spine: [ 0, 0, 0, 0, 1, 0 ]".to_owned(), "missing-key"),
        ("type: Extrusion, crossSection: [ 0, 0, 1, 1 ], spine: [ 0, 0, 0, 0, 1, 0 ]".to_owned(), "extrusion"),
        ("type: Extrusion, crossSection: [ 0, 0, 1, 1, 1, 0 ], spine: [ 0, 0, 0, 0, 0, 0 ]".to_owned(), "extrusion"),
        ("type: ElevationGrid, xDimension: 2, zDimension: 2, height: [ 0, 0, 0 ]".to_owned(), "elevation-grid"),
    ] {
        let found = errors(Severity::Error, &of(&shape(&geometry), MASS), &[]);
        assert_eq!((found.len(), found[0].0, found[0].1), (1, code, 6), "{geometry}");
    }
    let resource = of("{ Resource: { uri: a.wrl } }", MASS);
    let head = "#VRML V2.0 utf8\n";
    for (text, code, line, column) in [
        ("Group { }".to_owned(), "vrml-header", 1, 1),
        (format!("{head}Group {{ children [\n Shape {{ geometry Box {{ size 1 x 1 }} }} ] }}"), "vrml-value", 3, 30),
        (format!("{head}Group {{\n  children [ USE Nothing ] }}"), "vrml-use", 3, 18),
        (format!("{head}Group {{ children ["), "vrml-syntax", 2, 19),
        (format!("{head}Shape {{ geometry Text {{ string \"abc }} }}"), "vrml-syntax", 2, 32),
        (
            format!(
                "{head}Shape {{ geometry IndexedFaceSet {{ coord Coordinate {{ point [ 0 0 0 1 0 0 ] }}\n coordIndex [ 0 1 2 ] }} }}"
            ),
            "vrml-index",
            3,
            13,
        ),
        (format!("{head}Shape {{ geometry Sphere {{ radius -1 }} }}"), "vrml-value", 2, 34),
        (format!("{head}Transform {{ translation 0 0 children [ ] }}"), "vrml-value", 2, 25),
        (format!("{head}Inline {{ url \"a.wrl\" }}"), "vrml-size", 2, 1),
    ] {
        assert_eq!(errors(Severity::Error, &resource, &[("a.wrl", &text)]), [(code, line, column)], "{text}");
    }
    let missing = errors(Severity::Error, &of("{ Resource: { uri: b.wrl } }", MASS), &[]);
    assert_eq!(missing, [("file-read", 6, 36)]);
    let no_node = errors(Severity::Error, &of("{ Resource: { uri: c.wrl, node: X } }", MASS), &[("c.wrl", CUBE)]);
    assert_eq!(no_node, [("mesh-node", 6, 36)]);
}

#[test]
fn a_body_of_faces_rests_on_a_floor_of_heights() {
    let heights = vec!["0"; 25].join(", ");
    let links = format!(
        "  - {{ name: floor, jointType: fixed, rotation: [ 1, 0, 0, 90 ], elements: {{ Shape: {{ translation: [ -2, 0, -2 ], \
         geometry: {{ type: ElevationGrid, xDimension: 5, zDimension: 5, height: [ {heights} ] }} }} }} }}\n  - {{ name: a, \
         parent: floor, jointType: free, massType: density, density: 500, translation: [ 0, 0.3, 0 ], elements: {{ Shape: \
         {{ geometry: {{ type: Extrusion, crossSection: [ -0.2, -0.2, 0.2, -0.2, 0.2, 0.2, -0.2, 0.2, -0.2, -0.2 ], \
         spine: [ 0, -0.2, 0, 0, 0.2, 0 ] }} }} }} }}\n"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let text = format!("format: ChoreonoidBody\nformatVersion: 1.0\nname: b\nlinks:\n{links}");
    std::fs::write(folder.path().join("b.body"), text).expect("a body");
    let path = folder.path().join("b.cnoid");
    let item = "{ class: BodyItem, data: { modelFile: b.body, selfCollisionDetection: true } }";
    std::fs::write(&path, format!("items: {{ class: RootItem, children: [ {item} ] }}\n")).expect("a project");
    let world = world(load(
        &[FileRequest { path: Path::new(&path).to_owned(), name: None, pose: None }],
        &LoadOptions::default(),
    ));
    let mut simulation = simulate(&world, world_parameters(&world)).expect("a simulation");
    for _ in 0..2000 {
        simulation.world.step(1e-3);
    }
    let link = simulation.link("b::a").expect("a link");
    let height = simulation.link_pose(link).position.z;
    assert!((height - 0.2).abs() < 2e-3, "{height}");
    assert!(simulation.link_velocity(link).0.length() < 1e-3);
}
