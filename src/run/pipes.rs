//! What a child writes, kept within bounds. Pipes are always drained, so that a child that floods
//! us is never blocked by us and never fills our memory.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use serde::de::IgnoredAny;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};

use super::private::unnamed_file;

/// Bytes of standard output kept in memory.
const IN_MEMORY: usize = 512 * 1024;

/// Bytes of standard output kept beyond that, in a private file.
const IN_FILE: usize = 64 * 1024 * 1024;

/// Characters of standard error kept.
const STDERR_CHARS: usize = 32_000;

const CHUNK: usize = 64 * 1024;

/// Something that takes what a pipe delivers.
pub(super) trait Sink {
    fn take(&mut self, chunk: &[u8]);
}

/// Standard output: memory first, then an unnamed file, then only counted.
pub(super) struct Stdout {
    memory: Vec<u8>,
    file: Overflow,
    in_file: usize,
    lost: bool,
    directories: Vec<PathBuf>,
}

enum Overflow {
    Unused,
    Open(File),
    Failed,
}

impl Stdout {
    /// The overflow file is made in the first of `directories` that allows it.
    pub(super) fn new(directories: Vec<PathBuf>) -> Self {
        Self { memory: Vec::new(), file: Overflow::Unused, in_file: 0, lost: false, directories }
    }

    /// Everything that was kept, and whether something was not.
    pub(super) fn finish(mut self) -> (Vec<u8>, bool) {
        if let Overflow::Open(mut file) = self.file {
            self.memory.reserve_exact(self.in_file);
            let read_back = file
                .seek(SeekFrom::Start(0))
                .and_then(|_| file.take(self.in_file as u64).read_to_end(&mut self.memory));
            self.lost |= !matches!(read_back, Ok(count) if count == self.in_file);
        }
        (self.memory, self.lost)
    }

    /// It holds one whole JSON value: the line break behind it comes late, or never.
    fn is_answer(&self) -> bool {
        let ends = matches!(self.memory.trim_ascii_end().last(), Some(b']' | b'}'));
        let whole = !self.lost && matches!(self.file, Overflow::Unused);
        ends && whole && serde_json::from_slice::<IgnoredAny>(&self.memory).is_ok()
    }

    fn overflow(&mut self, rest: &[u8]) {
        if matches!(self.file, Overflow::Unused) {
            let mut made =
                self.directories.iter().filter_map(|directory| unnamed_file(directory).ok());
            self.file = made.next().map_or(Overflow::Failed, Overflow::Open);
        }
        let fitting = rest.len().min(IN_FILE - self.in_file);
        let Overflow::Open(file) = &mut self.file else {
            self.lost = true;
            return;
        };
        let (kept, surplus) = rest.split_at(fitting);
        match file.write_all(kept) {
            Ok(()) => {
                self.in_file += fitting;
                self.lost |= !surplus.is_empty();
            }
            // A half-written chunk lies behind `in_file` and is never read back.
            Err(_disk_full) => self.lost = true,
        }
    }
}

impl Sink for Stdout {
    fn take(&mut self, chunk: &[u8]) {
        if self.lost {
            return;
        }
        let (kept, rest) = chunk.split_at(chunk.len().min(IN_MEMORY - self.memory.len()));
        self.memory.extend_from_slice(kept);
        if !rest.is_empty() {
            self.overflow(rest);
        }
    }
}

/// Standard error: its beginning.
#[derive(Default)]
pub(super) struct Stderr {
    bytes: Vec<u8>,
}

impl Stderr {
    /// The text that was kept.
    pub(super) fn finish(self) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        match text.char_indices().nth(STDERR_CHARS) {
            Some((end, _)) => text.get(..end).unwrap_or_default().to_owned(),
            None => text.into_owned(),
        }
    }
}

impl Sink for Stderr {
    fn take(&mut self, chunk: &[u8]) {
        // No character takes more than four bytes, so the text is cut by characters alone.
        let room = (STDERR_CHARS * 4).saturating_sub(self.bytes.len());
        let (kept, _) = chunk.split_at(chunk.len().min(room));
        self.bytes.extend_from_slice(kept);
    }
}

/// Reads a pipe to its end.
pub(super) async fn drain(pipe: Option<impl AsyncRead + Unpin>, sink: &mut impl Sink) {
    let Some(mut pipe) = pipe else { return };
    let mut chunk = Vec::with_capacity(CHUNK);
    while matches!(pipe.read_buf(&mut chunk).await, Ok(count) if count > 0) {
        sink.take(&chunk);
        chunk.clear();
    }
}

/// Reads a pipe up to a whole answer, or to its end: `true` for an answer.
pub(super) async fn drain_answer(pipe: Option<impl AsyncRead + Unpin>, sink: &mut Stdout) -> bool {
    let Some(mut pipe) = pipe else { return false };
    let mut chunk = Vec::with_capacity(CHUNK);
    while matches!(pipe.read_buf(&mut chunk).await, Ok(count) if count > 0) {
        sink.take(&chunk);
        if sink.is_answer() {
            return true;
        }
        chunk.clear();
    }
    false
}

/// Writes all input and closes the pipe. A child that stops reading is no error of ours.
pub(super) async fn feed(pipe: Option<tokio::process::ChildStdin>, input: &[u8]) {
    if let Some(mut pipe) = pipe {
        let _closed_early = pipe.write_all(input).await;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    // DEC-05
    #[test]
    fn output_beyond_memory_comes_back_from_the_file_in_order() {
        let directory = std::env::temp_dir();
        let mut sink = Stdout::new(vec![directory]);
        let whole: Vec<u8> = (0..IN_MEMORY * 3).map(|at| (at % 251) as u8).collect();
        whole.chunks(70_001).for_each(|chunk| sink.take(chunk));
        assert_eq!(sink.memory.len(), IN_MEMORY);
        assert!(sink.finish() == (whole, false));
    }

    #[tokio::test]
    async fn a_whole_json_value_is_an_answer_and_other_text_is_not() {
        async fn read(parts: &[&str]) -> (bool, String) {
            let (mut writer, reader) = tokio::io::duplex(64);
            let mut sink = Stdout::new(Vec::new());
            let write = async move {
                for part in parts {
                    // The reader may have gone.
                    let _closed = writer.write_all(part.as_bytes()).await;
                    tokio::task::yield_now().await;
                }
            };
            let (answered, ()) = tokio::join!(drain_answer(Some(reader), &mut sink), write);
            (answered, String::from_utf8(sink.finish().0).unwrap())
        }
        let rows = "[{\"a\":\"]\"},{\"b\":2}]";
        let (one, two) = rows.split_at(8);
        assert_eq!(read(&[one, two, "\n"]).await, (true, rows.to_owned()));
        assert_eq!(read(&["[1", "]\n"]).await, (true, "[1]\n".to_owned()));
        assert_eq!(read(&["[1", "2"]).await, (false, "[12".to_owned()));
        assert_eq!(read(&["text\n", "[1]\n"]).await, (false, "text\n[1]\n".to_owned()));
        assert_eq!(read(&[]).await, (false, String::new()));
    }

    // DEC-05
    #[test]
    fn output_without_a_place_to_overflow_is_cut_and_says_so() {
        let mut sink = Stdout::new(vec![PathBuf::from("/nonexistent/place")]);
        sink.take(&vec![b'x'; IN_MEMORY + 1]);
        let (kept, lost) = sink.finish();
        assert_eq!((kept.len(), lost), (IN_MEMORY, true));
    }

    // DEC-05
    #[test]
    fn stderr_is_cut_by_characters_not_bytes() {
        let mut sink = Stderr::default();
        "😀".repeat(40_000).as_bytes().chunks(1_001).for_each(|chunk| sink.take(chunk));
        let text = sink.finish();
        assert_eq!(text.chars().count(), STDERR_CHARS);
        assert!(text.chars().all(|c| c == '😀'));

        let mut short = Stderr::default();
        short.take(b"caf\xc3\xa9 \xff");
        assert_eq!(short.finish(), "café \u{fffd}");
    }
}
