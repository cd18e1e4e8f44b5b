//! Collision spaces: every kind finds the same pairs in the same order, nested spaces, locks, classes of one's own.

use super::support::Sequence;
use stiction::base::BodyId;
use stiction::collision::{ContactQuery, ManifoldPoint};
use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::{Aabb, Shape};
use stiction::space::utility::{INFINITE_BOX, box_touches_box, closest_points_of_segments};
use stiction::space::{AxisOrder, Form, GeomClass, GeomId, SpaceError, SpaceKind, Spaces};

const KINDS: [SpaceKind; 7] = [
    SpaceKind::Simple,
    SpaceKind::HASH,
    SpaceKind::Hash { least_level: -1, greatest_level: 1 },
    SpaceKind::QuadTree { center: DVec3::ZERO, extents: DVec3::new(16.0, 16.0, 1.0), depth: 6 },
    SpaceKind::QuadTree { center: DVec3::new(3.0, 0.0, 0.0), extents: DVec3::ONE, depth: 0 },
    SpaceKind::SweepAndPrune { order: AxisOrder::Xyz },
    SpaceKind::SweepAndPrune { order: AxisOrder::Zyx },
];

fn pairs(spaces: &mut Spaces, space: GeomId) -> Vec<(GeomId, GeomId)> {
    let mut found = Vec::new();
    spaces.collide(space, &mut |_, a, b| found.push((a, b))).unwrap();
    found
}

fn pairs_with(spaces: &mut Spaces, a: GeomId, b: GeomId) -> Vec<(GeomId, GeomId)> {
    let mut found = Vec::new();
    spaces.collide_with(a, b, &mut |_, a, b| found.push((a, b))).unwrap();
    found
}

/// A row of spheres of which neighbours touch.
fn row(spaces: &mut Spaces, space: GeomId, count: usize) -> Vec<GeomId> {
    let shape = Shape::sphere(0.5).unwrap();
    let place = |i: usize| Pose::from_position(DVec3::X * i as f64);
    (0..count).map(|i| spaces.add_shape(shape.clone(), &place(i), Some(space)).unwrap()).collect()
}

#[test]
fn every_kind_finds_the_pairs_of_all_against_all_in_one_order() {
    let mut expected = Vec::new();
    for kind in KINDS {
        let mut spaces = Spaces::new();
        let space = spaces.add_space(kind, None).unwrap();
        let mut s = Sequence(7);
        for i in 0..400 {
            let far = if i % 40 == 0 { 1e12 } else { 3.0 };
            let size = if i % 50 == 0 { 6.0 } else { 0.3 };
            let shape = Shape::cuboid(DVec3::splat(0.1) + size * s.vector().abs()).unwrap();
            spaces.add_shape(shape, &Pose::from_position(far * s.vector()), Some(space)).unwrap();
        }
        let plane = spaces.add_shape(Shape::plane(DVec3::Z, -7.0).unwrap(), &Pose::IDENTITY, Some(space)).unwrap();
        for (i, id) in spaces.space(space).unwrap().members().collect::<Vec<_>>().into_iter().enumerate() {
            let geom = spaces.geom_mut(id).unwrap();
            geom.enabled = i % 17 != 3;
            geom.category = 1 << (i % 3);
            geom.collide = if i % 5 == 0 { 0 } else { 0b101 };
            geom.body = (i % 4 == 0).then(|| BodyId::from_bits((i as u64 % 8) | 1 << 32));
        }
        spaces.geom_mut(plane).unwrap().category = u64::MAX;
        let found = pairs(&mut spaces, space);
        if expected.is_empty() {
            let members: Vec<_> = spaces.space(space).unwrap().members().collect();
            for (k, a) in members.iter().enumerate() {
                for b in &members[k + 1..] {
                    let (g, h) = (spaces.geom(*a).unwrap(), spaces.geom(*b).unwrap());
                    let is_near = spaces.aabb(*a).unwrap().intersects(&spaces.aabb(*b).unwrap());
                    let bits = g.category & h.collide != 0 || h.category & g.collide != 0;
                    if g.enabled && h.enabled && bits && is_near && (g.body.is_none() || g.body != h.body) {
                        expected.push((*a, *b));
                    }
                }
            }
            assert!(expected.len() > 100, "{}", expected.len());
        }
        assert_eq!(found, expected, "{kind:?}");
    }
}

#[test]
fn pairs_come_newest_first() {
    for kind in KINDS {
        let mut spaces = Spaces::new();
        let space = spaces.add_space(kind, None).unwrap();
        let g = row(&mut spaces, space, 4);
        assert_eq!(pairs(&mut spaces, space), [(g[3], g[2]), (g[2], g[1]), (g[1], g[0])]);
        assert_eq!(spaces.space(space).unwrap().member(0), Some(g[3]));
        assert_eq!(spaces.space(space).unwrap().member(4), None);
        for other in KINDS {
            spaces.set_kind(space, other).unwrap();
            assert_eq!((spaces.space(space).unwrap().kind(), pairs(&mut spaces, space).len()), (other, 3));
        }
        spaces.set_kind(space, kind).unwrap();
        // A geom against the space meets itself too.
        assert_eq!(pairs_with(&mut spaces, g[0], space), [(g[0], g[1]), (g[0], g[0])]);
        assert_eq!(pairs_with(&mut spaces, space, g[0]), [(g[1], g[0]), (g[0], g[0])]);
        assert_eq!(pairs_with(&mut spaces, space, space).len(), 3);
        assert_eq!(pairs_with(&mut spaces, g[0], g[3]), [(g[0], g[3])]);
    }
}

#[test]
fn spaces_in_a_space_are_geoms_until_somebody_goes_into_them() {
    let mut spaces = Spaces::new();
    let top = spaces.add_space(SpaceKind::HASH, None).unwrap();
    let cars = [0, 1].map(|_| spaces.add_space(SpaceKind::Simple, Some(top)).unwrap());
    let first = row(&mut spaces, cars[0], 3);
    let second = row(&mut spaces, cars[1], 2);
    for (i, id) in second.iter().enumerate() {
        spaces.set_pose(*id, &Pose::from_position(DVec3::new(2.9 + i as f64, 0.0, 0.0))).unwrap();
    }
    assert_eq!(pairs(&mut spaces, top), [(cars[1], cars[0])]);
    assert_eq!(pairs_with(&mut spaces, cars[0], cars[1]), [(first[2], second[0])]);
    // The car of the greater sublevel is gone through, the other one is one geom.
    spaces.space_mut(cars[0]).unwrap().sublevel = 1;
    assert_eq!(pairs_with(&mut spaces, cars[0], cars[1]), [(first[2], cars[1])]);
    assert_eq!(pairs_with(&mut spaces, cars[1], cars[0]), [(cars[1], first[2])]);
    spaces.space_mut(cars[0]).unwrap().sublevel = 0;

    // The guide's callback: all points of all that touch, from within the callback.
    fn go(spaces: &mut Spaces, a: GeomId, b: GeomId, points: &mut usize) {
        let is_space = [a, b].map(|id| spaces.space(id).is_ok());
        if is_space == [false; 2] {
            let mut out = Vec::new();
            spaces.contacts(a, b, &ContactQuery::default(), &mut out).unwrap();
            *points += out.len();
            return;
        }
        spaces.collide_with(a, b, &mut |spaces, a, b| go(spaces, a, b, points)).unwrap();
        for id in [a, b].into_iter().zip(is_space).filter(|(_, is)| *is).map(|(id, _)| id) {
            spaces.collide(id, &mut |spaces, a, b| go(spaces, a, b, points)).unwrap();
        }
    }
    let mut points = 0;
    spaces.collide(top, &mut |spaces, a, b| go(spaces, a, b, &mut points)).unwrap();
    assert_eq!(points, 1 + 2 + 1);

    // Asked for contacts, a space is all that is in it.
    let mut out = Vec::new();
    spaces.contacts(top, first[0], &ContactQuery::default(), &mut out).unwrap();
    assert_eq!(out.len(), 1);
    assert_eq!(out[0].geoms, [first[1], first[0]]);
    assert!((out[0].point.normal - DVec3::X).length() < 1e-12);

    // Clean-up: a car that keeps its parts, one that does not.
    spaces.space_mut(cars[0]).unwrap().cleanup = false;
    spaces.remove(top).unwrap();
    assert_eq!(spaces.geom(first[0]).unwrap().parent(), None);
    assert!(spaces.geom(second[0]).is_err() && spaces.geom(cars[0]).is_err());
}

#[test]
fn a_space_is_locked_while_its_pairs_are_visited() {
    let mut spaces = Spaces::new();
    let top = spaces.add_space(SpaceKind::Simple, None).unwrap();
    let space = spaces.add_space(SpaceKind::HASH, Some(top)).unwrap();
    let g = row(&mut spaces, space, 2);
    let other = spaces.add_shape(Shape::sphere(1.0).unwrap(), &Pose::IDENTITY, None).unwrap();
    let mut visits = 0;
    spaces
        .collide(space, &mut |spaces, a, b| {
            visits += 1;
            assert_eq!([a, b], [g[1], g[0]]);
            assert!(spaces.space(space).unwrap().is_locked());
            assert_eq!(spaces.insert(space, other), Err(SpaceError::Locked));
            assert_eq!(spaces.set_kind(space, SpaceKind::Simple), Err(SpaceError::Locked));
            assert_eq!(spaces.take_out(space, a), Err(SpaceError::Locked));
            assert_eq!(spaces.remove(b), Err(SpaceError::Locked));
            assert_eq!(spaces.remove(top), Err(SpaceError::Locked));
            assert_eq!(spaces.set_pose(a, &Pose::IDENTITY), Err(SpaceError::Locked));
            assert_eq!(spaces.set_pose(other, &Pose::IDENTITY), Ok(()));
        })
        .unwrap();
    assert_eq!(visits, 1);
    assert_eq!(spaces.insert(space, other), Ok(()));
    assert_eq!(spaces.insert(top, other), Err(SpaceError::Elsewhere));
    assert_eq!(spaces.take_out(space, other), Ok(()));
    assert!(!spaces.contains(space, other));
    assert_eq!(spaces.take_out(top, space), Ok(()));
    assert_eq!(spaces.insert(space, top), Ok(()));
    assert_eq!(spaces.insert(top, space), Err(SpaceError::Cycle));
    assert_eq!(spaces.set_pose(top, &Pose::IDENTITY), Err(SpaceError::NotPlaceable));
    assert_eq!(spaces.collide(other, &mut |_, _, _| {}), Err(SpaceError::NotASpace));
    let levels = SpaceKind::Hash { least_level: 2, greatest_level: 1 };
    assert_eq!(spaces.add_space(levels, None), Err(SpaceError::Parameters));
}

/// A floor of waves, of which only the height at a place is known.
struct Waves;

impl GeomClass for Waves {
    fn aabb_test(&self, _: &Pose, other: &Aabb) -> bool {
        other.min.z < 0.2
    }

    fn collide(&self, _: &Pose, other: &Form, pose: &Pose, _: &ContactQuery, points: &mut Vec<ManifoldPoint>) -> bool {
        let Form::Shape(Shape::Sphere(ball)) = other else { return false };
        let depth = ball.radius - pose.position.z;
        if depth > 0.0 {
            let position = pose.position - DVec3::Z * ball.radius;
            let triangles = [u32::MAX; 2];
            points.push(ManifoldPoint { position, normal: DVec3::NEG_Z, depth, feature: 0, triangles });
        }
        true
    }
}

/// Knows the waves, and nothing else.
struct Boat;

impl GeomClass for Boat {
    fn aabb(&self, pose: &Pose) -> Aabb {
        Aabb::from_center(pose.position, DVec3::ONE)
    }

    fn collide(&self, pose: &Pose, other: &Form, _: &Pose, _: &ContactQuery, points: &mut Vec<ManifoldPoint>) -> bool {
        if other.class::<Waves>().is_some() {
            let (position, triangles) = (pose.position, [u32::MAX; 2]);
            points.push(ManifoldPoint { position, normal: DVec3::Z, depth: 0.1, feature: 0, triangles });
        }
        other.class::<Waves>().is_some()
    }
}

#[test]
fn classes_of_ones_own_meet_shapes_and_each_other() {
    let mut spaces = Spaces::new();
    let space = spaces.add_space(SpaceKind::HASH, None).unwrap();
    let waves = spaces.add_class(Waves, &Pose::IDENTITY, Some(space)).unwrap();
    let boat = spaces.add_class(Boat, &Pose::IDENTITY, Some(space)).unwrap();
    let at = |z: f64| Pose::from_position(DVec3::new(30.0, 0.0, z));
    let low = spaces.add_shape(Shape::sphere(0.5).unwrap(), &at(0.4), Some(space)).unwrap();
    // Its box touches the waves' endless one, and the class says that it flies above them.
    spaces.add_shape(Shape::sphere(0.5).unwrap(), &at(2.0), Some(space)).unwrap();
    assert_eq!(pairs(&mut spaces, space), [(low, waves), (boat, waves)]);
    let normal = |a: GeomId, b: GeomId| {
        let mut out = Vec::new();
        spaces.contacts(a, b, &ContactQuery::default(), &mut out).unwrap();
        out.first().map(|c| (c.geoms, c.point.normal.z))
    };
    assert_eq!(normal(waves, low), Some(([waves, low], -1.0)));
    assert_eq!(normal(low, waves), Some(([low, waves], 1.0)));
    assert_eq!(normal(boat, waves), Some(([boat, waves], 1.0)));
    assert_eq!(normal(waves, boat), Some(([waves, boat], -1.0)));
    assert_eq!(normal(boat, low), None);
}

#[test]
fn a_geom_with_an_offset_is_where_pose_and_offset_take_it() {
    let mut spaces = Spaces::new();
    let pose = Pose::new(DVec3::X, DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2));
    let leg = spaces.add_shape(Shape::sphere(0.1).unwrap(), &pose, None).unwrap();
    spaces.set_offset(leg, &Pose::from_position(DVec3::new(2.0, 0.0, 0.5))).unwrap();
    assert!((spaces.aabb(leg).unwrap().center() - DVec3::new(1.0, 2.0, 0.5)).length() < 1e-12);
    assert_eq!(spaces.set_offset(leg, &Pose::from_position(DVec3::NAN)), Err(SpaceError::NotFinite));
}

#[test]
fn nearest_points_of_segments_are_those_of_a_fine_search() {
    let mut s = Sequence(3);
    for k in 0..200 {
        let a = [s.vector(), s.vector()];
        let b = match k % 4 {
            0 => [s.vector(); 2],
            1 => [a[0] + s.vector(), a[0] + s.vector()],
            2 => [a[0] + DVec3::Y, a[1] + DVec3::Y],
            _ => [s.vector(), s.vector()],
        };
        let [p, q] = closest_points_of_segments(a, b);
        let mut least = f64::INFINITY;
        for i in 0..=200 {
            for j in 0..=200 {
                let (i, j) = (f64::from(i) / 200.0, f64::from(j) / 200.0);
                least = least.min((a[0].lerp(a[1], i) - b[0].lerp(b[1], j)).length());
            }
        }
        let found = (p - q).length();
        assert!(found <= least + 1e-12 && found > least - 2e-2, "{k}: {found} {least}");
        if k % 4 == 2 {
            let is_end = |x: DVec3, ends: [DVec3; 2]| ends.iter().any(|e| (*e - x).length() < 1e-12);
            assert!(is_end(p, a) || is_end(q, b));
        }
    }
}

#[test]
fn boxes_touch_where_the_narrow_phase_finds_points() {
    let mut s = Sequence(11);
    let mut touching = 0;
    for _ in 0..500 {
        let sides = [DVec3::splat(0.2) + s.vector().abs(), DVec3::splat(0.2) + s.vector().abs()];
        let poses = [(); 2]
            .map(|()| Pose::new(s.vector(), DQuat::from_xyzw(s.next(), s.next(), s.next(), s.next()).normalize()));
        let shapes = sides.map(|sides| Shape::cuboid(sides).unwrap());
        let mut points = Vec::new();
        let query = ContactQuery::default();
        stiction::collision::collide(&shapes[0], &poses[0], &shapes[1], &poses[1], &query, &mut points);
        let touches = box_touches_box((&poses[0], sides[0]), (&poses[1], sides[1]));
        assert_eq!(touches, !points.is_empty());
        touching += usize::from(touches);
    }
    assert!((50..450).contains(&touching), "{touching}");
    assert!(INFINITE_BOX.intersects(&Aabb::from_center(DVec3::splat(1e300), DVec3::ZERO)));
}

/// `cargo test --release -p stiction --test it timing_of_spaces -- --ignored --nocapture`
#[test]
#[ignore = "timing"]
fn timing_of_spaces() {
    for count in [1000, 10_000] {
        let side = f64::from(count).sqrt();
        let extents = 2.0 * DVec3::splat(side);
        let fitting = SpaceKind::QuadTree { center: DVec3::ZERO, extents, depth: 6 };
        for kind in [SpaceKind::Simple, SpaceKind::HASH, fitting, KINDS[5]] {
            let mut spaces = Spaces::new();
            let space = spaces.add_space(kind, None).unwrap();
            let mut s = Sequence(5);
            for _ in 0..count {
                let place = DVec3::new(side, side, 2.0) * s.vector();
                spaces.add_shape(Shape::sphere(0.5).unwrap(), &Pose::from_position(place), Some(space)).unwrap();
            }
            let mut found = 0;
            let start = std::time::Instant::now();
            for _ in 0..10 {
                spaces.collide(space, &mut |_, _, _| found += 1).unwrap();
            }
            println!("{count} spheres, {kind:?}: {} pairs, {:?} a round", found / 10, start.elapsed() / 10);
        }
    }
}
