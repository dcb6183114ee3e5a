//! From the page to the code: candidates with evidence, never an authoritative mapping (SRC-01, NET-01).
//!
//! `source` and `network` judge values; `workspace` is the only part that looks at the disk, and all
//! it does there is bounded.

pub mod network;
mod place;
pub mod source;
mod verify;
pub mod workspace;

use serde_json::{Map, Value, json};

use crate::line::cut;

/// Candidates of the scan that are kept (IN-SRC-06).
pub const SEARCH_ROWS: usize = 10;
/// All candidates of one lookup.
const CANDIDATES: usize = 20;
/// Longest piece of code or page that evidence quotes, in characters.
const QUOTED: usize = 160;

/// How a candidate was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Source {
    ReactInspect,
    DomAttribute,
    Initiator,
    WorkspaceSearch,
}

impl Source {
    /// The name in `details`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ReactInspect => "react-inspect",
            Self::DomAttribute => "dom-attribute",
            Self::Initiator => "initiator",
            Self::WorkspaceSearch => "workspace-search",
        }
    }
}

/// How much the evidence is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Confidence {
    Low,
    Medium,
    High,
}

impl Confidence {
    /// The name in `details` and in the text.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// Why something is a candidate: our words, and what they are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// What was seen.
    pub words: &'static str,
    /// Words of the page or of a file.
    pub quote: Option<String>,
}

impl Evidence {
    /// Evidence without a quotation.
    #[must_use]
    pub fn plain(words: &'static str) -> Self {
        Self { words, quote: None }
    }

    /// Evidence that quotes the page or a file.
    #[must_use]
    pub fn quoting(words: &'static str, quote: &str) -> Self {
        Self { words, quote: Some(cut(quote.trim(), QUOTED)) }
    }

    fn to_text(&self) -> String {
        match &self.quote {
            None => self.words.to_owned(),
            Some(quote) => format!("{}: {quote}", self.words),
        }
    }
}

/// A place in the code that may be the one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// How it was found.
    pub source: Source,
    /// How much that is worth.
    pub confidence: Confidence,
    /// Why.
    pub evidence: Vec<Evidence>,
    /// Path below the workspace, or what the page calls the file.
    pub file: Option<String>,
    /// The file is there, below the workspace.
    pub in_workspace: bool,
    /// Line, from 1.
    pub line: Option<u64>,
    /// Column, from 1.
    pub column: Option<u64>,
    /// The component's name.
    pub component: Option<String>,
    /// The failed request's address.
    pub request_url: Option<String>,
}

impl Candidate {
    /// What a scan of the workspace found.
    fn of_hit(hit: &workspace::Hit, confidence: Confidence, evidence: Evidence) -> Self {
        Self {
            source: Source::WorkspaceSearch,
            confidence,
            evidence: vec![evidence],
            file: Some(hit.file.clone()),
            in_workspace: true,
            line: hit.line,
            column: None,
            component: None,
            request_url: None,
        }
    }

    /// A place that the page or the browser names: worth less where the workspace has only a file
    /// like it, and little where it has none.
    fn of_place(
        source: Source,
        place: place::Place,
        located: Option<workspace::Located>,
        worth: Confidence,
        evidence: Evidence,
    ) -> Self {
        let confidence = match (&located, worth) {
            (Some(found), worth) if found.whole => worth,
            (Some(_), Confidence::High) => Confidence::Medium,
            _ => Confidence::Low,
        };
        Self {
            source,
            confidence,
            evidence: vec![evidence],
            in_workspace: located.is_some(),
            file: Some(located.map_or(place.shown, |found| found.file)),
            line: place.line,
            column: place.column,
            component: None,
            request_url: None,
        }
    }

    /// The entry of `details`.
    #[must_use]
    pub fn to_details(&self) -> Value {
        let mut entry = Map::new();
        entry.insert("source".into(), self.source.name().into());
        entry.insert("confidence".into(), self.confidence.name().into());
        let evidence: Vec<String> = self.evidence.iter().map(Evidence::to_text).collect();
        entry.insert("evidence".into(), json!(evidence));
        for (key, value) in [
            ("file", self.file.clone().map(Value::from)),
            ("line", self.line.map(Value::from)),
            ("column", self.column.map(Value::from)),
            ("componentName", self.component.clone().map(Value::from)),
            ("requestUrl", self.request_url.clone().map(Value::from)),
        ] {
            if let Some(value) = value {
                entry.insert(key.into(), value);
            }
        }
        Value::Object(entry)
    }
}

/// Best first; what names the same line twice is one candidate with both pieces of evidence.
fn ranked(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut kept: Vec<Candidate> = Vec::new();
    let mut all = candidates;
    all.sort_by_key(|candidate| std::cmp::Reverse(candidate.confidence));
    for candidate in all {
        let same = kept.iter_mut().find(|known| {
            known.file.is_some() && known.file == candidate.file && known.line == candidate.line
        });
        match same {
            Some(known) => {
                for evidence in candidate.evidence {
                    if !known.evidence.contains(&evidence) {
                        known.evidence.push(evidence);
                    }
                }
                known.component = known.component.take().or(candidate.component);
            }
            None => kept.push(candidate),
        }
    }
    kept.truncate(CANDIDATES);
    kept
}

/// What a lookup came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// `candidates-found`, `no-candidates` …
    pub status: &'static str,
    /// Best first.
    pub candidates: Vec<Candidate>,
    /// What was not looked at, and why.
    pub limitations: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::Redactor;

    pub(super) fn candidate(confidence: Confidence, file: &str, line: u64) -> Candidate {
        Candidate {
            source: Source::WorkspaceSearch,
            confidence,
            evidence: vec![Evidence::quoting("declared here", "function A() {}")],
            file: Some(file.to_owned()),
            in_workspace: true,
            line: Some(line),
            column: None,
            component: None,
            request_url: None,
        }
    }

    /// A directory with these files.
    pub(super) fn workspace_of(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        root
    }

    /// Confidence, file and line of every candidate.
    pub(super) fn places(report: &Report) -> Vec<String> {
        let place = |one: &Candidate| {
            let line = one.line.map_or(String::new(), |line| format!(":{line}"));
            format!("{} {}{line}", one.confidence.name(), one.file.as_deref().unwrap_or_default())
        };
        report.candidates.iter().map(place).collect()
    }

    // RED-12, DEC-68
    #[test]
    fn evidence_shows_no_beginning_of_a_secret() {
        let token = format!("gh{}_{}", "p", "a1B2c3D4".repeat(5));
        for at in 110..170 {
            let line = format!("{} {token}", "x".repeat(at));
            let shown = Redactor::new([]).text(&Evidence::quoting("x", &line).to_text());
            assert!(!shown.contains("a1B2"), "{at} {shown}");
        }
    }

    // IN-SRC-09, SRC-03, NET-08
    #[test]
    fn a_candidate_tells_only_what_is_known() {
        let mut one = candidate(Confidence::Medium, "src/A.jsx", 3);
        one.component = Some("A".to_owned());
        assert_eq!(
            one.to_details(),
            json!({
                "source": "workspace-search", "confidence": "medium",
                "evidence": ["declared here: function A() {}"],
                "file": "src/A.jsx", "line": 3, "componentName": "A",
            })
        );
        one.request_url = Some("http://a.test/api".to_owned());
        one.column = Some(4);
        assert_eq!(one.to_details()["requestUrl"], "http://a.test/api");
        assert_eq!(one.to_details()["column"], 4);
        let names = [Source::ReactInspect, Source::DomAttribute, Source::Initiator];
        assert_eq!(names.map(Source::name), ["react-inspect", "dom-attribute", "initiator"]);
    }

    #[test]
    fn the_same_line_is_one_candidate_with_all_evidence_and_the_best_stands_first() {
        let low = candidate(Confidence::Low, "b.js", 1);
        let mut same = candidate(Confidence::Low, "a.js", 3);
        same.evidence = vec![Evidence::plain("named like the component")];
        let high = candidate(Confidence::High, "a.js", 3);
        let ranked = ranked(vec![low.clone(), same, high]);
        assert_eq!(ranked.len(), 2);
        assert_eq!((ranked[0].confidence, ranked[0].evidence.len()), (Confidence::High, 2));
        assert_eq!(ranked[1], low);
    }
}
