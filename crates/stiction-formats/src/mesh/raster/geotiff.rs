//! Elevations of GeoTIFF files.

use std::io::Cursor;

use tiff::decoder::{Decoder, DecodingResult};
use tiff::tags::Tag;

use super::{MOST_MEMORY, Raster, check_size};

/// Elevations of a GeoTIFF file of one band, of any type of number; the lowest elevation where there is no data.
pub(super) fn elevations(bytes: &[u8]) -> Result<Raster, String> {
    let error = |e: tiff::TiffError| e.to_string();
    let mut limits = tiff::decoder::Limits::default();
    limits.decoding_buffer_size = MOST_MEMORY as usize;
    let mut decoder = Decoder::new(Cursor::new(bytes)).map_err(error)?.with_limits(limits);
    let (width, height) = decoder.dimensions().map_err(error)?;
    check_size(width, height)?;
    let (columns, rows) = (width as usize, height as usize);
    let mut values: Vec<f64> = match decoder.read_image().map_err(error)? {
        DecodingResult::U8(v) => v.into_iter().map(f64::from).collect(),
        DecodingResult::I8(v) => v.into_iter().map(f64::from).collect(),
        DecodingResult::U16(v) => v.into_iter().map(f64::from).collect(),
        DecodingResult::I16(v) => v.into_iter().map(f64::from).collect(),
        DecodingResult::U32(v) => v.into_iter().map(f64::from).collect(),
        DecodingResult::I32(v) => v.into_iter().map(f64::from).collect(),
        DecodingResult::U64(v) => v.into_iter().map(|x| x as f64).collect(),
        DecodingResult::I64(v) => v.into_iter().map(|x| x as f64).collect(),
        DecodingResult::F32(v) => v.into_iter().map(f64::from).collect(),
        DecodingResult::F64(v) => v,
        DecodingResult::F16(v) => v.into_iter().map(|x| f64::from(x.to_f32())).collect(),
    };
    if values.len() != columns * rows {
        return Err(format!("{} bands; elevations have one", values.len() / (columns * rows).max(1)));
    }
    // GDAL's tag, in characters.
    let no_data = decoder.get_tag_ascii_string(Tag::GdalNodata).ok();
    let no_data = no_data.and_then(|text| text.trim_matches(['\0', ' ']).parse::<f64>().ok());
    let is_known = |v: f64| v.is_finite() && v.abs() < 1e30 && no_data.is_none_or(|none| v != none);
    let lowest = values.iter().copied().filter(|v| is_known(*v)).fold(f64::INFINITY, f64::min);
    if !lowest.is_finite() {
        return Err("it has no elevation".to_owned());
    }
    values.iter_mut().filter(|v| !is_known(**v)).for_each(|v| *v = lowest);
    let size = extent(&mut decoder, columns, rows);
    Ok(Raster { columns, rows, values, is_elevation: true, size })
}

/// Metres of the sides, by the size of a pixel; of one in degrees on a sphere with the equator of WGS 84.
fn extent(decoder: &mut Decoder<Cursor<&[u8]>>, columns: usize, rows: usize) -> Option<[f64; 2]> {
    let scale = decoder.get_tag_f64_vec(Tag::ModelPixelScaleTag).ok().filter(|s| s.len() >= 2)?;
    let [mut x, mut y] = [scale[0] * (columns - 1) as f64, scale[1] * (rows - 1) as f64];
    // Entries of four numbers: key, place, count, value.
    let keys = decoder.get_tag_u16_vec(Tag::GeoKeyDirectoryTag).unwrap_or_default();
    let model = keys.chunks_exact(4).skip(1).find(|key| key[0] == GT_MODEL_TYPE).map(|key| key[3]);
    if model == Some(GEOGRAPHIC) {
        let top = decoder.get_tag_f64_vec(Tag::ModelTiepointTag).ok().and_then(|t| t.get(4).copied()).unwrap_or(0.0);
        let latitude = (top - 0.5 * y).to_radians();
        let metres = 6_378_137.0_f64.to_radians();
        [x, y] = [x * metres * libm::cos(latitude), y * metres];
    }
    (x > 0.0 && y > 0.0 && x.is_finite() && y.is_finite()).then_some([x, y])
}

/// `GTModelTypeGeoKey` and its value for degrees.
const GT_MODEL_TYPE: u16 = 1024;
const GEOGRAPHIC: u16 = 2;
