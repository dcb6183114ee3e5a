//! What an app says about itself over plain HTTP on 127.0.0.1: `/json/version` and `/json/list`.

use std::io;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::input::electron::TargetType;
use crate::line::cut;

/// How long one question may take (ELEC-34).
const ASK_LIMIT: Duration = Duration::from_millis(1_000);
/// Largest answer that is read.
const ANSWER_BYTES: usize = 1024 * 1024;
/// Most targets that are kept, and the longest text of one.
const TARGETS: usize = 20;
const TEXT_CHARS: usize = 300;

/// A window, a guest, a worker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Chromium's id.
    pub id: String,
    /// `page`, `webview` …
    pub kind: String,
    /// Its title.
    pub title: String,
    /// Its address.
    pub url: String,
    /// Where it is attached to.
    pub socket: Option<String>,
}

impl Target {
    /// The row in `details`.
    #[must_use]
    pub fn to_details(&self) -> Value {
        json!({ "id": self.id, "type": self.kind, "title": self.title, "url": self.url })
    }

    /// A page of the app, not of the browser around it.
    fn is_content(&self) -> bool {
        let inner = ["devtools://", "chrome://", "chrome-extension://", "chrome-untrusted://"];
        !inner.iter().any(|scheme| self.url.starts_with(scheme))
    }

    fn is_blank(&self) -> bool {
        self.url.is_empty() || self.url == "about:blank"
    }
}

/// Who answers: `/json/version`.
pub async fn version(port: u16) -> Option<Value> {
    get(port, "/json/version").await.ok().filter(Value::is_object)
}

/// The targets: `/json/list`.
pub async fn targets(port: u16) -> Option<Vec<Target>> {
    let Ok(Value::Array(rows)) = get(port, "/json/list").await else { return None };
    Some(rows.iter().map(target).take(TARGETS).collect())
}

/// Somebody takes connections at this port.
pub async fn is_open(port: u16) -> bool {
    let connecting = TcpStream::connect(("127.0.0.1", port));
    port != 0 && tokio::time::timeout(ASK_LIMIT, connecting).await.is_ok_and(|done| done.is_ok())
}

/// The target to attach to: of the wanted kind, one that shows something before a blank one.
#[must_use]
pub fn choose(targets: &[Target], wanted: TargetType) -> Option<&Target> {
    let fits = |target: &&Target| {
        target.socket.is_some()
            && target.is_content()
            && match wanted {
                TargetType::Page => target.kind == "page",
                TargetType::Webview => target.kind == "webview",
                TargetType::Any => matches!(target.kind.as_str(), "page" | "webview"),
            }
    };
    let shows = targets.iter().filter(fits).find(|target| !target.is_blank());
    shows.or_else(|| targets.iter().find(fits))
}

/// The chosen target has something to show.
#[must_use]
pub fn is_settled(target: Option<&Target>) -> bool {
    target.is_some_and(|target| !target.is_blank())
}

fn target(row: &Value) -> Target {
    let text = |key: &str| -> String {
        let text = row.get(key).and_then(Value::as_str).unwrap_or_default();
        cut(text, TEXT_CHARS)
    };
    let socket = row.get("webSocketDebuggerUrl").and_then(Value::as_str).map(str::to_owned);
    Target { id: text("id"), kind: text("type"), title: text("title"), url: text("url"), socket }
}

async fn get(port: u16, path: &str) -> io::Result<Value> {
    let answer = tokio::time::timeout(ASK_LIMIT, body(port, path));
    let bytes = answer.await.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
    serde_json::from_slice(&bytes).map_err(io::Error::other)
}

async fn body(port: u16, path: &str) -> io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    let mut block = [0; 8_192];
    loop {
        if let Some(body) = complete(&answer) {
            return Ok(body);
        }
        let read = stream.read(&mut block).await?;
        if read == 0 {
            // An answer without a length ends with the connection.
            return split(&answer).map(|(_, body)| body.to_vec()).ok_or_else(unreadable);
        }
        answer.extend_from_slice(block.get(..read).unwrap_or_default());
        if answer.len() > ANSWER_BYTES {
            return Err(unreadable());
        }
    }
}

/// The body, once all of it is there.
fn complete(answer: &[u8]) -> Option<Vec<u8>> {
    let (head, body) = split(answer)?;
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"))?;
    body.get(..length.trim().parse().ok()?).map(<[u8]>::to_vec)
}

fn split(answer: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = answer.windows(4).position(|window| window == b"\r\n\r\n")?;
    Some((answer.get(..at)?, answer.get(at + 4..)?))
}

fn unreadable() -> io::Error {
    io::Error::other("the answer could not be read")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(kind: &str, url: &str) -> Target {
        let socket = Some(format!("ws://127.0.0.1:1/{kind}{url}"));
        Target { kind: kind.into(), url: url.into(), socket, ..Target::default() }
    }

    // IN-ELEC-07, ELEC-21
    #[test]
    fn the_first_target_of_the_wanted_kind_that_shows_something_is_chosen() {
        let targets = [
            page("service_worker", "file:///a"),
            page("page", "devtools://x"),
            page("page", "about:blank"),
            page("webview", "https://guest.test/"),
            page("page", "app://main/"),
        ];
        let url = |wanted| choose(&targets, wanted).map(|target| target.url.as_str());
        assert_eq!(url(TargetType::Page), Some("app://main/"));
        assert_eq!(url(TargetType::Webview), Some("https://guest.test/"));
        assert_eq!(url(TargetType::Any), Some("https://guest.test/"));
        assert_eq!(choose(&targets[..3], TargetType::Page).unwrap().url, "about:blank");
        assert!(!is_settled(choose(&targets[..3], TargetType::Page)));
        assert_eq!(choose(&targets[..3], TargetType::Webview), None);
        assert_eq!(choose(&[], TargetType::Any), None);
    }

    async fn served(answer: &'static [u8]) -> u16 {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut block = [0; 2_000];
            let _request = stream.read(&mut block).await;
            let _sent = stream.write_all(answer).await;
            // The connection stays open, as Chromium's does.
            tokio::time::sleep(Duration::from_secs(3)).await;
        });
        port
    }

    // ELEC-26, ELEC-34
    #[tokio::test]
    async fn answers_are_read_to_their_length_and_within_a_second() {
        let port = served(b"HTTP/1.1 200 OK\r\nContent-Length: 49\r\n\r\n[{\"type\":\"page\",\"title\":\"T\",\"url\":\"u\",\"id\":\"1\"}]  ").await;
        let rows = targets(port).await.unwrap();
        assert_eq!(rows[0].to_details(), json!({"id":"1","type":"page","title":"T","url":"u"}));
        let port = served(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{").await;
        let started = std::time::Instant::now();
        assert_eq!(version(port).await, None);
        assert!(started.elapsed() < Duration::from_millis(1_500));
        let port = served(b"no http at all").await;
        assert_eq!(version(port).await, None);
        assert!(!is_open(0).await);
    }
}
