//! One game: what was agreed, what happened, and what may happen next.
//!
//! [`Game::decide`] judges a command and changes nothing; [`Game::apply`] changes the game by an event
//! and cannot fail, so the list of events *is* the game. Knows nothing of other games, of the wire, of
//! how events are stored.

mod command;
mod event;
mod outcome;
mod refusal;
mod terms;

pub use command::{AbsenceClaim, Act, ClaimRule, Command, Receipt};
pub use event::{Birth, By, ClockReading, Event, PauseReason, Player, What};
pub use outcome::{Ending, Outcome, Score};
pub use refusal::Refusal;
pub use terms::{MAX_PLIES, Terms};

/// What became of a command that was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// It was done, now or when it was first sent.
    Done,
    /// The claim was right: the game is drawn.
    ClaimRight,
    /// The claim was wrong: the penalty is paid and an announced move is played.
    ClaimWrong,
    /// The flag of the side to move had fallen before: the game ended on time instead.
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
