//! The little that is read of an `app.asar`: its directory, and the `package.json` in it.
//!
//! Two length-prefixed blocks: the size of the header, then the header, which holds a JSON text
//! that names every file with its offset behind the header.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use serde_json::Value;

/// Largest directory and largest `package.json` that are read.
const HEADER_LIMIT: u32 = 16 * 1024 * 1024;
const PACKAGE_LIMIT: u64 = 256 * 1024;

/// The `package.json` of an archive; `None` where it is not one.
pub(super) fn package_json(path: &Path) -> Option<Value> {
    let mut file = File::open(path).ok()?;
    let header = header(&mut file)?;
    let entry = header.json.get("files")?.get("package.json")?;
    let size = entry.get("size")?.as_u64().filter(|size| *size <= PACKAGE_LIMIT)?;
    let offset: u64 = entry.get("offset")?.as_str()?.parse().ok()?;
    file.seek(SeekFrom::Start(header.end.checked_add(offset)?)).ok()?;
    let mut bytes = Vec::new();
    file.take(size).read_to_end(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// The file begins like an archive.
pub(super) fn is_archive(path: &Path) -> bool {
    File::open(path).ok().and_then(|mut file| header(&mut file)).is_some()
}

struct Header {
    json: Value,
    end: u64,
}

fn header(file: &mut File) -> Option<Header> {
    let mut words = [0_u32; 4];
    for word in &mut words {
        let mut bytes = [0; 4];
        file.read_exact(&mut bytes).ok()?;
        *word = u32::from_le_bytes(bytes);
    }
    let [four, block, inner, length] = words;
    let plausible = four == 4 && inner.checked_add(4) == Some(block) && length <= inner;
    if !plausible || length > HEADER_LIMIT {
        return None;
    }
    let mut text = Vec::new();
    let read = file.take(length.into()).read_to_end(&mut text).ok()?;
    if u64::try_from(read).ok()? != u64::from(length) {
        return None;
    }
    Some(Header { json: serde_json::from_slice(&text).ok()?, end: u64::from(block) + 8 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(package: &str) -> Vec<u8> {
        let json = serde_json::json!({
            "files": {
                "main.js": { "size": 3, "offset": "0" },
                "package.json": { "size": package.len(), "offset": "3" },
            }
        })
        .to_string();
        let padded = json.len().div_ceil(4) * 4;
        let number = |n: usize| u32::try_from(n).unwrap().to_le_bytes();
        let mut bytes = number(4).to_vec();
        bytes.extend(number(padded + 8));
        bytes.extend(number(padded + 4));
        bytes.extend(number(json.len()));
        bytes.extend(json.as_bytes());
        bytes.resize(16 + padded, 0);
        bytes.extend(b"//\n");
        bytes.extend(package.as_bytes());
        bytes
    }

    // DEC-86
    #[test]
    fn the_package_of_a_real_archive_is_read_and_nonsense_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("app.asar");
        std::fs::write(&path, packed(r#"{"productName":"Notes"}"#)).unwrap();
        assert!(is_archive(&path));
        assert_eq!(package_json(&path).unwrap()["productName"], "Notes");
        for bytes in [&b""[..], b"PK\x03\x04", &[4, 0, 0, 0, 255, 255, 255, 255, 9, 9], &[0; 64]] {
            std::fs::write(&path, bytes).unwrap();
            assert!(!is_archive(&path), "{bytes:?}");
            assert_eq!(package_json(&path), None);
        }
        let mut cut = packed("{}");
        cut.truncate(30);
        std::fs::write(&path, cut).unwrap();
        assert!(!is_archive(&path));
    }
}
