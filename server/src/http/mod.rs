//! What is asked over HTTP: the REST interface, and the listener for operators. Judges no move.

pub mod admin;
mod api;
mod body;
mod caller;
mod config;
mod error;
mod layers;
mod live;
mod openapi;
mod operation;
mod page;
mod routes;
mod view;

#[cfg(test)]
mod tests;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;

pub use api::{Api, Parts};
pub use config::HttpConfig;
pub use error::{ApiError, Code};
pub use live::{Listening, LiveGames};
pub use openapi::openapi_text;

/// Where every operation is.
const PREFIX: &str = "/api/v1";

/// Everything that is served over HTTP but the socket.
pub fn router(api: Api) -> Router {
    layers::describe();
    let document = openapi_text();
    let document = move || async move { ([(CONTENT_TYPE, "application/json")], document) };
    let mut router = Router::new()
        .route("/", get(page::page))
        .route(&format!("{PREFIX}/openapi.json"), get(document));
    for operation in routes::operations() {
        let path = format!("{PREFIX}{}", operation.path);
        router = router.route(&path, operation.route(&api));
    }
    router
        .method_not_allowed_fallback(async || Code::MethodNotAllowed)
        .fallback(async || Code::NotFound)
        .layer(from_fn_with_state(api.clone(), layers::finish))
        .layer(from_fn_with_state(api.clone(), layers::slow_down))
        .layer(from_fn(layers::harden))
        .layer(from_fn(layers::measure))
        .with_state(api)
}
