//! The order of judgement: repeats, then the flag of the side to move, then the refusals in their order.

use crate::clock::ChessClock;
use crate::game::{
    Act, By, Command, Decision, Ending, Event, Game, Outcome, Receipt, Refusal, Ruling, Score, What,
};
use crate::id::{Seat, Seq};
use crate::time::{Millis, Timestamp};

/// A command before the game, with what its receipt makes of the time.
pub(super) struct Case<'a> {
    pub(super) game: &'a Game,
    pub(super) command: &'a Command,
    pub(super) receipt: Receipt,
    /// The lag given back when the side to move is the one who acts; else nothing.
    pub(super) credit: Millis,
}

/// Events under way: numbered, dated and signed as they are added.
pub(super) struct Draft<'a> {
    game: &'a Game,
    /// The command that causes them; none when the server acts by itself.
    cause: Option<&'a Command>,
    at: Timestamp,
    events: Vec<Event>,
}

impl Game {
    /// Judges a command. Changes nothing: the caller applies the events, in order.
    pub fn decide(&self, command: &Command, receipt: Receipt) -> Result<Decision, Refusal> {
        if let Some(ruling) = self.repeated(command)? {
            let events = Vec::new();
            return Ok(Decision { events, ruling });
        }
        let case = Case {
            game: self,
            command,
            receipt,
            credit: self.credit(command.seat, receipt),
        };
        if let Some(outcome) = case.overdue() {
            return Ok(case.end(outcome, Ruling::FlagFallen));
        }
        if self.outcome.is_some() {
            return Err(Refusal::GameOver);
        }
        if command.ply != self.ply() && command.act != Act::Resign {
            return Err(Refusal::StalePly);
        }
        case.judge()
    }

    /// The ruling on what was done before: under this key, or the same claim on the same ply.
    fn repeated(&self, command: &Command) -> Result<Option<Ruling>, Refusal> {
        match self.done.ruling(command)? {
            None => Ok(self.ruled_claim(command)),
            ruling => Ok(ruling),
        }
    }

    fn credit(&self, seat: Seat, receipt: Receipt) -> Millis {
        if !self.birth().terms.lag_credit || self.clock.running() != Some(seat) {
            return Millis::ZERO;
        }
        self.banks[seat].credit(receipt.lag, self.clock.ran(receipt.at))
    }

    /// A draft of what the server does by itself at `at`.
    pub(super) fn draft(&self, at: Timestamp) -> Draft<'_> {
        Draft {
            game: self,
            cause: None,
            at,
            events: Vec::new(),
        }
    }
}

impl<'a> Case<'a> {
    pub(super) fn seat(&self) -> Seat {
        self.command.seat
    }

    /// Draws what the command leads to. Events never go back in time: a message that was held on its
    /// way is charged as of its receipt, and takes effect after what happened meanwhile.
    pub(super) fn draft(&self) -> Draft<'a> {
        Draft {
            game: self.game,
            cause: Some(self.command),
            at: self.receipt.at.max(self.game.last_at()),
            events: Vec::new(),
        }
    }

    /// The clock stopped by the act: the side to move is charged up to it.
    pub(super) fn stopped_clock(&self) -> ChessClock {
        let mut clock = self.game.clock;
        clock.stop(self.receipt.at, self.credit);
        clock
    }

    /// Ends the game by the act.
    pub(super) fn end(&self, outcome: Outcome, ruling: Ruling) -> Decision {
        let mut draft = self.draft();
        draft.end(outcome, self.stopped_clock());
        draft.ruled(ruling)
    }

    /// Needs the turn of the one who asks (3.1).
    pub(super) fn on_move(&self) -> Result<(), Refusal> {
        if self.game.board.turn() == self.seat() {
            Ok(())
        } else {
            Err(Refusal::NotYourTurn)
        }
    }

    fn judge(&self) -> Result<Decision, Refusal> {
        match self.command.act {
            Act::Move { uci, offer } => self.make_move(uci, offer),
            Act::Offer => self.offer(),
            Act::Accept => self.accept(),
            Act::Decline => self.decline(),
            Act::Withdraw => Err(Refusal::OfferCannotBeWithdrawn),
            Act::Claim { rule, announced } => self.claim(rule, announced),
            Act::Resign => Ok(self.resign()),
            Act::Abort => self.abort(),
            Act::ProposeTakeback => self.propose_takeback(),
            Act::AcceptTakeback => self.accept_takeback(),
            Act::DeclineTakeback => self.decline_takeback(),
            Act::ClaimAbsence { claim } => self.claim_absence(claim),
        }
    }
}

impl Draft<'_> {
    pub(super) fn at(&self) -> Timestamp {
        self.at
    }

    pub(super) fn push(&mut self, what: What) {
        let Seq(next) = self.game.next_seq();
        let ahead = u32::try_from(self.events.len()).expect("a decision is a few events");
        // Only the first event tells what was asked; the others name the key.
        let by = self.cause.map(|command| {
            if self.events.is_empty() {
                By::of(command, self.game.ply(), &what)
            } else {
                By {
                    seat: command.seat,
                    id: command.id,
                    asked: None,
                }
            }
        });
        self.events.push(Event {
            seq: Seq(next + ahead),
            at: self.at,
            by,
            what,
        });
    }

    pub(super) fn end(&mut self, outcome: Outcome, mut clock: ChessClock) {
        clock.stop(self.at, Millis::ZERO);
        self.push(What::Ended {
            outcome,
            clock: clock.reading(),
        });
    }

    pub(super) fn ruled(self, ruling: Ruling) -> Decision {
        Decision {
            events: self.events,
            ruling,
        }
    }

    pub(super) fn into_events(self) -> Vec<Event> {
        self.events
    }
}

/// A draw by that rule.
pub(super) fn draw(ending: Ending) -> Outcome {
    Outcome {
        score: Score::Draw,
        ending,
    }
}
