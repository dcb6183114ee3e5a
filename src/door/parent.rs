//! A server door ends with its host: on signals, and when the parent process is gone.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::run::proc::{ignores_hangup, parent_pid};

/// How often the parent is looked at. Usually stdin's end comes first.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// A token that is cancelled on SIGTERM, SIGINT, SIGHUP and when the parent process changes.
#[must_use]
pub fn stop_token() -> CancellationToken {
    token_after(signalled())
}

/// A token that is cancelled on SIGTERM, SIGINT and SIGHUP, the last unless it was ignored from the
/// beginning: for work that may go on when its terminal and its parent are gone, as behind `nohup`.
#[must_use]
pub fn interrupt_token() -> CancellationToken {
    let token = CancellationToken::new();
    let watched = token.clone();
    tokio::spawn(async move {
        interrupted().await;
        watched.cancel();
    });
    token
}

/// The same for a program whose host shares a terminal with it: SIGINT and SIGHUP are meant for
/// the host, which closes stdin when it ends.
#[must_use]
pub fn stop_token_of_child() -> CancellationToken {
    token_after(terminated())
}

fn token_after(signal: impl Future<Output = ()> + Send + 'static) -> CancellationToken {
    let token = CancellationToken::new();
    let watched = token.clone();
    tokio::spawn(async move {
        tokio::select! {
            () = signal => {}
            () = orphaned() => {}
        }
        watched.cancel();
    });
    token
}

async fn orphaned() {
    let parent = parent_pid();
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        if parent_pid() != parent {
            return;
        }
    }
}

#[cfg(unix)]
async fn signalled() {
    use tokio::signal::unix::SignalKind;
    first_of([SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()]).await;
}

#[cfg(unix)]
async fn interrupted() {
    use tokio::signal::unix::SignalKind;
    // Who waits for a signal takes it from those who ignore it.
    if ignores_hangup() {
        first_of([SignalKind::terminate(), SignalKind::interrupt()]).await;
    } else {
        signalled().await;
    }
}

#[cfg(unix)]
async fn terminated() {
    use tokio::signal::unix::SignalKind;
    // Who waits for a signal is not ended by it.
    let ignored = async {
        loop {
            first_of([SignalKind::interrupt(), SignalKind::hangup()]).await;
        }
    };
    tokio::select! {
        () = first_of([SignalKind::terminate()]) => {}
        () = ignored => {}
    }
}

#[cfg(unix)]
async fn first_of<const N: usize>(kinds: [tokio::signal::unix::SignalKind; N]) {
    use tokio::signal::unix::signal;
    let Ok(mut signals) = kinds.map(signal).into_iter().collect::<Result<Vec<_>, _>>() else {
        return std::future::pending().await;
    };
    let mut waits: Vec<_> = signals.iter_mut().map(|signal| Box::pin(signal.recv())).collect();
    std::future::poll_fn(|context| {
        let ready = waits.iter_mut().any(|wait| wait.as_mut().poll(context).is_ready());
        if ready { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
}

#[cfg(not(unix))]
async fn signalled() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}

#[cfg(not(unix))]
async fn interrupted() {
    signalled().await;
}

#[cfg(not(unix))]
async fn terminated() {
    // Ctrl+C is meant for the host.
    while tokio::signal::ctrl_c().await.is_ok() {}
    std::future::pending().await
}
