//! Questions to a world, each answered again by looking at many points.

use super::support::Sequence;
use stiction::collision::{Sweep, distance};
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{BodyDefinition, GeomDefinition, GeomId, QueryFilter, World};

fn pose(s: &mut Sequence, size: f64) -> Pose {
    Pose::new(size * s.vector(), s.rotation())
}

/// A dozen shapes within 3 m, some on bodies, over a plane.
fn world(s: &mut Sequence) -> World {
    let mut world = World::default();
    for k in 0..12 {
        let shape = match k % 4 {
            0 => Shape::sphere(0.3),
            1 => Shape::cuboid(DVec3::new(0.4, 0.6, 0.9)),
            2 => Shape::capsule(0.2, 0.5),
            _ => Shape::cylinder(0.3, 0.6),
        };
        let pose = pose(s, 3.0);
        let mut geom =
            GeomDefinition { category: 1 << (k % 3), collide: 0, ..GeomDefinition::new(shape.unwrap(), None) };
        if k % 2 == 0 {
            geom.body = Some(world.add_body(&BodyDefinition { pose, ..BodyDefinition::default() }).unwrap());
        } else {
            geom.pose = pose;
        }
        world.add_geom(&geom).unwrap();
    }
    world.add_geom(&GeomDefinition::new(Shape::plane(DVec3::Z, -4.0).unwrap(), None)).unwrap();
    world
}

/// Least signed distance of all shapes of the bits.
fn least(world: &World, point: DVec3, bits: u64) -> f64 {
    let of = |id: GeomId| {
        let geom = world.geom(id).unwrap();
        if geom.category() & bits == 0 {
            return f64::INFINITY;
        }
        -geom.shape().point_depth(&world.geom_pose(id).unwrap(), point)
    };
    world.geom_ids().map(of).fold(f64::INFINITY, f64::min)
}

fn filter(bits: u64) -> QueryFilter<'static> {
    QueryFilter { category: 0, collide: bits, ..QueryFilter::default() }
}

#[test]
fn rays_end_where_the_least_distance_is_zero() {
    let mut s = Sequence(1);
    let mut hits = 0;
    for case in 0..400 {
        let world = world(&mut s);
        let (origin, direction) = (5.0 * s.vector(), s.vector());
        let bits = [u64::MAX, 1, 6][case % 3];
        if least(&world, origin, bits) <= 0.0 {
            continue;
        }
        let all = world.ray_cast_all(origin, direction, 20.0, &filter(bits));
        assert!(all.windows(2).all(|w| w[0].distance <= w[1].distance));
        let first = world.ray_cast(origin, direction, 20.0, &filter(bits));
        assert_eq!(first, all.first().copied(), "case {case}");
        let end = first.map_or(20.0, |hit| hit.distance);
        // A march by the distance itself cannot jump over anything.
        let (unit, mut t) = (direction.normalize(), 0.0);
        while t < end {
            let d = least(&world, origin + t * unit, bits);
            if d < 1e-7 {
                break;
            }
            t += d;
        }
        assert!(t >= end - 1e-4, "case {case}: something at {t} before {end}");
        if let Some(hit) = first {
            hits += 1;
            assert!(least(&world, hit.point, bits).abs() < 1e-9 && hit.normal.dot(unit) <= 1e-9, "case {case}");
        }
    }
    assert!(hits > 150, "{hits}");
}

#[test]
fn the_nearest_shape_is_the_least_of_all() {
    let mut s = Sequence(2);
    for case in 0..400 {
        let world = world(&mut s);
        let (probe, pose) = (Shape::capsule(0.2, 0.4).unwrap(), pose(&mut s, 4.0));
        let bits = [u64::MAX, 1, 6][case % 3];
        let of = |id: GeomId| {
            let geom = world.geom(id).unwrap();
            let found = distance(&probe, &pose, geom.shape(), &world.geom_pose(id).unwrap(), 100.0).unwrap().distance;
            if geom.category() & bits == 0 { f64::INFINITY } else { found }
        };
        let exact = world.geom_ids().map(of).fold(f64::INFINITY, f64::min);
        let found = world.nearest(&probe, &pose, 100.0, &filter(bits)).unwrap();
        assert_eq!(found.proximity.distance, exact, "case {case}");
        let near = world.near(&probe, &pose, 1.0, &filter(bits));
        assert_eq!(near.len(), world.geom_ids().filter(|id| of(*id) <= 1.0).count(), "case {case}");
        let overlaps = world.overlaps(&probe, &pose, &filter(bits));
        let expected: Vec<GeomId> = world.geom_ids().filter(|id| of(*id) <= 0.0).collect();
        assert_eq!(overlaps, expected, "case {case}");
        let (_, signed) = world.signed_distance(pose.position, 100.0, &filter(bits)).unwrap();
        assert_eq!(signed, least(&world, pose.position, bits), "case {case}");
        assert!(
            world.nearest(&probe, &pose, 100.0, &filter(0)).is_none_or(|f| f.geom == world.geom_ids().last().unwrap())
        );
    }
}

#[test]
fn casts_stop_at_the_first_shape() {
    let mut s = Sequence(3);
    let mut hits = 0;
    for case in 0..300 {
        let world = world(&mut s);
        let probe = Shape::cuboid(DVec3::new(0.3, 0.4, 0.5)).unwrap();
        let from = pose(&mut s, 6.0);
        let sweep = Sweep { from, to: Pose::new(-from.position, pose(&mut s, 1.0).rotation), center: DVec3::ZERO };
        let found = world.sweep_cast(&probe, &sweep, &QueryFilter::default());
        let end = found.map_or(1.0, |hit| hit.fraction);
        for k in 0..100 {
            let pose = sweep.at(end * 0.999 * f64::from(k) / 100.0);
            if end > 0.0 {
                assert!(world.overlaps(&probe, &pose, &QueryFilter::default()).is_empty(), "case {case} before {end}");
            }
        }
        if let Some(hit) = found {
            hits += 1;
            let pose = sweep.at(hit.fraction);
            let near = world.nearest(&probe, &pose, 1.0, &QueryFilter::default()).unwrap();
            assert!(near.proximity.distance < 2e-6, "case {case}: {}", near.proximity.distance);
        }
    }
    assert!(hits > 100, "{hits}");
}

#[test]
fn filters_leave_out_bodies_disabled_shapes_and_what_is_refused() {
    let mut world = World::default();
    let ball = Shape::sphere(0.5).unwrap();
    let bodies: Vec<_> = (1..=3)
        .map(|k| {
            let pose = Pose::from_position(f64::from(k) * 2.0 * DVec3::X);
            let body = world.add_body(&BodyDefinition { pose, ..BodyDefinition::default() }).unwrap();
            (
                body,
                world
                    .add_geom(&GeomDefinition { user_data: k as u64, ..GeomDefinition::new(ball.clone(), Some(body)) })
                    .unwrap(),
            )
        })
        .collect();
    let first =
        |world: &World, filter: &QueryFilter| world.ray_cast(DVec3::ZERO, DVec3::X, 50.0, filter).map(|h| h.geom);
    let all = QueryFilter::default();
    assert_eq!(first(&world, &all), Some(bodies[0].1));
    assert_eq!(first(&world, &QueryFilter { except: Some(bodies[0].0), ..all }), Some(bodies[1].1));
    let odd = |_: GeomId, geom: &stiction::world::Geom| geom.user_data() == 3;
    assert_eq!(first(&world, &QueryFilter { accept: Some(&odd), ..all }), Some(bodies[2].1));
    world.set_geom_enabled(bodies[0].1, false);
    assert_eq!(first(&world, &all), Some(bodies[1].1));
    assert_eq!(first(&world, &QueryFilter { with_disabled: true, ..all }), Some(bodies[0].1));
    assert_eq!(world.ray_cast(DVec3::ZERO, DVec3::ZERO, 50.0, &all), None);
}
