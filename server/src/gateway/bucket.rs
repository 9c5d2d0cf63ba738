//! Token buckets. Integers only; the time is an argument.

use rookery_core::time::{Millis, Timestamp};

/// How fast something may happen for long, and how often at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rate {
    /// So many tokens come…
    tokens: u64,
    /// …in this time.
    every: u64,
    /// And no more than this many wait.
    burst: u64,
}

impl Rate {
    /// `tokens` a second, at most `burst` at once.
    pub(super) const fn per_second(tokens: u32, burst: u32) -> Rate {
        Rate {
            tokens: tokens as u64,
            every: 1000,
            burst: burst as u64,
        }
    }

    /// One token each `every`, at most `burst` at once.
    pub(super) const fn one_each(every: Millis, burst: u32) -> Rate {
        Rate {
            tokens: 1,
            every: if every.0 == 0 { 1 } else { every.0 },
            burst: burst as u64,
        }
    }
}

/// What is left of a [`Rate`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Bucket {
    /// In units of 1/`every` of a token, so that nothing is lost in rounding.
    level: u64,
    filled: Timestamp,
}

impl Bucket {
    /// A full one.
    pub(super) fn full(rate: Rate, now: Timestamp) -> Bucket {
        Bucket {
            level: rate.burst * rate.every,
            filled: now,
        }
    }

    /// Takes `count` tokens, or none and says how long to wait for them.
    pub(super) fn take(&mut self, rate: Rate, count: u64, now: Timestamp) -> Result<(), Millis> {
        let gained = now.since(self.filled).0.saturating_mul(rate.tokens);
        self.level = self
            .level
            .saturating_add(gained)
            .min(rate.burst * rate.every);
        self.filled = self.filled.max(now);
        let price = count.saturating_mul(rate.every);
        match self.level.checked_sub(price) {
            Some(left) => {
                self.level = left;
                Ok(())
            }
            None => Err(Millis((price - self.level).div_ceil(rate.tokens.max(1)))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_passes_and_then_the_rate_binds() {
        let rate = Rate::per_second(20, 3);
        let mut bucket = Bucket::full(rate, Timestamp(0));
        for _ in 0..3 {
            assert_eq!(bucket.take(rate, 1, Timestamp(0)), Ok(()));
        }
        assert_eq!(bucket.take(rate, 1, Timestamp(0)), Err(Millis(50)));
        assert_eq!(bucket.take(rate, 1, Timestamp(49)), Err(Millis(1)));
        assert_eq!(bucket.take(rate, 1, Timestamp(50)), Ok(()));
    }

    #[test]
    fn no_more_than_the_burst_is_saved_up_and_time_never_goes_back() {
        let rate = Rate::one_each(Millis(3000), 2);
        let mut bucket = Bucket::full(rate, Timestamp(1_000_000));
        assert_eq!(bucket.take(rate, 2, Timestamp(1_000_000)), Ok(()));
        assert_eq!(bucket.take(rate, 1, Timestamp(0)), Err(Millis(3000)));
        assert_eq!(bucket.take(rate, 2, Timestamp(2_000_000)), Ok(()));
        assert!(bucket.take(rate, 1, Timestamp(2_000_000)).is_err());
    }
}
