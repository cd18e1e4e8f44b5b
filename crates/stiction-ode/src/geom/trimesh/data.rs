//! The arrays of a mesh. They stay the program's; `dGeomTriMeshDataUpdate` says that they have changed.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr::null_mut;
use std::sync::{Arc, OnceLock};

use glam::DVec3;
use stiction::shape::{Shape, TriangleMesh};

use crate::report::{self, require};
use crate::types::{dReal, dTriIndex};

/// `dTriMeshDataID` points to this.
pub(crate) struct TriMeshData {
    vertices: *const c_void,
    vertex_stride: usize,
    vertex_count: usize,
    is_single: bool,
    indices: *const c_void,
    triangle_stride: usize,
    pub triangle_count: usize,
    normals: *const c_void,
    /// Three edge and three vertex bits a triangle: the program's, or made by preprocessing.
    external_use_flags: *mut u8,
    use_flags: Vec<u8>,
    /// Centre and half extents of the corners that triangles use \[m\].
    bounds: (DVec3, DVec3),
    /// Every vertex is a triangle's.
    uses_all: bool,
    /// What the engine makes of the arrays, since they were built or updated; none of bad ones.
    shape: OnceLock<Option<Shape>>,
    /// The same seen from behind.
    back: OnceLock<Option<Shape>>,
}

/// `dTRIMESHDATA_FACE_NORMALS`, `dTRIMESHDATA_USE_FLAGS`.
const FACE_NORMALS: c_int = 0;
const USE_FLAGS: c_int = 1;
/// All edges and vertices of a triangle are in use.
const ALL_USED: u8 = 0x3f;
/// Request bit for use flags in `dGeomTriMeshDataPreprocess2`.
const CONCAVE_EDGES: c_uint = 1;

impl TriMeshData {
    /// Corners of a triangle \[m\].
    pub(crate) fn triangle(&self, index: usize) -> [DVec3; 3] {
        self.indices(index).map(|i| self.vertex(i as usize))
    }

    /// Indices of a triangle's corners.
    pub(crate) fn indices(&self, index: usize) -> [dTriIndex; 3] {
        // SAFETY: the program keeps its arrays, of the counts and strides it said.
        unsafe { self.indices.byte_add(index * self.triangle_stride).cast::<[dTriIndex; 3]>().read_unaligned() }
    }

    pub(crate) fn vertex_count(&self) -> usize {
        self.vertex_count
    }

    /// ODE rounds double corners to single ones here; nothing asks for that.
    pub(crate) fn vertex(&self, index: usize) -> DVec3 {
        if self.is_single { self.vertex_of::<f32>(index) } else { self.vertex_of::<f64>(index) }
    }

    /// The same where the corners' kind of numbers is known.
    #[inline]
    fn vertex_of<T: Copy + Into<f64>>(&self, index: usize) -> DVec3 {
        // SAFETY: as above.
        let corner = unsafe { self.vertices.byte_add(index * self.vertex_stride).cast::<[T; 3]>().read_unaligned() };
        DVec3::from_array(corner.map(Into::into))
    }

    /// The mesh to collide with, made when somebody first collides. Bad arrays are reported, and touch nothing.
    #[inline]
    pub(crate) fn engine_shape(&self) -> Option<Shape> {
        match self.shape.get() {
            Some(known) => known.clone(),
            None => self.make_shape(),
        }
    }

    #[cold]
    fn make_shape(&self) -> Option<Shape> {
        let mut complaint = None;
        let make = || {
            let vertices: Vec<DVec3> = (0..self.vertex_count).map(|i| self.vertex(i)).collect();
            let triangles: Vec<[dTriIndex; 3]> = (0..self.triangle_count).map(|i| self.indices(i)).collect();
            let is_empty = triangles.is_empty();
            let mesh = TriangleMesh::from_vecs(vertices, triangles);
            if let (Err(error), false) = (&mesh, is_empty) {
                complaint = Some(format!("a triangle mesh cannot collide: {error}"));
            }
            mesh.ok().map(|mesh| Shape::TriangleMesh(Arc::new(mesh)))
        };
        let shape = self.shape.get_or_init(make).clone();
        // The program's handler may never come back: it is called when the shape is there.
        if let Some(complaint) = complaint {
            report::debug(report::INTERNAL, &complaint);
        }
        shape
    }

    /// The back of an open mesh; none if it is closed.
    pub(crate) fn engine_back(&self) -> Option<Shape> {
        let make = || match self.engine_shape()? {
            Shape::TriangleMesh(mesh) if !mesh.is_closed() => {
                let turned: Vec<[u32; 3]> = mesh.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
                let mesh = TriangleMesh::from_vecs(mesh.vertices().to_vec(), turned).ok()?;
                Some(Shape::TriangleMesh(Arc::new(mesh)))
            }
            _ => None,
        };
        self.back.get_or_init(make).clone()
    }

    pub(crate) fn center_and_half(&self) -> (DVec3, DVec3) {
        self.bounds
    }

    pub(super) fn build(
        &mut self,
        is_single: bool,
        (vertices, vertex_stride, vertex_count): (*const c_void, c_int, c_int),
        (indices, index_count, triangle_stride): (*const c_void, c_int, c_int),
        normals: *const c_void,
    ) {
        let counts = vertex_count >= 0 && index_count >= 0 && vertex_stride >= 0 && triangle_stride >= 0;
        require!(counts, "Bad argument(s): a count or stride below zero");
        let given = (!vertices.is_null() || vertex_count == 0) && (!indices.is_null() || index_count == 0);
        require!(given, "Bad argument(s): no vertices or no indices");
        self.is_single = is_single;
        (self.vertices, self.vertex_stride) = (vertices, vertex_stride as usize);
        self.vertex_count = vertex_count as usize;
        (self.indices, self.triangle_stride) = (indices, triangle_stride as usize);
        self.triangle_count = index_count as usize / 3;
        self.normals = normals;
        self.use_flags.clear();
        self.shape.take();
        self.back.take();
        self.read();
    }

    /// Reads the arrays again. Where the triangles are the same, what the engine has made of them is fitted to the
    /// vertices as they are now.
    pub(super) fn update(&mut self) {
        let known = [self.shape.take(), self.back.take()].map(Option::flatten);
        let [Some(Shape::TriangleMesh(mesh)), back] = known else { return self.read() };
        if mesh.vertices().len() != self.vertex_count || !self.has_triangles(mesh.triangles()) {
            return self.read();
        }
        self.measure();
        // Vertices that are no numbers are reported when somebody collides.
        if let Some(Shape::TriangleMesh(back)) = back {
            self.back = self.fitted(back).map_or_else(OnceLock::new, OnceLock::from);
        }
        self.shape = self.fitted(mesh).map_or_else(OnceLock::new, OnceLock::from);
    }

    /// A mesh fitted to the vertices as they are now; none if one of them is no number.
    fn fitted(&self, mut mesh: Arc<TriangleMesh>) -> Option<Option<Shape>> {
        let shape = Arc::make_mut(&mut mesh);
        // What kind they are is asked once.
        let fitted = if self.is_single {
            shape.refit_from(self.vertex_count, |i| self.vertex_of::<f32>(i))
        } else {
            shape.refit_from(self.vertex_count, |i| self.vertex_of::<f64>(i))
        };
        fitted.is_ok().then_some(Some(Shape::TriangleMesh(mesh)))
    }

    /// The triangles are these.
    fn has_triangles(&self, triangles: &[[dTriIndex; 3]]) -> bool {
        if triangles.len() != self.triangle_count {
            return false;
        }
        if self.triangle_stride == size_of::<[dTriIndex; 3]>() && self.indices.cast::<dTriIndex>().is_aligned() {
            // SAFETY: the program keeps its arrays, of the counts and strides it said.
            return unsafe {
                std::slice::from_raw_parts(self.indices.cast::<[dTriIndex; 3]>(), triangles.len()) == triangles
            };
        }
        triangles.iter().enumerate().all(|(i, triangle)| *triangle == self.indices(i))
    }

    /// Checks the indices and measures the bounds.
    fn read(&mut self) {
        let count = self.vertex_count;
        if (0..self.triangle_count).any(|triangle| self.indices(triangle).iter().any(|&i| i as usize >= count)) {
            report::debug(report::INTERNAL, "a triangle has an index beyond the vertices; the mesh is taken as empty");
            self.triangle_count = 0;
        }
        let mut is_used = vec![false; count];
        (0..self.triangle_count).flat_map(|t| self.indices(t)).for_each(|i| is_used[i as usize] = true);
        self.uses_all = is_used.iter().all(|used| *used);
        self.measure();
    }

    /// Measures the corners that triangles use.
    fn measure(&mut self) {
        let all = 0..self.vertex_count;
        self.bounds = match (self.uses_all, self.is_single) {
            (true, true) => center_and_half(all.map(|i| self.vertex_of::<f32>(i))),
            (true, false) => center_and_half(all.map(|i| self.vertex_of::<f64>(i))),
            (false, _) => center_and_half((0..self.triangle_count).flat_map(|t| self.triangle(t))),
        };
    }

    fn use_flags(&mut self) -> *mut u8 {
        if !self.external_use_flags.is_null() {
            return self.external_use_flags;
        }
        if self.use_flags.is_empty() { null_mut() } else { self.use_flags.as_mut_ptr() }
    }
}

/// Centre and half extents of points; zero of none.
fn center_and_half(points: impl Iterator<Item = DVec3>) -> (DVec3, DVec3) {
    let (low, high) = points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
    if low.cmpgt(high).any() { Default::default() } else { (0.5 * (low + high), 0.5 * (high - low)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshDataCreate() -> *mut TriMeshData {
    Box::into_raw(Box::new(TriMeshData {
        vertices: std::ptr::null(),
        vertex_stride: 0,
        vertex_count: 0,
        is_single: false,
        indices: std::ptr::null(),
        triangle_stride: 0,
        triangle_count: 0,
        normals: std::ptr::null(),
        external_use_flags: null_mut(),
        use_flags: Vec::new(),
        bounds: (DVec3::ZERO, DVec3::ZERO),
        uses_all: false,
        shape: OnceLock::new(),
        back: OnceLock::new(),
    }))
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshDataDestroy(data: *mut TriMeshData) {
    if !data.is_null() {
        drop(Box::from_raw(data));
    }
}

/// Whether an edge or corner is in use only steers ODE's search for contacts; here all of them count, and are said to.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshDataPreprocess2(
    data: *mut TriMeshData,
    requests: c_uint,
    _extra: *const isize,
) -> c_int {
    require!(!data.is_null(), "The argument is not a trimesh data", 0);
    if requests & CONCAVE_EDGES != 0 && (*data).use_flags.is_empty() {
        (*data).use_flags = vec![ALL_USED; (*data).triangle_count];
    }
    1
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshDataPreprocess(data: *mut TriMeshData) -> c_int {
    dGeomTriMeshDataPreprocess2(data, CONCAVE_EDGES, std::ptr::null())
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshDataSet(data: *mut TriMeshData, what: c_int, location: *mut c_void) {
    require!(!data.is_null(), "The argument is not a trimesh data");
    match what {
        FACE_NORMALS => (*data).normals = location,
        USE_FLAGS => (*data).external_use_flags = location.cast(),
        _ => require!(false, "invalid data type"),
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshDataGet(data: *mut TriMeshData, what: c_int) -> *mut c_void {
    dGeomTriMeshDataGet2(data, what, null_mut())
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshDataGet2(
    data: *mut TriMeshData,
    what: c_int,
    size: *mut usize,
) -> *mut c_void {
    require!(!data.is_null(), "The argument is not a trimesh data", null_mut());
    let data = &mut *data;
    let (location, bytes) = match what {
        FACE_NORMALS => (data.normals.cast_mut(), data.triangle_count * 4 * size_of::<dReal>()),
        USE_FLAGS => (data.use_flags().cast(), data.triangle_count),
        _ => (null_mut(), 0),
    };
    if let Some(size) = size.as_mut() {
        *size = bytes;
    }
    require!(matches!(what, FACE_NORMALS | USE_FLAGS), "invalid data type", null_mut());
    location
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshDataGetBuffer(
    data: *mut TriMeshData,
    buffer: *mut *mut u8,
    length: *mut c_int,
) {
    let mut bytes = 0;
    let location = dGeomTriMeshDataGet2(data, USE_FLAGS, &raw mut bytes);
    if let Some(length) = length.as_mut() {
        *length = bytes as c_int;
    }
    if let Some(buffer) = buffer.as_mut() {
        *buffer = location.cast();
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomTriMeshDataSetBuffer(data: *mut TriMeshData, buffer: *mut u8) {
    dGeomTriMeshDataSet(data, USE_FLAGS, buffer.cast());
}
