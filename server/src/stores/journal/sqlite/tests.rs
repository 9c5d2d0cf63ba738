//! What is the SQLite twin's own: its file, its formats, its disk.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rookery_core::game::{Event, Game};
use rookery_core::id::ShardNo;
use rookery_core::time::{Millis, Timestamp};
use sqlx::{AssertSqlSafe, Connection, Executor, SqliteConnection};

use super::super::conformance::{events, game};
use super::super::{Append, Batch, Epoch, Journal, JournalError, StoredGame};
use super::{SqliteJournal, SyncMode, options};

const GOLDEN: &str = include_str!("../../../../tests/fixtures/journal/format-1.sql");

/// The names under which a format-1 journal stores what happens.
const HAPPENINGS: [&str; 11] = [
    "born",
    "claimed",
    "declined",
    "ended",
    "moved",
    "offered",
    "paused",
    "resumed",
    "takeback_declined",
    "takeback_proposed",
    "taken_back",
];

/// A file of its own, gone at the end of the test.
struct File {
    _dir: tempfile::TempDir,
    path: PathBuf,
}

impl File {
    fn new() -> File {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal.db");
        File { _dir: dir, path }
    }

    async fn open(&self) -> SqliteJournal {
        SqliteJournal::open(&self.path, SyncMode::Full)
            .await
            .unwrap()
    }

    /// Runs statements on the file without the journal's knowledge.
    async fn alter(&self, statements: &'static str) {
        let url = format!("sqlite://{}?mode=rwc", self.path.display());
        let mut connection = SqliteConnection::connect(&url).await.unwrap();
        connection.execute(sqlx::raw_sql(statements)).await.unwrap();
        connection.close().await.unwrap();
    }

    async fn count(&self, table: &str) -> i64 {
        let url = format!("sqlite://{}", self.path.display());
        let mut connection = SqliteConnection::connect(&url).await.unwrap();
        let count = format!("SELECT count(*) FROM {table}");
        sqlx::query_scalar(AssertSqlSafe(count))
            .fetch_one(&mut connection)
            .await
            .unwrap()
    }

    async fn bodies(&self) -> Vec<String> {
        let url = format!("sqlite://{}", self.path.display());
        let mut connection = SqliteConnection::connect(&url).await.unwrap();
        let bodies = "SELECT body FROM log WHERE game NOT IN (SELECT game FROM forgotten) ORDER BY game, seq";
        sqlx::query_scalar(AssertSqlSafe(bodies))
            .fetch_all(&mut connection)
            .await
            .unwrap()
    }
}

fn batch(number: u64, from: u32, to: u32) -> Batch {
    let events = events(game(number), to)[from as usize..].to_vec();
    Batch {
        at: Timestamp(1),
        appends: vec![Append {
            epoch: Epoch(1),
            game: game(number),
            events,
        }],
    }
}

#[tokio::test]
async fn a_closed_file_is_opened_as_it_was() {
    let file = File::new();
    let journal = file.open().await;
    journal.append(&batch(1, 0, 5)).await.unwrap();
    journal.beat(Timestamp(77)).await.unwrap();
    journal.close().await;
    let journal = file.open().await;
    let expected = [StoredGame {
        game: game(1),
        events: events(game(1), 5),
    }];
    assert_eq!(journal.load(&[game(1).shard()]).await.unwrap(), expected);
    assert_eq!(journal.last_beat().await.unwrap(), Some(Timestamp(77)));
    assert_eq!(journal.epoch(&[game(1).shard()]).await.unwrap(), Epoch(1));
    journal.append(&batch(1, 5, 6)).await.unwrap();
}

/// When this fails because events are written otherwise than before, that is a new format: raise `FORMAT`,
/// keep reading this file, and add one of the new format.
#[tokio::test]
async fn the_golden_journal_is_read_and_would_be_written_alike() {
    let file = File::new();
    file.alter(GOLDEN).await;
    let journal = file.open().await;
    let games = journal.load(&[ShardNo::new(7)]).await.unwrap();
    assert_eq!(games.len(), 6);
    for stored in &games {
        let game = Game::replay(&stored.events).unwrap();
        assert!(game.outcome().is_some(), "all six were played to their end");
    }
    let written: Vec<_> = games
        .iter()
        .flat_map(|stored| &stored.events)
        .map(|event| serde_json::to_string(&**event).unwrap())
        .collect();
    assert_eq!(written, file.bodies().await);
    let name = |body: &String| {
        serde_json::from_str::<serde_json::Value>(body).unwrap()["what"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let names: BTreeSet<_> = written.iter().map(name).collect();
    assert!(names.iter().eq(HAPPENINGS.iter()), "{names:?}");
    assert_eq!(
        journal.last_beat().await.unwrap(),
        Some(Timestamp(1_790_000_611_000))
    );
}

#[tokio::test]
async fn a_file_of_a_later_program_is_refused() {
    let file = File::new();
    file.open().await.close().await;
    file.alter("PRAGMA user_version = 2").await;
    let refused = SqliteJournal::open(&file.path, SyncMode::Full).await;
    assert!(refused.unwrap_err().to_string().contains("newer"));
}

#[tokio::test]
async fn a_row_that_cannot_be_read_is_said_to_be() {
    for harm in [
        "UPDATE log SET format = 9",
        "UPDATE log SET body = '{}'",
        "DELETE FROM log WHERE seq = 1",
    ] {
        let file = File::new();
        let journal = file.open().await;
        journal.append(&batch(1, 0, 3)).await.unwrap();
        file.alter(harm).await;
        let read = journal.load(&[game(1).shard()]).await;
        assert!(
            matches!(read, Err(JournalError::Unreadable(_))),
            "{harm}: {read:?}"
        );
    }
}

#[tokio::test]
async fn a_full_disk_loses_nothing_that_was_acknowledged() {
    let file = File::new();
    let journal = SqliteJournal::open_with(
        options(&file.path, SyncMode::Full).pragma("max_page_count", "60"),
    )
    .await
    .unwrap();
    let mut acknowledged = 0;
    while journal.append(&batch(acknowledged, 0, 20)).await.is_ok() {
        acknowledged += 1;
    }
    assert!(acknowledged > 0);
    let full = journal.append(&batch(acknowledged, 0, 20)).await;
    assert!(
        matches!(full, Err(JournalError::Unavailable(_))),
        "{full:?}"
    );
    let stored = journal.load(&[game(0).shard()]).await.unwrap();
    let expected: Vec<_> = (0..acknowledged)
        .map(|number| StoredGame {
            game: game(number),
            events: events(game(number), 20),
        })
        .collect();
    assert_eq!(stored, expected);
    journal.forget(&[game(0), game(1), game(2)]).await.unwrap();
    journal.append(&batch(acknowledged, 0, 20)).await.unwrap();
}

#[tokio::test]
async fn a_caller_that_goes_away_leaves_no_transaction_open() {
    let file = File::new();
    let journal = file.open().await;
    for number in 0..50 {
        let given_up = batch(number, 0, 3);
        tokio::select! {
            biased;
            _ = journal.append(&given_up) => {}
            () = tokio::task::yield_now() => {}
        }
    }
    journal.append(&batch(99, 0, 3)).await.unwrap();
    let last: Option<Event> = journal
        .load(&[game(99).shard()])
        .await
        .unwrap()
        .pop()
        .map(|stored| Event::clone(&stored.events[2]));
    assert_eq!(last.map(|event| event.at), Some(events(game(99), 3)[2].at));
    assert_eq!(journal.beat(Timestamp(5) + Millis(1)).await.ok(), Some(()));
}

#[tokio::test]
async fn what_is_forgotten_is_swept_away_by_and_by() {
    let file = File::new();
    let journal = file.open().await;
    journal.append(&batch(9999, 0, 50)).await.unwrap();
    for number in 0..200 {
        journal.append(&batch(number, 0, 10)).await.unwrap();
        if number >= 5 {
            journal.forget(&[game(number - 5)]).await.unwrap();
        }
    }
    let live = 50 + 5 * 10;
    assert!(
        file.count("log").await <= 3 * live,
        "{} rows",
        file.count("log").await
    );
    assert!(file.count("forgotten").await <= 20);
    journal.close().await;
    let journal = file.open().await;
    let stored = journal.load(&[game(9999).shard()]).await.unwrap();
    assert_eq!(stored.len(), 6);
    for game in stored {
        assert_eq!(
            game.events,
            events(game.game, u32::try_from(game.events.len()).unwrap())
        );
    }
}

#[tokio::test]
async fn a_name_forgotten_can_be_stored_again() {
    let file = File::new();
    let journal = file.open().await;
    journal.append(&batch(2, 0, 100)).await.unwrap();
    journal.append(&batch(1, 0, 3)).await.unwrap();
    journal.forget(&[game(1)]).await.unwrap();
    journal.append(&batch(1, 0, 2)).await.unwrap();
    journal.append(&batch(1, 1, 3)).await.unwrap();
    journal.close().await;
    let journal = file.open().await;
    let stored = journal.load(&[game(1).shard()]).await.unwrap();
    let expected = StoredGame {
        game: game(1),
        events: events(game(1), 3),
    };
    assert!(stored.contains(&expected));
}
