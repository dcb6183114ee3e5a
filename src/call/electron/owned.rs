//! What becomes of launched apps when the host leaves, comes back, or goes on using them (ELEC-50,
//! ELEC-51, SES-30…34).

use super::super::launch::kept;
use super::super::{Engine, Keep};
use crate::electron::cleanup::{BUDGET, ended};
use crate::electron::lease::AppLease;
use crate::session::key::SessionKey;

impl Engine {
    /// The host leaves for good: every app of this process is ended.
    pub(in crate::call) async fn end_apps(&self) {
        self.end_app_leases(self.owned_apps()).await;
    }

    /// The host leaves without ending the session: apps that its branch shows stay, others end.
    pub(in crate::call) async fn hand_over_apps(&self) {
        let shown: Vec<String> = {
            let state = self.state();
            let open = state.electron.values().filter(|record| record.is_open());
            open.map(|record| record.launch_id.clone()).collect()
        };
        let (keep, end): (Vec<AppLease>, Vec<AppLease>) = self
            .owned_apps()
            .into_iter()
            .partition(|lease| shown.contains(&lease.record.launch_id));
        for mut lease in keep {
            lease.owner = kept(&[]);
            // Without the new owner it is reaped after this process: no worse than a quit.
            let _ = self.apps.write(&lease);
        }
        self.end_app_leases(end).await;
    }

    async fn end_app_leases(&self, leases: Vec<AppLease>) {
        let mut endings = tokio::task::JoinSet::new();
        for lease in leases {
            let apps = self.apps.clone();
            endings.spawn(async move { ended(&apps, &lease, BUDGET).await });
        }
        endings.join_all().await;
    }

    /// Sessions of apps that the branch shows.
    pub(in crate::call) fn app_sessions(&self) -> Vec<SessionKey> {
        let state = self.state();
        let open = state.electron.values().filter(|record| record.is_open());
        open.map(crate::session::electron::ElectronRecord::key).collect()
    }

    /// Keeps restored apps alive that nobody else does any more.
    pub(in crate::call) fn take_over_apps<'a>(&self, ids: impl IntoIterator<Item = &'a String>) {
        for mut lease in ids.into_iter().filter_map(|id| self.apps.read(id)) {
            if lease.owner.is_free() {
                lease.owner = self.lease_owner(&[]);
                // Then it ends with its time, and the next call says that the app is gone.
                let _ = self.apps.write(&lease);
            }
        }
    }

    /// An app that is used is kept for longer.
    pub(in crate::call) fn renew_app(&self, key: &SessionKey) {
        if self.options.keep != Keep::IdleTimeout {
            return;
        }
        let id = self.state().app_of(key).map(|record| record.launch_id.clone());
        if let Some(mut lease) = id.and_then(|id| self.apps.read(&id)) {
            lease.owner = self.lease_owner(&[]);
            let _ = self.apps.write(&lease);
        }
    }
}
