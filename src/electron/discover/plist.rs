//! The few texts of an `Info.plist` that name a bundle. Binary lists are left alone: the bundle's
//! own file names serve then.

/// The text behind a key of the outermost dictionary of an XML property list.
pub(super) fn text(xml: &str, key: &str) -> Option<String> {
    let mut rest = xml;
    let wanted = format!("<key>{key}</key>");
    loop {
        let (_, behind) = rest.split_once(wanted.as_str())?;
        let behind = behind.trim_start();
        if let Some(value) = behind.strip_prefix("<string>") {
            let (value, _) = value.split_once("</string>")?;
            return Some(unescaped(value.trim()));
        }
        rest = behind;
    }
}

fn unescaped(text: &str) -> String {
    let pairs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    pairs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    // DEC-86
    #[test]
    fn texts_are_read_by_key() {
        let xml = "<plist><dict>\n<key>CFBundleName</key>\n\t<string>Notes &amp; More</string>\n\
                   <key>LSMinimumSystemVersion</key><integer>1</integer></dict></plist>";
        assert_eq!(text(xml, "CFBundleName").as_deref(), Some("Notes & More"));
        assert_eq!(text(xml, "LSMinimumSystemVersion"), None);
        assert_eq!(text(xml, "CFBundleExecutable"), None);
        assert_eq!(text("bplist00\u{1}", "CFBundleName"), None);
        assert_eq!(text("<key>a</key><string>never closed", "a"), None);
    }
}
