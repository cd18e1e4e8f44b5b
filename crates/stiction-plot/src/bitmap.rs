//! Pictures as PNG files.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// Room for the pixels of a picture of a width and a height: red, green and blue, a byte each.
#[must_use]
pub fn pixels((width, height): (u32, u32)) -> Vec<u8> {
    vec![0; 3 * width as usize * height as usize]
}

/// Writes pixels of a width and a height, row by row from the top.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, (width, height): (u32, u32), pixels: &[u8]) -> Result<(), png::EncodingError> {
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), width, height);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()
}
