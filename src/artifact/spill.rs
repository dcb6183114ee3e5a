//! Spill files: what is too long to show, redacted, in a private directory of the session.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::redact::SafeText;
use crate::run::places::{private_dir, write_private};

/// Bytes kept per host session; the oldest files go first (SES-39).
pub const DEFAULT_BUDGET: u64 = 32 * 1024 * 1024;

/// The private directory of one host session.
#[derive(Debug)]
pub struct SpillDir {
    dir: PathBuf,
    budget: u64,
    next: AtomicU32,
}

impl SpillDir {
    /// A directory below the state root; it is created with the first file.
    #[must_use]
    pub fn new(dir: PathBuf, budget: u64) -> Self {
        Self { dir, budget, next: AtomicU32::new(1) }
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// Writes a redacted text and makes room for it.
    ///
    /// # Errors
    /// When the private directory cannot be made or written.
    pub fn keep(&self, stem: &str, text: &SafeText) -> io::Result<PathBuf> {
        private_dir(&self.dir)?;
        let path = loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let path = self.dir.join(format!("{stem}-{number}.txt"));
            if !path.exists() {
                break path;
            }
        };
        self.make_room(text.len() as u64)?;
        write_private(&path, text.as_str().as_bytes())?;
        Ok(path)
    }

    fn make_room(&self, wanted: u64) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&self.dir)? {
            let entry = entry?;
            let data = entry.metadata()?;
            if data.is_file() {
                files.push((data.modified()?, data.len(), entry.path()));
            }
        }
        files.sort();
        let mut total: u64 = files.iter().map(|(_, size, _)| size).sum();
        for (_, size, path) in files {
            if total + wanted <= self.budget {
                break;
            }
            std::fs::remove_file(path)?;
            total -= size;
        }
        Ok(())
    }
}
