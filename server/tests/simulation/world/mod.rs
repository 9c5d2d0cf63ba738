//! One night: a node with its journal, the wire, the players, and what befalls them.

mod crowd;
mod node;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use rookery_core::game::{Birth, Event};
use rookery_core::id::{GameId, Seat, Seq, ShardNo};
use rookery_core::time::{Millis, Timestamp};
use rookery_server::bus::{Ask, Reply, Request};
use rookery_server::shards::{Effects, Engine, FinishedGame, Question};
use rookery_server::stores::directory::Directory;
use rookery_server::stores::journal::{Batch, JournalError, MemoryStore};

use crate::births;
use crate::chance::Chance;
use crate::checker::{Checker, Sent, record};
use crate::clocks::Outage;
use crate::player::{Player, Wish, as_ask};
use crate::tally::{Tally, kind};

const START: u64 = 1_790_000_000_000;

/// Questions in a turn: few, so that some wait.
const TURN: usize = 8;

/// A night in which something goes on for longer will never end.
const LONGEST: u64 = 12 * 3_600_000;

/// How long the lobby asks for a birth, and how often: sooner than any game can end of which nobody knows.
const BIRTH_PATIENCE: u64 = 10_000;
const BIRTH_AGAIN: u64 = 1000;

/// Something that will happen.
enum Happening {
    Arrives(Request, u64),
    Heard(usize, Vec<Arc<Event>>),
    Answered(u64, Reply),
    Wakes(usize),
    /// The journal has done, or not, what it was asked.
    Commits(Fate),
    /// A write whose outcome was unknown lands after all.
    Lands(Batch),
    Beats,
    Revives,
    Filed(FinishedGame),
    /// The lobby asks for a birth, as it has since that instant.
    IsAsked(GameId, u64),
}

/// What becomes of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Stored,
    Lost,
    StoredUnknown,
    LandsLater,
    DiesBefore,
    DiesAfter,
    DiesTelling,
}

/// Who asked a question.
#[derive(Clone, Copy)]
enum Asker {
    Lobby(GameId),
    Player(usize, Option<Sent>),
}

pub(crate) struct World {
    chance: Chance,
    now: u64,
    ahead: BTreeMap<(u64, u64), Happening>,
    tie: u64,
    store: MemoryStore,
    directory: Directory,
    engine: Engine<u64>,
    up: bool,
    inbox: VecDeque<Question<u64>>,
    forgets: Vec<GameId>,
    committing: Option<Batch>,
    beat: u64,
    askers: Vec<Asker>,
    births: BTreeMap<GameId, Birth>,
    /// Those the lobby knows to be born.
    born: BTreeSet<GameId>,
    /// Those of which it heard nothing: most were never born.
    given_up: BTreeSet<GameId>,
    players: Vec<Player>,
    filed: BTreeMap<GameId, FinishedGame>,
    checker: Checker,
    tally: Tally,
}

impl World {
    pub(crate) fn new(seed: u64, games: u64) -> World {
        let mut world = World {
            chance: Chance::new(seed),
            now: START,
            ahead: BTreeMap::new(),
            tie: 0,
            store: MemoryStore::default(),
            directory: Directory::default(),
            engine: Engine::new(usize::MAX),
            up: true,
            inbox: VecDeque::new(),
            forgets: Vec::new(),
            committing: None,
            beat: START,
            askers: Vec::new(),
            births: BTreeMap::new(),
            born: BTreeSet::new(),
            given_up: BTreeSet::new(),
            players: Vec::new(),
            filed: BTreeMap::new(),
            checker: Checker::default(),
            tally: Tally::default(),
        };
        for number in 0..games {
            world.plan_game(number);
        }
        world.recover(START);
        world.after(1000, Happening::Beats);
        world
    }

    /// Plays the night to its end.
    pub(crate) fn play(mut self) -> Tally {
        while !self.is_over() {
            assert!(self.now < START + LONGEST, "the night does not end");
            let next = self
                .ahead
                .first_key_value()
                .map_or(u64::MAX, |(&(at, _), _)| at);
            let idle = self.up && self.committing.is_none();
            let timeout = if idle { self.engine.timeout() } else { None };
            if timeout.is_some_and(|at| at.0 < next) {
                self.now = self.now.max(timeout.unwrap_or_default().0);
                self.turn(true);
                continue;
            }
            let ((at, _), happening) = self.ahead.pop_first().expect("heartbeats never end");
            self.now = at;
            self.happen(happening);
            self.turn(false);
        }
        for game in self.filed.values() {
            self.tally.note("games");
            self.tally.note(format!("{:?}", game.outcome.ending));
        }
        self.tally
    }

    /// Every game is filed, or was given up by the lobby and never born.
    fn is_over(&self) -> bool {
        let settled = self.filed.len() + self.given_up.len() >= self.births.len();
        let quiet = self.up && self.inbox.is_empty() && self.committing.is_none();
        settled
            && quiet
            && self.births.keys().all(|game| {
                let unborn = self.given_up.contains(game) && record(&self.store, *game).is_empty();
                self.filed.contains_key(game) || unborn
            })
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Arrives(request, question) if self.up => {
                let received = Timestamp(self.now) - request.held;
                self.inbox.push_back(Question {
                    request,
                    received,
                    to: question,
                });
            }
            Happening::Arrives(..) => {}
            Happening::Heard(player, events) => self.players[player].hear(&events),
            Happening::Answered(question, reply) => self.answered(question, &reply),
            Happening::Wakes(player) => self.wakes(player),
            Happening::Commits(fate) => self.commits(fate),
            Happening::Lands(batch) => {
                let landed = self.store.append(&batch);
                assert!(
                    matches!(landed, Err(JournalError::Fenced { .. })),
                    "a late write landed: {landed:?}"
                );
                self.tally.note("fenced");
            }
            Happening::Beats => {
                if self.up && self.committing.is_none() {
                    self.store.beat(Timestamp(self.now));
                    self.beat = self.now;
                }
                self.after(1000, Happening::Beats);
            }
            Happening::Revives => self.revives(),
            Happening::Filed(game) => self.files(game),
            Happening::IsAsked(game, _) if self.born.contains(&game) => {}
            Happening::IsAsked(game, since) if self.now > since + BIRTH_PATIENCE => {
                self.given_up.insert(game);
            }
            Happening::IsAsked(game, since) => {
                self.after(BIRTH_AGAIN, Happening::IsAsked(game, since));
                let birth = Ask::Birth(Box::new(self.births[&game].clone()));
                self.send(game, birth, Asker::Lobby(game));
            }
        }
    }

    fn after(&mut self, span: u64, happening: Happening) {
        self.tie += 1;
        self.ahead.insert((self.now + span, self.tie), happening);
    }
}
