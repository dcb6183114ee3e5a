//! Which element a command means, in a form that a script in the page can look up by itself.

use super::about::number;
use super::{Step, found};
use crate::probe::Aim;
use crate::redact::Redactor;
use crate::session::refs::RefSnapshot;

/// Attributes and words of a selector that may hold a secret.
const SECRET_WORDS: [&str; 7] =
    ["value", "token", "secret", "passw", "apikey", "api-key", "credential"];

/// The first target of a step. Nothing for refs that the snapshot does not know by role and name,
/// and for refs in frames.
#[must_use]
pub fn aim_of(step: &Step, refs: Option<&RefSnapshot>) -> Option<Aim> {
    aim_or_kind_of(step, refs)
        .filter(|aim| !matches!(aim, Aim::Ref { name, .. } if name.is_empty()))
}

/// The first target of a step that sends a text. Without a name no script finds it, but its role says
/// whether a text can belong to it (HAZ-19).
#[must_use]
pub fn aim_or_kind_of(step: &Step, refs: Option<&RefSnapshot>) -> Option<Aim> {
    if let ["find", "role", role, ..] = words_of(step).as_slice() {
        let name = step.argv.own_value("--name").map_or("", |name| name.value).to_owned();
        return Some(Aim::Ref { role: (*role).to_owned(), name, index: 0, count: 1 });
    }
    if let ["find", locator @ ("label" | "placeholder" | "testid" | "alt" | "title"), value, ..] =
        words_of(step).as_slice()
    {
        let exact = step.argv.has_own_flag("--exact");
        let (locator, value) = ((*locator).to_owned(), (*value).to_owned());
        return (found::action(step) == "fill").then_some(Aim::Found { locator, value, exact });
    }
    let target = step.argv.target()?.value;
    if let Some(id) = number(target) {
        return ref_aim(id, refs?);
    }
    if target.starts_with('@') {
        return None;
    }
    Some(match target.strip_prefix("xpath=") {
        Some(path) => Aim::XPath(path.to_owned()),
        None => Aim::Selector(target.to_owned()),
    })
}

fn words_of(step: &Step) -> Vec<&str> {
    step.argv.words.iter().map(String::as_str).collect()
}

/// A ref by role, name and its place among equals, which stand in the order of the snapshot.
fn ref_aim(id: u32, refs: &RefSnapshot) -> Option<Aim> {
    let info = refs.refs.get(&id)?;
    let all = refs.refs.values();
    let equals: Vec<_> =
        all.filter(|other| other.role == info.role && other.name == info.name).collect();
    if info.role.is_empty() || equals.iter().any(|other| other.in_frame) {
        return None;
    }
    Some(Aim::Ref {
        role: info.role.clone(),
        name: info.name.clone(),
        index: info.duplicate_index.unwrap_or(0),
        count: equals.len(),
    })
}

/// The selector of `get text`, where the page can be asked how many elements it matches (DIAG-TEXT-03).
#[must_use]
pub fn read_selector(step: &Step) -> Option<&str> {
    let operands = step.argv.operands();
    let ["text", selector, ..] = operands.as_slice() else { return None };
    let is_id = selector.strip_prefix('#').is_some_and(|id| {
        id.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_') && !id.is_empty()
    });
    let other = selector.starts_with('@') || selector.starts_with("xpath=") || is_id;
    let low = selector.to_ascii_lowercase();
    let secret = SECRET_WORDS.iter().any(|word| low.contains(word))
        || Redactor::new([]).text(selector) != *selector;
    let reads = step.argv.name() == "get" && number(selector).is_none();
    (reads && !other && !secret).then_some(*selector)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::command::parse;
    use crate::session::refs::RefInfo;

    fn step(words: &[&str]) -> Step {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        Step { argv: parse(&words).unwrap(), words }
    }

    fn refs(list: &[(u32, &str, &str, Option<u32>, bool)]) -> RefSnapshot {
        let refs = list.iter().map(|&(id, role, name, duplicate_index, in_frame)| {
            let info = RefInfo { role: role.into(), name: name.into(), duplicate_index, in_frame };
            (id, info)
        });
        RefSnapshot { refs: refs.collect::<BTreeMap<_, _>>(), ..RefSnapshot::default() }
    }

    // DIAG-CLICK-03
    #[test]
    fn a_ref_is_looked_up_by_role_name_and_place_among_equals() {
        let known = refs(&[
            (1, "button", "Delete", Some(0), false),
            (4, "button", "Delete", Some(1), false),
            (5, "button", "Save", None, false),
            (6, "button", "Inner", None, true),
            (8, "slider", "", None, false),
        ]);
        let aim = |word: &str| aim_of(&step(&["click", word]), Some(&known));
        let equal = |index, count| {
            Some(Aim::Ref { role: "button".into(), name: "Delete".into(), index, count })
        };
        assert_eq!(aim("@e4"), equal(1, 2));
        assert_eq!(aim("@e1"), equal(0, 2));
        assert!(matches!(aim("@e5"), Some(Aim::Ref { index: 0, count: 1, .. })));
        assert_eq!(aim("@e6"), None, "a frame");
        assert_eq!(aim("@e7"), None, "unknown");
        assert_eq!(aim("@e8"), None, "without a name");
        let kind = aim_or_kind_of(&step(&["fill", "@e8", "5"]), Some(&known));
        assert!(matches!(kind, Some(Aim::Ref { role, .. }) if role == "slider"));
        let found = aim_of(&step(&["find", "role", "heading", "fill", "x", "--name", "Lat"]), None);
        assert!(matches!(found, Some(Aim::Ref { index: 0, count: 1, .. })));
        // HAZ-19
        let label = |action| aim_of(&step(&["find", "label", "Day", action, "x"]), None);
        assert!(matches!(label("fill"), Some(Aim::Found { exact: false, .. })));
        assert_eq!(label("check"), None);
        assert_eq!(aim("#save"), Some(Aim::Selector("#save".into())));
        assert_eq!(aim("xpath=//a"), Some(Aim::XPath("//a".into())));
    }

    // DIAG-TEXT-03
    #[test]
    fn refs_simple_ids_and_secrets_are_not_asked_about() {
        let asked = |selector: &str| read_selector(&step(&["get", "text", selector])).is_some();
        assert!(asked(".price") && asked("h1") && asked("#list li") && asked("#a.b"));
        for selector in ["@e3", "#main", "#a-b_1", "xpath=//h1", "[data-token='abc']", "[value=x]"]
        {
            assert!(!asked(selector), "{selector}");
        }
        assert!(!asked("[href*='ghp_0123456789abcdefghijABCDEFGHIJ0123456789']"));
        assert!(read_selector(&step(&["get", "html", ".price"])).is_none());
    }
}
