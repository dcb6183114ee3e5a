//! A small web server on loopback. Every page of a test is written in the test.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a path answers.
#[derive(Clone, Debug)]
pub enum Route {
    /// A status, a content type, further headers and a body.
    Answer { status: u16, kind: &'static str, headers: Vec<(String, String)>, body: Vec<u8> },
    /// Another address.
    Redirect { status: u16, to: String },
    /// The inner answer after a while.
    Slow(Duration, Box<Route>),
    /// An event stream, with an event this often.
    Events(Duration),
    /// The connection stays open and silent until the server goes.
    Never,
}

impl Route {
    pub fn html(body: impl Into<String>) -> Self {
        Self::Answer {
            status: 200,
            kind: "text/html; charset=utf-8",
            headers: Vec::new(),
            body: body.into().into_bytes(),
        }
    }

    pub fn status(status: u16, body: &str) -> Self {
        Self::Answer {
            status,
            kind: "text/html; charset=utf-8",
            headers: Vec::new(),
            body: body.into(),
        }
    }

    pub fn redirect(to: &str) -> Self {
        Self::Redirect { status: 302, to: to.to_owned() }
    }

    pub fn slow(wait: Duration, body: &str) -> Self {
        Self::Slow(wait, Box::new(Self::html(body)))
    }

    pub fn download(name: &str, body: &[u8]) -> Self {
        let disposition = format!("attachment; filename=\"{name}\"");
        Self::Answer {
            status: 200,
            kind: "application/octet-stream",
            headers: vec![("Content-Disposition".into(), disposition)],
            body: body.to_vec(),
        }
    }

    /// The same page, never kept by the back-forward cache.
    pub fn no_store(self) -> Self {
        match self {
            Self::Answer { status, kind, mut headers, body } => {
                headers.push(("Cache-Control".into(), "no-store".into()));
                Self::Answer { status, kind, headers, body }
            }
            other => other,
        }
    }
}

/// A request that arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    pub method: String,
    pub path: String,
    /// Decoded query, then decoded form body, in order.
    pub fields: Vec<(String, String)>,
}

impl Hit {
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

#[derive(Default)]
struct Shared {
    routes: Mutex<HashMap<String, Route>>,
    hits: Mutex<Vec<Hit>>,
    over: AtomicBool,
}

/// The server; it ends with the test.
pub struct Pages {
    port: u16,
    shared: Arc<Shared>,
}

impl Pages {
    /// An empty server: every path is a 404, but for `/seen`, which takes reports of pages.
    pub fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared::default());
        let serving = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if serving.over.load(Ordering::Relaxed) {
                    return;
                }
                let shared = Arc::clone(&serving);
                std::thread::spawn(move || serve(stream, &shared));
            }
        });
        Self { port, shared }
    }

    /// A server with one page at `/`.
    pub fn with(html: &str) -> Self {
        let pages = Self::start();
        pages.html("/", html);
        pages
    }

    pub fn set(&self, path: &str, route: Route) {
        self.shared.routes.lock().unwrap().insert(path.to_owned(), route);
    }

    pub fn html(&self, path: &str, body: &str) {
        self.set(path, Route::html(body));
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The same page under another host name.
    pub fn other_host(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.port)
    }

    /// Every request for a path, in order.
    pub fn hits(&self, path: &str) -> Vec<Hit> {
        let hits = self.shared.hits.lock().unwrap();
        hits.iter().filter(|hit| hit.path == path).cloned().collect()
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::Relaxed);
        // Wakes the accepting thread.
        let _woken = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn serve(stream: TcpStream, shared: &Shared) {
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut writer = stream.try_clone().unwrap();
    let mut reader = BufReader::new(stream);
    while let Some(hit) = read_request(&mut reader) {
        let known = shared.routes.lock().unwrap().get(&hit.path).cloned();
        let seen = hit.path == "/seen";
        let route = known.unwrap_or_else(|| Route::status(if seen { 204 } else { 404 }, ""));
        shared.hits.lock().unwrap().push(hit);
        if answer(&mut writer, route, shared).is_none() {
            return;
        }
    }
}

fn read_request(reader: &mut impl BufRead) -> Option<Hit> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        if header.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = header.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let mut fields = decoded(query.as_bytes());
    fields.extend(decoded(&body));
    Some(Hit { method, path: path.to_owned(), fields })
}

fn decoded(form: &[u8]) -> Vec<(String, String)> {
    url::form_urlencoded::parse(form).map(|(k, v)| (k.into_owned(), v.into_owned())).collect()
}

fn answer(writer: &mut TcpStream, route: Route, shared: &Shared) -> Option<()> {
    let (status, kind, headers, body) = match route {
        Route::Answer { status, kind, headers, body } => (status, kind, headers, body),
        Route::Redirect { status, to } => {
            (status, "text/html", vec![("Location".to_owned(), to)], Vec::new())
        }
        Route::Slow(wait, inner) => {
            std::thread::sleep(wait);
            return answer(writer, *inner, shared);
        }
        Route::Events(pause) => return send_events(writer, pause, shared),
        Route::Never => {
            while !shared.over.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(50));
            }
            return None;
        }
    };
    let mut head = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    writer.write_all(head.as_bytes()).ok()?;
    writer.write_all(&body).ok()
}

/// Numbers, until the page or the server goes.
fn send_events(writer: &mut TcpStream, pause: Duration, shared: &Shared) -> Option<()> {
    let head =
        "HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\r\n";
    writer.write_all(head.as_bytes()).ok()?;
    for number in 1.. {
        if shared.over.load(Ordering::Relaxed) {
            break;
        }
        writer.write_all(format!("data: {number}\n\n").as_bytes()).ok()?;
        std::thread::sleep(pause);
    }
    None
}
