//! Is anything left of hosts that are gone (DEC-106)?

use super::context::Context;
use super::{Check, Finding};
use crate::run::proc::ProcId;
use crate::session::lease::{Lease, Leases, daemon_of, now_seconds};

const REMEDY: &str = "Run `agent-browser-native reap`.";

pub(super) const CHECK: Check =
    Check { id: "leftovers", run: |context| Box::pin(async move { check(context) }) };

fn check(context: &Context) -> Finding {
    let now = now_seconds();
    let mut over = Leases::below(&context.world.places.state_root).all();
    over.retain(|lease| lease.owner.is_over(now));
    let running = over.iter().filter(|lease| still_runs(lease)).count();
    match (running, over.len()) {
        (0, 0) => Finding::ok("Every browser of ours has a living owner"),
        (0, 1) => Finding::optional("1 record of a browser that is gone.", REMEDY),
        (0, many) => {
            Finding::optional(format!("{many} records of browsers that are gone."), REMEDY)
        }
        (1, _) => Finding::failed("1 browser runs on although its owner is gone.", REMEDY),
        (many, _) => Finding::failed(
            format!("{many} browsers run on although their owners are gone."),
            REMEDY,
        ),
    }
}

fn still_runs(lease: &Lease) -> bool {
    lease.daemon.iter().chain(&lease.browsers).any(ProcId::is_alive)
        || daemon_of(&lease.socket_dir, &lease.key).is_some()
}
