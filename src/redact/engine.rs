//! One scan for all rules.
//!
//! Every rule names the words that wake it. One automaton finds them all in a single pass, the rule
//! then looks at the place and marks ranges. A rule decides from a bounded number of bytes, mostly
//! [`LOOK`], and walks further only over what it masks, so the whole scan is linear in the text.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::tree::{self, Parts};
use super::{MASK, RULES};

/// How far a rule may look before it has decided to mask.
pub(super) const LOOK: usize = 256;

/// A rule of the gate.
pub struct Rule {
    /// Stable name.
    pub id: &'static str,
    /// What it masks, in one sentence.
    pub doc: &'static str,
    /// The words that wake it; ASCII, any case.
    pub triggers: &'static [&'static str],
    /// The secret shows by its own form, whatever stands around it.
    pub self_evident: bool,
    /// Looks at the text around a trigger and marks what is secret.
    pub(super) apply: fn(&mut Scan<'_>, Range<usize>),
}

/// What the scanned text is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Text of any origin.
    Free,
    /// A line of an accessibility tree.
    Tree,
    /// Our own words, where `Password: ` is no field; only self-evident secrets are masked.
    Own,
}

/// The text under work and what has been marked in it.
pub(super) struct Scan<'t> {
    pub(super) text: &'t str,
    mode: Mode,
    /// The text is one JSON document: its quoted keys are fields, not prose.
    pub(super) json: bool,
    /// How many parameters of addresses the text was decoded from.
    pub(super) nested: u8,
    /// End of the furthest marked range; triggers before it are already covered.
    covered: usize,
    /// Ends of the furthest address, key and header already judged.
    pub(super) url_end: usize,
    pub(super) key_end: usize,
    pub(super) header_end: usize,
    line: Range<usize>,
    tree: Option<Parts>,
    spans: Vec<Range<usize>>,
}

impl<'t> Scan<'t> {
    pub(super) fn new(text: &'t str, mode: Mode) -> Self {
        let bare = text.trim();
        let json = bare.starts_with(['{', '[']) && bare.ends_with(['}', ']']);
        Self {
            text,
            mode,
            json,
            nested: 0,
            covered: 0,
            url_end: 0,
            key_end: 0,
            header_end: 0,
            line: 0..0,
            tree: None,
            spans: Vec::new(),
        }
    }

    /// Runs every rule over the text.
    pub(super) fn run(&mut self) {
        let Some(automaton) = AUTOMATON.as_ref() else {
            self.mask(0..self.text.len());
            return;
        };
        for hit in automaton.find_overlapping_iter(self.text) {
            let (start, pattern) = (hit.start(), hit.pattern().as_usize());
            if start < self.covered {
                continue;
            }
            let rule = OWNERS.get(pattern).and_then(|index| RULES.get(*index));
            if let Some(rule) = rule.filter(|rule| self.mode != Mode::Own || rule.self_evident) {
                (rule.apply)(self, start..hit.end());
            }
        }
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    pub(super) fn before(&self, at: usize) -> Option<u8> {
        at.checked_sub(1).and_then(|at| self.byte(at))
    }

    /// The text of a range, empty where the range is not one.
    pub(super) fn slice(&self, range: Range<usize>) -> &'t str {
        self.text.get(range).unwrap_or_default()
    }

    /// At most [`LOOK`] bytes of a range.
    pub(super) fn look(&self, range: Range<usize>) -> &'t str {
        let end = range.end.min(range.start.saturating_add(LOOK)).min(self.text.len());
        self.slice(range.start..self.boundary_before(end))
    }

    /// Where the run of accepted bytes that begins at `from` ends, at most `max` bytes on.
    pub(super) fn end_of(&self, from: usize, max: usize, accept: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.as_bytes().get(from..).unwrap_or_default();
        from + rest.iter().take(max).take_while(|byte| accept(**byte)).count()
    }

    /// Where the run of accepted bytes that ends at `to` begins, at most `max` bytes back.
    pub(super) fn start_of(&self, to: usize, max: usize, accept: impl Fn(u8) -> bool) -> usize {
        let head = self.text.as_bytes().get(..to).unwrap_or_default();
        to - head.iter().rev().take(max).take_while(|byte| accept(**byte)).count()
    }

    /// True when the text goes on with `words` at `at`.
    pub(super) fn follows(&self, at: usize, words: &str) -> bool {
        self.text.as_bytes().get(at..).is_some_and(|rest| rest.starts_with(words.as_bytes()))
    }

    /// `at`, or the beginning of the character it stands in.
    pub(super) fn boundary_before(&self, at: usize) -> usize {
        (0..=at).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or_default()
    }

    /// Marks a range as secret.
    pub(super) fn mask(&mut self, range: Range<usize>) {
        let length = self.text.len();
        let start = self.boundary_before(range.start);
        let mut rest = range.end.min(length)..=length;
        let end = rest.find(|at| self.text.is_char_boundary(*at)).unwrap_or(length);
        if start < end {
            self.covered = self.covered.max(end);
            self.spans.push(start..end);
        }
    }

    /// The line around `at` and its parts, where it is a line of an accessibility tree.
    ///
    /// Callers come in ascending order, so every line is taken apart once.
    pub(super) fn tree_line_at(&mut self, at: usize) -> Option<(Range<usize>, Parts)> {
        if !self.line.contains(&at) {
            let start = self.start_of(at, usize::MAX, |byte| byte != b'\n');
            let end = self.end_of(at, usize::MAX, |byte| byte != b'\n');
            self.line = start..end;
            let line = self.slice(start..end);
            let is_tree = tree::is_tree_line(line, self.mode == Mode::Tree);
            self.tree = if is_tree { tree::parts(line) } else { None };
        }
        let parts = self.tree.clone()?;
        Some((self.line.clone(), parts))
    }

    /// The marked pieces of the text, longest first where they begin at one place.
    pub(super) fn marked(mut self) -> Vec<Range<usize>> {
        self.spans.sort_unstable_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        self.spans.dedup();
        self.spans
    }

    /// The text with every marked range masked, or `None` when nothing was marked.
    pub(super) fn render(mut self) -> Option<String> {
        if self.spans.is_empty() {
            return None;
        }
        // A mark that touches the inside of an earlier mask takes it whole: masks stay as they are.
        let masks: Vec<Range<usize>> =
            self.text.match_indices(MASK).map(|(at, found)| at..at + found.len()).collect();
        let mut merged: Vec<Range<usize>> = Vec::with_capacity(self.spans.len());
        self.spans.sort_unstable_by_key(|span| (span.start, span.end));
        let mut masks = masks.into_iter().peekable();
        for mut span in self.spans {
            while masks.peek().is_some_and(|mask| mask.end <= span.start) {
                masks.next();
            }
            while let Some(mask) = masks.peek().filter(|mask| mask.start < span.end) {
                span = span.start.min(mask.start)..span.end.max(mask.end);
                masks.next();
            }
            match merged.last_mut() {
                Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
                _ => merged.push(span),
            }
        }
        let mut masked = String::with_capacity(self.text.len());
        let mut from = 0;
        for span in merged {
            masked.push_str(self.text.get(from..span.start).unwrap_or_default());
            masked.push_str(MASK);
            from = span.end;
        }
        masked.push_str(self.text.get(from..).unwrap_or_default());
        Some(masked)
    }
}

/// All triggers of all rules. `None` cannot happen with this list; if it did, all text is masked.
static AUTOMATON: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .ascii_case_insensitive(true)
        .build(RULES.iter().flat_map(|rule| rule.triggers))
        .ok()
});

/// The rule of each trigger, by the trigger's number.
static OWNERS: LazyLock<Vec<usize>> = LazyLock::new(|| {
    RULES
        .iter()
        .enumerate()
        .flat_map(|(index, rule)| rule.triggers.iter().map(move |_| index))
        .collect()
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::Redactor;

    #[test]
    fn looks_and_marks_keep_to_whole_characters() {
        let text = format!("{}é€", "a".repeat(LOOK - 1));
        let mut scan = Scan::new(&text, Mode::Free);
        assert_eq!(scan.look(0..text.len()), "a".repeat(LOOK - 1));
        assert_eq!(scan.look(LOOK - 2..LOOK + 1), "aé");
        scan.mask(LOOK..LOOK + 2);
        assert_eq!(scan.render().as_deref(), Some(&*format!("{}[REDACTED]", "a".repeat(LOOK - 1))));
        let mut scan = Scan::new("éa", Mode::Free);
        scan.mask(1..2);
        scan.mask(3..3);
        assert_eq!(scan.render().as_deref(), Some("[REDACTED]a"));
    }

    // RED-10, HAZ-24
    #[test]
    fn lines_are_judged_alone_in_whatever_order_they_are_asked_for() {
        let gate = Redactor::new(["swordfish".to_owned(), "e1".to_owned()]);
        assert_eq!(
            gate.text("- link \"swordfish\" [ref=e1]\n- textbox \"Password\" [ref=e1]: tulip"),
            "- link \"[REDACTED]\" [ref=e1]\n- textbox \"Password\" [ref=e1]: [REDACTED]"
        );
        let line = "- frobnicator \"Go\" [ref=e1]";
        assert_eq!(gate.tree_line(line), line);
        assert_eq!(gate.text(line), "- frobnicator \"Go\" [ref=[REDACTED]]");
    }

    // RED-23
    #[test]
    fn a_mask_swallows_no_neighbour_and_is_never_opened() {
        let gate = Redactor::new(["swordfish".to_owned()]);
        assert_eq!(gate.text("swordfish[REDACTED]"), "[REDACTED][REDACTED]");
        assert_eq!(gate.text("[REDACTED]swordfish"), "[REDACTED][REDACTED]");
        assert_eq!(gate.text("swordfishswordfish"), "[REDACTED]");
        assert_eq!(Redactor::new(["REDACTED".to_owned()]).text("a [REDACTED]"), "a [REDACTED]");
    }
}
