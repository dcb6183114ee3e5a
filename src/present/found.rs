//! `find`: what was done to which element, and how many others fit as well.

use super::Shown;
use crate::command::verbs::verb;
use crate::line::{Line, tame};
use crate::plan::found::action;
use crate::probe::FOUND;
use crate::probe::report::PageReport;

/// `Clicked button "Save"`, not yet its effect.
pub(super) fn line(shown: &Shown<'_>) -> Line {
    let done = verb(action(shown.step)).map_or("Found", |verb| verb.done);
    let words = &shown.step.argv.words;
    // Upstream names a ref here, and does not know it any more in the next command.
    let line = Line::ours(done);
    let locator = words.get(1).map_or("", String::as_str);
    let value = words.get(2).map_or("", String::as_str);
    let name = shown.step.argv.own_value("--name").map(|found| found.value);
    let mut asked = None;
    let line = match (locator, name) {
        ("nth", _) => {
            let selector = words.get(3).map_or("", String::as_str);
            line.and(format!(" match {} (from 0) of ", tame(value))).quote(selector)
        }
        ("first" | "last", _) => line.and(format!(" the {locator} match of ")).quote(value),
        ("role", name) => {
            let met = name.and_then(|name| met_name(name, shown));
            asked = name.filter(|_| met.is_some());
            line.role(value, met.or(name).unwrap_or_default())
        }
        _ => line.and(format!(" the element by {} ", tame(locator))).quote(value),
    };
    let answer = shown.before.and_then(|page| page.answers.get(FOUND));
    let count = answer.and_then(|answer| answer.get("count")?.as_u64()).unwrap_or_default();
    aside(line, asked, count)
}

/// The name of the element that was met, where it has another one: upstream also takes one that only
/// holds the words.
fn met_name<'a>(asked: &str, shown: &Shown<'a>) -> Option<&'a str> {
    let told = |page: &'a PageReport| page.answers.get(FOUND)?.get("name")?.as_str();
    let met = shown.after.page().and_then(told).or_else(|| shown.before.and_then(told))?;
    (!met.is_empty() && !asked.is_empty() && met != asked).then_some(met)
}

/// `(asked for "Al", first of 3)`, as much of it as there is to say.
fn aside(line: Line, asked: Option<&str>, count: u64) -> Line {
    match (asked, count) {
        (None, 0 | 1) => line,
        (None, count) => line.and(format!(" (first of {count})")),
        (Some(asked), 0 | 1) => line.and(" (asked for ").quote(asked).and(")"),
        (Some(asked), count) => {
            line.and(" (asked for ").quote(asked).and(format!(", first of {count})"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // HAZ-27, DEC-71
    #[test]
    fn what_is_to_know_of_a_found_element_stands_in_one_bracket() {
        let told = |asked, count| aside(Line::ours("Clicked @e4"), asked, count).plain();
        assert_eq!(told(None, 1), "Clicked @e4");
        assert_eq!(told(None, 3), "Clicked @e4 (first of 3)");
        assert_eq!(told(Some("Al"), 1), "Clicked @e4 (asked for \"Al\")");
        assert_eq!(told(Some("Al"), 3), "Clicked @e4 (asked for \"Al\", first of 3)");
    }
}
