//! Who is there, seat by seat, in the games of this node. Outlives the memory of a shard that is
//! recovered: a player who is there need not say so again. Knows no socket.

use std::collections::BTreeMap;

use rookery_core::id::{BySeat, GameId, Seat};

/// The players of live games who have a socket; a game nobody is in takes no room.
#[derive(Clone, Debug, Default)]
pub struct Presence {
    games: BTreeMap<GameId, BySeat<bool>>,
}

impl Presence {
    /// Notes that the player of `seat` came or went.
    pub fn note(&mut self, game: GameId, seat: Seat, online: bool) {
        let there = self.games.entry(game).or_default();
        there[seat] = online;
        if !there.white && !there.black {
            self.games.remove(&game);
        }
    }

    /// Who is there.
    pub fn of(&self, game: GameId) -> BySeat<bool> {
        self.games.get(&game).copied().unwrap_or_default()
    }

    /// Forgets every game but those that `keep` names.
    pub fn retain(&mut self, keep: impl Fn(GameId) -> bool) {
        self.games.retain(|&game, _| keep(game));
    }

    /// The game is over and filed.
    pub fn forget(&mut self, game: GameId) {
        self.games.remove(&game);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::id::ShardNo;
    use rookery_core::time::Timestamp;

    #[test]
    fn who_came_is_there_until_he_goes() {
        let game = GameId::mint(Timestamp(0), 1, ShardNo::new(0));
        let mut presence = Presence::default();
        presence.note(game, Seat::White, true);
        presence.note(game, Seat::Black, true);
        presence.note(game, Seat::White, false);
        assert_eq!(
            presence.of(game),
            BySeat {
                white: false,
                black: true
            }
        );
        presence.note(game, Seat::Black, false);
        assert!(presence.games.is_empty());
    }
}
