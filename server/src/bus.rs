//! Requests and replies between a gateway and the owner of a game, wherever it is. The embedded twin
//! hands them over in memory, the cluster twin serialises the same types. Knows no socket and no rule.

use std::sync::Arc;

use rookery_core::game::{Act, Birth, BirthError, Event, Refusal, Ruling};
use rookery_core::id::{BySeat, CommandId, GameId, PlayerId, Seq};
use rookery_core::time::Millis;

/// A question to the owner of a game.
#[derive(Clone, Debug)]
pub struct Request {
    /// Of which game; its id names the shard.
    pub game: GameId,
    /// How long the asking node has held it, by its own clock: taken off the time of receipt.
    pub held: Millis,
    /// What is asked.
    pub ask: Ask,
}

/// The questions.
#[derive(Clone, Debug)]
pub enum Ask {
    /// Bring a game into being; asked again with the same birth it is answered again. Not to be asked
    /// again after ten seconds: by then the game may have ended and be filed, and the owner forgets
    /// what is filed.
    Birth(Box<Birth>),
    /// A player's command. The owner knows his seat; nobody names his own.
    Command {
        /// Who asks.
        player: PlayerId,
        /// The key under which it is done once.
        id: CommandId,
        /// Half-moves in the position it answers.
        ply: u32,
        /// What is asked.
        act: Act,
        /// The lag measured on the player's connection.
        lag: Millis,
    },
    /// The events from a number on.
    Events {
        /// The first number wanted.
        from: Seq,
    },
    /// A player's first socket came or his last one went, on the asking node.
    Presence {
        /// Whose.
        player: PlayerId,
        /// Whether he is there.
        online: bool,
    },
}

/// The answers.
#[derive(Clone, Debug)]
pub enum Reply {
    /// The game exists.
    Born,
    /// It cannot: another game has its id, or its terms allow no game.
    Unborn(BirthError),
    /// The command was done, now or before.
    Ruled(Ruling),
    /// The Laws refuse the command; nothing changed.
    Refused(Refusal),
    /// The player has no seat in this game.
    NotSeated,
    /// No game of that id lives here; it may be in the archive.
    UnknownGame,
    /// Events from the number asked for, in order, up to the last one told.
    Events {
        /// The events.
        events: Vec<Arc<Event>>,
        /// Which players are there.
        online: BySeat<bool>,
    },
    /// Presence was noted.
    Noted,
    /// The queue is full: nothing was done, ask again later.
    Busy,
    /// The outcome is unknown (the shard was recovered, or is owned by nobody): ask again, same id.
    Retry,
}

/// Those who watch games on this node. Called after the commit, in the order of the events of a game.
pub trait Audience: Send + Sync + 'static {
    /// These events of `game` are stored: pass them on. Must not block: whoever is slow is the
    /// audience's own affair.
    fn tell(&self, game: GameId, events: &[Arc<Event>]);
}
