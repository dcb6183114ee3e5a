//! `password=…`, `"token": "…"`, `api_key: …`, `--secret …`, `<password>…`: a name and its value.

use std::ops::Range;

use super::engine::{LOOK, Rule, Scan};
use super::keys::{self, Place, Strength};
use super::{MASK, verdict};

/// Values behind sensitive names.
pub(super) const RULE: Rule = Rule {
    id: "sensitive-key",
    doc: "The value behind a sensitive name in text, code, logs, JSON and form bodies, where it does not read as a word or as code.",
    triggers: &[
        "password",
        "passwd",
        "pwd",
        "passphrase",
        "passcode",
        "secret",
        "token",
        "apikey",
        "api_key",
        "api-key",
        "api key",
        "access_key",
        "access-key",
        "accesskey",
        "private_key",
        "private-key",
        "privatekey",
        "account_key",
        "accountkey",
        "signing_key",
        "encryption_key",
        "session_id",
        "session-id",
        "sessionid",
        "sessid",
        "csrf",
        "xsrf",
        "authorization",
        "cookie",
        "credential",
        "jwt",
        "otp",
        "code=",
        "key=",
        "sig=",
        "state=",
        "auth=",
        "session=",
        "sid=",
        "ticket=",
        "nonce=",
        "signature=",
        "pass=",
        "_pass",
        "pass:",
        "\"pass\"",
        "pw=",
        "pin=",
    ],
    self_evident: false,
    apply,
};

/// Longest name that is looked at on either side of the trigger.
const NAME: usize = 64;

/// Most backslashes before a quotation mark that are taken for its escape.
const ESCAPES: usize = 8;

/// The percent-encoded `=`.
const ENCODED: &str = "%3D";

/// Longest text of an XML element that is looked at.
const ELEMENT: usize = 1024;

/// How name and value are joined; it says how far the value can be trusted to be one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    /// A field of a JSON document or of an XML element.
    Field,
    /// A parameter of a form or a query: `?a=1&code=2`.
    Parameter,
    /// A string literal: `password: "…"`.
    Literal,
    /// `password=…` without blanks.
    Tight,
    /// `password: …`, `password = …`, `--password …`.
    Loose,
    /// `setItem("token", "…")`: two arguments of a function.
    Argument,
    /// `password: …` in a line of an accessibility tree, where most of it are labels.
    Label,
}

/// A value and how it ends.
pub(super) struct Found {
    pub(super) join: Join,
    pub(super) start: usize,
    quote: Option<u8>,
    /// Backslashes before the quotation mark: JSON in a string of JSON has one.
    escapes: usize,
    /// Name and value are joined by `%3D`, so `%26` ends the value.
    encoded: bool,
}

impl Found {
    /// Without quotation marks.
    pub(super) fn is_bare(&self) -> bool {
        self.quote.is_none()
    }

    fn bare(join: Join, start: usize) -> Self {
        Self { join, start, quote: None, escapes: 0, encoded: false }
    }
}

fn apply(scan: &mut Scan<'_>, hit: Range<usize>) {
    if hit.start < scan.key_end {
        return;
    }
    // The trigger may bring the mark before or behind the name with it.
    let sign = |byte: u8| matches!(byte, b'=' | b':' | b'"');
    let first = scan.end_of(hit.start, 1, sign);
    let last = scan.start_of(hit.end, 1, sign);
    let start = scan.start_of(first, NAME, is_name_byte);
    let end = scan.end_of(last, NAME, is_name_byte);
    scan.key_end = end;
    let Some(found) = find(scan, start..end) else {
        return;
    };
    let place = if found.join == Join::Parameter { Place::Parameter } else { Place::Field };
    let name = scan.slice(start..end);
    let seen_end = value_end(scan, &found, LOOK);
    let seen = scan.look(found.start..seen_end);
    let secret = match keys::strength(name, place) {
        Strength::None => false,
        Strength::Weak => verdict::weak(name, found.join, seen),
        Strength::Strong => verdict::strong(scan, start..end, &found, seen),
    };
    if secret {
        let end = value_end(scan, &found, usize::MAX);
        scan.mask(found.start..end);
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

fn find(scan: &mut Scan<'_>, name: Range<usize>) -> Option<Found> {
    let opening = scan.before(name.start);
    let mut at = name.end;
    // `user[password]=…`, also percent-encoded.
    if scan.byte(at) == Some(b']') && opening == Some(b'[') {
        at += 1;
    } else if scan.follows(at, "%5D") {
        at += 3;
    }
    let closing = scan.end_of(at, ESCAPES, |byte| byte == b'\\');
    let closing = scan.end_of(closing, 1, |byte| matches!(byte, b'"' | b'\''));
    let quoted_name = closing > at && matches!(opening, Some(b'"' | b'\''));
    if closing > at && !quoted_name {
        return None;
    }
    at = closing;
    if scan.byte(at) == Some(b'>') && matches!(opening, Some(b'<')) {
        let end = scan.end_of(at + 1, ELEMENT, |byte| byte != b'<');
        let closed = scan.follows(end, "</") && scan.follows(end + 2, scan.slice(name));
        return closed.then_some(Found { quote: Some(b'<'), ..Found::bare(Join::Field, at + 1) });
    }
    let blanks = scan.end_of(at, 8, |byte| matches!(byte, b' ' | b'\t'));
    let long_option = scan.slice(name.clone()).starts_with("--");
    let separator = separator(scan, blanks);
    let argument =
        quoted_name && scan.byte(blanks) == Some(b',') && scan.before(name.start - 1) == Some(b'(');
    if argument {
        let value = scan.end_of(blanks + 1, 8, |byte| matches!(byte, b' ' | b'\t'));
        let found = literal_or(scan, value, Join::Argument, true);
        return found.quote.is_some().then_some(Found { join: Join::Argument, ..found });
    }
    if separator == 0 {
        let option = long_option && blanks > at && !quoted_name;
        return option.then(|| literal_or(scan, blanks, Join::Loose, false));
    }
    let after = blanks + separator;
    let value = scan.end_of(after, 8, |byte| matches!(byte, b' ' | b'\t'));
    let colon = scan.byte(blanks) == Some(b':');
    if colon && !quoted_name && scan.tree_line_at(name.start).is_some() {
        return Some(Found::bare(Join::Label, value));
    }
    if separator == ENCODED.len() {
        return Some(Found { encoded: true, ..Found::bare(Join::Parameter, value) });
    }
    let tight = value == at + 1 && !colon;
    let parameter = tight && matches!(opening, Some(b'?' | b'&' | b'#'));
    let join = match (parameter, quoted_name && (scan.json || escaped_name(scan, closing)), tight) {
        (true, _, _) => Join::Parameter,
        (_, true, _) => Join::Field,
        (_, _, true) => Join::Tight,
        _ => Join::Loose,
    };
    Some(literal_or(scan, value, join, quoted_name))
}

/// The name was closed by `\"`: it is a field of JSON inside a string.
fn escaped_name(scan: &Scan<'_>, closing: usize) -> bool {
    closing >= 2 && scan.byte(closing - 2) == Some(b'\\')
}

/// Bytes of the separator at `at`, or 0.
fn separator(scan: &Scan<'_>, at: usize) -> usize {
    match (scan.byte(at), scan.byte(at + 1)) {
        (Some(b'='), Some(b'>')) | (Some(b':'), Some(b'=')) => 2,
        (Some(b'='), Some(b'=' | b'~')) | (Some(b':'), Some(b':')) => 0,
        (Some(b'=' | b':'), _) => 1,
        (Some(b'%'), _) if scan.slice(at..at + ENCODED.len()).eq_ignore_ascii_case(ENCODED) => {
            ENCODED.len()
        }
        _ => 0,
    }
}

/// A string literal at `at`, or a bare value.
fn literal_or(scan: &Scan<'_>, at: usize, bare: Join, quoted_name: bool) -> Found {
    let mark = scan.end_of(at, ESCAPES, |byte| byte == b'\\');
    let quote = scan.byte(mark).filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    // `"Your password:" [ref=e5]`: this mark closes a label, it opens nothing.
    let closes = !quoted_name
        && scan.byte(mark + 1).is_none_or(|next| {
            next.is_ascii_whitespace()
                || matches!(next, b']' | b',' | b')' | b'}' | b':' | b'>' | b';')
        });
    match quote {
        Some(quote) if !closes => {
            let join = if bare == Join::Field { Join::Field } else { Join::Literal };
            let escapes = mark - at;
            Found { quote: Some(quote), escapes, ..Found::bare(join, mark + 1) }
        }
        _ => Found::bare(bare, at),
    }
}

/// Where the value ends, at most `max` bytes on.
fn value_end(scan: &Scan<'_>, found: &Found, max: usize) -> usize {
    if let Some(quote) = found.quote {
        return quoted_end(scan, found, quote, max);
    }
    if found.join == Join::Parameter {
        let end = scan.end_of(found.start, max, |byte| {
            !(byte.is_ascii_whitespace()
                || matches!(byte, b'&' | b'#' | b'"' | b'\'' | b'<' | b'>' | b'\\'))
        });
        let next = scan.slice(found.start..end).find("%26").filter(|_| found.encoded);
        return next.map_or(end, |length| found.start + length);
    }
    if found.join == Join::Field {
        return scan.end_of(found.start, max, |byte| byte.is_ascii_digit());
    }
    let mut end = found.start;
    loop {
        end = scan.end_of(end, max.saturating_sub(end - found.start), |byte| {
            !(byte.is_ascii_whitespace()
                || matches!(byte, b'&' | b'"' | b'\'' | b'`' | b'<' | b'>' | b',' | b';' | b'\\'))
        });
        // A comma ends the value only where another name follows; passwords may hold one.
        let comma = matches!(scan.byte(end), Some(b',' | b';'));
        let next = scan.byte(end + 1).is_none_or(|byte| byte.is_ascii_whitespace());
        if !comma || next || end - found.start >= max || another_name_follows(scan, end + 1) {
            break;
        }
        end += 1;
    }
    let bare = scan.slice(found.start..end);
    if bare.contains(MASK) {
        end
    } else {
        found.start + bare.trim_end_matches([')', ']', '}', '.', ':']).len()
    }
}

fn another_name_follows(scan: &Scan<'_>, at: usize) -> bool {
    let end = scan.end_of(at, NAME, is_name_byte);
    end > at && matches!(scan.byte(end), Some(b'=' | b':'))
}

fn quoted_end(scan: &Scan<'_>, found: &Found, quote: u8, max: usize) -> usize {
    let mut at = found.start;
    let limit = found.start.saturating_add(max);
    while at < limit {
        match scan.byte(at) {
            None | Some(b'\n') => break,
            Some(b'\\') => {
                let run = scan.end_of(at, usize::MAX, |byte| byte == b'\\') - at;
                if scan.byte(at + run) == Some(quote) && run <= found.escapes {
                    break;
                }
                // An odd run escapes what follows it.
                at += run + usize::from(run % 2 == 1 || found.escapes > 0);
            }
            Some(byte) if byte == quote => break,
            Some(_) => at += 1,
        }
    }
    at.min(scan.text.len())
}

#[cfg(test)]
mod tests {
    use crate::redact::Redactor;

    fn check(text: &str, expected: &str) {
        assert_eq!(Redactor::new([]).text(text), expected, "{text}");
    }

    // RED-04, RED-05, HAZ-24
    #[test]
    fn values_behind_sensitive_names_are_masked_and_the_rest_stays() {
        check("user=ann&password=a,b&page=2", "user=ann&password=[REDACTED]&page=2");
        check("user[password]=hunter2&x=1", "user[password]=[REDACTED]&x=1");
        check(
            "user=ann,password=hunter2,ip=127.0.0.1",
            "user=ann,password=[REDACTED],ip=127.0.0.1",
        );
        check(
            "{\"user\": \"ann\", \"password\": \"a\\\"b\"}",
            "{\"user\": \"ann\", \"password\": \"[REDACTED]\"}",
        );
        check("const apiKey = 'k3y-v4lue-x';", "const apiKey = '[REDACTED]';");
        check(
            "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG+bPx",
            "AWS_SECRET_ACCESS_KEY=[REDACTED]",
        );
        check("mysql --password hunter22 -h db", "mysql --password [REDACTED] -h db");
        check(
            "db:\n  password: swordfish\n  port: 5432",
            "db:\n  password: [REDACTED]\n  port: 5432",
        );
        check("GET /cb?code=4f8a1c&lang=en", "GET /cb?code=[REDACTED]&lang=en");
    }

    // RED-05, HAZ-24
    #[test]
    fn encoded_escaped_and_programmed_values_are_masked() {
        check(
            r#"{\"b\":\"{\\\"pwd\\\":\\\"x\\\"}\"}"#,
            r#"{\"b\":\"{\\\"pwd\\\":\\\"[REDACTED]\\\"}\"}"#,
        );
        check("r=%3Ftoken%3Dabc%26page%3D2", "r=%3Ftoken%3D[REDACTED]%26page%3D2");
        check(
            "localStorage.setItem('token', 'abc123')",
            "localStorage.setItem('token', '[REDACTED]')",
        );
        check(
            "Server=db;Password=Pa55w0rd;Encrypt=true",
            "Server=db;Password=[REDACTED];Encrypt=true",
        );
        check("DB_PASS=hunter2 pw=hunter2", "DB_PASS=[REDACTED] pw=[REDACTED]");
        check("user: ann, pass: hunter2", "user: ann, pass: [REDACTED]");
        check("X-Auth-Token: abcdefghijkl", "X-Auth-Token: [REDACTED]");
        check("document.cookie = \"sid=abc; path=/\"", "document.cookie = \"[REDACTED]\"");
    }

    // HAZ-24, RED-20
    #[test]
    fn names_without_a_value_of_their_own_stay() {
        for text in [
            "tokens: 12",
            "cookies: 3",
            "Password: required",
            "passwordSelector: #pw1234",
            "token: getToken()",
            "password=$PASSWORD",
            "\"password\": true",
            "textbox \"Password:\" [ref=e5]",
            "password == 'x12345'",
            "--password-stdin",
        ] {
            check(text, text);
        }
    }
}
