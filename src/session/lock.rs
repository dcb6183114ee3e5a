//! Calls on one session are serialised; different sessions run in parallel (SES-40, SES-41).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use super::key::SessionKey;

/// Calls that wait for each other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Lane {
    /// Those on sessions that the wrapper manages, whatever their names.
    Managed,
    /// Those that share the throw-away session.
    ThrowAway,
    /// Those on one session of the caller's.
    Named(SessionKey),
}

/// One asynchronous lock per lane.
#[derive(Debug, Default)]
pub struct Lanes {
    lanes: Mutex<HashMap<Lane, Arc<AsyncMutex<()>>>>,
}

impl Lanes {
    /// Waits for the lane. A lane in which nobody is or waits is forgotten.
    pub async fn enter(&self, lane: Lane) -> OwnedMutexGuard<()> {
        let lock = {
            let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
            lanes.retain(|_, lock| Arc::strong_count(lock) > 1);
            Arc::clone(lanes.entry(lane).or_default())
        };
        lock.lock_owned().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Lane {
        Lane::Named(SessionKey::named(name))
    }

    // SES-40, SES-41
    #[tokio::test]
    async fn a_lane_admits_one_call_and_other_lanes_go_on() {
        let lanes = Lanes::default();
        let held = lanes.enter(Lane::Managed).await;
        let other = lanes.enter(named("b")).await;
        let second = lanes.enter(Lane::Managed);
        tokio::pin!(second);
        let waiting = tokio::time::timeout(std::time::Duration::from_millis(20), &mut second).await;
        assert!(waiting.is_err());
        // Others come and go meanwhile: the lane that is in use stays.
        drop(lanes.enter(named("c")).await);
        drop(held);
        second.await;
        drop(other);
    }

    // SES-41
    #[tokio::test]
    async fn lanes_that_nobody_uses_are_forgotten() {
        let lanes = Lanes::default();
        for number in 0..100 {
            drop(lanes.enter(named(&number.to_string())).await);
        }
        assert_eq!(lanes.lanes.lock().unwrap().len(), 1);
    }
}
