//! Ctrl-C and a polite end ask the run to stop; it then ends what it has started.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tokio::signal::unix::{SignalKind, signal};

use crate::Result;

/// A flag that either signal raises.
pub(super) fn watch() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for kind in [SignalKind::interrupt(), SignalKind::terminate()] {
        let raised = Arc::clone(&stop);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let mut signals = runtime.block_on(async { signal(kind) })?;
        thread::spawn(move || {
            runtime.block_on(signals.recv());
            raised.store(true, Ordering::Relaxed);
        });
    }
    Ok(stop)
}
