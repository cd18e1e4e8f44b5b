//! Contacts of which the exact answer is known.

use std::ptr::null_mut;

use glam::{DMat3, DVec3};

use super::super::pose::{GeomPose, Placed};
use super::super::{GeomId, GeomShape, create, destroy};
use super::collide_geoms;
use crate::types::{dContactGeom, vector};

fn at(shape: GeomShape, position: DVec3, rotation: DMat3) -> GeomId {
    // SAFETY: no space is given.
    unsafe {
        let placeable = !matches!(shape, GeomShape::Plane { .. });
        let geom = create(null_mut(), placeable, shape);
        (*geom).pose = GeomPose::new(&Placed { position, rotation });
        geom
    }
}

/// Contacts of two geoms, which end.
fn contacts(first: GeomId, second: GeomId, max: i32) -> Vec<dContactGeom> {
    let mut found: Vec<dContactGeom> = Vec::with_capacity(16);
    // SAFETY: there are places for 16.
    unsafe {
        let count = collide_geoms(first, second, max, found.as_mut_ptr(), size_of::<dContactGeom>() as i32);
        found.set_len(count as usize);
        destroy(first);
        destroy(second);
    }
    found
}

fn cube() -> GeomShape {
    GeomShape::Box { sides: [1.0; 3] }
}

const CYLINDER: GeomShape = GeomShape::Cylinder { radius: 0.5, length: 1.0 };
const CAPSULE: GeomShape = GeomShape::Capsule { radius: 0.25, length: 1.0 };
const GROUND: GeomShape = GeomShape::Plane { params: [0.0, 0.0, 1.0, 0.0] };

#[test]
fn resting_bodies_have_full_manifolds() {
    let (up, lying) = (DMat3::IDENTITY, DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X));
    let turned = DMat3::from_cols(DVec3::new(0.8, 0.6, 0.0), DVec3::new(-0.6, 0.8, 0.0), DVec3::Z);
    let on = |height: f64| DVec3::new(0.0, 0.0, height);
    let cases = [
        ("box on box", at(cube(), on(0.0), up), at(cube(), on(0.9), up), 4, 0.1),
        ("turned box on box", at(cube(), on(0.0), up), at(cube(), on(0.9), turned), 8, 0.1),
        ("box touching ground", at(cube(), on(0.5), up), at(GROUND, on(0.0), up), 4, 0.0),
        ("capsule on ground", at(CAPSULE, on(0.24), lying), at(GROUND, on(0.0), up), 2, 0.01),
        ("capsule on box", at(CAPSULE, on(0.74), lying), at(cube(), on(0.0), up), 2, 0.01),
        ("capsule on capsule", at(CAPSULE, on(0.48), lying), at(CAPSULE, on(0.0), lying), 2, 0.02),
        ("cylinder on ground", at(CYLINDER, on(0.49), up), at(GROUND, on(0.0), up), 4, 0.01),
        ("lying cylinder on ground", at(CYLINDER, on(0.49), lying), at(GROUND, on(0.0), up), 2, 0.01),
        ("cylinder on box", at(CYLINDER, on(0.99), up), at(cube(), on(0.0), up), 4, 0.01),
        ("cylinder on cylinder", at(CYLINDER, on(0.99), lying), at(CYLINDER, on(0.0), lying), 2, 0.01),
    ];
    for (name, first, second, least, depth) in cases {
        let found = contacts(first, second, 8);
        assert!(found.len() >= least, "{name}: {} points", found.len());
        for contact in found {
            assert!((f64::from(contact.depth) - depth).abs() < 1e-6, "{name}: {}", contact.depth);
            assert!(vector(&contact.normal).z.abs() > 1.0 - 1e-6, "{name}");
        }
    }
}

#[test]
fn the_normal_points_into_the_first_geom_whichever_it_is() {
    for swap in [false, true] {
        let low = at(GeomShape::Sphere { radius: 0.5 }, DVec3::ZERO, DMat3::IDENTITY);
        let high = at(cube(), DVec3::new(0.0, 0.0, 0.9), DMat3::IDENTITY);
        let (first, second) = if swap { (high, low) } else { (low, high) };
        let found = contacts(first, second, 4);
        assert_eq!(found.len(), 1);
        let down = if swap { 1.0 } else { -1.0 };
        assert!((vector(&found[0].normal).z - down).abs() < 1e-6);
        assert!(found[0].g1 == first.cast() && found[0].g2 == second.cast());
    }
}
