//! Processes that are started ahead of the calls which need them. Such a process has been loaded, has
//! read its settings and waits for its rows; a call that finds one saves the start. Without rows it
//! ends by itself, and so it does when this program is gone: its input is closed then.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::sleep;

use super::Invocation;
use super::child::Running;

/// One for each session that is worked with in turn.
const MOST: usize = 4;
/// A call that comes later starts its own: settings may be others by then.
const LIFE: Duration = Duration::from_secs(60);
/// The answer to the last call goes first.
const PAUSE: Duration = Duration::from_millis(10);

/// The processes that wait.
#[derive(Clone, Debug, Default)]
pub struct Ready {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    waiting: Vec<Waiting>,
    /// How often all were ended: what was begun before that is not wanted any more.
    cleared: u64,
}

/// A process for a later call.
#[derive(Clone, Debug)]
pub struct Next {
    like: Invocation,
    cleared: u64,
}

#[derive(Debug)]
struct Waiting {
    invocation: Invocation,
    child: Running,
}

impl Waiting {
    fn serves(&self, other: &Invocation) -> bool {
        let own = &self.invocation;
        own.argv == other.argv
            && own.exe == other.exe
            && own.cwd == other.cwd
            && own.env == other.env
    }
}

impl Ready {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The one that was started as this one would be, if it still waits.
    pub(super) fn take(&self, wanted: &Invocation) -> Option<Running> {
        if wanted.stdin.is_empty() {
            return None;
        }
        let mut inner = self.inner();
        let at = inner.waiting.iter().position(|one| one.serves(wanted))?;
        let mut child = inner.waiting.remove(at).child;
        child.is_alive().then_some(child)
    }

    /// What the next call will need, if nothing is ended until then.
    #[must_use]
    pub fn next(&self, like: &Invocation) -> Next {
        let like = Invocation { stdin: Vec::new(), ..like.clone() };
        Next { like, cleared: self.inner().cleared }
    }

    /// Starts one for the next call, a moment later.
    pub fn prepare(&self, Next { like, cleared }: Next) {
        let ready = self.clone();
        tokio::spawn(async move {
            sleep(PAUSE).await;
            if !ready.is_wanted(&like, cleared) {
                return;
            }
            // A call that finds none starts its own, and says why that cannot be done.
            let Ok(child) = Running::start_waiting(&like).await else { return };
            let pid = child.pid();
            if !ready.keep(Waiting { invocation: like, child }, cleared) {
                return;
            }
            sleep(LIFE).await;
            ready.inner().waiting.retain(|one| one.child.pid() != pid);
        });
    }

    fn is_wanted(&self, like: &Invocation, cleared: u64) -> bool {
        let inner = self.inner();
        inner.cleared == cleared && !inner.waiting.iter().any(|one| one.serves(like))
    }

    fn keep(&self, one: Waiting, cleared: u64) -> bool {
        let mut inner = self.inner();
        if inner.cleared != cleared {
            return false;
        }
        if inner.waiting.len() >= MOST {
            inner.waiting.remove(0);
        }
        inner.waiting.push(one);
        true
    }

    /// Ends all that wait, and those that are just being started.
    pub fn clear(&self) {
        let mut inner = self.inner();
        inner.cleared += 1;
        inner.waiting.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{ParentEnv, run_rows};
    use tokio_util::sync::CancellationToken;

    fn cat(words: &[&str]) -> Invocation {
        Invocation {
            exe: "/bin/cat".into(),
            argv: words.iter().map(ToString::to_string).collect(),
            stdin: b"rows".to_vec(),
            env: ParentEnv::default().unchanged(),
            cwd: "/".into(),
            deadline: Duration::from_secs(5),
        }
    }

    async fn prepared(ready: &Ready, like: &Invocation) -> Option<u32> {
        ready.prepare(ready.next(like));
        for _ in 0..200 {
            sleep(Duration::from_millis(5)).await;
            if let Some(one) = ready.inner().waiting.last().filter(|one| one.serves(like)) {
                return one.child.pid();
            }
        }
        None
    }

    fn waiting(ready: &Ready) -> usize {
        ready.inner().waiting.len()
    }

    #[tokio::test]
    async fn a_call_takes_the_process_that_was_started_for_it_and_no_other() {
        let (ready, cancel) = (Ready::default(), CancellationToken::new());
        let pid = prepared(&ready, &cat(&[])).await;
        assert!(pid.is_some());
        let other = Invocation { env: cat(&[]).env.and("A", "b"), ..cat(&[]) };
        for other in [cat(&["-"]), Invocation { cwd: "/tmp".into(), ..cat(&[]) }, other] {
            assert!(ready.take(&other).is_none(), "{other:?}");
        }
        assert_eq!(waiting(&ready), 1);
        let done = run_rows(cat(&[]), &ready, &cancel).await.unwrap();
        assert_eq!((done.stdout.as_slice(), done.exit_code), (&b"rows"[..], 0));
        assert_eq!(waiting(&ready), 0);
    }

    #[tokio::test]
    async fn what_nobody_needs_any_more_is_ended() {
        let ready = Ready::default();
        let pid = prepared(&ready, &cat(&[])).await.unwrap();
        // A second one of a kind is not started.
        ready.prepare(ready.next(&cat(&[])));
        sleep(PAUSE * 3).await;
        assert_eq!(waiting(&ready), 1);
        for word in ["-", "--", "-u", "-n"] {
            prepared(&ready, &cat(&[word])).await.unwrap();
        }
        assert_eq!(waiting(&ready), MOST);
        assert!(ready.take(&cat(&[])).is_none(), "the oldest has made room");
        let (begun, planned) = (ready.next(&cat(&["-E"])), ready.next(&cat(&["-T"])));
        ready.prepare(begun);
        ready.clear();
        ready.prepare(planned);
        sleep(PAUSE * 5).await;
        assert_eq!(waiting(&ready), 0, "not even one that was just being started");
        let gone = |pid: u32| !std::path::Path::new(&format!("/proc/{pid}/fd/0")).exists();
        assert!(gone(pid));
    }
}
