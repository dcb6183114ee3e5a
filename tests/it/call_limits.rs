//! One limit for all that is done for a call, and one host that may give up at any time.

use std::pin::pin;
use std::time::{Duration, Instant};

use agent_browser_native::call::CallContext;
use serde_json::{Value, json};

use crate::support::engine::{Said, TestEngine, still_waits};
use crate::support::env::{TestEnv, soon};

const URL: &str = "http://shop.test/";

/// The answer of a call, and how long it took.
async fn timed(call: impl Future<Output = Said>) -> (Said, Duration) {
    let started = Instant::now();
    let said = call.await;
    (said, started.elapsed())
}

/// The answer of a call that its host gives up while it waits, and how long it took.
async fn cancelled(tool: &TestEngine, params: Value) -> (Said, Duration) {
    let context = CallContext { reports_progress: true, ..CallContext::default() };
    let cancel = context.cancel.clone();
    let mut call = pin!(tool.send_in(params, context));
    timed(async {
        // It has started nothing and waits: nothing else can be seen of it.
        still_waits(&mut call).await;
        cancel.cancel();
        call.await
    })
    .await
}

fn fresh(limit: Option<u64>) -> Value {
    let mut params = json!({ "args": ["open", URL], "sessionMode": "fresh" });
    if let Some(ms) = limit {
        params["timeoutMs"] = json!(ms);
    }
    params
}

// HAZ-23: the second process of a call gets what the first one has left of the limit.
#[tokio::test]
async fn a_command_that_is_done_in_two_ways_has_one_limit() {
    let rules = json!([
        { "match": { "row": ["eval"], "contains": "scrollPage(ask)" }, "delayMs": 1_300,
          "value": { "scrollPage": { "scrollable": false, "moved": false } } },
        { "match": { "row": ["scroll"] }, "hang": true },
    ]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    tool.call(&["open", URL]).await;
    let call = tool.send(json!({ "args": ["scroll", "to", "end"], "timeoutMs": 1_500 }));
    let (said, time) = timed(call).await;
    assert_eq!(said.category(), "timeout", "{}", said.text);
    assert!(said.first().contains("stopped after 1500 ms"), "{}", said.text);
    assert!(time < Duration::from_millis(2_450), "{time:?}");
}

// HAZ-23, RUN-09: the close of an earlier browser is no reason to be late; it goes on all the same.
#[tokio::test]
async fn a_start_behind_a_close_that_hangs_keeps_its_limit_and_hears_its_host() {
    let rules = json!([{ "match": { "argv": ["close"] }, "delayMs": 3_000 }]);
    let env = TestEnv::new().script(&rules).with("FAKE_UPSTREAM_DAEMON", "1");
    let tool = TestEngine::new(env);
    tool.call(&["open", URL]).await;
    let started = Instant::now();
    assert!(!tool.send(fresh(None)).await.is_error);
    assert!(soon(|| tool.asked().iter().any(|asked| asked.has("close"))).await);
    let before = tool.asked().len();
    let (late, time) = timed(tool.send(fresh(Some(400)))).await;
    assert_eq!(late.category(), "timeout", "{}", late.text);
    assert!(late.first().contains("stopped after 400 ms, before the command was sent."));
    assert!(time < Duration::from_millis(1_400), "{time:?}");
    let (given_up, time) = cancelled(&tool, fresh(None)).await;
    assert_eq!(given_up.category(), "aborted", "{}", given_up.text);
    assert!(time < Duration::from_millis(1_200), "{time:?}");
    assert_eq!(tool.asked().len(), before, "nothing was started");
    tool.engine.settle().await;
    assert!(started.elapsed() > Duration::from_millis(3_000), "nobody has cut the close off");
    tool.engine.shutdown().await;
}

// HAZ-06, HAZ-23, RUN-09: whoever waits for its turn on a session keeps its limit too.
#[tokio::test]
async fn a_first_call_that_waits_for_its_turn_keeps_its_limit_and_hears_its_host() {
    let rules = json!([{ "match": { "argv": ["batch"] }, "hang": true }]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    let other = TestEngine::with(TestEnv::new(), |options| {
        options.env = tool.env.parent();
        options.places = tool.env.places();
    });
    let open = |limit: u64| json!({ "args": ["--session", "s", "open", URL], "timeoutMs": limit });
    let first = tool.send(open(3_000));
    let behind = async {
        assert!(soon(|| !tool.asked().is_empty()).await);
        let (late, time) = timed(other.send(open(400))).await;
        assert_eq!(late.category(), "timeout", "{}", late.text);
        assert!(time < Duration::from_millis(1_400), "{time:?}");
        let (given_up, time) = cancelled(&other, open(30_000)).await;
        assert_eq!(given_up.category(), "aborted", "{}", given_up.text);
        assert!(time < Duration::from_millis(1_200), "{time:?}");
        assert_eq!(tool.asked().len(), 1, "nothing was started");
    };
    tokio::join!(first, behind);
}
