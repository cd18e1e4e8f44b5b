//! What sensors read of the Earth: the place on it, and its air.

use stiction::math::DVec3;

use super::super::geodesy::{local_axes, to_ecef, to_geodetic};
use super::values::SensorValue;
use crate::sensors::SphericalCoordinates;

/// Exact: by Earth-centred coordinates of the tangent plane at the origin.
pub(super) fn nav_sat(earth: &SphericalCoordinates, place: DVec3, velocity: DVec3) -> SensorValue {
    let (sin, cos) = (libm::sin(earth.heading), libm::cos(earth.heading));
    let level = |v: DVec3| DVec3::new(v.x * cos - v.y * sin, v.x * sin + v.y * cos, v.z);
    let [east, north, up] = local_axes(earth.latitude, earth.longitude);
    let fixed = |v: DVec3| level(v).x * east + level(v).y * north + level(v).z * up;
    let at = to_ecef(earth.latitude, earth.longitude, earth.elevation) + fixed(place);
    let [latitude, longitude, altitude] = to_geodetic(at);
    // The velocity is told in the axes of where the sensor is.
    let here = local_axes(latitude, longitude);
    let velocity = fixed(velocity);
    let velocity = DVec3::from_array(here.map(|axis| axis.dot(velocity)));
    SensorValue::NavSat { latitude: latitude.to_degrees(), longitude: longitude.to_degrees(), altitude, velocity }
}

/// Pressure of the standard atmosphere at a height \[m\]: `p = p₀ (T / T₀)^(g M / (R L))` by the geopotential height.
pub(super) fn standard_pressure(height: f64) -> f64 {
    const EARTH: f64 = 6_356_766.0;
    const LAPSE: f64 = 0.0065;
    const EXPONENT: f64 = 9.806_65 * 28.9644 / (8314.32 * LAPSE);
    let geopotential = EARTH * height / (EARTH + height);
    let ratio = (1.0 - LAPSE * geopotential / 288.15).max(0.0);
    101_325.0 * libm::pow(ratio, EXPONENT)
}
