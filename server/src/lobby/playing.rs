//! Who plays what at the moment, learnt from what drivers tell and from pairings in the making. Keeps
//! "one live rated game a player", and for a while what has ended, for a rematch.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;
use rookery_core::game::{Birth, Event, What};
use rookery_core::id::{GameId, PlayerId, Seat};
use rookery_core::time::{Millis, Timestamp};

use crate::bus::Audience;

/// Ended games kept for a rematch: ten minutes of a node that ends thirty games a second.
const MAX_ENDED: usize = 20_000;

/// The live games of this node. Cheap to clone; bounded by what its drivers admit.
#[derive(Clone, Default)]
pub struct Playing(Arc<Mutex<Tables>>);

#[derive(Default)]
struct Tables {
    live: BTreeMap<GameId, Birth>,
    by_player: HashMap<PlayerId, Vec<GameId>>,
    /// Recovered games, of which only the id is known yet.
    unknown: BTreeSet<GameId>,
    ended: VecDeque<(Timestamp, Birth)>,
}

/// A rated game cannot begin: one of the two is in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InRatedGame;

impl Playing {
    /// The live games of a player.
    pub(super) fn of(&self, player: PlayerId) -> Vec<GameId> {
        let tables = self.0.lock();
        tables.by_player.get(&player).cloned().unwrap_or_default()
    }

    /// Whether a player is in a live rated game.
    pub(super) fn is_in_rated_game(&self, player: PlayerId) -> bool {
        self.0.lock().is_in_rated_game(player)
    }

    /// Counts a game as live before it is born, so that no second one begins beside it.
    pub(super) fn reserve(&self, birth: &Birth) -> Result<(), InRatedGame> {
        let mut tables = self.0.lock();
        let rated = birth.terms.rated;
        let busy = |seat: Seat| tables.is_in_rated_game(birth.players[seat].id);
        if rated && Seat::BOTH.into_iter().any(busy) {
            return Err(InRatedGame);
        }
        tables.insert(birth.clone());
        Ok(())
    }

    /// The game was not born after all.
    pub(super) fn release(&self, game: GameId) {
        self.0.lock().remove(game);
    }

    /// A recovered game turns out to be this one.
    pub(super) fn learn(&self, birth: Birth) {
        let mut tables = self.0.lock();
        if tables.unknown.remove(&birth.game) {
            tables.insert(birth);
        }
    }

    /// Recovered games of which only the id is known.
    pub(super) fn unknown(&self) -> Vec<GameId> {
        self.0.lock().unknown.iter().copied().collect()
    }

    /// A recovered game is not there any more.
    pub(super) fn forget(&self, game: GameId) {
        self.0.lock().unknown.remove(&game);
    }

    /// A game that ended at most `span` before `now`.
    pub(super) fn ended(&self, game: GameId, now: Timestamp, span: Millis) -> Option<Birth> {
        let mut tables = self.0.lock();
        while tables.ended.front().is_some_and(|(at, _)| *at + span < now) {
            tables.ended.pop_front();
        }
        let ended = tables.ended.iter().rev();
        let found = ended.map(|(_, birth)| birth).find(|b| b.game == game);
        found.cloned()
    }

    fn note(&self, game: GameId, events: &[Arc<Event>]) {
        for event in events {
            match &event.what {
                What::Born(birth) => self.0.lock().insert((**birth).clone()),
                What::Paused { .. } => self.0.lock().meet(game),
                What::Ended { .. } => self.0.lock().end(game, event.at),
                _ => {}
            }
        }
    }
}

impl Tables {
    fn is_in_rated_game(&self, player: PlayerId) -> bool {
        let games = self.by_player.get(&player).into_iter().flatten();
        games
            .filter_map(|game| self.live.get(game))
            .any(|birth| birth.terms.rated)
    }

    fn insert(&mut self, birth: Birth) {
        let ids = Seat::BOTH.map(|seat| birth.players[seat].id);
        let game = birth.game;
        if self.live.insert(game, birth).is_none() {
            for player in ids {
                self.by_player.entry(player).or_default().push(game);
            }
        }
    }

    fn remove(&mut self, game: GameId) -> Option<Birth> {
        self.unknown.remove(&game);
        let birth = self.live.remove(&game)?;
        for player in Seat::BOTH.map(|seat| birth.players[seat].id) {
            if let Some(games) = self.by_player.get_mut(&player) {
                games.retain(|other| *other != game);
                if games.is_empty() {
                    self.by_player.remove(&player);
                }
            }
        }
        Some(birth)
    }

    fn meet(&mut self, game: GameId) {
        if !self.live.contains_key(&game) {
            self.unknown.insert(game);
        }
    }

    fn end(&mut self, game: GameId, at: Timestamp) {
        if let Some(birth) = self.remove(game) {
            if self.ended.len() >= MAX_ENDED {
                self.ended.pop_front();
            }
            self.ended.push_back((at, birth));
        }
    }
}

/// Notes who plays, then tells on.
pub struct Noting<A> {
    /// What is kept up to date.
    pub playing: Playing,
    /// Who is told.
    pub next: A,
}

impl<A: Audience> Audience for Noting<A> {
    fn tell(&self, game: GameId, events: &[Arc<Event>]) {
        self.playing.note(game, events);
        self.next.tell(game, events);
    }
}
