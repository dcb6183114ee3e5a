//! A loopback HTTP server that answers from a list and remembers what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

/// A request as the server saw it.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    pub line: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Asked {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// An answer: status line and headers, then a body.
#[derive(Clone, Debug)]
pub struct Canned {
    pub head: String,
    pub body: String,
    /// Waits this long before it answers.
    pub delay: Duration,
}

impl Canned {
    pub fn ok(body: &Value) -> Self {
        Self { head: "200 OK".into(), body: body.to_string(), delay: Duration::ZERO }
    }

    pub fn status(head: &str, body: &str) -> Self {
        Self { head: head.into(), body: body.into(), delay: Duration::ZERO }
    }
}

/// Answers one request after the other; the last answer is repeated.
pub struct Server {
    pub base: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    pub fn start(answers: Vec<Canned>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        std::thread::spawn(move || {
            for (index, stream) in listener.incoming().take(50).enumerate() {
                let answer = answers.get(index).or(answers.last());
                let (Ok(stream), Some(answer)) = (stream, answer) else { return };
                serve(stream, answer, &log);
            }
        });
        Self { base, asked }
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, answer: &Canned, log: &Mutex<Vec<Asked>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut asked = Asked::default();
    reader.read_line(&mut asked.line).unwrap();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap() == 0 || line.trim().is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').unwrap();
        asked.headers.push((name.to_owned(), value.trim().to_owned()));
    }
    let length = asked.header("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    asked.body = String::from_utf8(body).unwrap();
    asked.line = asked.line.trim().to_owned();
    log.lock().unwrap().push(asked);
    std::thread::sleep(answer.delay);
    // The client may have gone.
    let _ = write!(
        stream,
        "HTTP/1.1 {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
        answer.head,
        answer.body.len(),
        answer.body
    );
}
