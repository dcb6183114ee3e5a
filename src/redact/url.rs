//! Addresses, redacted by field: userinfo, parameters of query and fragment, path segments.

use std::ops::Range;

use super::engine::{LOOK, Mode, Rule, Scan};
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

/// Bytes of a parameter that are decoded in search of a secret.
const HIDDEN: usize = 4096;

/// How often a parameter may be encoded, so that no text is decoded again and again.
const NESTED: u8 = 3;

fn apply(scan: &mut Scan<'_>, hit: Range<usize>) {
    if hit.start >= scan.url_end {
        return address(scan, hit);
    }
    // An address in a parameter: its parameters are walked already, its userinfo is not.
    let end = scan.end_of(hit.end, LOOK, |byte| byte != b'&').min(scan.url_end);
    authority(scan, hit.end..end);
}

fn address(scan: &mut Scan<'_>, hit: Range<usize>) {
    let scheme = scan.start_of(hit.start, 16, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
    });
    if scheme == hit.start {
        return;
    }
    let end = scan.end_of(hit.end, usize::MAX, is_address_byte);
    let end = trimmed_end(scan, hit.end..end);
    fields(scan, scheme..end);
}

/// Bytes of an address inside text; brackets stay because hosts and masks have them.
fn is_address_byte(byte: u8) -> bool {
    !(byte.is_ascii_control()
        || matches!(byte, b' ' | b'"' | b'<' | b'>' | b'`' | b'\\' | b'^' | b'{' | b'}'))
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
    range.start + kept.len()
}

/// Marks the secret fields of the address that fills `range`.
pub(super) fn fields(scan: &mut Scan<'_>, range: Range<usize>) {
    let address = scan.slice(range.clone());
    let body = address.find("://").map(|at| at + 3);
    let body = body.or_else(|| address.starts_with("//").then_some(2));
    let mut at = match body {
        Some(body) => authority(scan, range.start + body..range.end),
        None => range.start,
    };
    let mut previous: &str = "";
    let mut in_query = false;
    // Where the parameter ends that the piece lies in: its value may hold a `/`, a `?` or a `;`.
    let mut whole = at;
    for piece in scan.slice(at..range.end).split(['/', '?', '#', '&', ';']) {
        let end = at + piece.len();
        in_query |= matches!(scan.before(at), Some(b'?' | b'#' | b'&'));
        if !in_query {
            whole = end;
        } else if whole < end {
            whole = scan.end_of(end, range.end - end, |byte| !matches!(byte, b'&' | b'#'));
        }
        match piece.split_once('=') {
            Some((name, _)) => parameter(scan, name, at + name.len() + 1..whole, end),
            None => segment(scan, previous, at..end),
        }
        previous = piece;
        at = end + 1;
    }
    scan.url_end = range.end;
}

/// Masks the userinfo and returns where the path begins.
fn authority<'t>(scan: &mut Scan<'t>, range: Range<usize>) -> usize {
    let address = scan.slice(range.clone());
    let path_of = |text: &'t str| {
        text.find(['/', '?', '#']).and_then(|at| text.get(at..)).unwrap_or_default()
    };
    let mut path: &str = path_of(address);
    let host = address.strip_suffix(path).unwrap_or(address);
    let mut user = host.rsplit_once('@').map(|(user, _)| user);
    // `user:pa/ss@host`: what follows the colon is no port, so the slash belongs to the password.
    let bad_port = user.is_none()
        && !host.starts_with('[')
        && host
            .split_once(':')
            .is_some_and(|(_, port)| !port.bytes().all(|byte| byte.is_ascii_digit()));
    if bad_port && let Some((longer, _)) = scan.look(range.clone()).rsplit_once('@') {
        user = Some(longer);
        path = path_of(address.get(longer.len()..).unwrap_or_default());
    }
    if let Some(user) = user.filter(|user| !is_user_name(user)) {
        scan.mask(range.start..range.start + user.len());
    }
    range.end - path.len()
}

/// `ssh://git@host`: a user without a password is a name, unless it looks like a token.
fn is_user_name(user: &str) -> bool {
    let name = user.len() <= 12 && user.bytes().all(|byte| byte.is_ascii_alphabetic());
    name || user.contains(MASK)
}

/// Masks the value that fills `range` where it is secret: its first piece, or all of it. What stands
/// behind `piece_end` is judged by itself where the name says nothing.
fn parameter(scan: &mut Scan<'_>, name: &str, range: Range<usize>, piece_end: usize) {
    let name = decoded(name);
    let (piece, whole) = (range.start..piece_end, scan.look(range.clone()));
    let (first, whole) = (decoded(scan.look(piece.clone())), decoded(whole));
    let secret = match keys::strength(&name, Place::Parameter) {
        Strength::Strong => !(value::is_benign(&first) && value::is_benign(&whole)),
        // `code=123456/` is one by its first piece, `code=4/0AX4XfWhZ9Qk` as a whole.
        Strength::Weak => {
            let in_part = is_secret_parameter(&first) && !value::is_file_path(&whole);
            in_part || is_secret_parameter(&whole)
        }
        Strength::None => hides_a_secret(scan, piece),
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
        && !value::is_file_path(value)
}

/// A percent-encoded address, form or JSON document inside a parameter, with a secret of its own.
fn hides_a_secret(scan: &Scan<'_>, range: Range<usize>) -> bool {
    let end = range.end.min(range.start + HIDDEN);
    let seen = scan.slice(range.start..scan.boundary_before(end));
    if !seen.contains('%') || scan.nested >= NESTED {
        return false;
    }
    let inner = decoded(seen);
    let mut inside = Scan::new(&inner, Mode::Free);
    inside.nested = scan.nested + 1;
    fields(&mut inside, 0..inner.len());
    inside.run();
    inside.render().is_some()
}

fn segment(scan: &mut Scan<'_>, previous: &str, range: Range<usize>) {
    let seen = scan.look(range.clone());
    let one_time = ONE_TIME.iter().any(|word| previous.eq_ignore_ascii_case(word));
    if one_time && seen.len() >= 16 && value::is_opaque(seen) {
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

    // RED-05
    #[test]
    fn a_value_is_judged_by_its_first_piece_and_as_a_whole() {
        for (value, shown) in [
            ("code=123456/", "code=[REDACTED]"),
            ("pin=4821/home", "pin=[REDACTED]"),
            ("token=abc123;sid=1", "token=[REDACTED]"),
            ("token=/efgh1234", "token=[REDACTED]"),
            ("token=abc123/x[REDACTED]", "token=[REDACTED]"),
            ("code=4/0AX4XfWhZ9Qk3c7Rt5", "code=[REDACTED]"),
            ("key=a8Fk/93kdPq.jpg", "key=[REDACTED]"),
            ("key=images/a8Fk93kdPq.jpg", "key=[REDACTED]"),
            ("key=photo123/a8Fk93kdPq.jpg", "key=[REDACTED]"),
            ("code=482193/photo.jpg", "code=[REDACTED]"),
            ("token=images/photo123.jpg", "token=[REDACTED]"),
        ] {
            check(
                &format!("https://a.test/cb?{value}&x=1"),
                &format!("https://a.test/cb?{shown}&x=1"),
            );
        }
    }

    // HAZ-24
    #[test]
    fn plain_addresses_stay() {
        for text in [
            "https://a.test/items?key=images/photos/item.jpg",
            "https://a.test/items?key=images/photo123.jpg&w=3",
            "https://a.test/items?key=images%2FPhoto123.jpg",
            "https://a.test/items?key=album2024/2/summer-photo_0012.png",
            "https://a.test/login?token={token}&x=1",
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

    // RED-05, RED-15
    #[test]
    fn userinfo_is_masked_in_addresses_within_addresses() {
        for (text, expected) in [
            (
                "https://a.test/?r=https://ann:pw@b.test/x&s=ftp://bob:pw1@c.test",
                "https://a.test/?r=https://[REDACTED]@b.test/x&s=ftp://[REDACTED]@c.test",
            ),
            (
                "https://a.test/?r=https://b.test:80&m=a1@b.c",
                "https://a.test/?r=https://b.test:80&m=a1@b.c",
            ),
            ("https://ann:p1@a.test/x@y", "https://[REDACTED]@a.test/x@y"),
            ("http://[::1]:8080/a1@b", "http://[::1]:8080/a1@b"),
            (
                "http://ann:p/w@a.test/reset/9f86d081884c7d65",
                "http://[REDACTED]@a.test/reset/[REDACTED]",
            ),
            ("https://@a.test/", "https://@a.test/"),
        ] {
            check(text, expected);
            assert_eq!(Redactor::new([]).url(text), expected);
        }
        check("://a1@b", "://a1@b");
    }

    // RED-05, RED-20
    #[test]
    fn an_address_ends_where_the_sentence_goes_on() {
        let key = "9f86d081884c7d659a2feaa0c55ad015";
        for (before, after) in [
            ("[", "]"),
            ("(", ")."),
            ("<", ">"),
            ("\"", "\" b"),
            ("", "\u{7}x"),
            ("", " b"),
            ("", "\nb"),
        ] {
            check(
                &format!("{before}https://a.test/reset/{key}{after}"),
                &format!("{before}https://a.test/reset/[REDACTED]{after}"),
            );
        }
        check("https://a.test/?token=a(b)", "https://a.test/?token=[REDACTED]");
        let long = key.repeat(10);
        check(&format!("https://a.test/verify/{long}"), "https://a.test/verify/[REDACTED]");
        let gate = Redactor::new([]);
        assert_eq!(gate.url("x/b1@c"), "x/b1@c");
    }

    // RED-05, RED-20
    #[test]
    fn a_parameter_that_says_little_is_masked_where_it_looks_drawn() {
        for value in ["1234", "a1b2c3", "abcdefghijklmnopqrstuvwxyz"] {
            check(&format!("https://a.test/?code={value}"), "https://a.test/?code=[REDACTED]");
        }
        for value in ["a1b2c", "123", "abcdefgh", "%23a1b2c3", "$%7Bcode12%7D", "en-2024"] {
            let text = format!("https://a.test/?code={value}");
            check(&text, &text);
        }
        check(
            "https://a.test/?r=%2Fcb%3Ftoken%3Dabc&m=ann%40a.test",
            "https://a.test/?r=[REDACTED]&m=ann%40a.test",
        );
        check("https://a.test/?r=http:%2F%2Fann:pw%40b.test", "https://a.test/?r=[REDACTED]");
        check("https://a.test/?r=code%3Da1b2c3", "https://a.test/?r=[REDACTED]");
    }

    // RED-05, RED-15
    #[test]
    fn a_one_time_link_in_a_parameter_is_masked_as_deep_and_as_far_as_rules_look() {
        let link = "%2Freset%2F9f86d081884c7d659a2feaa0c55ad015";
        let within = |value: String| format!("%2Fa%3Fr%3D{}", value.replace('%', "%25"));
        let third = within(within(link.into()));
        for value in [link, "token%3A9f86d081884c7d65", &third] {
            check(&format!("https://a.test/?r={value}&n=1"), "https://a.test/?r=[REDACTED]&n=1");
        }
        for value in [within(third), "%20".repeat(super::HIDDEN) + link] {
            let text = format!("https://a.test/?r={value}");
            check(&text, &text);
        }
    }

    // RED-05
    #[test]
    fn a_parameter_is_masked_to_its_end_whatever_signs_it_holds() {
        for (text, expected) in [
            ("https://a.test/?token=abcd/efgh1234&x=1", "https://a.test/?token=[REDACTED]&x=1"),
            (
                "https://a.test/cb?code=4/0AbCd?e;f12#access_token=a/b?c;d&x=/y",
                "https://a.test/cb?code=[REDACTED]#access_token=[REDACTED]&x=/y",
            ),
            (
                "https://a.test/?r=https://b.test/?token=ab/cd&page=2",
                "https://a.test/?r=https://b.test/?token=[REDACTED]&page=2",
            ),
            (
                "https://a.test/a;jsessionid=1A530637289A/b?x=1",
                "https://a.test/a;jsessionid=[REDACTED]/b?x=1",
            ),
        ] {
            check(text, expected);
            assert_eq!(Redactor::new([]).url(text), expected);
        }
    }

    // RED-05, RED-15
    #[test]
    fn a_document_in_a_parameter_is_masked_where_it_holds_a_secret() {
        let far = "%22a%22%3A1%2C".repeat(40);
        for document in [
            "%7B%22password%22%3A%22hunter2%22%7D",
            "%7B%22input%22%3A%7B%22pwd%22%3A%22x%22%7D%7D",
            &format!("%7B{far}%22password%22%3A%22hunter2%22%7D"),
        ] {
            check(
                &format!("https://a.test/graphql?variables={document}&n=1"),
                "https://a.test/graphql?variables=[REDACTED]&n=1",
            );
        }
        let plain = "https://a.test/?variables=%7B%22first%22%3A10%2C%22state%22%3A%22open%22%7D";
        check(plain, plain);
    }
}
