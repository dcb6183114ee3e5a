//! What an address says: whether it leads to this machine, its page, and a path that may be repeated.

use url::{Host, Url};

use crate::redact::Redactor;

/// Longest path that is repeated.
const PATH_CHARS: usize = 80;

/// True for `localhost` and its subdomains, for loopback addresses, and for `0.0.0.0`, which leads
/// there too.
///
/// ```
/// use agent_browser_native::address::is_loopback;
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

/// The address without its fragment (RES-41).
#[must_use]
pub fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or_default()
}

/// The path of an address, when it says nothing that must be hidden (NEXT-06, NEXT-66).
#[must_use]
pub fn plain_path(url: &str) -> Option<String> {
    let path = Url::parse(url).ok().filter(Url::has_host)?.path().to_owned();
    let short = path.len() > 1 && path.chars().count() <= PATH_CHARS;
    let opaque = path.split('/').any(|part| part.len() > 20 && has_letters_and_digits(part));
    (short && !opaque && Redactor::new([]).text(&path) == path).then_some(path)
}

fn has_letters_and_digits(part: &str) -> bool {
    part.contains(|c: char| c.is_ascii_digit()) && part.contains(|c: char| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    // NEXT-66, NEXT-06, RED-15
    #[test]
    fn a_path_that_hides_something_or_is_long_is_not_repeated() {
        assert_eq!(plain_path("https://shop.test/api/cart?token=x"), Some("/api/cart".into()));
        assert_eq!(plain_path("https://shop.test/"), None);
        assert_eq!(plain_path("data:image/png;base64,AA"), None);
        assert_eq!(plain_path("https://shop.test/reset/3f9c2a77b1d04e6f88aa01bc"), None);
        assert_eq!(plain_path(&format!("https://shop.test/{}", "a".repeat(90))), None);
    }
}
