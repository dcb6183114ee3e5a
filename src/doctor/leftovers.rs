//! Is anything left of hosts that are gone (DEC-106)?

use super::context::Context;
use super::{Check, Finding};
use crate::electron::lease::AppLeases;
use crate::run::proc::ProcId;
use crate::session::lease::{Lease, Leases, daemon_of, now_seconds};

const REMEDY: &str = "Run `agent-browser-native reap`.";

pub(super) const CHECK: Check =
    Check { id: "leftovers", run: |context| Box::pin(async move { check(context) }) };

fn check(context: &Context) -> Finding {
    let now = now_seconds();
    let state = &context.world.places.state_root;
    let mut browsers = Leases::below(state).all();
    browsers.retain(|lease| lease.owner.is_over(now));
    let mut apps = AppLeases::below(state).all();
    apps.retain(|lease| lease.owner.is_over(now));
    let running = Count {
        browsers: browsers.iter().filter(|lease| still_runs(lease)).count(),
        apps: apps.iter().filter(|lease| !lease.processes().is_empty()).count(),
    };
    judge(&running, &Count { browsers: browsers.len(), apps: apps.len() })
}

/// Leases of either kind.
struct Count {
    browsers: usize,
    apps: usize,
}

impl Count {
    fn all(&self) -> usize {
        self.browsers + self.apps
    }

    /// `1 browser and 2 desktop apps`.
    fn words(&self) -> String {
        let kinds = [(self.browsers, "browser"), (self.apps, "desktop app")];
        let kinds = kinds.into_iter().filter(|(count, _)| *count > 0);
        let words = kinds.map(|(count, what)| match count {
            1 => format!("1 {what}"),
            many => format!("{many} {what}s"),
        });
        words.collect::<Vec<_>>().join(" and ")
    }
}

fn judge(running: &Count, over: &Count) -> Finding {
    match (running.all(), over.all()) {
        (0, 0) => Finding::ok("Every browser of ours has a living owner"),
        (0, 1) => Finding::optional(format!("A record of {} that is gone.", over.words()), REMEDY),
        (0, _) => Finding::optional(format!("Records of {} that are gone.", over.words()), REMEDY),
        (1, _) => {
            let words = format!("{} runs on although its owner is gone.", running.words());
            Finding::failed(words, REMEDY)
        }
        _ => {
            let words = format!("{} run on although their owners are gone.", running.words());
            Finding::failed(words, REMEDY)
        }
    }
}

fn still_runs(lease: &Lease) -> bool {
    lease.daemon.iter().chain(&lease.browsers).any(ProcId::is_alive)
        || daemon_of(&lease.socket_dir, &lease.key).is_some()
}
