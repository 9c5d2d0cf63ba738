//! What the writer knows of its file without asking, since nobody else writes it: how far each game is
//! stored, who owns a shard, what is forgotten and not swept away. Read from the file at the start and
//! after every failure.

use std::collections::BTreeMap;

use rookery_core::id::{GameId, ShardNo};
use sqlx::sqlite::SqliteConnection;

use super::super::{Epoch, JournalError};
use super::statements::{EPOCHS, FORGOTTEN, GAMES, LAST_ROW};
use super::writer::failed;

/// Rows looked at for each row forgotten. The log then holds at most about as many dead rows as live ones.
const SWEEP_AHEAD: i64 = 4;

#[derive(Debug)]
pub(super) struct Index {
    /// How many events of a live game are stored.
    games: BTreeMap<GameId, u32>,
    epochs: BTreeMap<ShardNo, Epoch>,
    /// Games with rows that count no more, and the last of these.
    forgotten: BTreeMap<GameId, i64>,
    next_row: i64,
    /// Where the sweep goes on.
    swept: i64,
    /// What was forgotten before this pass of the sweep began: gone when it ends.
    passing: Vec<GameId>,
}

/// What a sweep looks at.
pub(super) struct Sweep {
    /// The first row.
    pub(super) from: i64,
    /// How many rows.
    pub(super) rows: i64,
}

impl Index {
    pub(super) async fn read(connection: &mut SqliteConnection) -> Result<Index, JournalError> {
        let games: Vec<(GameId, u32)> = read(connection, GAMES).await?;
        let epochs: Vec<(ShardNo, Epoch)> = read(connection, EPOCHS).await?;
        let forgotten: Vec<(GameId, i64)> = read(connection, FORGOTTEN).await?;
        let last: i64 = sqlx::query_scalar(LAST_ROW)
            .fetch_one(connection)
            .await
            .map_err(failed)?;
        Ok(Index {
            games: games.into_iter().collect(),
            epochs: epochs.into_iter().collect(),
            passing: forgotten.iter().map(|&(game, _)| game).collect(),
            forgotten: forgotten.into_iter().collect(),
            next_row: last + 1,
            swept: 0,
        })
    }

    /// How many events of a game are stored.
    pub(super) fn stored(&self, game: GameId) -> u32 {
        self.games.get(&game).copied().unwrap_or_default()
    }

    /// The last row of a game that counts no more.
    pub(super) fn dead_up_to(&self, game: GameId) -> i64 {
        self.forgotten.get(&game).copied().unwrap_or_default()
    }

    pub(super) fn epoch(&self, shard: ShardNo) -> Epoch {
        self.epochs.get(&shard).copied().unwrap_or_default()
    }

    /// Notes a higher epoch; whether it is one.
    pub(super) fn raise(&mut self, shard: ShardNo, epoch: Epoch) -> bool {
        let raised = epoch > self.epoch(shard);
        if raised {
            self.epochs.insert(shard, epoch);
        }
        raised
    }

    /// Notes one more event of a game; gives its row.
    pub(super) fn add(&mut self, game: GameId) -> i64 {
        *self.games.entry(game).or_default() += 1;
        self.next_row += 1;
        self.next_row - 1
    }

    /// The last row added.
    pub(super) fn last_row(&self) -> i64 {
        self.next_row - 1
    }

    /// What to sweep when `games` are forgotten.
    pub(super) fn sweep(&self, games: &[GameId]) -> Sweep {
        let dead: i64 = games.iter().map(|game| i64::from(self.stored(*game))).sum();
        Sweep {
            from: self.swept,
            rows: dead * SWEEP_AHEAD,
        }
    }

    /// What is gone for good when the sweep reaches the end of the log.
    pub(super) fn passing(&self) -> &[GameId] {
        &self.passing
    }

    /// Notes that `games` are forgotten and that the sweep has come to `to`; none is the end.
    pub(super) fn forget(&mut self, games: &[GameId], to: Option<i64>) {
        let last = self.last_row();
        match to {
            Some(row) => self.swept = row,
            None => {
                for game in std::mem::take(&mut self.passing) {
                    self.forgotten.remove(&game);
                }
            }
        }
        for &game in games {
            self.games.remove(&game);
            self.forgotten.insert(game, last);
        }
        if to.is_none() {
            self.swept = 0;
            self.passing = self.forgotten.keys().copied().collect();
        }
    }
}

async fn read<T: serde::de::DeserializeOwned>(
    connection: &mut SqliteConnection,
    statement: &'static str,
) -> Result<T, JournalError> {
    let text: String = sqlx::query_scalar(statement)
        .fetch_one(connection)
        .await
        .map_err(failed)?;
    serde_json::from_str(&text).map_err(|error| JournalError::Unreadable(error.to_string()))
}
