//! The tool as hosts see it, kept in a golden file.

use std::path::Path;

use agent_browser_native::input::schema::{DESCRIPTION, TOOL_NAME, input_schema};
use serde_json::json;

const GOLDEN: &str = "tests/fixtures/tool.json";

// IN-GEN-01, IN-GEN-02, DEC-103
#[test]
fn the_tool_is_the_one_in_the_golden_file() {
    let tool =
        json!({ "name": TOOL_NAME, "description": DESCRIPTION, "inputSchema": input_schema() });
    let shown = format!("{}\n", serde_json::to_string_pretty(&tool).unwrap());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(GOLDEN);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &shown).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(shown, golden, "UPDATE_GOLDEN=1 writes {GOLDEN} anew");
}

// IN-GEN-09, SRC-01, NET-01
#[test]
fn lookups_are_called_experimental_and_candidates() {
    for mode in ["sourceLookup", "networkSourceLookup"] {
        let schema = input_schema();
        let says = schema["properties"][mode]["description"].as_str().unwrap().to_owned();
        assert!(says.starts_with("Experimental: ") && says.contains("candidates"), "{says}");
    }
}

// DEC-104
#[test]
fn the_tool_stays_small() {
    let tool =
        json!({ "name": TOOL_NAME, "description": DESCRIPTION, "inputSchema": input_schema() });
    assert!(tool.to_string().len() <= 5_700, "{} bytes", tool.to_string().len());
}
