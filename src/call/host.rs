//! What a host with a transcript tells besides calls: its branch, its prompt, and its end.

use std::path::PathBuf;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::launch::kept;
use super::{Engine, Trace};
use crate::guard::prompt::{PromptNeeds, missing, recognise};
use crate::run::locate::find_program;
use crate::session::fact::Fact;
use crate::session::key::SessionKey;
use crate::session::lease::Lease;
use crate::session::reap::Ending;
use crate::session::state::State;

/// How long calls may take to notice that the host leaves.
const CALL_GRACE: Duration = Duration::from_millis(1_500);

/// What became of the browsers when the host left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HandedOver {
    /// Closed.
    pub closed: usize,
    /// Kept for whoever takes the session up again.
    pub kept: usize,
}

impl Engine {
    /// Replaces what is known by the fold over the facts of a branch (SES-35).
    ///
    /// Calls that are under way belong to the branch that was left: they finish, but what they
    /// learn goes into their own answer only (SES-42).
    pub fn restore<'a>(&self, facts: impl IntoIterator<Item = &'a Fact>) {
        let mut restored = State::replay(facts);
        let journalled = self.journalled();
        // A branch knows the page of its own last call; the journal that of the very last one.
        restored.mark_drift(&journalled);
        let mut state = self.state();
        // Numbers that an abandoned branch gave out do not come back (SES-09).
        let highest = [restored.managed.highest, state.managed.highest, journalled.managed.highest];
        restored.managed.highest = highest.into_iter().flatten().max();
        *state = restored;
        self.branch.fetch_add(1, Ordering::SeqCst);
        if let Some(key) = state.managed_running() {
            self.take_over(key);
        }
        for record in state.electron.values().filter(|record| record.is_open()) {
            self.take_over(&record.key());
        }
        self.take_over_apps(state.electron.keys());
    }

    /// The latest prompt of the user; the files it asks for are looked for before a close.
    pub fn heed_prompt(&self, prompt: &str) {
        *self.prompt.lock().unwrap_or_else(PoisonError::into_inner) = recognise(prompt);
    }

    /// Files that the prompt asks for and nobody has saved.
    pub(super) fn unsaved(&self) -> Vec<PathBuf> {
        let needs = self.prompt.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if needs == PromptNeeds::default() {
            return Vec::new();
        }
        let can_record =
            !needs.recordings.is_empty() && find_program(&self.options.env, "ffmpeg").is_some();
        let required = needs.required(&self.options.cwd, can_record);
        let state = self.state();
        let named = state.artifacts.iter().filter(|artifact| artifact.requested);
        let saved: Vec<PathBuf> = named.map(|artifact| PathBuf::from(&artifact.path)).collect();
        missing(&required, &saved)
    }

    /// The host leaves without ending the session: its browser stays until it has been idle for
    /// long enough, every other browser of this process is closed (SES-31, SES-32, DEC-106).
    pub async fn hand_over(&self) -> HandedOver {
        self.give_up_calls().await;
        let mut stays = self.app_sessions();
        stays.extend(self.state().managed_running().cloned());
        let (keep, close): (Vec<Lease>, Vec<Lease>) =
            self.owned_leases().into_iter().partition(|lease| stays.contains(&lease.key));
        let done = HandedOver { closed: close.len(), kept: keep.len() };
        tokio::join!(self.end_all(close), self.hand_over_apps());
        for mut lease in keep {
            lease.owner = kept(&lease.daemon_tokens);
            // Without the new owner it is reaped after this process: no worse than a quit.
            let _ = self.leases.write(&lease);
        }
        done
    }

    /// Closes every session that this process keeps alive.
    pub async fn shutdown(&self) -> HandedOver {
        self.give_up_calls().await;
        let leases = self.owned_leases();
        let done = HandedOver { closed: leases.len(), kept: 0 };
        tokio::join!(self.end_all(leases), self.end_apps());
        self.spill.leave();
        done
    }

    /// Gives up the calls that are under way and waits for them, for a while: one that is just
    /// starting a browser has its lease by then.
    async fn give_up_calls(&self) {
        self.leaving.notify_waiters();
        let _ = tokio::time::timeout(CALL_GRACE, self.under_way.write()).await;
        self.ready.clear();
    }

    /// The branch that calls begin on now.
    pub(super) fn branch(&self) -> u64 {
        self.branch.load(Ordering::SeqCst)
    }

    /// The call belongs to the branch that is current.
    pub(super) fn is_current(&self, trace: &Trace) -> bool {
        trace.branch == self.branch()
    }

    /// Keeps a browser alive that nobody else does any more.
    fn take_over(&self, key: &SessionKey) {
        let Some(mut lease) = self.leases.read(&self.options.places.socket_dir, key) else {
            return;
        };
        if lease.owner.is_free() {
            lease.owner = self.lease_owner(&lease.daemon_tokens);
            // Then it ends with its idle timeout, and the next call says that the page is gone.
            let _ = self.leases.write(&lease);
        }
    }

    fn owned_leases(&self) -> Vec<Lease> {
        let mine = self.lease_owner(&[]);
        self.leases.all().into_iter().filter(|lease| lease.owner == mine).collect()
    }

    async fn end_all(&self, leases: Vec<Lease>) {
        let mut endings = tokio::task::JoinSet::new();
        for lease in leases {
            let ending = Ending {
                lease,
                leases: self.leases.clone(),
                env: self.options.env.clone(),
                cwd: self.options.cwd.clone(),
            };
            endings.spawn(ending.close_and_end());
        }
        endings.join_all().await;
    }
}
