//! Header lines that carry credentials: `Authorization`, `Cookie`, `Set-Cookie`.

use std::ops::Range;

use super::engine::{LOOK, Rule, Scan};
use super::{MASK, value};

/// The credentials of a header line; scheme, cookie names and attributes stay.
pub(super) const RULE: Rule = Rule {
    id: "header",
    doc: "The credential of an `Authorization` header and the values of `Cookie` and `Set-Cookie` headers.",
    triggers: &["authorization", "cookie"],
    self_evident: false,
    apply,
};

fn apply(scan: &mut Scan<'_>, hit: Range<usize>) {
    if hit.start < scan.header_end {
        return;
    }
    let Some((start, quote)) = value_start(scan, hit.end) else {
        return;
    };
    let inside = |byte: u8| byte != b'\n' && byte != b'\r' && Some(byte) != quote;
    if scan.slice(hit.clone()).eq_ignore_ascii_case("cookie") {
        let only_first =
            scan.slice(hit.start.saturating_sub(4)..hit.start).eq_ignore_ascii_case("set-");
        scan.header_end = cookies(scan, start, only_first, inside);
    } else {
        authorization(scan, start, inside);
    }
}

/// Where the value behind `:` begins, and the quotation mark that ends it.
fn value_start(scan: &Scan<'_>, name_end: usize) -> Option<(usize, Option<u8>)> {
    let mut at = name_end;
    let close = scan.end_of(at, 2, |byte| matches!(byte, b'"' | b'\'' | b'\\'));
    let quoted_name = close > at;
    at = scan.end_of(close, 4, |byte| byte == b' ');
    if scan.byte(at) != Some(b':') || scan.byte(at + 1) == Some(b':') {
        return None;
    }
    at = scan.end_of(at + 1, 4, |byte| byte == b' ' || (quoted_name && byte == b'['));
    if quoted_name {
        at = scan.end_of(at, 2, |byte| byte == b'\\');
        let quote = scan.byte(at).filter(|byte| matches!(byte, b'"' | b'\''))?;
        return Some((at + 1, Some(quote)));
    }
    match scan.byte(at)? {
        quote @ (b'"' | b'\'') => Some((at + 1, Some(quote))),
        // `-H "Authorization: …"`: the quotation mark stands before the name.
        _ => Some((at, enclosing_quote(scan, name_end))),
    }
}

fn enclosing_quote(scan: &Scan<'_>, name_end: usize) -> Option<u8> {
    let start = scan.start_of(name_end, 24, |byte| byte.is_ascii_alphanumeric() || byte == b'-');
    scan.before(start).filter(|byte| matches!(byte, b'"' | b'\''))
}

fn authorization(scan: &mut Scan<'_>, start: usize, inside: impl Fn(u8) -> bool) {
    let seen = scan.slice(start..scan.end_of(start, LOOK, &inside));
    let mut words = seen.split_whitespace();
    let (first, second) = (words.next().unwrap_or_default(), words.next());
    let secret = match second {
        Some(second) if is_scheme(first) => {
            if value::is_benign(second)
                || value::is_placeholder(second)
                || is_talk(second, words.next())
            {
                return;
            }
            start + seen.find(second).unwrap_or_default()
        }
        Some(second) if value::is_plain_word(first) && value::is_opaque(second) => {
            start + seen.find(second).unwrap_or_default()
        }
        None if value::is_mixed(first)
            && !value::is_code(first)
            && !value::is_placeholder(first) =>
        {
            start
        }
        _ => return,
    };
    let end = scan.end_of(secret, usize::MAX, inside);
    let end = secret + scan.slice(secret..end).trim_end_matches('\\').len();
    scan.mask(secret..end);
}

/// `Bearer tokens are issued by …`: words about the scheme, not a credential.
fn is_talk(second: &str, third: Option<&str>) -> bool {
    value::is_plain_word(second)
        && (third.is_some() || value::is_ordinary_word(second) || value::names_a_secret(second))
}

/// The name of a scheme, not a credential.
fn is_scheme(word: &str) -> bool {
    const SCHEMES: &[&str] = &[
        "bearer",
        "basic",
        "digest",
        "token",
        "apikey",
        "api-key",
        "negotiate",
        "ntlm",
        "oauth",
        "hawk",
        "mac",
        "hmac",
        "aws4-hmac-sha256",
        "sharedkey",
        "sharedaccesssignature",
        "jwt",
        "key",
        "dpop",
        "privatetoken",
    ];
    SCHEMES.iter().any(|scheme| word.eq_ignore_ascii_case(scheme))
}

/// Masks the value of every `name=value` pair, or of the first where the rest are attributes.
/// Returns where the pairs end.
fn cookies(
    scan: &mut Scan<'_>,
    start: usize,
    only_first: bool,
    inside: impl Fn(u8) -> bool,
) -> usize {
    let mut at = start;
    loop {
        let name_end = scan.end_of(at, LOOK, |byte| {
            byte.is_ascii_graphic() && inside(byte) && !matches!(byte, b'=' | b';' | b'"')
        });
        if scan.byte(name_end) != Some(b'=') || name_end == at {
            return at;
        }
        let pair_end = scan.end_of(name_end, usize::MAX, |byte| byte != b';' && inside(byte));
        // The backslash before a closing mark belongs to the mark.
        let pair = scan.slice(name_end + 1..pair_end).trim_end_matches('\\');
        let value = name_end + 1..name_end + 1 + pair.len();
        if !scan.slice(value.clone()).contains(MASK) {
            scan.mask(value);
        }
        if only_first || scan.byte(pair_end) != Some(b';') {
            return pair_end;
        }
        at = scan.end_of(pair_end + 1, 4, |byte| byte == b' ');
    }
}

#[cfg(test)]
mod tests {
    use crate::redact::Redactor;

    fn check(text: &str, expected: &str) {
        assert_eq!(Redactor::new([]).text(text), expected, "{text}");
    }

    // RED-05
    #[test]
    fn credentials_of_header_lines_are_masked_and_names_stay() {
        check(
            "Authorization: Bearer abcdef\nAccept: */*",
            "Authorization: Bearer [REDACTED]\nAccept: */*",
        );
        check(
            "Authorization: Bearer abc.DEF1\nAccept: */*",
            "Authorization: Bearer [REDACTED]\nAccept: */*",
        );
        check(
            "curl -H 'Authorization: token a1b2c3' https://a.test",
            "curl -H 'Authorization: token [REDACTED]' https://a.test",
        );
        check(
            "authorization: Digest username=\"a\", response=\"6629\"",
            "authorization: Digest [REDACTED]",
        );
        check("Cookie: theme=dark; sid=31d4d96e", "Cookie: theme=[REDACTED]; sid=[REDACTED]");
        check(
            "set-cookie: sid=abc; Path=/; HttpOnly",
            "set-cookie: sid=[REDACTED]; Path=/; HttpOnly",
        );
        check("{\"Cookie\":\"sid=abc\",\"a\":1}", "{\"Cookie\":\"sid=[REDACTED]\",\"a\":1}");
    }

    // HAZ-24
    #[test]
    fn words_about_headers_stay() {
        for text in [
            "Authorization: required",
            "Authorization: Bearer tokens are issued by the shop",
            "Cookie: we use them",
            "Authorization: Bearer $TOKEN",
            "Set-Cookie: none",
        ] {
            check(text, text);
        }
    }

    // RED-05
    #[test]
    fn quoted_headers_and_unknown_schemes_are_masked() {
        for (text, expected) in [
            (
                "got \"Cookie\": [\"sid=ab; theme=dark\"] here",
                "got \"Cookie\": [\"sid=[REDACTED]; theme=[REDACTED]\"] here",
            ),
            (
                "Cookie: \"sid=ab; theme=dark\" sent",
                "Cookie: \"sid=[REDACTED]; theme=[REDACTED]\" sent",
            ),
            ("Cookie: a=; b=2c", "Cookie: a=; b=[REDACTED]"),
            (
                r#"log: {\"Cookie\":\"sid=abc\",\"n\":1}"#,
                r#"log: {\"Cookie\":\"sid=[REDACTED]\",\"n\":1}"#,
            ),
            ("Authorization: MyScheme 3f9c2a77b1d04e6f", "Authorization: MyScheme [REDACTED]"),
            ("Authorization: a1b2c3&d4e5f6", "Authorization: [REDACTED]"),
        ] {
            check(text, expected);
        }
    }

    // HAZ-24
    #[test]
    fn code_and_sentences_that_look_like_headers_stay() {
        for text in [
            "Cookie::jar=simple",
            "Cookie: we set a=b here",
            "Authorization: see chapter-7 for more",
            "Authorization: getToken2()",
            "Authorization: <a1b2c3>",
            "Authorization: Bearer sesame opens doors",
            "Authorization: Bearer token",
            "Authorization: Bearer required",
        ] {
            check(text, text);
        }
    }
}
