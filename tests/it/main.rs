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
mod call_bounds;
mod call_busy;
mod call_close;
mod call_diagnose;
mod call_failures;
mod call_files;
mod call_launch;
mod call_limits;
mod call_modes;
mod call_newer;
mod call_progress;
mod call_refs;
mod call_rewrites;
mod call_scroll;
mod call_session;
mod call_spills;
mod call_state;
mod call_steps;
mod call_tabs;
mod call_time;
mod call_turn;
mod config;
mod docs;
mod doctor;
mod door_parity;
mod every_command;
mod exit_codes;
mod guard_absent;
mod guard_classes;
mod guard_paths;
mod hostile_pages;
mod job_steps;
mod mcp_door;
mod mode_electron;
mod mode_electron_calls;
mod mode_electron_end;
mod mode_lookup;
mod next_actions;
mod parallel;
mod present_recorded;
mod process_end;
mod process_pipes;
mod process_places;
mod process_stand_in;
mod process_start;
mod process_upstream;
mod reaping;
mod redact_exits;
mod result_contract;
mod rpc_door;
mod rpc_sessions;
mod schema;
mod session_outcome;
mod setup;
mod support;
mod web_search;
