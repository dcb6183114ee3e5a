//! Whether an address leads to this machine.

use url::{Host, Url};

/// True for `localhost` and its subdomains, for loopback addresses, and for `0.0.0.0`, which leads
/// there too.
///
/// ```
/// use agent_browser_native::loopback::is_loopback;
/// let local = |url: &str| is_loopback(&url.parse().unwrap());
/// assert!(local("http://localhost:3000/") && local("http://app.localhost/"));
/// assert!(local("ws://127.0.0.9:9222/") && local("http://[::1]/") && local("http://0.0.0.0/"));
/// assert!(!local("http://localhost.test/") && !local("http://10.0.0.1/") && !local("file:///a"));
/// ```
#[must_use]
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(ip)) => ip.is_loopback() || ip.is_unspecified(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}
