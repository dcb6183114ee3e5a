//! The pages of `tests/fixtures/pages`, served on 127.0.0.1, and endpoints that only a server has.
//!
//! | path | answer |
//! |---|---|
//! | `/NAME.html` | the file |
//! | `/big.html?n=3000` | that many controls |
//! | `/slow?ms=1500` | a page after that time |
//! | `/hang` | nothing, until the server stops |
//! | `/late.html` | a page whose image hangs, so that its load event never comes |
//! | `/status/404` | a page with that HTTP status |
//! | `/redirect` | 302 to `/form.html` |
//! | `/api/json` | a JSON object |
//! | `/download.csv` | an attachment |
//! | `/soak.html?mark=A1` | the page of `cargo xtask soak`, with that mark |

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Result, root};

/// Longest time that an endpoint waits.
const LONGEST_WAIT: Duration = Duration::from_secs(120);
/// Browsers open connections ahead of need and leave them silent.
const READ_LIMIT: Duration = Duration::from_secs(10);
const HEAD_LIMIT: u64 = 64 * 1024;

/// A running server; it stops when dropped.
pub struct PageServer {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
}

struct Answer {
    status: u16,
    kind: &'static str,
    /// A whole header line with its line end, or nothing.
    extra: &'static str,
    body: Vec<u8>,
}

impl PageServer {
    /// Serves on a free port.
    pub fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if stopped.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let stopped = Arc::clone(&stopped);
                // A browser that hangs up is none of our business.
                thread::spawn(move || drop(serve(stream, &stopped)));
            }
        });
        Ok(Self { address, stop })
    }

    /// The port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The address of a page, for example `/form.html`.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

impl Drop for PageServer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // Wakes the listener, which then sees the flag.
        drop(TcpStream::connect(self.address));
    }
}

fn serve(mut stream: TcpStream, stop: &AtomicBool) -> std::io::Result<()> {
    stream.set_read_timeout(Some(READ_LIMIT))?;
    let mut reader = BufReader::new(stream.try_clone()?.take(HEAD_LIMIT));
    let mut request = String::new();
    reader.read_line(&mut request)?;
    let mut header = String::new();
    while reader.read_line(&mut header)? > 2 {
        header.clear();
    }
    let target = request.split(' ').nth(1).unwrap_or("/");
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    if path == "/hang" {
        wait(LONGEST_WAIT, stop);
        return Ok(());
    }
    let answer = answer(path, query, stop);
    let head = format!(
        "HTTP/1.1 {} X\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         {}Connection: close\r\n\r\n",
        answer.status,
        answer.kind,
        answer.body.len(),
        answer.extra,
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(&answer.body)
}

fn answer(path: &str, query: &str, stop: &AtomicBool) -> Answer {
    let text = |name: &str| {
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(key, _)| *key == name).map_or("", |(_, value)| value)
    };
    let number = |name: &str, default: u64| text(name).parse().unwrap_or(default);
    match path {
        "/big.html" => html(200, "Big", &controls(number("n", 3000).min(100_000))),
        "/soak.html" => {
            let body = soak_page(text("mark")).into_bytes();
            Answer { status: 200, kind: "text/html; charset=utf-8", extra: "", body }
        }
        "/slow" => {
            wait(Duration::from_millis(number("ms", 1000)), stop);
            html(200, "Slow", "<h1>Slow</h1>")
        }
        "/late.html" => html(200, "Late", "<h1>Late</h1><img alt=\"\" src=\"/hang\">"),
        "/redirect" => {
            Answer { extra: "Location: /form.html\r\n", ..html(302, "Moved", "<h1>Moved</h1>") }
        }
        "/api/json" => Answer {
            status: 200,
            kind: "application/json",
            extra: "",
            body: br#"{"items":[1,2,3],"ok":true}"#.to_vec(),
        },
        "/download.csv" => Answer {
            status: 200,
            kind: "text/csv",
            extra: "Content-Disposition: attachment; filename=\"report.csv\"\r\n",
            body: b"name,count\nalpha,1\nbeta,2\n".to_vec(),
        },
        _ => match path.strip_prefix("/status/").and_then(|code| code.parse().ok()) {
            Some(status) => html(status, &format!("Status {status}"), "<h1>Status</h1>"),
            None => file(path),
        },
    }
}

/// A page of the fixtures; names are single words, so no path leaves the folder.
fn file(path: &str) -> Answer {
    let name = path.trim_start_matches('/');
    let stem = name.strip_suffix(".html").unwrap_or_default();
    let plain = !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match fs::read(folder().join(name)) {
        Ok(body) if plain => {
            Answer { status: 200, kind: "text/html; charset=utf-8", extra: "", body }
        }
        _ => html(404, "Not found", "<h1>Not found</h1>"),
    }
}

fn folder() -> PathBuf {
    root().join("tests/fixtures/pages")
}

fn html(status: u16, title: &str, body: &str) -> Answer {
    let body = format!(
        "<!doctype html><html lang=\"en\"><head><title>{title}</title>\
         <link rel=\"icon\" href=\"data:,\"></head><body>{body}</body></html>"
    );
    Answer { status, kind: "text/html; charset=utf-8", extra: "", body: body.into_bytes() }
}

/// Two thirds buttons, one third labelled fields, with a heading for every hundred.
fn controls(count: u64) -> String {
    let mut body = String::from("<h1>Big</h1>");
    for number in 1..=count {
        if number % 100 == 1 {
            body.push_str(&format!("<h2>Section {}</h2>", number / 100 + 1));
        }
        if number % 3 == 0 {
            body.push_str(&format!("<input aria-label=\"Field {number}\">"));
        } else {
            body.push_str(&format!("<button>Action {number}</button>"));
        }
    }
    body
}

/// A mark is a plain word: it stands in scripts and addresses of the page.
fn soak_page(mark: &str) -> String {
    let plain = mark.bytes().all(|byte| byte.is_ascii_alphanumeric());
    include_str!("soak/page.html").replace("{mark}", if plain { mark } else { "none" })
}

fn wait(time: Duration, stop: &AtomicBool) {
    let end = Instant::now() + time.min(LONGEST_WAIT);
    while Instant::now() < end && !stop.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(server: &PageServer, path: &str) -> String {
        let mut stream = TcpStream::connect(server.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn pages_and_endpoints_answer() {
        let server = PageServer::start().unwrap();
        assert!(get(&server, "/form.html").contains("<title>Sign in</title>"));
        assert!(get(&server, "/status/500").starts_with("HTTP/1.1 500 "));
        assert!(get(&server, "/redirect").contains("Location: /form.html"));
        assert_eq!(get(&server, "/big.html?n=30").matches("<button>").count(), 20);
        assert!(get(&server, "/slow?ms=1").contains("<h1>Slow</h1>"));
        assert!(get(&server, "/soak.html?mark=A1").contains("<title>Soak A1</title>"));
        assert!(get(&server, "/soak.html?mark=%22").contains("<title>Soak none</title>"));
    }

    #[test]
    fn nothing_outside_the_folder_is_served() {
        let server = PageServer::start().unwrap();
        for path in ["/../pages/form.html", "/a.html/../form.html", "/nope.html", "/"] {
            assert!(get(&server, path).starts_with("HTTP/1.1 404 "), "{path}");
        }
    }
}
