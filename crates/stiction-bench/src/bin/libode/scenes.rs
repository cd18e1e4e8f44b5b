//! What is timed.

/// A scene of the program.
pub(crate) struct Scene {
    pub(crate) name: &'static str,
    /// Boxes, courses of a wall, or links of a chain.
    pub(crate) size: usize,
    /// `quick` or `step`, a kind of space to be walked only, or how a matrix is factored.
    pub(crate) stepper: &'static str,
    pub(crate) steps: usize,
}

const fn quick(name: &'static str, size: usize, steps: usize) -> Scene {
    Scene { name, size, stepper: "quick", steps }
}

const fn step(name: &'static str, size: usize, steps: usize) -> Scene {
    Scene { name, size, stepper: "step", steps }
}

/// Something that is not stepped.
const fn only(name: &'static str, size: usize, what: &'static str, times: usize) -> Scene {
    Scene { name, size, stepper: what, steps: times }
}

/// Few steps where the stock library takes a second for each.
pub(crate) const SCENES: [Scene; 67] = [
    quick("boxes", 100, 200),
    quick("boxes", 1000, 100),
    quick("boxes", 10000, 30),
    quick("pile", 10, 400),
    quick("pile", 30, 400),
    quick("pile", 100, 400),
    quick("pile", 300, 300),
    quick("pile", 1000, 300),
    quick("pile", 3000, 200),
    quick("pile", 10000, 120),
    quick("pyramid", 14, 200),
    quick("pyramid", 45, 100),
    quick("pyramid", 140, 20),
    quick("chain", 100, 200),
    quick("chain", 670, 100),
    step("boxes", 10, 200),
    step("boxes", 100, 200),
    step("boxes", 1000, 60),
    step("chain", 20, 200),
    step("chain", 50, 100),
    step("chain", 100, 60),
    step("chain", 200, 30),
    step("chain", 400, 10),
    step("chain", 670, 6),
    step("wall", 1, 60),
    step("wall", 2, 60),
    step("wall", 3, 60),
    step("wall", 5, 60),
    step("wall", 8, 12),
    step("wall", 12, 6),
    step("pile", 30, 150),
    step("boxes", 1, 20000),
    step("tripods", 1, 20000),
    step("tripods", 2, 10000),
    step("tripods", 10, 4000),
    step("tripods", 100, 400),
    step("towers", 1, 5000),
    step("beads", 1, 10000),
    step("beads", 10, 1000),
    step("rolls", 1, 10000),
    step("cars", 1, 4000),
    step("cars", 10, 400),
    quick("boxes", 1, 20000),
    quick("boxes", 3, 10000),
    quick("boxes", 10, 4000),
    quick("tripods", 1, 20000),
    quick("tripods", 10, 4000),
    quick("towers", 1, 5000),
    quick("cars", 1, 4000),
    quick("cars", 10, 400),
    only("boxes", 1, "quadtree", 20000),
    only("boxes", 10, "quadtree", 10000),
    only("boxes", 100, "quadtree", 2000),
    only("boxes", 1000, "quadtree", 200),
    only("pile", 1000, "quadtree", 200),
    only("boxes", 10, "simple", 10000),
    only("boxes", 100, "simple", 2000),
    only("boxes", 10, "hash", 10000),
    only("boxes", 100, "hash", 2000),
    only("boxes", 10, "sweep", 10000),
    only("boxes", 100, "sweep", 2000),
    only("ldlt", 30, "one", 10000),
    only("ldlt", 300, "one", 200),
    only("ldlt", 30, "threads2", 4000),
    only("ldlt", 300, "threads2", 200),
    only("ldlt", 1000, "threads2", 10),
    only("ldlt", 1000, "threads4", 10),
];
