//! The files of the workspace: a bounded scan in one pass over many words, and the file behind a
//! name. The only part of a lookup that touches the disk; it writes nothing.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use aho_corasick::{AhoCorasick, MatchKind};
use ignore::{DirEntry, WalkBuilder};

use super::place::{ENDINGS, Place};

/// Directories that hold what programs made (IN-SRC-06).
const SKIPPED: [&str; 12] = [
    ".git",
    "node_modules",
    "dist",
    "build",
    "coverage",
    ".next",
    "out",
    "tmp",
    "temp",
    "target",
    "vendor",
    ".venv",
];
/// A larger file was made by a program.
const FILE_BYTES: u64 = 1 << 20;
/// All files together.
const TOTAL_BYTES: u64 = 96 << 20;
/// Entries of directories, whatever they are.
const ENTRIES: usize = 100_000;
const TIME: Duration = Duration::from_secs(3);
const DEPTH: usize = 32;
/// A longer line was made by a program.
const LINE_BYTES: usize = 2_000;
const HITS: usize = 400;
const HITS_OF_FILE: usize = 20;

/// One line that holds one of the words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Path below the workspace, with `/`.
    pub file: String,
    /// Line, from 1; nothing when the path itself holds the word.
    pub line: Option<u64>,
    /// Which word.
    pub needle: usize,
    /// The line.
    pub text: String,
}

/// What a scan has seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scanned {
    /// Lines, by path and place.
    pub hits: Vec<Hit>,
    /// Files that were read.
    pub files: usize,
    /// Why it ended early.
    pub stopped: Option<&'static str>,
}

/// Reads up to `max_files` source files below `root` and keeps the lines that `wanted` accepts.
#[must_use]
pub fn scan(
    root: &Path,
    needles: &[String],
    max_files: usize,
    wanted: &dyn Fn(usize, &str) -> bool,
) -> Scanned {
    let mut scanned = Scanned::default();
    let automaton = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(needles);
    let Ok(automaton) = automaton else { return scanned };
    if needles.is_empty() {
        return scanned;
    }
    let end = Instant::now() + TIME;
    let mut bytes = 0;
    let mut buffer = Vec::new();
    for (entries, entry) in walk(root).enumerate() {
        if Instant::now() > end || entries > ENTRIES || bytes > TOTAL_BYTES {
            scanned.stopped = Some("its limit of time and size");
            break;
        }
        let Ok(entry) = entry else { continue };
        if !is_source(&entry) {
            continue;
        }
        if scanned.files >= max_files || scanned.hits.len() >= HITS {
            scanned.stopped = Some("its limit of files and places");
            break;
        }
        if read(entry.path(), &mut buffer).is_none() {
            continue;
        }
        scanned.files += 1;
        bytes += buffer.len() as u64;
        let file = relative(root, entry.path());
        scanned.hits.extend(hits_of(&file, &buffer, &automaton, wanted));
    }
    scanned
}

fn walk(root: &Path) -> ignore::Walk {
    WalkBuilder::new(root)
        .git_global(false)
        .follow_links(false)
        .max_depth(Some(DEPTH))
        .sort_by_file_path(Path::cmp)
        .filter_entry(|entry| {
            let name = entry.file_name().to_string_lossy();
            entry.depth() == 0 || !SKIPPED.contains(&name.as_ref())
        })
        .build()
}

fn is_source(entry: &DirEntry) -> bool {
    let ending = entry.path().extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ENDINGS.contains(&ending))
        && entry.file_type().is_some_and(|kind| kind.is_file())
}

fn read(path: &Path, buffer: &mut Vec<u8>) -> Option<()> {
    buffer.clear();
    let file = File::open(path).ok()?;
    let size = file.metadata().ok()?.len();
    if size > FILE_BYTES {
        return None;
    }
    // A file that grows while it is read stays within its bound.
    file.take(FILE_BYTES).read_to_end(buffer).ok().map(|_| ())
}

fn relative(root: &Path, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let parts = below.components().map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}

fn hits_of(
    file: &str,
    bytes: &[u8],
    automaton: &AhoCorasick,
    wanted: &dyn Fn(usize, &str) -> bool,
) -> Vec<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    let hit = |line, needle, text: String| Hit { file: file.to_owned(), line, needle, text };
    let path = format!("/{file}");
    if let Some(found) = automaton.find(&path)
        && wanted(found.pattern().as_usize(), "")
    {
        hits.push(hit(None, found.pattern().as_usize(), String::new()));
    }
    let (mut seen, mut line) = (0, 1);
    for found in automaton.find_iter(bytes) {
        let before = bytes.get(seen..found.start()).unwrap_or_default();
        line += before.iter().filter(|byte| **byte == b'\n').count() as u64;
        seen = found.start();
        if hits.last().is_some_and(|last| last.line == Some(line)) {
            continue;
        }
        let Some(text) = line_at(bytes, found.start()) else { continue };
        if wanted(found.pattern().as_usize(), &text) {
            hits.push(hit(Some(line), found.pattern().as_usize(), text));
        }
        if hits.len() >= HITS_OF_FILE {
            break;
        }
    }
    hits
}

/// The line around a position; nothing for a line that no person wrote. It looks no further than such a
/// line is long: a bundle is one line with thousands of hits.
fn line_at(bytes: &[u8], at: usize) -> Option<String> {
    let (before, behind) = bytes.split_at_checked(at)?;
    let head = before.iter().rev().take(LINE_BYTES + 1).position(|byte| *byte == b'\n');
    let tail = behind.iter().take(LINE_BYTES + 1).position(|byte| *byte == b'\n');
    let start = at - head.unwrap_or(before.len());
    let line = bytes.get(start..at + tail.unwrap_or(behind.len()))?;
    (line.len() <= LINE_BYTES).then(|| String::from_utf8_lossy(line).trim().to_owned())
}

/// The file that the page means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Located {
    /// Path below the workspace, with `/`.
    pub(super) file: String,
    /// Not only its end is the same.
    pub(super) whole: bool,
}

/// The text of a file that [`locate`] has found, within the bounds of a scan.
pub(super) fn text_of(root: &Path, located: &Located) -> Option<String> {
    let mut buffer = Vec::new();
    read(&root.join(&located.file), &mut buffer)?;
    Some(String::from_utf8_lossy(&buffer).into_owned())
}

/// The file below `root` that a page calls by this name.
pub(super) fn locate(root: &Path, place: &Place) -> Option<Located> {
    let root = root.canonicalize().ok()?;
    if place.absolute {
        let path: PathBuf = Path::new("/").join(place.parts.iter().collect::<PathBuf>());
        if let Some(file) = inside(&root, &path) {
            return Some(Located { file, whole: true });
        }
    }
    // Another machine or a container has other directories in front: at least two parts must agree.
    let least = place.parts.len().min(2);
    (0..=place.parts.len() - least).take(8).find_map(|from| {
        let path: PathBuf = place.parts.iter().skip(from).collect();
        let file = inside(&root, &root.join(path))?;
        Some(Located { file, whole: from == 0 })
    })
}

/// A file, links followed, that does not lead out of the workspace.
fn inside(root: &Path, path: &Path) -> Option<String> {
    let real = path.canonicalize().ok()?;
    let shown = real.strip_prefix(root).ok()?;
    (real.is_file() && !shown.starts_with(".git")).then(|| relative(root, &real))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::tests::workspace_of;
    use super::*;

    struct Tree(tempfile::TempDir);

    impl Tree {
        fn new(files: &[(&str, &str)]) -> Self {
            Self(workspace_of(files))
        }

        fn scan(&self, needles: &[&str], max_files: usize) -> Scanned {
            let needles: Vec<String> = needles.iter().map(ToString::to_string).collect();
            scan(self.0.path(), &needles, max_files, &|_, text| !text.is_empty())
        }

        fn files(&self, needle: &str) -> Vec<String> {
            self.scan(&[needle], 5_000).hits.into_iter().map(|hit| hit.file).collect()
        }
    }

    // IN-SRC-05
    #[test]
    fn a_line_that_no_person_wrote_is_left_out() {
        let long = "x".repeat(LINE_BYTES);
        let text = format!("first\n{long}\n{long}y\nlast");
        let at = |place: usize| super::line_at(text.as_bytes(), place);
        assert_eq!(at(2).as_deref(), Some("first"));
        assert_eq!(at(6 + 900), Some(long.clone()));
        assert_eq!(at(6 + LINE_BYTES + 1 + 5), None);
        assert_eq!(at(text.len() - 1).as_deref(), Some("last"));
    }

    // IN-SRC-06, SRC-08, IN-SRC-05, SRC-07
    #[test]
    fn only_written_source_files_are_read() {
        let mut files: Vec<(String, &str)> = ["a.ts", "b.tsx", "c.js", "d.jsx", "e.md", "f.json"]
            .map(|name| (format!("src/{name}"), "Here"))
            .to_vec();
        for made in
            [".git", "node_modules", "dist", "build", "coverage", ".next", "out", "tmp", "temp"]
        {
            files.push((format!("{made}/x.js"), "Here"));
            files.push((format!("deep/{made}/y.js"), "Here"));
        }
        files.push(("bundle.js".to_owned(), ""));
        let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (n.as_str(), *t)).collect();
        let tree = Tree::new(&files);
        let large = format!("Here {}", "x".repeat(1 << 20));
        fs::write(tree.0.path().join("bundle.js"), large).unwrap();
        assert_eq!(tree.files("Here"), ["src/a.ts", "src/b.tsx", "src/c.js", "src/d.jsx"]);
    }

    // IN-SRC-06
    #[test]
    fn what_git_ignores_is_not_read_and_links_are_not_followed() {
        let tree = Tree::new(&[
            (".gitignore", "made.js\n"),
            (".git/HEAD", ""),
            ("made.js", "Here"),
            ("kept.js", "Here"),
        ]);
        let outside = Tree::new(&[("secret.js", "Here")]);
        std::os::unix::fs::symlink(outside.0.path(), tree.0.path().join("link")).unwrap();
        assert_eq!(tree.files("Here"), ["kept.js"]);
    }

    // IN-SRC-07, SRC-09
    #[test]
    fn a_scan_ends_at_its_limit_of_files_and_says_so() {
        let tree = Tree::new(&[("a.js", "Here"), ("b.js", "Here"), ("c.js", "Here")]);
        let cut = tree.scan(&["Here"], 2);
        assert_eq!(
            (cut.files, cut.hits.len(), cut.stopped),
            (2, 2, Some("its limit of files and places"))
        );
        let whole = tree.scan(&["Here"], 3);
        assert_eq!((whole.files, whole.stopped), (3, None));
    }

    // IN-SRC-07, SRC-09, DEC-47
    #[test]
    fn a_large_workspace_is_read_up_to_its_limits() {
        let names: Vec<String> = (0..5_020).map(|n| format!("d{}/f{n}.ts", n / 100)).collect();
        let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "Here\n")).collect();
        let tree = Tree::new(&files);
        let missed = tree.scan(&["Nowhere"], 5_000);
        assert_eq!(
            (missed.files, missed.hits.len(), missed.stopped),
            (5_000, 0, Some("its limit of files and places"))
        );
        // What every file holds says nothing: the places are limited too.
        let found = tree.scan(&["Here"], 5_000);
        assert_eq!((found.files, found.hits.len()), (HITS, HITS));
    }

    #[test]
    fn a_hit_names_its_line_and_the_longest_word() {
        let tree = Tree::new(&[("a.js", "x\nlet a = '/api/price/42'; // /api/price\n")]);
        let found = tree.scan(&["/api", "/api/price"], 10);
        assert_eq!(found.hits.len(), 1);
        let hit = &found.hits[0];
        assert_eq!((hit.line, hit.needle), (Some(2), 1));
        assert!(hit.text.starts_with("let a"));
    }

    #[test]
    fn a_name_of_the_page_leads_only_into_the_workspace() {
        let tree = Tree::new(&[("src/App.tsx", ""), (".git/config.js", "")]);
        let outside = Tree::new(&[("x.js", "")]);
        std::os::unix::fs::symlink(outside.0.path(), tree.0.path().join("out")).unwrap();
        let root = tree.0.path();
        let file = |raw: &str| {
            let place = Place::read(raw, None, None)?;
            locate(root, &place).map(|found| (found.file, found.whole))
        };
        let app = "src/App.tsx".to_owned();
        assert_eq!(file("src/App.tsx"), Some((app.clone(), true)));
        assert_eq!(file(&format!("{}/src/App.tsx", root.display())), Some((app.clone(), true)));
        assert_eq!(file("http://127.0.0.1:5173/src/App.tsx?t=1"), Some((app.clone(), true)));
        assert_eq!(file("/usr/src/app/src/App.tsx"), Some((app, false)));
        for outside in ["App.tsx", "src", "/etc/passwd", "out/x.js", ".git/config.js", "src/No.tsx"]
        {
            assert_eq!(file(outside), None, "{outside}");
        }
    }
}
