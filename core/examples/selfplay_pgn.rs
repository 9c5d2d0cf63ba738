//! Judges self-played games and writes them as PGN: `loadtest/games/make.py` feeds it.
//!
//! One game a line on standard input, `number act white black moves…`, with underscores for blanks in
//! names. The act says what happened after the last move: `board` (mate, stalemate or a dead
//! position), `claim` (of a draw, by the side to move), `agreement`, `resignation` or `time` (of the
//! side to move). A game that did not end so, or had ended before, is a fault.

use std::error::Error;
use std::io::{self, BufRead, Write};

use rookery_core::board::Board;
use rookery_core::game::{Ending, Score};
use rookery_core::id::Seat;
use rookery_core::notation::pgn::{self, PgnGame};

/// The threefold rule counts to this.
const THREE: usize = 3;

/// Half-moves of the fifty-move rule.
const FIFTY_MOVES: u32 = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let game = judge(&line).map_err(|fault| format!("{fault}: {line}"))?;
        out.write_all(pgn::write(&game).as_bytes())?;
    }
    Ok(())
}

fn judge(line: &str) -> Result<PgnGame, &'static str> {
    let words: Vec<&str> = line.split(' ').collect();
    let [number, act, white, black, moves @ ..] = &words[..] else {
        return Err("too few words");
    };
    let mut game = PgnGame::new(Board::default());
    let mut keys = vec![game.end().key()];
    for text in moves {
        if on_board(game.end()).is_some() {
            return Err("the game had ended before");
        }
        let uci = text.parse().map_err(|_| "not a move")?;
        let mv = game.end().legal(uci).ok_or("an illegal move")?;
        game.play(mv);
        keys.push(game.end().key());
    }
    let same = keys.iter().filter(|&&key| key == game.end().key()).count();
    let (ending, score) = end(act, game.end(), same)?;
    game.set_tag("Event", "Engine self-play");
    game.set_tag("Round", *number);
    game.set_tag("White", white.replace('_', " "));
    game.set_tag("Black", black.replace('_', " "));
    game.set_tag("Termination", pgn::termination(ending));
    game.set_result(score);
    Ok(game)
}

/// By which act or rule the game ended, and its score.
fn end(act: &str, board: &Board, same: usize) -> Result<(Ending, Score), &'static str> {
    if let Some(end) = on_board(board) {
        return if act == "board" {
            Ok(end)
        } else {
            Err("the board had decided")
        };
    }
    let opponent = board.turn().other();
    let opponent_wins = match board.has_bare_king(opponent) {
        true => Score::Draw,
        false => Score::win(opponent),
    };
    match act {
        "claim" if same >= THREE => Ok((Ending::Threefold, Score::Draw)),
        "claim" if board.half_moves() >= FIFTY_MOVES => Ok((Ending::Fifty, Score::Draw)),
        "claim" => Err("a wrong claim"),
        "agreement" => Ok((Ending::Agreement, Score::Draw)),
        "resignation" => Ok((Ending::Resignation, opponent_wins)),
        "time" => Ok((Ending::Time, opponent_wins)),
        _ => Err("the game goes on"),
    }
}

fn on_board(board: &Board) -> Option<(Ending, Score)> {
    let mover: Seat = board.turn();
    if board.is_checkmate() {
        Some((Ending::Checkmate, Score::win(mover.other())))
    } else if board.is_stalemate() {
        Some((Ending::Stalemate, Score::Draw))
    } else if board.is_dead() {
        Some((Ending::DeadPosition, Score::Draw))
    } else {
        None
    }
}
