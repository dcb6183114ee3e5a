//! Commands that write or read files.

use crate::record::case::{Case, case, on};

pub(in crate::record) const CASES: &[Case] = &[
    on("form.html", "screenshot/path", &["screenshot", "{out}/a.png"]),
    on("form.html", "screenshot/default-path", &["screenshot"]),
    on("form.html", "screenshot/element", &["screenshot", "#intro", "{out}/b.png"]),
    on("form.html", "screenshot/full", &["screenshot", "--full", "{out}/c.png"]),
    on("form.html", "screenshot/jpeg", &["screenshot", "{out}/d.jpg"])
        .globals(&["--screenshot-format", "jpeg"]),
    on("links.html", "screenshot/annotated", &["screenshot", "--annotate", "{out}/e.png"]).fresh(),
    on("form.html", "screenshot/missing-folder", &["screenshot", "{out}/no/such/a.png"]).fresh(),
    on("form.html", "screenshot/missing-element", &["screenshot", "#nope", "{out}/f.png"]),
    on("form.html", "screenshot/no-size", &["screenshot", "#empty", "{out}/g.png"]),
    on("form.html", "screenshot/folder-option", &["--screenshot-dir", "{out}/shots", "screenshot"]),
    on("form.html", "screenshot/unchanged", &["screenshot", "--if-changed", "{out}/k.png"])
        .before(&[&["screenshot", "--if-changed", "{out}/k.png"]]),
    on("form.html", "pdf/path", &["pdf", "{out}/a.pdf"]),
    on("form.html", "pdf/missing-folder", &["pdf", "{out}/no/such/a.pdf"]),
    on("links.html", "download/link", &["download", "#report", "{out}/report.csv"]),
    on("links.html", "download/missing-element", &["download", "#nope", "{out}/x.csv"]),
    on("form.html", "upload/file", &["upload", "#file", "{out}/upload.txt"]),
    on("form.html", "upload/not-a-file-input", &["upload", "#email", "{out}/upload.txt"]),
    on("form.html", "upload/missing-file", &["upload", "#file", "{out}/none.txt"]),
    on("form.html", "state/save", &["state", "save", "{out}/saved.json"]),
    case("state/load", &["state", "load", "{out}/saved.json"]),
    case("state/load-missing", &["state", "load", "{out}/none.json"]),
    case("state/save-missing-folder", &["state", "save", "{out}/no/such/s.json"]),
    case("state/list", &["state", "list"]),
    on("form.html", "trace/start", &["trace", "start"]),
    case("trace/start-twice", &["trace", "start"]),
    case("profiler/start-while-tracing", &["profiler", "start"]),
    case("trace/stop", &["trace", "stop", "{out}/trace.json"]),
    case("trace/stop-none", &["trace", "stop", "{out}/trace.json"]),
    case("profiler/start", &["profiler", "start"]),
    case("profiler/stop", &["profiler", "stop", "{out}/profile.json"]),
    case("profiler/stop-none", &["profiler", "stop", "{out}/profile.json"]),
    case("record/start-without-ffmpeg", &["record", "start", "{out}/a.webm"]).absent("ffmpeg"),
    case("record/start-without-ending", &["record", "start", "{out}/a"]),
    case("record/stop-none", &["record", "stop"]),
    on("form.html", "diff/screenshot-same", &["diff", "screenshot", "--baseline", "{out}/h.png"])
        .before(&[&["screenshot", "{out}/h.png"]]),
    on(
        "links.html",
        "diff/screenshot-output",
        &["diff", "screenshot", "--baseline", "{out}/h.png", "--output", "{out}/diff.png"],
    ),
    case("diff/screenshot-missing", &["diff", "screenshot", "--baseline", "{out}/none.png"]),
    on("links.html", "diff/snapshot", &["diff", "snapshot"]),
    case("diff/snapshot-baseline", &["diff", "snapshot", "--baseline", "{out}/baseline.txt"]),
    case("diff/url", &["diff", "url", "{u}/blank.html", "{u}/inner.html"]),
];
