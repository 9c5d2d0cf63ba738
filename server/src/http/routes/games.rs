//! Games, live and finished, as JSON and as PGN.

use std::sync::Arc;

use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use base64ct::{Base64UrlUnpadded, Encoding};
use rookery_core::game::{Event, What};
use rookery_core::id::{BySeat, GameId, Seq};
use rookery_core::notation::pgn;
use rookery_core::time::Millis;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::bus::{Ask, Reply, Request};
use crate::gateway::Records;
use crate::http::api::Api;
use crate::http::body::Asked;
use crate::http::error::{ApiError, Code};
use crate::http::operation::{Operation, Parameter};
use crate::http::view::{GameState, GameSummary, GamesPage};
use crate::translate::state_after;

type Done<T> = Result<T, ApiError>;

/// The media type of PGN that programs use.
const PGN: &str = "application/x-chess-pgn";

/// What follows a game's id in the address of its PGN.
const PGN_SUFFIX: &str = ".pgn";

/// A finished game changes only in a name, when an account is deleted.
const FINISHED: HeaderValue = HeaderValue::from_static("public, max-age=60");

const LIVE: HeaderValue = HeaderValue::from_static("no-store");

/// Live games of one answer: each is one question to its owner.
const MAX_LIVE: usize = 50;

const LIMIT: [Parameter; 1] = [Parameter {
    name: "limit",
    meaning: "How many games, at most 50.",
    schema: |generator| generator.subschema_for::<u32>(),
}];

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::new(Method::GET, "/games/live", "The newest live games.", live)
            .asks(&LIMIT)
            .gives::<GamesPage>(StatusCode::OK)
            .errors(&[Code::BadQuery]),
        Operation::new(
            Method::GET,
            "/games/{game}",
            "A game, live or finished, as the socket's `game` shows it. As PGN when `accept` asks for it, or with `.pgn` after the id.",
            game,
        )
        .gives::<GameState>(StatusCode::OK)
        .also(&[PGN])
        .errors(&[Code::UnknownGame]),
    ]
}

/// A game's events, and whether they are all of them.
struct Record {
    events: Vec<Arc<Event>>,
    online: BySeat<bool>,
    finished: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Limit {
    limit: Option<usize>,
}

async fn live(State(api): State<Api>, Asked(asked): Asked<Limit>) -> Done<Answer<GamesPage>> {
    let most = asked.limit.unwrap_or(MAX_LIVE).min(MAX_LIVE);
    let mut games = Vec::new();
    for game in api.live().newest(most) {
        let record = ask_owner(&api, game).await?;
        let state = record.and_then(|record| state_after(&record.events, record.online));
        games.extend(state.map(GameSummary::from));
    }
    Ok(Answer(GamesPage { games, next: None }))
}

async fn game(
    State(api): State<Api>,
    headers: HeaderMap,
    Path(name): Path<String>,
) -> Done<Response> {
    let (id, by_suffix) = match name.strip_suffix(PGN_SUFFIX) {
        Some(id) => (id, true),
        None => (name.as_str(), false),
    };
    let id: GameId = id.parse().map_err(|_| Code::UnknownGame)?;
    let record = find(&api, id).await?.ok_or(Code::UnknownGame)?;
    let (kind, body) = if by_suffix || wants_pgn(&headers) {
        (
            "application/x-chess-pgn; charset=utf-8",
            as_pgn(&api, &record),
        )
    } else {
        ("application/json", as_json(&record))
    };
    let body = body.ok_or_else(|| {
        tracing::error!(game = %id, "a record cannot be told");
        Code::Internal
    })?;
    Ok(answer(&headers, kind, body, record.finished))
}

/// The archive is asked first unless the game is known to be live: it is where most games are. It is
/// asked again when the owner does not know the game: that may have been filed between the questions.
async fn find(api: &Api, game: GameId) -> Done<Option<Record>> {
    if !api.live().contains(game)
        && let Some(record) = ask_archive(api, game).await?
    {
        return Ok(Some(record));
    }
    match ask_owner(api, game).await? {
        Some(record) => Ok(Some(record)),
        None => ask_archive(api, game).await,
    }
}

async fn ask_archive(api: &Api, game: GameId) -> Done<Option<Record>> {
    let filed = api.archive().finished(game).await?;
    Ok(filed.map(|filed| Record {
        events: filed.events,
        online: BySeat::default(),
        finished: true,
    }))
}

async fn ask_owner(api: &Api, game: GameId) -> Done<Option<Record>> {
    let request = Request {
        game,
        held: Millis::ZERO,
        ask: Ask::Events { from: Seq(0) },
    };
    match api.games().ask(request).await {
        Reply::Events { events, online } => {
            let ended = |event: &Arc<Event>| matches!(event.what, What::Ended { .. });
            let finished = events.last().is_some_and(ended);
            Ok(Some(Record {
                events,
                online,
                finished,
            }))
        }
        Reply::UnknownGame => Ok(None),
        _ => Err(Code::Busy.into()),
    }
}

fn wants_pgn(headers: &HeaderMap) -> bool {
    let accept = headers.get(ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains(PGN))
}

fn as_json(record: &Record) -> Option<String> {
    let state = state_after(&record.events, record.online)?;
    serde_json::to_string(&state).ok()
}

fn as_pgn(api: &Api, record: &Record) -> Option<String> {
    let birth = match &record.events.first()?.what {
        What::Born(birth) => birth,
        _ => return None,
    };
    let mut game = pgn::of_record(birth, &borrowed(&record.events)).ok()?;
    if let Some(url) = api.public_url() {
        game.set_tag("Site", url);
    }
    Some(pgn::write(&game))
}

fn borrowed(events: &[Arc<Event>]) -> Vec<&Event> {
    events.iter().map(AsRef::as_ref).collect()
}

fn answer(asked: &HeaderMap, kind: &'static str, body: String, finished: bool) -> Response {
    if !finished {
        return (
            [
                (CONTENT_TYPE, HeaderValue::from_static(kind)),
                (CACHE_CONTROL, LIVE),
            ],
            body,
        )
            .into_response();
    }
    let digest = Sha256::digest(body.as_bytes());
    let tag = format!("\"{}\"", Base64UrlUnpadded::encode_string(&digest[..12]));
    let tag = HeaderValue::try_from(tag).expect("base64 is ASCII");
    let known = asked.get(IF_NONE_MATCH).is_some_and(|known| known == tag);
    let caching = [(ETAG, tag), (CACHE_CONTROL, FINISHED)];
    if known {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    (
        caching,
        [(CONTENT_TYPE, HeaderValue::from_static(kind))],
        body,
    )
        .into_response()
}
