//! What was agreed before the first move. Fixed at birth.

use serde::{Deserialize, Serialize};

use crate::board::Board;
use crate::clock::TimeControl;
use crate::laws::{Laws, Profile, WrongClaim};
use crate::time::Millis;

/// A game of this many half-moves is drawn by adjudication: every table is bounded. The longest known
/// tournament game had 538.
pub const MAX_PLIES: u32 = 1200;

/// So many draw offers and takebacks may be proposed in one game besides those that come with a move: one
/// for every other half-move of the longest game, so that a record stays bounded.
pub const MAX_PROPOSALS: u32 = MAX_PLIES / 2;

/// The terms of one game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The clock.
    pub control: TimeControl,
    /// By which Laws it is judged.
    pub profile: Profile,
    /// Another price of a wrong claim than the profile's: the game then has local rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrong_claim: Option<WrongClaim>,
    /// Whether points and ratings are at stake.
    pub rated: bool,
    /// Whether measured lag is credited to the clock.
    pub lag_credit: bool,
    /// How long each side may take for its first move before the game is void; none = no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_move: Option<Millis>,
    /// How long a disconnected player may stay away before the opponent may claim; none = no claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absence_grace: Option<Millis>,
    /// Another position than the usual one to start from (FEN); casual games only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_fen: Option<String>,
}

impl Terms {
    /// The position the game begins from; none when [`Terms::start_fen`] is not a position.
    pub fn start_board(&self) -> Option<Board> {
        match &self.start_fen {
            Some(fen) => Board::from_fen(fen).ok(),
            None => Some(Board::default()),
        }
    }

    /// What the profile says, with the agreed price of a wrong claim.
    pub fn laws(&self) -> Laws {
        let laws = self.profile.laws(self.control.expected());
        Laws {
            wrong_claim: self.wrong_claim.unwrap_or(laws.wrong_claim),
            ..laws
        }
    }

    /// Whether something was agreed that no published profile says.
    pub fn has_local_rules(&self) -> bool {
        self.laws() != self.profile.laws(self.control.expected())
    }
}
