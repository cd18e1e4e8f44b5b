//! Patches of rigid contacts, which sub-steps keep from step to step.

use serde::{Deserialize, Serialize};

use stiction::math::DQuat;
use stiction::world::GeomId;
use stiction::{PATCH_RECORDS, PatchHead, RelativePlace, RollingShape};

use super::continuation::{Three, three, vector};
use super::number::Number;

/// How two shapes were to each other when their points were looked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    centers: [Three; 2],
    /// w, x, y, z.
    rotation: [Number; 4],
    radius: Number,
    tolerance: Number,
    margin: Number,
    /// The shape that may roll about its own axis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rolling: Option<Rolling>,
}

/// One of the two shapes of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Rolling {
    First,
    Second,
}

impl Found {
    fn of(place: &RelativePlace) -> Self {
        let q = place.rotation;
        Self {
            centers: place.centers.map(three),
            rotation: [q.w, q.x, q.y, q.z].map(Number),
            radius: Number(place.radius),
            tolerance: Number(place.tolerance),
            margin: Number(place.margin),
            rolling: place.rolling.map(|shape| match shape {
                RollingShape::First => Rolling::First,
                RollingShape::Second => Rolling::Second,
            }),
        }
    }

    fn read(&self) -> Option<RelativePlace> {
        let [w, x, y, z] = self.rotation.map(|number| number.0);
        let place = RelativePlace {
            centers: [vector(&self.centers[0]), vector(&self.centers[1])],
            rotation: DQuat::from_xyzw(x, y, z, w),
            radius: self.radius.0,
            tolerance: self.tolerance.0,
            margin: self.margin.0,
            rolling: self.rolling.map(|shape| match shape {
                Rolling::First => RollingShape::First,
                Rolling::Second => RollingShape::Second,
            }),
        };
        let is_finite = place.centers.iter().all(|center| center.is_finite())
            && place.rotation.is_finite()
            && place.radius.is_finite()
            && place.tolerance.is_finite()
            && place.margin.is_finite();
        is_finite.then_some(place)
    }
}

const NOT_FINITE: &str = "a number of a patch of contacts is not finite";

/// A patch: what it is, and its places and impulses as the engine has them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Patch {
    pub(super) between: [String; 2],
    /// The normal points into the second.
    turned: bool,
    features: Vec<u32>,
    placed: bool,
    push: Number,
    layer: Number,
    bears: bool,
    stored: [Number; 4],
    found: Found,
    records: Vec<[Number; 8]>,
}

impl Patch {
    pub(super) fn of(between: [String; 2], head: &PatchHead, records: &[[f64; 8]; PATCH_RECORDS]) -> Self {
        Self {
            between,
            turned: head.is_turned,
            features: head.features[..head.count as usize].to_vec(),
            placed: head.is_placed,
            push: Number(head.push),
            layer: Number(head.layer),
            bears: head.bears,
            stored: head.stored.map(Number),
            found: Found::of(&head.found),
            records: records.iter().map(|record| record.map(Number)).collect(),
        }
    }

    /// The patch of two shapes and their bodies.
    ///
    /// # Errors
    /// Numbers of points or records that no patch has, and numbers that are not finite.
    pub(super) fn read(
        &self,
        shapes: [GeomId; 2],
        bodies: [Option<u32>; 2],
    ) -> Result<(PatchHead, [[f64; 8]; PATCH_RECORDS]), &'static str> {
        let count = self.features.len();
        if !(1..=4).contains(&count) {
            return Err("a patch of contacts has one to four points");
        }
        let records: Vec<[f64; 8]> = self.records.iter().map(|record| record.map(|number| number.0)).collect();
        let records =
            <[[f64; 8]; PATCH_RECORDS]>::try_from(records).map_err(|_| "a patch of contacts has six records")?;
        let [first, second] = bodies.map(|body| body.unwrap_or(u32::MAX));
        let head = PatchHead {
            geoms: shapes.map(|id| id.slot() as u32),
            bodies: if self.turned { [second, first] } else { [first, second] },
            is_turned: self.turned,
            features: std::array::from_fn(|k| self.features.get(k).copied().unwrap_or(0)),
            count: count as u8,
            is_placed: self.placed,
            push: self.push.0,
            layer: self.layer.0,
            bears: self.bears,
            stored: self.stored.map(|number| number.0),
            found: self.found.read().ok_or(NOT_FINITE)?,
        };
        let bounds_are_numbers = head.push >= 0.0 && head.layer.is_finite();
        let is_finite = bounds_are_numbers && records.iter().flatten().chain(&head.stored).all(|x| x.is_finite());
        if is_finite { Ok((head, records)) } else { Err(NOT_FINITE) }
    }
}
