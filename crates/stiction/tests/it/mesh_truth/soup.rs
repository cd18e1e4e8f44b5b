//! Triangles without any order, asked by brute force: distances over all of them, inside by the winding number.

use stiction::math::DVec3;

use super::distance::{Convex, gap};

/// What lies behind the triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Inside {
    /// They close: inside is where the winding number says.
    Closed,
    /// Solid below a surface that is a function of x and z, y up, down to the floor at this height \[m\].
    Below(f64),
    /// Nothing: an open sheet, one-sided along its normals.
    Open,
}

/// A triangle soup.
#[derive(Clone, Debug)]
pub struct Soup {
    pub triangles: Vec<[DVec3; 3]>,
    pub inside: Inside,
}

/// Nearest point of a segment.
fn on_segment(p: DVec3, a: DVec3, b: DVec3) -> DVec3 {
    let ab = b - a;
    a + ab * ((p - a).dot(ab) / ab.length_squared()).clamp(0.0, 1.0)
}

/// Nearest point of a triangle: the foot on its plane if that lies inside, else the nearest of its sides.
pub fn on_triangle(p: DVec3, t: &[DVec3; 3]) -> DVec3 {
    let normal = (t[1] - t[0]).cross(t[2] - t[0]);
    let foot = p - normal * (normal.dot(p - t[0]) / normal.length_squared());
    let is_in = (0..3).all(|k| normal.dot((t[(k + 1) % 3] - t[k]).cross(foot - t[k])) >= 0.0);
    if is_in {
        return foot;
    }
    let sides = [0, 1, 2].map(|k| on_segment(p, t[k], t[(k + 1) % 3]));
    sides.into_iter().min_by(|x, y| (*x - p).length().total_cmp(&(*y - p).length())).unwrap()
}

pub fn normal(t: &[DVec3; 3]) -> DVec3 {
    (t[1] - t[0]).cross(t[2] - t[0]).normalize()
}

impl Soup {
    /// Sum of the solid angles over 4π (van Oosterom and Strackee, 1983): 1 inside, 0 outside.
    pub fn winding(&self, p: DVec3) -> f64 {
        let angle = |t: &[DVec3; 3]| {
            let [a, b, c] = t.map(|q| q - p);
            let (la, lb, lc) = (a.length(), b.length(), c.length());
            let determinant = a.dot(b.cross(c));
            let divisor = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            2.0 * determinant.atan2(divisor)
        };
        self.triangles.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
    }

    /// Height of the surface over a place.
    fn height(&self, p: DVec3) -> Option<f64> {
        self.triangles.iter().find_map(|t| {
            let n = (t[1] - t[0]).cross(t[2] - t[0]);
            let foot = p.with_y(t[0].y - (n.x * (p.x - t[0].x) + n.z * (p.z - t[0].z)) / n.y);
            let area = |k: usize| (t[(k + 1) % 3] - t[k]).cross(foot - t[k]).y;
            (0..3).all(|k| area(k) >= -1e-12).then_some(foot.y)
        })
    }

    pub fn contains(&self, p: DVec3) -> bool {
        match self.inside {
            Inside::Closed => self.winding(p) > 0.5,
            Inside::Below(floor) => p.y > floor && self.height(p).is_some_and(|y| p.y < y),
            Inside::Open => false,
        }
    }

    /// A way out may end here: not below or beside what has an end, nor behind an open sheet.
    pub fn is_outside(&self, p: DVec3) -> bool {
        match self.inside {
            Inside::Closed => true,
            Inside::Below(_) => self.height(p).is_some_and(|y| p.y > y),
            Inside::Open => super::way_out::front(self, p) > 0.0,
        }
    }

    /// The nearest point of the surface.
    pub fn nearest(&self, p: DVec3) -> DVec3 {
        let feet = self.triangles.iter().map(|t| on_triangle(p, t));
        feet.min_by(|x, y| (*x - p).length().total_cmp(&(*y - p).length())).unwrap()
    }

    /// Distance of the surface, negative inside.
    pub fn signed(&self, p: DVec3) -> f64 {
        let distance = (self.nearest(p) - p).length();
        if self.contains(p) { -distance } else { distance }
    }

    /// The same, of an open sheet by the side of the nearest place.
    pub fn signed_front(&self, p: DVec3) -> f64 {
        if self.inside == Inside::Open { super::way_out::front(self, p) } else { self.signed(p) }
    }

    /// Triangles whose bounding box comes within `reach` of a convex set's bounding sphere.
    fn near(&self, center: DVec3, reach: f64) -> impl Iterator<Item = &[DVec3; 3]> {
        self.triangles.iter().filter(move |t| {
            let (low, high) = (t[0].min(t[1]).min(t[2]), t[0].max(t[1]).max(t[2]));
            (center - center.clamp(low, high)).length() <= reach
        })
    }

    /// A convex set meets the surface.
    pub fn touches(&self, set: &Convex) -> bool {
        self.near(set.center(), set.reach()).any(|t| gap(set, t, true) <= 0.0)
    }

    /// A convex set meets the surface, or lies inside.
    pub fn overlaps(&self, set: &Convex) -> bool {
        self.touches(set) || self.contains(set.center())
    }

    /// A convex set may lie partly under a field and partly beside or below it: its box crosses the field's border or floor.
    /// At a corner of the field all its farthest points may be beside, and yet a part of it below.
    pub fn is_at_rim(&self, set: &Convex) -> bool {
        let Inside::Below(floor) = self.inside else { return false };
        let corners = || self.triangles.iter().flatten();
        let low = corners().fold(DVec3::INFINITY, |low, p| low.min(*p)).with_y(floor);
        let high = corners().fold(DVec3::NEG_INFINITY, |high, p| high.max(*p)).with_y(f64::INFINITY);
        let reach = |d: DVec3| set.support(d).dot(d);
        let near = -DVec3::new(reach(DVec3::NEG_X), reach(DVec3::NEG_Y), reach(DVec3::NEG_Z));
        let far = DVec3::new(reach(DVec3::X), reach(DVec3::Y), reach(DVec3::Z));
        let touches = near.cmple(high).all() && far.cmpge(low).all();
        touches && !(near.cmpge(low).all() && far.cmple(high).all())
    }

    /// Distance of a convex set that does not meet the surface, up to `most`.
    pub fn distance(&self, set: &Convex, most: f64) -> f64 {
        self.near(set.center(), set.reach() + most).map(|t| gap(set, t, false)).fold(most, f64::min)
    }
}
