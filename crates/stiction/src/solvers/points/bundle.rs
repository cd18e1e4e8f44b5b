//! Groups of contact points next to each other, as sweeps read them.

/// Rows of a point: normal, two tangents.
pub(crate) const ROWS: usize = 3;

/// `W` groups of points that share no moving body with each other.
///
/// Directions are the same for all points of a group and across each other, so that the linear parts of its rows are uncoupled: the
/// velocity of row k is `s_k + y_kᵃ·ωᵃ + y_kᵇ·ωᵇ` with `s_k = d_k·(vᵃ − vᵇ)` of the centres of mass, and an impulse δ changes
/// `s_k` by `|d_k|² (1/mᵃ + 1/mᵇ) δ`. Velocities are whitened, `z = L v`.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Group<const W: usize> {
    /// Places of the two bodies.
    pub(crate) bodies: [[u32; W]; 2],
    /// Numbers of the groups, of their first points, and how many they have.
    pub(crate) numbers: [u32; W],
    pub(crate) points: [u32; W],
    pub(crate) counts: [u32; W],
    /// Its points among those of the bundles.
    pub(crate) first: u32,
    pub(crate) count: u32,
    /// Normal and tangents.
    pub(super) directions: [[[f64; W]; 3]; ROWS],
    /// `1/√m` of both bodies.
    pub(super) inverse_root_mass: [[f64; W]; 2],
    /// `|d_k|² (1/mᵃ + 1/mᵇ)`.
    pub(super) linear: [[f64; W]; ROWS],
    /// Coefficients of friction.
    pub(super) friction: [[f64; W]; 2],
    /// Friction that does not depend on the load, as an impulse \[N s\].
    pub(super) dry: [[f64; W]; 2],
    /// Positive where the two axes of friction have one bound (a cone).
    pub(super) cone: [f64; W],
    /// Largest diagonal of a row, and with it the largest change of a velocity in the last measured sweep \[m/s\].
    pub(super) largest: [f64; W],
    pub(crate) change: [f64; W],
    /// Largest share `r² / A` of the last measurement.
    pub(crate) left: [f64; W],
    /// Some group has friction other than a pyramid that follows the load, or its points have terms.
    pub(crate) is_special: bool,
    /// All groups are still.
    pub(crate) is_still: bool,
}

/// A contact point of every group. Rows are scaled by `ω / A_kk`.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Point<const W: usize> {
    /// Angular part of each row, of both bodies.
    pub(super) angular: [[[[f64; W]; 3]; 2]; ROWS],
    /// `ω / A_kk`; 0 of a row that is not there.
    pub(super) scale: [[f64; W]; ROWS],
    /// `ω A_kj / A_kk` of `(1, 0)`, `(2, 0)`, `(2, 1)`.
    pub(super) coupling: [[f64; W]; ROWS],
    /// `1 − ω Γ / A_kk` and `ω b / A_kk` of the normal.
    pub(super) keep: [f64; W],
    pub(super) goal: [f64; W],
    /// Impulses.
    pub(super) lambda: [[f64; W]; ROWS],
}

/// What only some points have.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Terms<const W: usize> {
    /// `1 − ω Γ / A_kk` and `ω b / A_kk` of friction.
    pub(super) keep: [[f64; W]; 2],
    pub(super) goal: [[f64; W]; 2],
    /// `ω / (A₀₀ − Γ)` of the normal, and the largest velocity that its correction may leave.
    pub(super) rigid_scale: [f64; W],
    pub(super) cap: [f64; W],
}

/// Groups in the order of visits, with their points; memory that is used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bundles<const W: usize> {
    all: Vec<Group<W>>,
    count: usize,
    pub(super) points: Vec<Point<W>>,
    pub(super) terms: Vec<Terms<W>>,
}

impl<const W: usize> Group<W> {
    const EMPTY: Self = Self {
        bodies: [[0; W]; 2],
        numbers: [0; W],
        points: [0; W],
        counts: [0; W],
        first: 0,
        count: 0,
        directions: [[[0.0; W]; 3]; ROWS],
        inverse_root_mass: [[0.0; W]; 2],
        linear: [[0.0; W]; ROWS],
        friction: [[0.0; W]; 2],
        dry: [[0.0; W]; 2],
        cone: [0.0; W],
        largest: [0.0; W],
        change: [0.0; W],
        left: [0.0; W],
        is_special: false,
        is_still: false,
    };
}

impl<const W: usize> Point<W> {
    const EMPTY: Self = Self {
        angular: [[[[0.0; W]; 3]; 2]; ROWS],
        scale: [[0.0; W]; ROWS],
        coupling: [[0.0; W]; ROWS],
        keep: [0.0; W],
        goal: [0.0; W],
        lambda: [[0.0; W]; ROWS],
    };
}

impl<const W: usize> Terms<W> {
    const EMPTY: Self = Self { keep: [[0.0; W]; 2], goal: [[0.0; W]; 2], rigid_scale: [0.0; W], cap: [0.0; W] };
}

impl<const W: usize> Bundles<W> {
    /// Forgets all groups.
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds groups with a number of points; no lane has one yet: all are on the body of nothing, `nobody`, and of the number `nothing`.
    pub(crate) fn add(&mut self, nobody: u32, nothing: u32, count: u32) -> &mut Group<W> {
        let first = self.groups().last().map_or(0, |last| last.first + last.count);
        if self.count == self.all.len() {
            self.all.push(Group::EMPTY);
        }
        self.count += 1;
        let group = &mut self.all[self.count - 1];
        (group.bodies, group.numbers, group.counts) = ([[nobody; W]; 2], [nothing; W], [0; W]);
        (group.first, group.count, group.is_special, group.is_still) = (first, count, false, false);
        group
    }

    pub(crate) fn groups(&self) -> &[Group<W>] {
        &self.all[..self.count]
    }

    pub(crate) fn groups_mut(&mut self) -> &mut [Group<W>] {
        &mut self.all[..self.count]
    }

    /// Groups, points and terms.
    pub(super) fn parts(&mut self) -> (&mut [Group<W>], &mut [Point<W>], &mut [Terms<W>]) {
        (&mut self.all[..self.count], &mut self.points, &mut self.terms)
    }

    /// Makes room for the points of all groups.
    pub(crate) fn make_room(&mut self) {
        let count = self.groups().last().map_or(0, |last| (last.first + last.count) as usize);
        if self.points.len() < count {
            self.points.resize(count, Point::EMPTY);
            self.terms.resize(count, Terms::EMPTY);
        }
    }

    /// Leaves the group of a lane as it is from now on.
    pub(crate) fn freeze(&mut self, group: usize, lane: usize) {
        let group = &mut self.all[group];
        let range = group.first as usize..(group.first + group.count) as usize;
        // What is within its bounds stays there.
        group.dry.iter_mut().for_each(|dry| dry[lane] = f64::INFINITY);
        for (point, terms) in self.points[range.clone()].iter_mut().zip(&mut self.terms[range]) {
            point.scale.iter_mut().for_each(|scale| scale[lane] = 0.0);
            (point.keep[lane], point.goal[lane]) = (1.0, 0.0);
            point.coupling.iter_mut().for_each(|coupling| coupling[lane] = 0.0);
            terms.keep.iter_mut().for_each(|keep| keep[lane] = 1.0);
            terms.goal.iter_mut().for_each(|goal| goal[lane] = 0.0);
            terms.rigid_scale[lane] = 0.0;
        }
    }

    /// Impulses of a point of a group in a lane, and its friction in the world.
    pub(crate) fn impulses(&self, group: &Group<W>, number: u32, lane: usize) -> ([f64; 3], [f64; 3]) {
        let lambda = self.points[(group.first + number) as usize].lambda.map(|row| row[lane]);
        let axis = |k: usize, e: usize| group.directions[k][e][lane];
        let friction = [0, 1, 2].map(|e| axis(1, e) * lambda[1] + axis(2, e) * lambda[2]);
        (lambda, friction)
    }
}
