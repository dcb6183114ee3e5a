//! Files of a call: verified, repaired, remembered, and results written where the caller wants them.

use std::fs;

use serde_json::{Value, json};

use crate::support::engine::TestEngine;
use crate::support::env::TestEnv;

fn png() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(40, 30).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

pub fn big_text(bytes: usize) -> String {
    "a line of the page\n".repeat(bytes / 19)
}

pub async fn opened(env: TestEnv) -> TestEngine {
    let engine = TestEngine::new(env);
    engine.call(&["open", "https://shop.test/"]).await;
    engine
}

// PRES-SHOT-01, PRES-SHOT-02, ART-02, ART-04, PLAN-60, RES-02
#[tokio::test]
async fn a_screenshot_below_a_dot_directory_is_where_the_caller_wanted_it() {
    let engine = opened(TestEnv::new()).await;
    let said = engine.call(&["screenshot", ".dog/run/x.png"]).await;
    assert!(said.first().starts_with("Screenshot saved and verified: image/png"), "{}", said.text);
    assert!(said.text.contains("Requested path: .dog/run/x.png\nAbsolute path: /"));
    assert_eq!(said.category(), "artifact-saved");
    assert_eq!(said.details["artifactVerification"]["verified"], true);
    assert!(engine.env.path(".dog/run/x.png").is_file());
    assert_eq!(said.details["artifacts"][0]["kind"], "image");
    let path = engine.env.path(".dog/run/x.png").canonicalize().unwrap();
    assert_eq!(said.details["imagePath"].as_str().map(std::path::Path::new), Some(path.as_path()));
}

// PRES-SHOT-02, PI-37
#[tokio::test]
async fn only_a_plain_screenshot_is_shown() {
    use agent_browser_native::call::{Block, CallContext};
    let env = TestEnv::new();
    let picture = env.path("x.png");
    let diff = json!({ "match": { "row": ["diff", "screenshot"] }, "result": { "diffPath": picture, "match": false } });
    let engine = opened(env.script(&json!([diff]))).await;
    fs::write(&picture, png()).unwrap();
    let rows = json!([["get", "title"], ["screenshot", "a.png"]]).to_string();
    for (params, shown) in [
        (json!({ "args": ["screenshot", "a.png"] }), 1),
        (json!({ "args": ["batch"], "stdin": rows }), 1),
        (json!({ "args": ["diff", "screenshot", "--baseline", "a.png", "--output", "x.png"] }), 0),
    ] {
        let reply = engine.engine.call(&params, CallContext::default()).await;
        let images = reply.blocks.iter().filter(|block| matches!(block, Block::Image { .. }));
        assert_eq!(images.count(), shown, "{params}");
        let details = reply.details.as_value();
        let named = details.get("imagePath").or(details.get("imagePaths"));
        assert_eq!(named.is_some(), shown == 1, "{params}: {details}");
    }
}

// PLAN-61, ART-26
#[tokio::test]
async fn a_screenshot_that_upstream_put_elsewhere_is_copied_and_that_is_said() {
    let env = TestEnv::new();
    let temporary = env.path("home/shot-17.png");
    fs::write(&temporary, png()).unwrap();
    let env = env.script(&json!([{
        "match": { "row": ["screenshot"] }, "result": { "path": temporary },
    }]));
    let engine = opened(env).await;
    let said = engine.call(&["screenshot", "shots/a.png"]).await;
    assert!(
        said.first().ends_with("bytes; copied from upstream's temporary file."),
        "{}",
        said.text
    );
    let row = &said.details["artifacts"][0];
    assert_eq!((&row["status"], &row["tempPath"]), (&json!("repaired"), &json!(temporary)));
    assert_eq!(fs::read(engine.env.path("shots/a.png")).unwrap(), png());
}

// ART-08, RES-11, RES-12, ART-09
#[tokio::test]
async fn a_file_that_upstream_only_claims_is_not_verified() {
    let env = TestEnv::new().script(&json!([{
        "match": { "row": ["pdf"] }, "result": { "path": "/nowhere/a.pdf" },
    }]));
    let engine = opened(env).await;
    let said = engine.call(&["pdf", "a.pdf"]).await;
    assert_eq!(said.category(), "artifact-unverified");
    assert!(
        said.first().starts_with("PDF: agent-browser reports success, but the file is not there.")
    );
    assert_eq!(said.details.get("artifactManifest"), None);
}

// ART-11, ART-13, ART-14, DEC-64
#[tokio::test]
async fn the_manifest_stands_in_results_that_changed_it() {
    let engine = opened(TestEnv::new()).await;
    let first = engine.call(&["screenshot", "a.png"]).await;
    let second = engine.call(&["pdf", "b.pdf"]).await;
    let other = engine.call(&["get", "title"]).await;
    assert_eq!(first.details["artifactManifest"]["entries"].as_array().unwrap().len(), 1);
    let entries = second.details["artifactManifest"]["entries"].as_array().unwrap();
    let kinds: Vec<&Value> = entries.iter().map(|entry| &entry["kind"]).collect();
    assert_eq!(kinds, ["image", "pdf"]);
    assert_eq!(entries[1]["storageScope"], "explicit-path");
    assert_eq!(
        second.details["artifactRetentionSummary"],
        "Session artifacts: 2 live, 0 evicted (2/100 recent)"
    );
    // Routine saves keep it out of the text.
    assert!(!second.text.contains("Session artifacts"));
    assert_eq!(other.details.get("artifactManifest"), None);
}

// RED-19
#[tokio::test]
async fn the_manifest_holds_no_arguments_and_no_content() {
    let engine = opened(TestEnv::new()).await;
    let said = engine.call(&["screenshot", "a.png"]).await;
    let entry = said.details["artifactManifest"]["entries"][0].as_object().unwrap();
    let mut keys: Vec<&String> = entry.keys().collect();
    keys.sort();
    assert_eq!(
        keys,
        ["absolutePath", "command", "kind", "path", "retentionState", "sizeBytes", "storageScope"]
    );
}

// SES-28, ART-21, ART-22, ART-24
#[tokio::test]
async fn a_close_leaves_saved_files_and_says_whose_they_are() {
    for word in ["close", "quit", "exit"] {
        let engine = opened(TestEnv::new()).await;
        let shot = engine.call(&["screenshot", "a.png"]).await;
        let said = engine.call(&[word]).await;
        assert!(said.text.contains("\nArtifact lifecycle: "), "{word}: {}", said.text);
        let cleanup = &said.details["artifactCleanup"];
        assert_eq!(cleanup["owner"], "host-file-tools");
        assert_eq!(cleanup["summary"], shot.details["artifactRetentionSummary"], "{word}");
        assert!(cleanup["note"].as_str().unwrap().contains("deletes no saved file"), "{cleanup}");
        let file = engine.env.path("a.png");
        assert_eq!(cleanup["explicitArtifactPaths"], json!([shot.details["artifacts"][0]["path"]]));
        assert!(file.is_file());
    }
    let engine = opened(TestEnv::new()).await;
    let said = engine.call(&["close"]).await;
    assert_eq!(said.details.get("artifactCleanup"), None);
    assert!(!said.text.contains("Artifact lifecycle"));
}

// IN-OUT-01, IN-OUT-02, IN-OUT-03, ART-32, ART-33, DEC-49
#[tokio::test]
async fn a_result_is_written_whole_also_when_the_answer_is_short() {
    let env = TestEnv::new().script(&json!([{
        "match": { "row": ["get", "text"] }, "result": { "origin": "https://shop.test/?token=s3cr3t-v4lu3", "text": big_text(60_000) },
    }]));
    let engine = opened(env).await;
    let said = engine
        .send(json!({ "args": ["get", "text", "main"], "outputPath": "out/deep/text.json" }))
        .await;
    let path = engine.env.path("out/deep/text.json");
    let written = fs::read_to_string(&path).unwrap();
    let value: Value = serde_json::from_str(&written).unwrap();
    assert_eq!(value["text"], big_text(60_000));
    assert!(!written.contains("s3cr3t-v4lu3"));
    assert_eq!(said.details["outputFile"]["bytes"], written.len());
    assert!(said.text.contains("Output saved: /") && said.text.contains("/out/deep/text.json ("));
    let asked = engine.asked();
    assert!(asked.iter().all(|one| !one.argv.iter().any(|word| word.contains("text.json"))));
}

// ART-32, IN-OUT-02
#[tokio::test]
async fn a_result_without_data_is_written_as_the_text_that_the_model_reads() {
    let help = json!({ "help": "agent-browser click\n\nUsage: click <selector>\n", "rules": [] });
    let engine = TestEngine::new(TestEnv::new().script(&help));
    let said = engine.send(json!({ "args": ["click", "--help"], "outputPath": "help.txt" })).await;
    assert!(!said.is_error, "{}", said.text);
    assert_eq!(said.details.get("data"), None);
    let written = fs::read_to_string(engine.env.path("help.txt")).unwrap();
    assert!(written.contains("Usage: click <selector>"), "{written}");
    assert!(said.text.starts_with(written.trim_end()), "{}", said.text);
}

// DEC-49
#[tokio::test]
async fn a_folded_snapshot_is_written_with_all_of_its_refs() {
    let refs: serde_json::Map<String, Value> = (1..=1_500)
        .map(|n| (format!("e{n}"), json!({ "role": "button", "name": format!("Action {n}") })))
        .collect();
    let tree: Vec<String> =
        (1..=1_500).map(|n| format!("- button \"Action {n}\" [ref=e{n}]")).collect();
    let env = TestEnv::new().script(&json!([{
        "match": { "row": ["snapshot"] },
        "result": { "origin": "https://shop.test/", "refs": refs, "snapshot": tree.join("\n") },
    }]));
    let engine = opened(env).await;
    let said = engine.send(json!({ "args": ["snapshot", "-i"], "outputPath": "s.json" })).await;
    assert_eq!(said.details["data"]["compacted"], true);
    let value: Value =
        serde_json::from_str(&fs::read_to_string(engine.env.path("s.json")).unwrap()).unwrap();
    assert_eq!(value["refs"].as_object().unwrap().len(), 1_500);
    assert_eq!(value.get("compacted"), None);
}

// IN-OUT-04, PRES-JSON-01, DEC-105
#[tokio::test]
async fn with_json_the_text_stays_one_document() {
    let engine = opened(TestEnv::new()).await;
    let said = engine
        .send(json!({ "args": ["--json", "get", "title"], "outputPath": "title.json" }))
        .await;
    let value: Value = serde_json::from_str(&said.text).unwrap();
    assert_eq!(value, json!({ "success": true, "data": { "title": "Fake page" }, "error": null }));
    assert!(said.details["outputFile"]["path"].as_str().unwrap().ends_with("/title.json"));
}

// DEC-49
#[tokio::test]
async fn paths_that_cannot_take_a_result_are_refused() {
    let engine = opened(TestEnv::new()).await;
    let before = engine.asked().len();
    for path in ["home", "new/", ""] {
        let said = engine.send(json!({ "args": ["get", "title"], "outputPath": path })).await;
        assert_eq!(said.category(), "validation-error", "{path}");
        assert!(said.first().contains("nothing was done. outputPath "), "{}", said.text);
    }
    std::os::unix::fs::symlink("/usr/share", engine.env.path("leads-out")).unwrap();
    let said =
        engine.send(json!({ "args": ["get", "title"], "outputPath": "leads-out/a.json" })).await;
    assert_eq!(said.category(), "validation-error");
    assert!(said.text.contains("symbolic link"));
    assert_eq!(engine.asked().len(), before, "nothing ran");

    let said =
        engine.send(json!({ "args": ["screenshot", "a.png"], "outputPath": "./a.png" })).await;
    assert_eq!(said.category(), "validation-error");
    assert!(
        said.details["outputFile"]["error"].as_str().unwrap().contains("command itself has saved")
    );
    assert_eq!(said.details["data"]["path"], said.details["artifacts"][0]["path"]);
    assert!(fs::read(engine.env.path("a.png")).unwrap().starts_with(b"\x89PNG"));
}

// DEC-49
#[tokio::test]
async fn a_failed_result_writes_no_file() {
    let engine = opened(TestEnv::new()).await;
    let said = engine.send(json!({ "args": ["click", "#nope"], "outputPath": "a.json" })).await;
    assert!(said.is_error);
    assert!(!engine.env.path("a.json").exists());
}

// RES-57, RES-60, RES-61, RES-64, RES-65, ART-07
#[tokio::test]
async fn files_of_batch_steps_are_rolled_up_in_their_order() {
    let engine = opened(TestEnv::new()).await;
    let rows = json!([
        ["screenshot", "a.png"],
        ["get", "title"],
        ["pdf", "b.pdf"],
        ["screenshot", "c.png"]
    ]);
    let said = engine.send(json!({ "args": ["batch"], "stdin": rows.to_string() })).await;
    let names: Vec<&str> = said.details["artifacts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["requestedPath"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["a.png", "b.pdf", "c.png"]);
    assert_eq!(said.details["artifactVerification"]["verifiedCount"], 3);
    assert_eq!(said.details["imagePaths"].as_array().unwrap().len(), 2);
    assert_eq!(said.details["pageChangeSummary"]["changeType"], "artifact");
    assert_eq!(said.details["pageChangeSummary"]["artifactCount"], 3);
    assert_eq!(said.category(), "artifact-saved");
    assert_eq!(
        said.details["batchSteps"][2]["savedFilePath"],
        said.details["artifacts"][1]["path"]
    );
    assert_eq!(said.details["nextActions"].as_array().unwrap().len(), 3);
}

// RES-60, RES-62, RES-63, RES-65
#[tokio::test]
async fn the_first_failed_step_gives_the_batch_its_category_and_next_actions() {
    let engine = opened(TestEnv::new()).await;
    let rows = json!([["get", "title"], ["click", "#nope"], ["get", "url"]]);
    let said = engine.send(json!({ "args": ["batch"], "stdin": rows.to_string() })).await;
    assert!(said.is_error);
    assert_eq!(said.category(), "selector-not-found");
    let failed = &said.details["batchFailure"]["failedStep"];
    assert_eq!(failed["failureCategory"], "selector-not-found");
    assert_eq!(failed["nextActions"], said.details["nextActions"]);
    let data = said.details["data"].as_array().unwrap();
    let successes: Vec<&Value> = data.iter().map(|row| &row["success"]).collect();
    assert_eq!(successes, [true, false, true]);
    assert_eq!(data[0]["result"]["title"], "Fake page");
    assert!(data[0]["result"].get("lifecycle").is_none());
    let commands: Vec<&Value> = data.iter().map(|row| &row["command"]).collect();
    assert_eq!(json!(commands), rows);
    let errors: Vec<&str> = data.iter().filter_map(|row| row["error"].as_str()).collect();
    let [error] = errors.as_slice() else { panic!("{errors:?}") };
    assert_eq!(data[1]["error"], *error);
    assert!(error.starts_with("Element not found: #nope."), "{error}");
}

// RES-63
#[tokio::test]
async fn the_matrix_of_a_batch_repeats_no_value_of_a_cookie() {
    let error = "Invalid cookie: sid=tulip-4711";
    let rule = json!([{ "match": { "row": ["cookies", "set"] }, "error": error }]);
    let engine = opened(TestEnv::new().script(&rule)).await;
    let rows = json!([["cookies", "set", "sid", "tulip-4711"]]);
    let said = engine.send(json!({ "args": ["batch"], "stdin": rows.to_string() })).await;
    let row = &said.details["data"][0];
    assert_eq!(row["command"], json!(["cookies", "set", "sid", "[REDACTED]"]));
    assert!(row["error"].as_str().unwrap().starts_with("Invalid cookie: "), "{row}");
    assert!(!said.details.to_string().contains("tulip-4711"), "{}", said.details);
}

// RES-57
#[tokio::test]
async fn a_batch_without_files_sums_up_what_its_steps_changed() {
    let engine = opened(TestEnv::new()).await;
    let rows = json!([["fill", "#email", "ann@shop.test"], ["click", "#save"]]);
    let said = engine.send(json!({ "args": ["batch"], "stdin": rows.to_string() })).await;
    let summary = &said.details["pageChangeSummary"];
    assert_eq!(summary["changeType"], "mutation");
    assert!(summary["summary"].as_str().unwrap().contains("Clicked \"#save\""));
    assert_eq!(said.details["batchSteps"][0]["pageChangeSummary"]["command"], "fill");
}

// ART-27, DEC-27
#[tokio::test]
async fn parents_of_every_output_path_are_made_before_the_command_runs() {
    let engine = opened(TestEnv::new()).await;
    let commands = |top: &str| -> Vec<Vec<String>> {
        let path = |name: &str| format!("{top}/{name}/deep/file");
        [
            vec!["screenshot".to_owned(), path("shot") + ".png"],
            vec!["pdf".to_owned(), path("pdf")],
            vec!["download".to_owned(), "#a".to_owned(), path("download")],
            vec!["state".to_owned(), "save".to_owned(), path("state")],
            vec!["wait".to_owned(), "--download".to_owned(), path("wait")],
        ]
        .into()
    };
    for args in commands("one") {
        engine.send(json!({ "args": args })).await;
    }
    let rows = json!(commands("batch")).to_string();
    engine.send(json!({ "args": ["batch"], "stdin": rows })).await;
    for top in ["one", "batch"] {
        for name in ["shot", "pdf", "download", "state", "wait"] {
            assert!(engine.env.path(&format!("{top}/{name}/deep")).is_dir(), "{top} {name}");
        }
    }
}

// ART-34, PLAN-64
#[tokio::test]
async fn annotate_of_a_row_stands_in_front_of_the_batch() {
    // Upstream's own warning about the flag, which is for somebody else.
    let warning = "⚠ --annotate only applies to the screenshot command";
    let warns = json!([{ "match": { "argv": ["batch"] }, "stderr": warning }]);
    let engine = opened(TestEnv::new().script(&warns)).await;
    let rows = json!([["get", "title"], ["screenshot", "--annotate", "a.png"]]).to_string();
    let said = engine.send(json!({ "args": ["batch"], "stdin": rows })).await;
    let asked = engine.asked().pop().unwrap();
    let at = |word: &str| asked.argv.iter().position(|one| one == word);
    assert!(at("--annotate").unwrap() < at("batch").unwrap(), "{:?}", asked.argv);
    assert!(!asked.rows.concat().iter().any(|word| word == "--annotate"), "{:?}", asked.rows);
    assert!(!said.is_error && said.text.contains("a.png"), "{}", said.text);
    let all = format!("{} {}", said.text, said.details);
    assert!(!all.contains("only applies"), "{all}");
}

// PLAN-64
#[tokio::test]
async fn screenshots_without_labels_stay_without_them() {
    let engine = opened(TestEnv::new()).await;
    let rows = json!([
        ["screenshot", "a.png"],
        ["get", "title"],
        ["screenshot", "--annotate", "b.png"],
        ["screenshot", "--annotate", "c.png"],
        ["screenshot", "d.png"],
    ]);
    let before = engine.asked().len();
    let said = engine.send(json!({ "args": ["batch"], "stdin": rows.to_string() })).await;
    assert!(!said.is_error, "{}", said.text);
    let asked = engine.asked().split_off(before);
    let labelled: Vec<(bool, usize)> = asked
        .iter()
        .map(|one| {
            let shots = one.commands().into_iter().filter(|word| *word == "screenshot").count();
            (one.has("--annotate"), shots)
        })
        .collect();
    assert_eq!(labelled, [(false, 1), (true, 2), (false, 1)]);
    assert_eq!(said.details["batchSteps"].as_array().unwrap().len(), 5);
}

// ART-01, ART-03, ART-29
#[tokio::test]
async fn every_command_that_saves_a_file_has_its_row() {
    let saved = |row: &[&str], key: &str, file: &std::path::Path| json!({ "match": { "row": row }, "result": { key: file } });
    let env = TestEnv::new();
    let file = |name: &str| env.path(name);
    let rules = json!([
        saved(&["state", "save"], "path", &file("s.json")),
        saved(&["download"], "path", &file("d.csv")),
        saved(&["wait", "--download"], "path", &file("w.csv")),
        saved(&["trace", "stop"], "path", &file("t.json")),
        saved(&["profiler", "stop"], "path", &file("p.json")),
        saved(&["record", "stop"], "path", &file("r.webm")),
        saved(&["network", "har", "stop"], "path", &file("n.har")),
        { "match": { "row": ["record", "start"] }, "result": { "started": true, "path": file("z.webm") } },
        { "match": { "row": ["diff", "screenshot"] }, "result": { "diffPath": file("x.png"), "match": false } },
    ]);
    let engine = opened(env.script(&rules)).await;
    for (kind, args) in [
        ("image", &["screenshot", "a.png"][..]),
        ("pdf", &["pdf", "a.pdf"]),
        ("state", &["state", "save", "s.json"]),
        ("download", &["download", "#a", "d.csv"]),
        ("download", &["wait", "--download", "w.csv"]),
        ("trace", &["trace", "stop", "t.json"]),
        ("profile", &["profiler", "stop", "p.json"]),
        ("har", &["network", "har", "stop", "n.har"]),
        ("video", &["record", "start", "z.webm"]),
        ("video", &["record", "stop"]),
        ("image", &["diff", "screenshot", "--baseline", "a.png", "--output", "x.png"]),
    ] {
        for name in ["s.json", "d.csv", "w.csv", "t.json", "p.json", "r.webm", "n.har", "x.png"] {
            fs::write(engine.env.path(name), png()).unwrap();
        }
        let said = engine.call(args).await;
        let row = &said.details["artifacts"][0];
        assert!(row.is_object(), "{args:?}: {}", said.text);
        assert_eq!(row["kind"], kind, "{args:?}: {}", said.text);
        let pending = args.starts_with(&["record", "start"]);
        assert_eq!(row["exists"], !pending, "{args:?}: {}", said.text);
        if matches!(args[0], "pdf" | "download" | "wait") {
            assert_eq!(said.details["savedFilePath"], row["path"], "{args:?}");
        }
        if pending {
            assert_eq!(row["recordingState"], "openRecording");
            assert_eq!(row["willExistOnStop"], true);
        }
    }
}

// PAGE-14, GUARD-04
#[tokio::test]
async fn an_open_recording_is_remembered_until_it_is_written() {
    let env = TestEnv::new();
    env.tool("ffmpeg", "exit 0");
    let file = env.path("run.webm");
    let engine = opened(env.script(&json!([
        { "match": { "row": ["record", "start"] }, "result": { "started": true, "path": file } },
        { "match": { "row": ["record", "stop"] }, "result": { "path": file, "frames": 9 } },
    ])))
    .await;
    engine.engine.heed_prompt("Record the visit to run.webm, then close.");
    assert_eq!(engine.call(&["close"]).await.next(), Vec::<Value>::new());
    engine.call(&["record", "start", "run.webm"]).await;
    let refused = engine.call(&["close"]).await;
    assert_eq!(refused.category(), "policy-blocked");
    assert_eq!(refused.next(), [json!({ "args": ["record", "stop"] })]);
    fs::write(engine.env.path("run.webm"), "video").unwrap();
    engine.call(&["record", "stop"]).await;
    let closed = engine.call(&["close"]).await;
    assert_eq!(
        closed.text,
        "Closed the browser.\nArtifact lifecycle: Closing deletes no saved file; remove files at chosen paths \
         with the host's file tools."
    );
}

// PAGE-14, ART-30
#[tokio::test]
async fn a_close_ends_the_open_recording_and_says_where_it_is() {
    let env = TestEnv::new();
    let file = env.path("run.webm");
    let start = json!({ "match": { "row": ["record", "start"] }, "result": { "path": file } });
    let engine = opened(env.script(&json!([start]))).await;
    engine.call(&["record", "start", "run.webm"]).await;
    fs::write(&file, "video").unwrap();
    let closed = engine.call(&["close"]).await;
    assert!(
        closed.text.starts_with("Closed the browser.\nRecording saved and verified: "),
        "{}",
        closed.text
    );
    assert_eq!(closed.details["artifacts"][0]["path"], json!(file));
    assert_eq!(closed.category(), "artifact-saved");
    engine.call(&["open", "https://shop.test/"]).await;
    assert_eq!(engine.call(&["close"]).await.details["artifacts"], Value::Null);
}

// RED-12, RED-01
#[tokio::test]
async fn the_path_of_a_picture_passes_the_gate_like_every_text() {
    use agent_browser_native::call::{Block, CallContext};
    let engine = opened(TestEnv::new()).await;
    let params = json!({ "args": ["screenshot", "shots/access_token=s3cr3t-t0k3n-77aa/a.png"] });
    let reply = engine.engine.call(&params, CallContext::default()).await;
    let path = reply.blocks.iter().find_map(|block| match block {
        Block::Image { path, .. } => Some(path.as_str()),
        Block::Text(_) => None,
    });
    let path = path.unwrap();
    assert!(path.contains("access_token=") && !path.contains("s3cr3t"), "{path}");
}
