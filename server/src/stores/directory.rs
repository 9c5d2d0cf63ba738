//! Which node owns a shard, and since which epoch. The embedded twin knows one node that owns all.

use std::collections::BTreeMap;

use parking_lot::Mutex;
use rookery_core::id::ShardNo;
use rookery_core::time::Timestamp;
use serde::{Deserialize, Serialize};

/// The number of an ownership of a shard: the highest one may write.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Epoch(pub u64);

impl Epoch {
    /// The epoch of a claim: above every one known, and above those of a store that came back empty,
    /// which is why it follows the time in seconds.
    #[must_use]
    pub fn claimed_after(self, now: Timestamp) -> Epoch {
        Epoch((self.0 + 1).max(now.0 / 1000))
    }
}

/// Who owns what, for a node that owns everything: its data folder is locked.
#[derive(Debug, Default)]
pub struct Directory {
    epochs: Mutex<BTreeMap<ShardNo, Epoch>>,
}

impl Directory {
    /// Claims `shards` under an epoch above `stored` (the highest their journal has seen) and above
    /// every earlier claim of them.
    pub fn claim(&self, shards: &[ShardNo], stored: Epoch, now: Timestamp) -> Epoch {
        let mut epochs = self.epochs.lock();
        let known = shards.iter().filter_map(|shard| epochs.get(shard)).max();
        let epoch = stored
            .max(known.copied().unwrap_or_default())
            .claimed_after(now);
        epochs.extend(shards.iter().map(|&shard| (shard, epoch)));
        epoch
    }

    /// Under which epoch `shard` was claimed last.
    pub fn epoch(&self, shard: ShardNo) -> Option<Epoch> {
        self.epochs.lock().get(&shard).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_claim_is_above_the_ones_before() {
        let directory = Directory::default();
        let shards = [ShardNo::new(1), ShardNo::new(2)];
        let now = Timestamp(1_790_000_000_123);
        assert_eq!(
            directory.claim(&shards, Epoch(0), now),
            Epoch(1_790_000_000)
        );
        assert_eq!(
            directory.claim(&shards[..1], Epoch(0), now),
            Epoch(1_790_000_001)
        );
        assert_eq!(
            directory.claim(&shards, Epoch(0), now),
            Epoch(1_790_000_002)
        );
        assert_eq!(directory.epoch(ShardNo::new(3)), None);
    }

    #[test]
    fn a_wall_clock_set_back_does_not_fence_us_out() {
        let stored = Epoch(2_000_000_000);
        let epoch = Directory::default().claim(&[ShardNo::new(1)], stored, Timestamp(0));
        assert_eq!(epoch, Epoch(2_000_000_001));
    }
}
