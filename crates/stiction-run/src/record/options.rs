//! What a recording is to be.

use std::path::Path;

use crate::error::{Request, RunError};

use super::rates::RecordRates;

/// How messages of an MCAP file are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MessageEncoding {
    /// CDR, as ROS 2 writes them.
    #[default]
    Cdr,
    /// JSON.
    Json,
}

/// Names of links and joints in the frames and joint states of an MCAP file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameNames {
    /// Short ones where they can be told apart: where one model alone is not static.
    #[default]
    Auto,
    /// Scoped ones, `model::link`, as everywhere else.
    Scoped,
    /// Those of the robot without its own name, as its URDF has them.
    Short,
}

/// Form of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordFormat {
    /// A folder of tables as text.
    Csv,
    /// A folder of tables by columns: Arrow IPC files (Feather, version 2).
    Arrow,
    /// One MCAP file of ROS 2 messages.
    Mcap(MessageEncoding),
}

/// Endings that mean a file: a folder of such a name is a mistake.
const FILES: [&str; 24] = [
    "csv", "tsv", "txt", "json", "jsonl", "yaml", "arrow", "feather", "parquet", "bag", "db3", "sqlite", "mat", "h5",
    "hdf5", "npy", "npz", "pkl", "zip", "gz", "tar", "log", "svg", "png",
];

/// The path without its ending, if that is the ending of a file.
fn name_of_file(path: &Path) -> Option<String> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    FILES.contains(&extension.as_str()).then(|| path.with_extension("").display().to_string())
}

impl RecordFormat {
    pub(super) fn is_file(self) -> bool {
        matches!(self, Self::Mcap(_))
    }
}

/// What a recording is to be, beside its path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordOptions {
    /// The form; without one, MCAP for a path that ends in `.mcap` and CSV for others.
    pub format: Option<RecordFormat>,
    /// How often.
    pub rates: RecordRates,
    /// Names in an MCAP file.
    pub names: FrameNames,
}

impl RecordOptions {
    /// The form at a path.
    pub(super) fn format_at(&self, path: &Path) -> Result<RecordFormat, RunError> {
        let is_mcap = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mcap"));
        let own = if is_mcap { RecordFormat::Mcap(MessageEncoding::default()) } else { RecordFormat::Csv };
        let format = self.format.unwrap_or(own);
        let reason = match (format.is_file(), is_mcap) {
            (true, false) => "an MCAP recording is a file: its name must end in `.mcap`".to_owned(),
            (false, true) => "this form of recording is a folder: its name cannot end in `.mcap`".to_owned(),
            (true, true) => return Ok(format),
            (false, false) => match name_of_file(path) {
                None => return Ok(format),
                Some(stem) => format!(
                    "expected a folder, which gets several tables, or a file that ends in `.mcap`; for example `--record {stem}`"
                ),
            },
        };
        Err(RunError::Unfit { request: Request::Record, text: path.display().to_string(), reason })
    }
}
