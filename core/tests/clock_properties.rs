//! What holds of every clock and every lag bank, whatever is done with them.

use proptest::collection::vec;
use proptest::prelude::*;
use rookery_core::clock::{Bonus, ChessClock, LagBank, MAX_CREDIT, MAX_STAGES, Stage, TimeControl};
use rookery_core::id::Seat;
use rookery_core::time::{Millis, Timestamp};

fn stage(moves: Option<u32>) -> impl Strategy<Value = Stage> {
    let bonus = prop_oneof![
        (0..60_000u64).prop_map(|each| Bonus::Fischer(Millis(each))),
        (0..60_000u64).prop_map(|each| Bonus::Bronstein(Millis(each))),
    ];
    (0..20_000_000u64, bonus).prop_map(move |(base, bonus)| Stage {
        moves,
        base: Millis(base),
        bonus,
    })
}

fn control() -> impl Strategy<Value = TimeControl> {
    let counted = (1..100u32).prop_flat_map(|moves| stage(Some(moves)));
    (vec(counted, 0..MAX_STAGES), stage(None)).prop_map(|(mut stages, last)| {
        stages.push(last);
        TimeControl::new(stages).expect("well formed")
    })
}

proptest! {
    #[test]
    fn a_time_control_survives_its_text(control in control()) {
        prop_assert_eq!(control.to_string().parse(), Ok(control));
    }

    #[test]
    fn text_that_is_no_time_control_is_refused_without_harm(text in "[0-9d+:./]{0,24}") {
        if let Ok(control) = text.parse::<TimeControl>() {
            prop_assert_eq!(control.to_string().parse(), Ok(control));
        }
    }

    /// Time only comes from the control and only goes by running.
    #[test]
    fn nothing_is_lost_or_won_on_the_way(control in control(), turns in vec((0..10_000u64, 0..700u64), 1..120)) {
        let mut clock = ChessClock::start(&control, Seat::White, Timestamp(0));
        let mut now = Timestamp(0);
        let mut seat = Seat::White;
        for (index, (takes, credit)) in turns.into_iter().enumerate() {
            let before = clock.reading().left;
            let moves = u32::try_from(index / 2 + 1).expect("few moves");
            now = now + Millis(takes);
            clock.stop(now, Millis(credit));
            let charged = takes.saturating_sub(credit).min(before[seat].0);
            prop_assert_eq!(clock.reading().left[seat], Millis(before[seat].0 - charged));
            clock.earn(seat, &control, moves);
            let most_bonus = |stage: &Stage| match stage.bonus {
                Bonus::Fischer(each) | Bonus::Bronstein(each) => each.0,
            };
            let bonus = control.stages().iter().map(most_bonus).max().unwrap_or(0);
            let next = control.stages().iter().skip(1).map(|stage| stage.base.0).max().unwrap_or(0);
            let earned = clock.reading().left[seat].0 - (before[seat].0 - charged);
            prop_assert!(earned <= bonus + next);
            prop_assert_eq!(clock.reading().left[seat.other()], before[seat.other()]);
            seat = seat.other();
            clock.hand_to(seat);
            clock.adopt(clock.reading(), now);
            clock.begin_turn(seat);
        }
    }

    /// Whatever lag is shown to the server, by whatever delays of pongs: a move is never credited more
    /// than the named bound, the time it took or the lag shown; and all of them together not more than the
    /// bank began with and gained.
    #[test]
    fn lag_credit_is_bounded(seconds in 0..7200u64, acts in vec((0..5000u64, 0..5000u64, any::<bool>()), 1..100)) {
        let mut bank = LagBank::new(Millis::from_secs(seconds));
        let most_gain = (4 * seconds + 150).min(1000);
        let mut credited = 0;
        let mut gained = 3 * most_gain;
        for (lag, elapsed, is_move) in acts {
            prop_assert!(bank.available() <= MAX_CREDIT);
            let available = bank.available();
            let credit = bank.credit(Millis(lag), Millis(elapsed));
            prop_assert!(credit <= Millis(lag.min(elapsed)) && credit <= available);
            let after = if is_move { bank.after_move(Millis(lag), credit) } else { bank.after_claim(Millis(lag), credit) };
            prop_assert!(after.0 <= Millis(7 * most_gain));
            bank.adopt(after);
            credited += credit.0;
            gained += if is_move { most_gain } else { 0 };
            prop_assert!(credited <= gained);
        }
    }
}
