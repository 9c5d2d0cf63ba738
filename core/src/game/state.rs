//! A game at a glance, for one who comes late: no more than both players know.

use crate::board::Uci;
use crate::clock::ClockReading;
use crate::game::{Game, Outcome, What};
use crate::id::{Seat, Seq};
use crate::time::Timestamp;

/// What is to be seen of a game after an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The last event it takes in.
    pub seq: Seq,
    /// The position (FEN).
    pub fen: String,
    /// The moves that led to it, those taken back left out.
    pub moves: Vec<PlayedMove>,
    /// Both clocks at `clock_at`.
    pub clock: ClockReading,
    /// When the running clock was started.
    pub clock_at: Timestamp,
    /// Whose draw offer stands.
    pub offer: Option<Seat>,
    /// Whose takeback proposal stands.
    pub takeback: Option<Seat>,
    /// Where it stands.
    pub phase: Phase,
}

/// A move in both notations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// In UCI.
    pub uci: Uci,
    /// In SAN.
    pub san: String,
}

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It is played, and a clock runs.
    Running,
    /// It is played, and clocks stand.
    Paused,
    /// It has ended.
    Ended(Outcome),
}

impl Game {
    /// The game as it is to be seen after its last event.
    pub fn state(&self) -> State {
        State {
            seq: self.events[self.events.len() - 1].seq,
            fen: self.board.fen(),
            moves: self.moves().collect(),
            clock: self.clock.reading(),
            clock_at: self.clock.since(),
            offer: self.offers.open,
            takeback: self.takeback,
            phase: self.phase(),
        }
    }

    /// The moves that led to the position.
    pub fn moves(&self) -> impl Iterator<Item = PlayedMove> {
        self.line
            .iter()
            .map(|seq| match &self.events[seq.0 as usize].what {
                What::Moved { uci, san, .. } => PlayedMove {
                    uci: *uci,
                    san: san.clone(),
                },
                _ => unreachable!("the line holds the numbers of moves"),
            })
    }

    /// Where it stands.
    pub fn phase(&self) -> Phase {
        match self.outcome {
            Some(outcome) => Phase::Ended(outcome),
            None if self.is_paused() => Phase::Paused,
            None => Phase::Running,
        }
    }
}
