//! When games want to be looked at again: a lazy heap. A game's deadline nearly always moves later, with
//! every move; so the heap keeps the earlier entry and the new deadline is entered only when that one
//! comes up. Knows no rule.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::id::GameId;
use crate::time::Timestamp;

/// Entries that may be in the heap besides two a game before it is built anew: a deadline that moves
/// earlier leaves an entry behind.
const SLACK: usize = 64;

/// The deadlines of many games.
#[derive(Debug, Default)]
pub(super) struct Deadlines {
    heap: BinaryHeap<Reverse<(Timestamp, GameId)>>,
    /// For each game with a deadline, the entry that counts; others of the game are dropped when they
    /// come up.
    armed: BTreeMap<GameId, Timestamp>,
}

impl Deadlines {
    /// The earliest instant at which a game may be due; it may turn out not to be.
    pub(super) fn next(&self) -> Option<Timestamp> {
        self.heap.peek().map(|&Reverse((at, _))| at)
    }

    /// Notes that `game` is due at `at`, unless it is looked at before that anyway.
    pub(super) fn set(&mut self, game: GameId, at: Timestamp) {
        if self.armed.get(&game).is_some_and(|&armed| armed <= at) {
            return;
        }
        self.armed.insert(game, at);
        self.heap.push(Reverse((at, game)));
        if self.heap.len() > 2 * self.armed.len() + SLACK {
            self.rebuild();
        }
    }

    /// Forgets a game.
    pub(super) fn clear(&mut self, game: GameId) {
        self.armed.remove(&game);
    }

    /// The next game to look at, if its time has come at `now`. It has no deadline until it is set again.
    pub(super) fn pop(&mut self, now: Timestamp) -> Option<GameId> {
        while let Some(&Reverse((at, game))) = self.heap.peek()
            && at <= now
        {
            self.heap.pop();
            if self.armed.get(&game) == Some(&at) {
                self.armed.remove(&game);
                return Some(game);
            }
        }
        None
    }

    fn rebuild(&mut self) {
        let entries = self.armed.iter().map(|(&game, &at)| Reverse((at, game)));
        self.heap = entries.collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::ShardNo;

    fn game(number: u64) -> GameId {
        GameId::mint(Timestamp(0), number, ShardNo::new(0))
    }

    #[test]
    fn a_later_deadline_waits_for_the_earlier_entry() {
        let mut deadlines = Deadlines::default();
        deadlines.set(game(1), Timestamp(100));
        deadlines.set(game(1), Timestamp(300));
        assert_eq!(deadlines.next(), Some(Timestamp(100)));
        assert_eq!(deadlines.pop(Timestamp(99)), None);
        assert_eq!(deadlines.pop(Timestamp(100)), Some(game(1)));
        assert_eq!(deadlines.pop(Timestamp(1000)), None);
    }

    #[test]
    fn an_earlier_deadline_comes_up_once() {
        let mut deadlines = Deadlines::default();
        deadlines.set(game(1), Timestamp(300));
        deadlines.set(game(1), Timestamp(100));
        assert_eq!(deadlines.pop(Timestamp(1000)), Some(game(1)));
        assert_eq!(deadlines.pop(Timestamp(1000)), None);
    }

    #[test]
    fn a_forgotten_game_never_comes_up() {
        let mut deadlines = Deadlines::default();
        deadlines.set(game(1), Timestamp(100));
        deadlines.clear(game(1));
        assert_eq!(deadlines.pop(Timestamp(1000)), None);
    }

    #[test]
    fn entries_left_behind_are_bounded() {
        let mut deadlines = Deadlines::default();
        for earlier in 0..10_000 {
            deadlines.set(game(earlier % 3), Timestamp(20_000 - earlier));
        }
        assert!(deadlines.heap.len() <= 2 * 3 + SLACK);
        let due: Vec<_> = std::iter::from_fn(|| deadlines.pop(Timestamp(20_000))).collect();
        assert_eq!(due.len(), 3);
    }
}
