//! What a player asks of a game.

use serde::{Deserialize, Serialize};

use crate::board::Uci;
use crate::id::{CommandId, Seat};
use crate::time::{Millis, Timestamp};

/// One request of a player, answering the position he saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// Who asks.
    pub seat: Seat,
    /// The key under which it is done once.
    pub id: CommandId,
    /// Half-moves played in the position it answers; another position than that on the board is
    /// refused, except with a resignation, which answers the game.
    pub ply: u32,
    /// What is asked.
    pub act: Act,
}

/// The acts of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Play a move, perhaps offering a draw with it (10.7).
    Move {
        /// The move.
        uci: Uci,
        /// Whether a draw is offered with it.
        offer: bool,
    },
    /// Offer a draw without a move (10.8, 10.9).
    Offer,
    /// Accept the open offer (10.6).
    Accept,
    /// Decline the open offer (10.7).
    Decline,
    /// Take an offer back: never allowed (10.7), named so that the refusal can say so.
    Withdraw,
    /// Claim a draw (10.10, 10.12), now or by the move announced.
    Claim {
        /// By which rule.
        rule: ClaimRule,
        /// The move that would complete the claim; not played when the claim is right.
        announced: Option<Uci>,
    },
    /// Resign (10.2).
    Resign,
    /// Leave the game before both sides have moved: no result.
    Abort,
    /// Ask to take the last own move back; casual games only.
    ProposeTakeback,
    /// Allow it.
    AcceptTakeback,
    /// Refuse it.
    DeclineTakeback,
    /// Claim after the opponent's disconnection outlasted the grace of the terms.
    ClaimAbsence {
        /// What is claimed.
        claim: AbsenceClaim,
    },
}

/// The rules a draw can be claimed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimRule {
    /// The same position for the third time (10.10).
    Threefold,
    /// Fifty moves without capture or pawn move (10.12).
    Fifty,
}

/// What a present player may claim against an absent one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AbsenceClaim {
    /// The point.
    Win,
    /// Half of it.
    Draw,
}

/// When a command reached the server, and what the wire took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// The instant of receipt by the owner's clock, less how long the gateway and the bus held it.
    pub at: Timestamp,
    /// The lag measured on the player's connection; how much of it is credited the lag bank decides.
    pub lag: Millis,
}
