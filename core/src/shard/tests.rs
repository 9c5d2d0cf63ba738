//! A shard's life as a story: an input at an instant, and the outputs it must have.

use super::*;
use crate::game::{Act, Ending, Outcome, Score, Terms};
use crate::id::{BySeat, CommandId, PlayerId};
use crate::laws::Profile;

const SHARD: ShardNo = ShardNo::new(5);
const START: Timestamp = Timestamp(1_000_000);

fn id(number: u64) -> GameId {
    GameId::mint(START, number, SHARD)
}

fn birth(number: u64, seconds: u64) -> Birth {
    let player = |seat: Seat| crate::game::Player {
        id: PlayerId::mint(START, seat.index() as u64, SHARD),
        name: format!("{seat:?}"),
        bot: false,
        guest: false,
    };
    Birth {
        game: id(number),
        terms: Terms {
            control: crate::clock::TimeControl::fischer(Millis::from_secs(seconds), Millis::ZERO),
            profile: Profile::Classic,
            wrong_claim: None,
            rated: true,
            lag_credit: false,
            first_move: None,
            absence_grace: None,
            start_fen: None,
        },
        players: BySeat::new_with(player),
        starts_at: START,
    }
}

fn command(number: u64, seat: Seat, ply: u32, act: Act, at: Timestamp) -> Input {
    Input::Command {
        game: id(number),
        command: Command {
            seat,
            id: CommandId(u64::from(ply) + 1),
            ply,
            act,
        },
        receipt: Receipt {
            at,
            lag: Millis::ZERO,
        },
        ask: 40 + u64::from(ply),
    }
}

fn play(uci: &str) -> Act {
    Act::Move {
        uci: uci.parse().unwrap(),
        offer: false,
    }
}

/// The outputs so far, the happenings of records by name.
fn outputs(shard: &mut Shard) -> Vec<String> {
    let name = |what: &What| {
        let name = format!("{what:?}");
        name.split([' ', '(']).next().unwrap().to_owned()
    };
    let mut outputs = Vec::new();
    while let Some(output) = shard.poll_output() {
        outputs.push(match output {
            Output::Record { event, .. } => format!("{} {}", event.seq.0, name(&event.what)),
            Output::Answer { ask, answer, .. } => format!("answer {ask} {answer:?}"),
            Output::Unborn { error, .. } => format!("unborn {error:?}"),
            Output::Finished { .. } => "finished".to_owned(),
        });
    }
    outputs
}

#[test]
fn a_game_from_its_birth_to_its_flag() {
    let mut shard = Shard::new(SHARD);
    shard.handle(Input::Birth(Box::new(birth(1, 60))), START);
    assert_eq!(outputs(&mut shard), ["0 Born"]);
    assert_eq!(shard.poll_timeout(), Some(START + Millis::from_secs(60)));

    let at = START + Millis::from_secs(2);
    shard.handle(command(1, Seat::White, 0, play("e2e4"), at), at);
    assert_eq!(outputs(&mut shard), ["1 Moved", "answer 40 Ok(Done)"]);
    shard.handle(command(1, Seat::White, 0, play("e2e4"), at), at);
    assert_eq!(outputs(&mut shard), ["answer 40 Ok(Done)"]);

    // The first deadline has moved on; the shard finds out when it comes up.
    shard.handle_timeout(START + Millis::from_secs(60));
    assert_eq!(outputs(&mut shard), Vec::<String>::new());
    assert_eq!(shard.poll_timeout(), Some(START + Millis::from_secs(62)));
    shard.handle_timeout(START + Millis::from_secs(62));
    assert_eq!(outputs(&mut shard), ["2 Ended", "finished"]);
    assert_eq!(shard.poll_timeout(), None);
    let lost = Outcome {
        score: Score::WhiteWins,
        ending: Ending::Time,
    };
    assert_eq!(shard.game(id(1)).unwrap().outcome(), Some(lost));

    shard.handle(command(1, Seat::Black, 1, play("e7e5"), at), at);
    assert_eq!(outputs(&mut shard), ["answer 41 Err(Refused(GameOver))"]);
    shard.handle(Input::Forget { game: id(1) }, at);
    shard.handle(command(1, Seat::Black, 1, play("e7e5"), at), at);
    assert_eq!(outputs(&mut shard), ["answer 41 Err(UnknownGame)"]);
}

#[test]
fn the_answer_follows_the_record_and_the_end_follows_the_answer() {
    let mut shard = Shard::new(SHARD);
    shard.handle(Input::Birth(Box::new(birth(1, 60))), START);
    outputs(&mut shard);
    shard.handle(command(1, Seat::White, 0, Act::Resign, START), START);
    assert_eq!(
        outputs(&mut shard),
        ["1 Ended", "answer 40 Ok(Done)", "finished"]
    );
}

#[test]
fn a_birth_is_idempotent_and_a_bad_one_is_said() {
    let mut shard = Shard::new(SHARD);
    shard.handle(Input::Birth(Box::new(birth(1, 60))), START);
    shard.handle(Input::Birth(Box::new(birth(1, 60))), START);
    assert_eq!(outputs(&mut shard), ["0 Born"]);
    shard.handle(Input::Birth(Box::new(birth(1, 90))), START);
    assert_eq!(outputs(&mut shard), ["unborn NoRoom"]);
    shard.handle(Input::Birth(Box::new(birth(2, 0))), START);
    assert_eq!(outputs(&mut shard), ["unborn NoTime"]);
    assert_eq!(shard.games().count(), 1);
}

#[test]
fn a_shard_is_bounded() {
    let mut shard = Shard::new(SHARD);
    for number in 0..=MAX_GAMES as u64 {
        shard.handle(Input::Birth(Box::new(birth(number, 60))), START);
    }
    assert_eq!(
        outputs(&mut shard).last().map(String::as_str),
        Some("unborn NoRoom")
    );
    assert_eq!(shard.games().count(), MAX_GAMES);
}

#[test]
fn many_flags_fall_in_order() {
    let mut shard = Shard::new(SHARD);
    for (number, seconds) in [(1, 30), (2, 10), (3, 20)] {
        shard.handle(Input::Birth(Box::new(birth(number, seconds))), START);
    }
    outputs(&mut shard);
    let mut fallen = Vec::new();
    while let Some(at) = shard.poll_timeout() {
        shard.handle_timeout(at);
        while let Some(output) = shard.poll_output() {
            if let Output::Finished { game } = output {
                fallen.push((at.since(START), game));
            }
        }
    }
    let due = |number, seconds| (Millis::from_secs(seconds), id(number));
    assert_eq!(fallen, [due(2, 10), due(3, 20), due(1, 30)]);
}

#[test]
fn a_restored_game_waits_for_the_side_to_move() {
    let mut shard = Shard::new(SHARD);
    shard.handle(Input::Birth(Box::new(birth(1, 60))), START);
    let record = shard.game(id(1)).unwrap().events().to_vec();

    let mut other = Shard::new(SHARD);
    let now = START + Millis::from_secs(500);
    let alive = START + Millis::from_secs(4);
    assert_eq!(other.restore(id(1), record.clone(), alive, now), Ok(()));
    assert_eq!(outputs(&mut other), ["1 Paused"]);
    assert_eq!(other.poll_timeout(), Some(now + crate::game::RETURN_WITHIN));
    let back = now + Millis::from_secs(1);
    let presence = |seat| Input::Presence {
        game: id(1),
        seat,
        online: true,
    };
    other.handle(presence(Seat::Black), back);
    assert_eq!(outputs(&mut other), Vec::<String>::new());
    other.handle(presence(Seat::White), back);
    assert_eq!(outputs(&mut other), ["2 Resumed"]);
    // The thirty seconds come up first, and find nothing to do.
    other.handle_timeout(now + crate::game::RETURN_WITHIN);
    assert_eq!(outputs(&mut other), Vec::<String>::new());
    assert_eq!(other.poll_timeout(), Some(back + Millis::from_secs(56)));

    assert_eq!(
        other.restore(id(2), record, alive, now),
        Err(ReplayError::NoBirth)
    );
}

#[test]
fn a_restored_game_that_had_ended_is_finished_again() {
    let mut shard = Shard::new(SHARD);
    shard.handle(Input::Birth(Box::new(birth(1, 60))), START);
    shard.handle(command(1, Seat::White, 0, Act::Resign, START), START);
    let record = shard.game(id(1)).unwrap().events().to_vec();
    let mut other = Shard::new(SHARD);
    assert_eq!(other.restore(id(1), record, START, START), Ok(()));
    assert_eq!(outputs(&mut other), ["finished"]);
    assert_eq!(other.poll_timeout(), None);
}

#[test]
fn what_concerns_no_game_here_is_ignored_or_said() {
    let mut shard = Shard::new(SHARD);
    let game = id(9);
    let reason = PauseReason::NodeLost;
    let (seat, span) = (Seat::White, Millis(300));
    for input in [
        Input::Presence {
            game,
            seat,
            online: true,
        },
        Input::Pause { game, seat, reason },
        Input::Stalled { game, span },
        Input::Forget { game },
    ] {
        shard.handle(input, START);
    }
    assert_eq!(outputs(&mut shard), Vec::<String>::new());
}
