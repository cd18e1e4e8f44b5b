//! Scenes made in code: stacks, a walled pile, separate boxes, a chain, ragdolls, quadrupeds.

use stiction::math::{DQuat, DVec3, Pose};

use crate::scene::{BodyKind, Hinge, Scene, SceneJoint, SceneShape};

/// A scene of a name and a size, as `pyramid20`, `pile8`, `boxes1000`, `chain100`, `ragdolls10` or `quadrupeds4`.
#[must_use]
pub fn by_name(name: &str) -> Option<Scene> {
    let (kind, size) = name.split_at(name.find(|c: char| c.is_ascii_digit())?);
    let (size, step) = (size.parse().ok()?, 1.0 / 240.0);
    let scene = match kind {
        "pyramid" => pyramid(size, step, 1200),
        "pile" => pile(size, step, 960),
        "boxes" => boxes(size, step, 480),
        "chain" => chain(size, step, 960),
        "ragdolls" => ragdolls(size, step, 960),
        "quadrupeds" => quadrupeds(size, 0.002, 1000),
        _ => return None,
    };
    Some(Scene { name: name.to_owned(), ..scene })
}

/// A wall of boxes of 1 m, `base` in its lowest row and one fewer in each row above, with gaps of 5 cm in a row.
#[must_use]
pub fn pyramid(base: usize, step: f64, steps: usize) -> Scene {
    let mut scene = Scene::new("pyramid", step, steps);
    scene.has_ground = true;
    for row in 0..base {
        for column in 0..base - row {
            let x = (column as f64 - (base - row - 1) as f64 / 2.0) * 1.05;
            let pose = Pose::from_position(DVec3::new(x, 0.0, 0.5 + row as f64));
            scene.add(1.0, SceneShape::Box { half: DVec3::splat(0.5) }, pose);
        }
    }
    scene
}

/// Boxes and spheres in turn, `side` × `side` × `side`, fall into a walled pit.
#[must_use]
pub fn pile(side: usize, step: f64, steps: usize) -> Scene {
    let mut scene = Scene::new("pile", step, steps);
    let mut random = Random(1);
    scene.has_ground = true;
    let (inner, height, thick) = (0.1375 * side as f64, 3.0, 0.5);
    for sign in [-1.0, 1.0] {
        let at = sign * (inner + thick);
        let long = inner + 2.0 * thick;
        scene.static_boxes.push((DVec3::new(at, 0.0, height), DVec3::new(thick, long, height)));
        scene.static_boxes.push((DVec3::new(0.0, at, height), DVec3::new(long, thick, height)));
    }
    let middle = (side as f64 - 1.0) / 2.0;
    for k in 0..side * side * side {
        let (x, y, z) = (k % side, k / side % side, k / (side * side));
        let p = DVec3::new(
            (x as f64 - middle) * 0.26 + 0.01 * random.signed(),
            (y as f64 - middle) * 0.26 + 0.01 * random.signed(),
            0.2 + 0.3 * z as f64,
        );
        if (x + y + z) % 2 == 1 {
            scene.add(1.0, SceneShape::Sphere { radius: 0.1, offset: DVec3::ZERO }, Pose::from_position(p));
        } else {
            let q = DQuat::from_xyzw(random.signed(), random.signed(), random.signed(), 1.0).normalize();
            scene.add(1.0, SceneShape::Box { half: DVec3::new(0.1, 0.08, 0.09) }, Pose::new(p, q));
        }
    }
    scene
}

/// Boxes of 1 m that lie apart from each other on the ground.
#[must_use]
pub fn boxes(count: usize, step: f64, steps: usize) -> Scene {
    let mut scene = Scene::new("boxes", step, steps);
    scene.has_ground = true;
    let columns = 32.max((count as f64).sqrt().ceil() as usize);
    let place = |k: usize| 2.0 * k as f64 - columns as f64;
    for i in 0..count {
        let p = DVec3::new(place(i % columns), place(i / columns), 0.51);
        scene.add(1.0, SceneShape::Box { half: DVec3::splat(0.5) }, Pose::from_position(p));
    }
    scene
}

/// A chain of links on hinges, held at one end, that falls from the horizontal.
#[must_use]
pub fn chain(links: usize, step: f64, steps: usize) -> Scene {
    let mut scene = Scene::new("chain", step, steps);
    let half = 0.25;
    let mut last = None;
    for k in 0..links {
        let x = 2.0 * half * k as f64;
        let shape = SceneShape::Box { half: DVec3::new(half, 0.05, 0.05) };
        let link = scene.add(1.0, shape, Pose::from_position(DVec3::new(half + x, 0.0, 0.0)));
        scene.bodies[link].kind = BodyKind::Nothing;
        let hinge = Some(Hinge { axis: DVec3::Y, gains: [0.0; 2] });
        scene.joints.push(SceneJoint { bodies: [last, Some(link)], anchor: DVec3::new(x, 0.0, 0.0), hinge });
        last = Some(link);
    }
    scene
}

/// Figures of 16 capsules fall on each other.
#[must_use]
pub fn ragdolls(count: usize, step: f64, steps: usize) -> Scene {
    let mut scene = Scene::new("ragdolls", step, steps);
    scene.has_ground = true;
    for k in 0..count {
        let origin = DVec3::new((k % 2) as f64 * 0.35, (k % 5) as f64 * 0.15, 1.3 + 0.75 * k as f64);
        ragdoll(&mut scene, origin, k as u32 + 1);
    }
    scene
}

fn ragdoll(scene: &mut Scene, origin: DVec3, group: u32) {
    let upright = DQuat::IDENTITY;
    let across = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let along = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    let capsule = |scene: &mut Scene, mass, [radius, half]: [f64; 2], at: [f64; 3], rotation| {
        let pose = Pose::new(origin + DVec3::from(at), rotation);
        let body = scene.add(mass, SceneShape::Capsule { radius, half }, pose);
        scene.bodies[body].kind = BodyKind::Group(group);
        body
    };
    let joint = |scene: &mut Scene, is_hinge: bool, a: usize, b: usize, at: [f64; 3]| {
        let hinge = is_hinge.then_some(Hinge { axis: DVec3::Y, gains: [0.0; 2] });
        scene.joints.push(SceneJoint { bodies: [Some(a), Some(b)], anchor: origin + DVec3::from(at), hinge });
    };
    let pelvis = capsule(scene, 10.0, [0.12, 0.08], [0.0; 3], across);
    let torso = capsule(scene, 12.0, [0.13, 0.10], [0.0, 0.0, 0.25], across);
    let chest = capsule(scene, 12.0, [0.13, 0.12], [0.0, 0.0, 0.48], across);
    let head = capsule(scene, 5.0, [0.10, 0.04], [0.0, 0.0, 0.78], upright);
    joint(scene, false, pelvis, torso, [0.0, 0.0, 0.12]);
    joint(scene, false, torso, chest, [0.0, 0.0, 0.36]);
    joint(scene, false, chest, head, [0.0, 0.0, 0.63]);
    for side in [-1.0, 1.0] {
        let (y, x) = (side * 0.28, side * 0.11);
        let upper = capsule(scene, 2.5, [0.05, 0.12], [0.0, y, 0.40], upright);
        let fore = capsule(scene, 1.5, [0.045, 0.11], [0.0, y, 0.10], upright);
        let hand = capsule(scene, 0.5, [0.04, 0.04], [0.0, y, -0.08], upright);
        joint(scene, false, chest, upper, [0.0, y, 0.54]);
        joint(scene, true, upper, fore, [0.0, y, 0.25]);
        joint(scene, false, fore, hand, [0.0, y, -0.03]);
        let thigh = capsule(scene, 8.0, [0.07, 0.17], [0.0, x, -0.28], upright);
        let shin = capsule(scene, 4.0, [0.055, 0.17], [0.0, x, -0.70], upright);
        let foot = capsule(scene, 1.2, [0.045, 0.07], [0.05, x, -0.95], along);
        joint(scene, false, pelvis, thigh, [0.0, x, -0.08]);
        joint(scene, true, thigh, shin, [0.0, x, -0.49]);
        joint(scene, false, shin, foot, [0.0, x, -0.92]);
    }
}

/// Quadrupeds of 29 kg and 12 hinges in rows, which hold themselves by torques on their feet.
#[must_use]
pub fn quadrupeds(count: usize, step: f64, steps: usize) -> Scene {
    let mut scene = Scene::new("quadrupeds", step, steps);
    scene.has_ground = true;
    scene.friction = 0.8;
    let columns = (count as f64).sqrt().ceil() as usize;
    for k in 0..count {
        quadruped(&mut scene, DVec3::new((k % columns) as f64, (k / columns) as f64, 0.0) * 2.0, k as u32 + 1);
    }
    scene
}

fn quadruped(scene: &mut Scene, origin: DVec3, group: u32) {
    let hinge = |scene: &mut Scene, a: usize, b: usize, anchor: DVec3, axis: DVec3| {
        let hinge = Some(Hinge { axis, gains: [120.0, 3.0] });
        scene.joints.push(SceneJoint { bodies: [Some(a), Some(b)], anchor, hinge });
    };
    // A part with the moments of a solid box, and the shape that touches.
    let part = |scene: &mut Scene, mass: f64, half: [f64; 3], shape: SceneShape, pose: Pose| {
        let body = scene.add(mass, SceneShape::Box { half: half.into() }, pose);
        scene.bodies[body].shape = shape;
        scene.bodies[body].kind = BodyKind::Group(group);
        body
    };
    let height = DVec3::Z * 0.48;
    let trunk_shape = SceneShape::Box { half: DVec3::new(0.30, 0.14, 0.08) };
    let trunk = part(scene, 16.0, [0.30, 0.14, 0.08], trunk_shape, Pose::from_position(origin + height));
    let (thigh, shank) = (0.26, 0.26);
    for (x, y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        let hip = origin + height + DVec3::new(0.30 * x, 0.12 * y, 0.0);
        let pose = Pose::from_position(hip + DVec3::Y * (0.05 * y));
        let abductor = part(scene, 1.4, [0.06, 0.05, 0.05], SceneShape::None, pose);
        hinge(scene, trunk, abductor, hip, DVec3::X);
        // Fore knees point backwards, hind knees forwards.
        let upper = DQuat::from_rotation_y(0.55 * x);
        let top = hip + DVec3::Y * (0.10 * y);
        let middle = Pose::new(top + upper * DVec3::NEG_Z * (thigh / 2.0), upper);
        let leg = part(scene, 1.5, [0.025, 0.025, thigh / 2.0], SceneShape::None, middle);
        hinge(scene, abductor, leg, top, DVec3::Y);
        let lower = DQuat::from_rotation_y(-0.55 * x);
        let knee = top + upper * DVec3::NEG_Z * thigh;
        let middle = Pose::new(knee + lower * DVec3::NEG_Z * (shank / 2.0), lower);
        let foot = SceneShape::Sphere { radius: 0.033, offset: DVec3::NEG_Z * (shank / 2.0) };
        let shin = part(scene, 0.35, [0.02, 0.02, shank / 2.0], foot, middle);
        hinge(scene, leg, shin, knee, DVec3::Y);
    }
}

/// A small generator for placing things (splitmix64).
struct Random(u64);

impl Random {
    /// From −1 to 1.
    fn signed(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
