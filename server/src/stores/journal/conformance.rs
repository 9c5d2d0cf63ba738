//! What every twin of the journal promises, as tests that take any of them.

use std::sync::Arc;

use rookery_core::clock::{BankReading, TimeControl};
use rookery_core::game::{Birth, ClockReading, Event, Player, Terms, What};
use rookery_core::id::{BySeat, GameId, PlayerId, Seat, Seq, ShardNo};
use rookery_core::laws::Profile;
use rookery_core::time::{Millis, Timestamp};

use super::{
    Append, Batch, Epoch, Journal, JournalError, MemoryJournal, SqliteJournal, StoredGame, SyncMode,
};

const START: Timestamp = Timestamp(1_790_000_000_000);
const SHARD: ShardNo = ShardNo::new(7);

pub(super) fn game(number: u64) -> GameId {
    GameId::mint(START, number, SHARD)
}

/// The first `count` events of a game: its birth, then the king's pawns and a knight that goes to and fro.
pub(super) fn events(game: GameId, count: u32) -> Vec<Arc<Event>> {
    (0..count)
        .map(|number| Arc::new(event(game, number)))
        .collect()
}

fn event(game: GameId, number: u32) -> Event {
    let what = match number.checked_sub(1) {
        None => What::Born(Box::new(birth(game))),
        Some(ply) => {
            let (uci, san) = [
                ("g1f3", "Nf3"),
                ("g8f6", "Nf6"),
                ("f3g1", "Ng1"),
                ("f6g8", "Ng8"),
            ][ply as usize % 4];
            let left = Millis(180_000 - u64::from(ply) * 1000);
            What::Moved {
                uci: uci.parse().unwrap(),
                san: san.to_owned(),
                clock: ClockReading {
                    left: BySeat {
                        white: left,
                        black: left,
                    },
                    running: Some(Seat::Black),
                },
                credit: Millis(u64::from(ply)),
                bank: BankReading(Millis(300)),
                offer: ply == 3,
            }
        }
    };
    Event {
        seq: Seq(number),
        at: START + Millis(u64::from(number) * 1000),
        by: None,
        what,
    }
}

fn birth(game: GameId) -> Birth {
    let player = |name: &str, random| Player {
        id: PlayerId::mint(START, random, SHARD),
        name: name.to_owned(),
        bot: false,
        guest: random == 2,
    };
    Birth {
        game,
        terms: Terms {
            control: TimeControl::fischer(Millis::from_mins(3), Millis::from_secs(2)),
            profile: Profile::Classic,
            wrong_claim: None,
            rated: false,
            lag_credit: true,
            first_move: Some(Millis::from_secs(30)),
            absence_grace: None,
            start_fen: None,
        },
        players: BySeat {
            white: player("王", 1),
            black: player("a \"quoted\" \\ name", 2),
        },
        starts_at: START,
    }
}

fn batch(at: u64, epoch: u64, appends: &[(GameId, &[Arc<Event>])]) -> Batch {
    let append = |&(game, events): &(GameId, &[Arc<Event>])| Append {
        epoch: Epoch(epoch),
        game,
        events: events.to_vec(),
    };
    Batch {
        at: START + Millis(at),
        appends: appends.iter().map(append).collect(),
    }
}

async fn stored(journal: &impl Journal, game: GameId) -> Vec<Arc<Event>> {
    let games = journal.load(&[game.shard()]).await.unwrap();
    games
        .into_iter()
        .find(|stored| stored.game == game)
        .map(|stored| stored.events)
        .unwrap_or_default()
}

async fn keeps_what_it_is_given(journal: impl Journal) {
    let (a, b) = (events(game(1), 5), events(game(2), 3));
    journal
        .append(&batch(1, 1, &[(game(1), &a[..1]), (game(2), &b)]))
        .await
        .unwrap();
    journal
        .append(&batch(2, 1, &[(game(1), &a[1..])]))
        .await
        .unwrap();
    let expected = [
        StoredGame {
            game: game(1),
            events: a,
        },
        StoredGame {
            game: game(2),
            events: b,
        },
    ];
    assert_eq!(journal.load(&[SHARD]).await.unwrap(), expected);
    assert_eq!(journal.load(&[ShardNo::new(8)]).await.unwrap(), []);
}

async fn skips_what_it_has(journal: impl Journal) {
    let all = events(game(1), 6);
    journal
        .append(&batch(1, 1, &[(game(1), &all[..4])]))
        .await
        .unwrap();
    journal
        .append(&batch(2, 1, &[(game(1), &all[..4])]))
        .await
        .unwrap();
    journal
        .append(&batch(3, 1, &[(game(1), &all[2..])]))
        .await
        .unwrap();
    assert_eq!(stored(&journal, game(1)).await, all);
}

async fn refuses_a_hole(journal: impl Journal) {
    let all = events(game(1), 6);
    journal
        .append(&batch(1, 1, &[(game(1), &all[..2])]))
        .await
        .unwrap();
    let beyond = journal.append(&batch(2, 1, &[(game(1), &all[3..])])).await;
    assert!(
        matches!(
            beyond,
            Err(JournalError::Hole {
                stored: Seq(2),
                first: Seq(3),
                ..
            })
        ),
        "{beyond:?}"
    );
    let unborn = journal
        .append(&batch(2, 1, &[(game(2), &events(game(2), 2)[1..])]))
        .await;
    assert!(
        matches!(
            unborn,
            Err(JournalError::Hole {
                stored: Seq(0),
                first: Seq(1),
                ..
            })
        ),
        "{unborn:?}"
    );
    let within = [all[2].clone(), all[4].clone()];
    let within = journal.append(&batch(2, 1, &[(game(1), &within)])).await;
    assert!(
        matches!(
            within,
            Err(JournalError::Hole {
                stored: Seq(3),
                first: Seq(4),
                ..
            })
        ),
        "{within:?}"
    );
    assert_eq!(stored(&journal, game(1)).await, all[..2]);
}

async fn refuses_a_contradiction(journal: impl Journal) {
    let all = events(game(1), 4);
    journal
        .append(&batch(1, 1, &[(game(1), &all)]))
        .await
        .unwrap();
    let mut other = Event::clone(&all[2]);
    other.at = other.at + Millis(1);
    let verdict = journal
        .append(&batch(2, 1, &[(game(1), &[Arc::new(other)])]))
        .await;
    assert!(
        matches!(
            verdict,
            Err(JournalError::Contradiction { seq: Seq(2), .. })
        ),
        "{verdict:?}"
    );
    assert_eq!(stored(&journal, game(1)).await, all);
}

async fn stores_all_of_a_batch_or_nothing(journal: impl Journal) {
    let (good, bad) = (events(game(1), 2), events(game(2), 2));
    assert!(
        journal
            .append(&batch(1, 1, &[(game(1), &good), (game(2), &bad[1..])]))
            .await
            .is_err()
    );
    assert_eq!(journal.load(&[SHARD]).await.unwrap(), []);
    assert_eq!(journal.last_beat().await.unwrap(), None);
}

async fn fences_a_lower_epoch(journal: impl Journal) {
    let all = events(game(1), 4);
    journal
        .append(&batch(1, 5, &[(game(1), &all[..1])]))
        .await
        .unwrap();
    assert_eq!(
        journal.epoch(&[SHARD, ShardNo::new(9)]).await.unwrap(),
        Epoch(5)
    );
    let verdict = journal.append(&batch(2, 4, &[(game(1), &all[1..2])])).await;
    assert!(
        matches!(
            verdict,
            Err(JournalError::Fenced {
                shard: SHARD,
                stored: Epoch(5)
            })
        ),
        "{verdict:?}"
    );
    journal.claim(&[SHARD], Epoch(6)).await.unwrap();
    let verdict = journal.append(&batch(2, 5, &[(game(1), &all[1..2])])).await;
    assert!(
        matches!(
            verdict,
            Err(JournalError::Fenced {
                stored: Epoch(6),
                ..
            })
        ),
        "{verdict:?}"
    );
    journal.claim(&[SHARD], Epoch(2)).await.unwrap();
    assert_eq!(journal.epoch(&[SHARD]).await.unwrap(), Epoch(6));
    journal
        .append(&batch(3, 7, &[(game(1), &all[1..])]))
        .await
        .unwrap();
    assert_eq!(journal.epoch(&[SHARD]).await.unwrap(), Epoch(7));
    assert_eq!(stored(&journal, game(1)).await, all);
}

async fn remembers_when_its_owner_was_alive(journal: impl Journal) {
    assert_eq!(journal.last_beat().await.unwrap(), None);
    journal
        .append(&batch(10, 1, &[(game(1), &events(game(1), 1))]))
        .await
        .unwrap();
    assert_eq!(journal.last_beat().await.unwrap(), Some(START + Millis(10)));
    journal.beat(START + Millis(1010)).await.unwrap();
    journal.beat(START + Millis(20)).await.unwrap();
    assert_eq!(
        journal.last_beat().await.unwrap(),
        Some(START + Millis(1010))
    );
}

async fn forgets_what_is_filed(journal: impl Journal) {
    let (a, b) = (events(game(1), 3), events(game(2), 3));
    journal
        .append(&batch(1, 1, &[(game(1), &a), (game(2), &b)]))
        .await
        .unwrap();
    journal.forget(&[game(1), game(3)]).await.unwrap();
    assert_eq!(
        journal.load(&[SHARD]).await.unwrap(),
        [StoredGame {
            game: game(2),
            events: b
        }]
    );
}

async fn serves_many_at_once(journal: impl Journal) {
    let journal = Arc::new(journal);
    let writers = (0..8).map(|number| {
        let journal = Arc::clone(&journal);
        tokio::spawn(async move {
            for event in events(game(number), 20) {
                journal
                    .append(&batch(number, 1, &[(game(number), &[event])]))
                    .await
                    .unwrap();
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    for number in 0..8 {
        assert_eq!(
            stored(&*journal, game(number)).await,
            events(game(number), 20)
        );
    }
}

async fn is_unavailable_when_closed(journal: impl Journal) {
    journal.close().await;
    let verdict = journal
        .append(&batch(1, 1, &[(game(1), &events(game(1), 1))]))
        .await;
    assert!(
        matches!(verdict, Err(JournalError::Unavailable(_))),
        "{verdict:?}"
    );
    assert!(journal.load(&[SHARD]).await.is_err());
}

/// Runs each test on each twin.
macro_rules! on_both_twins {
    ($($test:ident),* $(,)?) => {
        mod memory {
            $(#[tokio::test]
            async fn $test() {
                super::$test(super::MemoryJournal::default()).await;
            })*
        }
        mod sqlite {
            $(#[tokio::test]
            async fn $test() {
                let dir = tempfile::tempdir().unwrap();
                let path = dir.path().join("journal.db");
                super::$test(super::SqliteJournal::open(&path, super::SyncMode::Full).await.unwrap()).await;
            })*
        }
    };
}

on_both_twins!(
    keeps_what_it_is_given,
    skips_what_it_has,
    refuses_a_hole,
    refuses_a_contradiction,
    stores_all_of_a_batch_or_nothing,
    fences_a_lower_epoch,
    remembers_when_its_owner_was_alive,
    forgets_what_is_filed,
    serves_many_at_once,
    is_unavailable_when_closed,
);
