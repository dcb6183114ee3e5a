//! Commands that bring another tab to the front: what it shows is the answer.

use super::Step;

/// The two rows of `tab new URL`: upstream opens a tab with an address without waiting for its page,
/// and takes one that cannot be loaded for a success. Its `open` in the new tab does neither.
#[must_use]
pub fn opened(step: &Step) -> Option<[Vec<String>; 2]> {
    if step.argv.name() != "tab" {
        return None;
    }
    let [action @ "new", url] = *step.argv.operands() else { return None };
    let mut tab = vec!["tab".to_owned(), action.to_owned()];
    if let Some(label) = step.argv.own_value("--label") {
        tab.extend(["--label".to_owned(), label.value.to_owned()]);
    }
    Some([tab, vec!["open".to_owned(), url.to_owned()]])
}

/// Upstream names the tab that was closed, not the one that is in front then.
#[must_use]
pub fn closes(step: &Step) -> bool {
    step.argv.name() == "tab" && matches!(*step.argv.operands(), ["close", ..])
}

/// A window of its own has a tab in front that upstream names by its id alone.
fn opens_window(step: &Step) -> bool {
    step.argv.name() == "window" && matches!(*step.argv.operands(), ["new", ..])
}

/// Its answer does not tell which page is in front: the tabs are listed behind it.
#[must_use]
pub fn is_listed(step: &Step) -> bool {
    closes(step) || opens_window(step)
}

/// Another tab is in front behind it, or the session has none any more.
#[must_use]
pub fn chooses(step: &Step) -> bool {
    match step.argv.name() {
        "tab" => !matches!(*step.argv.operands(), [] | ["list", ..]),
        // The last ones may do anything: run what was held back, or open a page of their own.
        "open" | "window" | "close" | "connect" | "confirm" | "deny" | "auth" | "record" => true,
        _ => false,
    }
}

/// A page is in front afterwards: a new one, that of the tab that was chosen, or of the one behind a
/// tab that was closed.
#[must_use]
pub fn shows_page(step: &Step) -> bool {
    let chosen = match *step.argv.operands() {
        [] | ["list", ..] => false,
        ["new", ..] => opened(step).is_some(),
        _ => true,
    };
    step.argv.name() == "tab" && chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::parse;

    fn step(line: &str) -> Step {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Step { argv: parse(&words).unwrap(), words }
    }

    // DEC-70, HAZ-11
    #[test]
    fn a_tab_with_an_address_is_opened_and_then_loaded() {
        let rows = |line: &str| opened(&step(line)).map(|rows| rows.map(|words| words.join(" ")));
        let both = |tab: &str, open: &str| Some([tab.to_owned(), open.to_owned()]);
        assert_eq!(rows("tab new http://a.test/"), both("tab new", "open http://a.test/"));
        let labelled = both("tab new --label docs", "open http://a.test/");
        assert_eq!(rows("tab new --label docs http://a.test/"), labelled);
        assert_eq!(rows("tab new http://a.test/ --label docs"), labelled);
        for other in
            ["tab new", "tab new --label docs", "tab t2", "tab list", "open http://a.test/"]
        {
            assert_eq!(rows(other), None, "{other}");
        }
    }

    // DEC-70
    #[test]
    fn a_tab_that_was_chosen_shows_its_page() {
        for (line, shows) in [
            ("tab t2", true),
            ("tab docs", true),
            ("tab new http://a.test/", true),
            ("tab new", false),
            ("tab", false),
            ("tab list", false),
            ("tab close", true),
            ("tab close t2", true),
            ("get title", false),
        ] {
            assert_eq!(shows_page(&step(line)), shows, "{line}");
        }
    }
}
