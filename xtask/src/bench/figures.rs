//! Times and what is said about them.

use std::time::Duration;

/// Times of one kind of call.
#[derive(Clone, Debug, Default)]
pub(super) struct Samples {
    times: Vec<Duration>,
}

impl Samples {
    pub(super) fn push(&mut self, time: Duration) {
        let at = self.times.partition_point(|known| *known <= time);
        self.times.insert(at, time);
    }

    pub(super) fn median(&self) -> Duration {
        let middle = self.times.len() / 2;
        let upper = self.times.get(middle).copied().unwrap_or_default();
        if self.times.len() % 2 == 1 {
            return upper;
        }
        let lower = self.times.get(middle.wrapping_sub(1)).copied().unwrap_or_default();
        (lower + upper) / 2
    }

    /// The time that nine of ten calls do not exceed.
    pub(super) fn p90(&self) -> Duration {
        let at = (self.times.len() * 9).div_ceil(10).saturating_sub(1);
        self.times.get(at).copied().unwrap_or_default()
    }
}

pub(super) fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 100_000.0).round() / 100.0
}

/// About how many tokens a text is: four bytes of English or markup each.
pub(crate) fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(times: &[u64]) -> Samples {
        let mut samples = Samples::default();
        times.iter().for_each(|ms| samples.push(Duration::from_millis(*ms)));
        samples
    }

    #[test]
    fn median_and_p90_are_taken_from_sorted_times() {
        let odd = samples(&[9, 1, 5]);
        assert_eq!((odd.median(), odd.p90()), (Duration::from_millis(5), Duration::from_millis(9)));
        let even = samples(&[4, 1, 3, 2]);
        assert_eq!(even.median(), Duration::from_micros(2_500));
        let ten = samples(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 100]);
        assert_eq!(ten.p90(), Duration::from_millis(9));
        assert_eq!(Samples::default().median(), Duration::ZERO);
    }
}
