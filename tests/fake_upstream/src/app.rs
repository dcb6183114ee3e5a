//! The other role: a desktop app with a DevTools port, as Electron opens it. It shows nothing.
//!
//! `--fake-app=silent` never opens the port, `ends` ends at once, `two` has two windows.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// No app of a test lives longer.
const LONGEST_LIFE: Duration = Duration::from_secs(120);

/// Plays the app where the arguments are those of a launch.
pub(crate) fn play(argv: &[String]) -> Option<ExitCode> {
    let value = |name: &str| argv.iter().find_map(|word| word.strip_prefix(name));
    let profile = PathBuf::from(value("--user-data-dir=")?);
    value("--remote-debugging-port=")?;
    match value("--fake-app=") {
        Some("ends") => return Some(ExitCode::from(7)),
        Some("silent") => std::thread::sleep(LONGEST_LIFE),
        kind => serve(&profile, if kind == Some("two") { 2 } else { 1 })?,
    }
    Some(ExitCode::SUCCESS)
}

fn serve(profile: &Path, windows: u32) -> Option<()> {
    let listener = TcpListener::bind("127.0.0.1:0").ok()?;
    let port = listener.local_addr().ok()?.port();
    std::fs::write(profile.join("DevToolsActivePort"), format!("{port}\n/devtools/browser/b"))
        .ok()?;
    listener.set_nonblocking(true).ok()?;
    let end = Instant::now() + LONGEST_LIFE;
    while Instant::now() < end {
        let Ok((mut stream, _)) = listener.accept() else {
            std::thread::sleep(Duration::from_millis(5));
            continue;
        };
        stream.set_nonblocking(false).ok()?;
        let mut request = [0; 4_096];
        let read = stream.read(&mut request).unwrap_or(0);
        let request = String::from_utf8_lossy(request.get(..read).unwrap_or_default()).into_owned();
        let body = answer(&request, port, windows).to_string();
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length:{}\r\n\r\n", body.len());
        let _gone = stream.write_all(format!("{head}{body}").as_bytes());
    }
    Some(())
}

fn answer(request: &str, port: u16, windows: u32) -> Value {
    if request.starts_with("GET /json/version ") {
        let socket = format!("ws://127.0.0.1:{port}/devtools/browser/b");
        return json!({ "Browser": "Chrome/156.0", "webSocketDebuggerUrl": socket });
    }
    let window = |number: u32| {
        json!({
            "id": format!("FAKE{number}"), "type": "page", "title": "Fake page",
            "url": if number == 1 { "app://main/".to_owned() } else { format!("app://main/{number}") },
            "webSocketDebuggerUrl": format!("ws://127.0.0.1:{port}/devtools/page/FAKE{number}"),
        })
    };
    (1..=windows).map(window).collect()
}
