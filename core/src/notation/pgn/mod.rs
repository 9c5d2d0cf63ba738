//! Games as PGN text: the standard of 1994, with clocks and lag credits as `[%clk]` and `[%lag]`
//! commands in comments. Knows no file and no network; the day comes from the record, never from a
//! clock.
//!
//! [`of_record`] turns a game's events into a [`PgnGame`], [`write()`] turns that into text, [`parse`]
//! reads text back.

mod command;
mod error;
mod lexer;
mod read;
mod record;
mod termination;
mod write;

use std::collections::BTreeMap;

pub use error::{PgnError, PgnErrorKind};
pub use read::{MAX_GAMES, MAX_NESTING, MAX_TAGS, MAX_TEXT, parse};
pub use record::{BrokenRecord, of_record};
pub use termination::{termination, termination_of};
pub use write::write;

use crate::board::{Board, Move, Uci};
use crate::game::Score;
use crate::time::Millis;

/// A game as PGN tells it: tags, a start, legal moves with what was noted about them, a result.
///
/// The tags `Result`, `SetUp` and `FEN` are not among the [`tags`](PgnGame::tag): they are the
/// [`result`](PgnGame::result) and the [`start`](PgnGame::start) themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    tags: BTreeMap<String, String>,
    start: Board,
    end: Board,
    preamble: Vec<String>,
    moves: Vec<PgnMove>,
    result: Score,
}

/// A move that was made, and what was noted about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnMove {
    /// The move in UCI.
    pub uci: Uci,
    /// The move in SAN, as shortly as the position allows.
    pub san: String,
    /// What the mover had left after it.
    pub clock: Option<Millis>,
    /// The lag that was given back to the mover.
    pub credit: Option<Millis>,
    /// Numeric annotation glyphs.
    pub nags: Vec<u8>,
    /// What was noted after it.
    pub comments: Vec<String>,
}

impl PgnGame {
    /// A game without moves, tags or result, from this position.
    pub fn new(start: Board) -> PgnGame {
        PgnGame {
            tags: BTreeMap::new(),
            end: start.clone(),
            start,
            preamble: Vec::new(),
            moves: Vec::new(),
            result: Score::Void,
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name).map(String::as_str)
    }

    /// Sets a tag; its name is letters, digits and underscores.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        self.tags.insert(name.to_owned(), value.into());
    }

    /// The position it began from.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// The position after the last move.
    pub fn end(&self) -> &Board {
        &self.end
    }

    /// The moves in order.
    pub fn moves(&self) -> &[PgnMove] {
        &self.moves
    }

    /// What was noted before the first move.
    pub fn preamble(&self) -> &[String] {
        &self.preamble
    }

    /// Who got what; [`Score::Void`] is PGN's `*`.
    pub fn result(&self) -> Score {
        self.result
    }

    /// Sets the result.
    pub fn set_result(&mut self, result: Score) {
        self.result = result;
    }

    /// Plays a move that is legal in [`PgnGame::end`].
    pub fn play(&mut self, mv: Move) -> &mut PgnMove {
        let san = self.end.san(mv).to_string();
        self.end.play(mv);
        let uci = Uci::of(mv);
        let (clock, credit) = (None, None);
        self.moves.push(PgnMove {
            uci,
            san,
            clock,
            credit,
            nags: Vec::new(),
            comments: Vec::new(),
        });
        self.moves.last_mut().expect("a move was just added")
    }

    /// Takes the last half-moves back; what was noted about them goes too.
    pub fn take_back(&mut self, plies: usize) {
        self.moves.truncate(self.moves.len().saturating_sub(plies));
        self.end = self.start.clone();
        for played in &self.moves {
            let mv = self
                .end
                .legal(played.uci)
                .expect("every move was legal when it was played");
            self.end.play(mv);
        }
    }

    /// Notes something after the last move, or before the first one.
    pub fn annotate(&mut self, text: impl Into<String>) {
        let comments = self
            .moves
            .last_mut()
            .map_or(&mut self.preamble, |last| &mut last.comments);
        comments.push(text.into());
    }
}

#[cfg(test)]
mod tests;
