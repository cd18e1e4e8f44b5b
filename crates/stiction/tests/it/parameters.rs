//! `docs/parameters.md` is made from the table of parameters.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;
use std::path::Path;

use stiction::parameter::{Scope, all};

fn page() -> String {
    let mut text = String::from(
        "# Parameters\n\nMade from the table in `crates/stiction/src/parameter`; `stiction list FILE` shows the paths of a file.\n\
         A default is what a file means that does not give the parameter; `library` is what `WorldParameters::default()` has where that is\n\
         something else.\n",
    );
    let scopes = [
        (Scope::World, "Of the world (SDFormat)"),
        (Scope::Engine, "Of the engine (`--set`)"),
        (Scope::Surface, "Of a surface (below `<collision>`)"),
        (Scope::Joint, "Of a joint (below `<joint>`)"),
    ];
    for (scope, title) in scopes {
        write!(text, "\n## {title}\n\n| path | unit | default | range | two surfaces | meaning | equation | feeds |\n|---|---|---|---|---|---|---|---|\n").unwrap();
        for p in all().filter(|p| p.scope == scope) {
            let default = match p.library_default {
                "" => p.default.to_owned(),
                library => format!("{} (library: {library})", p.default),
            };
            let equation = p.equation.replace('|', "\\|");
            writeln!(
                text,
                "| `{}` | {} | {} | {} | {} | {} | {equation} | `{}` |",
                p.path, p.unit, default, p.range, p.combination, p.meaning, p.feeds
            )
            .unwrap();
        }
    }
    text
}

#[test]
fn the_page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/parameters.md");
    let page = page();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), page, "run with UPDATE=1");
}
