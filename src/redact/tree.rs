//! Lines of an accessibility tree: structure stays, the value of a password field does not (HAZ-24).

use std::ops::Range;

use super::engine::{Rule, Scan};
use super::{MASK, keys};

/// The typed value of a password-like field.
pub(super) const RULE: Rule = Rule {
    id: "password-field-line",
    doc: "The value of a text field in a snapshot line whose label says that it takes a password or a one-time code.",
    triggers: &["- textbox ", "- searchbox ", "- spinbutton ", "- combobox ", "- generic "],
    self_evident: false,
    apply,
};

/// Roles that upstream prints; a list item of Markdown begins with none of them.
const ROLES: &[&str] = &[
    "alert",
    "alertdialog",
    "application",
    "article",
    "banner",
    "blockquote",
    "button",
    "caption",
    "cell",
    "checkbox",
    "code",
    "columnheader",
    "combobox",
    "complementary",
    "contentinfo",
    "definition",
    "dialog",
    "directory",
    "document",
    "emphasis",
    "feed",
    "figure",
    "form",
    "generic",
    "grid",
    "gridcell",
    "group",
    "heading",
    "iframe",
    "image",
    "img",
    "link",
    "list",
    "listbox",
    "listitem",
    "log",
    "main",
    "marquee",
    "math",
    "menu",
    "menubar",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "meter",
    "navigation",
    "none",
    "note",
    "option",
    "paragraph",
    "presentation",
    "progressbar",
    "radio",
    "radiogroup",
    "region",
    "row",
    "rowgroup",
    "rowheader",
    "scrollbar",
    "search",
    "searchbox",
    "separator",
    "slider",
    "spinbutton",
    "statictext",
    "status",
    "strong",
    "switch",
    "tab",
    "table",
    "tablist",
    "tabpanel",
    "term",
    "text",
    "textbox",
    "time",
    "timer",
    "toolbar",
    "tooltip",
    "tree",
    "treegrid",
    "treeitem",
    "labeltext",
    "video",
    "audio",
    "canvas",
    "details",
    "summary",
];

/// The parts of a tree line, as offsets into the line.
#[derive(Clone)]
pub(super) struct Parts {
    /// Dash and role, up to here.
    pub(super) role_end: usize,
    /// Behind the quoted name, before its second quotation mark.
    pub(super) name_end: usize,
    /// From the first bracket behind the name to the one that closes it, or to an address in it.
    pub(super) attributes: Range<usize>,
    /// Behind `: `.
    pub(super) value: Range<usize>,
}

/// True for `- role …`; `any_role` where the caller knows that the line is of a tree.
pub(super) fn is_tree_line(line: &str, any_role: bool) -> bool {
    let Some(rest) = line.trim_start_matches(' ').strip_prefix("- ") else {
        return false;
    };
    let role = rest.split([' ', ':']).next().unwrap_or_default();
    any_role || ROLES.iter().any(|known| role.eq_ignore_ascii_case(known))
}

/// Takes a tree line apart.
pub(super) fn parts(line: &str) -> Option<Parts> {
    let dash = line.len() - line.trim_start_matches(' ').len();
    let rest = line.get(dash..)?.strip_prefix("- ")?;
    let role_end = dash + 2 + rest.find([' ', ':']).unwrap_or(rest.len());
    let bytes = line.as_bytes();
    let mut name_end = role_end;
    if line.get(role_end..).is_some_and(|tail| tail.starts_with(" \"")) {
        let mut end = role_end + 2;
        while let Some(byte) = bytes.get(end).filter(|byte| **byte != b'"') {
            end += if *byte == b'\\' { 2 } else { 1 };
        }
        name_end = end.min(line.len());
    }
    let tail = line.get(name_end..).unwrap_or_default();
    let value = tail.find(": ").map_or(line.len(), |found| name_end + found + 2);
    let head = line.get(name_end..value).unwrap_or_default();
    let open = head.find('[').map_or(value, |found| name_end + found);
    // The first bracket closes them: what a page puts behind it is no structure.
    let inside = line.get(open..value).unwrap_or_default();
    let close = inside.find(']').map_or(value, |found| open + found);
    let close = inside.find("url=").map_or(close, |found| close.min(open + found + 4));
    Some(Parts { role_end, name_end, attributes: open..close, value: value..line.len() })
}

fn apply(scan: &mut Scan<'_>, hit: Range<usize>) {
    let Some((line, parts)) = scan.tree_line_at(hit.start) else {
        return;
    };
    let text = scan.slice(line.clone());
    // Only the dash that opens the line; the same words may stand in its name.
    if hit.end > line.start + parts.role_end + 1 {
        return;
    }
    let name = text.get(parts.role_end..parts.name_end).unwrap_or_default();
    let value = text.get(parts.value.clone()).unwrap_or_default();
    let hidden = value.contains(MASK)
        || value.chars().all(|character| matches!(character, '•' | '*' | '●' | ' '));
    if !hidden && keys::label_is_password(name) {
        scan.mask(line.start + parts.value.start..line.start + parts.value.end);
    }
}

impl Parts {
    /// True when a range of the line is its structure: dash, role, and attributes other than `url=`.
    pub(super) fn is_structure(&self, range: &Range<usize>) -> bool {
        range.end <= self.role_end
            || (range.start >= self.attributes.start && range.end <= self.attributes.end)
    }
}

#[cfg(test)]
mod tests {
    use crate::redact::Redactor;

    fn check(text: &str, expected: &str) {
        assert_eq!(Redactor::new([]).text(text), expected, "{text}");
    }

    // HAZ-24, DEC-68
    #[test]
    fn a_label_is_structure_and_a_typed_password_is_not() {
        check("- textbox \"Password:\" [ref=e5]", "- textbox \"Password:\" [ref=e5]");
        check(
            "  - textbox \"Your password\" [ref=e5]: two words",
            "  - textbox \"Your password\" [ref=e5]: [REDACTED]",
        );
        check(
            "- textbox \"Email\" [ref=e2]: ann@a.test",
            "- textbox \"Email\" [ref=e2]: ann@a.test",
        );
        check(
            "- textbox \"Say \\\"password\\\"\" [ref=e2]: x1",
            "- textbox \"Say \\\"password\\\"\" [ref=e2]: [REDACTED]",
        );
        check("- textbox \"PIN\" [ref=e2]: ••••", "- textbox \"PIN\" [ref=e2]: ••••");
    }

    // HAZ-24
    #[test]
    fn refs_and_roles_stay_even_when_a_secret_spells_them() {
        let gate = Redactor::new(["e5".to_owned(), "heading".to_owned(), "level=1".to_owned()]);
        let line = "- heading \"Go e5\" [level=1, ref=e5]";
        assert_eq!(gate.tree_line(line), "- heading \"Go [REDACTED]\" [level=1, ref=e5]");
        let link = "- link \"A\" [ref=e6, url=https://a.test/e5]";
        assert_eq!(gate.text(link), "- link \"A\" [ref=e6, url=https://a.test/[REDACTED]]");
    }

    // HAZ-24, RED-10
    #[test]
    fn a_secret_is_structure_only_within_the_role_and_the_brackets() {
        let check = |secret: &str, line: &str, expected: &str| {
            assert_eq!(Redactor::new([secret.to_owned()]).tree_line(line), expected, "{secret}");
        };
        let link = "- link \"Go\" [ref=e6, url=https://a.test/x]";
        check("e6", link, link);
        check("url", link, link);
        check("e6", "- button \"Go\" [ref=e6] e6", "- button \"Go\" [ref=e6] [REDACTED]");
        check(":abcdef", "- note:abcdef", "- note[REDACTED]");
        check("fish and", "- swordfish and chips", "- sword[REDACTED] chips");
    }

    // HAZ-24
    #[test]
    fn words_in_a_name_open_no_line() {
        let line = "- link \"Password - textbox help\" [ref=e1]: more words";
        check(line, line);
    }
}
