//! Controls that cannot be used in the way that was asked, and the way that is left.

use crate::error::Refusal;
use crate::guard::refresh_refs;
use crate::line::Line;
use crate::outcome::{FailureCategory, NextAction};
use crate::plan::Step;

/// Options of a list that are named where none was the wanted one.
const MOST_OPTIONS: usize = 20;

/// A drawn checkbox or radio button often hides the real one, which is turned by script all the same.
pub(super) fn turned_by_script(step: &Step, role: Option<String>) -> Option<NextAction> {
    let words = &step.argv.words;
    let (at, located) = match step.argv.find_action() {
        Some((at, "click")) => (at, words.get(2).cloned()),
        None if step.argv.name() == "click" => (0, None),
        _ => return None,
    };
    let role =
        role.or_else(|| located.filter(|_| words.get(1).is_some_and(|word| word == "role")))?;
    if !matches!(role.as_str(), "checkbox" | "radio" | "switch") {
        return None;
    }
    let mut args = words.clone();
    if let Some(word) = args.get_mut(at) {
        "check".clone_into(word);
    }
    Some(NextAction::args("check-hidden-control", "turn it on", &args))
}

/// Upstream lists values and labels of every option; the labels are what a reader knows.
pub(super) fn no_option(
    category: FailureCategory,
    label: &Line,
    wanted: &str,
    options: &str,
) -> Box<Refusal> {
    let mut labels = Vec::new();
    let mut rest = options;
    while let Some((_, quoted)) = rest.split_once(" (") {
        let mut read = serde_json::Deserializer::from_str(quoted).into_iter::<String>();
        rest = quoted;
        if let Some(Ok(found)) = read.next() {
            rest = quoted.get(read.byte_offset()..).unwrap_or_default();
            labels.push(found.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    let wanted = wanted.strip_prefix("No option matched ").unwrap_or(wanted);
    let wanted: Vec<String> = serde_json::from_str(wanted).unwrap_or_else(|_| vec![wanted.into()]);
    let line = Line::ours("nothing was selected, ").append(label).and(" has no option ");
    let refusal = Refusal::new(category, line.quote(wanted.join(", ")).and("."));
    if labels.is_empty() {
        return refusal.next(refresh_refs());
    }
    let more = labels.len().saturating_sub(MOST_OPTIONS);
    let mut line = Line::ours("Options: ");
    for (at, label) in labels.iter().take(MOST_OPTIONS).enumerate() {
        line = if at == 0 { line.quote(label) } else { line.and(", ").quote(label) };
    }
    refusal.hint(if more == 0 { line } else { line.and(format!(" and {more} more")) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::parse;

    fn step(words: &[&str]) -> Step {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        Step { argv: parse(&words).unwrap(), words }
    }

    // RES-13, NEXT-05
    #[test]
    fn a_hidden_control_that_is_clicked_can_be_turned() {
        let turned = |words: &[&str], role: Option<&str>| {
            turned_by_script(&step(words), role.map(str::to_owned))
                .map(|next| next.params().unwrap()["args"].clone())
        };
        let json = |words: &[&str]| Some(serde_json::json!(words));
        assert_eq!(turned(&["click", "@e3"], Some("radio")), json(&["check", "@e3"]));
        assert_eq!(
            turned(&["find", "role", "checkbox", "click", "--name", "All"], None),
            json(&["find", "role", "checkbox", "check", "--name", "All"])
        );
        assert_eq!(turned(&["click", "@e3"], Some("button")), None);
        assert_eq!(turned(&["hover", "@e3"], Some("radio")), None);
        assert_eq!(turned(&["find", "text", "radio", "click"], None), None);
    }

    // RES-13
    #[test]
    fn options_are_named_by_their_labels_and_counted_where_they_are_many() {
        let said = |options: &str| {
            let label = Line::ours("@e4 combobox");
            let wanted = "No option matched [\"Pear\"]";
            let refusal = no_option(FailureCategory::UpstreamError, &label, wanted, options);
            let outcome = refusal.into_outcome();
            outcome.answer.iter().map(Line::plain).collect::<Vec<_>>().join("\n")
        };
        let few = said("a (\"Apple\"), b1 (\"Blue \\n (\\\"fine\\\")\")");
        assert!(
            few.contains("nothing was selected, @e4 combobox has no option \"Pear\"."),
            "{few}"
        );
        assert!(few.ends_with("Options: \"Apple\", \"Blue (\"fine\")\""), "{few}");
        let many: Vec<String> = (0..23).map(|n| format!("v{n} (\"Label {n}\")")).collect();
        let many = said(&many.join(", "));
        assert!(many.contains("\"Label 19\" and 3 more") && !many.contains("Label 20"), "{many}");
        assert!(said("").ends_with("no option \"Pear\"."));
    }
}
