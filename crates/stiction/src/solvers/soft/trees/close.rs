//! What joints have come apart by in a step is closed: in positions alone, and in velocities.

use std::f64::consts::TAU;

use super::super::lane::{L3, Lanes, cross, dot, minus, plus, scaled, times};
use super::super::rotation::{exponential, inverse, product, turned, unit};
use super::carrier::Carrier;
use super::factor::factor;
use super::fit::parting;
use super::inertia::{Inertia, to_frame, to_world, velocity_at};
use super::laws::{MotionLaws, Projected, change_to_held};
use super::link::TreeLink;
use super::loops::Loops;
use super::moving::{Mobilizer, MovingLink};
use super::place::{axes_of, load4};
use super::project::{load3, solve, store3};

/// Gaps below which nothing closes \[m or rad\].
const CLOSED: f64 = 1e-13;
/// Largest turn by which a joint closes at once, and of a link by that \[rad\].
const LARGEST_TURN: f64 = 0.5;

/// Closes what the joints have come apart by, in positions: `w − P w`, with any displacement w that does. Returns the work of the forces along that,
/// and the square of the widest gap.
#[inline(always)]
pub(super) fn close_gaps<L: Lanes<W>, const W: usize>(
    links: &mut [TreeLink<W>],
    bodies: &mut [MovingLink<W>],
    loops: &mut Loops<W>,
    is_active: L,
) -> [L; 2] {
    let widest = find_closing::<L, W>(links, bodies, loops, is_active);
    [take_closing::<L, W>(links, bodies, widest, is_active), widest]
}

/// The same where motions are held by laws, which let go of those with which a link would turn far.
#[inline(always)]
pub(super) fn close_gaps_by_laws<L: Lanes<W>, const W: usize>(
    links: &mut [TreeLink<W>],
    (bodies, loops): (&mut [MovingLink<W>], &mut Loops<W>),
    is_active: L,
    (laws, projected): (&mut dyn MotionLaws<W>, Projected),
) -> [L; 2] {
    let mut widest = find_closing::<L, W>(links, bodies, loops, is_active);
    let mut asked = [0.0; W];
    is_active.store(&mut asked);
    if may_let_go(loops, laws) && laws.let_go(links, bodies, &asked, projected) {
        factor_again::<L, W>(links, bodies, loops);
        widest = find_closing::<L, W>(links, bodies, loops, is_active);
    }
    [take_closing::<L, W>(links, bodies, widest, is_active), widest]
}

/// In a loop a motion that is held can ask any motion of others.
#[inline(always)]
fn may_let_go<const W: usize>(loops: &Loops<W>, laws: &dyn MotionLaws<W>) -> bool {
    !loops.is_empty() && !laws.is_empty()
}

/// Factors trees once more, where laws have let go of motions.
#[inline(always)]
fn factor_again<L: Lanes<W>, const W: usize>(
    links: &mut [TreeLink<W>],
    bodies: &[MovingLink<W>],
    loops: &mut Loops<W>,
) {
    for (link, body) in links.iter_mut().zip(bodies) {
        let axes = axes_of::<L, W>(link);
        Inertia::of_body(L::load(&body.mass), &axes, load3::<L, W>(&body.moments)).store(&mut link.inertia);
    }
    factor::<L, W>(links);
    // Rows that are implied stay so: other lanes do not depend on this one.
    loops.respond_again::<L>(links);
}

/// The displacement `w − P w` that closes the joints, and the square of the widest gap.
#[inline(always)]
fn find_closing<L: Lanes<W>, const W: usize>(
    links: &mut [TreeLink<W>],
    bodies: &mut [MovingLink<W>],
    loops: &mut Loops<W>,
    is_active: L,
) -> L {
    let mut widest = L::splat(0.0);
    for number in 0..links.len() {
        let (before, rest) = bodies.split_at_mut(number);
        if rest[0].mobilizer == Mobilizer::Screw {
            let angle = screw_angle::<L, W>(&rest[0], before);
            is_active.if_positive(angle, L::load(&rest[0].angle)).store(&mut rest[0].angle);
        }
        let [way, turn] = gap::<L, W>(&rest[0], before);
        let angle = dot(turn, turn);
        widest = widest.max(dot(way, way)).max(angle);
        let most = L::splat(LARGEST_TURN);
        let by = (angle - most * most).if_positive(most / angle.max(most * most).sqrt(), L::splat(1.0));
        follow::<L, W>((&mut links[number], &mut rest[0]), before, [way, times(turn, by)]);
    }
    solve::<L, W>(links);
    widest.max(loops.join_poses::<L>(links, bodies))
}

/// Moves the bodies by that; the work of the forces.
#[inline(always)]
fn take_closing<L: Lanes<W>, const W: usize>(
    links: &[TreeLink<W>],
    bodies: &mut [MovingLink<W>],
    widest: L,
    is_active: L,
) -> L {
    let mut work = L::splat(0.0);
    // What rests stays where it is.
    let is_active = (widest - L::splat(CLOSED * CLOSED)).if_positive(is_active, L::splat(0.0));
    let share = share_at_once::<L, W>(links, bodies);
    for (link, body) in links.iter().zip(bodies) {
        if body.mobilizer == Mobilizer::Welded {
            continue;
        }
        let rotation = load4::<L, W>(&body.rotation);
        let (center, omega) = (load3::<L, W>(&body.center), load3::<L, W>(&body.omega));
        let [way, turn] = left_of::<L, W>(link, body).map(|part| times(part, share));
        work = work + dot(load3::<L, W>(&body.force), way) + dot(load3::<L, W>(&body.torque), turn);
        let turn = exponential(turn);
        let (next, turned_omega) = (unit(product::<L, W>(turn, rotation)), turned(turn, omega));
        for e in 0..3 {
            is_active.if_positive(center[e] + way[e], center[e]).store(&mut body.center[e]);
            is_active.if_positive(turned_omega[e], omega[e]).store(&mut body.omega[e]);
        }
        for e in 0..4 {
            is_active.if_positive(next[e], rotation[e]).store(&mut body.rotation[e]);
        }
    }
    is_active.if_positive(work, L::splat(0.0))
}

/// Share of a displacement in which no link turns far: one that turns more easily than it moves would go round instead of closing its joint.
#[inline(always)]
fn share_at_once<L: Lanes<W>, const W: usize>(links: &[TreeLink<W>], bodies: &[MovingLink<W>]) -> L {
    let mut farthest = L::splat(LARGEST_TURN * LARGEST_TURN);
    for (link, body) in links.iter().zip(bodies) {
        let turn = minus(load3::<L, W>(&body.way[3..]), load3::<L, W>(&link.state[3..]));
        farthest = farthest.max(dot(turn, turn));
    }
    (L::splat(LARGEST_TURN * LARGEST_TURN) / farthest).sqrt()
}

/// Takes the velocities with which joints come apart at the end of a step, in the same way; motions that laws hold get their rates.
#[inline(always)]
pub(super) fn close_velocities<L: Lanes<W>, const W: usize>(
    links: &mut [TreeLink<W>],
    bodies: &mut [MovingLink<W>],
    loops: &mut Loops<W>,
    left: &[f64; W],
    laws: &mut dyn MotionLaws<W>,
) {
    let is_active = L::load(left);
    part_velocities::<L, W>(links, bodies, true);
    loops.join_velocities::<L>(links, bodies);
    if may_let_go(loops, laws) && laws.let_go(links, bodies, left, Projected::Velocities) {
        factor_again::<L, W>(links, bodies, loops);
        part_velocities::<L, W>(links, bodies, true);
        loops.join_velocities::<L>(links, bodies);
    }
    for (link, body) in links.iter().zip(bodies) {
        let (velocity, omega) = (load3::<L, W>(&body.velocity), load3::<L, W>(&body.omega));
        let [linear, angular] = left_of::<L, W>(link, body);
        for e in 0..3 {
            is_active.if_positive(velocity[e] + linear[e], velocity[e]).store(&mut body.velocity[e]);
            is_active.if_positive(omega[e] + angular[e], omega[e]).store(&mut body.omega[e]);
        }
    }
}

/// A change w of the velocities with which joints come apart no more, and motions that laws hold have their rates where that is asked; and P w.
#[inline(always)]
pub(super) fn part_velocities<L: Lanes<W>, const W: usize>(
    links: &mut [TreeLink<W>],
    bodies: &mut [MovingLink<W>],
    has_laws: bool,
) {
    for number in 0..links.len() {
        let (before, rest) = bodies.split_at_mut(number);
        let [linear, angular] = parting::<L, W>(&rest[0], before);
        let mut beyond = [times(linear, L::splat(-1.0)), times(angular, L::splat(-1.0))];
        if has_laws {
            let held = change_to_held::<L, W>(&links[number], &rest[0], before);
            beyond = [minus(held[0], linear), minus(held[1], angular)];
        }
        follow::<L, W>((&mut links[number], &mut rest[0]), before, beyond);
    }
    solve::<L, W>(links);
}

/// `w − P w` of a link.
#[inline(always)]
pub(super) fn left_of<L: Lanes<W>, const W: usize>(link: &TreeLink<W>, body: &MovingLink<W>) -> [L3<L>; 2] {
    [
        minus(load3::<L, W>(&body.way[..3]), load3::<L, W>(&link.state[..3])),
        minus(load3::<L, W>(&body.way[3..]), load3::<L, W>(&link.state[3..])),
    ]
}

/// A displacement of a link that goes with what carries it, and by a way of its anchor and a turn about that beyond; and its momentum.
#[inline(always)]
fn follow<L: Lanes<W>, const W: usize>(
    (link, body): (&mut TreeLink<W>, &mut MovingLink<W>),
    before: &[MovingLink<W>],
    beyond: [L3<L>; 2],
) {
    let zero = [L::splat(0.0); 3];
    let mut way = [zero; 2];
    if !matches!(body.mobilizer, Mobilizer::Free | Mobilizer::Welded) {
        way = velocity_at(beyond, minus(zero, load3::<L, W>(&body.arm)));
        if let Some(carrier) = before.get(body.carrier as usize) {
            let carried = [load3::<L, W>(&carrier.way[..3]), load3::<L, W>(&carrier.way[3..])];
            let carried = velocity_at(carried, minus(zero, load3::<L, W>(&link.to_parent)));
            way = [plus(carried[0], way[0]), plus(carried[1], way[1])];
        }
    }
    store3(way[0], &mut body.way[..3]);
    store3(way[1], &mut body.way[3..]);
    put_momentum::<L, W>(link, body, way);
    link.begin();
}

/// The momentum of a link by its velocity, at the pose of its factor.
#[inline(always)]
pub(super) fn put_momentum<L: Lanes<W>, const W: usize>(
    link: &mut TreeLink<W>,
    body: &MovingLink<W>,
    velocity: [L3<L>; 2],
) {
    let axes = axes_of::<L, W>(link);
    let spins = scaled(load3::<L, W>(&body.moments), to_frame(&axes, velocity[1]));
    store3(times(velocity[0], L::load(&body.mass)), &mut link.state[..3]);
    store3(to_world(&axes, spins), &mut link.state[3..]);
}

/// The square of the widest gap \[m or rad\].
#[inline(always)]
pub(super) fn squared_gap<L: Lanes<W>, const W: usize>(bodies: &[MovingLink<W>]) -> L {
    let mut widest = L::splat(0.0);
    for number in 0..bodies.len() {
        let (before, rest) = bodies.split_at(number);
        let [way, turn] = gap::<L, W>(&rest[0], before);
        widest = widest.max(dot(way, way)).max(dot(turn, turn));
    }
    widest
}

/// The way of the anchor of a link, and its turn, that close its joint.
#[inline(always)]
fn gap<L: Lanes<W>, const W: usize>(body: &MovingLink<W>, before: &[MovingLink<W>]) -> [L3<L>; 2] {
    let zero = L::splat(0.0);
    if matches!(body.mobilizer, Mobilizer::Free | Mobilizer::Welded) {
        return [[zero; 3]; 2];
    }
    let carrier = Carrier::read(body, before);
    let (center, rotation) = (load3::<L, W>(&body.center), load4::<L, W>(&body.rotation));
    let own_axes = product::<L, W>(rotation, load4::<L, W>(&body.principal));
    let anchor = plus(center, turned(own_axes, load3::<L, W>(&body.anchors[1])));
    let wanted = plus(carrier.center, turned(carrier.axes, load3::<L, W>(&body.anchors[0])));
    let mut way = minus(wanted, anchor);
    let of_carrier = turned(carrier.axes, load3::<L, W>(&body.axes[0]));
    let own = turned(own_axes, load3::<L, W>(&body.axes[1]));
    let mut turn = [zero; 3];
    if body.mobilizer.turns_about_one() {
        turn = cross(own, of_carrier);
    } else if body.mobilizer.turns_about_two() {
        let across = cross(of_carrier, own);
        let off = dot(of_carrier, own) - L::load(&body.cosine);
        turn = times(across, off / dot(across, across).max(L::splat(f64::EPSILON)));
    } else if body.mobilizer != Mobilizer::Ball {
        let held = product::<L, W>(carrier.rotation, load4::<L, W>(&body.relative));
        let [x, y, z, w] = product::<L, W>(rotation, inverse(held));
        // The shorter way.
        turn = times([x, y, z], w.if_positive(L::splat(-2.0), L::splat(2.0)));
    }
    match body.mobilizer {
        Mobilizer::Slider | Mobilizer::Piston => way = minus(way, times(of_carrier, dot(of_carrier, way))),
        // The anchor is to be as far on as the angle says.
        Mobilizer::Screw => way = plus(way, times(of_carrier, L::load(&body.lead) * L::load(&body.angle))),
        Mobilizer::Planar => way = times(of_carrier, dot(of_carrier, way)),
        Mobilizer::RotoideFromParent
        | Mobilizer::RotoideFromLink
        | Mobilizer::SlidingUniversalFromParent
        | Mobilizer::SlidingUniversalFromLink => {
            let slide_axes = if body.mobilizer.slides_with_link() { own_axes } else { carrier.axes };
            let slide = turned(slide_axes, load3::<L, W>(&body.slide));
            way = minus(way, times(slide, dot(slide, way)));
        }
        _ => {}
    }
    [way, turn]
}

/// The angle of a screw, which its poses tell but for whole turns: the one next to what is known of it.
#[inline(always)]
fn screw_angle<L: Lanes<W>, const W: usize>(body: &MovingLink<W>, before: &[MovingLink<W>]) -> L {
    let carrier = Carrier::read(body, before);
    let held = product::<L, W>(carrier.rotation, load4::<L, W>(&body.relative));
    let [x, y, z, w] = product::<L, W>(load4::<L, W>(&body.rotation), inverse(held));
    let axis = turned(carrier.axes, load3::<L, W>(&body.axes[0]));
    let (mut sine, mut cosine) = ([0.0; W], [0.0; W]);
    dot(axis, [x, y, z]).store(&mut sine);
    w.store(&mut cosine);
    let mut angle = [0.0; W];
    for lane in 0..W {
        let turn = 2.0 * libm::atan2(sine[lane], cosine[lane]);
        angle[lane] = turn + TAU * ((body.angle[lane] - turn) / TAU).round();
    }
    L::load(&angle)
}
