//! Times the steppers behind ODE's interface: one program in C, run with the stock library and with this one by turns.

mod figures;
mod library;
mod meshes;
mod scenes;

use std::error::Error;
use std::path::PathBuf;

use clap::Parser;

use library::{Library, Program, Run};
use scenes::{SCENES, Scene};

#[derive(Parser)]
#[command(about = "Times a program linked to libode with the stock library and with this one")]
struct Options {
    /// Runs with each library; the fastest counts
    #[arg(long, default_value_t = 3)]
    repeats: usize,
    /// Only scenes whose name starts with this
    #[arg(long, default_value = "")]
    only: String,
    /// Only scenes of at most this size
    #[arg(long, default_value_t = usize::MAX)]
    up_to: usize,
    /// Collisions with meshes of 5 000 and 2 000 000 triangles instead
    #[arg(long)]
    meshes: bool,
    /// Draws time and memory over rows into this folder
    #[arg(long)]
    figures: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    if options.meshes {
        return meshes::compare(options.repeats.max(1), options.up_to);
    }
    let program = Program::build("steppers.c")?;
    let mut lines = Vec::new();
    println!(
        "{:<8} {:>6} {:<8} {:>6} {:>9} {:>9} {:>7} {:>9} {:>7}   penetration mean / most, gap [mm]: stock | exact | fast",
        "scene", "size", "stepper", "rows", "stock µs", "exact", "ahead", "fast", "ahead"
    );
    for scene in SCENES.iter().filter(|s| s.name.starts_with(&options.only) && s.size <= options.up_to) {
        let line = Line::measure(&program, scene, options.repeats.max(1))?;
        line.print();
        lines.push(line);
    }
    if let Some(folder) = options.figures {
        std::fs::create_dir_all(&folder)?;
        figures::draw(&folder, &lines)?;
    }
    Ok(())
}

/// One scene with every library.
struct Line {
    scene: &'static Scene,
    /// None where the stock library is not installed.
    stock: Option<Run>,
    exact: Run,
    fast: Run,
}

impl Line {
    /// Runs by turns, so that a busy machine slows all alike.
    fn measure(program: &Program, scene: &'static Scene, repeats: usize) -> Result<Self, Box<dyn Error>> {
        let mut best: [Option<Run>; 3] = [None; 3];
        for _ in 0..repeats {
            for (best, library) in best.iter_mut().zip([Library::Stock, Library::Exact, Library::Fast]) {
                if library == Library::Stock && !program.has_stock() {
                    continue;
                }
                let run = program.run(library, scene)?;
                if best.is_none_or(|b| run.time < b.time) {
                    *best = Some(run);
                }
            }
        }
        let [stock, Some(exact), Some(fast)] = best else { return Err("nothing was run".into()) };
        Ok(Self { scene, stock, exact, fast })
    }

    fn print(&self) {
        let quality =
            |run: &Run| format!("{:.3} / {:.2}, {:.2}", 1e3 * run.depth_mean, 1e3 * run.depth_most, 1e3 * run.gap);
        let ahead = |run: &Run| self.stock.map_or("-".to_owned(), |s| format!("{:.2}", s.time / run.time));
        let time = |run: &Run| if run.time < 100.0 { format!("{:.2}", run.time) } else { format!("{:.0}", run.time) };
        let stock = self.stock.as_ref().map_or("-".to_owned(), time);
        let stock_quality = self.stock.as_ref().map_or("-".to_owned(), quality);
        let messages = self.stock.map_or(0, |s| s.messages);
        println!(
            "{:<8} {:>6} {:<8} {:>6} {:>9} {:>9} {:>7} {:>9} {:>7}   {} | {} | {}{}",
            self.scene.name,
            self.scene.size,
            self.scene.stepper,
            self.exact.rows,
            stock,
            time(&self.exact),
            ahead(&self.exact),
            time(&self.fast),
            ahead(&self.fast),
            stock_quality,
            quality(&self.exact),
            quality(&self.fast),
            if messages > 0 { format!("   {messages} LCP messages from stock") } else { String::new() },
        );
    }
}
