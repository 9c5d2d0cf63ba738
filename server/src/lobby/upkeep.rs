//! What the lobby does by itself: waves, lapsed challenges, changes sent in one frame, recovered games
//! looked up.

use rookery_core::game::What;
use rookery_core::id::{GameId, Seq};
use rookery_core::lobby::{ColourWish, Pairing, Wish};
use rookery_core::time::Millis;

use super::Lobby;
use crate::bus::{Ask, Reply, Request};

/// Recovered games looked up in one round: a round must not hold up the waves.
const LOOK_UPS: usize = 64;

impl Lobby {
    /// Runs for as long as the server does.
    pub async fn run(self) {
        loop {
            self.inner.clock.sleep(self.inner.config.wave_ms).await;
            self.turn().await;
        }
    }

    /// One round of upkeep.
    async fn turn(&self) {
        self.lapse();
        self.pair_pools();
        self.tell_changes();
        self.look_up().await;
    }

    pub(super) fn pair_pools(&self) {
        if self.inner.sessions.is_draining() {
            return;
        }
        let pairs = self.inner.state.lock().pools.wave();
        for (pool, first, second) in pairs {
            let wish = Wish {
                control: pool.control,
                profile: pool.profile,
                rated: pool.rated,
                colour: ColourWish::Random,
                start_fen: None,
            };
            let pairing = Pairing::of(self.mint(), first, second, wish, self.toss());
            self.begin_from_pool(pairing);
        }
    }

    async fn look_up(&self) {
        for game in self.inner.playing.unknown().into_iter().take(LOOK_UPS) {
            self.look_up_one(game).await;
        }
    }

    async fn look_up_one(&self, game: GameId) {
        let request = Request {
            game,
            held: Millis::ZERO,
            ask: Ask::Events { from: Seq(0) },
        };
        match self.inner.games.ask(request).await {
            Reply::Events { events, .. } => {
                if let Some(What::Born(birth)) = events.first().map(|event| &event.what) {
                    self.inner.playing.learn(birth.as_ref().clone());
                }
            }
            Reply::UnknownGame => self.inner.playing.forget(game),
            _ => {}
        }
    }
}
