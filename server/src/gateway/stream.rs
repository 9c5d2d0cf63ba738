//! The bytes of a connection: plain or TLS behind one type, and the meter below the WebSocket codec
//! that no frame can slip under. Knows no message.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};

use rookery_core::time::Timestamp;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use super::bucket::{Bucket, Rate};
use crate::clock::Clock;

/// A connection as hyper and the WebSocket codec see it. Only the TLS state is boxed: it is large,
/// and a plain connection does not pay for it.
#[derive(Debug)]
pub(super) enum Stream {
    /// TCP.
    Plain(TcpStream),
    /// TLS over TCP.
    Tls(Box<TlsStream<TcpStream>>),
}

macro_rules! delegate {
    ($self:ident, $io:ident => $call:expr) => {
        match $self.get_mut() {
            Stream::Plain(tcp) => {
                let $io = Pin::new(tcp);
                $call
            }
            Stream::Tls(tls) => {
                let $io = Pin::new(tls.as_mut());
                $call
            }
        }
    };
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        delegate!(self, io => io.poll_read(cx, buf))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        delegate!(self, io => io.poll_write(cx, bytes))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        delegate!(self, io => io.poll_flush(cx))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        delegate!(self, io => io.poll_shutdown(cx))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        delegate!(self, io => io.poll_write_vectored(cx, slices))
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Stream::Plain(tcp) => tcp.is_write_vectored(),
            Stream::Tls(tls) => tls.is_write_vectored(),
        }
    }
}

/// The peer sends more bytes than the limits allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more bytes than allowed")]
pub(super) struct Flood;

/// A stream whose incoming bytes are counted before any codec sees them: the codec loops over empty
/// fragments for as long as they come, and this ends it.
#[derive(Debug)]
pub(super) struct Metered {
    stream: Stream,
    clock: Clock,
    rate: Rate,
    bucket: Bucket,
    read_at: Timestamp,
}

impl Metered {
    pub(super) fn new(stream: Stream, clock: Clock, rate: Rate) -> Metered {
        let now = clock.now();
        Metered {
            stream,
            rate,
            bucket: Bucket::full(rate, now),
            read_at: now,
            clock,
        }
    }

    /// The stream itself, for reading what nobody will look at.
    pub(super) fn unmetered(&mut self) -> &mut Stream {
        &mut self.stream
    }

    /// When bytes came last: the arrival of every message not handed out before.
    pub(super) fn read_at(&self) -> Timestamp {
        self.read_at
    }
}

impl AsyncRead for Metered {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        std::task::ready!(Pin::new(&mut self.stream).poll_read(cx, buf))?;
        let count = (buf.filled().len() - before) as u64;
        let now = self.clock.now();
        self.read_at = now;
        let rate = self.rate;
        match self.bucket.take(rate, count, now) {
            Ok(()) => Poll::Ready(Ok(())),
            Err(_) => Poll::Ready(Err(io::Error::other(Flood))),
        }
    }
}

impl AsyncWrite for Metered {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
