//! Places on the ellipsoid WGS84.

use stiction::math::DVec3;

/// Semi-major axis \[m\] and flattening of WGS84.
const A: f64 = 6_378_137.0;
const F: f64 = 1.0 / 298.257_223_563;
/// Square of the first eccentricity.
const E2: f64 = F * (2.0 - F);

/// Earth-centred, Earth-fixed coordinates \[m\] of a latitude and longitude \[rad\] and a height \[m\].
#[must_use]
pub fn to_ecef(latitude: f64, longitude: f64, height: f64) -> DVec3 {
    let (sin, cos) = (libm::sin(latitude), libm::cos(latitude));
    let n = A / libm::sqrt(1.0 - E2 * sin * sin);
    let across = (n + height) * cos;
    DVec3::new(across * libm::cos(longitude), across * libm::sin(longitude), (n * (1.0 - E2) + height) * sin)
}

/// Latitude and longitude \[rad\] and height \[m\]: Bowring's formula for the reduced latitude, `tan φ = (z + e'² b sin³β) /
/// (p − e² a cos³β)`, until it stands still.
#[must_use]
pub fn to_geodetic(place: DVec3) -> [f64; 3] {
    let p = libm::hypot(place.x, place.y);
    let b = A * (1.0 - F);
    let longitude = libm::atan2(place.y, place.x);
    let mut beta = libm::atan2(place.z, p * (1.0 - F));
    let mut latitude = 0.0;
    for _ in 0..8 {
        let (sin, cos) = (libm::sin(beta), libm::cos(beta));
        latitude = libm::atan2(place.z + E2 / (1.0 - E2) * b * sin * sin * sin, p - E2 * A * cos * cos * cos);
        let next = libm::atan2((1.0 - F) * libm::sin(latitude), libm::cos(latitude));
        if next == beta {
            break;
        }
        beta = next;
    }
    let (sin, cos) = (libm::sin(latitude), libm::cos(latitude));
    // Of the vector from the foot on the ellipsoid along the normal.
    let height = p * cos + place.z * sin - A * libm::sqrt(1.0 - E2 * sin * sin);
    [latitude, longitude, height]
}

/// East, north and up of a place on the Earth, as rows.
pub(super) fn local_axes(latitude: f64, longitude: f64) -> [DVec3; 3] {
    let (sin, cos) = (libm::sin(latitude), libm::cos(latitude));
    let (sl, cl) = (libm::sin(longitude), libm::cos(longitude));
    [DVec3::new(-sl, cl, 0.0), DVec3::new(-sin * cl, -sin * sl, cos), DVec3::new(cos * cl, cos * sl, sin)]
}
