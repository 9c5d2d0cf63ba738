//! Bringing a paired game into being, once, whatever becomes of the socket that asked for it. Knows no
//! wire.

use rookery_core::game::{Birth, BirthError};
use rookery_core::lobby::Pairing;
use rookery_core::time::Millis;

use super::Inner;
use super::playing::InRatedGame;
use crate::bus::{Ask, Reply, Request};

/// How long a birth is asked for. A filed game is forgotten by its owner, so that a birth repeated long
/// after could make a second one of it.
const ASK_FOR: Millis = Millis::from_secs(9);

/// Why a paired game is not born.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unborn {
    /// One of the two plays a rated game.
    Playing,
    /// The referee does not begin it.
    Refused(BirthError),
    /// The owner has no room.
    Busy,
    /// Nobody knows.
    Unanswered,
}

impl Inner {
    /// What `pairing` is born with, its clock to start after the usual delay.
    pub(super) fn birth_of(&self, pairing: &Pairing) -> Birth {
        Birth {
            game: pairing.game,
            terms: self.config.terms(&pairing.wish),
            players: pairing.players.clone(),
            starts_at: self.clock.now() + self.config.start_delay_ms,
        }
    }

    /// Asks the owner for the birth, both players counted as playing from here on; not so when it fails.
    pub(super) async fn give_birth(&self, birth: &Birth) -> Result<(), Unborn> {
        self.playing
            .reserve(birth)
            .map_err(|InRatedGame| Unborn::Playing)?;
        let born = self.ask_for(birth).await;
        if born.is_err() {
            self.playing.release(birth.game);
        }
        born
    }

    async fn ask_for(&self, birth: &Birth) -> Result<(), Unborn> {
        let give_up = self.clock.now() + ASK_FOR;
        loop {
            let request = Request {
                game: birth.game,
                held: Millis::ZERO,
                ask: Ask::Birth(Box::new(birth.clone())),
            };
            match self.games.ask(request).await {
                Reply::Born => return Ok(()),
                Reply::Unborn(error) => return Err(Unborn::Refused(error)),
                Reply::Busy => return Err(Unborn::Busy),
                Reply::Retry if self.clock.now() < give_up => {}
                _ => return Err(Unborn::Unanswered),
            }
        }
    }
}
