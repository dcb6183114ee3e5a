#![allow(clippy::unwrap_used, reason = "tests")]

mod grammar;
mod properties;
mod rows;
mod uses;

use super::{Argv, ArgvError, WordUse, parse};

pub(super) fn tokens(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

pub(super) fn argv(words: &[&str]) -> Argv {
    parse(&tokens(words)).unwrap()
}

pub(super) fn error(words: &[&str]) -> ArgvError {
    parse(&tokens(words)).unwrap_err()
}

pub(super) fn names(argv: &Argv) -> Vec<(&str, Option<&str>)> {
    argv.globals.iter().map(|global| (global.spelling.as_str(), global.value.as_deref())).collect()
}

pub(super) fn values<'a>(uses: &[WordUse<'a>]) -> Vec<&'a str> {
    uses.iter().map(|word| word.value).collect()
}
