//! One's own sessions and programs' tokens.

use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::{Method, StatusCode};

use crate::gateway::{Scope, SessionId};
use crate::http::api::Api;
use crate::http::body::Json;
use crate::http::caller::Caller;
use crate::http::error::{ApiError, Code};
use crate::http::operation::{Access, Operation};
use crate::http::view::{
    MadeTokenView, NewTokenAsk, SessionView, SessionsView, TokenView, TokensView,
};

type Done<T> = Result<T, ApiError>;

pub(super) fn operations() -> Vec<Operation> {
    let own = Access::Scope(Scope::Account);
    vec![
        Operation::new(
            Method::GET,
            "/sessions",
            "The sessions of the account.",
            sessions,
        )
        .needs(own)
        .gives::<SessionsView>(StatusCode::OK),
        Operation::new(
            Method::DELETE,
            "/sessions/{id}",
            "End a session; its sockets are closed.",
            end_session,
        )
        .needs(own)
        .errors(&[Code::UnknownSession]),
        Operation::new(
            Method::GET,
            "/tokens",
            "The programs' tokens of the account.",
            tokens,
        )
        .needs(own)
        .gives::<TokensView>(StatusCode::OK),
        Operation::new(
            Method::POST,
            "/tokens",
            "Make a token for a program.",
            make_token,
        )
        .needs(own)
        .takes::<NewTokenAsk>()
        .gives::<MadeTokenView>(StatusCode::CREATED)
        .errors(&[Code::BadLabel, Code::NoScope, Code::TooManyTokens]),
        Operation::new(
            Method::DELETE,
            "/tokens/{id}",
            "End a token; its sockets are closed.",
            end_token,
        )
        .needs(own)
        .errors(&[Code::UnknownToken]),
    ]
}

async fn sessions(State(api): State<Api>, Caller(who): Caller) -> Done<Answer<SessionsView>> {
    let rows = api.accounts().sessions(who.player).await?.into_iter();
    let sessions = rows.map(|row| SessionView::new(row, &who)).collect();
    Ok(Answer(SessionsView { sessions }))
}

async fn end_session(
    State(api): State<Api>,
    Caller(who): Caller,
    Path(id): Path<String>,
) -> Done<StatusCode> {
    let session = number(&id).ok_or(Code::UnknownSession)?;
    api.accounts().end_session(who.player, session).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn tokens(State(api): State<Api>, Caller(who): Caller) -> Done<Answer<TokensView>> {
    let rows = api.accounts().tokens(who.player).await?.into_iter();
    let tokens = rows.map(TokenView::from).collect();
    Ok(Answer(TokensView { tokens }))
}

async fn make_token(
    State(api): State<Api>,
    Caller(who): Caller,
    Json(asked): Json<NewTokenAsk>,
) -> Done<(StatusCode, Answer<MadeTokenView>)> {
    let made = api
        .accounts()
        .make_token(who.player, &asked.label, &asked.scopes)
        .await?;
    let view = MadeTokenView {
        id: made.token.0,
        token: made.text,
    };
    Ok((StatusCode::CREATED, Answer(view)))
}

async fn end_token(
    State(api): State<Api>,
    Caller(who): Caller,
    Path(id): Path<String>,
) -> Done<StatusCode> {
    let token = number(&id).ok_or(Code::UnknownToken)?;
    api.accounts().end_token(who.player, token).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn number(text: &str) -> Option<SessionId> {
    text.parse().ok().map(SessionId)
}
