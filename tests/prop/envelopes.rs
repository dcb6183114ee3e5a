//! The parser of upstream's output takes any bytes, real answers bent in any way included.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use agent_browser_native::envelope::{Envelope, parse};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;

use crate::config;

/// Answers of the real program, and a few that every version gives.
static REAL: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut all: Vec<Vec<u8>> = [
        r#"{"success":true,"data":{"title":"Home","lifecycle":{"launched":false}},"error":null}"#,
        r#"[{"index":0,"error":null,"result":{"clicked":"@e3"},"success":true},{"index":1,"error":"Unknown ref: e9","result":null,"success":false}]"#,
        r#"{"error":"Unknown command: x","success":false,"type":"unknown_command"}"#,
        r#"{"sessions":[]}"#,
    ]
    .iter()
    .map(|text| text.as_bytes().to_vec())
    .collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/upstream");
    all.extend(json_files(&root).iter().filter_map(|path| recorded(path)));
    all.retain(|bytes| bytes.len() < 20_000 && !bytes.trim_ascii().is_empty());
    all
});

/// What upstream printed in a recording.
fn recorded(path: &Path) -> Option<Vec<u8>> {
    let recording: Value = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
    match recording.get("stdout")? {
        Value::String(text) => Some(text.clone().into_bytes()),
        value => Some(value.to_string().into_bytes()),
    }
}

fn json_files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(json_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "json") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[derive(Clone, Debug)]
enum Bend {
    Cut(Index),
    Drop(Index, u8),
    Set(Index, u8),
    Insert(Index, Vec<u8>),
    Repeat(Index, Index),
}

fn bend() -> impl Strategy<Value = Bend> {
    prop_oneof![
        any::<Index>().prop_map(Bend::Cut),
        (any::<Index>(), any::<u8>()).prop_map(|(at, count)| Bend::Drop(at, count)),
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Bend::Set(at, byte)),
        (any::<Index>(), proptest::collection::vec(any::<u8>(), 1..12))
            .prop_map(|(at, bytes)| Bend::Insert(at, bytes)),
        (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Bend::Repeat(from, to)),
    ]
}

fn bent(mut bytes: Vec<u8>, bend: &Bend) -> Vec<u8> {
    if bytes.is_empty() {
        return bytes;
    }
    let place = |index: &Index, bytes: &[u8]| index.index(bytes.len());
    match bend {
        Bend::Cut(at) => bytes.truncate(place(at, &bytes)),
        Bend::Drop(at, count) => {
            let from = place(at, &bytes);
            let to = (from + usize::from(*count)).min(bytes.len());
            bytes.drain(from..to);
        }
        Bend::Set(at, byte) => {
            let at = place(at, &bytes);
            bytes[at] = *byte;
        }
        Bend::Insert(at, more) => {
            let at = place(at, &bytes);
            bytes.splice(at..at, more.iter().copied());
        }
        Bend::Repeat(from, to) => {
            let (a, b) = (place(from, &bytes), place(to, &bytes));
            let part = bytes[a.min(b)..a.max(b)].to_vec();
            bytes.extend(part);
        }
    }
    bytes
}

proptest! {
    #![proptest_config(config("tests/prop/regressions/envelopes.txt"))]

    // HAZ-14
    #[test]
    fn any_bytes_are_an_envelope(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse(&bytes);
    }

    // HAZ-14
    #[test]
    fn bent_answers_are_envelopes(
        at in any::<Index>(),
        bends in proptest::collection::vec(bend(), 1..5),
    ) {
        let bytes = bends.iter().fold(at.get(&REAL).clone(), bent);
        if let Envelope::Rows(rows) = parse(&bytes) {
            prop_assert!(rows.iter().all(|row| row.index.is_some()));
        }
    }

    // HAZ-14
    #[test]
    fn half_an_answer_is_never_a_success(at in any::<Index>(), end in any::<Index>()) {
        let whole = at.get(&REAL).trim_ascii();
        let half = &whole[..end.index(whole.len())];
        match parse(half) {
            Envelope::Empty | Envelope::Malformed => {}
            // Recorded help texts are no JSON at all.
            Envelope::Text(_) => {
                let is_json = matches!(whole.first(), Some(b'{' | b'['));
                prop_assert!(!is_json);
            }
            other => prop_assert!(false, "{:?}", other),
        }
    }
}

#[test]
fn whole_answers_are_understood() {
    for bytes in REAL.iter() {
        let found = parse(bytes);
        assert!(!matches!(found, Envelope::Malformed | Envelope::Empty), "{found:?}");
    }
}
