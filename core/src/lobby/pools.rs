//! Quick pairing: whoever waits in a pool is paired, in waves, with whoever waits there too. By waiting
//! time alone; points will weigh in here.

use crate::clock::TimeControl;
use crate::game::Player;
use crate::id::PlayerId;
use crate::laws::Profile;

/// Players who wait in one pool: a wave looks at each of them.
const MAX_WAITING: usize = 20_000;

/// A pool: what is played there, and who waits, longest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    /// Its clock.
    pub control: TimeControl,
    /// By which Laws.
    pub profile: Profile,
    /// Whether points and ratings are at stake.
    pub rated: bool,
    waiting: Vec<Player>,
}

impl Pool {
    /// A pool in which nobody waits.
    pub fn new(control: TimeControl, profile: Profile, rated: bool) -> Pool {
        Pool {
            control,
            profile,
            rated,
            waiting: Vec::new(),
        }
    }

    /// How many wait.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    fn holds(&self, player: PlayerId) -> bool {
        self.waiting.iter().any(|waits| waits.id == player)
    }
}

/// Why a player does not wait in a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolsFull {
    /// There is no such pool.
    Unknown,
    /// He waits in as many as he may.
    OfPlayer,
    /// As many wait there as may.
    Altogether,
}

/// Every pool.
#[derive(Debug)]
pub struct Pools {
    per_player: usize,
    pools: Vec<Pool>,
}

impl Pools {
    /// These pools; each player may wait in so many at once.
    pub fn new(pools: Vec<Pool>, per_player: usize) -> Pools {
        Pools { per_player, pools }
    }

    /// Every one, in the order they were given.
    pub fn iter(&self) -> impl Iterator<Item = &Pool> {
        self.pools.iter()
    }

    /// Lets `player` wait; where he waits already he keeps his place.
    pub fn join(
        &mut self,
        control: &TimeControl,
        rated: bool,
        player: Player,
    ) -> Result<(), PoolsFull> {
        let elsewhere = self.pools.iter().filter(|pool| pool.holds(player.id));
        let full = elsewhere.count() >= self.per_player;
        let mut pools = self.pools.iter_mut();
        let pool = pools
            .find(|pool| pool.control == *control && pool.rated == rated)
            .ok_or(PoolsFull::Unknown)?;
        if pool.holds(player.id) {
            return Ok(());
        }
        if full {
            return Err(PoolsFull::OfPlayer);
        }
        if pool.waiting.len() >= MAX_WAITING {
            return Err(PoolsFull::Altogether);
        }
        pool.waiting.push(player);
        Ok(())
    }

    /// Lets `player` wait nowhere. Whether he waited.
    pub fn leave(&mut self, player: PlayerId) -> bool {
        let before = self.pools.iter().map(Pool::waiting).sum::<usize>();
        for pool in &mut self.pools {
            pool.waiting.retain(|waits| waits.id != player);
        }
        before != self.pools.iter().map(Pool::waiting).sum::<usize>()
    }

    /// One wave: the two who wait longest in a pool, then the next two, pool after pool. Whoever is
    /// paired waits nowhere any more.
    pub fn wave(&mut self) -> Vec<(Pool, Player, Player)> {
        let mut pairs = Vec::new();
        for index in 0..self.pools.len() {
            while let [first, second, ..] = self.pools[index].waiting.as_slice() {
                let (first, second) = (first.clone(), second.clone());
                self.leave(first.id);
                self.leave(second.id);
                let terms = &self.pools[index];
                let terms = Pool::new(terms.control.clone(), terms.profile, terms.rated);
                pairs.push((terms, first, second));
            }
        }
        pairs
    }
}
