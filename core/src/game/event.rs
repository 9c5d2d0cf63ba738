//! What happened in a game, in order and without gaps: the record. Stored in this form, so a change
//! here changes the journal's format.

use serde::{Deserialize, Serialize};

use crate::board::Uci;
use crate::clock::BankReading;
use crate::game::{ClaimRule, Outcome, Terms};
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
}

/// Both clocks at the instant of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockReading {
    /// What each side has left.
    pub left: BySeat<Millis>,
    /// Whose clock runs from this instant on; none while clocks are stopped.
    pub running: Option<Seat>,
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
    /// When White's clock starts; a move before that costs nothing.
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
    /// A move was made, perhaps with an offer; clears the opponent's open offer and takeback proposal.
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
