//! Bodies and queries, strictly read: wrong types, unknown fields and oversize are told, not guessed at.

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::api::Api;
use super::error::{ApiError, Code};

/// A JSON body. An empty one reads as `{}`, for requests that have nothing to say.
pub(super) struct Json<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<Api> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, api: &Api) -> Result<Json<T>, ApiError> {
        let is_json = request
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .is_some_and(is_json);
        let bytes = read(request.into_body(), api.config().body_bytes).await?;
        let text = match bytes.as_slice() {
            [] => b"{}",
            _ if !is_json => return Err(Code::NotJson.into()),
            bytes => bytes,
        };
        let read = serde_json::from_slice(text);
        read.map(Json)
            .map_err(|error| Code::BadBody.because(error.to_string()))
    }
}

fn is_json(value: &str) -> bool {
    let kind = value.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

async fn read(body: Body, most: usize) -> Result<Vec<u8>, ApiError> {
    let bytes = to_bytes(body, most).await;
    bytes
        .map(|bytes| bytes.to_vec())
        .map_err(|_| Code::TooLarge.into())
}

/// The query of an address.
pub(super) struct Asked<T>(pub(super) T);

impl<T: DeserializeOwned + Send> FromRequestParts<Api> for Asked<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &Api) -> Result<Asked<T>, ApiError> {
        let read = Query::<T>::try_from_uri(&parts.uri);
        read.map(|Query(query)| Asked(query))
            .map_err(|error| Code::BadQuery.because(error.body_text()))
    }
}
