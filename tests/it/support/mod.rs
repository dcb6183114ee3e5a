//! What several test files share.

pub mod env;
pub mod host;
