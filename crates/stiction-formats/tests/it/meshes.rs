//! Mesh files of SDFormat: read, healed, scaled, recognised as hulls, shared, and refused.

#![allow(clippy::unwrap_used, missing_docs)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stiction::math::DVec3;
use stiction_formats::description::{GeometryDescription, WorldDescription};
use stiction_formats::mesh::MeshDescription;
use stiction_formats::mesh::file::{self, MeshProblem};
use stiction_formats::simulation::{simulate, world_parameters};
use stiction_formats::{FileRequest, LoadOptions, Loaded, load};

mod broken;
mod inertia;
mod motion;
mod python;
mod readers;
mod terrain;
mod wrl;

use crate::common::solids::{cuboid, mug, obj};

/// A folder with files and a world with the body of a model in it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (name, bytes) in files {
            folder.write(name, bytes);
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Loads a world with one collision for each `<geometry>`.
    fn load(&self, geometries: &[&str]) -> Loaded {
        let mut collisions = String::new();
        for (i, geometry) in geometries.iter().enumerate() {
            writeln!(collisions, "<collision name=\"c{i}\"><geometry>{geometry}</geometry></collision>").unwrap();
        }
        let text = format!(
            "<sdf version=\"1.9\"><world name=\"w\"><model name=\"m\"><link name=\"l\">\n{collisions}</link></model></world></sdf>"
        );
        self.write("world.sdf", text.as_bytes());
        load_file(&self.path("world.sdf"))
    }

    fn world(&self, geometries: &[&str]) -> WorldDescription {
        let loaded = self.load(geometries);
        loaded.world.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
    }
}

fn load_file(path: &Path) -> Loaded {
    load(&[FileRequest { path: path.to_owned(), name: None, pose: None }], &LoadOptions::default())
}

fn geometries(world: &WorldDescription) -> Vec<&GeometryDescription> {
    world.links[0].collisions.iter().map(|c| &c.geometry).collect()
}

fn codes(loaded: &Loaded) -> Vec<&str> {
    loaded.diagnostics.iter().map(|d| d.code).collect()
}

#[test]
fn a_box_is_a_hull_and_a_mug_a_mesh_each_held_once() {
    let folder = Folder::new(&[("box.obj", &obj(&cuboid(DVec3::ONE))), ("mug.obj", &obj(&mug(24)))]);
    let uri = |name: &str| format!("<mesh><uri>{name}</uri></mesh>");
    let (a, b) = (uri("box.obj"), uri("mug.obj"));
    let world = folder.world(&[&a, &b, &b, &a]);
    let [
        GeometryDescription::ConvexHull(hull),
        GeometryDescription::Mesh(first),
        GeometryDescription::Mesh(second),
        GeometryDescription::ConvexHull(again),
    ] = geometries(&world)[..]
    else {
        panic!("{:?}", geometries(&world))
    };
    assert_eq!(hull.len(), 8);
    assert!(Arc::ptr_eq(first, second) && Arc::ptr_eq(hull, again));
    // One tree for both.
    let simulation = simulate(&world, world_parameters(&world)).unwrap();
    let shapes: Vec<_> =
        simulation.collisions.keys().map(|g| simulation.world.geom(*g).unwrap().shape().clone()).collect();
    let [_, stiction::shape::Shape::TriangleMesh(first), stiction::shape::Shape::TriangleMesh(second), _] = &shapes[..]
    else {
        panic!("{shapes:?}")
    };
    assert!(Arc::ptr_eq(first, second) && first.is_closed());
}

#[test]
fn a_hull_is_made_where_the_file_asks_for_it() {
    let folder = Folder::new(&[("mug.obj", &obj(&mug(24)))]);
    let world = folder.world(&["<mesh optimization=\"convex_hull\"><uri>mug.obj</uri></mesh>"]);
    let [GeometryDescription::ConvexHull(points)] = geometries(&world)[..] else { panic!() };
    // The outer rims, top and bottom.
    assert_eq!(points.len(), 48);
}

#[test]
fn a_scale_that_mirrors_turns_the_faces() {
    let folder = Folder::new(&[("mug.obj", &obj(&mug(24)))]);
    let world =
        folder.world(&["<mesh><uri>mug.obj</uri><scale>-2 3 0.5</scale></mesh>", "<mesh><uri>mug.obj</uri></mesh>"]);
    let [GeometryDescription::Mesh(scaled), GeometryDescription::Mesh(plain)] = geometries(&world)[..] else {
        panic!()
    };
    assert!((volume(scaled) / volume(plain) - 3.0).abs() < 1e-12);
    let loaded = folder.load(&["<mesh><uri>mug.obj</uri><scale>1 0 1</scale></mesh>"]);
    let finding = &loaded.diagnostics[0];
    assert_eq!((finding.code, finding.location.as_ref().unwrap().line), ("mesh-scale", 2));
}

#[test]
fn a_submesh_is_one_part_and_its_middle_can_be_the_origin() {
    let mut text = String::from_utf8(obj(&cuboid(DVec3::ONE))).unwrap();
    // A second object 10 m away.
    text = format!("o near\n{text}o far\n");
    for v in cuboid(DVec3::splat(2.0)).vertices {
        writeln!(text, "v {} {} {}", v.x + 10.0, v.y, v.z).unwrap();
    }
    text.push_str("f 9 10 12 11\nf 13 15 16 14\nf 9 13 14 10\nf 11 12 16 15\nf 9 11 15 13\nf 10 14 16 12\n");
    let folder = Folder::new(&[("two.obj", text.as_bytes())]);
    let part = |name: &str, center: &str| {
        format!("<mesh><uri>two.obj</uri><submesh><name>{name}</name>{center}</submesh></mesh>")
    };
    let far = part("far", "");
    let centered = part("far", "<center>true</center>");
    let world = folder.world(&[&far, &centered]);
    let middle = |g: &GeometryDescription| {
        let GeometryDescription::ConvexHull(points) = g else { panic!("{g:?}") };
        points.iter().sum::<DVec3>() / points.len() as f64
    };
    let shapes = geometries(&world);
    assert!((middle(shapes[0]) - DVec3::X * 10.0).length() < 1e-12 && middle(shapes[1]).length() < 1e-12);
    let loaded = folder.load(&[&part("fat", "")]);
    assert_eq!(codes(&loaded), ["mesh-submesh"]);
    assert_eq!(loaded.diagnostics[0].help.as_deref(), Some("did you mean `far`?"));
}

#[test]
fn files_are_found_by_every_kind_of_uri_and_never_outside() {
    let cube = obj(&cuboid(DVec3::ONE));
    let folder = Folder::new(&[
        ("ws/pkg/meshes/a.OBJ", &cube),
        ("ws/pkg/package.xml", b"<package><name>other_name</name></package>"),
        ("ws/secret.obj", &cube),
    ]);
    let world = |uri: &str| {
        format!(
            "<sdf version=\"1.9\"><world name=\"w\"><model name=\"m\"><link name=\"l\"><collision name=\"c\"><geometry><mesh><uri>{uri}</uri></mesh></geometry></collision></link></model></world></sdf>"
        )
    };
    for (uri, code) in [
        ("../meshes/a.OBJ", None),
        ("package://pkg/meshes/a.OBJ", None),
        ("package://other_name/meshes/a.OBJ", None),
        ("package:///pkg/meshes/a.OBJ", None),
        ("model://pkg/meshes/a.OBJ", None),
        ("package://pkg/../secret.obj", Some("mesh-not-found")),
        ("../../../../../../../../etc/passwd", Some("uri-outside")),
        ("package://nowhere/meshes/a.OBJ", Some("mesh-not-found")),
        ("https://fuel.gazebosim.org/1.0/x/models/nothing/1/files/meshes/a.obj", Some("mesh-not-found")),
    ] {
        folder.write("ws/pkg/worlds/w.sdf", world(uri).as_bytes());
        let loaded = load_file(&folder.path("ws/pkg/worlds/w.sdf"));
        let found = codes(&loaded).into_iter().next();
        assert_eq!(found, code, "{uri}: {:?}", loaded.diagnostics);
        if code == Some("mesh-not-found") {
            assert!(loaded.world.is_none(), "a collision is missing");
            let files = [FileRequest { path: folder.path("ws/pkg/worlds/w.sdf"), name: None, pose: None }];
            let lenient = load(&files, &LoadOptions { lenient: true, ..LoadOptions::default() });
            let world = lenient.world.expect("a lenient run goes on without it");
            assert!(matches!(geometries(&world)[0], GeometryDescription::Unsupported(_)));
        }
    }
}

#[test]
fn a_broken_file_stops_the_run_with_both_places() {
    let folder = Folder::new(&[("bad.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n")]);
    let loaded = folder.load(&["<mesh><uri>bad.obj</uri></mesh>"]);
    assert!(loaded.world.is_none());
    let finding = &loaded.diagnostics[0];
    assert_eq!((finding.code, finding.location.as_ref().unwrap().line), ("mesh-file", 2));
    assert!(finding.message.ends_with("bad.obj:4: there is no vertex 4: the list has 3"), "{}", finding.message);
}

#[test]
fn what_was_healed_is_told_once_a_file() {
    let mut mesh = mug(24);
    mesh.triangles[5].swap(0, 1);
    mesh.triangles.push(mesh.triangles[0]);
    let [a, b, _] = mesh.triangles[1];
    mesh.triangles.push([a, b, a]);
    let folder = Folder::new(&[("mug.obj", &obj(&mesh))]);
    let uri = "<mesh><uri>mug.obj</uri></mesh>";
    let loaded = folder.load(&[uri, "<mesh><uri>mug.obj</uri><scale>2 2 2</scale></mesh>"]);
    assert_eq!(codes(&loaded), ["mesh-healed"]);
    let message = &loaded.diagnostics[0].message;
    assert_eq!(
        message,
        "triangles of `mug.obj`: 1 without area left out, 1 that were there twice left out, 1 turned about to face as the others do"
    );
    let world = loaded.world.unwrap();
    let GeometryDescription::Mesh(healed) = geometries(&world)[0] else { panic!() };
    assert!((volume(healed) - volume(&mug(24))).abs() < 1e-15);
}

#[test]
fn inside_out_parts_are_turned_and_cavities_stay() {
    let shell = |turn: bool, inner_turn: bool| {
        let mut outer = cuboid(DVec3::splat(2.0));
        let mut inner = cuboid(DVec3::ONE);
        // A cavity faces the other way.
        if turn {
            outer.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        if !inner_turn {
            inner.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        let first = outer.vertices.len() as u32;
        outer.vertices.extend(&inner.vertices);
        outer.triangles.extend(inner.triangles.iter().map(|t| t.map(|v| v + first)));
        outer
    };
    let (right, healing) = shell(false, false).healed();
    assert!((volume(&right) - 7.0).abs() < 1e-12 && !healing.is_needed() && healing.is_closed);
    let (inverted, healing) = shell(true, true).healed();
    assert!((volume(&inverted) - 7.0).abs() < 1e-12);
    assert_eq!((healing.turned, healing.components), (24, 2));
    let alone = MeshDescription {
        vertices: cuboid(DVec3::ONE).vertices,
        triangles: cuboid(DVec3::ONE).triangles.iter().map(|t| [t[0], t[2], t[1]]).collect(),
    };
    let (alone, healing) = alone.healed();
    assert!((volume(&alone) - 1.0).abs() < 1e-12 && healing.turned == 12);
}

/// Signed volume \[m³\].
fn volume(mesh: &MeshDescription) -> f64 {
    let of = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| mesh.vertices[v as usize]);
        a.dot(b.cross(c)) / 6.0
    };
    mesh.triangles.iter().map(of).sum()
}
