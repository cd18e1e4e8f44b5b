//! Links of trees of joints, one tree a lane: trees whose links are held alike lie side by side.

/// Numbers of the inertia of a link, and of the factor of a free root.
pub(crate) const INERTIA: usize = 21;

/// What holds a link of the trees of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// A root that nothing holds.
    Free,
    /// Nothing moves it.
    Welded,
    /// A joint with so many degrees of freedom, up to three.
    Joint(u8),
}

impl Held {
    /// Degrees of freedom of the joint.
    pub(super) const fn dofs(self) -> usize {
        match self {
            Self::Joint(dofs) => dofs as usize,
            Self::Free | Self::Welded => 0,
        }
    }
}

/// A link of the trees of a group, parents before their children. World axes; spatial vectors have a linear and an angular part.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct TreeLink<const W: usize> {
    /// Places of the bodies.
    pub(crate) places: [u32; W],
    /// Number in the group of the link that carries it, or `u32::MAX`.
    pub(crate) parent: u32,
    pub(crate) held: Held,
    /// Share of its body, where a loop is cut at that, and whether it is a half after the first.
    pub(crate) share: f64,
    pub(crate) is_half: bool,
    /// Roots of the mass and the moments, and principal axes by columns.
    pub(crate) root_mass: [f64; W],
    pub(crate) root_moments: [[f64; W]; 3],
    pub(crate) axes: [[[f64; W]; 3]; 3],
    /// From its centre to that of its parent.
    pub(crate) to_parent: [[f64; W]; 3],
    /// Directions s of its motions at its centre, `Y s`, and the inverse of `sᵀ Y s`.
    pub(crate) motions: [[[f64; W]; 6]; 3],
    pub(crate) pushed: [[[f64; W]; 6]; 3],
    pub(crate) inverse: [[[f64; W]; 3]; 3],
    /// Articulated inertia at its centre, `A` (6), `B` (9), `C` (6): momentum `A v + B ω`, moment `Bᵀ v + C ω`. Of a free root, once it is
    /// factored: the rows of the lower Cholesky factor, the diagonal inverted.
    pub(crate) inertia: [[f64; W]; INERTIA],
    /// Inertia of rotors that turn with its motions, and that of laws, which carries no momentum.
    pub(crate) added: [[f64; W]; 3],
    pub(crate) slopes: [[f64; W]; 3],
    /// Impulses along the motions, and momenta of rotors; the rates that the last projection found.
    pub(crate) impulses: [[f64; W]; 3],
    pub(crate) carried: [[f64; W]; 3],
    pub(crate) rates: [[f64; W]; 3],
    /// Rates put aside.
    pub(super) kept: [[f64; W]; 3],
    /// Momentum of the link and what it carries along the motions, before these take any.
    pub(crate) along: [[f64; W]; 3],
    /// Momentum, then velocity of the centre.
    pub(super) state: [[f64; W]; 6],
}

impl<const W: usize> TreeLink<W> {
    /// A link without bodies, all of whose places are that of nobody: its velocity is zero.
    pub(crate) const fn new(held: Held, parent: u32, nobody: u32) -> Self {
        Self {
            places: [nobody; W],
            parent,
            held,
            share: 1.0,
            is_half: false,
            root_mass: [0.0; W],
            root_moments: [[0.0; W]; 3],
            axes: [[[0.0; W]; 3]; 3],
            to_parent: [[0.0; W]; 3],
            motions: [[[0.0; W]; 6]; 3],
            pushed: [[[0.0; W]; 6]; 3],
            inverse: [[[0.0; W]; 3]; 3],
            inertia: [[0.0; W]; INERTIA],
            added: [[0.0; W]; 3],
            slopes: [[0.0; W]; 3],
            impulses: [[0.0; W]; 3],
            carried: [[0.0; W]; 3],
            rates: [[0.0; W]; 3],
            kept: [[0.0; W]; 3],
            along: [[0.0; W]; 3],
            state: [[0.0; W]; 6],
        }
    }

    /// Something moves it.
    pub(super) fn moves(&self) -> bool {
        self.held != Held::Welded
    }

    /// Nothing acts along its motions, and no rotor turns.
    pub(crate) fn begin(&mut self) {
        (self.impulses, self.carried) = ([[0.0; W]; 3], [[0.0; W]; 3]);
    }

    /// The velocity of its centre, and its angular velocity, once they are found.
    pub(crate) const fn velocity(&self) -> &[[f64; W]; 6] {
        &self.state
    }
}
