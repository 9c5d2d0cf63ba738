//! The repetition key: exact, not a hash. Knows no history.

use shakmaty::{Bitboard, ByColor, ByRole, Chess, Color, EnPassantMode, Position, Square};

/// Placement, side to move, castling rights, and the en-passant file only when a legal en-passant
/// capture exists (article 10.10). Two positions are the same if and only if their keys are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PositionKey {
    roles: ByRole<Bitboard>,
    white: Bitboard,
    turn_is_white: bool,
    castling: Bitboard,
    en_passant: Option<Square>,
}

impl PositionKey {
    pub(super) fn of(chess: &Chess) -> PositionKey {
        let (roles, ByColor { white, .. }) = chess.board().clone().into_bitboards();
        PositionKey {
            roles,
            white,
            turn_is_white: chess.turn() == Color::White,
            castling: chess.castles().castling_rights(),
            en_passant: chess.ep_square(EnPassantMode::Legal),
        }
    }
}
