//! The rows of sessions, programs' tokens and revocations.

use rookery_core::id::PlayerId;
use rookery_core::time::Timestamp;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::accounts::{from_stored, player, to_stored};
use super::{Archive, Result, Writing};
use crate::gateway::SessionId;

/// A session that was opened with a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    /// Its name.
    pub session: SessionId,
    /// Whose.
    pub player: PlayerId,
    /// What opened it, as the client said.
    pub label: String,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When it was used last, to the minute or so.
    pub used_at: Timestamp,
}

/// A token to be made.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// Its name.
    pub token: SessionId,
    /// Whose.
    pub player: PlayerId,
    /// SHA-256 of its text.
    pub hash: [u8; 32],
    /// What it allows, words with spaces between.
    pub scopes: String,
    /// What its owner calls it.
    pub label: String,
    /// When.
    pub at: Timestamp,
}

/// A program's token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRow {
    /// Its name.
    pub token: SessionId,
    /// Whose.
    pub player: PlayerId,
    /// What it allows, words with spaces between.
    pub scopes: String,
    /// What its owner calls it.
    pub label: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was used last, to the minute or so.
    pub used_at: Option<Timestamp>,
}

/// A session or token that was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revocation {
    /// Which.
    pub session: SessionId,
    /// Whose.
    pub player: PlayerId,
    /// When.
    pub at: Timestamp,
    /// When its last ticket will have worn out.
    pub until: Timestamp,
}

impl Archive {
    /// Opens a session; beyond `most` of them the ones unused for longest end, and are named.
    pub async fn open_session(
        &self,
        new: &SessionRow,
        most: u32,
        until: Timestamp,
    ) -> Result<Vec<SessionId>> {
        let mut writing = self.begin().await?;
        sqlx::query(
            "INSERT INTO sessions (session, player, label, created_at, used_at)
             VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(new.session.0)
        .bind(new.player.to_bytes().to_vec())
        .bind(new.label.as_str())
        .bind(to_stored(new.created_at))
        .bind(to_stored(new.used_at))
        .execute(&mut *writing)
        .await?;
        let surplus = sqlx::query(
            "SELECT session FROM sessions WHERE player = $1 AND session <> $2
             ORDER BY used_at DESC, session LIMIT 1000 OFFSET $3",
        )
        .bind(new.player.to_bytes().to_vec())
        .bind(new.session.0)
        .bind(i64::from(most) - 1)
        .fetch_all(&mut *writing)
        .await?;
        let mut ended = Vec::new();
        for row in &surplus {
            let session = SessionId(row.try_get("session")?);
            end(&mut writing, new.player, session, new.created_at, until).await?;
            ended.push(session);
        }
        writing.commit().await?;
        Ok(ended)
    }

    /// The sessions of a player, the one used last first.
    pub async fn sessions(&self, player: PlayerId) -> Result<Vec<SessionRow>> {
        let rows = sqlx::query(
            "SELECT session, player, label, created_at, used_at FROM sessions
             WHERE player = $1 ORDER BY used_at DESC, session",
        )
        .bind(player.to_bytes().to_vec())
        .fetch_all(&self.reading)
        .await?;
        rows.iter().map(session).collect()
    }

    /// Ends a session of a player; false when he has none of that name.
    pub async fn end_session(
        &self,
        player: PlayerId,
        session: SessionId,
        at: Timestamp,
        until: Timestamp,
    ) -> Result<bool> {
        let mut writing = self.begin().await?;
        let ended = end(&mut writing, player, session, at, until).await?;
        writing.commit().await?;
        Ok(ended)
    }

    /// Makes a token, unless its owner has `most` of them: then false.
    pub async fn create_token(&self, new: &NewToken, most: u32) -> Result<bool> {
        let mut writing = self.begin().await?;
        let made = sqlx::query(
            "INSERT INTO tokens (token, player, hash, scopes, label, created_at)
             SELECT $1, $2, $3, $4, $5, $6
             WHERE (SELECT count(*) FROM tokens WHERE player = $2) < $7",
        )
        .bind(new.token.0)
        .bind(new.player.to_bytes().to_vec())
        .bind(new.hash.to_vec())
        .bind(new.scopes.as_str())
        .bind(new.label.as_str())
        .bind(to_stored(new.at))
        .bind(i64::from(most))
        .execute(&mut *writing)
        .await?;
        writing.commit().await?;
        Ok(made.rows_affected() == 1)
    }

    /// The token of that hash.
    pub async fn token(&self, hash: &[u8; 32]) -> Result<Option<TokenRow>> {
        let row = sqlx::query(
            "SELECT token, player, scopes, label, created_at, used_at FROM tokens WHERE hash = $1",
        )
        .bind(hash.to_vec())
        .fetch_optional(&self.reading)
        .await?;
        row.as_ref().map(token).transpose()
    }

    /// The tokens of a player, the newest first.
    pub async fn tokens(&self, player: PlayerId) -> Result<Vec<TokenRow>> {
        let rows = sqlx::query(
            "SELECT token, player, scopes, label, created_at, used_at FROM tokens
             WHERE player = $1 ORDER BY created_at DESC, token",
        )
        .bind(player.to_bytes().to_vec())
        .fetch_all(&self.reading)
        .await?;
        rows.iter().map(token).collect()
    }

    /// Ends a token of a player; false when he has none of that name.
    pub async fn end_token(
        &self,
        player: PlayerId,
        token: SessionId,
        at: Timestamp,
        until: Timestamp,
    ) -> Result<bool> {
        let mut writing = self.begin().await?;
        let gone = sqlx::query("DELETE FROM tokens WHERE token = $1 AND player = $2")
            .bind(token.0)
            .bind(player.to_bytes().to_vec())
            .execute(&mut *writing)
            .await?;
        let ended = gone.rows_affected() == 1;
        if ended {
            revoke(&mut writing, player, token, at, until).await?;
        }
        writing.commit().await?;
        Ok(ended)
    }

    /// Notes when sessions and tokens were used last.
    pub async fn note_use(&self, uses: &[(SessionId, Timestamp)]) -> Result<()> {
        let texts = [
            "UPDATE sessions SET used_at = $2 WHERE session = $1",
            "UPDATE tokens SET used_at = $2 WHERE token = $1",
        ];
        let mut writing = self.begin().await?;
        for (session, at) in uses {
            for text in texts {
                sqlx::query(text)
                    .bind(session.0)
                    .bind(to_stored(*at))
                    .execute(&mut *writing)
                    .await?;
            }
        }
        writing.commit().await?;
        Ok(())
    }

    /// The revocations made at `since` or later, oldest first, at most `most`.
    pub async fn revocations(&self, since: Timestamp, most: u32) -> Result<Vec<Revocation>> {
        let rows = sqlx::query(
            "SELECT session, player, revoked_at, until FROM revocations
             WHERE revoked_at >= $1 ORDER BY revoked_at, session LIMIT $2",
        )
        .bind(to_stored(since))
        .bind(i64::from(most))
        .fetch_all(&self.reading)
        .await?;
        rows.iter().map(revocation).collect()
    }

    /// Forgets sessions unused since `unused`, and revocations of which no ticket is valid at `now`.
    pub async fn forget_expired(&self, unused: Timestamp, now: Timestamp) -> Result<()> {
        let mut writing = self.begin().await?;
        sqlx::query("DELETE FROM sessions WHERE used_at < $1")
            .bind(to_stored(unused))
            .execute(&mut *writing)
            .await?;
        sqlx::query("DELETE FROM revocations WHERE until < $1")
            .bind(to_stored(now))
            .execute(&mut *writing)
            .await?;
        writing.commit().await?;
        Ok(())
    }
}

/// Ends every session of a player but `keep`, and names them.
pub(super) async fn revoke_all(
    writing: &mut Writing,
    player: PlayerId,
    keep: Option<SessionId>,
    at: Timestamp,
    until: Timestamp,
) -> Result<Vec<SessionId>> {
    let rows =
        sqlx::query("DELETE FROM sessions WHERE player = $1 AND session <> $2 RETURNING session")
            .bind(player.to_bytes().to_vec())
            .bind(keep.map_or(NO_SESSION, |keep| keep.0))
            .fetch_all(&mut **writing)
            .await?;
    let mut ended = Vec::with_capacity(rows.len());
    for row in &rows {
        let session = SessionId(row.try_get("session")?);
        revoke(writing, player, session, at, until).await?;
        ended.push(session);
    }
    Ok(ended)
}

/// No session is numbered so.
const NO_SESSION: i64 = -1;

async fn end(
    writing: &mut Writing,
    player: PlayerId,
    session: SessionId,
    at: Timestamp,
    until: Timestamp,
) -> Result<bool> {
    let gone = sqlx::query("DELETE FROM sessions WHERE session = $1 AND player = $2")
        .bind(session.0)
        .bind(player.to_bytes().to_vec())
        .execute(&mut **writing)
        .await?;
    let ended = gone.rows_affected() == 1;
    if ended {
        revoke(writing, player, session, at, until).await?;
    }
    Ok(ended)
}

pub(super) async fn revoke(
    writing: &mut Writing,
    player: PlayerId,
    session: SessionId,
    at: Timestamp,
    until: Timestamp,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO revocations (session, player, revoked_at, until) VALUES ($1, $2, $3, $4)
         ON CONFLICT (session) DO NOTHING",
    )
    .bind(session.0)
    .bind(player.to_bytes().to_vec())
    .bind(to_stored(at))
    .bind(to_stored(until))
    .execute(&mut **writing)
    .await?;
    Ok(())
}

fn session(row: &AnyRow) -> Result<SessionRow> {
    Ok(SessionRow {
        session: SessionId(row.try_get("session")?),
        player: player(row, "player")?,
        label: row.try_get("label")?,
        created_at: from_stored(row.try_get("created_at")?),
        used_at: from_stored(row.try_get("used_at")?),
    })
}

fn token(row: &AnyRow) -> Result<TokenRow> {
    Ok(TokenRow {
        token: SessionId(row.try_get("token")?),
        player: player(row, "player")?,
        scopes: row.try_get("scopes")?,
        label: row.try_get("label")?,
        created_at: from_stored(row.try_get("created_at")?),
        used_at: row.try_get::<Option<i64>, _>("used_at")?.map(from_stored),
    })
}

fn revocation(row: &AnyRow) -> Result<Revocation> {
    Ok(Revocation {
        session: SessionId(row.try_get("session")?),
        player: player(row, "player")?,
        at: from_stored(row.try_get("revoked_at")?),
        until: from_stored(row.try_get("until")?),
    })
}
