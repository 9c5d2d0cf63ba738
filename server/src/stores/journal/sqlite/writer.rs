//! The task that owns the journal's connection. Two round trips to SQLite's thread store a group of
//! batches: one asks what is stored, one inserts and commits.

use std::sync::Arc;

use rookery_core::game::Event;
use rookery_core::id::{GameId, ShardNo};
use rookery_core::time::Timestamp;
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Connection, Executor};
use tokio::sync::{mpsc, oneshot};

use super::super::{Append, Epoch, FORMAT, JournalError, StoredGame, fresh, gather};
use super::jobs::{self, Job, Prepared, Reply};
use super::statements::{BEAT, CLAIM, FORGET, HEADS, SCHEMA, STORE};

/// The rows, epochs and time of the batches of a group that may be stored.
#[derive(Default)]
struct Accepted<'a> {
    rows: Vec<(u16, String, u32, u32, &'a str)>,
    epochs: Vec<(u16, u64)>,
    at: Timestamp,
}

pub(super) struct Writer {
    connection: SqliteConnection,
}

impl Writer {
    pub(super) fn new(connection: SqliteConnection) -> Writer {
        Writer { connection }
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
            Job::Load(shard, reply) => drop(reply.send(self.load(shard).await)),
            Job::Forget(games, reply) => drop(reply.send(self.forget(&games).await)),
        }
    }

    /// Stores what may be stored of a group in one commit, and answers each of its batches.
    async fn store(&mut self, group: Vec<(Prepared, Reply<()>)>) {
        let (prepared, replies): (Vec<_>, Vec<_>) = group.into_iter().unzip();
        let verdicts = match self.try_store(&prepared).await {
            Ok(verdicts) => verdicts,
            Err(error) => {
                self.roll_back().await;
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
        let heads = self.heads(group).await?;
        let mut heads = heads.into_iter();
        let mut accepted = Accepted::default();
        let mut verdicts = Vec::with_capacity(group.len());
        for prepared in group {
            let heads: Vec<_> = heads.by_ref().take(prepared.batch.appends.len()).collect();
            verdicts.push(self.accept(prepared, &heads, &mut accepted).await);
        }
        if verdicts.iter().all(Result::is_err) {
            self.roll_back().await;
            return Ok(verdicts);
        }
        sqlx::query(STORE)
            .bind(json(&accepted.rows))
            .bind(json(&accepted.epochs))
            .bind(integer(accepted.at.0))
            .execute(&mut self.connection)
            .await
            .map_err(failed)?;
        Ok(verdicts)
    }

    async fn heads(&mut self, group: &[Prepared]) -> Result<Vec<(u64, u32)>, JournalError> {
        let appends = group.iter().flat_map(|prepared| &prepared.batch.appends);
        let asked: Vec<_> = appends
            .map(|append| (append.game.shard().get(), append.game))
            .collect();
        let heads: String = sqlx::query_scalar(HEADS)
            .bind(json(&asked))
            .fetch_one(&mut self.connection)
            .await
            .map_err(failed)?;
        serde_json::from_str(&heads).map_err(|error| JournalError::Unreadable(error.to_string()))
    }

    /// Judges a batch against what is stored; adds it to what is accepted, whole or not at all.
    async fn accept<'a>(
        &mut self,
        prepared: &'a Prepared,
        heads: &[(u64, u32)],
        accepted: &mut Accepted<'a>,
    ) -> Result<(), JournalError> {
        let mut rows = Vec::new();
        let mut epochs = Vec::new();
        for ((append, bodies), &(epoch, stored)) in prepared
            .batch
            .appends
            .iter()
            .zip(&prepared.bodies)
            .zip(heads)
        {
            let shard = append.game.shard();
            if epoch > append.epoch.0 {
                return Err(JournalError::Fenced {
                    shard,
                    stored: Epoch(epoch),
                });
            }
            if epoch < append.epoch.0 {
                epochs.push((shard.get(), append.epoch.0));
            }
            let new = self.fresh(append, stored).await?.len();
            let texts = &bodies[bodies.len() - new..];
            let events = &append.events[bodies.len() - new..];
            let game = append.game.to_string();
            rows.extend(events.iter().zip(texts).map(|(event, text)| {
                (
                    shard.get(),
                    game.clone(),
                    event.seq.0,
                    FORMAT,
                    text.as_str(),
                )
            }));
        }
        accepted.rows.append(&mut rows);
        accepted.epochs.append(&mut epochs);
        accepted.at = accepted.at.max(prepared.batch.at);
        Ok(())
    }

    /// What of `append` is new; what is stored already is read and compared.
    async fn fresh<'a>(
        &mut self,
        append: &'a Append,
        stored: u32,
    ) -> Result<&'a [Arc<Event>], JournalError> {
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
        let rows: Vec<(i64, String)> = sqlx::query_as(
            "SELECT format, body FROM events WHERE shard = $1 AND game = $2 ORDER BY seq",
        )
        .bind(i64::from(game.shard().get()))
        .bind(game.to_string())
        .fetch_all(&mut self.connection)
        .await
        .map_err(failed)?;
        rows.iter()
            .map(|(format, body)| read(*format, body))
            .collect()
    }

    /// After a failure nobody knows whether a transaction is open; the next one must not find it so.
    async fn roll_back(&mut self) {
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
        let at: Option<i64> = sqlx::query_scalar("SELECT at FROM heartbeat")
            .fetch_optional(&mut self.connection)
            .await
            .map_err(failed)?;
        Ok(at.map(|at| Timestamp(at.unsigned_abs())))
    }

    async fn epoch(&mut self, shards: &[ShardNo]) -> Result<Epoch, JournalError> {
        let epoch: i64 = sqlx::query_scalar(
            "SELECT coalesce(max(epoch), 0) FROM shards WHERE shard IN (SELECT value FROM json_each($1))",
        )
        .bind(json(&shards))
        .fetch_one(&mut self.connection)
        .await
        .map_err(failed)?;
        Ok(Epoch(epoch.unsigned_abs()))
    }

    async fn claim(&mut self, shards: &[ShardNo], epoch: Epoch) -> Result<(), JournalError> {
        let rows: Vec<_> = shards.iter().map(|shard| (shard.get(), epoch.0)).collect();
        sqlx::query(CLAIM)
            .bind(json(&rows))
            .execute(&mut self.connection)
            .await
            .map_err(failed)?;
        Ok(())
    }

    async fn load(&mut self, shard: ShardNo) -> Result<Vec<StoredGame>, JournalError> {
        let rows: Vec<(String, i64, String)> = sqlx::query_as(
            "SELECT game, format, body FROM events WHERE shard = $1 ORDER BY game, seq",
        )
        .bind(i64::from(shard.get()))
        .fetch_all(&mut self.connection)
        .await
        .map_err(failed)?;
        let row = |(game, format, body): &(String, i64, String)| {
            let game = game
                .parse()
                .map_err(|_| JournalError::Unreadable(format!("{game} is no game's id")))?;
            Ok((game, read(*format, body)?))
        };
        gather(
            rows.iter()
                .map(row)
                .collect::<Result<Vec<_>, JournalError>>()?,
        )
    }

    async fn forget(&mut self, games: &[GameId]) -> Result<(), JournalError> {
        let forgotten = self.try_forget(games).await;
        if forgotten.is_err() {
            self.roll_back().await;
        }
        forgotten.map_err(failed)
    }

    async fn try_forget(&mut self, games: &[GameId]) -> sqlx::Result<()> {
        sqlx::query("BEGIN IMMEDIATE")
            .execute(&mut self.connection)
            .await?;
        for game in games {
            let (shard, game) = (i64::from(game.shard().get()), game.to_string());
            sqlx::query(FORGET)
                .bind(shard)
                .bind(game)
                .execute(&mut self.connection)
                .await?;
        }
        sqlx::query("COMMIT").execute(&mut self.connection).await?;
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
