//! What is done with every request, whatever it asks for: counted, bounded in rate and time, carried to
//! its end, and answered with safe headers.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use axum::extract::{MatchedPath, Request, State};
use axum::http::HeaderValue;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use metrics::histogram;
use tokio::time::timeout;

use super::api::Api;
use super::error::Code;
use crate::accounts::neighbourhood;
use crate::clock::Stopwatch;
use crate::gateway::ClientAddress;

/// Nothing is loaded and nothing runs: what is served here are documents for programs, and one plain page.
const CONTENT_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
);

/// How long requests take, by what they ask for.
const DURATION: &str = "rookery_http_request_duration_seconds";

pub(super) fn describe() {
    metrics::describe_histogram!(
        DURATION,
        metrics::Unit::Seconds,
        "Time from a request to its answer, by route, method and status"
    );
}

/// Measures, and logs at debug: the address of a request may name a player.
pub(super) async fn measure(route: Option<MatchedPath>, request: Request, next: Next) -> Response {
    let stopwatch = Stopwatch::start();
    let method = request.method().clone();
    let response = next.run(request).await;
    let route = route.map_or("none".to_owned(), |route| route.as_str().to_owned());
    let status = response.status().as_u16();
    let elapsed = stopwatch.elapsed();
    tracing::debug!(%method, route, status, ?elapsed, "request");
    histogram!(DURATION, "route" => route, "method" => method_label(&method), "status" => status.to_string())
        .record(elapsed);
    response
}

/// A client may invent methods; a label may not.
fn method_label(method: &axum::http::Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "DELETE" => "DELETE",
        _ => "other",
    }
}

/// One address cannot ask for everything.
pub(super) async fn slow_down(State(api): State<Api>, request: Request, next: Next) -> Response {
    let from = request.extensions().get::<ClientAddress>();
    let from = from.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |from| from.0);
    match api.requests().take(neighbourhood(from), api.clock().now()) {
        Ok(()) => next.run(request).await,
        Err(wait) => Code::RateLimited.after(wait).into_response(),
    }
}

/// What was begun is carried to its end on a task of its own: neither a client that hangs up nor a
/// timeout leaves a transaction half done.
pub(super) async fn finish(State(api): State<Api>, request: Request, next: Next) -> Response {
    let limit = Duration::from_millis(api.config().timeout_ms.0);
    let work = tokio::spawn(next.run(request));
    match timeout(limit, work).await {
        Ok(Ok(response)) => response,
        Ok(Err(error)) => {
            tracing::error!(%error, "a request panicked");
            Code::Internal.into_response()
        }
        Err(_) => Code::TimedOut.into_response(),
    }
}

/// Headers that tell browsers to be careful, and caches to keep nothing that does not say otherwise.
pub(super) async fn harden(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers
        .entry(CONTENT_SECURITY_POLICY)
        .or_insert(CONTENT_POLICY);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers
        .entry(CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}
