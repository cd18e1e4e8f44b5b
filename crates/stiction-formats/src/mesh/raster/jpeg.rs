//! JPEG images.

use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::{Image, MOST_PIXELS, Pixel, check_size};

/// Begins every JPEG file.
pub(super) const MAGIC: &[u8] = b"\xff\xd8\xff";

/// Reads an image; `of_pixel` turns each pixel into a number.
pub(super) fn read(bytes: &[u8], of_pixel: fn(Pixel) -> f64) -> Result<Image, String> {
    let options = DecoderOptions::new_safe()
        .set_max_width(MOST_PIXELS as usize)
        .set_max_height(MOST_PIXELS as usize)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(|e| e.to_string())?;
    let info = decoder.info().ok_or("it has no size")?;
    check_size(info.width.into(), info.height.into())?;
    let pixels = decoder.decode().map_err(|e| e.to_string())?;
    Image::of_bytes([usize::from(info.width), usize::from(info.height)], &pixels, of_pixel)
}
