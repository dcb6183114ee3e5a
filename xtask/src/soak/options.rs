//! What the command line asks for.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::Result;

const MINUTES: u64 = 60;
/// A short run is cut into as many rounds, so that there is something to compare.
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

    /// How many rounds, and how long each.
    pub(super) fn rounds(&self) -> (usize, Duration) {
        let rounds = self.minutes.max(ROUNDS_AT_LEAST);
        let length = Duration::from_secs(self.minutes * 60 / rounds);
        (usize::try_from(rounds).unwrap_or(usize::MAX), length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[&str]) -> Result<Options> {
        Options::of(&words.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn an_hour_has_sixty_rounds_and_a_short_run_ten() {
        assert_eq!(of(&[]).unwrap().rounds(), (60, Duration::from_secs(60)));
        let short = of(&["--minutes", "2", "--seed", "7"]).unwrap();
        assert_eq!((short.rounds(), short.seed), ((10, Duration::from_secs(12)), 7));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for words in [&["--minutes"][..], &["--minutes", "0"], &["--minutes", "x"], &["--hours"]] {
            assert!(of(words).is_err(), "{words:?}");
        }
    }
}
