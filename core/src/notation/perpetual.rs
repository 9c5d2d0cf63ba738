//! Whether a repetition was a perpetual check: no rule of its own, only a name (002). Knows no clock
//! and no claim's rightness.

use std::borrow::Borrow;

use crate::board::{Board, Uci};
use crate::game::{Birth, Event, What};
use crate::id::Seat;

/// How often the position came about; the first of the last three begins the stretch looked at.
const OCCURRENCES: usize = 3;

/// Whether every move of one side gave check from the first of the last three occurrences of the final
/// position on. The move announced with a right claim counts as made.
pub(super) fn is_perpetual_check<E: Borrow<Event>>(birth: &Birth, events: &[E]) -> bool {
    let boards = positions(birth, events).unwrap_or_default();
    let Some(last) = boards.last().map(Board::key) else {
        return false;
    };
    let same = boards
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, board)| board.key() == last);
    let Some((first, _)) = same.take(OCCURRENCES).nth(OCCURRENCES - 1) else {
        return false;
    };
    let after = &boards[first + 1..];
    Seat::BOTH.iter().any(|&checked| {
        after
            .iter()
            .filter(|board| board.turn() == checked)
            .all(Board::is_check)
    })
}

/// Every position of the game, the start first; none when the record does not replay.
fn positions<E: Borrow<Event>>(birth: &Birth, events: &[E]) -> Option<Vec<Board>> {
    let mut boards = vec![birth.terms.start_board()?];
    for event in events {
        match event.borrow().what {
            What::Moved { uci, .. } => push(&mut boards, uci)?,
            What::Claimed {
                announced: Some(uci),
                right: true,
                ..
            } => push(&mut boards, uci)?,
            What::TakenBack { plies, .. } => {
                boards.truncate(boards.len().checked_sub(plies as usize)?);
            }
            _ => {}
        }
    }
    Some(boards)
}

fn push(boards: &mut Vec<Board>, uci: Uci) -> Option<()> {
    let mut board = boards.last()?.clone();
    let mv = board.legal(uci)?;
    board.play(mv);
    boards.push(board);
    Some(())
}
