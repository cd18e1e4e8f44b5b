use std::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};

use super::*;

fn solids() -> Vec<Shape> {
    vec![
        Shape::sphere(0.7).unwrap(),
        Shape::cuboid(DVec3::new(0.6, 1.0, 1.8)).unwrap(),
        Shape::capsule(0.4, 1.1).unwrap(),
        Shape::cylinder(0.5, 1.4).unwrap(),
        Shape::ellipsoid(DVec3::new(0.3, 0.9, 0.6)).unwrap(),
        Shape::cone(0.6, 1.5).unwrap(),
        Shape::convex_hull(&[DVec3::ZERO, DVec3::X, DVec3::Y * 1.3, DVec3::Z, DVec3::new(0.9, 0.8, 0.7)]).unwrap(),
    ]
}

/// Deterministic points in [-1, 1]³.
fn samples(count: u32) -> impl Iterator<Item = DVec3> {
    (1..=count).map(|i| {
        let r = |s: f64| 2.0 * (f64::from(i) * s).fract() - 1.0;
        DVec3::new(r(0.819_172_513_4), r(0.671_043_606_7), r(0.549_700_477_9))
    })
}

#[test]
fn bad_sizes_are_refused_with_the_value() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Shape::sphere(bad).is_err());
        assert!(Shape::cuboid(DVec3::new(1.0, bad, 1.0)).is_err());
        assert!(Shape::capsule(1.0, bad).is_err());
        assert!(Shape::cylinder(bad, 1.0).is_err());
        assert!(Shape::cone(1.0, bad).is_err());
        assert!(Shape::ellipsoid(DVec3::splat(bad)).is_err());
        assert!(Shape::ray(bad).is_err());
    }
    assert!(Shape::plane(DVec3::ZERO, 0.0).is_err());
    assert!(Shape::plane(DVec3::Z, f64::NAN).is_err());
    let message = Shape::sphere(-2.0).unwrap_err().to_string();
    assert_eq!(message, "sphere radius [m] is -2; expected a finite number above 0");
}

#[test]
fn mass_agrees_with_sampled_integrals() {
    for shape in solids() {
        let m = shape.mass_properties(2.0).unwrap();
        assert!((m.mass - 2.0 * shape.volume()).abs() < 1e-12);
        m.validate().unwrap();
        let (half, n) = (1.3, 60_000);
        let cell = 8.0 * half * half * half / f64::from(n) * 2.0;
        let (mut mass, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for p in samples(n).map(|p| p * half) {
            if shape.point_depth(&Pose::IDENTITY, p) >= 0.0 {
                mass += cell;
                first += p * cell;
                let outer = DMat3::from_cols(p * p.x, p * p.y, p * p.z);
                second += (DMat3::from_diagonal(DVec3::splat(p.length_squared())) - outer) * cell;
            }
        }
        assert!((mass - m.mass).abs() < 0.03 * m.mass, "{shape:?}: {mass} {}", m.mass);
        assert!((first / mass - m.center_of_mass).length() < 0.02, "{shape:?}");
        let inertia = m.inertia_about_origin();
        let scale = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
        for (a, b) in inertia.to_cols_array().iter().zip(second.to_cols_array()) {
            assert!((a - b).abs() < 0.03 * scale, "{shape:?} {a} {b} {scale}");
        }
    }
}

#[test]
fn bounds_are_tight() {
    let pose = Pose::from_xyz_rpy(DVec3::new(1.0, -2.0, 3.0), DVec3::new(0.4, -0.9, 2.2));
    for shape in solids() {
        let aabb = shape.aabb(&pose);
        for axis in 0..3 {
            for sign in [1.0, -1.0] {
                let direction = DVec3::AXES[axis] * sign;
                let farthest = pose.point(shape.support(pose.inverse_direction(direction)));
                let bound = if sign > 0.0 { aabb.max[axis] } else { aabb.min[axis] };
                assert!((farthest[axis] - bound).abs() < 1e-12, "{shape:?}");
            }
        }
    }
    let floor = Shape::plane(DVec3::Z, 2.0).unwrap();
    assert_eq!(floor.aabb(&Pose::IDENTITY).max.z, 2.0);
    assert_eq!(floor.aabb(&Pose::IDENTITY).min.z, f64::NEG_INFINITY);
}

#[test]
fn support_points_lie_on_the_surface_and_none_lies_beyond() {
    for shape in solids() {
        for d in samples(50) {
            let p = shape.support(d);
            assert!(shape.point_depth(&Pose::IDENTITY, p).abs() < 1e-9, "{shape:?} {d}");
            for e in samples(50) {
                assert!(shape.support(e).dot(d) <= p.dot(d) + 1e-12, "{shape:?}");
            }
        }
    }
}

#[test]
fn rays_end_on_the_surface() {
    let pose = Pose::from_xyz_rpy(DVec3::new(0.1, -0.2, 0.3), DVec3::new(0.4, -0.9, 2.2));
    for shape in solids() {
        let mut hits = 0;
        for (i, origin) in samples(400).enumerate() {
            let origin = origin * 2.0;
            let target = pose.point(shape.mass_properties(1.0).unwrap().center_of_mass);
            let aim = target + samples(400 + i as u32).last().unwrap() * 0.8;
            let direction = (aim - origin).normalize();
            let Some(hit) = shape.ray_cast(&pose, origin, direction, 1e3) else { continue };
            hits += 1;
            let p = origin + direction * hit.distance;
            assert!(shape.point_depth(&pose, p).abs() < 1e-9, "{shape:?} {}", shape.point_depth(&pose, p));
            assert!(hit.normal.dot(direction) <= 1e-9 && hit.normal.is_normalized(), "{shape:?}");
            // Just before the hit we are still on the side of the start, just behind on the other.
            let side = shape.point_depth(&pose, origin) > 0.0;
            let before = shape.point_depth(&pose, origin + direction * (hit.distance * 0.999_99));
            assert!((before > 0.0) == side || before.abs() < 1e-4, "{shape:?}");
            assert!(shape.ray_cast(&pose, origin, direction, hit.distance * 0.99).is_none());
        }
        assert!(hits > 150, "{shape:?}: {hits}");
    }
}

#[test]
fn masses_combine_by_the_parallel_axes() {
    // Two half boxes are one box.
    let half = MassProperties::cuboid(3.0, DVec3::new(1.0, 0.5, 0.25));
    let whole = MassProperties::cuboid(3.0, DVec3::new(2.0, 0.5, 0.25));
    let both = half.translated(DVec3::X * 0.5).combined(&half.translated(DVec3::X * -0.5));
    assert!((both.mass - whole.mass).abs() < 1e-14 && both.center_of_mass.length() < 1e-14);
    assert!(both.inertia.abs_diff_eq(whole.inertia, 1e-14));
    // Turned about z by a right angle the sides change places.
    let turned = whole.rotated(DQuat::from_rotation_z(0.5 * PI));
    let expected = MassProperties::cuboid(3.0, DVec3::new(0.5, 2.0, 0.25));
    assert!(turned.inertia.abs_diff_eq(expected.inertia, 1e-14));
    assert!((whole.with_mass(7.0).inertia.x_axis.x / whole.inertia.x_axis.x - 7.0 / whole.mass).abs() < 1e-14);
}

#[test]
fn principal_axes_rebuild_the_inertia() {
    let m = MassProperties::cuboid(1.0, DVec3::new(1.0, 2.0, 3.0));
    assert_eq!(
        m.principal(),
        (DVec3::new(m.inertia.x_axis.x, m.inertia.y_axis.y, m.inertia.z_axis.z), DQuat::IDENTITY)
    );
    let turned = m.rotated(DQuat::from_euler(glam::EulerRot::XYZ, 0.4, 0.7, -1.2));
    let (moments, axes) = turned.principal();
    let r = DMat3::from_quat(axes);
    let back = r * DMat3::from_diagonal(moments) * r.transpose();
    assert!(back.abs_diff_eq(turned.inertia, 1e-12));
}

#[test]
fn impossible_masses_are_named() {
    let good = MassProperties::sphere(1.0, 1.0);
    assert!(matches!(MassProperties { mass: 0.0, ..good }.validate(), Err(MassError::Mass { .. })));
    let with = |inertia: DMat3| MassProperties { inertia, ..good }.validate();
    assert!(matches!(with(DMat3::from_diagonal(DVec3::new(1.0, 1.0, 2.1))), Err(MassError::Triangle { .. })));
    assert!(matches!(with(DMat3::from_diagonal(DVec3::new(1.0, 1.0, -0.1))), Err(MassError::NotPositive { .. })));
    assert!(matches!(with(DMat3::IDENTITY * f64::NAN), Err(MassError::NotFinite { .. })));
    let skew = DMat3::from_cols(DVec3::X, DVec3::new(0.1, 1.0, 0.0), DVec3::Z);
    assert!(matches!(with(skew), Err(MassError::NotSymmetric { .. })));
}
