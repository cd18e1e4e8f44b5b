//! A run of a world, as an object: load, choose engine and parameters, apply forces and commands, step, observe, record,
//! summarise. The `stiction` command is a shell of this crate.
//!
//! A [`Setup`] says what to run. [`Setup::load`] reads the files into a [`Project`], which has every finding of the
//! files and every parameter in force. [`Project::start`] makes a [`Run`] of it, which is stepped and observed;
//! [`Recorder`] writes it into a folder, [`Run::summary`] says what it added up to, and [`Run::state`] is a state that
//! another run continues bit for bit. A [`Comparison`] runs several setups side by side and tells how they differ.
//!
//! ```
//! use stiction_run::{Quantity, Setup};
//!
//! # fn main() -> Result<(), stiction_run::RunError> {
//! let mut run = Setup::new("tower").start()?;
//! run.advance(1.0)?;
//! // The lowest of twelve cubes of 1 m stands where it stood.
//! let height = run.link(Quantity::Height, "box_0::link")?.z;
//! assert!((height - 0.5).abs() < 1e-3);
//! # Ok(())
//! # }
//! ```
//!
//! Lengths are metres, times seconds, masses kilograms, angles radians; vectors are in world axes unless something else is
//! said.

mod clock;
mod commands;
mod compare;
mod condition;
mod engine;
mod error;
mod explain;
mod forces;
mod pace;
mod probe;
mod quantities;
mod record;
mod refusal;
mod run;
mod setup;
mod signal;
mod state;
mod summary;
mod told;
mod values;
mod watch;

pub use commands::CommandRequest;
pub use compare::{
    Case, Compared, ComparedCase, Comparison, Difference, DifferingParameter, Figures, Length, LoadedComparison,
    Outcome, Series,
};
pub use condition::Condition;
pub use engine::{Engine, engine_name};
pub use error::{Failure, Request, RunError};
pub use explain::{
    Change, Claim, Combined, Demonstration, EngineContact, ExplainedValue, Explanation, FrictionDirections, Group,
    Language, LanguageValue, Measure, Page, PairError, PairExplanation, PairMasses, ParameterInUse, PresentValue,
    SOLIMP, Stage, Subject, Symptom, SymptomAnswer, UnknownParameter, UnknownWords, WithoutEffect, answering_symptoms,
    find_parameter, find_symptoms, impedance, largest_explicit_step, short_number, solref_direct,
};
pub use forces::ForceRequest;
pub use pace::Pace;
pub use probe::Probe;
pub use quantities::{AxisKind, Quantity};
pub use record::{FrameNames, MessageEncoding, RecordFormat, RecordOptions, RecordRates, Recorded, Recorder, Topic};
pub use run::Run;
pub use setup::{Project, Setup};
pub use signal::Signal;
pub use state::{JointState, LinkState, StateFile};
pub use told::{masses_json, materials_json};
pub use values::{ParameterValue, origin_text};
