//! Upstream's global flags.
