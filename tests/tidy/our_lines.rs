//! Every line of ours is known by its beginning, so that a page's text cannot stand for one.

use agent_browser_native::present::our_starts::begins_like_ours;
use xtask::rust_source::regex;

use crate::{File, assert_none, files_of};

/// Where answers are written.
const SPEAKING: &[&str] = &[
    "artifact", "call", "command", "diagnose", "electron", "guard", "input", "lookup", "plan",
    "present", "search", "session",
];

/// A literal that begins a line: given to what makes lines, or a whole sentence that a choice, a
/// list or a name holds.
const MAKES_LINE: &str = r#"(?:Line::ours|Line::from|\.hint|\.note|notes\.push|lines\.push|answer\.push)\(\s*(?:format!\(\s*)?(")"#;
const HOLDS_SENTENCE: &str =
    r#"(?:=>|=|\[|\{|\bvec!\[)\s*(?:Line::ours\(\s*)?(?:format!\(\s*)?(")"#;

/// The literal whose opening quotation mark is at this byte of the code, a flag in the place
/// of every value.
fn literal(file: &File, at: usize) -> String {
    let before = file.source.code.get(..at).unwrap().chars().count();
    let blanked = file.source.code.chars().skip(before + 1);
    let length = blanked.take_while(|next| *next != '"').count();
    let raw: String = file.text.chars().skip(before + 1).take(length).collect();
    let joined = regex(r"\\\n\s*").replace_all(&raw, "").replace("\\\"", "\"");
    regex(r"\{[^}]*\}").replace_all(&joined, "--flag").into_owned()
}

fn literals(file: &File, pattern: &str) -> Vec<String> {
    let pattern = regex(pattern);
    let found = pattern.captures_iter(&file.source.code).filter_map(|found| found.get(1));
    let product = found.filter(|quote| !file.in_test(file.source.line_of(quote.start())));
    let literal = product.map(|quote| literal(file, quote.start()));
    literal.filter(|text| text.starts_with(|first: char| first.is_ascii_uppercase())).collect()
}

/// A value may stand behind a beginning that ends in a blank; a quotation is the usual one.
fn is_known(text: &str) -> bool {
    begins_like_ours(text) || text.ends_with(' ') && begins_like_ours(&format!("{text}\""))
}

#[test]
fn a_page_cannot_write_any_line_of_ours() {
    let folders = SPEAKING.iter().map(|part| format!("src/{part}"));
    let is_spoken = |file: &File| folders.clone().any(|part| file.name.starts_with(&part));
    let (mut problems, mut seen) = (Vec::new(), 0);
    for file in files_of(&["src"]).iter().filter(|file| is_spoken(file)) {
        let mut ours = literals(file, MAKES_LINE);
        let sentences = literals(file, HOLDS_SENTENCE);
        ours.extend(sentences.into_iter().filter(|text| text.ends_with('.') && text.contains(' ')));
        seen += ours.len();
        let unknown = ours.iter().filter(|text| !is_known(text));
        problems.extend(unknown.map(|text| format!("{}: not in OUR_STARTS: {text}", file.name)));
    }
    assert_none(&problems);
    // The patterns still find what they are there for.
    assert!(seen > 200, "only {seen} lines found");
}
