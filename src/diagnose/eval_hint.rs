//! `eval` of a function that nobody calls: the answer is an empty object (DIAG-EVAL-01).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::Evidence;
use crate::command::is_function_shape;
use crate::line::Line;
use crate::outcome::Finding;
use crate::plan::Step;

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Finding> {
    let is_empty = match evidence.main.data.get("result") {
        Some(Value::Object(fields)) => fields.is_empty(),
        _ => false,
    };
    let script = script_of(evidence.step).filter(|_| is_empty)?;
    is_function_shape(&script).then(|| Finding {
        key: "evalStdinHint",
        details: json!({
            "reason": "function-not-called",
            "suggestion": "Put the script in brackets and call it: (SCRIPT)().",
        }),
        lines: vec![Line::ours(
            "Eval stdin hint: the script is a function and nobody called it; send (SCRIPT)() instead.",
        )],
        ..Finding::default()
    })
}

/// The script of an `eval` step, which travels encoded (HAZ-04).
fn script_of(step: &Step) -> Option<String> {
    let [command, flag, encoded] = step.words.as_slice() else { return None };
    let is_script = command == "eval" && flag == "-b";
    let bytes = STANDARD.decode(encoded).ok().filter(|_| is_script)?;
    String::from_utf8(bytes).ok()
}
