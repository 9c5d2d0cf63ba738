//! What two players have to do so that a game of a PGN file comes about again: its moves, and the act
//! that ends it. Pure; knows the Laws through the referee's library and no wire but its words.

use rookery_core::board::{Board, Uci};
use rookery_core::id::Seat;
use rookery_protocol::{self as wire, ClaimRule, Ending, Outcome, Score};

/// A game to be played again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Its place in the file, from 1.
    pub number: usize,
    /// Where it starts from, when it is not the usual position.
    pub start_fen: Option<String>,
    /// The moves.
    pub plies: Vec<Ply>,
    /// The act that ends it.
    pub finish: Finish,
    /// What must come out.
    pub outcome: Outcome,
    /// The position at the end.
    pub fen: String,
}

/// A half-move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// As it is sent.
    pub uci: wire::Uci,
    /// As the server must write it.
    pub san: String,
}

/// How a game is ended after its last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The last move ends it.
    OnTheBoard,
    /// The side to move claims a draw.
    Claim(ClaimRule),
    /// The last move carries an offer, the opponent accepts.
    Agreement,
    /// This seat resigns.
    Resignation(wire::Seat),
    /// The side to move lets his time run out.
    Flag,
    /// Nobody wants to play.
    Abort,
}

/// What a PGN game says of itself, besides its moves.
#[derive(Clone, Copy, Debug)]
pub struct Told<'a> {
    /// The tag `Termination`, if it has one.
    pub termination: Option<&'a str>,
    /// The result, as PGN writes it.
    pub result: &'a str,
}

/// Why a game cannot be played again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// Its start is no position.
    #[error("the start is not a legal position")]
    Start,
    /// A move is not legal.
    #[error("half-move {ply} ({uci}) is not legal")]
    IllegalMove {
        /// Which half-move, from 1.
        ply: usize,
        /// The move.
        uci: String,
    },
    /// The result is not one of a finished game.
    #[error("the result {0} cannot be played for")]
    Result(String),
    /// The tag names no act we know.
    #[error("the termination {0} is unknown")]
    Termination(String),
    /// The act cannot lead to the result in the last position.
    #[error("{0} cannot lead to {1} here")]
    Contradiction(&'static str, String),
}

impl Script {
    /// The script for these moves.
    pub fn new(
        number: usize,
        start_fen: Option<&str>,
        moves: &[Uci],
        told: Told<'_>,
    ) -> Result<Script, ScriptError> {
        let mut board = match start_fen {
            Some(fen) => Board::from_fen(fen).map_err(|_| ScriptError::Start)?,
            None => Board::default(),
        };
        let mut plies = Vec::with_capacity(moves.len());
        for (index, &uci) in moves.iter().enumerate() {
            let illegal = || ScriptError::IllegalMove {
                ply: index + 1,
                uci: uci.to_string(),
            };
            let mv = board.legal(uci).ok_or_else(illegal)?;
            let text = uci.to_string().parse().map_err(|_| illegal())?;
            plies.push(Ply {
                uci: text,
                san: board.san(mv).to_string(),
            });
            board.play(mv);
        }
        let (finish, outcome) = finish(&board, plies.len(), told)?;
        let start_fen = start_fen.map(str::to_owned);
        Ok(Script {
            number,
            start_fen,
            plies,
            finish,
            outcome,
            fen: board.fen(),
        })
    }
}

/// The act that ends the game in this position, and what comes of it.
fn finish(board: &Board, plies: usize, told: Told<'_>) -> Result<(Finish, Outcome), ScriptError> {
    let score = match told.result {
        "1-0" => Score::WhiteWins,
        "0-1" => Score::BlackWins,
        "1/2-1/2" => Score::Draw,
        "*" if plies < 2 => {
            return Ok((
                Finish::Abort,
                Outcome {
                    score: Score::Void,
                    ending: Ending::Aborted,
                },
            ));
        }
        other => return Err(ScriptError::Result(other.to_owned())),
    };
    let word = told
        .termination
        .map(|word| word.trim().to_ascii_lowercase().replace([' ', '-'], "_"));
    let (finish, ending) = match word.as_deref() {
        Some("checkmate") => (Finish::OnTheBoard, Ending::Checkmate),
        Some("stalemate") => (Finish::OnTheBoard, Ending::Stalemate),
        Some("insufficient_material" | "dead_position") => {
            (Finish::OnTheBoard, Ending::DeadPosition)
        }
        Some("threefold") => (Finish::Claim(ClaimRule::Threefold), Ending::Threefold),
        Some("fifty") => (Finish::Claim(ClaimRule::Fifty), Ending::Fifty),
        Some("agreement") => (Finish::Agreement, Ending::Agreement),
        Some("resignation") => (
            Finish::Resignation(resigns(board, score)),
            Ending::Resignation,
        ),
        Some("time" | "time_forfeit") => (Finish::Flag, Ending::Time),
        None | Some("" | "normal" | "unterminated") => by_result(board, score),
        Some(_) => {
            return Err(ScriptError::Termination(
                told.termination.unwrap_or_default().to_owned(),
            ));
        }
    };
    check(board, plies, ending, score)
        .map_err(|act| ScriptError::Contradiction(act, told.result.to_owned()))?;
    Ok((finish, Outcome { score, ending }))
}

/// What ends a game that does not say how it ended.
fn by_result(board: &Board, score: Score) -> (Finish, Ending) {
    match score {
        _ if board.is_checkmate() => (Finish::OnTheBoard, Ending::Checkmate),
        _ if board.is_stalemate() => (Finish::OnTheBoard, Ending::Stalemate),
        _ if board.is_dead() => (Finish::OnTheBoard, Ending::DeadPosition),
        Score::Draw => (Finish::Agreement, Ending::Agreement),
        _ => (
            Finish::Resignation(resigns(board, score)),
            Ending::Resignation,
        ),
    }
}

/// Who resigns for this score: the loser; in a draw the one whose opponent has a bare king (10.5).
fn resigns(board: &Board, score: Score) -> wire::Seat {
    match score {
        Score::WhiteWins => wire::Seat::Black,
        Score::BlackWins => wire::Seat::White,
        _ if board.has_bare_king(Seat::Black) => wire::Seat::White,
        _ => wire::Seat::Black,
    }
}

/// Whether that ending with that score is possible here; otherwise the name of the act.
fn check(board: &Board, plies: usize, ending: Ending, score: Score) -> Result<(), &'static str> {
    let winner = match score {
        Score::WhiteWins => Some(Seat::White),
        Score::BlackWins => Some(Seat::Black),
        _ => None,
    };
    let over = board.is_checkmate() || board.is_stalemate() || board.is_dead();
    let waiting = board.turn().other();
    let bare = |seat| board.has_bare_king(seat);
    let (act, possible) = match ending {
        Ending::Checkmate => ("checkmate", board.is_checkmate() && winner == Some(waiting)),
        Ending::Stalemate => ("stalemate", board.is_stalemate() && winner.is_none()),
        Ending::DeadPosition => ("insufficient material", board.is_dead() && winner.is_none()),
        Ending::Fifty => (
            "fifty moves",
            !over && board.half_moves() >= 100 && winner.is_none(),
        ),
        Ending::Threefold => ("threefold", !over && winner.is_none()),
        Ending::Agreement => ("agreement", !over && plies > 0 && winner.is_none()),
        Ending::Time => {
            let drawn = bare(waiting);
            (
                "time",
                !over
                    && if drawn {
                        winner.is_none()
                    } else {
                        winner == Some(waiting)
                    },
            )
        }
        Ending::Resignation => {
            let fair = match winner {
                Some(winner) => !bare(winner),
                None => bare(Seat::White) || bare(Seat::Black),
            };
            ("resignation", !over && fair)
        }
        _ => ("that ending", false),
    };
    if possible { Ok(()) } else { Err(act) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(moves: &str, termination: Option<&str>, result: &str) -> Result<Script, ScriptError> {
        let moves: Vec<Uci> = moves
            .split_whitespace()
            .map(|uci| uci.parse().unwrap())
            .collect();
        Script::new(
            1,
            None,
            &moves,
            Told {
                termination,
                result,
            },
        )
    }

    fn finish_of(moves: &str, termination: Option<&str>, result: &str) -> (Finish, Ending) {
        let script = script(moves, termination, result).unwrap();
        (script.finish, script.outcome.ending)
    }

    const MATE: &str = "f2f3 e7e5 g2g4 d8h4";
    const BACK_AND_FORTH: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";

    #[test]
    fn a_game_that_says_how_it_ended_is_ended_so() {
        for (moves, termination, result, expected) in [
            (
                MATE,
                "checkmate",
                "0-1",
                (Finish::OnTheBoard, Ending::Checkmate),
            ),
            (
                "e2e4 e7e5",
                "agreement",
                "1/2-1/2",
                (Finish::Agreement, Ending::Agreement),
            ),
            ("e2e4 e7e5", "time", "0-1", (Finish::Flag, Ending::Time)),
            (
                "e2e4 e7e5",
                "Time forfeit",
                "0-1",
                (Finish::Flag, Ending::Time),
            ),
            (
                BACK_AND_FORTH,
                "threefold",
                "1/2-1/2",
                (Finish::Claim(ClaimRule::Threefold), Ending::Threefold),
            ),
            (
                "e2e4 e7e5",
                "resignation",
                "1-0",
                (Finish::Resignation(wire::Seat::Black), Ending::Resignation),
            ),
        ] {
            assert_eq!(
                finish_of(moves, Some(termination), result),
                expected,
                "{termination}"
            );
        }
    }

    #[test]
    fn a_game_that_does_not_say_ends_as_its_result_says() {
        assert_eq!(
            finish_of(MATE, None, "0-1"),
            (Finish::OnTheBoard, Ending::Checkmate)
        );
        assert_eq!(
            finish_of("e2e4", None, "1/2-1/2"),
            (Finish::Agreement, Ending::Agreement)
        );
        let white_resigns = (Finish::Resignation(wire::Seat::White), Ending::Resignation);
        assert_eq!(finish_of("e2e4", Some("normal"), "0-1"), white_resigns);
        assert_eq!(
            finish_of("e2e4", None, "*"),
            (Finish::Abort, Ending::Aborted)
        );
    }

    #[test]
    fn what_cannot_have_happened_is_not_played() {
        let contradiction =
            |act, result: &str| Err(ScriptError::Contradiction(act, result.to_owned()));
        assert_eq!(
            script("e2e4", Some("time"), "0-1"),
            contradiction("time", "0-1")
        );
        assert_eq!(
            script("e2e4", Some("fifty"), "1/2-1/2"),
            contradiction("fifty moves", "1/2-1/2")
        );
        assert_eq!(
            script(MATE, Some("agreement"), "1/2-1/2"),
            contradiction("agreement", "1/2-1/2")
        );
        assert_eq!(
            script("e2e5", None, "1-0"),
            Err(ScriptError::IllegalMove {
                ply: 1,
                uci: "e2e5".to_owned()
            })
        );
        assert_eq!(
            script("e2e4", Some("moon"), "1-0"),
            Err(ScriptError::Termination("moon".to_owned()))
        );
        assert_eq!(
            script("e2e4 e7e5", None, "*"),
            Err(ScriptError::Result("*".to_owned()))
        );
    }

    #[test]
    fn moves_are_written_as_the_server_must_write_them() {
        let script = script(MATE, None, "0-1").unwrap();
        let sans: Vec<_> = script.plies.iter().map(|ply| ply.san.as_str()).collect();
        assert_eq!(sans, ["f3", "e5", "g4", "Qh4#"]);
        assert_eq!(
            script.fen,
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
        );
    }
}
