//! Where the paths of a call really lead: the only look at the disk that a guard needs (DEC-101).

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use super::prepare::Request;
use super::{Engine, Trace};
use crate::command::{Argv, Global};
use crate::error::Refusal;
use crate::file_fact::{FileFact, FileKind, FileState};
use crate::guard::{PathFact, file_behind};
use crate::outcome::{FailureCategory, NextAction, Outcome};
use crate::plan::rewrite::absolute;
use crate::run::places::system_temp;
use crate::session::fact::{Fact, Invalidation, Page};
use crate::session::key::SessionKey;
use crate::session::refs::RefSnapshot;
use crate::session::state::SessionState;
use crate::session::target::Target;

/// Links followed on the way to one file; more is a circle.
const LINKS: usize = 40;

/// Commands that leave the page, whatever it is.
const LEAVING: [&str; 6] = ["open", "back", "forward", "tab", "close", "window"];

/// What the call's paths are on disk.
pub(super) fn facts(
    engine: &Engine,
    request: &Request,
    session: Option<&SessionState>,
) -> Vec<PathFact> {
    let cwd = &engine.options.cwd;
    let command = name_of(&request.argv);
    let home = engine.options.env.path("HOME");
    let mut facts: Vec<PathFact> =
        session.and_then(|known| page_file(request, known)).into_iter().collect();
    for global in request.argv.globals.iter().filter(|global| global.takes_effect()) {
        if let Some(given) = path_of_global(global) {
            let path = match (given.strip_prefix("~/"), &home) {
                (Some(rest), Some(home)) => absolute(home, rest),
                _ => absolute(cwd, given),
            };
            let must_exist = global.spec.name == "--init-script";
            facts.push(fact(command, given, Some(path), must_exist));
        }
    }
    let mut written: Vec<PathBuf> = Vec::new();
    for step in &request.steps {
        let argv = &step.argv;
        let command = name_of(argv);
        for operand in argv.input_paths() {
            let path = absolute(cwd, operand.value);
            let must_exist = command == "upload" && !written.contains(&path);
            facts.push(fact(command, operand.value, Some(path), must_exist));
        }
        for operand in argv.output_paths() {
            let path = absolute(cwd, operand.value);
            facts.push(fact(command, operand.value, Some(path.clone()), false));
            written.push(path);
        }
        for url in argv.urls() {
            if let Some(path) = file_behind(url.value) {
                let path = path.map(|path| absolute(Path::new("/"), &path.to_string_lossy()));
                facts.push(fact(command, url.value, path, false));
            }
        }
        facts.extend(shown_state(argv, home.as_deref()));
    }
    facts
}

/// A page from a file is judged like a path that the call names, unless the call leaves it.
fn page_file(request: &Request, session: &SessionState) -> Option<PathFact> {
    let page = session.page.as_ref().filter(|_| session.running)?;
    let first = name_of(&request.steps.first()?.argv);
    let path = file_behind(&page.url).filter(|_| !LEAVING.contains(&first))?;
    Some(fact(first, &page.url, path, false))
}

/// The page has moved by itself to a file that calls may not touch, at any time of the call: nothing of
/// it is shown or kept.
pub(super) fn strayed(
    engine: &Engine,
    roots: Option<&[PathBuf]>,
    outcome: &Outcome,
    trace: &mut Trace,
) -> Option<Outcome> {
    let roots = roots?;
    let (key, at) = last_page(roots, trace)?;
    let is_there = is_outside(roots, &at.url);
    // The live state has folded them already and forgets them below; journal and transcript never
    // get them.
    trace.facts.retain(|fact| !matches!(fact, Fact::Refs { .. }));
    engine.baselines.forget(&key);
    let removed = remove_pictures(outcome);
    let reason = Invalidation::DocumentChanged;
    engine.learn(
        trace,
        [
            Fact::PageAt { key: key.clone(), page: at },
            Fact::EarlierRefs { key: key.clone(), refs: RefSnapshot::default() },
            Fact::RefsInvalidated { key, reason },
        ],
    );
    let mut line = "the page has moved to a file outside of the directories that calls may touch here; nothing of it is shown.".to_owned();
    if removed {
        line.push_str(" Pictures that this call saved were removed.");
    }
    let flag =
        "Whoever runs this server can add --allow-path DIR (or --unconfined) to its command line.";
    let mut refusal = Refusal::new(FailureCategory::PolicyBlocked, line).hint(flag);
    if is_there {
        let back = "go back to the page before";
        refusal = refusal.next(NextAction::args("leave-forbidden-page", back, &["back"]));
    }
    Some(refusal.into_outcome())
}

/// The last page of a call that has been on a forbidden one; the titles of those are taken out.
fn last_page(roots: &[PathBuf], trace: &mut Trace) -> Option<(SessionKey, Page)> {
    let key = trace.target.as_ref().and_then(Target::key).cloned();
    // What was read there says so, even if the page was left before anybody asked where it is.
    let origin = trace.file_origins.iter().find(|origin| is_outside(roots, origin));
    let mut has_strayed = origin.is_some();
    let at = origin.map(|url| Page { url: url.clone(), ..Page::default() });
    let mut last = key.zip(at);
    for fact in &mut trace.facts {
        if let Fact::PageAt { key, page } = fact {
            if is_outside(roots, &page.url) {
                page.title.clear();
                has_strayed = true;
            }
            last = Some((key.clone(), page.clone()));
        }
    }
    last.filter(|_| has_strayed)
}

/// An address of a file that lies in none of the directories.
fn is_outside(roots: &[PathBuf], url: &str) -> bool {
    file_behind(url).is_some_and(|path| {
        let path = path.and_then(|path| real(&path));
        !path.is_some_and(|path| roots.iter().any(|root| path.starts_with(root)))
    })
}

/// Removes what a call has saved of the look of a page; true when there was something.
fn remove_pictures(outcome: &Outcome) -> bool {
    let shows_page = |file: &&FileFact| {
        let kinds = [FileKind::Screenshot, FileKind::DiffImage, FileKind::Pdf];
        file.state == FileState::Verified && kinds.contains(&file.kind)
    };
    let files = outcome.files.iter().filter(shows_page);
    let paths = files.flat_map(|file| std::iter::once(&file.path).chain(&file.copied_from));
    paths.filter(|path| std::fs::remove_file(path).is_ok()).count() > 0
}

fn name_of(argv: &Argv) -> &'static str {
    argv.command().map_or("", |command| command.name)
}

/// The file that the caller wants the result in.
pub(super) fn output(engine: &Engine, given: &str) -> PathFact {
    fact("outputPath", given, Some(absolute(&engine.options.cwd, given)), false)
}

/// The path of a flag; names of profiles and of programs that are looked up are none.
fn path_of_global(global: &Global) -> Option<&str> {
    let from_home = global.value.as_deref().filter(|value| value.starts_with("~/"));
    global.path().or(from_home.filter(|_| global.spec.path))
}

/// `state show NAME` takes a path as well as a name.
fn shown_state(argv: &Argv, home: Option<&Path>) -> Option<PathFact> {
    let operands = argv.operands();
    let ("state", ["show", name, ..]) = (name_of(argv), operands.as_slice()) else { return None };
    let names_path = name.contains(['/', '\\']);
    let sessions = home?.join(".agent-browser/sessions");
    names_path.then(|| fact("state", name, Some(absolute(&sessions, name)), false))
}

fn fact(command: &'static str, given: &str, path: Option<PathBuf>, must_exist: bool) -> PathFact {
    let missing = must_exist && path.as_ref().is_some_and(|path| !path.exists());
    PathFact { command, given: given.to_owned(), real: path.and_then(|path| real(&path)), missing }
}

/// The path with every link resolved, as far as it exists; `None` for a circle of links. Unlike
/// `canonicalize` it also follows a link whose target is not there yet.
pub(super) fn real(path: &Path) -> Option<PathBuf> {
    let mut parts = last_first(path);
    let mut resolved = PathBuf::new();
    let mut links = 0;
    while let Some(part) = parts.pop() {
        if part == ".." {
            resolved.pop();
            continue;
        }
        let here = resolved.join(&part);
        let is_link = std::fs::symlink_metadata(&here).is_ok_and(|data| data.is_symlink());
        if !is_link {
            resolved = here;
            continue;
        }
        links += 1;
        if links > LINKS {
            return None;
        }
        parts.extend(last_first(&std::fs::read_link(&here).ok()?));
    }
    Some(resolved)
}

fn last_first(path: &Path) -> Vec<OsString> {
    let parts = path.components().filter(|part| *part != Component::CurDir);
    let mut parts: Vec<OsString> = parts.map(|part| part.as_os_str().to_owned()).collect();
    parts.reverse();
    parts
}

impl Engine {
    /// The directories that calls may touch; `None` where they may touch everything.
    pub(super) fn confinement(&self) -> Option<Vec<PathBuf>> {
        let allowed = self.options.confine.as_ref()?;
        let places = &self.options.places;
        let own = [
            self.options.cwd.clone(),
            places.state_root.join("artifacts"),
            places.temp_root.clone(),
            system_temp(&self.options.env),
        ];
        let clients = self.client_roots();
        let implied = own.iter().chain(&clients).filter_map(|root| real(root));
        // Some hosts start their servers in `/`; that nobody has allowed.
        let implied = implied.filter(|root| root.parent().is_some());
        Some(implied.chain(allowed.iter().filter_map(|root| real(root))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // DEC-101
    #[test]
    fn links_are_followed_even_where_their_target_is_not_there_yet() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        let link = |target: &str, name: &str| {
            std::os::unix::fs::symlink(target, base.join(name)).unwrap();
        };
        link("/etc", "out");
        link("/nonexistent/x.png", "dangling.png");
        link("../up", "relative");
        link("circle", "circle");
        assert_eq!(real(&base.join("out/new/x")), Some("/etc/new/x".into()));
        assert_eq!(real(&base.join("dangling.png")), Some("/nonexistent/x.png".into()));
        assert_eq!(real(&base.join("relative/a")), Some(base.parent().unwrap().join("up/a")));
        assert_eq!(real(&base.join("a/b/c.png")), Some(base.join("a/b/c.png")));
        assert_eq!(real(&base.join("circle/x")), None);
    }
}
