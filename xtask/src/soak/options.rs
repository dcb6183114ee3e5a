//! What the command line asks for.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::Result;

const MINUTES: u64 = 60;
/// With the last call and the count behind it a round takes about a minute.
const ROUND_SECONDS: u64 = 45;
/// A short run is cut into about as many rounds, so that there is something to compare.
const ROUNDS_AT_LEAST: u64 = 10;

pub(super) struct Options {
    pub(super) minutes: u64,
    pub(super) seed: u64,
    /// The debug build, for trying.
    pub(super) debug: bool,
}

impl Options {
    pub(super) fn of(args: &[String]) -> Result<Self> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
        let mut options = Self { minutes: MINUTES, seed: now, debug: false };
        let mut words = args.iter();
        while let Some(word) = words.next() {
            let mut number = || -> Result<u64> {
                Ok(words.next().ok_or_else(|| format!("{word} needs a number"))?.parse()?)
            };
            match word.as_str() {
                "--minutes" => options.minutes = number()?,
                "--seed" => options.seed = number()?,
                "--debug" => options.debug = true,
                _ => {
                    return Err("usage: cargo xtask soak [--minutes N] [--seed N] [--debug]".into());
                }
            }
        }
        if options.minutes == 0 {
            return Err("--minutes needs at least 1".into());
        }
        Ok(options)
    }

    /// How long the whole lasts.
    pub(super) fn length(&self) -> Duration {
        Duration::from_secs(self.minutes * 60)
    }

    /// How long the calls of one round last.
    pub(super) fn round(&self) -> Duration {
        Duration::from_secs((self.minutes * 60 / ROUNDS_AT_LEAST).min(ROUND_SECONDS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[&str]) -> Result<Options> {
        Options::of(&words.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn rounds_are_shorter_in_a_short_run() {
        let (hour, short) = (of(&[]).unwrap(), of(&["--minutes", "2", "--seed", "7"]).unwrap());
        assert_eq!((hour.length().as_secs(), hour.round().as_secs()), (3_600, 45));
        assert_eq!((short.round().as_secs(), short.seed), (12, 7));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for words in [&["--minutes"][..], &["--minutes", "0"], &["--minutes", "x"], &["--hours"]] {
            assert!(of(words).is_err(), "{words:?}");
        }
    }
}
