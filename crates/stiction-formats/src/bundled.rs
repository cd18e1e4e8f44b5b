//! Worlds and models that are compiled into the program.

use std::path::{Path, PathBuf};

/// Models that `model://NAME` finds on every machine: name and text.
pub(crate) const MODELS: [(&str, &str); 2] = [
    ("ground_plane", include_str!("../../../worlds/models/ground_plane/model.sdf")),
    ("sun", include_str!("../../../worlds/models/sun/model.sdf")),
];

macro_rules! worlds {
    ($($name:literal),* $(,)?) => {
        &[$(BundledWorld { name: $name, text: include_str!(concat!("../../../worlds/", $name, ".world")) }),*]
    };
}

/// The bundled worlds, by name. [`load`](crate::load) reads them as `NAME`, `NAME.world` or `worlds/NAME.world` where
/// there is no such file.
pub const BUNDLED_WORLDS: &[BundledWorld] = worlds![
    "beam_three_supports",
    "double_pendulum",
    "friction_cone",
    "friction_pyramid",
    "incline_block",
    "incline_block_spheres",
    "incline_sphere",
    "materials/balls",
    "materials/conveyor",
    "materials/crane",
    "materials/slope",
    "painleve_rod",
    "robots/forklift",
    "robots/gripper",
    "robots/quadruped",
    "robots/rover",
    "rolling_sphere",
    "symptoms/bitmask",
    "symptoms/bounce",
    "symptoms/chain",
    "symptoms/creep",
    "symptoms/grasp",
    "symptoms/loose_joint",
    "symptoms/overlap",
    "symptoms/piles",
    "symptoms/sink",
    "symptoms/slope",
    "symptoms/spin",
    "symptoms/stiff_joint",
    "symptoms/tremble",
    "symptoms/wheels",
    "tower",
    "tutorial/double_pendulum",
    "tutorial/fdir1",
    "tutorial/max_vel",
    "tutorial/min_depth",
    "tutorial/parameters",
    "tutorial/slip",
    "tutorial/torsional_friction",
];

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../../worlds/", $name)))),*]
    };
}

/// What bundled worlds refer to, by the path below their folder: models, meshes, images, commands, materials.
const FILES: &[(&str, &[u8])] = files![
    "materials/materials.yaml",
    "robots/bumps.png",
    "robots/forklift.csv",
    "robots/gripper.csv",
    "robots/hills.png",
    "robots/mug.obj",
    "robots/quadruped.csv",
    "robots/quadruped.urdf",
];

/// A world that is compiled into the program.
#[derive(Clone, Copy, Debug)]
pub struct BundledWorld {
    /// Name, without the extension.
    pub name: &'static str,
    /// Text of the SDFormat file.
    pub text: &'static str,
}

impl BundledWorld {
    /// The first comment of the file: what the world shows.
    #[must_use]
    pub fn about(&self) -> String {
        let comment = self.text.split_once("<!--").and_then(|(_, rest)| rest.split_once("-->"));
        comment.map_or("", |(about, _)| about).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The path that locations in a bundled model name.
pub(crate) fn model_path(name: &str) -> PathBuf {
    PathBuf::from(format!("<bundled>/{name}/model.sdf"))
}

/// The path that locations in a bundled world name. No folder of that name exists, so nothing beside it is found.
fn world_path(name: &str) -> PathBuf {
    PathBuf::from(format!("<bundled>/worlds/{name}.world"))
}

/// The path that locations in a bundled file name.
fn file_path(name: &str) -> PathBuf {
    PathBuf::from(format!("<bundled>/worlds/{name}"))
}

/// The text at a bundled path.
pub(crate) fn text(path: &Path) -> Option<&'static str> {
    let model = MODELS.iter().find(|(name, _)| model_path(name) == path).map(|(_, text)| *text);
    let world = || BUNDLED_WORLDS.iter().find(|w| world_path(w.name) == path).map(|w| w.text);
    model.or_else(world).or_else(|| std::str::from_utf8(bytes(path)?).ok())
}

/// The bytes at the bundled path of a file that is no world.
pub(crate) fn bytes(path: &Path) -> Option<&'static [u8]> {
    FILES.iter().find(|(name, _)| file_path(name) == path).map(|(_, bytes)| *bytes)
}

/// The bundled path of a file that is named in a bundled file in `folder`.
pub(crate) fn beside(folder: &Path, name: &str) -> Option<PathBuf> {
    Some(folder.join(name)).filter(|path| bytes(path).is_some())
}

/// The text of a bundled file that a path such as `robots/gripper.csv` or `worlds/robots/gripper.csv` means, where there is
/// no such file.
#[must_use]
pub fn bundled_text(path: &Path) -> Option<&'static str> {
    if path.exists() {
        return None;
    }
    let path = path.to_str()?;
    text(&file_path(path.strip_prefix("worlds/").unwrap_or(path)))
}

/// The bundled world that a path means: only where there is no such file.
pub(crate) fn find(path: &Path) -> Option<PathBuf> {
    if path.exists() {
        return None;
    }
    let text = path.to_str()?;
    let (file, is_bare) = text.strip_prefix("worlds/").map_or((text, true), |file| (file, false));
    let name = file.strip_suffix(".world").or(is_bare.then_some(file))?;
    BUNDLED_WORLDS.iter().find(|w| w.name == name).map(|w| world_path(w.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_world_of_the_folder_is_bundled_and_says_what_it_shows() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
        let worlds = |folder: &Path, prefix: &str| -> Vec<String> {
            let entries = std::fs::read_dir(folder).unwrap().flatten();
            entries
                .filter_map(|e| Some(format!("{prefix}{}", e.file_name().to_str()?.strip_suffix(".world")?)))
                .collect()
        };
        let mut files = worlds(&folder, "");
        for inner in ["materials", "robots", "symptoms", "tutorial"] {
            files.extend(worlds(&folder.join(inner), &format!("{inner}/")));
        }
        files.sort();
        assert_eq!(files, BUNDLED_WORLDS.iter().map(|w| w.name).collect::<Vec<_>>());
        assert!(BUNDLED_WORLDS.iter().all(|w| !w.about().is_empty()));
    }

    #[test]
    fn names_and_relative_paths_lead_to_bundled_worlds_and_nothing_else_does() {
        // The tests run in the folder of the crate, which has no worlds.
        for path in ["tower", "tower.world", "worlds/tower.world"] {
            assert_eq!(find(Path::new(path)), Some(world_path("tower")), "{path}");
        }
        for path in ["towers", "tower.sdf", "worlds/tower", "elsewhere/tower.world", "/tower.world"] {
            assert!(find(Path::new(path)).is_none(), "{path}");
        }
        assert!(text(&world_path("tower")).is_some() && text(Path::new("tower")).is_none());
    }

    #[test]
    fn bundled_files_are_found_beside_bundled_worlds_alone() {
        let folder = world_path("robots/gripper").parent().unwrap().to_owned();
        let mug = beside(&folder, "mug.obj").unwrap();
        assert!(bytes(&mug).is_some_and(|bytes| bytes.starts_with(b"# A mug")));
        assert!(beside(&folder, "../tower.world").is_none() && beside(Path::new("robots"), "mug.obj").is_none());
        for path in ["robots/gripper.csv", "worlds/robots/gripper.csv"] {
            assert!(bundled_text(Path::new(path)).is_some_and(|text| text.starts_with("time,")), "{path}");
        }
        assert!(bundled_text(Path::new("gripper.csv")).is_none());
    }
}
