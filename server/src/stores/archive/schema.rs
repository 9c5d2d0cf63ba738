//! Which form the tables have, and how a file of an earlier form is brought to the present one.

use sqlx::{AnyPool, Connection, Executor};

use super::{ArchiveError, BEGIN, Result};

/// Each step makes the next version out of the one before; a file is at version `n` after `n` steps.
/// A step that was released is never changed.
const STEPS: [&str; 1] = [include_str!("../../../schema/sqlite.sql")];

/// Outside of the steps: it says which of them were taken.
const META: &str =
    "CREATE TABLE IF NOT EXISTS server_meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)";

const VERSION: &str = "schema_version";

/// Takes the steps that are missing, all in one transaction.
pub(super) async fn migrate(pool: &AnyPool) -> Result<()> {
    let mut connection = pool.acquire().await?;
    let mut writing = connection.begin_with(BEGIN).await?;
    writing.execute(META).await?;
    let stored: Option<String> =
        sqlx::query_scalar("SELECT value FROM server_meta WHERE name = $1")
            .bind(VERSION)
            .fetch_optional(&mut *writing)
            .await?;
    let stored = stored.unwrap_or_else(|| "0".to_owned());
    let stored: usize = stored
        .parse()
        .map_err(|_| ArchiveError::Unreadable(format!("schema version {stored:?}")))?;
    if stored > STEPS.len() {
        return Err(ArchiveError::Newer {
            stored,
            known: STEPS.len(),
        });
    }
    for &step in &STEPS[stored..] {
        writing.execute(sqlx::raw_sql(step)).await?;
    }
    sqlx::query(
        "INSERT INTO server_meta (name, value) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    )
    .bind(VERSION)
    .bind(STEPS.len().to_string())
    .execute(&mut *writing)
    .await?;
    writing.commit().await?;
    Ok(())
}
