//! Private keys in PEM form, whole or cut short, with real or escaped line breaks.

use std::ops::Range;

use super::engine::{Rule, Scan};

/// The block from its first dash to its last.
pub(super) const RULE: Rule = Rule {
    id: "private-key",
    doc: "Private keys in PEM form, from the BEGIN line to the END line or to where the key text stops.",
    triggers: &["-----begin "],
    self_evident: true,
    apply,
};

/// Fewer letters and digits behind the BEGIN line are no key, only talk about one.
const LEAST: usize = 16;

/// Longest label between the dashes.
const LABEL: usize = 64;

fn apply(scan: &mut Scan<'_>, hit: Range<usize>) {
    let label_end = scan.end_of(hit.end, LABEL, |byte| byte.is_ascii_uppercase() || byte == b' ');
    let label = scan.slice(hit.end..label_end);
    if !label.contains("PRIVATE KEY") || !scan.follows(label_end, "-----") {
        return;
    }
    let body = label_end + 5;
    // No key has five dashes in it, so every byte is walked over for one BEGIN line alone.
    let rest = scan.slice(body..scan.text.len()).as_bytes();
    let is_key = |at: usize, byte: u8| {
        is_key_byte(byte) && !rest.get(at..).is_some_and(|rest| rest.starts_with(b"-----"))
    };
    let walked = rest.iter().enumerate().take_while(|(at, byte)| is_key(*at, **byte)).count();
    let mut end = body + walked;
    if scan.follows(end, "-----END ") {
        let tail = scan.end_of(end + 9, LABEL, |byte| byte.is_ascii_uppercase() || byte == b' ');
        end = scan.end_of(tail, 5, |byte| byte == b'-');
    } else {
        end = scan.slice(body..end).trim_end().len() + body;
    }
    let key_bytes = scan.slice(body..end).bytes().filter(u8::is_ascii_alphanumeric);
    if key_bytes.take(LEAST).count() == LEAST {
        scan.mask(hit.start..end);
    }
}

/// Key text, headers such as `Proc-Type: 4,ENCRYPTED`, and `\n` spelled with a backslash.
fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || byte.is_ascii_whitespace()
        || matches!(byte, b'+' | b'/' | b'=' | b'\\' | b':' | b',' | b'-')
}

#[cfg(test)]
mod tests {
    use crate::redact::Redactor;

    fn check(text: &str, expected: &str) {
        assert_eq!(Redactor::new([]).text(text), expected, "{text}");
    }

    // DEC-68
    #[test]
    fn a_private_key_is_one_mask() {
        let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\nbq+/x==\n-----END RSA PRIVATE KEY-----";
        check(&format!("key:\n{key}\nend."), "key:\n[REDACTED]\nend.");
        check(&format!("\"{}\" and", key.replace('\n', "\\n")), "\"[REDACTED]\" and");
    }

    // DEC-68
    #[test]
    fn a_key_that_was_cut_short_is_masked_to_where_it_stops() {
        check("-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7b", "[REDACTED]");
        check(
            "-----BEGIN PRIVATE KEY----- is how it starts.",
            "-----BEGIN PRIVATE KEY----- is how it starts.",
        );
        check(
            "-----BEGIN CERTIFICATE-----\nMIIEpAIBAAKCAQEA7b",
            "-----BEGIN CERTIFICATE-----\nMIIEpAIBAAKCAQEA7b",
        );
    }

    // DEC-68
    #[test]
    fn text_behind_a_key_that_was_cut_short_stays() {
        check("\"-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7b\" (cut)", "\"[REDACTED]\" (cut)");
    }
}
