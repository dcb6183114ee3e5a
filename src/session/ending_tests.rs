//! Ending sessions with living processes: a daemon with a browser below it, both of them scripts.

use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use super::key::SessionKey;
use super::lease::{Lease, LeaseOwner, Leases, complete};
use super::reap::{Ended, Ending, SESSION_MARK, close_timeout, forget};
use crate::run::detached;
use crate::run::proc::{ProcId, descendants, with_environment};
use crate::run::{Invocation, ParentEnv};

/// The daemon and the browser run until somebody makes the file `stop`, and a moment longer.
const DAEMON: &str = r#"
    sh -c 'while [ ! -e stop ]; do sleep 0.1; done; sleep 0.3' browser "--user-data-dir=$PWD/../agent-browser-chrome-1" &
    echo $$ > s.pid; : > s.sock; wait; : > ended"#;

/// Upstream's `close` where it answers when all have ended.
const CLOSE: &str = ": > stop; while [ ! -e ended ]; do sleep 0.1; done; sleep 0.2";

struct Session {
    root: TempDir,
    ending: Ending,
}

impl Session {
    /// Nothing runs yet. `close` is what upstream does when it is asked to close.
    fn new(close: &str) -> Self {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        for name in ["s", "bin", "daemon", "own", "agent-browser-chrome-1"] {
            std::fs::create_dir(at(name)).unwrap();
        }
        let exe = at("bin/agent-browser");
        std::fs::write(
            &exe,
            format!("#!/bin/sh\necho \"$@\" > asked\necho \"${SESSION_MARK}\" > mark\n{close}\n"),
        )
        .unwrap();
        std::fs::set_permissions(&exe, std::fs::Permissions::from_mode(0o755)).unwrap();
        symlink("/bin/sh", at("daemon/agent-browser")).unwrap();
        let lease = Lease {
            key: SessionKey::named("s"),
            socket_dir: at("s"),
            owner: LeaseOwner::KeptUntil(0),
            exe,
            daemon_tokens: vec!["--debug".to_owned()],
            daemon_vars: BTreeMap::new(),
            daemon: None,
            browsers: Vec::new(),
            profile: None,
            temp: Some(at("own")),
            cdp_url: None,
        };
        let leases = Leases::below(&at("state"));
        leases.write(&lease).unwrap();
        let env = ParentEnv::default().and("PATH", "/usr/bin:/bin");
        let ending = Ending { lease, leases, env, cwd: at("s") };
        Self { root, ending }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn start(&self, script: &str, env: &ParentEnv) -> ProcId {
        let invocation = Invocation {
            exe: self.at("daemon/agent-browser"),
            argv: vec!["-c".to_owned(), script.to_owned()],
            stdin: Vec::new(),
            env: env.plain(&self.at("s")),
            cwd: self.at("s"),
            deadline: Duration::from_secs(30),
        };
        detached::start(&invocation).unwrap().unwrap()
    }

    /// The daemon and the browser, once both run.
    async fn live(&self) -> Vec<ProcId> {
        let daemon = self.start(DAEMON, &self.ending.env);
        soon(|| self.at("s/s.sock").exists()).await;
        let named = |process: &ProcId| {
            let words = process.command_line().unwrap_or_default();
            words.iter().any(|word| word.starts_with("--user-data-dir="))
        };
        soon(|| descendants(&[daemon]).iter().any(named)).await;
        let browser = descendants(&[daemon]).into_iter().find(named).unwrap();
        vec![daemon, browser]
    }

    /// What is left on disk.
    fn left(&self) -> Vec<&'static str> {
        let known = ["own", "agent-browser-chrome-1", "s/s.pid", "s/s.sock"];
        known.into_iter().filter(|name| self.at(name).exists()).collect()
    }

    fn leases(&self) -> usize {
        self.ending.leases.all().len()
    }

    fn asked(&self) -> Option<String> {
        std::fs::read_to_string(self.at("s/asked")).ok()
    }
}

async fn soon(is_so: impl Fn() -> bool) {
    for _ in 0..1_000 {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it does not come");
}

// DEC-106, HAZ-15
#[tokio::test]
async fn a_session_is_closed_by_upstream_or_else_ended_by_force() {
    let (done, failed) = (CLOSE.to_owned(), format!("{CLOSE}; exit 1"));
    for (close, expected) in [
        (": > stop", Ended::Closed),
        (done.as_str(), Ended::Closed),
        (failed.as_str(), Ended::Gone),
        ("exit 1", Ended::Killed),
    ] {
        let session = Session::new(close);
        let processes = session.live().await;
        assert_eq!(session.ending.clone().close_and_end().await, expected, "{close}");
        assert_eq!(session.asked().as_deref(), Some("--json --session s --debug close\n"));
        // A daemon that it starts because none answers is known by it.
        assert_eq!(std::fs::read_to_string(session.at("s/mark")).unwrap(), "s\n", "{close}");
        assert!(!processes.iter().any(ProcId::is_alive), "{close}");
        assert_eq!((session.left(), session.leases()), (vec![], 0), "{close}");
    }
}

// DEC-106, HAZ-15
#[tokio::test]
async fn upstream_is_not_asked_to_close_what_it_does_not_serve() {
    let silent = Session::new("");
    let processes = silent.live().await;
    std::fs::remove_file(silent.at("s/s.sock")).unwrap();
    assert_eq!(silent.ending.clone().close_and_end().await, Ended::Killed);
    assert!(!processes.iter().any(ProcId::is_alive));
    assert_eq!((silent.left(), silent.leases(), silent.asked()), (vec![], 0, None));

    let gone = Session::new("");
    std::fs::write(gone.at("s/s.sock"), "").unwrap();
    assert_eq!(gone.ending.clone().close_and_end().await, Ended::Gone);
    assert_eq!((gone.leases(), gone.asked()), (0, None));
}

// HAZ-15
#[tokio::test]
async fn a_session_whose_daemon_does_not_answer_is_ended_without_asking() {
    let session = Session::new("");
    let processes = session.live().await;
    let mut ending = session.ending.clone();
    complete(&mut ending.lease);
    assert_eq!(ending.lease.profile.take().unwrap().file_name().unwrap(), "agent-browser-chrome-1");
    assert_eq!(ending.end_only().await, Ended::Killed);
    assert!(!processes.iter().any(ProcId::is_alive));
    assert_eq!((session.left(), session.leases(), session.asked()), (vec![], 0, None));
}

// DEC-106
#[tokio::test]
async fn what_bears_the_mark_of_a_session_is_ended_with_what_it_starts_at_its_end() {
    let session = Session::new("");
    let env = session.ending.env.clone().and(SESSION_MARK, "s");
    let client = session.start("trap 'sleep 21 & exit' TERM; sleep 20 & : > ready; wait", &env);
    let stranger = session.start("sleep 20", &session.ending.env.clone().and(SESSION_MARK, "t"));
    soon(|| session.at("s/ready").exists()).await;
    assert_eq!(session.ending.clone().close_and_end().await, Ended::Killed);
    assert!(!client.is_alive() && stranger.is_alive());
    let place = session.at("s").display().to_string();
    let marks = [format!("{SESSION_MARK}=s"), format!("AGENT_BROWSER_SOCKET_DIR={place}")];
    assert_eq!(with_environment(&marks), []);
    stranger.kill(crate::run::proc::Signal::Kill).unwrap();
}

// DEC-106
#[tokio::test]
async fn a_lease_stays_while_something_of_its_session_cannot_be_removed() {
    let session = Session::new("");
    let mut ending = session.ending.clone();
    // A file where a directory should be.
    ending.lease.temp = Some(session.at("bin/agent-browser"));
    let (closed, ended, ()) = tokio::join!(
        ending.clone().close_and_end(),
        ending.clone().end_only(),
        forget(&ending.leases, &ending.lease)
    );
    assert_eq!((closed, ended, session.leases()), (Ended::Left, Ended::Left, 1));
    forget(&session.ending.leases, &session.ending.lease).await;
    assert_eq!((session.leases(), Path::exists(&session.at("own"))), (0, false));
}

// PLAN-59, ELEC-46
#[test]
fn a_close_takes_five_seconds_or_what_the_environment_says() {
    let of = |value: &str| {
        let name = "PI_AGENT_BROWSER_IMPLICIT_SESSION_CLOSE_TIMEOUT_MS";
        close_timeout(&ParentEnv::default().and(name, value)).as_millis()
    };
    assert_eq!(["1500", " 1 ", "0", "soon", "-3"].map(of), [1_500, 1, 5_000, 5_000, 5_000]);
    assert_eq!(close_timeout(&ParentEnv::default()).as_millis(), 5_000);
}

// DEC-106
#[test]
fn every_end_has_a_word_of_its_own() {
    let ends = [Ended::Closed, Ended::Killed, Ended::Gone, Ended::Left];
    let words = ["closed", "ended by force", "was gone already", "could not be ended"];
    assert_eq!(ends.map(Ended::word), words);
}
