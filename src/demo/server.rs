//! A small HTTP server on loopback for the bundled pages. It answers one request per connection,
//! knows nothing but these pages, and remembers what was done on them: that is the truth which the
//! demo compares the answers with.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;

use super::site::{Answer, Site};

const CONNECTIONS: usize = 64;
const REQUEST_LIMIT: usize = 64 * 1024;
const REQUEST_TIME: Duration = Duration::from_secs(10);
/// A page that is not let go moves on by itself in the end.
const HELD_TIME: Duration = Duration::from_secs(60);

/// The running server; it ends when it is dropped.
pub(super) struct Server {
    address: SocketAddr,
    site: Arc<watch::Sender<Site>>,
    accepting: JoinHandle<()>,
}

impl Server {
    pub(super) async fn start() -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let site = Arc::new(watch::Sender::new(Site::default()));
        let accepting = tokio::spawn(accept(listener, Arc::clone(&site)));
        Ok(Self { address, site, accepting })
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Looks at what was done on the pages.
    pub(super) fn look<T>(&self, question: impl FnOnce(&Site) -> T) -> T {
        question(&self.site.borrow())
    }

    /// Changes what the pages show.
    pub(super) fn change(&self, change: impl FnOnce(&mut Site)) {
        self.site.send_modify(change);
    }

    /// Waits until something was done on the pages; `false` when it was not in time.
    pub(super) async fn saw(&self, limit: Duration, what: impl FnMut(&Site) -> bool) -> bool {
        let mut watching = self.site.subscribe();
        tokio::time::timeout(limit, watching.wait_for(what)).await.is_ok_and(|seen| seen.is_ok())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, site: Arc<watch::Sender<Site>>) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            // Out of file handles, most likely; a moment later there may be some.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let site = Arc::clone(&site);
        tokio::spawn(async move {
            // A browser that hangs up early has what it wanted.
            let _ = serve(stream, &site).await;
            drop(place);
        });
    }
}

async fn serve(mut stream: TcpStream, site: &watch::Sender<Site>) -> std::io::Result<()> {
    let read = tokio::time::timeout(REQUEST_TIME, read_request(&mut stream)).await;
    let Ok(Some(request)) = read else { return Ok(()) };
    let mut answer = Answer::missing();
    site.send_modify(|site| answer = site.answer(&request.method, &request.path, &request.body));
    if let Answer::WhenLetGo { run } = &answer {
        let mut watching = site.subscribe();
        let let_go = watching.wait_for(|site| site.is_let_go(run));
        let _held_long_enough = tokio::time::timeout(HELD_TIME, let_go).await;
    }
    stream.write_all(printed(&answer).as_bytes()).await?;
    stream.shutdown().await
}

struct Request {
    method: String,
    path: String,
    body: String,
}

async fn read_request(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    loop {
        if let Some(request) = parsed(&bytes) {
            return Some(request);
        }
        if bytes.len() >= REQUEST_LIMIT || stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}

/// The request, when all of it is there.
fn parsed(bytes: &[u8]) -> Option<Request> {
    let text = String::from_utf8_lossy(bytes);
    let (head, body) = text.split_once("\r\n\r\n")?;
    let mut lines = head.lines();
    let mut first = lines.next()?.split(' ');
    let (method, path) = (first.next()?.to_owned(), first.next()?.to_owned());
    let length = lines.filter_map(|line| line.split_once(':')).find_map(|(name, value)| {
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    (body.len() >= length.unwrap_or(0)).then(|| Request { method, path, body: body.to_owned() })
}

fn printed(answer: &Answer) -> String {
    let common = "Connection: close\r\n";
    match answer {
        Answer::Page { kind, text } => format!(
            "HTTP/1.1 200 OK\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\n{common}\r\n{text}",
            text.len()
        ),
        Answer::GoTo(place) => {
            format!(
                "HTTP/1.1 303 See Other\r\nLocation: {place}\r\nContent-Length: 0\r\n{common}\r\n"
            )
        }
        Answer::Done | Answer::WhenLetGo { .. } => {
            format!("HTTP/1.1 204 No Content\r\n{common}\r\n")
        }
        Answer::Missing => {
            format!("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n{common}\r\n")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn get(server: &Server, head: &str) -> String {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn pages_are_served_on_loopback_only() {
        let server = Server::start().await.unwrap();
        assert!(server.address.ip().is_loopback());
        let page = get(&server, "GET /shop/raw/ HTTP/1.1\r\nHost: x\r\n\r\n").await;
        assert!(
            page.starts_with("HTTP/1.1 200 OK") && page.contains("Everything for tea"),
            "{page}"
        );
        let missing = get(&server, "GET /shop/raw/../../etc/passwd HTTP/1.1\r\n\r\n").await;
        assert!(missing.starts_with("HTTP/1.1 404"), "{missing}");
    }

    #[tokio::test]
    async fn a_body_that_comes_in_pieces_is_read_whole() {
        let server = Server::start().await.unwrap();
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream
            .write_all(b"POST /shop/raw/cart HTTP/1.1\r\nContent-Length: 26\r\n\r\nquan")
            .await
            .unwrap();
        tokio::time::sleep(Duration::from_millis(20)).await;
        stream.write_all(b"tity=3&coupon=TEA10xxx").await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
        assert_eq!(server.look(|site| site.order("raw").quantity.clone()), "3");
    }

    #[tokio::test]
    async fn the_held_page_moves_on_when_it_is_let_go() {
        let server = Server::start().await.unwrap();
        let asked = get(&server, "GET /story/raw/moves-on HTTP/1.1\r\n\r\n");
        let waiting = tokio::time::timeout(Duration::from_millis(50), asked).await;
        assert!(waiting.is_err());
        server.change(|site| site.let_go("raw"));
        let answer = get(&server, "GET /story/raw/moves-on HTTP/1.1\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
        assert!(!server.look(|site| site.is_let_go("ours")));
    }
}
