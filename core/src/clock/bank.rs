//! The lag bank: how much of the lag measured on a player's connection his clock gets back. Does not
//! measure lag and knows no clock.

use serde::{Deserialize, Serialize};

use crate::time::Millis;

/// The most that one move is credited: more is a broken connection, not a slow one.
pub const MAX_CREDIT: Millis = Millis(500);

/// What a bank begins with, in gains: the first moves come before much was saved.
const FIRST_GAINS: u64 = 3;

/// The most a bank holds, in gains: good stretches pay for a bad one, but not for an evening.
const MOST_GAINS: u64 = 7;

/// The most that one move adds.
const MAX_GAIN: Millis = Millis(1000);

/// What the length of the game adds to a gain: 4 ms for each second it is expected to last, and 150 ms.
const GAIN_PER_SECOND: u64 = 4;
const GAIN_BASE: Millis = Millis(150);

/// A gain is at most this much more than the lag it is to pay for.
const GAIN_OVER_LAG: Millis = Millis(140);

/// What a seat's lag bank holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BankReading(pub Millis);

/// Lag credit saved up by one player: each move adds a gain, each credit is taken from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LagBank {
    /// None until the first move: the gain depends on a lag nobody has measured yet.
    held: Option<Millis>,
    /// The gain that the length of the game allows.
    most_gain: Millis,
}

impl LagBank {
    /// The bank of a game in which each side is expected to need `expected`.
    pub fn new(expected: Millis) -> LagBank {
        let by_length = Millis(GAIN_PER_SECOND * (expected.0 / 1000)) + GAIN_BASE;
        LagBank {
            held: None,
            most_gain: by_length.min(MAX_GAIN),
        }
    }

    /// The most that the next act can be credited, whatever its lag.
    pub fn available(&self) -> Millis {
        self.held_given(self.most_gain).min(MAX_CREDIT)
    }

    /// What an act with that measured `lag` is credited when the clock ran for `elapsed` before it.
    pub fn credit(&self, lag: Millis, elapsed: Millis) -> Millis {
        let held = self.held_given(self.gain(lag));
        lag.min(held).min(MAX_CREDIT).min(elapsed)
    }

    /// What is left after a claim: a credit taken, nothing gained.
    pub fn after_claim(&self, lag: Millis, credit: Millis) -> BankReading {
        BankReading(self.held_given(self.gain(lag)) - credit)
    }

    /// What is left after a move: a credit taken, a gain added.
    pub fn after_move(&self, lag: Millis, credit: Millis) -> BankReading {
        let gain = self.gain(lag);
        let saved = self.held_given(gain) - credit + gain;
        BankReading(saved.min(Millis(gain.0 * MOST_GAINS)))
    }

    /// Sets the bank to what an event says it holds.
    pub fn adopt(&mut self, reading: BankReading) {
        self.held = Some(reading.0);
    }

    fn held_given(&self, gain: Millis) -> Millis {
        self.held.unwrap_or(Millis(gain.0 * FIRST_GAINS))
    }

    fn gain(&self, lag: Millis) -> Millis {
        self.most_gain.min(lag + GAIN_OVER_LAG)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a move: expected game seconds, lags so far, and credit / bank after the last.
    #[test]
    fn credits_and_savings() {
        // (expected seconds, lags of the moves, credit of the last, bank after it)
        let table: &[(u64, &[u64], u64, u64)] = &[
            // Bullet, 60 s: the length allows 4 * 60 + 150 = 390 ms a move.
            (60, &[0], 0, 140 * 3 + 140),
            (60, &[50], 50, 190 * 3 - 50 + 190),
            (60, &[250], 250, 390 * 3 - 250 + 390),
            (60, &[2000], 500, 390 * 3 - 500 + 390),
            // More than the gain allows empties the bank, then the gain is all there is.
            (60, &[2000, 2000], 500, 1060 - 500 + 390),
            (60, &[2000; 8], 1170 - 7 * 110, 390),
            // Rapid: the gain is capped at a second.
            (900, &[2000], 500, 3000 - 500 + 1000),
            // The cap: seven gains of the lag at hand.
            (60, &[0, 0, 0, 0, 0, 0, 0, 0], 0, 140 * 7),
            // A good stretch ends: the savings shrink to what the new lag allows and pay.
            (60, &[250, 0], 0, 140 * 7),
        ];
        for &(seconds, lags, credit, held) in table {
            let mut bank = LagBank::new(Millis::from_secs(seconds));
            let mut last = (Millis::ZERO, BankReading::default());
            for &lag in lags {
                let granted = bank.credit(Millis(lag), Millis::from_secs(10));
                last = (granted, bank.after_move(Millis(lag), granted));
                bank.adopt(last.1);
            }
            let expected = (Millis(credit), BankReading(Millis(held)));
            assert_eq!(last, expected, "{seconds} s, lags {lags:?}");
        }
    }

    #[test]
    fn no_credit_beyond_the_time_thought() {
        let bank = LagBank::new(Millis::from_secs(180));
        assert_eq!(bank.credit(Millis(300), Millis(20)), Millis(20));
    }

    #[test]
    fn a_claim_gains_nothing() {
        let mut bank = LagBank::new(Millis::from_secs(180));
        bank.adopt(BankReading(Millis(1000)));
        let credit = bank.credit(Millis(200), Millis(900));
        assert_eq!(
            bank.after_claim(Millis(200), credit),
            BankReading(Millis(800))
        );
    }

    #[test]
    fn before_the_first_move_the_deadline_allows_for_any_lag() {
        for seconds in [0, 60, 180, 5400] {
            let bank = LagBank::new(Millis::from_secs(seconds));
            for lag in [0, 100, 400, 10_000] {
                assert!(bank.credit(Millis(lag), Millis(10_000)) <= bank.available());
            }
        }
    }
}
