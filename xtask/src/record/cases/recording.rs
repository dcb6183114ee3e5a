//! Video recordings, with a stand-in for ffmpeg that keeps what it is given.

use crate::record::case::{Case, Words, on};

const ENVS: &[(&str, &str)] = &[("PATH", "{out}/bin:/usr/bin:/bin")];
const START: Words = &["record", "start", "{out}/first.webm"];
const STOP: &[Words] = &[&["record", "stop"]];

pub(in crate::record) const CASES: &[Case] = &[
    on("form.html", "record/start", START).envs(ENVS).after(STOP),
    on("form.html", "record/restart", &["record", "restart", "{out}/second.webm"])
        .envs(ENVS)
        .before(&[START])
        .after(STOP),
    on("form.html", "record/stop", &["record", "stop"]).envs(ENVS).before(&[START]),
    on("form.html", "record/stop-contact-sheet", &["record", "stop"]).envs(ENVS).before(&[&[
        "record",
        "start",
        "{out}/third.webm",
        "--contact-sheet",
    ]]),
];
