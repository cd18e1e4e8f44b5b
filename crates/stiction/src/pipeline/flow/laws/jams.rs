//! Laws of loops that give way: what they hold leaves the loop no motion, or none but one that the step does not resolve.

use super::{LawOfMotion, Laws, LawsInStep, held};
use crate::solvers::soft::{Loops, MovingLink, Projected, TreeLink};

/// A self-stress loads a motion if its impulse, times the root of the response of the motion, is at least this.
const STRAINED: f64 = 1e-3;
/// By how much faster than as the step began a motor without a limit may make links turn: by this angle in a step \[rad\], or by this many times as fast as its own motion.
const TURN: f64 = 0.05;
const GEARED: f64 = 3.0;

impl LawOfMotion {
    /// It holds a motion of a tree of a lane.
    fn holds_in(&self, lane: usize) -> bool {
        usize::from(self.lane) == lane && !self.is_over && self.line.is_held
    }

    /// It does so by a motor without a limit, one way or the other.
    fn is_endless(&self) -> bool {
        [false, true].iter().any(|is_upward| self.axis.endless_motor(self.held_rate(), *is_upward).is_some())
    }
}

impl LawsInStep<'_> {
    /// Whether a law of a lane gives way.
    pub(super) fn give_way_in_loops<const W: usize>(
        &mut self,
        links: &mut [TreeLink<W>],
        bodies: &[MovingLink<W>],
        loops: &mut Loops<W>,
        lane: usize,
    ) -> bool {
        if loops.is_empty() || !self.laws.laws.iter().any(|law| law.holds_in(lane)) {
            return false;
        }
        self.resolve_jam(links, loops, lane) || self.ease_at_dead_point(links, bodies, lane)
    }

    /// Near a dead point of a loop the rates of other links have no bound at a given rate of the motor. That without a limit which is loaded most presses with
    /// the share of its impulse that the step resolves. Whether one does.
    fn ease_at_dead_point<const W: usize>(
        &mut self,
        links: &mut [TreeLink<W>],
        bodies: &[MovingLink<W>],
        lane: usize,
    ) -> bool {
        let mut most: Option<(f64, usize, f64)> = None;
        for (number, law) in self.laws.laws.iter().enumerate().filter(|(_, law)| law.holds_in(lane)) {
            let [_, impulse, _] = held(&links[law.link as usize], usize::from(law.motion), lane);
            let load = impulse.abs() * law.response.sqrt();
            let is_endless = law.axis.endless_motor(law.held_rate(), impulse > 0.0).is_some();
            if is_endless && most.is_none_or(|(largest, ..)| load > largest) {
                most = Some((load, number, impulse));
            }
        }
        let Some((_, number, impulse)) = most else { return false };
        let after =
            |link: &TreeLink<W>, body: &MovingLink<W>, e: usize| link.velocity()[e][lane] - body.omega[e - 3][lane];
        let gained = longest_turn(links, bodies, after) - self.laws.fastest[lane];
        let law = &mut self.laws.laws[number];
        let (link, k) = (law.link as usize, usize::from(law.motion));
        let own = (links[link].rates[k][lane] - law.axis.before).abs();
        let geared = if bodies[link].mobilizer.is_slide(k) { 0.0 } else { GEARED * own };
        let allowed = geared.max(TURN / law.axis.whole());
        if gained <= allowed {
            return false;
        }
        law.give_way(impulse > 0.0, impulse * (allowed / gained));
        (law.last, law.has_changed) = (None, true);
        Self::write(law, links);
        true
    }

    /// Where joints close at the end of a part, motors without a limit let motions go with which a link would turn far. Whether one does.
    pub(super) fn let_go_at_dead_points<const W: usize>(
        &mut self,
        links: &mut [TreeLink<W>],
        bodies: &mut [MovingLink<W>],
        is_asked: &[f64; W],
        projected: Projected,
    ) -> bool {
        let most = if projected == Projected::PositionsAgain { 0.0 } else { TURN };
        let mut has_let_go = false;
        for lane in (0..W).filter(|lane| is_asked[*lane] > 0.0) {
            let holds_on = |law: &LawOfMotion| law.holds_in(lane) && !law.has_let_go && law.is_endless();
            let Some(first) = self.laws.laws.iter().find(|law| holds_on(law)) else { continue };
            let span = if projected == Projected::Velocities { first.axis.whole() } else { 1.0 };
            let change =
                |link: &TreeLink<W>, body: &MovingLink<W>, e: usize| body.way[e][lane] - link.velocity()[e][lane];
            if span * longest_turn(links, bodies, change) <= most {
                continue;
            }
            for law in self.laws.laws.iter_mut().filter(|law| holds_on(law)) {
                let (link, k) = (law.link as usize, usize::from(law.motion));
                bodies[link].held[k][lane] = 0.0;
                links[link].slopes[k][lane] = 0.0;
                (law.has_let_go, has_let_go) = (true, true);
            }
        }
        has_let_go
    }

    /// In a loop of a lane that jams, the law that reaches its bound first as the self-stress grows gives way. Where none has a bound, that is the motor without
    /// a limit that is loaded most: it presses with the self-stress that balances the impulses of the others, so that these hold. Whether one gives way.
    fn resolve_jam<const W: usize>(&mut self, links: &mut [TreeLink<W>], loops: &mut Loops<W>, lane: usize) -> bool {
        let Laws { laws, .. } = &mut *self.laws;
        let Some(strains) = loops.strains(links, lane) else { return false };
        // The self-stress at which a law reaches its bound; of one without a bound, less for a larger load. And the self-stress that balances any of the impulses.
        let (mut first, mut most) = (None, 0.0f64);
        for (number, law) in laws.iter().enumerate().filter(|(_, law)| law.holds_in(lane)) {
            let (link, k) = (law.link as usize, usize::from(law.motion));
            let strain = strains[link][k];
            if strain.abs() * law.response.sqrt() < STRAINED {
                continue;
            }
            let [_, impulse, _] = held(&links[link], k, lane);
            most = most.max((impulse / strain).abs());
            let stress = (law.axis.edge(law.held_rate(), strain > 0.0) - impulse) / strain;
            let own = if stress.is_finite() {
                (false, stress)
            } else if law.axis.endless_motor(law.held_rate(), strain > 0.0).is_some() {
                (true, -strain.abs() * law.response.sqrt())
            } else {
                continue;
            };
            if first.is_none_or(|(least, ..): ((bool, f64), usize, f64)| own < least) {
                first = Some((own, number, strain));
            }
        }
        let Some(((is_endless, stress), number, strain)) = first else { return false };
        // Soft laws give way before, by `left = t Σ σ²/S`.
        let (mut softness, mut left) = (0.0, 0.0);
        for law in laws.iter().filter(|law| usize::from(law.lane) == lane && !law.is_over) {
            let (link, k) = (law.link as usize, usize::from(law.motion));
            let own = strains[link][k];
            if law.line.is_held {
                left += own * links[link].rates[k][lane];
            } else if law.line.slope > 0.0 && own.abs() * law.response.sqrt() >= STRAINED {
                softness += own * own / law.line.slope;
            }
        }
        if softness > 0.0 && (is_endless || left.abs() < stress * softness) {
            return false;
        }
        let law = &mut laws[number];
        if is_endless {
            let [_, impulse, _] = held(&links[law.link as usize], usize::from(law.motion), lane);
            law.give_way(strain > 0.0, impulse + most * strain);
        } else {
            law.pass_edge(strain > 0.0);
        }
        (law.last, law.has_changed) = (None, true);
        Self::write(law, links);
        true
    }
}

/// The longest of an angular vector of each link, by its elements 3 to 5.
fn longest_turn<const W: usize>(
    links: &[TreeLink<W>],
    bodies: &[MovingLink<W>],
    element: impl Fn(&TreeLink<W>, &MovingLink<W>, usize) -> f64,
) -> f64 {
    let squares = links.iter().zip(bodies).map(|(link, body)| (3..6).map(|e| element(link, body, e).powi(2)).sum());
    squares.fold(0.0, f64::max).sqrt()
}
