//! Outcome → lines: one file per family.

pub mod section;
pub mod snapshot;
