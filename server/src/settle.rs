//! A finished game goes to the archive, once. Points and ratings are not moved here: a rated game is
//! marked as never to be settled, because ratings that began later would not know it in its place.

use crate::shards::{FileError, FinishedGame, Registrar};
use crate::stores::archive::Archive;

impl Registrar for Archive {
    async fn file(&self, game: &FinishedGame) -> Result<(), FileError> {
        let filed = Archive::file(self, game).await;
        filed.map_err(|error| FileError(error.into()))
    }
}
