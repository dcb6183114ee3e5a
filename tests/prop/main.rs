//! Properties over generated input: 10,000 cases each, more with `PROPTEST_CASES` or `ABN_FULL=1`.
//!
//! A failing case leaves its seed in `tests/prop/regressions/`; commit it, and it is tried first
//! from then on.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    unreachable_pub,
    reason = "tests"
)]

mod decoder;
mod envelopes;
mod folds;
mod forging;
mod grammar;
mod json;
mod redaction;
mod snapshots;

use proptest::test_runner::{Config, FileFailurePersistence};

const CASES: u32 = 10_000;
const FULL_CASES: u32 = 200_000;

/// The same for a property that needs files: a tenth of the cases.
fn config_with_files(seeds: &'static str) -> Config {
    let usual = config(seeds);
    Config { cases: usual.cases.div_ceil(10), ..usual }
}

/// The configuration of a target; `seeds` is its file below the package.
fn config(seeds: &'static str) -> Config {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    let full = std::env::var("ABN_FULL").is_ok_and(|value| value == "1");
    Config {
        cases: cases.unwrap_or(if full { FULL_CASES } else { CASES }),
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(seeds))),
        max_shrink_iters: 5_000,
        ..Config::default()
    }
}
