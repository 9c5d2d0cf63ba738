//! How many commits the embedded journal makes in a second: `cargo bench -p rookery-server --bench journal`.

use std::sync::Arc;
use std::time::Duration;

use rookery_core::clock::BankReading;
use rookery_core::game::{ClockReading, Event, What};
use rookery_core::id::{BySeat, GameId, Seat, Seq, ShardNo};
use rookery_core::time::{Millis, Timestamp};
use rookery_server::clock::Stopwatch;
use rookery_server::stores::journal::{Append, Batch, Epoch, Journal, SqliteJournal, SyncMode};

const START: Timestamp = Timestamp(1_790_000_000_000);
const MEASURE_FOR: Duration = Duration::from_secs(2);

/// Drivers that commit at the same time.
const DRIVERS: [u64; 2] = [1, 2];
/// Games in a batch, a move each.
const GAMES: [u64; 3] = [1, 10, 100];
/// Moves of a game, after which another one takes its place.
const MOVES: u32 = 80;

fn moved(seq: u32) -> Arc<Event> {
    let what = What::Moved {
        uci: "g1f3".parse().expect("a move"),
        san: "Nf3".to_owned(),
        clock: ClockReading {
            left: BySeat {
                white: Millis(171_234),
                black: Millis(165_432),
            },
            running: Some(Seat::Black),
        },
        credit: Millis(12),
        bank: BankReading(Millis(300)),
        offer: false,
    };
    Arc::new(Event {
        seq: Seq(seq),
        at: START + Millis(u64::from(seq)),
        by: None,
        what,
    })
}

/// Commits batch after batch as one driver, and says how many.
async fn drive(journal: SqliteJournal, driver: u64, games: u64) -> u64 {
    let started = Stopwatch::start();
    let mut commits = 0;
    while started.elapsed() < MEASURE_FOR {
        let round = commits / u64::from(MOVES);
        let number = (commits % u64::from(MOVES)) as u32;
        let append = |game: u64| {
            let random = game.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (round << 32);
            let shard = ShardNo::new((game * 2 + driver) as u16);
            let game = GameId::mint(START + Millis(round), random, shard);
            Append {
                epoch: Epoch(1),
                game,
                events: vec![moved(number)],
            }
        };
        let batch = Batch {
            at: START + Millis(commits),
            appends: (0..games).map(append).collect(),
        };
        journal.append(&batch).await.expect("nothing contradicts");
        commits += 1;
    }
    commits
}

#[tokio::main(worker_threads = 2)]
async fn main() {
    println!(
        "{:>5} {:>8} {:>6} {:>10} {:>10} {:>9} {:>10}",
        "sync", "drivers", "games", "commits/s", "events/s", "us/commit", "loaded/s"
    );
    for sync in [SyncMode::Full, SyncMode::Os] {
        for drivers in DRIVERS {
            for games in GAMES {
                measure(sync, drivers, games).await;
            }
        }
    }
}

async fn measure(sync: SyncMode, drivers: u64, games: u64) {
    let dir = tempfile::tempdir_in(".").expect("a folder on the disk to be measured");
    let path = dir.path().join("journal.db");
    let journal = SqliteJournal::open(&path, sync).await.expect("a new file");
    let drive = |driver| tokio::spawn(drive(journal.clone(), driver, games));
    let tasks: Vec<_> = (0..drivers).map(drive).collect();
    let mut commits = 0;
    for task in tasks {
        commits += task.await.expect("no panic");
    }
    let loading = Stopwatch::start();
    let shards: Vec<_> = ShardNo::all().collect();
    let loaded = journal.load(&shards).await.expect("what was stored");
    let loaded: usize = loaded.iter().map(|game| game.events.len()).sum();
    let loaded = loaded as f64 / loading.elapsed().as_secs_f64();
    journal.close().await;
    let rate = commits as f64 / MEASURE_FOR.as_secs_f64();
    let events = rate * games as f64;
    let cost = drivers as f64 * 1e6 / rate;
    let sync = format!("{sync:?}");
    println!(
        "{sync:>5} {drivers:>8} {games:>6} {rate:>10.0} {events:>10.0} {cost:>9.0} {loaded:>10.0}"
    );
}
