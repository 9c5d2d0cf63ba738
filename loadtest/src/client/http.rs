//! One HTTP/1.1 request a connection, JSON both ways. Follows no redirect, keeps no cookie and knows no
//! path of the server.

use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderMap, RETRY_AFTER};
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

/// How long one request may take, connecting included; the slowest answer is a password hash.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);

/// The largest body read: a game at the bound of plies is below 1 MiB in any export.
const MAX_BODY: usize = 4 << 20;

/// How often a call is made again when the server says "too many" or "not now".
pub(super) const TRIES: u32 = 40;

/// How long to wait between two tries when the server does not say.
const PAUSE: Duration = Duration::from_millis(500);

/// The longest wait between two tries, whatever the server says.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Where requests go.
#[derive(Clone, Debug)]
pub struct Http {
    authority: String,
}

/// What came back.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status code.
    pub status: StatusCode,
    /// The body, as text.
    pub body: String,
    headers: HeaderMap,
}

/// No answer came.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// The connection failed.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The peer broke HTTP or closed early.
    #[error("{0}")]
    Http(#[from] hyper::Error),
    /// The request could not be written down.
    #[error("{0}")]
    Request(#[from] hyper::http::Error),
    /// The body was too large or broke off.
    #[error("the body could not be read: {0}")]
    Body(String),
    /// Nothing came in time.
    #[error("no answer within {} s", REQUEST_TIMEOUT.as_secs())]
    TimedOut,
}

impl Http {
    /// Requests to `authority` (`host:port`).
    pub fn new(authority: impl Into<String>) -> Http {
        Http {
            authority: authority.into(),
        }
    }

    /// `GET path`, again while the server says that it is too much at once.
    pub async fn get(&self, path: &str) -> Result<Answer, HttpError> {
        let mut answer = self.send(Method::GET, path, None, None).await?;
        for _ in 1..TRIES {
            if !matches!(answer.status.as_u16(), 429 | 503) {
                break;
            }
            sleep(answer.pause()).await;
            answer = self.send(Method::GET, path, None, None).await?;
        }
        Ok(answer)
    }

    /// `POST path` with, where given, a bearer credential and a JSON body.
    pub async fn post(
        &self,
        path: &str,
        bearer: Option<&str>,
        body: Option<&Value>,
    ) -> Result<Answer, HttpError> {
        self.send(Method::POST, path, bearer, body).await
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        bearer: Option<&str>,
        body: Option<&Value>,
    ) -> Result<Answer, HttpError> {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, &self.authority);
        if let Some(bearer) = bearer {
            request = request.header(AUTHORIZATION, format!("Bearer {bearer}"));
        }
        if body.is_some() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        let bytes = body.map(Value::to_string).unwrap_or_default();
        let request = request.body(Full::new(Bytes::from(bytes)))?;
        timeout(REQUEST_TIMEOUT, self.exchange(request))
            .await
            .map_err(|_| HttpError::TimedOut)?
    }

    async fn exchange(&self, request: Request<Full<Bytes>>) -> Result<Answer, HttpError> {
        let socket = TcpStream::connect(&self.authority).await?;
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(socket)).await?;
        // Ends by itself once `sender` is dropped and the answer is read.
        tokio::spawn(connection);
        let (head, body) = sender.send_request(request).await?.into_parts();
        let body = Limited::new(body, MAX_BODY).collect().await;
        let body = body
            .map_err(|error| HttpError::Body(error.to_string()))?
            .to_bytes();
        let body = String::from_utf8_lossy(&body).into_owned();
        Ok(Answer {
            status: head.status,
            body,
            headers: head.headers,
        })
    }
}

impl Answer {
    /// The body as JSON; null when it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }

    /// How long to wait before trying again: as the server asks, within reason.
    pub fn pause(&self) -> Duration {
        let asked = self.headers.get(RETRY_AFTER);
        let asked = asked.and_then(|value| value.to_str().ok()?.parse().ok());
        asked.map_or(PAUSE, Duration::from_secs).min(LONGEST_PAUSE)
    }
}
