//! Many games behind one verb set: commands in, records and answers out, deadlines by request.
//!
//! After every [`Shard::handle`] and [`Shard::handle_timeout`], call [`Shard::poll_output`] until it is
//! empty and [`Shard::poll_timeout`] once. Journals nothing and tells nobody: the shell stores each
//! `Record` before anything that follows it leaves the node.

mod deadlines;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use deadlines::Deadlines;

use crate::game::{
    Birth, BirthError, Command, Event, Game, PauseReason, Receipt, Refusal, ReplayError, Ruling,
    What,
};
use crate::id::{GameId, Seat, ShardNo};
use crate::time::{Millis, Timestamp};

/// Games in one shard at a time: with all shards of one node full, four million, more than a machine's
/// memory holds; the shell's own bound is lower. It keeps one shard from taking everything.
pub const MAX_GAMES: usize = 4096;

/// What a shard is fed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A game begins. The same birth again changes nothing.
    Birth(Box<Birth>),
    /// A player asks; `ask` names the question in the [`Output::Answer`].
    Command {
        /// Of which game.
        game: GameId,
        /// What is asked.
        command: Command,
        /// When and how it came.
        receipt: Receipt,
        /// The shell's name for the question.
        ask: u64,
    },
    /// A player's last socket went away, or his first one came.
    Presence {
        /// In which game.
        game: GameId,
        /// Whose.
        seat: Seat,
        /// Whether he is there.
        online: bool,
    },
    /// A player was lost by our fault: his clock stands until he is back, at most for a while, and he
    /// is not absent.
    Pause {
        /// In which game.
        game: GameId,
        /// Who.
        seat: Seat,
        /// Why.
        reason: PauseReason,
    },
    /// The shell was slow for so long: the side whose clock ran gets it back.
    Stalled {
        /// In which game.
        game: GameId,
        /// For how long.
        span: Millis,
    },
    /// The game is archived and settled: forget it.
    Forget {
        /// Which.
        game: GameId,
    },
}

/// What a shard asks of its shell, in this order.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Store this, then tell everyone who watches the game.
    Record {
        /// Of which game.
        game: GameId,
        /// What happened.
        event: Arc<Event>,
    },
    /// Answer the question, once everything recorded before is stored.
    Answer {
        /// Of which game.
        game: GameId,
        /// The shell's name for the question.
        ask: u64,
        /// The answer.
        answer: Result<Ruling, Rejection>,
    },
    /// No game was born.
    Unborn {
        /// Which.
        game: GameId,
        /// Why.
        error: BirthError,
    },
    /// The game has ended and its last event is recorded: archive and settle it, then forget it.
    Finished {
        /// Which.
        game: GameId,
    },
}

/// Why a command got no ruling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The game does not live here.
    #[error("no such game")]
    UnknownGame,
    /// The Laws refuse it.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// The instant at which a shard wants [`Shard::handle_timeout`] to be called.
pub type Deadline = Timestamp;

/// The games of one of the 1024 units of ownership.
#[derive(Debug)]
pub struct Shard {
    number: ShardNo,
    /// Boxed: games are large, and the tree moves its entries about.
    games: BTreeMap<GameId, Box<Game>>,
    deadlines: Deadlines,
    outputs: VecDeque<Output>,
}

impl Shard {
    /// A shard without games.
    pub fn new(number: ShardNo) -> Shard {
        Shard {
            number,
            games: BTreeMap::new(),
            deadlines: Deadlines::default(),
            outputs: VecDeque::new(),
        }
    }

    /// Which of the shards it is.
    pub fn number(&self) -> ShardNo {
        self.number
    }

    /// A game that lives here.
    pub fn game(&self, game: GameId) -> Option<&Game> {
        self.games.get(&game).map(Box::as_ref)
    }

    /// The games that live here, those that have ended and are not forgotten among them.
    pub fn games(&self) -> impl Iterator<Item = (GameId, &Game)> {
        self.games.iter().map(|(&id, game)| (id, game.as_ref()))
    }

    /// Does what is asked, at `now` by the owner's clock.
    pub fn handle(&mut self, input: Input, now: Timestamp) {
        match input {
            Input::Birth(birth) => self.give_birth(*birth, now),
            Input::Command {
                game,
                command,
                receipt,
                ask,
            } => self.command(game, &command, receipt, ask),
            Input::Presence { game, seat, online } => {
                self.happen(game, |game| game.seen(seat, online, now));
            }
            Input::Pause { game, seat, reason } => {
                self.happen(game, |game| game.lost(seat, reason, now));
            }
            Input::Stalled { game, span } => self.happen(game, |game| game.stalled(span, now)),
            Input::Forget { game } => {
                self.games.remove(&game);
                self.deadlines.clear(game);
            }
        }
    }

    /// Takes up a game from its record at `now`. Its former owner is known to have lived until `alive`, by
    /// the clock that dated the record: so long the running clock is charged. A game that had ended is
    /// said to be finished again.
    pub fn restore(
        &mut self,
        game: GameId,
        record: Vec<Arc<Event>>,
        alive: Timestamp,
        now: Timestamp,
    ) -> Result<(), ReplayError> {
        let mut restored = Game::replay(&record)?;
        if restored.birth().game != game {
            return Err(ReplayError::NoBirth);
        }
        let events = restored.recovered(alive, now);
        self.games.insert(game, Box::new(restored));
        self.record(game, events);
        if self.games[&game].outcome().is_some() {
            self.outputs.push_back(Output::Finished { game });
        }
        Ok(())
    }

    /// What the shell has to do next; none when everything is done.
    pub fn poll_output(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// When to call [`Shard::handle_timeout`]; it may be in the past, and there may be nothing to do then.
    pub fn poll_timeout(&self) -> Option<Deadline> {
        self.deadlines.next()
    }

    /// Lets every deadline pass that lies at or before `now`.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        while let Some(game) = self.deadlines.pop(now) {
            self.happen(game, |game| game.expire(now));
        }
    }

    fn give_birth(&mut self, birth: Birth, now: Timestamp) {
        let game = birth.game;
        let refuse = |error| Output::Unborn { game, error };
        if let Some(born) = self.games.get(&game) {
            if *born.birth() != birth {
                self.outputs.push_back(refuse(BirthError::NoRoom));
            }
            return;
        }
        if self.games.len() >= MAX_GAMES {
            self.outputs.push_back(refuse(BirthError::NoRoom));
            return;
        }
        match Game::new(birth, now) {
            Ok(born) => {
                let event = Arc::clone(&born.events()[0]);
                self.games.insert(game, Box::new(born));
                self.outputs.push_back(Output::Record { game, event });
                self.arm(game);
            }
            Err(error) => self.outputs.push_back(refuse(error)),
        }
    }

    fn command(&mut self, game: GameId, command: &Command, receipt: Receipt, ask: u64) {
        let decided = match self.games.get(&game) {
            Some(found) => found.decide(command, receipt).map_err(Rejection::Refused),
            None => Err(Rejection::UnknownGame),
        };
        let (events, answer) = match decided {
            Ok(decision) => (decision.events, Ok(decision.ruling)),
            Err(rejection) => (Vec::new(), Err(rejection)),
        };
        let finished = self.record(game, events);
        self.outputs.push_back(Output::Answer { game, ask, answer });
        if finished {
            self.outputs.push_back(Output::Finished { game });
        }
    }

    /// Lets the server's own events of a game happen.
    fn happen(&mut self, game: GameId, events: impl FnOnce(&mut Game) -> Vec<Event>) {
        let Some(found) = self.games.get_mut(&game) else {
            return;
        };
        let events = events(found);
        if self.record(game, events) {
            self.outputs.push_back(Output::Finished { game });
        }
    }

    /// Applies events and asks for them to be stored; whether the last of them ends the game.
    fn record(&mut self, id: GameId, events: Vec<Event>) -> bool {
        let Some(game) = self.games.get_mut(&id) else {
            return false;
        };
        let mut ended = false;
        for event in events {
            let event = Arc::new(event);
            game.apply(&event);
            ended = matches!(event.what, What::Ended { .. });
            self.outputs.push_back(Output::Record { game: id, event });
        }
        self.arm(id);
        ended
    }

    fn arm(&mut self, id: GameId) {
        match self.games.get(&id).and_then(|game| game.deadline()) {
            Some((_, at)) => self.deadlines.set(id, at),
            None => self.deadlines.clear(id),
        }
    }
}
