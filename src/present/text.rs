//! Lines → text: the one printer.
//!
//! Whatever a page wrote ends up between quotation marks, behind two blanks, or on a tree line. No
//! page can write a line that begins like one of ours, a control character or a bidi override
//! (visible-text rules 1, 3, 7).

use crate::present::section::{Line, QUOTE_LIMIT};
use crate::redact::{Redactor, SafeLine, SafeSpan, SafeText};

/// Longest address that is printed, in characters.
pub const URL_LIMIT: usize = 500;

/// How our own lines begin. A bare value that begins like one of them is indented instead.
///
/// Compared without regard to case and leading blanks. A number followed by a blank counts too:
/// steps and `N more lines` begin so.
pub const OUR_STARTS: &[&str] = &[
    "- ",
    "Absolute path",
    "Agent-browser ",
    "Allowed",
    "Artifact",
    "Broad Electron",
    "Candidate",
    "Checked",
    "Clicked",
    "Click ",
    "Closed",
    "Combobox",
    "Console",
    "Cookie",
    "Current snapshot",
    "Dialog",
    "Download",
    "Electron",
    "Error",
    "Eval",
    "Failed",
    "Fill",
    "For one of",
    "Full ",
    "Hint",
    "Inline image",
    "Launched",
    "Main content",
    "Managed session",
    "Network",
    "Next",
    "No change",
    "Note",
    "Now on",
    "Omitted",
    "Opened",
    "Other:",
    "Output",
    "Page",
    "Pending confirmation",
    "Pi tool isError",
    "Planned steps",
    "Possible overlay",
    "Pressed",
    "Previous recording",
    "QA ",
    "Recording",
    "Recovery",
    "Requested path",
    "Rich input",
    "Roles:",
    "Saved",
    "Screenshot",
    "Scroll",
    "Selected",
    "Selector",
    "Session",
    "Snapshot",
    "Stopped",
    "Storage",
    "Tab",
    "The browser",
    "Timeout",
    "Trace",
    "Typed",
    "Unknown",
    "Waited",
    "Warning",
    "[likely sensitive",
    "[actionable",
    "[benign",
];

/// Prints lines, each redacted, quoted, indented or bare as its kind says.
///
/// ```
/// use agent_browser_native::present::section::Line;
/// use agent_browser_native::present::text::print;
/// use agent_browser_native::redact::Redactor;
///
/// let lines = [
///     Line::ours("Opened ").quote("Sign \"in\"").and(" ").url("https://shop.test/?token=abc"),
///     Line::Foreign("Next: {}".to_owned()),
/// ];
/// assert_eq!(
///     print(&lines, &Redactor::new([])).as_str(),
///     "Opened \"Sign \\\"in\\\"\" https://shop.test/?token=[REDACTED]\n  Next: {}"
/// );
/// ```
#[must_use]
pub fn print(lines: &[Line], redactor: &Redactor) -> SafeText {
    let mut printed = Vec::with_capacity(lines.len());
    for line in redactor.lines(lines) {
        match line {
            SafeLine::Spans(spans) => printed.push(print_spans(&spans)),
            SafeLine::Foreign(text) => printed.extend(text.lines().map(|line| indented(&line))),
            SafeLine::Tree(text) => printed.extend(text.lines().map(|line| print_tree(&line))),
            SafeLine::Value(text) => print_value(&text, &mut printed),
        }
    }
    SafeText::join(&printed, "\n")
}

/// True when a text, printed bare, would begin like a line of ours.
#[must_use]
pub fn begins_like_ours(text: &str) -> bool {
    let text = text.trim_start();
    let number = text.trim_start_matches(|first: char| first.is_ascii_digit());
    let numbered = number.len() < text.len() && number.starts_with(' ');
    numbered
        || OUR_STARTS.iter().any(|start| {
            text.as_bytes()
                .get(..start.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
        })
}

fn print_spans(spans: &[SafeSpan]) -> SafeText {
    let mut line = SafeText::default();
    let mut starts_foreign = false;
    for span in spans {
        let (text, foreign) = match span {
            SafeSpan::Ours(text) => (text.one_line(), false),
            SafeSpan::Quote(text) => (text.quoted(QUOTE_LIMIT), false),
            SafeSpan::Url(url) => (url.one_word().cut_chars(URL_LIMIT), true),
            SafeSpan::Path(path) => (path.one_line(), true),
            SafeSpan::Json(json) => (json.one_line_json(), true),
        };
        if line.as_str().trim().is_empty() && !text.is_empty() {
            starts_foreign = foreign;
        }
        line.push(&text);
    }
    if starts_foreign && begins_like_ours(line.as_str()) { indented(&line) } else { line }
}

fn print_tree(line: &SafeText) -> SafeText {
    let line = line.one_line();
    if line.as_str().trim_start_matches(' ').starts_with("- ") { line } else { indented(&line) }
}

fn print_value(text: &SafeText, printed: &mut Vec<SafeText>) {
    let one_line = !text.as_str().contains('\n');
    if one_line && !begins_like_ours(text.as_str()) {
        printed.push(text.one_line());
    } else {
        printed.extend(text.lines().map(|line| indented(&line)));
    }
}

fn indented(line: &SafeText) -> SafeText {
    let mut indented = SafeText::fixed("  ");
    indented.push(&line.one_line());
    indented
}
