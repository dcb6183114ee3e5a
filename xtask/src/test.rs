//! `cargo xtask test`: everything that must hold for a change, in one command.
//!
//! Every step runs, also after a failed one. A step that is not a test runner counts as one check.

use std::time::Instant;

use crate::process::{Finished, Line};
use crate::{Result, Verdict, docs, gate, node, only, pack, tools, trace};

/// Tests whose name contains this talk to a real browser and run one at a time.
const LIVE: &str = "live_";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: u64,
    failed: u64,
}

struct Step {
    name: &'static str,
    seconds: f64,
    counts: Counts,
}

struct Round {
    full: bool,
    steps: Vec<Step>,
}

/// Runs every step and prints the sum.
pub(crate) fn run(args: &[String]) -> Result<Verdict> {
    only(args, &["--full"])?;
    let mut round = Round { full: !args.is_empty(), steps: Vec::new() };
    round.component("rustfmt", "fmt");
    round.check("format", &cargo(&["fmt", "--all", "--check"]));
    round.component("clippy", "clippy");
    round.check("lints", &cargo(&words("clippy --workspace --all-targets -- -D warnings")));
    round.check("build", &cargo(&["build", "--workspace"]));
    round.check("setup", &cargo(&words("run --quiet --bin agent-browser-native -- setup")));
    round.task("tools", &[], tools::for_tests);
    round.tests();
    round.runner("doc tests", &cargo(&words("test --workspace --doc --no-fail-fast")));
    round.packages();
    if cargo(&["deny", "--version"]).succeeds() {
        round.check("dependencies", &cargo(&["deny", "check"]));
    } else {
        println!("\n== dependencies: skipped, cargo-deny is not installed");
    }
    if round.full {
        round.check(
            "install",
            &cargo(&words("install --path . --debug --locked --root target/install")),
        );
        round.check("recordings", &cargo(&["xtask", "record", "--check"]));
    }
    round.task("trace", &[], trace::run);
    round.task("docs", &["check"], docs::run);
    let verdict = round.report();
    if round.full && verdict == Verdict::Clean {
        gate::passed()?;
    }
    Ok(verdict)
}

impl Round {
    /// Installs a part of the Rust toolchain when its cargo subcommand is missing.
    fn component(&mut self, component: &'static str, subcommand: &str) {
        if !cargo(&[subcommand, "--version"]).succeeds() {
            println!("\n{component} is missing: installing it with rustup");
            self.check(component, &Line::new("rustup", &["component", "add", component]));
        }
    }

    /// Every test but the doc tests: with nextest where it is installed, else with cargo.
    fn tests(&mut self) {
        if cargo(&["nextest", "--version"]).succeeds() {
            self.runner("tests", &cargo(&words("nextest run --workspace --no-fail-fast")));
            return;
        }
        println!("\ncargo-nextest is not installed: running the tests with cargo test");
        let base = "test --workspace --lib --bins --tests --no-fail-fast --";
        let quick = format!("{base} --skip {LIVE}");
        let live = format!("{base} {LIVE} --test-threads=1");
        self.runner("tests", &cargo(&words(&quick)));
        self.runner("live tests", &cargo(&words(&live)));
    }

    /// The tests of the npm packages, with Node and pi installed for them.
    fn packages(&mut self) {
        self.task("pack", &["--debug"], pack::run);
        match node::install().and_then(|node| Ok((node::types(&node), node::tests(&node)?))) {
            Ok((types, tests)) => {
                self.check("types", &types);
                self.command("pi and npm", &tests, |finished| {
                    Counts::of_node(&finished.output, finished.ok)
                });
            }
            Err(error) => {
                println!("{error}");
                self.end("pi and npm", Instant::now(), Counts::one(false));
            }
        }
    }

    /// A command that counts as one check.
    fn check(&mut self, name: &'static str, line: &Line) {
        self.command(name, line, |finished| Counts::one(finished.ok));
    }

    /// A command that counts its tests itself.
    fn runner(&mut self, name: &'static str, line: &Line) {
        self.command(name, line, |finished| Counts::of_runner(&finished.output, finished.ok));
    }

    fn command(&mut self, name: &'static str, line: &Line, count: fn(&Finished) -> Counts) {
        let line = line.clone();
        let line = if self.full { line.env("ABN_FULL", "1") } else { line };
        println!("\n== {name}: {}", line.shown());
        let started = Instant::now();
        let counts = match line.stream() {
            Ok(finished) => count(&finished),
            Err(error) => {
                println!("{error}");
                Counts::one(false)
            }
        };
        self.end(name, started, counts);
    }

    /// A subcommand of xtask, run in this process.
    fn task(&mut self, name: &'static str, args: &[&str], task: fn(&[String]) -> Result<Verdict>) {
        let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
        println!("\n== {name} {}", args.join(" "));
        let started = Instant::now();
        let clean = match task(&args) {
            Ok(verdict) => verdict == Verdict::Clean,
            Err(error) => {
                println!("{error}");
                false
            }
        };
        self.end(name, started, Counts::one(clean));
    }

    fn end(&mut self, name: &'static str, started: Instant, counts: Counts) {
        let seconds = started.elapsed().as_secs_f64();
        let word = if counts.failed == 0 { "ok" } else { "FAILED" };
        println!("== {name}: {word}, {seconds:.1} s");
        self.steps.push(Step { name, seconds, counts });
    }

    fn report(&self) -> Verdict {
        println!("\nstep                seconds  passed  failed");
        let mut sum = Counts::default();
        for Step { name, seconds, counts } in &self.steps {
            println!("{name:<18} {seconds:>8.1} {:>7} {:>7}", counts.passed, counts.failed);
            sum.passed += counts.passed;
            sum.failed += counts.failed;
        }
        println!("\n{} passed, {} failed", sum.passed, sum.failed);
        Verdict::of(sum.failed == 0)
    }
}

impl Counts {
    fn one(ok: bool) -> Self {
        Self { passed: u64::from(ok), failed: u64::from(!ok) }
    }

    /// Adds up the summary lines of `cargo test`, or takes those of `cargo nextest`, which repeats
    /// the output of failed tests: summaries inside that are not its own.
    ///
    /// A runner that failed without a failed test (it did not compile, say) counts as one failure.
    fn of_runner(output: &str, ok: bool) -> Self {
        let nextest = output.lines().rev().find_map(|line| {
            let (_, parts) = line.trim().strip_prefix("Summary [")?.split_once(':')?;
            Some(parts)
        });
        let mut counts = Self::default();
        match nextest {
            Some(parts) => counts.add(parts),
            None => output
                .lines()
                .filter_map(|line| line.trim().strip_prefix("test result: "))
                .for_each(|parts| counts.add(parts)),
        }
        if !ok && counts.failed == 0 {
            counts.failed = 1;
        }
        counts
    }

    /// The summary of `node --test`: lines such as `ℹ pass 12`.
    fn of_node(output: &str, ok: bool) -> Self {
        let mut counts = Self::default();
        for line in output.lines() {
            let words = line.trim().strip_prefix("ℹ ").and_then(|rest| rest.split_once(' '));
            let Some((what, Ok(number))) =
                words.map(|(what, number)| (what, number.parse::<u64>()))
            else {
                continue;
            };
            match what {
                "pass" => counts.passed += number,
                "fail" | "cancelled" => counts.failed += number,
                _ => {}
            }
        }
        if !ok && counts.failed == 0 {
            counts.failed = 1;
        }
        counts
    }

    /// `6 passed (1 slow), 2 failed, 1 timed out`.
    fn add(&mut self, parts: &str) {
        for part in parts.split([',', ';', '.']).map(str::trim) {
            let Some((number, what)) = part.split_once(' ') else { continue };
            let Ok(number) = number.parse::<u64>() else { continue };
            match what.split(' ').next() {
                Some("passed") => self.passed += number,
                Some("failed" | "timed" | "exec") => self.failed += number,
                _ => {}
            }
        }
    }
}

fn cargo<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> Line {
    Line::new("cargo", args)
}

fn words(text: &str) -> Vec<&str> {
    text.split(' ').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_cargo_test_are_summed_over_binaries() {
        let output = "running 2 tests\n\
            test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; \
            finished in 0.01s\n\
            test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n";
        assert_eq!(Counts::of_runner(output, false), Counts { passed: 5, failed: 2 });
    }

    #[test]
    fn counts_of_nextest_include_tests_that_ran_out_of_time() {
        let output = "     Summary [   1.204s] 9 tests run: 6 passed (1 slow), 2 failed, \
            1 timed out, 4 skipped\n";
        assert_eq!(Counts::of_runner(output, false), Counts { passed: 6, failed: 3 });
    }

    #[test]
    fn a_failed_test_that_nextest_repeats_counts_once() {
        let output = "        FAIL [   0.392s] (1/2) it a_test\n\
            test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 9 filtered out\n\
            Summary [   1.204s] 2 tests run: 1 passed, 1 failed, 0 skipped\n";
        assert_eq!(Counts::of_runner(output, false), Counts { passed: 1, failed: 1 });
    }

    #[test]
    fn counts_of_node_include_tests_that_were_cancelled() {
        let output = "ℹ tests 7\nℹ pass 4\nℹ fail 2\nℹ cancelled 1\nℹ duration_ms 3.5\n";
        assert_eq!(Counts::of_node(output, false), Counts { passed: 4, failed: 3 });
        assert_eq!(Counts::of_node("node: bad option", false), Counts::one(false));
    }

    #[test]
    fn a_runner_that_did_not_get_to_its_tests_is_one_failure() {
        assert_eq!(Counts::of_runner("error: could not compile", false), Counts::one(false));
    }

    #[test]
    fn a_runner_without_tests_is_no_failure() {
        assert_eq!(Counts::of_runner("", true), Counts::default());
    }
}
