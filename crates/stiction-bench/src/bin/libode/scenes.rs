//! What is timed.

/// A scene of the program.
pub(crate) struct Scene {
    pub(crate) name: &'static str,
    /// Boxes, courses of a wall, or links of a chain.
    pub(crate) size: usize,
    /// `quick` or `step`.
    pub(crate) stepper: &'static str,
    pub(crate) steps: usize,
}

const fn quick(name: &'static str, size: usize, steps: usize) -> Scene {
    Scene { name, size, stepper: "quick", steps }
}

const fn step(name: &'static str, size: usize, steps: usize) -> Scene {
    Scene { name, size, stepper: "step", steps }
}

/// Few steps where the stock library takes a second for each.
pub(crate) const SCENES: [Scene; 31] = [
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
];
