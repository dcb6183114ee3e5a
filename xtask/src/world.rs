//! Raw upstream and our door side by side, each with directories and a browser of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Result;
use crate::pages::PageServer;
use crate::process::{self, Conversation, Line};
use crate::record::tested_upstream;

/// Keeps the browsers from calling their maker.
const BROWSER_ARGS: &str =
    "--disable-background-networking,--disable-component-update,--disable-sync,--no-first-run";

pub(crate) struct World {
    folder: PathBuf,
    upstream: PathBuf,
    program: PathBuf,
    server: PageServer,
}

/// An answer and how long it took.
pub(crate) struct Answer {
    pub(crate) time: Duration,
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

impl World {
    /// A world for this build of our program.
    pub(crate) fn create(program: &Path) -> Result<Self> {
        let upstream = tested_upstream()?;
        let folder = process::temporary_folder("abnb")?;
        for name in ["home", "tmp", "state", "s", "raw", "work"] {
            private_folder(&folder.join(name))?;
        }
        let program = program.to_path_buf();
        let world = Self { folder, upstream, program, server: PageServer::start()? };
        world.write_counter()?;
        Ok(world)
    }

    pub(crate) fn url(&self, path: &str) -> String {
        self.server.url(path)
    }

    /// The machine's load, so that a reader can judge the figures.
    pub(crate) fn load(&self) -> String {
        fs::read_to_string("/proc/loadavg").unwrap_or_default().trim().to_owned()
    }

    /// The upstream executable.
    pub(crate) fn upstream(&self) -> &Path {
        &self.upstream
    }

    /// A place for the files of a run, removed with the world.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// One call of raw upstream that has to succeed.
    pub(crate) fn raw(&self, words: &[impl AsRef<str>]) -> Result<Answer> {
        let answer = self.raw_text(words)?;
        if answer.is_error { Err(answer.text.into()) } else { Ok(answer) }
    }

    /// Raw upstream with the rows of a batch as JSON.
    pub(crate) fn raw_batch(&self, rows: &str) -> Result<Answer> {
        let argv = ["--session", "raw", "--json", "batch", "--bail"].map(str::to_owned);
        let line = self
            .line(&self.upstream, &argv)
            .env("AGENT_BROWSER_SOCKET_DIR", self.folder.join("raw"));
        let (time, done) = line.timed_with(rows)?;
        if done.code != Some(0) {
            return Err(format!("raw batch: {}{}", done.stdout, done.stderr).into());
        }
        Ok(Answer { time, text: done.stdout, is_error: false })
    }

    /// One call of raw upstream with everything that it prints.
    pub(crate) fn raw_text(&self, words: &[impl AsRef<str>]) -> Result<Answer> {
        let head = ["--session", "raw"].map(str::to_owned);
        let words = words.iter().map(|word| word.as_ref().to_owned());
        let argv: Vec<String> = head.into_iter().chain(words).collect();
        let line = self
            .line(&self.upstream, &argv)
            .env("AGENT_BROWSER_SOCKET_DIR", self.folder.join("raw"));
        let (time, done) = line.timed()?;
        let is_error = done.code != Some(0);
        Ok(Answer { time, text: done.stdout + &done.stderr, is_error })
    }

    /// Our door with these flags, through its handshake.
    pub(crate) fn start(&self, flags: &[&str]) -> Result<Ours> {
        self.start_as(&self.door(&self.upstream, flags))
    }

    /// Our door by this command line, through its handshake.
    pub(crate) fn start_as(&self, line: &Line) -> Result<Ours> {
        let (_, _, ours) = self.greet(line)?;
        Ok(ours)
    }

    /// Our door with the counter between it and upstream.
    pub(crate) fn start_counted(&self) -> Result<Ours> {
        let (_, _, ours) = self.greet(&self.door(&self.folder.join("counted"), &[]))?;
        Ok(ours)
    }

    /// From the start of the program to its list of tools: the time and the list.
    pub(crate) fn cold_start(&self) -> Result<(Duration, String, Ours)> {
        self.greet(&self.door(&self.upstream, &[]))
    }

    fn greet(&self, line: &Line) -> Result<(Duration, String, Ours)> {
        let begun = Instant::now();
        let mut ours = Ours { talk: line.talk()?, next_id: 10 };
        ours.shake_hands()?;
        ours.talk.read_line()?;
        let list = ours.talk.read_line()?;
        Ok((begun.elapsed(), list, ours))
    }

    /// The version of our program.
    pub(crate) fn own_version(&self) -> Result<String> {
        let (_, done) = self.line(&self.program, &["--version".to_owned()]).timed()?;
        Ok(done.stdout.trim().rsplit(' ').next().unwrap_or_default().to_owned())
    }

    /// Name and version of the browser, as it says itself.
    pub(crate) fn browser_version(&self) -> String {
        let programs = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
        let found = programs.iter().find_map(|program| process::on_path(program));
        let version = found.and_then(|program| {
            let (_, done) = self.line(&program, &["--version".to_owned()]).timed().ok()?;
            Some(done.stdout.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
        });
        version.unwrap_or_else(|| "browser unknown".to_owned())
    }

    /// How many processes the counter has seen.
    pub(crate) fn starts(&self) -> usize {
        let log = fs::read_to_string(self.folder.join("starts.log")).unwrap_or_default();
        log.lines().count()
    }

    /// The command line of our door.
    pub(crate) fn door(&self, upstream: &Path, flags: &[&str]) -> Line {
        let argv = std::iter::once(&"mcp").chain(flags).map(ToString::to_string);
        self.line(&self.program, &argv.collect::<Vec<_>>())
            .env("AGENT_BROWSER_NATIVE_UPSTREAM_PATH", upstream)
            .env("AGENT_BROWSER_NATIVE_STATE_DIR", self.folder.join("state"))
            .env("AGENT_BROWSER_NATIVE_TEMP_DIR", self.folder.join("tmp/abn"))
            .env("PI_AGENT_BROWSER_SOCKET_DIR", self.folder.join("s"))
    }

    /// A command in the directories of this world.
    pub(crate) fn line(&self, program: &Path, argv: &[String]) -> Line {
        Line::new(program, argv)
            .clean_env()
            .env("PATH", process::variable("PATH").unwrap_or_default())
            .env("HOME", self.folder.join("home"))
            .env("TMPDIR", self.folder.join("tmp"))
            .env("LANG", "C.UTF-8")
            .env("AGENT_BROWSER_ARGS", BROWSER_ARGS)
            .folder(self.folder.join("work"))
    }

    /// An executable that counts its starts and then is upstream.
    fn write_counter(&self) -> Result<()> {
        let path = self.folder.join("counted");
        let script = format!(
            "#!/bin/sh\nprintf '%s\\n' \"$*\" >>{}\nexec {} \"$@\"\n",
            self.folder.join("starts.log").display(),
            self.upstream.display()
        );
        fs::write(&path, script)?;
        #[cfg(unix)]
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        Ok(())
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // Best effort: what stays behind ends by its idle timeout.
        drop(self.raw(&["close"]));
        std::thread::sleep(Duration::from_millis(300));
        drop(fs::remove_dir_all(&self.folder));
    }
}

/// Our MCP door.
pub(crate) struct Ours {
    talk: Conversation,
    next_id: u64,
}

impl Ours {
    /// Sends the whole handshake and asks for the tools; two answers will come.
    fn shake_hands(&mut self) -> Result<()> {
        let params = json!({
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "bench", "version": "1" },
        });
        let messages = [
            json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }),
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
            json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }),
        ];
        let lines: String = messages.iter().map(|message| format!("{message}\n")).collect();
        self.talk.write(&lines)
    }

    pub(crate) fn call(&mut self, args: &[impl AsRef<str>]) -> Result<Answer> {
        let args: Vec<&str> = args.iter().map(AsRef::as_ref).collect();
        self.call_with(&json!({ "args": args }))
    }

    pub(crate) fn call_with(&mut self, arguments: &Value) -> Result<Answer> {
        self.next_id += 1;
        let message = format!("{}\n", call_message(self.next_id, arguments));
        let begun = Instant::now();
        self.talk.write(&message)?;
        let line = self.talk.read_line()?;
        let time = begun.elapsed();
        let answer: Value = serde_json::from_str(&line)?;
        let result = &answer["result"];
        let blocks = result["content"].as_array().ok_or_else(|| format!("no content: {line}"))?;
        let texts = blocks.iter().filter_map(|block| block["text"].as_str());
        let text = texts.collect::<Vec<_>>().join("\n");
        Ok(Answer { time, text, is_error: result["isError"] == true })
    }

    pub(crate) fn resident_kb(&self) -> u64 {
        resident_kb(self.talk.pid())
    }

    /// The connection itself, behind its handshake.
    pub(crate) fn into_talk(self) -> Conversation {
        self.talk
    }

    /// Closes its input; the door closes its browser and ends.
    pub(crate) fn end(self) -> Result<()> {
        self.talk.end()
    }
}

/// Resident memory of a process.
pub(crate) fn resident_kb(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

fn private_folder(path: &Path) -> Result<()> {
    fs::create_dir(path)?;
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    Ok(())
}

/// A call as the host sends it.
pub(crate) fn call_message(id: u64, arguments: &Value) -> Value {
    let params = json!({ "name": "agent_browser", "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}
