//! The numbered events of a game: what the record keeps and a client may ask for again from any
//! number. 0 is `born`, then there is no gap.

use serde::{Deserialize, Deserializer, Serialize};

use crate::tagged::{self, messages};
use crate::{BySeat, ClaimRule, Clock, GameId, Outcome, PauseReason, Player, Seat, Terms, Uci};

messages! {
    /// One numbered event.
    pub enum Event {
        /// The game began to exist; always number 0.
        "born" => Born(Born),
        /// A move was made. Clears the opponent's open offer and takeback proposal.
        "moved" => Moved(Moved),
        /// A draw was offered without a move.
        "offered" => Offered(Offered),
        /// The open offer was declined in words.
        "declined" => Declined(Declined),
        /// A claim was judged.
        "claimed" => Claimed(Claimed),
        /// A takeback was proposed.
        "takeback_proposed" => TakebackProposed(TakebackProposed),
        /// It was refused.
        "takeback_declined" => TakebackDeclined(TakebackDeclined),
        /// Half-moves were taken back.
        "taken_back" => TakenBack(TakenBack),
        /// Clocks were stopped.
        "paused" => Paused(Paused),
        /// Clocks go on.
        "resumed" => Resumed(Resumed),
        /// The game ended; always the last event.
        "ended" => Ended(Ended),
    }
}

impl Event {
    /// Its game and its number in it.
    pub fn place(&self) -> (GameId, u32) {
        match self {
            Event::Born(e) => (e.game, e.seq),
            Event::Moved(e) => (e.game, e.seq),
            Event::Offered(e) => (e.game, e.seq),
            Event::Declined(e) => (e.game, e.seq),
            Event::Claimed(e) => (e.game, e.seq),
            Event::TakebackProposed(e) => (e.game, e.seq),
            Event::TakebackDeclined(e) => (e.game, e.seq),
            Event::TakenBack(e) => (e.game, e.seq),
            Event::Paused(e) => (e.game, e.seq),
            Event::Resumed(e) => (e.game, e.seq),
            Event::Ended(e) => (e.game, e.seq),
        }
    }
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Event, D::Error> {
        tagged::nested(from)
    }
}

macro_rules! events {
    ($(
        $(#[$doc:meta])*
        $name:ident { $( $(#[$fdoc:meta])* $field:ident: $type:ty, )* }
    )+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct $name {
            /// The game.
            pub game: GameId,
            /// The number of the event in its game.
            pub seq: u32,
            /// When it took effect: Unix milliseconds by the clock of the game's owner.
            pub at: u64,
            $( $(#[$fdoc])* pub $field: $type, )*
        }
    )+};
}

events! {
    /// What was agreed, and by whom.
    Born {
        /// What was agreed.
        terms: Terms,
        /// Who plays.
        players: BySeat<Player>,
        /// When White's clock starts, not before `at`; a move before that costs nothing.
        starts_at: u64,
    }

    /// A move.
    Moved {
        /// By whom.
        seat: Seat,
        /// Half-moves played after it: what the next command's `ply` must be.
        ply: u32,
        /// The move.
        uci: Uci,
        /// The same in SAN.
        san: String,
        /// Both clocks after it, increment or next stage included.
        clock: Clock,
        /// Lag given back to the mover, in ms.
        #[serde(default, skip_serializing_if = "is_zero")]
        credit: u64,
        /// Whether a draw was offered with it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        offer: bool,
    }

    /// An offer without a move.
    Offered {
        /// By whom.
        seat: Seat,
        /// Whether it was made on the opponent's time: valid, but irregular.
        irregular: bool,
    }

    /// A refusal of an offer.
    Declined {
        /// By whom.
        seat: Seat,
    }

    /// A judged claim. A right one is followed by `ended`; a wrong one by the announced move, or by
    /// `ended` when the penalty took the last of the time.
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
        clock: Clock,
        /// Lag given back to the claimant, in ms.
        #[serde(default, skip_serializing_if = "is_zero")]
        credit: u64,
    }

    /// A wish to take a move back.
    TakebackProposed {
        /// By whom.
        seat: Seat,
    }

    /// Its refusal.
    TakebackDeclined {
        /// By whom.
        seat: Seat,
    }

    /// Moves taken back, so that the proposer has the move again.
    TakenBack {
        /// How many half-moves.
        plies: u32,
        /// Half-moves played after it.
        ply: u32,
        /// Both clocks after it.
        clock: Clock,
    }

    /// Stopped clocks.
    Paused {
        /// Why.
        reason: PauseReason,
        /// Both clocks, nobody's running.
        clock: Clock,
    }

    /// Running clocks.
    Resumed {
        /// Both clocks.
        clock: Clock,
    }

    /// The end.
    Ended {
        /// How.
        outcome: Outcome,
        /// Both clocks as they stopped.
        clock: Clock,
    }
}

fn is_zero(span: &u64) -> bool {
    *span == 0
}
