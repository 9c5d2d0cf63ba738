//! The rows of accounts.

use rookery_core::id::PlayerId;
use rookery_core::time::Timestamp;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::games::DELETED_NAME;
use super::sessions::revoke_all;
use super::{Archive, ArchiveError, Result, Writing};
use crate::gateway::SessionId;

/// An account to be made.
#[derive(Clone, Debug)]
pub struct NewAccount {
    /// Who it will be.
    pub player: PlayerId,
    /// The name with its own spelling.
    pub name: String,
    /// The name as it is compared.
    pub folded: String,
    /// The hash of the password (PHC text).
    pub password: String,
    /// Whether it is a program's.
    pub bot: bool,
    /// When.
    pub at: Timestamp,
}

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountRow {
    /// Who.
    pub player: PlayerId,
    /// The name with its own spelling.
    pub name: String,
    /// The hash of the password (PHC text); none when it is closed.
    pub password: Option<String>,
    /// Whether it is a program's.
    pub bot: bool,
    /// Since when.
    pub created_at: Timestamp,
    /// Since when it is closed.
    pub closed_at: Option<Timestamp>,
}

macro_rules! select {
    ($condition:literal) => {
        concat!(
            "SELECT player, name, password, bot, created_at, closed_at FROM accounts WHERE ",
            $condition
        )
    };
}

impl Archive {
    /// Makes an account; false when the name is taken.
    pub async fn create_account(&self, new: &NewAccount) -> Result<bool> {
        let mut writing = self.begin().await?;
        let made = sqlx::query(
            "INSERT INTO accounts (player, name, folded, password, bot, created_at)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (folded) DO NOTHING",
        )
        .bind(new.player.to_bytes().to_vec())
        .bind(new.name.as_str())
        .bind(new.folded.as_str())
        .bind(new.password.as_str())
        .bind(i64::from(new.bot))
        .bind(to_stored(new.at))
        .execute(&mut *writing)
        .await?;
        writing.commit().await?;
        Ok(made.rows_affected() == 1)
    }

    /// The open account of that folded name.
    pub async fn account_named(&self, folded: &str) -> Result<Option<AccountRow>> {
        let row = sqlx::query(select!("folded = $1"))
            .bind(folded)
            .fetch_optional(&self.reading)
            .await?;
        row.as_ref().map(account).transpose()
    }

    /// The account of that player, closed or not.
    pub async fn account(&self, player: PlayerId) -> Result<Option<AccountRow>> {
        let row = sqlx::query(select!("player = $1"))
            .bind(player.to_bytes().to_vec())
            .fetch_optional(&self.reading)
            .await?;
        row.as_ref().map(account).transpose()
    }

    /// Sets another password and ends every session but `keep`; tells which were ended.
    pub async fn set_password(
        &self,
        player: PlayerId,
        password: &str,
        keep: Option<SessionId>,
        at: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<SessionId>> {
        let mut writing = self.begin().await?;
        sqlx::query("UPDATE accounts SET password = $2 WHERE player = $1 AND closed_at IS NULL")
            .bind(player.to_bytes().to_vec())
            .bind(password)
            .execute(&mut *writing)
            .await?;
        let ended = revoke_all(&mut writing, player, keep, at, until).await?;
        writing.commit().await?;
        Ok(ended)
    }

    /// Closes an account: its name and password go, its sessions and tokens end, its games and chat
    /// lines stay under a neutral name. Tells which sessions and tokens were ended.
    pub async fn close_account(
        &self,
        player: PlayerId,
        at: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<SessionId>> {
        let mut writing = self.begin().await?;
        let mut ended = revoke_all(&mut writing, player, None, at, until).await?;
        ended.extend(revoke_tokens(&mut writing, player, at, until).await?);
        sqlx::query(
            "UPDATE accounts SET closed_at = $2, name = $3, folded = NULL, password = NULL
             WHERE player = $1",
        )
        .bind(player.to_bytes().to_vec())
        .bind(to_stored(at))
        .bind(DELETED_NAME)
        .execute(&mut *writing)
        .await?;
        let texts = [
            "UPDATE game_players SET name = $2 WHERE player = $1",
            "UPDATE chat_lines SET name = $2 WHERE player = $1",
        ];
        for text in texts {
            sqlx::query(text)
                .bind(player.to_bytes().to_vec())
                .bind(DELETED_NAME)
                .execute(&mut *writing)
                .await?;
        }
        writing.commit().await?;
        Ok(ended)
    }
}

async fn revoke_tokens(
    writing: &mut Writing,
    player: PlayerId,
    at: Timestamp,
    until: Timestamp,
) -> Result<Vec<SessionId>> {
    let rows = sqlx::query("DELETE FROM tokens WHERE player = $1 RETURNING token")
        .bind(player.to_bytes().to_vec())
        .fetch_all(&mut **writing)
        .await?;
    let tokens: Vec<SessionId> = rows
        .iter()
        .map(|row| row.try_get("token").map(SessionId))
        .collect::<sqlx::Result<_>>()?;
    for &token in &tokens {
        super::sessions::revoke(writing, player, token, at, until).await?;
    }
    Ok(tokens)
}

fn account(row: &AnyRow) -> Result<AccountRow> {
    Ok(AccountRow {
        player: player(row, "player")?,
        name: row.try_get("name")?,
        password: row.try_get("password")?,
        bot: row.try_get::<i64, _>("bot")? == 1,
        created_at: from_stored(row.try_get("created_at")?),
        closed_at: row.try_get::<Option<i64>, _>("closed_at")?.map(from_stored),
    })
}

/// A time as it is stored. The clock passes 2^63 ms in 292 million years.
pub(super) fn to_stored(at: Timestamp) -> i64 {
    i64::try_from(at.0).unwrap_or(i64::MAX)
}

/// A stored time.
pub(super) fn from_stored(at: i64) -> Timestamp {
    Timestamp(u64::try_from(at).unwrap_or_default())
}

/// The 16 bytes of an id.
pub(super) fn id_bytes(row: &AnyRow, column: &'static str) -> Result<[u8; 16]> {
    let bytes: Vec<u8> = row.try_get(column)?;
    bytes
        .try_into()
        .map_err(|_| ArchiveError::Unreadable(format!("{column} has not 16 bytes")))
}

/// A player's id.
pub(super) fn player(row: &AnyRow, column: &'static str) -> Result<PlayerId> {
    id_bytes(row, column).map(PlayerId::from_bytes)
}
