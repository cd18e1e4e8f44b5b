//! In place of the reader of GeoTIFF files in builds without it.

use super::Raster;
use crate::features::missing_feature;

pub(super) fn elevations(_bytes: &[u8]) -> Result<Raster, String> {
    Err(missing_feature("reader of GeoTIFF files", "geotiff"))
}
