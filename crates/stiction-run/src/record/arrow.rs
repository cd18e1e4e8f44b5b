//! Tables by columns: Arrow IPC files, which pandas, Polars, DuckDB and pyarrow read as Feather files.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, StringBuilder, UInt32Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{DataType, Field, Schema};
use serde_json::Value;

use crate::error::RunError;
use crate::run::Run;

use super::csv::write_summary;
use super::rates::Topic;
use super::rows::{Columns, Row, each};
use super::{Sink, failed};

/// Rows that are written together.
const BATCH: usize = 1 << 14;

/// `links.arrow`, `joints.arrow` and so on, and `summary.json`, in a folder.
pub(super) struct ArrowTables {
    folder: PathBuf,
    tables: Vec<ArrowTable>,
}

impl ArrowTables {
    pub(super) fn create(folder: &Path, topics: &[Topic]) -> Result<Self, RunError> {
        let tables = topics.iter().map(|table| ArrowTable::create(folder, *table)).collect::<Result<_, RunError>>()?;
        Ok(Self { folder: folder.to_owned(), tables })
    }
}

impl Sink for ArrowTables {
    fn write(&mut self, run: &Run, topic: Topic, after: f64) -> Result<(), RunError> {
        let Some(table) = self.tables.iter_mut().find(|table| table.topic == topic) else { return Ok(()) };
        each(run, topic, after, |row| table.push(row))
    }

    fn finish(self: Box<Self>, summary: &Value) -> Result<(), RunError> {
        for mut table in self.tables {
            table.flush()?;
            table.writer.finish().map_err(|e| failed(&table.path, e))?;
        }
        write_summary(&self.folder, summary)
    }
}

/// A table whose last rows are not written yet.
struct ArrowTable {
    topic: Topic,
    path: PathBuf,
    writer: FileWriter<BufWriter<File>>,
    time: Float64Builder,
    words: Vec<StringBuilder>,
    number: Option<UInt32Builder>,
    values: Vec<Float64Builder>,
    rows: usize,
}

impl ArrowTable {
    fn create(folder: &Path, topic: Topic) -> Result<Self, RunError> {
        let columns = Columns::of(topic);
        let kind = |name: &str| match name {
            name if columns.words.contains(&name) => DataType::Utf8,
            name if columns.number == Some(name) => DataType::UInt32,
            _ => DataType::Float64,
        };
        let schema = Schema::new(columns.names().map(|name| Field::new(name, kind(name), false)).collect::<Vec<_>>());
        let path = folder.join(topic.name()).with_extension("arrow");
        let file = File::create(&path).map_err(|e| failed(&path, e))?;
        let writer = FileWriter::try_new(BufWriter::new(file), &schema).map_err(|e| failed(&path, e))?;
        Ok(Self {
            topic,
            path,
            writer,
            time: Float64Builder::with_capacity(BATCH),
            words: columns.words.iter().map(|_| StringBuilder::new()).collect(),
            number: columns.number.map(|_| UInt32Builder::with_capacity(BATCH)),
            values: columns.values.iter().map(|_| Float64Builder::with_capacity(BATCH)).collect(),
            rows: 0,
        })
    }

    fn push(&mut self, row: &Row<'_>) -> Result<(), RunError> {
        self.time.append_value(row.time);
        self.words.iter_mut().zip(row.words).for_each(|(column, word)| column.append_value(word));
        if let (Some(column), Some(number)) = (&mut self.number, row.number) {
            column.append_value(number as u32);
        }
        self.values.iter_mut().zip(row.values).for_each(|(column, value)| column.append_value(*value));
        self.rows += 1;
        if self.rows == BATCH { self.flush() } else { Ok(()) }
    }

    /// Writes the rows that are there.
    fn flush(&mut self) -> Result<(), RunError> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut columns: Vec<ArrayRef> = vec![Arc::new(self.time.finish())];
        columns.extend(self.words.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        columns.extend(self.number.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        columns.extend(self.values.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        self.rows = 0;
        let batch = RecordBatch::try_new(Arc::clone(self.writer.schema()), columns);
        batch.and_then(|batch| self.writer.write(&batch)).map_err(|e| failed(&self.path, e))
    }
}
