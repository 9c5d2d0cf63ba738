//! A journal in memory that can be told to fail: for tests of what stands on a journal.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;
use rookery_core::game::Event;
use rookery_core::id::{GameId, ShardNo};
use rookery_core::time::Timestamp;
use tokio::sync::watch;

use super::{Batch, Epoch, Journal, JournalError, StoredGame, fresh};

/// What an append may meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing is stored, and the caller is not told so: the outcome is unknown.
    Lost,
    /// All is stored, and the caller is not told so: the outcome is unknown.
    StoredUnknown,
}

/// What a journal stores, without a disk.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    games: BTreeMap<GameId, Vec<Arc<Event>>>,
    epochs: BTreeMap<ShardNo, Epoch>,
    beat: Option<Timestamp>,
}

impl MemoryStore {
    /// As [`Journal::append`].
    pub fn append(&mut self, batch: &Batch) -> Result<(), JournalError> {
        let mut new = Vec::new();
        for append in &batch.appends {
            let shard = append.game.shard();
            let stored = self.epochs.get(&shard).copied().unwrap_or_default();
            if stored > append.epoch {
                return Err(JournalError::Fenced { shard, stored });
            }
            let known = self.games.get(&append.game).map_or(&[][..], Vec::as_slice);
            let count =
                u32::try_from(known.len()).expect("events of a game are counted in 32 bits");
            new.push(fresh(append, count, |event| {
                *known[event.seq.0 as usize] == *event
            })?);
        }
        for (append, events) in batch.appends.iter().zip(new) {
            self.games
                .entry(append.game)
                .or_default()
                .extend_from_slice(events);
            self.epochs.insert(append.game.shard(), append.epoch);
        }
        self.beat(batch.at);
        Ok(())
    }

    /// As [`Journal::beat`].
    pub fn beat(&mut self, at: Timestamp) {
        self.beat = self.beat.max(Some(at));
    }

    /// As [`Journal::last_beat`].
    pub fn last_beat(&self) -> Option<Timestamp> {
        self.beat
    }

    /// As [`Journal::epoch`].
    pub fn epoch(&self, shards: &[ShardNo]) -> Epoch {
        shards
            .iter()
            .filter_map(|shard| self.epochs.get(shard))
            .max()
            .copied()
            .unwrap_or_default()
    }

    /// As [`Journal::claim`].
    pub fn claim(&mut self, shards: &[ShardNo], epoch: Epoch) {
        for &shard in shards {
            let stored = self.epochs.entry(shard).or_default();
            *stored = epoch.max(*stored);
        }
    }

    /// As [`Journal::load`].
    pub fn load(&self, shards: &[ShardNo]) -> Vec<StoredGame> {
        let games = self
            .games
            .iter()
            .filter(|(game, _)| shards.contains(&game.shard()));
        games
            .map(|(&game, events)| StoredGame {
                game,
                events: events.clone(),
            })
            .collect()
    }

    /// As [`Journal::forget`].
    pub fn forget(&mut self, games: &[GameId]) {
        for game in games {
            self.games.remove(game);
        }
    }
}

/// A [`MemoryStore`] as a journal, with faults on request. Cheap to clone; clones share the store, so
/// one may be given to a server and the other kept to harm it.
#[derive(Clone, Debug, Default)]
pub struct MemoryJournal {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    store: Mutex<MemoryStore>,
    faults: Mutex<VecDeque<Fault>>,
    state: watch::Sender<State>,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    held: bool,
    full: bool,
    closed: bool,
}

impl MemoryJournal {
    /// The next append that no earlier fault meets meets this one.
    pub fn inject(&self, fault: Fault) {
        self.shared.faults.lock().push_back(fault);
    }

    /// Appends wait (`true`) until they need not any more (`false`).
    pub fn hold(&self, held: bool) {
        self.shared.state.send_modify(|state| state.held = held);
    }

    /// Nothing can be written (`true`): the disk is full.
    pub fn fill(&self, full: bool) {
        self.shared.state.send_modify(|state| state.full = full);
    }

    /// Everything stored of a game.
    pub fn events(&self, game: GameId) -> Vec<Arc<Event>> {
        self.shared
            .store
            .lock()
            .games
            .get(&game)
            .cloned()
            .unwrap_or_default()
    }

    fn read<T>(&self, read: impl FnOnce(&MemoryStore) -> T) -> Result<T, JournalError> {
        if self.shared.state.borrow().closed {
            return Err(JournalError::Unavailable("closed".to_owned()));
        }
        Ok(read(&self.shared.store.lock()))
    }

    fn write<T>(&self, write: impl FnOnce(&mut MemoryStore) -> T) -> Result<T, JournalError> {
        let state = *self.shared.state.borrow();
        if state.closed || state.full {
            let why = if state.closed {
                "closed"
            } else {
                "database or disk is full"
            };
            return Err(JournalError::Unavailable(why.to_owned()));
        }
        Ok(write(&mut self.shared.store.lock()))
    }
}

impl Journal for MemoryJournal {
    async fn append(&self, batch: &Batch) -> Result<(), JournalError> {
        let mut state = self.shared.state.subscribe();
        state
            .wait_for(|state| !state.held)
            .await
            .expect("the sender lives in self");
        let unknown = || Err(JournalError::Unavailable("no answer".to_owned()));
        match self.shared.faults.lock().pop_front() {
            Some(Fault::Lost) => unknown(),
            Some(Fault::StoredUnknown) => self.write(|store| store.append(batch))?.and(unknown()),
            None => self.write(|store| store.append(batch))?,
        }
    }

    async fn beat(&self, at: Timestamp) -> Result<(), JournalError> {
        self.write(|store| store.beat(at))
    }

    async fn last_beat(&self) -> Result<Option<Timestamp>, JournalError> {
        self.read(MemoryStore::last_beat)
    }

    async fn epoch(&self, shards: &[ShardNo]) -> Result<Epoch, JournalError> {
        self.read(|store| store.epoch(shards))
    }

    async fn claim(&self, shards: &[ShardNo], epoch: Epoch) -> Result<(), JournalError> {
        self.write(|store| store.claim(shards, epoch))
    }

    async fn load(&self, shards: &[ShardNo]) -> Result<Vec<StoredGame>, JournalError> {
        self.read(|store| store.load(shards))
    }

    async fn forget(&self, games: &[GameId]) -> Result<(), JournalError> {
        self.write(|store| store.forget(games))
    }

    async fn close(&self) {
        self.shared.state.send_modify(|state| state.closed = true);
    }
}
