//! Which file made an element or a component: what the page, React and the workspace say.

use std::path::Path;

use regex::Regex;
use serde_json::{Value, json};

use super::place::{Place, embedded, frame};
use super::verify::{Verdict, judge};
use super::workspace::{Hit, Located, Scanned, locate, scan, text_of};
use super::{Candidate, Confidence, Evidence, Report, SEARCH_ROWS, Source, ranked};
use crate::input::source_lookup::{SourceLookup, SourceRow, hints_script};

/// Names of components that one scan looks for.
const NAMES: usize = 4;

/// What the rows of a lookup have said.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    hints: Vec<Hint>,
    names: Vec<Name>,
    limitations: Vec<String>,
    react_failed: bool,
    html: Option<String>,
    place: Option<Value>,
    /// Instances of the component that was asked for.
    pub instances: Vec<u64>,
}

/// A file that somebody names.
#[derive(Clone, Debug)]
struct Hint {
    source: Source,
    place: Place,
    /// What it is worth when the file is there.
    confidence: Confidence,
    component: Option<String>,
    evidence: Evidence,
    /// The place is one of the script that the browser ran, perhaps not of the file.
    was_run: bool,
}

/// A component whose declaration is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    name: String,
    /// The caller has asked for it.
    asked: bool,
    /// React has it on the page.
    on_page: bool,
}

impl Seen {
    /// Reads the answers of the rows; nothing stands for a row that failed.
    #[must_use]
    pub fn read(lookup: &SourceLookup, rows: &[(SourceRow, Option<Value>)]) -> Self {
        let mut seen = Self::default();
        for (row, data) in rows {
            let Some(data) = data else {
                seen.react_failed |= matches!(row, SourceRow::Inspect | SourceRow::Tree);
                continue;
            };
            match row {
                SourceRow::Visible => {}
                SourceRow::Hints => seen.page_said(data.get("result").unwrap_or(&Value::Null)),
                SourceRow::Html => seen.html_said(data),
                SourceRow::Box => seen.place = Some(data.clone()),
                SourceRow::Inspect => seen.inspected(data),
                SourceRow::Tree => seen.tree(lookup, data),
            }
        }
        if let Some(component) = &lookup.component {
            let on_page = !seen.instances.is_empty();
            let name = component.rsplit('.').next().unwrap_or(component);
            seen.names.insert(0, Name { name: name.to_owned(), asked: true, on_page });
        }
        if seen.react_failed {
            seen.limitations.push(
                "React could not be asked: it is not on this page, or the browser was not launched \
                 with --enable react-devtools."
                    .to_owned(),
            );
        }
        seen
    }

    /// The script that finds the element behind a ref, where one was asked for.
    #[must_use]
    pub fn question_for_ref(&self) -> Option<String> {
        let (html, place) = (self.html.as_ref()?, self.place.as_ref()?);
        Some(hints_script(&json!({ "html": html, "box": place })))
    }

    /// What the page says about the element.
    pub fn page_said(&mut self, hints: &Value) {
        match hints.get("matches").and_then(Value::as_u64) {
            Some(1) => {}
            Some(many) if hints.get("attributes").is_some() => self
                .limitations
                .push(format!("{many} elements match the selector; the first one was looked at.")),
            _ => self.limitations.push(
                "The page could not be asked about this one element; a CSS selector for it may help."
                    .to_owned(),
            ),
        }
        for row in hints.get("attributes").and_then(Value::as_array).into_iter().flatten() {
            self.attribute(row);
        }
        if let Some(record) = hints.get("record").filter(|record| record.is_object()) {
            self.record(record);
        }
    }

    fn attribute(&mut self, row: &Value) {
        let number = |key: &str| {
            let value = row.get(key)?;
            value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())
        };
        let raw = row.get("file").and_then(Value::as_str).unwrap_or_default();
        let Some(place) = Place::read(raw, number("line"), number("column")) else { return };
        let own = number("up") == Some(0);
        let (confidence, words) = match own {
            true => (Confidence::High, "data attribute of the element"),
            false => (Confidence::Medium, "data attribute of an element around it"),
        };
        let evidence = Evidence::quoting(words, raw);
        let source = Source::DomAttribute;
        self.hints.push(Hint {
            source,
            place,
            confidence,
            component: None,
            evidence,
            was_run: false,
        });
    }

    /// What a framework has kept on the element.
    fn record(&mut self, record: &Value) {
        let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or_default();
        let number = |key: &str| record.get(key).and_then(Value::as_u64);
        let owners: Vec<&str> = record
            .get("owners")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let component = owners.first().map(|name| (*name).to_owned());
        let written = Place::read(text("file"), number("line"), number("column"));
        let was_run = written.is_none();
        let place = written.or_else(|| frame(text("stack")));
        let (source, words) = match text("by") {
            "React" => (Source::ReactInspect, "React's record of where the element was made"),
            "Vue" => (Source::DomAttribute, "Vue's record of the component's file"),
            _ => (Source::DomAttribute, "Svelte's record of where the element was made"),
        };
        if let Some(place) = place {
            let evidence = Evidence::plain(words);
            let confidence = Confidence::High;
            self.hints.push(Hint { source, place, confidence, component, evidence, was_run });
        }
        owners.iter().for_each(|name| self.name_on_page(name));
    }

    fn html_said(&mut self, data: &Value) {
        let html = data.get("html").and_then(Value::as_str).unwrap_or_default();
        for place in embedded(html) {
            let evidence = Evidence::quoting("named inside of the element", &place.shown);
            let (source, confidence) = (Source::DomAttribute, Confidence::Low);
            let component = None;
            let hint = Hint { source, place, confidence, component, evidence, was_run: false };
            self.hints.push(hint);
        }
        self.html = Some(html.to_owned());
    }

    /// `react inspect`: `Counter #6`, its properties, `rendered by: App`, and where it was made.
    fn inspected(&mut self, data: &Value) {
        let text = data.get("text").and_then(Value::as_str).unwrap_or_default();
        let name = text.lines().next().and_then(|line| line.split(" #").next()).unwrap_or_default();
        let component = (!name.is_empty()).then(|| name.to_owned());
        if let Some([file, line, column]) =
            data.get("source").and_then(Value::as_array).map(Vec::as_slice)
            && let Some(place) =
                Place::read(file.as_str().unwrap_or_default(), line.as_u64(), column.as_u64())
        {
            let evidence = Evidence::plain("React's place of the component");
            let (source, confidence) = (Source::ReactInspect, Confidence::High);
            let hint = Hint { source, place, confidence, component, evidence, was_run: true };
            self.hints.push(hint);
        }
        self.name_on_page(name);
        let owner = text.lines().find_map(|line| line.trim().strip_prefix("rendered by:"));
        // An element of the page itself has no declaration; its owner has one.
        if name.starts_with(|first: char| first.is_ascii_lowercase()) {
            let first = owner.and_then(|owners| owners.split([',', '>', '<']).next());
            self.name_on_page(first.unwrap_or_default().trim());
        }
    }

    /// `react tree`: lines of depth, id, parent, name.
    fn tree(&mut self, lookup: &SourceLookup, data: &Value) {
        let wanted = lookup.component.as_deref().unwrap_or_default();
        let tree = data.get("tree").and_then(Value::as_str).unwrap_or_default();
        for line in tree.lines().filter(|line| !line.starts_with('#')) {
            let mut parts = line.split_whitespace().skip(1);
            let (id, name) = (parts.next(), parts.nth(1));
            if name == Some(wanted)
                && let Some(id) = id.and_then(|id| id.parse().ok())
            {
                self.instances.push(id);
            }
        }
        if self.instances.is_empty() {
            self.limitations
                .push("React has no component of that name on the page now.".to_owned());
        }
    }

    /// Names of one or two letters come from a minifier.
    fn name_on_page(&mut self, name: &str) {
        let last = name.rsplit('.').next().unwrap_or(name);
        let component = last.len() > 2 && last.starts_with(char::is_uppercase);
        if component && self.names.iter().all(|known| known.name != last) {
            self.names.push(Name { name: last.to_owned(), asked: false, on_page: true });
        }
    }

    /// Looks for the files, and sums up. Reads the disk within the bounds of [`scan`].
    #[must_use]
    pub fn conclude(mut self, root: &Path, max_files: usize) -> Report {
        let mut candidates: Vec<Candidate> = Vec::new();
        let hints = std::mem::take(&mut self.hints);
        for hint in hints {
            let located = locate(root, &hint.place);
            // A name inside of a text is worth nothing when there is no such file.
            if located.is_some() || hint.confidence > Confidence::Low {
                let text = located.as_ref().and_then(|found| text_of(root, found));
                candidates.push(hint.held_against(text.as_deref()).candidate(located));
            }
        }
        let served = |one: &Candidate| one.source == Source::ReactInspect && !one.in_workspace;
        if candidates.iter().any(served) {
            self.limitations.push(
                "React names a place in a served script that is no file of the workspace; source \
                 maps are not read."
                    .to_owned(),
            );
        }
        let known = candidates.iter().any(|candidate| candidate.in_workspace);
        // What the page names itself is only searched for while nothing better is known.
        self.names.retain(|name| name.asked || !known);
        self.names.truncate(NAMES);
        if !self.names.is_empty() {
            candidates.extend(self.declarations(root, max_files));
        }
        let candidates = ranked(candidates);
        let status = match (candidates.is_empty(), self.react_failed) {
            (false, _) => "candidates-found",
            (true, true) => "unsupported",
            (true, false) => "no-candidates",
        };
        Report { status, candidates, limitations: self.limitations }
    }

    fn declarations(&mut self, root: &Path, max_files: usize) -> Vec<Candidate> {
        let needles: Vec<String> = self.names.iter().map(|name| name.name.clone()).collect();
        let patterns: Vec<Option<Regex>> = needles.iter().map(|name| declaration(name)).collect();
        let scanned = scan(root, &needles, max_files, &|needle, line| {
            let pattern = patterns.get(needle).and_then(Option::as_ref);
            line.is_empty() || pattern.is_some_and(|pattern| pattern.is_match(line))
        });
        self.limitations.extend(scan_limits(&scanned));
        let mut found: Vec<Candidate> = Vec::new();
        for (needle, name) in self.names.iter().enumerate() {
            let own: Vec<&Hit> = scanned.hits.iter().filter(|hit| hit.needle == needle).collect();
            found.extend(name.candidates(&own));
        }
        found.sort_by_key(|candidate| std::cmp::Reverse(candidate.confidence));
        found.truncate(SEARCH_ROWS);
        found
    }
}

/// What a scan has left out.
pub(super) fn scan_limits(scanned: &Scanned) -> Option<String> {
    let why = scanned.stopped?;
    Some(format!(
        "The scan ended after {} files at {why}; maxWorkspaceFiles may be up to 5000.",
        scanned.files
    ))
}

impl Hint {
    /// A line that the file does not have, or that says something else there, is not shown.
    fn held_against(mut self, text: Option<&str>) -> Self {
        let Some(text) = text else { return self };
        match judge(text, self.place.line, self.was_run, self.component.as_deref()) {
            Verdict::Fits => return self,
            Verdict::Declared(line, told) => {
                self.place.line = Some(line);
                let words = "React names the file, the component is declared here";
                self.evidence = Evidence::quoting(words, &told);
            }
            Verdict::Unknown => {
                self.place.line = None;
                self.confidence = self.confidence.min(Confidence::Medium);
            }
        }
        self.place.column = None;
        self
    }

    fn candidate(self, located: Option<Located>) -> Candidate {
        let found =
            Candidate::of_place(self.source, self.place, located, self.confidence, self.evidence);
        Candidate { component: self.component, ..found }
    }
}

impl Name {
    /// One declaration is worth more than several; those of tests are worth little.
    fn candidates(&self, hits: &[&Hit]) -> Vec<Candidate> {
        let is_test = |hit: &Hit| {
            [".test.", ".spec.", ".stories.", "__tests__/"]
                .iter()
                .any(|mark| hit.file.contains(mark))
        };
        let declared = hits.iter().filter(|hit| hit.line.is_some());
        let alone = declared.clone().filter(|hit| !is_test(hit)).count() == 1;
        let named = hits.iter().filter(|hit| {
            hit.line.is_none()
                && stem(&hit.file) == self.name
                && !hits.iter().any(|other| other.file == hit.file && other.line.is_some())
        });
        let candidate = |hit: &Hit, confidence, evidence| Candidate {
            component: Some(self.name.clone()),
            ..Candidate::of_hit(hit, confidence, evidence)
        };
        let worth = |hit: &Hit| match (alone && !is_test(hit), self.on_page) {
            (true, true) => Confidence::High,
            (true, false) => Confidence::Medium,
            (false, _) => Confidence::Low,
        };
        let declared = declared
            .map(|hit| candidate(hit, worth(hit), Evidence::quoting("declared here", &hit.text)));
        let named = named.map(|hit| {
            candidate(hit, Confidence::Low, Evidence::plain("the file has the component's name"))
        });
        declared.chain(named).collect()
    }
}

fn stem(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.split('.').next().unwrap_or(name)
}

/// A line that declares a component of this name.
pub(super) fn declaration(name: &str) -> Option<Regex> {
    let name = regex::escape(name);
    let kinds = r"(?:async\s+)?function\*?|(?:abstract\s+)?class|const|let|var";
    Regex::new(&format!(r"^\s*(?:export\s+)?(?:default\s+)?(?:{kinds})\s+{name}(?:[^\w$]|$)")).ok()
}

#[cfg(test)]
#[path = "source_tests.rs"]
mod tests;
