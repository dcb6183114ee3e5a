//! Does every browser of ours still answer?

use std::sync::Arc;
use std::time::Duration;

use super::context::{Context, World};
use super::trial::session_info;
use super::{Check, Finding};
use crate::run::proc::ProcId;
use crate::session::lease::{Lease, LeaseOwner, Leases, daemon_of};

/// `session info` takes a few milliseconds where nothing is wrong.
const ANSWER_LIMIT: Duration = Duration::from_secs(2);

pub(super) const CHECK: Check =
    Check { id: "stuck-daemons", run: |context| Box::pin(async move { check(context).await }) };

/// What is wrong with one session.
enum Stuck {
    Stopped(ProcId),
    Silent(ProcId),
}

async fn check(context: &Context) -> Finding {
    let me = ProcId::current().map(LeaseOwner::Process);
    let mut leases = Leases::below(&context.world.places.state_root).all();
    // Our own trial is judged by another check.
    leases.retain(|lease| Some(lease.owner) != me);
    let world = Arc::new(context.world.clone());
    let mut asking = tokio::task::JoinSet::new();
    for lease in leases {
        let world = Arc::clone(&world);
        asking.spawn(async move { Some((judge(&world, &lease).await?, lease)) });
    }
    let answers = asking.join_all().await;
    let running = answers.iter().flatten().count();
    let stuck: Vec<_> =
        answers.into_iter().flatten().filter_map(|(stuck, lease)| Some((stuck?, lease))).collect();
    match stuck.first() {
        None => Finding::ok(match running {
            0 => "No browser of ours is running".to_owned(),
            1 => "The one browser of ours that is running answers".to_owned(),
            many => format!("All {many} browsers of ours that are running answer"),
        }),
        Some((first, lease)) => described(first, lease, stuck.len()),
    }
}

/// Nothing when no daemon runs; else what is wrong with it.
async fn judge(world: &World, lease: &Lease) -> Option<Option<Stuck>> {
    let recorded = lease.daemon.filter(ProcId::is_alive);
    let daemon = recorded.or_else(|| daemon_of(&lease.socket_dir, &lease.key))?;
    if daemon.is_stopped() {
        return Some(Some(Stuck::Stopped(daemon)));
    }
    let answer = session_info(world, lease, ANSWER_LIMIT).await;
    Some(answer.is_none().then_some(Stuck::Silent(daemon)))
}

fn described(stuck: &Stuck, lease: &Lease, count: usize) -> Finding {
    let others = match count {
        1 => String::new(),
        many => format!(" {} more are stuck.", many - 1),
    };
    let name = &lease.key.name;
    match stuck {
        Stuck::Stopped(daemon) => Finding::failed(
            format!("The background process {} of session {name} is stopped.{others}", daemon.pid),
            format!(
                "Run `kill -CONT {0}` to let it go on, or `kill -KILL {0}` to give it up.",
                daemon.pid
            ),
        ),
        Stuck::Silent(daemon) => Finding::failed(
            format!(
                "The background process {} of session {name} does not answer within {} s.{others}",
                daemon.pid,
                ANSWER_LIMIT.as_secs()
            ),
            format!(
                "Wait half a minute for its command to end, or run `kill -KILL {}` to give it up.",
                daemon.pid
            ),
        ),
    }
}
