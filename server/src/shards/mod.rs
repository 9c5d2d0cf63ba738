//! Who owns the games of this node: drivers that decide, journal, then tell; the router that finds
//! them; the filing of what is finished. Knows no socket, no player's session, no rule of chess.

mod driver;
mod engine;
mod filing;
mod meter;
mod pulse;
mod router;
mod turn;

#[cfg(test)]
mod tests;

use std::num::NonZeroUsize;
use std::sync::Arc;

use rookery_core::id::ShardNo;
use rookery_core::time::Millis;
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

pub use engine::{Engine, STALL};
pub use filing::{FileError, FinishedGame, Registrar};
pub use router::Router;
pub use turn::{Effects, Question};

use crate::bus::Audience;
use crate::clock::Clock;
use crate::stores::directory::Directory;
use crate::stores::journal::{Journal, JournalError};
use driver::Driver;
use filing::Filer;
use meter::Meter;
use pulse::Pulse;

/// Finished games that wait to be filed, outside of the memory of their shards.
const FILING_QUEUE: usize = 256;

/// How long a stop waits for finished games to be filed; the others are filed at the next start.
const FILING_GRACE: Millis = Millis::from_secs(5);

/// Settings of the drivers; keys of the group `game`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Drivers; none = one for each core.
    pub drivers: Option<NonZeroUsize>,
    /// Questions that wait at one driver; the next one is answered `busy`.
    pub queue: NonZeroUsize,
    /// Games that live on one driver; the next birth is answered `busy`.
    pub games: NonZeroUsize,
}

impl Default for Settings {
    /// A queue of 4096 is 0.1 s of work for one core; 100,000 games a core take about 250 MB.
    fn default() -> Settings {
        Settings {
            drivers: None,
            queue: NonZeroUsize::new(4096).expect("not zero"),
            games: NonZeroUsize::new(100_000).expect("not zero"),
        }
    }
}

/// The running drivers.
#[derive(Debug)]
pub struct Shards {
    router: Router,
    stop: watch::Sender<bool>,
    /// The drivers, and the filer that ends after them.
    tasks: JoinSet<()>,
}

impl Shards {
    /// Recovers every game of the journal, then serves: when this returns, [`Router::ask`] is answered.
    /// The clock is raised above everything the journal has seen.
    pub async fn start<J: Journal, R: Registrar>(
        settings: &Settings,
        clock: Clock,
        journal: J,
        registrar: R,
        audience: Arc<dyn Audience>,
    ) -> Result<Shards, JournalError> {
        meter::describe();
        let journal = Arc::new(journal);
        let directory = Arc::new(Directory::default());
        let alive = journal.last_beat().await?.unwrap_or_default();
        if alive > clock.now() {
            tracing::warn!(ahead = %alive.since(clock.now()), "the clock was set back: going on from the journal's");
        }
        clock.raise(alive);
        let (stop, stopping) = watch::channel(false);
        let (filing, finished) = mpsc::channel(FILING_QUEUE);
        let count = drivers(settings);
        let pulse = Arc::new(Pulse::default());
        (0..count).for_each(|number| pulse.stops(number, alive));
        let (senders, queues): (Vec<_>, Vec<_>) = (0..count)
            .map(|_| mpsc::channel(settings.queue.get()))
            .unzip();
        let mut tasks = JoinSet::new();
        let mut ready = Vec::with_capacity(count);
        for (number, queue) in queues.into_iter().enumerate() {
            let mut driver = Driver {
                number,
                pulse: Arc::clone(&pulse),
                clock: clock.clone(),
                journal: Arc::clone(&journal),
                directory: Arc::clone(&directory),
                audience: Arc::clone(&audience),
                shards: ShardNo::all()
                    .filter(|&shard| driver_of(shard, count) == number)
                    .collect(),
                queue,
                filing: filing.clone(),
                stop: stopping.clone(),
                engine: Engine::new(settings.games.get()),
                unfiled: Vec::new(),
                beat: clock.now(),
                meter: Meter::new(number),
            };
            driver.recover(alive).await?;
            ready.push(driver);
        }
        // Each driver holds a sender; with the last of them the filer's work ends.
        drop(filing);
        for driver in ready {
            tasks.spawn(driver.run());
        }
        let filer = Filer {
            clock: clock.clone(),
            journal,
            registrar,
            finished,
            drivers: senders.clone(),
            stop: stopping,
        };
        tasks.spawn(filer.run());
        Ok(Shards {
            router: Router::new(clock, senders),
            stop,
            tasks,
        })
    }

    /// The way to ask them.
    pub fn router(&self) -> &Router {
        &self.router
    }

    /// Waits until a driver ends that was not told to: a fault of ours after which this node cannot
    /// serve its games. The journal has them all; the process should end and be started again.
    pub async fn broken(&mut self) {
        if let Some(Err(error)) = self.tasks.join_next().await {
            tracing::error!(%error, "a driver failed");
        }
    }

    /// Stops: no game is born any more, what waits is decided and stored, what is finished is filed as
    /// far as five seconds allow, the journal is closed. Live games stay in the journal.
    pub async fn stop(mut self) {
        self.router.drain();
        self.stop.send_replace(true);
        while let Some(ended) = self.tasks.join_next().await {
            if let Err(error) = ended {
                tracing::error!(%error, "a driver failed");
            }
        }
    }
}

fn drivers(settings: &Settings) -> usize {
    settings
        .drivers
        .or_else(|| std::thread::available_parallelism().ok())
        .map_or(1, NonZeroUsize::get)
}

/// Which of `drivers` a shard belongs to.
fn driver_of(shard: ShardNo, drivers: usize) -> usize {
    usize::from(shard.get()) % drivers
}
