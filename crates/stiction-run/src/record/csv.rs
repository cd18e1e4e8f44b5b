//! Tables as text, by contract the default.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::RunError;
use crate::run::Run;

use super::place::SUMMARY;
use super::rates::Topic;
use super::rows::{Columns, Row, each};
use super::{Sink, failed};

type Writer = csv::Writer<BufWriter<File>>;

/// `links.csv`, `joints.csv` and so on, and `summary.json`, in a folder.
pub(super) struct CsvTables {
    folder: PathBuf,
    tables: Vec<(Topic, Writer)>,
}

impl CsvTables {
    pub(super) fn create(folder: &Path, topics: &[Topic]) -> Result<Self, RunError> {
        let create = |table: &Topic| {
            let table = *table;
            let path = folder.join(table.name()).with_extension("csv");
            let file = File::create(&path).map_err(|e| failed(&path, e))?;
            let mut writer = csv::WriterBuilder::new().from_writer(BufWriter::with_capacity(1 << 16, file));
            writer.write_record(Columns::of(table).names()).map_err(|e| failed(&path, e))?;
            Ok((table, writer))
        };
        let tables = topics.iter().map(create).collect::<Result<_, RunError>>()?;
        Ok(Self { folder: folder.to_owned(), tables })
    }
}

impl Sink for CsvTables {
    fn write(&mut self, run: &Run, topic: Topic, after: f64) -> Result<(), RunError> {
        let Some((_, writer)) = self.tables.iter_mut().find(|(table, _)| *table == topic) else { return Ok(()) };
        each(run, topic, after, |row| write_row(writer, row).map_err(|e| failed(&self.folder, e)))
    }

    fn finish(mut self: Box<Self>, summary: &Value) -> Result<(), RunError> {
        for (_, writer) in &mut self.tables {
            writer.flush().map_err(|e| failed(&self.folder, e))?;
        }
        write_summary(&self.folder, summary)
    }
}

/// The summary of a recording in a folder.
pub(super) fn write_summary(folder: &Path, summary: &Value) -> Result<(), RunError> {
    let path = folder.join(SUMMARY);
    let mut file = File::create(&path).map_err(|e| failed(&path, e))?;
    writeln!(file, "{summary:#}").map_err(|e| failed(&path, e))
}

fn write_row(writer: &mut Writer, row: &Row<'_>) -> Result<(), csv::Error> {
    let mut buffer = zmij::Buffer::new();
    writer.write_field(decimal(row.time, &mut buffer))?;
    for word in row.words {
        writer.write_field(word)?;
    }
    if let Some(number) = row.number {
        writer.write_field(number.to_string())?;
    }
    for value in row.values {
        writer.write_field(decimal(*value, &mut buffer))?;
    }
    writer.write_record(None::<&[u8]>)
}

/// The shortest decimal that reads back to the same bits.
fn decimal(x: f64, buffer: &mut zmij::Buffer) -> &str {
    let text = buffer.format(x);
    match text.as_bytes() {
        [rest @ .., b'.', b'0'] => &text[..rest.len()],
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::decimal;

    #[test]
    fn decimals_read_back_to_the_same_bits() {
        let mut buffer = zmij::Buffer::new();
        for x in [0.0, -0.0, 0.1, 1e-300, -123.456e20, f64::MIN_POSITIVE, 9.81, 1.0 / 3.0, 7.0, -1e16, 2e-5, f64::MAX] {
            let text = decimal(x, &mut buffer);
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), x.to_bits(), "{text}");
        }
        assert_eq!(decimal(7.0, &mut buffer), "7");
        assert_eq!(decimal(f64::NAN, &mut buffer), "NaN");
    }
}
