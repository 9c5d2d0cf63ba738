//! The chess clock in tables.

use super::*;

/// Plays White's turns alone: each takes the seconds of the line and the reply nothing.
fn white_after(control: &str, turns: &[u64]) -> Millis {
    let control: TimeControl = control.parse().unwrap();
    let mut clock = ChessClock::start(&control, Seat::White, Timestamp(0));
    let mut now = Timestamp(0);
    for (index, &millis) in turns.iter().enumerate() {
        let moves = u32::try_from(index).unwrap() + 1;
        for (seat, takes) in [(Seat::White, Millis(millis)), (Seat::Black, Millis::ZERO)] {
            now = now + takes;
            clock.stop(now, Millis::ZERO);
            clock.earn(seat, &control, moves);
            clock.hand_to(seat.other());
            clock.adopt(clock.reading(), now);
            clock.begin_turn(seat.other());
        }
    }
    clock.left(Seat::White, now)
}

#[test]
fn bonuses_and_stages() {
    let table: &[(&str, &[u64], u64)] = &[
        // Sudden death.
        ("60", &[1000, 500], 58_500),
        // Fischer: added whether used or not.
        ("60+2", &[0], 62_000),
        ("60+2", &[5000, 1000], 58_000),
        // Bronstein: what was used comes back, at most the delay.
        ("300d3", &[0], 300_000),
        ("300d3", &[2999], 300_000),
        ("300d3", &[3000], 300_000),
        ("300d3", &[3001], 299_999),
        ("300d3", &[10_000, 1000], 293_000),
        // Stages: the base of the next one is added when the number of moves is made.
        ("2/60:30", &[1000], 59_000),
        ("2/60:30", &[1000, 1000], 88_000),
        ("2/60:30", &[1000, 1000, 1000], 87_000),
        // The last move of a stage earns the bonus of its own stage.
        ("2/60+5:30+1", &[0, 0], 60_000 + 10_000 + 30_000),
        ("2/60+5:30+1", &[0, 0, 0], 60_000 + 10_000 + 30_000 + 1000),
        // Three stages.
        ("1/60:1/30:10", &[0], 90_000),
        ("1/60:1/30:10", &[0, 0], 100_000),
        ("1/60:1/30:10", &[0, 0, 0], 100_000),
    ];
    for &(control, turns, left) in table {
        assert_eq!(
            white_after(control, turns),
            Millis(left),
            "{control} {turns:?}"
        );
    }
}

#[test]
fn forty_moves_in_ninety_minutes_then_thirty_more() {
    let turns = vec![60_000; 40];
    let first_39 = white_after("40/5400+30:1800+30", &turns[..39]);
    assert_eq!(first_39, Millis::from_secs(5400 - 39 * 60 + 39 * 30));
    let all_40 = white_after("40/5400+30:1800+30", &turns);
    assert_eq!(all_40, Millis::from_secs(5400 - 40 * 60 + 40 * 30 + 1800));
}

#[test]
fn a_clock_that_has_not_started_yet_is_not_charged() {
    let control = TimeControl::fischer(Millis::from_secs(60), Millis::ZERO);
    let clock = ChessClock::start(&control, Seat::White, Timestamp(5000));
    assert_eq!(
        clock.left(Seat::White, Timestamp(4000)),
        Millis::from_secs(60)
    );
    assert_eq!(
        clock.left(Seat::White, Timestamp(6000)),
        Millis::from_secs(59)
    );
    assert_eq!(
        clock.left(Seat::Black, Timestamp(6000)),
        Millis::from_secs(60)
    );
}

#[test]
fn credit_is_not_charged_and_never_earns() {
    let control = TimeControl::fischer(Millis::from_secs(60), Millis::ZERO);
    for (ran, credit, left) in [(1000, 300, 59_300), (200, 300, 60_000), (70_000, 300, 0)] {
        let mut clock = ChessClock::start(&control, Seat::White, Timestamp(0));
        clock.stop(Timestamp(ran), Millis(credit));
        assert_eq!(clock.reading().left.white, Millis(left), "{ran} - {credit}");
        assert_eq!(clock.running(), None);
    }
}
