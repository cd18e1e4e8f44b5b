//! The tree: links in an order in which parents come first, and the spans of their coordinates.

use std::ops::Range;

use glam::{DMat3, DQuat, DVec3};

use super::added::AddedInertia;
use super::definition::{LinkDefinition, Mobility, TreeError, check_mass, direction, frame};
use super::lone::LoneLink;
use super::spatial::RotationalInertia;

/// Articulated bodies in reduced coordinates.
///
/// Constant: it holds no state. Arrays per link inside this module have one entry more than links, the first for the
/// base, so that no recursion has a special case at the root.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(super) links: Vec<Link>,
    /// Previous dof on the way to the base; [`NONE`] for none.
    pub(super) dof_parents: Vec<u32>,
    /// Link that each dof moves.
    pub(super) dof_links: Vec<u32>,
    pub(super) position_count: usize,
    pub(super) lone: Option<LoneLink>,
    pub(super) added: Vec<AddedInertia>,
}

/// No dof.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(super) struct Link {
    /// Entry of the parent in arrays whose entry 0 is the base.
    pub parent: u32,
    /// First dof, and one past the last.
    pub dofs: (u32, u32),
    /// First position, and one past the last.
    pub positions: (u32, u32),
    /// Last dof on the path to this link, its own included; [`NONE`] for none.
    pub last_dof: u32,
    /// A child is not the next link.
    pub has_far_children: bool,
    pub joint: Joint,
    /// Origin of F in the parent, of M in the link.
    pub parent_anchor: DVec3,
    pub child_anchor: DVec3,
    /// Rotation from F to the parent, and from the link to M.
    pub parent_rotation: DQuat,
    pub child_rotation_inverse: DQuat,
    /// `R_F R_M⁻¹`: rotation of the link in its parent at zero. With an axis `a_M = R_M a` in the link,
    /// `R_F Rot(a, θ) R_M⁻¹ = rest · Rot(a_M, θ)`.
    pub rest: DQuat,
    pub mass: f64,
    pub center: DVec3,
    pub inertia: RotationalInertia,
    /// Principal moments about the centre, and the rotation from the principal axes to the link.
    pub moments: DVec3,
    pub principal_axes: DMat3,
}

/// A mobility with its axes where the recursions want them: `parent` in the parent's frame, `child` in the link's, and
/// `turned` the product of the rest rotation and the axis in the link, as quaternions.
#[derive(Clone, Copy, Debug)]
pub(super) enum Joint {
    Fixed,
    Revolute {
        parent: DVec3,
        child: DVec3,
        turned: DQuat,
    },
    Prismatic {
        parent: DVec3,
    },
    /// `lead` is the advance a radian.
    Screw {
        parent: DVec3,
        child: DVec3,
        turned: DQuat,
        lead: f64,
    },
    /// First axis in the parent; both in the link, at zero.
    Universal {
        parent: DVec3,
        child: [DVec3; 2],
        turned: DQuat,
    },
    /// Directions and normal in the parent, normal in the link.
    Planar {
        parent: [DVec3; 3],
        child: DVec3,
        turned: DQuat,
    },
    /// Direction and axis in the parent, axis in the link.
    PrismaticRevolute {
        parent: [DVec3; 2],
        child: DVec3,
        turned: DQuat,
    },
    /// Axis in the parent; axis and direction in the link.
    RevolutePrismatic {
        parent: DVec3,
        child: [DVec3; 2],
        turned: DQuat,
    },
    /// Direction and first axis in the parent; both axes in the link, at zero.
    PrismaticUniversal {
        parent: [DVec3; 2],
        child: [DVec3; 2],
        turned: DQuat,
    },
    /// First axis in the parent; both axes, at zero, and the direction in the link.
    UniversalPrismatic {
        parent: DVec3,
        child: [DVec3; 3],
        turned: DQuat,
    },
    /// Axes of F in the parent.
    Ball {
        parent: [DVec3; 3],
    },
    Free,
}

/// A vector as a quaternion.
#[inline(always)]
pub(super) fn pure(axis: DVec3) -> DQuat {
    DQuat::from_xyzw(axis.x, axis.y, axis.z, 0.0)
}

impl Link {
    #[inline(always)]
    pub fn dof_range(&self) -> Range<usize> {
        self.dofs.0 as usize..self.dofs.1 as usize
    }

    #[inline(always)]
    pub fn position_range(&self) -> Range<usize> {
        self.positions.0 as usize..self.positions.1 as usize
    }
}

impl Tree {
    /// A tree of links, each after its parent.
    ///
    /// # Errors
    /// The first link that cannot be.
    pub fn new(definitions: &[LinkDefinition]) -> Result<Self, TreeError> {
        let mut tree = Self {
            links: Vec::new(),
            dof_parents: Vec::new(),
            dof_links: Vec::new(),
            position_count: 0,
            lone: LoneLink::of(definitions),
            added: Vec::new(),
        };
        for (index, definition) in definitions.iter().enumerate() {
            let link = tree.compile(index, definition)?;
            if let Some(parent) = definition.parent.filter(|p| p + 1 != index) {
                tree.links[parent].has_far_children = true;
            }
            tree.links.push(link);
        }
        Ok(tree)
    }

    fn compile(&mut self, index: usize, definition: &LinkDefinition) -> Result<Link, TreeError> {
        if let Some(parent) = definition.parent {
            if parent >= index {
                return Err(TreeError::Parent { link: index, parent });
            }
            if definition.mobility == Mobility::Free {
                return Err(TreeError::FreeWithParent { link: index });
            }
        }
        check_mass(index, &definition.mass)?;
        let f = frame(index, "frame in the parent", &definition.parent_frame)?;
        let m = frame(index, "frame in the link", &definition.child_frame)?;
        let joint = joint(index, &definition.mobility, f.rotation, m.rotation)?;

        let above = definition.parent.map_or(NONE, |p| self.links[p].last_dof);
        let first = self.dof_parents.len() as u32;
        let mut last_dof = above;
        for _ in 0..definition.mobility.dof_count() {
            self.dof_parents.push(last_dof);
            self.dof_links.push(index as u32);
            last_dof = self.dof_parents.len() as u32 - 1;
        }
        let start = self.position_count as u32;
        self.position_count += definition.mobility.position_count();
        let mass = &definition.mass;
        let (moments, principal_axes) = mass.principal();
        Ok(Link {
            parent: definition.parent.map_or(0, |p| p as u32 + 1),
            dofs: (first, self.dof_parents.len() as u32),
            positions: (start, self.position_count as u32),
            last_dof,
            has_far_children: false,
            joint,
            parent_anchor: f.position,
            child_anchor: m.position,
            parent_rotation: f.rotation,
            child_rotation_inverse: m.rotation.conjugate(),
            rest: (f.rotation * m.rotation.conjugate()).normalize(),
            mass: mass.mass,
            center: mass.center_of_mass,
            inertia: RotationalInertia::new(mass),
            moments,
            principal_axes: DMat3::from_quat(principal_axes),
        })
    }

    /// Number of links.
    #[must_use]
    pub fn link_count(&self) -> usize {
        self.links.len()
    }

    /// Number of velocities, nv.
    #[must_use]
    pub fn dof_count(&self) -> usize {
        self.dof_parents.len()
    }

    /// Number of positions, nq.
    #[must_use]
    pub fn position_count(&self) -> usize {
        self.position_count
    }

    /// The parent of a link; `None` for the base.
    #[must_use]
    pub fn parent(&self, link: usize) -> Option<usize> {
        (self.links[link].parent as usize).checked_sub(1)
    }

    /// Where a link's velocities stand.
    #[must_use]
    pub fn dof_span(&self, link: usize) -> Range<usize> {
        self.links[link].dof_range()
    }

    /// Where a link's positions stand.
    #[must_use]
    pub fn position_span(&self, link: usize) -> Range<usize> {
        self.links[link].position_range()
    }

    /// The previous dof of the same link, or the last dof of the nearest ancestor that has one.
    #[must_use]
    pub(crate) fn dof_parent(&self, dof: usize) -> Option<usize> {
        some(self.dof_parents[dof])
    }

    /// The link that a dof moves.
    #[must_use]
    pub fn dof_link(&self, dof: usize) -> usize {
        self.dof_links[dof] as usize
    }

    /// The last dof on the path from the base to a link, its own included.
    #[must_use]
    pub(crate) fn last_dof(&self, link: usize) -> Option<usize> {
        some(self.links[link].last_dof)
    }

    /// The dofs that move a link, from its last to the base.
    pub fn path(&self, link: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.last_dof(link), |&k| self.dof_parent(k))
    }
}

#[inline(always)]
pub(super) fn some(dof: u32) -> Option<usize> {
    (dof != NONE).then_some(dof as usize)
}

/// The axes of a universal joint.
fn universal(link: usize, [first, second]: [DVec3; 2]) -> Result<[DVec3; 2], TreeError> {
    let (a, b) = (direction(link, first)?, direction(link, second)?);
    if a.cross(b).length() < 1e-6 { Err(TreeError::ParallelAxes { link }) } else { Ok([a, b]) }
}

fn joint(link: usize, mobility: &Mobility, f: DQuat, m: DQuat) -> Result<Joint, TreeError> {
    let rest = (f * m.conjugate()).normalize();
    let turned = |axis: DVec3| rest * pure(m * axis);
    Ok(match *mobility {
        Mobility::Fixed => Joint::Fixed,
        Mobility::Revolute { axis } => {
            let a = direction(link, axis)?;
            Joint::Revolute { parent: f * a, child: m * a, turned: turned(a) }
        }
        Mobility::Prismatic { axis } => Joint::Prismatic { parent: f * direction(link, axis)? },
        Mobility::Screw { axis, pitch } => {
            let a = direction(link, axis)?;
            if !pitch.is_finite() {
                return Err(TreeError::NotFinite { link, quantity: "pitch" });
            }
            Joint::Screw { parent: f * a, child: m * a, turned: turned(a), lead: pitch / std::f64::consts::TAU }
        }
        Mobility::Universal { axes } => {
            let [a, b] = universal(link, axes)?;
            Joint::Universal { parent: f * a, child: [m * a, m * b], turned: turned(a) }
        }
        Mobility::PrismaticRevolute { slide, axis } => {
            let (d, a) = (direction(link, slide)?, direction(link, axis)?);
            Joint::PrismaticRevolute { parent: [f * d, f * a], child: m * a, turned: turned(a) }
        }
        Mobility::RevolutePrismatic { axis, slide } => {
            let (a, d) = (direction(link, axis)?, direction(link, slide)?);
            Joint::RevolutePrismatic { parent: f * a, child: [m * a, m * d], turned: turned(a) }
        }
        Mobility::PrismaticUniversal { slide, axes } => {
            let (d, [a, b]) = (direction(link, slide)?, universal(link, axes)?);
            Joint::PrismaticUniversal { parent: [f * d, f * a], child: [m * a, m * b], turned: turned(a) }
        }
        Mobility::UniversalPrismatic { axes, slide } => {
            let ([a, b], d) = (universal(link, axes)?, direction(link, slide)?);
            Joint::UniversalPrismatic { parent: f * a, child: [m * a, m * b, m * d], turned: turned(a) }
        }
        Mobility::Planar { axes: [first, second] } => {
            let (x, y) = (direction(link, first)?, direction(link, second)?);
            if x.dot(y).abs() > 1e-9 {
                return Err(TreeError::NotPerpendicular { link, found: x.dot(y) });
            }
            // Perpendicular to rounding, so that projections on the two do not mix.
            let y = (y - x * x.dot(y)).normalize();
            let normal = x.cross(y);
            Joint::Planar { parent: [f * x, f * y, f * normal], child: m * normal, turned: turned(normal) }
        }
        Mobility::Ball => Joint::Ball { parent: [f * DVec3::X, f * DVec3::Y, f * DVec3::Z] },
        Mobility::Free => Joint::Free,
    })
}
