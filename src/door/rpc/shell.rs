//! A shell command line taken apart into simple commands, as far as a guard needs it.
//!
//! Not a shell: nothing is expanded. What cannot be told stands for itself.

/// How deep `$(…)` and backquotes may be nested.
const DEPTH_LIMIT: usize = 6;
/// A longer command line is not looked at.
const LENGTH_LIMIT: usize = 200_000;

/// One simple command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Simple {
    /// Its words, unquoted, assignments in front included, redirections left out.
    pub(super) words: Vec<String>,
    /// The body of a here-document.
    pub(super) stdin: Option<String>,
}

/// Every simple command of a line, those inside substitutions included.
pub(super) fn simple_commands(line: &str) -> Vec<Simple> {
    let mut found = Vec::new();
    if line.len() <= LENGTH_LIMIT {
        collect(line, 0, &mut found);
    }
    found
}

/// The commands inside a string that another command runs (`sh -c '…'`).
pub(super) fn collect(line: &str, depth: usize, found: &mut Vec<Simple>) {
    if depth > DEPTH_LIMIT {
        return;
    }
    let mut reader = Reader {
        rest: line.chars().collect(),
        at: 0,
        depth,
        current: Simple::default(),
        word: None,
        skip_word: false,
        heredocs: Vec::new(),
        found,
    };
    reader.read();
}

struct Heredoc {
    /// The line that ends it.
    end: String,
    /// `<<-`: leading tabs do not count.
    strip_tabs: bool,
    /// The command it belongs to, as an index into `found`; later than all means the current one.
    owner: usize,
}

struct Reader<'a> {
    rest: Vec<char>,
    at: usize,
    depth: usize,
    current: Simple,
    word: Option<String>,
    /// The next word is the target of a redirection.
    skip_word: bool,
    heredocs: Vec<Heredoc>,
    found: &'a mut Vec<Simple>,
}

impl Reader<'_> {
    fn read(&mut self) {
        while let Some(character) = self.next() {
            match character {
                '\'' => self.single_quoted(),
                '"' => self.double_quoted(),
                '\\' => {
                    if let Some(escaped) = self.next().filter(|escaped| *escaped != '\n') {
                        self.push(escaped);
                    }
                }
                '`' => self.backquoted(),
                '$' if self.peek() == Some('(') => self.dollar(),
                '#' if self.word.is_none() => self.skip_comment(),
                '<' | '>' => self.redirection(character),
                '\n' => {
                    self.end_command();
                    self.read_heredocs();
                }
                ';' | '&' | '|' | '(' | ')' => self.end_command(),
                blank if blank.is_whitespace() => self.end_word(),
                other => self.push(other),
            }
        }
        self.end_command();
    }

    fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.at += 1;
        Some(character)
    }

    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn push(&mut self, character: char) {
        self.word.get_or_insert_default().push(character);
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        if std::mem::take(&mut self.skip_word) {
            return;
        }
        self.current.words.push(word);
    }

    fn end_command(&mut self) {
        self.end_word();
        self.skip_word = false;
        let command = std::mem::take(&mut self.current);
        if !command.words.is_empty() {
            self.found.push(command);
        }
    }

    fn skip_comment(&mut self) {
        while self.peek().is_some_and(|next| next != '\n') {
            self.at += 1;
        }
    }

    fn single_quoted(&mut self) {
        self.word.get_or_insert_default();
        while let Some(character) = self.next().filter(|c| *c != '\'') {
            self.push(character);
        }
    }

    fn double_quoted(&mut self) {
        self.word.get_or_insert_default();
        while let Some(character) = self.next().filter(|c| *c != '"') {
            match character {
                '\\' => match self.next() {
                    Some('\n') | None => {}
                    Some(escaped @ ('"' | '\\' | '$' | '`')) => self.push(escaped),
                    Some(other) => {
                        self.push('\\');
                        self.push(other);
                    }
                },
                '`' => self.backquoted(),
                '$' if self.peek() == Some('(') => self.dollar(),
                other => self.push(other),
            }
        }
    }

    /// `$(…)`: the commands inside count, the word gets a stand-in.
    fn dollar(&mut self) {
        self.at += 1;
        let mut inner = String::new();
        let mut open = 1;
        let mut quote = None;
        while let Some(character) = self.next() {
            match (quote, character) {
                (None, '(') => open += 1,
                (None, ')') => open -= 1,
                (None, '\'' | '"') => quote = Some(character),
                (Some(quoted), closing) if quoted == closing => quote = None,
                (_, '\\') => {
                    inner.push('\\');
                    inner.extend(self.next());
                    continue;
                }
                _ => {}
            }
            if open == 0 {
                break;
            }
            inner.push(character);
        }
        self.substituted(&inner);
    }

    fn backquoted(&mut self) {
        let mut inner = String::new();
        while let Some(character) = self.next().filter(|c| *c != '`') {
            inner.push(character);
        }
        self.substituted(&inner);
    }

    fn substituted(&mut self, inner: &str) {
        collect(inner, self.depth + 1, self.found);
        self.word.get_or_insert_default().push_str("$(...)");
    }

    /// `<`, `>`, `>>`, `2>`, `>&1`, `<<WORD`, `<<<word`: none of it is an argument.
    fn redirection(&mut self, first: char) {
        // A number directly in front names a descriptor.
        if self.word.as_ref().is_some_and(|word| word.chars().all(|c| c.is_ascii_digit())) {
            self.word = None;
        }
        self.end_word();
        if first == '<' && self.peek() == Some('(') {
            return;
        }
        if first == '<' && self.peek() == Some('<') {
            self.at += 1;
            if self.peek() == Some('<') {
                self.at += 1;
                self.skip_word = true;
            } else {
                self.heredoc();
            }
            return;
        }
        while self.peek().is_some_and(|next| matches!(next, '>' | '&' | '|')) {
            self.at += 1;
        }
        self.skip_word = true;
    }

    fn heredoc(&mut self) {
        let strip_tabs = self.peek() == Some('-');
        if strip_tabs {
            self.at += 1;
        }
        while self.peek().is_some_and(|next| next == ' ' || next == '\t') {
            self.at += 1;
        }
        let mut end = String::new();
        while let Some(next) = self.peek() {
            if next.is_whitespace() || ";&|()<>".contains(next) {
                break;
            }
            self.at += 1;
            if !matches!(next, '\'' | '"' | '\\') {
                end.push(next);
            }
        }
        self.heredocs.push(Heredoc { end, strip_tabs, owner: self.found.len() });
    }

    fn read_heredocs(&mut self) {
        for heredoc in std::mem::take(&mut self.heredocs) {
            let mut body = Vec::new();
            while self.at < self.rest.len() {
                let mut line = String::new();
                while let Some(character) = self.next().filter(|c| *c != '\n') {
                    line.push(character);
                }
                let bare = if heredoc.strip_tabs { line.trim_start_matches('\t') } else { &line };
                if bare == heredoc.end {
                    break;
                }
                body.push(bare.to_owned());
            }
            if let Some(command) = self.found.get_mut(heredoc.owner) {
                command.stdin = Some(body.join("\n"));
            }
        }
    }
}
