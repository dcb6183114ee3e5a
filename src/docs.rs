//! The reference inside the program: what `docs` prints and what MCP offers as resources.
//!
//! The texts are the documents of the repository, cut at their headings; `cargo xtask docs check`
//! keeps their generated parts fresh.

/// One document.
struct Document {
    /// First part of the ids of its sections.
    id: &'static str,
    text: &'static str,
}

const DOCUMENTS: [Document; 6] = [
    Document { id: "readme", text: include_str!("../README.md") },
    Document { id: "commands", text: include_str!("../docs/COMMAND_REFERENCE.md") },
    Document { id: "contract", text: include_str!("../docs/TOOL_CONTRACT.md") },
    Document { id: "electron", text: include_str!("../docs/ELECTRON.md") },
    Document { id: "security", text: include_str!("../docs/SECURITY.md") },
    Document { id: "troubleshooting", text: include_str!("../docs/TROUBLESHOOTING.md") },
];

/// A part of a document under one heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// `commands/global-flags`.
    pub id: String,
    /// The heading.
    pub title: String,
    /// Markdown, heading included.
    pub text: String,
}

/// Every section, in the order of the documents.
#[must_use]
pub fn sections() -> Vec<Section> {
    DOCUMENTS.iter().flat_map(sections_of).collect()
}

/// The sections that a word names: one, or all of a document.
#[must_use]
pub fn find(word: &str) -> Vec<Section> {
    let all = sections();
    let exact: Vec<Section> = all.iter().filter(|section| section.id == word).cloned().collect();
    if !exact.is_empty() {
        return exact;
    }
    let whole = format!("{word}/");
    let tail = format!("/{word}");
    let named = |section: &Section| section.id.starts_with(&whole) || section.id.ends_with(&tail);
    all.into_iter().filter(named).collect()
}

fn sections_of(document: &Document) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::new();
    let mut in_code = false;
    for line in document.text.lines() {
        // Marks of generated parts are for the generator.
        if line.starts_with("<!--") {
            continue;
        }
        if line.starts_with("```") {
            in_code = !in_code;
        }
        let heading = line.strip_prefix("## ").or_else(|| line.strip_prefix("# "));
        if let Some(title) = heading.filter(|_| !in_code) {
            let id = format!("{}/{}", document.id, slug(title));
            found.push(Section { id, title: title.to_owned(), text: String::new() });
        }
        if let Some(section) = found.last_mut() {
            section.text.push_str(line);
            section.text.push('\n');
        }
    }
    found
}

fn slug(title: &str) -> String {
    let spelled: String = title
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .collect();
    spelled.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    // DOC-05, DEC-108
    #[test]
    fn every_document_is_there_by_section() {
        let all = sections();
        let mut ids: Vec<&str> = all.iter().map(|section| section.id.as_str()).collect();
        for document in &DOCUMENTS {
            assert!(ids.iter().any(|id| id.starts_with(document.id)), "{}", document.id);
        }
        ids.sort_unstable();
        let count = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), count, "two sections of one name");
        assert!(all.iter().all(|section| section.text.len() <= 12_000), "a section is too long");
        assert!(all.iter().all(|section| !section.text.contains("<!--")));
    }

    #[test]
    fn sections_are_found_by_id_by_document_and_by_name() {
        assert_eq!(find("commands/global-flags").len(), 1);
        assert_eq!(find("global-flags"), find("commands/global-flags"));
        assert!(find("contract").len() > 3);
        assert!(find("no-such-thing").is_empty());
    }
}
