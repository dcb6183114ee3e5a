//! `wait`: states that destroy the page, and functions that are always true (HAZ-08).

use super::Facts;
use crate::command::{Argv, ref_id};
use crate::error::{Checked, Refusal};
use crate::line::Line;
use crate::outcome::NextAction;

/// Upstream takes `--state` of `wait` for the file of the global flag and closes the browser.
pub(super) fn wait_state(facts: &Facts<'_>) -> Checked<()> {
    let argv = facts.argv;
    if argv.name() != "wait" || !argv.has_own_flag("--state") {
        return Ok(());
    }
    let refusal = Refusal::invalid(
        "wait with --state would close the browser: upstream takes the word for a file of saved \
         state. Wait for the condition with --fn.",
    );
    Err(refusal.next(match condition(argv) {
        Some(script) => {
            let mut args = vec!["wait".to_owned(), "--fn".to_owned(), script];
            if let Some(timeout) = argv.own_value("--timeout") {
                args.extend(["--timeout".to_owned(), timeout.value.to_owned()]);
            }
            NextAction::args("use-wait-fn", "the same condition as a script", &args)
        }
        None => NextAction::args(
            "refresh-interactive-refs",
            "a script cannot ask for a ref; look at the page instead",
            &["snapshot", "-i"],
        ),
    }))
}

/// The condition as an expression; nothing for refs and for states that nobody knows.
fn condition(argv: &Argv) -> Option<String> {
    let state = argv.own_value("--state")?.value;
    let gone = match state {
        "hidden" | "detached" => true,
        "visible" | "attached" => false,
        _ => return None,
    };
    let not = if gone { "!" } else { "" };
    if let Some(text) = argv.own_value("--text") {
        return Some(format!("{not}document.body.innerText.includes({})", quoted(text.value)));
    }
    let selector = argv.target()?.value;
    if ref_id(selector).is_some() || selector.starts_with('@') {
        return None;
    }
    let element = match selector.strip_prefix("xpath=") {
        Some(path) => {
            format!("document.evaluate({}, document, null, 9, null).singleNodeValue", quoted(path))
        }
        None => format!("document.querySelector({})", quoted(selector)),
    };
    Some(match state {
        "attached" | "detached" => {
            let not = if gone { "!" } else { "!!" };
            format!("{not}{element}")
        }
        _ => format!(
            "{not}(e => !!e && e.getClientRects().length > 0 && \
             getComputedStyle(e).visibility === \"visible\")({element})"
        ),
    })
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// HAZ-26: upstream accepts any word.
pub(super) fn load_state(facts: &Facts<'_>) -> Checked<()> {
    const STATES: [&str; 3] = ["load", "domcontentloaded", "networkidle"];
    let argv = facts.argv;
    let flag = match argv.name() {
        "wait" => "--load",
        "diff" => "--wait-until",
        _ => return Ok(()),
    };
    match argv.own_value(flag) {
        Some(state) if !STATES.contains(&state.value) => Err(Refusal::invalid(
            Line::ours(format!("{flag} does not know "))
                .quote(state.value)
                .and(format!("; known are {}.", STATES.join(", "))),
        )),
        _ => Ok(()),
    }
}

/// Upstream counts every promise as true, a rejected one too.
pub(super) fn promised_condition(facts: &Facts<'_>) -> Checked<()> {
    let script = match facts.argv.name() {
        "wait" => facts.argv.own_value("--fn"),
        _ => None,
    };
    match script {
        Some(script) if is_promise(script.value) => Err(Refusal::invalid(
            "wait --fn needs a condition that answers at once: upstream counts every promise as \
             true. Let eval store what the promise gives in a variable, then wait for that.",
        )),
        _ => Ok(()),
    }
}

/// An async function, or the call of one.
fn is_promise(script: &str) -> bool {
    let code = without_brackets(script);
    let called = group(code, '(').map(|(inner, _)| without_brackets(inner));
    [Some(code), called]
        .into_iter()
        .flatten()
        .any(|code| after_async(code).is_some_and(is_function))
}

/// The call of a script that is a function, where `wait --fn` would find the function itself true.
/// Nothing for any other expression, nor for an async function, which is refused.
///
/// ```
/// use agent_browser_native::command::check::invoke_function_shape;
/// assert_eq!(invoke_function_shape("() => window.ok").unwrap(), "(() => window.ok\n)()");
/// assert_eq!(invoke_function_shape("window.ok"), None);
/// ```
#[must_use]
pub fn invoke_function_shape(script: &str) -> Option<String> {
    let code = without_brackets(script);
    // The line break keeps a comment at the end from swallowing the call.
    is_function(code).then(|| format!("({code}\n)()"))
}

/// True when a script as a whole is one function, async or not, that nobody calls.
///
/// ```
/// use agent_browser_native::command::is_function_shape;
/// assert!(is_function_shape("async () => 1") && is_function_shape("(function () {})"));
/// assert!(!is_function_shape("(() => 1)()") && !is_function_shape("({})"));
/// ```
#[must_use]
pub fn is_function_shape(script: &str) -> bool {
    let code = without_brackets(script);
    is_function(after_async(code).unwrap_or(code))
}

/// Nobody writes more pairs of brackets around a function; each one costs a walk over the code.
const BRACKETS: usize = 16;

/// The code without brackets around all of it, and without a semicolon at its end.
fn without_brackets(script: &str) -> &str {
    let mut code = script.trim().trim_end_matches(';').trim_end();
    for _ in 0..BRACKETS {
        match group(code, '(') {
            Some((inner, rest)) if rest.trim().is_empty() => code = inner.trim(),
            _ => break,
        }
    }
    code
}

/// What stands behind `async`.
fn after_async(code: &str) -> Option<&str> {
    let rest = code.strip_prefix("async")?;
    rest.starts_with(|c: char| c.is_whitespace() || c == '(').then(|| rest.trim_start())
}

/// True when the whole expression is one function that is not async.
fn is_function(code: &str) -> bool {
    if let Some(rest) = code.strip_prefix("function") {
        let end = |c: char| c.is_whitespace() || c == '(' || c == '*';
        return rest.starts_with(end)
            && function_end(rest).is_some_and(|rest| rest.trim().is_empty());
    }
    let body = match group(code, '(') {
        Some((_, rest)) => rest,
        None => code.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '$'),
    };
    let named = body.len() < code.len();
    match body.trim_start().strip_prefix("=>") {
        Some(body) if named => is_one_body(body.trim_start()),
        _ => false,
    }
}

/// What stands behind `(…) {…}` of a `function`.
fn function_end(code: &str) -> Option<&str> {
    let (_, rest) = group(code.get(code.find('(')?..)?, '(')?;
    group(rest.trim_start(), '{').map(|(_, rest)| rest)
}

/// True when nothing stands behind the body of an arrow function: neither a call nor a comma.
fn is_one_body(body: &str) -> bool {
    if let Some((_, rest)) = group(body, '{') {
        return rest.trim().is_empty();
    }
    !body.is_empty() && !has_top_level(body, &[',', ';'])
}

/// Splits `(…)rest` at the bracket that closes the first one.
fn group(code: &str, open: char) -> Option<(&str, &str)> {
    let inside = code.strip_prefix(open)?;
    let mut depth = 1_usize;
    let end = walk(code, |at, c| {
        match c {
            '(' | '[' | '{' if at > 0 => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    let inner = inside.get(..end.checked_sub(open.len_utf8())?)?;
    Some((inner, code.get(end + 1..)?))
}

fn has_top_level(code: &str, wanted: &[char]) -> bool {
    let mut depth = 0_usize;
    walk(code, |_, c| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && wanted.contains(&c)
    })
    .is_some()
}

/// Goes over the code outside of strings and comments until `found` says so.
fn walk(code: &str, mut found: impl FnMut(usize, char) -> bool) -> Option<usize> {
    let mut chars = code.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match (c, chars.peek().map(|(_, next)| *next)) {
            ('"' | '\'' | '`', _) => {
                while let Some((_, inside)) = chars.next() {
                    if inside == '\\' {
                        chars.next();
                    } else if inside == c {
                        break;
                    }
                }
            }
            ('/', Some('/')) => {
                chars.by_ref().find(|(_, inside)| *inside == '\n');
            }
            ('/', Some('*')) => {
                chars.next();
                let mut star = false;
                for (_, inside) in chars.by_ref() {
                    if star && inside == '/' {
                        break;
                    }
                    star = inside == '*';
                }
            }
            _ if found(at, c) => return Some(at),
            _ => {}
        }
    }
    None
}
