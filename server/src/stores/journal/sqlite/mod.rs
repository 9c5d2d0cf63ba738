//! The embedded journal: one SQLite file, one connection, one commit for all the batches that wait.
//! Calls hand their work to the writer's task, so a caller that goes away leaves no open transaction.

mod index;
mod jobs;
mod statements;
mod writer;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rookery_core::id::{GameId, ShardNo};
use rookery_core::time::Timestamp;
use serde::{Deserialize, Serialize};
use sqlx::ConnectOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use tokio::sync::{mpsc, oneshot};

use super::{Batch, Epoch, FORMAT, Journal, JournalError, StoredGame};
use jobs::{Job, Prepared};
use writer::Writer;

/// Work that waits for the writer: one batch a driver is the most there is, the rest is recovery and
/// filing, which wait for their answers too.
const QUEUE: usize = 64;

/// Another process that reads the file (a backup) may hold it for a moment.
const BUSY_TIMEOUT: Duration = Duration::from_millis(200);

/// What a commit survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SyncMode {
    /// A power cut: each commit waits for the disk.
    #[default]
    Full,
    /// The end of the process, however it comes; a power cut may take the last commits.
    Os,
}

/// The journal in `journal.db`. Cheap to clone.
#[derive(Clone, Debug)]
pub struct SqliteJournal {
    jobs: mpsc::Sender<Job>,
}

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct OpenError {
    path: PathBuf,
    reason: String,
}

impl SqliteJournal {
    /// Opens the file, making it where it is missing, and starts its writer on this runtime.
    pub async fn open(path: &Path, sync: SyncMode) -> Result<SqliteJournal, OpenError> {
        SqliteJournal::open_with(options(path, sync))
            .await
            .map_err(|error| OpenError {
                path: path.to_owned(),
                reason: error.to_string(),
            })
    }

    async fn open_with(options: SqliteConnectOptions) -> Result<SqliteJournal, JournalError> {
        let connection = options.connect().await.map_err(writer::failed)?;
        let mut writer = Writer::new(connection);
        writer.prepare(FORMAT).await?;
        let (jobs, waiting) = mpsc::channel(QUEUE);
        tokio::spawn(writer.run(waiting));
        Ok(SqliteJournal { jobs })
    }

    async fn ask<T>(
        &self,
        job: impl FnOnce(oneshot::Sender<Result<T, JournalError>>) -> Job,
    ) -> Result<T, JournalError> {
        let closed = || JournalError::Unavailable("closed".to_owned());
        let (reply, answer) = oneshot::channel();
        self.jobs.send(job(reply)).await.map_err(|_| closed())?;
        answer.await.map_err(|_| closed())?
    }
}

fn options(path: &Path, sync: SyncMode) -> SqliteConnectOptions {
    let synchronous = match sync {
        SyncMode::Full => SqliteSynchronous::Full,
        SyncMode::Os => SqliteSynchronous::Normal,
    };
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(synchronous)
        .busy_timeout(BUSY_TIMEOUT)
        .disable_statement_logging()
}

impl Journal for SqliteJournal {
    async fn append(&self, batch: &Batch) -> Result<(), JournalError> {
        let prepared = Prepared::new(batch.clone());
        self.ask(|reply| Job::Append(prepared, reply)).await
    }

    async fn beat(&self, at: Timestamp) -> Result<(), JournalError> {
        self.ask(|reply| Job::Beat(at, reply)).await
    }

    async fn last_beat(&self) -> Result<Option<Timestamp>, JournalError> {
        self.ask(Job::LastBeat).await
    }

    async fn epoch(&self, shards: &[ShardNo]) -> Result<Epoch, JournalError> {
        let shards = shards.to_vec();
        self.ask(|reply| Job::Epoch(shards, reply)).await
    }

    async fn claim(&self, shards: &[ShardNo], epoch: Epoch) -> Result<(), JournalError> {
        let shards = shards.to_vec();
        self.ask(|reply| Job::Claim(shards, epoch, reply)).await
    }

    async fn load(&self, shards: &[ShardNo]) -> Result<Vec<StoredGame>, JournalError> {
        let shards = shards.to_vec();
        self.ask(|reply| Job::Load(shards, reply)).await
    }

    async fn forget(&self, games: &[GameId]) -> Result<(), JournalError> {
        let games = games.to_vec();
        self.ask(|reply| Job::Forget(games, reply)).await
    }

    async fn close(&self) {
        let (done, closed) = oneshot::channel();
        if self.jobs.send(Job::Close(done)).await.is_ok() {
            // The writer ends with this job: an answer that never comes means it has ended before.
            closed.await.unwrap_or_default();
        }
    }
}
