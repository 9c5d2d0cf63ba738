//! Many games behind one verb set: commands in, records and answers out, deadlines by request.
//!
//! After every [`Shard::handle`] and [`Shard::handle_timeout`], call [`Shard::poll_output`] until it is
//! empty and [`Shard::poll_timeout`] once. Journals nothing and tells nobody: the shell stores each
//! `Record` before anything that follows it leaves the node.

use std::sync::Arc;

use crate::game::{Birth, Command, Event, PauseReason, Receipt, Refusal, Ruling};
use crate::id::{GameId, Seat};
use crate::time::{Millis, Timestamp};

/// What a shard is fed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A game begins.
    Birth(Box<Birth>),
    /// A player asks; `ask` names the question in the [`Output::Answer`].
    Command {
        /// Of which game.
        game: GameId,
        /// What is asked.
        command: Command,
        /// When and how it came.
        receipt: Receipt,
        /// The shell's name for the question.
        ask: u64,
    },
    /// A player's last socket went away, or his first one came.
    Presence {
        /// In which game.
        game: GameId,
        /// Whose.
        seat: Seat,
        /// Whether he is there.
        online: bool,
    },
    /// The clock of the side to move stands until that player is back, at most for a while.
    Pause {
        /// In which game.
        game: GameId,
        /// Why.
        reason: PauseReason,
    },
    /// The shell was slow for so long: the side whose clock ran gets it back.
    Stalled {
        /// In which game.
        game: GameId,
        /// For how long.
        span: Millis,
    },
    /// The game is archived and settled: forget it.
    Forget {
        /// Which.
        game: GameId,
    },
}

/// What a shard asks of its shell, in this order.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Store this, then tell everyone who watches the game.
    Record {
        /// Of which game.
        game: GameId,
        /// What happened.
        event: Arc<Event>,
    },
    /// Answer the question, once everything recorded before is stored.
    Answer {
        /// Of which game.
        game: GameId,
        /// The shell's name for the question.
        ask: u64,
        /// The answer.
        answer: Result<Ruling, Rejection>,
    },
    /// The game has ended and its last event is recorded: archive and settle it, then forget it.
    Finished {
        /// Which.
        game: GameId,
    },
}

/// Why a command got no ruling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The game does not live here.
    #[error("no such game")]
    UnknownGame,
    /// The Laws refuse it.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// The instant at which a shard wants [`Shard::handle_timeout`] to be called.
pub type Deadline = Timestamp;
