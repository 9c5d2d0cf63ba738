//! Leaving a game: resignation (10.2) and abort.

use crate::game::decide::{Case, draw};
use crate::game::{Decision, Ending, Outcome, Refusal, Ruling, Score};
use crate::id::Seat;

impl Case<'_> {
    /// Lost, or drawn where a bare king cannot be the winner (10.5).
    pub(super) fn resign(&self) -> Decision {
        let game = self.game;
        let winner = self.seat().other();
        let cannot_win =
            game.laws.resignation_to_bare_king_draws && game.board.has_bare_king(winner);
        let outcome = if cannot_win {
            draw(Ending::Resignation)
        } else {
            Outcome {
                score: Score::win(winner),
                ending: Ending::Resignation,
            }
        };
        self.end(outcome, Ruling::Done)
    }

    pub(super) fn abort(&self) -> Result<Decision, Refusal> {
        if Seat::BOTH
            .iter()
            .all(|&seat| self.game.moves_made(seat) > 0)
        {
            return Err(Refusal::AbortTooLate);
        }
        let outcome = Outcome {
            score: Score::Void,
            ending: Ending::Aborted,
        };
        Ok(self.end(outcome, Ruling::Done))
    }
}
