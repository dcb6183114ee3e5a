//! The directories that the client calls its own (`roots/list`): confined calls may touch them too
//! (DEC-101).

#![expect(deprecated, reason = "roots are leaving the protocol, and today's hosts still have them")]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::service::Peer;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::call::Engine;
use crate::guard::file_behind;

/// How long the client may take to name its roots.
const ANSWER_LIMIT: Duration = Duration::from_secs(5);
/// How long a call waits for them.
const CALL_PATIENCE: Duration = Duration::from_secs(2);
/// More are not taken over.
const MOST: usize = 64;

/// Whether the client has been asked and has had its time to answer.
#[derive(Clone)]
pub(super) struct Roots {
    settled: Arc<watch::Sender<bool>>,
}

impl Default for Roots {
    fn default() -> Self {
        Self { settled: Arc::new(watch::Sender::new(false)) }
    }
}

impl Roots {
    /// Asks the client. One that has no roots, or does not answer, adds none.
    pub(super) async fn ask(&self, peer: &Peer<RoleServer>, engine: &Engine) {
        if wanted(peer, engine) {
            self.settled.send_replace(false);
            if let Ok(Ok(answer)) = timeout(ANSWER_LIMIT, peer.list_roots()).await {
                let named = answer.roots.iter().take(MOST).map(|root| file_behind(&root.uri));
                let paths: Vec<PathBuf> = named.flatten().flatten().collect();
                engine.set_client_roots(paths);
            }
        }
        self.settled.send_replace(true);
    }

    /// Waits, not for long, until the roots are known: a call may come right behind the handshake.
    pub(super) async fn known(&self, peer: &Peer<RoleServer>, engine: &Engine) {
        if wanted(peer, engine) {
            let mut settled = self.settled.subscribe();
            if timeout(CALL_PATIENCE, settled.wait_for(|settled| *settled)).await.is_err() {
                self.settled.send_replace(true);
            }
        }
    }
}

fn wanted(peer: &Peer<RoleServer>, engine: &Engine) -> bool {
    let client = peer.peer_info();
    engine.is_confined() && client.is_some_and(|client| client.capabilities.roots.is_some())
}
