//! One's own account.

use axum::Json as Answer;
use axum::extract::State;
use axum::http::{Method, StatusCode};

use super::export::export;
use crate::gateway::{Kind, Scope};
use crate::http::api::Api;
use crate::http::body::Json;
use crate::http::caller::Caller;
use crate::http::error::{ApiError, Code};
use crate::http::operation::{Access, Operation};
use crate::http::view::{AccountView, Confirmation, PasswordChange};

type Done<T> = Result<T, ApiError>;

pub(super) fn operations() -> Vec<Operation> {
    let own = Access::Scope(Scope::Account);
    vec![
        Operation::new(Method::GET, "/account", "Who one is.", account)
            .needs(Access::Caller)
            .gives::<AccountView>(StatusCode::OK),
        Operation::new(
            Method::DELETE,
            "/account",
            "Delete the account: its name goes, its games stay under a neutral one.",
            delete,
        )
        .needs(own)
        .takes::<Confirmation>()
        .errors(&[Code::WrongPassword, Code::RateLimited]),
        Operation::new(
            Method::PUT,
            "/account/password",
            "Set another password; every other session ends.",
            change_password,
        )
        .needs(own)
        .takes::<PasswordChange>()
        .errors(&[
            Code::WrongPassword,
            Code::PasswordTooShort,
            Code::PasswordTooLong,
            Code::PasswordGuessed,
            Code::RateLimited,
        ]),
        Operation::new(
            Method::GET,
            "/account/export",
            "Everything that is kept of the account, as one JSON object.",
            export,
        )
        .needs(Access::Scope(Scope::Read))
        .gives::<serde_json::Value>(StatusCode::OK),
    ]
}

async fn account(State(api): State<Api>, Caller(who): Caller) -> Done<Answer<AccountView>> {
    Ok(Answer(match who.kind {
        Kind::Guest => AccountView::guest(&who),
        Kind::Account => api.accounts().account(who.player).await?.into(),
    }))
}

async fn delete(
    State(api): State<Api>,
    Caller(who): Caller,
    Json(asked): Json<Confirmation>,
) -> Done<StatusCode> {
    api.accounts().delete(&who, &asked.password).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn change_password(
    State(api): State<Api>,
    Caller(who): Caller,
    Json(asked): Json<PasswordChange>,
) -> Done<StatusCode> {
    api.accounts()
        .change_password(&who, &asked.present, &asked.new)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
