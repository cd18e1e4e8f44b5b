//! Vertices at one place become one vertex.

use stiction::math::DVec3;

/// An empty slot.
const EMPTY: u32 = u32::MAX;

/// Numbers places in the order in which they are first met. Places are equal if their coordinates are; 0 and −0 are.
#[derive(Default)]
pub(crate) struct Welder {
    vertices: Vec<DVec3>,
    /// The number of a place in one of the slots from its hash on (linear probing, Knuth 6.4 algorithm L), at most half
    /// full.
    slots: Vec<u32>,
}

impl Welder {
    pub(crate) fn with_capacity(places: usize) -> Self {
        let slots = vec![EMPTY; (2 * places.max(8)).next_power_of_two()];
        Self { vertices: Vec::with_capacity(places), slots }
    }

    /// The number of a place.
    pub(crate) fn index(&mut self, place: DVec3) -> u32 {
        if 2 * (self.vertices.len() + 1) > self.slots.len() {
            self.grow();
        }
        let place = place + DVec3::ZERO;
        let mask = self.slots.len() - 1;
        let mut slot = hash(place) & mask;
        while self.slots[slot] != EMPTY {
            let known = self.slots[slot];
            if self.vertices[known as usize] == place {
                return known;
            }
            slot = (slot + 1) & mask;
        }
        let new = self.vertices.len() as u32;
        self.slots[slot] = new;
        self.vertices.push(place);
        new
    }

    fn grow(&mut self) {
        let size = (2 * self.slots.len()).max(16);
        self.slots.clear();
        self.slots.resize(size, EMPTY);
        let mask = size - 1;
        for (number, place) in self.vertices.iter().enumerate() {
            let mut slot = hash(*place) & mask;
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = number as u32;
        }
    }

    /// The places by their numbers.
    pub(crate) fn into_vertices(self) -> Vec<DVec3> {
        self.vertices
    }
}

/// Bits of all three coordinates, mixed (Steele, Lea and Flood 2014).
fn hash(place: DVec3) -> usize {
    let mut sum = 0u64;
    for x in place.to_array() {
        sum = (sum ^ x.to_bits()).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        sum ^= sum >> 29;
    }
    (sum ^ sum >> 32) as usize
}
