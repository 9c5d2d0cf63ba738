//! Who can still mate, by material alone. Knows nothing of walls or forced lines (see the choices in
//! the README).

use shakmaty::{Bitboard, Board, Color, Role};

use crate::id::Seat;

pub(super) fn has_bare_king(board: &Board, seat: Seat) -> bool {
    board.by_color(seat.into()).count() == 1
}

/// Whether `seat` could mate: false for a bare king; for king and knight against a king with queens
/// only; for king and bishops of one square colour when nobody has a knight, a pawn or a bishop of the
/// other colour. Searched exhaustively: no winnable position is called drawn.
pub(super) fn can_mate(board: &Board, seat: Seat) -> bool {
    let color = Color::from(seat);
    let ours = board.by_color(color);
    let theirs = board.by_color(!color);
    if (ours & (board.pawns() | board.rooks_and_queens())).any() {
        return true;
    }
    let knights = ours & board.knights();
    let bishops = ours & board.bishops();
    match (knights.count(), bishops.count()) {
        (0, 0) => false,
        (1, 0) => (theirs & !board.by_role(Role::King) & !board.queens()).any(),
        (0, _) => {
            board.pawns().any()
                || board.knights().any()
                || ((board.bishops() & Bitboard::DARK_SQUARES).any()
                    && (board.bishops() & Bitboard::LIGHT_SQUARES).any())
        }
        _ => true,
    }
}
