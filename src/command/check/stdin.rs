//! Which calls take `stdin` (IN-STDIN-01), and scripts that stand in the wrong place (DEC-24).

use super::Facts;
use crate::command::Argv;
use crate::command::table::StdinRule;
use crate::error::{Checked, Refusal};

/// A call whose script was moved from its words to `stdin`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalRepair {
    /// The call without the script.
    pub argv: Argv,
    /// The script.
    pub stdin: String,
}

/// `eval --stdin <js>` without `stdin`: upstream ignores the script and answers null.
///
/// # Errors
///
/// Refused where it is not plain which text is the script.
pub fn repair_eval(argv: &Argv, has_stdin: bool) -> Checked<Option<EvalRepair>> {
    if argv.is_inspection() || argv.name() != "eval" || !argv.has_own_flag("--stdin") {
        return Ok(None);
    }
    match argv.operand_uses().as_slice() {
        [] => Ok(None),
        [_, ..] if has_stdin => Err(Refusal::invalid(
            "eval --stdin got a script in args and another one in stdin. Send it in stdin only.",
        )),
        [script] => {
            let mut repaired = argv.clone();
            let stdin = repaired.words.remove(script.index);
            Ok(Some(EvalRepair { argv: repaired, stdin }))
        }
        _ => Err(Refusal::invalid(
            "eval --stdin reads its script from stdin, but several words follow it. \
             Put the whole script into stdin.",
        )),
    }
}

/// IN-STDIN-01, IN-STDIN-02, DEC-98, HAZ-04.
pub(super) fn stdin_contract(facts: &Facts<'_>) -> Checked<()> {
    let argv = facts.argv;
    let strings = !argv.batch_strings().is_empty();
    let sentence = match (argv.traits().stdin, facts.has_stdin) {
        (StdinRule::EvalScript, given) => eval_problem(argv, given),
        (StdinRule::BatchRows, true) if strings => {
            Some("batch got command strings and rows in stdin. Send one of them.".to_owned())
        }
        (StdinRule::BatchRows, false) if !strings => Some(
            "batch needs rows: a JSON array of string arrays in stdin, or command strings in args."
                .to_owned(),
        ),
        (StdinRule::AuthPassword, false) => {
            Some("auth save --password-stdin needs the password in stdin.".to_owned())
        }
        (StdinRule::Never, true) => Some(format!(
            "{} takes no stdin; it is accepted only with eval --stdin, batch and \
             auth save --password-stdin.",
            argv.name()
        )),
        _ => None,
    };
    sentence.map_or(Ok(()), |sentence| Err(Refusal::invalid(sentence)))
}

fn eval_problem(argv: &Argv, has_stdin: bool) -> Option<String> {
    let flag = argv.has_own_flag("--stdin");
    let script = argv.operands().iter().any(|part| !part.trim().is_empty());
    let sentence = match (flag, has_stdin, script) {
        (true, false, _) => "eval --stdin needs the script in stdin.",
        (false, true, _) => "eval reads stdin only with --stdin: send args [\"eval\",\"--stdin\"].",
        (false, false, false) => "eval needs a script.",
        // A script beside the flag has been moved or refused by `repair_eval`.
        (true, true, _) | (false, false, true) => return None,
    };
    Some(sentence.to_owned())
}
