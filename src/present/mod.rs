//! Outcome → lines: one file per family.

pub mod budget;
pub mod section;
pub mod text;
