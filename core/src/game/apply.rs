//! What an event changes. Judges nothing.

use std::sync::Arc;

use crate::clock::ClockReading;
use crate::game::claims::Judged;
use crate::game::{Event, Game, PauseReason, What};
use crate::time::{Millis, Timestamp};

impl Game {
    /// Changes the game by its next event: one of [`Game::decide`] and its like, or of a record that
    /// [`Game::replay`] has checked.
    pub fn apply(&mut self, event: &Arc<Event>) {
        self.done.note(event, self.ply());
        if let Some(by) = event.by {
            self.heard(by.seat, event.at);
        }
        self.events.push(Arc::clone(event));
        match &event.what {
            What::Born(_) => unreachable!("a game is born once"),
            What::Moved {
                clock, bank, offer, ..
            } => {
                let mover = self.board.turn();
                self.advance(event.seq);
                self.banks[mover].adopt(*bank);
                self.offers.answered_by_move(mover);
                self.takeback = None;
                if *offer {
                    self.offers.offered(mover);
                }
                self.begin_turn(*clock, event.at);
            }
            What::Offered { seat, .. } => {
                self.proposals += 1;
                self.offers.offered(*seat);
            }
            What::Declined { .. } => self.offers.closed(),
            What::Claimed { .. } => self.note_claim(event),
            What::TakebackProposed { seat } => {
                self.proposals += 1;
                self.takeback = Some(*seat);
            }
            What::TakebackDeclined { .. } => self.takeback = None,
            What::TakenBack { plies, clock } => {
                self.rewind(self.ply() - plies);
                self.offers.closed();
                self.takeback = None;
                self.begin_turn(*clock, event.at);
            }
            What::Paused { reason, clock } => {
                if *reason == PauseReason::Recovery {
                    // The agreed start was dated by a clock that is gone.
                    self.not_before = Timestamp(0);
                }
                self.set_clock(*clock, event.at);
            }
            What::Resumed { clock } => self.set_clock(*clock, event.at),
            What::Ended { outcome, clock } => {
                self.offers.closed();
                self.takeback = None;
                self.outcome = Some(*outcome);
                self.set_clock(*clock, event.at);
            }
        }
    }

    fn begin_turn(&mut self, reading: ClockReading, at: Timestamp) {
        self.set_clock(reading, at);
        self.clock.begin_turn(self.board.turn());
    }

    fn set_clock(&mut self, reading: ClockReading, at: Timestamp) {
        self.clock.adopt(reading, at.max(self.not_before));
    }

    fn note_claim(&mut self, event: &Event) {
        let What::Claimed {
            seat,
            rule,
            announced,
            right,
            clock,
            bank,
            ..
        } = event.what
        else {
            return;
        };
        self.claims.push(Judged {
            seat,
            ply: self.ply(),
            rule,
            announced,
            right,
        });
        self.banks[seat].adopt(bank);
        self.set_clock(clock, event.at);
        let price = self.laws.wrong_claim.claimant_loses;
        self.clock
            .discount(if right { Millis::ZERO } else { price });
        if self.laws.claim_is_offer {
            self.offers.offered(seat);
        }
    }
}
