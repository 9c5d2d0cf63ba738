//! Getting a ticket from the REST interface.

use rookery_protocol::Auth;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::http::TRIES;
use super::{ClientError, Target};

/// A player as the REST interface introduced him.
#[derive(Clone, Debug)]
pub struct Account {
    /// What `hello` says.
    pub ticket: Auth,
    /// The name shown.
    pub name: String,
}

/// A guest.
pub async fn guest(target: &Target) -> Result<Account, ClientError> {
    enter(target, "/api/v1/guest", &json!({})).await
}

/// A new account.
pub async fn sign_up(target: &Target, name: &str, password: &str) -> Result<Account, ClientError> {
    enter(
        target,
        "/api/v1/signup",
        &json!({ "name": name, "password": password }),
    )
    .await
}

/// An account that exists.
pub async fn log_in(target: &Target, name: &str, password: &str) -> Result<Account, ClientError> {
    enter(
        target,
        "/api/v1/login",
        &json!({ "name": name, "password": password }),
    )
    .await
}

async fn enter(target: &Target, path: &str, body: &Value) -> Result<Account, ClientError> {
    let http = target.http();
    for _ in 0..TRIES {
        let answer = http.post(path, None, Some(body)).await?;
        match answer.status.as_u16() {
            200 | 201 => return read(path, &answer.json()),
            429 | 503 => sleep(answer.pause()).await,
            status => {
                return Err(ClientError::Answered {
                    path: path.to_owned(),
                    status,
                    body: answer.body,
                });
            }
        }
    }
    Err(ClientError::TimedOut("a ticket within the rate limits"))
}

fn read(path: &str, body: &Value) -> Result<Account, ClientError> {
    let text = |pointer: &str| body.pointer(pointer).and_then(Value::as_str);
    let ticket = text("/ticket").and_then(|ticket| ticket.parse().ok());
    let name = text("/you/name");
    match (ticket, name) {
        (Some(ticket), Some(name)) => Ok(Account {
            ticket,
            name: name.to_owned(),
        }),
        _ => Err(ClientError::Unexpected(format!(
            "{path} gave no ticket: {body}"
        ))),
    }
}
