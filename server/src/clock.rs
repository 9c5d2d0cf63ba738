//! The one reader of time. This node's own clock: it starts at the wall time of the start, counts on
//! through a suspend, and never goes back, whatever happens to the wall clock. Knows no game.

#![expect(
    clippy::disallowed_methods,
    reason = "the one file that may read the time"
)]

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use rookery_core::time::{Millis, Timestamp};
use rustix::time::{ClockId, clock_gettime};
use tokio::sync::watch;

/// Counts while the machine sleeps, so that a game's clock does too.
#[cfg(any(target_os = "linux", target_os = "android"))]
const STEADY: ClockId = ClockId::Boottime;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const STEADY: ClockId = ClockId::Monotonic;

/// A clock handed to whoever needs the time; clones read the same one.
#[derive(Clone)]
pub struct Clock(Arc<Source>);

enum Source {
    /// The steady clock of the machine, plus what it takes to show wall time.
    System { offset: AtomicU64 },
    /// Moved by hand.
    Manual(watch::Sender<Timestamp>),
}

impl Clock {
    /// The clock of this machine, set to the wall time of this instant.
    pub fn system() -> Clock {
        let wall = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        let offset = millis(wall).saturating_sub(steady());
        Clock(Arc::new(Source::System {
            offset: AtomicU64::new(offset),
        }))
    }

    /// A clock that stands at `at` until its [`Hands`] move it.
    pub fn manual(at: Timestamp) -> (Clock, Hands) {
        let clock = Clock(Arc::new(Source::Manual(watch::Sender::new(at))));
        (clock.clone(), Hands(clock))
    }

    /// The time.
    pub fn now(&self) -> Timestamp {
        match &*self.0 {
            Source::System { offset } => Timestamp(steady() + offset.load(Ordering::Relaxed)),
            Source::Manual(at) => *at.borrow(),
        }
    }

    /// Moves the clock on to `floor` if it shows less: what was stored before a restart never lies in
    /// the future, even when the wall clock was set back in between.
    pub fn raise(&self, floor: Timestamp) {
        let missing = floor.since(self.now());
        match &*self.0 {
            Source::System { offset } => {
                offset.fetch_add(missing.0, Ordering::Relaxed);
            }
            Source::Manual(at) => at.send_modify(|at| *at = *at + missing),
        }
    }

    /// Waits until the clock shows `at`. A suspended machine wakes late by as long as it slept: who must
    /// not, waits in slices.
    pub async fn sleep_until(&self, at: Timestamp) {
        match &*self.0 {
            Source::System { .. } => {
                tokio::time::sleep(Duration::from_millis(at.since(self.now()).0)).await
            }
            Source::Manual(now) => {
                now.subscribe()
                    .wait_for(|now| *now >= at)
                    .await
                    .expect("this clock holds the sender");
            }
        }
    }

    /// Waits for that long.
    pub async fn sleep(&self, span: Millis) {
        self.sleep_until(self.now() + span).await;
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock({})", self.now().0)
    }
}

/// Moves a manual clock, forwards only.
#[derive(Clone, Debug)]
pub struct Hands(Clock);

impl Hands {
    /// Moves it on by `span`, waking whoever waited for an instant passed.
    pub fn advance(&self, span: Millis) {
        self.0.raise(self.0.now() + span);
    }
}

/// Measures how long something took, finer than a [`Timestamp`]; for metrics alone.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts one.
    pub fn start() -> Stopwatch {
        Stopwatch(Instant::now())
    }

    /// How long ago it was started.
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

fn steady() -> u64 {
    let time = clock_gettime(STEADY);
    let secs = u64::try_from(time.tv_sec).unwrap_or_default();
    let nanos = u64::try_from(time.tv_nsec).unwrap_or_default();
    secs * 1000 + nanos / 1_000_000
}

fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_starts_at_wall_time_and_never_goes_back() {
        let clock = Clock::system();
        let wall = millis(
            SystemTime::now()
                .duration_since(SystemTime::UNIX_EPOCH)
                .unwrap(),
        );
        assert!(
            clock.now().0.abs_diff(wall) < 1000,
            "{clock:?} is not {wall}"
        );
        let mut last = clock.now();
        for _ in 0..10_000 {
            let now = clock.now();
            assert!(now >= last);
            last = now;
        }
    }

    #[test]
    fn it_is_raised_forwards_only() {
        let clock = Clock::system();
        let later = clock.now() + Millis::from_mins(10);
        clock.raise(later);
        assert!(clock.now() >= later);
        clock.raise(Timestamp(0));
        assert!(clock.now() >= later);
    }

    #[tokio::test]
    async fn a_manual_clock_wakes_a_sleeper_when_its_hands_pass() {
        let (clock, hands) = Clock::manual(Timestamp(1000));
        let sleeper = tokio::spawn({
            let clock = clock.clone();
            async move {
                clock.sleep(Millis(500)).await;
                clock.now()
            }
        });
        tokio::task::yield_now().await;
        hands.advance(Millis(499));
        tokio::task::yield_now().await;
        assert!(!sleeper.is_finished());
        hands.advance(Millis(1));
        assert_eq!(sleeper.await.unwrap(), Timestamp(1500));
    }
}
