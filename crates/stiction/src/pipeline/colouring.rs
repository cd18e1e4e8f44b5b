//! Colours: contacts of one share no moving body, so that they may be solved side by side.

/// Colours at most; what does not fit shares the last one, a bundle at a time.
pub(super) const COLOURS: usize = 63;

/// Numbers of contacts by colour; memory that is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Colouring {
    pub(super) lists: Vec<Vec<u32>>,
    /// Colours that the contacts of a body have, as bits.
    used: Vec<u64>,
}

impl Colouring {
    /// Gives contacts, by their numbers and each between the bodies at two places, the first colour that no contact before it has on a body that
    /// moves.
    pub(super) fn fill(
        &mut self,
        places: usize,
        pairs: impl Iterator<Item = (u32, [u32; 2])>,
        moves: impl Fn(u32) -> bool,
    ) {
        let Self { lists, used } = self;
        used.clear();
        used.resize(places, 0);
        lists.iter_mut().for_each(Vec::clear);
        for (number, pair) in pairs {
            let busy = pair.iter().filter(|place| moves(**place)).fold(0, |busy, place| busy | used[*place as usize]);
            let colour = ((!busy).trailing_zeros() as usize).min(COLOURS);
            for place in pair {
                used[place as usize] |= 1 << colour;
            }
            if lists.len() <= colour {
                lists.resize_with(colour + 1, Vec::new);
            }
            lists[colour].push(number);
        }
    }
}
