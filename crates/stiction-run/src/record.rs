//! Recording into a folder (`docs/recordings.md` has the columns): built beside it, moved into place when complete.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::RunError;
use crate::quantities::Quantity;
use crate::run::Run;

const FILES: [&str; 5] = ["links.csv", "contacts.csv", "joints.csv", "summary.json", "wires.csv"];

type Table = csv::Writer<BufWriter<fs::File>>;

/// A recording in the making: `links.csv`, `contacts.csv`, `joints.csv`, `summary.json`, and `wires.csv` of a world with wires,
/// in a folder. It is built beside the folder and takes its place when it is complete.
pub struct Recorder {
    folder: PathBuf,
    partial: PathBuf,
    links: Table,
    contacts: Table,
    joints: Table,
    wires: Option<Table>,
    period: Option<f64>,
    next: f64,
    slack: f64,
}

fn failed(path: &Path, error: impl std::fmt::Display) -> RunError {
    RunError::Output { path: path.to_owned(), reason: error.to_string() }
}

impl Recorder {
    /// Begins a recording of a run that will be `folder`, with `rate` rows a second, or one of every step.
    ///
    /// # Errors
    /// The folder holds something else than a recording, or cannot be written.
    pub fn create(folder: &Path, rate: Option<f64>, run: &Run) -> Result<Self, RunError> {
        if folder.exists() && !is_recording_or_empty(folder) {
            return Err(failed(folder, "contains files that are not a recording; choose another folder"));
        }
        let name = folder.file_name().map_or_else(|| "recording".into(), |n| n.to_string_lossy().into_owned());
        let partial = folder.with_file_name(format!(".{name}.{}.partial", std::process::id()));
        fs::create_dir_all(&partial).map_err(|e| failed(&partial, e))?;
        let table = |name: &str, header: &str| -> Result<Table, RunError> {
            let path = partial.join(name);
            let file = fs::File::create(&path).map_err(|e| failed(&path, e))?;
            let mut table = csv::WriterBuilder::new().from_writer(BufWriter::new(file));
            table.write_record(header.split(',')).map_err(|e| failed(&path, e))?;
            Ok(table)
        };
        Ok(Self {
            links: table(FILES[0], "time,link,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz")?,
            contacts: table(FILES[1], "time,a,b,px,py,pz,nx,ny,nz,depth,fx,fy,fz")?,
            joints: table(FILES[2], "time,joint,axis,position,velocity,effort")?,
            wires: if run.simulation().wires.is_empty() {
                None
            } else {
                Some(table(FILES[4], "time,wire,node,px,py,pz,length,tension")?)
            },
            folder: folder.to_owned(),
            partial,
            period: rate.map(|r| 1.0 / r),
            next: run.time(),
            slack: 0.5 * run.engine().step,
        })
    }

    /// Writes the present state, if it is time for it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn record(&mut self, run: &Run) -> Result<(), RunError> {
        let time = run.time();
        if let Some(period) = self.period {
            if time < self.next - self.slack {
                return Ok(());
            }
            self.next += period;
        }
        self.write(run, &decimal(time)).map_err(|e| failed(&self.partial, e))
    }

    fn write(&mut self, run: &Run, time: &str) -> Result<(), csv::Error> {
        let simulation = run.simulation();
        for link in &simulation.links {
            let pose = simulation.link_pose(link);
            let (v, w) = simulation.link_velocity(link);
            let (p, q) = (pose.position, pose.rotation);
            let numbers = [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z];
            row(&mut self.links, &[time, &link.name], &numbers)?;
        }
        let name = |id| simulation.shape_name(id).unwrap_or_default();
        if run.steps() > 0 {
            for contact in simulation.world.contact_reports() {
                let [a, b] = contact.geoms.map_or_else(Default::default, |geoms| geoms.map(name));
                let (p, n, f) = (contact.position, contact.normal, contact.force);
                let numbers = [p.x, p.y, p.z, n.x, n.y, n.z, contact.depth, f.x, f.y, f.z];
                row(&mut self.contacts, &[time, &a, &b], &numbers)?;
            }
        }
        for (index, joint) in simulation.joints.iter().enumerate() {
            for axis in 0..joint.axes.len() {
                let numbers = [Quantity::Angle, Quantity::Rate, Quantity::Effort]
                    .map(|quantity| run.joint_at(quantity, index, axis));
                row(&mut self.joints, &[time, &joint.name, &axis.to_string()], &numbers)?;
            }
        }
        let Some(table) = &mut self.wires else { return Ok(()) };
        for wire in &simulation.wires {
            let Some(own) = simulation.world.wire(wire.id) else { continue };
            for (number, (node, p)) in own.nodes().iter().zip(own.positions()).enumerate() {
                let numbers = [p.x, p.y, p.z, node.length, node.tension];
                row(table, &[time, &wire.name, &number.to_string()], &numbers)?;
            }
        }
        Ok(())
    }

    /// Closes the tables, writes the summary and moves the recording into place.
    ///
    /// # Errors
    /// It cannot be written; then nothing is left of it.
    pub fn finish(mut self, summary: &Value) -> Result<(), RunError> {
        let partial = self.partial.clone();
        for table in [&mut self.links, &mut self.contacts, &mut self.joints].into_iter().chain(&mut self.wires) {
            table.flush().map_err(|e| failed(&partial, e))?;
        }
        let path = partial.join(FILES[3]);
        let mut file = fs::File::create(&path).map_err(|e| failed(&path, e))?;
        writeln!(file, "{summary:#}").map_err(|e| failed(&path, e))?;
        if self.folder.exists() {
            fs::remove_dir_all(&self.folder).map_err(|e| failed(&self.folder, e))?;
        }
        fs::rename(&partial, &self.folder).map_err(|e| failed(&self.folder, e))
    }
}

impl Drop for Recorder {
    /// A recording that was not finished leaves nothing behind.
    fn drop(&mut self) {
        if self.partial.exists() {
            drop(fs::remove_dir_all(&self.partial));
        }
    }
}

fn row(table: &mut Table, words: &[&str], numbers: &[f64]) -> Result<(), csv::Error> {
    for word in words {
        table.write_field(word)?;
    }
    for number in numbers {
        table.write_field(decimal(*number))?;
    }
    table.write_record(None::<&[u8]>)
}

/// The shortest decimal that reads back to the same bits.
fn decimal(x: f64) -> String {
    let magnitude = x.abs();
    if x == 0.0 || (1e-5..1e16).contains(&magnitude) { x.to_string() } else { format!("{x:e}") }
}

fn is_recording_or_empty(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().all(|e| FILES.iter().any(|f| e.file_name() == *f))
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn decimals_read_back_to_the_same_bits() {
        for x in [0.0, -0.0, 0.1, 1e-300, -123.456e20, f64::MIN_POSITIVE, 9.81, 1.0 / 3.0] {
            assert_eq!(decimal(x).parse::<f64>().unwrap().to_bits(), x.to_bits(), "{}", decimal(x));
        }
    }
}
