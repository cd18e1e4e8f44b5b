//! The contact rule of a pair of shapes: all parameters of their contacts.

use glam::{DQuat, DVec3};

use super::combine::direction;
use super::{
    AreaLaw, CompliantRule, ContactSurface, ContactTable, FrictionModel, PairEntry, PointReduction, Roundness,
    SimbodyMaterial, Surface, SurfaceCompliance,
};
use super::{combine, combine_bullet, combine_compliant, combine_dart, combine_simbody, combine_spook};
use crate::base::BodyId;
use crate::math::Pose;

/// How the surfaces of two shapes become one contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Combination {
    /// Gazebo's rules for ODE's contacts: hard, softened by ERP and CFM or by `kp` and `kd`.
    #[default]
    Hard,
    /// Drake's rules: the force is a function of depth and speed, friction one of the slip speed.
    Compliant,
    /// SPOOK's contacts (AGX): a spring and a damping time, friction as a cone, restitution in an impact stage.
    Spook,
    /// Bullet's rules: hard, softened as above; restitutions multiply, friction is along the slip, rolling friction.
    Bullet,
    /// DART's rules: hard without springs; restitutions multiply, slips add up.
    Dart,
    /// Simbody's rules: an elastic force by stiffness and radii of curvature, friction one of the slip speed.
    Simbody,
}

impl Combination {
    /// Contacts are forces of depth and speed.
    #[must_use]
    pub const fn is_force(self) -> bool {
        matches!(self, Self::Compliant | Self::Simbody)
    }
}

/// Which points of a pair of shapes are contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ManifoldRule {
    /// All points of the faces that touch, up to the most points of the pair.
    #[default]
    Face,
    /// One point: the deepest, or the middle of a face or line that touches (Drake). Of a face or line that rocks it jumps from end to
    /// end, and makes energy.
    Single,
}

/// Contact rules of the world, for all pairs of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactRules<'a> {
    /// How surfaces combine.
    pub combination: Combination,
    /// Pairs of materials that are listed.
    pub table: &'a ContactTable,
    /// How hard friction is approximated.
    pub friction_model: FrictionModel,
    /// Gazebo classic's contacts where they differ from its documents.
    pub classic: bool,
    /// A cone has a coefficient of its own along each direction.
    pub elliptic: bool,
    /// Compliance of two surfaces that specify none; `None` is the world's ERP and CFM.
    pub compliance: Option<SurfaceCompliance>,
    /// What compliant surfaces leave open.
    pub compliant: CompliantRule,
    /// What elastic surfaces leave open.
    pub simbody: &'a SimbodyMaterial,
    /// Which points are contacts.
    pub manifold: ManifoldRule,
    /// Contact points of a pair at most, where the surfaces do not say.
    pub max_points: u32,
    /// Gap at which a hard pair is already a contact \[m\].
    pub margin: f64,
    /// Bins in which the points of listed pairs are made fewer, where the pair does not say.
    pub bins: u32,
}

/// Which points of a pair of shapes are contacts, and their parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactRule<'a> {
    /// Which points of the shapes are contacts.
    pub manifold: ManifoldRule,
    /// Contact points at most.
    pub max_points: u32,
    /// Gap at which the pair is already a contact \[m\]; a force over depth begins at depth zero.
    pub margin: f64,
    /// The contacts are forces over depth.
    pub is_force: bool,
    /// Points of meshes inside the outline of others are contacts too.
    pub inner: bool,
    /// Contacts act; else they are found and reported only.
    pub acts: bool,
    /// Form of the two shapes, for laws of elastic bodies.
    rounds: [Roundness; 2],
    /// The surface whose first friction direction alone counts (Gazebo classic).
    pub only_direction_of: Option<usize>,
    rules: &'a ContactRules<'a>,
    surfaces: [&'a Surface; 2],
    listed: Option<&'a PairEntry>,
}

/// Parameters of each contact of a pair of shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ContactLaw {
    /// Law and friction of each point. The first friction direction is `direction`'s, if there is one.
    pub surface: ContactSurface,
    /// First friction direction in the frame of one of the shapes, and of which.
    pub direction: Option<(usize, DVec3)>,
    /// Body in whose frame the surface's own first direction is.
    pub frame: Option<BodyId>,
    /// How the surfaces of the two shapes run, in the frames of the shapes.
    pub belts: [Option<DVec3>; 2],
    /// Friction of belts without a direction of their own is along axes of the world (DART's default), not along each belt: on two
    /// belts askew the pyramid along each would carry faster than either runs.
    pub world_axes: bool,
    /// The slip is multiplied by the number of points (Gazebo).
    pub slip_counts_points: bool,
    /// The torsional slip is: one law for all engines that combine surfaces by Gazebo's rules.
    pub torsional_slip_counts_points: bool,
}

impl ContactRules<'_> {
    /// The rule of two surfaces; `None` where they never have a contact.
    #[inline]
    #[must_use]
    pub fn resolve<'a>(&'a self, a: &'a Surface, b: &'a Surface, rounds: [Roundness; 2]) -> Option<ContactRule<'a>> {
        let acts = a.acts_on(b);
        if !acts && a.sensor_bitmask & b.sensor_bitmask == 0 {
            return None;
        }
        let max_points = a.most_points(b, self.max_points);
        if max_points == 0 {
            return None;
        }
        let listed = a.material.zip(b.material).and_then(|(a, b)| self.table.entry(a, b));
        let inner = listed.is_some_and(|listed| listed.points.is_some());
        let max_points = if inner { u32::MAX } else { max_points };
        let is_force = listed.map_or(self.combination.is_force(), |listed| listed.surface.normal.is_force());
        let margin = if is_force { 0.0 } else { self.margin };
        Some(ContactRule {
            manifold: self.manifold,
            max_points,
            margin,
            is_force,
            inner,
            acts,
            rounds,
            only_direction_of: None,
            rules: self,
            surfaces: [a, b],
            listed,
        })
    }
}

impl ContactRule<'_> {
    /// Parameters of the contacts. Evaluated only if there are any: most pairs with overlapping bounds do not touch.
    #[inline(always)]
    #[must_use]
    pub fn law(&self) -> ContactLaw {
        let [a, b] = self.surfaces;
        let is_hard = self.listed.is_none() && self.rules.combination == Combination::Hard;
        let (surface, direction) = if is_hard { self.hard() } else { self.other() };
        let slip_counts_points = self.listed.is_none()
            && matches!(self.rules.combination, Combination::Hard | Combination::Bullet | Combination::Dart);
        let frame = self.listed.and_then(|listed| listed.frame);
        ContactLaw {
            surface,
            direction,
            frame,
            belts: [a.belt, b.belt],
            world_axes: self.listed.is_none() && self.rules.combination == Combination::Dart,
            slip_counts_points,
            torsional_slip_counts_points: self.listed.is_none(),
        }
    }

    #[inline(always)]
    fn hard(&self) -> (ContactSurface, Option<(usize, DVec3)>) {
        let (surface, either) = combine(self.surfaces[0], self.surfaces[1], self.rules, self.rounds);
        let only = |of: usize| direction(self.surfaces[of]).map(|d| (of, d));
        (surface, self.only_direction_of.map_or(either, only))
    }

    /// Apart from the common case, so that this stays short.
    #[inline(never)]
    fn other(&self) -> (ContactSurface, Option<(usize, DVec3)>) {
        let [a, b] = self.surfaces;
        if let Some(listed) = self.listed {
            return (listed.surface, None);
        }
        match self.rules.combination {
            Combination::Hard => self.hard(),
            Combination::Spook => combine_spook(a, b, self.rules),
            Combination::Bullet => combine_bullet(a, b, self.rules, self.rounds),
            Combination::Dart => combine_dart(a, b, self.rules),
            Combination::Simbody => (combine_simbody([a, b], self.rules, self.rounds), None),
            Combination::Compliant => {
                (combine_compliant(a, b, &self.rules.compliant, Roundness::of_pair(self.rounds)), None)
            }
        }
    }

    /// How the points of the pair are made fewer, and in how many bins a dimension.
    pub fn reduction(&self) -> Option<(PointReduction, u32)> {
        let points = self.listed?.points?;
        let bins = if points.bins == 0 { self.rules.bins } else { points.bins };
        (points.reduction != PointReduction::None).then_some((points.reduction, bins.clamp(1, 10)))
    }

    /// Stiffness by the area of contact, if it has that law.
    pub fn area(&self) -> Option<AreaLaw> {
        self.listed?.points?.area
    }
}

impl ContactLaw {
    /// Parameters of each of `points` contacts with the shapes at their poses in the world, with their normal, which points
    /// into the first; `rotation` is asked for that of a body.
    #[inline(always)]
    #[must_use]
    pub fn at(
        mut self,
        poses: [&Pose; 2],
        points: usize,
        normal: DVec3,
        rotation: impl Fn(BodyId) -> DQuat,
    ) -> ContactSurface {
        let surface = &mut self.surface;
        if let Some((of, direction)) = self.direction {
            surface.direction = Some(poses[of].direction(direction));
        }
        if let Some((body, direction)) = self.frame.zip(surface.direction) {
            surface.direction = Some(rotation(body) * direction);
        }
        if self.slip_counts_points {
            surface.slip = surface.slip.map(|slip| slip * points as f64);
        }
        if self.torsional_slip_counts_points {
            surface.torsional.slip *= points as f64;
        }
        surface.share(points);
        if self.belts != [None; 2] {
            run_belts(surface, self.belts.map(Option::unwrap_or_default), self.world_axes, poses, normal);
        }
        self.surface
    }
}

/// The velocity of the surfaces `w × n` along the friction directions, of which the first is along it, or along an axis of the world,
/// where the contact has none:
/// without slip `v₁ − w₁ × n = v₂ + w₂ × n`, with n into the first body.
#[cold]
fn run_belts(surface: &mut ContactSurface, belts: [DVec3; 2], world_axes: bool, poses: [&Pose; 2], normal: DVec3) {
    let along = (poses[0].direction(belts[0]) + poses[1].direction(belts[1])).cross(normal);
    let Some(mut default) = along.try_normalize() else { return };
    if world_axes {
        let axis = if normal.x.abs() > 0.9 { DVec3::Y } else { DVec3::X };
        default = axis.reject_from(normal).normalize_or(default);
    }
    let first = surface.direction.map_or(default, |direction| direction.reject_from(normal).normalize_or(default));
    surface.direction = Some(first);
    surface.projects_direction = true;
    surface.motion[0] += along.dot(first);
    surface.motion[1] += along.dot(normal.cross(first));
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::contact::friction::FrictionBound;
    use crate::material::MaterialId;
    use crate::material::compliant::tests::RULE;

    /// Shapes without a form of their own.
    pub(crate) const FLAT: [Roundness; 2] = [Roundness::FLAT; 2];

    /// Rules of a world with default values.
    pub(crate) fn rules(table: &ContactTable) -> ContactRules<'_> {
        ContactRules {
            combination: Combination::Hard,
            table,
            friction_model: FrictionModel::Pyramid,
            classic: false,
            elliptic: false,
            compliance: None,
            compliant: RULE,
            simbody: &SimbodyMaterial::DEFAULT,
            manifold: ManifoldRule::Face,
            max_points: 10,
            margin: 1e-3,
            bins: 3,
        }
    }

    #[test]
    fn a_listed_pair_overrides_its_surfaces_under_every_combination() {
        let (rubber, steel) = (MaterialId(3), MaterialId(1));
        let mut table = ContactTable::default();
        table.set(rubber, steel, ContactSurface::with_friction(0.9));
        let of = |material| Surface { material: Some(material), friction: [0.1; 2], ..Surface::default() };
        for combination in [Combination::Hard, Combination::Compliant] {
            let rules = ContactRules { combination, ..rules(&table) };
            let (steel, rubber) = (of(steel), of(rubber));
            let listed = rules.resolve(&steel, &rubber, FLAT).unwrap().law();
            assert_eq!(listed.surface.friction, [FrictionBound::Coefficient(0.9); 2]);
            let other = rules.resolve(&steel, &steel, FLAT).unwrap().law();
            assert!(other.surface.friction[0].value() < 0.101);
        }
    }

    #[test]
    fn sensors_are_found_without_effect_and_bitmasks_keep_apart() {
        let table = ContactTable::default();
        let rules = rules(&table);
        let solid = Surface::default();
        let sensor = Surface { is_sensor: true, ..solid };
        assert!(rules.resolve(&solid, &solid, FLAT).unwrap().acts);
        assert!(!rules.resolve(&solid, &sensor, FLAT).unwrap().acts);
        let apart = Surface { collide_bitmask: 2, sensor_bitmask: 2, ..solid };
        assert!(rules.resolve(&Surface { collide_bitmask: 1, ..solid }, &apart, FLAT).is_none());
    }
}
