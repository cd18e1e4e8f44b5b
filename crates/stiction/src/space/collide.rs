//! Visiting pairs, and contact points of a pair.

use super::{Form, Geom, GeomId, SpaceError, Spaces};
use crate::broadphase::{BroadPhase, Brute, Proxy};
use crate::collision::{self, ContactQuery, ManifoldPoint};
use crate::math::Pose;
use crate::shape::Aabb;

/// A contact point and the geoms that it is between; the normal points into the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpaceContact {
    /// First and second geom; neither is a space.
    pub geoms: [GeomId; 2],
    /// The point.
    pub point: ManifoldPoint,
}

impl Spaces {
    /// Visits the pairs of a space's members that may touch (the guide's `dSpaceCollide`): enabled, of different bodies,
    /// one's category among the other's collide bits, with bounding boxes that touch. Spaces among the members are not
    /// gone into. The space is locked meanwhile.
    ///
    /// # Errors
    /// A stale handle, or a geom that is no space.
    pub fn collide(
        &mut self,
        space: GeomId,
        visit: &mut dyn FnMut(&mut Self, GeomId, GeomId),
    ) -> Result<(), SpaceError> {
        let members: Vec<GeomId> = self.space(space)?.members().collect();
        let proxies = self.proxies(&members, 0);
        let mut found = Vec::new();
        let mut finder: Box<dyn BroadPhase> = Box::new(Brute);
        std::mem::swap(&mut finder, &mut self.space_mut(space)?.finder);
        finder.find_pairs(&proxies, &mut found);
        self.space_mut(space)?.finder = finder;
        let pairs = found.into_iter().map(|(i, j)| [members[i as usize], members[j as usize]]).collect();
        self.visit(&[space], pairs, visit)
    }

    /// Visits the pairs of a geom of `a` and a geom of `b` that may touch (the guide's `dSpaceCollide2`), the geom of `a`
    /// first, in the order of a's members, then of b's.
    ///
    /// A space stands for its members, anything else for itself; of two spaces of different sublevels the one of the
    /// lesser stands for itself. Twice the same space is [`Self::collide`]. Two geoms that are no spaces are visited
    /// without a test. A geom meets itself in its own space.
    ///
    /// # Errors
    /// Stale handles.
    pub fn collide_with(
        &mut self,
        a: GeomId,
        b: GeomId,
        visit: &mut dyn FnMut(&mut Self, GeomId, GeomId),
    ) -> Result<(), SpaceError> {
        let (first, second) = (self.geom(a)?.space(), self.geom(b)?.space());
        if a == b && first.is_some() {
            return self.collide(a, visit);
        }
        let sublevels = [first, second].map(|space| space.map(|s| s.sublevel));
        let is_open = match sublevels {
            [None, None] => {
                visit(self, a, b);
                return Ok(());
            }
            [Some(i), Some(j)] => [i >= j, j >= i],
            [i, j] => [i.is_some(), j.is_some()],
        };
        let bounds = [self.aabb(a)?, self.aabb(b)?];
        let list = |side: usize, id: GeomId| -> Result<Vec<(GeomId, Proxy)>, SpaceError> {
            let ids = if is_open[side] { self.space(id)?.members().collect() } else { vec![id] };
            let proxies = self.proxies(&ids, side as u32);
            let near = ids.into_iter().zip(proxies).filter(|(_, p)| p.aabb.intersects(&bounds[1 - side]));
            Ok(near.collect())
        };
        let (ours, theirs) = (list(0, a)?, list(1, b)?);
        let mut pairs = Vec::new();
        for (i, p) in &ours {
            pairs.extend(theirs.iter().filter(|(j, q)| i == j || p.pairs_with(q)).map(|(j, _)| [*i, *j]));
        }
        let spaces: Vec<GeomId> = [a, b].into_iter().zip(is_open).filter(|(_, open)| *open).map(|(id, _)| id).collect();
        self.visit(&spaces, pairs, visit)
    }

    /// Contact points of two geoms, normals into `a` (the guide's `dCollide`); bits and whether they are enabled do not
    /// count. A space stands for all that is in it, also further down. A geom and itself, and geoms of one body, have none.
    ///
    /// # Errors
    /// Stale handles.
    pub fn contacts(
        &self,
        a: GeomId,
        b: GeomId,
        query: &ContactQuery,
        out: &mut Vec<SpaceContact>,
    ) -> Result<(), SpaceError> {
        out.clear();
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        self.leaves(a, &mut ours)?;
        self.leaves(b, &mut theirs)?;
        let mut points = Vec::new();
        for i in &ours {
            for j in theirs.iter().filter(|j| *j != i) {
                let (first, second) = (self.geom(*i)?, self.geom(*j)?);
                if first.body.is_some() && first.body == second.body {
                    continue;
                }
                touch(first, second, query, &mut points);
                let room = query.max_points.saturating_sub(out.len());
                out.extend(points.iter().take(room).map(|point| SpaceContact { geoms: [*i, *j], point: *point }));
            }
        }
        Ok(())
    }

    /// The geoms that are no spaces, of a geom.
    fn leaves(&self, id: GeomId, out: &mut Vec<GeomId>) -> Result<(), SpaceError> {
        match self.geom(id)?.space() {
            Some(space) => space.members().try_for_each(|member| self.leaves(member, out)),
            None => {
                out.push(id);
                Ok(())
            }
        }
    }

    /// Geoms as broad phases see them. Those without a body have each one of their own, different on the two sides, since
    /// geoms of the static environment meet here.
    fn proxies(&self, members: &[GeomId], side: u32) -> Vec<Proxy> {
        let proxy = |(index, id): (usize, &GeomId)| {
            let geom = self.geoms.get(*id).filter(|g| g.enabled);
            let aabb = geom.and_then(|_| self.aabb(*id).ok()).unwrap_or(Aabb::EMPTY);
            let none = u32::MAX / 2 + 2 * index as u32 + side;
            let body = geom.and_then(|g| g.body).map_or(none, |body| body.slot() as u32);
            Proxy { aabb, category: geom.map_or(0, |g| g.category), collide: geom.map_or(0, |g| g.collide), body }
        };
        members.iter().enumerate().map(proxy).collect()
    }

    /// Visits pairs that pass the tests of their classes, with the spaces locked.
    fn visit(
        &mut self,
        spaces: &[GeomId],
        pairs: Vec<[GeomId; 2]>,
        visit: &mut dyn FnMut(&mut Self, GeomId, GeomId),
    ) -> Result<(), SpaceError> {
        for space in spaces {
            self.space_mut(*space)?.locks += 1;
        }
        for [a, b] in pairs {
            if self.passes(a, b) && self.passes(b, a) {
                visit(self, a, b);
            }
        }
        for space in spaces {
            self.space_mut(*space)?.locks -= 1;
        }
        Ok(())
    }

    /// The class of a geom takes the other's box for near.
    fn passes(&self, id: GeomId, other: GeomId) -> bool {
        let Some(Form::Class(_)) = self.geoms.get(id).and_then(Geom::form) else { return true };
        let placed = self.geoms.get(id).and_then(Geom::placed);
        placed.is_some_and(|(form, pose)| self.aabb(other).is_ok_and(|aabb| form.aabb_test(&pose, &aabb)))
    }
}

/// Contact points of two placed geoms, normals into the first.
fn touch(first: &Geom, second: &Geom, query: &ContactQuery, points: &mut Vec<ManifoldPoint>) {
    points.clear();
    let (Some((form_a, pose_a)), Some((form_b, pose_b))) = (first.placed(), second.placed()) else { return };
    if let (Form::Shape(a), Form::Shape(b)) = (form_a, form_b) {
        return collision::collide(a, &pose_a, b, &pose_b, query, points);
    }
    if ask(form_a, &pose_a, form_b, &pose_b, query, points) {
        return;
    }
    points.clear();
    if ask(form_b, &pose_b, form_a, &pose_a, query, points) {
        for point in points.iter_mut() {
            point.normal = -point.normal;
            point.triangles.swap(0, 1);
        }
    } else {
        points.clear();
    }
}

/// Asks a class for its contact points with another form; returns whether it knows the other.
fn ask(
    form: &Form,
    pose: &Pose,
    other: &Form,
    other_pose: &Pose,
    query: &ContactQuery,
    points: &mut Vec<ManifoldPoint>,
) -> bool {
    match form {
        Form::Class(class) => class.collide(pose, other, other_pose, query, points),
        Form::Shape(_) => false,
    }
}
