//! Why a mesh file is refused: the file, the place in it, and what is wrong there.

use std::fmt;
use std::path::PathBuf;

/// A place in a mesh file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshPlace {
    /// The file as a whole.
    File,
    /// Line of a text file, from 1.
    Line(u32),
    /// Byte of a binary file, from 0.
    Byte(u64),
}

impl fmt::Display for MeshPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => Ok(()),
            Self::Line(line) => write!(f, ":{line}"),
            Self::Byte(byte) => write!(f, " at byte {byte}"),
        }
    }
}

/// What is wrong with a mesh file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshProblem {
    /// The operating system does not give the file.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// The suffix of the name is that of no format that is read.
    #[error(
        "files of type `{0}` are not read; STL, OBJ, COLLADA (.dae), glTF (.gltf, .glb), PLY and VRML 2 (.wrl) are"
    )]
    UnknownFormat(String),
    /// More bytes, triangles or vertices than the limit.
    #[error("{what}: {found}; the limit is {limit}")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// As many as the file has or says to have.
        found: u64,
        /// As many as are read.
        limit: u64,
    },
    /// The file ends before what it says to hold.
    #[error("the file is cut short: {what} needs {expected} bytes, and {found} are left")]
    Truncated {
        /// What was being read.
        what: &'static str,
        /// Bytes that it needs.
        expected: u64,
        /// Bytes that are left.
        found: u64,
    },
    /// A text that the format does not have here.
    #[error("expected {expected}, found `{found}`")]
    Unexpected {
        /// What the format has here.
        expected: &'static str,
        /// The text, at most some words of it.
        found: String,
    },
    /// A coordinate that is NaN or infinite.
    #[error("a coordinate is not finite")]
    NotFinite,
    /// An index of no vertex.
    #[error("there is no vertex {found}: the list has {count}")]
    Index {
        /// The index as the file has it.
        found: i64,
        /// Number of vertices.
        count: usize,
    },
    /// A face with too many corners.
    #[error("a face has {found} corners; the limit is {limit}")]
    Corners {
        /// Its corners.
        found: usize,
        /// As many as are read.
        limit: usize,
    },
    /// XML, JSON or VRML that is not well-formed.
    #[error("malformed {format}: {message}")]
    Syntax {
        /// `XML`, `JSON` or `VRML`.
        format: &'static str,
        /// What its parser says.
        message: String,
    },
    /// A reference to something that the file does not have.
    #[error("there is no {what} `{name}`")]
    Missing {
        /// Kind of the thing.
        what: &'static str,
        /// Its name, id or number.
        name: String,
    },
    /// Nodes that contain each other, or that are nested too deeply.
    #[error("nodes are nested deeper than {limit}, or contain themselves")]
    Nesting {
        /// Deepest nesting that is read.
        limit: usize,
    },
    /// A part of the format that is not read.
    #[error("{0} is not supported")]
    Unsupported(String),
    /// A file without a triangle.
    #[error("the file has no triangles")]
    Empty,
}

impl MeshProblem {
    pub(super) fn unexpected(expected: &'static str, found: &str) -> Self {
        let shown: String = found.trim().chars().take(40).collect();
        Self::Unexpected { expected, found: shown }
    }

    pub(super) const fn at(self, place: MeshPlace) -> Fault {
        Fault { place, problem: self }
    }

    pub(super) fn at_line(self, line: usize) -> Fault {
        self.at(MeshPlace::Line(u32::try_from(line).unwrap_or(u32::MAX)))
    }

    pub(super) const fn at_byte(self, byte: usize) -> Fault {
        self.at(MeshPlace::Byte(byte as u64))
    }

    pub(super) const fn of_file(self) -> Fault {
        self.at(MeshPlace::File)
    }
}

/// A problem and its place, before the file's name is known.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) place: MeshPlace,
    pub(super) problem: MeshProblem,
}

/// A mesh file that is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}{place}: {problem}", file.display())]
pub struct MeshError {
    /// The file; of a glTF scene that names another file, that one.
    pub file: PathBuf,
    /// Where in the file.
    pub place: MeshPlace,
    /// What is wrong.
    pub problem: MeshProblem,
}
