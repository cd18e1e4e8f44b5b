//! Decompositions kept on disk by what they are made of. A cache that cannot be read or written is none: results have the same
//! bits with and without it.

#![cfg_attr(not(feature = "decomposition"), expect(dead_code, reason = "only decompositions are cached"))]

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use stiction::math::DVec3;

use super::MeshDescription;
use super::decomposition::Decomposition;

/// Begins every file; its number grows when decompositions change.
const MAGIC: &[u8; 8] = b"STCPART1";
/// Largest file \[bytes\].
const MAX_BYTES: u64 = 64 << 20;

/// Where decompositions are kept; nowhere without a folder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// The folder of `STICTION_CACHE`, which may say `off`, or `stiction` in the user's cache.
    pub(crate) fn of_environment() -> Self {
        let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        let folder = match variable("STICTION_CACHE") {
            Some(own) if own.as_os_str() == "off" => None,
            Some(own) => Some(own),
            None => {
                let user = variable("XDG_CACHE_HOME").or_else(|| variable("HOME").map(|home| home.join(".cache")));
                user.map(|user| user.join("stiction"))
            }
        };
        Self { folder }
    }

    /// The name of what a mesh and its parameters give.
    pub(crate) fn key(&self, mesh: &MeshDescription, wanted: Decomposition) -> String {
        let mut hash = Hash::default();
        hash.feed(&wanted.parts.to_le_bytes());
        hash.feed(&wanted.voxels.to_le_bytes());
        hash.feed(&(mesh.vertices.len() as u64).to_le_bytes());
        for x in mesh.vertices.iter().flat_map(|v| v.to_array()) {
            hash.feed(&x.to_bits().to_le_bytes());
        }
        mesh.triangles.iter().flatten().for_each(|v| hash.feed(&v.to_le_bytes()));
        format!("{:032x}", hash.0)
    }

    pub(crate) fn read(&self, key: &str) -> Option<Vec<Vec<DVec3>>> {
        let path = self.folder.as_ref()?.join(format!("{key}.parts"));
        if fs::metadata(&path).ok()?.len() > MAX_BYTES {
            return None;
        }
        parts_of(&fs::read(path).ok()?)
    }

    pub(crate) fn write(&self, key: &str, parts: &[Vec<DVec3>]) {
        let Some(folder) = &self.folder else { return };
        // A file that appears under its name is whole.
        let unfinished = folder.join(format!(".{key}.{}", std::process::id()));
        let written = fs::create_dir_all(folder)
            .and_then(|()| fs::File::create(&unfinished))
            .and_then(|mut file| file.write_all(&bytes_of(parts)));
        let kept = written.and_then(|()| fs::rename(&unfinished, folder.join(format!("{key}.parts"))));
        if kept.is_err() {
            // What could not be written may not be there at all.
            drop(fs::remove_file(unfinished));
        }
    }
}

/// Magic, counts and coordinates, and a hash of all before it.
fn bytes_of(parts: &[Vec<DVec3>]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend((parts.len() as u32).to_le_bytes());
    for part in parts {
        bytes.extend((part.len() as u32).to_le_bytes());
        part.iter().flat_map(|v| v.to_array()).for_each(|x| bytes.extend(x.to_le_bytes()));
    }
    let mut hash = Hash::default();
    hash.feed(&bytes);
    bytes.extend(hash.0.to_le_bytes());
    bytes
}

/// The parts in a file; none of one that is not whole.
fn parts_of(bytes: &[u8]) -> Option<Vec<Vec<DVec3>>> {
    let (body, sum) = bytes.split_at_checked(bytes.len().checked_sub(16)?)?;
    let mut hash = Hash::default();
    hash.feed(body);
    let mut rest = body.strip_prefix(MAGIC)?;
    if sum != hash.0.to_le_bytes() {
        return None;
    }
    let count = take::<4>(&mut rest).map(u32::from_le_bytes)?;
    let mut parts = Vec::new();
    for _ in 0..count {
        let corners = take::<4>(&mut rest).map(u32::from_le_bytes)?;
        let mut part = Vec::new();
        for _ in 0..corners {
            let mut coordinate = || take::<8>(&mut rest).map(f64::from_le_bytes);
            part.push(DVec3::new(coordinate()?, coordinate()?, coordinate()?));
        }
        parts.push(part);
    }
    rest.is_empty().then_some(parts)
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (head, tail) = rest.split_first_chunk::<N>()?;
    *rest = tail;
    Some(*head)
}

/// FNV-1a of 128 bits.
struct Hash(u128);

impl Default for Hash {
    fn default() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Hash {
    fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache { folder: Some(folder.path().join("below")) };
        let parts = vec![vec![DVec3::new(0.1, -0.0, 1e300), DVec3::X], vec![DVec3::splat(f64::MIN_POSITIVE)]];
        assert_eq!(cache.read("k"), None);
        cache.write("k", &parts);
        let read = cache.read("k").unwrap();
        let bits = |parts: &[Vec<DVec3>]| -> Vec<u64> {
            parts.iter().flatten().flat_map(|v| v.to_array()).map(f64::to_bits).collect()
        };
        assert_eq!(bits(&read), bits(&parts));
        let whole = fs::read(folder.path().join("below/k.parts")).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            assert_eq!(parts_of(&bytes), None);
            assert_eq!(parts_of(&whole[..at]), None);
        }
        assert_eq!(fs::read_dir(folder.path().join("below")).unwrap().count(), 1, "nothing unfinished is left");
    }
}
