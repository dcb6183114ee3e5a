//! State between calls: keys, facts and their fold, journals, leases and locks.

pub mod artifact;
pub mod carry;
pub mod dialog;
pub mod electron;
#[cfg(test)]
mod ending_tests;
pub mod fact;
pub mod journal;
pub mod key;
pub mod lease;
pub mod lock;
mod prune;
pub mod reap;
#[cfg(test)]
mod reap_tests;
pub mod refs;
pub mod state;
pub mod target;
pub mod turn;
