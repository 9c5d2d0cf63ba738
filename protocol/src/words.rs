//! The small vocabulary of the wire: seats, scores, endings, clocks, terms. Declared here and not
//! shared with the referee, so that neither can change the other by accident.

use std::fmt;

use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize};

use crate::limits::MAX_REQUEST_ID;
use crate::{Control, Fen, PlayerId};

macro_rules! word {
    ($(#[$doc:meta])* $name:ident { $( $(#[$vdoc:meta])* $variant:ident, )+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $( $(#[$vdoc])* $variant, )+
        }
    };
}

/// The number of a request, chosen by the client: an integer from 1 to 2^53-1, unique among one
/// player's requests. It is also the key under which a command to a game is done once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct RequestId(u64);

impl RequestId {
    /// The id of that number; none outside 1 to 2^53-1.
    pub const fn new(number: u64) -> Option<RequestId> {
        if number == 0 || number > MAX_REQUEST_ID {
            None
        } else {
            Some(RequestId(number))
        }
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl<'de> Deserialize<'de> for RequestId {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<RequestId, D::Error> {
        let number = u64::deserialize(from)?;
        RequestId::new(number)
            .ok_or_else(|| de::Error::custom("an id is an integer from 1 to 2^53-1"))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for RequestId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RequestId".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_REQUEST_ID,
            "description": "chosen by the client, unique among one player's requests",
        })
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

word! {
    /// A side of the board.
    Seat {
        /// Moves first.
        White,
        /// Moves second.
        Black,
    }
}

impl Seat {
    /// The opponent's seat.
    pub const fn other(self) -> Seat {
        match self {
            Seat::White => Seat::Black,
            Seat::Black => Seat::White,
        }
    }
}

/// One value per seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "BySeat_{T}"))]
pub struct BySeat<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

word! {
    /// The colour a player would like.
    ColourWish {
        /// White.
        White,
        /// Black.
        Black,
        /// Whichever.
        Random,
    }
}

word! {
    /// By which Laws a game is judged.
    Profile {
        /// The rule texts of 1992/93: everything on claim, a wrong claim costs five minutes.
        Classic,
        /// The FIDE Laws of 2023.
        Fide2023,
        /// The FIDE Online Chess Regulations: the server declares draws.
        FideOnline,
    }
}

word! {
    /// The rule a draw is claimed by.
    ClaimRule {
        /// The same position for the third time.
        Threefold,
        /// Fifty moves without capture or pawn move.
        Fifty,
    }
}

word! {
    /// What is claimed against an absent opponent.
    AbsenceClaim {
        /// The point.
        Win,
        /// Half of it.
        Draw,
    }
}

word! {
    /// A step of taking a move back.
    TakebackStep {
        /// Ask for it.
        Propose,
        /// Allow it.
        Accept,
        /// Refuse it.
        Decline,
    }
}

word! {
    /// What became of a command that was done.
    Ruling {
        /// It was done, now or when it was first sent.
        Done,
        /// The claim was right: the game is drawn.
        ClaimRight,
        /// The claim was wrong: the penalty is paid and an announced move is played.
        ClaimWrong,
        /// Your flag had fallen before: the game ended on time instead.
        FlagFallen,
    }
}

word! {
    /// Who got what.
    Score {
        /// 1-0
        WhiteWins,
        /// 0-1
        BlackWins,
        /// 1/2-1/2
        Draw,
        /// 0-0
        BothLose,
        /// No result.
        Void,
    }
}

word! {
    /// By which act or rule a game ended.
    Ending {
        /// Mate.
        Checkmate,
        /// No legal move, no check.
        Stalemate,
        /// Nobody can win any more.
        DeadPosition,
        /// A player resigned.
        Resignation,
        /// A flag fell.
        Time,
        /// The penalty of a wrong claim took the last of the time.
        WrongClaim,
        /// An offer was accepted.
        Agreement,
        /// A right claim of the third occurrence.
        Threefold,
        /// A right claim of fifty moves.
        Fifty,
        /// The server declared the third occurrence (profile `fide_online`).
        AutomaticThreefold,
        /// The server declared fifty moves (profile `fide_online`).
        AutomaticFifty,
        /// The fifth occurrence (profile `fide2023`).
        Fivefold,
        /// Seventy-five moves (profile `fide2023`).
        SeventyFive,
        /// The game reached the bound on half-moves.
        Adjudicated,
        /// Left before both sides had moved.
        Aborted,
        /// A first move did not come in time.
        NoFirstMove,
        /// Claimed after the opponent's absence.
        Absence,
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Outcome {
    /// Who got what.
    pub score: Score,
    /// Why.
    pub ending: Ending,
}

word! {
    /// Why clocks stand.
    PauseReason {
        /// The server was away; the side to move is awaited, at most 30 s.
        Recovery,
        /// The node with the socket of the side to move went away; he is awaited, at most 30 s.
        NodeLost,
        /// The server was slow to store; the time is given back.
        Stall,
    }
}

word! {
    /// The two rooms of a game.
    Room {
        /// The players'; spectators read it.
        Players,
        /// The spectators'; players do not get it while they play.
        Spectators,
    }
}

word! {
    /// Why a challenge is declined.
    DeclineReason {
        /// No reason.
        Generic,
        /// Not now.
        Later,
        /// Too short a clock.
        TooFast,
        /// Too long a clock.
        TooSlow,
        /// Another clock.
        TimeControl,
        /// Rated only.
        Rated,
        /// Casual only.
        Casual,
        /// Not against bots.
        NoBot,
        /// Against bots only.
        OnlyBot,
    }
}

/// Both clocks at one instant, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Clock {
    /// What White has left.
    pub white: u64,
    /// What Black has left.
    pub black: u64,
    /// Whose clock runs from this instant on; none while clocks stand.
    pub running: Option<Seat>,
}

impl Clock {
    /// What that seat has left.
    pub const fn of(&self, seat: Seat) -> u64 {
        match seat {
            Seat::White => self.white,
            Seat::Black => self.black,
        }
    }
}

/// A player as he was when the game began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Player {
    /// Who.
    pub id: PlayerId,
    /// The name to show.
    pub name: String,
    /// Whether it is a program's account.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
    /// Whether it is a guest.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guest: bool,
}

/// The price of a wrong claim, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WrongClaim {
    /// Taken off the claimant's clock; nothing left is a loss on time.
    pub claimant_loses: u64,
    /// Added to the opponent's clock.
    pub opponent_gains: u64,
}

/// What is agreed before the first move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Terms {
    /// The clock.
    pub control: Control,
    /// By which Laws the game is judged.
    pub profile: Profile,
    /// What a wrong claim costs in this game.
    pub wrong_claim: WrongClaim,
    /// Whether something differs from the published profile.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub local_rules: bool,
    /// Whether points and ratings are at stake.
    pub rated: bool,
    /// Whether measured lag is given back to the clock.
    pub lag_credit: bool,
    /// How long each side may take for its first move before the game is void, in ms; none = no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_move: Option<u64>,
    /// How long an absent player is waited for before the opponent may claim, in ms; none = no claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absence_grace: Option<u64>,
    /// The position to start from, where it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_fen: Option<Fen>,
}
