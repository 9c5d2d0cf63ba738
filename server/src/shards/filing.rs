//! What becomes of a finished game: filed with the registrar, then forgotten by the journal. Knows not
//! what is settled, nor where.

use std::sync::Arc;

use rookery_core::game::{Birth, Event, Outcome};

/// A game that has ended, whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// What it was born with.
    pub birth: Birth,
    /// Its events from number 0, without gaps; the last one ends it.
    pub events: Vec<Arc<Event>>,
    /// How it ended.
    pub outcome: Outcome,
}

/// Why a finished game was not filed. It is offered again later.
#[derive(Debug, thiserror::Error)]
#[error("not filed: {0}")]
pub struct FileError(#[source] pub Box<dyn std::error::Error + Send + Sync>);

/// Archives and settles finished games.
pub trait Registrar: Send + Sync + 'static {
    /// Archives `game` and moves what was at stake, in one transaction keyed by the game's id: a game
    /// filed before is left as it is and answered `Ok`. After `Ok` the journal forgets the game.
    fn file(&self, game: &FinishedGame) -> impl Future<Output = Result<(), FileError>> + Send;
}
