//! Leases: who keeps a browser session alive, and the proof of what belongs to it (DEC-106).

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::key::{SessionKey, hex_of};
use crate::run::places::{private_dir, socket_dir_of, write_private};
use crate::run::proc::{ProcId, descendants};

/// Who keeps the session alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LeaseOwner {
    /// A server process; reaped when it is provably dead.
    Process(ProcId),
    /// Nobody's process: kept until this second.
    KeptUntil(u64),
}

impl LeaseOwner {
    /// Nobody keeps the session alive any more.
    #[must_use]
    pub fn is_over(self, now: u64) -> bool {
        match self {
            Self::Process(process) => !process.is_alive(),
            Self::KeptUntil(until) => now > until,
        }
    }

    /// No living process keeps the session alive: another one may take it over.
    #[must_use]
    pub fn is_free(self) -> bool {
        match self {
            Self::Process(process) => !process.is_alive(),
            Self::KeptUntil(_) => true,
        }
    }
}

/// A lease file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Lease {
    /// The session.
    pub key: SessionKey,
    /// Where its socket is.
    pub socket_dir: PathBuf,
    /// Who keeps it alive.
    pub owner: LeaseOwner,
    /// The upstream executable that serves it.
    pub exe: PathBuf,
    /// Options that every call of it must carry, `close` included.
    pub daemon_tokens: Vec<String>,
    /// Variables that every call of it must have, `close` included.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub daemon_vars: BTreeMap<String, String>,
    /// The daemon, once it runs.
    pub daemon: Option<ProcId>,
    /// The browser's processes.
    pub browsers: Vec<ProcId>,
    /// The browser's private profile.
    pub profile: Option<PathBuf>,
    /// Our own temporary directory for this session; the profile lies in it.
    #[serde(default)]
    pub temp: Option<PathBuf>,
    /// The browser's DevTools address.
    pub cdp_url: Option<String>,
}

/// Idle timeout of managed sessions: the backstop when nobody closes them (SES-10).
pub const IDLE_SECONDS: u64 = 15 * 60;

/// The idle timeout that a session's daemon was started with; without an end where the caller wants
/// none.
#[must_use]
pub fn idle_seconds(daemon_tokens: &[String]) -> u64 {
    let mut words = daemon_tokens.iter().skip_while(|word| *word != "--idle-timeout").skip(1);
    let given = words.next().and_then(|word| seconds(word.trim()));
    match given {
        Some(0) => u64::MAX,
        Some(seconds) => seconds,
        None => IDLE_SECONDS,
    }
}

/// `10s`, `3m`, `1h`, or milliseconds.
fn seconds(word: &str) -> Option<u64> {
    let unit = |end: char, seconds: u64| {
        let number: u64 = word.strip_suffix(end)?.parse().ok()?;
        Some(number.saturating_mul(seconds))
    };
    let milliseconds = || word.parse::<u64>().ok().map(|ms| ms.div_ceil(1_000));
    unit('s', 1).or_else(|| unit('m', 60)).or_else(|| unit('h', 3_600)).or_else(milliseconds)
}

/// Seconds since 1970.
#[must_use]
pub fn now_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_secs())
}

/// The directory of leases.
#[derive(Clone, Debug)]
pub struct Leases {
    dir: PathBuf,
}

impl Leases {
    /// Below the state root.
    #[must_use]
    pub fn below(state_root: &Path) -> Self {
        Self { dir: state_root.join("leases") }
    }

    fn path(&self, lease_dir: &Path, key: &SessionKey) -> PathBuf {
        let place = format!("{}\0{:?}\0{}", lease_dir.display(), key.namespace, key.name);
        self.dir.join(format!("{}.json", hex_of(place.as_bytes(), 24)))
    }

    /// Writes or replaces a lease.
    ///
    /// # Errors
    /// When the private directory cannot be written: then nothing may be started.
    pub fn write(&self, lease: &Lease) -> io::Result<()> {
        private_dir(&self.dir)?;
        let text = serde_json::to_vec(lease)?;
        write_private(&self.path(&lease.socket_dir, &lease.key), &text)
    }

    /// Removes the lease of a session that is gone.
    pub fn remove(&self, socket_dir: &Path, key: &SessionKey) {
        // A lease that is not there is what is wanted.
        let _ = std::fs::remove_file(self.path(socket_dir, key));
    }

    /// The lease of a session.
    #[must_use]
    pub fn read(&self, socket_dir: &Path, key: &SessionKey) -> Option<Lease> {
        let text = std::fs::read(self.path(socket_dir, key)).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Every readable lease.
    #[must_use]
    pub fn all(&self) -> Vec<Lease> {
        read_all(&self.dir)
    }
}

/// Every readable file of a directory of leases.
#[must_use]
pub fn read_all<T: DeserializeOwned>(dir: &Path) -> Vec<T> {
    let Ok(entries) = std::fs::read_dir(dir) else { return Vec::new() };
    let files = entries.flatten().filter_map(|entry| std::fs::read(entry.path()).ok());
    files.filter_map(|text| serde_json::from_slice(&text).ok()).collect()
}

/// The pid that upstream's pid file names, proven against the process table.
#[must_use]
pub fn daemon_of(socket_dir: &Path, key: &SessionKey) -> Option<ProcId> {
    let dir = socket_dir_of(socket_dir, key.namespace.as_deref());
    let text = std::fs::read_to_string(dir.join(format!("{}.pid", key.name))).ok()?;
    ProcId::of(text.trim().parse().ok()?)
}

/// The session's socket is there.
#[must_use]
pub fn socket_exists(socket_dir: &Path, key: &SessionKey) -> bool {
    let dir = socket_dir_of(socket_dir, key.namespace.as_deref());
    dir.join(format!("{}.sock", key.name)).exists()
}

/// The process is upstream's daemon: a program of the same file name, which an upgrade may have moved.
/// A pid file may name a process that has nothing to do with it.
fn is_daemon(process: ProcId, exe: &Path) -> bool {
    let program = process.command_line().and_then(|words| words.into_iter().next());
    let program = program.map(PathBuf::from);
    program.is_some_and(|program| program.file_name() == exe.file_name())
        && ProcId::current().is_none_or(|me| me.pid != process.pid)
}

/// Completes a lease from the process table: daemon, browser, profile.
pub fn complete(lease: &mut Lease) {
    let daemon = daemon_of(&lease.socket_dir, &lease.key);
    let Some(daemon) = daemon.filter(|daemon| is_daemon(*daemon, &lease.exe)) else { return };
    lease.daemon = Some(daemon);
    let below = descendants(&[daemon]);
    lease.profile = below.iter().find_map(|process| profile_of(process.command_line()?));
    lease.browsers = below;
}

/// The DevTools address that the browser below a session's daemon has written into its profile: a
/// first call that was cut or failed has not told it, and a session of the caller has no lease.
#[must_use]
pub fn devtools_url(socket_dir: &Path, key: &SessionKey) -> Option<String> {
    let below = descendants(&[daemon_of(socket_dir, key)?]);
    let profile = below.iter().find_map(|process| user_data_dir(process.command_line()?))?;
    let written = std::fs::read_to_string(profile.join("DevToolsActivePort")).ok()?;
    let port: u16 = written.lines().next()?.trim().parse().ok()?;
    Some(format!("ws://127.0.0.1:{port}/"))
}

fn user_data_dir(command_line: Vec<String>) -> Option<PathBuf> {
    let words = command_line.into_iter();
    let mut named =
        words.filter_map(|word| Some(word.strip_prefix("--user-data-dir=")?.to_owned()));
    named.next().map(PathBuf::from)
}

/// The throw-away profile that a browser's command line names.
pub(super) fn profile_of(command_line: Vec<String>) -> Option<PathBuf> {
    user_data_dir(command_line).filter(|path| is_private_profile(path))
}

/// Upstream's own throw-away profiles are the only ones that may ever be removed.
#[must_use]
pub fn is_private_profile(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    path.is_absolute() && name.starts_with("agent-browser-chrome-")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::run::{Invocation, ParentEnv, run};

    fn lease(owner: LeaseOwner) -> Lease {
        Lease {
            key: SessionKey::named("mcp-x"),
            socket_dir: "/tmp/s".into(),
            owner,
            exe: "/bin/agent-browser".into(),
            daemon_tokens: vec![],
            daemon_vars: BTreeMap::new(),
            daemon: None,
            browsers: vec![],
            profile: None,
            temp: None,
            cdp_url: None,
        }
    }

    // DEC-106
    #[test]
    fn a_lease_is_over_when_its_process_is_dead_or_its_time_has_come() {
        let me = ProcId::current().unwrap();
        assert!(!LeaseOwner::Process(me).is_over(0));
        // The same pid with another start time is another process.
        assert!(LeaseOwner::Process(ProcId { start: me.start + 1, ..me }).is_over(0));
        assert!(!LeaseOwner::Process(me).is_free());
        assert!(LeaseOwner::Process(ProcId { start: me.start + 1, ..me }).is_free());
        assert!(LeaseOwner::KeptUntil(100).is_free());
        assert!(!LeaseOwner::KeptUntil(100).is_over(100));
        assert!(LeaseOwner::KeptUntil(100).is_over(101));
    }

    // DEC-106, SES-10
    #[test]
    fn the_idle_timeout_is_that_of_the_sessions_daemon() {
        let of = |value: &str| idle_seconds(&["--idle-timeout".to_owned(), value.to_owned()]);
        assert_eq!(["10s", "3m", "2h", "90000", "1"].map(of), [10, 180, 7_200, 90, 1]);
        assert_eq!((of("0"), of("0s")), (u64::MAX, u64::MAX), "never");
        assert_eq!((of("soon"), idle_seconds(&[])), (IDLE_SECONDS, IDLE_SECONDS));
        assert_eq!(of("15m"), IDLE_SECONDS);
        let words = ["--debug", "9s", "--idle-timeout", "10s", "7s"].map(str::to_owned);
        assert_eq!(idle_seconds(&words), 10);
    }

    #[test]
    fn leases_are_kept_per_socket_directory_and_session() {
        let dir = tempfile::tempdir().unwrap();
        let leases = Leases::below(dir.path());
        let one = lease(LeaseOwner::KeptUntil(5));
        leases.write(&one).unwrap();
        assert_eq!(leases.read(Path::new("/tmp/s"), &one.key), Some(one.clone()));
        assert_eq!(leases.read(Path::new("/tmp/other"), &one.key), None);
        assert_eq!(leases.all(), vec![one.clone()]);
        leases.remove(Path::new("/tmp/s"), &one.key);
        assert!(leases.all().is_empty());
    }

    // SES-27, DEC-106
    #[test]
    fn a_pid_file_that_names_a_foreign_process_proves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let mut found = lease(LeaseOwner::KeptUntil(5));
        found.socket_dir = dir.path().to_owned();
        std::fs::write(dir.path().join("mcp-x.pid"), std::process::id().to_string()).unwrap();
        complete(&mut found);
        assert_eq!((found.daemon, found.browsers.len()), (None, 0));
        let me = ProcId::current().and_then(|me| me.command_line()).unwrap();
        found.exe = PathBuf::from(&me[0]);
        complete(&mut found);
        assert_eq!(found.daemon, None, "this very process is no daemon either");
    }

    // HAZ-15
    #[test]
    fn the_profile_of_a_browser_is_the_one_that_its_command_line_names() {
        let words = |profile: &str| vec!["chrome".to_owned(), format!("--user-data-dir={profile}")];
        let (ours, other) = ("/tmp/agent-browser-chrome-1", "/home/ann/.config/chromium");
        assert_eq!(user_data_dir(words(other)).as_deref(), Some(Path::new(other)));
        assert_eq!(user_data_dir(vec!["chrome".to_owned(), "--headless".to_owned()]), None);
        assert_eq!(profile_of(words(ours)).as_deref(), Some(Path::new(ours)));
        assert_eq!(profile_of(words(other)), None);
    }

    async fn soon<T>(look: impl Fn() -> Option<T>) -> Option<T> {
        for _ in 0..500 {
            if let Some(seen) = look() {
                return Some(seen);
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        None
    }

    // DEC-106
    #[tokio::test]
    async fn the_devtools_address_is_in_the_profile_of_the_browser_below_the_daemon() {
        let dir = tempfile::tempdir().unwrap();
        let (key, root) = (SessionKey::named("s"), dir.path());
        std::fs::create_dir(root.join("profile")).unwrap();
        let found = || devtools_url(root, &key);
        assert_eq!(found(), None, "no daemon");
        let daemon = "sh -c 'sleep 60; :' browser \"--user-data-dir=$PWD/profile\" & \
                      echo $$ > new; mv new s.pid; wait";
        let invocation = Invocation {
            exe: "/bin/sh".into(),
            argv: vec!["-c".to_owned(), daemon.to_owned()],
            stdin: Vec::new(),
            env: ParentEnv::default().and("PATH", "/usr/bin:/bin").plain(root),
            cwd: root.to_owned(),
            deadline: Duration::from_secs(30),
        };
        let stop = CancellationToken::new();
        let look = async {
            soon(|| root.join("s.pid").exists().then_some(())).await;
            assert_eq!(found(), None, "the browser has written nothing yet");
            let port = root.join("profile/DevToolsActivePort");
            std::fs::write(&port, "4711\n/devtools/browser/b").unwrap();
            let told = soon(found).await;
            std::fs::write(&port, "soon").unwrap();
            let unread = found();
            stop.cancel();
            (told, unread)
        };
        let (_, (told, unread)) = tokio::join!(run(invocation, &stop), look);
        assert_eq!((told.as_deref(), unread), (Some("ws://127.0.0.1:4711/"), None));
    }

    // HAZ-15
    #[test]
    fn only_throw_away_profiles_are_ever_removed() {
        assert!(is_private_profile(Path::new("/tmp/agent-browser-chrome-1234")));
        for other in ["/home/ann/.config/chromium", "agent-browser-chrome-1", "/tmp/x"] {
            assert!(!is_private_profile(Path::new(other)), "{other}");
        }
    }
}
