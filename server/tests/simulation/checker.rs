//! What must hold whatever happens: it sees what leaves the node and what the journal holds at that
//! moment, and knows nothing of how either came about.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rookery_core::game::{Act, Event, Refusal, Ruling, What};
use rookery_core::id::{CommandId, GameId, Seat};
use rookery_server::bus::Reply;
use rookery_server::stores::journal::MemoryStore;

use crate::clocks::{self, Outage};

/// A command as its player sent it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sent {
    pub(crate) game: GameId,
    pub(crate) seat: Seat,
    pub(crate) id: CommandId,
    pub(crate) ply: u32,
    pub(crate) act: Act,
}

#[derive(Default)]
pub(crate) struct Checker {
    /// Everything that ever left the node, by game and number.
    known: BTreeMap<GameId, BTreeMap<u32, Arc<Event>>>,
    /// The number of the next event to be told, as long as the node lives.
    next: BTreeMap<GameId, u32>,
    rulings: BTreeMap<(GameId, usize, CommandId), Ruling>,
    /// The moves that were acknowledged: by whom, under which key.
    acknowledged: BTreeMap<GameId, BTreeSet<(usize, CommandId)>>,
    /// The records of games that are filed, as the archive has them.
    archive: BTreeMap<GameId, Vec<Arc<Event>>>,
    pub(crate) outages: Vec<Outage>,
}

impl Checker {
    /// Events are told: each is in the journal, after the one told before, and contradicts nothing.
    pub(crate) fn told(&mut self, store: &MemoryStore, game: GameId, events: &[Arc<Event>]) {
        for event in events {
            let number = event.seq.0;
            let next = self.next.entry(game).or_insert(number);
            assert_eq!(number, *next, "told out of order: {event:?}");
            *next += 1;
        }
        self.seen(store, game, events);
    }

    /// Events left the node, told or as an answer.
    pub(crate) fn seen(&mut self, store: &MemoryStore, game: GameId, events: &[Arc<Event>]) {
        let stored = self.kept(store, game);
        for event in events {
            assert_eq!(
                stored.get(event.seq.0 as usize),
                Some(event),
                "known before it was stored"
            );
            let known = self
                .known
                .entry(game)
                .or_default()
                .entry(event.seq.0)
                .or_insert_with(|| event.clone());
            assert_eq!(known, event, "two events of one number");
        }
    }

    /// The node died: it tells on from what is stored, the rest is asked for.
    pub(crate) fn died(&mut self) {
        self.next.clear();
    }

    /// A command was answered.
    pub(crate) fn answered(&mut self, store: &MemoryStore, sent: &Sent, reply: &Reply) {
        let stored = self.kept(store, sent.game);
        let mine: Vec<_> = stored.iter().filter(|event| is_by(event, sent)).collect();
        match reply {
            Reply::Ruled(ruling) => {
                let key = (sent.game, sent.seat.index(), sent.id);
                let first = *self.rulings.entry(key).or_insert(*ruling);
                assert_eq!(
                    first, *ruling,
                    "the same command ruled twice differently: {sent:?}"
                );
                let claim = matches!(sent.act, Act::Claim { .. });
                assert!(
                    claim || !mine.is_empty(),
                    "{ruling:?} and nothing stored: {sent:?}"
                );
                if matches!((sent.act, ruling), (Act::Move { .. }, Ruling::Done)) {
                    let moved = mine
                        .iter()
                        .filter(|event| matches!(event.what, What::Moved { .. }))
                        .count();
                    self.acknowledged
                        .entry(sent.game)
                        .or_default()
                        .insert((sent.seat.index(), sent.id));
                    assert_eq!(moved, 1, "an acknowledged move is not there once: {sent:?}");
                }
            }
            Reply::Refused(refusal) => refused(&stored, sent, *refusal, &mine),
            Reply::Retry | Reply::Busy => {}
            Reply::UnknownGame => assert!(
                record(store, sent.game).is_empty(),
                "a stored game is unknown: {sent:?}"
            ),
            other => panic!("{other:?} answers no command"),
        }
    }

    /// What is kept of a game: in the journal, or in the archive.
    fn kept(&self, store: &MemoryStore, game: GameId) -> Vec<Arc<Event>> {
        self.archive
            .get(&game)
            .cloned()
            .unwrap_or_else(|| record(store, game))
    }

    /// The record of a game that has ended.
    pub(crate) fn finished(&mut self, game: GameId, record: &[Arc<Event>]) {
        for (index, event) in record.iter().enumerate() {
            assert_eq!(event.seq.0 as usize, index, "a gap in the record of {game}");
        }
        let ends = record
            .iter()
            .filter(|event| matches!(event.what, What::Ended { .. }))
            .count();
        assert_eq!(ends, 1, "a game ends once");
        assert!(
            matches!(record.last().unwrap().what, What::Ended { .. }),
            "it went on after its end"
        );
        for (number, event) in self.known.get(&game).into_iter().flatten() {
            assert_eq!(
                record.get(*number as usize),
                Some(event),
                "what was told is not in the record"
            );
        }
        let keys: BTreeSet<_> = record
            .iter()
            .filter_map(|event| event.by.as_ref())
            .map(|by| (by.seat.index(), by.id))
            .collect();
        for key in self.acknowledged.get(&game).into_iter().flatten() {
            assert!(keys.contains(key), "an acknowledged move is lost: {key:?}");
        }
        done_once(record);
        self.archive.insert(game, record.to_vec());
        clocks::check(
            &record.iter().map(Arc::as_ref).collect::<Vec<_>>(),
            &self.outages,
        );
    }
}

/// More events than one turn stores of a game.
const TURN_OF_A_GAME: usize = 16;

/// A refusal must be true of what is stored: it was decided after nothing that is not. Where moves were
/// just taken back, the position it answers may be there again; then nothing can be said.
fn refused(stored: &[Arc<Event>], sent: &Sent, refusal: Refusal, mine: &[&Arc<Event>]) {
    let lately = stored.iter().rev().take(TURN_OF_A_GAME);
    if lately
        .into_iter()
        .any(|event| matches!(event.what, What::TakenBack { .. }))
    {
        return;
    }
    // The same command, heard again, may have found that the flag had fallen meanwhile.
    let done = mine
        .iter()
        .any(|event| !matches!(event.what, What::Ended { .. }));
    assert!(
        !done || refusal == Refusal::IdReused,
        "refused {refusal:?} and done: {sent:?}"
    );
    let ply = ply(stored);
    let over = stored
        .last()
        .is_some_and(|event| matches!(event.what, What::Ended { .. }));
    match refusal {
        Refusal::GameOver => assert!(over, "over before it was stored: {sent:?}"),
        Refusal::StalePly => assert_ne!(ply, sent.ply, "stale before it was stored: {sent:?}"),
        Refusal::NotYourTurn if ply == sent.ply && !over => {
            let turn = if ply.is_multiple_of(2) {
                Seat::White
            } else {
                Seat::Black
            };
            assert_ne!(
                turn, sent.seat,
                "not his turn before it was stored: {sent:?}"
            );
        }
        _ => {}
    }
}

/// No command has its effects twice, and no claim is paid for twice.
fn done_once(record: &[Arc<Event>]) {
    let mut commands = BTreeSet::new();
    let mut claims = BTreeSet::new();
    let mut last = None;
    for (index, event) in record.iter().enumerate() {
        let by = event.by.as_ref().map(|by| (by.seat.index(), by.id));
        if by.is_some() && by != last {
            assert!(commands.insert(by), "done twice: {event:?}");
        }
        last = by;
        if let What::Claimed {
            seat,
            rule,
            announced,
            ..
        } = &event.what
        {
            let line = line(&record[..index]);
            let claim = format!("{seat:?} {rule:?} {announced:?} {line:?}");
            assert!(claims.insert(claim), "ruled twice: {event:?}");
        }
    }
}

fn is_by(event: &Event, sent: &Sent) -> bool {
    event
        .by
        .as_ref()
        .is_some_and(|by| by.seat == sent.seat && by.id == sent.id)
}

fn ply(record: &[Arc<Event>]) -> u32 {
    u32::try_from(line(record).len()).unwrap()
}

/// The numbers of the moves that led to the position.
fn line(record: &[Arc<Event>]) -> Vec<u32> {
    let mut line = Vec::new();
    for event in record {
        match event.what {
            What::Moved { .. } => line.push(event.seq.0),
            What::TakenBack { plies, .. } => line.truncate(line.len() - plies as usize),
            _ => {}
        }
    }
    line
}

pub(crate) fn record(store: &MemoryStore, game: GameId) -> Vec<Arc<Event>> {
    let games = store.load(&[game.shard()]);
    games
        .into_iter()
        .find(|stored| stored.game == game)
        .map(|stored| stored.events)
        .unwrap_or_default()
}
