//! Values of password and token fields in HTML source (DEC-68).

use std::ops::Range;

use super::engine::{Rule, Scan};
use super::keys::{self, Place, Strength};
use super::value;

/// The value of an `input` or `meta` element that says what it holds.
pub(super) const RULE: Rule = Rule {
    id: "html-field",
    doc: "The value of an HTML field whose type, name or autocomplete says that it holds a password or a token.",
    triggers: &["<input", "<meta", "<add "],
    self_evident: false,
    apply,
};

fn apply(scan: &mut Scan<'_>, hit: Range<usize>) {
    let end = scan.end_of(hit.end, usize::MAX, |byte| byte != b'>' && byte != b'<');
    let mut sensitive = false;
    let mut values = Vec::new();
    for (name, range) in attributes(scan, hit.end..end) {
        let text = scan.look(range.clone());
        match name.to_ascii_lowercase().as_str() {
            "type" => sensitive |= text.eq_ignore_ascii_case("password"),
            "autocomplete" => {
                sensitive |= ["current-password", "new-password", "one-time-code"].contains(&text);
            }
            "name" | "key" | "id" | "aria-label" | "placeholder" => {
                sensitive |= keys::strength(text, Place::Field) == Strength::Strong;
            }
            "value" | "content" => values.push(range),
            _ => {}
        }
    }
    for range in values {
        if sensitive && !value::is_benign(scan.look(range.clone())) {
            scan.mask(range);
        }
    }
}

/// Names and value ranges of `name="value"` pairs.
fn attributes<'t>(scan: &Scan<'t>, range: Range<usize>) -> Vec<(&'t str, Range<usize>)> {
    let in_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let mut found = Vec::new();
    let mut at = range.start;
    loop {
        let name = scan.end_of(at, usize::MAX, |byte| !in_name(byte));
        if name >= range.end {
            return found;
        }
        let name_end = scan.end_of(name, usize::MAX, in_name);
        at = name_end;
        if scan.byte(name_end) != Some(b'=') {
            continue;
        }
        let escaped = scan.end_of(name_end + 1, 1, |byte| byte == b'\\');
        let (start, stop): (usize, fn(u8) -> bool) = match scan.byte(escaped) {
            Some(b'"') => (escaped + 1, |byte| byte != b'"' && byte != b'\\'),
            Some(b'\'') => (escaped + 1, |byte| byte != b'\''),
            _ => (escaped, |byte| !byte.is_ascii_whitespace()),
        };
        at = scan.end_of(start, range.end.saturating_sub(start), stop);
        found.push((scan.slice(name..name_end), start..at));
    }
}

#[cfg(test)]
mod tests {
    use crate::redact::Redactor;

    fn check(text: &str, expected: &str) {
        assert_eq!(Redactor::new([]).text(text), expected, "{text}");
    }

    // DEC-68
    #[test]
    fn values_of_password_and_token_fields_are_masked() {
        check(
            "<input type=\"password\" value=\"swordfish\">",
            "<input type=\"password\" value=\"[REDACTED]\">",
        );
        check(
            "<input value='swordfish' autocomplete='one-time-code'/>",
            "<input value='[REDACTED]' autocomplete='one-time-code'/>",
        );
        check(
            "<meta name=\"csrf-token\" content=\"swordfish\">",
            "<meta name=\"csrf-token\" content=\"[REDACTED]\">",
        );
    }

    // HAZ-24
    #[test]
    fn other_fields_stay() {
        for text in [
            "<input type=\"text\" name=\"city\" value=\"Graz\">",
            "<input type=password value=\"\">",
            "<input value",
        ] {
            check(text, text);
        }
    }

    // DEC-68
    #[test]
    fn values_without_quotes_are_masked_and_other_elements_stay() {
        check(
            "<input type=password value=swordfish name=x>",
            "<input type=password value=[REDACTED] name=x>",
        );
        check(
            "<input type=\"password\"> <b value=\"tulip\">",
            "<input type=\"password\"> <b value=\"tulip\">",
        );
    }
}
