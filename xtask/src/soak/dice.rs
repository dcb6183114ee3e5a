//! Numbers that a seed repeats.

/// A small generator (splitmix64): the same seed gives the same run of choices.
pub(super) struct Dice {
    state: u64,
}

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`; 0 when there is none.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % limit).unwrap_or(0)
    }

    /// True once in `times`.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of the items.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// One of the items, each as often as its weight says.
    pub(super) fn weighted<'a, T>(&mut self, items: &'a [(usize, T)]) -> Option<&'a T> {
        let mut at = self.below(items.iter().map(|(weight, _)| weight).sum());
        items.iter().find_map(|(weight, item)| {
            let hit = at < *weight;
            at = at.wrapping_sub(*weight);
            hit.then_some(item)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_its_choices_and_weights_are_kept() {
        let roll = |seed| {
            let mut dice = Dice::new(seed);
            (0..50).map(|_| dice.below(1_000)).collect::<Vec<_>>()
        };
        assert_eq!(roll(7), roll(7));
        assert_ne!(roll(7), roll(8));
        let mut dice = Dice::new(1);
        let picks: Vec<char> =
            (0..400).filter_map(|_| dice.weighted(&[(3, 'a'), (1, 'b')]).copied()).collect();
        let rare = picks.iter().filter(|pick| **pick == 'b').count();
        assert_eq!(picks.len(), 400);
        assert!((50..150).contains(&rare), "{rare}");
        assert_eq!(dice.pick::<char>(&[]), None);
    }
}
