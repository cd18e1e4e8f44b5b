//! What the processor allows: sweeps over the contacts of a pyramid with nothing else around them.

use std::path::Path;
use std::process::Command;

use serde::{Deserialize, Serialize};

/// Rates of the processor, measured on one core.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    /// Multiply-adds in f64, two operations each \[GFLOP/s\].
    pub peak_gflops: f64,
    /// Reading memory blocks, by their size in KiB \[GB/s\].
    pub read_gb_per_s: std::collections::BTreeMap<String, f64>,
    /// Sweeps.
    pub kernels: Vec<Kernel>,
}

/// A sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// `full`: 12 rows a manifold; `patch`: 7.
    pub rows: String,
    /// Lanes of f64.
    pub lanes: u32,
    /// Time of a row \[ns\].
    pub ns_per_row: f64,
}

impl Limit {
    /// Compiles the program in a folder and runs it.
    ///
    /// # Errors
    /// That there is no compiler, or no AVX2.
    pub fn measure(folder: &Path) -> Result<Self, String> {
        let program = super::build::compile(folder, "limit", &[])?;
        let output = Command::new(&program).output().map_err(|e| format!("cannot run {}: {e}", program.display()))?;
        serde_json::from_slice(&output.stdout).map_err(|e| format!("{}: {e}", output.status))
    }

    /// Time of a row of the fastest sweep of a kind \[ns\].
    #[must_use]
    pub fn row(&self, rows: &str) -> Option<f64> {
        self.kernels.iter().filter(|k| k.rows == rows).map(|k| k.ns_per_row).min_by(f64::total_cmp)
    }
}
