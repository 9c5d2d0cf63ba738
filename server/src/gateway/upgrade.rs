//! The switch from HTTP to WebSocket (RFC 6455, section 4): who may open a socket, and in which
//! protocol. Knows nothing of what is said on it.

use axum::body::Body;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Method, Request, StatusCode, Version};
use axum::response::{IntoResponse, Response};
use hyper_util::rt::TokioIo;
use rookery_protocol::SUBPROTOCOL;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use super::GatewayConfig;
use super::socket::Socket;
use super::stream::Stream;
use crate::clock::Clock;

/// Why no socket is opened. The answer is a plain HTTP one, with the code in a JSON body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UpgradeError {
    /// Not a GET over HTTP/1.1 that asks for a WebSocket.
    #[error("this address speaks WebSocket: ask for an upgrade")]
    NotAnUpgrade,
    /// Another version than 13.
    #[error("only version 13 of WebSocket is spoken here")]
    UnsupportedVersion,
    /// No `Sec-WebSocket-Key` of 16 bytes in base64.
    #[error("Sec-WebSocket-Key must be 16 bytes in base64")]
    BadKey,
    /// A page of another host.
    #[error("sockets are not opened for pages of this origin")]
    ForeignOrigin,
    /// Subprotocols were offered, ours was not among them.
    #[error("the subprotocol spoken here is rookery.v1")]
    UnsupportedSubprotocol,
    /// The server is about to stop.
    #[error("the server is about to stop: come back in a moment")]
    Draining,
}

impl UpgradeError {
    /// The code in the body. Never changes its meaning.
    pub const fn code(self) -> &'static str {
        match self {
            UpgradeError::NotAnUpgrade => "not_an_upgrade",
            UpgradeError::UnsupportedVersion => "unsupported_version",
            UpgradeError::BadKey => "bad_key",
            UpgradeError::ForeignOrigin => "foreign_origin",
            UpgradeError::UnsupportedSubprotocol => "unsupported_subprotocol",
            UpgradeError::Draining => "draining",
        }
    }

    const fn status(self) -> StatusCode {
        match self {
            UpgradeError::NotAnUpgrade | UpgradeError::UnsupportedVersion => {
                StatusCode::UPGRADE_REQUIRED
            }
            UpgradeError::BadKey | UpgradeError::UnsupportedSubprotocol => StatusCode::BAD_REQUEST,
            UpgradeError::ForeignOrigin => StatusCode::FORBIDDEN,
            UpgradeError::Draining => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

impl IntoResponse for UpgradeError {
    fn into_response(self) -> Response {
        let body =
            serde_json::json!({ "error": { "code": self.code(), "message": self.to_string() } });
        let mut response = (self.status(), axum::Json(body)).into_response();
        let headers = response.headers_mut();
        match self.status() {
            StatusCode::UPGRADE_REQUIRED => {
                headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
                headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
                headers.insert(
                    header::SEC_WEBSOCKET_VERSION,
                    HeaderValue::from_static("13"),
                );
            }
            StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
            }
            _ => {}
        }
        response
    }
}

/// A switch under way: the socket is there once the answer is written.
#[derive(Debug)]
pub struct Upgrading {
    on_upgrade: hyper::upgrade::OnUpgrade,
}

impl Upgrading {
    /// The socket; none when the client went away, was too slow, or did not come through
    /// [`super::serve`].
    pub async fn socket(self, config: &GatewayConfig, clock: Clock) -> Option<Socket> {
        let limit = config.handshake_timeout();
        let upgraded = tokio::time::timeout(limit, self.on_upgrade)
            .await
            .ok()?
            .ok()?;
        let parts = upgraded.downcast::<TokioIo<Stream>>().ok()?;
        let stream = parts.io.into_inner();
        Some(Socket::new(stream, &parts.read_buf, config, clock).await)
    }
}

/// Judges a request to open a socket. The answer must be sent for the socket to come.
pub fn upgrade(
    request: &mut Request<Body>,
    config: &GatewayConfig,
) -> Result<(Response, Upgrading), UpgradeError> {
    let headers = request.headers();
    let asks = request.method() == Method::GET
        && request.version() == Version::HTTP_11
        && has_token(headers, &header::CONNECTION, "upgrade")
        && has_token(headers, &header::UPGRADE, "websocket");
    if !asks {
        return Err(UpgradeError::NotAnUpgrade);
    }
    if headers
        .get(header::SEC_WEBSOCKET_VERSION)
        .is_none_or(|version| version != "13")
    {
        return Err(UpgradeError::UnsupportedVersion);
    }
    let key = headers
        .get(header::SEC_WEBSOCKET_KEY)
        .map(HeaderValue::as_bytes)
        .filter(|key| is_key(key))
        .ok_or(UpgradeError::BadKey)?;
    if !is_welcome(headers, &config.allowed_origins) {
        return Err(UpgradeError::ForeignOrigin);
    }
    let subprotocol = subprotocol(headers)?;
    let mut response = StatusCode::SWITCHING_PROTOCOLS.into_response();
    let answer = response.headers_mut();
    answer.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
    answer.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
    let accept = HeaderValue::try_from(derive_accept_key(key)).expect("base64 is ASCII");
    answer.insert(header::SEC_WEBSOCKET_ACCEPT, accept);
    if let Some(ours) = subprotocol {
        answer.insert(
            header::SEC_WEBSOCKET_PROTOCOL,
            HeaderValue::from_static(ours),
        );
    }
    let on_upgrade = hyper::upgrade::on(request);
    Ok((response, Upgrading { on_upgrade }))
}

/// Sixteen bytes in base64: 22 digits and two `=`.
fn is_key(key: &[u8]) -> bool {
    let digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    key.len() == 24 && key[..22].iter().all(digit) && key[22..] == *b"=="
}

/// Programs send no origin and carry no foreign cookies; a page must be of this host or be allowed.
fn is_welcome(headers: &HeaderMap, allowed: &[String]) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    let Ok(origin) = origin.to_str() else {
        return false;
    };
    if allowed
        .iter()
        .any(|allowed| allowed.eq_ignore_ascii_case(origin))
    {
        return true;
    }
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let page = origin
        .strip_prefix("https://")
        .or_else(|| origin.strip_prefix("http://"));
    host.zip(page)
        .is_some_and(|(host, page)| host.eq_ignore_ascii_case(page))
}

/// What to answer: ours when it was offered, nothing when nothing was.
fn subprotocol(headers: &HeaderMap) -> Result<Option<&'static str>, UpgradeError> {
    if !headers.contains_key(header::SEC_WEBSOCKET_PROTOCOL) {
        return Ok(None);
    }
    match has_token(headers, &header::SEC_WEBSOCKET_PROTOCOL, SUBPROTOCOL) {
        true => Ok(Some(SUBPROTOCOL)),
        false => Err(UpgradeError::UnsupportedSubprotocol),
    }
}

fn has_token(headers: &HeaderMap, name: &header::HeaderName, token: &str) -> bool {
    headers
        .get_all(name)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .any(|entry| entry.trim().eq_ignore_ascii_case(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &[(&str, &str)] = &[
        ("host", "chess.example:8080"),
        ("connection", "keep-alive, Upgrade"),
        ("upgrade", "websocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];

    fn judge(changes: &[(&'static str, &'static str)]) -> Result<Response, UpgradeError> {
        let mut request = Request::new(Body::empty());
        for (name, value) in GOOD.iter().chain(changes) {
            request
                .headers_mut()
                .insert(*name, HeaderValue::from_static(value));
        }
        let config = GatewayConfig {
            allowed_origins: vec!["https://friend.example".into()],
            ..GatewayConfig::default()
        };
        upgrade(&mut request, &config).map(|(response, _)| response)
    }

    #[test]
    fn the_sample_key_of_the_standard_is_answered_as_there() {
        let response = judge(&[]).unwrap();
        assert_eq!(response.status(), StatusCode::SWITCHING_PROTOCOLS);
        let accept = &response.headers()[header::SEC_WEBSOCKET_ACCEPT];
        assert_eq!(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
        assert!(
            !response
                .headers()
                .contains_key(header::SEC_WEBSOCKET_PROTOCOL)
        );
    }

    #[test]
    fn what_is_no_upgrade_is_told_so() {
        for (change, error) in [
            (("connection", "close"), UpgradeError::NotAnUpgrade),
            (("upgrade", "h2c"), UpgradeError::NotAnUpgrade),
            (
                ("sec-websocket-version", "8"),
                UpgradeError::UnsupportedVersion,
            ),
            (("sec-websocket-key", "short"), UpgradeError::BadKey),
            (
                ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=!"),
                UpgradeError::BadKey,
            ),
            (
                ("sec-websocket-protocol", "chat, other"),
                UpgradeError::UnsupportedSubprotocol,
            ),
        ] {
            assert_eq!(judge(&[change]).unwrap_err(), error, "{change:?}");
        }
    }

    #[test]
    fn pages_of_this_host_and_of_friends_may_open_sockets() {
        for origin in [
            "http://chess.example:8080",
            "https://CHESS.example:8080",
            "https://friend.example",
        ] {
            assert!(judge(&[("origin", origin)]).is_ok(), "{origin}");
        }
        for origin in [
            "https://chess.example",
            "https://evil.example",
            "https://chess.example:8080.evil.example",
            "null",
            "",
        ] {
            let error = judge(&[("origin", origin)]).unwrap_err();
            assert_eq!(error, UpgradeError::ForeignOrigin, "{origin}");
            assert_eq!(error.into_response().status(), StatusCode::FORBIDDEN);
        }
    }

    #[test]
    fn our_subprotocol_is_chosen_among_those_offered() {
        let response = judge(&[("sec-websocket-protocol", "other, rookery.v1")]).unwrap();
        assert_eq!(
            response.headers()[header::SEC_WEBSOCKET_PROTOCOL],
            SUBPROTOCOL
        );
    }
}
