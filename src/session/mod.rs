//! State between calls: keys, facts and their fold, journals, leases and locks.

pub mod artifact;
pub mod carry;
pub mod dialog;
pub mod electron;
pub mod fact;
pub mod journal;
pub mod key;
pub mod lease;
pub mod lock;
mod prune;
pub mod reap;
pub mod refs;
pub mod state;
pub mod target;
pub mod turn;
