//! A chart as a drawing within a page.

use plotters::prelude::*;

use stiction_plot::register_fonts;

use crate::chart::{Chart, Scale};
use crate::exit::Failure;

use super::html::escape;

/// Size of a drawing; the page scales it.
const SIZE: (u32, u32) = (720, 300);

/// The chart as an `svg` element with a title for those who cannot see it. Colours are attributes, which the style of the page
/// replaces where the page is dark.
pub fn element(chart: &Chart, title: &str) -> Result<String, Failure> {
    register_fonts();
    let (width, height) = if chart.scale == Scale::Map { (SIZE.0, SIZE.0) } else { SIZE };
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
        let failed = |e: &dyn std::fmt::Display| Failure::output(format!("a chart cannot be drawn: {e}"));
        chart.draw(&area, false).map_err(|e| failed(&e))?;
        area.present().map_err(|e| failed(&e))?;
    }
    // The element's own head has a fixed size and a name space that a page does not need.
    let body = text.split_once("<svg").and_then(|(_, rest)| rest.split_once('>')).map_or("", |(_, body)| body);
    Ok(format!("<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">{body}", escape(title)))
}
