//! A move as the wire writes it, before it is judged.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move};

/// A move in UCI: origin, target and a lower-case promotion letter where there is one (`e2e4`,
/// `e7e8q`); castling is the king's two squares (`e1g1`). No null moves, no drops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Uci(UciMove);

/// A text that is not a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a move is written like e2e4 or e7e8q")]
pub struct ParseUciError;

impl Uci {
    /// The move as UCI writes it.
    pub fn of(mv: Move) -> Uci {
        Uci(mv.to_uci(CastlingMode::Standard))
    }

    /// The legal move of `position` that this names. Castling written as king takes rook is refused.
    pub(super) fn find_in(self, position: &Chess) -> Option<Move> {
        let mv = self.0.to_move(position).ok()?;
        (Uci::of(mv) == self).then_some(mv)
    }
}

impl FromStr for Uci {
    type Err = ParseUciError;

    fn from_str(text: &str) -> Result<Uci, ParseUciError> {
        let promotion = text.as_bytes().get(4);
        if text.bytes().any(|byte| byte.is_ascii_uppercase())
            || promotion.is_some_and(|letter| !b"qrbn".contains(letter))
        {
            return Err(ParseUciError);
        }
        match text.parse() {
            Ok(uci @ UciMove::Normal { .. }) => Ok(Uci(uci)),
            _ => Err(ParseUciError),
        }
    }
}

impl fmt::Display for Uci {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Uci {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Uci {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Uci, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}
