//! Challenges to a player, or to whoever has the link.

use std::collections::BTreeMap;

use crate::game::Player;
use crate::id::{GameId, PlayerId};
use crate::lobby::Wish;
use crate::time::Timestamp;

/// Open challenges in all; a link that nobody follows stays for its hour.
const MAX_CHALLENGES: usize = 50_000;

/// An open challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// Its id; the game born from it has the same.
    pub id: GameId,
    /// Who challenges.
    pub from: Player,
    /// Whom; none = whoever has the link.
    pub to: Option<Player>,
    /// What is proposed.
    pub wish: Wish,
    /// When it lapses.
    pub expires_at: Timestamp,
    /// The game it is a rematch of.
    pub rematch_of: Option<GameId>,
}

/// Why a challenge is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengesFull {
    /// The challenger has as many open as he may, or the challenged one.
    OfPlayer,
    /// Everybody together has.
    Altogether,
}

/// Why a challenge cannot be answered or taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// There is none of that id, or it has lapsed.
    Unknown,
    /// It is not that player's to do.
    NotYours,
}

/// Every open challenge.
#[derive(Debug)]
pub struct Challenges {
    by_player: usize,
    to_player: usize,
    open: BTreeMap<GameId, Challenge>,
}

impl Challenges {
    /// None yet; each player may have made so many, and be faced with so many.
    pub fn new(by_player: usize, to_player: usize) -> Challenges {
        Challenges {
            by_player,
            to_player,
            open: BTreeMap::new(),
        }
    }

    /// Makes a challenge.
    pub fn open(&mut self, challenge: Challenge) -> Result<(), ChallengesFull> {
        if self.open.len() >= MAX_CHALLENGES {
            return Err(ChallengesFull::Altogether);
        }
        let made = self.made_by(challenge.from.id).count();
        let faced = challenge.to.as_ref().map(|to| self.faced_by(to.id).count());
        if made >= self.by_player || faced.is_some_and(|faced| faced >= self.to_player) {
            return Err(ChallengesFull::OfPlayer);
        }
        self.open.insert(challenge.id, challenge);
        Ok(())
    }

    /// The challenge of that id.
    pub fn get(&self, id: GameId) -> Option<&Challenge> {
        self.open.get(&id)
    }

    /// Takes a challenge off the table because `player` accepts it.
    pub fn accept(&mut self, id: GameId, player: PlayerId) -> Result<Challenge, Gone> {
        self.close(id, |challenge| match &challenge.to {
            Some(to) => to.id == player,
            None => challenge.from.id != player,
        })
    }

    /// Takes a challenge off the table because `player`, whom it was made to, declines.
    pub fn decline(&mut self, id: GameId, player: PlayerId) -> Result<Challenge, Gone> {
        self.close(id, |challenge| {
            challenge.to.as_ref().is_some_and(|to| to.id == player)
        })
    }

    /// Takes a challenge off the table because `player`, who made it, does not want it any more.
    pub fn cancel(&mut self, id: GameId, player: PlayerId) -> Result<Challenge, Gone> {
        self.close(id, |challenge| challenge.from.id == player)
    }

    /// Takes off the table what `player` made, but for links: those are for later.
    pub fn cancel_of(&mut self, player: PlayerId) -> Vec<Challenge> {
        self.drain(|challenge| challenge.from.id == player && challenge.to.is_some())
    }

    /// Takes off the table what has lapsed.
    pub fn expire(&mut self, now: Timestamp) -> Vec<Challenge> {
        self.drain(|challenge| challenge.expires_at <= now)
    }

    /// What `player` is faced with.
    pub fn faced_by(&self, player: PlayerId) -> impl Iterator<Item = &Challenge> {
        let all = self.open.values();
        all.filter(move |challenge| challenge.to.as_ref().is_some_and(|to| to.id == player))
    }

    /// What `player` made.
    pub fn made_by(&self, player: PlayerId) -> impl Iterator<Item = &Challenge> {
        let all = self.open.values();
        all.filter(move |challenge| challenge.from.id == player)
    }

    fn close(&mut self, id: GameId, may: impl Fn(&Challenge) -> bool) -> Result<Challenge, Gone> {
        match self.open.get(&id) {
            None => Err(Gone::Unknown),
            Some(challenge) if !may(challenge) => Err(Gone::NotYours),
            Some(_) => self.open.remove(&id).ok_or(Gone::Unknown),
        }
    }

    fn drain(&mut self, which: impl Fn(&Challenge) -> bool) -> Vec<Challenge> {
        let all = self.open.values();
        let ids: Vec<GameId> = all.filter(|c| which(c)).map(|c| c.id).collect();
        let open = &mut self.open;
        ids.into_iter().filter_map(|id| open.remove(&id)).collect()
    }
}
