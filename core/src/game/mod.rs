//! One game: what was agreed, what happened, and what may happen next.
//!
//! [`Game::decide`] judges a command and changes nothing; [`Game::apply`] changes the game by an event
//! and cannot fail, so the list of events *is* the game. What the server does by itself comes the same
//! way, as events to apply: [`Game::expire`] when [`Game::deadline`] has passed, [`Game::seen`],
//! [`Game::lost`], [`Game::recovered`], [`Game::stalled`]. Knows nothing of other games, of the wire, of
//! how events are stored.

mod absence;
mod apply;
mod birth;
mod claims;
mod command;
mod decide;
mod done;
mod event;
mod flag;
mod leave;
mod moves;
mod offers;
mod outcome;
mod pause;
mod refusal;
mod state;
mod takeback;
mod terms;

use std::sync::Arc;

pub use crate::clock::ClockReading;
pub use birth::{BirthError, ReplayError};
pub use command::{AbsenceClaim, Act, ClaimRule, Command, Receipt};
pub use event::{Asked, Birth, By, Event, PauseReason, Player, What};
pub use flag::Timer;
pub use outcome::{Ending, Outcome, Score};
pub use pause::RETURN_WITHIN;
pub use refusal::Refusal;
pub use state::{Phase, PlayedMove, State};
pub use terms::{MAX_PLIES, MAX_PROPOSALS, Terms};

use crate::board::{Board, PositionKey};
use crate::clock::{ChessClock, LagBank};
use crate::id::{BySeat, Seat, Seq};
use crate::laws::Laws;
use crate::time::Timestamp;

/// What became of a command that was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// It was done, now or when it was first sent.
    Done,
    /// The claim was right: the game is drawn.
    ClaimRight,
    /// The claim was wrong: the penalty is paid and an announced move is played.
    ClaimWrong,
    /// The time of the side to move had run out before, on its clock or for its first move: the game
    /// ended by that instead.
    FlagFallen,
}

/// A command judged: the events to apply, in order, and the ruling to answer with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Numbered on from the last event of the game. Empty for a command that was done before.
    pub events: Vec<Event>,
    /// What to answer.
    pub ruling: Ruling,
}

/// A game from its birth to its end.
#[derive(Clone, Debug)]
pub struct Game {
    /// The record; the number of an event is its index.
    events: Vec<Arc<Event>>,
    /// What the terms say, looked up once.
    laws: Laws,
    board: Board,
    /// The numbers of the moves that led to the board, those taken back left out.
    line: Vec<Seq>,
    /// Every position since the last move that cannot be undone, the start position included.
    positions: Vec<PositionKey>,
    clock: ChessClock,
    /// A clock cannot have been started before this: the agreed start.
    not_before: Timestamp,
    banks: BySeat<LagBank>,
    offers: offers::Offers,
    /// Who proposed a takeback.
    takeback: Option<Seat>,
    /// Offers and takebacks proposed so far.
    proposals: u32,
    /// The claims judged in positions of `line`, in order: none of them is judged again.
    claims: Vec<claims::Judged>,
    /// The commands that were done.
    done: done::Done,
    outcome: Option<Outcome>,
    /// Not part of the record: who is connected.
    presence: BySeat<pause::Presence>,
}

impl Game {
    /// What was agreed at birth.
    pub fn birth(&self) -> &Birth {
        match &self.events[0].what {
            What::Born(birth) => birth,
            _ => unreachable!("the record of a game begins with its birth"),
        }
    }

    /// By which Laws it is judged.
    pub fn laws(&self) -> &Laws {
        &self.laws
    }

    /// Everything that happened, in order; the number of an event is its index.
    pub fn events(&self) -> &[Arc<Event>] {
        &self.events
    }

    /// The position on the board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The clock.
    pub fn clock(&self) -> &ChessClock {
        &self.clock
    }

    /// How many half-moves led to the position.
    pub fn ply(&self) -> u32 {
        u32::try_from(self.line.len()).expect("plies are bounded")
    }

    /// How it ended; none while it is played.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Whose draw offer stands unanswered.
    pub fn open_offer(&self) -> Option<Seat> {
        self.offers.open
    }

    /// Whose takeback proposal stands unanswered.
    pub fn open_takeback(&self) -> Option<Seat> {
        self.takeback
    }

    /// Whether `seat` is known to be connected. Not part of the record.
    pub fn is_online(&self, seat: Seat) -> bool {
        self.presence[seat] == pause::Presence::Here
    }

    /// How many moves of `seat` led to the position.
    pub fn moves_made(&self, seat: Seat) -> u32 {
        let ply = self.ply();
        let to_move = self.board.turn() == seat;
        // The side to move has made as many as its opponent or one less: `first` moved at ply 0.
        let first = if ply.is_multiple_of(2) {
            to_move
        } else {
            !to_move
        };
        (ply + u32::from(first)) / 2
    }

    fn next_seq(&self) -> Seq {
        Seq(u32::try_from(self.events.len()).expect("events are bounded"))
    }

    fn last_at(&self) -> Timestamp {
        self.events.last().map_or(Timestamp(0), |event| event.at)
    }
}

#[cfg(test)]
mod tests;
