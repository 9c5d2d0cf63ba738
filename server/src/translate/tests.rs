//! What a total match cannot show: that no two refusals share a code, and that what the record leaves out
//! is worked out rightly.

use std::collections::BTreeSet;
use std::sync::Arc;

use rookery_core::clock::TimeControl;
use rookery_core::game::{Act, Birth, Command, Game, Player, Receipt, Refusal, Ruling, Terms};
use rookery_core::id::{BySeat, CommandId, GameId, PlayerId, Seat, Seq, ShardNo};
use rookery_core::laws::Profile;
use rookery_core::time::{Millis, Timestamp};
use rookery_protocol as wire;

use super::{Record, Track, error_of_refusal, game_from_wire, game_to_wire};

const START: Timestamp = Timestamp(1_790_000_000_000);

fn player(seat: Seat) -> Player {
    Player {
        id: PlayerId::mint(START, seat.index() as u64, ShardNo::new(0)),
        name: format!("{seat:?}"),
        bot: false,
        guest: false,
    }
}

/// A casual game from a position with Black to move, in which these things were done.
fn played(acts: &[(Seat, Act)]) -> Game {
    let birth = Birth {
        game: GameId::mint(START, 5, ShardNo::new(1)),
        terms: Terms {
            control: TimeControl::fischer(Millis::from_mins(3), Millis::ZERO),
            profile: Profile::Classic,
            wrong_claim: None,
            rated: false,
            lag_credit: false,
            first_move: None,
            absence_grace: None,
            start_fen: Some("4k3/7p/8/8/8/8/P7/4K3 b - - 0 1".into()),
        },
        players: BySeat::new_with(player),
        starts_at: START,
    };
    let mut game = Game::new(birth, START).unwrap();
    for (number, &(seat, act)) in (1..).zip(acts) {
        let command = Command {
            seat,
            id: CommandId(number),
            ply: game.ply(),
            act,
        };
        let receipt = Receipt {
            at: START + Millis(number * 1000),
            lag: Millis::ZERO,
        };
        for event in game.decide(&command, receipt).unwrap().events {
            game.apply(&Arc::new(event));
        }
    }
    game
}

fn play(uci: &str) -> Act {
    Act::Move {
        uci: uci.parse().unwrap(),
        offer: false,
    }
}

#[test]
fn each_refusal_has_a_code_of_its_own() {
    let codes: BTreeSet<&str> = Refusal::ALL
        .iter()
        .map(|&refusal| error_of_refusal(refusal).as_str())
        .collect();
    assert_eq!(codes.len(), Refusal::ALL.len());
}

#[test]
fn an_id_that_no_game_can_have_is_no_panic() {
    let largest = "z".repeat(22).parse().unwrap();
    assert_eq!(game_from_wire(largest), None);
    let game = GameId::mint(START, u64::MAX, ShardNo::new(1023));
    assert_eq!(game_from_wire(game_to_wire(game)), Some(game));
}

#[test]
fn who_moved_and_how_often_is_worked_out_from_what_came_before() {
    let game = played(&[
        (Seat::Black, play("h7h5")),
        (Seat::White, play("a2a4")),
        (Seat::White, Act::ProposeTakeback),
        (Seat::Black, Act::AcceptTakeback),
        (Seat::White, play("a2a3")),
    ]);
    let mut track = Track::of(game.birth());
    let mut told = Vec::new();
    for event in game.events() {
        match track.read(event) {
            wire::Event::Moved(moved) => told.push((moved.seat, moved.ply, moved.san)),
            wire::Event::TakenBack(back) => told.push((wire::Seat::White, back.ply, "back".into())),
            _ => {}
        }
    }
    let expected = [
        (wire::Seat::Black, 1, "h5"),
        (wire::Seat::White, 2, "a4"),
        (wire::Seat::White, 1, "back"),
        (wire::Seat::White, 2, "a3"),
    ];
    assert_eq!(
        told,
        expected.map(|(seat, ply, what)| (seat, ply, what.to_owned()))
    );
    assert_eq!(track.next(), Track::after(&game).next());
}

#[test]
fn a_record_knows_what_became_of_a_players_command() {
    let game = played(&[(Seat::Black, play("h7h5")), (Seat::White, Act::Resign)]);
    let record = Record::replay(game.events()).unwrap();
    let id = |number| wire::RequestId::new(number).unwrap();
    let (white, black) = (player(Seat::White).id, player(Seat::Black).id);
    assert_eq!(
        record.ruling_on(white, id(2)),
        Some(super::ruling(Ruling::Done))
    );
    assert_eq!(record.ruling_on(black, id(2)), None);
    assert_eq!(record.ruling_on(white, id(3)), None);
    assert_eq!(record.end(), Seq(3));
    assert!(record.story().is_over());
    assert!(Record::replay(&game.events()[1..]).is_err());
}
