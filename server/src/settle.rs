//! What the rest of the server asks of the archive: a finished game goes in once, and comes out. Points and ratings are not moved here: a rated game is
//! marked as never to be settled, because ratings that began later would not know it in its place.

use rookery_core::id::GameId;

use crate::gateway::{Pending, Records, RecordsAway};
use crate::shards::{FileError, FinishedGame, Registrar};
use crate::stores::archive::Archive;

impl Registrar for Archive {
    async fn file(&self, game: &FinishedGame) -> Result<(), FileError> {
        let filed = Archive::file(self, game).await;
        filed.map_err(|error| FileError(error.into()))
    }
}

impl Records for Archive {
    fn finished(&self, game: GameId) -> Pending<Result<Option<FinishedGame>, RecordsAway>> {
        let archive = self.clone();
        Box::pin(async move {
            archive.game(game).await.map_err(|error| {
                tracing::warn!(%error, %game, "a finished game could not be read");
                RecordsAway
            })
        })
    }
}
