//! What several test files share.

pub mod engine;
pub mod env;
