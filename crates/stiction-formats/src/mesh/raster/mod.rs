//! Images and elevation models as numbers. PNG is always read; JPEG, BMP and GeoTIFF are features of the crate.

#[cfg_attr(not(feature = "bmp"), path = "no_bmp.rs")]
mod bmp;
#[cfg_attr(not(feature = "geotiff"), path = "no_geotiff.rs")]
mod geotiff;
#[cfg_attr(not(feature = "jpeg"), path = "no_jpeg.rs")]
mod jpeg;
mod png;

use std::path::Path;

use crate::bundled;

/// Largest side of an image \[pixels\].
const MOST_PIXELS: u32 = 16_385;
/// Most memory that decoding may take \[bytes\].
const MOST_MEMORY: u64 = 512 << 20;
/// Most pixels of an image: 8 bytes of memory each.
const MOST_VALUES: u64 = 1 << 25;
/// Largest file \[bytes\].
const MAX_BYTES: u64 = 256 << 20;

/// Red, green and blue of 16 bits.
type Pixel = [u16; 3];

/// An image with one number a pixel.
struct Image {
    columns: usize,
    rows: usize,
    values: Vec<f64>,
}

impl Image {
    /// An image of whole rows of pixels with a byte a channel: grey, grey and opacity, colours, or colours and opacity.
    #[cfg(any(feature = "jpeg", feature = "bmp"))]
    fn of_bytes([columns, rows]: [usize; 2], bytes: &[u8], of_pixel: fn(Pixel) -> f64) -> Result<Self, String> {
        let count = columns * rows;
        if count == 0 || !bytes.len().is_multiple_of(count) {
            return Err(format!("{columns} by {rows} pixels do not fit {} bytes", bytes.len()));
        }
        let channels = bytes.len() / count;
        let pixels = bytes.chunks_exact(channels);
        let values = pixels.map(|p| of_pixel(colors(channels, |i| of_byte(p[i])))).collect();
        Ok(Self { columns, rows, values })
    }
}

/// The image is not larger than what is read.
fn check_size(width: u32, height: u32) -> Result<(), String> {
    if width == 0 || height == 0 || width > MOST_PIXELS || height > MOST_PIXELS {
        return Err(format!("{width} by {height} pixels; the limit is {MOST_PIXELS} a side"));
    }
    if u64::from(width) * u64::from(height) > MOST_VALUES {
        return Err(format!("{width} by {height} pixels; the limit is {MOST_VALUES} in all"));
    }
    Ok(())
}

/// 8 bits v become 257 v: the same part of the whole.
fn of_byte(byte: u8) -> u16 {
    257 * u16::from(byte)
}

/// Red, green and blue; grey is all three, and opacity does not count.
fn colors(channels: usize, sample: impl Fn(usize) -> u16) -> Pixel {
    if channels < 3 { [sample(0); 3] } else { [0, 1, 2].map(sample) }
}

/// Numbers over a grid, row by row from the top.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Raster {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    pub(crate) values: Vec<f64>,
    /// The values are elevations \[m\], not parts of the brightest pixel there can be.
    pub(crate) is_elevation: bool,
    /// Extent along columns and rows \[m\], where the file says it.
    pub(crate) size: Option<[f64; 2]>,
}

impl Raster {
    pub(crate) fn range(&self) -> (f64, f64) {
        let start = (f64::INFINITY, f64::NEG_INFINITY);
        self.values.iter().fold(start, |(low, high), v| (low.min(*v), high.max(*v)))
    }
}

impl From<Image> for Raster {
    fn from(image: Image) -> Self {
        let Image { columns, rows, values } = image;
        Self { columns, rows, values, is_elevation: false, size: None }
    }
}

/// Reads a TIFF file as elevations, and every other file as an image whose first channel counts.
///
/// # Errors
/// What is wrong with the file, in words.
pub(crate) fn read(path: &Path) -> Result<Raster, String> {
    let bytes = bytes_of(path)?;
    if is_tiff(&bytes) { geotiff::elevations(&bytes) } else { decode(&bytes, first_channel).map(Raster::from) }
}

/// Means of the three channels of an image, 0 to 1, row by row from the top, and its sides.
///
/// # Errors
/// What is wrong with the file, in words.
pub(crate) fn brightness(path: &Path) -> Result<Raster, String> {
    decode(&bytes_of(path)?, mean).map(Raster::from)
}

fn first_channel(pixel: Pixel) -> f64 {
    f64::from(pixel[0]) / 65535.0
}

fn mean(pixel: Pixel) -> f64 {
    pixel.iter().map(|c| f64::from(*c)).sum::<f64>() / (3.0 * 65535.0)
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, String> {
    if let Some(bytes) = bundled::bytes(path) {
        return Ok(bytes.to_vec());
    }
    let metadata = std::fs::metadata(path).map_err(|e| e.to_string())?;
    if !metadata.is_file() || metadata.len() > MAX_BYTES {
        return Err(format!("it is not a regular file of at most {} MB", MAX_BYTES >> 20));
    }
    std::fs::read(path).map_err(|e| e.to_string())
}

fn is_tiff(bytes: &[u8]) -> bool {
    [b"II*\0", b"MM\0*", b"II+\0"].iter().any(|magic| bytes.starts_with(*magic))
}

fn decode(bytes: &[u8], of_pixel: fn(Pixel) -> f64) -> Result<Image, String> {
    if bytes.starts_with(png::MAGIC) {
        return png::read(bytes, of_pixel);
    }
    if bytes.starts_with(jpeg::MAGIC) {
        return jpeg::read(bytes, of_pixel);
    }
    if bytes.starts_with(bmp::MAGIC) {
        return bmp::read(bytes, of_pixel);
    }
    Err("the format is not known; expected PNG, JPEG, BMP or GeoTIFF".to_owned())
}
