//! The one gate: what leaves the program is redacted here, once, before it is cut or kept.
//!
//! Pure, linear in the input, never panics. Each rule is a file and a line of [`RULES`]; the walkers
//! for JSON, argument lists, cookies and storage use the same rules for every string. Redacting
//! twice gives what redacting once gave.

mod argv;
mod engine;
mod extent;
mod families;
mod header;
mod html;
mod json;
mod key_value;
mod keys;
mod own;
mod pem;
mod safe;
mod scheme;
mod secrets;
mod shapes;
mod tree;
mod url;
mod value;
mod verdict;

#[cfg(test)]
mod gate_tests;
#[cfg(test)]
mod key_value_tests;
#[cfg(test)]
mod time_tests;
#[cfg(test)]
mod value_tests;

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use crate::line::{Line, Span};
use engine::{Mode, Scan};
use secrets::CallSecrets;

pub use engine::Rule;
pub use own::secrets_in;
pub use safe::{SafeJson, SafeText, is_control, one_line_bytes, quoted_bytes};

/// What stands in the place of a secret.
pub const MASK: &str = "[REDACTED]";

/// Every rule that looks at text.
pub const RULES: &[Rule] = &[
    shapes::RULE,
    pem::RULE,
    scheme::RULE,
    header::RULE,
    url::RULE,
    key_value::RULE,
    html::RULE,
    tree::RULE,
];

/// A mask can make a neighbour readable to another rule, so the scan is repeated until it is still.
const MAX_PASSES: usize = 6;

/// Field names that stay even when a careless secret spells one of them.
const FIELDS: &[&str] = &[
    "success", "data", "error", "result", "results", "name", "value", "title", "text", "role",
    "refs", "snapshot", "status", "message", "type", "args", "command", "details", "params",
    "reason", "path", "count", "steps", "lines", "origin",
];

/// The gate of one call.
pub struct Redactor {
    secrets: CallSecrets,
}

/// A line that has passed the gate; `present::text` prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SafeLine {
    /// A line of ours, from spans.
    Spans(Vec<SafeSpan>),
    /// Foreign lines, one or several.
    Foreign(SafeText),
    /// Foreign words for one bounded line.
    Row(SafeText),
    /// A long foreign text of which the beginning is shown.
    Preview(SafeText),
    /// A line of an accessibility tree.
    Tree(SafeText),
    /// The value of `get` or `eval`.
    Value(SafeText),
}

/// A span that has passed the gate.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the same names as in `Span`")]
pub enum SafeSpan {
    Ours(SafeText),
    Quote(SafeText),
    Url(SafeText),
    Path(SafeText),
    Json(SafeText),
}

impl fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Redactor(..)")
    }
}

impl Redactor {
    /// A gate that also knows the exact values of this call's secrets.
    ///
    /// ```
    /// use agent_browser_native::redact::Redactor;
    /// let gate = Redactor::new(["hunter2".to_owned()]);
    /// assert_eq!(gate.text("typed hunter2 into #pw"), "typed [REDACTED] into #pw");
    /// ```
    pub fn new<I: IntoIterator<Item = String>>(call_secrets: I) -> Self {
        Self { secrets: CallSecrets::new(call_secrets) }
    }

    /// Free text: known token forms, credentials, sensitive names, addresses, the call's secrets.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        let masked = self.plain(text);
        json::document(self, &masked).unwrap_or(masked)
    }

    /// Free text by the rules alone, even where it is a JSON document.
    fn plain(&self, text: &str) -> String {
        self.settle(text, |text| Scan::new(text, Mode::Free))
    }

    /// An address, by field.
    ///
    /// ```
    /// use agent_browser_native::redact::Redactor;
    /// let gate = Redactor::new([]);
    /// assert_eq!(
    ///     gate.url("https://ann:pw@shop.test/cb?page=2&code=a1b2c3#access_token=xyz"),
    ///     "https://[REDACTED]@shop.test/cb?page=2&code=[REDACTED]#access_token=[REDACTED]"
    /// );
    /// ```
    #[must_use]
    pub fn url(&self, url: &str) -> String {
        self.settle(url, |url| {
            let mut scan = Scan::new(url, Mode::Free);
            self::url::fields(&mut scan, 0..url.len());
            scan
        })
    }

    /// JSON, by key and by the form of every string.
    #[must_use]
    pub fn json(&self, value: &Value) -> Value {
        json::redact(self, value)
    }

    /// The answer of `cookies`: every `value` is masked.
    #[must_use]
    pub fn json_cookies(&self, value: &Value) -> Value {
        families::cookies(self, value)
    }

    /// The answer of `storage`: sensitive keys and secret-looking values are masked, the rest stays.
    #[must_use]
    pub fn json_storage(&self, value: &Value) -> Value {
        families::storage(self, value)
    }

    /// An argument list: values of sensitive flags and commands, and secrets inside the rest.
    #[must_use]
    pub fn argv(&self, argv: &[String]) -> Vec<String> {
        argv::redact(self, argv)
    }

    /// A line of a snapshot: refs, roles and labels stay.
    #[must_use]
    pub fn tree_line(&self, line: &str) -> String {
        self.settle(line, |line| Scan::new(line, Mode::Tree))
    }

    /// Free text for an exit.
    #[must_use]
    pub fn safe_text(&self, text: &str) -> SafeText {
        SafeText::admit(self.text(text))
    }

    /// JSON for an exit.
    #[must_use]
    pub fn safe_json(&self, value: &Value) -> SafeJson {
        SafeJson::admit(self.json(value))
    }

    /// One line for the printer.
    #[must_use]
    pub fn line(&self, line: &Line) -> SafeLine {
        match line {
            Line::Spans(spans) => {
                SafeLine::Spans(spans.iter().map(|span| self.span(span)).collect())
            }
            Line::Foreign(text) => SafeLine::Foreign(self.safe_text(text)),
            Line::Row(text) => SafeLine::Row(self.safe_text(text)),
            Line::Preview(text) => SafeLine::Preview(self.safe_text(text)),
            Line::Tree(text) => SafeLine::Tree(SafeText::admit(self.tree_line(text))),
            Line::Value(text) => SafeLine::Value(self.safe_text(text)),
        }
    }

    /// Lines for the printer. Foreign lines that follow each other are one text, because a secret
    /// such as a private key may run over several of them.
    #[must_use]
    pub fn lines(&self, lines: &[Line]) -> Vec<SafeLine> {
        let mut safe = Vec::with_capacity(lines.len());
        let mut foreign: Option<String> = None;
        for line in lines {
            if let Line::Foreign(text) = line {
                match &mut foreign {
                    Some(block) => {
                        block.push('\n');
                        block.push_str(text);
                    }
                    None => foreign = Some(text.clone()),
                }
                continue;
            }
            if let Some(block) = foreign.take() {
                safe.push(SafeLine::Foreign(self.safe_text(&block)));
            }
            safe.push(self.line(line));
        }
        if let Some(block) = foreign {
            safe.push(SafeLine::Foreign(self.safe_text(&block)));
        }
        safe
    }

    fn span(&self, span: &Span) -> SafeSpan {
        match span {
            Span::Ours(Cow::Borrowed(text)) => SafeSpan::Ours(SafeText::fixed(text)),
            // Words put together at run time may hold a value by mistake.
            Span::Ours(Cow::Owned(text)) => SafeSpan::Ours(SafeText::admit(
                self.settle(text, |text| Scan::new(text, Mode::Own)),
            )),
            Span::Quote(text) => SafeSpan::Quote(self.safe_text(text)),
            Span::Url(url) => SafeSpan::Url(SafeText::admit(self.url(url))),
            Span::Path(path) => SafeSpan::Path(self.safe_text(path)),
            Span::Json(text) => SafeSpan::Json(self.json_text(text)),
        }
    }

    /// JSON text stays as it is unless a field of it has to be masked.
    fn json_text(&self, text: &str) -> SafeText {
        match serde_json::from_str::<Value>(text) {
            Ok(value) => {
                let masked = self.json(&value);
                SafeText::admit(if masked == value { text.to_owned() } else { masked.to_string() })
            }
            Err(_) => self.safe_text(text),
        }
    }

    /// A key of an object: what names the fields of every answer stays, whatever the secrets are.
    fn key(&self, key: &str) -> String {
        if FIELDS.contains(&key) { key.to_owned() } else { self.text(key) }
    }

    fn is_call_secret(&self, text: &str) -> bool {
        let mut scan = Scan::new(text, Mode::Free);
        self.secrets.mark(&mut scan);
        scan.render().is_some()
    }

    fn settle(&self, text: &str, prepare: impl Fn(&str) -> Scan<'_>) -> String {
        let mut settled = text.to_owned();
        for _ in 0..MAX_PASSES {
            let mut scan = prepare(&settled);
            scan.run();
            self.secrets.mark(&mut scan);
            let Some(masked) = scan.render().filter(|masked| *masked != settled) else {
                break;
            };
            settled = masked;
        }
        settled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // RED-04
    #[test]
    fn json_of_a_line_keeps_its_layout_unless_a_field_is_masked() {
        let gate = Redactor::new([]);
        let shown = |text: &str| gate.line(&Line::Spans(vec![Span::Json(text.to_owned())]));
        let safe =
            |text: &str| SafeLine::Spans(vec![SafeSpan::Json(SafeText::admit(text.to_owned()))]);
        assert_eq!(shown("{ \"a\":  1 }"), safe("{ \"a\":  1 }"));
        assert_eq!(shown("{ \"pwd\":  \"x\" }"), safe("{\"pwd\":\"[REDACTED]\"}"));
        assert_eq!(shown("pwd=hunter2"), safe("pwd=[REDACTED]"));
    }

    // DEC-68
    #[test]
    fn foreign_lines_that_follow_each_other_pass_as_one_text() {
        let gate = Redactor::new([]);
        let foreign = |text: &str| Line::Foreign(text.to_owned());
        let safe = |text: &str| SafeText::admit(text.to_owned());
        let lines = [
            foreign("-----BEGIN PRIVATE KEY-----"),
            foreign("MIIEpAIBAAKCAQEA7b"),
            Line::Row("pwd=hunter2".to_owned()),
            foreign("end"),
        ];
        assert_eq!(
            gate.lines(&lines),
            [
                SafeLine::Foreign(safe(MASK)),
                SafeLine::Row(safe("pwd=[REDACTED]")),
                SafeLine::Foreign(safe("end")),
            ]
        );
        let json = gate.safe_json(&serde_json::json!({ "pwd": "x", "n": 1 }));
        assert_eq!(json.to_string(), r#"{"pwd":"[REDACTED]","n":1}"#);
    }

    #[test]
    fn a_gate_does_not_print_its_secrets() {
        assert_eq!(format!("{:?}", Redactor::new(["swordfish".to_owned()])), "Redactor(..)");
    }
}
