//! Heightfields: y up, samples along x and z, centred on the frame.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use glam::DVec3;

use super::pose::Placed;
use super::sphere::resized;
use super::{GeomId, GeomShape, bounds::around, create, shape};
use crate::report::{require, require_internal};
use crate::types::dReal;

/// `dHeightfieldGetHeight`.
type HeightFn = unsafe extern "C-unwind" fn(*mut c_void, c_int, c_int) -> dReal;

/// Where the heights come from. Pointers are the program's arrays.
enum Heights {
    None,
    Callback { user_data: *mut c_void, function: HeightFn },
    Byte(*const u8),
    Short(*const i16),
    Single(*const f32),
    Double(*const f64),
    Copied(Vec<f64>),
}

/// `dHeightfieldDataID` points to this.
pub(crate) struct HeightfieldData {
    heights: Heights,
    /// Extent along x and z \[m\].
    pub size: [f64; 2],
    /// Samples along x and z.
    pub samples: [usize; 2],
    /// Height is `scale · sample + offset`.
    scale: f64,
    offset: f64,
    /// The ground reaches this far below the lowest sample \[m\].
    pub thickness: f64,
    /// The field repeats itself without end.
    pub wrap: bool,
    /// Lowest, with the thickness, and highest point \[m\].
    pub height_bounds: [f64; 2],
}

/// The numbers that every kind of data is built with.
struct Layout {
    size: [dReal; 2],
    samples: [c_int; 2],
    scale: dReal,
    offset: dReal,
    thickness: dReal,
    wrap: c_int,
}

impl HeightfieldData {
    /// Height of a sample \[m\]; its indices are cut to the field, or wrapped.
    pub(crate) fn height(&self, x: i64, z: i64) -> f64 {
        let index = |i: i64, samples: usize| {
            let last = samples as i64 - 1;
            (if self.wrap { i.rem_euclid(last) } else { i.clamp(0, last) }) as usize
        };
        let (x, z) = (index(x, self.samples[0]), index(z, self.samples[1]));
        self.sample(x, z) * self.scale + self.offset
    }

    fn sample(&self, x: usize, z: usize) -> f64 {
        let at = x + z * self.samples[0];
        // SAFETY: the program keeps its arrays, of the size it said; the indices are within.
        unsafe {
            match &self.heights {
                Heights::None => 0.0,
                Heights::Callback { user_data, function } => function(*user_data, x as c_int, z as c_int).into(),
                Heights::Byte(data) => (*data.add(at)).into(),
                Heights::Short(data) => (*data.add(at)).into(),
                Heights::Single(data) => (*data.add(at)).into(),
                Heights::Double(data) => *data.add(at),
                Heights::Copied(data) => data[at],
            }
        }
    }

    /// Between samples along x and z \[m\].
    pub(crate) fn spacing(&self) -> [f64; 2] {
        [0, 1].map(|axis| self.size[axis] / (self.samples[axis] - 1) as f64)
    }

    fn count(&self) -> usize {
        self.samples[0] * self.samples[1]
    }

    /// Sets all but the heights; false if the numbers make no field.
    fn lay_out(&mut self, layout: &Layout) -> bool {
        let [width, depth] = layout.size.map(f64::from);
        if !(width > 0.0 && depth > 0.0 && layout.samples.iter().all(|&n| n >= 2)) {
            return false;
        }
        self.size = [width, depth];
        self.samples = layout.samples.map(|n| n as usize);
        self.scale = layout.scale.into();
        self.offset = layout.offset.into();
        self.thickness = layout.thickness.into();
        self.wrap = layout.wrap != 0;
        true
    }

    /// Bounds from the samples; those of a callback are not known, and stay without end.
    fn measure(&mut self) {
        if matches!(self.heights, Heights::Callback { .. } | Heights::None) {
            self.height_bounds = [f64::NEG_INFINITY, f64::INFINITY];
            return;
        }
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for z in 0..self.samples[1] {
            for x in 0..self.samples[0] {
                let height = self.sample(x, z) * self.scale + self.offset;
                (low, high) = (low.min(height), high.max(height));
            }
        }
        self.height_bounds = [low - self.thickness, high];
    }

    /// Bounding box, at a pose if the field has one.
    pub(crate) fn bounds(&self, placed: Option<&Placed>) -> [f64; 6] {
        let [low, high] = self.height_bounds;
        let [x, z] = self.size.map(|v| 0.5 * v);
        let (infinite, turned) = (f64::INFINITY, placed.is_some());
        if self.wrap {
            let (low, high) = if turned { (-infinite, infinite) } else { (low, high) };
            return [-infinite, infinite, low, high, -infinite, infinite];
        }
        let Some(placed) = placed else { return [-x, x, low, high, -z, z] };
        if !(low.is_finite() && high.is_finite()) {
            return along_infinite_height(placed, [x, z], [low, high]);
        }
        let corner = |i: usize| {
            let side = |bit: usize, low: f64, high: f64| if i & bit == 0 { low } else { high };
            placed.point(DVec3::new(side(1, -x, x), side(2, low, high), side(4, -z, z)))
        };
        around((0..8).map(corner))
    }
}

/// Bounds of a box whose height has no end: without end along every world axis on which the height leans.
fn along_infinite_height(placed: &Placed, half: [f64; 2], height: [f64; 2]) -> [f64; 6] {
    let mut bounds = [0.0; 6];
    let rows = placed.rotation.transpose();
    for axis in 0..3 {
        let row = rows.col(axis);
        let reach = (row.x * half[0]).abs() + (row.z * half[1]).abs();
        let ends = if row.y == 0.0 { [0.0; 2] } else { height.map(|h| h * row.y) };
        bounds[2 * axis] = placed.position[axis] - reach + ends[0].min(ends[1]);
        bounds[2 * axis + 1] = placed.position[axis] + reach + ends[0].max(ends[1]);
    }
    bounds
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomHeightfieldDataCreate() -> *mut HeightfieldData {
    Box::into_raw(Box::new(HeightfieldData {
        heights: Heights::None,
        size: [0.0; 2],
        samples: [0; 2],
        scale: 0.0,
        offset: 0.0,
        thickness: 0.0,
        wrap: false,
        height_bounds: [0.0; 2],
    }))
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomHeightfieldDataDestroy(data: *mut HeightfieldData) {
    require!(!data.is_null(), "argument not Heightfield data");
    drop(Box::from_raw(data));
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomHeightfieldDataBuildCallback(
    data: *mut HeightfieldData,
    user_data: *mut c_void,
    function: Option<HeightFn>,
    width: dReal,
    depth: dReal,
    width_samples: c_int,
    depth_samples: c_int,
    scale: dReal,
    offset: dReal,
    thickness: dReal,
    wrap: c_int,
) {
    require!(!data.is_null(), "argument not Heightfield data");
    let Some(function) = function else {
        require_internal!(false, "a heightfield needs a callback");
        return;
    };
    let layout =
        Layout { size: [width, depth], samples: [width_samples, depth_samples], scale, offset, thickness, wrap };
    require_internal!((*data).lay_out(&layout), "a heightfield needs an extent and two samples each way");
    (*data).heights = Heights::Callback { user_data, function };
    (*data).measure();
}

/// Builders for the types of samples.
macro_rules! builders {
    ($($name:ident: $number:ty => $kind:ident;)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $name(
            data: *mut HeightfieldData,
            heights: *const $number,
            copy: c_int,
            width: dReal,
            depth: dReal,
            width_samples: c_int,
            depth_samples: c_int,
            scale: dReal,
            offset: dReal,
            thickness: dReal,
            wrap: c_int,
        ) {
            require!(!data.is_null(), "argument not Heightfield data");
            require_internal!(!heights.is_null(), "a heightfield needs heights");
            let layout = Layout {
                size: [width, depth],
                samples: [width_samples, depth_samples],
                scale,
                offset,
                thickness,
                wrap,
            };
            require_internal!((*data).lay_out(&layout), "a heightfield needs an extent and two samples each way");
            (*data).heights = if copy == 0 {
                Heights::$kind(heights)
            } else {
                let samples = std::slice::from_raw_parts(heights, (*data).count());
                Heights::Copied(samples.iter().map(|&h| h.into()).collect())
            };
            (*data).measure();
        }
    )*};
}

builders! {
    dGeomHeightfieldDataBuildByte: u8 => Byte;
    dGeomHeightfieldDataBuildShort: i16 => Short;
    dGeomHeightfieldDataBuildSingle: f32 => Single;
    dGeomHeightfieldDataBuildDouble: f64 => Double;
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomHeightfieldDataSetBounds(
    data: *mut HeightfieldData,
    low: dReal,
    high: dReal,
) {
    require!(!data.is_null(), "argument not Heightfield data");
    let data = &mut *data;
    let scaled = |h: dReal| f64::from(h) * data.scale + data.offset;
    data.height_bounds = [scaled(low) - data.thickness, scaled(high)];
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dCreateHeightfield(
    space: GeomId,
    data: *mut HeightfieldData,
    placeable: c_int,
) -> GeomId {
    create(space, placeable != 0, GeomShape::Heightfield(data))
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomHeightfieldSetHeightfieldData(geom: GeomId, new: *mut HeightfieldData) {
    shape!(geom, GeomShape::Heightfield(data) => *data = new, "argument not a heightfield");
    resized(geom);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomHeightfieldGetHeightfieldData(geom: GeomId) -> *mut HeightfieldData {
    shape!(geom, GeomShape::Heightfield(data) => *data, "argument not a heightfield", null_mut())
}
