//! Other players and their games.

use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::{Method, StatusCode};
use rookery_core::time::Timestamp;
use serde::Deserialize;

use crate::http::api::Api;
use crate::http::body::Asked;
use crate::http::config::MAX_PAGE_GAMES;
use crate::http::error::{ApiError, Code};
use crate::http::operation::{Operation, Parameter};
use crate::http::view::{GameSummary, GamesPage, PlayerView};
use crate::stores::archive::{GameRow, GamesBefore};

type Done<T> = Result<T, ApiError>;

const PAGE: [Parameter; 2] = [
    Parameter {
        name: "before",
        meaning: "`next` of the page before; without it the newest games come.",
        schema: |generator| generator.subschema_for::<String>(),
    },
    Parameter {
        name: "limit",
        meaning: "How many games, at most 200.",
        schema: |generator| generator.subschema_for::<u32>(),
    },
];

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::new(Method::GET, "/players/{name}", "A player.", player)
            .gives::<PlayerView>(StatusCode::OK)
            .errors(&[Code::UnknownPlayer]),
        Operation::new(
            Method::GET,
            "/players/{name}/games",
            "A player's finished games, the last one first, in pages.",
            games,
        )
        .asks(&PAGE)
        .gives::<GamesPage>(StatusCode::OK)
        .errors(&[Code::UnknownPlayer, Code::BadQuery]),
    ]
}

async fn player(State(api): State<Api>, Path(name): Path<String>) -> Done<Answer<PlayerView>> {
    let account = api.accounts().named(&name).await?;
    let online = api.online().is_online(account.player);
    Ok(Answer(PlayerView::new(account, online)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    before: Option<String>,
    limit: Option<u32>,
}

async fn games(
    State(api): State<Api>,
    Path(name): Path<String>,
    Asked(page): Asked<Page>,
) -> Done<Answer<GamesPage>> {
    let before = page.before.as_deref().map(read_place).transpose()?;
    let most = page
        .limit
        .unwrap_or(api.config().page_games)
        .clamp(1, MAX_PAGE_GAMES);
    let account = api.accounts().named(&name).await?;
    // One more than asked for tells whether there is a next page.
    let mut rows = api
        .archive()
        .games_of(account.player, before, most + 1)
        .await?;
    let more = rows.len() > most as usize;
    rows.truncate(most as usize);
    let next = rows.last().filter(|_| more).map(write_place);
    let games = rows.into_iter().map(GameSummary::from).collect();
    Ok(Answer(GamesPage { games, next }))
}

fn write_place(last: &GameRow) -> String {
    format!("{}-{}", last.ended_at.0, last.game)
}

fn read_place(text: &str) -> Done<GamesBefore> {
    let read = || {
        let (ended_at, game) = text.split_once('-')?;
        Some(GamesBefore {
            ended_at: Timestamp(ended_at.parse().ok()?),
            game: game.parse().ok()?,
        })
    };
    read().ok_or_else(|| Code::BadQuery.because("`before` is what `next` of another page says"))
}
