//! Which launches an action is for: those of the branch, and those that this process still owns
//! (ELEC-06, SES-38).

use std::collections::BTreeMap;

use super::super::{Engine, Keep};
use crate::electron::lease::AppLease;
use crate::error::{Checked, Refusal};
use crate::input::electron::Which;
use crate::line::Line;
use crate::outcome::NextAction;
use crate::session::electron::ElectronRecord;

/// A launch and the proof of it, where there is one.
pub(super) struct Tracked {
    pub(super) record: ElectronRecord,
    pub(super) lease: Option<AppLease>,
}

impl Engine {
    /// Every launch that may be spoken of, by its id.
    pub(super) fn tracked_apps(&self) -> BTreeMap<String, Tracked> {
        let mut tracked = BTreeMap::new();
        let records: Vec<ElectronRecord> = self.state().electron.values().cloned().collect();
        for record in records {
            let lease = self.apps.read(&record.launch_id);
            tracked.insert(record.launch_id.clone(), Tracked { record, lease });
        }
        for lease in self.owned_apps() {
            let record = lease.record.clone();
            let id = record.launch_id.clone();
            tracked.entry(id).or_insert_with(|| Tracked { record, lease: Some(lease) });
        }
        tracked
    }

    /// The leases that this very process keeps alive, whatever the branch shows.
    pub(super) fn owned_apps(&self) -> Vec<AppLease> {
        if self.options.keep == Keep::IdleTimeout {
            return Vec::new();
        }
        let mine = self.lease_owner(&[]);
        self.apps.all().into_iter().filter(|lease| lease.owner == mine).collect()
    }
}

/// The launches that the caller means.
pub(super) fn chosen(engine: &Engine, which: &Which, action: &str) -> Checked<Vec<Tracked>> {
    let mut tracked = engine.tracked_apps();
    match which {
        Which::All => Ok(tracked.into_values().filter(|one| one.record.is_open()).collect()),
        Which::One(id) => match tracked.remove(id) {
            Some(one) => Ok(vec![one]),
            None => Err(unknown(id, tracked.keys())),
        },
        Which::Only => {
            let mut open: Vec<Tracked> =
                tracked.into_values().filter(|one| one.record.is_open()).collect();
            match (open.pop(), open.is_empty()) {
                (Some(one), true) => Ok(vec![one]),
                (None, _) => Err(Refusal::invalid(
                    "no launched app is tracked, so nothing was done. Launch one with electron.launch first.",
                )),
                (Some(last), false) => {
                    let ids: Vec<String> =
                        open.into_iter().chain([last]).map(|one| one.record.launch_id).collect();
                    Err(ambiguous(action, &ids))
                }
            }
        }
    }
}

fn ambiguous(action: &str, ids: &[String]) -> Box<Refusal> {
    let sentence = format!(
        "{} launches are tracked ({}); name one as electron.launchId or send all: true. \
         Nothing was done.",
        ids.len(),
        ids.join(", ")
    );
    let params = serde_json::json!({ "electron": { "action": action, "all": true } });
    Refusal::invalid(sentence).next(NextAction::params_of(
        "electron-all-launches",
        "act on every tracked launch",
        params,
    ))
}

pub(super) fn unknown<'a>(id: &str, known: impl Iterator<Item = &'a String>) -> Box<Refusal> {
    let known: Vec<&str> = known.map(String::as_str).collect();
    let line = Line::ours("no launch ").quote(id).and(" is tracked; nothing was done.");
    Refusal::invalid(if known.is_empty() {
        line
    } else {
        line.and(format!(" Tracked: {}.", known.join(", ")))
    })
}
