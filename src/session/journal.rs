//! The journal of a host session: one line per call, redacted, with the facts it brought.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::fact::Fact;
use super::state::State;
use crate::run::places::{private_dir, write_private};

/// A journal longer than this is rewritten as one line that holds the state.
const COMPACT_ABOVE: usize = 400;

/// One line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Entry {
    /// Seconds since 1970.
    pub at: u64,
    /// The command, without operands.
    pub what: String,
    /// Category of the result.
    pub verdict: String,
    /// Bytes of visible text.
    pub bytes: usize,
    /// Milliseconds.
    pub ms: u64,
    /// What the call has learned.
    pub facts: Vec<Fact>,
}

/// An append-only file of [`Entry`] lines.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
}

impl Journal {
    /// The journal of a host session below the state root.
    #[must_use]
    pub fn at(state_root: &Path, host: &str) -> Self {
        Self { path: state_root.join("journal").join(format!("{host}.jsonl")) }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Folds all readable lines. A torn last line, after a kill, is left out.
    #[must_use]
    pub fn load(&self) -> (State, usize) {
        let mut state = State::default();
        let mut lines = 0;
        let Ok(file) = std::fs::File::open(&self.path) else { return (state, 0) };
        // A torn line may end inside a character.
        for line in BufReader::new(file).split(b'\n').map_while(Result::ok) {
            lines += 1;
            if let Ok(entry) = serde_json::from_slice::<Entry>(&line) {
                entry.facts.iter().for_each(|fact| state.apply(fact));
            }
        }
        (state, lines)
    }

    /// Appends one line. A line that was torn by a kill gets its end first, so that it takes nothing
    /// else with it.
    ///
    /// # Errors
    /// When the private file cannot be written.
    pub fn append(&self, entry: &Entry) -> io::Result<()> {
        let mut line = serde_json::to_string(entry)?;
        line.push('\n');
        let mut file = self.open_private()?;
        if is_torn(&mut file) {
            line.insert(0, '\n');
        }
        file.write_all(line.as_bytes())
    }

    /// Rewrites a long journal as the facts that give the same state.
    ///
    /// # Errors
    /// When the private file cannot be written.
    pub fn compact(&self, state: &State, lines: usize) -> io::Result<()> {
        if lines <= COMPACT_ABOVE {
            return Ok(());
        }
        let entry =
            Entry { what: "compacted".to_owned(), facts: state.as_facts(), ..Entry::default() };
        let mut line = serde_json::to_string(&entry)?;
        line.push('\n');
        write_private(&self.path, line.as_bytes())
    }

    fn open_private(&self) -> io::Result<std::fs::File> {
        if let Some(parent) = self.path.parent() {
            private_dir(parent)?;
        }
        let mut options = std::fs::OpenOptions::new();
        options.create(true).read(true).append(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600).custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
        }
        options.open(&self.path)
    }
}

/// The file does not end with the end of a line.
fn is_torn(file: &mut std::fs::File) -> bool {
    let mut last = [b'\n'];
    let read = file.seek(SeekFrom::End(-1)).and_then(|_| file.read_exact(&mut last));
    read.is_ok() && last != *b"\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::fact::Drift;
    use crate::session::key::SessionKey;

    fn drifts(name: &str) -> Entry {
        let facts = vec![Fact::DriftRisk { key: SessionKey::named(name), lasts: Drift::Always }];
        Entry { what: "open".into(), facts, ..Entry::default() }
    }

    fn names(state: &State) -> Vec<&str> {
        state.sessions.keys().map(|key| key.name.as_str()).collect()
    }

    #[test]
    fn facts_of_all_lines_are_folded_but_for_a_torn_one() {
        let root = tempfile::tempdir().unwrap();
        let journal = Journal::at(root.path(), "host");
        assert_eq!(journal.load(), (State::default(), 0));
        journal.append(&drifts("a")).unwrap();
        journal.append(&drifts("b")).unwrap();
        let mut file = journal.open_private().unwrap();
        file.write_all(b"{\"what\":\"op").unwrap();
        let (state, lines) = journal.load();
        assert_eq!((names(&state), lines), (vec!["a", "b"], 3));
    }

    // SES-09, SES-35
    #[test]
    fn an_entry_behind_a_torn_line_is_kept() {
        let root = tempfile::tempdir().unwrap();
        let journal = Journal::at(root.path(), "host");
        journal.append(&drifts("a")).unwrap();
        let whole = std::fs::read(journal.path()).unwrap();
        for length in 1..whole.len() {
            std::fs::write(journal.path(), &whole[..length]).unwrap();
            journal.append(&drifts("b")).unwrap();
            journal.append(&drifts("c")).unwrap();
            let (state, _) = journal.load();
            // A line that only lacks its end is whole.
            let kept = if length + 1 == whole.len() { 3 } else { 2 };
            assert_eq!(names(&state).len(), kept, "{length}: {state:?}");
        }
    }

    // SES-09, SES-35
    #[test]
    fn entries_behind_a_line_that_is_torn_inside_a_character_are_kept() {
        let root = tempfile::tempdir().unwrap();
        let journal = Journal::at(root.path(), "host");
        journal.append(&drifts("a")).unwrap();
        let mut file = journal.open_private().unwrap();
        file.write_all(&"{\"what\":\"é".as_bytes()[..10]).unwrap();
        journal.append(&drifts("b")).unwrap();
        let (state, lines) = journal.load();
        assert_eq!((names(&state), lines), (vec!["a", "b"], 3));
    }

    #[test]
    fn a_long_journal_becomes_one_line_with_the_same_state() {
        let root = tempfile::tempdir().unwrap();
        let journal = Journal::at(root.path(), "host");
        for name in ["a", "b"] {
            journal.append(&drifts(name)).unwrap();
        }
        let (state, lines) = journal.load();
        journal.compact(&state, COMPACT_ABOVE).unwrap();
        assert_eq!(journal.load(), (state.clone(), lines));
        journal.compact(&state, COMPACT_ABOVE + 1).unwrap();
        assert_eq!(journal.load(), (state, 1));
        let text = std::fs::read_to_string(journal.path()).unwrap();
        assert!(text.contains("\"what\":\"compacted\""), "{text}");
    }
}
