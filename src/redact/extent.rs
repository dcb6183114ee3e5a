//! How far the value behind a sensitive name reaches.

use super::MASK;
use super::key_value::{Found, Join, NAME, is_name_byte};

/// Bytes of the value that `rest` begins with.
pub(super) fn length(rest: &str, found: &Found) -> usize {
    match (found.quote, found.join) {
        (Some(quote), _) => quoted(rest.as_bytes(), quote, found.escapes),
        (None, Join::Parameter) => {
            let ends = |byte: u8| matches!(byte, b'&' | b'#' | b'"' | b'\'' | b'<' | b'>' | b'\\');
            let end = until(rest, |byte| byte.is_ascii_whitespace() || ends(byte));
            let next = rest.get(..end).and_then(|value| value.find("%26"));
            next.filter(|_| found.encoded).unwrap_or(end)
        }
        (None, Join::Field) => until(rest, |byte| !byte.is_ascii_digit()),
        (None, _) => bare(rest),
    }
}

fn until(rest: &str, ends: impl Fn(u8) -> bool) -> usize {
    rest.bytes().position(ends).unwrap_or(rest.len())
}

/// Up to the mark that closes the value or to the end of the line.
fn quoted(rest: &[u8], quote: u8, escapes: usize) -> usize {
    let mut at = 0;
    while let Some(byte) = rest.get(at).filter(|byte| **byte != b'\n' && **byte != quote) {
        if *byte != b'\\' {
            at += 1;
            continue;
        }
        let run = rest.iter().skip(at).take_while(|byte| **byte == b'\\').count();
        if run <= escapes && rest.get(at + run) == Some(&quote) {
            break;
        }
        // An odd run escapes what follows it.
        at += run.next_multiple_of(2);
    }
    at.min(rest.len())
}

/// Up to a blank or a mark; a sentence's own marks at the end are no part of it.
fn bare(rest: &str) -> usize {
    let ends = |(at, byte): &(usize, u8)| match byte {
        b',' | b';' => ends_at_comma(rest.get(at + 1..).unwrap_or_default()),
        _ => {
            byte.is_ascii_whitespace()
                || matches!(byte, b'&' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\')
        }
    };
    let end = rest.bytes().enumerate().find(ends).map_or(rest.len(), |(at, _)| at);
    let value = rest.get(..end).unwrap_or_default();
    if value.contains(MASK) { end } else { value.trim_end_matches([')', ']', '}', '.', ':']).len() }
}

/// A comma ends the value only where another name follows; passwords may hold one.
fn ends_at_comma(tail: &str) -> bool {
    let name = tail.bytes().take(NAME).take_while(|byte| is_name_byte(*byte)).count();
    let next = tail.as_bytes().get(name);
    if name == 0 {
        next.is_none_or(u8::is_ascii_whitespace)
    } else {
        matches!(next, Some(b'=' | b':'))
    }
}
