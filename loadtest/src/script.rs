//! What two players have to do so that a game of a PGN file comes about again: its moves, and the act
//! that ends it. Pure; knows the Laws through the referee's library and no wire but its words.

use rookery_core::board::Board;
use rookery_core::game;
use rookery_core::id::Seat;
use rookery_core::notation::pgn::{PgnGame, PgnMove};
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

/// Why a game cannot be played again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
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
    /// The script for game `number` of a file.
    pub fn of(number: usize, game: &PgnGame) -> Result<Script, ScriptError> {
        let plies: Vec<Ply> = game.moves().iter().map(Ply::of).collect();
        let (finish, outcome) = finish(game)?;
        let start_fen = (*game.start() != Board::default()).then(|| game.start().fen());
        Ok(Script {
            number,
            start_fen,
            plies,
            finish,
            outcome,
            fen: game.end().fen(),
        })
    }
}

impl Script {
    /// Turns a game that ends by the flag into one in which the same side resigns: the Laws give both
    /// the same result (10.5, 10.14).
    pub fn resign_instead_of_flag(&mut self) {
        if self.finish == Finish::Flag {
            let black = self.fen.contains(" b ");
            let seat = if black {
                wire::Seat::Black
            } else {
                wire::Seat::White
            };
            self.finish = Finish::Resignation(seat);
            self.outcome.ending = Ending::Resignation;
        }
    }
}

impl Ply {
    fn of(played: &PgnMove) -> Ply {
        let uci = played
            .uci
            .to_string()
            .parse()
            .expect("the wire writes every UCI move");
        Ply {
            uci,
            san: played.san.clone(),
        }
    }
}

/// The act that ends a game in its last position, and what comes of it.
fn finish(game: &PgnGame) -> Result<(Finish, Outcome), ScriptError> {
    let (board, plies) = (game.end(), game.moves().len());
    let result = game.result().as_pgn();
    let score = match game.result() {
        game::Score::WhiteWins => Score::WhiteWins,
        game::Score::BlackWins => Score::BlackWins,
        game::Score::Draw => Score::Draw,
        game::Score::Void if plies < 2 => {
            return Ok((
                Finish::Abort,
                Outcome {
                    score: Score::Void,
                    ending: Ending::Aborted,
                },
            ));
        }
        game::Score::Void | game::Score::BothLose => {
            return Err(ScriptError::Result(result.to_owned()));
        }
    };
    let told = game.tag("Termination").unwrap_or_default();
    let (finish, ending) = match told {
        "checkmate" => (Finish::OnTheBoard, Ending::Checkmate),
        "stalemate" => (Finish::OnTheBoard, Ending::Stalemate),
        "insufficient_material" => (Finish::OnTheBoard, Ending::DeadPosition),
        "threefold" => (Finish::Claim(ClaimRule::Threefold), Ending::Threefold),
        "fifty" => (Finish::Claim(ClaimRule::Fifty), Ending::Fifty),
        "agreement" => (Finish::Agreement, Ending::Agreement),
        "resignation" => (
            Finish::Resignation(resigns(board, score)),
            Ending::Resignation,
        ),
        "time" | "time forfeit" => (Finish::Flag, Ending::Time),
        "" | "normal" | "unterminated" => by_result(board, score),
        other => return Err(ScriptError::Termination(other.to_owned())),
    };
    check(board, plies, ending, score)
        .map_err(|act| ScriptError::Contradiction(act, result.to_owned()))?;
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
    use rookery_core::game::Score;

    use super::*;

    fn script(
        moves: &str,
        termination: Option<&str>,
        result: Score,
    ) -> Result<Script, ScriptError> {
        let mut game = PgnGame::new(Board::default());
        for uci in moves.split_whitespace() {
            let mv = game.end().legal(uci.parse().unwrap()).unwrap();
            game.play(mv);
        }
        game.set_result(result);
        if let Some(word) = termination {
            game.set_tag("Termination", word);
        }
        Script::of(1, &game)
    }

    fn finish_of(moves: &str, termination: Option<&str>, result: Score) -> (Finish, Ending) {
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
                Score::BlackWins,
                (Finish::OnTheBoard, Ending::Checkmate),
            ),
            (
                "e2e4 e7e5",
                "agreement",
                Score::Draw,
                (Finish::Agreement, Ending::Agreement),
            ),
            (
                "e2e4 e7e5",
                "time",
                Score::BlackWins,
                (Finish::Flag, Ending::Time),
            ),
            (
                "e2e4 e7e5",
                "time forfeit",
                Score::BlackWins,
                (Finish::Flag, Ending::Time),
            ),
            (
                BACK_AND_FORTH,
                "threefold",
                Score::Draw,
                (Finish::Claim(ClaimRule::Threefold), Ending::Threefold),
            ),
            (
                "e2e4 e7e5",
                "resignation",
                Score::WhiteWins,
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
            finish_of(MATE, None, Score::BlackWins),
            (Finish::OnTheBoard, Ending::Checkmate)
        );
        assert_eq!(
            finish_of("e2e4", None, Score::Draw),
            (Finish::Agreement, Ending::Agreement)
        );
        let white_resigns = (Finish::Resignation(wire::Seat::White), Ending::Resignation);
        assert_eq!(
            finish_of("e2e4", Some("normal"), Score::BlackWins),
            white_resigns
        );
        assert_eq!(
            finish_of("e2e4", None, Score::Void),
            (Finish::Abort, Ending::Aborted)
        );
    }

    #[test]
    fn what_cannot_have_happened_is_not_played() {
        let contradiction =
            |act, result: &str| Err(ScriptError::Contradiction(act, result.to_owned()));
        assert_eq!(
            script("e2e4", Some("time"), Score::BlackWins),
            contradiction("time", "0-1")
        );
        assert_eq!(
            script("e2e4", Some("fifty"), Score::Draw),
            contradiction("fifty moves", "1/2-1/2")
        );
        assert_eq!(
            script(MATE, Some("agreement"), Score::Draw),
            contradiction("agreement", "1/2-1/2")
        );
        assert_eq!(
            script("e2e4", Some("moon"), Score::WhiteWins),
            Err(ScriptError::Termination("moon".to_owned()))
        );
        assert_eq!(
            script("e2e4 e7e5", None, Score::Void),
            Err(ScriptError::Result("*".to_owned()))
        );
    }

    #[test]
    fn moves_are_written_as_the_server_must_write_them() {
        let script = script(MATE, None, Score::BlackWins).unwrap();
        let sans: Vec<_> = script.plies.iter().map(|ply| ply.san.as_str()).collect();
        assert_eq!(sans, ["f3", "e5", "g4", "Qh4#"]);
        assert_eq!(
            script.fen,
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
        );
    }
}
