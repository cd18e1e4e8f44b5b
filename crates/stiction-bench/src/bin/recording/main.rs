//! What recording costs beside stepping: 32 boxes on the ground, 33 links and 128 contacts in every step.

use std::error::Error;
use std::fs;
use std::path::Path;

use stiction_bench::clock::microseconds;
use stiction_run::{MessageEncoding, RecordFormat, RecordOptions, RecordRates, Recorder, Setup};

/// Steps of each run.
const STEPS: u32 = 2000;
/// Runs of each form; the fastest counts.
const REPEATS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("stiction-recording-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let world = folder.join("boxes.sdf");
    fs::write(&world, boxes())?;
    println!("| form | of the time of stepping | written per step |");
    println!("|---|---|---|");
    let forms = [
        ("`arrow`", "columns", RecordFormat::Arrow),
        ("`mcap`", "cdr.mcap", RecordFormat::Mcap(MessageEncoding::Cdr)),
        ("`mcap-json`", "json.mcap", RecordFormat::Mcap(MessageEncoding::Json)),
        ("`csv`", "text", RecordFormat::Csv),
    ];
    for (name, place, format) in forms {
        let (mut stepping, mut recording) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..REPEATS {
            let [steps, records] = times(&world, &folder.join(place), format)?;
            stepping = stepping.min(steps);
            recording = recording.min(records);
        }
        let bytes = size(&folder.join(place))? / u64::from(STEPS);
        println!("| {name} | {:.2} | {:.1} kB |", recording / stepping, bytes as f64 * 1e-3);
    }
    fs::remove_dir_all(&folder)?;
    Ok(())
}

/// Time on the core of all steps, and of all that recording does \[µs\].
fn times(world: &Path, place: &Path, format: RecordFormat) -> Result<[f64; 2], Box<dyn Error>> {
    let mut run = Setup::new(world).start()?;
    let options = RecordOptions {
        format: Some(format),
        rates: RecordRates::default().with_contacts(),
        ..RecordOptions::default()
    };
    let mut recorder = Recorder::create(place, &options, &run)?;
    let (mut stepping, mut recording) = (0.0, 0.0);
    for _ in 0..STEPS {
        let begun = microseconds();
        run.step()?;
        let stepped = microseconds();
        recorder.record(&run)?;
        stepping += stepped - begun;
        recording += microseconds() - stepped;
    }
    assert_eq!((run.description().links.len(), run.simulation().world.contact_reports().len()), (33, 128));
    let begun = microseconds();
    recorder.finish(&serde_json::json!({}))?;
    Ok([stepping, recording + microseconds() - begun])
}

/// Bytes of a file, or of all files of a folder.
fn size(path: &Path) -> std::io::Result<u64> {
    if path.is_file() {
        return Ok(fs::metadata(path)?.len());
    }
    fs::read_dir(path)?.map(|entry| Ok(entry?.metadata()?.len())).sum()
}

fn boxes() -> String {
    let mut text = String::from(
        "<sdf version=\"1.9\"><world name=\"boxes\"><model name=\"ground\"><static>true</static><link name=\"link\">\
         <collision name=\"shape\"><geometry><plane/></geometry></collision></link></model>",
    );
    for i in 0..32 {
        let (x, y) = (1.5 * f64::from(i % 8), 1.5 * f64::from(i / 8));
        text += &format!(
            "<model name=\"box_{i}\"><allow_auto_disable>false</allow_auto_disable><pose>{x} {y} 0.5 0 0 0</pose>\
             <link name=\"link\"><collision name=\"shape\"><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>"
        );
    }
    text + "</world></sdf>"
}
