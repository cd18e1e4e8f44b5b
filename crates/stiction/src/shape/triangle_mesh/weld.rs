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
    weld(vertices) == welded
}

/// Bits of all three coordinates, mixed (Steele, Lea and Flood, 2014).
fn hash(vertex: DVec3) -> usize {
    let mut sum = 0u64;
    // Zero has one sign here.
    for x in (vertex + DVec3::ZERO).to_array() {
        sum = (sum ^ x.to_bits()).wrapping_mul(0xbf58_476d_1ce4_e5b9);
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
}
