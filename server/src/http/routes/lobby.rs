//! The lobby: who seeks, and challenges. Waiting in a pool is for sockets alone: whoever waits must hear
//! at once that he is paired.

use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::{Method, StatusCode};
use rookery_protocol::{
    AcceptChallenge, CancelChallenge, Challenge, ColourWish, Control, DeclineChallenge,
    DeclineReason, Fen, GameId, Lobby, Name, Profile, Rematch, RequestId, Seek, Unseek,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::gateway::{LobbyAsk, Scope};
use crate::http::api::Api;
use crate::http::body::Json;
use crate::http::caller::Caller;
use crate::http::error::{ApiError, Code};
use crate::http::operation::{Access, Operation};
use crate::http::view::LobbyDoneView;

type Done<T> = Result<T, ApiError>;

const NEEDS: Access = Access::Scope(Scope::Challenge);

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::new(Method::GET, "/lobby", "Open seeks and pools.", overview)
            .gives::<Lobby>(StatusCode::OK),
        Operation::new(Method::POST, "/seeks", "Open a seek.", seek)
            .needs(NEEDS)
            .takes::<SeekAsk>()
            .gives::<LobbyDoneView>(StatusCode::CREATED),
        Operation::new(
            Method::DELETE,
            "/seeks/{id}",
            "Take an own seek back.",
            unseek,
        )
        .needs(NEEDS)
        .errors(&[Code::NotFound]),
        Operation::new(
            Method::POST,
            "/seeks/{id}/take",
            "Take up a seek: a game begins.",
            take,
        )
        .needs(NEEDS)
        .gives::<LobbyDoneView>(StatusCode::CREATED)
        .errors(&[Code::NotFound]),
        Operation::new(
            Method::POST,
            "/challenges",
            "Challenge a player, or make a link for whoever has it.",
            challenge,
        )
        .needs(NEEDS)
        .takes::<ChallengeAsk>()
        .gives::<LobbyDoneView>(StatusCode::CREATED)
        .errors(&[Code::UnknownPlayer]),
        Operation::new(
            Method::POST,
            "/challenges/{id}/accept",
            "Accept a challenge: a game begins.",
            accept,
        )
        .needs(NEEDS)
        .gives::<LobbyDoneView>(StatusCode::CREATED)
        .errors(&[Code::NotFound]),
        Operation::new(
            Method::POST,
            "/challenges/{id}/decline",
            "Decline a challenge.",
            decline,
        )
        .needs(NEEDS)
        .takes::<Decline>()
        .errors(&[Code::NotFound]),
        Operation::new(
            Method::DELETE,
            "/challenges/{id}",
            "Take an own challenge back.",
            cancel,
        )
        .needs(NEEDS)
        .errors(&[Code::NotFound]),
        Operation::new(
            Method::POST,
            "/games/{game}/rematch",
            "Offer to play again with colours changed, or accept such an offer.",
            rematch,
        )
        .needs(NEEDS)
        .gives::<LobbyDoneView>(StatusCode::CREATED)
        .errors(&[Code::UnknownGame]),
    ]
}

/// The lobby is asked in the words of the socket, where requests are numbered; here the answer finds its
/// way without.
const UNNUMBERED: RequestId = RequestId::new(1).expect("one is a number for requests");

/// A seek to be opened.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SeekAsk {
    /// The clock.
    control: Control,
    /// Whether points and ratings are at stake.
    rated: bool,
    /// The colour wished for; `random` when absent.
    colour: Option<ColourWish>,
    /// By which Laws; the server's default when absent.
    profile: Option<Profile>,
    /// How far apart the players' points may be; as far as the rules allow when absent.
    window: Option<u32>,
}

/// A challenge to be made.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ChallengeAsk {
    /// Whom; absent = whoever has the link.
    to: Option<Name>,
    /// The clock.
    control: Control,
    /// Whether points and ratings are at stake.
    rated: bool,
    /// The challenger's colour; `random` when absent.
    colour: Option<ColourWish>,
    /// By which Laws; the server's default when absent.
    profile: Option<Profile>,
    /// Another position to start from; casual only.
    start_fen: Option<Fen>,
}

/// Why a challenge is declined.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Decline {
    /// `generic` when absent.
    #[serde(default)]
    reason: Option<DeclineReason>,
}

async fn overview(State(api): State<Api>) -> Answer<Lobby> {
    Answer(api.desk().overview())
}

async fn seek(State(api): State<Api>, who: Caller, Json(asked): Json<SeekAsk>) -> Done<Made> {
    let seek = Seek {
        id: UNNUMBERED,
        control: asked.control,
        rated: asked.rated,
        colour: asked.colour,
        profile: asked.profile,
        window: asked.window,
    };
    made(&api, &who, LobbyAsk::Seek(seek)).await
}

async fn unseek(State(api): State<Api>, who: Caller, Path(id): Path<String>) -> Done<StatusCode> {
    let seek = read_id(&id)?;
    done(
        &api,
        &who,
        LobbyAsk::Unseek(Unseek {
            id: UNNUMBERED,
            seek,
        }),
    )
    .await
}

async fn take(State(api): State<Api>, who: Caller, Path(id): Path<String>) -> Done<Made> {
    let seek = read_id(&id)?;
    made(
        &api,
        &who,
        LobbyAsk::TakeSeek(Unseek {
            id: UNNUMBERED,
            seek,
        }),
    )
    .await
}

async fn challenge(
    State(api): State<Api>,
    who: Caller,
    Json(asked): Json<ChallengeAsk>,
) -> Done<Made> {
    let challenge = Challenge {
        id: UNNUMBERED,
        to: asked.to,
        control: asked.control,
        rated: asked.rated,
        colour: asked.colour,
        profile: asked.profile,
        start_fen: asked.start_fen,
    };
    made(&api, &who, LobbyAsk::Challenge(Box::new(challenge))).await
}

async fn accept(State(api): State<Api>, who: Caller, Path(id): Path<String>) -> Done<Made> {
    let challenge = read_id(&id)?;
    made(
        &api,
        &who,
        LobbyAsk::AcceptChallenge(AcceptChallenge {
            id: UNNUMBERED,
            challenge,
        }),
    )
    .await
}

async fn decline(
    State(api): State<Api>,
    who: Caller,
    Path(id): Path<String>,
    Json(Decline { reason }): Json<Decline>,
) -> Done<StatusCode> {
    let challenge = read_id(&id)?;
    done(
        &api,
        &who,
        LobbyAsk::DeclineChallenge(DeclineChallenge {
            id: UNNUMBERED,
            challenge,
            reason,
        }),
    )
    .await
}

async fn cancel(State(api): State<Api>, who: Caller, Path(id): Path<String>) -> Done<StatusCode> {
    let challenge = read_id(&id)?;
    done(
        &api,
        &who,
        LobbyAsk::CancelChallenge(CancelChallenge {
            id: UNNUMBERED,
            challenge,
        }),
    )
    .await
}

async fn rematch(State(api): State<Api>, who: Caller, Path(id): Path<String>) -> Done<Made> {
    let game = read_id(&id)?;
    made(
        &api,
        &who,
        LobbyAsk::Rematch(Rematch {
            id: UNNUMBERED,
            game,
        }),
    )
    .await
}

type Made = (StatusCode, Answer<LobbyDoneView>);

async fn made(api: &Api, Caller(who): &Caller, ask: LobbyAsk) -> Done<Made> {
    let done = api.desk().serve(who, ask).await?;
    let id = done.made.map(crate::translate::game_to_wire);
    Ok((StatusCode::CREATED, Answer(LobbyDoneView { id })))
}

async fn done(api: &Api, Caller(who): &Caller, ask: LobbyAsk) -> Done<StatusCode> {
    api.desk().serve(who, ask).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn read_id(text: &str) -> Done<GameId> {
    text.parse().map_err(|_| Code::NotFound.into())
}
