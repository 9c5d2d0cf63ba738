//! Ids.

use rookery_core::id::{GameId, PlayerId};
use rookery_protocol as wire;

/// The game that the wire names; none when the text is longer than 128 bits, which names no game.
pub fn game_from_wire(id: wire::GameId) -> Option<GameId> {
    id.as_str().parse().ok()
}

/// A game as the wire names it.
pub fn game_to_wire(id: GameId) -> wire::GameId {
    id.to_string()
        .parse()
        .expect("both write 22 base-62 characters")
}

/// A player as the wire names him.
pub fn player_to_wire(id: PlayerId) -> wire::PlayerId {
    id.to_string()
        .parse()
        .expect("both write 22 base-62 characters")
}
