//! Clocks that add up, and clocks that do not.

use rookery_protocol::Paused;

use super::*;

/// A game of `control` that began at 1000; each line is `seat at white black [credit]`.
fn game(control: &str, moves: &[(Seat, u64, u64, u64, u64)]) -> Vec<Event> {
    let born = format!(
        r#"{{"t":"born","game":"{G}","seq":0,"at":1000,"terms":{{"control":"{control}","profile":"classic",
        "wrong_claim":{{"claimant_loses":300000,"opponent_gains":0}},"rated":false,"lag_credit":true}},
        "players":{{"white":{{"id":"{G}","name":"w"}},"black":{{"id":"{G}","name":"b"}}}},"starts_at":1000}}"#
    );
    let mut events: Vec<Event> = vec![serde_json::from_str(&born).unwrap()];
    for (index, &(seat, at, white, black, credit)) in moves.iter().enumerate() {
        events.push(Event::Moved(Moved {
            game: G.parse().unwrap(),
            seq: index as u32 + 1,
            at,
            seat,
            ply: index as u32 + 1,
            uci: "e2e4".parse().unwrap(),
            san: "e4".to_owned(),
            clock: Clock {
                white,
                black,
                running: Some(seat.other()),
            },
            credit,
            offer: false,
        }));
    }
    events
}

const G: &str = "0000000000000000000001";
use Seat::{Black, White};

#[test]
fn clocks_that_add_up_pass() {
    let fischer = [
        (White, 3000, 60_000, 60_000, 0),
        (Black, 8000, 60_000, 57_100, 100),
    ];
    assert_eq!(check(&game("60+2", &fischer), &[]), Ok(()));
    let bronstein = [
        (White, 2000, 60_000, 60_000, 0),
        (Black, 7000, 60_000, 58_000, 0),
    ];
    assert_eq!(check(&game("60d3", &bronstein), &[]), Ok(()));
    let stages = [
        (White, 2000, 99_000, 60_000, 0),
        (Black, 3000, 99_000, 99_000, 0),
    ];
    assert_eq!(check(&game("1/60:40", &stages), &[]), Ok(()));
}

#[test]
fn clocks_that_do_not_add_up_are_named() {
    let why = |control, moves: &[_], outages: &[_]| {
        check(&game(control, moves), outages).unwrap_err().why
    };
    assert_eq!(
        why("60", &[(White, 3000, 58_001, 60_000, 0)], &[]),
        "that is more than is due"
    );
    assert_eq!(
        why("60", &[(White, 3000, 57_999, 60_000, 0)], &[]),
        "that is less than is due"
    );
    assert_eq!(
        why("60", &[(White, 3000, 58_000, 59_000, 0)], &[]),
        "that is less than is due"
    );
    assert_eq!(
        why("60", &[(Black, 3000, 60_000, 58_000, 0)], &[]),
        "it was not his clock that ran"
    );
}

#[test]
fn an_outage_is_charged_to_nobody() {
    let outage = [Outage {
        from: 2000,
        to: 6000,
    }];
    let fair = [(White, 7000, 58_000, 60_000, 0)];
    assert_eq!(check(&game("60", &fair), &outage), Ok(()));
    let recovered = |left| {
        let mut events = game("60", &[]);
        events.push(Event::Paused(Paused {
            game: G.parse().unwrap(),
            seq: 1,
            at: 9000,
            reason: PauseReason::Recovery,
            clock: Clock {
                white: left,
                black: 60_000,
                running: None,
            },
        }));
        check(&events, &outage)
    };
    assert_eq!(recovered(59_000), Ok(()));
    assert_eq!(
        recovered(58_900).unwrap_err().why,
        "it was charged for the way back"
    );
    let charged = [(White, 7000, 54_000, 60_000, 0)];
    assert_eq!(
        check(&game("60", &charged), &outage).unwrap_err().why,
        "that is less than is due"
    );
}
