//! Solids at random poses against meshes of every kind, judged by brute force over all triangles.
//!
//! Every pose is asked for three things: no contact where nothing meets, none missing where something does, and that the
//! way out that the contacts show is the shortest. That way is the least translation t with `t·n >= d` for every contact
//! (normal n, depth d): the solid moved by a hundredth more must be free, and moved by a hundredth less along any of
//! many directions must not.
//!
//! `MESH_POSES` is the number of poses of each solid and mesh (a few hundred if absent).

#![expect(clippy::unwrap_used, reason = "a test")]

mod distance;
use crate::numbers;
mod pairs;
mod scenes;
mod soup;
mod way_out;

use distance::Convex;
use numbers::Numbers;
use scenes::{MESHES, SOLIDS, Scene, place, scene, solid};
use soup::Inside;
use stiction::collision::{ContactQuery, ManifoldPoint, collide};
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;

/// Overlaps below this need no contact \[m\].
const LEAST: f64 = 1e-6;

/// What was found wrong.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    poses: usize,
    overlaps: usize,
    /// A contact where the shapes are apart by more than the margin.
    false_contacts: usize,
    /// No contact where they overlap.
    lost: usize,
    /// Ways out that were judged.
    judged: usize,
    /// The way out does not free the solid.
    short: usize,
    /// A shorter one does.
    long: usize,
}

impl Count {
    fn add(&mut self, other: &Self) {
        self.poses += other.poses;
        self.overlaps += other.overlaps;
        self.false_contacts += other.false_contacts;
        self.lost += other.lost;
        self.judged += other.judged;
        self.short += other.short;
        self.long += other.long;
    }

    fn print(&self, name: &str) {
        let part = |n: usize, of: usize| 100.0 * n as f64 / (of.max(1)) as f64;
        println!(
            "{name:22} {:8} poses {:8} overlaps | false {:6.3} % lost {:6.3} % | {:6} judged short {:6.2} % long {:6.2} %",
            self.poses,
            self.overlaps,
            part(self.false_contacts, self.poses),
            part(self.lost, self.overlaps),
            self.judged,
            part(self.short, self.judged),
            part(self.long, self.judged),
        );
    }
}

/// Poses of each pair.
pub fn poses(usual: usize) -> usize {
    std::env::var("MESH_POSES").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

fn only(name: &str, variable: &str) -> bool {
    std::env::var(variable).map_or(true, |list| list.split(',').any(|n| n == name))
}

struct Found {
    points: Vec<ManifoldPoint>,
}

impl Found {
    /// The least translation of the solid that every contact is content with.
    fn way(&self) -> DVec3 {
        let planes: Vec<(DVec3, f64)> = self.points.iter().map(|p| (p.normal, p.depth)).collect();
        way_out::least_translation(&planes)
    }
}

/// A solid at its pose beside a scene, and the contacts that the engine made of it, in the scene's axes.
struct Case<'a> {
    scene: &'a Scene,
    body: &'a Shape,
    set: &'a Convex,
    points: Vec<ManifoldPoint>,
    /// Number of the pose.
    number: usize,
}

impl<'a> Case<'a> {
    fn new(scene: &'a Scene, body: &'a Shape, set: &'a Convex, to_world: &Pose, number: usize, margin: f64) -> Self {
        let mut points = Vec::new();
        let query = ContactQuery { max_points: 32, margin, ..ContactQuery::default() };
        collide(body, &to_world.compose(&set.pose), &scene.shape, to_world, &query, &mut points);
        for p in &mut points {
            p.normal = to_world.inverse_direction(p.normal);
            p.position = to_world.inverse_point(p.position);
        }
        Self { scene, body, set, points, number }
    }

    /// Prints a case of this sort if `MESH_SHOW` lists it; true if it does.
    fn show(&self, what: &str, extra: &dyn std::fmt::Debug) -> bool {
        let is_listed = std::env::var("MESH_SHOW").is_ok_and(|w| w.split(',').any(|w| w == what));
        if is_listed {
            let c = self.set.center();
            println!("{what}: {} {c:.3} sd {:.4} {extra:.4?}", self.number, self.scene.soup.signed(c));
            for p in &self.points {
                println!("    {:.3} n {:.3} d {:.4} t {:?}", p.position, p.normal, p.depth, p.triangles[1]);
            }
        }
        is_listed
    }

    /// Contacts where there is no overlap, and none where there is one. True if there is one with contacts.
    fn judge_overlap(&self, count: &mut Count, margin: f64) -> bool {
        if !self.scene.soup.overlaps(self.set) {
            let gap = self.scene.soup.distance(self.set, 10.0);
            if gap > margin + 1e-9 && !self.points.is_empty() {
                count.false_contacts += 1;
                self.show("false", &gap);
            }
            return false;
        }
        count.overlaps += 1;
        if self.points.is_empty() {
            let shrunk = Convex { kind: self.set.kind.shrunk(2.0 * LEAST), pose: self.set.pose };
            if self.scene.soup.overlaps(&shrunk) {
                count.lost += 1;
                self.show("lost", &"");
            }
        }
        !self.points.is_empty()
    }

    /// The contacts ask for the least way out.
    fn judge_way(&self, count: &mut Count) {
        let soup = &self.scene.soup;
        if soup.inside == Inside::Open && way_out::front(soup, self.set.center()) <= 0.0 {
            return;
        }
        count.judged += 1;
        if let Shape::Sphere(ball) = self.body {
            let depth = ball.radius - soup.signed_front(self.set.center());
            let deepest = self.points.iter().map(|p| p.depth).fold(f64::NEG_INFINITY, f64::max);
            let way = deepest - depth;
            if way.abs() > 0.01 * depth + LEAST {
                *(if way < 0.0 { &mut count.short } else { &mut count.long }) += 1;
                self.show(if way < 0.0 { "short" } else { "long" }, &(deepest, depth));
            }
            return;
        }
        let way = Found { points: self.points.clone() }.way();
        match way_out::verdict(soup, self.set, way) {
            way_out::Verdict::Least => {}
            way_out::Verdict::Short => {
                count.short += 1;
                if self.show("short", &way) {
                    self.show_what_is_left(way);
                }
            }
            way_out::Verdict::Long(other) => {
                count.long += 1;
                self.show("long", &(way, other, other.length() / way.length()));
            }
        }
    }

    /// Triangles that the solid is still in after a way.
    fn show_what_is_left(&self, way: DVec3) {
        let moved = self.set.moved(way * 1.01 + way.normalize_or_zero() * 1e-6);
        for (i, t) in self.scene.soup.triangles.iter().enumerate() {
            if distance::gap(&moved, t, true) <= 0.0 {
                let n = soup::normal(t);
                println!(
                    "      left: {i} n {n:.3} c before {:.3} along {:.4} area {:.5}",
                    n.dot(moved.center() - t[0]),
                    n.dot(t[0] - moved.support(-n)),
                    (t[1] - t[0]).cross(t[2] - t[0]).length()
                );
            }
        }
        println!("      inside {}", self.scene.soup.contains(moved.center()));
    }
}

fn judge(scene: &Scene, body: &Shape, set: &Convex, to_world: &Pose, count: &mut Count, judges_way: bool, margin: f64) {
    count.poses += 1;
    if !scene.soup.touches(set) && scene.soup.is_at_rim(set) {
        // Through the side of a field, which is no part of the surface.
        return;
    }
    let case = Case::new(scene, body, set, to_world, count.poses, margin);
    if case.judge_overlap(count, margin) && judges_way {
        case.judge_way(count);
    }
}

#[test]
fn contacts_of_solids_are_true() {
    let number = poses(60);
    // The search for shorter ways is most of the time.
    let every = if number > 5000 { 64 } else { 4 };
    let mut sums: Vec<(String, Count)> = Vec::new();
    let mut all = Count::default();
    for mesh in MESHES.into_iter().filter(|m| only(m, "MESH_KINDS")) {
        let mut of_mesh = Count::default();
        for (k, name) in SOLIDS.into_iter().enumerate().filter(|(_, s)| only(s, "MESH_SOLIDS")) {
            let mut r = Numbers(1 + 17 * k as u64);
            let mut count = Count::default();
            let mut world = scene(mesh, &mut r);
            for i in 0..number {
                if i % 16 == 15 {
                    world = scene(mesh, &mut r);
                }
                let (shape, kind) = solid(name, &mut r);
                let at = Convex { kind, pose: Pose::IDENTITY };
                let pose = place(&world, at.reach(), &mut r);
                let to_world = Pose::new(r.vector(), r.rotation());
                let set = Convex { pose, ..at };
                let margin = if i % 4 == 3 { 0.01 } else { 0.0 };
                judge(&world, &shape, &set, &to_world, &mut count, i % every == 0, margin);
            }
            count.print(&format!("{name} {mesh}"));
            of_mesh.add(&count);
            match sums.iter_mut().find(|s| s.0 == name) {
                Some(sum) => sum.1.add(&count),
                None => sums.push((name.to_owned(), count)),
            }
        }
        sums.push((format!("= {mesh}"), of_mesh));
        all.add(&of_mesh);
    }
    for (name, count) in &sums {
        count.print(name);
    }
    all.print("all");
    // Half spaces, boxes and balls leave no choice; of bodies with many ways out some are not the shortest.
    let convex = |name: &str| ["= slab", "= plate", "= cube", "= ball", "sphere"].contains(&name);
    for (name, count) in sums.iter().filter(|s| convex(&s.0)) {
        assert_eq!([count.short, count.long], [0; 2], "{name}: {count:?}");
    }
    assert_eq!([all.false_contacts, all.lost], [0; 2], "{all:?}");
    assert!(all.short + all.long <= all.judged / 25, "{all:?}");
}

#[test]
fn contacts_of_mesh_pairs_are_true() {
    let number = poses(20);
    let mut all = Count::default();
    for (k, (first, second, scale)) in pairs::PAIRS.into_iter().enumerate() {
        if !only(second, "MESH_KINDS") || !only(first, "MESH_FIRST") {
            continue;
        }
        let count = pairs::judge(first, second, scale, number, 1 + 31 * k as u64);
        count.print(&format!("{first} {second}"));
        all.add(&count);
    }
    all.print("pairs");
    assert_eq!([all.false_contacts, all.lost], [0; 2], "{all:?}");
    assert!(all.short + all.long <= all.judged / 4, "{all:?}");
}
