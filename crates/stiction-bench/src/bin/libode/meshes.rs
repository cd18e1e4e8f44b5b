//! Collisions with triangle meshes by both libraries.

use std::collections::BTreeMap;
use std::error::Error;

use crate::library::{Library, Program};

/// Triangles of the terrain.
const SIZES: [usize; 2] = [5_000, 2_000_000];

/// Prints times with either library, the least of all runs, and how many times faster than stock ours is.
///
/// # Errors
/// No compiler, a library that is not built, a program that fails.
pub(crate) fn compare(repeats: usize, up_to: usize) -> Result<(), Box<dyn Error>> {
    let program = Program::build("meshes.c")?;
    println!("{:>9} {:<20} {:>12} {:>12} {:>7}", "triangles", "what", "stock µs", "ours µs", "ahead");
    for size in SIZES.into_iter().filter(|s| *s <= up_to) {
        let mut best: [BTreeMap<String, f64>; 2] = Default::default();
        for _ in 0..repeats {
            for (best, library) in best.iter_mut().zip([Library::Stock, Library::Exact]) {
                if library == Library::Stock && !program.has_stock() {
                    continue;
                }
                let times: BTreeMap<String, f64> =
                    serde_json::from_slice(&program.output(library, &[size.to_string()])?)?;
                for (name, time) in times {
                    best.entry(name).and_modify(|known| *known = known.min(time)).or_insert(time);
                }
            }
        }
        let [stock, ours] = best;
        for (name, time) in ours {
            let known = stock.get(&name);
            let [of_stock, ahead] = known.map_or(["-".to_owned(), "-".to_owned()], |stock| {
                [format!("{stock:.2}"), format!("{:.2}", stock / time)]
            });
            println!("{size:>9} {name:<20} {of_stock:>12} {time:>12.2} {ahead:>7}");
        }
    }
    Ok(())
}
