//! The repetition key: exact, not a hash. Knows no history.

use shakmaty::{Chess, Color, EnPassantMode, Position};

/// Placement, side to move, castling rights, and the en-passant file only when a legal en-passant
/// capture exists (article 10.10). Two positions are the same if and only if their keys are equal.
///
/// Forty bytes, since a game keeps one for every position it has seen: each square's man is four
/// bits, one in each plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey {
    planes: [u64; 4],
    rights: Rights,
}

/// What the placement does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Rights {
    white_to_move: bool,
    castling: u8,
    en_passant: Option<u8>,
}

impl PositionKey {
    pub(super) fn of(chess: &Chess) -> PositionKey {
        let board = chess.board();
        let (pawns, knights, bishops) = (board.pawns(), board.knights(), board.bishops());
        let (rooks, queens, kings) = (board.rooks(), board.queens(), board.kings());
        PositionKey {
            planes: [
                u64::from(pawns | bishops | queens),
                u64::from(knights | bishops | kings),
                u64::from(rooks | queens | kings),
                u64::from(board.white()),
            ],
            rights: Rights::of(chess),
        }
    }
}

impl Rights {
    fn of(chess: &Chess) -> Rights {
        let rooks = chess.castles().castling_rights();
        let castling = rooks
            .into_iter()
            .fold(0, |bits, rook| bits | corner_bit(rook.into()));
        Rights {
            white_to_move: chess.turn() == Color::White,
            castling,
            en_passant: chess.ep_square(EnPassantMode::Legal).map(u8::from),
        }
    }
}

/// One bit for each home square of a rook: a1, h1, a8, h8.
const fn corner_bit(square: u8) -> u8 {
    1 << ((square / 56) * 2 + (square % 8) / 7)
}
