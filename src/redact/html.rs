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

/// Bytes of an element in which quoted values are stepped over; behind them `<` and `>` end it.
const ELEMENT: usize = 2048;

/// Most backslashes before a quotation mark that are taken for its escape.
const ESCAPES: usize = 7;

fn apply(scan: &mut Scan<'_>, hit: Range<usize>) {
    let mut sensitive = false;
    let mut values = Vec::new();
    for (name, range) in attributes(scan, hit.end) {
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

/// Names and value ranges of the `name="value"` pairs up to the end of the element.
fn attributes<'t>(scan: &Scan<'t>, start: usize) -> Vec<(&'t str, Range<usize>)> {
    let in_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let mut found = Vec::new();
    let mut at = start;
    loop {
        let name = scan.end_of(at, usize::MAX, |byte| !in_name(byte) && in_element(byte));
        let name_end = scan.end_of(name, usize::MAX, in_name);
        if name_end == name {
            return found;
        }
        at = name_end;
        if scan.byte(name_end) == Some(b'=') {
            let range = value_range(scan, name_end + 1, start + ELEMENT);
            at = range.end;
            found.push((scan.slice(name..name_end), range));
        }
    }
}

fn in_element(byte: u8) -> bool {
    byte != b'<' && byte != b'>'
}

/// The value at `at`, without its quotation marks. `far` is where the search for the closing one ends.
fn value_range(scan: &Scan<'_>, at: usize, far: usize) -> Range<usize> {
    let escape = scan.end_of(at, ESCAPES, |byte| byte == b'\\');
    let Some(mark) = scan.byte(escape).filter(|byte| matches!(byte, b'"' | b'\'')) else {
        return at..scan.end_of(at, usize::MAX, |b| !b.is_ascii_whitespace() && in_element(b));
    };
    let start = escape + 1;
    // The value is closed as it was opened: in JSON by `\"`, with a backslash of its own before it.
    let opened = scan.slice(at..start).as_bytes();
    let rest = scan.text.as_bytes().get(start..far.min(scan.text.len())).unwrap_or_default();
    let closed = rest.windows(opened.len()).position(|bytes| bytes == opened);
    let inside = |byte: u8| byte != mark && in_element(byte) && (escape == at || byte != b'\\');
    start..closed.map_or_else(|| scan.end_of(start, usize::MAX, inside), |length| start + length)
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

    // DEC-68
    #[test]
    fn a_value_ends_at_its_own_mark_whatever_it_holds() {
        for (text, expected) in [
            (
                "<input type=\"password\" placeholder=\"min > 8\" value=\"swordfish\">",
                "<input type=\"password\" placeholder=\"min > 8\" value=\"[REDACTED]\">",
            ),
            (
                "<input type=\"password\" value=\"pa\\ss123\">",
                "<input type=\"password\" value=\"[REDACTED]\">",
            ),
            (
                "<input type='password' value='a\"<b>'> <b title='x'>",
                "<input type='password' value='[REDACTED]'> <b title='x'>",
            ),
            (
                r#"{\"html\":\"<input type=\\\"password\\\" value=\\\"a\\\\b\\\">\"}"#,
                r#"{\"html\":\"<input type=\\\"password\\\" value=\\\"[REDACTED]\\\">\"}"#,
            ),
            (
                r#"h: <input type=\"password\" value=\"a\\b\"> n"#,
                r#"h: <input type=\"password\" value=\"[REDACTED]\"> n"#,
            ),
            ("<input type=password value=\"sword", "<input type=password value=\"[REDACTED]"),
            ("<input type=password value=\"sw\\ord", "<input type=password value=\"[REDACTED]"),
            (
                r#"<input type=\"password\" value=\"sword\n<b>"#,
                r#"<input type=\"password\" value=\"[REDACTED]\n<b>"#,
            ),
        ] {
            check(text, expected);
        }
        let long = "a1".repeat(super::ELEMENT);
        check(
            &format!("<input type=password value=\"{long}\">"),
            "<input type=password value=\"[REDACTED]\">",
        );
        // The closing mark is not looked for behind the longest element.
        check(
            &format!("<input type=password value=\"sword> {long}\""),
            &format!("<input type=password value=\"[REDACTED]> {long}\""),
        );
    }
}
