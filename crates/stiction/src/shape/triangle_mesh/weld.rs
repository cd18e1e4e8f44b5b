//! Vertices at one place.

use glam::DVec3;

/// An empty slot.
const EMPTY: u32 = u32::MAX;

/// The first vertex at each vertex' place; nothing if every vertex has a place of its own.
pub(super) fn weld(vertices: &[DVec3]) -> Vec<u32> {
    let mut welded = Vec::new();
    // A table of the first vertices, at most half full; the next free slot is theirs (Knuth 6.4, algorithm L).
    let mut table = vec![EMPTY; (2 * vertices.len()).next_power_of_two()];
    let mask = table.len() - 1;
    for (index, &vertex) in vertices.iter().enumerate() {
        let mut slot = hash(vertex) & mask;
        while table[slot] != EMPTY && vertices[table[slot] as usize] != vertex {
            slot = (slot + 1) & mask;
        }
        if table[slot] == EMPTY {
            table[slot] = index as u32;
            if !welded.is_empty() {
                welded[index] = index as u32;
            }
            continue;
        }
        if welded.is_empty() {
            welded = (0..vertices.len() as u32).collect();
        }
        welded[index] = table[slot];
    }
    welded
}

/// Every vertex is at the place that is known for it, and no two places are one.
pub(super) fn holds(welded: &[u32], vertices: &[DVec3]) -> bool {
    let count = vertices.len() as u32;
    if welded.is_empty() {
        return are_distinct(vertices, 0..count);
    }
    vertices.iter().zip(welded).all(|(p, &first)| *p == vertices[first as usize])
        && are_distinct(vertices, (0..count).filter(|&v| welded[v as usize] == v))
}

/// No two of these vertices are at one place. Each marks a bit; of two at one place the later one finds it marked. All are
/// then held against the few that did, most of which shared their bit with another place.
fn are_distinct(vertices: &[DVec3], numbers: impl Iterator<Item = u32> + Clone) -> bool {
    let bits = (MARKS * vertices.len()).next_power_of_two().max(64).ilog2();
    let mut marks = vec![0u64; 1 << (bits - 6)];
    let mut later = Vec::new();
    for v in numbers.clone() {
        let bit = (mixed(vertices[v as usize]) >> (64 - bits)) as usize;
        let (word, mask) = (&mut marks[bit >> 6], 1 << (bit & 63));
        if *word & mask != 0 {
            later.push(v);
        }
        *word |= mask;
    }
    // A table of those, nearly empty; the next free slot is theirs.
    let mut table = vec![EMPTY; (SLOTS * later.len()).next_power_of_two()];
    let mask = table.len() - 1;
    // Bits that are not those of the marks.
    let first_slot = |v: u32| mixed(vertices[v as usize]) as usize & mask;
    for &v in &later {
        let mut slot = first_slot(v);
        while table[slot] != EMPTY {
            slot = (slot + 1) & mask;
        }
        table[slot] = v;
    }
    let is_alone = |v: u32| {
        let mut slot = first_slot(v);
        while table[slot] != EMPTY {
            if table[slot] != v && vertices[table[slot] as usize] == vertices[v as usize] {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        true
    };
    let mut numbers = numbers;
    later.is_empty() || numbers.all(is_alone)
}

/// Bits for each vertex.
const MARKS: usize = 32;
/// Slots for each of those that are looked at again.
const SLOTS: usize = 32;

/// Odd, with bits of no pattern.
const MIX: u64 = 0xbf58_476d_1ce4_e5b9;

/// A number of the bits of all three coordinates.
#[inline]
fn mixed(vertex: DVec3) -> u64 {
    // Zero has one sign here.
    let [x, y, z] = (vertex + DVec3::ZERO).to_array().map(f64::to_bits);
    let sum = x
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(y.wrapping_mul(0xc2b2_ae3d_27d4_eb4f))
        .wrapping_add(z.wrapping_mul(0x94d0_49bb_1331_11eb));
    // Products have mixed their upper bits alone.
    sum ^ sum >> 29
}

/// Bits of all three coordinates, mixed (Steele, Lea and Flood, 2014).
fn hash(vertex: DVec3) -> usize {
    let mut sum = 0u64;
    // Zero has one sign here.
    for x in (vertex + DVec3::ZERO).to_array() {
        sum = (sum ^ x.to_bits()).wrapping_mul(MIX);
        sum ^= sum >> 29;
    }
    (sum ^ sum >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_vertex_of_a_place_stands_for_it() {
        let grid = |i: usize| DVec3::new((i % 7) as f64 * 0.1, (i / 7 % 5) as f64, -0.0);
        let vertices: Vec<DVec3> = (0..105).map(|i| if i < 70 { grid(i) } else { -grid(i) }).collect();
        let welded = weld(&vertices);
        for (i, p) in vertices.iter().enumerate() {
            assert_eq!(welded[i] as usize, vertices.iter().position(|q| q == p).unwrap());
        }
        assert!(holds(&welded, &vertices) && !holds(&[], &vertices));
        assert!(weld(&vertices[..35]).is_empty());
    }

    #[test]
    fn what_is_known_holds_as_long_as_a_new_look_finds_the_same() {
        let mut seed = 11u64;
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let mut held = 0;
        for round in 0..2000 {
            let side = [2, 40, 1000][round % 3];
            let mut place = || DVec3::new(next(side) as f64 - 1.0, 0.1 * next(side) as f64, next(2) as f64 * -0.0);
            let mut vertices: Vec<DVec3> = (0..1 + round % 90).map(|_| place()).collect();
            let known = weld(&vertices);
            assert!(holds(&known, &vertices));
            if round % 2 == 0 {
                vertices.iter_mut().for_each(|p| *p *= 1.5);
            }
            let moved = next(vertices.len() as u64) as usize;
            let to = next(vertices.len() as u64) as usize;
            vertices[moved] = if round % 7 == 0 { DVec3::splat(7.0) } else { vertices[to] };
            let is_same = weld(&vertices) == known;
            assert_eq!(holds(&known, &vertices), is_same, "{vertices:?}");
            held += u32::from(is_same);
        }
        assert!((200..1800).contains(&held), "{held}");
    }
}
