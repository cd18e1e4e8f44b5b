//! What the plots of the command and the figures of the documentation share: the font, and PNG files.

pub mod bitmap;

use std::sync::Once;

use plotters::style::{FontStyle, register_font};

/// Registers the font of all texts, `sans-serif`.
pub fn register_fonts() {
    static FONT: Once = Once::new();
    FONT.call_once(|| {
        // The error is a font that cannot be parsed; drawing text then fails and reports it.
        drop(register_font("sans-serif", FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT));
    });
}
