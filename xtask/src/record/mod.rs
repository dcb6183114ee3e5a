//! `cargo xtask record [--check] [COMMAND…]`: answers of the real upstream, as fixtures.
//!
//! Each family shares one browser; [`case`] says what a case is made of. Without `--check` a
//! fixture is written only when it differs by more than volatile fields. Names of commands
//! (`click`) restrict the run to the families that record them.

mod case;
mod cases;
mod normalise;
mod world;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use agent_browser_native::run::version::TESTED_VERSION;
use serde_json::{Value, json};

use crate::process::{self, Exchange};
use crate::{Result, Verdict, only, root};
use case::{Case, Family};
use normalise::{Normaliser, differences};
use world::{Call, World, find_key};

pub(crate) use world::tested_upstream;

/// Name of the session in every recording.
const SESSION: &str = "S";
/// Folders beside the recordings that are made otherwise.
const OTHER_FOLDERS: &[&str] = &["help"];

/// Records or replays every case.
pub(crate) fn run(args: &[String]) -> Result<Verdict> {
    let (flags, commands): (Vec<String>, Vec<String>) =
        args.iter().cloned().partition(|arg| arg.starts_with('-'));
    only(&flags, &["--check"])?;
    let check = !flags.is_empty();
    let mut recorder = Recorder {
        world: World::create()?,
        check,
        slow: !check || process::variable("ABN_FULL").is_some(),
        counts: Counts::default(),
        problems: Vec::new(),
    };
    let wanted = |family: &Family| {
        let matches = |case: &Case| commands.iter().any(|command| case.command() == command);
        commands.is_empty() || family.iter().any(matches)
    };
    for family in cases::FAMILIES.iter().filter(|family| wanted(family)) {
        recorder.family(family);
    }
    if commands.is_empty() {
        recorder.strays()?;
    }
    Ok(recorder.report())
}

#[derive(Default)]
struct Counts {
    same: usize,
    written: usize,
    left_out: usize,
}

struct Recorder {
    world: World,
    check: bool,
    /// Cases that take half a minute run too.
    slow: bool,
    counts: Counts,
    problems: Vec<String>,
}

impl Recorder {
    fn family(&mut self, family: Family) {
        let mut last: Option<&Case> = None;
        for case in family {
            let absent = case.absent.is_some_and(|program| process::on_path(program).is_some());
            if absent || (case.slow && !self.slow) {
                self.counts.left_out += 1;
                continue;
            }
            // Other flags replace the browser, so a case that has some begins and ends alone.
            let alone = |last: &Case| case.fresh || case.alone() || last.alone();
            let restart = last.is_none_or(alone);
            if let Some(last) = last.filter(|_| restart) {
                self.close(last);
            }
            match self.one(case, restart).and_then(|value| self.keep(case, &value)) {
                Ok(()) => {}
                Err(error) => self.problems.push(format!("{}: {error}", case.name)),
            }
            last = Some(case);
        }
        if let Some(last) = last {
            self.close(last);
        }
    }

    /// Prepares and runs one case.
    fn one(&self, case: &Case, restart: bool) -> Result<Value> {
        let mut launches = restart;
        let mut answer = String::new();
        let open = case.page.map(|page| vec!["open".to_owned(), format!("{{u}}/{page}")]);
        let steps = case.before.iter().map(|words| words.iter().map(ToString::to_string).collect());
        for words in open.into_iter().chain(steps) {
            let done = self.call(case, &self.argv(case, &words, None), None, launches)?;
            if done.code != Some(0) {
                return Err(format!("{words:?} came to {}{}", done.stdout, done.stderr).into());
            }
            launches = false;
            answer = done.stdout;
        }
        let captured = match case.capture {
            Some(key) => Some(find_key(&answer, key).ok_or_else(|| format!("no {key}: {answer}"))?),
            None => None,
        };
        let words: Vec<String> = case.argv.iter().map(ToString::to_string).collect();
        let argv = self.argv(case, &words, captured.as_deref());
        let stdin = case.stdin.map(|stdin| self.world.fill(stdin, captured.as_deref()));
        let done = self.call(case, &argv, stdin.as_deref(), false)?;
        for words in case.after {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            self.call(case, &self.argv(case, &words, None), None, false)?;
        }
        Ok(self.recording(&argv, stdin.as_deref(), &done))
    }

    /// `--json --session S`, the flags of the case, and the words, filled in.
    fn argv(&self, case: &Case, words: &[String], captured: Option<&str>) -> Vec<String> {
        let json = (!case.text).then(|| "--json".to_owned());
        let session = ["--session".to_owned(), SESSION.to_owned()];
        let globals = case.globals.iter().map(ToString::to_string);
        let head = json.into_iter().chain(session).chain(globals);
        let words = words.iter().cloned();
        head.chain(words).map(|word| self.world.fill(&word, captured)).collect()
    }

    fn call(
        &self,
        case: &Case,
        argv: &[String],
        stdin: Option<&str>,
        launches: bool,
    ) -> Result<Exchange> {
        let envs: Vec<(&str, String)> =
            case.envs.iter().map(|(name, value)| (*name, self.world.fill(value, None))).collect();
        self.world.call(&Call { argv, stdin, envs: &envs, launches })
    }

    fn close(&self, case: &Case) {
        let argv = self.argv(case, &["close".to_owned()], None);
        // Also right after a case that closed it.
        drop(self.call(case, &argv, None, false));
    }

    fn recording(&self, argv: &[String], stdin: Option<&str>, done: &Exchange) -> Value {
        let mut normaliser = Normaliser::new(&self.world.places);
        let stdout = match serde_json::from_str::<Value>(&done.stdout) {
            Ok(value) => normaliser.json(&value),
            Err(_) => Value::String(normaliser.text(&done.stdout)),
        };
        json!({
            "argv": argv.iter().map(|word| normaliser.word(word)).collect::<Vec<_>>(),
            "stdin": stdin.map(|stdin| normaliser.text(stdin)),
            "stdout": stdout,
            "stderr": normaliser.text(&done.stderr),
            "exitCode": done.code,
        })
    }

    /// Compares a recording with its fixture, and writes it unless this is a check.
    fn keep(&mut self, case: &Case, new: &Value) -> Result<()> {
        let path = folder().join(format!("{}.json", case.name));
        let old = match fs::read_to_string(&path) {
            Ok(text) => Some(serde_json::from_str::<Value>(&text)?),
            Err(_) => None,
        };
        let found = match &old {
            Some(old) => differences(old, new, ""),
            None => vec!["has no fixture".to_owned()],
        };
        if found.is_empty() {
            self.counts.same += 1;
            return Ok(());
        }
        println!("{}: {}", case.name, found.join("; "));
        if self.check {
            self.problems.push(format!("{}: drifted", case.name));
            return Ok(());
        }
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, format!("{}\n", serde_json::to_string_pretty(new)?))?;
        self.counts.written += 1;
        Ok(())
    }

    /// Fixtures that no case makes are problems in a check, else removed.
    fn strays(&mut self) -> Result<()> {
        let known: BTreeSet<PathBuf> = cases::FAMILIES
            .iter()
            .flat_map(|family| family.iter())
            .map(|case| folder().join(format!("{}.json", case.name)))
            .collect();
        for path in fixtures(&folder())? {
            if known.contains(&path) {
                continue;
            }
            if self.check {
                self.problems.push(format!("{}: no case makes it", path.display()));
            } else {
                println!("removed {}", path.display());
                fs::remove_file(&path)?;
            }
        }
        Ok(())
    }

    fn report(&self) -> Verdict {
        let Counts { same, written, left_out } = self.counts;
        let problems = self.problems.len();
        println!("{same} unchanged, {written} written, {left_out} left out, {problems} problems");
        for problem in &self.problems {
            println!("{problem}");
        }
        Verdict::of(self.problems.is_empty())
    }
}

fn folder() -> PathBuf {
    root().join("tests/fixtures/upstream").join(TESTED_VERSION)
}

fn fixtures(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if !folder.is_dir() {
        return Ok(found);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let other = path.file_name().is_some_and(|name| OTHER_FOLDERS.iter().any(|o| name == *o));
        if path.is_dir() && !other {
            found.extend(fixtures(&path)?);
        } else if path.extension().is_some_and(|ending| ending == "json") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_case() -> impl Iterator<Item = &'static Case> {
        cases::FAMILIES.iter().flat_map(|family| family.iter())
    }

    #[test]
    fn names_are_unique_and_well_formed() {
        let mut seen = BTreeSet::new();
        for case in every_case() {
            let plain =
                |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
            let parts: Vec<&str> = case.name.split('/').collect();
            assert_eq!(parts.len(), 2, "{}", case.name);
            assert!(parts.iter().all(|part| part.bytes().all(plain)), "{}", case.name);
            assert!(seen.insert(case.name), "{} stands twice", case.name);
        }
    }

    #[test]
    fn every_family_begins_with_what_it_needs() {
        for family in cases::FAMILIES {
            assert!(!family.is_empty());
            for case in *family {
                let captured = case.argv.iter().any(|word| word.contains("{captured}"))
                    || case.stdin.is_some_and(|stdin| stdin.contains("{captured}"));
                assert_eq!(captured, case.capture.is_some(), "{}", case.name);
            }
        }
    }

    #[test]
    fn every_case_has_a_recording_that_says_how_it_was_made() {
        for case in every_case() {
            let path = folder().join(format!("{}.json", case.name));
            let text =
                fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            let recording: Value = serde_json::from_str(&text).unwrap();
            let keys: Vec<&String> = recording.as_object().unwrap().keys().collect();
            assert_eq!(keys, ["argv", "stdin", "stdout", "stderr", "exitCode"], "{}", case.name);
        }
    }

    #[test]
    fn no_recording_holds_a_path_of_the_machine() {
        for path in fixtures(&folder()).unwrap() {
            let text = fs::read_to_string(&path).unwrap();
            assert!(!text.contains("abn-record"), "{path:?}");
        }
    }
}
