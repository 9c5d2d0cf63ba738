//! What becomes of a finished game: filed with the registrar, then forgotten by the journal. Knows not
//! what is settled, nor where.

use std::sync::Arc;

use metrics::counter;
use rookery_core::game::{Birth, Ending, Event, Outcome};
use rookery_core::id::GameId;
use rookery_core::time::Millis;
use tokio::sync::{mpsc, watch};

use super::FILING_GRACE;
use super::driver::Message;
use crate::clock::Clock;
use crate::stores::journal::Journal;

/// Finished games taken up together: the journal forgets them in one commit, and a game that the
/// registrar will not have does not keep the others from theirs.
const BATCH: usize = 64;

/// The first wait after a failure; it doubles up to [`BACKOFF_MOST`].
const BACKOFF_LEAST: Millis = Millis(100);

/// An archive that was away for long is found again this soon.
const BACKOFF_MOST: Millis = Millis::from_secs(10);

/// A game that has ended, whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// What it was born with.
    pub birth: Birth,
    /// Its events from number 0, without gaps; the last one ends it.
    pub events: Vec<Arc<Event>>,
    /// How it ended.
    pub outcome: Outcome,
}

/// Why a finished game was not filed. It is offered again later.
#[derive(Debug, thiserror::Error)]
#[error("not filed: {0}")]
pub struct FileError(#[source] pub Box<dyn std::error::Error + Send + Sync>);

/// Archives and settles finished games.
pub trait Registrar: Send + Sync + 'static {
    /// Archives `game` and moves what was at stake, in one transaction keyed by the game's id: a game
    /// filed before is left as it is and answered `Ok`. After `Ok` the journal forgets the game.
    fn file(&self, game: &FinishedGame) -> impl Future<Output = Result<(), FileError>> + Send;
}

/// The task that files.
pub(super) struct Filer<J, R> {
    pub(super) clock: Clock,
    pub(super) journal: Arc<J>,
    pub(super) registrar: R,
    pub(super) finished: mpsc::Receiver<FinishedGame>,
    pub(super) drivers: Vec<mpsc::Sender<Message>>,
    pub(super) stop: watch::Receiver<bool>,
}

impl<J: Journal, R: Registrar> Filer<J, R> {
    /// Files until every driver has ended and nothing is left, or the grace of a stop is over; then
    /// closes the journal.
    pub(super) async fn run(mut self) {
        let (clock, mut stop, journal) = (
            self.clock.clone(),
            self.stop.clone(),
            Arc::clone(&self.journal),
        );
        let grace = async {
            // A sender that is gone says stop too.
            drop(stop.wait_for(|&stop| stop).await);
            clock.sleep(FILING_GRACE).await;
        };
        tokio::select! {
            () = self.work() => {}
            () = grace => tracing::warn!("finished games are left in the journal, to be filed at the next start"),
        }
        journal.close().await;
    }

    async fn work(&mut self) {
        let mut waiting = Vec::with_capacity(BATCH);
        let mut backoff = BACKOFF_LEAST;
        loop {
            if waiting.is_empty() {
                if self.finished.recv_many(&mut waiting, BATCH).await == 0 {
                    return;
                }
            } else {
                self.clock.sleep(backoff).await;
                backoff = Millis(backoff.0 * 2).min(BACKOFF_MOST);
                while waiting.len() < BATCH
                    && let Ok(game) = self.finished.try_recv()
                {
                    waiting.push(game);
                }
            }
            waiting = self.file(waiting).await;
            if waiting.is_empty() {
                backoff = BACKOFF_LEAST;
            }
        }
    }

    /// Files each game, forgets those that are, and gives back the others.
    async fn file(&self, games: Vec<FinishedGame>) -> Vec<FinishedGame> {
        let mut filed = Vec::new();
        let mut failed = Vec::new();
        for game in games {
            match self.registrar.file(&game).await {
                Ok(()) => filed.push(game),
                Err(error) => {
                    tracing::error!(game = %game.birth.game, %error, "finished game not filed yet");
                    counter!("rookery_filing_failures_total").increment(1);
                    failed.push(game);
                }
            }
        }
        let ids: Vec<_> = filed.iter().map(|game| game.birth.game).collect();
        if !ids.is_empty()
            && let Err(error) = self.journal.forget(&ids).await
        {
            tracing::error!(%error, "filed games not forgotten yet");
            failed.append(&mut filed);
        }
        for game in &filed {
            counter!("rookery_games_finished_total", "result_reason" => reason(game.outcome.ending)).increment(1);
            self.release(game.birth.game).await;
        }
        failed
    }

    /// A driver that has ended keeps nothing to forget.
    async fn release(&self, game: GameId) {
        let driver = super::driver_of(game.shard(), self.drivers.len());
        drop(self.drivers[driver].send(Message::Forget(game)).await);
    }
}

/// The ending's stable name, as the record spells it.
fn reason(ending: Ending) -> String {
    let name = serde_json::to_value(ending).expect("an ending is a name");
    name.as_str().unwrap_or_default().to_owned()
}
