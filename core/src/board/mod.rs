//! A position and what the Laws say of it: legality, mate, stalemate, repetition, dead positions.
//! Move generation is shakmaty's; knows nothing of clocks, offers or players.

mod fen;
mod key;
mod material;
mod uci;

use std::fmt;

use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode, Position};

pub use fen::FenError;
pub use key::PositionKey;
pub use shakmaty::san::SanPlus;
pub use shakmaty::{Move, MoveList};
pub use uci::{ParseUciError, Uci};

use crate::id::Seat;

/// A position with its side to move, castling rights, en-passant square and move counters.
#[derive(Clone, Default)]
pub struct Board {
    chess: Chess,
}

/// Equal boards have equal FEN texts, counters included; for the sameness of article 10.10 compare
/// [`Board::key`].
impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.chess == other.chess
            && self.chess.halfmoves() == other.chess.halfmoves()
            && self.chess.fullmoves() == other.chess.fullmoves()
    }
}

impl Eq for Board {}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Board").field(&self.fen()).finish()
    }
}

impl Board {
    /// The position of a FEN text, if a game can be played from it.
    pub fn from_fen(text: &str) -> Result<Board, FenError> {
        fen::parse(text).map(|chess| Board { chess })
    }

    /// The FEN of this position; the en-passant square is named only when a legal capture exists.
    pub fn fen(&self) -> String {
        Fen::from_position(&self.chess, EnPassantMode::Legal).to_string()
    }

    /// Who has the move.
    pub fn turn(&self) -> Seat {
        self.chess.turn().into()
    }

    /// The number of the move about to be made, as a score sheet counts: one for both sides.
    pub fn move_number(&self) -> u32 {
        self.chess.fullmoves().get()
    }

    /// The legal move that `uci` names, if there is one (articles 3-5, 9).
    pub fn legal(&self, uci: Uci) -> Option<Move> {
        uci.find_in(&self.chess)
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        self.chess.legal_moves()
    }

    /// Plays a move that [`Board::legal`] gave for this very position.
    pub fn play(&mut self, mv: Move) {
        self.chess.play_unchecked(mv);
    }

    /// The standard algebraic notation of a legal move, with its check or mate sign.
    pub fn san(&self, mv: Move) -> SanPlus {
        SanPlus::from_move(self.chess.clone(), mv)
    }

    /// What makes two positions the same (article 10.10).
    pub fn key(&self) -> PositionKey {
        PositionKey::of(&self.chess)
    }

    /// Half-moves since the last capture or pawn move (article 10.12).
    pub fn half_moves(&self) -> u32 {
        self.chess.halfmoves()
    }

    /// How many men give check to the side to move: none, one or two (article 9.1).
    pub fn checkers(&self) -> usize {
        self.chess.checkers().count()
    }

    /// Whether the side to move is in check (article 9.1).
    pub fn is_check(&self) -> bool {
        self.chess.is_check()
    }

    /// Whether the side to move is checkmated (article 10.1).
    pub fn is_checkmate(&self) -> bool {
        self.chess.is_checkmate()
    }

    /// Whether the side to move is stalemated (article 10.3).
    pub fn is_stalemate(&self) -> bool {
        self.chess.is_stalemate()
    }

    /// Whether `seat` has only its king left (article 10.5).
    pub fn has_bare_king(&self, seat: Seat) -> bool {
        material::has_bare_king(self.chess.board(), seat)
    }

    /// Whether `seat` could mate by some series of legal moves, judged by material (FIDE 6.9).
    pub fn can_mate(&self, seat: Seat) -> bool {
        material::can_mate(self.chess.board(), seat)
    }

    /// Whether neither side can mate, judged by material (article 10.4; 002).
    pub fn is_dead(&self) -> bool {
        Seat::BOTH.iter().all(|&seat| !self.can_mate(seat))
    }
}

#[cfg(test)]
mod tests;
