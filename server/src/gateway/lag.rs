//! How long a client's wire takes, measured by ping frames. The lower quartile of the recent pongs
//! counts: a player on a bad minute is measured by his good moments, and to be believed slow a client
//! must delay three pongs of four, for as long as it plays.
//!
//! What a client that holds its pongs back gains is therefore bounded, not nothing: at most
//! `max_lag_ms` a move, and no more than the lag bank of its game holds.

use rookery_core::time::{Millis, Timestamp};

/// How many pongs count: two minutes of quiet, or eight moves.
const SAMPLES: usize = 8;

/// Beside an answer, or in place of a tick, no ping is sent sooner than this after the last one.
const LEAST_APART: Millis = Millis::from_secs(1);

/// The measurements of one socket.
#[derive(Clone, Copy, Debug)]
pub(super) struct LagMeter {
    most: Millis,
    /// The last pongs, in a ring.
    samples: [Millis; SAMPLES],
    taken: usize,
    /// The ping on its way, if one is.
    pending: Option<u64>,
    sent_at: Timestamp,
    sent: u64,
}

impl LagMeter {
    pub(super) fn new(most: Millis, now: Timestamp) -> LagMeter {
        LagMeter {
            most,
            samples: [Millis::ZERO; SAMPLES],
            taken: 0,
            pending: None,
            sent_at: now,
            sent: 0,
        }
    }

    /// The payload of a ping sent now.
    pub(super) fn ping(&mut self, now: Timestamp) -> [u8; 8] {
        self.sent += 1;
        self.pending = Some(self.sent);
        self.sent_at = now;
        self.sent.to_be_bytes()
    }

    /// When the last ping was sent.
    pub(super) fn pinged_at(&self) -> Timestamp {
        self.sent_at
    }

    /// Whether a ping may be sent besides the regular ones.
    pub(super) fn may_ping(&self, now: Timestamp) -> bool {
        self.pending.is_none() && now.since(self.sent_at) >= LEAST_APART
    }

    /// Takes a pong. False when it answers no ping on its way.
    pub(super) fn pong(&mut self, payload: &[u8], arrived: Timestamp) -> bool {
        let answers = self
            .pending
            .is_some_and(|pending| payload == pending.to_be_bytes());
        if answers {
            self.pending = None;
            self.samples[self.taken % SAMPLES] = arrived.since(self.sent_at);
            self.taken += 1;
        }
        answers
    }

    /// The lag that is believed.
    pub(super) fn measured(&self) -> Millis {
        let count = self.taken.min(SAMPLES);
        if count == 0 {
            return Millis::ZERO;
        }
        let mut sorted = self.samples;
        let sorted = &mut sorted[..count];
        sorted.sort_unstable();
        sorted[(count - 1) / 4].min(self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::clock::LagBank;

    const MOST: Millis = Millis(500);

    fn measure(pongs: &[u64]) -> Millis {
        let mut now = Timestamp(1_000_000);
        let mut meter = LagMeter::new(MOST, now);
        for &rtt in pongs {
            let payload = meter.ping(now);
            assert!(meter.pong(&payload, now + Millis(rtt)));
            now = now + Millis::from_secs(15);
        }
        meter.measured()
    }

    #[test]
    fn the_lower_quartile_of_the_last_pongs_counts() {
        assert_eq!(measure(&[]), Millis(0));
        assert_eq!(measure(&[80]), Millis(80));
        assert_eq!(measure(&[40, 900, 50, 900, 900, 900, 900, 900]), Millis(50));
        assert_eq!(
            measure(&[40, 40, 90, 90, 90, 90, 90, 90, 90, 90]),
            Millis(90)
        );
    }

    #[test]
    fn a_pong_that_was_not_asked_for_counts_for_nothing() {
        let mut meter = LagMeter::new(MOST, Timestamp(0));
        assert!(!meter.pong(b"", Timestamp(5)));
        let payload = meter.ping(Timestamp(10));
        assert!(!meter.pong(b"guess", Timestamp(11)));
        assert!(meter.pong(&payload, Timestamp(12)));
        assert!(!meter.pong(&payload, Timestamp(900)));
        assert_eq!(meter.measured(), Millis(2));
    }

    #[test]
    fn delaying_two_pongs_of_three_gains_nothing() {
        assert_eq!(measure(&[900, 30, 900, 900, 30, 900, 900, 30]), Millis(30));
    }

    /// The credit of forty moves of three seconds each, in a game where a side expects `secs`.
    fn credited(lag: Millis, secs: u64) -> Millis {
        let mut bank = LagBank::new(Millis::from_secs(secs));
        let mut sum = Millis::ZERO;
        for _ in 0..40 {
            let credit = bank.credit(lag, Millis(3000));
            bank.adopt(bank.after_move(lag, credit));
            sum += credit;
        }
        sum
    }

    #[test]
    fn a_client_that_delays_every_pong_gains_what_the_bank_allows_and_no_more() {
        let honest = measure(&[40; 8]);
        let delayed = measure(&[2000; 8]);
        assert_eq!(delayed, MOST);
        // 3+0: half a second a move, the most there is for anybody.
        assert_eq!(credited(honest, 180), Millis(40 * 40));
        assert_eq!(credited(delayed, 180), Millis(40 * 500));
        // 1+0: 390 ms a move by the length of the game, and what the bank begins with.
        assert_eq!(credited(delayed, 60), Millis(39 * 390 + 3 * 390));
    }
}
