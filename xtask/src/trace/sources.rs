//! IDs in the comments of Rust and TypeScript files.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use super::spec::{ID_PATTERN, Id, Spec};
use crate::rust_source::{Comment, RustSource, regex};

/// An ID, or a range of them, in a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) file: PathBuf,
    pub(super) line: usize,
    /// A test file, or a `#[cfg(test)]` module.
    pub(super) in_test: bool,
    first: Id,
    /// The last number of a range (`DEC-90…96`).
    last: Option<String>,
}

/// Standards whose names look like IDs.
const NO_TOPICS: &[&str] = &["AES", "CVE", "ERC", "HMAC-SHA", "HTTP", "ISO", "RFC", "SHA", "UTF"];

/// An ID, and behind `…`, `..` or a dash the last number of a range, with or without its topic.
static MENTION: LazyLock<Regex> = LazyLock::new(|| {
    let range = r"(?:(?:…|\.\.\.?=?|–)(?:[A-Z][A-Z0-9-]*-)?([0-9]{2,3}))?";
    regex(&format!(r"\b{ID_PATTERN}\b{range}"))
});

/// Every ID in the comments of one file.
pub(super) fn mentions(file: &Path, text: &str) -> Vec<Mention> {
    let whole = is_test_file(file);
    let (comments, tests) = if file.extension().is_some_and(|ending| ending == "ts") {
        (script_comments(text), Vec::new())
    } else {
        let source = RustSource::parse(text);
        let tests = source.test_lines();
        (source.comments, tests)
    };
    let mut found = Vec::new();
    for comment in &comments {
        let in_test = whole || tests.iter().any(|lines| lines.contains(&comment.line));
        for captures in MENTION.captures_iter(&comment.text) {
            let (Some(topic), Some(number)) = (captures.get(1), captures.get(2)) else { continue };
            if NO_TOPICS.contains(&topic.as_str()) {
                continue;
            }
            found.push(Mention {
                file: file.to_path_buf(),
                line: comment.line,
                in_test,
                first: Id::new(topic.as_str(), number.as_str()),
                last: captures.get(3).map(|last| last.as_str().to_owned()),
            });
        }
    }
    found
}

/// Comments of TypeScript that have a line of their own.
fn script_comments(text: &str) -> Vec<Comment> {
    let is_comment = |line: &str| ["//", "/*", "*"].iter().any(|mark| line.starts_with(mark));
    let lines = text.lines().map(str::trim).enumerate();
    let comments = lines.filter(|(_, line)| is_comment(line));
    comments.map(|(at, line)| Comment { line: at + 1, text: line.to_owned() }).collect()
}

impl Mention {
    /// The IDs: both ends of a range as they are, between them those that want a test.
    pub(super) fn named(&self, spec: &Spec) -> Vec<Id> {
        let mut ids = vec![self.first.clone()];
        if let Some(last) = &self.last {
            let end = Id::new(self.first.topic(), last);
            ids.extend(end.number().map(|last| spec.range(&self.first, last)).unwrap_or_default());
            ids.push(end);
        }
        ids
    }
}

/// Files that hold nothing but tests.
fn is_test_file(file: &Path) -> bool {
    let name = file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let folder =
        |part: std::path::Component<'_>| part.as_os_str() == "tests" || part.as_os_str() == "test";
    name.ends_with("_tests.rs")
        || name == "tests.rs"
        || name.ends_with(".test.ts")
        || file.components().any(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> Spec {
        let rows: String = (1..=9).map(|number| format!("| AB-C-0{number} | x |\n")).collect();
        let gone = "## Superseded rows\n| AB-C-05 | gone |\n";
        Spec::parse(&[("1.md".into(), rows + gone)], "")
    }

    fn named(text: &str) -> Vec<String> {
        let found = mentions(Path::new("tests/a.rs"), text);
        found.iter().flat_map(|mention| mention.named(&spec())).map(|id| id.to_string()).collect()
    }

    #[test]
    fn lists_and_ranges_are_read() {
        assert_eq!(named("// AB-C-01, AB-C-02"), ["AB-C-01", "AB-C-02"]);
        assert_eq!(named("/// (AB-C-07…09)"), ["AB-C-07", "AB-C-08", "AB-C-09"]);
        assert_eq!(named("// AB-C-01..03"), ["AB-C-01", "AB-C-02", "AB-C-03"]);
        assert_eq!(named("// AB-C-01..AB-C-02"), ["AB-C-01", "AB-C-02"]);
    }

    #[test]
    fn a_range_steps_over_superseded_rows() {
        assert_eq!(named("// AB-C-04..06"), ["AB-C-04", "AB-C-06"]);
    }

    #[test]
    fn strings_and_names_of_standards_are_no_ids() {
        assert!(named("let x = \"// AB-C-01\"; // UTF-16, SHA-256, ISO-8859").is_empty());
    }

    #[test]
    fn only_test_files_and_test_modules_count() {
        let text = "// AB-C-01\nfn a() {}\n#[cfg(test)]\nmod tests {\n    // AB-C-02\n}\n";
        let of = |file: &str| -> Vec<bool> {
            mentions(Path::new(file), text).iter().map(|mention| mention.in_test).collect()
        };
        assert_eq!(of("src/plan/a.rs"), [false, true]);
        assert_eq!(of("src/plan/a_tests.rs"), [true, true]);
        assert_eq!(of("tests/it/a.rs"), [true, true]);
    }

    #[test]
    fn scripts_name_ids_on_comment_lines() {
        let text = "// AB-C-01\nconst a = 'AB-C-02'; // AB-C-03\n/**\n * AB-C-04\n */\n";
        let found = mentions(Path::new("pi/test/a.ts"), text);
        let lines: Vec<(usize, bool)> = found.iter().map(|m| (m.line, m.in_test)).collect();
        assert_eq!(lines, [(1, true), (4, true)]);
        assert!(!mentions(Path::new("pi/src/a.ts"), text).iter().any(|mention| mention.in_test));
    }
}
