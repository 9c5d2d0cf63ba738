//! Time that runs out: the flag (10.14), the first move, the return of a player who is awaited.

use crate::game::decide::{Case, draw};
use crate::game::{Ending, Event, Game, Outcome, Score};
use crate::id::Seat;
use crate::laws::FlagDraw;
use crate::time::{Millis, Timestamp};

/// What a game waits for by the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// The flag of the side to move falls: what it has left has run off, and the lag credit it could
    /// still be granted (design, invariant 6).
    Flag,
    /// The side to move has not made its first move in time: the game is void.
    FirstMove,
    /// The clock of a player who was lost by our fault has stood for long enough and goes on.
    Return,
}

/// No result: the game never began.
const NO_FIRST_MOVE: Outcome = Outcome {
    score: Score::Void,
    ending: Ending::NoFirstMove,
};

impl Game {
    /// What happens next if nobody acts, and when.
    pub fn deadline(&self) -> Option<(Timer, Timestamp)> {
        if self.is_paused() {
            return Some((Timer::Return, self.awaited_until(self.board.turn())));
        }
        self.runs_out(self.credit_available())
    }

    /// The events of the deadline, if it has passed at `now`; to be applied.
    pub fn expire(&self, now: Timestamp) -> Vec<Event> {
        let Some((timer, _)) = self.deadline().filter(|&(_, at)| at <= now) else {
            return Vec::new();
        };
        let mut draft = self.draft(now.max(self.last_at()));
        match self.outcome_of(timer) {
            Some(outcome) => draft.end(outcome, self.clock),
            None => self.resume(&mut draft),
        }
        draft.into_events()
    }

    /// What the running clock comes to first, and when, if `credit` of its time is not charged.
    pub(super) fn runs_out(&self, credit: Millis) -> Option<(Timer, Timestamp)> {
        let turn = self.clock.running()?;
        let since = self.clock.since();
        let left = self.clock.left(turn, since);
        let (timer, left) = match self.first_move_left() {
            Some(first) if first < left => (Timer::FirstMove, first),
            _ => (Timer::Flag, left),
        };
        Some((timer, since + left + credit))
    }

    /// The result when the time of `loser` is gone: lost, or drawn against one who cannot win.
    pub(super) fn lost_on_time(&self, loser: Seat, ending: Ending) -> Outcome {
        let winner = loser.other();
        if self.can_win(winner) {
            Outcome {
                score: Score::win(winner),
                ending,
            }
        } else {
            draw(ending)
        }
    }

    /// Whether `seat` could still win, as the profile judges it after a fallen flag (10.5, FIDE 6.9).
    pub(super) fn can_win(&self, seat: Seat) -> bool {
        match self.laws.flag_draws {
            FlagDraw::BareKing => !self.board.has_bare_king(seat),
            FlagDraw::CannotMate => self.board.can_mate(seat),
        }
    }

    /// How a timer ends the game; none when it does not.
    fn outcome_of(&self, timer: Timer) -> Option<Outcome> {
        match timer {
            Timer::Flag => Some(self.lost_on_time(self.board.turn(), Ending::Time)),
            Timer::FirstMove => Some(NO_FIRST_MOVE),
            Timer::Return => None,
        }
    }

    /// What the side to move may still be credited for the lag of a move under way.
    fn credit_available(&self) -> Millis {
        match self.clock.running() {
            Some(seat) if self.birth().terms.lag_credit => self.banks[seat].available(),
            _ => Millis::ZERO,
        }
    }

    /// What was left for the first move of the side to move when its clock was started; none when it has
    /// moved, or has no limit.
    fn first_move_left(&self) -> Option<Millis> {
        let limit = self.birth().terms.first_move?;
        let turn = self.board.turn();
        (self.moves_made(turn) == 0).then(|| limit - self.clock.used(turn, self.clock.since()))
    }
}

impl Case<'_> {
    /// How the time of the side to move had ended the game before this act. For an act of its own only
    /// the credit granted counts; while the opponent acts a move of its own may still be under way.
    pub(super) fn overdue(&self) -> Option<Outcome> {
        let game = self.game;
        let own = game.clock.running() == Some(self.seat());
        let credit = if own {
            self.credit
        } else {
            game.credit_available()
        };
        let (timer, at) = game.runs_out(credit)?;
        let passed = at <= self.receipt.at;
        passed.then(|| game.outcome_of(timer)).flatten()
    }
}
