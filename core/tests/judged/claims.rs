//! Claims and automatic draws of a position, asked of a whole game.

use std::sync::Arc;

use rookery_core::clock::TimeControl;
use rookery_core::game::{
    Act, Birth, ClaimRule, Command, Decision, Game, Player, Receipt, Refusal, Ruling, Terms,
};
use rookery_core::id::{BySeat, CommandId, GameId, PlayerId, ShardNo};
use rookery_core::laws::Profile;
use rookery_core::notation::pgn::termination;
use rookery_core::time::{Millis, Timestamp};

/// All happens at once: no clock is judged here.
const NOW: Timestamp = Timestamp(1_000_000);

/// Whether a claim is ruled as told: `right`, `wrong`, or the same `by` an announced move.
pub(super) fn holds(from: &str, moves: &[String], rule: &str, claim: &[&str]) -> bool {
    let rule = if rule == "fifty" {
        ClaimRule::Fifty
    } else {
        ClaimRule::Threefold
    };
    let (announced, ruling) = match claim {
        [ruling] => (None, *ruling),
        ["by", uci, ruling] => (Some(uci.parse().expect("a move")), *ruling),
        _ => panic!("a claim is `right`, `wrong`, or `by` a move"),
    };
    let profile = match (rule, announced) {
        (ClaimRule::Fifty, Some(_)) => Profile::Fide2023,
        _ => Profile::Classic,
    };
    let game = played(from, moves, profile);
    let claim = decide(&game, Act::Claim { rule, announced });
    match ruling {
        "right" => claim.is_ok_and(|decision| decision.ruling == Ruling::ClaimRight),
        "wrong" if game.outcome().is_some() => claim == Err(Refusal::GameOver),
        "wrong" => claim.is_ok_and(|decision| decision.ruling == Ruling::ClaimWrong),
        _ => panic!("a claim is right or wrong"),
    }
}

/// How the game is over, judged by today's FIDE Laws.
pub(super) fn ending(from: &str, moves: &[String]) -> Option<&'static str> {
    let outcome = played(from, moves, Profile::Fide2023).outcome();
    outcome.map(|outcome| termination(outcome.ending))
}

fn played(from: &str, moves: &[String], profile: Profile) -> Game {
    let mut game = Game::new(birth(from, profile), NOW).expect("a game can begin here");
    for text in moves {
        let uci = text.parse().expect("a move");
        let decision = decide(&game, Act::Move { uci, offer: false }).expect(text);
        decision
            .events
            .into_iter()
            .for_each(|event| game.apply(&Arc::new(event)));
    }
    game
}

fn decide(game: &Game, act: Act) -> Result<Decision, Refusal> {
    let ply = game.ply();
    let seat = game.board().turn();
    let command = Command {
        seat,
        id: CommandId(u64::from(ply) + 1),
        ply,
        act,
    };
    game.decide(
        &command,
        Receipt {
            at: NOW,
            lag: Millis::ZERO,
        },
    )
}

fn birth(from: &str, profile: Profile) -> Birth {
    let player = |random| Player {
        id: PlayerId::mint(NOW, random, ShardNo::new(0)),
        name: "player".to_owned(),
        bot: false,
        guest: false,
    };
    Birth {
        game: GameId::mint(NOW, 0, ShardNo::new(0)),
        terms: Terms {
            control: TimeControl::fischer(Millis::from_mins(15), Millis::ZERO),
            profile,
            wrong_claim: None,
            rated: false,
            lag_credit: false,
            first_move: None,
            absence_grace: None,
            start_fen: Some(from.to_owned()),
        },
        players: BySeat {
            white: player(1),
            black: player(2),
        },
        starts_at: NOW,
    }
}
