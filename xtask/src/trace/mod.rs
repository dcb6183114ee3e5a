//! `cargo xtask trace`: which requirements of `spec/` a test names.

mod sources;
mod spec;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::{Result, Verdict, only, root};
use sources::{Mention, mentions};
use spec::{Id, Spec};

/// Prints coverage by topic; fails on IDs that do not exist.
pub(crate) fn run(args: &[String]) -> Result<Verdict> {
    only(args, &["--uncovered"])?;
    let root = root();
    let spec = Spec::read(&root.join("spec"))?;
    let mut found = Vec::new();
    for (folder, ending) in
        [("src", "rs"), ("tests", "rs"), ("xtask", "rs"), ("pi", "ts"), ("npm", "ts")]
    {
        for path in source_files(&root.join(folder), ending)? {
            let name = path.strip_prefix(&root).unwrap_or(&path).to_path_buf();
            found.extend(mentions(&name, &fs::read_to_string(&path)?));
        }
    }
    let trace = Trace::new(&spec, &found);
    print!("{}", trace.table());
    if !args.is_empty() {
        print!("{}", trace.uncovered());
    }
    for problem in &trace.problems {
        println!("{problem}");
    }
    Ok(Verdict::of(trace.problems.is_empty()))
}

/// Every file below `folder` that ends in `.ending`, sorted; build output, packages and fixtures
/// left out.
pub fn source_files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if !folder.is_dir() {
        return Ok(found);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        let skipped = ["target", "fixtures", "node_modules"].iter().any(|other| name == *other);
        if path.is_dir() && !skipped {
            found.extend(source_files(&path, ending)?);
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Coverage, and what is wrong.
struct Trace<'a> {
    spec: &'a Spec,
    covered: BTreeSet<Id>,
    problems: Vec<String>,
}

#[derive(Default)]
struct Tally {
    covered: usize,
    reasoned: usize,
    open: usize,
}

impl<'a> Trace<'a> {
    fn new(spec: &'a Spec, mentions: &[Mention]) -> Self {
        let mut covered = BTreeSet::new();
        let mut problems = spec.problems.clone();
        for mention in mentions {
            let place = format!("{}:{}", mention.file.display(), mention.line);
            for id in mention.named(spec) {
                if spec.superseded.contains(&id) {
                    if mention.in_test {
                        problems.push(format!("{place}: {id} is superseded and wants no test"));
                    }
                } else if !spec.known(&id) {
                    problems.push(format!("{place}: {id} does not exist in spec/"));
                } else if mention.in_test {
                    if spec.reasons.contains(&id) {
                        problems.push(format!("{place}: {id} has a test and a row in reasons.md"));
                    }
                    covered.insert(id);
                }
            }
        }
        Self { spec, covered, problems }
    }

    fn tallies(&self) -> BTreeMap<&str, Tally> {
        let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
        for id in &self.spec.ids {
            let tally = tallies.entry(id.topic()).or_default();
            if self.covered.contains(id) {
                tally.covered += 1;
            } else if self.spec.reasons.contains(id) {
                tally.reasoned += 1;
            } else {
                tally.open += 1;
            }
        }
        tallies
    }

    fn table(&self) -> String {
        let mut text = String::from("topic         covered  reasoned  uncovered\n");
        let mut sum = Tally::default();
        let row = |name: &str, tally: &Tally| {
            let Tally { covered, reasoned, open } = tally;
            format!("{name:<13} {covered:>7} {reasoned:>9} {open:>10}\n")
        };
        for (topic, tally) in self.tallies() {
            text.push_str(&row(topic, &tally));
            sum.covered += tally.covered;
            sum.reasoned += tally.reasoned;
            sum.open += tally.open;
        }
        text.push_str(&row("all", &sum));
        text
    }

    fn uncovered(&self) -> String {
        let open = self.spec.ids.iter().filter(|id| !self.covered.contains(id));
        open.filter(|id| !self.spec.reasons.contains(id)).map(|id| format!("{id}\n")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "## One\n| ID | x |\n|---|---|\n| AB-01 | a |\n| AB-02 | b |\n| AB-03 | c |\n\
        | CD-E-01 | d |\n## Superseded rows\n| ID | why |\n| AB-02 | gone |\n";

    fn spec() -> Spec {
        Spec::parse(&[("1.md".into(), SPEC.into())], "| CD-E-01 | needs Windows |\n")
    }

    fn trace_of<'a>(spec: &'a Spec, file: &str, text: &str) -> Trace<'a> {
        Trace::new(spec, &mentions(Path::new(file), text))
    }

    #[test]
    fn a_comment_in_a_test_covers_and_one_in_the_code_does_not() {
        let spec = spec();
        let test = trace_of(&spec, "tests/it/a.rs", "// AB-01\n#[test]\nfn t() {}\n");
        assert_eq!(test.covered.len(), 1);
        assert_eq!(test.uncovered(), "AB-03\n");
        let code = trace_of(&spec, "src/a.rs", "// AB-01\nfn t() {}\n");
        assert_eq!(code.covered.len(), 0);
        assert!(code.problems.is_empty());
    }

    #[test]
    fn ids_that_do_not_exist_are_problems_everywhere() {
        let spec = spec();
        let code = trace_of(&spec, "src/a.rs", "/// See AB-77.\nfn t() {}\n");
        assert_eq!(code.problems, ["src/a.rs:1: AB-77 does not exist in spec/"]);
    }

    #[test]
    fn superseded_ids_are_problems_in_tests_only() {
        let spec = spec();
        assert!(trace_of(&spec, "src/a.rs", "// AB-02\n").problems.is_empty());
        let test = trace_of(&spec, "src/a_tests.rs", "// AB-02\n");
        assert_eq!(test.problems, ["src/a_tests.rs:1: AB-02 is superseded and wants no test"]);
    }

    #[test]
    fn a_row_with_a_reason_and_a_test_is_a_problem() {
        let spec = spec();
        assert_eq!(trace_of(&spec, "tests/a.rs", "// CD-E-01\n").problems.len(), 1);
    }

    #[test]
    fn the_table_counts_by_topic() {
        let spec = spec();
        let table = trace_of(&spec, "tests/a.rs", "// AB-01\n").table();
        assert!(table.contains("AB                  1         0          1\n"), "{table}");
        assert!(table.contains("CD-E                0         1          0\n"), "{table}");
        assert!(table.contains("all                 1         1          1\n"), "{table}");
    }
}
