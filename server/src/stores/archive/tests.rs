//! The archive on a file of its own.

use rookery_core::game::{Ending, Score};
use rookery_core::id::{GameId, PlayerId};
use rookery_core::time::{Millis, Timestamp};
use sqlx::{Executor, Row};
use tempfile::TempDir;

use super::fixture::{START, birth, finished, player};
use super::*;
use crate::gateway::SessionId;

async fn archive() -> (Archive, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open(&folder.path().join("a file?#%.db"))
        .await
        .unwrap();
    (archive, folder)
}

fn new_account(number: u64, name: &str) -> NewAccount {
    NewAccount {
        player: player(number),
        name: name.to_owned(),
        folded: name.to_ascii_lowercase(),
        password: "hash".to_owned(),
        bot: false,
        at: START,
    }
}

fn new_session(number: i64, player: PlayerId, at: Timestamp) -> SessionRow {
    SessionRow {
        session: SessionId(number),
        player,
        label: "a browser".to_owned(),
        created_at: at,
        used_at: at,
    }
}

fn later(seconds: u64) -> Timestamp {
    START + Millis::from_secs(seconds)
}

#[tokio::test]
async fn the_file_is_private_durable_and_strict() {
    use std::os::unix::fs::PermissionsExt;
    let (archive, folder) = archive().await;
    let file = folder.path().join("a file?#%.db");
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    for (pragma, value) in [
        ("PRAGMA journal_mode", "wal"),
        ("PRAGMA foreign_keys", "1"),
        ("PRAGMA synchronous", "2"),
    ] {
        for pool in [&archive.writing, &archive.reading] {
            let row = sqlx::query(pragma).fetch_one(pool).await.unwrap();
            let found = row
                .try_get::<String, _>(0)
                .or_else(|_| row.try_get::<i64, _>(0).map(|n| n.to_string()));
            assert_eq!(found.unwrap(), value, "{pragma}");
        }
    }
    let text_for_a_number = "INSERT INTO accounts (player, name, folded, bot, created_at) VALUES (x'00', 'a', 'a', 0, 'now')";
    assert!(archive.writing.execute(text_for_a_number).await.is_err());
    let session_of_nobody = "INSERT INTO sessions VALUES (1, x'00', '', 0, 0)";
    assert!(archive.writing.execute(session_of_nobody).await.is_err());
    let by_a_reader = "DELETE FROM accounts";
    assert!(archive.reading.execute(by_a_reader).await.is_err());
}

#[tokio::test]
async fn a_newer_schema_is_refused_and_left_alone() {
    let (archive, folder) = archive().await;
    archive
        .writing
        .execute("UPDATE server_meta SET value = '99' WHERE name = 'schema_version'")
        .await
        .unwrap();
    archive.close().await;
    let again = Archive::open(&folder.path().join("a file?#%.db")).await;
    assert!(
        matches!(again, Err(ArchiveError::Newer { stored: 99, .. })),
        "{again:?}"
    );
}

#[tokio::test]
async fn what_is_made_once_stays() {
    let (archive, folder) = archive().await;
    let key = archive.meta("key", || "first".to_owned()).await.unwrap();
    let other = Archive::open(&folder.path().join("a file?#%.db"))
        .await
        .unwrap();
    assert_eq!(
        other.meta("key", || "second".to_owned()).await.unwrap(),
        key
    );
}

#[tokio::test]
async fn a_name_is_taken_once_and_free_after_deletion() {
    let (archive, _folder) = archive().await;
    assert!(
        archive
            .create_account(&new_account(1, "Ada"))
            .await
            .unwrap()
    );
    assert!(
        !archive
            .create_account(&new_account(2, "aDA"))
            .await
            .unwrap()
    );
    let ada = archive.account_named("ada").await.unwrap().unwrap();
    assert_eq!((ada.name.as_str(), ada.player), ("Ada", player(1)));

    archive
        .close_account(player(1), later(1), later(9))
        .await
        .unwrap();
    assert_eq!(archive.account_named("ada").await.unwrap(), None);
    let closed = archive.account(player(1)).await.unwrap().unwrap();
    assert_eq!(closed.name, DELETED_NAME);
    assert_eq!((closed.password, closed.closed_at), (None, Some(later(1))));
    assert!(
        archive
            .create_account(&new_account(2, "ada"))
            .await
            .unwrap()
    );
}

#[tokio::test]
async fn sessions_are_bounded_ended_and_their_end_is_kept() {
    let (archive, _folder) = archive().await;
    archive
        .create_account(&new_account(1, "ada"))
        .await
        .unwrap();
    for number in 1..=3 {
        let row = new_session(number, player(1), later(number as u64));
        assert_eq!(archive.open_session(&row, 3, later(99)).await.unwrap(), []);
    }
    let fourth = new_session(4, player(1), later(4));
    assert_eq!(
        archive.open_session(&fourth, 3, later(99)).await.unwrap(),
        [SessionId(1)]
    );
    assert!(
        archive
            .end_session(player(1), SessionId(2), later(5), later(99))
            .await
            .unwrap()
    );
    assert!(
        !archive
            .end_session(player(2), SessionId(3), later(5), later(99))
            .await
            .unwrap()
    );

    let ended = archive
        .set_password(player(1), "other", Some(SessionId(4)), later(6), later(99))
        .await
        .unwrap();
    assert_eq!(ended, [SessionId(3)]);
    let left: Vec<_> = archive.sessions(player(1)).await.unwrap();
    assert_eq!(left, [fourth]);

    let revoked = archive.revocations(later(5), 10).await.unwrap();
    let named: Vec<_> = revoked
        .iter()
        .map(|revoked| (revoked.session.0, revoked.at))
        .collect();
    assert_eq!(named, [(2, later(5)), (3, later(6))]);
    archive.forget_expired(later(5), later(100)).await.unwrap();
    assert_eq!(archive.sessions(player(1)).await.unwrap(), []);
    assert_eq!(archive.revocations(START, 10).await.unwrap(), []);
}

#[tokio::test]
async fn tokens_are_found_by_their_hash_until_they_end() {
    let (archive, _folder) = archive().await;
    archive
        .create_account(&new_account(1, "ada"))
        .await
        .unwrap();
    let token = |number: u8| NewToken {
        token: SessionId(number.into()),
        player: player(1),
        hash: [number; 32],
        scopes: "play".to_owned(),
        label: "bot".to_owned(),
        at: START,
    };
    assert!(archive.create_token(&token(1), 2).await.unwrap());
    assert!(archive.create_token(&token(2), 2).await.unwrap());
    assert!(!archive.create_token(&token(3), 2).await.unwrap());
    archive.note_use(&[(SessionId(1), later(7))]).await.unwrap();
    let found = archive.token(&[1; 32]).await.unwrap().unwrap();
    assert_eq!((found.token, found.used_at), (SessionId(1), Some(later(7))));
    assert_eq!(archive.token(&[9; 32]).await.unwrap(), None);

    assert!(
        archive
            .end_token(player(1), SessionId(1), later(8), later(99))
            .await
            .unwrap()
    );
    assert_eq!(archive.token(&[1; 32]).await.unwrap(), None);
    let ended = archive
        .close_account(player(1), later(9), later(99))
        .await
        .unwrap();
    assert_eq!(ended, [SessionId(2)]);
    assert_eq!(archive.revocations(START, 10).await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_game_is_filed_once_and_comes_back_whole() {
    let (archive, _folder) = archive().await;
    let game = finished(birth(1, player(1), player(2), true));
    archive.file(&game).await.unwrap();
    archive.file(&game).await.unwrap();
    assert_eq!(
        archive.game(game.birth.game).await.unwrap(),
        Some(game.clone())
    );
    let rows = archive.games_of(player(1), None, 10).await.unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].settlement, Settlement::Never);
    assert_eq!(
        (rows[0].outcome.score, rows[0].outcome.ending),
        (Score::BlackWins, Ending::Resignation)
    );
    assert_eq!((rows[0].plies, rows[0].control.as_str()), (2, "180+2"));
    let unknown: GameId = birth(9, player(1), player(2), true).game;
    assert_eq!(archive.game(unknown).await.unwrap(), None);
}

#[tokio::test]
async fn a_players_games_come_in_pages_and_never_twice() {
    let (archive, _folder) = archive().await;
    for number in 0..7 {
        let opponent = player(2 + number % 2);
        archive
            .file(&finished(birth(number, player(1), opponent, false)))
            .await
            .unwrap();
    }
    let mut seen = Vec::new();
    let mut before = None;
    loop {
        let page = archive.games_of(player(1), before, 3).await.unwrap();
        let Some(last) = page.last() else { break };
        before = Some(GamesBefore {
            ended_at: last.ended_at,
            game: last.game,
        });
        seen.extend(page.iter().map(|row| row.game));
    }
    let expected: Vec<GameId> = (0..7)
        .rev()
        .map(|number| birth(number, player(1), player(2), false).game)
        .collect();
    assert_eq!(seen, expected);
    assert_eq!(
        archive.games_of(player(2), None, 10).await.unwrap().len(),
        4
    );
}

#[tokio::test]
async fn a_deleted_player_leaves_no_name_anywhere() {
    let (archive, _folder) = archive().await;
    archive
        .create_account(&new_account(1, "Ada"))
        .await
        .unwrap();
    let before = finished(birth(1, player(1), player(2), false));
    let after = finished(birth(2, player(1), player(2), false));
    archive.file(&before).await.unwrap();
    let line = ChatLine {
        game: before.birth.game,
        room: "players".to_owned(),
        line: 1,
        player: player(1),
        name: "Ada".to_owned(),
        said: "hello".to_owned(),
        said_at: START,
    };
    archive.file_chat(&[line.clone(), line]).await.unwrap();
    archive
        .close_account(player(1), later(1), later(9))
        .await
        .unwrap();
    archive.file(&after).await.unwrap();

    for game in [&before, &after] {
        let kept = archive.game(game.birth.game).await.unwrap().unwrap();
        assert_eq!(kept.birth.players.white.name, DELETED_NAME);
        assert_eq!(kept.birth.players.black.name, "Bob");
    }
    let said = archive.chat_of(player(1), None, 10).await.unwrap();
    assert_eq!(said.len(), 1);
    assert_eq!(said[0].name, DELETED_NAME);
    let stored: Vec<String> = sqlx::query_scalar("SELECT events FROM games")
        .fetch_all(&archive.reading)
        .await
        .unwrap();
    assert_eq!(stored.len(), 2);
    assert!(stored.iter().all(|events| !events.contains("Ada")));
}

#[tokio::test]
async fn two_processes_write_by_turns() {
    let (archive, folder) = archive().await;
    let other = Archive::open(&folder.path().join("a file?#%.db"))
        .await
        .unwrap();
    let make = |archive: Archive, numbers: std::ops::Range<u64>| async move {
        for number in numbers {
            let new = new_account(number, &format!("p{number}"));
            assert!(archive.create_account(&new).await.unwrap());
        }
    };
    let (one, two) = (
        tokio::spawn(make(archive.clone(), 0..30)),
        tokio::spawn(make(other, 30..60)),
    );
    one.await.unwrap();
    two.await.unwrap();
    assert!(archive.account_named("p59").await.unwrap().is_some());
}

/// The twin schema says the same in the other dialect.
#[test]
fn the_two_schemas_are_one() {
    let plain = |text: &str| -> String {
        let lines = text
            .lines()
            .map(|line| line.split("--").next().unwrap_or_default());
        lines
            .flat_map(str::split_whitespace)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let translated = plain(include_str!("../../../schema/sqlite.sql"))
        .replace("INTEGER", "BIGINT")
        .replace("BLOB", "BYTEA")
        .replace(") STRICT;", ");");
    assert_eq!(
        translated,
        plain(include_str!("../../../schema/postgres.sql"))
    );
}
