//! Which code asked for a request that failed: initiators that upstream names, and the request's path
//! in the files of the workspace.

use std::path::Path;

use serde_json::{Map, Value};
use url::Url;

use super::place::{Place, embedded};
use super::source::scan_limits;
use super::verify::exists;
use super::workspace::{Hit, locate, scan, text_of};
use super::{Candidate, Confidence, Evidence, Report, SEARCH_ROWS, Source, ranked};
use crate::input::network_lookup::NetworkLookup;
use crate::present::network::request::{Fate, Request};

/// Words of one scan (IN-NET-06).
const NEEDLES: usize = 8;
/// A shorter word stands everywhere.
const SHORTEST: usize = 4;
/// Failed requests that are kept.
const REQUESTS: usize = 20;
/// Words that stand on a line which sends a request.
const SENDING: [&str; 16] = [
    "fetch",
    "axios",
    "ajax",
    "XMLHttpRequest",
    ".open(",
    "request",
    ".get(",
    ".post(",
    ".put(",
    ".patch(",
    ".delete(",
    "useQuery",
    "useSWR",
    "EventSource",
    "WebSocket",
    "sendBeacon",
];

/// Methods that a line of code may name.
const METHODS: [&str; 6] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"];

/// What the rows of a lookup have said.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Requests that failed, as upstream wrote them.
    rows: Vec<Value>,
    /// The same, judged.
    pub failed: Vec<Request>,
    /// Requests that belong to the question, whatever became of them.
    pub asked: Vec<Request>,
    pattern: Option<String>,
}

impl Seen {
    /// Reads the answers: requests, and the addresses that the page knows to have ended without one.
    #[must_use]
    pub fn read(lookup: &NetworkLookup, answers: &[(Value, Option<Vec<String>>)]) -> Self {
        let mut seen = Self { pattern: lookup.pattern.clone(), ..Self::default() };
        for (data, finished) in answers {
            let rows = match data.get("requests").and_then(Value::as_array) {
                Some(rows) => rows.as_slice(),
                None => std::slice::from_ref(data),
            };
            for row in rows {
                let request = Request::read(row, finished.as_deref());
                let known = seen.asked.iter().any(|one| !one.id.is_empty() && one.id == request.id);
                if known || !seen.belongs(&request.url) {
                    continue;
                }
                if request.fate.is_failed() && seen.failed.len() < REQUESTS {
                    seen.failed.push(request.clone());
                    seen.rows.push(row.clone());
                }
                seen.asked.push(request);
            }
        }
        seen
    }

    /// By substring in either direction (IN-NET-05, NET-06).
    fn belongs(&self, url: &str) -> bool {
        match &self.pattern {
            None => true,
            Some(pattern) => {
                !url.is_empty() && (url.contains(pattern.as_str()) || pattern.contains(url))
            }
        }
    }

    /// `failedRequests` of `details` (NET-07).
    #[must_use]
    pub fn failed_details(&self) -> Vec<Value> {
        let entry = |request: &Request| {
            let mut entry = Map::new();
            let texts =
                [("requestId", &request.id), ("url", &request.url), ("method", &request.method)];
            for (key, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
                entry.insert(key.into(), text.clone().into());
            }
            match request.status {
                Some(status) => entry.insert("status".into(), status.into()),
                None => {
                    entry.insert("error".into(), "no answer: refused, aborted or blocked".into())
                }
            };
            Value::Object(entry)
        };
        self.failed.iter().map(entry).collect()
    }

    /// Looks for the code, and sums up. Reads the disk within the bounds of [`scan`].
    #[must_use]
    pub fn conclude(&self, root: &Path, max_files: usize) -> Report {
        let mut limitations = Vec::new();
        if self.failed.is_empty() {
            if self.asked.iter().any(|one| matches!(one.fate, Fate::Pending | Fate::NoStatus)) {
                limitations
                    .push("A request without an answer yet is not counted as failed.".to_owned());
            }
            return Report { status: "no-failed-requests", candidates: Vec::new(), limitations };
        }
        let mut candidates: Vec<Candidate> = Vec::new();
        for (row, request) in self.rows.iter().zip(&self.failed) {
            candidates.extend(initiators(row, &request.url, root));
        }
        let needles = self.needles();
        let words: Vec<String> = needles.iter().map(|needle| needle.text.clone()).collect();
        let scanned = scan(root, &words, max_files, &|_, _| true);
        limitations.extend(scan_limits(&scanned));
        let found = scanned.hits.iter().filter_map(|hit| {
            let needle = needles.get(hit.needle)?;
            Some((needle.rank(hit), needle.candidate(hit)?))
        });
        let mut found: Vec<((bool, u8), Candidate)> = found.collect();
        found.sort_by_key(|(rank, _)| *rank);
        let mut found = ranked(found.into_iter().map(|(_, candidate)| candidate).collect());
        found.truncate(SEARCH_ROWS);
        candidates.extend(found);
        let candidates = ranked(candidates);
        let status = if candidates.is_empty() { "no-candidates" } else { "failed-requests-found" };
        Report { status, candidates, limitations }
    }

    /// Paths of the failed requests, whole ones first, then what is left without ids.
    fn needles(&self) -> Vec<Needle> {
        let mut needles: Vec<Needle> = Vec::new();
        let paths: Vec<(String, &Request)> = self
            .failed
            .iter()
            .filter_map(|request| Some((path_of(&request.url)?, request)))
            .collect();
        let whole = paths.iter().map(|(path, request)| Needle::new(path, request, true));
        let fixed = paths.iter().filter_map(|(path, request)| {
            let fixed = fixed_part(path)?;
            Some(Needle::new(&fixed, request, false))
        });
        let behind_base = paths.iter().filter_map(|(path, request)| {
            let path = fixed_part(path).unwrap_or_else(|| path.clone());
            let (_, rest) = path.strip_prefix('/')?.split_once('/')?;
            (rest.contains(char::is_alphabetic))
                .then(|| Needle::new(&format!("/{rest}"), request, false))
        });
        // A client that puts addresses together holds their last part alone, in quotes.
        let quoted = paths.iter().flat_map(|(path, request)| {
            let path = fixed_part(path).unwrap_or_else(|| path.clone());
            let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
            let long = last.len() >= SHORTEST;
            ["'", "\"", "`"]
                .into_iter()
                .filter(move |_| long)
                .map(move |mark| Needle::new(&format!("{mark}{last}{mark}"), request, false))
        });
        let asked = self.pattern.iter().filter_map(|pattern| {
            let url = self.failed.first()?;
            let text = path_of(pattern).unwrap_or_else(|| pattern.clone());
            // A part of a path that is looked for anyway would only find more of less worth.
            let known = paths.iter().any(|(path, _)| path.contains(&text));
            (!known).then(|| Needle::new(&text, url, false))
        });
        for needle in whole.chain(fixed).chain(asked).chain(behind_base).chain(quoted) {
            let known = needles.iter().any(|known| known.text == needle.text);
            if !known && needle.text.len() >= SHORTEST && needles.len() < NEEDLES {
                needles.push(needle);
            }
        }
        needles
    }
}

/// A word of the scan.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Needle {
    text: String,
    url: String,
    method: String,
    /// The whole path of the request.
    whole: bool,
}

impl Needle {
    fn new(text: &str, request: &Request, whole: bool) -> Self {
        let (url, method) = (request.url.clone(), request.method.clone());
        Self { text: text.to_owned(), url, method, whole }
    }

    /// Of equal worth, client code stands first, and of that the lines that name the request's own
    /// method, then those that name none.
    fn rank(&self, hit: &Hit) -> (bool, u8) {
        let low = hit.text.to_ascii_lowercase();
        let names = |method: &str| {
            let method = method.to_ascii_lowercase();
            ["'", "\"", "`"].iter().any(|mark| low.contains(&format!("{mark}{method}{mark}")))
                || low.contains(&format!(".{method}("))
        };
        let method = match METHODS.iter().any(|method| names(method)) {
            true if names(&self.method) => 0,
            true => 2,
            false => 1,
        };
        (is_aside(&hit.file), method)
    }

    fn candidate(&self, hit: &Hit) -> Option<Candidate> {
        // One name alone is the name of many files.
        if hit.line.is_none() && self.text.matches('/').count() < 2 {
            return None;
        }
        let sends = SENDING.iter().any(|word| hit.text.contains(word));
        let confidence = match (self.whole, sends) {
            _ if hit.line.is_none() || is_aside(&hit.file) => Confidence::Low,
            (true, true) => Confidence::High,
            (true, false) | (false, true) => Confidence::Medium,
            (false, false) => Confidence::Low,
        };
        let evidence = match (hit.line.is_some(), self.whole) {
            (false, _) => Evidence::quoting("the file's own path holds the request's", &self.text),
            (true, true) => Evidence::quoting("holds the request's path", &hit.text),
            (true, false) => Evidence::quoting("holds a part of the request's path", &hit.text),
        };
        let request_url = Some(self.url.clone());
        Some(Candidate { request_url, ..Candidate::of_hit(hit, confidence, evidence) })
    }
}

/// Settings, stand-ins for a server, and tests: they hold the path and are not the caller.
fn is_aside(file: &str) -> bool {
    let low = format!("/{}", file.to_ascii_lowercase());
    let name = low.rsplit('/').next().unwrap_or_default();
    let marks = [".test.", ".spec.", ".stories.", "/__tests__/", "/tests/", "/test/", "/e2e/"];
    let servers = ["mock", "/msw/", "/fixtures/", "/cypress/"];
    name.contains(".config.") || marks.iter().chain(&servers).any(|mark| low.contains(mark))
}

fn path_of(url: &str) -> Option<String> {
    let path = Url::parse(url).ok().filter(Url::has_host)?.path().trim_end_matches('/').to_owned();
    (path.len() >= SHORTEST).then_some(path)
}

/// `/api/orders/42/lines` → `/api/orders/`: what stands in front of the first id.
fn fixed_part(path: &str) -> Option<String> {
    let mut fixed = String::new();
    for part in path.split('/').skip(1) {
        let digits = part.bytes().filter(u8::is_ascii_digit).count();
        let is_version = part.len() <= 3 && part.starts_with('v');
        let is_id = !is_version && (digits == part.len() || (digits > 0 && part.len() >= 8));
        if is_id {
            return (fixed.len() >= SHORTEST).then(|| format!("{fixed}/"));
        }
        fixed.push('/');
        fixed.push_str(part);
    }
    None
}

/// Places in the fields that say who began a request.
fn initiators(row: &Value, url: &str, root: &Path) -> Vec<Candidate> {
    let mut places = Vec::new();
    for key in ["initiator", "stack", "source", "trace"] {
        if let Some(value) = row.get(key) {
            collect(value, &mut places, 0);
        }
    }
    places.truncate(5);
    let candidate = |mut place: Place| {
        let located = locate(root, &place);
        let text = located.as_ref().and_then(|found| text_of(root, found));
        // A line of the script that ran, which the file does not have.
        if text.is_some_and(|text| place.line.is_some_and(|line| !exists(&text, line))) {
            (place.line, place.column) = (None, None);
        }
        let evidence = Evidence::quoting("began the request", &place.shown);
        let found =
            Candidate::of_place(Source::Initiator, place, located, Confidence::High, evidence);
        Candidate { request_url: Some(url.to_owned()), ..found }
    };
    places.into_iter().map(candidate).collect()
}

/// Scripts that a value names, at most a few levels deep.
fn collect(value: &Value, places: &mut Vec<Place>, depth: usize) {
    if depth > 6 || places.len() > 20 {
        return;
    }
    match value {
        Value::String(text) => places.extend(embedded(text)),
        Value::Array(items) => items.iter().for_each(|item| collect(item, places, depth + 1)),
        Value::Object(fields) => {
            // The browser counts lines from 0.
            let number =
                |key: &str| fields.get(key).and_then(Value::as_u64).map(|from_0| from_0 + 1);
            let file = fields.get("url").and_then(Value::as_str);
            match (file, number("lineNumber")) {
                (Some(file), Some(line)) => places.extend(
                    Place::read(file, Some(line), number("columnNumber")).filter(Place::is_source),
                ),
                _ => fields.values().for_each(|field| collect(field, places, depth + 1)),
            }
        }
        _ => {}
    }
}

#[cfg(test)]
#[path = "network_tests.rs"]
mod tests;
