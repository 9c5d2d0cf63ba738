//! What happened in a game, in order and without gaps: the record. Stored in this form, so a change
//! here changes the journal's format.

use serde::{Deserialize, Serialize};

use crate::board::Uci;
use crate::clock::{BankReading, ClockReading};
use crate::game::{AbsenceClaim, Act, ClaimRule, Command, Ending, Outcome, Score, Terms};
use crate::id::{BySeat, CommandId, GameId, PlayerId, Seat, Seq};
use crate::time::{Millis, Timestamp};

/// One numbered happening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Its number: the birth is 0.
    pub seq: Seq,
    /// When it took effect, by the owner's clock.
    pub at: Timestamp,
    /// The command it answers; none for what the server did by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<By>,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
}

/// Whose command caused an event, and under which key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct By {
    /// Who.
    pub seat: Seat,
    /// The key.
    pub id: CommandId,
    /// What was asked, where the event and its place do not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
}

/// A command without its sender and key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Half-moves played in the position it answered.
    pub ply: u32,
    /// What was asked.
    pub act: Act,
}

impl By {
    /// The cause of `what`, which happens to a game of `ply` half-moves because of `command`.
    pub(super) fn of(command: &Command, ply: u32, what: &What) -> By {
        let asked = Asked {
            ply: command.ply,
            act: command.act,
        };
        let told = what.told_act().map(|act| Asked { ply, act });
        By {
            seat: command.seat,
            id: command.id,
            asked: (told != Some(asked)).then_some(asked),
        }
    }
}

/// A seat's player as he was at birth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// Who.
    pub id: PlayerId,
    /// The name shown, with its own spelling.
    pub name: String,
    /// Whether it is a bot account.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
    /// Whether it is a guest.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guest: bool,
}

/// Everything a game is born with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Birth {
    /// The game.
    pub game: GameId,
    /// What was agreed.
    pub terms: Terms,
    /// Who plays.
    pub players: BySeat<Player>,
    /// When White's clock starts, or with the birth where that comes later; a move before that costs
    /// nothing.
    pub starts_at: Timestamp,
}

/// Why clocks stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PauseReason {
    /// The server was away and the game was recovered; the side to move is awaited.
    Recovery,
    /// The node that held the socket of the side to move went away.
    NodeLost,
    /// The server was slow to store; the time is given back.
    Stall,
}

/// The happenings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum What {
    /// The game began to exist. Always number 0.
    Born(Box<Birth>),
    /// A move was made, perhaps with an offer; clears the opponent's open offer and any takeback
    /// proposal.
    Moved {
        /// The move in UCI.
        uci: Uci,
        /// The move in SAN.
        san: String,
        /// Both clocks after it, increment or next stage included.
        clock: ClockReading,
        /// Lag given back to the mover.
        #[serde(default, skip_serializing_if = "Millis::is_zero")]
        credit: Millis,
        /// The mover's lag bank after it.
        bank: BankReading,
        /// Whether a draw was offered with it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        offer: bool,
    },
    /// A draw was offered without a move.
    Offered {
        /// By whom.
        seat: Seat,
        /// On the opponent's time (10.8): valid, but irregular.
        irregular: bool,
    },
    /// The open offer was declined in words.
    Declined {
        /// By whom.
        seat: Seat,
    },
    /// A claim was judged. A wrong one with an announced move is followed by `Moved`, one that empties
    /// the clock or is right by `Ended`.
    Claimed {
        /// By whom.
        seat: Seat,
        /// By which rule.
        rule: ClaimRule,
        /// The announced move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        announced: Option<Uci>,
        /// The verdict.
        right: bool,
        /// Both clocks after the penalty.
        clock: ClockReading,
        /// Lag given back to the claimant.
        #[serde(default, skip_serializing_if = "Millis::is_zero")]
        credit: Millis,
        /// The claimant's lag bank after it.
        bank: BankReading,
    },
    /// A takeback was proposed.
    TakebackProposed {
        /// By whom.
        seat: Seat,
    },
    /// It was refused.
    TakebackDeclined {
        /// By whom.
        seat: Seat,
    },
    /// Half-moves were taken back so that the proposer has the move again.
    TakenBack {
        /// How many.
        plies: u32,
        /// Both clocks after it.
        clock: ClockReading,
    },
    /// Clocks were stopped.
    Paused {
        /// Why.
        reason: PauseReason,
        /// Both clocks, nobody's running.
        clock: ClockReading,
    },
    /// Clocks go on.
    Resumed {
        /// Both clocks.
        clock: ClockReading,
    },
    /// The game ended. Always the last event.
    Ended {
        /// How.
        outcome: Outcome,
        /// Both clocks as they stopped.
        clock: ClockReading,
    },
}

impl What {
    /// The act that leads to this happening when nothing else is said: most commands need not be stored
    /// beside what came of them.
    pub(super) fn told_act(&self) -> Option<Act> {
        match *self {
            What::Moved { uci, offer, .. } => Some(Act::Move { uci, offer }),
            What::Offered { .. } => Some(Act::Offer),
            What::Declined { .. } => Some(Act::Decline),
            What::Claimed {
                rule, announced, ..
            } => Some(Act::Claim { rule, announced }),
            What::TakebackProposed { .. } => Some(Act::ProposeTakeback),
            What::TakebackDeclined { .. } => Some(Act::DeclineTakeback),
            What::TakenBack { .. } => Some(Act::AcceptTakeback),
            What::Ended { outcome, .. } => outcome.told_act(),
            What::Born(_) | What::Paused { .. } | What::Resumed { .. } => None,
        }
    }
}

impl Outcome {
    fn told_act(self) -> Option<Act> {
        match self.ending {
            Ending::Agreement => Some(Act::Accept),
            Ending::Resignation => Some(Act::Resign),
            Ending::Aborted => Some(Act::Abort),
            Ending::Absence if self.score == Score::Draw => Some(Act::ClaimAbsence {
                claim: AbsenceClaim::Draw,
            }),
            Ending::Absence => Some(Act::ClaimAbsence {
                claim: AbsenceClaim::Win,
            }),
            _ => None,
        }
    }
}
