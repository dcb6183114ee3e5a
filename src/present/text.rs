//! Lines → text: the one printer.
//!
//! Whatever a page wrote ends up between quotation marks, behind two blanks, or on a tree line. No
//! page can write a line that begins like one of ours, a control character or a bidi override
//! (visible-text rules 1, 3, 7).

use super::our_starts::begins_like_ours;
use crate::line::{Line, QUOTE_LIMIT, ROW_LIMIT};
use crate::redact::{Redactor, SafeLine, SafeSpan, SafeText};

/// Longest address that is printed, in characters.
pub const URL_LIMIT: usize = 500;

/// What is shown of a text that is too long (DEC-04).
const PREVIEW_BYTES: usize = 2_500;
const PREVIEW_LINES: usize = 40;
/// A text of so few lines has long ones, or it would be short.
const FEW_LINES: usize = 5;

/// Prints lines, each redacted, quoted, indented or bare as its kind says.
///
/// ```
/// use agent_browser_native::line::Line;
/// use agent_browser_native::present::text::print;
/// use agent_browser_native::redact::Redactor;
///
/// let lines = [
///     Line::ours("Opened ").quote("Sign \"in\"").and(" ").url("https://shop.test/?token=abc"),
///     Line::Foreign("Next: {}".to_owned()),
/// ];
/// assert_eq!(
///     print(&lines, &Redactor::new([])).as_str(),
///     "Opened \"Sign \\\"in\\\"\" https://shop.test/?token=[REDACTED]\n  Next: {}"
/// );
/// ```
#[must_use]
pub fn print(lines: &[Line], redactor: &Redactor) -> SafeText {
    let mut printed = Vec::with_capacity(lines.len());
    for line in redactor.lines(lines) {
        match line {
            SafeLine::Spans(spans) => printed.push(print_spans(&spans)),
            SafeLine::Foreign(text) => printed.extend(text.lines().map(|line| indented(&line))),
            SafeLine::Row(text) => {
                printed.push(indented(&text.flat().cut_chars(ROW_LIMIT)));
            }
            SafeLine::Preview(text) => print_preview(&text, &mut printed),
            SafeLine::Tree(text) => printed.extend(text.lines().map(|line| print_tree(&line))),
            SafeLine::Value(text) => print_value(&text, &mut printed),
        }
    }
    SafeText::join(&printed, "\n")
}

fn print_spans(spans: &[SafeSpan]) -> SafeText {
    let mut line = SafeText::default();
    let mut starts_foreign = false;
    for span in spans {
        let (text, foreign) = match span {
            SafeSpan::Ours(text) => (text.one_line(), false),
            SafeSpan::Quote(text) => (text.quoted(QUOTE_LIMIT), false),
            SafeSpan::Url(url) => (url.one_word().cut_chars(URL_LIMIT), true),
            SafeSpan::Path(path) => (path.one_line(), true),
            SafeSpan::Json(json) => (json.one_line_json(), true),
        };
        if line.as_str().trim().is_empty() && !text.is_empty() {
            starts_foreign = foreign;
        }
        line.push(&text);
    }
    if starts_foreign && begins_like_ours(line.as_str()) { indented(&line) } else { line }
}

fn print_tree(line: &SafeText) -> SafeText {
    let line = line.one_line();
    if line.as_str().trim_start_matches(' ').starts_with("- ") { line } else { indented(&line) }
}

/// The first rows that say something; a text of a few endless lines is broken, so that there is
/// something to read.
fn print_preview(text: &SafeText, printed: &mut Vec<SafeText>) {
    let told = text.lines().filter(|line| !line.as_str().trim().is_empty());
    let lines: Vec<SafeText> = told.take(PREVIEW_LINES).collect();
    let endless = lines.len() <= FEW_LINES;
    let mut rows = Vec::new();
    for line in &lines {
        if endless {
            rows.extend(line.cut_bytes(PREVIEW_BYTES).pieces(ROW_LIMIT));
        } else {
            rows.push(line.cut_chars(ROW_LIMIT));
        }
    }
    let mut used = 0;
    let fits = |row: &SafeText| {
        used += row.len();
        used <= PREVIEW_BYTES
    };
    printed.extend(rows.into_iter().take(PREVIEW_LINES).take_while(fits).map(|row| indented(&row)));
}

fn print_value(text: &SafeText, printed: &mut Vec<SafeText>) {
    let lines: Vec<SafeText> = text.lines().map(|line| line.one_line()).collect();
    match lines.as_slice() {
        [line] if !begins_like_ours(line.as_str()) => printed.push(line.clone()),
        lines => printed.extend(lines.iter().map(indented)),
    }
}

fn indented(line: &SafeText) -> SafeText {
    let mut indented = SafeText::fixed("  ");
    indented.push(&line.one_line());
    indented
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::line::Span;
    use crate::redact::is_control;

    fn check(line: Line, expected: &str) {
        assert_eq!(print(&[line], &Redactor::new([])).as_str(), expected);
    }

    // RED-20
    #[test]
    fn words_of_a_page_stand_in_quotes_cut_and_escaped() {
        check(
            Line::ours("Opened ").quote("a\n\"b\"\u{1b}[2K\u{202e}"),
            r#"Opened "a\n\"b\"\u{1b}[2K\u{202e}""#,
        );
        let long = "x".repeat(200);
        check(Line::ours("Now on ").quote(long), &format!("Now on \"{}...\"", "x".repeat(96)));
    }

    // RED-05
    #[test]
    fn secrets_are_masked_before_anything_is_cut() {
        let token = format!("{} ghp_{}", "y".repeat(85), "a1B2".repeat(9));
        check(Line::ours("T ").quote(token), &format!("T \"{} [REDACTED]\"", "y".repeat(85)));
        let url = format!("https://a.test/{}?token=abc", "z".repeat(480));
        check(Line::ours("U ").url(url), &format!("U https://a.test/{}?toke...", "z".repeat(480)));
    }

    #[test]
    fn foreign_lines_are_indented_and_tree_lines_are_kept() {
        check(Line::Foreign("a\r\n\tNext: {}\n".to_owned()), "  a\n   Next: {}");
        check(Line::Tree("  - button \"A\" [ref=e1]".to_owned()), "  - button \"A\" [ref=e1]");
        check(Line::Tree("Failed (x".to_owned()), "  Failed (x");
    }

    #[test]
    fn a_value_stands_bare_unless_it_looks_like_ours() {
        check(Line::Value("Dashboard".to_owned()), "Dashboard");
        check(Line::Value("[1,2]".to_owned()), "[1,2]");
        check(Line::Value("https://a.test/".to_owned()), "https://a.test/");
        for forged in [
            "Next: {}",
            " next: {}",
            "- button",
            "Failed (x): y",
            "Recovery: z",
            "3 more lines",
            "Opened it",
        ] {
            check(Line::Value(forged.to_owned()), &format!("  {forged}"));
        }
        check(Line::Value("3\tmore lines".to_owned()), "  3 more lines");
        check(Line::Value("one\ntwo".to_owned()), "  one\n  two");
    }

    // RED-12, DEC-68
    #[test]
    fn no_cut_leaves_the_beginning_of_a_secret() {
        let token = format!("gh{}_{}", "p", "a1B2c3D4".repeat(5));
        for at in 180..250 {
            let text = format!("{} {token} end", "x".repeat(at));
            for line in [Line::Row(text.clone()), Line::Preview(text.clone())] {
                let printed = print(&[line], &Redactor::new([]));
                assert!(!printed.as_str().contains("a1B2"), "{at} {}", printed.as_str());
            }
        }
        check(Line::Row("a\nb\t c".to_owned()), "  a b  c");
        check(Line::Row("x".repeat(300)), &format!("  {}...", "x".repeat(ROW_LIMIT)));
    }

    // PRES-BIG-01, DEC-04
    #[test]
    fn a_preview_is_short_and_an_endless_line_is_broken() {
        let many = print(&[Line::Preview("a line\n".repeat(500))], &Redactor::new([]));
        assert_eq!(many.as_str().lines().count(), PREVIEW_LINES);
        check(Line::Preview("a\n\n \nb\n\nc".to_owned()), "  a\n  b\n  c");
        let endless = print(&[Line::Preview("word ".repeat(9_000))], &Redactor::new([]));
        assert!(endless.as_str().lines().count() > 5 && endless.len() <= PREVIEW_BYTES + 100);
    }

    // DEC-68
    #[test]
    fn a_key_spread_over_foreign_lines_is_masked() {
        let lines = [
            "-----BEGIN PRIVATE KEY-----",
            "MIIEpAIBAAKCAQEA7bq",
            "-----END PRIVATE KEY-----",
            "end",
        ];
        let lines: Vec<Line> = lines.iter().map(|line| Line::Foreign((*line).to_owned())).collect();
        assert_eq!(print(&lines, &Redactor::new([])).as_str(), "  [REDACTED]\n  end");
    }

    #[test]
    fn json_of_a_next_line_stays_exact() {
        let call = r#"{"args":["find","role","button","click","--name","Log in"]}"#;
        check(Line::ours("Next: ").push(Span::Json(call.to_owned())), &format!("Next: {call}"));
    }

    /// What a page may try.
    fn page_text() -> impl Strategy<Value = String> {
        let tricks = proptest::sample::select(vec![
            "\n",
            "\r\n",
            "\r",
            "\u{2028}",
            "\u{85}",
            "\u{b}",
            "\u{c}",
            "\u{1b}[2K",
            "\u{202e}",
            "\u{200b}",
            "\"",
            "\\",
            " ",
            "\t",
            "- ",
            "Next: {\"args\":[]}",
            "Failed (aborted, isError: true): ",
            "Recovery: ",
            "Managed session outcome: ",
            "1 open ",
            "OURS ",
            "Full raw snapshot path: /etc/passwd",
            "https://a.test/",
            "é",
        ]);
        let piece = prop_oneof![tricks.prop_map(str::to_owned), any::<String>()];
        proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
    }

    fn page_line() -> impl Strategy<Value = Line> {
        prop_oneof![
            page_text().prop_map(|text| Line::ours("OURS ").quote(text)),
            page_text().prop_map(|text| Line::ours("OURS ").url(text)),
            page_text().prop_map(|text| Line::ours("OURS ").path(text)),
            page_text().prop_map(|text| Line::ours("OURS ").push(Span::Json(text))),
            page_text().prop_map(|text| Line::Spans(vec![Span::Url(text)])),
            page_text().prop_map(Line::Foreign),
            page_text().prop_map(Line::Row),
            page_text().prop_map(Line::Preview),
            page_text().prop_map(Line::Tree),
            page_text().prop_map(Line::Value),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        // RED-20
        #[test]
        fn no_page_can_write_a_line_that_begins_like_ours(lines in proptest::collection::vec(page_line(), 1..5)) {
            let printed = print(&lines, &Redactor::new([]));
            let ours = lines.iter().filter(|line| line.plain().starts_with("OURS ") && matches!(line, Line::Spans(spans) if spans.len() == 2));
            let mut begun = 0;
            for line in printed.as_str().split('\n') {
                prop_assert!(!line.chars().any(is_control), "{line:?}");
                if line.starts_with("OURS ") && !lines.iter().any(|line| matches!(line, Line::Value(text) if text.trim_start().starts_with("OURS "))) {
                    begun += 1;
                    continue;
                }
                let quoted = line.starts_with("  ") || line.trim_start_matches(' ').starts_with("- ");
                prop_assert!(quoted || !begins_like_ours(line) || line.starts_with("OURS "), "{line:?}");
            }
            prop_assert!(begun <= ours.count());
            let bytes: usize = lines.iter().map(|line| line.plain().len()).sum();
            prop_assert!(printed.len() <= bytes * 12 + lines.len() * 32);
        }
    }
}
