//! What may be published: the very commit whose full round of tests has passed (DOC-20).

use std::fs;
use std::path::PathBuf;

use crate::process::Line;
use crate::{Result, root};

/// The proof that a release package needs; only [`verified`] gives it.
pub(crate) struct Verified(());

/// Notes that the full round has passed; a tree with changes proves nothing about a commit.
pub(crate) fn passed() -> Result<()> {
    let (commit, changes) = (git(&["rev-parse", "HEAD"])?, git(&["status", "--porcelain"])?);
    if changes.is_empty() {
        fs::write(stamp(), commit)?;
    }
    Ok(())
}

/// The state of the tree is the one that has passed.
pub(crate) fn verified() -> Result<Verified> {
    let noted = fs::read_to_string(stamp()).unwrap_or_default();
    check(&git(&["rev-parse", "HEAD"])?, &git(&["status", "--porcelain"])?, &noted)
}

fn check(commit: &str, changes: &str, noted: &str) -> Result<Verified> {
    if !changes.is_empty() {
        return Err(
            "there are changes that are not committed; a release is made from a commit".into()
        );
    }
    if commit != noted {
        return Err("this commit is not verified: run `cargo xtask test --full` first".into());
    }
    Ok(Verified(()))
}

fn stamp() -> PathBuf {
    root().join("target/verified")
}

fn git(words: &[&str]) -> Result<String> {
    let (_, done) = Line::new("git", words).timed()?;
    match done.code {
        Some(0) => Ok(done.stdout.trim().to_owned()),
        _ => Err(format!("git {}: {}", words.join(" "), done.stderr.trim()).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // DOC-20
    #[test]
    fn only_the_commit_whose_full_round_passed_may_be_packed_for_release() {
        assert!(check("a1", "", "a1").is_ok());
        let refused =
            |commit, changes, noted| check(commit, changes, noted).err().unwrap().to_string();
        assert!(refused("a2", "", "a1").contains("cargo xtask test --full"));
        assert!(refused("a1", "", "").contains("cargo xtask test --full"));
        assert!(refused("a1", " M src/call.rs", "a1").contains("not committed"));
        let everyday = fs::read_to_string(root().join(".ci/run")).unwrap();
        assert!(everyday.contains("\nexec cargo xtask test \"$@\""), "{everyday}");
    }
}
