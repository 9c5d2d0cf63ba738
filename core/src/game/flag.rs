//! Time that runs out: the flag (10.14), the first move, the return of a player who is awaited.

use crate::board::Board;
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

impl Game {
    /// What happens next if nobody acts, and when.
    pub fn deadline(&self) -> Option<(Timer, Timestamp)> {
        if self.outcome.is_some() {
            return None;
        }
        let turn = self.board.turn();
        if self.clock.running().is_none() {
            return Some((Timer::Return, self.awaited_until(turn)));
        }
        let since = self.clock.since();
        let lag = self.credit_available();
        let flag = since + self.clock.left(turn, since) + lag;
        let first = self.first_move_left(since).map(|left| since + left + lag);
        match first {
            Some(first) if first < flag => Some((Timer::FirstMove, first)),
            _ => Some((Timer::Flag, flag)),
        }
    }

    /// The events of the deadline, if it has passed at `now`; to be applied.
    pub fn expire(&self, now: Timestamp) -> Vec<Event> {
        let Some((timer, at)) = self.deadline() else {
            return Vec::new();
        };
        if now < at {
            return Vec::new();
        }
        let mut draft = self.draft(now.max(self.last_at()));
        match timer {
            Timer::Flag | Timer::FirstMove => {
                let outcome = match timer {
                    Timer::FirstMove => NO_FIRST_MOVE,
                    _ => self.lost_on_time(self.board.turn(), Ending::Time),
                };
                draft.end(outcome, self.clock);
            }
            Timer::Return => self.resume(&mut draft),
        }
        draft.into_events()
    }

    /// The result when the time of `loser` is gone: lost, or drawn against one who cannot win.
    pub(super) fn lost_on_time(&self, loser: Seat, ending: Ending) -> Outcome {
        let winner = loser.other();
        if self.can_win(&self.board, winner) {
            Outcome {
                score: Score::win(winner),
                ending,
            }
        } else {
            draw(ending)
        }
    }

    /// Whether `seat` could still win, as the profile judges it after a fallen flag (10.5, FIDE 6.9).
    pub(super) fn can_win(&self, board: &Board, seat: Seat) -> bool {
        match self.laws.flag_draws {
            FlagDraw::BareKing => !board.has_bare_king(seat),
            FlagDraw::CannotMate => board.can_mate(seat),
        }
    }

    /// What the side to move may still be credited for the lag of a move under way.
    fn credit_available(&self) -> Millis {
        match self.clock.running() {
            Some(seat) if self.birth().terms.lag_credit => self.banks[seat].available(),
            _ => Millis::ZERO,
        }
    }

    /// What is left at `at` for the first move of the side to move; none when it has moved, or has no
    /// limit.
    fn first_move_left(&self, at: Timestamp) -> Option<Millis> {
        let limit = self.birth().terms.first_move?;
        let turn = self.board.turn();
        (self.moves_made(turn) == 0).then(|| limit - self.clock.used(turn, at))
    }
}

/// No result: the game never began.
const NO_FIRST_MOVE: Outcome = Outcome {
    score: Score::Void,
    ending: Ending::NoFirstMove,
};

impl Case<'_> {
    /// How the time of the side to move had ended the game before this act. For an act of its own only
    /// the credit granted counts; while the opponent acts a move of its own may still be under way.
    pub(super) fn overdue(&self) -> Option<Outcome> {
        let game = self.game;
        let running = game.clock.running()?;
        let credit = if running == self.seat() {
            self.credit
        } else {
            game.credit_available()
        };
        let at = game.clock.since() + (game.clock.ran(self.receipt.at) - credit);
        if game.clock.left(running, at).is_zero() {
            return Some(game.lost_on_time(running, Ending::Time));
        }
        let late = game.first_move_left(at).is_some_and(|left| left.is_zero());
        late.then_some(NO_FIRST_MOVE)
    }
}
