//! `docs/MCP_CLIENTS.md` says what these tests prove, and nothing else.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::file;
use crate::scenarios::{Applies, SCENARIOS};
use crate::sdk::STEPS;

fn version_of(package: &str) -> String {
    let text = fs::read_to_string(file("package.json")).unwrap();
    let json: Value = serde_json::from_str(&text).unwrap();
    json["dependencies"][package].as_str().unwrap().to_owned()
}

fn python_version() -> String {
    let text = fs::read_to_string(file("requirements.txt")).unwrap();
    text.lines().find_map(|line| line.strip_prefix("mcp==")).unwrap().to_owned()
}

fn page() -> String {
    let mut text = format!(
        "# Foreign MCP clients\n\nWritten from `tests/clients`, which `cargo xtask test` runs; \
         `ABN_WRITE_DOCS=1 cargo test --test clients` writes it anew.\n\nThe door is \
         `agent-browser-native mcp` on stdin and stdout. A stand-in plays upstream.\n\n## SDK \
         clients\n\n| step | TypeScript `@modelcontextprotocol/sdk` {} | Python `mcp` {} |\n\
         |---|---|---|\n",
        version_of("@modelcontextprotocol/sdk"),
        python_version(),
    );
    for step in STEPS {
        let _ = writeln!(text, "| {step} | passes | passes |");
    }
    let _ = write!(
        text,
        "\n`progress`: a call of 4.5 s with a token gets notifications. `cancel`: the call is \
         aborted after 0.5 s and the next one answers. `close`: the program ends by itself when \
         its input is closed.\n\n## Conformance suite\n\n`@modelcontextprotocol/conformance` {} \
         speaks streamable HTTP only; `tests/clients/stdio_to_http.mjs` stands between. Most of \
         its server scenarios are about the tools, resources and prompts of its own example \
         server.\n\n| scenario | result |\n|---|---|\n",
        version_of("@modelcontextprotocol/conformance"),
    );
    for (scenario, applies) in SCENARIOS {
        let result = match applies {
            Applies::Yes => "passes".to_owned(),
            Applies::No(why) => format!("does not apply: {why}"),
        };
        let _ = writeln!(text, "| {scenario} | {result} |");
    }
    text
}

#[test]
fn the_page_about_clients_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/MCP_CLIENTS.md");
    let fresh = page();
    if std::env::var_os("ABN_WRITE_DOCS").is_some() {
        fs::write(&path, &fresh).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), fresh);
}
