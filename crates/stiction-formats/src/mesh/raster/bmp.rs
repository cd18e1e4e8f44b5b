//! BMP images.

use std::io::Cursor;

use image::{ImageFormat, ImageReader, Limits};

use super::{Image, MOST_MEMORY, MOST_PIXELS, Pixel, check_size};

/// Begins every BMP file.
pub(super) const MAGIC: &[u8] = b"BM";

/// Reads an image; `of_pixel` turns each pixel into a number.
pub(super) fn read(bytes: &[u8], of_pixel: fn(Pixel) -> f64) -> Result<Image, String> {
    let open = || ImageReader::with_format(Cursor::new(bytes), ImageFormat::Bmp);
    let (width, height) = open().into_dimensions().map_err(|e| e.to_string())?;
    check_size(width, height)?;
    let mut reader = open();
    let mut limits = Limits::default();
    limits.max_image_width = Some(MOST_PIXELS);
    limits.max_image_height = Some(MOST_PIXELS);
    limits.max_alloc = Some(MOST_MEMORY);
    reader.limits(limits);
    let image = reader.decode().map_err(|e| e.to_string())?.into_rgb8();
    let (columns, rows) = (image.width() as usize, image.height() as usize);
    Image::of_bytes([columns, rows], image.as_raw(), of_pixel)
}
