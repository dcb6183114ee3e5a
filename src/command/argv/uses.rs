//! Which words of a call are refs, text, secrets, paths and addresses.

use super::Argv;
use super::scan::Slot;
use crate::command::table::Role;
use crate::command::{is_foreign_selector, ref_id};

/// A word and its place in [`Argv::words`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordUse<'a> {
    /// Index into `words`.
    pub index: usize,
    /// The word.
    pub value: &'a str,
}

/// A ref that the command works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefUse<'a> {
    /// Index into `words`.
    pub index: usize,
    /// The id without `@`, for example `e5`.
    pub id: &'a str,
}

/// A file that the command reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathOperand<'a> {
    /// Index into `words`.
    pub index: usize,
    /// What stands in front of the path in the same word: nothing, `@` or `--flag=`.
    pub prefix: &'a str,
    /// The path.
    pub value: &'a str,
}

impl Argv {
    /// Every operand and every value of an own flag, with its role; `inline` is the length of the
    /// `--flag=` in front of the value.
    fn valued(&self) -> impl Iterator<Item = (usize, &str, Role, usize)> {
        let (_, slots) = self.scan();
        let lone = self.lone_screenshot_operand();
        self.words.iter().skip(1).zip(slots).enumerate().filter_map(move |(at, (word, slot))| {
            let (role, inline) = match slot {
                Slot::Own(_) => return None,
                Slot::OwnValue(flag) => (flag.value, 0),
                Slot::OwnInline(flag) => {
                    (flag.value, word.split_once('=').map_or(0, |(name, _)| name.len() + 1))
                }
                Slot::Operand(Role::TargetOrOutPath) if lone && is_path_like(word) => {
                    (Role::OutPath, 0)
                }
                Slot::Operand(Role::TargetOrOutPath) => (Role::Target, 0),
                Slot::Operand(role) => (role, 0),
            };
            Some((at + 1, word.as_str(), role, inline))
        })
    }

    /// With two operands the first one is the selector, whatever it looks like.
    fn lone_screenshot_operand(&self) -> bool {
        self.operands().len() == 1
    }

    /// The operands: subcommand words included, own flags and their values left out.
    #[must_use]
    pub fn operands(&self) -> Vec<&str> {
        self.operand_uses().into_iter().map(|operand| operand.value).collect()
    }

    /// The operands with their places.
    #[must_use]
    pub fn operand_uses(&self) -> Vec<WordUse<'_>> {
        let (_, slots) = self.scan();
        let behind = self.words.iter().enumerate().skip(1);
        behind
            .zip(slots)
            .filter(|(_, slot)| matches!(slot, Slot::Operand(_)))
            .map(|((index, value), _)| WordUse { index, value })
            .collect()
    }

    /// Operands that look like an option, in places that hold no free text. Behind `--` every word
    /// is an operand.
    #[must_use]
    pub fn option_like(&self) -> Vec<WordUse<'_>> {
        let (_, slots) = self.scan();
        let behind = self.words.iter().enumerate().skip(1).zip(slots);
        behind
            .take_while(|((_, word), slot)| !(*word == "--" && matches!(slot, Slot::Operand(_))))
            .filter(|((_, word), slot)| {
                matches!(slot, Slot::Operand(role) if !role.is_literal()) && is_option_like(word)
            })
            .map(|((index, value), _)| WordUse { index, value })
            .collect()
    }

    /// True when the own flag is given, in any of its spellings.
    #[must_use]
    pub fn has_own_flag(&self, name: &str) -> bool {
        self.scan().1.iter().any(|slot| match slot {
            Slot::Own(flag) | Slot::OwnInline(flag) => flag.answers_to(name),
            Slot::OwnValue(_) | Slot::Operand(_) => false,
        })
    }

    /// The value of an own flag; with several, the last one.
    #[must_use]
    pub fn own_value(&self, name: &str) -> Option<WordUse<'_>> {
        let (_, slots) = self.scan();
        let found = slots.iter().enumerate().rev().find(|(_, slot)| {
            matches!(slot, Slot::OwnValue(flag) | Slot::OwnInline(flag) if flag.answers_to(name))
        });
        let (at, slot) = found?;
        let word = self.words.get(at + 1)?;
        let value = match slot {
            Slot::OwnInline(_) => word.split_once('=').map_or("", |(_, value)| value),
            _ => word,
        };
        Some(WordUse { index: at + 1, value })
    }

    /// What `find` does with the element, and which word says so; `None` for other commands.
    ///
    /// ```
    /// use agent_browser_native::command::Argv;
    /// let action = |words: &[&str]| Argv::of_words(words).find_action().map(|(at, word)| (at, word.to_owned()));
    /// assert_eq!(action(&["find", "text", "Save", "click"]), Some((3, "click".to_owned())));
    /// assert_eq!(action(&["find", "nth", "1", ".row", "click"]), Some((4, "click".to_owned())));
    /// assert_eq!(action(&["click", "text", "Save", "click"]), None);
    /// ```
    #[must_use]
    pub fn find_action(&self) -> Option<(usize, &str)> {
        if self.name() != "find" {
            return None;
        }
        let at = if self.words.get(1)? == "nth" { 4 } else { 3 };
        self.words.get(at).map(|word| (at, word.as_str()))
    }

    /// Refs in places where the command takes one. Text that looks like a ref is none.
    #[must_use]
    pub fn ref_operands(&self) -> Vec<RefUse<'_>> {
        self.valued()
            .filter(|(_, _, role, _)| *role == Role::Target)
            .filter_map(|(index, word, _, inline)| {
                let id = ref_id(word.get(inline..)?)?;
                Some(RefUse { index, id })
            })
            .collect()
    }

    /// The first target (a selector or a ref).
    #[must_use]
    pub fn target(&self) -> Option<WordUse<'_>> {
        self.with_role(|role| role == Role::Target).into_iter().next()
    }

    /// Everything that is written as a selector; never a text.
    #[must_use]
    pub fn selectors(&self) -> Vec<WordUse<'_>> {
        self.with_role(|role| matches!(role, Role::Target | Role::Css))
    }

    /// The first selector that is written in the dialect of another tool.
    #[must_use]
    pub fn foreign_selector(&self) -> Option<&str> {
        let mut selectors = self.selectors().into_iter().map(|selector| selector.value);
        selectors.find(|selector| is_foreign_selector(selector))
    }

    /// The user's own text, secrets included.
    #[must_use]
    pub fn text_operands(&self) -> Vec<WordUse<'_>> {
        self.with_role(Role::is_literal)
    }

    /// Addresses that the command goes to or asks about.
    #[must_use]
    pub fn urls(&self) -> Vec<WordUse<'_>> {
        self.with_role(|role| role == Role::Url)
    }

    fn with_role(&self, wanted: impl Fn(Role) -> bool) -> Vec<WordUse<'_>> {
        self.valued()
            .filter(|(_, _, role, _)| wanted(*role))
            .map(|(index, word, _, inline)| WordUse {
                index,
                value: word.get(inline..).unwrap_or_default(),
            })
            .collect()
    }

    /// Places of words that are never shown (PLAN-02, RED-07). Where the flag and its value share a
    /// word, that word is named.
    #[must_use]
    pub fn secret_indexes(&self) -> Vec<usize> {
        self.with_role(|role| role == Role::Secret).into_iter().map(|word| word.index).collect()
    }

    /// Words that are never shown, without the flag that may share their word (RED-10).
    #[must_use]
    pub fn secret_values(&self) -> Vec<&str> {
        self.with_role(|role| role == Role::Secret).into_iter().map(|word| word.value).collect()
    }

    /// The file that the command writes (DEC-27); with several, the last one.
    #[must_use]
    pub fn output_path(&self) -> Option<PathOperand<'_>> {
        self.output_paths().pop()
    }

    /// Every file that is named to be written: whichever upstream takes, it is judged (DEC-101).
    #[must_use]
    pub fn output_paths(&self) -> Vec<PathOperand<'_>> {
        self.paths(Role::OutPath)
    }

    /// The files that the command reads (HAZ-05).
    #[must_use]
    pub fn input_paths(&self) -> Vec<PathOperand<'_>> {
        let mut paths = self.paths(Role::InPath);
        paths.extend(self.with_role(|role| role == Role::AtFile).into_iter().filter_map(|word| {
            let value = word.value.strip_prefix('@')?;
            Some(PathOperand { index: word.index, prefix: "@", value })
        }));
        paths
    }

    fn paths(&self, wanted: Role) -> Vec<PathOperand<'_>> {
        self.valued()
            .filter(|(_, _, role, _)| *role == wanted)
            .map(|(index, word, _, inline)| {
                let (prefix, value) = word.split_at_checked(inline).unwrap_or(("", word));
                PathOperand { index, prefix, value }
            })
            .collect()
    }

    /// The command strings of a `batch` (DEC-98).
    #[must_use]
    pub fn batch_strings(&self) -> Vec<&str> {
        match self.name() {
            "batch" => self.operands(),
            _ => Vec::new(),
        }
    }

    /// How long the caller said that the command may wait: `wait 3000`, `--timeout 3000`.
    #[must_use]
    pub fn explicit_wait_ms(&self) -> Option<u64> {
        let pause = (self.name() == "wait")
            .then(|| self.operands().first().and_then(|ms| whole_number(ms)))
            .flatten();
        pause.or_else(|| whole_number(self.own_value("--timeout")?.value))
    }
}

/// `--word` or `--word=…`: no selector, address or file of note is written so.
fn is_option_like(word: &str) -> bool {
    let Some(name) = word.strip_prefix("--") else { return false };
    let name = name.split_once('=').map_or(name, |(name, _)| name);
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// A plain number as upstream reads it.
fn whole_number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

/// Whether the lone operand of `screenshot` is a path (PLAN-63). Where upstream would save
/// somewhere else and say nothing (`.dog/run/x.png`), it is a path too (PLAN-60).
///
/// ```
/// use agent_browser_native::command::argv::is_path_like;
/// assert!(is_path_like("shots/a.png"));
/// assert!(!is_path_like("#main"));
/// ```
#[must_use]
pub fn is_path_like(word: &str) -> bool {
    const ROOTS: [&str; 7] = ["/", "./", "../", "~/", ".\\", "..\\", "\\\\"];
    if ROOTS.iter().any(|root| word.starts_with(root)) || has_drive(word) {
        return true;
    }
    let extension = word.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let image = matches!(extension.as_deref(), Some("png" | "jpg" | "jpeg" | "webp"));
    let folder = word.contains('/');
    if word.starts_with(['#', '@', '[', '*', ':']) || word.starts_with("xpath=") {
        return false;
    }
    if word.starts_with('.') {
        return folder && image;
    }
    image || (folder && !word.contains(['[', ']', '(', ')', '>', '"', '\'', '=']))
}

fn has_drive(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|first| first.is_ascii_alphabetic())
        && chars.next() == Some(':')
        && matches!(chars.next(), Some('\\' | '/'))
}
