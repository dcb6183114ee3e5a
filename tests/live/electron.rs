//! Desktop apps, live. No registry ships the Electron binary, so the app is a stand-in that is
//! honest about it: the real Chromium in the layout of an Electron app, with an archive in the real
//! format. Spawn, DevTools, attachment, snapshot, signals and profile are the real ones.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::bed::Bed;
use crate::support::mcp::{Answer, Mcp, ref_in};
use crate::support::pages::Pages;
use crate::support::process::Process;
use crate::support::{full, soon};

const CLASSES: &str = "read,navigate,act,eval,files,state,process";
const PAGE: &str = "<title>Notes</title><h1>Notes</h1>\
    <button onclick=\"document.title='Saved';this.textContent='Saved'\">Save</button>\
    <label>Name <input></label>";

/// An archive as `asar pack` writes it, with one `package.json`.
fn asar(package: &str) -> Vec<u8> {
    let header = json!({ "files": { "package.json": { "size": package.len(), "offset": "0" } } });
    let header = header.to_string();
    let padded = header.len().div_ceil(4) * 4;
    let number = |n: usize| u32::try_from(n).unwrap().to_le_bytes();
    let mut bytes = number(4).to_vec();
    bytes.extend(number(padded + 8));
    bytes.extend(number(padded + 4));
    bytes.extend(number(header.len()));
    bytes.extend(header.as_bytes());
    bytes.resize(16 + padded, 0);
    bytes.extend(package.as_bytes());
    bytes
}

fn chromium() -> PathBuf {
    let path = std::env::var("PATH").unwrap_or_default();
    let dirs = std::env::split_paths(&path).collect::<Vec<PathBuf>>();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let found = dirs.iter().flat_map(|dir| names.iter().map(move |name| dir.join(name)));
    found.into_iter().find(|path| path.is_file()).expect("live tests need Chromium on PATH")
}

/// Lays the app out; `prelude` is shell in front of the start, `pages` are its windows.
fn lay_out(bed: &Bed, prelude: &str, pages: &[String]) -> PathBuf {
    let dir = bed.path("work/Notes");
    fs::create_dir_all(dir.join("resources")).unwrap();
    fs::write(dir.join("resources/app.asar"), asar(r#"{"productName":"Live Notes"}"#)).unwrap();
    for pak in ["resources.pak", "chrome_100_percent.pak"] {
        fs::write(dir.join(pak), b"").unwrap();
    }
    let script = format!(
        "#!/bin/sh\n{prelude}\nexec {} --disable-background-networking --disable-component-update \
         --disable-sync --disable-gpu --new-window \"$@\" {}\n",
        chromium().display(),
        pages.join(" ")
    );
    let exe = dir.join("notes");
    fs::write(&exe, script).unwrap();
    fs::set_permissions(&exe, fs::Permissions::from_mode(0o755)).unwrap();
    exe
}

fn server(bed: &Bed) -> Mcp {
    Mcp::start(bed.program().args(["mcp", "--allow", CLASSES]))
}

fn launch_fields(more: Value) -> Value {
    let mut fields = json!({
        "action": "launch", "executablePath": "Notes/notes", "timeoutMs": 60_000,
        "appArgs": ["--headless=new", "--no-sandbox"],
    });
    fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({ "electron": fields })
}

fn electron(action: &str, id: &str) -> Value {
    json!({ "electron": { "action": action, "launchId": id } })
}

/// A launch that has to succeed: the answer, its id, its process.
fn launch(mcp: &mut Mcp, more: Value) -> (Answer, String, Process) {
    let answer = mcp.call_with(&launch_fields(more));
    answer.ok();
    let record = answer.details()["electron"]["launch"].clone();
    let id = record["launchId"].as_str().unwrap().to_owned();
    let pid = u32::try_from(record["pid"].as_u64().unwrap()).unwrap();
    (answer, id, Process::of(pid).unwrap())
}

fn next_ids(answer: &Answer) -> Vec<String> {
    let next = answer.details()["nextActions"].as_array().cloned().unwrap_or_default();
    next.iter().map(|next| next["id"].as_str().unwrap().to_owned()).collect()
}

fn answers_at(port: u64) -> bool {
    let port = u16::try_from(port).unwrap();
    std::net::TcpStream::connect(("127.0.0.1", port)).is_ok()
}

/// Asks the app's own port for a further window.
fn open_window(port: u64, url: &str) {
    use std::io::{Read, Write};
    let port = u16::try_from(port).unwrap();
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
    let url = url.replace('<', "%3C").replace('>', "%3E");
    let request = format!("PUT /json/new?{url} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut head = [0; 12];
    stream.read_exact(&mut head).unwrap();
    assert_eq!(&head, b"HTTP/1.1 200");
}

fn assert_clean(bed: &Bed, mcp: &Mcp, port: u64, profile: &Path) {
    assert!(!answers_at(port), "the port still answers");
    assert!(!profile.exists(), "the profile is still there");
    assert_nothing_else(bed, mcp);
}

/// Nothing but the server is left, and the directory of its own that it keeps while it runs.
fn assert_nothing_else(bed: &Bed, mcp: &Mcp) {
    let own = format!("-{}", mcp.pid());
    let left = || {
        let mut processes = bed.processes();
        processes.retain(|process| process.pid != mcp.pid());
        let mut paths: Vec<PathBuf> = bed.profiles();
        paths.retain(|path| !path.to_string_lossy().ends_with(&own));
        paths.extend(bed.sockets());
        (processes, paths)
    };
    let gone = soon(Duration::from_secs(10), || left().0.is_empty() && left().1.is_empty());
    assert!(gone, "left after 10 s: {:#?}", left());
}

// ELEC-16, ELEC-17, ELEC-26, ELEC-31, ELEC-36, ELEC-40, ELEC-43, DIAG-EFRESH-01, HAZ-19
#[test]
fn live_electron_launch_act_probe_cleanup_leaves_nothing() {
    let (bed, pages) = (Bed::new(), Pages::with(PAGE));
    lay_out(&bed, "", &[pages.url("/")]);
    let mut mcp = server(&bed);
    for round in 0..if full() { 20 } else { 3 } {
        let (answer, id, app) = launch(&mut mcp, json!({}));
        let text = answer.text();
        assert!(text.starts_with("Launched \"Live Notes\" with a new profile."), "{text}");
        let record = &answer.details()["electron"]["launch"];
        let (port, profile) =
            (record["port"].as_u64().unwrap(), record["userDataDir"].as_str().unwrap().to_owned());
        assert!(app.command.contains("--remote-debugging-port=0"), "{}", app.command);
        assert!(app.command.contains(&format!("--user-data-dir={profile}")), "{}", app.command);
        assert!(answers_at(port) && Path::new(&profile).join("DevToolsActivePort").is_file());
        let save = ref_in(&text, "button", "Save").unwrap();
        let clicked = mcp.call(&["click", &save]);
        assert!(clicked.ok().contains("button \"Save\". Page changed"), "{}", clicked.text());
        assert_eq!(clicked.details()["electronRefFreshness"]["launchId"], id, "round {round}");
        let name = ref_in(&text, "textbox", "Name").unwrap();
        assert!(mcp.ok(&["fill", &name, "Ann"]).contains("value verified"));
        let probe = mcp.call_with(&electron("probe", &id));
        assert!(probe.ok().contains("Page \"Saved\""), "{}", probe.text());
        assert!(probe.text().contains("alive, port "), "{}", probe.text());
        let focus = &probe.details()["electron"]["probe"]["focusedElement"];
        assert_eq!((&focus["tag"], &focus["name"]), (&json!("input"), &json!("Name")));
        let cleaned = mcp.call_with(&electron("cleanup", &id));
        assert!(cleaned.ok().contains("profile removed"), "{}", cleaned.text());
        assert!(!app.is_alive());
        assert_clean(&bed, &mcp, port, Path::new(&profile));
    }
    // A browser of our own works afterwards as before.
    assert!(mcp.ok(&["open", &pages.url("/")]).contains("Notes"));
    assert!(mcp.end().success());
    bed.assert_nothing_left(None);
}

// DIAG-EHLTH-01, DIAG-EHLTH-02, RES-16
#[test]
fn live_electron_app_that_dies_under_a_call_is_told() {
    let (bed, pages) = (Bed::new(), Pages::with(PAGE));
    lay_out(&bed, "", &[pages.url("/")]);
    let mut mcp = server(&bed);
    let (answer, id, app) = launch(&mut mcp, json!({}));
    let save = ref_in(&answer.text(), "button", "Save").unwrap();
    // While a call waits for the page.
    let pending = mcp.begin(&json!({ "args": ["wait", "#never"], "timeoutMs": 20_000 }));
    std::thread::sleep(Duration::from_millis(700));
    app.kill(Signal::KILL);
    let told = pending.answer();
    assert!(told.is_error());
    assert_eq!(told.details()["failureCategory"], "tab-drift", "{}", told.text());
    assert_eq!(told.details()["electronPostCommandHealth"]["reason"], "process-gone");
    let expected = ["status-electron-launch", "probe-electron-launch", "cleanup-electron-launch"];
    assert_eq!(next_ids(&told), expected, "{}", told.text());
    // From now on nothing is tried, and no other browser takes the app's place.
    let refused = mcp.call(&["click", &save]);
    let text = refused.text();
    assert!(refused.is_error(), "{text}");
    assert!(text.contains("nothing was clicked. The app \"Live Notes\""), "{text}");
    assert_eq!(refused.details()["timing"]["upstreamProcesses"], 0);
    let cleaned = mcp.call_with(&electron("cleanup", &id));
    assert!(cleaned.ok().contains("process was gone already"), "{}", cleaned.text());
    assert_nothing_else(&bed, &mcp);
}

// ELEC-29, ELEC-30
#[test]
fn live_electron_app_that_never_opens_its_port_times_out() {
    let (bed, pages) = (Bed::new(), Pages::with(PAGE));
    lay_out(&bed, "exec sleep 100", &[pages.url("/")]);
    let mut mcp = server(&bed);
    let answer = mcp.call_with(&launch_fields(json!({ "timeoutMs": 1_500 })));
    assert!(answer.is_error());
    assert_eq!(answer.details()["failureCategory"], "timeout", "{}", answer.text());
    let seen = &answer.details()["electron"]["failure"]["diagnostics"];
    assert_eq!((&seen["devToolsActivePort"], &seen["pidAlive"]), (&json!("missing"), &json!(true)));
    assert!(answer.text().contains("nothing of it is left"), "{}", answer.text());
    assert_nothing_else(&bed, &mcp);
}

// ELEC-21, ELEC-26, ELEC-32, ELEC-35
#[test]
fn live_electron_app_with_two_windows_shows_both_and_is_attached_to_one() {
    let (bed, pages) = (Bed::new(), Pages::with(PAGE));
    lay_out(&bed, "", &[pages.url("/")]);
    let mut mcp = server(&bed);
    let (answer, id, _) = launch(&mut mcp, json!({}));
    // Without a display an app cannot start with two: the second one is opened from outside.
    let port = answer.details()["electron"]["launch"]["port"].as_u64().unwrap();
    open_window(port, "data:text/html,<title>Second</title><button>Other</button>");
    let mut both = || {
        let status = mcp.call_with(&electron("status", &id));
        let targets = status.details()["electron"]["targets"].as_array().unwrap().clone();
        targets.iter().filter(|target| target["type"] == "page").count() == 2
    };
    assert!(soon(Duration::from_secs(10), &mut both));
    let status = mcp.call_with(&electron("status", &id));
    let text = status.ok();
    assert!(text.contains("- page \"Notes\"") && text.contains("- page \"Second\""), "{text}");
    assert_eq!(status.details()["electron"].get("sessionMismatch"), None, "{text}");
    let snapshot = mcp.ok(&["snapshot", "-i"]);
    let one = snapshot.contains("\"Save\"") != snapshot.contains("\"Other\"");
    assert!(one, "{snapshot}");
    assert!(!mcp.call_with(&electron("cleanup", &id)).is_error());
    assert_nothing_else(&bed, &mcp);
}

// ELEC-43, ELEC-46
#[test]
fn live_electron_app_that_ignores_sigterm_is_ended_by_force_within_the_budget() {
    let (bed, pages) = (Bed::new(), Pages::with(PAGE));
    lay_out(&bed, "", &[pages.url("/")]);
    let mut mcp = server(&bed);
    let (_, id, app) = launch(&mut mcp, json!({}));
    // A stopped process takes no SIGTERM.
    app.kill(Signal::STOP);
    let started = Instant::now();
    let cleaned = mcp.call_with(&electron("cleanup", &id));
    assert!(cleaned.ok().contains("process ended by force"), "{}", cleaned.text());
    assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
    assert!(!app.is_alive());
    assert_nothing_else(&bed, &mcp);
}

// ELEC-45, ELEC-52, NEXT-46, SES-24
#[test]
fn live_electron_profile_that_is_held_is_kept_and_cleaned_later() {
    let (bed, pages) = (Bed::new(), Pages::with(PAGE));
    lay_out(&bed, "", &[pages.url("/")]);
    let mut mcp = server(&bed);
    let (answer, id, app) = launch(&mut mcp, json!({}));
    let profile =
        answer.details()["electron"]["launch"]["userDataDir"].as_str().unwrap().to_owned();
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                let _removed = fs::create_dir_all(Path::new(&profile).join("held"));
                std::thread::sleep(Duration::from_millis(2));
            }
        });
        let fields = json!({ "action": "cleanup", "launchId": id, "timeoutMs": 3_000 });
        let partial = mcp.call_with(&json!({ "electron": fields }));
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(partial.is_error());
        assert_eq!(partial.details()["failureCategory"], "cleanup-failed", "{}", partial.text());
        assert_eq!(next_ids(&partial), ["status-electron-launch", "retry-electron-cleanup"]);
    });
    assert!(!app.is_alive() && Path::new(&profile).exists());
    // The retry has only the profile left to do.
    let done = mcp.call_with(&electron("cleanup", &id));
    let text = done.ok();
    assert!(text.contains("session was closed already, process was gone already"), "{text}");
    assert!(text.contains("profile removed"), "{text}");
    assert_nothing_else(&bed, &mcp);
}

// ELEC-50, SES-30, DEC-106
#[test]
fn live_electron_app_ends_with_the_server_however_that_ends() {
    let (bed, pages) = (Bed::new(), Pages::with(PAGE));
    lay_out(&bed, "", &[pages.url("/")]);
    let mut mcp = server(&bed);
    launch(&mut mcp, json!({ "handoff": "connect" }));
    assert!(mcp.end().success());
    bed.assert_nothing_left(None);
    // Killed, it cannot do it itself: the next start does.
    let mut mcp = server(&bed);
    let (_, _, app) = launch(&mut mcp, json!({ "handoff": "connect" }));
    Process::of(mcp.pid()).unwrap().kill(Signal::KILL);
    drop(mcp);
    assert!(app.is_alive());
    let report = bed.program().arg("reap").output().unwrap();
    assert!(report.status.success());
    assert!(!app.is_alive());
    bed.assert_nothing_left(None);
}

// ELEC-55, SES-27, ELEC-49
#[test]
fn live_electron_apps_of_the_user_are_attached_by_connect_and_never_ended() {
    let (bed, pages) = (Bed::new(), Pages::with(PAGE));
    let exe = lay_out(&bed, "", &[pages.url("/")]);
    let profile = bed.path("home/normal-profile");
    let mut app = std::process::Command::new(exe)
        .args(["--headless=new", "--no-sandbox", "--remote-debugging-port=0"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let file = profile.join("DevToolsActivePort");
    let port = || fs::read_to_string(&file).ok()?.lines().next().map(str::to_owned);
    assert!(soon(Duration::from_secs(30), || port().is_some()));
    let port = port().unwrap();
    let mut mcp = server(&bed);
    let fresh = json!({ "args": ["connect", port], "sessionMode": "fresh" });
    mcp.call_with(&fresh).ok();
    assert!(mcp.ok(&["snapshot", "-i"]).contains("button \"Save\""));
    let all = json!({ "electron": { "action": "cleanup", "all": true } });
    assert!(mcp.call_with(&all).ok().contains("No launched app is tracked"));
    mcp.ok(&["close"]);
    assert!(mcp.end().success());
    assert!(app.try_wait().unwrap().is_none(), "the user's app was ended");
    assert!(profile.join("Default").is_dir() && answers_at(port.parse().unwrap()));
    app.kill().unwrap();
    app.wait().unwrap();
}
