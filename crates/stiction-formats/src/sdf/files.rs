//! Files from disk, or from inside the program for the bundled models.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::LoadOptions;
use crate::bundled;
use crate::choreonoid::{self, FileKind};
use crate::diagnostic::{Diagnostic, Location};
use crate::materials::MaterialOptions;
use crate::source::Sources;
use crate::suggest::did_you_mean;
use crate::urdf::{self, xacro};

use super::convert;
use super::element::{self, Element, Parsed};
use super::packages::Packages;
use super::report::Report;

/// Largest file.
const MAX_BYTES: u64 = 64 << 20;

/// Reads and parses files, each once.
#[derive(Default)]
pub(crate) struct Files {
    pub sources: Sources,
    /// Materials that hold whatever the files name.
    materials: MaterialOptions,
    /// Arguments of `xacro`; `None` if programs of the user are not run.
    xacro: Option<Vec<String>>,
    /// What `$(find NAME)` means.
    packages: Packages,
    parsed: BTreeMap<PathBuf, Option<Element>>,
}

impl Files {
    /// Without a file yet.
    pub(crate) fn new(options: &LoadOptions) -> Self {
        let xacro = options.use_environment.then(|| options.xacro_arguments.clone());
        let packages = Packages::new(&options.packages, options.use_environment);
        Self { materials: options.materials.clone(), xacro, packages, ..Self::default() }
    }

    /// The `<sdf>` element of a file, converted to the newest version; `None` once its faults are reported.
    /// A fault of the file as a whole is placed at `asked_at` if that is known.
    pub(crate) fn sdf(&mut self, path: &Path, asked_at: Option<&Location>, report: &mut Report) -> Option<Element> {
        if let Some(known) = self.parsed.get(path) {
            return known.clone();
        }
        let root = match self.read_sdf(path, report) {
            Ok(root) => Some(root),
            Err(mut finding) => {
                if finding.location.is_none() {
                    finding.location = asked_at.cloned();
                }
                report.add(*finding);
                None
            }
        };
        self.parsed.insert(path.to_owned(), root.clone());
        root
    }

    fn read_sdf(&mut self, path: &Path, report: &mut Report) -> Result<Element, Box<Diagnostic>> {
        let text = match bundled::text(path) {
            Some(text) => text.to_owned(),
            None => read_text(path)?,
        };
        self.sources.insert(path, Arc::from(text.as_str()));
        if text.trim().is_empty() {
            let help = "expected a world or model, such as `<sdf version=\"1.9\"><world name=\"w\">…</world></sdf>`";
            return Err(at_start(path, "empty-file", "the file is empty").help(help).into());
        }
        if let Some(kind) = FileKind::of(path) {
            return choreonoid::to_sdf(kind, path, &text, &mut self.sources, &self.materials, report);
        }
        if path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml") {
            let help =
                "give a table of materials with `--materials FILE`, beside a world or model; `check` takes it alone";
            return Err(at_start(path, "not-a-world", "a YAML file is no world or model").help(help).into());
        }
        let parsed = if xacro::is_named_so(path) { self.expanded(path)? } else { element::parse(path, &text)? };
        let is_macro_file = !xacro::is_named_so(path) && xacro::is_macro_file(&parsed.root);
        let Parsed { mut root, warnings } = if is_macro_file { self.expanded(path)? } else { parsed };
        warnings.into_iter().for_each(|warning| report.add(warning));
        if root.name == "robot" {
            return Ok(urdf::to_sdf(root, self.materials.table.as_ref(), report));
        }
        check_root(&root)?;
        let attribute = root.attribute("version").cloned();
        let Some(attribute) = attribute else {
            return Err(Diagnostic::error("missing-version", "<sdf> has no `version` attribute")
                .at(&root.location)
                .help("write `<sdf version=\"1.9\">`")
                .into());
        };
        let Some(version) = convert::parse_version(&attribute.value) else {
            let message = format!("`{}` is not a version of SDFormat", attribute.value);
            return Err(Diagnostic::error("invalid-version", message).at(&attribute.location).into());
        };
        convert::convert(&mut root, version, report);
        Ok(root)
    }
}

impl Files {
    /// A macro file, parsed once its macros are expanded.
    fn expanded(&mut self, path: &Path) -> Result<Parsed, Box<Diagnostic>> {
        let at = |finding: Diagnostic| if finding.location.is_none() { finding.at(&start(path)) } else { finding };
        let arguments = self.xacro.as_ref().ok_or_else(|| at(xacro::not_expanded(path)))?;
        let text = xacro::expand(path, arguments, &self.packages).map_err(|finding| at(*finding))?;
        let path = xacro::expanded_path(path);
        self.sources.insert(&path, Arc::from(text.as_str()));
        element::parse(&path, &text)
    }
}

fn check_root(root: &Element) -> Result<(), Box<Diagnostic>> {
    match root.name.as_str() {
        "sdf" | "gazebo" => Ok(()),
        other => {
            let mut finding =
                Diagnostic::error("not-sdf", format!("the root element is <{other}>, not <sdf>")).at(&root.location);
            finding.help = did_you_mean(other, ["sdf", "robot"]);
            Err(finding.into())
        }
    }
}

fn at_start(path: &Path, code: &'static str, message: &str) -> Diagnostic {
    Diagnostic::error(code, message).at(&start(path))
}

fn start(path: &Path) -> Location {
    Location { file: Arc::new(path.to_owned()), line: 1, column: 1, span: 0..0 }
}

/// The text of a regular file of bearable size in UTF-8.
pub(crate) fn read_text(path: &Path) -> Result<String, Box<Diagnostic>> {
    let shown = path.display();
    let metadata = fs::metadata(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => missing_file(path),
        _ => Diagnostic::error("file-read", format!("cannot read {shown}: {e}")),
    })?;
    if metadata.is_dir() {
        return Err(folder_without_model(path).into());
    }
    if !metadata.is_file() {
        return Err(Diagnostic::error("file-read", format!("{shown} is not a regular file")).into());
    }
    if metadata.len() > MAX_BYTES {
        let message = format!("{shown} has {} MB; the limit is 64 MB", metadata.len() >> 20);
        return Err(Diagnostic::error("file-read", message).into());
    }
    let bytes = fs::read(path).map_err(|e| Diagnostic::error("file-read", format!("cannot read {shown}: {e}")))?;
    String::from_utf8(bytes).map_err(|e| not_utf8(path, e.as_bytes(), e.utf8_error().valid_up_to()).into())
}

/// The folder, or the current one for that of a bare file name, which is empty.
pub(crate) fn or_current(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// A folder in place of a file, and the files in it that can be run.
fn folder_without_model(path: &Path) -> Diagnostic {
    let message = format!("{} is a folder without a model: it has no model.config", path.display());
    let entries = fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<_> = entries.filter(|file| has_world_ending(file)).collect();
    files.sort();
    files.truncate(3);
    let listed: Vec<String> = files.iter().map(|file| format!("`{}`", file.display())).collect();
    let help = match listed.is_empty() {
        true => "expected a file (.sdf, .world, .urdf, .body, .cnoid), the folder of a model, or a bundled world such as `tower`".to_owned(),
        false => format!("name a file in it: {}", listed.join(", ")),
    };
    Diagnostic::error("file-read", message).help(help)
}

/// The name ends like a file that can be run.
fn has_world_ending(name: &Path) -> bool {
    name.extension().is_some_and(|e| ["sdf", "world", "urdf", "body", "cnoid"].iter().any(|known| e == *known))
}

fn missing_file(path: &Path) -> Diagnostic {
    let mut finding = Diagnostic::error("file-read", format!("there is no file {}", path.display()));
    let folder = or_current(path.parent().unwrap_or(Path::new("")));
    let mut names: Vec<String> = fs::read_dir(folder)
        .map(|entries| entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect())
        .unwrap_or_default();
    names.extend(bundled::BUNDLED_WORLDS.iter().map(|w| w.name.to_owned()));
    names.sort();
    let wanted = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    finding.help = did_you_mean(&wanted, names.iter().map(String::as_str)).or_else(|| {
        // Files of other kinds are named by a file, not by the user.
        (path.extension().is_none() || has_world_ending(path)).then(|| {
            "expected a file of a world or model, or a bundled world such as `tower` (`stiction worlds` lists them)"
                .to_owned()
        })
    });
    finding
}

fn not_utf8(path: &Path, bytes: &[u8], offset: usize) -> Diagnostic {
    let before = &bytes[..offset];
    let line = before.iter().filter(|b| **b == b'\n').count() + 1;
    let line_start = before.iter().rposition(|b| *b == b'\n').map_or(0, |p| p + 1);
    let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
    let location = Location {
        file: Arc::new(path.to_owned()),
        line: u32::try_from(line).unwrap_or(u32::MAX),
        column: u32::try_from(column).unwrap_or(u32::MAX),
        span: offset..offset + 1,
    };
    Diagnostic::error("not-utf8", format!("byte 0x{:02x} is not UTF-8 text", bytes[offset]))
        .at(&location)
        .help("save the file as UTF-8")
}
