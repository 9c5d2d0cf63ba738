//! Coming in and going out.

use axum::Json as Answer;
use axum::extract::State;
use axum::http::{Method, StatusCode};

use crate::accounts::AccountError;
use crate::gateway::{Doorkeeper, Scope};
use crate::http::api::Api;
use crate::http::body::Json;
use crate::http::caller::{Caller, From, Label};
use crate::http::error::{ApiError, Code};
use crate::http::operation::{Access, Operation};
use crate::http::view::{EnteredView, NameAndPassword, Nothing};

type Done<T> = Result<T, ApiError>;

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::new(
            Method::POST,
            "/signup",
            "Make an account and come in.",
            sign_up,
        )
        .takes::<NameAndPassword>()
        .gives::<EnteredView>(StatusCode::CREATED)
        .errors(&[
            Code::BadName,
            Code::NameReserved,
            Code::NameTaken,
            Code::PasswordTooShort,
            Code::PasswordTooLong,
            Code::PasswordGuessed,
            Code::SignupClosed,
            Code::RateLimited,
        ]),
        Operation::new(Method::POST, "/login", "Come in with a password.", log_in)
            .takes::<NameAndPassword>()
            .gives::<EnteredView>(StatusCode::OK)
            .errors(&[Code::BadLogin, Code::RateLimited]),
        Operation::new(
            Method::POST,
            "/guest",
            "Come in without an account; casual games only.",
            guest,
        )
        .takes::<Nothing>()
        .gives::<EnteredView>(StatusCode::CREATED)
        .errors(&[Code::GuestsClosed, Code::RateLimited]),
        Operation::new(
            Method::POST,
            "/ticket",
            "Get a fresh ticket for the one shown.",
            renew,
        )
        .needs(Access::Caller)
        .gives::<EnteredView>(StatusCode::OK)
        .errors(&[Code::ScopeMissing]),
        Operation::new(Method::POST, "/logout", "End this session.", log_out)
            .needs(Access::Scope(Scope::Account))
            .errors(&[Code::UnknownSession]),
    ]
}

async fn sign_up(
    State(api): State<Api>,
    From(from): From,
    Label(label): Label,
    Json(asked): Json<NameAndPassword>,
) -> Done<(StatusCode, Answer<EnteredView>)> {
    let entered = api
        .accounts()
        .sign_up(&asked.name, &asked.password, &label, from)
        .await?;
    Ok((StatusCode::CREATED, Answer(entered.into())))
}

async fn log_in(
    State(api): State<Api>,
    From(from): From,
    Label(label): Label,
    Json(asked): Json<NameAndPassword>,
) -> Done<Answer<EnteredView>> {
    let entered = api
        .accounts()
        .log_in(&asked.name, &asked.password, &label, from)
        .await?;
    Ok(Answer(entered.into()))
}

async fn guest(
    State(api): State<Api>,
    From(from): From,
    Json(Nothing {}): Json<Nothing>,
) -> Done<(StatusCode, Answer<EnteredView>)> {
    let entered = api.accounts().guest(from)?;
    Ok((StatusCode::CREATED, Answer(entered.into())))
}

async fn renew(State(api): State<Api>, Caller(who): Caller) -> Done<Answer<EnteredView>> {
    match api.accounts().renew(&who) {
        Some(_) => Ok(Answer(api.accounts().issue(who).into())),
        None => Err(Code::ScopeMissing.into()),
    }
}

async fn log_out(State(api): State<Api>, Caller(who): Caller) -> Done<StatusCode> {
    let session = who.session.ok_or(AccountError::UnknownSession)?;
    api.accounts().end_session(who.player, session).await?;
    Ok(StatusCode::NO_CONTENT)
}
