//! Surfaces: friction, restitution, softness, correcting velocity.

use crate::bodies;
use crate::description::{CollisionDescription, LinkDescription, Setting, SurfaceDescription, WorldDescription};
use crate::diagnostic::{Diagnostic, Edit};

use super::{figure, location, moves, warning};

/// A stiffness above this is meant as rigid.
const RIGID: f64 = 1e9;
/// Damping ratio of a contact that comes to rest within tens of bounces.
const UNDAMPED: f64 = 0.05;
/// A coefficient that holds on slopes of 84°.
const LARGE_FRICTION: f64 = 10.0;
/// Speed that bounces above it are seen \[m/s\]: a fall from half a millimetre.
const BOUNCE: f64 = 0.1;

type Placed<'a> = (usize, &'a LinkDescription, &'a CollisionDescription);

/// Advice on the surfaces of the world, for steps of `h` \[s\].
pub(super) fn surfaces(world: &WorldDescription, h: f64, masses: &[f64], found: &mut Vec<Diagnostic>) {
    let all: Vec<Placed<'_>> =
        world.links.iter().enumerate().flat_map(|(i, l)| l.collisions.iter().map(move |c| (i, l, c))).collect();
    undamped(world, masses, &all, found);
    for (.., collision) in &all {
        max_vel(world, collision, found);
    }
    implied(h, &all, found);
    large_friction(world, &all, found);
    bounces(world, h, &all, found);
}

/// Two collisions that may touch.
fn meet(world: &WorldDescription, a: &Placed<'_>, b: &Placed<'_>) -> bool {
    let apart = world.outermost_model(a.1.model) != world.outermost_model(b.1.model);
    let apart = apart || a.1.self_collide.value || b.1.self_collide.value;
    let (m, n) = (&a.2.surface, &b.2.surface);
    // Without a category the mask stands for it.
    let category = |s: &SurfaceDescription| s.category_bitmask.given().unwrap_or(&s.collide_bitmask.value).to_owned();
    let with_category = category(m) & n.collide_bitmask.value != 0 || category(n) & m.collide_bitmask.value != 0;
    a.0 != b.0 && apart && (moves(world, a.0) || moves(world, b.0)) && with_category
}

/// Damping ratio ζ = kd / (2 √(kp m)) below which a contact without losses of its own bounces on and on. Fixed steps are implicit and
/// damp it by themselves; continuous time resolves it.
fn undamped(world: &WorldDescription, masses: &[f64], all: &[Placed<'_>], found: &mut Vec<Diagnostic>) {
    for (index, _, collision) in all.iter().filter(|(i, ..)| moves(world, *i)) {
        let s = &collision.surface;
        if !(s.kp.is_given() && s.kp.value > 0.0 && s.kp.value < RIGID) {
            continue;
        }
        let critical = 2.0 * libm::sqrt(s.kp.value * masses[bodies::carrier(world, *index)]);
        let ratio = s.kd.value.max(0.0) / critical;
        if ratio < UNDAMPED {
            let message = format!(
                "kp {} N/m of `{}` with kd {} N s/m has a damping ratio of {}: the contact bounces on in continuous time",
                s.kp.value,
                collision.name,
                s.kd.value,
                figure(ratio)
            );
            let finding = warning("undamped-contact", message, location(&s.kp));
            found.push(
                finding.help(format!("kd of {} N s/m or more comes to rest; kd = 2 ζ √(kp m)", figure(0.2 * critical))),
            );
        }
    }
}

/// ERP, and CFM \[s/kg\], that a spring \[N/m\] and a damper \[N s/m\] are at steps of `h` \[s\].
fn erp_cfm(kp: f64, kd: f64, h: f64) -> [f64; 2] {
    [h * kp / (h * kp + kd), 1.0 / (h * kp + kd)]
}

/// ERP and CFM that kp and kd stand for, once.
fn implied(h: f64, all: &[Placed<'_>], found: &mut Vec<Diagnostic>) {
    let is_soft = |s: &Setting<f64>| s.is_given() && s.value < RIGID;
    let mut given =
        all.iter().filter(|(.., c)| is_soft(&c.surface.kp) || c.surface.kd.given().is_some_and(|kd| *kd > 1.0));
    let Some((.., first)) = given.next() else { return };
    let s = &first.surface;
    let (kp, kd) = (s.kp.value, s.kd.value.max(0.0));
    if kp <= 0.0 {
        return;
    }
    let [erp, cfm] = erp_cfm(kp, kd, h);
    let message = format!(
        "kp {kp} N/m and kd {kd} N s/m of `{}` at steps of {h} s are erp {} and cfm {} s/kg{}",
        first.name,
        figure(erp),
        figure(cfm),
        match given.count() {
            0 => String::new(),
            n => format!("; {n} more collisions have values of their own"),
        }
    );
    let mut note = Diagnostic::note("implied-erp-cfm", message)
        .help("erp = h kp/(h kp + kd), cfm = 1/(h kp + kd); of two surfaces kp are in series and kd add");
    note.location = location(&s.kp).or_else(|| location(&s.kd));
    found.push(note);
}

/// The world's bound is below that of the surface.
fn max_vel(world: &WorldDescription, collision: &CollisionDescription, found: &mut Vec<Diagnostic>) {
    let (own, bound) = (&collision.surface.max_vel, world.physics.ode.contact_max_correcting_vel.value);
    if own.is_given() && own.value > bound && bound >= 0.0 {
        let message = format!(
            "max_vel {} m/s of `{}` is above contact_max_correcting_vel {bound} m/s, which bounds it",
            own.value, collision.name
        );
        let edit =
            location(own).map(|at| Edit { at, inside: "max_vel", path: &[], leaves: vec![("", bound.to_string())] });
        let finding = warning("unreachable-max-vel", message, location(own));
        found.push(
            finding.help(format!("max_vel {bound} says what acts, min(max_vel, contact_max_correcting_vel)")).fix(edit),
        );
    }
}

/// Of two coefficients the smaller one acts: only where both are large is friction.
fn large_friction(world: &WorldDescription, all: &[Placed<'_>], found: &mut Vec<Diagnostic>) {
    let large: Vec<&Placed<'_>> = all.iter().filter(|(.., c)| c.surface.mu.value > LARGE_FRICTION).collect();
    let pairs = large.iter().enumerate().find_map(|(k, a)| {
        let b = large[k + 1..].iter().find(|b| meet(world, a, b))?;
        Some(if moves(world, a.0) { (a, b) } else { (b, a) })
    });
    let Some((a, b)) = pairs else { return };
    let mu = a.2.surface.mu.value.min(b.2.surface.mu.value);
    let message = format!(
        "`{}` and `{}` have a coefficient of friction of {mu} between them: they hold at slopes of {:.1}°",
        a.2.name,
        b.2.name,
        libm::atan(mu).to_degrees()
    );
    let mut note = Diagnostic::note("large-friction", message)
        .help("mu is min(mu₁, mu₂), rubber on concrete has 1; above 10 nothing but jamming changes");
    note.location = location(&a.2.surface.mu);
    found.push(note);
}

/// Restitution acts above the threshold, `min(threshold₁, threshold₂)`, and with `min(e₁, e₂)`.
fn bounces(world: &WorldDescription, h: f64, all: &[Placed<'_>], found: &mut Vec<Diagnostic>) {
    let e = |c: &CollisionDescription| c.surface.restitution.value;
    let reach = reachable(world);
    let mut alone: Vec<&Placed<'_>> = Vec::new();
    for a in all.iter().filter(|a| a.2.surface.restitution.is_given() && e(a.2) > 0.0) {
        let own = &a.2.surface.restitution_threshold;
        let (mut partners, mut others, mut threshold) = (0, 0, own.value);
        for b in all.iter().filter(|b| meet(world, a, b)) {
            others += 1;
            if e(b.2) > 0.0 {
                partners += 1;
                threshold = threshold.min(b.2.surface.restitution_threshold.value);
            }
        }
        if partners == 0 && others > 0 {
            alone.push(a);
        }
        if threshold > reach {
            // Above what gravity adds in a step, so that bodies come to rest.
            let proposed = BOUNCE.max(2.0 * h * world.gravity.value.length());
            let message = format!(
                "`{}` never bounces: the threshold {} m/s{} is above any speed here, 10 √(v₀² + 2 g H) = {} m/s",
                a.2.name,
                figure(threshold),
                if own.is_given() { "" } else { ", the format's default," },
                figure(reach)
            );
            let edit = Edit {
                at: a.2.location.clone(),
                inside: "collision",
                path: &["surface", "bounce"],
                leaves: vec![("threshold", rounded(proposed).to_string())],
            };
            let place = location(own).or_else(|| location(&a.2.surface.restitution));
            let finding = warning("unreachable-bounce-threshold", message, place);
            found.push(finding.help(format!("<threshold> {} lets it bounce", rounded(proposed))).fix(Some(edit)));
        }
    }
    let Some(first) = alone.first() else { return };
    let message = format!(
        "restitution {} of `{}`{} has no effect: what it can touch has 0, and the smaller of two acts",
        e(first.2),
        first.2.name,
        match alone.len() - 1 {
            0 => String::new(),
            n => format!(", and of {n} more collisions,"),
        }
    );
    let finding = warning("one-sided-restitution", message, location(&first.2.surface.restitution));
    found.push(finding.help("give the other surface <bounce><restitution_coefficient>1, with a threshold"));
}

/// Ten times the speed of a fall through the height of the world, with the speed at the start.
fn reachable(world: &WorldDescription) -> f64 {
    let g = world.gravity.value;
    let up = -g.normalize_or_zero();
    let heights: Vec<f64> = world.links.iter().map(|l| l.pose.position.dot(up)).collect();
    let (low, high) = heights.iter().fold((0.0f64, 0.0f64), |(l, h), x| (l.min(*x), h.max(*x)));
    let start = world.models.iter().filter_map(|m| m.initial_velocity?.0).map(|v| v.length()).fold(0.0, f64::max);
    10.0 * libm::sqrt(start * start + 2.0 * g.length() * (high - low).max(1.0))
}

/// Three digits.
fn rounded(x: f64) -> f64 {
    format!("{x:.2e}").parse().unwrap_or(x)
}
