//! Every reason for which a request is not done. A code never changes its meaning; new ones may come.

use serde::{Deserialize, Serialize};

/// Whether it helps to send the same frame again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// No: it will be refused again.
    No,
    /// Yes, with the same id, after `retry_after` or half a second.
    SameId,
    /// Yes, with a new id, after `retry_after` or when the reason is gone.
    Later,
}

macro_rules! errors {
    ($( $(#[doc = $doc:literal])+ $variant:ident = $code:literal, $retry:ident $(, $article:literal)?; )+) => {
        /// Why a request was not done.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum ErrorCode {
            $( $(#[doc = $doc])+ #[serde(rename = $code)] $variant, )+
        }

        impl ErrorCode {
            /// Every code, in the order of the page.
            pub const ALL: &[ErrorCode] = &[$(ErrorCode::$variant),+];

            /// The code on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(ErrorCode::$variant => $code,)+ }
            }

            /// What it means, in one sentence.
            pub const fn meaning(self) -> &'static str {
                match self { $(ErrorCode::$variant => concat!($($doc),+).trim_ascii(),)+ }
            }

            /// Whether to send the frame again.
            pub const fn retry(self) -> Retry {
                match self { $(ErrorCode::$variant => Retry::$retry,)+ }
            }

            /// The article of the Laws that refuses it, where it is one.
            pub const fn article(self) -> Option<&'static str> {
                match self { $(ErrorCode::$variant => errors!(@article $($article)?),)+ }
            }
        }
    };
    (@article) => { None };
    (@article $article:literal) => { Some($article) };
}

errors! {
    /// The frame is not JSON.
    BadJson = "bad_json", No;
    /// No message has this `t`.
    UnknownMessage = "unknown_message", No;
    /// A field is missing, unknown, twice there, of a wrong type or out of bounds; or the frame is no object.
    BadMessage = "bad_message", No;

    /// `hello` must be the first frame and comes at most once.
    HelloMisplaced = "hello_misplaced", No;
    /// This needs a player: send `hello` with a ticket or token.
    NotSignedIn = "not_signed_in", No;
    /// The ticket or token is not valid, or no longer; the socket is closed.
    BadAuth = "bad_auth", No;
    /// The token was not given the scope for this.
    ScopeMissing = "scope_missing", No;
    /// Guests may not do this: sign up.
    GuestNotAllowed = "guest_not_allowed", No;
    /// Too much at once; wait `retry_after`.
    RateLimited = "rate_limited", Later;
    /// A queue is full; nothing was done.
    Busy = "busy", SameId;
    /// It is not known whether it was done; under the same id it is done at most once.
    Retry = "retry", SameId;
    /// The server is about to stop and takes no new games.
    Draining = "draining", Later;
    /// A fault of the server; it is logged there.
    Internal = "internal", Later;

    /// No game has this id.
    UnknownGame = "unknown_game", No;
    /// You do not play in this game.
    NotSeated = "not_seated", No;
    /// The game is not watched on this socket.
    NotWatched = "not_watched", No;
    /// More games are watched on this socket than `watched_games`.
    TooManyWatched = "too_many_watched", Later;
    /// You may not speak in this room.
    ChatNotAllowed = "chat_not_allowed", No;

    /// This id was used for another command.
    IdReused = "id_reused", No;
    /// The game is over.
    GameOver = "game_over", No, "10.1-10.6";
    /// The position has changed since: `ply` is not the present one.
    StalePly = "stale_ply", No;
    /// It is not your turn.
    NotYourTurn = "not_your_turn", No, "3.1";
    /// The move is not legal.
    IllegalMove = "illegal_move", No, "3-5, 9";
    /// An offer stands until it is answered.
    OfferCannotBeWithdrawn = "offer_cannot_be_withdrawn", No, "10.7";
    /// There is no open offer by the opponent.
    NoOpenOffer = "no_open_offer", No, "10.7";
    /// You may offer again when the opponent has offered.
    OfferNotAllowed = "offer_not_allowed", No, "10.7";
    /// A draw cannot be agreed before both sides have moved.
    AgreementTooEarly = "agreement_too_early", No, "FIDE 5.2.3";
    /// This profile knows no such claim.
    ClaimNotAvailable = "claim_not_available", No, "FIDE Online 5.4";
    /// This profile knows fifty moves only without an announced move.
    AnnouncementNotAvailable = "announcement_not_available", No, "10.12";
    /// Both sides have moved: resign, or play on.
    AbortTooLate = "abort_too_late", No;
    /// Moves are not taken back in this game.
    TakebackNotAllowed = "takeback_not_allowed", No, "6.1";
    /// There is no move of yours to take back.
    NothingToTakeBack = "nothing_to_take_back", No;
    /// A takeback is proposed already.
    TakebackAlreadyProposed = "takeback_already_proposed", No;
    /// No takeback is proposed by the opponent.
    NoTakebackProposed = "no_takeback_proposed", No;
    /// Absence is not claimed in this game.
    AbsenceNotClaimable = "absence_not_claimable", No;
    /// The opponent is there, or has not been away for long enough.
    OpponentNotAbsent = "opponent_not_absent", Later;
    /// As many offers and takebacks were proposed in this game as may be.
    TooManyProposals = "too_many_proposals", No;

    /// No open seek has this id.
    UnknownSeek = "unknown_seek", No;
    /// No pool has this clock.
    UnknownPool = "unknown_pool", No;
    /// No open challenge has this id.
    UnknownChallenge = "unknown_challenge", No;
    /// No player has this name.
    UnknownPlayer = "unknown_player", No;
    /// That is not yours to answer or to take back.
    NotYours = "not_yours", No;
    /// One does not play against oneself.
    OwnOpponent = "own_opponent", No;
    /// The clock is no time control, or not one that this server plays.
    ControlNotAllowed = "control_not_allowed", No;
    /// A rated game begins from the usual position; or the position is none.
    PositionNotAllowed = "position_not_allowed", No;
    /// You are playing a rated game: one at a time.
    AlreadyPlaying = "already_playing", Later;
    /// The opponent is playing a rated game.
    OpponentPlaying = "opponent_playing", Later;
    /// The opponent is not there.
    OpponentAway = "opponent_away", Later;
    /// You have as many open seeks as allowed.
    TooManySeeks = "too_many_seeks", Later;
    /// There are as many open challenges by you, or to that player, as allowed.
    TooManyChallenges = "too_many_challenges", Later;
    /// There is no finished game of yours that could be played again.
    RematchNotPossible = "rematch_not_possible", No;
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_code_is_the_same_in_json_and_as_text() {
        for code in ErrorCode::ALL {
            let quoted = format!("\"{}\"", code.as_str());
            assert_eq!(serde_json::to_string(code).unwrap(), quoted);
            assert_eq!(serde_json::from_str::<ErrorCode>(&quoted).unwrap(), *code);
        }
    }

    #[test]
    fn codes_differ_and_are_snake_case() {
        let codes: BTreeSet<&str> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(codes.len(), ErrorCode::ALL.len());
        assert!(
            codes
                .iter()
                .all(|code| code.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'))
        );
    }
}
