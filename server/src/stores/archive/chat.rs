//! The rows of what was said beside games.

use rookery_core::id::{GameId, PlayerId};
use rookery_core::time::Timestamp;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::accounts::{from_stored, id_bytes, player, to_stored};
use super::{Archive, Result};

/// A line of chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatLine {
    /// Its name, drawn at random: lines have no other that is theirs alone.
    pub line: i64,
    /// Beside which game.
    pub game: GameId,
    /// In which room.
    pub room: String,
    /// Who said it.
    pub player: PlayerId,
    /// Under which name.
    pub name: String,
    /// What.
    pub said: String,
    /// When.
    pub said_at: Timestamp,
}

impl Archive {
    /// Keeps lines; those that are kept are left as they are.
    pub async fn file_chat(&self, lines: &[ChatLine]) -> Result<()> {
        let mut writing = self.begin().await?;
        for line in lines {
            sqlx::query(
                "INSERT INTO chat_lines (line, game, room, player, name, said, said_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7)
                 ON CONFLICT (line) DO NOTHING",
            )
            .bind(line.line)
            .bind(line.game.to_bytes().to_vec())
            .bind(line.room.as_str())
            .bind(line.player.to_bytes().to_vec())
            .bind(line.name.as_str())
            .bind(line.said.as_str())
            .bind(to_stored(line.said_at))
            .execute(&mut *writing)
            .await?;
        }
        writing.commit().await?;
        Ok(())
    }

    /// What a player said, oldest first, after the line `after`, at most `most`.
    pub async fn chat_of(
        &self,
        player: PlayerId,
        after: Option<&ChatLine>,
        most: u32,
    ) -> Result<Vec<ChatLine>> {
        let (said_at, line) =
            after.map_or((-1, -1), |after| (to_stored(after.said_at), after.line));
        let rows = sqlx::query(
            "SELECT line, game, room, player, name, said, said_at FROM chat_lines
             WHERE player = $1 AND (said_at, line) > ($2, $3)
             ORDER BY said_at, line LIMIT $4",
        )
        .bind(player.to_bytes().to_vec())
        .bind(said_at)
        .bind(line)
        .bind(i64::from(most))
        .fetch_all(&self.reading)
        .await?;
        rows.iter().map(chat_line).collect()
    }
}

fn chat_line(row: &AnyRow) -> Result<ChatLine> {
    Ok(ChatLine {
        line: row.try_get("line")?,
        game: GameId::from_bytes(id_bytes(row, "game")?),
        room: row.try_get("room")?,
        player: player(row, "player")?,
        name: row.try_get("name")?,
        said: row.try_get("said")?,
        said_at: from_stored(row.try_get("said_at")?),
    })
}
