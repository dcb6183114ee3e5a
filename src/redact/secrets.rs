//! The exact values of the call's own secrets, in any output (RED-10, DEC-68).

use std::collections::BTreeSet;

use aho_corasick::{AhoCorasick, MatchKind};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::engine::Scan;
use super::value;

/// Shorter values are masked only where they stand alone.
const SHORT: usize = 4;

/// A line of a longer secret counts by itself from this length on.
const LINE: usize = 8;

/// What to look for.
pub(super) struct CallSecrets {
    search: Search,
    short: Vec<String>,
}

enum Search {
    Nothing,
    Words(Box<AhoCorasick>),
    /// The list was too large to search for, so no text may pass.
    Impossible,
}

impl CallSecrets {
    pub(super) fn new(secrets: impl IntoIterator<Item = String>) -> Self {
        let mut long = BTreeSet::new();
        let mut short = BTreeSet::new();
        for secret in secrets {
            let bare = secret.trim();
            match bare.chars().count() {
                0 => {}
                length if length < SHORT || value::is_common(bare) => {
                    short.insert(bare.to_owned());
                }
                _ => long.extend(spellings(&secret)),
            }
        }
        let search = if long.is_empty() {
            Search::Nothing
        } else {
            match AhoCorasick::builder().match_kind(MatchKind::Standard).build(&long) {
                Ok(automaton) => Search::Words(Box::new(automaton)),
                Err(_) => Search::Impossible,
            }
        };
        Self { search, short: short.into_iter().collect() }
    }

    /// Marks every occurrence.
    pub(super) fn mark(&self, scan: &mut Scan<'_>) {
        match &self.search {
            Search::Nothing => {}
            Search::Impossible => scan.mask(0..scan.text.len()),
            Search::Words(automaton) => {
                for found in automaton.find_overlapping_iter(scan.text) {
                    mark_unless_structure(scan, found.start(), found.end());
                }
            }
        }
        for secret in &self.short {
            mark_alone(scan, secret);
        }
    }
}

/// A short secret between characters that are no part of a word; one character only as the whole.
fn mark_alone(scan: &mut Scan<'_>, secret: &str) {
    let text = scan.text;
    if text.trim() == secret {
        return scan.mask(0..text.len());
    }
    // A word of the trade, such as `password`, is a value only between quotation marks.
    let quoted_only = secret.chars().count() >= SHORT;
    if secret.chars().count() < 2 {
        return;
    }
    for (start, found) in text.match_indices(secret) {
        let end = start + found.len();
        let before = text.get(..start).and_then(|head| head.chars().next_back());
        let after = text.get(end..).and_then(|tail| tail.chars().next());
        let joins = |neighbour: char| neighbour.is_alphanumeric() || neighbour == '_';
        let quotes = matches!((before, after), (Some('"'), Some('"')) | (Some('\''), Some('\'')));
        let alone = !before.is_some_and(joins) && !after.is_some_and(joins);
        if (quotes || alone && !quoted_only) && !(quoted_only && scan.tree_line_at(start).is_some())
        {
            mark_unless_structure(scan, start, end);
        }
    }
}

fn mark_unless_structure(scan: &mut Scan<'_>, start: usize, end: usize) {
    if let Some((line, parts)) = scan.tree_line_at(start) {
        let inside = start - line.start..end.min(line.end) - line.start;
        if parts.is_structure(&inside) {
            return;
        }
    }
    scan.mask(start..end);
}

/// The secret as it may be spelled in JSON, addresses, forms, HTML and basic credentials.
fn spellings(secret: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let bare = secret.trim();
    let lines = bare.lines().map(str::trim).filter(|line| line.len() >= LINE);
    for text in [secret, bare].into_iter().chain(lines) {
        let json = serde_json::Value::from(text).to_string();
        all.insert(json.trim_matches('"').to_owned());
        all.insert(
            text.replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;")
                .replace('"', "&quot;"),
        );
        all.insert(url::form_urlencoded::byte_serialize(text.as_bytes()).collect());
        all.insert(percent_encoded(text));
        all.insert(text.to_owned());
    }
    if bare.len() >= LINE {
        all.insert(STANDARD.encode(bare));
        all.insert(STANDARD_NO_PAD.encode(bare));
        all.insert(URL_SAFE_NO_PAD.encode(bare));
    }
    all.retain(|text| text.chars().count() >= SHORT);
    all
}

/// As `encodeURIComponent` writes it.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use crate::redact::Redactor;

    fn check(secret: &str, text: &str, expected: &str) {
        assert_eq!(Redactor::new([secret.to_owned()]).text(text), expected, "{secret} in {text}");
    }

    // RED-10, DEC-68
    #[test]
    fn a_secret_is_found_in_every_spelling() {
        let secret = "p\"w &ä";
        check(secret, "typed p\"w &ä here", "typed [REDACTED] here");
        check(secret, r#"{"x":"p\"w &ä"}"#, r#"{"x":"[REDACTED]"}"#);
        check(secret, "q=p%22w%20%26%C3%A4", "q=[REDACTED]");
        check(secret, "q=p%22w+%26%C3%A4", "q=[REDACTED]");
        check(secret, "<b>p&quot;w &amp;ä</b>", "<b>[REDACTED]</b>");
        check("ann:swordfish", "sent YW5uOnN3b3JkZmlzaA==", "sent [REDACTED]");
        check("first line\nsecond line", "only second line", "only [REDACTED]");
    }

    // RED-10
    #[test]
    fn a_short_secret_is_masked_only_where_it_stands_alone() {
        check("abc", "abc, 'abc' but abcd and cabc", "[REDACTED], '[REDACTED]' but abcd and cabc");
        check("a", "a pass", "a pass");
        check("a", "a", "[REDACTED]");
        check("", "nothing", "nothing");
        check("  ", "a  b", "a  b");
    }

    // HAZ-24
    #[test]
    fn a_word_of_the_trade_is_a_secret_only_as_a_value() {
        check("password", "wrong password", "wrong password");
        check("password", "value 'password' rejected", "value '[REDACTED]' rejected");
        check("password", "- textbox \"password\" [ref=e1]", "- textbox \"password\" [ref=e1]");
        check("password", "password", "[REDACTED]");
    }

    // HAZ-24
    #[test]
    fn a_ref_stays_on_every_line_of_a_tree() {
        check(
            "e5",
            "some words first\n- button \"Go e5\" [ref=e5]",
            "some words first\n- button \"Go [REDACTED]\" [ref=e5]",
        );
    }
}
