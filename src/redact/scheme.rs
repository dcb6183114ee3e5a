//! `Bearer …` and `Basic …` wherever they stand.

use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::engine::{LOOK, Rule, Scan};
use super::value;

/// The credential behind the scheme; the scheme stays.
pub(super) const RULE: Rule = Rule {
    id: "auth-scheme",
    doc: "The credential behind `Bearer` or `Basic`, where it does not read as a word.",
    triggers: &["bearer ", "basic ", "bearer%20", "basic%20"],
    self_evident: false,
    apply,
};

fn apply(scan: &mut Scan<'_>, hit: Range<usize>) {
    if scan.before(hit.start).is_some_and(|byte| byte.is_ascii_alphanumeric()) {
        return;
    }
    let start = scan.end_of(hit.end, 8, |byte| byte == b' ');
    let end = scan.end_of(start, LOOK, is_token);
    let token = scan.slice(start..end);
    let basic = scan.slice(hit.start..hit.end).to_ascii_lowercase().starts_with("basic");
    let secret = if basic { holds_user_and_password(token) } else { is_bearer_token(token) };
    if secret {
        let end = scan.end_of(end, usize::MAX, is_token);
        scan.mask(start..end);
    }
}

/// The characters of RFC 7235 credentials.
pub(super) fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'+' | b'/' | b'=' | b'%' | b'|')
}

fn is_bearer_token(token: &str) -> bool {
    let token = token.trim_end_matches(['.', '=']);
    let digits = token.bytes().any(|byte| byte.is_ascii_digit());
    (token.len() >= 6 && digits && !value::is_structured(token))
        || value::is_opaque(token)
        || token.len() >= 24
}

/// Base64 of `user:password`.
fn holds_user_and_password(token: &str) -> bool {
    let token = token.trim_end_matches(['=', '.', '%']);
    let decoded = STANDARD_NO_PAD.decode(token).or_else(|_| URL_SAFE_NO_PAD.decode(token));
    let text = decoded.ok().and_then(|bytes| String::from_utf8(bytes).ok());
    text.is_some_and(|text| text.contains(':') && !text.contains(char::is_control))
}

#[cfg(test)]
mod tests {
    use crate::redact::Redactor;

    fn check(text: &str, expected: &str) {
        assert_eq!(Redactor::new([]).text(text), expected, "{text}");
    }

    // RED-05
    #[test]
    fn credentials_behind_a_scheme_are_masked_and_prose_stays() {
        check("sent Bearer abc123def456.", "sent Bearer [REDACTED]");
        check("got 'Basic YW5uOmh1bnRlcjI='", "got 'Basic [REDACTED]'");
        check("the bearer of news has basic manners", "the bearer of news has basic manners");
        check("Basic Options and Bearer authentication", "Basic Options and Bearer authentication");
    }

    // RED-05, HAZ-24
    #[test]
    fn short_tokens_are_masked_where_they_are_no_version_and_no_word() {
        check("got Bearer abc123 back", "got Bearer [REDACTED] back");
        check("see Bearer rfc-6750", "see Bearer rfc-6750");
        check("a Basic dGVzdA kit", "a Basic dGVzdA kit");
    }
}
