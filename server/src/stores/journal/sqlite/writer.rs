//! The task that owns the journal's connection. One round trip to SQLite's thread stores a group of
//! batches.

use std::sync::Arc;

use futures_util::StreamExt;
use rookery_core::game::Event;
use rookery_core::id::{GameId, ShardNo};
use rookery_core::time::Timestamp;
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Connection, Executor};
use tokio::sync::{mpsc, oneshot};

use super::super::{Append, Epoch, FORMAT, JournalError, StoredGame, fresh, gather};
use super::index::{Index, Sweep};
use super::jobs::{self, Job, Prepared, Reply};
use super::statements::{
    BEAT, CLAIM, EVENTS, EVENTS_OF, FORGET, LAST_BEAT, ROWS_ON, SCHEMA, STORE,
};

/// The rows, epochs and time of the batches of a group that may be stored.
#[derive(Default)]
struct Accepted<'a> {
    rows: Vec<(i64, GameId, u32, u32, &'a str)>,
    epochs: Vec<(ShardNo, Epoch)>,
    at: Timestamp,
}

pub(super) struct Writer {
    connection: SqliteConnection,
    /// None after a failure: what is stored is read anew.
    index: Option<Index>,
}

impl Writer {
    pub(super) fn new(connection: SqliteConnection) -> Writer {
        Writer {
            connection,
            index: None,
        }
    }

    /// Makes the tables where they are missing; refuses a file that a later program has written.
    pub(super) async fn prepare(&mut self, format: u32) -> Result<(), JournalError> {
        let stored: i64 = sqlx::query_scalar("PRAGMA user_version")
            .fetch_one(&mut self.connection)
            .await
            .map_err(failed)?;
        if stored > i64::from(format) {
            return Err(JournalError::Unreadable(format!(
                "format {stored} is newer than this program's {format}"
            )));
        }
        let statements =
            format!("BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {format}; COMMIT");
        self.connection
            .execute(sqlx::raw_sql(AssertSqlSafe(statements)))
            .await
            .map_err(failed)?;
        Ok(())
    }

    /// Works until it is told to close, or nobody can ask any more.
    pub(super) async fn run(mut self, mut waiting: mpsc::Receiver<Job>) {
        let mut next = waiting.recv().await;
        while let Some(job) = next {
            next = match job {
                Job::Append(prepared, reply) => {
                    let (group, other) = jobs::gather((prepared, reply), &mut waiting);
                    self.store(group).await;
                    other
                }
                Job::Close(done) => {
                    self.close(done).await;
                    return;
                }
                other => {
                    self.serve(other).await;
                    None
                }
            };
            if next.is_none() {
                next = waiting.recv().await;
            }
        }
    }

    async fn close(self, done: oneshot::Sender<()>) {
        if let Err(error) = self.connection.close().await {
            tracing::warn!(%error, "journal not closed cleanly");
        }
        done.send(()).unwrap_or_default();
    }

    /// A caller that no longer waits for its answer is no concern of the writer.
    async fn serve(&mut self, job: Job) {
        match job {
            Job::Append(..) | Job::Close(..) => unreachable!("the loop serves these itself"),
            Job::Beat(at, reply) => drop(reply.send(self.beat(at).await)),
            Job::LastBeat(reply) => drop(reply.send(self.last_beat().await)),
            Job::Epoch(shards, reply) => drop(reply.send(self.epoch(&shards).await)),
            Job::Claim(shards, epoch, reply) => drop(reply.send(self.claim(&shards, epoch).await)),
            Job::Load(shards, reply) => drop(reply.send(self.load(&shards).await)),
            Job::Forget(games, reply) => drop(reply.send(self.forget(&games).await)),
        }
    }

    /// Stores what may be stored of a group in one commit, and answers each of its batches.
    async fn store(&mut self, group: Vec<(Prepared, Reply<()>)>) {
        let (prepared, replies): (Vec<_>, Vec<_>) = group.into_iter().unzip();
        let verdicts = match self.try_store(&prepared).await {
            Ok(verdicts) => verdicts,
            Err(error) => {
                self.failed().await;
                let text = error.to_string();
                prepared
                    .iter()
                    .map(|_| Err(JournalError::Unavailable(text.clone())))
                    .collect()
            }
        };
        for (reply, verdict) in replies.into_iter().zip(verdicts) {
            drop(reply.send(verdict));
        }
    }

    async fn try_store(
        &mut self,
        group: &[Prepared],
    ) -> Result<Vec<Result<(), JournalError>>, JournalError> {
        let mut accepted = Accepted::default();
        let mut verdicts = Vec::with_capacity(group.len());
        for prepared in group {
            verdicts.push(self.accept(prepared, &mut accepted).await);
        }
        if verdicts.iter().any(Result::is_ok) {
            sqlx::query(STORE)
                .bind(json(&accepted.rows))
                .bind(json(&accepted.epochs))
                .bind(integer(accepted.at.0))
                .execute(&mut self.connection)
                .await
                .map_err(failed)?;
        }
        Ok(verdicts)
    }

    /// Judges a batch against what is stored; adds it to what is accepted, whole or not at all.
    async fn accept<'a>(
        &mut self,
        prepared: &'a Prepared,
        accepted: &mut Accepted<'a>,
    ) -> Result<(), JournalError> {
        let mut new = Vec::with_capacity(prepared.batch.appends.len());
        for append in &prepared.batch.appends {
            let shard = append.game.shard();
            let stored = self.index().await?.epoch(shard);
            if stored > append.epoch {
                return Err(JournalError::Fenced { shard, stored });
            }
            new.push(self.fresh(append).await?.len());
        }
        let index = self.index().await?;
        for ((append, bodies), new) in prepared.batch.appends.iter().zip(&prepared.bodies).zip(new)
        {
            let known = bodies.len() - new;
            let shard = append.game.shard();
            if index.raise(shard, append.epoch) {
                accepted.epochs.push((shard, append.epoch));
            }
            for (event, body) in append.events.iter().zip(bodies).skip(known) {
                let row = index.add(append.game);
                accepted
                    .rows
                    .push((row, append.game, event.seq.0, FORMAT, body));
            }
        }
        accepted.at = accepted.at.max(prepared.batch.at);
        Ok(())
    }

    /// What of `append` is new; what is stored already is read and compared.
    async fn fresh<'a>(&mut self, append: &'a Append) -> Result<&'a [Arc<Event>], JournalError> {
        let stored = self.index().await?.stored(append.game);
        let repeats = append
            .events
            .first()
            .is_some_and(|event| event.seq.0 < stored);
        let known = if repeats {
            self.events_of(append.game).await?
        } else {
            Vec::new()
        };
        fresh(append, stored, |event| {
            known
                .get(event.seq.0 as usize)
                .is_some_and(|known| known == event)
        })
    }

    async fn events_of(&mut self, game: GameId) -> Result<Vec<Event>, JournalError> {
        let after = self.index().await?.dead_up_to(game);
        let rows: Vec<(i64, String)> = sqlx::query_as(EVENTS_OF)
            .bind(game.to_string())
            .bind(after)
            .fetch_all(&mut self.connection)
            .await
            .map_err(failed)?;
        rows.iter()
            .map(|(format, body)| read(*format, body))
            .collect()
    }

    async fn index(&mut self) -> Result<&mut Index, JournalError> {
        let index = match self.index.take() {
            Some(index) => index,
            None => Index::read(&mut self.connection).await?,
        };
        Ok(self.index.insert(index))
    }

    /// After a failure nobody knows what is stored, nor whether a transaction is open; the next one must
    /// not find it so.
    async fn failed(&mut self) {
        self.index = None;
        match sqlx::query("ROLLBACK").execute(&mut self.connection).await {
            Ok(_) => tracing::warn!("journal transaction rolled back"),
            Err(error) => tracing::debug!(%error, "no journal transaction to roll back"),
        }
    }

    async fn beat(&mut self, at: Timestamp) -> Result<(), JournalError> {
        sqlx::query(BEAT)
            .bind(integer(at.0))
            .execute(&mut self.connection)
            .await
            .map_err(failed)?;
        Ok(())
    }

    async fn last_beat(&mut self) -> Result<Option<Timestamp>, JournalError> {
        let at: Option<i64> = sqlx::query_scalar(LAST_BEAT)
            .fetch_optional(&mut self.connection)
            .await
            .map_err(failed)?;
        Ok(at.map(|at| Timestamp(at.unsigned_abs())))
    }

    async fn epoch(&mut self, shards: &[ShardNo]) -> Result<Epoch, JournalError> {
        let index = self.index().await?;
        Ok(shards
            .iter()
            .map(|&shard| index.epoch(shard))
            .max()
            .unwrap_or_default())
    }

    async fn claim(&mut self, shards: &[ShardNo], epoch: Epoch) -> Result<(), JournalError> {
        let rows: Vec<_> = shards.iter().map(|&shard| (shard, epoch)).collect();
        let claimed = sqlx::query(CLAIM)
            .bind(json(&rows))
            .execute(&mut self.connection)
            .await;
        if claimed.is_err() {
            self.failed().await;
        }
        claimed.map_err(failed)?;
        let index = self.index().await?;
        for &shard in shards {
            index.raise(shard, epoch);
        }
        Ok(())
    }

    async fn load(&mut self, shards: &[ShardNo]) -> Result<Vec<StoredGame>, JournalError> {
        let mut owned = Vec::new();
        let mut rows =
            sqlx::query_as::<_, (String, i64, String)>(EVENTS).fetch(&mut self.connection);
        while let Some(row) = rows.next().await {
            let (game, format, body) = row.map_err(failed)?;
            let unreadable = |_| JournalError::Unreadable(format!("{game} is no game's id"));
            let game: GameId = game.parse().map_err(unreadable)?;
            if shards.contains(&game.shard()) {
                owned.push((game, read(format, &body)?));
            }
        }
        gather(owned)
    }

    async fn forget(&mut self, games: &[GameId]) -> Result<(), JournalError> {
        let forgotten = self.try_forget(games).await;
        if forgotten.is_err() {
            self.failed().await;
        }
        forgotten
    }

    async fn try_forget(&mut self, games: &[GameId]) -> Result<(), JournalError> {
        let index = self.index().await?;
        let (Sweep { from, rows }, last) = (index.sweep(games), index.last_row());
        let passing = json(&index.passing());
        let to: Option<i64> = sqlx::query_scalar(ROWS_ON)
            .bind(from)
            .bind(rows)
            .fetch_optional(&mut self.connection)
            .await
            .map_err(failed)?;
        sqlx::query(FORGET)
            .bind(json(&games))
            .bind(last)
            .bind(from)
            .bind(to.unwrap_or(last + 1))
            .bind(if to.is_none() {
                passing
            } else {
                "[]".to_owned()
            })
            .execute(&mut self.connection)
            .await
            .map_err(failed)?;
        self.index().await?.forget(games, to);
        Ok(())
    }
}

fn read(format: i64, body: &str) -> Result<Event, JournalError> {
    if format != i64::from(FORMAT) {
        return Err(JournalError::Unreadable(format!(
            "a row of format {format}"
        )));
    }
    serde_json::from_str(body).map_err(|error| JournalError::Unreadable(error.to_string()))
}

fn json(rows: &impl serde::Serialize) -> String {
    serde_json::to_string(rows).expect("numbers and texts")
}

/// SQLite's integers are signed; times and epochs need 41 bits.
fn integer(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

pub(super) fn failed(error: sqlx::Error) -> JournalError {
    JournalError::Unavailable(error.to_string())
}
