//! One night: a node with its journal, the wire, the players, and what befalls them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use rookery_core::game::{Birth, Event, PauseReason, Player as Seated, Terms, What};
use rookery_core::id::{BySeat, GameId, PlayerId, Seat, Seq, ShardNo};
use rookery_core::laws::Profile;
use rookery_core::time::{Millis, Timestamp};
use rookery_server::bus::{Ask, Reply, Request};
use rookery_server::shards::{Effects, Engine, FinishedGame, Question};
use rookery_server::stores::directory::Directory;
use rookery_server::stores::journal::{Batch, JournalError, MemoryStore};

use crate::chance::Chance;
use crate::checker::{Checker, Sent, record};
use crate::clocks::Outage;
use crate::player::{Player, Wish, as_ask};

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

/// How often each thing happened.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    counts: BTreeMap<String, u64>,
}

impl Tally {
    fn note(&mut self, what: impl Into<String>) {
        *self.counts.entry(what.into()).or_default() += 1;
    }

    pub(crate) fn add(&mut self, other: &Tally) {
        for (what, count) in &other.counts {
            *self.counts.entry(what.clone()).or_default() += count;
        }
    }

    /// A simulation that met no trouble proves nothing. Only of runs long enough to meet all of it.
    pub(crate) fn assert_everything_happened(&self) {
        let games = self.counts.get("games").copied().unwrap_or_default();
        if games < 1000 {
            return;
        }
        for what in [
            "Lost",
            "StoredUnknown",
            "LandsLater",
            "DiesBefore",
            "DiesAfter",
            "DiesTelling",
            "stall",
            "stall credited",
            "repeat",
            "fenced",
            "claimed",
            "taken back",
            "Absence",
            "Checkmate",
        ] {
            assert!(
                self.counts.get(what).is_some_and(|&count| count > 20),
                "too little of {what}: {self:?}"
            );
        }
    }
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

    /// One turn of the driver, if there is anything to decide.
    fn turn(&mut self, due: bool) {
        let waits = !self.inbox.is_empty() || !self.forgets.is_empty() || self.engine.is_due();
        if !self.up || self.committing.is_some() || !(due || waits) {
            return;
        }
        let now = Timestamp(self.now);
        self.engine.credit_late(now);
        for game in std::mem::take(&mut self.forgets) {
            self.engine.forget(game, now);
        }
        let take = self.inbox.len().min(TURN);
        for question in self.inbox.drain(..take) {
            self.engine.ask(question, now);
        }
        if self.inbox.is_empty() {
            self.engine.fire(now);
        }
        self.commit();
    }

    fn commit(&mut self) {
        let batch = self.engine.batch(Timestamp(self.now));
        if batch.appends.is_empty() {
            return self.tell(usize::MAX);
        }
        let fate = match self.chance.below(1000) {
            0..8 => Fate::Lost,
            8..16 => Fate::StoredUnknown,
            16..22 => Fate::LandsLater,
            22..25 => Fate::DiesBefore,
            25..28 => Fate::DiesAfter,
            28..31 => Fate::DiesTelling,
            _ => Fate::Stored,
        };
        let stalls = self.chance.per_mille(20);
        let takes = if stalls {
            250 + self.chance.below(3000)
        } else {
            1 + self.chance.below(5)
        };
        if stalls {
            self.tally.note("stall");
        }
        self.committing = Some(batch);
        self.after(takes, Happening::Commits(fate));
    }

    fn commits(&mut self, fate: Fate) {
        let batch = self.committing.take().expect("a commit is under way");
        self.tally.note(format!("{fate:?}"));
        if !matches!(fate, Fate::Lost | Fate::LandsLater | Fate::DiesBefore) {
            self.store
                .append(&batch)
                .unwrap_or_else(|error| panic!("{error}: {batch:?}"));
        }
        match fate {
            Fate::Stored => {
                self.beat = batch.at.0;
                self.tell(usize::MAX);
            }
            Fate::Lost | Fate::StoredUnknown => self.crash(),
            Fate::LandsLater => {
                let late = self.chance.below(2000);
                self.crash();
                self.after(late, Happening::Lands(batch));
            }
            Fate::DiesBefore | Fate::DiesAfter => self.dies(),
            Fate::DiesTelling => {
                let some = self.chance.below(batch.appends.len() as u64 + 1);
                self.tell(usize::try_from(some).unwrap());
                self.dies();
            }
        }
    }

    /// The turn is stored: `most` of its news leave the node.
    fn tell(&mut self, most: usize) {
        let Effects {
            tells,
            answers,
            finished,
        } = self.engine.stored(Timestamp(self.now));
        for (game, events) in tells.into_iter().take(most) {
            self.checker.told(&self.store, game, &events);
            for player in 0..self.players.len() {
                if self.players[player].game == game && self.players[player].online {
                    self.deliver(200, |_| Happening::Heard(player, events.clone()));
                }
            }
        }
        for (question, reply) in answers.into_iter().take(most) {
            self.leaves(question, reply);
        }
        if most == usize::MAX {
            for game in finished {
                let delay = self.chance.below(2000);
                self.after(delay, Happening::Filed(game));
            }
        }
    }

    /// An answer leaves the node.
    fn leaves(&mut self, question: u64, reply: Reply) {
        match self.askers[usize::try_from(question).unwrap()] {
            Asker::Player(_, Some(sent)) => self.checker.answered(&self.store, &sent, &reply),
            Asker::Player(player, None) => {
                if let Reply::Events { events, .. } = &reply {
                    self.checker
                        .seen(&self.store, self.players[player].game, events);
                }
            }
            Asker::Lobby(game) => {
                let stored =
                    !record(&self.store, game).is_empty() || self.filed.contains_key(&game);
                assert!(
                    stored || !matches!(reply, Reply::Born),
                    "born before it was stored"
                );
            }
        }
        self.deliver(200, |_| Happening::Answered(question, reply.clone()));
    }

    fn answered(&mut self, question: u64, reply: &Reply) {
        match self.askers[usize::try_from(question).unwrap()] {
            Asker::Lobby(game) => self.lobby_answered(game, reply),
            Asker::Player(player, sent) => {
                if let Reply::Events { events, .. } = reply {
                    self.players[player].hear(events);
                }
                if matches!(reply, Reply::UnknownGame) {
                    self.players[player].is_gone();
                }
                if let (Some(sent), false) = (sent, matches!(reply, Reply::Retry | Reply::Busy)) {
                    self.players[player].answered(&sent);
                }
            }
        }
    }

    fn lobby_answered(&mut self, game: GameId, reply: &Reply) {
        if !matches!(reply, Reply::Born) {
            return;
        }
        if !self.born.insert(game) {
            return;
        }
        for player in 0..self.players.len() {
            if self.players[player].game == game {
                self.connects(player);
                self.after(1, Happening::Wakes(player));
            }
        }
    }

    fn connects(&mut self, player: usize) {
        self.players[player].online = true;
        let (game, id) = (self.players[player].game, self.players[player].id);
        self.send(
            game,
            Ask::Presence {
                player: id,
                online: true,
            },
            Asker::Player(player, None),
        );
        self.send(
            game,
            Ask::Events { from: Seq(0) },
            Asker::Player(player, None),
        );
    }

    fn wakes(&mut self, player: usize) {
        let (game, id) = (self.players[player].game, self.players[player].id);
        if self.players[player].is_over() || self.filed.contains_key(&game) {
            return;
        }
        let next = 100 + self.chance.below(4000);
        self.after(next, Happening::Wakes(player));
        if !self.players[player].online {
            if self.chance.per_mille(300) {
                self.connects(player);
            }
            return;
        }
        if self.chance.per_mille(15) {
            self.players[player].online = false;
            self.send(
                game,
                Ask::Presence {
                    player: id,
                    online: false,
                },
                Asker::Player(player, None),
            );
            return;
        }
        match self.players[player].wake(self.now, &mut self.chance) {
            None => {}
            Some(Wish::Ask(ask)) => self.send(game, ask, Asker::Player(player, None)),
            Some(Wish::Command(sent)) => {
                let ask = as_ask(&sent, id, &mut self.chance);
                self.send(game, ask, Asker::Player(player, Some(sent)));
            }
        }
    }

    /// Puts a question on the wire; sometimes it arrives twice, or not at all.
    fn send(&mut self, game: GameId, ask: Ask, asker: Asker) {
        self.askers.push(asker);
        let question = self.askers.len() as u64 - 1;
        self.deliver(300, |chance| {
            let request = Request {
                game,
                held: Millis(chance.below(40)),
                ask: ask.clone(),
            };
            Happening::Arrives(request, question)
        });
    }

    fn deliver(&mut self, slowest: u64, mut happening: impl FnMut(&mut Chance) -> Happening) {
        let copies = match self.chance.below(100) {
            0..2 => 0,
            2..7 => 2,
            _ => 1,
        };
        if copies == 2 {
            self.tally.note("repeat");
        }
        for _ in 0..copies {
            let delay = self.chance.below(slowest);
            let happening = happening(&mut self.chance);
            self.after(delay, happening);
        }
    }

    /// The journal failed: the games are taken from it again by the same node.
    fn crash(&mut self) {
        for question in self.engine.crash() {
            self.leaves(question, Reply::Retry);
        }
        self.recover(self.beat);
    }

    /// The process is gone, with everything it held in memory.
    fn dies(&mut self) {
        self.engine = Engine::new(usize::MAX);
        self.directory = Directory::default();
        self.inbox.clear();
        self.forgets.clear();
        self.checker.died();
        self.up = false;
        let down = self.chance.below(20_000);
        self.after(1 + down, Happening::Revives);
    }

    fn revives(&mut self) {
        self.up = true;
        let alive = self.store.last_beat().map_or(START, |at| at.0);
        self.recover(alive);
        for player in 0..self.players.len() {
            self.players[player].online = false;
        }
    }

    fn recover(&mut self, alive: u64) {
        let now = Timestamp(self.now);
        let shards: Vec<ShardNo> = self.births.keys().map(|game| game.shard()).collect();
        let epoch = self
            .directory
            .claim(&shards, self.store.epoch(&shards), now);
        self.store.claim(&shards, epoch);
        let mut shards = shards;
        shards.sort_unstable();
        shards.dedup();
        let games = shards
            .iter()
            .flat_map(|&shard| self.store.load(shard))
            .collect();
        self.checker.outages.push(Outage {
            alive,
            until: self.now,
        });
        self.engine.recover(epoch, games, Timestamp(alive), now);
        self.commit();
    }

    fn files(&mut self, game: FinishedGame) {
        let id = game.birth.game;
        if let Some(first) = self.filed.get(&id) {
            assert_eq!(*first, game, "filed again, otherwise");
        } else {
            assert_eq!(
                record(&self.store, id),
                game.events,
                "filed otherwise than stored"
            );
            self.checker.finished(id, &game.events);
            for event in &game.events {
                self.tally.note(kind(&event.what));
            }
            self.filed.insert(id, game);
        }
        self.store.forget(&[id]);
        if self.up {
            self.forgets.push(id);
        }
    }

    fn plan_game(&mut self, number: u64) {
        let shard = ShardNo::new(u16::try_from(self.chance.below(1024)).unwrap());
        let game = GameId::mint(Timestamp(START), self.chance.bits(), shard);
        let ids = BySeat::new_with(|seat| {
            PlayerId::mint(Timestamp(START), number * 2 + seat.index() as u64, shard)
        });
        let starts = self.chance.below(5000);
        let seated = |seat| Seated {
            id: ids[seat],
            name: format!("{seat:?}"),
            bot: false,
            guest: false,
        };
        let birth = Birth {
            game,
            terms: self.terms(),
            players: BySeat::new_with(seated),
            starts_at: Timestamp(START + starts + 1000),
        };
        self.births.insert(game, birth);
        for seat in Seat::BOTH {
            let player = Player::new(ids[seat], game, seat, &mut self.chance);
            self.players.push(player);
        }
        self.after(starts, Happening::IsAsked(game, START + starts));
    }

    fn terms(&mut self) -> Terms {
        let control = self
            .chance
            .pick(&["180+2", "60", "300d3", "10/120+1:60+1", "600+5", "30+1"]);
        let [rated, lag_credit, first_move, grace] =
            [500, 700, 500, 300].map(|times| self.chance.per_mille(times));
        Terms {
            control: control.parse().unwrap(),
            profile: *self.chance.pick(&Profile::ALL),
            wrong_claim: None,
            rated,
            lag_credit,
            first_move: first_move.then_some(Millis::from_secs(30)),
            absence_grace: grace.then_some(Millis::from_secs(5)),
            start_fen: None,
        }
    }

    fn after(&mut self, span: u64, happening: Happening) {
        self.tie += 1;
        self.ahead.insert((self.now + span, self.tie), happening);
    }
}

/// The name of a happening, for the tally.
fn kind(what: &What) -> &'static str {
    match what {
        What::Born(_) => "born",
        What::Moved { .. } => "moved",
        What::Offered { .. } => "offered",
        What::Declined { .. } => "declined",
        What::Claimed { .. } => "claimed",
        What::TakebackProposed { .. } => "takeback proposed",
        What::TakebackDeclined { .. } => "takeback declined",
        What::TakenBack { .. } => "taken back",
        What::Paused {
            reason: PauseReason::Stall,
            ..
        } => "stall credited",
        What::Paused { .. } => "paused",
        What::Resumed { .. } => "resumed",
        What::Ended { .. } => "ended",
    }
}
