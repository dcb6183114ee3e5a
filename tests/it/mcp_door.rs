//! The MCP door where its host leaves.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::env::{TestEnv, soon};
use crate::support::host::Host;

// DEC-106
#[tokio::test]
async fn a_host_that_leaves_in_the_middle_of_a_call_does_not_wait_for_it() {
    let env = TestEnv::new().script(&json!([
        {"match": {"row": ["open"]}, "hang": true},
    ]));
    let mut host = Host::mcp(&env).await;
    let call = json!({ "args": ["open", "http://shop.test/slow"] });
    host.send("tools/call", json!({ "name": "agent_browser", "arguments": call })).await;
    let sent = || env.log().iter().any(|entry| entry.to_string().contains("slow"));
    assert!(soon(sent).await);
    let began = Instant::now();
    assert_eq!(host.end().await, 0);
    // rmcp alone would wait for 5 s before the clean-up begins.
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}
