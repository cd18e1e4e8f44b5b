//! The laws of the contacts of a step, each once: pairs whose surfaces are alike and that have as many points have one together.

use super::again::LastRules;
use super::context::Model;
use super::wires::Segment;
use crate::material::{Combination, ContactSurface, Surface};
use crate::model::Geom;

/// Parameters of the contacts of a pair of shapes, or of more than one.
#[derive(Clone, Debug)]
pub(crate) struct PairLaw {
    pub(crate) surface: ContactSurface,
    /// Sides that are segments of wires.
    pub(crate) segments: [Option<Segment>; 2],
}

/// Number of different surfaces that are distinguished; pairs with any further surface have laws of their own.
const MOST_KINDS: usize = 32;

/// A surface unlike all others.
const UNLIKE: u32 = u32::MAX;

/// Which shapes have surfaces that are alike, by slot.
#[derive(Clone, Debug, Default)]
pub(crate) struct SurfaceKinds {
    of_geom: Vec<u32>,
    kinds: Vec<Surface>,
}

impl SurfaceKinds {
    /// Compares the surfaces, where they may have changed since the last step.
    pub(super) fn read(&mut self, model: &Model, last_rules: &LastRules) {
        let slots = model.geoms.slots();
        if last_rules.are_same && self.of_geom.len() == slots {
            return;
        }
        self.of_geom.clear();
        self.of_geom.resize(slots, UNLIKE);
        self.kinds.clear();
        // Under these rules the law of a pair is that of its surfaces and of the number of its points.
        let is_by_surfaces =
            matches!(model.parameters.combination, Combination::Hard | Combination::Bullet | Combination::Dart);
        if !is_by_surfaces || model.wires.slots() > 0 {
            return;
        }
        for (id, geom) in model.geoms.iter().filter(|(_, geom)| is_plain(geom)) {
            let known = self.kinds.iter().position(|kind| *kind == geom.surface);
            let kind = known.or_else(|| {
                self.kinds.push(geom.surface);
                Some(self.kinds.len() - 1).filter(|number| *number < MOST_KINDS)
            });
            self.kinds.truncate(MOST_KINDS);
            self.of_geom[id.slot()] = kind.map_or(UNLIKE, |kind| kind as u32);
        }
    }

    /// The kinds of the surfaces of two shapes, where the law of their contacts follows from these.
    fn of_pair(&self, slots: [u32; 2]) -> Option<[u32; 2]> {
        let kinds = slots.map(|slot| self.of_geom.get(slot as usize).copied().unwrap_or(UNLIKE));
        (!kinds.contains(&UNLIKE)).then_some(kinds)
    }
}

/// Neither poses nor shapes have a part in the law of its contacts.
fn is_plain(geom: &Geom) -> bool {
    let surface = &geom.surface;
    surface.material.is_none()
        && surface.direction.is_none()
        && surface.elasticity.is_none()
        && surface.belt.is_none()
        && geom.segment.is_none()
}

/// Laws that are looked up by what they follow from.
const PLACES: usize = 64;

/// The kinds of two surfaces, a number of points, and their law.
type Known = ([u32; 2], usize, u32);

/// Laws of some of the pairs of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct PairLaws {
    pub(super) all: Vec<PairLaw>,
    /// Those of pairs of kinds, by a number that is made from these.
    known: Vec<Option<Known>>,
}

impl PairLaws {
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.known.clear();
        self.known.resize(PLACES, None);
    }

    /// Number of the law of two shapes with so many points, which is made where it is not known.
    pub(super) fn number(
        &mut self,
        kinds: &SurfaceKinds,
        (slots, points): ([u32; 2], usize),
        make: impl FnOnce() -> PairLaw,
    ) -> u32 {
        let kinds = kinds.of_pair(slots);
        let place = kinds.map(|[a, b]| (7 * a as usize + 3 * b as usize + points) % PLACES);
        if let (Some(kinds), Some(place)) = (kinds, place)
            && let Some((of, count, law)) = self.known[place]
            && (of, count) == (kinds, points)
        {
            return law;
        }
        let law = self.all.len() as u32;
        self.all.push(make());
        if let (Some(kinds), Some(place)) = (kinds, place) {
            self.known[place] = Some((kinds, points, law));
        }
        law
    }
}
