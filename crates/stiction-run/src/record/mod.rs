//! Recording of a run (`docs/recordings.md` has columns and topics): built beside its place, moved there when complete.

#[cfg(feature = "arrow")]
mod arrow;
mod csv;
mod mcap;
mod options;
mod place;
mod rates;
mod rows;

use std::path::Path;

use serde_json::Value;

use crate::error::RunError;
use crate::run::Run;

pub use options::{FrameNames, MessageEncoding, RecordFormat, RecordOptions};
pub use rates::{RecordRates, Topic};

pub use place::Recorded;

use place::Place;
use rates::Schedule;

/// A recording in the making: a folder of tables, or an MCAP file. It is built beside its place and moved there when it is
/// complete.
pub struct Recorder {
    // Declared before the place, so that files are closed before what was not finished is removed.
    sink: Box<dyn Sink>,
    place: Place,
    schedules: [Schedule; Topic::ALL.len()],
    slack: f64,
}

/// A form of recording.
trait Sink {
    /// Writes the present state of a topic; of sensors what they read after a time \[s\].
    fn write(&mut self, run: &Run, topic: Topic, after: f64) -> Result<(), RunError>;

    /// Ends the recording with the summary of the run.
    fn finish(self: Box<Self>, summary: &Value) -> Result<(), RunError>;
}

fn failed(path: &Path, error: impl std::fmt::Display) -> RunError {
    RunError::Output { path: path.to_owned(), reason: error.to_string() }
}

/// What the system said, where an error only has it as its cause.
fn failed_by(path: &Path, error: &dyn std::error::Error) -> RunError {
    match error.source() {
        Some(cause) => failed_by(path, cause),
        None => failed(path, error),
    }
}

impl Recorder {
    /// Begins a recording of a run that will be at `path`: a file if it ends in `.mcap`, else a folder.
    ///
    /// # Errors
    /// The options do not fit the path, the place holds something else than a recording, or it cannot be written.
    pub fn create(path: &Path, options: &RecordOptions, run: &Run) -> Result<Self, RunError> {
        let format = options.format_at(path)?;
        let place = Place::create(path, format.is_file())?;
        let topics = rows::tables(run, &options.rates);
        let sink: Box<dyn Sink> = match format {
            RecordFormat::Csv => Box::new(csv::CsvTables::create(place.partial(), &topics)?),
            #[cfg(feature = "arrow")]
            RecordFormat::Arrow => Box::new(arrow::ArrowTables::create(place.partial(), &topics)?),
            #[cfg(not(feature = "arrow"))]
            RecordFormat::Arrow => {
                return Err(failed(path, stiction_formats::missing_feature("writer of Arrow recordings", "arrow")));
            }
            RecordFormat::Mcap(encoding) => {
                let frames = mcap::Frames::of(run, options.names)?;
                Box::new(mcap::McapFile::create(place.partial(), encoding, &topics, frames)?)
            }
        };
        let schedules = Topic::ALL.map(|topic| Schedule::new(options.rates.of(topic), run.time()));
        Ok(Self { sink, place, schedules, slack: 0.5 * run.engine().step })
    }

    /// Writes what it is time for of the present state.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn record(&mut self, run: &Run) -> Result<(), RunError> {
        let time = run.time();
        for (topic, schedule) in Topic::ALL.into_iter().zip(&mut self.schedules) {
            if let Some(after) = schedule.due(time, self.slack) {
                // What a sensor read in the step of that sample was written then.
                self.sink.write(run, topic, after + self.slack)?;
            }
        }
        Ok(())
    }

    /// Ends the recording with the summary, moves it into place, and says what it is.
    ///
    /// # Errors
    /// It cannot be written; then nothing is left of it.
    pub fn finish(self, summary: &Value) -> Result<Recorded, RunError> {
        self.sink.finish(summary)?;
        self.place.take()
    }
}
