//! Path confinement (DEC-101), and files that must be there (HAZ-05).
//!
//! The rule is pure: where a path really leads arrives as a fact, links resolved.

use std::path::{Path, PathBuf};

use super::GuardContext;
use crate::command::verbs::nothing_was;
use crate::error::{Checked, Refusal};
use crate::line::Line;
use crate::outcome::FailureCategory;

/// A path that a call names, as it is on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathFact {
    /// The command that names it.
    pub command: &'static str,
    /// The path or `file:` address as the caller wrote it.
    pub given: String,
    /// Where it leads; `None` when nobody can tell.
    pub real: Option<PathBuf>,
    /// It is not there, and upstream would report success all the same.
    pub missing: bool,
}

pub(super) fn check(context: &GuardContext<'_>) -> Checked<()> {
    if let Some(roots) = context.confinement {
        if let Some(outside) = context.paths.iter().find(|path| !is_below(path, roots)) {
            return Err(outside_refusal(outside));
        }
        let opened = context.argv.global("--allow-file-access");
        if opened.is_some_and(crate::command::Global::takes_effect) {
            return Err(file_access_refusal(context.argv.name()));
        }
    }
    match context.paths.iter().find(|path| path.missing) {
        Some(missing) => Err(missing_refusal(missing)),
        None => Ok(()),
    }
}

fn is_below(path: &PathFact, roots: &[PathBuf]) -> bool {
    path.real.as_deref().is_some_and(|real| roots.iter().any(|root| real.starts_with(root)))
}

fn outside_refusal(path: &PathFact) -> Box<Refusal> {
    let line = Line::ours(format!("{}, ", nothing_was(path.command)))
        .path(&path.given)
        .and(" is outside of the directories that calls may touch here.");
    let directory = path.real.as_deref().and_then(Path::parent);
    let flag = match directory {
        Some(directory) => Line::ours("Whoever runs this server can add --allow-path ")
            .path(directory.to_string_lossy())
            .and(" (or --unconfined) to its command line."),
        None => Line::ours("Whoever runs this server can add --unconfined to its command line."),
    };
    Refusal::new(FailureCategory::PolicyBlocked, line).hint(flag)
}

/// Pages from files could read every file, whatever the addresses say.
fn file_access_refusal(command: &str) -> Box<Refusal> {
    let sentence = format!(
        "{}, --allow-file-access lets pages read any file, and paths are confined here. \
         Whoever runs this server can add --unconfined to its command line.",
        nothing_was(command)
    );
    Refusal::new(FailureCategory::PolicyBlocked, sentence)
}

fn missing_refusal(path: &PathFact) -> Box<Refusal> {
    let line = Line::ours(format!("{}, there is no file ", nothing_was(path.command)));
    let at = path.real.as_deref().map(Path::to_string_lossy);
    Refusal::invalid(line.path(at.unwrap_or_else(|| path.given.as_str().into())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::tests::refused_by;

    fn fact(real: &str) -> PathFact {
        PathFact { command: "upload", given: "x".into(), real: Some(real.into()), missing: false }
    }

    fn confined(paths: &[PathFact], tokens: &[&str]) -> Option<String> {
        let roots = [PathBuf::from("/home/ann/shop"), PathBuf::from("/tmp")];
        refused_by(check, tokens, paths, Some(&roots))
    }

    // DEC-101
    #[test]
    fn only_paths_below_the_allowed_directories_pass() {
        let upload = ["upload", "#f", "x"];
        assert_eq!(confined(&[fact("/home/ann/shop/a.txt"), fact("/tmp/a")], &upload), None);
        for outside in ["/home/ann/shopping/a.txt", "/etc/passwd", "/home/ann"] {
            let said = confined(&[fact("/tmp/a"), fact(outside)], &upload).unwrap();
            assert!(
                said.starts_with("policy-blocked: nothing was uploaded, x is outside"),
                "{said}"
            );
            assert!(said.contains("--allow-path") && said.contains("--unconfined"), "{said}");
        }
        let nowhere = PathFact { real: None, ..fact("") };
        assert!(confined(&[nowhere], &upload).unwrap().contains("--unconfined"));
    }

    // DEC-101
    #[test]
    fn without_confinement_every_path_passes() {
        assert_eq!(refused_by(check, &["upload", "#f", "x"], &[fact("/etc/passwd")], None), None);
    }

    // DEC-101
    #[test]
    fn pages_that_may_read_every_file_are_not_confined() {
        let open = ["--allow-file-access", "open", "file:///tmp/a.html"];
        assert!(confined(&[], &open).unwrap().contains("--unconfined"));
        let off = ["--allow-file-access", "false", "open", "file:///tmp/a.html"];
        assert_eq!(confined(&[], &off), None);
    }

    // HAZ-05
    #[test]
    fn a_missing_upload_is_named_but_not_outside_of_the_confinement() {
        let upload = ["upload", "#f", "x"];
        let missing = PathFact { missing: true, ..fact("/tmp/nope.txt") };
        assert_eq!(
            confined(std::slice::from_ref(&missing), &upload).unwrap(),
            "validation-error: nothing was uploaded, there is no file /tmp/nope.txt"
        );
        assert!(refused_by(check, &upload, &[missing], None).is_some());
        let hidden = PathFact { missing: true, ..fact("/etc/nope") };
        assert!(confined(&[hidden], &upload).unwrap().starts_with("policy-blocked"));
    }
}
