//! How a game ended.

use serde::{Deserialize, Serialize};

use crate::id::Seat;

/// Who got what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Score {
    /// 1-0
    WhiteWins,
    /// 0-1
    BlackWins,
    /// 1/2-1/2
    Draw,
    /// 0-0 (10.17)
    BothLose,
    /// `*`: the game is void.
    Void,
}

impl Score {
    /// The score of a win for `seat`.
    pub const fn win(seat: Seat) -> Score {
        match seat {
            Seat::White => Score::WhiteWins,
            Seat::Black => Score::BlackWins,
        }
    }

    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Seat> {
        match self {
            Score::WhiteWins => Some(Seat::White),
            Score::BlackWins => Some(Seat::Black),
            Score::Draw | Score::BothLose | Score::Void => None,
        }
    }

    /// As PGN writes it.
    pub const fn as_pgn(self) -> &'static str {
        match self {
            Score::WhiteWins => "1-0",
            Score::BlackWins => "0-1",
            Score::Draw => "1/2-1/2",
            Score::BothLose => "0-0",
            Score::Void => "*",
        }
    }
}

/// By which act or rule a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// 10.1
    Checkmate,
    /// 10.3
    Stalemate,
    /// 10.4: nobody can win.
    DeadPosition,
    /// 10.2; a draw when the opponent has a bare king and the profile says so (10.5).
    Resignation,
    /// 10.14; a draw when the opponent cannot win (10.5, FIDE 6.9).
    Time,
    /// The penalty of a wrong claim took the last of the time (10.13(2)).
    WrongClaim,
    /// 10.6
    Agreement,
    /// 10.10, on a claim.
    Threefold,
    /// 10.12, on a claim.
    Fifty,
    /// Declared by the server at the third occurrence (online 5.4).
    AutomaticThreefold,
    /// Declared by the server at fifty moves (online 5.4).
    AutomaticFifty,
    /// FIDE 9.6.1
    Fivefold,
    /// FIDE 9.6.2
    SeventyFive,
    /// The bound on half-moves.
    Adjudicated,
    /// Left before both sides had moved: void.
    Aborted,
    /// A first move did not come in time: void.
    NoFirstMove,
    /// Claimed after a disconnection, where the terms allow it.
    Absence,
}

/// A score and the ending that led to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Outcome {
    /// Who got what.
    pub score: Score,
    /// Why.
    pub ending: Ending,
}
