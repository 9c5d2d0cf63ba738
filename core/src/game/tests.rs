//! What scenario tables cannot say: births and records that are none, and the bound on half-moves.

use std::sync::Arc;

use super::*;
use crate::id::{CommandId, GameId, PlayerId, ShardNo};
use crate::laws::Profile;
use crate::time::Millis;

const START: Timestamp = Timestamp(1_000_000);

fn birth(control: &str, fen: Option<&str>) -> Birth {
    let player = |seat: Seat| Player {
        id: PlayerId::mint(START, seat.index() as u64, ShardNo::new(0)),
        name: format!("{seat:?}"),
        bot: false,
        guest: false,
    };
    Birth {
        game: GameId::mint(START, 0, ShardNo::new(0)),
        terms: Terms {
            control: control.parse().unwrap(),
            profile: Profile::Classic,
            wrong_claim: None,
            rated: fen.is_none(),
            lag_credit: false,
            first_move: None,
            absence_grace: None,
            start_fen: fen.map(str::to_owned),
        },
        players: BySeat::new_with(player),
        starts_at: START,
    }
}

fn make(game: &mut Game, uci: &str) {
    let command = Command {
        seat: game.board().turn(),
        id: CommandId(u64::from(game.ply())),
        ply: game.ply(),
        act: Act::Move {
            uci: uci.parse().unwrap(),
            offer: false,
        },
    };
    let receipt = Receipt {
        at: START,
        lag: Millis::ZERO,
    };
    for event in game.decide(&command, receipt).unwrap().events {
        game.apply(&Arc::new(event));
    }
}

#[test]
fn births_that_are_refused() {
    let table = [
        ("60", None, None),
        ("0+2", None, Some(BirthError::NoTime)),
        (
            "60",
            Some("8/8/8/8/8/8/8/8 w - - 0 1"),
            Some(BirthError::BadPosition),
        ),
        ("60", Some("nonsense"), Some(BirthError::BadPosition)),
        // Mate, stalemate, dead.
        (
            "60",
            Some("R6k/8/6K1/8/8/8/8/8 b - - 0 1"),
            Some(BirthError::OverAtStart),
        ),
        (
            "60",
            Some("7k/8/6Q1/8/8/8/8/K7 b - - 0 1"),
            Some(BirthError::OverAtStart),
        ),
        (
            "60",
            Some("7k/8/8/8/8/8/8/KB6 w - - 0 1"),
            Some(BirthError::OverAtStart),
        ),
        ("60", Some("7k/8/8/8/8/8/8/KQ6 w - - 0 1"), None),
    ];
    for (control, fen, error) in table {
        assert_eq!(
            Game::new(birth(control, fen), START).err(),
            error,
            "{control} {fen:?}"
        );
    }
}

#[test]
fn a_rated_game_starts_from_the_usual_position() {
    let mut birth = birth("60", Some("7k/8/8/8/8/8/8/KQ6 w - - 0 1"));
    birth.terms.rated = true;
    assert_eq!(
        Game::new(birth, START).err(),
        Some(BirthError::RatedFromPosition)
    );
}

#[test]
fn nobody_plays_himself() {
    let mut birth = birth("60", None);
    birth.players.black.id = birth.players.white.id;
    assert_eq!(Game::new(birth, START).err(), Some(BirthError::SamePlayer));
}

#[test]
fn records_that_are_none() {
    let mut game = Game::new(birth("60", None), START).unwrap();
    make(&mut game, "e2e4");
    make(&mut game, "e7e5");
    let record = game.events();
    assert!(Game::replay(record).is_ok());
    assert_eq!(Game::replay(&[]).err(), Some(ReplayError::NoBirth));
    assert_eq!(Game::replay(&record[1..]).err(), Some(ReplayError::NoBirth));
    let without = |index: usize| {
        let mut record = record.to_vec();
        record.remove(index);
        Game::replay(&record).err()
    };
    assert_eq!(without(1), Some(ReplayError::Gap(Seq(2))));
    let mut twice = record.to_vec();
    twice.push(Arc::new(Event {
        seq: Seq(3),
        ..(*record[1]).clone()
    }));
    assert_eq!(
        Game::replay(&twice).err(),
        Some(ReplayError::Impossible(Seq(3)))
    );
    let mut reborn = record.to_vec();
    reborn.push(Arc::new(Event {
        seq: Seq(3),
        ..(*record[0]).clone()
    }));
    assert_eq!(
        Game::replay(&reborn).err(),
        Some(ReplayError::Impossible(Seq(3)))
    );
}

#[test]
fn moves_are_counted_from_the_side_that_began() {
    for (fen, first) in [
        ("7k/8/8/8/8/8/8/KQ6 w - - 0 1", "b1b2"),
        ("7k/8/8/8/8/8/8/KQ6 b - - 0 1", "h8g8"),
    ] {
        let mut game = Game::new(birth("60", Some(fen)), START).unwrap();
        let began = game.board().turn();
        assert_eq!(Seat::BOTH.map(|seat| game.moves_made(seat)), [0, 0]);
        make(&mut game, first);
        assert_eq!(
            (game.moves_made(began), game.moves_made(began.other())),
            (1, 0)
        );
    }
}

#[test]
fn the_longest_game_is_drawn() {
    let mut game = Game::new(birth("60", None), START).unwrap();
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    for ply in 0..MAX_PLIES {
        assert_eq!(game.outcome(), None, "after {ply} half-moves");
        make(&mut game, shuffle[ply as usize % 4]);
    }
    let adjudicated = Outcome {
        score: Score::Draw,
        ending: Ending::Adjudicated,
    };
    assert_eq!(game.outcome(), Some(adjudicated));
    assert_eq!(game.events().len(), MAX_PLIES as usize + 2);
}

/// 10.8: an offer on the opponent's time is valid, and noted as irregular.
#[test]
fn an_offer_on_the_opponents_time_is_noted() {
    for (seat, expected) in [(Seat::White, false), (Seat::Black, true)] {
        let game = Game::new(birth("60", None), START).unwrap();
        let command = Command {
            seat,
            id: CommandId(1),
            ply: 0,
            act: Act::Offer,
        };
        let receipt = Receipt {
            at: START,
            lag: Millis::ZERO,
        };
        let decision = game.decide(&command, receipt).unwrap();
        let irregular = expected;
        assert_eq!(decision.events[0].what, What::Offered { seat, irregular });
    }
}
