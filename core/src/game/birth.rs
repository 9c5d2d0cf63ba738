//! How a game comes into being: by what was agreed, or from its record.

use std::sync::Arc;

use crate::board::Board;
use crate::clock::{ChessClock, LagBank};
use crate::game::done::Done;
use crate::game::offers::Offers;
use crate::game::pause::Presence;
use crate::game::{Birth, Event, Game, What};
use crate::id::{BySeat, Seq};
use crate::time::Timestamp;

/// Why no game can be played on such terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BirthError {
    /// The start position is not a legal one.
    #[error("the start position is not legal")]
    BadPosition,
    /// The start position is the end of a game.
    #[error("in the start position the game is over")]
    OverAtStart,
    /// Article 2: a rated game starts from the usual position.
    #[error("a rated game starts from the usual position")]
    RatedFromPosition,
    /// A clock at zero has fallen before the first move.
    #[error("the time control gives no time")]
    NoTime,
    /// One player cannot hold both seats.
    #[error("both seats have the same player")]
    SamePlayer,
    /// The shard has as many games as it may have, or one of that name.
    #[error("no room for the game")]
    NoRoom,
}

/// Why a record is not the record of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// It does not begin with a birth.
    #[error("the record does not begin with a birth")]
    NoBirth,
    /// Its birth is not one this program allows.
    #[error("the birth is not valid: {0}")]
    Birth(#[from] BirthError),
    /// The number of an event is not the one that follows.
    #[error("event {0:?} is not where it belongs")]
    Gap(Seq),
    /// An event cannot have happened where the record puts it.
    #[error("event {0:?} cannot have happened there")]
    Impossible(Seq),
}

impl Game {
    /// The game of that birth; its record holds event 0.
    pub fn new(birth: Birth, at: Timestamp) -> Result<Game, BirthError> {
        let board = start_of(&birth)?;
        let event = Event {
            seq: Seq(0),
            at,
            by: None,
            what: What::Born(Box::new(birth)),
        };
        Ok(Game::born(Arc::new(event), board))
    }

    /// The game of that record. Events are checked as far as applying them relies on it.
    pub fn replay(events: &[Arc<Event>]) -> Result<Game, ReplayError> {
        let (first, rest) = events.split_first().ok_or(ReplayError::NoBirth)?;
        let What::Born(birth) = &first.what else {
            return Err(ReplayError::NoBirth);
        };
        if first.seq != Seq(0) {
            return Err(ReplayError::Gap(first.seq));
        }
        let mut game = Game::born(Arc::clone(first), start_of(birth)?);
        for event in rest {
            if event.seq != game.next_seq() {
                return Err(ReplayError::Gap(event.seq));
            }
            if !game.can_follow(&event.what) {
                return Err(ReplayError::Impossible(event.seq));
            }
            game.apply(event);
        }
        Ok(game)
    }

    fn can_follow(&self, what: &What) -> bool {
        self.outcome.is_none()
            && match what {
                What::Born(_) => false,
                What::Moved { uci, .. } => self.board.legal(*uci).is_some(),
                What::TakenBack { plies, .. } => *plies <= self.ply(),
                _ => true,
            }
    }

    fn born(event: Arc<Event>, board: Board) -> Game {
        let What::Born(birth) = &event.what else {
            unreachable!("the caller brings a birth");
        };
        let terms = &birth.terms;
        // Whatever the birth waited for, no clock ran before there was a game.
        let starts_at = birth.starts_at.max(event.at);
        let bank = LagBank::new(terms.control.expected());
        Game {
            laws: terms.laws(),
            clock: ChessClock::start(&terms.control, board.turn(), starts_at),
            not_before: starts_at,
            banks: BySeat::new_with(|_| bank),
            line: Vec::new(),
            positions: vec![board.key()],
            offers: Offers::default(),
            takeback: None,
            proposals: 0,
            claims: Vec::new(),
            done: Done::default(),
            outcome: None,
            presence: BySeat::new_with(|_| Presence::Here),
            board,
            events: vec![event],
        }
    }
}

fn start_of(birth: &Birth) -> Result<Board, BirthError> {
    let terms = &birth.terms;
    if birth.players.white.id == birth.players.black.id {
        return Err(BirthError::SamePlayer);
    }
    if terms.control.base().is_zero() {
        return Err(BirthError::NoTime);
    }
    let board = terms.start_board().ok_or(BirthError::BadPosition)?;
    if terms.rated && terms.start_fen.is_some() {
        return Err(BirthError::RatedFromPosition);
    }
    let automatic = terms.laws().automatic_half_moves;
    let drawn = automatic.is_some_and(|most| board.half_moves() >= most);
    if board.legal_moves().is_empty() || board.is_dead() || drawn {
        return Err(BirthError::OverAtStart);
    }
    Ok(board)
}
