//! What the writer is asked, and which of it goes into one commit.

use std::collections::BTreeSet;

use rookery_core::game::Event;
use rookery_core::id::{GameId, ShardNo};
use rookery_core::time::Timestamp;
use tokio::sync::{mpsc, oneshot};

use super::super::{Batch, Epoch, JournalError, StoredGame};

/// Batches in one commit: one a driver, and a driver is a core.
const GROUP: usize = 64;

pub(super) type Reply<T> = oneshot::Sender<Result<T, JournalError>>;

/// What callers ask of the writer.
#[derive(Debug)]
pub(super) enum Job {
    Append(Prepared, Reply<()>),
    Beat(Timestamp, Reply<()>),
    LastBeat(Reply<Option<Timestamp>>),
    Epoch(Vec<ShardNo>, Reply<Epoch>),
    Claim(Vec<ShardNo>, Epoch, Reply<()>),
    Load(Vec<ShardNo>, Reply<Vec<StoredGame>>),
    Forget(Vec<GameId>, Reply<()>),
    Close(oneshot::Sender<()>),
}

/// A batch with the text of its rows, made by the caller's task so that the writer's has less to do.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) batch: Batch,
    pub(super) bodies: Vec<Vec<String>>,
}

impl Prepared {
    pub(super) fn new(batch: Batch) -> Prepared {
        let bodies = batch
            .appends
            .iter()
            .map(|append| append.events.iter().map(|event| body(event)).collect())
            .collect();
        Prepared { batch, bodies }
    }
}

/// The batches that wait, as far as they name no game twice, and the job that came after them.
pub(super) fn gather(
    first: (Prepared, Reply<()>),
    jobs: &mut mpsc::Receiver<Job>,
) -> (Vec<(Prepared, Reply<()>)>, Option<Job>) {
    let games_of = |prepared: &Prepared| {
        prepared
            .batch
            .appends
            .iter()
            .map(|append| append.game)
            .collect::<Vec<_>>()
    };
    let mut named: BTreeSet<GameId> = games_of(&first.0).into_iter().collect();
    let mut group = vec![first];
    while group.len() < GROUP {
        match jobs.try_recv() {
            Ok(Job::Append(prepared, reply)) => {
                let games = games_of(&prepared);
                if games.iter().any(|game| named.contains(game)) {
                    return (group, Some(Job::Append(prepared, reply)));
                }
                named.extend(games);
                group.push((prepared, reply));
            }
            Ok(other) => return (group, Some(other)),
            Err(_) => break,
        }
    }
    (group, None)
}

fn body(event: &Event) -> String {
    serde_json::to_string(event).expect("an event has no map with other keys than text")
}
