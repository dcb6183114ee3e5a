//! Integration tests: one binary, everything through the library or the built program.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    unreachable_pub,
    reason = "tests"
)]

mod bad_input;
mod call_modes;
mod call_refs;
mod call_session;
mod call_time;
mod doctor;
mod guard_classes;
mod guard_paths;
mod present_recorded;
mod process_end;
mod process_pipes;
mod process_places;
mod process_stand_in;
mod process_start;
mod process_upstream;
mod setup;
mod support;
