//! Files written in another format: SDFormat 1.12, URDF, or MJCF of MuJoCo.

mod kinematics;
mod left_out;
mod lump;
mod mesh_file;
mod mjcf;
mod sdf;
mod urdf;
mod xml;

use std::path::PathBuf;

use crate::diagnostic::Diagnostic;
use crate::sdf::element::Element;
use crate::sdf::load::{load_tree, own_tree};
use crate::{FileRequest, LoadOptions, Loaded};

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// SDFormat 1.12; each `<include>` stays.
    Sdf,
    /// SDFormat 1.12; what is included stands in the file itself.
    FlatSdf,
    /// URDF, for one robot whose joints form a tree.
    Urdf,
    /// MJCF, for MuJoCo.
    Mjcf,
}

/// A file in another format.
#[derive(Clone, Debug, Default)]
pub struct Converted {
    /// The text of the file.
    pub text: String,
    /// Files that it names, relative to it, with their bytes.
    pub beside: Vec<(PathBuf, Vec<u8>)>,
    /// What of the input the output does not have, or has in another way, each once.
    pub lost: Vec<String>,
}

impl Converted {
    fn lose(&mut self, what: impl Into<String>) {
        let what = what.into();
        if !self.lost.contains(&what) {
            self.lost.push(what);
        }
    }

    /// Adds a file of a mesh beside the output; its relative path.
    fn add_mesh(&mut self, name: &str, bytes: Vec<u8>) -> String {
        if let Some((path, _)) = self.beside.iter().find(|(_, known)| *known == bytes) {
            return path.display().to_string();
        }
        let clean: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let mut path = PathBuf::from(format!("meshes/{clean}.obj"));
        let mut count = 1;
        while self.beside.iter().any(|(known, _)| *known == path) {
            count += 1;
            path = PathBuf::from(format!("meshes/{clean}_{count}.obj"));
        }
        let name = path.display().to_string();
        self.beside.push((path, bytes));
        name
    }
}

/// Why a file cannot be written in a format.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ConvertError {
    /// The input has errors; they are in [`Loaded::diagnostics`].
    #[error("the input has errors")]
    Input,
    /// The format cannot say what the input says.
    #[error("{} cannot be written: {reason}", .format)]
    Format {
        /// The format.
        format: &'static str,
        /// Why not.
        reason: String,
    },
}

/// Reads a world or a model and writes it in another format. The second is what the load gave, with its findings.
///
/// # Errors
/// The input has errors, or the format cannot hold it.
pub fn convert(file: &FileRequest, options: &LoadOptions, format: Format) -> (Result<Converted, ConvertError>, Loaded) {
    // The ground under a lone model is no part of it, nor is what a run makes of its start.
    let options = LoadOptions { no_ground: true, keep_starts: true, ..options.clone() };
    let (mut loaded, tree) = load_tree(std::slice::from_ref(file), &options);
    let (Some(world), Some(tree)) = (&loaded.world, tree) else { return (Err(ConvertError::Input), loaded) };
    let has_visuals = matches!(format, Format::Urdf | Format::Mjcf) && has_visuals(&tree.tree);
    let converted = match format {
        Format::Sdf if options.overrides.is_empty() && file.name.is_none() && file.pose.is_none() => {
            match own_tree(file, &options) {
                // Of another format nothing stands as it was.
                Some(own) if !own.is_foreign => Ok(sdf::own(own.root)),
                _ => Ok(sdf::flat(tree.tree, tree.is_lone, world)),
            }
        }
        Format::Sdf | Format::FlatSdf => Ok(sdf::flat(tree.tree, tree.is_lone, world)),
        Format::Urdf => urdf::write(world),
        Format::Mjcf => Ok(mjcf::write(world)),
    };
    let converted = converted.map(|mut converted| {
        if matches!(format, Format::Urdf | Format::Mjcf) {
            left_out::tell(world, format, &mut converted);
            if has_visuals {
                converted.lose("<visual> elements are left out");
            }
        }
        converted
    });
    loaded
        .diagnostics
        .extend(converted.iter().flat_map(|c| &c.lost).map(|lost| Diagnostic::warning("not-converted", lost.clone())));
    (converted, loaded)
}

fn has_visuals(element: &Element) -> bool {
    element.children.iter().any(|child| child.name == "visual" || has_visuals(child))
}
