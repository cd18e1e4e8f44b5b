//! Groups of contact points next to each other, as sweeps read them.

use std::ops::Range;

/// Rows of a point: normal, two tangents.
pub(crate) const ROWS: usize = 3;

/// `W` groups of points that share no moving body with each other.
///
/// Directions are the same for all points of a group and across each other, but for a first tangent that is given and leans, so that the
/// linear parts of its rows are uncoupled: the velocity of row k is `s_k + y_kᵃ·ωᵃ + y_kᵇ·ωᵇ` with `s_k = d_k·(vᵃ − vᵇ)` of the centres of mass, and an impulse δ changes
/// `s_k` by `|d_k|² (1/mᵃ + 1/mᵇ) δ`. Velocities are whitened, `z = L v`.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Group<const W: usize> {
    /// Normal and tangents.
    pub(super) directions: [[[f64; W]; 3]; ROWS],
    /// `1/√m` of both bodies; where the second moves alone, the first is its own with a minus sign.
    pub(super) inverse_root_mass: [[f64; W]; 2],
    /// `|d_k|² (1/mᵃ + 1/mᵇ)`.
    pub(super) linear: [[f64; W]; ROWS],
    /// `d₀·d₁ (1/mᵃ + 1/mᵇ)` of a first tangent that leans out of the tangent plane.
    pub(super) lean: [f64; W],
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
    /// Places of the two bodies; where one moves, the first is its place.
    pub(crate) bodies: [[u32; W]; 2],
    /// Numbers of the groups, of their first points, and how many they have.
    pub(crate) numbers: [u32; W],
    pub(crate) points: [u32; W],
    pub(crate) counts: [u32; W],
    /// Its points among those of the bundles, and the first of their arms: one a body that moves, for each point.
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(super) first_arm: u32,
    /// Where its points have rows about their axes: the first of these, and the first of their arms, one a body that moves.
    pub(super) first_turn: u32,
    pub(super) first_axis: u32,
    /// Which of the two bodies move, the same for all groups.
    pub(crate) movers: Movers,
    /// What friction of all groups is.
    pub(crate) friction_kind: FrictionKind,
    /// All groups are still.
    pub(crate) is_still: bool,
}

/// A contact point of every group. Rows are scaled by `ω / A_kk`.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Point<const W: usize> {
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

/// Angular part of each row of a point, of a body.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Arm<const W: usize> {
    pub(super) angular: [[[f64; W]; 3]; ROWS],
}

/// Rows of a point about its tangents and its normal: rolling and torsional friction. They are scaled as [`Point`] is, and the angular
/// parts are those of their group.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Turn<const W: usize> {
    /// `ω / A_kk`, `1 − ω Γ / A_kk`, `ω b / A_kk`.
    pub(super) scale: [[f64; W]; ROWS],
    pub(super) keep: [[f64; W]; ROWS],
    pub(super) goal: [[f64; W]; ROWS],
    /// Largest moment by normal force \[m\].
    pub(super) reach: [[f64; W]; ROWS],
    /// Impulses \[N m s\].
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
    pub(super) arms: Vec<Arm<W>>,
    pub(super) terms: Vec<Terms<W>>,
    pub(super) turns: Vec<Turn<W>>,
    /// Angular parts of their rows.
    pub(super) axes: Vec<Arm<W>>,
}

/// What friction of the points of a group is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrictionKind {
    /// Bounds along both axes that follow the load.
    Pyramid,
    /// One bound for both axes that follows the load.
    Cone,
    /// Of more than one kind, with slip or with bounds of its own, against what moves, or along a tangent that leans.
    Special,
    /// The same, with rows about the axes of the points.
    Rolling,
}

impl FrictionKind {
    /// The kind of a group that has points of both.
    pub(crate) fn combined_with(self, other: Self) -> Self {
        match (self, other) {
            (own, other) if own == other => own,
            (Self::Rolling, _) | (_, Self::Rolling) => Self::Rolling,
            _ => Self::Special,
        }
    }
}

/// Which bodies of a group move: contacts with what nothing moves have rows of one body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Movers {
    Both,
    First,
    Second,
}

impl Movers {
    /// Of the two bodies at some places, of which one is that of what nothing moves.
    pub(crate) fn from_places([a, b]: [u32; 2], nobody: u32) -> Self {
        match (a == nobody, b == nobody) {
            (false, true) => Self::First,
            (true, false) => Self::Second,
            _ => Self::Both,
        }
    }

    /// Bodies of which its rows have parts.
    pub(super) const fn sides(self) -> usize {
        if matches!(self, Self::Both) { 2 } else { 1 }
    }

    /// The places of two bodies, that of the mover first.
    pub(crate) fn in_order(self, [a, b]: [u32; 2]) -> [u32; 2] {
        if self == Self::Second { [b, a] } else { [a, b] }
    }
}

impl<const W: usize> Arm<W> {
    const EMPTY: Self = Self { angular: [[[0.0; W]; 3]; ROWS] };
}

impl<const W: usize> Group<W> {
    const EMPTY: Self = Self {
        directions: [[[0.0; W]; 3]; ROWS],
        inverse_root_mass: [[0.0; W]; 2],
        linear: [[0.0; W]; ROWS],
        lean: [0.0; W],
        friction: [[0.0; W]; 2],
        dry: [[0.0; W]; 2],
        cone: [0.0; W],
        largest: [0.0; W],
        change: [0.0; W],
        left: [0.0; W],
        bodies: [[0; W]; 2],
        numbers: [0; W],
        points: [0; W],
        counts: [0; W],
        first: 0,
        count: 0,
        first_arm: 0,
        first_turn: 0,
        first_axis: 0,
        movers: Movers::Both,
        friction_kind: FrictionKind::Pyramid,
        is_still: false,
    };
}

/// The parts of bundles, to write.
pub(super) struct Parts<'a, const W: usize> {
    pub(super) groups: &'a mut [Group<W>],
    pub(super) points: &'a mut [Point<W>],
    pub(super) arms: &'a mut [Arm<W>],
    pub(super) terms: &'a mut [Terms<W>],
    pub(super) turns: &'a mut [Turn<W>],
    pub(super) axes: &'a mut [Arm<W>],
}

impl<const W: usize> Group<W> {
    /// Arms of its points.
    fn arms(&self) -> u32 {
        self.movers.sides() as u32 * self.count
    }

    /// Where the points of a number are among those of all groups; `nothing` where a group has no such point.
    #[inline(always)]
    pub(super) fn places_of(&self, number: u32, nothing: u32) -> [u32; W] {
        let mut at = [nothing; W];
        for lane in 0..W {
            if number < self.counts[lane] {
                at[lane] = self.points[lane] + number;
            }
        }
        at
    }

    /// The ranges of its points and their arms.
    #[inline(always)]
    pub(super) fn ranges(&self) -> [Range<usize>; 2] {
        let range = |first: u32, count: u32| first as usize..(first + count) as usize;
        [range(self.first, self.count), range(self.first_arm, self.arms())]
    }

    /// The ranges of the rows about the axes of its points and of their arms; empty where there are none.
    #[inline(always)]
    pub(super) fn turn_ranges(&self) -> [Range<usize>; 2] {
        let (count, sides) =
            if self.friction_kind == FrictionKind::Rolling { (self.count, self.movers.sides()) } else { (0, 0) };
        let (first, axis) = (self.first_turn as usize, self.first_axis as usize);
        [first..first + count as usize, axis..axis + sides]
    }
}

impl<const W: usize> Point<W> {
    const EMPTY: Self = Self {
        scale: [[0.0; W]; ROWS],
        coupling: [[0.0; W]; ROWS],
        keep: [0.0; W],
        goal: [0.0; W],
        lambda: [[0.0; W]; ROWS],
    };
}

impl<const W: usize> Turn<W> {
    const EMPTY: Self = Self {
        scale: [[0.0; W]; ROWS],
        keep: [[0.0; W]; ROWS],
        goal: [[0.0; W]; ROWS],
        reach: [[0.0; W]; ROWS],
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
    pub(crate) fn add(&mut self, nobody: u32, nothing: u32, count: u32, movers: Movers) -> &mut Group<W> {
        let (first, first_arm) = self.ends();
        if self.count == self.all.len() {
            self.all.push(Group::EMPTY);
        }
        self.count += 1;
        let group = &mut self.all[self.count - 1];
        (group.bodies, group.numbers, group.counts) = ([[nobody; W]; 2], [nothing; W], [0; W]);
        (group.first, group.count, group.is_still) = (first, count, false);
        group.friction_kind = FrictionKind::Pyramid;
        (group.first_arm, group.movers) = (first_arm, movers);
        group
    }

    /// Numbers of the points and arms of all groups.
    fn ends(&self) -> (u32, u32) {
        let end = |last: &Group<W>| (last.first + last.count, last.first_arm + last.arms());
        self.groups().last().map_or((0, 0), end)
    }

    pub(crate) fn groups(&self) -> &[Group<W>] {
        &self.all[..self.count]
    }

    pub(crate) fn groups_mut(&mut self) -> &mut [Group<W>] {
        &mut self.all[..self.count]
    }

    pub(super) fn points_of(&self, group: &Group<W>) -> &[Point<W>] {
        let [range, _] = group.ranges();
        &self.points[range]
    }

    /// The rows about the axes of the points of a group.
    pub(super) fn turns_of(&self, group: &Group<W>) -> &[Turn<W>] {
        let [range, _] = group.turn_ranges();
        &self.turns[range]
    }

    /// All parts.
    pub(super) fn parts(&mut self) -> Parts<'_, W> {
        let Self { all, count, points, arms, terms, turns, axes } = self;
        Parts { groups: &mut all[..*count], points, arms, terms, turns, axes }
    }

    /// Makes room for the points of all groups.
    pub(crate) fn make_room(&mut self) {
        let (count, arms) = self.ends();
        if self.points.len() < count as usize {
            self.points.resize(count as usize, Point::EMPTY);
            self.terms.resize(count as usize, Terms::EMPTY);
        }
        if self.arms.len() < arms as usize {
            self.arms.resize(arms as usize, Arm::EMPTY);
        }
        let (mut turns, mut axes) = (0, 0);
        for group in &mut self.all[..self.count] {
            (group.first_turn, group.first_axis) = (turns, axes);
            let [turn_range, axis_range] = group.turn_ranges();
            (turns, axes) = (turn_range.end as u32, axis_range.end as u32);
        }
        if self.turns.len() < turns as usize {
            self.turns.resize(turns as usize, Turn::EMPTY);
        }
        if self.axes.len() < axes as usize {
            self.axes.resize(axes as usize, Arm::EMPTY);
        }
    }

    /// Leaves the group of a lane as it is from now on.
    pub(crate) fn freeze(&mut self, group: usize, lane: usize) {
        let group = &mut self.all[group];
        let range = group.first as usize..(group.first + group.count) as usize;
        let [turn_range, _] = group.turn_ranges();
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
        for turn in &mut self.turns[turn_range] {
            for k in 0..ROWS {
                (turn.scale[k][lane], turn.keep[k][lane], turn.goal[k][lane]) = (0.0, 1.0, 0.0);
            }
        }
    }
}
