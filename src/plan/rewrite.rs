//! What upstream gets instead of what the caller wrote, with the same meaning.

use std::path::{Path, PathBuf};

use super::Step;
use super::page_filter::PageFilter;
use crate::command::{Argv, Direction, Edge, ScrollShim, invoke_function_shape, scroll_shim};
use crate::probe::{eval_row, scroll_row};

/// Pixels.
const FARTHER_THAN_ANY_PAGE: &str = "1000000";

/// The words of a row: scripts encoded (HAZ-04), paths absolute (HAZ-05), function-shaped wait
/// conditions invoked (HAZ-08), scrolls that upstream would ignore as scripts (DEC-25).
#[must_use]
pub fn row_words(argv: &Argv, stdin: Option<&str>, cwd: &Path) -> Vec<String> {
    if argv.command().is_some_and(|command| command.name == "eval") {
        return eval_words(argv, stdin);
    }
    if let Ok(Some(shim)) = scroll_shim(argv) {
        return scroll_row(&shim);
    }
    let mut words = argv.words.clone();
    for operand in argv.output_paths().into_iter().chain(argv.input_paths()) {
        if let Some(word) = words.get_mut(operand.index) {
            let path = absolute(cwd, operand.value);
            *word = format!("{}{}", operand.prefix, path.to_string_lossy());
        }
    }
    if let Some(condition) = argv.own_value("--fn")
        && let Some(invoked) = invoke_function_shape(condition.value)
        && let Some(word) = words.get_mut(condition.index)
    {
        *word = invoked;
    }
    if PageFilter::of(argv).is_some() {
        words = PageFilter::strip(argv, words);
    }
    words
}

/// The `scroll` that upstream knows best, for one that ours could not do in the page.
#[must_use]
pub fn plain_scroll(argv: &Argv, pixels: Option<u64>) -> Option<Step> {
    let words: Vec<String> = match scroll_shim(argv).ok()?? {
        ScrollShim::Container { direction, .. } => {
            let amount = pixels.map(|pixels| pixels.to_string());
            ["scroll", direction.word()].map(str::to_owned).into_iter().chain(amount).collect()
        }
        ScrollShim::Page(edge) => {
            let way = if edge == Edge::End { Direction::Down } else { Direction::Up };
            ["scroll", way.word(), FARTHER_THAN_ANY_PAGE].map(str::to_owned).to_vec()
        }
    };
    let argv = Argv { globals: argv.globals.clone(), ..Argv::of_words(&words) };
    Some(Step { argv, words })
}

fn eval_words(argv: &Argv, stdin: Option<&str>) -> Vec<String> {
    if argv.has_own_flag("-b") || argv.has_own_flag("--base64") {
        return argv.words.clone();
    }
    match stdin {
        Some(script) => eval_row(script),
        None => eval_row(&argv.words.get(1..).unwrap_or_default().join(" ")),
    }
}

/// `path` below `cwd`, without asking the file system.
#[must_use]
pub fn absolute(cwd: &Path, path: &str) -> PathBuf {
    let joined = cwd.join(path);
    let mut clean = PathBuf::new();
    for part in joined.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    // HAZ-05
    #[test]
    fn paths_become_absolute_without_dots() {
        let cwd = Path::new("/home/ann/shop");
        assert_eq!(absolute(cwd, ".dog/run/x.png"), Path::new("/home/ann/shop/.dog/run/x.png"));
        assert_eq!(absolute(cwd, "../x.png"), Path::new("/home/ann/x.png"));
        assert_eq!(absolute(cwd, "./a/./b.png"), Path::new("/home/ann/shop/a/b.png"));
        assert_eq!(absolute(cwd, "/tmp/x.png"), Path::new("/tmp/x.png"));
    }
}
