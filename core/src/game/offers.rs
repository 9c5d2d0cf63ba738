//! Draw offers (10.6-10.9; 001: not again before the opponent has offered).

use crate::game::decide::{Case, draw};
use crate::game::{Decision, Ending, MAX_PROPOSALS, Refusal, Ruling, What};
use crate::id::{BySeat, Seat};

/// Who has offered, and who may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Offers {
    /// Whose offer stands: until it is accepted, declined, answered by a move, or the game ends.
    pub(super) open: Option<Seat>,
    /// Who has offered since the opponent last did.
    waits: BySeat<bool>,
}

impl Offers {
    pub(super) fn offered(&mut self, seat: Seat) {
        self.open = Some(seat);
        self.waits[seat] = true;
        self.waits[seat.other()] = false;
    }

    pub(super) fn closed(&mut self) {
        self.open = None;
    }

    /// A move answers the opponent's offer, not one's own (10.9).
    pub(super) fn answered_by_move(&mut self, mover: Seat) {
        if self.open == Some(mover.other()) {
            self.open = None;
        }
    }
}

impl Case<'_> {
    pub(super) fn offer(&self) -> Result<Decision, Refusal> {
        let seat = self.seat();
        if self.game.offers.open == Some(seat.other()) {
            return self.agree();
        }
        self.may_offer()?;
        self.may_agree(0)?;
        self.may_propose()?;
        let irregular = self.game.board.turn() != seat;
        Ok(self.say(What::Offered { seat, irregular }))
    }

    pub(super) fn accept(&self) -> Result<Decision, Refusal> {
        self.needs_offer()?;
        self.agree()
    }

    pub(super) fn decline(&self) -> Result<Decision, Refusal> {
        self.needs_offer()?;
        Ok(self.say(What::Declined { seat: self.seat() }))
    }

    /// Needs the right to offer: the opponent has offered since the last time. So in every profile: FIDE
    /// (11.5) forbids unreasonable offers and leaves to an arbiter which these are; a server takes 001.
    pub(super) fn may_offer(&self) -> Result<(), Refusal> {
        if self.game.offers.waits[self.seat()] {
            Err(Refusal::OfferNotAllowed)
        } else {
            Ok(())
        }
    }

    /// Needs both sides to have moved as often as the profile says (FIDE 5.2.3), `more` of the one who
    /// asks coming with the act.
    pub(super) fn may_agree(&self, more: u32) -> Result<(), Refusal> {
        let moves = |seat: Seat| self.game.moves_made(seat);
        let made = (moves(self.seat()) + more).min(moves(self.seat().other()));
        if made < self.game.laws.agreement_after {
            Err(Refusal::AgreementTooEarly)
        } else {
            Ok(())
        }
    }

    /// Needs room for one more proposal.
    pub(super) fn may_propose(&self) -> Result<(), Refusal> {
        if self.game.proposals < MAX_PROPOSALS {
            Ok(())
        } else {
            Err(Refusal::TooManyProposals)
        }
    }

    /// Something said that touches no clock.
    pub(super) fn say(&self, what: What) -> Decision {
        let mut draft = self.draft();
        draft.push(what);
        draft.ruled(Ruling::Done)
    }

    fn needs_offer(&self) -> Result<(), Refusal> {
        if self.game.offers.open == Some(self.seat().other()) {
            Ok(())
        } else {
            Err(Refusal::NoOpenOffer)
        }
    }

    fn agree(&self) -> Result<Decision, Refusal> {
        self.may_agree(0)?;
        Ok(self.end(draw(Ending::Agreement), Ruling::Done))
    }
}
