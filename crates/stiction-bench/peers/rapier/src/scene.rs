//! The text format of benchmark scenes.

pub struct Body {
    /// 0 collides with all, above 0 not with its own group, below 0 with nothing.
    pub group: i32,
    pub mass: f64,
    pub moments: [f64; 3],
    pub position: [f64; 3],
    /// w x y z.
    pub rotation: [f64; 4],
    pub velocity: [f64; 3],
    pub omega: [f64; 3],
    /// `none`, `sphere`, `box` or `capsule`.
    pub shape: String,
    pub sizes: [f64; 4],
}

pub struct Joint {
    pub is_hinge: bool,
    pub parent: Option<usize>,
    pub child: usize,
    pub anchor: [f64; 3],
    pub axis: [f64; 3],
    /// kp and kd.
    pub gains: [f64; 2],
}

#[derive(Default)]
pub struct Scene {
    pub step: f64,
    pub steps: usize,
    pub gravity: [f64; 3],
    pub friction: f64,
    pub has_ground: bool,
    pub bodies: Vec<Body>,
    /// Centre and half extents.
    pub static_boxes: Vec<[f64; 6]>,
    pub joints: Vec<Joint>,
    /// Vertices a side, half extents, heights row by row.
    pub field: Option<(usize, [f64; 2], Vec<f64>)>,
}

/// Reads a scene; what cannot be read ends the program.
pub fn load(path: &str) -> Scene {
    let text = std::fs::read_to_string(path).expect("the scene can be read");
    let mut scene = Scene::default();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |k: usize| words[k].parse::<f64>().expect("a number");
        let triple = |k: usize| [number(k), number(k + 1), number(k + 2)];
        match words[0] {
            "dt" => scene.step = number(1),
            "steps" => scene.steps = number(1) as usize,
            "gravity" => scene.gravity = triple(1),
            "friction" => scene.friction = number(1),
            "plane" => scene.has_ground = true,
            "sbox" => scene.static_boxes.push([1, 2, 3, 4, 5, 6].map(number)),
            "hfield" => {
                let count = number(1) as usize;
                let rows = lines.by_ref().take(count).flat_map(str::split_whitespace);
                let heights = rows.map(|w| w.parse().expect("a height")).collect();
                scene.field = Some((count, [number(2), number(3)], heights));
            }
            "body" => scene.bodies.push(Body {
                group: number(2) as i32,
                mass: number(3),
                moments: triple(4),
                position: triple(7),
                rotation: [10, 11, 12, 13].map(number),
                velocity: triple(14),
                omega: triple(17),
                shape: words[20].to_owned(),
                sizes: [21, 22, 23, 24].map(|k| if k < words.len() { number(k) } else { 0.0 }),
            }),
            "joint" => scene.joints.push(Joint {
                is_hinge: words[1] == "hinge",
                parent: usize::try_from(number(2) as i64).ok(),
                child: number(3) as usize,
                anchor: triple(4),
                axis: triple(7),
                gains: [number(10), number(11)],
            }),
            _ => {}
        }
    }
    scene
}
