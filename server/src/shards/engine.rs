//! What a driver decides, without its journal, its queue or its tasks: many shards, turn by turn.
//!
//! A turn: [`Engine::credit_late`], any number of [`Engine::ask`], at most one [`Engine::fire`]; then
//! [`Engine::batch`] is stored; then [`Engine::stored`] says who is told and answered what. When it is
//! not known to be stored, [`Engine::crash`] drops all that was decided and [`Engine::recover`] starts
//! from the journal. Nothing leaves in between: nobody hears of what might not be kept. Reads no clock,
//! waits for nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use rookery_core::game::{Birth, Command, Event, Game, Receipt};
use rookery_core::id::{GameId, PlayerId, Seat, Seq, ShardNo};
use rookery_core::shard::{Input, Output, Rejection, Shard};
use rookery_core::time::{Millis, Timestamp};

use super::filing::FinishedGame;
use super::turn::{Answer, Cause, Due, Effects, Question, Turn};
use crate::bus::{Ask, Reply, Request};
use crate::stores::journal::{Append, Batch, Epoch, StoredGame};
use crate::stores::presence::Presence;

/// An event that is told later than this after it took effect has cost the side to move time it could
/// not use: it gets the delay back (design, invariant 7).
pub const STALL: Millis = Millis(250);

/// A shard answers within the call, so one name does for every question.
const ASK: u64 = 0;

/// The shards of one driver.
#[derive(Debug)]
pub struct Engine<T> {
    epoch: Epoch,
    /// Those that have or had a game.
    shards: BTreeMap<ShardNo, Shard>,
    /// For each game, the number of the first event nobody was told. Outlives a crash, so that what was
    /// stored but not told is told after it.
    told: BTreeMap<GameId, Seq>,
    /// Outlives a crash.
    presence: Presence,
    /// What sides to move get back for being told late.
    late: Vec<(GameId, Millis)>,
    /// How many games may live here at a time.
    capacity: usize,
    turn: Turn<T>,
}

impl<T> Engine<T> {
    /// An engine without games, for at most `capacity` of them.
    pub fn new(capacity: usize) -> Engine<T> {
        Engine {
            epoch: Epoch::default(),
            shards: BTreeMap::new(),
            told: BTreeMap::new(),
            presence: Presence::default(),
            late: Vec::new(),
            capacity,
            turn: Turn::default(),
        }
    }

    /// Takes up the games of the journal under a new epoch. Their owner was last known to be alive at
    /// `alive`: running clocks are charged up to it and stand until the side to move is back.
    pub fn recover(
        &mut self,
        epoch: Epoch,
        games: Vec<StoredGame>,
        alive: Timestamp,
        now: Timestamp,
    ) {
        self.epoch = epoch;
        let mut told = std::mem::take(&mut self.told);
        for StoredGame { game, events } in games {
            let stored =
                Seq(u32::try_from(events.len()).expect("events of a game are counted in 32 bits"));
            if let Err(error) = self.shard(game.shard()).restore(game, events, alive, now) {
                tracing::error!(%game, %error, "a game of the journal cannot be taken up");
                continue;
            }
            self.told.insert(game, told.remove(&game).unwrap_or(stored));
            self.turn.changed.insert(game);
            self.drain(game.shard(), Cause::Upkeep);
            self.greet(game, now);
        }
        let told = &self.told;
        self.presence.retain(|game| told.contains_key(&game));
    }

    /// Gives sides to move what late news has cost them: the first thing of a turn.
    pub fn credit_late(&mut self, now: Timestamp) {
        for (game, span) in std::mem::take(&mut self.late) {
            self.shard(game.shard())
                .handle(Input::Stalled { game, span }, now);
            self.drain(game.shard(), Cause::Upkeep);
        }
    }

    /// Judges a question.
    pub fn ask(&mut self, question: Question<T>, now: Timestamp) {
        let Question {
            request: Request { game, ask, .. },
            received,
            to,
        } = question;
        let due = match ask {
            Ask::Birth(birth) => Due::Reply(self.birth(birth, now)),
            Ask::Command {
                player,
                id,
                ply,
                act,
                lag,
            } => {
                let receipt = Receipt {
                    at: received.min(now),
                    lag,
                };
                let command = |seat| Command { seat, id, ply, act };
                Due::Reply(self.command(game, player, command, receipt, now))
            }
            Ask::Presence { player, online } => {
                Due::Reply(self.presence(game, player, online, now))
            }
            Ask::Events { from } => Due::Events(game, from),
        };
        self.turn.answers.push((to, due));
    }

    /// Lets the deadlines pass that lie at or before `now`: every question received by then must have been
    /// asked. Says how late those were that changed a game.
    pub fn fire(&mut self, now: Timestamp) -> Vec<Millis> {
        let due = |shard: &Shard| shard.poll_timeout().filter(|&at| at <= now);
        let due: Vec<_> = self
            .shards
            .iter()
            .filter_map(|(&no, shard)| Some((no, due(shard)?)))
            .collect();
        let mut late = Vec::new();
        for (no, at) in due {
            let changed = self.turn.changed.len();
            self.shard(no).handle_timeout(now);
            self.drain(no, Cause::Act);
            if self.turn.changed.len() > changed {
                late.push(now.since(at));
            }
        }
        late
    }

    /// When [`Engine::fire`] is due.
    pub fn timeout(&self) -> Option<Timestamp> {
        self.shards.values().filter_map(Shard::poll_timeout).min()
    }

    /// Whether a turn is due at once, even without a question.
    pub fn is_due(&self) -> bool {
        !self.late.is_empty()
    }

    /// How many games live here, those that have ended and are not filed among them.
    pub fn games(&self) -> usize {
        self.told.len()
    }

    /// What must be stored before anything of this turn is known.
    pub fn batch(&self, now: Timestamp) -> Batch {
        let append = |&game: &GameId| {
            let events = self.untold(game).to_vec();
            (!events.is_empty()).then_some(Append {
                epoch: self.epoch,
                game,
                events,
            })
        };
        Batch {
            at: now,
            appends: self.turn.changed.iter().filter_map(append).collect(),
        }
    }

    /// The turn is stored: what may be known.
    pub fn stored(&mut self, now: Timestamp) -> Effects<T> {
        let turn = std::mem::take(&mut self.turn);
        let mut tells = Vec::with_capacity(turn.changed.len());
        for game in turn.changed {
            let events = self.untold(game).to_vec();
            if let Some(last) = events.last() {
                self.told.insert(game, last.seq.next());
                tells.push((game, events));
            }
        }
        let late = turn
            .acted
            .into_iter()
            .map(|(game, at)| (game, now.since(at)));
        self.late = late
            .filter(|&(game, delay)| delay > STALL && self.is_live(game))
            .collect();
        let answers = turn
            .answers
            .into_iter()
            .map(|(to, due)| (to, self.reply(due)))
            .collect();
        let finished = turn
            .finished
            .into_iter()
            .filter_map(|game| self.finished(game))
            .collect();
        Effects {
            tells,
            answers,
            finished,
        }
    }

    /// The turn may be stored or not: forgets every game, and gives back those who wait, to be answered
    /// [`Reply::Retry`].
    pub fn crash(&mut self) -> Vec<T> {
        self.shards.clear();
        self.late.clear();
        std::mem::take(&mut self.turn)
            .answers
            .into_iter()
            .map(|(to, _)| to)
            .collect()
    }

    /// The game is filed and the journal has forgotten it.
    pub fn forget(&mut self, game: GameId, now: Timestamp) {
        self.shard(game.shard()).handle(Input::Forget { game }, now);
        self.drain(game.shard(), Cause::Upkeep);
        self.told.remove(&game);
        self.presence.forget(game);
    }

    fn birth(&mut self, birth: Box<Birth>, now: Timestamp) -> Reply {
        let game = birth.game;
        if self.game(game).is_none() && self.games() >= self.capacity {
            return Reply::Busy;
        }
        self.shard(game.shard()).handle(Input::Birth(birth), now);
        match self.drain(game.shard(), Cause::Act) {
            Some(Answer::Unborn(error)) => Reply::Unborn(error),
            Some(Answer::Judged(_)) | None => {
                self.told.entry(game).or_insert(Seq(0));
                Reply::Born
            }
        }
    }

    fn command(
        &mut self,
        game: GameId,
        player: PlayerId,
        command: impl FnOnce(Seat) -> Command,
        receipt: Receipt,
        now: Timestamp,
    ) -> Reply {
        let seat = match self.seat(game, player) {
            Ok(seat) => seat,
            Err(reply) => return reply,
        };
        let command = command(seat);
        self.shard(game.shard()).handle(
            Input::Command {
                game,
                command,
                receipt,
                ask: ASK,
            },
            now,
        );
        match self.drain(game.shard(), Cause::Act) {
            Some(Answer::Judged(Ok(ruling))) => Reply::Ruled(ruling),
            Some(Answer::Judged(Err(Rejection::Refused(refusal)))) => Reply::Refused(refusal),
            Some(Answer::Judged(Err(Rejection::UnknownGame)) | Answer::Unborn(_)) | None => {
                Reply::UnknownGame
            }
        }
    }

    fn presence(&mut self, game: GameId, player: PlayerId, online: bool, now: Timestamp) -> Reply {
        let seat = match self.seat(game, player) {
            Ok(seat) => seat,
            Err(reply) => return reply,
        };
        self.presence.note(game, seat, online);
        self.shard(game.shard())
            .handle(Input::Presence { game, seat, online }, now);
        self.drain(game.shard(), Cause::Act);
        Reply::Noted
    }

    /// Says to a recovered game who was there all the time.
    fn greet(&mut self, game: GameId, now: Timestamp) {
        let there = self.presence.of(game);
        for seat in Seat::BOTH.into_iter().filter(|&seat| there[seat]) {
            self.shard(game.shard()).handle(
                Input::Presence {
                    game,
                    seat,
                    online: true,
                },
                now,
            );
            self.drain(game.shard(), Cause::Act);
        }
    }

    /// Takes every output of a shard into the turn; gives back the answer, if a question was put.
    fn drain(&mut self, no: ShardNo, cause: Cause) -> Option<Answer> {
        let shard = self.shards.get_mut(&no)?;
        let mut answered = None;
        while let Some(output) = shard.poll_output() {
            match output {
                Output::Record { game, event } => {
                    self.turn.changed.insert(game);
                    if cause == Cause::Act {
                        self.turn.acted.insert(game, event.at);
                    }
                }
                Output::Answer { answer, .. } => answered = Some(Answer::Judged(answer)),
                Output::Unborn { error, .. } => answered = Some(Answer::Unborn(error)),
                Output::Finished { game } => {
                    self.turn.finished.insert(game);
                }
            }
        }
        answered
    }

    fn reply(&self, due: Due) -> Reply {
        match due {
            Due::Reply(reply) => reply,
            Due::Events(game, from) => match self.game(game) {
                None => Reply::UnknownGame,
                Some(known) => {
                    let events = known
                        .events()
                        .get(from.0 as usize..)
                        .unwrap_or_default()
                        .to_vec();
                    Reply::Events {
                        events,
                        online: self.presence.of(game),
                    }
                }
            },
        }
    }

    fn finished(&self, game: GameId) -> Option<FinishedGame> {
        let game = self.game(game)?;
        let outcome = game.outcome()?;
        Some(FinishedGame {
            birth: game.birth().clone(),
            events: game.events().to_vec(),
            outcome,
        })
    }

    /// The seat of a player, or what to answer him who has none.
    fn seat(&self, game: GameId, player: PlayerId) -> Result<Seat, Reply> {
        let players = &self.game(game).ok_or(Reply::UnknownGame)?.birth().players;
        Seat::BOTH
            .into_iter()
            .find(|&seat| players[seat].id == player)
            .ok_or(Reply::NotSeated)
    }

    fn untold(&self, game: GameId) -> &[Arc<Event>] {
        let told = self.told.get(&game).copied().unwrap_or_default();
        self.game(game)
            .and_then(|game| game.events().get(told.0 as usize..))
            .unwrap_or_default()
    }

    fn is_live(&self, game: GameId) -> bool {
        self.game(game).is_some_and(|game| game.outcome().is_none())
    }

    fn game(&self, game: GameId) -> Option<&Game> {
        self.shards.get(&game.shard())?.game(game)
    }

    fn shard(&mut self, no: ShardNo) -> &mut Shard {
        self.shards.entry(no).or_insert_with(|| Shard::new(no))
    }
}
