//! Which games are live, learnt from what drivers tell. Knows no more of a game than its id.

use std::collections::BTreeSet;
use std::sync::Arc;

use parking_lot::RwLock;
use rookery_core::game::{Event, What};
use rookery_core::id::GameId;

use crate::bus::Audience;

/// The live games of this node; as many as its drivers admit. Cheap to clone.
#[derive(Clone, Default)]
pub struct LiveGames(Arc<RwLock<BTreeSet<GameId>>>);

impl LiveGames {
    /// The newest ones, at most `most`.
    pub fn newest(&self, most: usize) -> Vec<GameId> {
        self.0.read().iter().rev().take(most).copied().collect()
    }

    /// Whether a game is known to be live.
    pub fn contains(&self, game: GameId) -> bool {
        self.0.read().contains(&game)
    }

    /// Notes what happened. A recovered game is heard of by its pause.
    pub fn note(&self, game: GameId, events: &[Arc<Event>]) {
        for event in events {
            match event.what {
                What::Born(_) | What::Paused { .. } => {
                    self.0.write().insert(game);
                }
                What::Ended { .. } => {
                    self.0.write().remove(&game);
                }
                _ => {}
            }
        }
    }
}

/// Notes, then tells the rooms.
pub struct Listening<A> {
    /// What is kept up to date.
    pub live: LiveGames,
    /// Who is told.
    pub next: A,
}

impl<A: Audience> Audience for Listening<A> {
    fn tell(&self, game: GameId, events: &[Arc<Event>]) {
        self.live.note(game, events);
        self.next.tell(game, events);
    }
}
