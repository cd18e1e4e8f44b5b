//! Scenes that break solvers: redundant, degenerate, ill-conditioned, contradicting.

use glam::DVec3;

use super::scene::{Line, Scene, WORLD};

/// Unit boxes of 1 kg on each other, the topmost `ratio` times heavier.
pub fn tower(n: i32, mu: f64, ratio: f64) -> Scene {
    let mut s = Scene::default();
    for i in 0..n {
        s.body(if i == n - 1 { ratio } else { 1.0 }, [1.0; 3], [0.0, 0.0, 0.5 + f64::from(i)]);
    }
    for i in 0..n {
        s.face(i, i - 1, f64::from(i), [-0.5, 0.5], [-0.5, 0.5], mu);
    }
    s
}

/// A wall in running bond.
pub fn wall(n: i32) -> Scene {
    let mut s = Scene::default();
    let mut row_starts = Vec::new();
    let place = |i: i32, j: i32| (f64::from(j) + 0.5 * f64::from(i)) * 1.02;
    for i in 0..n {
        row_starts.push(s.bodies.len() as i32);
        for j in 0..4 + n - i {
            s.body(1.0, [1.0; 3], [place(i, j), 0.0, 0.5 + f64::from(i)]);
        }
    }
    for i in 0..n {
        for j in 0..4 + n - i {
            let (a, x) = (row_starts[i as usize] + j, place(i, j));
            if i == 0 {
                s.face(a, WORLD, 0.0, [x - 0.5, x + 0.5], [-0.5, 0.5], 0.5);
                continue;
            }
            for below in [j, j + 1] {
                let xb = place(i - 1, below);
                let b = row_starts[i as usize - 1] + below;
                s.face(a, b, f64::from(i), [x.max(xb) - 0.5, x.min(xb) + 0.5], [-0.5, 0.5], 0.5);
            }
        }
    }
    s
}

/// A box on one face, whose contacts are there twice.
pub fn coincident() -> Scene {
    let mut s = Scene::default();
    s.body(1.0, [1.0; 3], [0.0, 0.0, 0.5]);
    for _ in 0..2 {
        s.face(0, WORLD, 0.0, [-0.5, 0.5], [-0.5, 0.5], 0.5);
    }
    s
}

/// A box between two walls that may want to push it out to both sides.
pub fn wedged(squeeze: f64) -> Scene {
    let mut s = Scene::default();
    s.body(1.0, [1.0; 3], [0.0, 0.0, 0.5]);
    s.face(0, WORLD, 0.0, [-0.5, 0.5], [-0.5, 0.5], 0.5);
    for side in [-1.0, 1.0] {
        for y in [-0.5, 0.5] {
            for z in [0.0, 1.0] {
                s.contact(0, WORLD, [0.5 * side, y, z], [-side, 0.0, 0.0], squeeze, 0.5);
            }
        }
    }
    s
}

/// Ball joints in a row, the first on the world.
pub fn chain(n: i32, compliance: f64) -> Scene {
    let mut s = Scene::default();
    for i in 0..n {
        s.body(1.0, [0.8, 0.2, 0.2], [f64::from(i) + 0.5, 0.0, 0.0]);
    }
    for i in 0..n {
        s.ball(i, i - 1, [f64::from(i), 0.0, 0.0], [1e-4, 0.0, 1e-4], compliance);
    }
    s
}

/// Two ball joints that together are a hinge, on a hinge.
pub fn two_balls() -> Scene {
    let mut s = Scene::default();
    let a = s.body(1.0, [1.0; 3], [0.0; 3]);
    let b = s.body(2.0, [1.0; 3], [1.0, 0.0, 0.0]);
    s.ball(a, b, [0.5, -0.4, 0.0], [0.0; 3], 0.0);
    s.ball(a, b, [0.5, 0.4, 0.0], [0.0; 3], 0.0);
    s.hinge(a, WORLD, [-0.5, 0.0, 0.0], DVec3::Y);
    s
}

/// A loop of four hinges.
pub fn four_bar() -> Scene {
    let mut s = Scene::default();
    let a = s.body(1.0, [0.1, 0.1, 1.0], [0.0, 0.0, 0.5]);
    let b = s.body(1.0, [1.0, 0.1, 0.1], [0.5, 0.0, 1.0]);
    let c = s.body(1.0, [0.1, 0.1, 1.0], [1.0, 0.0, 0.5]);
    s.hinge(a, WORLD, [0.0; 3], DVec3::Y);
    s.hinge(b, a, [0.0, 0.0, 1.0], DVec3::Y);
    s.hinge(c, b, [1.0, 0.0, 1.0], DVec3::Y);
    s.hinge(c, WORLD, [1.0, 0.0, 0.0], DVec3::Y);
    s
}

/// A fixed joint that is there twice.
pub fn twice_fixed() -> Scene {
    let mut s = Scene::default();
    let a = s.body(1.0, [1.0; 3], [0.0; 3]);
    let b = s.body(3.0, [1.0; 3], [1.0, 0.0, 0.0]);
    s.fixed(a, b, [0.5, 0.0, 0.0]);
    s.fixed(a, b, [0.5, 0.0, 0.0]);
    s.fixed(a, WORLD, [-0.5, 0.0, 0.0]);
    s
}

/// A box sliding at 2 m/s in a direction of 30°.
pub fn sliding() -> Scene {
    let mut s = Scene::default();
    s.body(1.0, [1.0; 3], [0.0, 0.0, 0.5]);
    s.bodies[0].velocity = [2.0 * 0.75f64.sqrt(), 1.0, 0.0, 0.0, 0.0, 0.0];
    s.face(0, WORLD, 0.0, [-0.5, 0.5], [-0.5, 0.5], 0.5);
    s
}

/// A plate turning about its normal on the ground.
pub fn spinning() -> Scene {
    let mut s = Scene::default();
    s.body(1.0, [1.0, 1.0, 0.3], [0.0, 0.0, 0.15]);
    s.bodies[0].velocity = [0.1, 0.05, 0.0, 0.0, 0.0, 10.0];
    s.face(0, WORLD, 0.0, [-0.5, 0.5], [-0.5, 0.5], 0.5);
    s
}

/// A motor against its stop, with dry friction in another joint.
pub fn motor_at_stop() -> Scene {
    let mut s = Scene::default();
    let a = s.body(1.0, [1.0, 0.2, 0.2], [0.5, 0.0, 0.0]);
    let b = s.body(1.0, [1.0, 0.2, 0.2], [1.5, 0.0, 0.0]);
    s.hinge(a, WORLD, [0.0; 3], DVec3::Y);
    s.hinge(b, a, [1.0, 0.0, 0.0], DVec3::Y);
    s.turn(b, a, DVec3::Y, Line { motion: 5.0, alpha: 0.0, bounds: [-0.2, 0.2], ..Line::default() });
    s.turn(b, a, -DVec3::Y, Line { gap: -1e-3, bounds: [0.0, f64::INFINITY], ..Line::default() });
    s.turn(a, WORLD, DVec3::Y, Line { alpha: 0.0, bounds: [-0.01, 0.01], ..Line::default() });
    s
}
