//! Two times, at most one of them running. Knows whose turn it is told, not why.

use serde::{Deserialize, Serialize};

use crate::clock::{Bonus, TimeControl};
use crate::id::{BySeat, Seat};
use crate::time::{Millis, Timestamp};

/// Both clocks at the instant of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockReading {
    /// What each side has left.
    pub left: BySeat<Millis>,
    /// Whose clock runs from this instant on; none while clocks are stopped.
    pub running: Option<Seat>,
}

/// The clock of one game. A value: a judgement tries on a copy what an event then says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChessClock {
    /// What each side had left at `since`.
    left: BySeat<Millis>,
    running: Option<Seat>,
    /// When the running clock was started, or the standing one stopped.
    since: Timestamp,
    /// What the side to move had when its turn began: what it used since, a Bronstein delay gives back.
    turn_began_with: Millis,
}

impl ChessClock {
    /// Both sides at the base of the time control, White's clock started at `from`, or Black's when he
    /// moves first.
    pub fn start(control: &TimeControl, first: Seat, from: Timestamp) -> ChessClock {
        let base = control.base();
        ChessClock {
            left: BySeat::new_with(|_| base),
            running: Some(first),
            since: from,
            turn_began_with: base,
        }
    }

    /// Whose clock runs; none while both stand.
    pub fn running(&self) -> Option<Seat> {
        self.running
    }

    /// Since when the running clock runs, or the clocks stand.
    pub fn since(&self) -> Timestamp {
        self.since
    }

    /// What each side had left when the running clock was started.
    pub fn reading(&self) -> ClockReading {
        ClockReading {
            left: self.left,
            running: self.running,
        }
    }

    /// What `seat` has left at `at`.
    pub fn left(&self, seat: Seat, at: Timestamp) -> Millis {
        let ran = if self.running == Some(seat) {
            self.ran(at)
        } else {
            Millis::ZERO
        };
        self.left[seat] - ran
    }

    /// How long the running clock has run at `at` since it was started.
    pub fn ran(&self, at: Timestamp) -> Millis {
        self.running.map_or(Millis::ZERO, |_| at.since(self.since))
    }

    /// What the side to move, `seat`, has used at `at` since its turn began.
    pub fn used(&self, seat: Seat, at: Timestamp) -> Millis {
        self.turn_began_with - self.left(seat, at)
    }

    /// Stops the running clock at `at`; `credit` of the time it ran is not charged.
    pub fn stop(&mut self, at: Timestamp, credit: Millis) {
        if let Some(seat) = self.running.take() {
            let ran = at.since(self.since);
            self.left[seat] = self.left[seat] - (ran - credit);
        }
    }

    /// Adds what the move just made earns: the bonus of its stage, and the base of the next stage when
    /// it was the last of its own. `moves` counts the moves of `seat`, this one included.
    pub fn earn(&mut self, seat: Seat, control: &TimeControl, moves: u32) {
        let used = self.turn_began_with - self.left[seat];
        let mut stages = control.stages().iter();
        let mut counted = 0;
        while let Some(stage) = stages.next() {
            let ends_at = stage.moves.map(|moves| counted + moves);
            if ends_at.is_some_and(|end| moves > end) {
                counted = ends_at.unwrap_or(counted);
                continue;
            }
            self.left[seat] += match stage.bonus {
                Bonus::Fischer(each) => each,
                Bonus::Bronstein(delay) => used.min(delay),
            };
            if ends_at == Some(moves) {
                self.left[seat] += stages.next().map_or(Millis::ZERO, |next| next.base);
            }
            return;
        }
    }

    /// Takes `span` off the clock of `seat` for something else than thinking.
    pub fn penalise(&mut self, seat: Seat, span: Millis) {
        self.left[seat] = self.left[seat] - span;
    }

    /// Adds `span` to the clock of `seat`.
    pub fn give(&mut self, seat: Seat, span: Millis) {
        self.left[seat] += span;
    }

    /// Names the clock that runs from the next event on.
    pub fn hand_to(&mut self, seat: Seat) {
        self.running = Some(seat);
    }

    /// Sets the clock to what an event at `at` says.
    pub fn adopt(&mut self, reading: ClockReading, at: Timestamp) {
        self.left = reading.left;
        self.running = reading.running;
        self.since = at;
    }

    /// The turn of `seat` begins with what it has left.
    pub fn begin_turn(&mut self, seat: Seat) {
        self.turn_began_with = self.left[seat];
    }

    /// A penalty was not time used: the turn counts as begun with that much less.
    pub fn discount(&mut self, penalty: Millis) {
        self.turn_began_with = self.turn_began_with - penalty;
    }
}

#[cfg(test)]
mod tests;
