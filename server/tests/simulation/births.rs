//! What is agreed before a game: everything that can be.

use rookery_core::game::{Birth, Player, Terms};
use rookery_core::id::{BySeat, GameId, PlayerId, Seat, ShardNo};
use rookery_core::laws::Profile;
use rookery_core::time::{Millis, Timestamp};

use crate::chance::Chance;

const CONTROLS: [&str; 6] = ["180+2", "60", "300d3", "10/120+1:60+1", "600+5", "30+1"];

/// The birth of the game of that number, paired at that instant.
pub(crate) fn plan(number: u64, at: Timestamp, chance: &mut Chance) -> Birth {
    let shard = ShardNo::new(u16::try_from(chance.below(1024)).unwrap());
    let player = |seat: Seat| Player {
        id: PlayerId::mint(at, number * 2 + seat.index() as u64, shard),
        name: format!("{seat:?}"),
        bot: false,
        guest: false,
    };
    Birth {
        game: GameId::mint(at, chance.bits(), shard),
        terms: terms(chance),
        players: BySeat::new_with(player),
        starts_at: at + Millis(1000),
    }
}

fn terms(chance: &mut Chance) -> Terms {
    let [rated, lag_credit, first_move, grace] =
        [500, 700, 500, 300].map(|times| chance.per_mille(times));
    Terms {
        control: chance.pick(&CONTROLS).parse().unwrap(),
        profile: *chance.pick(&Profile::ALL),
        wrong_claim: None,
        rated,
        lag_credit,
        first_move: first_move.then_some(Millis::from_secs(30)),
        absence_grace: grace.then_some(Millis::from_secs(5)),
        start_fen: None,
    }
}
