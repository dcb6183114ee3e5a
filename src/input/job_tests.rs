use super::*;

fn rows(step: Value) -> Vec<Vec<String>> {
    Job::decode(&json!({"steps": [step]})).unwrap().compile().rows.unwrap()
}

fn refused(job: Value) -> String {
    Job::decode(&job).unwrap_err().message.plain()
}

// IN-JOB-02, IN-JOB-03, IN-JOB-04, IN-JOB-05, IN-JOB-07, IN-JOB-08
#[test]
fn steps_become_rows_of_one_batch() {
    let job = json!({"steps": [{"action": "open", "url": "http://a.test/", "loadState": "load"}]});
    let compiled = Job::decode(&job).unwrap().compile();
    assert_eq!(compiled.args, ["batch", "--bail"]);
    assert_eq!(
        compiled.rows.unwrap(),
        [vec!["open", "http://a.test/"], vec!["wait", "--load", "load"]]
    );
    assert_eq!(compiled.echo[0].1["failFast"], true);
    let slow = json!({"steps": [{"action": "snapshot"}], "failFast": false});
    assert_eq!(Job::decode(&slow).unwrap().compile().args, ["batch"]);
}

// IN-JOB-09, IN-JOB-10, IN-JOB-15, IN-JOB-16, IN-JOB-17, IN-JOB-19, IN-JOB-20, IN-JOB-21, IN-JOB-06
#[test]
fn every_action_has_its_row() {
    let one = |step| rows(step).remove(0);
    assert_eq!(one(json!({"action": "click", "selector": "@e1"})), ["click", "@e1"]);
    assert_eq!(
        one(json!({"action": "click", "locator": "role", "role": "button", "name": "Go"})),
        ["find", "role", "button", "click", "--name", "Go"]
    );
    assert_eq!(one(json!({"action": "fill", "selector": "#a", "text": "b"})), ["fill", "#a", "b"]);
    assert_eq!(
        one(json!({"action": "select", "selector": "#a", "value": "b"})),
        ["select", "#a", "b"]
    );
    assert_eq!(
        one(json!({"action": "select", "selector": "#a", "values": ["b", "c d"]})),
        ["select", "#a", "b", "c d"]
    );
    let nothing = json!({"steps": [{"action": "select", "selector": "#a"}]});
    assert!(refused(nothing).contains("job.steps[0]"));
    assert_eq!(one(json!({"action": "wait", "milliseconds": 5})), ["wait", "5"]);
    assert_eq!(one(json!({"action": "assertText", "text": "x"})), ["wait", "--text", "x"]);
    assert_eq!(one(json!({"action": "waitForDownload", "path": "x"})), ["wait", "--download", "x"]);
    assert_eq!(one(json!({"action": "screenshot", "path": "x.png"})), ["screenshot", "x.png"]);
    assert_eq!(one(json!({"action": "snapshot"})), ["snapshot", "-i"]);
}

// IN-JOB-23, IN-JOB-22
#[test]
fn no_step_gets_a_row_that_nobody_asked_for_and_selectors_stay_as_they_are() {
    let steps = json!([{"action": "click", "selector": "@e7"}, {"action": "click", "selector": "a > b[x='1']"}]);
    let rows = Job::decode(&json!({ "steps": steps })).unwrap().compile().rows.unwrap();
    assert_eq!(rows, [["click", "@e7"], ["click", "a > b[x='1']"]]);
}

// HAZ-21, IN-JOB-11, IN-JOB-12, IN-JOB-13, DEC-44
#[test]
fn typing_sends_keystrokes_and_other_characters_as_text() {
    let typed = rows(json!({"action": "type", "selector": "#q", "text": "a é", "press": "Enter"}));
    let expected = [
        vec!["focus", "#q"],
        vec!["press", "a"],
        vec!["press", "Space"],
        vec!["keyboard", "type", "é"],
        vec!["press", "Enter"],
    ];
    assert_eq!(typed, expected);
    let slow = rows(json!({"action": "type", "text": "ab", "delayMs": 30}));
    assert_eq!(slow, [vec!["press", "a"], vec!["wait", "30"], vec!["press", "b"]]);
    let long = rows(json!({"action": "type", "text": "x".repeat(300)}));
    assert_eq!(long.len(), 1);
    let limit = json!({"steps": [{"action": "type", "text": "x".repeat(201), "delayMs": 1}]});
    assert!(refused(limit).contains("201 characters"));
}

// DEC-44
#[test]
fn what_a_step_and_a_job_may_hold_is_limited() {
    let typed = |count: usize, delay: Option<u64>| {
        let step = json!({"action": "type", "text": "x".repeat(count), "delayMs": delay});
        Job::decode(&json!({"steps": [step]})).map(|job| job.compile().rows.unwrap().len())
    };
    assert_eq!(typed(10_000, None).unwrap(), 1);
    assert!(typed(10_001, None).unwrap_err().message.plain().contains("10001 characters"));
    assert_eq!(typed(200, Some(2_000)).unwrap(), 399);
    for delay in [0, 2_001] {
        let said = typed(2, Some(delay)).unwrap_err().message.plain();
        assert!(said.starts_with("job.steps[0].delayMs must be a whole number from 1 to 2000"));
    }
    assert_eq!(rows(json!({"action": "wait", "milliseconds": 600_000})), [["wait", "600000"]]);
    let long = json!({"steps": [{"action": "wait", "milliseconds": 600_001}]});
    assert!(refused(long).contains("from 1 to 600000"));
    let slow = json!({"action": "type", "text": "x".repeat(200), "delayMs": 1});
    let job = |count: usize, more: usize| {
        let mut steps = vec![slow.clone(); count];
        steps.extend(vec![json!({"action": "snapshot"}); more]);
        json!({ "steps": steps })
    };
    let full = Job::decode(&job(2, 98)).unwrap().compile().rows.unwrap().len();
    assert_eq!(full, 896);
    assert_eq!(refused(job(3, 0)), "the job needs 1197 rows, the limit is 1000.");
}

// HAZ-20, IN-JOB-18
#[test]
fn an_absolute_url_is_compared_as_a_whole() {
    let exact = url_assertion("http://shop.test/home");
    assert_eq!(exact[1], "--fn");
    assert!(exact[2].contains("\"http://shop.test/home\""));
    assert_eq!(asserted_url(&exact[2]).as_deref(), Some("http://shop.test/home"));
    assert_eq!(asserted_url("location.href === 'x'"), None);
    assert_eq!(url_assertion("**/home?x=1"), ["wait", "--url", "**/home?x=1"]);
    for part in ["/home", "localhost:3000/home", "file:///**/a.html"] {
        assert_eq!(url_assertion(part), ["wait", "--url", part]);
    }
    for whole in ["file:///home/ann/a.html", "about:blank", "http://[::1]:80/a#b"] {
        assert_eq!(asserted_url(&url_assertion(whole)[2]).as_deref(), Some(whole));
    }
    for url in ["**/a?b=1&c=*", "http://shop.test/home"] {
        assert_eq!(rows(json!({"action": "assertUrl", "url": url})), [url_assertion(url)]);
    }
}

// IN-JOB-01, IN-JOB-06
#[test]
fn wrong_steps_are_refused_by_their_place() {
    assert_eq!(refused(json!({})), "job.steps is missing.");
    assert!(refused(json!({"steps": []})).contains("1 to 100 steps"));
    let many = vec![json!({"action": "snapshot"}); 101];
    assert!(refused(json!({"steps": many})).contains("1 to 100 steps"));
    assert!(
        refused(json!({"steps": [{"action": "hover"}]}))
            .starts_with("job.steps[0].action must be one of")
    );
    assert!(
        refused(json!({"steps": [{"action": "open"}]})).contains("job.steps[0].url is missing")
    );
    let extra = json!({"steps": [{"action": "snapshot", "url": "x"}]});
    assert!(refused(extra).contains("job.steps[0].url does not belong to snapshot"));
    assert!(
        refused(json!({"steps": [{"action": "wait", "milliseconds": 0}]}))
            .contains("from 1 to 600000")
    );
}
