//! Live tests: the real upstream and a real Chromium, pages on loopback, through the real doors.
//!
//! A missing upstream or browser fails them; nothing here skips. Every test that starts a browser
//! is named `live_…`, so that runners can keep them apart. `ABN_FULL=1` runs all rounds.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    unreachable_pub,
    reason = "tests"
)]

mod baseline;
mod budgets;
mod diagnose;
mod dialogs;
mod economy;
mod effects;
mod effects_table;
mod electron;
mod false_alarms;
mod fills;
mod hazards;
mod hazards_raw;
mod help;
mod insert;
mod jobs;
mod kill;
mod libraries;
mod lookup;
mod mode_hazards;
mod not_loaded;
mod nothing_left;
mod one_process;
mod page_views;
mod parallel;
mod qa;
mod real_pages;
mod rewrites;
mod scroll;
mod smoke;
#[allow(dead_code, reason = "each suite uses a part of it")]
mod support;
mod tabs;
mod time;
mod trouble;
mod upstream_shows;
mod verdicts;
mod wrong_element;
