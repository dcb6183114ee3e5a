//! The requirement tables of `spec/`.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::Result;
use crate::rust_source::regex;

/// A requirement's name, for example `IN-GEN-01`: a topic and a number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id {
    topic: String,
    /// Kept as written: `01` and `1` are different names.
    number: String,
}

/// What an ID looks like, without anchors.
pub(super) const ID_PATTERN: &str = r"([A-Z][A-Z0-9]*(?:-[A-Z][A-Z0-9]*)*)-([0-9]{2,3})";

static WHOLE_ID: LazyLock<Regex> = LazyLock::new(|| regex(&format!("^{ID_PATTERN}$")));

impl Id {
    pub(super) fn new(topic: &str, number: &str) -> Self {
        Self { topic: topic.to_owned(), number: number.to_owned() }
    }

    fn parse(text: &str) -> Option<Self> {
        let found = WHOLE_ID.captures(text.trim())?;
        Some(Self::new(found.get(1)?.as_str(), found.get(2)?.as_str()))
    }

    pub(super) fn topic(&self) -> &str {
        &self.topic
    }

    pub(super) fn number(&self) -> Option<u32> {
        self.number.parse().ok()
    }
}

impl fmt::Display for Id {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}-{}", self.topic, self.number)
    }
}

/// Every requirement.
#[derive(Debug, Default)]
pub(super) struct Spec {
    /// Rows that want a test.
    pub(super) ids: BTreeSet<Id>,
    /// Rows that no longer hold.
    pub(super) superseded: BTreeSet<Id>,
    /// Rows that cannot have a test here.
    pub(super) reasons: BTreeSet<Id>,
    /// Contradictions inside `spec/`.
    pub(super) problems: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Table {
    Rows,
    Superseded,
    Narrowed,
}

impl Spec {
    /// Reads `spec/*.md`; `reasons.md` may be missing.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let mut parts = Vec::new();
        let mut reasons = String::new();
        let mut paths: Vec<_> = fs::read_dir(folder)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<std::io::Result<_>>()?;
        paths.sort();
        for path in paths {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            match name {
                Some(name) if name == "reasons.md" => reasons = fs::read_to_string(&path)?,
                Some(name) if name.ends_with(".md") => {
                    parts.push((name, fs::read_to_string(&path)?))
                }
                _ => {}
            }
        }
        Ok(Self::parse(&parts, &reasons))
    }

    /// Takes the tables apart: `(file name, text)` each, and the text of `reasons.md`.
    pub(super) fn parse(parts: &[(String, String)], reasons: &str) -> Self {
        let mut spec = Self::default();
        let mut narrowed = Vec::new();
        for (name, text) in parts {
            let mut table = Table::Rows;
            for line in text.lines() {
                if let Some(heading) = line.strip_prefix('#') {
                    table = Table::below(heading.trim_start_matches('#').trim());
                }
                for id in first_cell(line) {
                    match table {
                        Table::Superseded => {
                            spec.superseded.insert(id);
                        }
                        Table::Narrowed => narrowed.push((name, id)),
                        Table::Rows => {
                            let again = format!("spec/{name}: {id} stands twice");
                            if !spec.ids.insert(id) {
                                spec.problems.push(again);
                            }
                        }
                    }
                }
            }
        }
        for (name, id) in narrowed {
            if !spec.ids.contains(&id) {
                spec.problems.push(format!("spec/{name}: narrowed row {id} does not exist"));
            }
        }
        for id in reasons.lines().flat_map(first_cell) {
            if !spec.ids.contains(&id) {
                spec.problems.push(format!("spec/reasons.md: {id} does not exist"));
            }
            spec.reasons.insert(id);
        }
        let superseded = &spec.superseded;
        spec.ids.retain(|id| !superseded.contains(id));
        spec
    }

    /// True for rows that want a test and for superseded ones.
    pub(super) fn known(&self, id: &Id) -> bool {
        self.ids.contains(id) || self.superseded.contains(id)
    }

    /// Rows from `first` to the one of the same topic that ends in `last`, both included.
    pub(super) fn range(&self, first: &Id, last: u32) -> Vec<Id> {
        let inside = |id: &&Id| {
            id.topic == first.topic && id.number() > first.number() && id.number() < Some(last)
        };
        self.ids.iter().filter(inside).cloned().collect()
    }
}

impl Table {
    fn below(heading: &str) -> Self {
        match heading {
            "Superseded rows" => Self::Superseded,
            "Narrowed rows" => Self::Narrowed,
            _ => Self::Rows,
        }
    }
}

/// The IDs in the first cell of a table row; cells may list several.
fn first_cell(line: &str) -> Vec<Id> {
    let cell = line.strip_prefix('|').and_then(|rest| rest.split('|').next()).unwrap_or_default();
    cell.split(',').filter_map(Id::parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(ids: &BTreeSet<Id>) -> Vec<String> {
        ids.iter().map(ToString::to_string).collect()
    }

    fn parse(text: &str) -> Spec {
        Spec::parse(&[("3.md".into(), text.into())], "")
    }

    #[test]
    fn ids_of_every_form_are_read_from_first_cells_only() {
        let spec = parse(
            "# Top\n| ID | Requirement |\n| --- | --- |\n| IN-GEN-01 | see DEC-99 |\n\
             | DIAG-CLICK-10 | x |\n|DEC-100|y|\n| C1 | conflict |\nHAZ-01 in prose\n",
        );
        assert_eq!(shown(&spec.ids), ["DEC-100", "DIAG-CLICK-10", "IN-GEN-01"]);
        assert!(spec.problems.is_empty());
    }

    #[test]
    fn superseded_rows_want_no_test_but_stay_known() {
        let spec =
            parse("| A-01 | x |\n## Superseded rows\n| A-01 | why |\n## More\n| A-02 | y |\n");
        assert_eq!(shown(&spec.ids), ["A-02"]);
        assert!(spec.known(&Id::new("A", "01")));
    }

    #[test]
    fn narrowed_rows_list_several_ids_that_must_exist() {
        let spec = parse("| A-01 | x |\n## Narrowed rows\n| A-01, B-07 | now |\n");
        assert_eq!(shown(&spec.ids), ["A-01"]);
        assert_eq!(spec.problems, ["spec/3.md: narrowed row B-07 does not exist"]);
    }

    #[test]
    fn a_reason_for_an_unknown_row_is_a_problem() {
        let spec = Spec::parse(&[], "| ID | reason |\n| A-01 | none |\n");
        assert_eq!(spec.problems, ["spec/reasons.md: A-01 does not exist"]);
    }

    #[test]
    fn a_row_that_stands_twice_is_a_problem() {
        assert_eq!(
            parse("| A-01 | x |\n| A-01 | y |\n").problems,
            ["spec/3.md: A-01 stands twice"]
        );
    }
}
