//! Giving a mesh its arrays.

use std::ffi::{c_int, c_void};

use super::TriMeshData;
use crate::report::require;
use crate::types::{dReal, dTriIndex};

/// Builders of strided arrays, without and with normals.
macro_rules! strided_builders {
    ($($name:ident, $with_normals:ident: $is_single:literal;)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $name(
            data: *mut TriMeshData,
            vertices: *const c_void,
            vertex_stride: c_int,
            vertex_count: c_int,
            indices: *const c_void,
            index_count: c_int,
            triangle_stride: c_int,
        ) {
            let none = std::ptr::null();
            $with_normals(data, vertices, vertex_stride, vertex_count, indices, index_count, triangle_stride, none);
        }

        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $with_normals(
            data: *mut TriMeshData,
            vertices: *const c_void,
            vertex_stride: c_int,
            vertex_count: c_int,
            indices: *const c_void,
            index_count: c_int,
            triangle_stride: c_int,
            normals: *const c_void,
        ) {
            require!(!data.is_null(), "The argument is not a trimesh data");
            let corners = (vertices, vertex_stride, vertex_count);
            (*data).build($is_single, corners, (indices, index_count, triangle_stride), normals);
        }
    )*};
}

strided_builders! {
    dGeomTriMeshDataBuildSingle, dGeomTriMeshDataBuildSingle1: true;
    dGeomTriMeshDataBuildDouble, dGeomTriMeshDataBuildDouble1: false;
}

/// The guide's name for [`dGeomTriMeshDataBuildSingle`].
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshDataBuild(
    data: *mut TriMeshData,
    vertices: *const c_void,
    vertex_stride: c_int,
    vertex_count: c_int,
    indices: *const c_void,
    index_count: c_int,
    triangle_stride: c_int,
) {
    dGeomTriMeshDataBuildSingle(data, vertices, vertex_stride, vertex_count, indices, index_count, triangle_stride);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshDataBuildSimple(
    data: *mut TriMeshData,
    vertices: *const dReal,
    vertex_count: c_int,
    indices: *const dTriIndex,
    index_count: c_int,
) {
    dGeomTriMeshDataBuildSimple1(data, vertices, vertex_count, indices, index_count, std::ptr::null());
}

/// Corners of four numbers, as `dVector3` is.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshDataBuildSimple1(
    data: *mut TriMeshData,
    vertices: *const dReal,
    vertex_count: c_int,
    indices: *const dTriIndex,
    index_count: c_int,
    normals: *const c_int,
) {
    require!(!data.is_null(), "The argument is not a trimesh data");
    let corners = (vertices.cast(), 4 * size_of::<dReal>() as c_int, vertex_count);
    let triangles = (indices.cast(), index_count, 3 * size_of::<dTriIndex>() as c_int);
    (*data).build(cfg!(feature = "single"), corners, triangles, normals.cast());
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshDataUpdate(data: *mut TriMeshData) {
    require!(!data.is_null(), "The argument is not a trimesh data");
    (*data).update();
}
