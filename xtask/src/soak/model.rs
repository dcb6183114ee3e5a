//! What the pages of a session must say.

use std::collections::BTreeMap;

/// Stands in every text that is typed into a password field and must never come back.
pub(super) const SECRET: &str = "SOAKSECRET";
/// Every mark of a page begins so, followed by the letter of its session.
const MARK: &str = "mark";
/// Elements of the page that get a ref.
pub(super) const REFS: usize = 18;

/// One session's letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Letter(pub(super) char);

impl Letter {
    pub(super) const ALL: [Self; 4] = [Self('A'), Self('B'), Self('C'), Self('D')];

    /// The mark of this session's page of that number.
    pub(super) fn mark(self, number: usize) -> String {
        format!("{MARK}{}{number}", self.0)
    }

    /// What must not stand in an answer to this session: secrets, and marks of other sessions.
    pub(super) fn foreign_in(self, raw: &str) -> Option<String> {
        let others = Self::ALL.into_iter().filter(|other| *other != self);
        let marks = others.map(|other| format!("{MARK}{}", other.0));
        std::iter::once(SECRET.to_owned()).chain(marks).find(|word| raw.contains(word.as_str()))
    }
}

/// A loaded page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) mark: String,
    pub(super) count: usize,
    pub(super) note: String,
    pub(super) agreed: bool,
    /// The value of the list, as the page begins: `s`.
    pub(super) size: Option<&'static str>,
}

/// A tab with its history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tab {
    /// Unknown for the first one until a list names it.
    pub(super) id: Option<String>,
    history: Vec<String>,
    at: usize,
    pub(super) page: Page,
}

impl Tab {
    pub(super) fn new(id: Option<&str>, mark: &str) -> Self {
        let id = id.map(str::to_owned);
        Self { id, history: vec![mark.to_owned()], at: 0, page: Page::begin(mark) }
    }

    /// The page is another one now; what lay ahead in the history is gone.
    pub(super) fn visit(&mut self, mark: &str) {
        self.history.truncate(self.at + 1);
        // The browser keeps one entry where the same address is opened again.
        if self.history.last().is_none_or(|last| last != mark) {
            self.history.push(mark.to_owned());
        }
        self.at = self.history.len() - 1;
        self.page = Page::begin(mark);
    }

    /// The mark one step back or ahead.
    pub(super) fn beside(&self, ahead: bool) -> Option<String> {
        let at = if ahead { self.at + 1 } else { self.at.checked_sub(1)? };
        self.history.get(at).cloned()
    }

    /// Goes one step back or ahead; the page there begins anew.
    pub(super) fn go(&mut self, ahead: bool) {
        if let Some(mark) = self.beside(ahead) {
            self.at = if ahead { self.at + 1 } else { self.at - 1 };
            self.page = Page::begin(&mark);
        }
    }
}

impl Page {
    pub(super) fn begin(mark: &str) -> Self {
        Self { mark: mark.to_owned(), ..Self::default() }
    }

    pub(super) fn title(&self) -> String {
        format!("Soak {}", self.mark)
    }

    pub(super) fn size(&self) -> &'static str {
        self.size.unwrap_or("s")
    }
}

/// What a session holds: its tabs, the refs that are good now, and one that is not any more.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) letter: Letter,
    pub(super) tabs: Vec<Tab>,
    pub(super) active: usize,
    refs: BTreeMap<String, String>,
    /// A ref of a document that is gone for good.
    pub(super) stale: Option<String>,
    numbers: usize,
}

impl Model {
    pub(super) fn new(letter: Letter) -> Self {
        let tabs = vec![Tab::new(None, "none")];
        Self { letter, tabs, active: 0, refs: BTreeMap::new(), stale: None, numbers: 0 }
    }

    /// A mark that no page had before.
    pub(super) fn fresh_mark(&mut self) -> String {
        self.numbers += 1;
        self.letter.mark(self.numbers)
    }

    /// A text that was never typed before.
    pub(super) fn fresh_text(&mut self, start: &str) -> String {
        self.numbers += 1;
        format!("{start}{}x{}", self.letter.0, self.numbers)
    }

    pub(super) fn tab(&mut self) -> &mut Tab {
        if self.active >= self.tabs.len() {
            self.active = 0;
        }
        if self.tabs.is_empty() {
            self.tabs.push(Tab::new(None, "none"));
        }
        &mut self.tabs[self.active]
    }

    pub(super) fn page(&mut self) -> &mut Page {
        &mut self.tab().page
    }

    /// The ref of a control, where one is known for the page as it is.
    pub(super) fn reference(&self, control: &str) -> Option<String> {
        self.refs.get(control).cloned()
    }

    /// Refs that an answer shows.
    pub(super) fn learn(&mut self, text: &str) {
        let found = refs_in(text);
        if !found.is_empty() {
            self.refs = found;
        }
    }

    /// The document is another one: its refs must be refused from now on.
    pub(super) fn leave(&mut self) {
        if let Some(old) = self.refs.get("Add") {
            self.stale = Some(old.clone());
        }
        self.refs.clear();
    }

    /// Numbers of refs may begin anew, or old documents may come back: no old ref is known to be bad.
    pub(super) fn forget(&mut self) {
        self.refs.clear();
        self.stale = None;
    }

    /// The browser is a new one with a single page.
    pub(super) fn start_over(&mut self, mark: &str) {
        self.forget();
        self.tabs = vec![Tab::new(None, mark)];
        self.active = 0;
    }
}

/// Refs of a snapshot's text by the name of their control.
pub(super) fn refs_in(text: &str) -> BTreeMap<String, String> {
    let lines = text.lines().filter_map(|line| line.trim_start().strip_prefix("- "));
    let named = lines.filter_map(|line| {
        let (_, rest) = line.split_once(" \"")?;
        let (name, rest) = rest.split_once('"')?;
        let id: String = rest
            .split_once("ref=")?
            .1
            .chars()
            .take_while(|letter| letter.is_ascii_alphanumeric())
            .collect();
        Some((name.to_owned(), format!("@{id}")))
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_follows_the_browser() {
        let mut tab = Tab::new(None, "a");
        tab.visit("b");
        tab.page.count = 3;
        assert_eq!((tab.beside(false).as_deref(), tab.beside(true)), (Some("a"), None));
        tab.go(false);
        assert_eq!((tab.page.mark.as_str(), tab.beside(true).as_deref()), ("a", Some("b")));
        tab.go(true);
        assert_eq!((tab.page.mark.as_str(), tab.page.count), ("b", 0), "it begins anew");
        tab.go(false);
        tab.visit("c");
        assert_eq!(tab.beside(true), None, "what lay ahead is gone");
        tab.go(false);
        tab.go(false);
        assert_eq!(tab.page.mark, "a");
    }

    #[test]
    fn refs_hold_until_the_page_is_left() {
        let mut model = Model::new(Letter('A'));
        model.learn(
            "Opened\n- button \"Add\" [ref=e2]\n- combobox \"Size\" [expanded=false, ref=e15]: S",
        );
        assert_eq!(model.reference("Add").as_deref(), Some("@e2"));
        assert_eq!(model.reference("Size").as_deref(), Some("@e15"));
        model.leave();
        assert_eq!((model.reference("Add"), model.stale.as_deref()), (None, Some("@e2")));
        model.learn("no ref here");
        model.forget();
        assert_eq!(model.stale, None);
    }

    #[test]
    fn foreign_marks_and_secrets_are_seen() {
        let mut model = Model::new(Letter('B'));
        assert_eq!(model.fresh_mark(), "markB1");
        assert_eq!(Letter('B').foreign_in("Soak markB1"), None);
        assert_eq!(Letter('B').foreign_in("Soak markA1").as_deref(), Some("markA"));
        assert_eq!(Letter('B').foreign_in("SOAKSECRETB3").as_deref(), Some(SECRET));
    }
}
