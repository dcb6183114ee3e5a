//! Lines of JSON from a host: bounded, and forgiving enough to name what is wrong.

use serde_json::Value;
use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// Longest line that is read into memory.
pub const LINE_LIMIT: usize = 16 * 1024 * 1024;

/// One line from the host.
#[derive(Debug, PartialEq)]
pub enum Incoming {
    /// A JSON value; bad characters in it were replaced by NUL, which the decoder names by field.
    Value(Value),
    /// Not JSON, or too long; the sentence says which.
    Unreadable(&'static str),
    /// The host has closed the stream.
    End,
}

/// Reads bounded lines. Cancel-safe: a dropped read keeps what it has.
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
    buffer: Vec<u8>,
    too_long: bool,
}

impl<R: AsyncBufRead + Unpin> LineReader<R> {
    /// A reader over the host's stream.
    pub fn new(input: R) -> Self {
        Self { input, buffer: Vec::new(), too_long: false }
    }

    /// The next line that is not empty.
    pub async fn next(&mut self) -> Incoming {
        loop {
            let Ok(available) = self.input.fill_buf().await else { return Incoming::End };
            if available.is_empty() {
                // The last line need not have an end.
                match self.line() {
                    Some(last) => return last,
                    None => return Incoming::End,
                }
            }
            let newline = available.iter().position(|byte| *byte == b'\n');
            let take = newline.map_or(available.len(), |position| position + 1);
            if self.buffer.len() + take > LINE_LIMIT {
                self.too_long = true;
                self.buffer.clear();
            } else if !self.too_long {
                self.buffer.extend_from_slice(available.get(..take).unwrap_or_default());
            }
            self.input.consume(take);
            if newline.is_some()
                && let Some(line) = self.line()
            {
                return line;
            }
        }
    }

    /// What was read of a line; nothing when it is empty.
    fn line(&mut self) -> Option<Incoming> {
        let line = std::mem::take(&mut self.buffer);
        if std::mem::take(&mut self.too_long) {
            return Some(Incoming::Unreadable("the line is longer than 16 MiB"));
        }
        (!line.iter().all(u8::is_ascii_whitespace)).then(|| read_line(&line))
    }
}

fn read_line(line: &[u8]) -> Incoming {
    if let Ok(value) = serde_json::from_slice(line) {
        return Incoming::Value(value);
    }
    match serde_json::from_str(&repair(line)) {
        Ok(value) => Incoming::Value(value),
        Err(_) => Incoming::Unreadable("the line is not JSON"),
    }
}

/// Replaces invalid UTF-8 and halves of surrogate pairs by an escaped NUL.
fn repair(line: &[u8]) -> String {
    let mut text = String::with_capacity(line.len());
    for chunk in line.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push_str("\\u0000");
        }
    }
    replace_lone_surrogates(&text)
}

fn replace_lone_surrogates(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(position) = rest.find('\\') {
        let (head, tail) = rest.split_at(position);
        out.push_str(head);
        let unit = escaped_unit(tail);
        let pair = unit.is_some_and(|unit| (0xd800..0xdc00).contains(&unit))
            && tail
                .get(6..)
                .and_then(escaped_unit)
                .is_some_and(|low| (0xdc00..0xe000).contains(&low));
        let (kept, length) = match unit {
            Some(_) if pair => (tail.get(..12), 12),
            Some(unit) if (0xd800..0xe000).contains(&unit) => (Some("\\u0000"), 6),
            Some(_) => (tail.get(..6), 6),
            None => {
                let length = 1 + tail.chars().nth(1).map_or(0, char::len_utf8);
                (tail.get(..length), length)
            }
        };
        out.push_str(kept.unwrap_or_default());
        rest = tail.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The code unit of `\uXXXX` at the beginning of `text`.
fn escaped_unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    async fn all(input: &[u8]) -> Vec<Incoming> {
        let mut reader = LineReader::new(input);
        let mut found = Vec::new();
        loop {
            match reader.next().await {
                Incoming::End => return found,
                line => found.push(line),
            }
        }
    }

    #[tokio::test]
    async fn bad_lines_are_said_and_good_ones_go_on() {
        let found = all(b"{\"a\":1}\n\n  \nnot json\n{\"b\":2}\r\n").await;
        assert_eq!(found[0], Incoming::Value(json!({"a": 1})));
        assert_eq!(found[1], Incoming::Unreadable("the line is not JSON"));
        assert_eq!(found[2], Incoming::Value(json!({"b": 2})));
    }

    // DEC-80
    #[tokio::test]
    async fn the_last_line_needs_no_line_break() {
        assert_eq!(all(b"1\n{\"a\":1}").await[1], Incoming::Value(json!({"a": 1})));
        assert_eq!(all(b"{\"a\":").await, [Incoming::Unreadable("the line is not JSON")]);
        assert_eq!(all(b"1\n  ").await, [Incoming::Value(json!(1))]);
    }

    #[tokio::test]
    async fn bad_characters_become_a_nul_that_the_decoder_can_name() {
        let found = all(b"[\"a\\ud800b\",\"\\ud83d\\ude00\",\"\\\\ud800\"]\n[\"x\xffy\"]\n").await;
        assert_eq!(found[0], Incoming::Value(json!(["a\0b", "😀", "\\ud800"])));
        assert_eq!(found[1], Incoming::Value(json!(["x\0y"])));
    }

    #[tokio::test]
    async fn a_line_without_end_is_bounded_and_the_next_one_is_read() {
        let mut input = vec![b'x'; LINE_LIMIT + 10];
        input.extend_from_slice(b"\n1\n");
        let found = all(&input).await;
        assert_eq!(found[0], Incoming::Unreadable("the line is longer than 16 MiB"));
        assert_eq!(found[1], Incoming::Value(json!(1)));
    }
}
