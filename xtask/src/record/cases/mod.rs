//! Every recorded case, one file per family of commands.

mod arguments;
mod batch;
mod dialog;
mod eval;
mod files;
mod find;
mod interaction;
mod local;
mod misses;
mod navigation;
mod network;
mod policy;
mod reading;
mod recording;
mod reports;
mod session;
mod settings;
mod slow;
mod snapshot;
mod tabs;
mod wait;

use super::case::Family;

/// The families, each with a browser of its own.
pub(super) const FAMILIES: &[Family] = &[
    arguments::CASES,
    batch::CASES,
    batch::INPUT,
    dialog::CASES,
    eval::CASES,
    files::CASES,
    find::CASES,
    interaction::CASES,
    local::CASES,
    misses::CASES,
    navigation::CASES,
    network::CASES,
    policy::CASES,
    reading::CASES,
    recording::CASES,
    reports::CASES,
    session::CASES,
    settings::CASES,
    slow::CASES,
    snapshot::CASES,
    tabs::CASES,
    wait::CASES,
];
