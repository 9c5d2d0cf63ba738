//! The one heartbeat that the drivers of a node store. Reads no clock.

use std::collections::BTreeMap;

use parking_lot::Mutex;
use rookery_core::time::Timestamp;

/// The journal keeps one time for all games: up to it a recovery charges running clocks. So it must not
/// pass the time at which a driver went down before that driver's games are recovered and stored: a kill in
/// between would charge them for the outage. What it costs is that the games of the other drivers are
/// charged less, should the kill come then.
#[derive(Debug, Default)]
pub(super) struct Pulse {
    /// Until when each driver that is down was alive.
    down: Mutex<BTreeMap<usize, Timestamp>>,
}

impl Pulse {
    /// A driver is down; it was alive until `alive`.
    pub(super) fn stops(&self, driver: usize, alive: Timestamp) {
        self.down.lock().entry(driver).or_insert(alive);
    }

    /// What a driver recovered is stored.
    pub(super) fn goes_on(&self, driver: usize) {
        self.down.lock().remove(&driver);
    }

    /// What may be stored as the heartbeat at `now`.
    pub(super) fn at(&self, now: Timestamp) -> Timestamp {
        self.down
            .lock()
            .values()
            .fold(now, |at, &alive| at.min(alive))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stands_while_a_driver_is_down() {
        let pulse = Pulse::default();
        let (early, late, now) = (Timestamp(10), Timestamp(20), Timestamp(99));
        assert_eq!(pulse.at(now), now);
        pulse.stops(1, late);
        pulse.stops(0, early);
        assert_eq!(pulse.at(now), early);
        pulse.goes_on(0);
        assert_eq!(pulse.at(now), late);
        pulse.goes_on(1);
        assert_eq!(pulse.at(now), now);
    }

    #[test]
    fn a_driver_that_fails_again_was_alive_when_it_first_failed() {
        let pulse = Pulse::default();
        pulse.stops(0, Timestamp(10));
        pulse.stops(0, Timestamp(50));
        assert_eq!(pulse.at(Timestamp(99)), Timestamp(10));
    }
}
