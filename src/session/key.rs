//! Session names and keys (DEC-10).

use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A browser session as upstream addresses it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SessionKey {
    /// Namespace, where the caller gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Session name.
    pub name: String,
}

impl SessionKey {
    /// A key without a namespace.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self { namespace: None, name: name.into() }
    }

    /// `--namespace NS --session S`, always in this order (PLAN-17).
    #[must_use]
    pub fn tokens(&self) -> Vec<String> {
        let mut tokens = Vec::with_capacity(4);
        if let Some(namespace) = &self.namespace {
            tokens.extend(["--namespace".to_owned(), namespace.clone()]);
        }
        tokens.extend(["--session".to_owned(), self.name.clone()]);
        tokens
    }
}

/// `<door>-<cwd slug>-<12 hex of the cwd>-<8 hex of the host session id>`.
///
/// ```
/// use agent_browser_native::session::key::base_name;
/// let name = base_name("mcp", "/home/ann/My Shop".as_ref(), "conn-1");
/// assert!(name.starts_with("mcp-my-shop-"));
/// assert_eq!(name.len(), "mcp-my-shop-".len() + 12 + 1 + 8);
/// ```
#[must_use]
pub fn base_name(door: &str, cwd: &Path, host_session_id: &str) -> String {
    let cwd_hash = hex_of(cwd.as_os_str().as_encoded_bytes(), 12);
    let id_hash = hex_of(host_session_id.as_bytes(), 8);
    format!("{door}-{}-{cwd_hash}-{id_hash}", slug(cwd))
}

/// The first `digits` hexadecimal digits of the SHA-256 of `bytes`.
#[must_use]
pub fn hex_of(bytes: &[u8], digits: usize) -> String {
    let digest = Sha256::digest(bytes);
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    hex.chars().take(digits).collect()
}

fn slug(cwd: &Path) -> String {
    let last =
        cwd.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let words: String =
        last.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(24).collect();
    let words = words.trim_matches('-');
    if words.is_empty() { "root".to_owned() } else { words.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    // DEC-10, SES-02
    #[test]
    fn checkouts_of_the_same_name_and_other_hosts_get_other_names() {
        let here = base_name("pi", Path::new("/a/shop"), "s1");
        assert_ne!(here, base_name("pi", Path::new("/b/shop"), "s1"));
        assert_ne!(here, base_name("pi", Path::new("/a/shop"), "s2"));
        assert_eq!(here, base_name("pi", Path::new("/a/shop"), "s1"));
        assert!(here.starts_with("pi-shop-"), "{here}");
    }

    // DEC-10, HAZ-13
    #[test]
    fn names_are_valid_whatever_the_directory_is_called() {
        for cwd in ["/", "/tmp/ä ö", "/x/.hidden-", "/tmp/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]
        {
            let name = base_name("cli", Path::new(cwd), "id");
            assert!(name.len() <= 64, "{name}");
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{name}");
            assert_eq!(name, name.to_lowercase());
        }
    }

    // PLAN-17
    #[test]
    fn namespace_stands_before_session() {
        let key = SessionKey { namespace: Some("ns".into()), name: "s".into() };
        assert_eq!(key.tokens(), ["--namespace", "ns", "--session", "s"]);
    }
}
