//! Positions as tables: `positions/*.txt`, what the Laws say of each. Adding a case is adding lines.
//!
//! ```text
//! # T-2 (10.10(1)) one ply earlier            a new case
//! from start                                  or a FEN
//! play g1f3 g8f6                              the moves that lead to the position judged
//! => fen FEN                                  its FEN
//! => legal g1f3 | illegal e2e5 | only e5d6    moves; `only` names them all
//! => check | mate | stalemate | no stalemate
//! => checkers 2 | moves 0 | castling Q        numbers, and rights as FEN writes them
//! => dead | not dead                          by material
//! => black cannot mate | black can mate       by material
//! => occurrence 3 | half_moves 100            how often it was there; since capture or pawn move
//! => threefold right | fifty wrong            a claim now, in the classic profile
//! => threefold by f6g8 right                  with a move announced; fifty in fide2023
//! => ends fivefold                            the fide2023 game is over by then
//! => perft 20 400                             numbers of lines of 1, 2, … half-moves
//! ```

mod judged;

use judged::check;

#[test]
fn moving() {
    check(include_str!("positions/moving.txt"));
}

#[test]
fn castling() {
    check(include_str!("positions/castling.txt"));
}

#[test]
fn pawns() {
    check(include_str!("positions/pawns.txt"));
}

#[test]
fn check_mate_stalemate() {
    check(include_str!("positions/mate.txt"));
}

#[test]
fn who_can_mate() {
    check(include_str!("positions/material.txt"));
}

#[test]
fn repetition() {
    check(include_str!("positions/repetition.txt"));
}

#[test]
fn fifty_and_seventy_five() {
    check(include_str!("positions/fifty.txt"));
}

#[test]
fn move_generator() {
    check(include_str!("positions/generator.txt"));
}
