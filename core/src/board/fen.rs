//! The doorway from a FEN text to a position. Knows no game: whether a position may be played from
//! (rated games begin at the usual one) is judged elsewhere.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, FromSetup, Piece, Setup, Square};

/// A text that is not a position a game can be played from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a FEN of a legal position")]
pub struct FenError;

/// The longest text looked at: the longest placement is 71 characters, the other fields 25.
const MAX_CHARS: usize = 128;

/// The highest move counter believed: far beyond the longest possible game (5,898 moves).
const MAX_COUNTER: u32 = 9_999;

pub(super) fn parse(text: &str) -> Result<Chess, FenError> {
    if text.len() > MAX_CHARS {
        return Err(FenError);
    }
    let setup = text.parse::<Fen>().map_err(|_| FenError)?.into_setup();
    if !is_plain(&setup) || !is_double_step_possible(&setup) {
        return Err(FenError);
    }
    Chess::from_setup(setup, CastlingMode::Standard).map_err(|_| FenError)
}

/// Whether nothing of a variant is in it and the counters are believable.
fn is_plain(setup: &Setup) -> bool {
    setup.promoted.is_empty()
        && setup.pockets.is_none()
        && setup.remaining_checks.is_none()
        && setup.halfmoves <= MAX_COUNTER
        && setup.fullmoves.get() <= MAX_COUNTER
}

/// Whether the double step that an en-passant square tells of could have been made: before it, the
/// side that now has the move cannot have been in check.
fn is_double_step_possible(setup: &Setup) -> bool {
    let (Some(passed), Some(king)) = (setup.ep_square, setup.board.king_of(setup.turn)) else {
        return true;
    };
    let mover = !setup.turn;
    let forward: i32 = mover.fold_wb(8, -8);
    let (Some(from), Some(to)) = (passed.offset(-forward), passed.offset(forward)) else {
        return false;
    };
    let before = put_back(setup, mover, from, to);
    before.attacks_to(king, mover, before.occupied()).is_empty()
}

fn put_back(setup: &Setup, mover: Color, from: Square, to: Square) -> shakmaty::Board {
    let mut board = setup.board.clone();
    board.discard_piece_at(to);
    board.set_piece_at(
        from,
        Piece {
            color: mover,
            role: shakmaty::Role::Pawn,
        },
    );
    board
}
