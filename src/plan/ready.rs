//! Which element a step of a job waits for: one that an earlier step may bring.

use serde_json::{Value, json};

use super::Step;
use crate::command::Argv;
use crate::probe::READY_MS;

/// Commands that act on the element that they name.
const TARGETED: [&str; 12] = [
    "click", "dblclick", "tap", "fill", "type", "check", "uncheck", "select", "hover", "focus",
    "upload", "drag",
];

/// The question for the element of `steps[index]`. Nothing in front of which nobody has acted, and
/// nothing for refs, whose element is known.
#[must_use]
pub fn awaited(steps: &[Step], index: usize) -> Option<Value> {
    let step = steps.get(index)?;
    let mut want = element(step)?;
    let acted = steps.get(..index)?.iter().any(|earlier| acts(&earlier.argv));
    if !acted || !step.argv.ref_operands().is_empty() {
        return None;
    }
    want["waitMs"] = READY_MS.into();
    Some(want)
}

fn acts(argv: &Argv) -> bool {
    let caps = argv.traits().caps;
    caps.invalidates_batch_refs || caps.acts || argv.name() == "find"
}

fn element(step: &Step) -> Option<Value> {
    let words: Vec<&str> = step.argv.words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["find", "first" | "last", selector, ..] | ["find", "nth", _, selector, ..] => {
            Some(json!({ "selector": selector }))
        }
        ["find", locator, value, ..] => {
            let name = step.argv.own_value("--name").map(|found| found.value);
            Some(json!({ "locator": locator, "value": value, "name": name }))
        }
        [name, ..] if TARGETED.contains(name) => {
            let target = step.argv.target()?.value;
            Some(match target.strip_prefix("xpath=") {
                Some(path) => json!({ "xpath": path }),
                None => json!({ "selector": target }),
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(rows: &[&[&str]]) -> Vec<Step> {
        let step = |words: &&[&str]| {
            let argv = Argv::of_words(words);
            Step { words: argv.words.clone(), argv }
        };
        rows.iter().map(step).collect()
    }

    // IN-JOB-09, IN-JOB-10
    #[test]
    fn only_what_an_earlier_step_may_bring_is_waited_for() {
        let rows: [&[&str]; 6] = [
            &["click", "#menu"],
            &["find", "role", "option", "click", "--name", "Tea"],
            &["fill", "xpath=//input", "x"],
            &["click", "@e3"],
            &["press", "Enter"],
            &["find", "nth", "1", ".row", "click"],
        ];
        let steps = steps(&rows);
        assert_eq!(awaited(&steps, 0), None, "nobody has acted yet");
        let tea = awaited(&steps, 1).unwrap();
        assert_eq!((&tea["locator"], &tea["name"]), (&json!("role"), &json!("Tea")));
        assert_eq!(awaited(&steps, 2).unwrap()["xpath"], "//input");
        assert_eq!(awaited(&steps, 3), None, "a ref names an element that is known");
        assert_eq!(awaited(&steps, 4), None);
        assert_eq!(awaited(&steps, 5).unwrap()["selector"], ".row");
    }
}
