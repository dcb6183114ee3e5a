//! Rows of a caller's batch (DEC-98).

use serde_json::Value;

use super::{Argv, ArgvError, parse};
use crate::command::check::in_row;
use crate::error::{Checked, Refusal};
use crate::line::Line;

/// Takes one row of a caller's batch apart. `--annotate` of a `screenshot` is the only global flag
/// that a row may hold: it is moved in front of the batch (PLAN-64).
///
/// # Errors
///
/// See [`ArgvError`].
pub fn parse_row(row: &[String]) -> Result<Argv, ArgvError> {
    let argv = parse(row)?;
    let screenshot = argv.name() == "screenshot";
    let hoisted = |name: &str| screenshot && name == "--annotate";
    let global = argv.globals.iter().find(|global| !hoisted(global.spec.name));
    if let Some(global) = global {
        return Err(ArgvError::GlobalInRow { flag: global.spelling.clone() });
    }
    if argv.is_inspection() {
        return Err(ArgvError::InspectionInRow);
    }
    if argv.words.is_empty() {
        return Err(ArgvError::EmptyRow);
    }
    if argv.name() == "batch" {
        return Err(ArgvError::NestedBatch);
    }
    if argv.command().is_some() && !argv.traits().in_caller_rows {
        return Err(ArgvError::NotInRows { command: argv.name().to_owned() });
    }
    Ok(argv)
}

/// Splits a command string as upstream does: blanks separate (tabs and line breaks do not), quotes
/// join, a backslash takes the next character as it is unless single quotes hold it.
///
/// Where upstream guesses, this refuses: a quote that is never closed, a backslash at the end.
/// Empty quotes stay a word, because upstream drops them and `fill #a ""` loses its text.
///
/// ```
/// use agent_browser_native::command::split_command_string;
/// assert_eq!(split_command_string(r#"fill #a "x y""#).unwrap(), ["fill", "#a", "x y"]);
/// ```
///
/// # Errors
///
/// See [`ArgvError`].
pub fn split_command_string(text: &str) -> Result<Vec<String>, ArgvError> {
    if text.trim_start().starts_with('[') {
        return Err(ArgvError::JsonAsString);
    }
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = text.chars();
    while let Some(next) = chars.next() {
        match (quote, next) {
            (Some(open), close) if open == close => quote = None,
            (Some('\''), inside) => word.get_or_insert_default().push(inside),
            (_, '\\') => {
                let escaped = chars.next().ok_or(ArgvError::TrailingBackslash)?;
                word.get_or_insert_default().push(escaped);
            }
            (None, '"' | '\'') => {
                quote = Some(next);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (_, inside) => word.get_or_insert_default().push(inside),
        }
    }
    if let Some(quote) = quote {
        return Err(ArgvError::OpenQuote { quote });
    }
    words.extend(word);
    if words.is_empty() {
        return Err(ArgvError::EmptyRow);
    }
    Ok(words)
}

/// Reads the rows of a caller's `stdin`: a JSON array of arrays of strings (IN-STDIN-04).
///
/// # Errors
///
/// A `validation-error` that names the row.
pub fn rows_from_json(stdin: &str) -> Checked<Vec<Vec<String>>> {
    let shape = "batch stdin must be a JSON array of arrays of strings, \
                 for example [[\"open\",\"https://shop.test\"],[\"snapshot\",\"-i\"]].";
    let value: Value = serde_json::from_str(stdin).map_err(|error| {
        let place = format!(" It is no JSON: line {}, column {}.", error.line(), error.column());
        Refusal::invalid(Line::ours(shape).and(place))
    })?;
    let Value::Array(rows) = value else {
        return Err(Refusal::invalid(shape));
    };
    let rows = rows.into_iter().enumerate();
    rows.map(|(at, row)| row_of_strings(row).map_err(|line| in_row(Refusal::invalid(line), at + 1)))
        .collect()
}

fn row_of_strings(row: Value) -> Result<Vec<String>, Line> {
    let Value::Array(words) = row else {
        return Err(Line::ours("must be an array of strings."));
    };
    if words.is_empty() {
        return Err(Line::ours("is empty."));
    }
    words
        .into_iter()
        .enumerate()
        .map(|(at, word)| match word {
            Value::String(text) => Ok(text),
            other => Err(Line::ours(format!("item {} must be a string, but is ", at + 1))
                .and(kind_of(&other))
                .and(".")),
        })
        .collect()
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
