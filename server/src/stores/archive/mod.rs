//! What is kept for ever: accounts and finished games, in `rookery.db`. One SQL text for every database
//! it runs on. Knows rows; what a password or a ticket is, is known to `accounts`.

mod accounts;
mod chat;
mod games;
mod schema;
mod sessions;

#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod tests;

use std::fmt::Write;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::{Any, AnyPool, ConnectOptions, Connection, Executor, Transaction};

pub use accounts::{AccountRow, NewAccount};
pub use chat::ChatLine;
pub use games::{DELETED_NAME, GameRow, GamesBefore, PlayerRow, Settlement};
pub use sessions::{NewToken, Revocation, SessionRow, TokenRow};

/// Readers at once: they answer pages of games and tokens, a fraction of a millisecond each.
const READERS: u32 = 4;

/// How long a writer waits for another process (`rookery account …`) that holds the file, in ms.
const BUSY_TIMEOUT: &str = "PRAGMA busy_timeout = 5000";

/// How long a caller waits for a free connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);

/// Takes the file for writing at once: a transaction that reads first and writes later would fail when
/// another wrote in between.
const BEGIN: &str = "BEGIN IMMEDIATE";

/// A transaction that writes.
type Writing = Transaction<'static, Any>;

/// The archive. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Archive {
    reading: AnyPool,
    writing: AnyPool,
}

/// Why the archive did not do as asked.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The file is of a later version of this program.
    #[error("the archive has schema {stored}, this program knows {known}: start a newer one")]
    Newer {
        /// The version of the file.
        stored: usize,
        /// The highest version known.
        known: usize,
    },
    /// A row that cannot be what we wrote.
    #[error("the archive holds what cannot be read: {0}")]
    Unreadable(String),
    /// It does not answer, or refused.
    #[error("the archive is unavailable: {0}")]
    Unavailable(#[from] sqlx::Error),
}

/// A result of the archive.
pub type Result<T> = std::result::Result<T, ArchiveError>;

impl Archive {
    /// Opens the file, makes it where it is missing, and brings it to the present schema.
    pub async fn open(path: &Path) -> Result<Archive> {
        sqlx::any::install_default_drivers();
        create_private(path)?;
        let options = options(path)?;
        let writing = pool(1, false).connect_with(options.clone()).await?;
        schema::migrate(&writing).await?;
        let reading = pool(READERS, true).connect_with(options).await?;
        Ok(Archive { reading, writing })
    }

    /// Lets go of the file.
    pub async fn close(&self) {
        self.reading.close().await;
        self.writing.close().await;
    }

    /// Whether it answers.
    pub async fn ping(&self) -> Result<()> {
        let mut connection = self.reading.acquire().await?;
        Ok(connection.ping().await?)
    }

    /// The value of that name, made and kept when there is none.
    pub async fn meta(&self, name: &str, make: impl FnOnce() -> String) -> Result<String> {
        let mut writing = self.begin().await?;
        let known: Option<String> =
            sqlx::query_scalar("SELECT value FROM server_meta WHERE name = $1")
                .bind(name)
                .fetch_optional(&mut *writing)
                .await?;
        if let Some(value) = known {
            return Ok(value);
        }
        let value = make();
        sqlx::query("INSERT INTO server_meta (name, value) VALUES ($1, $2)")
            .bind(name)
            .bind(value.as_str())
            .execute(&mut *writing)
            .await?;
        writing.commit().await?;
        Ok(value)
    }

    async fn begin(&self) -> Result<Writing> {
        Ok(self.writing.begin_with(BEGIN).await?)
    }
}

/// The file holds the key of the tickets: it is made readable by its owner alone, and SQLite gives the
/// files beside it the same mode.
fn create_private(path: &Path) -> Result<()> {
    use std::os::unix::fs::OpenOptionsExt;
    let made = std::fs::OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(path);
    made.map(drop)
        .map_err(|error| ArchiveError::Unavailable(sqlx::Error::Io(error)))
}

fn options(path: &Path) -> Result<AnyConnectOptions> {
    let path = std::path::absolute(path).map_err(sqlx::Error::Io)?;
    let mut url = "sqlite://".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' => {
                url.push(char::from(*byte));
            }
            _ => write!(url, "%{byte:02X}").expect("a string takes any text"),
        }
    }
    Ok(AnyConnectOptions::from_str(&url)?.disable_statement_logging())
}

fn pool(connections: u32, read_only: bool) -> AnyPoolOptions {
    AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .after_connect(move |connection, _| {
            Box::pin(async move {
                connection.execute(BUSY_TIMEOUT).await?;
                connection.execute("PRAGMA foreign_keys = ON").await?;
                connection.execute("PRAGMA journal_mode = WAL").await?;
                connection.execute("PRAGMA synchronous = FULL").await?;
                if read_only {
                    connection.execute("PRAGMA query_only = ON").await?;
                }
                Ok(())
            })
        })
}
