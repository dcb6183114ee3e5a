//! Just enough of Rust's grammar to tell code from comments and strings, and tests from the rest.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use regex::Regex;

/// A source file taken apart.
#[derive(Debug)]
pub struct RustSource {
    /// The text with comments and the contents of strings blanked; lines and columns stay.
    pub code: String,
    /// Every comment, one entry a line.
    pub comments: Vec<Comment>,
}

/// One line of a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Line number, from 1.
    pub line: usize,
    /// The words, with the slashes in front.
    pub text: String,
}

/// A function with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// From the line with `fn` to the line of the closing brace.
    pub lines: RangeInclusive<usize>,
}

impl RustSource {
    /// Takes a file apart. Total: text that is no Rust gives some answer, never a panic.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut lexer = Lexer::new(text);
        while lexer.step() {}
        Self { code: lexer.code, comments: lexer.comments }
    }

    /// Lines of the items behind `#[cfg(test)]`.
    #[must_use]
    pub fn test_lines(&self) -> Vec<RangeInclusive<usize>> {
        CFG_TEST
            .find_iter(&self.code)
            .filter(|attribute| !attribute.as_str().contains("not("))
            .filter_map(|attribute| {
                let body = self.body_after(attribute.end())?;
                Some(self.line_of(attribute.start())..=self.line_of(*body.end()))
            })
            .collect()
    }

    /// Every function with a body, nested ones too.
    #[must_use]
    pub fn functions(&self) -> Vec<Function> {
        FN.captures_iter(&self.code)
            .filter_map(|found| {
                let (whole, name) = (found.get(0)?, found.get(1)?);
                let body = self.body_after(whole.end())?;
                let lines = self.line_of(whole.start())..=self.line_of(*body.end());
                Some(Function { name: name.as_str().to_owned(), lines })
            })
            .collect()
    }

    /// Line number of a byte offset, from 1.
    #[must_use]
    pub fn line_of(&self, offset: usize) -> usize {
        1 + self.code.bytes().take(offset).filter(|&byte| byte == b'\n').count()
    }

    /// The byte range of the first `{ … }` behind `from`, unless a `;` ends the item before.
    fn body_after(&self, from: usize) -> Option<RangeInclusive<usize>> {
        let (mut round, mut curly) = (0i64, 0i64);
        let mut start = None;
        for (at, byte) in self.code.bytes().enumerate().skip(from) {
            match byte {
                b'(' | b'[' if start.is_none() => round += 1,
                b')' | b']' if start.is_none() => round -= 1,
                b';' if start.is_none() && round == 0 => return None,
                b'{' if start.is_some() || round == 0 => {
                    start = start.or(Some(at));
                    curly += 1;
                }
                b'}' if start.is_some() => {
                    curly -= 1;
                    if curly == 0 {
                        return start.map(|start| start..=at);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

static CFG_TEST: LazyLock<Regex> = LazyLock::new(|| regex(r"#!?\[cfg\([^\]]*\btest\b[^\]]*\)\]"));
static FN: LazyLock<Regex> = LazyLock::new(|| regex(r"\bfn\s+([A-Za-z_][A-Za-z0-9_]*)"));

/// A pattern that is part of this program.
#[expect(clippy::expect_used, reason = "a constant of this program; every one is used by a test")]
#[must_use]
pub fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a valid pattern")
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    line: usize,
    code: String,
    comments: Vec<Comment>,
}

impl Lexer {
    fn new(text: &str) -> Self {
        let chars = text.chars().collect();
        Self { chars, at: 0, line: 1, code: String::new(), comments: Vec::new() }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    /// Moves one character on, as code or blanked.
    fn advance(&mut self, keep: bool) -> Option<char> {
        let next = self.peek(0)?;
        self.at += 1;
        self.line += usize::from(next == '\n');
        self.code.push(if keep || next == '\n' { next } else { ' ' });
        Some(next)
    }

    /// One token; false at the end.
    fn step(&mut self) -> bool {
        match (self.peek(0), self.peek(1)) {
            (None, _) => return false,
            (Some('/'), Some('/')) => self.line_comment(),
            (Some('/'), Some('*')) => self.block_comment(),
            (Some('"'), _) => self.string(),
            (Some('\''), _) => self.quote(),
            (Some(first), _) if first.is_alphanumeric() || first == '_' => self.word(),
            _ => {
                self.advance(true);
            }
        }
        true
    }

    fn line_comment(&mut self) {
        let line = self.line;
        let mut text = String::new();
        while let Some(next) = self.peek(0).filter(|&next| next != '\n') {
            text.push(next);
            self.advance(false);
        }
        self.comments.push(Comment { line, text });
    }

    fn block_comment(&mut self) {
        let mut depth = 0usize;
        let mut line = self.line;
        let mut text = String::new();
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some('/'), Some('*')) => depth += 1,
                (Some('*'), Some('/')) => depth -= 1,
                (Some(next), _) => {
                    if next == '\n' {
                        self.comments.push(Comment { line, text: std::mem::take(&mut text) });
                        line = self.line + 1;
                    } else {
                        text.push(next);
                    }
                    self.advance(false);
                    continue;
                }
                (None, _) => break,
            }
            self.advance(false);
            self.advance(false);
            if depth == 0 {
                break;
            }
        }
        self.comments.push(Comment { line, text });
    }

    fn string(&mut self) {
        self.advance(true);
        while let Some(next) = self.peek(0) {
            self.advance(next == '"');
            match next {
                '"' => return,
                '\\' => {
                    self.advance(false);
                }
                _ => {}
            }
        }
    }

    /// A character literal or a lifetime.
    fn quote(&mut self) {
        let literal = self.peek(1) == Some('\\') || self.peek(2) == Some('\'');
        self.advance(true);
        if !literal {
            return;
        }
        if self.advance(false) == Some('\\') {
            self.advance(false);
        }
        while let Some(next) = self.peek(0).filter(|&next| next != '\n') {
            self.advance(next == '\'');
            if next == '\'' {
                return;
            }
        }
    }

    /// A name, a number, or the prefix of a raw string.
    fn word(&mut self) {
        let mut word = String::new();
        while let Some(next) = self.peek(0).filter(|&next| next.is_alphanumeric() || next == '_') {
            word.push(next);
            self.advance(true);
        }
        if matches!(word.as_str(), "r" | "br" | "cr") {
            let hashes = (0..).take_while(|&ahead| self.peek(ahead) == Some('#')).count();
            if self.peek(hashes) == Some('"') {
                self.raw_string(hashes);
            }
        }
    }

    fn raw_string(&mut self, hashes: usize) {
        for _ in 0..=hashes {
            self.advance(true);
        }
        while let Some(next) = self.peek(0) {
            let closes = next == '"' && (1..=hashes).all(|ahead| self.peek(ahead) == Some('#'));
            if closes {
                for _ in 0..=hashes {
                    self.advance(true);
                }
                return;
            }
            self.advance(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(String, RangeInclusive<usize>)> {
        let source = RustSource::parse(text);
        source.functions().into_iter().map(|found| (found.name, found.lines)).collect()
    }

    #[test]
    fn comments_and_strings_are_blanked_and_places_stay() {
        let source = RustSource::parse("let a = \"{ // no\"; // yes {\nlet b = r#\"} \" {\"#;\n");
        let blank = |count| " ".repeat(count);
        let expected =
            format!("let a = \"{}\"; {}\nlet b = r#\"{}\"#;\n", blank(7), blank(8), blank(5));
        assert_eq!(source.code, expected);
        assert_eq!(source.comments, [Comment { line: 1, text: "// yes {".into() }]);
    }

    #[test]
    fn a_lifetime_does_not_open_a_character() {
        let source = RustSource::parse("fn f<'a>(x: &'a str) { let c = '{'; let d = '\\''; }");
        assert_eq!(source.functions().len(), 1);
        assert!(!source.code.contains("'{'"));
        assert!(source.code.contains("&'a str"));
    }

    #[test]
    fn block_comments_nest_and_keep_their_lines() {
        let source = RustSource::parse("/* a /* b */\n c */ fn f() {}");
        let lines: Vec<usize> = source.comments.iter().map(|comment| comment.line).collect();
        assert_eq!(lines, [1, 2]);
        assert_eq!(source.functions().len(), 1);
    }

    #[test]
    fn functions_are_measured_from_their_first_to_their_last_line() {
        let text = "fn a(\n  x: [u8; 2],\n) -> u8 {\n  \"}\";\n}\ntrait T { fn b(); }\n\
                    fn c() { if true { fn d() {} } }";
        let found = names(text);
        assert_eq!(
            found,
            [("a".into(), 1..=5), ("c".into(), 7..=7), ("d".into(), 7..=7)],
            "b has no body"
        );
    }

    #[test]
    fn test_modules_are_found_and_their_declarations_are_not() {
        let text = "#[cfg(test)]\nmod out;\nfn a() {}\n#[cfg(test)]\n#[allow(x)]\nmod tests {\n\
                    }\n#[cfg(not(test))]\nfn b() {}\n";
        assert_eq!(RustSource::parse(text).test_lines(), [4..=7]);
    }

    #[test]
    fn unfinished_text_ends() {
        for text in ["\"", "'", "r#\"", "/*", "fn a(", "'\\", "#[cfg(test)] mod x {"] {
            let source = RustSource::parse(text);
            assert_eq!(source.code.chars().count(), text.chars().count());
        }
    }
}
