//! The reference trajectories: closed forms, and equations of motion in few coordinates integrated with 32 digits. Nothing here uses the
//! engine.

use super::double_double::{Wide, ratio, wide};
use super::extrapolation::samples;

/// One trajectory: what its columns are, and a row for each sample.
pub struct Reference {
    pub name: &'static str,
    pub about: &'static str,
    pub columns: &'static str,
    pub rows: Vec<Vec<Wide>>,
}

impl Reference {
    /// As a file: a comment, the columns, the rows in the fewest digits that tell doubles apart.
    pub fn text(&self) -> String {
        let mut text = format!("# {}\n{}\n", self.about, self.columns);
        for row in &self.rows {
            let words: Vec<String> = row.iter().map(|x| x.round().to_string()).collect();
            text += &words.join(",");
            text.push('\n');
        }
        text
    }
}

pub fn all() -> [Reference; 10] {
    [
        projectile(),
        bouncing_ball(),
        sliding_block(),
        rolling_sphere(),
        stack(),
        spring(),
        pendulum(),
        four_bar(),
        spinning_top(),
        free_rotation(),
    ]
}

fn gravity() -> Wide {
    ratio(981, 100)
}

fn is_less(a: Wide, b: Wide) -> bool {
    (b - a).round() > 0.0
}

/// Rows at k/10 s of a closed form.
fn closed(count: i32, row: impl Fn(Wide) -> Vec<Wide>) -> Vec<Vec<Wide>> {
    (0..=count)
        .map(|k| {
            let t = ratio(k, 10);
            [vec![t], row(t)].concat()
        })
        .collect()
}

/// Rows at k/10 s of an equation, with sixteen steps a sample, held against eight.
fn integrated(
    f: &dyn Fn(&[Wide]) -> Vec<Wide>,
    start: &[Wide],
    count: usize,
    row: impl Fn(&[Wide]) -> Vec<Wide>,
) -> Vec<Vec<Wide>> {
    let (fine, coarse) =
        (samples(f, start.to_vec(), ratio(1, 10), count, 16), samples(f, start.to_vec(), ratio(1, 10), count, 8));
    for (a, b) in fine.iter().zip(&coarse) {
        for (a, b) in a.iter().zip(b) {
            assert!((*a - *b).round().abs() < 1e-20, "{a:?} and {b:?} by twice the step");
        }
    }
    fine.iter().enumerate().map(|(k, y)| [vec![ratio(k as i32, 10)], row(y)].concat()).collect()
}

fn projectile() -> Reference {
    let (vx, vz) = (wide(3.0), wide(4.0));
    Reference {
        name: "projectile",
        about: "A body thrown from the origin with (3, 0, 4) m/s under 9.81 m/s2: x, z, vz of its centre.",
        columns: "t,x,z,vz",
        rows: closed(20, |t| vec![vx * t, vz * t - gravity() * t * t * wide(0.5), vz - gravity() * t]),
    }
}

/// Heights between bounces are parabolas; each begins with 4/5 of the speed that the last ended with.
fn bouncing_ball() -> Reference {
    let e = ratio(4, 5);
    let height = |t: Wide| {
        let (mut start, mut speed, mut lowest) = (wide(0.0), wide(0.0), wide(1.0));
        loop {
            let root = (speed * speed + wide(2.0) * gravity() * lowest).sqrt();
            let duration = (speed + root) / gravity();
            if is_less(t, start + duration) {
                let s = t - start;
                return lowest + speed * s - gravity() * s * s * wide(0.5);
            }
            (start, speed, lowest) = (start + duration, e * root, Wide::ZERO);
        }
    };
    Reference {
        name: "bouncing_ball",
        about: "A ball of radius 0.1 m that falls by 1 m on a plane, restitution 0.8: z of its lowest point.",
        columns: "t,z",
        rows: closed(20, |t| vec![height(t)]),
    }
}

fn sliding_block() -> Reference {
    let (v, a) = (wide(3.0), ratio(4, 10) * gravity());
    let stop = v / a;
    let at = |t: Wide| if is_less(t, stop) { t } else { stop };
    Reference {
        name: "sliding_block",
        about: "A block that slides at 3 m/s on a plane, friction 0.4: x, vx of its centre.",
        columns: "t,x,vx",
        rows: closed(15, |t| vec![v * at(t) - a * at(t) * at(t) * wide(0.5), v - a * at(t)]),
    }
}

/// The ball slides until t = 2 v / (7 μ g), with v − μ g t and 5/2 μ g t / r, then rolls at 5/7 v.
fn rolling_sphere() -> Reference {
    let (v, a) = (wide(2.0), ratio(2, 10) * gravity());
    let rolls = wide(2.0) * v / (wide(7.0) * a);
    let at = |t: Wide| if is_less(t, rolls) { t } else { rolls };
    let speed = |t: Wide| v - a * at(t);
    let x = |t: Wide| v * at(t) - a * at(t) * at(t) * wide(0.5) + speed(t) * (t - at(t));
    Reference {
        name: "rolling_sphere",
        about: "A solid ball of radius 0.1 m that begins to slide at 2 m/s without spin, friction 0.2: x, vx, omega_y.",
        columns: "t,x,vx,wy",
        rows: closed(15, |t| vec![x(t), speed(t), ratio(5, 2) * a * at(t) * wide(10.0)]),
    }
}

fn stack() -> Reference {
    let weight = |above: i32| wide(f64::from(above)) * gravity();
    Reference {
        name: "stack",
        about: "Four cubes of 1 m and 1 kg on each other at rest: heights of their centres, and the load below each.",
        columns: "t,z1,z2,z3,z4,f1,f2,f3,f4",
        rows: closed(10, |_| (0..4).map(|k| wide(0.5 + f64::from(k))).chain((0..4).map(|k| weight(4 - k))).collect()),
    }
}

fn spring() -> Reference {
    let f = |y: &[Wide]| vec![y[1], -(wide(50.0) * y[0] + wide(1.0) * y[1]) * wide(0.5)];
    Reference {
        name: "spring",
        about: "2 kg on a slider with 50 N/m and 1 N s/m, let go at 0.5 m: x, vx.",
        columns: "t,x,vx",
        rows: integrated(&f, &[wide(0.5), Wide::ZERO], 20, |y| y.to_vec()),
    }
}

/// `θ″ = −3 g / (2 L) sin θ`, with the cosine and the sine as coordinates.
fn pendulum() -> Reference {
    let f = |y: &[Wide]| vec![-(y[1] * y[2]), y[0] * y[2], -(ratio(3, 2) * gravity() * y[1])];
    let start = [ratio(3, 5), ratio(4, 5), Wide::ZERO];
    let half = wide(0.5);
    Reference {
        name: "pendulum",
        about: "A rod of 1 m and 1 kg on a hinge at one end, let go at cos = 0.6 from hanging: x, z of its centre, its rate.",
        columns: "t,x,z,w",
        rows: integrated(&f, &start, 30, |y| vec![half * y[1], -(half * y[0]), y[2]]),
    }
}

type Plane = [Wide; 2];

fn dot(a: Plane, b: Plane) -> Wide {
    a[0] * b[0] + a[1] * b[1]
}

fn add(a: Plane, b: Plane) -> Plane {
    [a[0] + b[0], a[1] + b[1]]
}

fn times(s: Wide, a: Plane) -> Plane {
    [s * a[0], s * a[1]]
}

/// A quarter of a turn from x to z.
fn turned(a: Plane) -> Plane {
    [-a[1], a[0]]
}

/// Lengths of crank, coupler and rocker, which are their masses too, and where the rocker stands.
fn bars() -> ([Wide; 3], Plane) {
    ([ratio(1, 2), wide(1.0), ratio(9, 10)], [wide(1.0), Wide::ZERO])
}

/// Bars of a four-bar linkage from the direction of its crank: crank, coupler and rocker, each from its first pin.
fn linkage(crank: Plane) -> [Plane; 3] {
    let ([l1, l2, l3], d) = bars();
    let b = times(l1, crank);
    let across = add(d, times(wide(-1.0), b));
    let square = dot(across, across);
    // The two circles meet at a along the line of their centres and h beside it; the upper point.
    let a = (l2 * l2 - l3 * l3 + square) / (wide(2.0) * square);
    let h = (l2 * l2 / square - a * a).sqrt();
    let coupler = add(times(a, across), times(h, turned(across)));
    let c = add(b, coupler);
    [b, coupler, add(c, times(wide(-1.0), d))]
}

/// One coordinate, the crank's angle: principle of virtual power over the rates that a unit rate of the crank gives.
fn four_bar() -> Reference {
    let rates = |[r1, r2, r3]: [Plane; 3]| {
        let w2 = -(dot(turned(r1), r3) / dot(turned(r2), r3));
        let w3 = dot(turned(r1), r2) / dot(turned(r3), r2);
        [wide(1.0), w2, w3]
    };
    let f = move |y: &[Wide]| {
        let bars_now = linkage([y[0], y[1]]);
        let [r1, r2, r3] = bars_now;
        let unit = rates(bars_now);
        let w = unit.map(|u| u * y[2]);
        // Accelerations without any of the crank's: the loop's own.
        let known = add(times(-(w[0] * w[0]), r1), times(-(w[1] * w[1]), r2));
        let rest = add(known, times(w[2] * w[2], r3));
        let a2 = -(dot(rest, r3) / dot(turned(r2), r3));
        let a3 = dot(rest, r2) / dot(turned(r3), r2);
        let half = wide(0.5);
        // Centres of the bars: velocity of a unit rate, and acceleration.
        let v = [
            times(half, turned(r1)),
            add(turned(r1), times(half * unit[1], turned(r2))),
            times(half * unit[2], turned(r3)),
        ];
        let a = [
            times(-(half * w[0] * w[0]), r1),
            add(times(-(w[0] * w[0]), r1), times(half, add(times(a2, turned(r2)), times(-(w[1] * w[1]), r2)))),
            times(half, add(times(a3, turned(r3)), times(-(w[2] * w[2]), r3))),
        ];
        let ([l1, l2, l3], _) = bars();
        let (mut mass, mut force) = (Wide::ZERO, Wide::ZERO);
        for (k, l) in [l1, l2, l3].into_iter().enumerate() {
            let inertia = l * l * l / wide(12.0);
            let bias = [Wide::ZERO, a2, a3][k];
            mass = mass + l * dot(v[k], v[k]) + inertia * unit[k] * unit[k];
            force = force - l * dot(v[k], a[k]) - inertia * unit[k] * bias - l * gravity() * v[k][1];
        }
        vec![-(y[1] * y[2]), y[0] * y[2], force / mass]
    };
    let row = |y: &[Wide]| {
        let [r1, r2, r3] = linkage([y[0], y[1]]);
        let (half, (_, d)) = (wide(0.5), bars());
        let centers = [times(half, r1), add(r1, times(half, r2)), add(d, times(half, r3))];
        [centers.concat(), vec![y[2]]].concat()
    };
    Reference {
        name: "four_bar",
        about: "Crank 0.5 m, coupler 1 m, rocker 0.9 m on pins 1 m apart, 1 kg/m, let go at cos = 0.6: centres, the crank's rate.",
        columns: "t,x1,z1,x2,z2,x3,z3,w",
        rows: integrated(&f, &[ratio(3, 5), ratio(4, 5), Wide::ZERO], 15, row),
    }
}

/// `q′ = q ω / 2` in the body's axes, and Euler's equations with a torque.
fn euler(y: &[Wide], inertia: [Wide; 3], torque: [Wide; 3]) -> Vec<Wide> {
    let [w, x, z1, z2] = [y[0], y[1], y[2], y[3]];
    let (a, b, c) = (y[4], y[5], y[6]);
    let half = wide(0.5);
    let [i1, i2, i3] = inertia;
    vec![
        -half * (x * a + z1 * b + z2 * c),
        half * (w * a + z1 * c - z2 * b),
        half * (w * b + z2 * a - x * c),
        half * (w * c + x * b - z1 * a),
        (torque[0] + (i2 - i3) * b * c) / i1,
        (torque[1] + (i3 - i1) * c * a) / i2,
        (torque[2] + (i1 - i2) * a * b) / i3,
    ]
}

/// A vector of the body's axes in the world.
fn rotated(q: &[Wide], v: [Wide; 3]) -> [Wide; 3] {
    let cross =
        |a: [Wide; 3], b: [Wide; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let u = [q[1], q[2], q[3]];
    let t = cross(u, v).map(|x| x + x);
    let ut = cross(u, t);
    std::array::from_fn(|k| v[k] + q[0] * t[k] + ut[k])
}

/// Moments about the pivot: 0.1 + 0.2² across, 0.2 along.
fn spinning_top() -> Reference {
    let f = |y: &[Wide]| {
        // Gravity in the body's axes: the world's z turned back; its moment is r × m g.
        let back = [y[0], -y[1], -y[2], -y[3]];
        let up = rotated(&back, [Wide::ZERO, Wide::ZERO, wide(1.0)]);
        let moment = ratio(2, 10) * gravity();
        euler(y, [ratio(14, 100), ratio(14, 100), ratio(2, 10)], [moment * up[1], -(moment * up[0]), Wide::ZERO])
    };
    let start = [ratio(24, 25), ratio(7, 25), Wide::ZERO, Wide::ZERO, Wide::ZERO, Wide::ZERO, wide(20.0)];
    let row = |y: &[Wide]| {
        let center = rotated(y, [Wide::ZERO, Wide::ZERO, ratio(2, 10)]);
        [center.to_vec(), rotated(y, [y[4], y[5], y[6]]).to_vec()].concat()
    };
    Reference {
        name: "spinning_top",
        about: "A top of 1 kg on a fixed point, centre at 0.2 m, spun at 20 rad/s, 32.5 degrees aslant: centre, angular velocity.",
        columns: "t,x,y,z,wx,wy,wz",
        rows: integrated(&f, &start, 15, row),
    }
}

fn free_rotation() -> Reference {
    let f = |y: &[Wide]| euler(y, [ratio(1, 10), ratio(2, 10), ratio(3, 10)], [Wide::ZERO; 3]);
    let start = [wide(1.0), Wide::ZERO, Wide::ZERO, Wide::ZERO, wide(1.0), wide(4.0), wide(0.5)];
    let row = |y: &[Wide]| {
        let axis = rotated(y, [Wide::ZERO, Wide::ZERO, wide(1.0)]);
        [axis.to_vec(), rotated(y, [y[4], y[5], y[6]]).to_vec()].concat()
    };
    Reference {
        name: "free_rotation",
        about: "A body of moments 0.1, 0.2, 0.3 kg m2 without forces from (1, 4, 0.5) rad/s: its axis z, angular velocity.",
        columns: "t,zx,zy,zz,wx,wy,wz",
        rows: integrated(&f, &start, 20, row),
    }
}
