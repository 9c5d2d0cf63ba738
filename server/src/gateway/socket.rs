//! One WebSocket: messages in, messages out, and every way it can end turned into a close code.
//! Knows nothing of what the messages mean.
//!
//! What the codec leaves to its user is done here: it sends no close frame on errors or when dropped,
//! buffers what is not flushed, and delivers a write that was given up; so a socket whose write timed
//! out is never used again.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Bytes;
use futures_util::{Sink, SinkExt, Stream as _, StreamExt};
use rookery_core::time::{Millis, Timestamp};
use rookery_protocol::CloseCode;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::{Error, ProtocolError};
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use super::GatewayConfig;
use super::stream::{Flood, Metered, Stream};
use crate::clock::Clock;

/// Written to the stream when this much is buffered; a flush a turn writes the rest.
const WRITE_BUFFER_BYTES: usize = 4096;

/// Read and thrown away after a close frame of ours, so that unread bytes do not reset the connection
/// before the peer has read it; who sends more than this is cut off.
const DISCARD_BYTES: u64 = 1 << 20;

/// A WebSocket after its handshake.
#[derive(Debug)]
pub struct Socket {
    ws: WebSocketStream<Metered>,
    clock: Clock,
    close_timeout: Millis,
    unflushed: bool,
    /// Since when a flush has not gone through.
    stuck_since: Option<Timestamp>,
    /// The codec gave up: it reads nothing more.
    failed: bool,
}

/// What comes in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incoming {
    /// A text.
    Text(Utf8Bytes),
    /// Something that is no text.
    Binary(Bytes),
    /// A ping; it is answered already.
    Ping,
    /// A pong.
    Pong(Bytes),
}

/// How a socket ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// We close it, for this reason.
    Ours(CloseCode),
    /// The client closed it, in order.
    Theirs,
    /// The connection broke.
    Broken,
}

impl Socket {
    pub(super) async fn new(
        stream: Stream,
        already_read: &[u8],
        config: &GatewayConfig,
        clock: Clock,
    ) -> Socket {
        let metered = Metered::new(stream, clock.clone(), config.bytes());
        let ws = WebSocketStream::from_partially_read(
            metered,
            already_read.to_vec(),
            Role::Server,
            Some(codec(config)),
        )
        .await;
        Socket {
            ws,
            clock,
            close_timeout: config.close_timeout_ms,
            unflushed: false,
            stuck_since: None,
            failed: false,
        }
    }

    /// The next message.
    pub async fn receive(&mut self) -> Result<Incoming, End> {
        std::future::poll_fn(|cx| self.poll_receive(cx)).await
    }

    /// Writes a message and waits until it is on its way.
    pub async fn send(&mut self, message: Message) -> Result<(), End> {
        self.write(message)?;
        std::future::poll_fn(|cx| self.poll_flush(cx)).await
    }

    /// Ends the socket in order: says why, waits for the other side, but never for long. Nothing can be
    /// written or read afterwards.
    pub async fn finish(&mut self, end: End) {
        let limit = Duration::from_millis(self.close_timeout.0);
        // Whoever does not take part in the farewell is cut off: the timeout has no other consequence.
        let _ = tokio::time::timeout(limit, self.farewell(end)).await;
    }

    pub(super) fn poll_receive(&mut self, cx: &mut Context<'_>) -> Poll<Result<Incoming, End>> {
        loop {
            let incoming = match ready!(Pin::new(&mut self.ws).poll_next(cx)) {
                Some(Ok(Message::Text(text))) => Incoming::Text(text),
                Some(Ok(Message::Binary(bytes))) => Incoming::Binary(bytes),
                Some(Ok(Message::Ping(_))) => Incoming::Ping,
                Some(Ok(Message::Pong(payload))) => Incoming::Pong(payload),
                // The codec answers; what follows is the end of the stream.
                Some(Ok(Message::Close(_) | Message::Frame(_))) => continue,
                Some(Err(error)) => {
                    self.failed = true;
                    return Poll::Ready(Err(end_of(&error)));
                }
                None => return Poll::Ready(Err(End::Theirs)),
            };
            return Poll::Ready(Ok(incoming));
        }
    }

    /// Buffers a message; it is on its way after a flush.
    pub(super) fn write(&mut self, message: Message) -> Result<(), End> {
        self.unflushed = true;
        Pin::new(&mut self.ws)
            .start_send(message)
            .map_err(|error| end_of(&error))
    }

    /// Writes out what is buffered.
    pub(super) fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), End>> {
        if !self.unflushed {
            return Poll::Ready(Ok(()));
        }
        match Pin::new(&mut self.ws).poll_flush(cx) {
            Poll::Ready(result) => {
                self.unflushed = false;
                self.stuck_since = None;
                Poll::Ready(result.map_err(|error| end_of(&error)))
            }
            Poll::Pending => {
                self.stuck_since.get_or_insert_with(|| self.clock.now());
                Poll::Pending
            }
        }
    }

    /// Since when the other side has taken nothing of what was to be written.
    pub(super) fn stuck_since(&self) -> Option<Timestamp> {
        self.stuck_since
    }

    /// When the message last handed out had come.
    pub(super) fn arrived_at(&self) -> Timestamp {
        self.ws.get_ref().read_at()
    }

    async fn farewell(&mut self, end: End) {
        match end {
            End::Broken => return,
            End::Theirs => {}
            End::Ours(code) => {
                let frame = CloseFrame {
                    code: code.code().into(),
                    reason: Utf8Bytes::from_static(code.reason()),
                };
                if self.ws.send(Message::Close(Some(frame))).await.is_err() {
                    return;
                }
            }
        }
        if self.failed {
            let _ = self.ws.get_mut().shutdown().await;
            let mut rest = self.ws.get_mut().unmetered().take(DISCARD_BYTES);
            let _ = tokio::io::copy(&mut rest, &mut tokio::io::sink()).await;
        } else {
            while let Some(Ok(_)) = self.ws.next().await {}
            let _ = self.ws.get_mut().shutdown().await;
        }
    }
}

fn codec(config: &GatewayConfig) -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(config.read_buffer_bytes)
        .write_buffer_size(WRITE_BUFFER_BYTES)
        // A turn writes at most one outbox on top of an empty buffer; the rest is for ticks and pongs.
        .max_write_buffer_size(2 * config.outbox_bytes + WRITE_BUFFER_BYTES)
        .max_message_size(Some(config.frame_bytes))
        .max_frame_size(Some(config.frame_bytes))
        .accept_unmasked_frames(false)
}

fn end_of(error: &Error) -> End {
    match error {
        Error::Capacity(_) => End::Ours(CloseCode::TooLarge),
        Error::Utf8(_) => End::Ours(CloseCode::BadUtf8),
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => End::Broken,
        Error::Protocol(_) => End::Ours(CloseCode::WebSocketProtocol),
        Error::WriteBufferFull(_) => End::Ours(CloseCode::SlowReader),
        Error::ConnectionClosed | Error::AlreadyClosed => End::Theirs,
        Error::Io(io) if io.get_ref().is_some_and(|inner| inner.is::<Flood>()) => {
            End::Ours(CloseCode::Flood)
        }
        _ => End::Broken,
    }
}
