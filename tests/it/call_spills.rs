//! Output that is too long to show: where it is kept, for how long, and what is said of it.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::call_files::{big_text, opened};
use crate::support::env::TestEnv;

// ART-15, ART-05, ART-06, PRES-BIG-01
#[tokio::test]
async fn long_output_is_kept_and_the_text_says_where() {
    let env = TestEnv::new().script(&json!([{
        "match": { "row": ["get", "text"] }, "result": { "origin": "https://shop.test/", "text": big_text(40_000) },
    }]));
    let engine = opened(env).await;
    let said = engine.call(&["get", "text", "main"]).await;
    let path = said.text.lines().find_map(|line| line.strip_prefix("Full output path: ")).unwrap();
    assert_eq!(fs::read_to_string(path).unwrap(), big_text(40_000));
    assert!(
        said.text.ends_with("Session artifacts: 0 live, 0 evicted, 2 ephemeral (2/100 recent)"),
        "{}",
        said.text
    );
    assert_eq!(said.details["fullOutputPath"], path);
    assert_eq!(said.details["data"]["compacted"], true);
    let rows = said.details["artifactVerification"]["artifacts"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["kind"] == "spill" && row["state"] == "verified"));
    assert_eq!(said.details["artifactVerification"]["verified"], true);
    assert_eq!(said.category(), "completed");
}

// ART-04, ART-06
#[tokio::test]
async fn a_kept_file_that_had_to_go_again_leaves_the_result_unverified() {
    // The second file of the call has no room beside the first one.
    let env = TestEnv::new().with("PI_AGENT_BROWSER_SESSION_ARTIFACT_MAX_BYTES", "30000").script(
        &json!([{ "match": { "row": ["get", "text"] }, "result": { "text": big_text(20_000) } }]),
    );
    let said = opened(env).await.call(&["get", "text", "main"]).await;
    let told = &said.details["artifactVerification"];
    assert_eq!(told["artifacts"].as_array().unwrap().len(), 2, "{told}");
    assert_eq!(told["verified"], false, "{told}");
    let counts = ["verifiedCount", "missingCount", "pendingCount", "unverifiedCount"];
    assert_eq!(counts.map(|key| told[key].as_u64().unwrap()), [1, 0, 0, 1], "{told}");
}

// ART-16, ART-20
#[tokio::test]
async fn what_was_deleted_to_make_room_is_reported() {
    let env = TestEnv::new().with("PI_AGENT_BROWSER_SESSION_ARTIFACT_MAX_BYTES", "50000").script(
        &json!([{
            "match": { "row": ["get", "text"] }, "result": { "text": big_text(20_000) },
        }]),
    );
    let engine = opened(env).await;
    engine.call(&["get", "text", "main"]).await;
    let said = engine.call(&["get", "text", "main"]).await;
    assert!(said.text.contains("older output files were deleted to make room."), "{}", said.text);
    let manifest = &said.details["artifactManifest"];
    assert!(manifest["evictedCount"].as_u64().unwrap() > 0);
    let env = TestEnv::new().with("PI_AGENT_BROWSER_SESSION_ARTIFACT_MAX_BYTES", "1000").script(
        &json!([{ "match": { "row": ["get", "text"] }, "result": { "text": big_text(20_000) } }]),
    );
    let said = opened(env).await.call(&["get", "text", "main"]).await;
    assert!(
        said.text.contains("Full output path: none, the file could not be written"),
        "{}",
        said.text
    );
    assert!(said.details["spillError"].is_string());
}

// ART-16
#[tokio::test]
async fn thirty_two_mebibytes_of_output_are_kept() {
    const MIB: u64 = 1024 * 1024;
    let rule =
        json!([{ "match": { "row": ["get", "text"] }, "result": { "text": big_text(20_000) } }]);
    let engine = opened(TestEnv::new().script(&rule)).await;
    let said = engine.call(&["get", "text", "main"]).await;
    let kept = Path::new(said.details["fullOutputPath"].as_str().unwrap());
    // An old file takes most of the room, and then all of it.
    let old = kept.with_file_name("old.txt");
    let file = fs::File::create(&old).unwrap();
    for (size, stays) in [(31 * MIB, true), (32 * MIB, false)] {
        file.set_len(size).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
        engine.call(&["get", "text", "main"]).await;
        assert_eq!(old.exists(), stays, "{size}");
    }
    assert!(kept.exists());
}
