//! Scenes of growing size.

/// A family of scenes.
pub(crate) struct Family {
    /// Name.
    pub(crate) name: &'static str,
    /// What its plot shows.
    pub(crate) title: &'static str,
    /// Scenes of `stiction_scenes::builtin::by_name`, the smallest first.
    pub(crate) scenes: &'static [&'static str],
    /// Steps of a run.
    pub(crate) steps: usize,
}

/// Families whose size grows, on one thread.
pub(crate) const FAMILIES: [Family; 5] = [
    Family {
        name: "boxes",
        title: "Separate boxes on the ground",
        scenes: &["boxes100", "boxes316", "boxes1000", "boxes3162", "boxes10000", "boxes31623", "boxes100000"],
        steps: 60,
    },
    Family {
        name: "pile",
        title: "Pile of boxes and spheres between walls",
        scenes: &["pile5", "pile7", "pile10", "pile15", "pile22"],
        steps: 480,
    },
    Family {
        name: "pyramid",
        title: "Pyramid of 5 to 80 levels",
        scenes: &["pyramid5", "pyramid10", "pyramid20", "pyramid40", "pyramid80"],
        steps: 120,
    },
    Family {
        name: "chain",
        title: "Chain of hinges",
        scenes: &["chain10", "chain32", "chain100", "chain316", "chain1000"],
        steps: 240,
    },
    Family {
        name: "robots",
        title: "Quadrupeds (13 bodies, 12 hinges each)",
        scenes: &["quadrupeds1", "quadrupeds3", "quadrupeds10", "quadrupeds32", "quadrupeds100", "quadrupeds316"],
        steps: 200,
    },
];

/// Scenes on several threads.
pub(crate) const THREADED: Family = Family {
    name: "threads",
    title: "Threads",
    scenes: &["boxes1000", "boxes10000", "pile8", "pyramid20", "pyramid80", "quadrupeds100"],
    steps: 300,
};
