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
}

impl RecordOptions {
    /// The form at a path.
    pub(super) fn format_at(&self, path: &Path) -> Result<RecordFormat, RunError> {
        let is_mcap = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mcap"));
        let own = if is_mcap { RecordFormat::Mcap(MessageEncoding::default()) } else { RecordFormat::Csv };
        let format = self.format.unwrap_or(own);
        let reason = match (format.is_file(), is_mcap) {
            (true, false) => "an MCAP recording is a file: its name must end in `.mcap`",
            (false, true) => "this form of recording is a folder: its name cannot end in `.mcap`",
            _ => return Ok(format),
        };
        Err(RunError::Unfit { request: Request::Record, text: path.display().to_string(), reason: reason.to_owned() })
    }
}
