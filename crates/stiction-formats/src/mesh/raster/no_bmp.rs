//! In place of the reader of BMP images in builds without it.

use super::{Image, Pixel};
use crate::features::missing_feature;

/// Begins every file of this format.
pub(super) const MAGIC: &[u8] = b"BM";

pub(super) fn read(_bytes: &[u8], _of_pixel: fn(Pixel) -> f64) -> Result<Image, String> {
    Err(missing_feature("reader of BMP images", "bmp"))
}
