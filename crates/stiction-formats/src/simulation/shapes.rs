//! Shapes of the engine for those of a description.

use std::collections::BTreeMap;
use std::sync::Arc;

use stiction::math::{DQuat, Pose};
use stiction::shape::{HeightfieldDefinition, Shape, ShapeError};

use crate::description::{GeometryDescription, HeightfieldDescription};

/// Ground below the lowest point of a terrain \[m\], as in Gazebo classic.
const THICKNESS: f64 = 1.0;

/// Shapes that were made of shared data, by its address: a mesh that many collisions have is one mesh with one tree.
#[derive(Default)]
pub(super) struct Shapes(BTreeMap<usize, Shape>);

impl Shapes {
    /// Shapes of a description at their poses in its frame; none of one that has none.
    pub(super) fn of(&mut self, geometry: &GeometryDescription) -> Result<Vec<(Pose, Shape)>, ShapeError> {
        let mut parts = Vec::new();
        self.add(geometry, &Pose::IDENTITY, &mut parts)?;
        Ok(parts)
    }

    fn add(
        &mut self,
        geometry: &GeometryDescription,
        at: &Pose,
        parts: &mut Vec<(Pose, Shape)>,
    ) -> Result<(), ShapeError> {
        let shape = match geometry {
            GeometryDescription::Empty | GeometryDescription::Unsupported(_) => return Ok(()),
            GeometryDescription::Compound(inner) => {
                return inner.iter().try_for_each(|(pose, part)| self.add(part, &at.compose(pose), parts));
            }
            GeometryDescription::Box(size) => Shape::cuboid(*size)?,
            GeometryDescription::Sphere(radius) => Shape::sphere(*radius)?,
            GeometryDescription::Cylinder { radius, length } => Shape::cylinder(*radius, *length)?,
            GeometryDescription::Capsule { radius, length } => Shape::capsule(*radius, *length)?,
            GeometryDescription::Ellipsoid(semi_axes) => Shape::ellipsoid(*semi_axes)?,
            GeometryDescription::Cone { radius, length } => Shape::cone(*radius, *length)?,
            GeometryDescription::Plane(normal) => Shape::plane(*normal, 0.0)?,
            GeometryDescription::ConvexHull(points) => self.shared(points, || Shape::convex_hull(points))?,
            GeometryDescription::Mesh(mesh) => {
                self.shared(mesh, || Shape::triangle_mesh(&mesh.vertices, &mesh.triangles))?
            }
            GeometryDescription::Heightfield(field) => {
                let shape = self.shared(field, || heightfield(field))?;
                // The engine's fields are y up; their rows go on along z, which becomes −y.
                let upright = Pose::new(field.position, DQuat::from_rotation_x(core::f64::consts::FRAC_PI_2));
                parts.push((at.compose(&upright), shape));
                return Ok(());
            }
        };
        parts.push((*at, shape));
        Ok(())
    }

    fn shared<T>(
        &mut self,
        data: &Arc<T>,
        make: impl FnOnce() -> Result<Shape, ShapeError>,
    ) -> Result<Shape, ShapeError> {
        let address = Arc::as_ptr(data).cast::<u8>() as usize;
        if let Some(known) = self.0.get(&address) {
            return Ok(known.clone());
        }
        let made = make()?;
        self.0.insert(address, made.clone());
        Ok(made)
    }
}

fn heightfield(field: &HeightfieldDescription) -> Result<Shape, ShapeError> {
    Shape::heightfield(&HeightfieldDefinition {
        heights: &field.heights,
        columns: field.columns,
        rows: field.rows,
        width: field.size[0],
        depth: field.size[1],
        scale: 1.0,
        offset: 0.0,
        thickness: THICKNESS,
        wraps: false,
    })
}
