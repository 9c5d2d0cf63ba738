//! What goes into a turn of an engine, what comes out of it, and what it holds in between.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rookery_core::game::{BirthError, Event, Ruling};
use rookery_core::id::{GameId, Seq};
use rookery_core::shard::Rejection;
use rookery_core::time::Timestamp;

use super::filing::FinishedGame;
use crate::bus::{Reply, Request};

/// A question, when it was received, and where its answer goes.
#[derive(Debug)]
pub struct Question<T> {
    /// What is asked, of which game.
    pub request: Request,
    /// When this node received it.
    pub received: Timestamp,
    /// Where the answer goes.
    pub to: T,
}

/// What may be known once a turn is stored, to be done in this order.
#[derive(Debug)]
pub struct Effects<T> {
    /// Events for those who watch.
    pub tells: Vec<(GameId, Vec<Arc<Event>>)>,
    /// Answers for those who asked.
    pub answers: Vec<(T, Reply)>,
    /// Games that have ended.
    pub finished: Vec<FinishedGame>,
}

/// What was decided and is not stored yet.
#[derive(Debug)]
pub(super) struct Turn<T> {
    pub(super) changed: BTreeSet<GameId>,
    /// For games changed by a question or a deadline, when the last such change took effect.
    pub(super) acted: BTreeMap<GameId, Timestamp>,
    pub(super) answers: Vec<(T, Due)>,
    pub(super) finished: BTreeSet<GameId>,
}

impl<T> Default for Turn<T> {
    fn default() -> Turn<T> {
        Turn {
            changed: BTreeSet::new(),
            acted: BTreeMap::new(),
            answers: Vec::new(),
            finished: BTreeSet::new(),
        }
    }
}

/// An answer to be given once the turn is stored.
#[derive(Debug)]
pub(super) enum Due {
    Reply(Reply),
    /// The events from a number on, read when all of the turn's are stored.
    Events(GameId, Seq),
}

/// What a shard says to a question.
pub(super) enum Answer {
    Judged(Result<Ruling, Rejection>),
    Unborn(BirthError),
}

/// Whether telling an event late costs anybody time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// A question or a deadline: the side to move waits for the news.
    Act,
    /// The keeping of the clocks themselves: the side to move knew all it needed.
    Upkeep,
}
