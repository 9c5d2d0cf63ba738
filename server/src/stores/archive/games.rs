//! The rows of finished games and of who played them.

use std::borrow::Cow;
use std::sync::Arc;

use rookery_core::game::{Event, Outcome, What};
use rookery_core::id::{BySeat, GameId, PlayerId, Seat};
use rookery_core::time::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::accounts::{from_stored, id_bytes, player, to_stored};
use super::{Archive, ArchiveError, Result, Writing};
use crate::shards::FinishedGame;

/// The form of the events we write: the JSON of `rookery_core::game::Event`.
const FORMAT: i64 = 1;

/// Under which name the games of a deleted account stay. Nobody can sign up under it.
pub const DELETED_NAME: &str = "deleted";

/// A finished game without its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    /// The game.
    pub game: GameId,
    /// Who played.
    pub players: BySeat<PlayerRow>,
    /// The clock, as `180+2`.
    pub control: String,
    /// By which Laws, as the profile is written.
    pub profile: String,
    /// Whether points and ratings were at stake.
    pub rated: bool,
    /// What became of what was at stake.
    pub settlement: Settlement,
    /// How it ended.
    pub outcome: Outcome,
    /// Half-moves.
    pub plies: u32,
    /// When White's clock started.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Timestamp,
}

/// A player of a finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerRow {
    /// Who.
    pub player: PlayerId,
    /// Under which name.
    pub name: String,
    /// Whether it is a program's account.
    pub bot: bool,
    /// Whether it was a guest.
    pub guest: bool,
}

/// What became of what was at stake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settlement {
    /// Nothing was at stake.
    None,
    /// It was a rated game, filed before ratings were kept: it is never settled.
    Never,
}

/// The place of a game in a list that goes back in time: games before it are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamesBefore {
    /// When it ended.
    pub ended_at: Timestamp,
    /// Which.
    pub game: GameId,
}

macro_rules! select_games {
    ($rest:literal) => {
        concat!(
            "SELECT g.game, g.control, g.profile, g.rated, g.settlement, g.score, g.ending, g.plies,
                    g.started_at, g.ended_at,
                    w.player AS w_player, w.name AS w_name, w.bot AS w_bot, w.guest AS w_guest,
                    b.player AS b_player, b.name AS b_name, b.bot AS b_bot, b.guest AS b_guest
             FROM games g
             JOIN game_players w ON w.game = g.game AND w.seat = 0
             JOIN game_players b ON b.game = g.game AND b.seat = 1 ",
            $rest
        )
    };
}

impl Archive {
    /// Files a finished game; one that was filed before is left as it is.
    pub async fn file(&self, finished: &FinishedGame) -> Result<()> {
        let mut writing = self.begin().await?;
        if insert_game(&mut writing, finished).await? {
            for seat in Seat::BOTH {
                insert_player(&mut writing, finished, seat).await?;
            }
            writing.commit().await?;
        }
        Ok(())
    }

    /// The whole record of a finished game.
    pub async fn game(&self, game: GameId) -> Result<Option<FinishedGame>> {
        let row = sqlx::query(
            "SELECT g.format, g.events, w.name AS w_name, b.name AS b_name FROM games g
             JOIN game_players w ON w.game = g.game AND w.seat = 0
             JOIN game_players b ON b.game = g.game AND b.seat = 1
             WHERE g.game = $1",
        )
        .bind(game.to_bytes().to_vec())
        .fetch_optional(&self.reading)
        .await?;
        row.as_ref().map(record).transpose()
    }

    /// A page of a player's games, the last one first.
    pub async fn games_of(
        &self,
        player: PlayerId,
        before: Option<GamesBefore>,
        most: u32,
    ) -> Result<Vec<GameRow>> {
        let (ended_at, game) = before.map_or((i64::MAX, vec![u8::MAX; 16]), |before| {
            (to_stored(before.ended_at), before.game.to_bytes().to_vec())
        });
        let rows = sqlx::query(select_games!(
            "JOIN game_players p ON p.game = g.game
             WHERE p.player = $1 AND (p.ended_at, p.game) < ($2, $3)
             ORDER BY p.ended_at DESC, p.game DESC LIMIT $4"
        ))
        .bind(player.to_bytes().to_vec())
        .bind(ended_at)
        .bind(game)
        .bind(i64::from(most))
        .fetch_all(&self.reading)
        .await?;
        rows.iter().map(game_row).collect()
    }
}

async fn insert_game(writing: &mut Writing, finished: &FinishedGame) -> Result<bool> {
    let terms = &finished.birth.terms;
    let settlement = if terms.rated { "never" } else { "none" };
    let ended_at = finished
        .events
        .last()
        .map_or(finished.birth.starts_at, |last| last.at);
    let made = sqlx::query(
        "INSERT INTO games (game, format, events, score, ending, plies, control, profile, rated,
                            settlement, started_at, ended_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         ON CONFLICT (game) DO NOTHING",
    )
    .bind(finished.birth.game.to_bytes().to_vec())
    .bind(FORMAT)
    .bind(nameless(&finished.events))
    .bind(word(&finished.outcome.score))
    .bind(word(&finished.outcome.ending))
    .bind(i64::from(plies(&finished.events)))
    .bind(terms.control.to_string())
    .bind(word(&terms.profile))
    .bind(i64::from(terms.rated))
    .bind(settlement)
    .bind(to_stored(finished.birth.starts_at))
    .bind(to_stored(ended_at))
    .execute(&mut **writing)
    .await?;
    Ok(made.rows_affected() == 1)
}

/// The name of a player whose account was deleted while he played does not come back with the game.
async fn insert_player(writing: &mut Writing, finished: &FinishedGame, seat: Seat) -> Result<()> {
    let who = &finished.birth.players[seat];
    sqlx::query(
        "INSERT INTO game_players (game, seat, player, name, bot, guest, ended_at)
         SELECT $1, $2, $3,
                CASE WHEN EXISTS (SELECT 1 FROM accounts
                                  WHERE player = $3 AND closed_at IS NOT NULL)
                     THEN $4 ELSE $5 END,
                $6, $7, ended_at
         FROM games WHERE game = $1",
    )
    .bind(finished.birth.game.to_bytes().to_vec())
    .bind(seat.index() as i64)
    .bind(who.id.to_bytes().to_vec())
    .bind(DELETED_NAME)
    .bind(who.name.as_str())
    .bind(i64::from(who.bot))
    .bind(i64::from(who.guest))
    .execute(&mut **writing)
    .await?;
    Ok(())
}

/// The events as JSON, without the players' names: those stand in one place, where they can be changed.
fn nameless(events: &[Arc<Event>]) -> String {
    let events: Vec<Cow<'_, Event>> = events
        .iter()
        .map(|event| match &event.what {
            What::Born(birth) => {
                let mut birth = birth.clone();
                birth.players.white.name.clear();
                birth.players.black.name.clear();
                Cow::Owned(Event {
                    what: What::Born(birth),
                    ..Event::clone(event)
                })
            }
            _ => Cow::Borrowed(event.as_ref()),
        })
        .collect();
    serde_json::to_string(&events).expect("events have no fallible parts")
}

fn plies(events: &[Arc<Event>]) -> u32 {
    events.iter().fold(0, |plies, event| match event.what {
        What::Moved { .. } => plies + 1,
        What::TakenBack { plies: back, .. } => plies.saturating_sub(back),
        _ => plies,
    })
}

fn record(row: &AnyRow) -> Result<FinishedGame> {
    let unreadable = |what: String| ArchiveError::Unreadable(what);
    let format: i64 = row.try_get("format")?;
    if format != FORMAT {
        return Err(unreadable(format!("a game of format {format}")));
    }
    let text: String = row.try_get("events")?;
    let mut events: Vec<Event> =
        serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
    let names = BySeat {
        white: row.try_get::<String, _>("w_name")?,
        black: row.try_get::<String, _>("b_name")?,
    };
    let birth = match events.first_mut() {
        Some(Event {
            what: What::Born(birth),
            ..
        }) => {
            for seat in Seat::BOTH {
                birth.players[seat].name.clone_from(&names[seat]);
            }
            birth.as_ref().clone()
        }
        _ => return Err(unreadable("a game without a birth".to_owned())),
    };
    let outcome = match events.last().map(|event| &event.what) {
        Some(What::Ended { outcome, .. }) => *outcome,
        _ => return Err(unreadable("a game without an end".to_owned())),
    };
    Ok(FinishedGame {
        birth,
        events: events.into_iter().map(Arc::new).collect(),
        outcome,
    })
}

fn game_row(row: &AnyRow) -> Result<GameRow> {
    let seated = |player_: &'static str, name: &str, bot: &str, guest: &str| {
        Ok::<PlayerRow, ArchiveError>(PlayerRow {
            player: player(row, player_)?,
            name: row.try_get(name)?,
            bot: row.try_get::<i64, _>(bot)? == 1,
            guest: row.try_get::<i64, _>(guest)? == 1,
        })
    };
    let settlement: String = row.try_get("settlement")?;
    let plies: i64 = row.try_get("plies")?;
    Ok(GameRow {
        game: GameId::from_bytes(id_bytes(row, "game")?),
        players: BySeat {
            white: seated("w_player", "w_name", "w_bot", "w_guest")?,
            black: seated("b_player", "b_name", "b_bot", "b_guest")?,
        },
        control: row.try_get("control")?,
        profile: row.try_get("profile")?,
        rated: row.try_get::<i64, _>("rated")? == 1,
        settlement: if settlement == "never" {
            Settlement::Never
        } else {
            Settlement::None
        },
        outcome: Outcome {
            score: read_word(row.try_get("score")?)?,
            ending: read_word(row.try_get("ending")?)?,
        },
        plies: u32::try_from(plies).unwrap_or_default(),
        started_at: from_stored(row.try_get("started_at")?),
        ended_at: from_stored(row.try_get("ended_at")?),
    })
}

/// A small enum as its word.
pub(super) fn word<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => unreachable!("enums without fields are written as words"),
    }
}

fn read_word<T: DeserializeOwned>(word: String) -> Result<T> {
    serde_json::from_value(serde_json::Value::String(word))
        .map_err(|error| ArchiveError::Unreadable(error.to_string()))
}
