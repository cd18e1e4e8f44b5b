//! Names of engines, and scenes as MJCF.

use roxmltree::Document;
use stiction_scenes::builtin;

use crate::engines::{Engine, Library, Source, USUAL, mjcf};

#[test]
fn names_of_engines() {
    let engine = |text: &str| text.parse::<Engine>();
    assert_eq!(engine("ode-quick:20").map(|e| e.source), Ok(Source::Ours));
    assert_eq!(engine("libode:20").map(|e| e.source), Ok(Source::Peer(Library::Ode)));
    assert!(USUAL.split(',').all(|name| engine(name).is_ok()));
    assert!(engine("havok").unwrap_err().contains("rapier-f64"));
    assert!(engine("libode:none").unwrap_err().contains("not a number"));
    assert!(engine("mujoco:4").unwrap_err().contains("takes no number of sweeps"));
}

#[test]
fn a_chain_is_a_tree_of_mjcf_and_ragdolls_exclude_their_own_parts() {
    let names = |text: &str, tag: &str| {
        let document = Document::parse(text).unwrap();
        document.descendants().filter(|n| n.has_tag_name(tag)).count()
    };
    let chain = mjcf::write(&builtin::chain(3, 0.01, 1));
    let document = Document::parse(&chain).unwrap();
    let last = document.descendants().find(|n| n.attribute("name") == Some("b2")).unwrap();
    assert_eq!(last.parent().and_then(|n| n.attribute("name")), Some("b1"));
    assert_eq!((names(&chain, "geom"), names(&chain, "joint")), (0, 3));
    let dolls = mjcf::write(&builtin::ragdolls(2, 0.01, 1));
    assert_eq!((names(&dolls, "freejoint"), names(&dolls, "exclude")), (2, 2 * 16 * 15 / 2));
}
