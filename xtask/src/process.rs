//! The only place of xtask that starts processes and reads the environment.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;

use crate::{Result, root};

/// A command line, run in the repository's root.
#[derive(Clone)]
pub struct Line {
    program: OsString,
    args: Vec<OsString>,
    envs: Vec<(OsString, OsString)>,
}

/// How a command ended, with everything it printed on both streams, standard output first.
pub struct Finished {
    /// Exit code 0.
    pub ok: bool,
    /// Both streams.
    pub output: String,
}

impl Line {
    /// A program with its arguments.
    pub fn new<S: AsRef<OsStr>>(program: impl AsRef<OsStr>, args: &[S]) -> Self {
        Self {
            program: program.as_ref().to_owned(),
            args: args.iter().map(|arg| arg.as_ref().to_owned()).collect(),
            envs: Vec::new(),
        }
    }

    /// Adds an environment variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.envs.push((name.into(), value.as_ref().to_owned()));
        self
    }

    /// The words, for a person.
    #[must_use]
    pub fn shown(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.args);
        words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    /// True when the command runs and ends with 0; its output is dropped.
    #[must_use]
    pub fn succeeds(&self) -> bool {
        let mut command = self.command();
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    /// Runs the command, shows its output as it comes, and keeps a copy.
    pub fn stream(&self) -> Result<Finished> {
        let mut command = self.command();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child: Child =
            command.spawn().map_err(|error| format!("{}: {error}", self.shown()))?;
        let stderr = child.stderr.take();
        let side = thread::spawn(move || copy_lines(stderr, std::io::stderr()));
        let mut output = copy_lines(child.stdout.take(), std::io::stdout());
        output.push_str(&side.join().map_err(|_| "the stderr reader stopped")?);
        Ok(Finished { ok: child.wait()?.success(), output })
    }

    #[expect(clippy::disallowed_methods, reason = "the home of xtask's processes")]
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).current_dir(root());
        command.envs(self.envs.iter().map(|(name, value)| (name, value)));
        command
    }
}

fn copy_lines(source: Option<impl Read>, mut shown: impl Write) -> String {
    let mut kept = String::new();
    let Some(source) = source else { return kept };
    let mut reader = BufReader::new(source);
    let mut line = Vec::new();
    while matches!(reader.read_until(b'\n', &mut line), Ok(read) if read > 0) {
        // A closed terminal must not end the run.
        let _ = shown.write_all(&line);
        kept.push_str(&String::from_utf8_lossy(&line));
        line.clear();
    }
    kept
}
