//! How often somebody may try something. A bounded table; the time is an argument.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};

use parking_lot::Mutex;
use rookery_core::time::{Millis, Timestamp};

/// Entries of one table: under attack from more addresses than this, old ones are let go early.
const MOST_ENTRIES: usize = 65_536;

/// Lets each key through `burst` times at once and then once each `refill`. For a key only the instant
/// is kept at which all of its tries will have been paid for (the generic cell rate algorithm).
#[derive(Debug)]
pub struct Throttle<K> {
    refill: Millis,
    burst: u32,
    paid_at: Mutex<HashMap<K, Timestamp>>,
}

impl<K: Eq + Hash> Throttle<K> {
    /// One that has seen nobody.
    pub fn new(burst: u32, refill: Millis) -> Throttle<K> {
        Throttle {
            refill,
            burst: burst.max(1),
            paid_at: Mutex::default(),
        }
    }

    /// Counts a try, or says how long to wait before the next one.
    pub fn take(&self, key: K, now: Timestamp) -> Result<(), Millis> {
        let credit = Millis(self.refill.0 * u64::from(self.burst));
        let mut table = self.paid_at.lock();
        if table.len() >= MOST_ENTRIES && !table.contains_key(&key) {
            make_room(&mut table, now);
        }
        let paid_at = table.entry(key).or_insert(now);
        let after = (*paid_at).max(now) + self.refill;
        let wait = after.since(now + credit);
        if !wait.is_zero() {
            return Err(wait);
        }
        *paid_at = after;
        Ok(())
    }

    /// Forgets what a key has tried: it was in the right.
    pub fn forgive(&self, key: &K) {
        self.paid_at.lock().remove(key);
    }
}

/// Lets go of what is paid for, and of everything when nothing is.
fn make_room<K: Eq + Hash>(table: &mut HashMap<K, Timestamp>, now: Timestamp) {
    table.retain(|_, paid_at| *paid_at > now);
    if table.len() >= MOST_ENTRIES {
        table.clear();
    }
}

/// Whom an address counts for: of IPv6 the /64, which one customer usually has whole.
pub fn neighbourhood(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_then_one_each_refill() {
        let throttle = Throttle::new(3, Millis(100));
        let at = |ms: u64| Timestamp(10_000 + ms);
        for _ in 0..3 {
            assert_eq!(throttle.take("a", at(0)), Ok(()));
        }
        assert_eq!(throttle.take("a", at(0)), Err(Millis(100)));
        assert_eq!(throttle.take("b", at(0)), Ok(()));
        assert_eq!(throttle.take("a", at(60)), Err(Millis(40)));
        assert_eq!(throttle.take("a", at(100)), Ok(()));
        assert_eq!(throttle.take("a", at(100)), Err(Millis(100)));
        throttle.forgive(&"a");
        assert_eq!(throttle.take("a", at(100)), Ok(()));
    }

    #[test]
    fn the_table_is_bounded() {
        let throttle = Throttle::new(1, Millis::from_mins(60));
        for key in 0..=MOST_ENTRIES {
            assert_eq!(throttle.take(key, Timestamp(1000)), Ok(()));
        }
        assert!(throttle.paid_at.lock().len() <= MOST_ENTRIES);
    }

    #[test]
    fn a_customer_is_one_neighbour() {
        let of = |text: &str| neighbourhood(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2:3::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
        assert_ne!(of("10.0.0.1"), of("10.0.0.2"));
    }
}
