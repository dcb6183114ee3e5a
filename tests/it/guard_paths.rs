//! Which files and addresses calls may name.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::json;

use crate::support::engine::{Said, TestEngine};
use crate::support::env::TestEnv;
use crate::support::mcp::Mcp;

/// `work` is the host's directory; `temp` the temporary one; everything else is outside.
fn world() -> TestEnv {
    let mut env = TestEnv::new();
    env.set("TMPDIR", env.path("temp").to_str().unwrap().to_owned());
    for name in ["work/in.txt", "home/secret.txt", "temp/in.txt", "data/in.txt"] {
        fs::write(env.path(name), "x").unwrap();
    }
    env
}

fn confined() -> TestEngine {
    TestEngine::with(world(), |options| {
        options.cwd = options.cwd.join("work").canonicalize().unwrap();
        options.confine = Some(Vec::new());
    })
}

fn assert_blocked(said: &Said, what: &str) {
    assert_eq!((said.is_error, said.category()), (true, "policy-blocked"), "{what}: {}", said.text);
    assert!(
        said.text.contains("nothing was ") && said.text.contains("--unconfined"),
        "{}",
        said.text
    );
    assert_eq!(said.details["timing"]["upstreamProcesses"], 0, "{what}");
}

// DEC-101
#[tokio::test]
async fn paths_outside_of_a_confined_door_are_refused_before_spawn() {
    let tool = confined();
    let secret = tool.env.path("home/secret.txt");
    let secret = secret.to_str().unwrap();
    let page = format!("file://{secret}");
    let calls: &[&[&str]] = &[
        &["upload", "#f", secret],
        &["upload", "#f", "in.txt", secret],
        &["upload", "#f", "../home/secret.txt"],
        &["open", &page],
        &["goto", &page],
        &["tab", "new", &page],
        &["open", "view-source:file:///etc/hostname"],
        &["open", "file://host/share/x"],
        &["state", "load", secret],
        &["state", "show", "/etc/hostname"],
        &["state", "save", secret],
        &["cookies", "set", "--curl", secret],
        &["screenshot", secret],
        &["screenshot", "#main", secret],
        &["pdf", secret],
        &["download", "#a", secret],
        &["wait", "--download", secret],
        &["record", "start", "/etc/x.webm"],
        &["trace", "stop", secret],
        &["profiler", "stop", secret],
        &["network", "har", "stop", secret],
        &["diff", "snapshot", "--baseline", secret],
        &["diff", "screenshot", "--baseline", "in.txt", "--output", secret],
        &["diff", "screenshot", "-b", "in.txt", "-o", "ok.png", "-o", secret],
        &["diff", "screenshot", "-b", "in.txt", "-o", secret, "--output=ok.png"],
        &["webmcp", "invoke", "t", "--params", "@/etc/hostname"],
        &["--state", secret, "open", "about:blank"],
        &["--init-script", secret, "open", "about:blank"],
        &["--extension", "/etc", "open", "about:blank"],
        &["--profile", "/etc", "open", "about:blank"],
        &["--profile", "~/secret.txt", "open", "about:blank"],
        &["--download-path", "/etc", "open", "about:blank"],
        &["--screenshot-dir", "/etc", "screenshot"],
        &["--action-policy", secret, "open", "about:blank"],
        &["--allow-file-access", "open", "about:blank"],
    ];
    for args in calls {
        assert_blocked(&tool.call(args).await, &args.join(" "));
    }
    let rows = json!([["get", "title"], ["upload", "#f", secret]]).to_string();
    assert_blocked(&tool.send(json!({ "args": ["batch"], "stdin": rows })).await, "batch");
    assert!(tool.asked().is_empty());
}

// DEC-101
#[tokio::test]
async fn links_are_resolved_before_a_path_is_judged() {
    let tool = confined();
    symlink(tool.env.path("home"), tool.env.path("work/out")).unwrap();
    symlink(tool.env.path("home/new.png"), tool.env.path("work/dangling.png")).unwrap();
    symlink(tool.env.path("work"), tool.env.path("home/back")).unwrap();
    assert_blocked(&tool.call(&["upload", "#f", "out/secret.txt"]).await, "through a directory");
    assert_blocked(&tool.call(&["screenshot", "dangling.png"]).await, "to be written");
    assert_blocked(&tool.call(&["screenshot", "out/new/x.png"]).await, "directory to be made");
    assert!(!tool.env.path("home/new").exists(), "nothing was created");
    let back = tool.env.path("home/back/in.txt");
    let said = tool.call(&["upload", "#f", back.to_str().unwrap()]).await;
    assert!(!said.is_error, "{}", said.text);
}

// DEC-101, HAZ-05
#[tokio::test]
async fn paths_of_the_host_of_allow_path_and_of_the_temporary_directory_pass() {
    let tool = TestEngine::with(world(), |options| {
        let root = options.cwd.clone();
        options.cwd = root.join("work").canonicalize().unwrap();
        options.confine = Some(vec![root.join("data").canonicalize().unwrap()]);
    });
    for file in ["in.txt", "../temp/in.txt", "../data/in.txt"] {
        let said = tool.call(&["upload", "#f", file]).await;
        assert!(!said.is_error, "{file}: {}", said.text);
    }
    let said = tool.call(&["screenshot", "shots/a.png"]).await;
    assert!(!said.is_error && tool.env.path("work/shots/a.png").exists(), "{}", said.text);
    let page = format!("file://{}", tool.env.path("work/in.txt").display());
    assert!(!tool.call(&["open", &page]).await.is_error);
    // What reaches upstream is absolute, flags included.
    tool.call(&["--screenshot-dir", "shots", "screenshot"]).await;
    let last = tool.asked().pop().unwrap();
    assert!(last.has(tool.env.path("work/shots").to_str().unwrap()), "{:?}", last.argv);
}

// DEC-101
#[tokio::test]
async fn metadata_services_are_refused_behind_a_confined_door_only() {
    let tool = confined();
    for url in ["http://169.254.169.254/latest", "http://0xa9fea9fe/", "http://[fd00:ec2::254]/"] {
        assert_blocked(&tool.call(&["open", url]).await, url);
        assert_blocked(&tool.call(&["read", url]).await, url);
    }
    let free = TestEngine::new(world());
    let said = free.call(&["open", "http://169.254.169.254/latest"]).await;
    assert!(!said.is_error, "{}", said.text);
}

// HAZ-05
#[tokio::test]
async fn a_missing_upload_is_refused_and_named() {
    let tool = TestEngine::new(world());
    let said = tool.call(&["upload", "#f", "work/in.txt", "nope.txt"]).await;
    assert_eq!(said.category(), "validation-error");
    let missing = tool.env.path("nope.txt");
    assert!(said.first().ends_with(missing.to_str().unwrap()), "{}", said.text);
    assert!(tool.asked().is_empty());
    // A file that an earlier row saves is there in time.
    let rows = json!([["screenshot", "shot.png"], ["upload", "#f", "shot.png"]]).to_string();
    let said = tool.send(json!({ "args": ["batch"], "stdin": rows })).await;
    assert!(!said.is_error, "{}", said.text);
    // Upstream would ignore a script that is not there.
    let said = tool.send(json!({
        "args": ["--init-script", "nope.js", "open", "about:blank"], "sessionMode": "fresh",
    }));
    assert_eq!(said.await.category(), "validation-error");
}

// DEC-101, DEC-108
#[test]
fn the_mcp_door_is_confined_to_its_directory_and_the_clients_roots() {
    let env = world();
    let (data, home) = (env.path("data"), env.path("home"));
    let upload = |client: &mut Mcp, path: &str| client.call(&["upload", "#f", path]).text();
    let data_file = data.join("in.txt");
    let data_file = data_file.to_str().unwrap();

    let mut plain = Mcp::start(&mut env.program(&["mcp"]));
    assert!(upload(&mut plain, data_file).starts_with("Failed (policy-blocked, isError: true)"));
    assert!(upload(&mut plain, "in.txt").starts_with("Attached"));
    assert_eq!(plain.asked_for_roots(), 0);
    drop(plain);

    let root = format!("file://{}", data.display());
    let mut rooted = Mcp::start_with_roots(&mut env.program(&["mcp"]), &[&root]);
    assert!(upload(&mut rooted, data_file).starts_with("Attached"));
    assert_eq!(rooted.asked_for_roots(), 1);
    rooted.change_roots(&[&format!("file://{}", home.display())]);
    let secret = home.join("secret.txt");
    rooted.call(&["get", "title"]);
    assert!(upload(&mut rooted, secret.to_str().unwrap()).starts_with("Attached"));
    assert!(upload(&mut rooted, data_file).starts_with("Failed (policy-blocked"));
    drop(rooted);

    let mut free = Mcp::start(&mut env.program(&["mcp", "--unconfined"]));
    assert!(upload(&mut free, data_file).starts_with("Attached"));
    drop(free);
    let mut allowed =
        Mcp::start(&mut env.program(&["mcp", "--allow-path", data.to_str().unwrap()]));
    assert!(upload(&mut allowed, data_file).starts_with("Attached"));
    assert!(upload(&mut allowed, secret.to_str().unwrap()).starts_with("Failed (policy-blocked"));
}

// DEC-101
#[tokio::test]
async fn a_page_from_a_file_that_leads_outside_is_not_shown() {
    let env = world();
    let page = |name: &str| format!("file://{}", env.path(name).display());
    let (inside, outside) = (page("work/in.txt"), page("home/secret.txt"));
    let strayed = json!({ "url": outside, "title": "secret" });
    let env = env.script(&json!([
        { "match": { "row": ["get", "text"] }, "result": { "text": "the secret", "origin": outside } },
        { "match": { "row": ["eval"], "contains": "after(ask)" }, "value": strayed },
    ]));
    let tool = TestEngine::with(env, |options| {
        options.cwd = options.cwd.join("work").canonicalize().unwrap();
        options.confine = Some(Vec::new());
    });
    assert!(!tool.call(&["open", &inside]).await.is_error);
    let said = tool.call(&["get", "text", "body"]).await;
    assert_eq!(said.category(), "policy-blocked", "{}", said.text);
    assert!(said.text.contains("nothing of it is shown") && !said.text.contains("the secret"));
    assert!(!said.details.to_string().contains("the secret"));
    // From now on nothing is even asked, until the page is left.
    let before = tool.asked().len();
    assert_eq!(tool.call(&["snapshot", "-i"]).await.category(), "policy-blocked");
    assert_eq!(tool.asked().len(), before);
    assert!(!tool.call(&["open", &inside]).await.is_error);
    assert_eq!(
        tool.call(&["get", "url"]).await.category(),
        "policy-blocked",
        "it leads there again"
    );
}

// DEC-101
#[tokio::test]
async fn nothing_of_a_forbidden_page_is_kept_for_later() {
    let env = world();
    let page = |name: &str| format!("file://{}", env.path(name).display());
    let (inside, outside) = (page("work/in.txt"), page("home/secret.txt"));
    let tree = json!({ "origin": outside, "refs": {}, "snapshot": "- paragraph: the secret" });
    let strayed = json!({ "url": outside, "title": "Payroll" });
    let tool = TestEngine::with(env.script(&json!([])), |options| {
        options.cwd = options.cwd.join("work").canonicalize().unwrap();
        options.confine = Some(Vec::new());
        options.view = false;
    });
    let open = async || assert!(!tool.call(&["open", &inside]).await.is_error);
    open().await;
    let elsewhere = json!({ "match": { "row": ["eval"] }, "value": strayed });
    tool.env.rescript(&json!([{ "match": { "row": ["snapshot"] }, "result": tree }, elsewhere]));
    let said = tool.call(&["snapshot"]).await;
    assert_eq!(said.category(), "policy-blocked", "{}", said.text);
    assert!(!said.details.to_string().contains("Payroll"), "{}", said.details);
    tool.env.rescript(&json!([]));
    assert!(!tool.call(&["tab", "new", "http://shop.test/"]).await.is_error);
    let said = tool.call(&["diff", "snapshot"]).await;
    assert!(!said.text.contains("the secret"), "{}", said.text);
    assert!(said.text.contains("no earlier snapshot"), "{}", said.text);
    // Nor a picture of it.
    open().await;
    tool.env.rescript(&json!([elsewhere]));
    let said = tool.call(&["screenshot", "shot.png"]).await;
    assert_eq!(said.category(), "policy-blocked", "{}", said.text);
    assert!(said.text.contains("Pictures that this call saved were removed."), "{}", said.text);
    assert!(!tool.env.path("work/shot.png").exists());
}

// DEC-101
#[tokio::test]
async fn a_batch_that_has_left_a_forbidden_page_again_shows_nothing_of_it() {
    let env = world();
    let page = |name: &str| format!("file://{}", env.path(name).display());
    let (inside, outside) = (page("work/in.txt"), page("home/secret.txt"));
    let strayed = json!({ "url": outside, "title": "Payroll", "doc": "9.5" });
    let read = |origin: &str| json!({ "text": "the secret", "origin": origin });
    let text =
        |origin: &str| json!({ "match": { "row": ["get", "text"] }, "result": read(origin) });
    let asked = json!({ "row": ["eval"], "contains": "\"mark\":false" });
    // Told by the page, or by what was read from it alone.
    for rules in [
        json!([{ "match": asked, "times": 1, "value": strayed }, text(&inside)]),
        json!([text(&outside)]),
    ] {
        let tool = TestEngine::with(world().script(&json!([])), |options| {
            options.cwd = env.path("work").canonicalize().unwrap();
            options.confine = Some(Vec::new());
        });
        assert!(!tool.call(&["open", &inside]).await.is_error);
        tool.env.rescript(&rules);
        let rows = json!([["click", "#a"], ["get", "text", "body"], ["back"]]).to_string();
        let said = tool.send(json!({ "args": ["batch"], "stdin": rows })).await;
        assert_eq!(said.category(), "policy-blocked", "{rules}: {}", said.text);
        for part in ["the secret", "Payroll"] {
            assert!(!said.text.contains(part), "{}", said.text);
            assert!(!said.details.to_string().contains(part), "{}", said.details);
        }
        assert!(said.next().is_empty(), "it is on another page by now: {}", said.text);
        tool.env.rescript(&json!([]));
        let said = tool.call(&["get", "title"]).await;
        assert!(!said.is_error, "{}", said.text);
    }
}
