//! From a URI to a file: where models are looked for, and which file of a model folder is the best.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::LoadOptions;
use crate::bundled;

use super::convert::{self, NEWEST};
use super::element;
use super::files;
use super::packages::{self, Packages};

/// Why a URI leads to no file.
pub(crate) struct NotFound {
    pub code: &'static str,
    pub message: String,
    pub help: Option<String>,
}

/// The folders that models are looked for in.
#[derive(Debug, Default)]
pub(crate) struct SearchPath {
    /// Folder of the first file, `--model-path`, environment, `models` beside the world; in this order.
    folders: Vec<PathBuf>,
    packages: Packages,
    /// Where classic keeps meshes and images: folders of `GAZEBO_RESOURCE_PATH`, and its own below each.
    media: Vec<PathBuf>,
}

/// Folders below one of `GAZEBO_RESOURCE_PATH`.
const MEDIA: [&str; 5] = ["", "media", "media/models", "media/materials/textures", "media/dem"];

/// How far up from a world a folder `models` is looked for: projects keep `worlds/` and `models/` side by side.
const LEVELS: usize = 4;

impl SearchPath {
    pub(crate) fn new(world_folder: &Path, options: &LoadOptions) -> Self {
        let mut folders = vec![world_folder.to_owned()];
        folders.extend(options.model_path.iter().cloned());
        let packages = Packages::new(&options.packages, options.use_environment);
        let mut media = Vec::new();
        if options.use_environment {
            let resources = std::env::var_os("GAZEBO_RESOURCE_PATH").unwrap_or_default();
            for folder in std::env::split_paths(&resources).filter(|p| !p.as_os_str().is_empty()) {
                media.extend(MEDIA.map(|inner| folder.join(inner)));
            }
            for variable in ["GZ_SIM_RESOURCE_PATH", "GAZEBO_MODEL_PATH", "SDF_PATH"] {
                if let Some(value) = std::env::var_os(variable) {
                    folders.extend(std::env::split_paths(&value).filter(|p| !p.as_os_str().is_empty()));
                }
            }
        }
        // A relative path has its ancestors only once it is made whole.
        if let Ok(whole) = fs::canonicalize(files::or_current(world_folder)) {
            folders.extend(whole.ancestors().take(LEVELS).map(|a| a.join("models")).filter(|m| m.is_dir()));
        }
        Self { folders, packages, media }
    }

    /// The file that an include of `uri` in a file in `folder` means.
    pub(crate) fn resolve(&self, uri: &str, folder: &Path) -> Result<PathBuf, NotFound> {
        let uri = uri.trim();
        if uri.starts_with("http://") || uri.starts_with("https://") {
            return self.local_copy(uri, folder);
        }
        let (scheme, rest) = uri.split_once("://").map_or((None, uri), |(s, r)| (Some(s), r));
        let rest = rest.trim_end_matches('/');
        match scheme {
            None | Some("model" | "package" | "file") => {}
            Some(other) => {
                return Err(NotFound {
                    code: "uri-scheme",
                    message: format!("`{other}://` is not a known kind of URI"),
                    help: Some("use `model://`, `package://`, `file://` or a relative path".into()),
                });
            }
        }
        if let Some(path) = bundled::beside(folder, rest) {
            return Ok(path);
        }
        // The world's own folders, then the bundled models, then the folders of the command line and the environment.
        let own = 2 + usize::from(!self.folders.is_empty());
        let is_bundled = bundled::MODELS.iter().any(|(name, _)| *name == rest);
        for (index, base) in self.bases(folder).enumerate() {
            if index == own && is_bundled {
                break;
            }
            let candidate = base.join(rest);
            if candidate.exists() {
                self.refuse_outside(&candidate, folder, uri)?;
                return choose_file(&candidate);
            }
        }
        if is_bundled {
            return Ok(bundled::model_path(rest));
        }
        if scheme == Some("package")
            && let Some(path) = self.packages.file(rest, folder)
        {
            return choose_file(&path);
        }
        Err(self.not_found(uri, rest))
    }

    /// A file that is not an include, such as a mesh or an image.
    pub(crate) fn file(&self, uri: &str, folder: &Path) -> Result<PathBuf, NotFound> {
        let uri = uri.trim();
        let is_of_package = uri.starts_with("package://") || uri.starts_with("model://");
        let rest = uri.split_once("://").map_or(uri, |(_, r)| r);
        // Some files have a third slash before the name of a package.
        let rest = if is_of_package { rest.trim_start_matches('/') } else { rest };
        if uri.starts_with("http://") || uri.starts_with("https://") {
            return self.downloaded_file(uri, folder);
        }
        if let Some(path) = bundled::beside(folder, rest) {
            return Ok(path);
        }
        let mut depth = 0i32;
        let mut is_outside = false;
        for component in Path::new(rest).components() {
            match component {
                Component::ParentDir => depth -= 1,
                Component::Normal(_) => depth += 1,
                _ => {}
            }
            is_outside |= depth < -1;
        }
        let media = self.media.iter().map(PathBuf::as_path);
        if let Some(path) = self.bases(folder).chain(media).map(|b| b.join(rest)).find(|c| c.is_file()) {
            return self.refuse_outside(&path, folder, uri).map(|()| path);
        }
        if let Some(path) = self.packages.file(rest, folder).filter(|path| is_of_package && path.is_file()) {
            return Ok(path);
        }
        if is_outside {
            return Err(outside(uri));
        }
        let help = if uri.starts_with("package://") {
            packages::HELP
        } else {
            "give the folder that holds it with `--model-path DIR`, or set GZ_SIM_RESOURCE_PATH"
        };
        Err(NotFound { code: "file-not-found", message: format!("no file found for `{uri}`"), help: Some(help.into()) })
    }

    /// The network is never used: a file of a model that was downloaded is looked for by the names of the model and the file,
    /// `…/models/NAME/1/files/meshes/x.dae` as `model://NAME/meshes/x.dae`.
    fn downloaded_file(&self, uri: &str, folder: &Path) -> Result<PathBuf, NotFound> {
        let name = uri.replace("%20", " ");
        let local = name.split_once("/models/").and_then(|(_, rest)| {
            let (model, inner) = rest.split_once('/')?;
            let (_, inner) = inner.split_once("files/")?;
            let names = [model.to_owned(), model.to_lowercase(), model.to_lowercase().replace(' ', "_")];
            names.iter().find_map(|model| self.file(&format!("model://{model}/{inner}"), folder).ok())
        });
        local.ok_or_else(|| NotFound {
            code: "include-remote",
            message: format!("files are not downloaded, and there is no local copy of `{uri}`"),
            help: Some("download its model, and give the folder that holds it with `--model-path DIR`".into()),
        })
    }

    fn bases<'a>(&'a self, folder: &'a Path) -> impl Iterator<Item = &'a Path> {
        std::iter::once(folder).chain(folder.parent()).chain(self.folders.iter().map(PathBuf::as_path))
    }

    /// Links are followed first: what counts is where the file really lies. The folders next to the world's own are
    /// allowed too, since worlds and models often stand side by side.
    fn refuse_outside(&self, path: &Path, folder: &Path, uri: &str) -> Result<(), NotFound> {
        let real = fs::canonicalize(path).map_err(|_| outside(uri))?;
        let is_inside = self
            .bases(folder)
            .chain(self.folders.first().and_then(|f| f.parent()))
            .chain(self.media.iter().map(PathBuf::as_path))
            .any(|base| {
                // A parent that is the root of the file system allows everything, so it allows nothing.
                fs::canonicalize(files::or_current(base)).is_ok_and(|b| b.parent().is_some() && real.starts_with(b))
            });
        if is_inside || self.packages.hold(&real, folder) { Ok(()) } else { Err(outside(uri)) }
    }

    fn not_found(&self, uri: &str, rest: &str) -> NotFound {
        let mut names: Vec<String> = bundled::MODELS.iter().map(|(n, _)| (*n).to_owned()).collect();
        for folder in &self.folders {
            if let Ok(entries) = fs::read_dir(folder) {
                names.extend(entries.flatten().take(10_000).map(|e| e.file_name().to_string_lossy().into_owned()));
            }
        }
        names.sort();
        let help = crate::suggest::did_you_mean(rest, names.iter().map(String::as_str)).unwrap_or_else(|| {
            "give the folder that holds it with `--model-path DIR`, or set GZ_SIM_RESOURCE_PATH".to_owned()
        });
        NotFound { code: "include-not-found", message: format!("no model found for `{uri}`"), help: Some(help) }
    }

    /// The network is never used; a model of the same name on this machine is.
    fn local_copy(&self, uri: &str, folder: &Path) -> Result<PathBuf, NotFound> {
        let trimmed = uri.trim_end_matches('/');
        let last = trimmed.rsplit('/').find(|part| part.parse::<u64>().is_err() && *part != "tip").unwrap_or("");
        let name = last.replace("%20", " ");
        let names = [name.clone(), name.to_lowercase(), name.to_lowercase().replace(' ', "_")];
        for name in names.iter().filter(|n| !n.is_empty() && !n.contains("..")) {
            if let Ok(path) = self.resolve(&format!("model://{name}"), folder) {
                return Ok(path);
            }
        }
        Err(NotFound {
            code: "include-remote",
            message: format!("files are not downloaded, and there is no local copy of `{uri}`"),
            help: Some(format!(
                "download it, and give the folder that holds `{name}` with `--model-path DIR` or GZ_SIM_RESOURCE_PATH"
            )),
        })
    }
}

fn outside(uri: &str) -> NotFound {
    NotFound {
        code: "uri-outside",
        message: format!("the path `{uri}` is outside the folders of the world and the models"),
        help: Some("allow its folder with `--model-path DIR`".into()),
    }
}

/// A file itself, or the best file of a model folder.
pub(crate) fn choose_file(path: &Path) -> Result<PathBuf, NotFound> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let error = |message: String| NotFound { code: "model-config", message, help: None };
    let config = ["model.config", "manifest.xml"]
        .iter()
        .map(|n| path.join(n))
        .find(|p| p.is_file())
        .ok_or_else(|| error(format!("the folder {} has no model.config", path.display())))?;
    let text = files::read_text(&config).map_err(|d| error(d.message))?;
    let parsed = element::parse(&config, &text);
    let root = parsed.map_err(|d| error(format!("{}: {}", config.display(), d.message)))?.root;
    // The newest version that is known; a file without a version counts as the oldest.
    let mut best: Option<(convert::Version, &str)> = None;
    for sdf in root.children_named("sdf") {
        let version = sdf.value("version").and_then(convert::parse_version).unwrap_or((0, 0));
        let name = sdf.text.as_str();
        if !name.is_empty() && version <= NEWEST && best.is_none_or(|(v, _)| version > v) {
            best = Some((version, name));
        }
    }
    let Some((_, name)) = best else {
        return Err(error(format!("{} names no <sdf> file of a known version", config.display())));
    };
    let is_inside = Path::new(name).components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    let file = path.join(name);
    if is_inside && file.is_file() {
        Ok(file)
    } else {
        Err(error(format!("{} names `{name}`, which is not a file in that folder", config.display())))
    }
}
