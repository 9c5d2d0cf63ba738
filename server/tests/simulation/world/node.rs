//! The node: its turns, its commits and what becomes of them, its deaths.

use super::*;

impl World {
    /// One turn of the driver, if there is anything to decide.
    pub(super) fn turn(&mut self, due: bool) {
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

    pub(super) fn commit(&mut self) {
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

    pub(super) fn commits(&mut self, fate: Fate) {
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
    pub(super) fn tell(&mut self, most: usize) {
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
    pub(super) fn leaves(&mut self, question: u64, reply: Reply) {
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

    /// The journal failed: the games are taken from it again by the same node.
    pub(super) fn crash(&mut self) {
        for question in self.engine.crash() {
            self.leaves(question, Reply::Retry);
        }
        self.recover(self.beat);
    }

    /// The process is gone, with everything it held in memory.
    pub(super) fn dies(&mut self) {
        self.engine = Engine::new(usize::MAX);
        self.directory = Directory::default();
        self.inbox.clear();
        self.forgets.clear();
        self.checker.died();
        self.up = false;
        let down = self.chance.below(20_000);
        self.after(1 + down, Happening::Revives);
    }

    pub(super) fn revives(&mut self) {
        self.up = true;
        let alive = self.store.last_beat().map_or(START, |at| at.0);
        self.recover(alive);
        for player in 0..self.players.len() {
            self.players[player].online = false;
        }
    }

    pub(super) fn recover(&mut self, alive: u64) {
        let now = Timestamp(self.now);
        let shards: Vec<ShardNo> = self.births.keys().map(|game| game.shard()).collect();
        let epoch = self
            .directory
            .claim(&shards, self.store.epoch(&shards), now);
        self.store.claim(&shards, epoch);
        let games = self.store.load(&shards);
        self.checker.outages.push(Outage {
            alive,
            until: self.now,
        });
        self.engine.recover(epoch, games, Timestamp(alive), now);
        self.commit();
    }

    pub(super) fn files(&mut self, game: FinishedGame) {
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
}
