//! Clocks shown between events. Made here from the last event: nobody is asked for them, and nothing
//! shows while clocks stand. A lazy heap: an entry that is no longer meant is dropped when it comes up.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use parking_lot::Mutex;
use rookery_core::id::GameId;
use rookery_core::time::{Millis, Timestamp};
use rookery_protocol::limits;
use tokio::sync::Notify;

use super::Rooms;
use super::room::Room;
use crate::gateway::outbox::Frame;

const TICK: Millis = Millis(limits::TICK_MS);
const FAST_TICK: Millis = Millis(limits::FAST_TICK_MS);
const LAST_SECONDS: Millis = Millis(limits::LAST_SECONDS_MS);
pub(super) const SPECTATOR_TICK: Millis = Millis(limits::SPECTATOR_TICK_MS);

/// When the ticks of which games are due.
#[derive(Debug, Default)]
pub(super) struct Ticker {
    due: Mutex<BinaryHeap<Reverse<(Timestamp, GameId)>>>,
    sooner: Notify,
}

impl Rooms {
    /// Shows clocks for as long as it is polled.
    pub async fn tick(&self) {
        loop {
            let first = self
                .inner
                .ticker
                .due
                .lock()
                .peek()
                .map(|Reverse((at, _))| *at);
            let sooner = self.inner.ticker.sooner.notified();
            match first {
                Some(at) => tokio::select! {
                    () = self.inner.clock.sleep_until(at) => self.tick_due(),
                    () = sooner => {}
                },
                None => sooner.await,
            }
        }
    }

    /// Makes sure that the next tick of a room comes, and no later than it should.
    pub(super) fn arm(&self, room: &mut Room, now: Timestamp) {
        let Some(due) = room.next_tick(now) else {
            room.armed = None;
            return;
        };
        // One that comes a little late is not worth another entry.
        if room.armed.is_some_and(|armed| armed <= due + FAST_TICK) {
            return;
        }
        room.armed = Some(due);
        let mut heap = self.inner.ticker.due.lock();
        let is_first = heap.peek().is_none_or(|Reverse((first, _))| due < *first);
        heap.push(Reverse((due, room.game())));
        if is_first {
            self.inner.ticker.sooner.notify_one();
        }
    }

    fn tick_due(&self) {
        let now = self.inner.clock.now();
        while let Some((due, game)) = self.next_due(now) {
            let Some(room) = self.room(game) else {
                continue;
            };
            let mut room = room.lock();
            if room.armed == Some(due) {
                room.armed = None;
                room.tick(now);
                self.arm(&mut room, now);
            }
        }
    }

    fn next_due(&self, now: Timestamp) -> Option<(Timestamp, GameId)> {
        let mut heap = self.inner.ticker.due.lock();
        let Reverse((due, _)) = heap.peek()?;
        if *due > now {
            return None;
        }
        heap.pop().map(|Reverse(entry)| entry)
    }
}

impl Room {
    /// When the clocks are to be shown next; none while they stand or nobody looks.
    fn next_tick(&self, now: Timestamp) -> Option<Timestamp> {
        let running = self.known.as_ref()?.running(now)?;
        let since = running.since;
        let players = (!self.seated.is_empty()).then(|| {
            if now < since {
                since + TICK
            } else if running.left.is_zero() || running.left > LAST_SECONDS + TICK {
                now + TICK
            } else if running.left > LAST_SECONDS {
                now + (running.left - LAST_SECONDS)
            } else {
                now + FAST_TICK
            }
        });
        let spectators =
            (!self.spectators.is_empty()).then(|| self.spectators_due.max(now).max(since));
        players.into_iter().chain(spectators).min()
    }

    fn tick(&mut self, now: Timestamp) {
        let Some(known) = &self.known else {
            return;
        };
        let frame = Frame::from(known.tick(now).to_json());
        for player in &self.seated {
            player.guest.outbox.tick(self.game(), frame.clone());
        }
        if now < self.spectators_due {
            return;
        }
        self.spectators_due = now + SPECTATOR_TICK;
        for spectator in &self.spectators {
            spectator.guest.outbox.tick(self.game(), frame.clone());
        }
    }
}
