//! Laws of motions: impulses that depend on how the trees move.

use super::super::lane::{L3, Lanes, plus, times};
use super::fit::rates;
use super::link::TreeLink;
use super::loops::Loops;
use super::moving::{Mobilizer, MovingLink};
use super::place::find_velocities;
use super::project::load3;

/// What acts along the motions of trees side by side, by their positions and rates.
///
/// As a part of a step begins, each law is a line, the impulse `c − S w` with the sum w of the rates before and after it: `c` is in [`TreeLink::impulses`],
/// and `S` in [`TreeLink::slopes`], an inertia without momentum. A motion that is held at a rate has a slope beside which all others vanish.
pub(crate) trait MotionLaws<const W: usize> {
    /// There is none.
    fn is_empty(&self) -> bool;
    /// Lines for parts of such lengths that begin, and what is left of the step, at whose end drives are to be at their positions.
    fn begin_parts(&mut self, links: &mut [TreeLink<W>], bodies: &[MovingLink<W>], parts: (&[f64; W], &[f64; W]));
    /// Laws are on their lines, and find them once more in lanes for which `is_asked` is positive.
    fn begin_again(&mut self, links: &mut [TreeLink<W>], is_asked: &[f64; W]);
    /// Whether some law is on another line where the solution is; gives that, and the lines of the others as they are.
    fn update_lines(&mut self, links: &mut [TreeLink<W>], bodies: &mut [MovingLink<W>], loops: &mut Loops<W>) -> bool;
    /// Shares of the parts, by lane, that motors need where they make rates jump; 1 where none does.
    fn shares_to_hold(&self) -> [f64; W];
    /// They did not come to the lines of a solution.
    fn note_unsettled(&mut self);
    /// What joints have come apart by at the end of a part was projected, of lanes for which `is_asked` is positive. Whether laws of some lane let go of motions
    /// with which links of a loop would turn too far; then the trees are factored and that is projected once more.
    fn let_go(
        &mut self,
        links: &mut [TreeLink<W>],
        bodies: &mut [MovingLink<W>],
        is_asked: &[f64; W],
        projected: Projected,
    ) -> bool;
    /// Books the impulses by laws while velocities were projected at the end of a part, of lanes for which what is left is positive; their works \[J\].
    fn book_projection(&mut self, links: &[TreeLink<W>], left: &[f64; W]) -> [f64; W];
    /// Books parts that end, of lanes for which what is left is positive, once the joints are closed.
    fn end_parts(&mut self, bodies: &mut [MovingLink<W>], parts: (&[f64; W], &[f64; W])) -> EndOfPart<W>;
}

/// What is projected at the end of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Projected {
    Positions,
    /// They have been projected, and did not come to close the joints.
    PositionsAgain,
    Velocities,
}

/// What laws did at the end of a part, by lane: positive where they did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndOfPart<const W: usize> {
    /// Stops change rates.
    pub(crate) stopped: [f64; W],
    /// What stops took on the way to them \[J\].
    pub(crate) taken: [f64; W],
    /// Motions are held at a rate, whatever energy that takes.
    pub(crate) driven: [f64; W],
    /// What springs have taken up beyond what they took of the motion \[J\].
    pub(crate) stored: [f64; W],
}

impl<const W: usize> EndOfPart<W> {
    pub(crate) const NONE: Self = Self { stopped: [0.0; W], taken: [0.0; W], driven: [0.0; W], stored: [0.0; W] };
}

/// Most changes of lines in a part.
const MOST_CHANGES: usize = 200;

/// Twice the mean velocities of parts of such lengths, by the laws at the rates that come of them, and what is left of the step.
#[inline(always)]
pub(super) fn find_velocities_by_laws<L: Lanes<W>, const W: usize>(
    links: &mut [TreeLink<W>],
    (bodies, loops): (&mut [MovingLink<W>], &mut Loops<W>),
    (part, left): (&[f64; W], &[f64; W]),
    laws: &mut dyn MotionLaws<W>,
) {
    if laws.is_empty() {
        return find_velocities::<L, W>(links, bodies, loops, L::load(part));
    }
    laws.begin_parts(links, bodies, (part, left));
    settle_lines::<L, W>(links, (bodies, loops), part, laws);
}

/// The same for trees that begin otherwise, of lanes for which `is_asked` is positive, from the lines on which laws are.
#[inline(always)]
pub(super) fn find_velocities_again<L: Lanes<W>, const W: usize>(
    links: &mut [TreeLink<W>],
    (bodies, loops): (&mut [MovingLink<W>], &mut Loops<W>),
    (part, is_asked): (&[f64; W], L),
    laws: &mut dyn MotionLaws<W>,
) {
    if laws.is_empty() {
        return find_velocities::<L, W>(links, bodies, loops, L::load(part));
    }
    let mut asked = [0.0; W];
    is_asked.store(&mut asked);
    laws.begin_again(links, &asked);
    settle_lines::<L, W>(links, (bodies, loops), part, laws);
}

/// Velocities by the laws, from the lines on which these are.
#[inline(always)]
fn settle_lines<L: Lanes<W>, const W: usize>(
    links: &mut [TreeLink<W>],
    (bodies, loops): (&mut [MovingLink<W>], &mut Loops<W>),
    part: &[f64; W],
    laws: &mut dyn MotionLaws<W>,
) {
    for _ in 0..MOST_CHANGES {
        find_velocities::<L, W>(links, bodies, loops, L::load(part));
        if !laws.update_lines(links, bodies, loops) {
            return;
        }
    }
    laws.note_unsettled();
}

/// Changes of the rates of a link whose motions laws hold, to the rates that these have at the end of a part, as a velocity of its anchor and an angular
/// velocity.
#[inline(always)]
pub(super) fn change_to_held<L: Lanes<W>, const W: usize>(
    link: &TreeLink<W>,
    body: &MovingLink<W>,
    before: &[MovingLink<W>],
) -> [L3<L>; 2] {
    let zero = [L::splat(0.0); 3];
    if !body.mobilizer.has_axes() || body.held == [[0.0; W]; 3] {
        return [zero; 2];
    }
    let found = rates::<L, W>(body, before);
    let [mut parting, mut turning] = [zero; 2];
    for k in 0..body.mobilizer.dofs() {
        let change = L::load(&body.rates[k]) - found[k];
        let (motion, along) = (&link.motions[k], L::load(&body.held[k]).if_positive(change, L::splat(0.0)));
        if body.mobilizer.is_slide(k) {
            parting = plus(parting, times(load3::<L, W>(&motion[..3]), along));
        } else {
            turning = plus(turning, times(load3::<L, W>(&motion[3..]), along));
        }
    }
    if body.mobilizer == Mobilizer::Screw {
        parting = times(turning, L::load(&body.lead));
    }
    [parting, turning]
}
