//! Addresses, redacted by field: userinfo, parameters of query and fragment, path segments.

use std::ops::Range;

use super::engine::{LOOK, Rule, Scan};
use super::keys::{self, Place, Strength};
use super::{MASK, value};

/// Addresses inside text.
pub(super) const RULE: Rule = Rule {
    id: "address",
    doc: "Credentials in addresses: user and password, sensitive parameters of query and fragment, one-time path segments.",
    triggers: &["://"],
    self_evident: false,
    apply,
};

/// Path segments whose successor is a one-time key when it looks random.
const ONE_TIME: &[&str] = &[
    "reset",
    "reset-password",
    "password-reset",
    "verify",
    "verification",
    "confirm",
    "confirmation",
    "activate",
    "invite",
    "invitation",
    "magic",
    "magic-link",
    "token",
    "tokens",
    "unsubscribe",
    "auth",
    "session",
    "webhooks",
    "callback",
    "recover",
    "share",
];

fn apply(scan: &mut Scan<'_>, hit: Range<usize>) {
    if hit.start < scan.url_end {
        return;
    }
    let scheme = scan.start_of(hit.start, 16, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
    });
    if scheme == hit.start {
        return;
    }
    let end = scan.end_of(hit.end, usize::MAX, is_address_byte);
    let end = trimmed_end(scan, hit.end..end);
    fields(scan, scheme..end);
    scan.url_end = end;
}

/// Bytes of an address inside text; brackets stay because hosts and masks have them.
fn is_address_byte(byte: u8) -> bool {
    !(byte.is_ascii_whitespace()
        || byte.is_ascii_control()
        || matches!(byte, b'"' | b'<' | b'>' | b'`' | b'\\' | b'^' | b'{' | b'}'))
}

/// Without the sentence's own punctuation at the end.
fn trimmed_end(scan: &Scan<'_>, range: Range<usize>) -> usize {
    let body = scan.slice(range.clone());
    let open = |open: char, close: char| body.matches(close).count() > body.matches(open).count();
    let (loose_bracket, loose_paren) = (open('[', ']'), open('(', ')'));
    let kept = body.trim_end_matches(|last: char| {
        matches!(last, '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '|')
            || (last == ']' && loose_bracket)
            || (last == ')' && loose_paren)
    });
    // A mask at the end keeps its bracket.
    let kept = if body.get(kept.len()..).is_some_and(|cut| cut.starts_with(']'))
        && kept.ends_with("[REDACTED")
    {
        kept.len() + 1
    } else {
        kept.len()
    };
    range.start + kept
}

/// Marks the secret fields of the address that fills `range`.
pub(super) fn fields(scan: &mut Scan<'_>, range: Range<usize>) {
    let address = scan.slice(range.clone());
    let body = address.find("://").map_or(0, |at| at + 3);
    let body = if body == 0 && address.starts_with("//") { 2 } else { body };
    let path =
        if body == 0 { 0 } else { authority(scan, range.start + body..range.end) - range.start };
    let mut at = range.start + path;
    let mut previous: &str = "";
    while at < range.end {
        let end = scan
            .end_of(at, range.end - at, |byte| !matches!(byte, b'/' | b'?' | b'#' | b'&' | b';'));
        let piece = scan.slice(at..end);
        match piece.split_once('=') {
            Some((name, _)) => parameter(scan, name, at + name.len() + 1..end),
            None => segment(scan, previous, at..end),
        }
        previous = piece;
        at = end + 1;
    }
    scan.url_end = scan.url_end.max(range.end);
}

/// Masks the userinfo and returns where the path begins.
fn authority(scan: &mut Scan<'_>, range: Range<usize>) -> usize {
    let mut end = scan
        .end_of(range.start, range.end - range.start, |byte| !matches!(byte, b'/' | b'?' | b'#'));
    let mut host = scan.slice(range.start..end);
    // `user:pa/ss@host`: what follows the colon is no port, so the slash belongs to the password.
    let bad_port = !host.contains('@')
        && !host.starts_with('[')
        && host
            .split_once(':')
            .is_some_and(|(_, port)| !port.bytes().all(|byte| byte.is_ascii_digit()));
    if bad_port && let Some(at) = scan.look(range.start..range.end).rfind('@') {
        let from = range.start + at;
        end = scan.end_of(from, range.end - from, |byte| !matches!(byte, b'/' | b'?' | b'#'));
        host = scan.slice(range.start..end);
    }
    if let Some(at) = host.rfind('@') {
        let user = host.get(..at).unwrap_or_default();
        // `ssh://git@host`: a user without a password is a name, unless it looks like a token.
        let name = user.len() <= 12 && user.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !(name || user.is_empty() || user.contains(MASK)) {
            scan.mask(range.start..range.start + at);
        }
    }
    end
}

fn parameter(scan: &mut Scan<'_>, name: &str, range: Range<usize>) {
    let name = decoded(name);
    let seen = scan.look(range.clone());
    if seen.is_empty() || seen.contains(MASK) {
        return;
    }
    let secret = match keys::strength(&name, Place::Parameter) {
        Strength::Strong => !value::is_benign(&decoded(seen)),
        Strength::Weak => is_secret_parameter(&decoded(seen)),
        Strength::None => hides_a_secret(seen),
    };
    if secret {
        scan.mask(range);
    }
}

/// A value of a parameter whose name alone proves nothing, such as `code` or `key`.
pub(super) fn is_secret_parameter(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let (digit, number) = (digits > 0, digits == value.len());
    let long = value.chars().count() >= if number { 4 } else { 6 };
    !value::is_benign(value)
        && !value::is_placeholder(value)
        && long
        && (digit || value.len() >= 24)
        && !value::is_structured(value)
}

/// A percent-encoded address or form inside a parameter, with a secret of its own.
fn hides_a_secret(seen: &str) -> bool {
    let encoded = seen
        .as_bytes()
        .windows(3)
        .any(|bytes| bytes.eq_ignore_ascii_case(b"%3d") || bytes.eq_ignore_ascii_case(b"%40"));
    if !encoded {
        return false;
    }
    let inner = decoded(seen);
    let mut scan = Scan::new(&inner, super::engine::Mode::Free);
    fields(&mut scan, 0..inner.len());
    scan.render().is_some()
}

fn segment(scan: &mut Scan<'_>, previous: &str, range: Range<usize>) {
    let seen = scan.look(range.clone());
    let one_time = ONE_TIME.iter().any(|word| previous.eq_ignore_ascii_case(word));
    if one_time && seen.len() >= 16 && seen.len() < LOOK && value::is_opaque(seen) {
        scan.mask(range);
    }
}

/// Percent-decoding that keeps what it cannot decode.
pub(super) fn decoded(text: &str) -> String {
    let text = text.replace('+', " ");
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let pair = tail.get(..2).and_then(|pair| std::str::from_utf8(pair).ok());
        match pair.and_then(|pair| u8::from_str_radix(pair, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use crate::redact::Redactor;

    fn check(text: &str, expected: &str) {
        assert_eq!(Redactor::new([]).text(text), expected, "{text}");
    }

    // RED-05, RED-15, RED-18
    #[test]
    fn addresses_in_text_are_masked_by_field() {
        check(
            "see https://ann:pw@a.test/x?token=abc&page=2#top.",
            "see https://[REDACTED]@a.test/x?token=[REDACTED]&page=2#top.",
        );
        check("(https://a.test/?sig=9f86d081&w=3)", "(https://a.test/?sig=[REDACTED]&w=3)");
        check(
            "[ref=e1, url=https://a.test/?key=AB12CD34]",
            "[ref=e1, url=https://a.test/?key=[REDACTED]]",
        );
        check("http://ann:p/w@a.test:80/", "http://[REDACTED]@a.test:80/");
        check(
            "https://a.test/reset/9f86d081884c7d659a2feaa0c55ad015",
            "https://a.test/reset/[REDACTED]",
        );
        check(
            "https://a.test/;jsessionid=1A530637289A03B07199A44E8D531427?x=1",
            "https://a.test/;jsessionid=[REDACTED]?x=1",
        );
    }

    // HAZ-24
    #[test]
    fn plain_addresses_stay() {
        for text in [
            "https://a.test/items?key=name&state=open&code=AT",
            "ssh://git@a.test/x.git",
            "http://[::1]:8080/a",
            "https://a.test/@ann/posts?page=2&sort=price",
            "https://a.test/commit/9f86d081884c7d659a2feaa0c55ad015",
        ] {
            check(text, text);
        }
    }

    // RED-08
    #[test]
    fn an_address_given_alone_is_masked_by_field_whatever_follows() {
        let gate = Redactor::new([]);
        assert_eq!(gate.url("/cb?token=a b\"c&x=1"), "/cb?token=[REDACTED]&x=1");
        assert_eq!(gate.url("//ann:pw@a.test/"), "//[REDACTED]@a.test/");
        assert_eq!(
            gate.url("https://a.test/?access%5Ftoken=abc"),
            "https://a.test/?access%5Ftoken=[REDACTED]"
        );
    }
}
