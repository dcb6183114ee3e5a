//! Takes what differs from run to run out of an answer.
//!
//! Replaced values stay valid (an address parses as an address, a launch hash is still larger than
//! `i64`), so that a recorded answer can be fed to the product as it is.

use std::path::Path;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::{Number, Value};

use crate::rust_source::regex;

/// Port of the page server in recordings.
pub(super) const PAGE_PORT: u16 = 8000;
/// Port that nobody listens on.
pub(super) const CLOSED_PORT: u16 = 7000;
/// Every other port.
const OTHER_PORT: u16 = 9000;
const TIMESTAMP: u64 = 1_700_000_000_000;
const PID: u64 = 4242;
/// Larger than `i64::MAX`, as real ones are.
const FIRST_HASH: u64 = 10_000_000_000_000_000_000;

/// Keys whose values depend on fonts, on the machine's speed or on the browser's version. They are
/// recorded as they come, and a difference is no drift.
const VOLATILE: &[&str] = &[
    "capturedFrames",
    "checks",
    "cls",
    "contactSheetFrames",
    "differentPixels",
    "eventCount",
    "fcp",
    "frames",
    "height",
    "inp",
    "lcp",
    "mismatchPercentage",
    "size",
    "summary",
    "styles",
    "totalPixels",
    "ttfb",
    "width",
    "x",
    "y",
];

/// The names of one run.
pub(super) struct Places {
    /// What a text is replaced by, longest first.
    exact: Vec<(String, String)>,
}

impl Places {
    /// `folders` are `(real, shown)`.
    pub(super) fn new(page_port: u16, closed_port: u16, folders: &[(&Path, &str)]) -> Self {
        let mut exact: Vec<(String, String)> = Vec::new();
        for (port, shown) in [(page_port, PAGE_PORT), (closed_port, CLOSED_PORT)] {
            for host in ["127.0.0.1", "localhost"] {
                exact.push((format!("{host}:{port}"), format!("{host}:{shown}")));
            }
        }
        for (real, shown) in folders {
            exact.push((real.to_string_lossy().into_owned(), (*shown).to_owned()));
        }
        exact.sort_by_key(|(real, _)| std::cmp::Reverse(real.len()));
        Self { exact }
    }
}

/// Normalises the parts of one case; ids are numbered in order of appearance.
pub(super) struct Normaliser<'a> {
    places: &'a Places,
    targets: Vec<String>,
    uuids: Vec<String>,
    requests: Vec<String>,
    hashes: Vec<u64>,
}

static LOOPBACK: LazyLock<Regex> = LazyLock::new(|| regex(r"(127\.0\.0\.1|localhost):([0-9]+)"));
static TARGET: LazyLock<Regex> = LazyLock::new(|| regex(r"\b[0-9A-F]{32}\b"));
static UUID: LazyLock<Regex> =
    LazyLock::new(|| regex(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"));
static FILE_TIME: LazyLock<Regex> = LazyLock::new(|| regex(r"-1[0-9]{12}\b"));
static CONFIRMATION: LazyLock<Regex> = LazyLock::new(|| regex(r"\br[0-9]{3,}\b"));
static BROWSER: LazyLock<Regex> =
    LazyLock::new(|| regex(r#"(Chrome/|Chromium/|;v="|Chromium ")[0-9]+(?:\.[0-9]+)*"#));
static NAME_HASH: LazyLock<Regex> = LazyLock::new(|| regex(r"\bx-[0-9a-f]{12}\b"));
static PATH_LENGTH: LazyLock<Regex> = LazyLock::new(|| regex(r"would be [0-9]+ bytes"));
static PROCESS: LazyLock<Regex> = LazyLock::new(|| regex(r"\(pid [0-9]+\)"));
static FREE_SPACE: LazyLock<Regex> = LazyLock::new(|| regex(r"[0-9.]+ [GMT]B free"));

impl<'a> Normaliser<'a> {
    pub(super) fn new(places: &'a Places) -> Self {
        Self {
            places,
            targets: Vec::new(),
            uuids: Vec::new(),
            requests: Vec::new(),
            hashes: Vec::new(),
        }
    }

    pub(super) fn text(&mut self, text: &str) -> String {
        let mut text = text.to_owned();
        for (real, shown) in &self.places.exact {
            text = text.replace(real, shown);
        }
        let text = LOOPBACK.replace_all(&text, |found: &Captures<'_>| {
            let port = found.get(2).and_then(|port| port.as_str().parse().ok());
            let known = matches!(port, Some(PAGE_PORT | CLOSED_PORT));
            let host = found.get(1).map_or("", |host| host.as_str());
            format!("{host}:{}", if known { port.unwrap_or(OTHER_PORT) } else { OTHER_PORT })
        });
        let targets = &mut self.targets;
        let text = TARGET.replace_all(&text, |found: &Captures<'_>| {
            format!("{:032X}", place_of(targets, whole(found)))
        });
        let uuids = &mut self.uuids;
        let text = UUID.replace_all(&text, |found: &Captures<'_>| {
            format!("00000000-0000-4000-8000-{:012x}", place_of(uuids, whole(found)))
        });
        let text = FILE_TIME.replace_all(&text, format!("-{TIMESTAMP}"));
        let text = CONFIRMATION.replace_all(&text, "r000001");
        let text = BROWSER.replace_all(&text, "${1}100");
        let text = NAME_HASH.replace_all(&text, "x-000000000000");
        let text = PATH_LENGTH.replace_all(&text, "would be 138 bytes");
        let text = PROCESS.replace_all(&text, format!("(pid {PID})"));
        FREE_SPACE.replace_all(&text, "50.0 GB free").into_owned()
    }

    /// A word of the command line: ids of the answer, which comes first, or text.
    pub(super) fn word(&mut self, word: &str) -> String {
        match self.requests.iter().position(|known| known == word) {
            Some(at) => request_id(at + 1),
            None => self.text(word),
        }
    }

    pub(super) fn json(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(items) => items.iter().map(|item| self.json(item)).collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(key, value)| (self.text(key), self.field(key, value)))
                .collect::<serde_json::Map<_, _>>()
                .into(),
            other => other.clone(),
        }
    }

    fn field(&mut self, key: &str, value: &Value) -> Value {
        match (key, value) {
            ("pid" | "backgroundPid", Value::Number(_)) => PID.into(),
            ("port", Value::Number(_)) => OTHER_PORT.into(),
            ("timestamp" | "modified" | "startedAt", Value::Number(_)) => TIMESTAMP.into(),
            ("launchHash", Value::Number(number)) => self.hash(number),
            ("requestId", Value::String(id)) => {
                Value::String(request_id(place_of(&mut self.requests, id)))
            }
            // The browser has no order of its own for them.
            ("cookies", Value::Array(cookies)) => {
                let mut cookies = cookies.clone();
                cookies.sort_by_key(|cookie| cookie["name"].to_string());
                self.json(&Value::Array(cookies))
            }
            ("objectId", Value::String(_)) => Value::String("1000.1.1".to_owned()),
            ("nonce" | "hash", Value::String(text)) => Value::String("0".repeat(text.len())),
            _ => self.json(value),
        }
    }

    fn hash(&mut self, number: &Number) -> Value {
        let hash = number.as_u64().unwrap_or_default();
        let known = self.hashes.iter().position(|known| *known == hash);
        let place = known.unwrap_or_else(|| {
            self.hashes.push(hash);
            self.hashes.len() - 1
        });
        (FIRST_HASH + 1 + place as u64).into()
    }
}

fn request_id(place: usize) -> String {
    format!("1000.{place}")
}

fn whole<'t>(found: &Captures<'t>) -> &'t str {
    found.get(0).map_or("", |whole| whole.as_str())
}

/// Number of `name` in order of appearance, from 1.
fn place_of(known: &mut Vec<String>, name: &str) -> usize {
    match known.iter().position(|known| known == name) {
        Some(at) => at + 1,
        None => {
            known.push(name.to_owned());
            known.len()
        }
    }
}

/// Where two recordings differ, with the place of each difference; volatile fields are stepped over.
pub(super) fn differences(old: &Value, new: &Value, place: &str) -> Vec<String> {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let mut found = Vec::new();
            for (key, was) in old {
                let place = format!("{place}/{key}");
                match new.get(key) {
                    None => found.push(format!("{place} is gone")),
                    Some(_) if VOLATILE.contains(&key.as_str()) => {}
                    Some(is) => found.extend(differences(was, is, &place)),
                }
            }
            let added = new.keys().filter(|key| !old.contains_key(*key));
            found.extend(added.map(|key| format!("{place}/{key} is new")));
            found
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            let pairs = old.iter().zip(new).enumerate();
            pairs
                .flat_map(|(at, (old, new))| differences(old, new, &format!("{place}/{at}")))
                .collect()
        }
        _ if old == new => Vec::new(),
        _ => vec![format!("{place} was {}, is {}", cut(old), cut(new))],
    }
}

fn cut(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(300) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn places() -> Places {
        let home = Path::new("/tmp/rec/home");
        Places::new(41234, 41235, &[(home, "/home/ann"), (&home.join("out"), "/home/ann/o")])
    }

    fn normalised(value: &Value) -> Value {
        Normaliser::new(&places()).json(value)
    }

    #[test]
    fn addresses_and_paths_stay_valid() {
        let value = json!([
            "http://127.0.0.1:41234/form.html",
            "localhost:41235",
            "ws://127.0.0.1:39835/x",
            "/tmp/rec/home/out/a.png",
            "/tmp/rec/home/.agent-browser"
        ]);
        let expected = json!([
            "http://127.0.0.1:8000/form.html",
            "localhost:7000",
            "ws://127.0.0.1:9000/x",
            "/home/ann/o/a.png",
            "/home/ann/.agent-browser"
        ]);
        assert_eq!(normalised(&value), expected);
    }

    #[test]
    fn ids_are_numbered_in_order_of_appearance() {
        let (a, b) = ("A".repeat(32), "B".repeat(32));
        let value = json!({ "x": [b, a, b], "requestId": "31600.5", "launchHash": 1099u64 });
        let found = normalised(&value);
        let shown: Vec<&str> =
            found["x"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(shown[0].ends_with("01") && shown[1].ends_with("02") && shown[0] == shown[2]);
        assert_eq!(shown[0].len(), 32);
        assert_eq!(found["requestId"], "1000.1");
        assert!(found["launchHash"].as_i64().is_none() && found["launchHash"].is_u64());
    }

    #[test]
    fn numbers_are_replaced_by_key_and_nulls_stay() {
        let value = json!({ "pid": 7, "backgroundPid": null, "port": 40785, "timestamp": 1794768683391u64 });
        let found = normalised(&value);
        assert_eq!(found["pid"], PID);
        assert_eq!(found["backgroundPid"], Value::Null);
        assert_eq!(found["port"], OTHER_PORT);
        assert_eq!(found["timestamp"], TIMESTAMP);
    }

    #[test]
    fn cookies_stand_in_the_order_of_their_names() {
        let cookies = json!({ "cookies": [{ "name": "theme" }, { "name": "sid" }] });
        let found = normalised(&cookies);
        assert_eq!(found, json!({ "cookies": [{ "name": "sid" }, { "name": "theme" }] }));
    }

    #[test]
    fn times_in_file_names_and_confirmation_ids_are_replaced() {
        let places = places();
        let mut normaliser = Normaliser::new(&places);
        assert_eq!(normaliser.text("screenshot-1794768683391.png"), "screenshot-1700000000000.png");
        assert_eq!(normaliser.text("confirm r573411"), "confirm r000001");
        assert_eq!(normaliser.text("HeadlessChrome/156.0.0.0"), "HeadlessChrome/100");
    }

    #[test]
    fn differences_name_their_place_and_step_over_volatile_fields() {
        let old = json!({ "a": [1, { "b": "x" }], "width": 3, "gone": 1 });
        let new = json!({ "a": [1, { "b": "y" }], "width": 4, "new": 1 });
        let found = differences(&old, &new, "");
        assert_eq!(found, ["/a/1/b was \"x\", is \"y\"", "/gone is gone", "/new is new"]);
        assert!(differences(&old, &old, "").is_empty());
    }
}
