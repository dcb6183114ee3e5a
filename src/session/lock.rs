//! Calls on one session are serialised; different sessions run in parallel (SES-40, SES-41).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

/// One asynchronous lock per lane.
#[derive(Debug, Default)]
pub struct Lanes {
    lanes: Mutex<HashMap<String, Arc<AsyncMutex<()>>>>,
}

impl Lanes {
    /// Waits for the lane. Dropping the future leaves nothing behind.
    pub async fn enter(&self, lane: &str) -> OwnedMutexGuard<()> {
        let lock = {
            let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(lanes.entry(lane.to_owned()).or_default())
        };
        lock.lock_owned().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SES-40, SES-41
    #[tokio::test]
    async fn a_lane_admits_one_call_and_other_lanes_go_on() {
        let lanes = Lanes::default();
        let held = lanes.enter("a").await;
        let other = lanes.enter("b").await;
        let second = lanes.enter("a");
        tokio::pin!(second);
        let waiting = tokio::time::timeout(std::time::Duration::from_millis(20), &mut second).await;
        assert!(waiting.is_err());
        drop(held);
        second.await;
        drop(other);
    }
}
