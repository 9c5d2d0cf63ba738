//! The games that somebody here watches: who watches which, what they are told, the clocks they are
//! shown, what they say to each other, who of the players is there. Judges nothing: what happened comes
//! from the owners of games, after it was stored.

mod chat;
mod presence;
mod room;
mod ticks;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use rookery_core::game::Event;
use rookery_core::id::{BySeat, GameId, PlayerId, Seat, Seq};

use self::room::Room;
use self::ticks::Ticker;
use super::outbox::Outbox;
use super::sessions::SocketId;
use super::{Games, GatewayConfig};
use crate::bus::Audience;
use crate::clock::Clock;
use crate::translate::Record;

/// Locks the table of rooms is spread over: far more than cores, so that two rarely meet at one.
const SHARDS: usize = 64;

/// Every room of this node. Cheap to clone. Bounded by the games that live and the sockets that watch.
#[derive(Clone)]
pub struct Rooms {
    inner: Arc<Inner>,
}

struct Inner {
    clock: Clock,
    limits: Limits,
    shards: Vec<Mutex<HashMap<GameId, Arc<Mutex<Room>>>>>,
    ticker: Ticker,
    /// Whom presence is reported to; absent until the owners of games run.
    games: OnceLock<Arc<dyn Games>>,
}

#[derive(Clone, Copy, Debug)]
struct Limits {
    watchers: usize,
    resume_events: u32,
}

/// A socket, as a room knows it.
#[derive(Clone)]
pub(super) struct Guest {
    pub(super) socket: SocketId,
    pub(super) player: Option<PlayerId>,
    pub(super) outbox: Arc<Outbox>,
}

/// What became of a wish to watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joined {
    /// Everything so far is in the outbox, everything later will be.
    In,
    /// More has happened than this record knows: ask again.
    Behind,
    /// There is no place for another spectator.
    Full,
    /// The socket does not watch any more.
    Gone,
}

/// What one who joins is to be told first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    /// The first event wanted; none = the state.
    pub(super) from: Option<Seq>,
    /// Who of the players is there, as the owner says.
    pub(super) online: BySeat<bool>,
}

impl Rooms {
    /// No rooms yet.
    pub fn new(config: &GatewayConfig, clock: Clock) -> Rooms {
        Rooms {
            inner: Arc::new(Inner {
                clock,
                limits: Limits {
                    watchers: config.watchers_per_game,
                    resume_events: config.resume_events,
                },
                shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
                ticker: Ticker::default(),
                games: OnceLock::new(),
            }),
        }
    }

    /// How many rooms there are.
    pub fn len(&self) -> usize {
        self.inner
            .shards
            .iter()
            .map(|shard| shard.lock().len())
            .sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Names whom presence is reported to.
    pub(super) fn report_to(&self, games: Arc<dyn Games>) {
        // The first owners named stay: there is one set of them in a process.
        let _ = self.inner.games.set(games);
    }

    /// A socket begins to watch: from here on it misses nothing. To be followed by [`Rooms::join`].
    pub(super) fn enter(&self, game: GameId, guest: Guest) {
        let mut shard = self.shard(game).lock();
        let room = shard
            .entry(game)
            .or_insert_with(|| Arc::new(Mutex::new(Room::new(game))));
        room.lock().enter(guest);
    }

    /// Tells a socket that entered what has happened so far, and everything that happens from then on.
    pub(super) fn join(
        &self,
        game: GameId,
        socket: SocketId,
        record: &Record,
        wish: Wish,
    ) -> Joined {
        let Some(room) = self.room(game) else {
            return Joined::Gone;
        };
        let mut room = room.lock();
        let now = self.inner.clock.now();
        let joined = room.join(socket, record, wish, self.inner.limits, now);
        self.after_change(&room, joined.came);
        self.arm(&mut room, now);
        joined.outcome
    }

    /// A socket watches no longer. False when it did not.
    pub(super) fn leave(&self, game: GameId, socket: SocketId) -> bool {
        let mut shard = self.shard(game).lock();
        let Some(room) = shard.get(&game).cloned() else {
            return false;
        };
        let mut room = room.lock();
        let left = room.leave(socket, self.inner.clock.now());
        self.after_change(&room, left.and_then(|left| left.went));
        if room.is_forgettable() {
            shard.remove(&game);
        }
        left.is_some()
    }

    /// The record did not come: who waited for his first one waits no longer. True when the socket
    /// watches still, by an earlier wish.
    pub(super) fn give_up(&self, game: GameId, socket: SocketId) -> bool {
        let Some(room) = self.room(game) else {
            return false;
        };
        let watches = room.lock().give_up(socket);
        self.forget(game);
        watches
    }

    fn after_change(&self, room: &Room, seat: Option<Seat>) {
        if let Some(seat) = seat {
            self.report(room.game(), seat);
        }
    }

    fn room(&self, game: GameId) -> Option<Arc<Mutex<Room>>> {
        self.shard(game).lock().get(&game).cloned()
    }

    fn shard(&self, game: GameId) -> &Mutex<HashMap<GameId, Arc<Mutex<Room>>>> {
        &self.inner.shards[usize::from(game.shard().get()) % SHARDS]
    }
}

impl Audience for Rooms {
    fn tell(&self, game: GameId, events: &[Arc<Event>]) {
        let Some(room) = self.room(game) else {
            return;
        };
        let forgettable = {
            let mut room = room.lock();
            for event in events {
                room.tell(event);
            }
            self.arm(&mut room, self.inner.clock.now());
            room.is_forgettable()
        };
        if forgettable {
            self.forget(game);
        }
    }
}

impl Rooms {
    fn forget(&self, game: GameId) {
        let mut shard = self.shard(game).lock();
        if shard
            .get(&game)
            .is_some_and(|room| room.lock().is_forgettable())
        {
            shard.remove(&game);
        }
    }
}
