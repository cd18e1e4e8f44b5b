//! PNG images of grey values.

/// An image of 8 bits, with a value for each column and row, from the top left.
pub fn grey(width: u32, height: u32, value: impl Fn(u32, u32) -> u8) -> Vec<u8> {
    let pixels: Vec<u8> = (0..width * height).map(|i| value(i % width, i / width)).collect();
    encoded(width, height, png::BitDepth::Eight, &pixels)
}

/// The same of 16 bits.
pub fn deep_grey(width: u32, height: u32, value: impl Fn(u32, u32) -> u16) -> Vec<u8> {
    let pixels: Vec<u8> = (0..width * height).flat_map(|i| value(i % width, i / width).to_be_bytes()).collect();
    encoded(width, height, png::BitDepth::Sixteen, &pixels)
}

fn encoded(width: u32, height: u32, depth: png::BitDepth, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(depth);
    encoder.write_header().unwrap().write_image_data(pixels).unwrap();
    bytes
}
