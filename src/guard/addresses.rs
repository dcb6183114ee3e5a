//! Addresses of cloud metadata services, and the files behind `file:` addresses (DEC-101).

use core::net::{Ipv4Addr, Ipv6Addr};
use std::path::PathBuf;

use url::{Host, Url};

use super::GuardContext;
use crate::command::verbs::nothing_was;
use crate::error::{Checked, Refusal};
use crate::line::Line;
use crate::outcome::FailureCategory;

/// Names under which clouds serve credentials of the machine.
const METADATA_NAMES: [&str; 3] = ["metadata.google.internal", "metadata.goog", "metadata"];
/// Metadata services that are not link-local.
const METADATA_V4: Ipv4Addr = Ipv4Addr::new(100, 100, 100, 200);
const METADATA_V6: [Ipv6Addr; 2] = [
    Ipv6Addr::new(0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x0254),
    Ipv6Addr::new(0xfd20, 0x00ce, 0, 0, 0, 0, 0, 0x0254),
];

pub(super) fn check(context: &GuardContext<'_>) -> Checked<()> {
    if context.confinement.is_none() {
        return Ok(());
    }
    for step in context.steps {
        if let Some(found) = step.argv.urls().into_iter().find(|url| is_metadata(url.value)) {
            let line = Line::ours(format!("{}, ", nothing_was(step.argv.name())))
                .quote(found.value)
                .and(" is an address of the machine's own metadata service.");
            let flag = "Whoever runs this server can add --unconfined to its command line.";
            return Err(Refusal::new(FailureCategory::PolicyBlocked, line).hint(flag));
        }
    }
    Ok(())
}

/// True for a metadata service in any spelling that a browser understands: numbers in decimal,
/// octal or hexadecimal form, mapped addresses, with or without a scheme.
fn is_metadata(address: &str) -> bool {
    let bare = Url::parse(&format!("http://{}", address.trim()));
    let whole = Url::parse(inner(address));
    [whole, bare].into_iter().flatten().any(|url| match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            METADATA_NAMES.contains(&name.as_str())
        }
        Some(Host::Ipv4(ip)) => is_metadata_v4(ip),
        Some(Host::Ipv6(ip)) => is_metadata_v6(ip),
        None => false,
    })
}

fn is_metadata_v4(ip: Ipv4Addr) -> bool {
    ip.is_link_local() || ip == METADATA_V4
}

fn is_metadata_v6(ip: Ipv6Addr) -> bool {
    let [first, second, .., high, low] = ip.segments();
    let [a, b] = high.to_be_bytes();
    let [c, d] = low.to_be_bytes();
    // Mapped, and translated by NAT64.
    let carries_v4 = ip.to_ipv4_mapped().is_some() || (first, second) == (0x64, 0xff9b);
    ip.is_unicast_link_local()
        || METADATA_V6.contains(&ip)
        || (carries_v4 && is_metadata_v4(Ipv4Addr::new(a, b, c, d)))
}

/// The file that an address names: `None` for any other address, `Some(None)` when the file is on
/// another machine or its name cannot be read.
#[must_use]
pub fn file_behind(address: &str) -> Option<Option<PathBuf>> {
    let url = Url::parse(inner(address)).ok()?;
    (url.scheme() == "file").then(|| url.to_file_path().ok())
}

/// The address behind `view-source:` and the like.
fn inner(address: &str) -> &str {
    let mut rest = address.trim_matches(|c: char| c.is_whitespace() || c.is_control());
    for _ in 0..5 {
        let peeled = ["view-source:", "filesystem:", "blob:"].iter().find_map(|wrapper| {
            let (head, tail) = rest.split_at_checked(wrapper.len())?;
            head.eq_ignore_ascii_case(wrapper).then_some(tail)
        });
        match peeled {
            Some(tail) => rest = tail,
            None => break,
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::tests::refused_by;

    // DEC-101
    #[test]
    fn metadata_services_are_known_in_every_spelling() {
        for address in [
            "http://169.254.169.254/latest/meta-data/",
            "169.254.169.254/latest",
            "http://2852039166/",
            "http://0xA9FEA9FE/",
            "http://0251.0376.0251.0376/",
            "http://169.254.43518/",
            "https://user@169.254.169.254:8080/",
            "http://169.254.170.2/v2/credentials",
            "http://[fd00:ec2::254]/",
            "http://[::ffff:169.254.169.254]/",
            "http://[::ffff:a9fe:a9fe]/",
            "http://[64:ff9b::a9fe:a9fe]/",
            "http://[fe80::1]/",
            "HTTP://METADATA.google.internal./computeMetadata/v1/",
            " http://metadata.google.internal",
            "view-source:http://169.254.169.254/",
            "100.100.100.200",
        ] {
            assert!(is_metadata(address), "{address}");
        }
        for address in [
            "http://127.0.0.1:8080/169.254.169.254",
            "https://metadata.shop.test/",
            "http://shop.test/?u=http://169.254.169.254/",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[2001:db8::a9fe:a9fe]/",
            "about:blank",
            "data:text/html,x",
            "",
        ] {
            assert!(!is_metadata(address), "{address}");
        }
    }

    // DEC-101
    #[test]
    fn metadata_is_refused_for_every_command_that_goes_to_an_address() {
        let roots = [PathBuf::from("/tmp")];
        for tokens in [
            &["open", "http://169.254.169.254/"][..],
            &["read", "http://169.254.169.254/"],
            &["tab", "new", "http://169.254.169.254/"],
        ] {
            let said = refused_by(check, tokens, &[], Some(&roots)).unwrap();
            assert!(said.starts_with("policy-blocked: nothing was"), "{said}");
            assert!(said.contains("--unconfined"), "{said}");
            assert_eq!(refused_by(check, tokens, &[], None), None);
        }
    }

    // DEC-101
    #[test]
    fn files_behind_addresses_are_found() {
        let path = |address| file_behind(address).map(|path| path.map(|p| p.display().to_string()));
        let some = |text: &str| Some(Some(text.to_owned()));
        assert_eq!(path("file:///etc/passwd"), some("/etc/passwd"));
        assert_eq!(path(" FILE:/etc/a%20b"), some("/etc/a b"));
        assert_eq!(path("file:///tmp/../etc/x"), some("/etc/x"));
        assert_eq!(path("view-source:file:///etc/passwd"), some("/etc/passwd"));
        assert_eq!(path(" \u{1}view-source:file:///etc/passwd"), some("/etc/passwd"));
        assert_eq!(path("file://host/share/x"), Some(None));
        assert_eq!(path("https://shop.test/file:///x"), None);
        assert_eq!(path("index.html"), None);
    }
}
