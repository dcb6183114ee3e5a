//! `password=…`, `"token": "…"`, `api_key: …`, `--secret …`, `<password>…`: a name and its value.

use std::ops::Range;

use super::engine::{LOOK, Rule, Scan};
use super::keys::{self, Place, Strength};
use super::{extent, verdict};

/// Values behind sensitive names.
pub(super) const RULE: Rule = Rule {
    id: "sensitive-key",
    doc: "The value behind a sensitive name in text, code, logs, JSON and form bodies, where it does not read as a word or as code.",
    triggers: &[
        "passw",
        "pass_",
        "pass-",
        "psswd",
        "pwd",
        "passphrase",
        "passcode",
        "userpass",
        "kennwort",
        "wachtwoord",
        "depasse",
        "de-passe",
        "contrasen",
        "senha",
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
        "account-key",
        "accountkey",
        "signing_key",
        "signing-key",
        "signingkey",
        "encryption_key",
        "encryption-key",
        "encryptionkey",
        "master_key",
        "master-key",
        "masterkey",
        "auth_key",
        "auth-key",
        "authkey",
        "app_key",
        "app-key",
        "appkey",
        "shared_key",
        "shared-key",
        "sharedkey",
        "subscription_key",
        "subscription-key",
        "subscriptionkey",
        "service_key",
        "service-key",
        "servicekey",
        "session_key",
        "session-key",
        "sessionkey",
        "session_id",
        "session-id",
        "sessionid",
        "sess_id",
        "sess-id",
        "sessid",
        "auth_code",
        "auth-code",
        "authcode",
        "verification_code",
        "verification-code",
        "verificationcode",
        "security_code",
        "security-code",
        "securitycode",
        "recovery_code",
        "recovery-code",
        "recoverycode",
        "backup_code",
        "backup-code",
        "backupcode",
        "time_code",
        "time-code",
        "timecode",
        "sms_code",
        "sms-code",
        "smscode",
        "device_code",
        "device-code",
        "devicecode",
        "connect.sid",
        "connect_sid",
        "connect-sid",
        "connectsid",
        "saml_response",
        "saml-response",
        "samlresponse",
        "csrf",
        "xsrf",
        "authorization",
        "cookie",
        "credential",
        "jwt",
        "otp",
        "mfa",
        "cvv",
        "cvc",
        "hmac",
        "assertion",
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
pub(super) const NAME: usize = 64;

/// Most backslashes before a quotation mark that are taken for its escape.
const ESCAPES: usize = 8;

/// The percent-encoded `=`, `[` and `]`.
const EQUALS: &str = "%3D";
const OPENING: &str = "%5B";
const CLOSING: &str = "%5D";

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
    pub(super) quote: Option<u8>,
    /// Backslashes before the quotation mark: JSON in a string of JSON has one.
    pub(super) escapes: usize,
    /// Name and value are joined by `%3D`, so `%26` ends the value.
    pub(super) encoded: bool,
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
    let mut start = scan.start_of(first, NAME, is_name_byte);
    // The end of a percent-encoded `[` looks like a part of the name.
    if scan.before(start) == Some(b'%') && is_encoded(scan, start - 1, OPENING) {
        start += OPENING.len() - 1;
    }
    let end = scan.end_of(last, NAME, is_name_byte);
    scan.key_end = end;
    let Some(found) = find(scan, start..end) else {
        return;
    };
    let place = if found.join == Join::Parameter { Place::Parameter } else { Place::Field };
    let name = scan.slice(start..end);
    let near = scan.look(found.start..scan.text.len());
    let seen = near.get(..extent::length(near, &found)).unwrap_or_default();
    let secret = match keys::strength(name, place) {
        Strength::None => false,
        Strength::Weak => verdict::weak(name, found.join, seen),
        Strength::Strong => verdict::strong(scan, start..end, &found, seen),
    };
    if secret {
        let rest = scan.slice(found.start..scan.text.len());
        scan.mask(found.start..found.start + extent::length(rest, &found));
    }
}

pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

fn find(scan: &mut Scan<'_>, name: Range<usize>) -> Option<Found> {
    let opening = scan.before(name.start);
    let mut at = behind_bracket(scan, &name);
    let bracketed = at > name.end;
    let escapes = scan.end_of(at, ESCAPES, |byte| byte == b'\\');
    let closing = scan.end_of(escapes, 1, |byte| matches!(byte, b'"' | b'\''));
    // Closed by `\"`, the name is a field of JSON inside a string.
    let escaped = escapes > at;
    let quoted_name = closing > at && matches!(opening, Some(b'"' | b'\''));
    if closing > at && !quoted_name {
        return None;
    }
    at = closing;
    if scan.byte(at) == Some(b'>') && matches!(opening, Some(b'<')) {
        let end = scan.end_of(at, ELEMENT, |byte| byte != b'<');
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
    if separator == EQUALS.len() {
        return Some(Found { encoded: true, ..Found::bare(Join::Parameter, value) });
    }
    let tight = value == at + 1 && !colon;
    let parameter = tight
        && if bracketed {
            is_form_field(scan, &name, value)
        } else {
            is_parameter(scan, opening, value)
        };
    let join = match (parameter, quoted_name && (scan.json || escaped), tight) {
        (true, _, _) => Join::Parameter,
        (_, true, _) => Join::Field,
        (_, _, true) => Join::Tight,
        _ => Join::Loose,
    };
    Some(literal_or(scan, value, join, quoted_name))
}

/// Where a name ends with its bracket, also a percent-encoded one: `user[password]=…`.
fn behind_bracket(scan: &Scan<'_>, name: &Range<usize>) -> usize {
    if scan.byte(name.end) == Some(b']') && scan.before(name.start) == Some(b'[') {
        return name.end + 1;
    }
    name.end + if is_encoded(scan, name.end, CLOSING) { CLOSING.len() } else { 0 }
}

/// The name stands in an address or in a form. The first field of a form has nothing in front of it,
/// so another one has to follow its value.
fn is_parameter(scan: &Scan<'_>, opening: Option<u8>, value: usize) -> bool {
    match opening {
        Some(opening) => matches!(opening, b'?' | b'&' | b'#'),
        None => is_followed_by_another(scan, value),
    }
}

/// `user[password]=…` of a form, not `vocab[token]=len(vocab)` of a program.
fn is_form_field(scan: &Scan<'_>, name: &Range<usize>, value: usize) -> bool {
    if scan.byte(name.end) != Some(b']') {
        return true;
    }
    let before = scan.start_of(name.start.saturating_sub(1), NAME, is_name_byte);
    matches!(scan.before(before), None | Some(b'?' | b'&')) || is_followed_by_another(scan, value)
}

/// The value ends at the next field of a form.
fn is_followed_by_another(scan: &Scan<'_>, value: usize) -> bool {
    let end = scan.end_of(value, LOOK, |byte| byte.is_ascii_graphic() && byte != b'&');
    scan.byte(end) == Some(b'&')
}

/// Bytes of the separator at `at`, or 0.
fn separator(scan: &Scan<'_>, at: usize) -> usize {
    match (scan.byte(at), scan.byte(at + 1)) {
        (Some(b'='), Some(b'>')) | (Some(b':'), Some(b'=')) => 2,
        (Some(b'='), Some(b'=' | b'~')) | (Some(b':'), Some(b':')) => 0,
        (Some(b'=' | b':'), _) => 1,
        _ if is_encoded(scan, at, EQUALS) => EQUALS.len(),
        _ => 0,
    }
}

/// A percent-encoded sign stands at `at`.
fn is_encoded(scan: &Scan<'_>, at: usize, sign: &str) -> bool {
    scan.slice(at..at + sign.len()).eq_ignore_ascii_case(sign)
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
