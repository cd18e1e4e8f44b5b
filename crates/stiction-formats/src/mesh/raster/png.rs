//! PNG images.

use std::io::Cursor;

use png::{Decoder, Limits, Transformations};

use super::{Image, MOST_MEMORY, Pixel, check_size, colors, of_byte};

/// Begins every PNG file.
pub(super) const MAGIC: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Reads an image; `of_pixel` turns each pixel into a number.
pub(super) fn read(bytes: &[u8], of_pixel: fn(Pixel) -> f64) -> Result<Image, String> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MOST_MEMORY as usize });
    // Palettes become colours, and grey values of less than 8 bits become 8 bits.
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(|e| e.to_string())?;
    let (width, height) = reader.info().size();
    check_size(width, height)?;
    let Some(size) = reader.output_buffer_size().filter(|size| *size as u64 <= MOST_MEMORY) else {
        return Err(format!("{width} by {height} pixels take more than {} MB", MOST_MEMORY >> 20));
    };
    let mut data = vec![0; size];
    let frame = reader.next_frame(&mut data).map_err(|e| e.to_string())?;
    let channels = frame.color_type.samples();
    let rows = data.chunks_exact(frame.line_size).take(frame.height as usize);
    let mut values = Vec::with_capacity(frame.width as usize * frame.height as usize);
    for row in rows {
        if frame.bit_depth == png::BitDepth::Sixteen {
            let pixels = row.chunks_exact(2 * channels);
            values.extend(pixels.map(|p| of_pixel(colors(channels, |i| u16::from_be_bytes([p[2 * i], p[2 * i + 1]])))));
        } else {
            values.extend(row.chunks_exact(channels).map(|p| of_pixel(colors(channels, |i| of_byte(p[i])))));
        }
    }
    Ok(Image { columns: frame.width as usize, rows: frame.height as usize, values })
}
