//! Claims against an opponent who is away, where the terms allow them.

use crate::game::decide::{Case, draw};
use crate::game::pause::Presence;
use crate::game::{AbsenceClaim, Decision, Ending, Outcome, Refusal, Ruling, Score};

impl Case<'_> {
    /// The point goes to the one who is there, if he could have won it; half of it always may.
    pub(super) fn claim_absence(&self, claim: AbsenceClaim) -> Result<Decision, Refusal> {
        let game = self.game;
        let seat = self.seat();
        let grace = game
            .birth()
            .terms
            .absence_grace
            .ok_or(Refusal::AbsenceNotClaimable)?;
        let gone = match game.presence[seat.other()] {
            Presence::Away { since } => self.receipt.at.since(since) >= grace,
            Presence::Here | Presence::Lost { .. } => false,
        };
        if !gone {
            return Err(Refusal::OpponentNotAbsent);
        }
        let outcome = match claim {
            AbsenceClaim::Win if game.can_win(seat) => Outcome {
                score: Score::win(seat),
                ending: Ending::Absence,
            },
            AbsenceClaim::Win | AbsenceClaim::Draw => draw(Ending::Absence),
        };
        Ok(self.end(outcome, Ruling::Done))
    }
}
