//! The task around an [`Engine`]: batch in, decide, one commit, then tell and answer. Decides nothing
//! itself. A commit that fails, or whose outcome is unknown, is a crash: what was decided is dropped, the
//! games are taken from the journal again under a new epoch, and those who wait are told to ask again.

use std::sync::Arc;

use rookery_core::id::{GameId, ShardNo};
use rookery_core::time::{Millis, Timestamp};
use tokio::sync::{mpsc, oneshot, watch};

use super::engine::Engine;
use super::filing::FinishedGame;
use super::meter::Meter;
use super::pulse::Pulse;
use super::router::Envelope;
use super::turn::{Effects, Question};
use crate::bus::{Audience, Reply};
use crate::clock::{Clock, Stopwatch};
use crate::stores::directory::Directory;
use crate::stores::journal::{Journal, JournalError};

/// Questions decided in one turn. A hundred moves are decided in the time of one commit; more would make
/// the first wait for the last.
const TURN: usize = 256;

/// How often a driver with live games stores its time when it has nothing else to store (design,
/// invariant 7).
const BEAT_EVERY: Millis = Millis::from_secs(1);

/// A driver with live games wakes each second. One that slept longer was not slow: the machine was suspended
/// or the process stopped, and nobody could play. Five times as long as a lease's renewal, as a lease lives.
const FROZEN: Millis = Millis::from_secs(5);

/// With more waiting than a turn decides, deadlines pass up to so long before the receipt of the last
/// question decided: what waits behind it was received later, or held by its gateway for less.
const HELD_AT_MOST: Millis = Millis(100);

/// Between two attempts to recover: soon enough for a hiccup, rare enough for a full disk.
const RECOVER_EVERY: Millis = Millis(250);

/// What a driver's queue holds.
#[derive(Debug)]
pub(super) enum Message {
    /// A question.
    Ask(Envelope),
    /// The game is filed.
    Forget(GameId),
}

/// Where the answer to a question goes, and since when it is awaited.
type Asker = (oneshot::Sender<Reply>, Stopwatch);

pub(super) struct Driver<J> {
    /// Its name among the drivers of this node.
    pub(super) number: usize,
    pub(super) pulse: Arc<Pulse>,
    pub(super) clock: Clock,
    pub(super) journal: Arc<J>,
    pub(super) directory: Arc<Directory>,
    pub(super) audience: Arc<dyn Audience>,
    pub(super) shards: Vec<ShardNo>,
    pub(super) queue: mpsc::Receiver<Message>,
    pub(super) filing: mpsc::Sender<FinishedGame>,
    pub(super) stop: watch::Receiver<bool>,
    pub(super) engine: Engine<Asker>,
    /// Finished games that the filing queue had no room for.
    pub(super) unfiled: Vec<FinishedGame>,
    /// When this driver last stored its time.
    pub(super) beat: Timestamp,
    pub(super) meter: Meter,
}

/// Why a driver woke up.
enum Wake {
    Turn,
    Stop,
}

impl<J: Journal> Driver<J> {
    /// Serves until it is told to stop, then decides what still waits, and ends.
    pub(super) async fn run(mut self) {
        let mut inbox = Vec::with_capacity(TURN);
        loop {
            self.file();
            let asleep = self.clock.now();
            let wake = self.wait(&mut inbox).await;
            let decided = self.clock.now();
            if self.engine.games() > 0 && decided.since(asleep) > FROZEN {
                tracing::warn!(span = %decided.since(asleep), "this process was frozen");
                self.crash(asleep).await;
            }
            self.gather(&mut inbox);
            self.decide(&mut inbox, decided);
            self.finish_turn().await;
            if matches!(wake, Wake::Stop) && self.queue.is_empty() {
                break;
            }
        }
        self.file();
        self.beat_now().await;
    }

    /// Takes the games of the journal, whose owner was alive at `alive`, and stores what that changes.
    pub(super) async fn recover(&mut self, alive: Timestamp) -> Result<(), JournalError> {
        let stored = self.journal.epoch(&self.shards).await?;
        let epoch = self.directory.claim(&self.shards, stored, self.clock.now());
        self.journal.claim(&self.shards, epoch).await?;
        let games = self.journal.load(&self.shards).await?;
        let count = games.len();
        self.engine.recover(epoch, games, alive, self.clock.now());
        self.commit().await?;
        self.pulse.goes_on(self.number);
        if count > 0 {
            tracing::info!(
                games = count,
                epoch = epoch.0,
                "games recovered from the journal"
            );
        }
        Ok(())
    }

    /// Waits for a message, a deadline, the next heartbeat or the end.
    async fn wait(&mut self, inbox: &mut Vec<Message>) -> Wake {
        if *self.stop.borrow() {
            return Wake::Stop;
        }
        if self.engine.is_due() {
            return Wake::Turn;
        }
        let beat = (self.engine.games() > 0).then(|| self.beat + BEAT_EVERY);
        let alarm = self.engine.timeout().into_iter().chain(beat).min();
        let alarm = async {
            match alarm {
                Some(at) => self.clock.sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            _ = self.stop.changed() => Wake::Stop,
            _ = self.queue.recv_many(inbox, TURN) => Wake::Turn,
            () = alarm => Wake::Turn,
        }
    }

    /// Takes what else waits, as far as it fits into the turn.
    fn gather(&mut self, inbox: &mut Vec<Message>) {
        self.meter.depth(self.queue.len() + inbox.len());
        while inbox.len() < TURN
            && let Ok(message) = self.queue.try_recv()
        {
            inbox.push(message);
        }
    }

    fn decide(&mut self, inbox: &mut Vec<Message>, now: Timestamp) {
        self.engine.credit_late(now);
        let drained = inbox.len() < TURN;
        let mut decided_to = Timestamp(0);
        for message in inbox.drain(..) {
            match message {
                Message::Ask(Envelope {
                    request,
                    received,
                    stopwatch,
                    reply,
                }) => {
                    decided_to = received;
                    self.engine.ask(
                        Question {
                            request,
                            received,
                            to: (reply, stopwatch),
                        },
                        now,
                    );
                }
                Message::Forget(game) => self.engine.forget(game, now),
            }
        }
        let past = if drained {
            now
        } else {
            decided_to - HELD_AT_MOST
        };
        self.meter.fired(self.engine.fire(past));
    }

    async fn finish_turn(&mut self) {
        if let Err(error) = self.commit().await {
            tracing::error!(%error, "commit failed: games are recovered from the journal");
            self.crash(self.beat).await;
        } else if self.engine.games() > 0 && self.clock.now().since(self.beat) >= BEAT_EVERY {
            self.beat_now().await;
        }
        self.meter.games(self.engine.games());
    }

    /// Stores the turn, then tells and answers.
    async fn commit(&mut self) -> Result<(), JournalError> {
        let now = self.clock.now();
        let batch = self.engine.batch(self.pulse.at(now));
        if !batch.appends.is_empty() {
            let commit = Stopwatch::start();
            self.journal.append(&batch).await?;
            self.meter.committed(commit);
            self.beat = now;
        }
        let Effects {
            tells,
            answers,
            finished,
        } = self.engine.stored(self.clock.now());
        for (game, events) in &tells {
            self.audience.tell(*game, events);
            self.meter.told(events);
        }
        for ((to, since), reply) in answers {
            self.meter.answered(since, &reply);
            // Who no longer waits has given up or gone away.
            drop(to.send(reply));
        }
        self.unfiled.extend(finished);
        Ok(())
    }

    /// Recovers, however long it takes; whoever asks meanwhile is told to ask again. Clocks are charged up
    /// to `alive`.
    async fn crash(&mut self, alive: Timestamp) {
        self.meter.crashed();
        self.pulse.stops(self.number, alive);
        self.unfiled.clear();
        for (to, _) in self.engine.crash() {
            drop(to.send(Reply::Retry));
        }
        while let Err(error) = self.recover(alive).await {
            tracing::error!(%error, "not recovered yet");
            for (to, _) in self.engine.crash() {
                drop(to.send(Reply::Retry));
            }
            if *self.stop.borrow() {
                return;
            }
            self.turn_away(self.clock.now() + RECOVER_EVERY).await;
        }
    }

    /// Answers every question with `retry` until `until`.
    async fn turn_away(&mut self, until: Timestamp) {
        let clock = self.clock.clone();
        let pause = clock.sleep_until(until);
        tokio::pin!(pause);
        loop {
            tokio::select! {
                () = &mut pause => return,
                message = self.queue.recv() => match message {
                    Some(Message::Ask(envelope)) => drop(envelope.reply.send(Reply::Retry)),
                    // The journal has forgotten the game, so the recovery will not bring it back.
                    Some(Message::Forget(_)) => {}
                    None => return pause.await,
                },
            }
        }
    }

    /// Hands finished games on, as far as there is room.
    fn file(&mut self) {
        while let Some(game) = self.unfiled.pop() {
            if let Err(
                mpsc::error::TrySendError::Full(game) | mpsc::error::TrySendError::Closed(game),
            ) = self.filing.try_send(game)
            {
                self.unfiled.push(game);
                return;
            }
        }
    }

    async fn beat_now(&mut self) {
        let at = self.clock.now();
        match self.journal.beat(self.pulse.at(at)).await {
            Ok(()) => self.beat = at,
            Err(error) => tracing::warn!(%error, "heartbeat not stored"),
        }
    }
}
