//! The only place of xtask that starts processes and reads the environment.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Result, root};

/// A command line, run in the repository's root unless it says otherwise.
#[derive(Clone)]
pub struct Line {
    program: OsString,
    args: Vec<OsString>,
    envs: Vec<(OsString, OsString)>,
    folder: PathBuf,
    inherits: bool,
}

/// Both streams and the exit code of a command that was fed with a text.
pub struct Exchange {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// Missing when the command was ended at its limit or by a signal.
    pub code: Option<i32>,
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
            folder: root(),
            inherits: true,
        }
    }

    /// Leaves out every variable of our own environment.
    #[must_use]
    pub fn clean_env(mut self) -> Self {
        self.inherits = false;
        self
    }

    /// The working directory.
    #[must_use]
    pub fn folder(mut self, folder: PathBuf) -> Self {
        self.folder = folder;
        self
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

    /// Feeds `stdin` to the command and reads it to its end; at the limit it is killed.
    pub fn exchange(&self, stdin: &str, limit: Duration) -> Result<Exchange> {
        let mut command = self.command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("{}: {error}", self.shown()))?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let stdout = thread::spawn(move || read_all(stdout));
        let stderr = thread::spawn(move || read_all(stderr));
        if let Some(mut pipe) = child.stdin.take() {
            // A command that does not read its input may be gone already.
            let _ = pipe.write_all(stdin.as_bytes());
        }
        let end = Instant::now() + limit;
        let code = loop {
            if let Some(status) = child.try_wait()? {
                break status.code();
            }
            if Instant::now() > end {
                child.kill()?;
                child.wait()?;
                break None;
            }
            thread::sleep(Duration::from_millis(2));
        };
        let stopped = |_| "a reader stopped";
        let (stdout, stderr) = (stdout.join().map_err(stopped)?, stderr.join().map_err(stopped)?);
        Ok(Exchange { stdout, stderr, code })
    }

    /// Runs the command to its end and says how long that took, its start included.
    pub fn timed(&self) -> Result<(Duration, Exchange)> {
        self.timed_with("")
    }

    /// The same for a command that gets a small `stdin`.
    pub fn timed_with(&self, stdin: &str) -> Result<(Duration, Exchange)> {
        let failed = |error| format!("{}: {error}", self.shown());
        let mut command = self.command();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if !stdin.is_empty() {
            command.stdin(Stdio::piped());
        }
        let begun = Instant::now();
        let mut child = command.spawn().map_err(failed)?;
        if let Some(mut pipe) = child.stdin.take() {
            // A command that does not read its input may be gone already.
            let _ = pipe.write_all(stdin.as_bytes());
        }
        let done = child.wait_with_output().map_err(failed)?;
        let time = begun.elapsed();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&done.stdout), text(&done.stderr));
        Ok((time, Exchange { stdout, stderr, code: done.status.code() }))
    }

    /// Starts the command for a conversation line by line.
    pub fn talk(&self) -> Result<Conversation> {
        let mut command = self.command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("{}: {error}", self.shown()))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the command has no pipes".into());
        };
        let speaker = Speaker { child, stdin: Some(stdin) };
        Ok(Conversation { speaker, listener: Listener { stdout: BufReader::new(stdout) } })
    }

    /// Starts a server that says nothing; it is ended when the value is dropped.
    pub fn serve(&self) -> Result<Background> {
        let mut command = self.command();
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().map_err(|error| format!("{}: {error}", self.shown()))?;
        Ok(Background { child })
    }

    #[expect(clippy::disallowed_methods, reason = "the home of xtask's processes")]
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        if !self.inherits {
            command.env_clear();
        }
        command.args(&self.args).current_dir(&self.folder);
        command.envs(self.envs.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// A process that runs until it is dropped.
pub struct Background {
    child: Child,
}

impl Background {
    /// False once it has ended by itself.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A command that answers line by line.
pub struct Conversation {
    speaker: Speaker,
    listener: Listener,
}

/// The half of a conversation that writes, and the process.
pub struct Speaker {
    child: Child,
    stdin: Option<ChildStdin>,
}

/// The half of a conversation that reads.
pub struct Listener {
    stdout: BufReader<ChildStdout>,
}

impl Conversation {
    /// Its process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.speaker.pid()
    }

    /// Sends text, line ends included.
    pub fn write(&mut self, text: &str) -> Result<()> {
        self.speaker.write(text)
    }

    /// The next line, without its end.
    pub fn read_line(&mut self) -> Result<String> {
        self.listener.read_line()
    }

    /// Both halves, for questions that run side by side.
    #[must_use]
    pub fn split(self) -> (Speaker, Listener) {
        (self.speaker, self.listener)
    }

    /// Closes its input and waits for its end.
    pub fn end(mut self) -> Result<()> {
        drop(self.speaker.stdin.take());
        self.speaker.child.wait()?;
        Ok(())
    }
}

impl Speaker {
    /// The process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends text, line ends included.
    pub fn write(&mut self, text: &str) -> Result<()> {
        let stdin = self.stdin.as_mut().ok_or("its input is closed")?;
        stdin.write_all(text.as_bytes())?;
        Ok(stdin.flush()?)
    }

    /// Closes its input; true when the process ends by itself within the limit. Else it is killed.
    pub fn end_within(&mut self, limit: Duration) -> Result<bool> {
        drop(self.stdin.take());
        let end = Instant::now() + limit;
        while Instant::now() < end {
            if self.child.try_wait()?.is_some() {
                return Ok(true);
            }
            thread::sleep(Duration::from_millis(10));
        }
        self.kill()?;
        Ok(false)
    }

    /// Ends the process at once.
    pub fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Listener {
    /// The next line, without its end.
    pub fn read_line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.stdout.read_line(&mut line)? == 0 {
            return Err("the command has ended".into());
        }
        Ok(line.trim_end().to_owned())
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

fn read_all(source: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut source) = source {
        // What came before a broken pipe still counts.
        let _ = source.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A variable of our own environment.
#[expect(clippy::disallowed_methods, reason = "the home of xtask's environment")]
#[must_use]
pub fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Where a program stands on PATH.
#[must_use]
pub fn on_path(program: &str) -> Option<PathBuf> {
    let path = variable("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|found| found.is_file())
}

/// A new folder below the system's temporary directory, for this process alone.
pub fn temporary_folder(prefix: &str) -> Result<PathBuf> {
    let folder = std::env::temp_dir().join(format!("{prefix}-{}", std::process::id()));
    std::fs::create_dir(&folder)?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exchange_feeds_the_command_and_keeps_both_streams() {
        let line = Line::new("sh", &["-c", "cat; echo oops >&2; exit 3"]);
        let done = line.exchange("hello", Duration::from_secs(20)).unwrap();
        assert_eq!((done.stdout.as_str(), done.stderr.as_str()), ("hello", "oops\n"));
        assert_eq!(done.code, Some(3));
    }

    #[test]
    fn an_exchange_ends_at_its_limit() {
        let line = Line::new("sleep", &["60"]);
        let started = Instant::now();
        let done = line.exchange("", Duration::from_millis(50)).unwrap();
        assert_eq!(done.code, None);
        assert!(started.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_clean_environment_holds_only_what_was_given() {
        let path = variable("PATH").unwrap();
        let line = Line::new("env", &[] as &[&str]).clean_env().env("PATH", path).env("A", "1");
        let done = line.exchange("", Duration::from_secs(20)).unwrap();
        let names: Vec<&str> =
            done.stdout.lines().filter_map(|line| line.split('=').next()).collect();
        assert_eq!(names, ["A", "PATH"], "sorted by the standard library");
    }
}
