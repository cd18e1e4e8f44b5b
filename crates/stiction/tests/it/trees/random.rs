//! Random trees of all joints, from a seed.

use glam::{DMat3, DQuat, DVec3};
use stiction::dynamics::tree::{
    BaseMotion, Factor, ForceVector, Kinematics, LinkDefinition, Mobility, MotionVector, Scratch, Tree,
};
use stiction::math::Pose;
use stiction::shape::MassProperties;

/// Vigna's splitmix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in −1 … 1.
    pub fn signed(&mut self) -> f64 {
        (self.next() >> 11) as f64 * f64::EPSILON - 1.0
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }

    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.vector();
            if v.length() > 0.1 && v.length() < 1.0 {
                return v.normalize();
            }
        }
    }

    pub fn rotation(&mut self) -> DQuat {
        loop {
            let q = DQuat::from_xyzw(self.signed(), self.signed(), self.signed(), self.signed());
            if q.length() > 0.1 && q.length() < 1.0 {
                return q.normalize();
            }
        }
    }

    pub fn pose(&mut self) -> Pose {
        Pose::new(0.5 * self.vector(), self.rotation())
    }

    pub fn list(&mut self, length: usize) -> Vec<f64> {
        (0..length).map(|_| self.signed()).collect()
    }

    pub fn wrench(&mut self) -> ForceVector {
        ForceVector::new(self.vector(), self.vector())
    }

    pub fn twist(&mut self) -> MotionVector {
        MotionVector::new(self.vector(), self.vector())
    }

    fn mobility(&mut self) -> Mobility {
        let axis = self.direction();
        match self.below(11) {
            0 => Mobility::Prismatic { axis },
            1 => Mobility::Screw { axis, pitch: 0.3 * self.signed() },
            2 => Mobility::Universal { axes: [axis, self.across(axis)] },
            3 => Mobility::Planar { axes: [axis, axis.any_orthonormal_vector()] },
            4 => Mobility::Ball,
            5 => Mobility::Fixed,
            6 => Mobility::PrismaticRevolute { slide: self.direction(), axis },
            7 => Mobility::RevolutePrismatic { axis, slide: self.direction() },
            8 => Mobility::PrismaticUniversal { slide: self.direction(), axes: [axis, self.across(axis)] },
            9 => Mobility::UniversalPrismatic { axes: [axis, self.across(axis)], slide: self.direction() },
            _ => Mobility::Revolute { axis },
        }
    }

    /// A direction that is not nearly parallel to an axis.
    fn across(&mut self, axis: DVec3) -> DVec3 {
        loop {
            let across = self.direction();
            if across.dot(axis).abs() < 0.8 {
                return across;
            }
        }
    }

    fn mass(&mut self) -> MassProperties {
        let mass = 1.05 + self.signed();
        let moments = DVec3::new(0.1, 0.12, 0.15) + 0.02 * self.vector();
        let turned =
            MassProperties { mass, center_of_mass: DVec3::ZERO, inertia: DMat3::from_diagonal(mass * moments) };
        turned.rotated(self.rotation()).translated(0.3 * self.vector())
    }
}

/// A tree with its state, kinematics and factor.
pub struct Scene {
    pub random: Random,
    pub definitions: Vec<LinkDefinition>,
    pub tree: Tree,
    pub base: Pose,
    pub base_motion: BaseMotion,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub kin: Kinematics,
    pub factor: Factor,
    pub scratch: Scratch,
}

impl Scene {
    /// Up to `dofs` dofs; floating where the seed is odd, with a moving base where it is a multiple of four.
    pub fn new(seed: u64, dofs: usize) -> Self {
        let mut random = Random::new(seed);
        let wanted = 1 + random.below(dofs);
        let mut definitions: Vec<LinkDefinition> = Vec::new();
        let mut count = 0;
        while count < wanted {
            let index = definitions.len();
            let is_root = index == 0 && seed % 2 == 1 && wanted >= 6;
            let mobility = if is_root { Mobility::Free } else { random.mobility() };
            if count + mobility.dof_count() > wanted {
                continue;
            }
            count += mobility.dof_count();
            // Mostly chains, with branches; now and then a second link on the base.
            let parent = match random.below(8) {
                0 => random.below(index + 1).checked_sub(1),
                1 | 2 => index.checked_sub(1 + random.below(4)).or(index.checked_sub(1)),
                _ => index.checked_sub(1),
            };
            let (parent_frame, child_frame, mass) = (random.pose(), random.pose(), random.mass());
            definitions.push(LinkDefinition { parent, mobility, parent_frame, child_frame, mass });
        }
        let tree = Tree::new(&definitions).expect("a tree");
        let mut q = vec![0.0; tree.position_count()];
        tree.zero_positions(&mut q);
        let v = random.list(count);
        let displacement = random.list(count);
        tree.advance(&mut q, &displacement, 2.0);
        let base = random.pose();
        let base_motion = if seed.is_multiple_of(4) {
            BaseMotion { twist: random.twist(), acceleration: random.twist() }
        } else {
            BaseMotion::default()
        };
        let (kin, factor, scratch) = (Kinematics::default(), Factor::default(), Scratch::default());
        let mut scene = Self { random, definitions, tree, base, base_motion, q, v, kin, factor, scratch };
        scene.update();
        scene
    }

    /// Kinematics and factor at `q`, `v`.
    pub fn update(&mut self) {
        let origin = DVec3::new(0.2, -0.1, 0.3);
        self.tree.positions(&self.q, &self.base, origin, &mut self.kin);
        self.tree.velocities(&self.v, &self.base_motion, &mut self.kin);
        self.tree.factor(&self.kin, &[], &mut self.factor).expect("a tree with inertia");
    }

    /// Kinematics a moment away: the positions moved along `v`, and the base along its twist.
    pub fn kinematics_after(&self, time: f64) -> Kinematics {
        let mut q = self.q.clone();
        self.tree.advance(&mut q, &self.v, time);
        let twist = self.base_motion.twist;
        let offset = self.kin.offset(self.base.position);
        let position = self.base.position + time * twist.point(offset);
        let rotation = stiction::dynamics::rotation::cayley(time * twist.angular()) * self.base.rotation;
        let mut kin = Kinematics::default();
        self.tree.positions(&q, &Pose::new(position, rotation), self.kin.origin(), &mut kin);
        self.tree.velocities(&self.v, &self.base_motion, &mut kin);
        kin
    }

    pub fn mass_matrix(&self) -> Vec<f64> {
        let n = self.tree.dof_count();
        let mut matrix = vec![0.0; n * n];
        self.tree.mass_matrix(&self.kin, &mut matrix, &mut Vec::new());
        matrix
    }
}

pub fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |s, x| s.max(x.abs()))
}

/// Largest difference, of the largest entry (or of `floor`, where that is more).
pub fn relative(own: &[f64], reference: &[f64], floor: f64) -> f64 {
    assert_eq!(own.len(), reference.len());
    let difference: Vec<f64> = own.iter().zip(reference).map(|(a, b)| a - b).collect();
    largest(&difference) / largest(reference).max(floor)
}

pub fn unit(length: usize, entry: usize) -> Vec<f64> {
    (0..length).map(|i| f64::from(u8::from(i == entry))).collect()
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
