//! One browser tool for coding agents over the CLI `agent-browser`.
//!
//! A call walks through the folders in this order: `door` → `input` → `command` → `session` →
//! `guard` → `plan` → `diagnose` → `run` → `envelope` → `diagnose` → `session` → `present` →
//! `redact` → `artifact` → `door`. `call` is the only module that names every stage.

pub mod address;
pub mod artifact;
pub mod call;
pub mod command;
pub mod config;
pub mod demo;
pub mod diagnose;
pub mod docs;
pub mod doctor;
pub mod door;
pub mod electron;
pub mod envelope;
pub mod error;
pub mod file_fact;
pub mod guard;
pub mod input;
pub mod line;
pub mod lookup;
pub mod outcome;
pub mod plan;
pub mod playbook;
pub mod present;
pub mod probe;
pub mod redact;
pub mod run;
pub mod search;
pub mod session;
pub mod setup;
