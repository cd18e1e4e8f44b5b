//! Names that users give to parameters, and the paths that act under an engine.

use stiction::world::Preset;
use stiction_formats::diagnostic::Diagnostic;
use stiction_formats::usage::{self, How, Leaf};
use stiction_formats::{LoadOptions, Loaded, Override, ParameterPath};

use super::Setup;
use crate::engine::choose;

/// Words of users, and the parameters that they may mean, by their keys in the table of use; the most likely first. Which of
/// them acts under an engine the table says.
const WORDS: [(&[&str], &[&str]); 11] = [
    (
        &["mu", "mu1", "friction", "friction_coefficient", "mu_static"],
        &[
            "surface/friction/ode mu",
            "surface/friction/bullet friction",
            "collision/drake.proximity_properties drake.mu_static",
            "physics/simbody/contact static_friction",
            "joint/axis/dynamics friction",
        ],
    ),
    (
        &["mu2", "friction2", "mu_dynamic"],
        &[
            "surface/friction/ode mu2",
            "surface/friction/bullet friction2",
            "collision/drake.proximity_properties drake.mu_dynamic",
            "physics/simbody/contact dynamic_friction",
        ],
    ),
    (
        &["restitution", "restitution_coefficient", "bounce", "e", "cor"],
        &["surface/bounce restitution_coefficient", "joint/physics/ode bounce"],
    ),
    (
        &["stiffness", "kp", "k"],
        &[
            "surface/contact/ode kp",
            "surface/contact/bullet kp",
            "collision/drake.proximity_properties drake.point_contact_stiffness",
            "physics/simbody/contact stiffness",
            "contact.stiffness",
            "joint/axis/dynamics spring_stiffness",
        ],
    ),
    (
        &["damping", "kd", "dissipation"],
        &[
            "surface/contact/ode kd",
            "surface/contact/bullet kd",
            "collision/drake.proximity_properties drake.hunt_crossley_dissipation",
            "physics/simbody/contact dissipation",
            "contact.dissipation",
            "joint/axis/dynamics damping",
        ],
    ),
    (&["gravity", "g"], &["world gravity"]),
    (
        &["step", "step_size", "stepsize", "dt", "h", "timestep", "time_step", "max_step_size"],
        &["physics max_step_size"],
    ),
    (&["iters", "iterations", "iter"], &["physics/ode/solver iters", "physics/bullet/solver iters"]),
    (&["erp"], &["physics/ode/constraints erp", "physics/bullet/constraints erp"]),
    (&["cfm"], &["physics/ode/constraints cfm", "physics/bullet/constraints cfm"]),
    (&["mass"], &["inertial mass"]),
];

impl Setup {
    /// Where a setting names nothing, the help of its finding lists the paths that act under the engine.
    pub(super) fn suggest_paths(&self, loaded: &mut Loaded, options: &LoadOptions) {
        let is_unknown = |d: &Diagnostic| d.code == "unknown-parameter";
        if !loaded.diagnostics.iter().any(is_unknown) {
            return;
        }
        let engine = self.engine_without_settings(options);
        for finding in loaded.diagnostics.iter_mut().filter(|d| is_unknown(d)) {
            let text = |o: &Override| format!("--set {}={}:", o.path, o.value);
            let Some(setting) = options.overrides.iter().find(|o| finding.message.starts_with(&text(o))) else {
                continue;
            };
            let word = setting.path.rsplit('.').next().unwrap_or_default();
            let paths = acting_paths(word, engine, &loaded.parameter_paths);
            // A path that is nearly right has better names in its help.
            let is_path =
                setting.path.contains('.') && finding.help.as_deref().is_some_and(|h| h.contains("did you mean"));
            if paths.is_empty() || is_path {
                continue;
            }
            let listed: Vec<String> = paths.iter().map(|path| format!("`--set '{path}={}'`", setting.value)).collect();
            finding.help = Some(format!("under `{engine}`: {}", listed.join(" or ")));
        }
    }

    /// Name of the engine of the files, or of the setup, without the settings.
    fn engine_without_settings(&self, options: &LoadOptions) -> &'static str {
        let options = LoadOptions { overrides: Vec::new(), ..options.clone() };
        let loaded = stiction_formats::load(&self.files, &options);
        let of_file = loaded.world.as_ref().and_then(|world| choose(self, world, &loaded.parameter_paths, &[]).ok());
        of_file.map_or(Preset::OdeQuick.name(), |engine| engine.name())
    }
}

/// Patterns of paths, with `*` for every name, of what a word may mean: those of which the world has one, and which act under
/// the engine. At most three.
pub(super) fn acting_paths(word: &str, engine: &str, known: &[ParameterPath]) -> Vec<String> {
    let word = word.trim().to_ascii_lowercase();
    let of_words = WORDS.iter().find(|(words, _)| words.contains(&word.as_str()));
    let listed = of_words.iter().flat_map(|(_, keys)| keys.iter()).filter_map(|key| usage::find(key));
    // What has the name of the word itself, in any place.
    let namesakes = usage::leaves().iter().filter(|leaf| of_words.is_none() && leaf.name() == word);
    let mut acting: Vec<(u8, &Leaf)> = Vec::new();
    for leaf in listed.chain(namesakes) {
        let how = usage::of(leaf, engine).map(|usage| usage.how);
        let is_there = leaf.context().is_empty() || is_in_world(leaf, known);
        let rank = match how {
            Some(How::Used) if is_engines_own(leaf, engine) => 0,
            Some(How::Used) => 1,
            Some(How::Mapped) => 2,
            _ => continue,
        };
        if is_there && !acting.iter().any(|(_, other)| other.key == leaf.key) {
            // What belongs to joints comes after what belongs to surfaces.
            acting.push((rank + 3 * u8::from(leaf.context().starts_with("joint")), leaf));
        }
    }
    acting.sort_by_key(|(rank, _)| *rank);
    acting.into_iter().map(|(_, leaf)| leaf.pattern()).take(3).collect()
}

/// It belongs to the elements of this engine; they have its name without what follows a hyphen.
fn is_engines_own(leaf: &Leaf, engine: &str) -> bool {
    let own = engine.split('-').next().unwrap_or_default();
    leaf.context().split('/').any(|part| part.split('.').next() == Some(own))
}

/// Something in the world can have the parameter: elements without a default are listed only where they are given, so that
/// another parameter of the same kind of thing counts too.
fn is_in_world(leaf: &Leaf, known: &[ParameterPath]) -> bool {
    known.iter().any(|p| kind_of(&p.key) == kind_of(&leaf.key))
}

/// What has the parameter of a key.
fn kind_of(key: &str) -> &str {
    match key.split(['/', ' ']).next().unwrap_or_default() {
        "surface" | "collision" | "geometry" => "collision",
        "link" | "inertial" => "link",
        other => other,
    }
}
