//! Counts what is there while no call runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::growth::{Files, Sample, amiss};
use super::model::SECRET;
use super::table;
use crate::world::resident_kb;

/// Ends of old sessions run behind the answer; this long they may take.
const REST_LIMIT: Duration = Duration::from_secs(15);
/// Larger files are not read for secrets: the tool writes none.
const READ_LIMIT: u64 = 4_000_000;

/// The directories of the run.
pub(super) struct Places {
    pub(super) folder: PathBuf,
}

impl Places {
    pub(super) fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    /// Where upstream puts pictures that the caller gave no path.
    fn pictures(&self) -> PathBuf {
        self.home().join(".agent-browser/tmp/screenshots")
    }

    /// A sample as soon as everything is at rest, and what is amiss when it never is.
    pub(super) fn sample(&self, servers: &[u32], sessions: usize) -> (Sample, Option<String>) {
        let end = Instant::now() + REST_LIMIT;
        loop {
            let sample = self.now(servers);
            let amiss = amiss(&sample, servers.len(), sessions);
            if amiss.is_none() || Instant::now() > end {
                return (sample, amiss);
            }
            thread::sleep(Duration::from_millis(200));
        }
    }

    fn now(&self, servers: &[u32]) -> Sample {
        let server = servers.first().copied().unwrap_or_default();
        let mut own = Files::default();
        for name in ["home", "state", "s"] {
            add(&mut own, &self.folder.join(name), &|path| path == self.pictures());
        }
        let mut temporary = Files::default();
        let is_left_out = |path: &Path| is_profile(path) || is_the_browsers_own(path);
        add(&mut temporary, &self.folder.join("tmp"), &is_left_out);
        let profiles = entries(&self.folder.join("tmp/abn"))
            .chain(entries(&self.folder.join("tmp")))
            .filter(|path| is_profile(path))
            .count();
        Sample {
            memory_kb: resident_kb(server),
            handles: handles(server),
            census: table::census(&self.home(), servers),
            own,
            profiles: u64::try_from(profiles).unwrap_or(u64::MAX),
            temporary,
            ..Sample::default()
        }
    }

    /// Files of the tool that hold a text which was typed into a password field.
    pub(super) fn files_with_secrets(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for name in ["state", "s", "work"] {
            walk(&self.folder.join(name), &|_| false, &mut |path, bytes| {
                let text =
                    if bytes < READ_LIMIT { fs::read(path).unwrap_or_default() } else { vec![] };
                if text.windows(SECRET.len()).any(|window| window == SECRET.as_bytes()) {
                    found.push(path.to_path_buf());
                }
            });
        }
        found
    }

    /// Sockets and temporary directories that nobody has removed.
    pub(super) fn left(&self) -> Vec<PathBuf> {
        let sockets = entries(&self.folder.join("s"));
        let mut left: Vec<PathBuf> =
            sockets.filter(|path| path.extension().is_some_and(|end| end == "sock")).collect();
        let temporary =
            entries(&self.folder.join("tmp/abn")).chain(entries(&self.folder.join("tmp")));
        left.extend(temporary.filter(|path| is_profile(path)));
        left
    }
}

/// Open files of a server; one for each pipe of a client that waits, and one for the client itself, are
/// not counted.
fn handles(server: u32) -> u64 {
    const OF_A_CLIENT: usize = 4;
    let open = entries(Path::new(&format!("/proc/{server}/fd"))).count();
    let own = open.saturating_sub(OF_A_CLIENT * table::children(server).len());
    u64::try_from(own).unwrap_or(u64::MAX)
}

/// The tool gives each of its browsers a directory of a plain name below its own temporary one (those of
/// its servers have a process id behind a hyphen); upstream calls its own by the other name.
fn is_profile(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_ours = path.parent().is_some_and(|parent| parent.ends_with("tmp/abn"));
    path.is_dir() && (is_ours && !name.contains('-') || name.starts_with("agent-browser-chrome-"))
}

/// A killed browser of a session that the caller named leaves this behind, where browsers always do.
fn is_the_browsers_own(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("org.chromium.")
}

fn add(files: &mut Files, folder: &Path, is_left_out: &dyn Fn(&Path) -> bool) {
    walk(folder, is_left_out, &mut |_, bytes| {
        files.count += 1;
        files.bytes += bytes;
    });
}

fn walk(folder: &Path, is_left_out: &dyn Fn(&Path) -> bool, see: &mut dyn FnMut(&Path, u64)) {
    for path in entries(folder).filter(|path| !is_left_out(path)) {
        // Files come and go, and links are not followed.
        match fs::symlink_metadata(&path) {
            Ok(data) if data.is_dir() => walk(&path, is_left_out, see),
            Ok(data) => see(&path, data.len()),
            Err(_) => {}
        }
    }
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}
