//! `<inertial auto="true">` of meshes: exact integrals, whatever stands for the mesh.

use super::*;

use stiction_formats::description::InertialDescription;

fn auto(folder: &Folder, collisions: &str, inertial: &str) -> (InertialDescription, Loaded) {
    let text = format!(
        "<sdf version=\"1.11\"><world name=\"w\"><model name=\"m\"><link name=\"l\"><inertial auto=\"true\">{inertial}</inertial>{collisions}</link></model></world></sdf>"
    );
    folder.write("auto.sdf", text.as_bytes());
    let loaded = load_file(&folder.path("auto.sdf"));
    let world = loaded.world.clone().unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    (world.links[0].inertial.clone(), loaded)
}

fn collision(name: &str, mesh: &str, more: &str) -> String {
    format!("<collision name=\"{name}\">{more}<geometry>{mesh}</geometry></collision>")
}

#[test]
fn a_mesh_of_a_box_has_the_inertia_of_the_box() {
    let size = DVec3::new(0.3, 0.4, 0.7);
    let folder = Folder::new(&[("box.obj", &obj(&cuboid(size)))]);
    let mesh = collision(
        "a",
        "<mesh><uri>box.obj</uri></mesh>",
        "<pose>0.1 0.2 0.3 0.5 -0.4 1.2</pose><density>700</density>",
    );
    let plain = collision(
        "a",
        "<box><size>0.3 0.4 0.7</size></box>",
        "<pose>0.1 0.2 0.3 0.5 -0.4 1.2</pose><density>700</density>",
    );
    let (of_mesh, loaded) = auto(&folder, &mesh, "");
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let (of_box, _) = auto(&folder, &plain, "");
    assert!((of_mesh.mass.value / of_box.mass.value - 1.0).abs() < 1e-12);
    assert!((of_mesh.mass.value / (700.0 * 0.084) - 1.0).abs() < 1e-12);
    for (a, b) in of_mesh.inertia.value.iter().zip(of_box.inertia.value) {
        assert!((a - b).abs() < 1e-12 * of_box.inertia.value[0], "{a} {b}");
    }
    assert!((of_mesh.pose.position - of_box.pose.position).length() < 1e-15);
}

#[test]
fn a_mug_keeps_its_mass_as_a_hull_and_cut_into_parts() {
    let folder = Folder::new(&[("mug.obj", &obj(&mug(64)))]);
    // Area of a regular polygon times the height, less the inside: n/2 sin(2π/n) r².
    let area = |r: f64| 32.0 * (std::f64::consts::TAU / 64.0).sin() * r * r;
    let expected = 1000.0 * (area(0.05) * 0.1 - area(0.045) * 0.09);
    let with_parts = cfg!(feature = "decomposition").then_some("convex_decomposition");
    for optimization in ["none", "convex_hull"].into_iter().chain(with_parts) {
        let mesh = format!("<mesh optimization=\"{optimization}\"><uri>mug.obj</uri></mesh>");
        let (inertial, loaded) = auto(&folder, &collision("a", &mesh, ""), "");
        assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
        assert!((inertial.mass.value / expected - 1.0).abs() < 1e-12, "{optimization}: {}", inertial.mass.value);
    }
}

#[test]
fn an_open_mesh_counts_as_its_hull_and_says_so() {
    let mut open = cuboid(DVec3::ONE);
    open.triangles.truncate(10);
    let folder = Folder::new(&[("open.obj", &obj(&open))]);
    let (inertial, loaded) =
        auto(&folder, &collision("a", "<mesh><uri>open.obj</uri></mesh>", ""), "<density>2</density>");
    assert_eq!(codes(&loaded), ["auto-inertia-open-mesh"]);
    assert!((inertial.mass.value - 2.0).abs() < 1e-12);
}

#[test]
fn terrain_has_no_inertia() {
    let folder = Folder::new(&[]);
    folder.write("flat.png", &crate::common::pictures::grey(3, 3, |_, _| 0));
    let terrain = collision("a", "<heightmap><uri>flat.png</uri></heightmap>", "");
    let ball = collision("b", "<sphere><radius>1</radius></sphere>", "");
    let (_, loaded) = auto(&folder, &(terrain + &ball), "");
    assert_eq!(codes(&loaded), ["auto-inertia-shape"]);
}
