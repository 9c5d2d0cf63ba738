//! A short game for tests, played by the referee.

use std::sync::Arc;

use rookery_core::clock::TimeControl;
use rookery_core::game::{Act, Birth, Command, Game, Player, Receipt, Terms};
use rookery_core::id::{BySeat, CommandId, GameId, PlayerId, Seat, ShardNo};
use rookery_core::laws::Profile;
use rookery_core::time::{Millis, Timestamp};

use crate::shards::FinishedGame;

pub(crate) const START: Timestamp = Timestamp(1_790_000_000_000);

pub(crate) fn player(number: u64) -> PlayerId {
    PlayerId::mint(START, number, ShardNo::new(1))
}

pub(crate) fn birth(number: u64, white: PlayerId, black: PlayerId, rated: bool) -> Birth {
    let seated = |id, name: &str| Player {
        id,
        name: name.to_owned(),
        bot: false,
        guest: false,
    };
    Birth {
        game: GameId::mint(START, number, ShardNo::new(5)),
        terms: Terms {
            control: TimeControl::fischer(Millis::from_mins(3), Millis::from_secs(2)),
            profile: Profile::Classic,
            wrong_claim: None,
            rated,
            lag_credit: false,
            first_move: None,
            absence_grace: None,
            start_fen: None,
        },
        players: BySeat {
            white: seated(white, "Ada"),
            black: seated(black, "Bob"),
        },
        starts_at: START + Millis::from_secs(number),
    }
}

/// 1. e4 e5, and White resigns.
pub(crate) fn finished(birth: Birth) -> FinishedGame {
    let mut game = Game::new(birth.clone(), birth.starts_at).unwrap();
    let play = |text: &str| Act::Move {
        uci: text.parse().unwrap(),
        offer: false,
    };
    let acts = [
        (Seat::White, play("e2e4")),
        (Seat::Black, play("e7e5")),
        (Seat::White, Act::Resign),
    ];
    for (number, (seat, act)) in (1..).zip(acts) {
        let command = Command {
            seat,
            id: CommandId(number),
            ply: game.ply(),
            act,
        };
        let receipt = Receipt {
            at: birth.starts_at + Millis::from_secs(number),
            lag: Millis::ZERO,
        };
        for event in game.decide(&command, receipt).unwrap().events {
            game.apply(&Arc::new(event));
        }
    }
    FinishedGame {
        birth,
        events: game.events().to_vec(),
        outcome: game.outcome().unwrap(),
    }
}
