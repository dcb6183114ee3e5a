//! The file behind a link of a page on this machine (DEC-26).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

use super::eval_row;

const ANCHOR: &str = include_str!("js/anchor.js");
/// Upstream ends a row after 30 s.
const LIMIT_MS: u32 = 20_000;

/// The row that reads the file behind a link.
#[must_use]
pub fn anchor_row(selector: &str) -> Vec<String> {
    let ask = json!({ "selector": selector, "limitMs": LIMIT_MS });
    eval_row(&format!("(() => {{ {ANCHOR} const ask = {ask}; return anchorDownload(ask); }})()"))
}

/// What the row brought: the file, or nothing when it is upstream's business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnchorFile {
    /// Where it came from in the end.
    pub url: String,
    /// Its media type, as the server says.
    pub media_type: Option<String>,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl AnchorFile {
    /// Reads the answer of the row.
    #[must_use]
    pub fn from_eval(data: &Value) -> Option<Self> {
        #[derive(Deserialize)]
        struct Found {
            url: String,
            #[serde(rename = "type")]
            media_type: Option<String>,
            size: usize,
            base64: String,
        }
        let found: Found = serde_json::from_value(data.get("result")?.clone()).ok()?;
        let bytes = STANDARD.decode(&found.base64).ok()?;
        (bytes.len() == found.size).then_some(Self {
            url: found.url,
            media_type: found.media_type,
            bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // DEC-26
    #[test]
    fn only_a_whole_file_is_taken() {
        let answer = |size: usize| {
            json!({ "result": { "url": "http://127.0.0.1/a", "type": null, "size": size,
                "base64": "Ynl0ZXM=" } })
        };
        assert_eq!(AnchorFile::from_eval(&answer(5)).unwrap().bytes, b"bytes");
        assert_eq!(AnchorFile::from_eval(&answer(6)), None);
        assert_eq!(AnchorFile::from_eval(&json!({ "result": { "left": "link" } })), None);
        assert_eq!(AnchorFile::from_eval(&json!({ "result": null })), None);
    }
}
