//! Numbers that are joined to groups two by two: each leads to another one of its group, the first of a group to itself.

/// The first of the group of a number.
pub(crate) fn first_of(parents: &[u32], mut number: u32) -> u32 {
    while parents[number as usize] != number {
        number = parents[number as usize];
    }
    number
}

/// Joins the groups of two numbers to that of the lower first one.
pub(crate) fn join(parents: &mut [u32], pair: [u32; 2]) {
    let [a, b] = pair.map(|number| {
        let first = first_of(parents, number);
        parents[number as usize] = first;
        first
    });
    parents[a.max(b) as usize] = a.min(b);
}
