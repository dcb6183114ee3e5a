//! Tasks of this repository, one file per subcommand of `cargo xtask`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool for people")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

mod bench;
pub mod docs;
pub mod economy;
pub mod efficiency;
mod gate;
mod node;
mod pack;
pub mod pages;
pub mod process;
mod rebaseline;
mod record;
pub mod rust_source;
mod soak;
mod test;
pub mod tools;
pub mod trace;
mod world;

/// The result of a task; the error text is for a person.
pub type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// What a task came to when nothing stopped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything holds.
    Clean,
    /// The task ran and found something wrong, which it has printed.
    Failed,
}

impl Verdict {
    /// `Clean` when `clean` holds.
    #[must_use]
    pub fn of(clean: bool) -> Self {
        if clean { Self::Clean } else { Self::Failed }
    }
}

/// One subcommand.
pub struct Command {
    /// The first word.
    pub name: &'static str,
    /// The words behind it.
    pub usage: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    run: fn(&[String]) -> Result<Verdict>,
}

/// Every subcommand, in the order of the help text.
pub const COMMANDS: &[Command] = &[
    Command {
        name: "test",
        usage: "[--full]",
        about: "Sets up what is missing, then runs formatter, lints, every test, `trace` and \
                `docs check`; `--full` adds the long rounds, `cargo install` and `record --check`.",
        run: test::run,
    },
    Command {
        name: "trace",
        usage: "[--uncovered]",
        about: "Counts which requirements of `spec/` a test names; fails on IDs that do not exist.",
        run: trace::run,
    },
    Command {
        name: "record",
        usage: "[--check] [COMMAND…]",
        about: "Records answers of the real upstream as fixtures; `--check` replays them and \
                fails on drift.",
        run: record::run,
    },
    Command {
        name: "bench",
        usage: "[[--write] [--rounds N] | --pi | --peers]",
        about: "Measures our MCP door beside raw upstream on the same pages; a table, and \
                `target/bench.json`; `--write`: also `docs/LATENCY.md`. `--pi`: what the package \
                adds to the start of pi. `--peers`: beside other browser servers, into \
                `docs/BENCHMARKS.md`.",
        run: bench::run,
    },
    Command {
        name: "soak",
        usage: "[--minutes N] [--seed N] [--debug]",
        about: "Mixed calls on 4 sessions of real browsers, with faults, for an hour: every answer is \
                checked, and memory, files and processes must not grow; a table, and \
                `target/soak.json`. Linux only.",
        run: soak::run,
    },
    Command {
        name: "economy",
        usage: "[--bundled] [--show TASK]",
        about: "Works through scripted tasks with our door and with raw upstream, counts turns and \
                replayed tokens, and writes `docs/ECONOMY.md`.",
        run: economy::run,
    },
    Command {
        name: "node",
        usage: "[FILE…]",
        about: "Checks types and runs the tests of `pi/` and `npm/`, or those named, with the Node \
                and the pi that `tests/pi` pins.",
        run: node::run,
    },
    Command {
        name: "pack",
        usage: "[--debug]",
        about: "Makes npm tarballs of the wrapper, this platform's program and the pi package in \
                `target/npm`, of a commit that `test --full` has passed; `--debug`: for the tests.",
        run: pack::run,
    },
    Command {
        name: "efficiency",
        usage: "[--write]",
        about: "Counts what representative tasks cost, against the stand-in; compares or renews the \
                table of `docs/EFFICIENCY.md`.",
        run: efficiency::run,
    },
    Command {
        name: "rebaseline",
        usage: "VERSION",
        about: "Compares the help of another upstream release with the baseline.",
        run: rebaseline::run,
    },
    Command {
        name: "docs",
        usage: "check|write",
        about: "Compares or rewrites the generated parts of the Markdown files.",
        run: docs::run,
    },
];

/// The repository's root.
#[must_use]
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Runs the subcommand that `args` name: 0 clean, 1 something is wrong, 2 wrong usage.
#[must_use]
pub fn dispatch(args: &[String]) -> ExitCode {
    let Some((name, rest)) = args.split_first() else {
        print!("{}", help());
        return ExitCode::from(2);
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        print!("{}", help());
        return ExitCode::SUCCESS;
    }
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        eprintln!("xtask: unknown subcommand \"{name}\"\n{}", help());
        return ExitCode::from(2);
    };
    match (command.run)(rest) {
        Ok(Verdict::Clean) => ExitCode::SUCCESS,
        Ok(Verdict::Failed) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask {name}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Fails unless every word is one of `known`.
pub(crate) fn only(args: &[String], known: &[&str]) -> Result<()> {
    match args.iter().find(|arg| !known.contains(&arg.as_str())) {
        Some(stray) if known.is_empty() => Err(format!("unexpected argument \"{stray}\"").into()),
        Some(stray) => {
            Err(format!("unexpected argument \"{stray}\"; known: {}", known.join(", ")).into())
        }
        None => Ok(()),
    }
}

fn help() -> String {
    let mut text = String::from("cargo xtask <subcommand>\n\n");
    for command in COMMANDS {
        let call = format!("{} {}", command.name, command.usage);
        text.push_str(&format!("  {call:<28} {}\n", command.about));
    }
    text
}
