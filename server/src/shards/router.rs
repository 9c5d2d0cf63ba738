//! Takes a question to the driver that owns the game, and its answer back. Keeps it until it is
//! answered, within bounds. Knows no rule, no socket.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rookery_core::id::ShardNo;
use rookery_core::time::{Millis, Timestamp};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};

use super::driver::Message;
use crate::bus::{Ask, Reply, Request};
use crate::clock::{Clock, Stopwatch};

/// How soon a question that got no answer, or `retry`, is sent again (design, commands on the Bus).
const RESEND_AFTER: Millis = Millis(250);

/// After how long the asker is told to ask again himself (design, commands on the Bus).
const GIVE_UP_AFTER: Millis = Millis::from_secs(3);

/// A question on its way to a driver.
#[derive(Debug)]
pub(super) struct Envelope {
    /// The question.
    pub(super) request: Request,
    /// When this node received it.
    pub(super) received: Timestamp,
    /// Started when it was received.
    pub(super) stopwatch: Stopwatch,
    /// Where the answer goes.
    pub(super) reply: oneshot::Sender<Reply>,
}

/// Finds the owner of a game and asks it. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Router {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    clock: Clock,
    drivers: Vec<mpsc::Sender<Message>>,
    draining: AtomicBool,
}

impl Router {
    pub(super) fn new(clock: Clock, drivers: Vec<mpsc::Sender<Message>>) -> Router {
        Router {
            inner: Arc::new(Inner {
                clock,
                drivers,
                draining: AtomicBool::new(false),
            }),
        }
    }

    /// Asks the owner of the game. [`Reply::Busy`] at once when its queue is full, or for a birth while
    /// this node drains; [`Reply::Retry`] when there is no certain answer in three seconds.
    pub async fn ask(&self, request: Request) -> Reply {
        if self.is_draining() && matches!(request.ask, Ask::Birth(_)) {
            return Reply::Busy;
        }
        let clock = &self.inner.clock;
        let received = clock.now() - request.held;
        let give_up = clock.now() + GIVE_UP_AFTER;
        let stopwatch = Stopwatch::start();
        loop {
            let (reply, answer) = oneshot::channel();
            let envelope = Envelope {
                request: request.clone(),
                received,
                stopwatch,
                reply,
            };
            // A driver that has ended drops the envelope: no answer, so it is asked again.
            let sent = self
                .queue_of(request.game.shard())
                .try_send(Message::Ask(envelope));
            if let Err(TrySendError::Full(_)) = sent {
                return Reply::Busy;
            }
            let answer = tokio::select! {
                answer = answer => answer.unwrap_or(Reply::Retry),
                () = clock.sleep_until(give_up) => return Reply::Retry,
            };
            let again = clock.now() + RESEND_AFTER;
            if !matches!(answer, Reply::Retry) || again >= give_up {
                return answer;
            }
            clock.sleep_until(again).await;
        }
    }

    /// From here on no game is born on this node; the others are served as before.
    pub fn drain(&self) {
        self.inner.draining.store(true, Ordering::Relaxed);
    }

    /// Whether [`Router::drain`] was called.
    pub fn is_draining(&self) -> bool {
        self.inner.draining.load(Ordering::Relaxed)
    }

    fn queue_of(&self, shard: ShardNo) -> &mpsc::Sender<Message> {
        let drivers = &self.inner.drivers;
        &drivers[super::driver_of(shard, drivers.len())]
    }
}
