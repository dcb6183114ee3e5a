//! The looks behind a single command, until its effect is seen (DEC-71). While a question waits in the
//! page, a dialog that comes up keeps its answer back for 30 s. A look answers at once, and upstream
//! rests between two of them: only a dialog that comes up in the 4 ms around a look still holds it, so
//! that they are few.

use super::rows::{row, words};
use super::{Row, RowKind};
use crate::probe::{After, first_look_row, next_look_row};

/// The rests while the page only waits: they come to a little less than the whole time, and the looks
/// between them to the rest of it. Behind a press the browser draws before it runs the page's timers,
/// 8 to 25 ms later: no look belongs there.
const RESTS: [u32; 7] = [35, 35, 35, 40, 45, 50, 50];
/// A rest while the page works on an answer.
const WORKING_REST: u32 = 50;
/// How many of them there are at most.
const WORKING_RESTS: usize = 24;

/// The looks and the rests between them. The page ends them by its own clock; the last one has an
/// answer in any case.
pub(super) fn rows(index: usize, after: &After) -> Vec<Row> {
    let mut rows = vec![row(RowKind::After, index, first_look_row(after))];
    let mut rests = RESTS.into_iter().chain([WORKING_REST; WORKING_RESTS]).peekable();
    while let Some(ms) = rests.next() {
        rows.push(row(RowKind::Rest, index, words(&["wait", &ms.to_string()])));
        rows.push(row(RowKind::After, index, next_look_row(rests.peek().is_none())));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::SETTLE_MS;

    // DEC-71, HAZ-09
    #[test]
    fn looks_and_rests_follow_in_turn_for_as_long_as_the_page_may_take() {
        let rows = rows(3, &After { wait_ms: SETTLE_MS, ..After::default() });
        let rests: Vec<u32> = rows
            .iter()
            .filter(|row| row.owner.kind == RowKind::Rest)
            .map(|row| row.argv.get(1).unwrap().parse().unwrap())
            .collect();
        assert_eq!(rests[..RESTS.len()], RESTS);
        let waiting: u32 = RESTS.iter().sum();
        assert!(waiting > SETTLE_MS - 20 && waiting <= SETTLE_MS, "{waiting}");
        assert!(rests.iter().sum::<u32>() + 3 * 31 > SETTLE_MS + 1_200, "{rests:?}");
        let kinds = rows.iter().map(|row| (row.owner.kind, row.owner.step));
        let in_turn = [(RowKind::After, 3), (RowKind::Rest, 3)].into_iter().cycle();
        assert!(kinds.eq(in_turn.take(rows.len())));
        // Upstream rests before the last look, and that one answers in any case.
        let last = next_look_row(true);
        assert_eq!(rows.iter().filter(|row| row.argv == last).count(), 1);
        assert_eq!(rows.last().map(|row| &row.argv), Some(&last));
    }
}
