//! A second opinion on the clocks of a game: what its events say, summed up anew, one after another.

use rookery_core::clock::Bonus;
use rookery_core::game::{ClockReading, Ending, Event, PauseReason, Terms, What};
use rookery_core::id::Seat;

/// A time in which nobody of ours was there: from when the owner was last known to be alive until the
/// games were taken up again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outage {
    pub(crate) alive: u64,
    pub(crate) until: u64,
}

/// Both clocks as this model has them.
struct Clocks<'a> {
    terms: &'a Terms,
    outages: &'a [Outage],
    left: [u64; 2],
    moves: [u32; 2],
    turn: Seat,
    runs: bool,
    /// Since when one runs.
    since: u64,
    /// The agreed start, until a recovery: its clock is gone.
    not_before: u64,
    /// When the last event took effect: one that was held up is dated not before it.
    last: u64,
    /// What the side to move had when its turn began: a Bronstein delay gives back what it used of it.
    began: u64,
}

/// Checks every reading in the record of a game.
pub(crate) fn check(events: &[&Event], outages: &[Outage]) {
    let Some(What::Born(birth)) = events.first().map(|event| &event.what) else {
        panic!("the first event is no birth");
    };
    let base = birth.terms.control.base().0;
    let mut clocks = Clocks {
        terms: &birth.terms,
        outages,
        left: [base; 2],
        moves: [0; 2],
        turn: Seat::White,
        runs: true,
        since: birth.starts_at.0.max(events[0].at.0),
        not_before: birth.starts_at.0,
        last: events[0].at.0,
        began: base,
    };
    for event in &events[1..] {
        assert!(event.at.0 >= clocks.last, "time went back: {event:?}");
        clocks.follow(event);
        clocks.last = event.at.0;
    }
}

impl Clocks<'_> {
    fn follow(&mut self, event: &Event) {
        match &event.what {
            What::Moved { clock, credit, .. } => self.moved(clock, credit.0, event),
            What::Claimed {
                right,
                clock,
                credit,
                ..
            } => self.claimed(*right, clock, credit.0, event),
            What::Paused { reason, clock } => self.paused(*reason, clock, event),
            What::Resumed { clock } => {
                assert_eq!(
                    self.numbers(clock),
                    self.left,
                    "resumed with other times: {event:?}"
                );
                self.adopt(clock, event);
            }
            What::TakenBack { plies, clock } => {
                for _ in 0..*plies {
                    self.turn = self.turn.other();
                    self.moves[self.turn.index()] -= 1;
                }
                self.adopt(clock, event);
                self.began = self.left[self.turn.index()];
            }
            What::Ended { outcome, clock } => {
                assert_eq!(clock.running, None, "a clock runs after the end: {event:?}");
                let flag = clock.left[self.turn].is_zero();
                assert!(
                    flag || outcome.ending != Ending::Time,
                    "time left: {event:?}"
                );
                let numbers = self.numbers(clock);
                self.within(numbers[self.turn.index()], self.turn, 0, event);
            }
            What::Born(_) => panic!("born twice: {event:?}"),
            What::Offered { .. }
            | What::Declined { .. }
            | What::TakebackProposed { .. }
            | What::TakebackDeclined { .. } => {}
        }
    }

    fn moved(&mut self, clock: &ClockReading, credit: u64, event: &Event) {
        let mover = self.turn;
        self.moves[mover.index()] += 1;
        let numbers = self.numbers(clock);
        let exact = self.charged(event, credit);
        if event.at.0 > self.last || !self.runs {
            assert_eq!(
                numbers[mover.index()],
                self.rewarded(exact),
                "the mover's clock: {event:?}"
            );
        } else {
            let most = self.left[mover.index()];
            assert!(
                (self.rewarded(exact)..=self.rewarded(most).max(self.rewarded(exact)))
                    .contains(&numbers[mover.index()])
            );
        }
        assert_eq!(
            numbers[mover.other().index()],
            self.left[mover.other().index()],
            "the other's clock: {event:?}"
        );
        assert!(
            exact > 0 || event.at.0 == self.last,
            "moved after the flag: {event:?}"
        );
        self.turn = mover.other();
        self.adopt(clock, event);
        self.began = self.left[self.turn.index()];
    }

    fn claimed(&mut self, right: bool, clock: &ClockReading, credit: u64, event: &Event) {
        let claimant = self.turn;
        let price = self.terms.laws().wrong_claim;
        let (loses, gains) = if right {
            (0, 0)
        } else {
            (price.claimant_loses.0, price.opponent_gains.0)
        };
        let least = self.charged(event, credit).saturating_sub(loses);
        let most = self.left[claimant.index()].saturating_sub(loses);
        let numbers = self.numbers(clock);
        if event.at.0 > self.last {
            assert_eq!(
                numbers[claimant.index()],
                least,
                "the claimant's clock: {event:?}"
            );
        }
        assert!(
            (least..=most).contains(&numbers[claimant.index()]),
            "the claimant's clock: {event:?}"
        );
        let other = claimant.other();
        assert_eq!(
            numbers[other.index()],
            self.left[other.index()] + gains,
            "the other's clock: {event:?}"
        );
        self.adopt(clock, event);
        self.began = self.began.saturating_sub(loses);
    }

    fn paused(&mut self, reason: PauseReason, clock: &ClockReading, event: &Event) {
        assert_eq!(clock.running, None, "a clock runs in a pause: {event:?}");
        let turn = self.turn.index();
        let numbers = self.numbers(clock);
        assert_eq!(
            numbers[1 - turn],
            self.left[1 - turn],
            "the other's clock: {event:?}"
        );
        self.within(numbers[turn], self.turn, 0, event);
        let outage = self
            .outages
            .iter()
            .find(|outage| outage.until == event.at.0);
        if let (PauseReason::Recovery, Some(outage), true) = (reason, outage, self.runs) {
            let charge = outage.alive.saturating_sub(self.since);
            let least = self.least_after_recovery();
            let expected = self.left[turn].saturating_sub(charge).max(least);
            assert_eq!(
                numbers[turn], expected,
                "an outage was charged, or not all before it: {event:?}"
            );
        }
        self.adopt(clock, event);
    }

    /// A recovery ends nobody's time, on the clock or for a first move: a millisecond is left.
    fn least_after_recovery(&self) -> u64 {
        match self.terms.first_move {
            Some(limit) if self.moves[self.turn.index()] == 0 => {
                (self.began + 1).saturating_sub(limit.0).max(1)
            }
            _ => 1,
        }
    }

    /// What the side to move has left when it is charged up to the event.
    fn charged(&self, event: &Event, credit: u64) -> u64 {
        let ran = if self.runs {
            event.at.0.saturating_sub(self.since)
        } else {
            0
        };
        self.left[self.turn.index()].saturating_sub(ran.saturating_sub(credit))
    }

    /// A reading of the side to move lies between all charged and nothing charged.
    fn within(&self, number: u64, seat: Seat, credit: u64, event: &Event) {
        let range = self.charged(event, credit)..=self.left[seat.index()].max(1);
        assert!(
            range.contains(&number),
            "{number} is not in {range:?}: {event:?}"
        );
    }

    /// What `left` becomes by the move just made.
    fn rewarded(&self, left: u64) -> u64 {
        let moves = self.moves[self.turn.index()];
        let mut before = 0;
        let stages = self.terms.control.stages();
        for (index, stage) in stages.iter().enumerate() {
            let last = stage.moves.map(|count| before + count);
            if last.is_none_or(|last| moves <= last) {
                let bonus = match stage.bonus {
                    Bonus::Fischer(each) => each.0,
                    Bonus::Bronstein(most) => self.began.saturating_sub(left).min(most.0),
                };
                let next = if last == Some(moves) {
                    stages[index + 1].base.0
                } else {
                    0
                };
                return left + bonus + next;
            }
            before = last.unwrap_or_default();
        }
        left
    }

    fn numbers(&self, clock: &ClockReading) -> [u64; 2] {
        [clock.left.white.0, clock.left.black.0]
    }

    fn adopt(&mut self, clock: &ClockReading, event: &Event) {
        assert!(
            clock.running.is_none_or(|seat| seat == self.turn),
            "the wrong clock runs: {event:?}"
        );
        if matches!(
            event.what,
            What::Paused {
                reason: PauseReason::Recovery,
                ..
            }
        ) {
            self.not_before = 0;
        }
        self.left = self.numbers(clock);
        self.runs = clock.running.is_some();
        self.since = event.at.0.max(self.not_before);
    }
}
