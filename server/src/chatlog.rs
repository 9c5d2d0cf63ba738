//! Lines of chat on their way to the archive: gathered, then written a second later. Chat is no event of a
//! game: a kill may take the last second of it.

use std::sync::Arc;

use parking_lot::Mutex;
use rookery_core::time::Millis;

use crate::accounts::random_id;
use crate::clock::Clock;
use crate::gateway::{Said, Scribe};
use crate::stores::archive::{Archive, ChatLine};

/// How often what was said is written.
const WRITE_EVERY: Millis = Millis::from_secs(1);

/// Lines that wait while the archive is away: an hour of a busy evening. Later ones are not kept.
const MOST: usize = 16_384;

/// Cheap to clone.
#[derive(Clone)]
pub struct ChatLog {
    archive: Archive,
    clock: Clock,
    waiting: Arc<Mutex<Vec<ChatLine>>>,
}

impl ChatLog {
    /// The log in that archive.
    pub fn new(archive: Archive, clock: Clock) -> ChatLog {
        ChatLog {
            archive,
            clock,
            waiting: Arc::default(),
        }
    }

    /// Writes what is said, for as long as the server runs.
    pub async fn run(self) {
        loop {
            self.clock.sleep(WRITE_EVERY).await;
            self.flush().await;
        }
    }

    /// Writes what waits. What cannot be written waits on.
    pub async fn flush(&self) {
        let mut lines = std::mem::take(&mut *self.waiting.lock());
        if lines.is_empty() {
            return;
        }
        if let Err(error) = self.archive.file_chat(&lines).await {
            tracing::warn!(%error, "chat could not be written");
            let mut waiting = self.waiting.lock();
            lines.append(&mut waiting);
            lines.truncate(MOST);
            *waiting = lines;
        }
    }
}

impl Scribe for ChatLog {
    fn said(&self, said: Said) {
        let Ok(line) = random_id() else { return };
        let mut waiting = self.waiting.lock();
        if waiting.len() < MOST {
            waiting.push(ChatLine {
                line,
                game: said.game,
                room: room(said.room).to_owned(),
                player: said.player,
                name: said.name,
                said: said.text,
                said_at: said.at,
            });
        }
    }
}

const fn room(room: rookery_protocol::Room) -> &'static str {
    match room {
        rookery_protocol::Room::Players => "players",
        rookery_protocol::Room::Spectators => "spectators",
    }
}

#[cfg(test)]
mod tests {
    use rookery_protocol::Room;

    use super::*;
    use crate::stores::archive::fixture::{START, birth, player};

    #[tokio::test]
    async fn what_is_said_is_kept_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::open(&folder.path().join("rookery.db"))
            .await
            .unwrap();
        let (clock, hands) = Clock::manual(START);
        let log = ChatLog::new(archive.clone(), clock);
        let writing = tokio::spawn(log.clone().run());
        for number in 0..3 {
            log.said(Said {
                game: birth(1, player(1), player(2), false).game,
                room: Room::Players,
                player: player(1),
                name: "Ada".to_owned(),
                text: format!("line {number}"),
                at: START + Millis(number),
            });
        }
        let kept = loop {
            hands.advance(Millis(500));
            tokio::task::yield_now().await;
            let kept = archive.chat_of(player(1), None, 10).await.unwrap();
            if !kept.is_empty() {
                break kept;
            }
        };
        let said: Vec<&str> = kept.iter().map(|line| line.said.as_str()).collect();
        assert_eq!(said, ["line 0", "line 1", "line 2"]);
        let rest = archive
            .chat_of(player(1), Some(&kept[0]), 10)
            .await
            .unwrap();
        assert_eq!(rest, kept[1..]);
        writing.abort();
    }

    #[tokio::test]
    async fn what_cannot_be_written_waits_within_bounds() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::open(&folder.path().join("rookery.db"))
            .await
            .unwrap();
        let (clock, _hands) = Clock::manual(START);
        let log = ChatLog::new(archive.clone(), clock);
        archive.close().await;
        for number in 0..=MOST as u64 {
            log.said(Said {
                game: birth(1, player(1), player(2), false).game,
                room: Room::Spectators,
                player: player(1),
                name: "Ada".to_owned(),
                text: "hello".to_owned(),
                at: START + Millis(number),
            });
        }
        log.flush().await;
        assert_eq!(log.waiting.lock().len(), MOST);
    }
}
