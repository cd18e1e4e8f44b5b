//! Buffers: the bytes that accessors look into.

use std::path::{Component, Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::whole;
use crate::mesh::file::error::{Fault, MeshError, MeshPlace, MeshProblem};
use crate::mesh::file::{MAX_BYTES, bytes_of};

/// Most buffers of a file.
const MOST: usize = 1024;

/// The buffers of a file by their numbers.
pub(super) struct Buffers<'a> {
    buffers: Vec<Bytes<'a>>,
}

enum Bytes<'a> {
    Inner(&'a [u8]),
    Own(Vec<u8>),
    /// A buffer that says only its length, as compressed files have; what needs it is refused.
    None,
}

impl<'a> Buffers<'a> {
    /// Reads every buffer, in all as many bytes as one file may have.
    pub(super) fn new(root: &Value, binary: Option<&'a [u8]>, path: &Path) -> Result<Self, MeshError> {
        let error = |fault: Fault| MeshError { file: path.to_owned(), place: fault.place, problem: fault.problem };
        let none = Vec::new();
        let list = root.get("buffers").and_then(Value::as_array).unwrap_or(&none);
        if list.len() > MOST {
            let (found, limit) = (list.len() as u64, MOST as u64);
            return Err(error(MeshProblem::TooLarge { what: "buffers", found, limit }.of_file()));
        }
        let mut left = MAX_BYTES;
        let mut buffers = Vec::with_capacity(list.len());
        for (index, buffer) in list.iter().enumerate() {
            let bytes = match buffer.get("uri").and_then(Value::as_str) {
                Some(uri) => {
                    let own = external(uri, path, left)?;
                    left -= own.len() as u64;
                    Bytes::Own(own)
                }
                None if index == 0 => binary.map_or(Bytes::None, Bytes::Inner),
                None => Bytes::None,
            };
            let length = whole(buffer, "byteLength").map_err(error)?.unwrap_or(0);
            let held = bytes.slice().map_or(length, <[u8]>::len);
            if held < length {
                let (expected, found) = (length as u64, held as u64);
                return Err(error(MeshProblem::Truncated { what: "a buffer", expected, found }.of_file()));
            }
            buffers.push(bytes);
        }
        Ok(Self { buffers })
    }

    /// The bytes of a buffer.
    pub(super) fn get(&self, index: usize) -> Result<&[u8], Fault> {
        let missing = || MeshProblem::Missing { what: "buffer", name: index.to_string() }.of_file();
        self.buffers.get(index).and_then(Bytes::slice).ok_or_else(missing)
    }
}

impl Bytes<'_> {
    fn slice(&self) -> Option<&[u8]> {
        match self {
            Self::Inner(bytes) => Some(bytes),
            Self::Own(bytes) => Some(bytes),
            Self::None => None,
        }
    }
}

/// The bytes of a data URI, or of a file in the folder of the scene or below it.
fn external(uri: &str, path: &Path, limit: u64) -> Result<Vec<u8>, MeshError> {
    let error = |file: &Path, problem| MeshError { file: file.to_owned(), place: MeshPlace::File, problem };
    if let Some(data) = uri.strip_prefix("data:") {
        let Some((_, encoded)) = data.split_once(";base64,") else {
            return Err(error(path, MeshProblem::Unsupported("a data URI that is not base64".into())));
        };
        let bytes = STANDARD.decode(encoded.trim());
        return bytes.map_err(|e| error(path, MeshProblem::Syntax { format: "base64", message: e.to_string() }));
    }
    let name = PathBuf::from(uri.replace("%20", " "));
    let is_below = name.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    if !is_below {
        let message = format!("a buffer outside the folder of the file (`{uri}`)");
        return Err(error(path, MeshProblem::Unsupported(message)));
    }
    let file = path.parent().unwrap_or(Path::new("")).join(name);
    bytes_of(&file, limit).map_err(|fault| error(&file, fault.problem))
}
