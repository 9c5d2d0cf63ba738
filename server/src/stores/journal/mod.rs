//! The events of live games, kept until a game is filed. Knows an event's number and its text, and
//! nothing of chess.

mod memory;
mod sqlite;

#[cfg(test)]
mod conformance;

use std::collections::BTreeMap;
use std::sync::Arc;

use rookery_core::game::Event;
use rookery_core::id::{GameId, Seq, ShardNo};
use rookery_core::time::Timestamp;

pub use crate::stores::directory::Epoch;
pub use memory::{Fault, MemoryJournal, MemoryStore};
pub use sqlite::{OpenError, SqliteJournal, SyncMode};

/// The format of the rows written; a reader takes this one and the one before it.
pub const FORMAT: u32 = 1;

/// What a driver stores in one commit: all of it, or none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The owner's time: what a recovery charges running clocks up to.
    pub at: Timestamp,
    /// For each game, what happened in it.
    pub appends: Vec<Append>,
}

/// Events of one game, in order, to be stored after the ones that are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// Under which epoch the writer owns the game's shard.
    pub epoch: Epoch,
    /// The game.
    pub game: GameId,
    /// Numbered without gaps; the first one's number says where they belong. Never empty.
    pub events: Vec<Arc<Event>>,
}

/// A game as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// The game.
    pub game: GameId,
    /// Its events from number 0, without gaps.
    pub events: Vec<Arc<Event>>,
}

/// Why a batch is not stored, or not known to be.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The shard has another owner, of a higher epoch. Nothing was stored.
    #[error("shard {} is owned under epoch {}", shard.get(), stored.0)]
    Fenced {
        /// The shard.
        shard: ShardNo,
        /// The epoch of its owner.
        stored: Epoch,
    },
    /// Events between the last one stored and the first one given are missing. Nothing was stored.
    #[error("game {game}: event {} follows {} stored", first.0, stored.0)]
    Hole {
        /// The game.
        game: GameId,
        /// How many events are stored.
        stored: Seq,
        /// The number that does not follow.
        first: Seq,
    },
    /// Another event is stored under that number. Nothing was stored.
    #[error("game {game}: another event {} is stored", seq.0)]
    Contradiction {
        /// The game.
        game: GameId,
        /// The number.
        seq: Seq,
    },
    /// A row of a format this program does not read, or one that is damaged.
    #[error("the journal holds what cannot be read: {0}")]
    Unreadable(String),
    /// The store failed: the batch may be stored or not.
    #[error("the journal is unavailable: {0}")]
    Unavailable(String),
}

/// Keeps the events of live games. Any number of drivers may use it at once.
pub trait Journal: Send + Sync + 'static {
    /// Stores a batch, or nothing of it. For each game: a stored epoch above the given one is
    /// [`JournalError::Fenced`], else the given one is stored; events whose numbers are stored are
    /// compared and skipped; numbers that do not follow are a [`JournalError::Hole`]. So a batch of
    /// unknown outcome may be stored again. The batch's time becomes the heartbeat.
    fn append(&self, batch: &Batch) -> impl Future<Output = Result<(), JournalError>> + Send;

    /// Stores `at` as the owner's time: it was alive then, and a recovery charges clocks up to it.
    fn beat(&self, at: Timestamp) -> impl Future<Output = Result<(), JournalError>> + Send;

    /// The highest time stored by [`Journal::append`] or [`Journal::beat`].
    fn last_beat(&self) -> impl Future<Output = Result<Option<Timestamp>, JournalError>> + Send;

    /// The highest epoch stored for any of `shards`; zero when there is none.
    fn epoch(&self, shards: &[ShardNo])
    -> impl Future<Output = Result<Epoch, JournalError>> + Send;

    /// Stores `epoch` for `shards`, so that nothing under a lower one is stored any more, whenever it
    /// was sent.
    fn claim(
        &self,
        shards: &[ShardNo],
        epoch: Epoch,
    ) -> impl Future<Output = Result<(), JournalError>> + Send;

    /// Every game of `shards`, in the order of their ids.
    fn load(
        &self,
        shards: &[ShardNo],
    ) -> impl Future<Output = Result<Vec<StoredGame>, JournalError>> + Send;

    /// Forgets games: they are filed. Unknown ones are no error.
    fn forget(&self, games: &[GameId]) -> impl Future<Output = Result<(), JournalError>> + Send;

    /// Stores what is on its way and lets go of the files. Whatever is asked later is unavailable.
    fn close(&self) -> impl Future<Output = ()> + Send;
}

/// What of an append is new, given how many events of its game are stored. `compare` is asked for each
/// event whose number is stored already.
fn fresh(
    append: &Append,
    stored: u32,
    mut compare: impl FnMut(&Event) -> bool,
) -> Result<&[Arc<Event>], JournalError> {
    let game = append.game;
    let first = append.events.first().map_or(Seq(stored), |event| event.seq);
    let gap = append
        .events
        .iter()
        .zip(first.0..)
        .find(|(event, number)| event.seq.0 != *number);
    if let Some((event, number)) = gap {
        return Err(JournalError::Hole {
            game,
            stored: Seq(number),
            first: event.seq,
        });
    }
    if first.0 > stored {
        return Err(JournalError::Hole {
            game,
            stored: Seq(stored),
            first,
        });
    }
    let known = append.events.len().min((stored - first.0) as usize);
    match append.events[..known].iter().find(|event| !compare(event)) {
        Some(event) => Err(JournalError::Contradiction {
            game,
            seq: event.seq,
        }),
        None => Ok(&append.events[known..]),
    }
}

/// Rows in the order of game and number, gathered into games.
fn gather(
    rows: impl IntoIterator<Item = (GameId, Event)>,
) -> Result<Vec<StoredGame>, JournalError> {
    let mut games: BTreeMap<GameId, Vec<Arc<Event>>> = BTreeMap::new();
    for (game, event) in rows {
        let events = games.entry(game).or_default();
        if event.seq.0 as usize != events.len() {
            return Err(JournalError::Unreadable(format!(
                "game {game} lacks event {}",
                events.len()
            )));
        }
        events.push(Arc::new(event));
    }
    Ok(games
        .into_iter()
        .map(|(game, events)| StoredGame { game, events })
        .collect())
}
