//! One message to the browser's own DevTools address: `Page.stopLoading` (HAZ-07).
//!
//! A killed client's navigation goes on in upstream's daemon and blocks everything behind it; this
//! ends it from outside. It is the only message that ever goes to the browser directly; which tab is
//! meant is read from its list of tabs where upstream has not said so yet.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::address::is_loopback;

const MESSAGE: &[u8] = br#"{"id":1,"method":"Page.stopLoading"}"#;
/// A fixed key: the handshake proves nothing between two local programs.
const KEY: &str = "YWdlbnQtYnJvd3Nlci1uYXRpdmU=";

/// Ends a pending navigation of the tab `target`; true when the browser took the message.
pub async fn stop_loading(cdp_url: &str, target: &str, limit: Duration) -> bool {
    let Some(port) = loopback_port(cdp_url) else { return false };
    let plain = !target.is_empty() && target.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !plain {
        return false;
    }
    tokio::time::timeout(limit, send(port, target)).await.is_ok_and(|sent| sent.is_ok())
}

/// The port of `ws://127.0.0.1:PORT/…`; other hosts are none of our business.
#[must_use]
pub fn loopback_port(cdp_url: &str) -> Option<u16> {
    let url = url::Url::parse(cdp_url).ok()?;
    (is_loopback(&url) && url.scheme() == "ws").then(|| url.port()).flatten()
}

async fn send(port: u16, target: &str) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    let request = format!(
        "GET /devtools/page/{target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n\
         Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() > 4_096 {
            return Err(std::io::Error::other("no end of the handshake"));
        }
        head.push(stream.read_u8().await?);
    }
    if !head.starts_with(b"HTTP/1.1 101") {
        return Err(std::io::Error::other("the browser refused the handshake"));
    }
    stream.write_all(&masked_text_frame(MESSAGE)).await?;
    // Any answer shows that the message was read.
    stream.read_u8().await?;
    Ok(())
}

/// A final text frame of a client: masked, here with zeros, which leaves the text as it is.
fn masked_text_frame(text: &[u8]) -> Vec<u8> {
    let length = u8::try_from(text.len()).unwrap_or(u8::MAX).min(125);
    let mut frame = vec![0x81, 0x80 | length, 0, 0, 0, 0];
    frame.extend_from_slice(text.get(..usize::from(length)).unwrap_or_default());
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    // HAZ-07
    #[test]
    fn only_a_local_browser_is_spoken_to() {
        assert_eq!(loopback_port("ws://127.0.0.1:9222/devtools/browser/x"), Some(9222));
        assert_eq!(loopback_port("ws://10.0.0.1:9222/devtools/browser/x"), None);
        assert_eq!(loopback_port("wss://127.0.0.1:9222/"), None);
        assert_eq!(loopback_port("nonsense"), None);
    }

    // HAZ-07
    #[tokio::test]
    async fn the_message_is_one_masked_text_frame_behind_a_handshake() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut seen = vec![0; 2_000];
            let length = stream.read(&mut seen).await.unwrap();
            let head = String::from_utf8_lossy(&seen[..length]).into_owned();
            stream.write_all(b"HTTP/1.1 101 Switching Protocols\r\n\r\n").await.unwrap();
            let length = stream.read(&mut seen).await.unwrap();
            stream.write_all(b"\x81\x02{}").await.unwrap();
            (head, seen[..length].to_vec())
        });
        let url = format!("ws://127.0.0.1:{port}/devtools/browser/b");
        assert!(stop_loading(&url, "ABC123", Duration::from_secs(5)).await);
        let (head, frame) = server.await.unwrap();
        assert!(head.starts_with("GET /devtools/page/ABC123 HTTP/1.1"), "{head}");
        assert_eq!(frame[0], 0x81);
        assert_eq!(&frame[6..], MESSAGE);
        assert!(!stop_loading(&url, "../x", Duration::from_secs(1)).await);
    }
}
