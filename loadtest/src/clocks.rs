//! A second opinion on the clocks: the account of a game's time, kept from its events alone. It knows
//! the time control and when the server was away; it does not know how the server counts.

use rookery_core::clock::{Bonus, Stage, TimeControl};
use rookery_protocol::{
    Claimed, Clock, Ending, Event, Moved, PauseReason, Score, Seat, WrongClaim,
};

use crate::client::{clock_of, time_of};

/// A time in which the server was not there, Unix ms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// The last instant at which it can have been there.
    pub from: u64,
    /// The first instant at which it was there again.
    pub to: u64,
}

/// How much more than it should have been a clock may be charged around an outage: the kill is dated
/// when the process is known to be dead, and both clocks are read in whole milliseconds.
const OUTAGE_SLACK_MS: u64 = 25;

/// The largest credit for lag in one act (design, lag): what an ending without a `credit` may hide.
const MAX_CREDIT_MS: u64 = 500;

/// A clock that does not add up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {seq}: {seat:?} had {before} ms, took {spent} ms, has {after} ms: {why}")]
pub struct ClockFault {
    /// The event whose clock is wrong.
    pub seq: u32,
    /// Whose clock.
    pub seat: Seat,
    /// What was left before.
    pub before: u64,
    /// The time since the clock was started, outages left out.
    pub spent: u64,
    /// What is said to be left.
    pub after: u64,
    /// What is wrong.
    pub why: &'static str,
}

/// Checks every clock of a game, from its first event on.
pub fn check(events: &[Event], outages: &[Outage]) -> Result<(), ClockFault> {
    let Some((Event::Born(born), rest)) = events.split_first() else {
        return Ok(());
    };
    let Ok(control) = born.terms.control.as_str().parse::<TimeControl>() else {
        let why = "the time control of the game is none";
        return Err(ClockFault {
            seq: 0,
            seat: Seat::White,
            before: 0,
            spent: 0,
            after: 0,
            why,
        });
    };
    let base = control.base().0;
    let black_first = born
        .terms
        .start_fen
        .as_ref()
        .is_some_and(|fen| fen.as_str().contains(" b "));
    let first = if black_first {
        Seat::Black
    } else {
        Seat::White
    };
    let mut account = Account {
        control,
        price: born.terms.wrong_claim,
        outages,
        clock: Clock {
            white: base,
            black: base,
            running: Some(first),
        },
        since: born.starts_at.max(born.at),
        turn_began_with: base,
        moves: [0, 0],
    };
    rest.iter().try_for_each(|event| account.enter(event))
}

struct Account<'a> {
    control: TimeControl,
    price: WrongClaim,
    outages: &'a [Outage],
    clock: Clock,
    /// Since when the running clock runs.
    since: u64,
    /// What the side to move had when its turn began, penalties taken off.
    turn_began_with: u64,
    /// Moves made by White and Black.
    moves: [u32; 2],
}

impl Account<'_> {
    fn enter(&mut self, event: &Event) -> Result<(), ClockFault> {
        let Some(after) = clock_of(event) else {
            return Ok(());
        };
        match event {
            Event::Moved(moved) => self.moved(event, moved)?,
            Event::Claimed(claim) => self.claimed(event, claim)?,
            Event::Paused(pause) => {
                self.bounded(event, u64::MAX)?;
                if pause.reason == PauseReason::Recovery {
                    self.until_outage(event, after)?;
                }
            }
            Event::Resumed(_) => self.unchanged(event, after)?,
            Event::Ended(ended) => {
                self.bounded(event, MAX_CREDIT_MS)?;
                if ended.outcome.ending == Ending::Time {
                    self.flag(event, ended.outcome.score)?;
                }
            }
            // A takeback gives clocks back by a rule of its own.
            _ => {}
        }
        self.clock = after;
        self.since = self.since.max(time_of(event));
        Ok(())
    }

    /// What the mover has left is what he had, less what he took, plus what the move earned.
    fn moved(&mut self, event: &Event, moved: &Moved) -> Result<(), ClockFault> {
        let seat = moved.seat;
        if self.clock.running.is_some_and(|running| running != seat) {
            return Err(self.fault(event, seat, "it was not his clock that ran"));
        }
        let left = self.left_after(seat, moved.at, moved.credit);
        self.moves[seat as usize] += 1;
        let (stage, next) = stage_of(&self.control, self.moves[seat as usize]);
        let bonus = match stage.bonus {
            Bonus::Fischer(each) => each.0,
            Bonus::Bronstein(each) => each.0.min(self.turn_began_with.saturating_sub(left)),
        };
        let earned = bonus + next.map_or(0, |stage| stage.base.0);
        self.due(event, seat, left + earned, earned)?;
        self.due(event, seat.other(), self.clock.of(seat.other()), 0)?;
        self.turn_began_with = moved.clock.of(seat.other());
        Ok(())
    }

    /// The claimant pays for his time, and for a wrong claim its price.
    fn claimed(&mut self, event: &Event, claim: &Claimed) -> Result<(), ClockFault> {
        let (loses, gains) = match claim.right {
            true => (0, 0),
            false => (self.price.claimant_loses, self.price.opponent_gains),
        };
        let (seat, other) = (claim.seat, claim.seat.other());
        let left = self.left_after(seat, claim.at, claim.credit);
        self.due(event, seat, left.saturating_sub(loses), 0)?;
        self.due(event, other, self.clock.of(other) + gains, gains)?;
        self.turn_began_with = self.turn_began_with.saturating_sub(loses);
        Ok(())
    }

    /// What `seat` has left at `at`, when `credit` of the time its clock ran is not charged.
    fn left_after(&self, seat: Seat, at: u64, credit: u64) -> u64 {
        let runs = self.clock.running == Some(seat);
        let spent = if runs { self.spent(at).0 } else { 0 };
        self.clock
            .of(seat)
            .saturating_sub(spent.saturating_sub(credit))
    }

    /// A clock must show what is due; around an outage a little less, or as if no time had been taken.
    fn due(&self, event: &Event, seat: Seat, due: u64, earned: u64) -> Result<(), ClockFault> {
        let has = clock_of(event).map_or(0, |clock| clock.of(seat));
        let (_, away) = self.spent(time_of(event));
        let (slack, most) = match away {
            0 => (0, due),
            _ => (OUTAGE_SLACK_MS, due.max(self.clock.of(seat) + earned)),
        };
        match has {
            has if has + slack < due => Err(self.fault(event, seat, "that is less than is due")),
            has if has > most => Err(self.fault(event, seat, "that is more than is due")),
            _ => Ok(()),
        }
    }

    /// No clock gains; the running one loses at most what went by, and all but `credit` of it.
    fn bounded(&self, event: &Event, credit: u64) -> Result<(), ClockFault> {
        let after = clock_of(event).expect("the caller has looked");
        for seat in [Seat::White, Seat::Black] {
            let (had, has) = (self.clock.of(seat), after.of(seat));
            if has > had {
                return Err(self.fault(event, seat, "a clock gained"));
            }
            let (spent, away) = self.spent(time_of(event));
            let runs = self.clock.running == Some(seat);
            let most = if runs {
                spent + if away > 0 { OUTAGE_SLACK_MS } else { 0 }
            } else {
                0
            };
            if had - has > most {
                return Err(self.fault(event, seat, "it was charged too much"));
            }
            if runs && away == 0 && had - has < spent.saturating_sub(credit).min(had) {
                return Err(self.fault(event, seat, "it was charged too little"));
            }
        }
        Ok(())
    }

    /// A recovered game is charged until the outage began, and for nothing of what it took to come back.
    fn until_outage(&self, event: &Event, after: Clock) -> Result<(), ClockFault> {
        let between = self.since..=time_of(event);
        let outage = self
            .outages
            .iter()
            .find(|outage| between.contains(&outage.from));
        let (Some(outage), Some(seat)) = (outage, self.clock.running) else {
            return Ok(());
        };
        let charged = self.clock.of(seat).saturating_sub(after.of(seat));
        if charged > outage.from - self.since + OUTAGE_SLACK_MS {
            return Err(self.fault(event, seat, "it was charged for the way back"));
        }
        Ok(())
    }

    fn unchanged(&self, event: &Event, after: Clock) -> Result<(), ClockFault> {
        let seats = [Seat::White, Seat::Black];
        match seats
            .into_iter()
            .find(|&seat| self.clock.of(seat) != after.of(seat))
        {
            Some(seat) => Err(self.fault(event, seat, "a standing clock moved")),
            None => Ok(()),
        }
    }

    /// A flag has fallen when nothing is left, and only the running one falls.
    fn flag(&self, event: &Event, score: Score) -> Result<(), ClockFault> {
        let after = clock_of(event).expect("an ending carries clocks");
        let Some(seat) = self.clock.running else {
            return Ok(());
        };
        if after.of(seat) > 0 {
            return Err(self.fault(event, seat, "his flag fell with time left"));
        }
        if score == winner(seat) {
            return Err(self.fault(event, seat, "he won by his own flag"));
        }
        Ok(())
    }

    /// The time the clock has run until `at`, and how long the server was away in between.
    fn spent(&self, at: u64) -> (u64, u64) {
        let overlap = |outage: &Outage| {
            outage
                .to
                .min(at)
                .saturating_sub(outage.from.max(self.since))
        };
        let away: u64 = self.outages.iter().map(overlap).sum();
        (at.saturating_sub(self.since).saturating_sub(away), away)
    }

    fn fault(&self, event: &Event, seat: Seat, why: &'static str) -> ClockFault {
        let after = clock_of(event).map_or(0, |clock| clock.of(seat));
        let (spent, _) = self.spent(time_of(event));
        let before = self.clock.of(seat);
        ClockFault {
            seq: event.place().1,
            seat,
            before,
            spent,
            after,
            why,
        }
    }
}

/// The stage in which a side makes its move number `made`, and the one that begins after it.
fn stage_of(control: &TimeControl, made: u32) -> (Stage, Option<Stage>) {
    let mut last_of_stage = 0;
    for (index, stage) in control.stages().iter().enumerate() {
        let Some(moves) = stage.moves else {
            return (*stage, None);
        };
        last_of_stage += moves;
        if made <= last_of_stage {
            let next = control.stages().get(index + 1).copied();
            return (*stage, next.filter(|_| made == last_of_stage));
        }
    }
    unreachable!("the last stage has no number of moves")
}

fn winner(seat: Seat) -> Score {
    match seat {
        Seat::White => Score::WhiteWins,
        Seat::Black => Score::BlackWins,
    }
}

#[cfg(test)]
mod tests;
