//! Figures of the documentation, drawn from runs of the present build into a folder.

mod energy;
mod friction;
mod guide;
mod incline;
mod order;
mod rebound;
mod robots;
mod scene;
mod symptoms;
mod tutorial;
mod view;

use std::path::PathBuf;

use clap::Parser;
use scene::Failure;
use stiction_bench::chart::{self, Panel};

#[derive(Parser)]
#[command(about = "Draws the figures of the documentation")]
struct Options {
    /// Folder for the figures
    #[arg(long, default_value = "docs/figures")]
    to: PathBuf,
    /// Only figures whose name starts with this
    #[arg(long, default_value = "")]
    only: String,
    /// Kind of files: svg or png
    #[arg(long, default_value = "svg")]
    kind: String,
}

type Figure = fn() -> Result<Vec<Panel>, Failure>;

const FIGURES: [(&str, Figure); 20] = [
    ("agreement", order::panels),
    ("creep", friction::panels),
    ("energy_drift", energy::panels),
    ("guide_box_chain", guide::box_chain),
    ("guide_car", guide::car),
    ("guide_coming_and_going", guide::coming_and_going),
    ("guide_one_way", guide::one_way),
    ("guide_ramp_and_floor", guide::ramp_and_floor),
    ("guide_table", guide::table),
    ("guide_user_collision", guide::user_collision),
    ("incline", incline::panels),
    ("rebound", rebound::panels),
    ("robots", robots::panels),
    ("tutorial_double_pendulum", tutorial::double_pendulum),
    ("tutorial_fdir1", tutorial::fdir1),
    ("tutorial_friction", tutorial::friction),
    ("tutorial_max_vel", tutorial::max_vel),
    ("tutorial_min_depth", tutorial::min_depth),
    ("tutorial_slip", tutorial::slip),
    ("tutorial_torsional_friction", tutorial::torsional_friction),
];

fn main() -> Result<(), Failure> {
    let options = Options::parse();
    std::fs::create_dir_all(&options.to)?;
    for (name, panels) in FIGURES.iter().filter(|(name, _)| name.starts_with(&options.only)) {
        chart::draw(&options.to.join(format!("{name}.{}", options.kind)), &panels()?)?;
    }
    for symptom in stiction_run::Symptom::ALL {
        let name = format!("symptom_{}", symptom.file_name());
        if name.starts_with(&options.only) {
            symptoms::draw(symptom, &options.to.join(format!("{name}.svg")))?;
        }
    }
    for (name, draw) in view::PICTURES.iter().filter(|(name, _)| name.starts_with(&options.only)) {
        draw(&options.to.join(format!("{name}.png")))?;
    }
    Ok(())
}
