//! `scroll`: what upstream does, what ours does for it, and what would move nothing.

use super::Facts;
use crate::command::{Argv, ref_id};
use crate::error::{Checked, Refusal};
use crate::line::Line;
use crate::outcome::NextAction;

/// Which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Direction {
    /// The direction of a word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Some(match word {
            "up" => Self::Up,
            "down" => Self::Down,
            "left" => Self::Left,
            "right" => Self::Right,
            _ => return None,
        })
    }

    /// The word that upstream knows.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// How far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScrollAmount {
    /// Not given: upstream's 300 pixels.
    Default,
    /// Pixels.
    Pixels(u32),
    /// Part of the visible size of the container.
    Percent(u32),
}

/// One end of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Edge {
    Top,
    End,
}

/// A `scroll` that upstream accepts and ignores, so that ours runs it in the page (DEC-25).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScrollShim {
    /// Inside a container.
    Container {
        /// CSS selector of the container.
        selector: String,
        /// Which way.
        direction: Direction,
        /// How far.
        amount: ScrollAmount,
    },
    /// To an end of the page.
    Page(Edge),
}

/// What the words of a `scroll` ask for; nothing when upstream does it right, or for any other
/// command.
///
/// # Errors
///
/// Refused when the words would move nothing, or not what they say (HAZ-26).
pub fn scroll_shim(argv: &Argv) -> Checked<Option<ScrollShim>> {
    if argv.name() != "scroll" || argv.is_inspection() {
        return Ok(None);
    }
    let container = argv.own_value("--selector").map(|selector| selector.value);
    let operands = argv.operands();
    match (operands.as_slice(), container) {
        ([] | [""], None) => Ok(None),
        (["to", edge], None) => page_edge(edge).map(Some),
        ([], Some(selector)) => inside(selector, Direction::Down, None),
        ([first, rest @ ..], container) => match (Direction::of(first), container, rest) {
            (Some(direction), None, []) => Ok(direction).map(|_| None),
            (Some(direction), None, [amount]) => plain_amount(direction, amount),
            (Some(direction), Some(selector), []) => inside(selector, direction, None),
            (Some(direction), Some(selector), [amount]) => {
                inside(selector, direction, Some(amount))
            }
            (None, None, [way]) => named_container(first, way, None),
            (None, None, [way, amount]) => named_container(first, way, Some(amount)),
            (None, _, _) => Err(unknown_direction(first)),
            (Some(_), _, _) => Err(too_many()),
        },
    }
}

/// The check of [`scroll_shim`].
pub(super) fn scroll_words(facts: &Facts<'_>) -> Checked<()> {
    scroll_shim(facts.argv).map(|_| ())
}

fn page_edge(word: &str) -> Checked<ScrollShim> {
    match word {
        "end" => Ok(ScrollShim::Page(Edge::End)),
        "top" => Ok(ScrollShim::Page(Edge::Top)),
        _ => Err(unknown_direction(word)),
    }
}

/// Upstream takes whole pixels and moves 300 for anything else.
fn plain_amount(direction: Direction, amount: &str) -> Checked<Option<ScrollShim>> {
    if pixels(amount).is_some() && !amount.ends_with("px") {
        return Ok(None);
    }
    let refusal = Refusal::invalid(Line::ours("scroll ").quote(amount).and(
        " is no number of pixels; upstream would move 300. Percentages work with --selector.",
    ));
    Err(match pixels(amount) {
        Some(number) => refusal.next(NextAction::args(
            "use-nearest-command",
            "the number alone",
            &["scroll", direction.word(), &number.to_string()],
        )),
        None => refusal,
    })
}

fn inside(
    selector: &str,
    direction: Direction,
    amount: Option<&str>,
) -> Checked<Option<ScrollShim>> {
    let amount = match amount {
        None => ScrollAmount::Default,
        Some(word) => amount_of(word)?,
    };
    if ref_id(selector).is_some() {
        // Upstream scrolls a ref by itself, but only by pixels.
        return match amount {
            ScrollAmount::Percent(_) => Err(Refusal::invalid(
                "a container that is named by a ref scrolls by pixels, not by percent.",
            )),
            ScrollAmount::Default | ScrollAmount::Pixels(_) => Ok(None),
        };
    }
    Ok(Some(ScrollShim::Container { selector: selector.to_owned(), direction, amount }))
}

/// `scroll <css> <direction> [amount]`.
fn named_container(selector: &str, way: &str, amount: Option<&str>) -> Checked<Option<ScrollShim>> {
    let Some(direction) = Direction::of(way) else {
        return Err(unknown_direction(selector));
    };
    if ref_id(selector).is_none() {
        return inside(selector, direction, amount);
    }
    let mut args = vec!["scroll", direction.word()];
    args.extend(amount);
    args.extend(["--selector", selector]);
    Err(Refusal::invalid("a ref as the container of scroll stands behind --selector.")
        .next(NextAction::args("use-nearest-command", "the same with --selector", &args)))
}

fn amount_of(word: &str) -> Checked<ScrollAmount> {
    let percent = word.strip_suffix('%').and_then(|number| number.parse().ok());
    match (pixels(word), percent) {
        (Some(number), _) => Ok(ScrollAmount::Pixels(number)),
        (None, Some(number)) => Ok(ScrollAmount::Percent(number)),
        (None, None) => Err(Refusal::invalid(
            Line::ours("scroll does not know the amount ")
                .quote(word)
                .and("; give pixels (300) or a percentage (50%)."),
        )),
    }
}

fn pixels(word: &str) -> Option<u32> {
    word.strip_suffix("px").unwrap_or(word).parse().ok()
}

fn too_many() -> Box<Refusal> {
    Refusal::invalid(
        "scroll takes a direction and one amount; a container stands behind --selector.",
    )
}

fn unknown_direction(word: &str) -> Box<Refusal> {
    let refusal = Refusal::invalid(
        Line::ours("scroll does not know the direction ")
            .quote(word)
            .and("; known are up, down, left, right, to end and to top."),
    );
    let number = word.bytes().all(|byte| byte.is_ascii_digit()) && !word.is_empty();
    let lower = word.to_ascii_lowercase();
    let meant: &[&str] = match lower.as_str() {
        "top" | "start" => &["scroll", "to", "top"],
        "end" | "bottom" => &["scroll", "to", "end"],
        "up" => &["scroll", "up"],
        "down" => &["scroll", "down"],
        "left" => &["scroll", "left"],
        "right" => &["scroll", "right"],
        _ if number => &["scroll", "down", word],
        _ => return refusal,
    };
    refusal.next(NextAction::args("use-nearest-command", "what scroll knows", meant))
}
