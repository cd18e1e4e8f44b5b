//! BMP images.

use zune_bmp::BmpDecoder;
use zune_bmp::zune_core::bytestream::ZCursor;
use zune_bmp::zune_core::options::DecoderOptions;

use super::{Image, MOST_PIXELS, Pixel};

/// Begins every BMP file.
pub(super) const MAGIC: &[u8] = b"BM";

/// Reads an image; `of_pixel` turns each pixel into a number.
pub(super) fn read(bytes: &[u8], of_pixel: fn(Pixel) -> f64) -> Result<Image, String> {
    let options = DecoderOptions::new_safe().set_max_width(MOST_PIXELS as usize).set_max_height(MOST_PIXELS as usize);
    let mut decoder = BmpDecoder::new_with_options(ZCursor::new(bytes), options);
    let pixels = decoder.decode().map_err(|e| format!("{e:?}"))?;
    let (columns, rows) = decoder.dimensions().ok_or("it has no size")?;
    Image::of_bytes([columns, rows], &pixels, of_pixel)
}
