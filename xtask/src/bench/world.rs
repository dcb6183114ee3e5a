//! Raw upstream and our door side by side, each with directories and a browser of its own.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::call_message;
use crate::pages::PageServer;
use crate::process::{self, Conversation, Line};
use crate::record::tested_upstream;
use crate::{Result, root};

/// Keeps the browsers from calling their maker.
const BROWSER_ARGS: &str =
    "--disable-background-networking,--disable-component-update,--disable-sync,--no-first-run";

pub(super) struct World {
    folder: PathBuf,
    upstream: PathBuf,
    server: PageServer,
}

/// An answer and how long it took.
pub(super) struct Answer {
    pub(super) time: Duration,
    pub(super) text: String,
    pub(super) is_error: bool,
}

impl World {
    pub(super) fn create() -> Result<Self> {
        let upstream = tested_upstream()?;
        let folder = process::temporary_folder("abnb")?;
        for name in ["home", "tmp", "state", "s", "raw", "work"] {
            private_folder(&folder.join(name))?;
        }
        let world = Self { folder, upstream, server: PageServer::start()? };
        world.write_counter()?;
        Ok(world)
    }

    pub(super) fn url(&self, path: &str) -> String {
        self.server.url(path)
    }

    /// The machine's load, so that a reader can judge the figures.
    pub(super) fn load(&self) -> String {
        fs::read_to_string("/proc/loadavg").unwrap_or_default().trim().to_owned()
    }

    /// One call of raw upstream.
    pub(super) fn raw(&self, words: &[impl AsRef<str>]) -> Result<Answer> {
        let head = ["--session", "raw"].map(str::to_owned);
        let words = words.iter().map(|word| word.as_ref().to_owned());
        let argv: Vec<String> = head.into_iter().chain(words).collect();
        let line = self
            .line(&self.upstream, &argv)
            .env("AGENT_BROWSER_SOCKET_DIR", self.folder.join("raw"));
        let (time, done) = line.timed()?;
        if done.code != Some(0) {
            return Err(format!("{}: {}{}", line.shown(), done.stdout, done.stderr).into());
        }
        Ok(Answer { time, text: done.stdout, is_error: false })
    }

    /// Our door, through its handshake; `counted` puts the counter between it and upstream.
    pub(super) fn start(&self, counted: bool) -> Result<Ours> {
        let upstream = if counted { self.folder.join("counted") } else { self.upstream.clone() };
        let talk = self.door(&upstream).talk()?;
        let mut ours = Ours { talk, next_id: 10 };
        ours.shake_hands()?;
        ours.talk.read_line()?;
        ours.talk.read_line()?;
        Ok(ours)
    }

    /// From the start of the program to its list of tools: the time and the list.
    pub(super) fn cold_start(&self) -> Result<(Duration, String, Ours)> {
        let line = self.door(&self.upstream);
        let begun = Instant::now();
        let mut ours = Ours { talk: line.talk()?, next_id: 10 };
        ours.shake_hands()?;
        ours.talk.read_line()?;
        let list = ours.talk.read_line()?;
        Ok((begun.elapsed(), list, ours))
    }

    /// How many processes the counter has seen.
    pub(super) fn starts(&self) -> usize {
        let log = fs::read_to_string(self.folder.join("starts.log")).unwrap_or_default();
        log.lines().count()
    }

    fn door(&self, upstream: &std::path::Path) -> Line {
        let program = root().join("target/release/agent-browser-native");
        self.line(&program, &["mcp".to_owned()])
            .env("AGENT_BROWSER_NATIVE_UPSTREAM_PATH", upstream)
            .env("AGENT_BROWSER_NATIVE_STATE_DIR", self.folder.join("state"))
            .env("AGENT_BROWSER_NATIVE_TEMP_DIR", self.folder.join("tmp/abn"))
            .env("PI_AGENT_BROWSER_SOCKET_DIR", self.folder.join("s"))
    }

    fn line(&self, program: &std::path::Path, argv: &[String]) -> Line {
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
pub(super) struct Ours {
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

    pub(super) fn call(&mut self, args: &[impl AsRef<str>]) -> Result<Answer> {
        self.next_id += 1;
        let message = format!("{}\n", call_message(self.next_id, args));
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

    pub(super) fn resident_kb(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.talk.pid()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
    }

    /// Closes its input; the door closes its browser and ends.
    pub(super) fn end(self) -> Result<()> {
        self.talk.end()
    }
}

fn private_folder(path: &std::path::Path) -> Result<()> {
    fs::create_dir(path)?;
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    Ok(())
}
