//! Secrets in the caller's own words: what the gate masks in them is a secret of the call wherever it
//! comes back, even where nothing around it tells so (RED-10).

use serde_json::Value;

use super::engine::{Mode, Scan};
use super::{MASK, Redactor, url};

/// The pieces of `text` that the gate masks, each as it may come back.
///
/// ```
/// use agent_browser_native::redact::secrets_in;
/// assert_eq!(secrets_in("https://ann:s%20x@shop.test/?token=abc123xyz"), ["s%20x", "s x", "abc123xyz"]);
/// assert_eq!(secrets_in(r#"{"Authorization":"Bearer open sesame","Accept":"text/html"}"#)[1], "open sesame");
/// assert!(secrets_in("https://shop.test/?page=2").is_empty());
/// ```
#[must_use]
pub fn secrets_in(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    match serde_json::from_str::<Value>(text) {
        Ok(document @ (Value::Object(_) | Value::Array(_))) => {
            compare(&document, &Redactor::new([]).json(&document), &mut found);
        }
        _ => masked_pieces(text, &mut found),
    }
    found
}

/// Strings that the gate changes.
fn compare(whole: &Value, masked: &Value, found: &mut Vec<String>) {
    match (whole, masked) {
        (Value::String(text), Value::String(after)) if after == MASK => {
            found.push(text.clone());
            // `Bearer …`: the credential comes back without its scheme.
            found.extend(text.split_once(' ').map(|(_, rest)| rest.trim().to_owned()));
        }
        (Value::String(text), _) => masked_pieces(text, found),
        (Value::Array(items), Value::Array(others)) => {
            items.iter().zip(others).for_each(|(one, other)| compare(one, other, found));
        }
        (Value::Object(fields), Value::Object(others)) => {
            // Keys keep their order; a masked key stands where the key stood.
            let pairs = fields.values().zip(others.values());
            pairs.for_each(|(one, other)| compare(one, other, found));
        }
        _ => {}
    }
}

fn masked_pieces(text: &str, found: &mut Vec<String>) {
    let mut scan = Scan::new(text, Mode::Free);
    // An address may hold what ends it inside a sentence, such as a blank.
    if text.split_once("://").is_some_and(|(scheme, _)| is_scheme(scheme)) {
        url::fields(&mut scan, 0..text.len());
    }
    scan.run();
    for range in scan.marked() {
        let piece = text.get(range.clone()).unwrap_or_default();
        let is_user = text.get(range.end..).is_some_and(|rest| rest.starts_with('@'));
        // The user's name in front of a host is no secret, what stands behind it is.
        let secret = match piece.split_once(':') {
            Some((_, password)) if is_user => password,
            _ => piece,
        };
        found.push(secret.to_owned());
        let decoded = url::decoded(secret);
        if decoded != secret {
            found.push(decoded);
        }
    }
}

fn is_scheme(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    !text.is_empty() && text.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::{is_scheme, secrets_in};

    #[test]
    fn secrets_are_found_in_every_part_of_a_document_as_they_come_back() {
        let document = r#"{"a":[{"Authorization":"Bearer open sesame"}],"u":"https://ann:tulip1@shop.test/","Accept":"text/html"}"#;
        assert_eq!(secrets_in(document), ["Bearer open sesame", "open sesame", "tulip1"]);
        assert_eq!(secrets_in(r#"["text/html",{"page":"2"}]"#), Vec::<String>::new());
    }

    #[test]
    fn secrets_of_an_address_are_found_encoded_and_decoded_without_the_user() {
        let address = "https://ann:s%20x@shop.test/?token=abc123xyz";
        assert_eq!(secrets_in(address), ["s%20x", "s x", "abc123xyz"]);
        assert_eq!(secrets_in("https://shop.test/?page=2"), Vec::<String>::new());
        assert_eq!(secrets_in("password=ab:cd98"), ["ab:cd98"]);
        // Only in front of a host stands a user.
        assert_eq!(secrets_in("https://shop.test/?token=812345:AAHk93"), ["812345:AAHk93"]);
    }

    #[test]
    fn a_scheme_is_a_word_in_front_of_an_address() {
        for scheme in ["https", "git+ssh", "a.b-c"] {
            assert!(is_scheme(scheme), "{scheme}");
        }
        for other in ["", "see https", "a/b"] {
            assert!(!is_scheme(other), "{other}");
        }
    }
}
