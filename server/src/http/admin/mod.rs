//! The listener for operators: whether the process lives, whether it is ready for players, and its
//! numbers. It asks nobody who he is, so it is bound to this machine unless told otherwise.

mod metrics;
mod process;

use std::time::Duration;

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Map, Value, json};
use tokio::time::timeout;

pub use metrics::Recorder;

use crate::gateway::Sessions;
use crate::shards::Router as Games;
use crate::stores::archive::Archive;

/// A check that takes longer has failed: who asks has a deadline too, usually 1 s.
const CHECK_WITHIN: Duration = Duration::from_millis(800);

/// What is looked at.
#[derive(Clone)]
pub struct Health {
    /// The archive answers.
    pub archive: Archive,
    /// Games can be born.
    pub games: Games,
    /// Sockets are taken, and how many there are.
    pub online: Sessions,
    /// The numbers.
    pub recorder: Recorder,
}

/// The routes of the listener.
pub fn router(health: Health) -> Router {
    Router::new()
        .route("/livez", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .route("/healthz", get(ready))
        .route("/metrics", get(numbers))
        .fallback(async || (StatusCode::NOT_FOUND, "/livez /readyz /metrics\n"))
        .with_state(health)
}

/// Serves the listener for as long as it is polled: `/readyz` answers while the rest stops.
pub async fn serve(listener: tokio::net::TcpListener, health: Health) {
    let served = axum::serve(listener, router(health)).await;
    if let Err(error) = served {
        tracing::error!(%error, "the listener for operators ended");
    }
}

/// 200 when players can be sent here. The checks one by one with `?verbose`.
async fn ready(State(health): State<Health>, RawQuery(query): RawQuery) -> Response {
    let checks = health.checks().await;
    let failed = checks.iter().any(|(_, problem)| problem.is_some());
    let status = if failed {
        StatusCode::SERVICE_UNAVAILABLE
    } else {
        StatusCode::OK
    };
    let verbose =
        query.is_some_and(|query| query.split('&').any(|part| part.starts_with("verbose")));
    if !verbose {
        let word = if failed { "not ready\n" } else { "ok\n" };
        return (status, [(CACHE_CONTROL, "no-store")], word).into_response();
    }
    let told: Map<String, Value> = checks
        .into_iter()
        .map(|(name, problem)| {
            (
                name.to_owned(),
                json!({ "ok": problem.is_none(), "problem": problem }),
            )
        })
        .collect();
    (
        status,
        [(CACHE_CONTROL, "no-store")],
        Json(json!({ "ok": !failed, "checks": told })),
    )
        .into_response()
}

async fn numbers(State(health): State<Health>) -> Response {
    process::measure();
    let kind = [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, health.recorder.render()).into_response()
}

impl Health {
    /// Each check, and what is wrong.
    async fn checks(&self) -> [(&'static str, Option<String>); 3] {
        let archive = match timeout(CHECK_WITHIN, self.archive.ping()).await {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some("does not answer".to_owned()),
        };
        let draining = |yes: bool| yes.then(|| "draining".to_owned());
        [
            ("archive", archive),
            ("games", draining(self.games.is_draining())),
            ("sockets", draining(self.online.is_draining())),
        ]
    }
}
