//! Open wishes to play, taken up by whoever likes them.

use std::collections::BTreeMap;

use crate::game::Player;
use crate::id::{GameId, PlayerId};
use crate::lobby::Wish;

/// Open seeks in all: far more than anybody scrolls through.
const MAX_SEEKS: usize = 10_000;

/// An open seek.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seek {
    /// Its id; the game born from it has the same.
    pub id: GameId,
    /// Who seeks.
    pub by: Player,
    /// What.
    pub wish: Wish,
    /// How far apart the players' points may be.
    pub window: Option<u32>,
}

/// Why a seek is not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeeksFull {
    /// The player has as many as he may.
    OfPlayer,
    /// Everybody together has.
    Altogether,
}

/// Every open seek, oldest first: ids carry their time.
#[derive(Debug)]
pub struct Seeks {
    per_player: usize,
    open: BTreeMap<GameId, Seek>,
}

impl Seeks {
    /// None yet; each player may have so many.
    pub fn new(per_player: usize) -> Seeks {
        Seeks {
            per_player,
            open: BTreeMap::new(),
        }
    }

    /// Opens a seek.
    pub fn open(&mut self, seek: Seek) -> Result<(), SeeksFull> {
        if self.open.len() >= MAX_SEEKS {
            return Err(SeeksFull::Altogether);
        }
        if self.of(seek.by.id).count() >= self.per_player {
            return Err(SeeksFull::OfPlayer);
        }
        self.open.insert(seek.id, seek);
        Ok(())
    }

    /// The seek of that id.
    pub fn get(&self, id: GameId) -> Option<&Seek> {
        self.open.get(&id)
    }

    /// Takes it off the table.
    pub fn close(&mut self, id: GameId) -> Option<Seek> {
        self.open.remove(&id)
    }

    /// Takes all seeks of a player off the table.
    pub fn close_of(&mut self, player: PlayerId) -> Vec<GameId> {
        let ids: Vec<GameId> = self.of(player).map(|seek| seek.id).collect();
        for id in &ids {
            self.open.remove(id);
        }
        ids
    }

    /// Every one, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Seek> {
        self.open.values()
    }

    fn of(&self, player: PlayerId) -> impl Iterator<Item = &Seek> {
        self.open.values().filter(move |seek| seek.by.id == player)
    }
}
