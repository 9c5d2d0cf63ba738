//! Every limit of the gateway as a setting, with its default and the reason for it. Opens nothing.

use std::time::Duration;

use ipnet::IpNet;
use rookery_core::time::Millis;
use rookery_protocol::limits;
use serde::{Deserialize, Serialize};

use super::bucket::Rate;

/// The settings of the gateway. Times are in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GatewayConfig {
    /// Peers whose word on a client's address is taken: PROXY v2 and `X-Forwarded-For`.
    pub trusted_proxies: Vec<IpNet>,
    /// Pages that may open a socket besides those of this very host, as `scheme://host[:port]`.
    pub allowed_origins: Vec<String>,

    /// TCP connections at once; below the descriptors a process usually gets (20,000), with room for
    /// files and databases.
    pub max_connections: usize,
    /// TCP connections of one address (IPv6: one /64) at once: its sockets and as many requests beside.
    pub max_connections_per_address: usize,
    /// Sockets of one address (IPv6: one /64) at once.
    pub max_sockets_per_address: usize,
    /// Connections at once that have not yet sent a whole request.
    pub max_handshakes: usize,
    /// Time for a PROXY header, a TLS handshake, each request's head, the switch to WebSocket.
    pub handshake_timeout_ms: Millis,
    /// The kernel's send buffer of a socket; small, so that a reader who stops is noticed.
    pub send_buffer_bytes: usize,

    /// Time for the first frame.
    pub hello_timeout_ms: Millis,
    /// Time between pings of the server.
    pub ping_every_ms: Millis,
    /// Silence of the client, pongs included, after which it is gone.
    pub client_silent_ms: Millis,
    /// How long one write may stand still.
    pub write_timeout_ms: Millis,
    /// How long a close handshake may take.
    pub close_timeout_ms: Millis,

    /// Bytes of a client's largest message.
    pub frame_bytes: usize,
    /// What one read asks for: chess messages have about 100 bytes, and this much is held per socket.
    pub read_buffer_bytes: usize,
    /// Bytes waiting for a slow reader.
    pub outbox_bytes: usize,
    /// Frames waiting for a slow reader: each costs 40 bytes of queue besides its text.
    pub outbox_frames: usize,

    /// Frames that may come at once.
    pub frame_burst: u32,
    /// Frames a second for long.
    pub frames_per_second: u32,
    /// Bytes that may come at once, counted below the frames: a full burst of largest messages.
    pub byte_burst: u32,
    /// Bytes a second for long; empty fragments have 6 bytes.
    pub bytes_per_second: u32,
    /// Pings and unasked pongs that may come at once.
    pub control_burst: u32,
    /// Pings and unasked pongs a second for long; clients ping every few seconds.
    pub controls_per_second: u32,

    /// Sockets of one account at once.
    pub sockets_per_account: usize,
    /// Games one socket may watch at once.
    pub watched_games: usize,
    /// Sockets that may watch one game at once.
    pub watchers_per_game: usize,
    /// Requests of one socket that may be under way at once: a premove, an offer and a few resent ones.
    pub asks_per_socket: usize,
    /// Events behind which the state is sent instead.
    pub resume_events: u32,
    /// The largest lag believed: the most that one move is ever credited (design, lag).
    pub max_lag_ms: Millis,

    /// Lines of chat a player may say at once.
    pub chat_burst: u32,
    /// Time after which one more may be said.
    pub chat_refill_ms: Millis,
    /// Whether guests may chat: their names cost nothing, so a mute costs them nothing.
    pub guests_chat: bool,
}

impl Default for GatewayConfig {
    fn default() -> GatewayConfig {
        GatewayConfig {
            trusted_proxies: Vec::new(),
            allowed_origins: Vec::new(),
            max_connections: 18_000,
            max_connections_per_address: 2 * limits::SOCKETS_PER_ADDRESS,
            max_sockets_per_address: limits::SOCKETS_PER_ADDRESS,
            max_handshakes: 1024,
            handshake_timeout_ms: Millis::from_secs(5),
            send_buffer_bytes: 64 * 1024,
            hello_timeout_ms: Millis(limits::HELLO_MS),
            ping_every_ms: Millis(limits::PING_MS),
            client_silent_ms: Millis(limits::CLIENT_SILENT_MS),
            write_timeout_ms: Millis::from_secs(5),
            close_timeout_ms: Millis::from_secs(2),
            frame_bytes: limits::FRAME_BYTES,
            read_buffer_bytes: 1024,
            outbox_bytes: limits::OUTBOX_BYTES,
            outbox_frames: 1024,
            frame_burst: limits::FRAME_BURST,
            frames_per_second: limits::FRAMES_PER_SECOND,
            byte_burst: 256 * 1024,
            bytes_per_second: 32 * 1024,
            control_burst: 30,
            controls_per_second: 2,
            sockets_per_account: limits::SOCKETS_PER_ACCOUNT,
            watched_games: limits::WATCHED_GAMES,
            watchers_per_game: 10_000,
            asks_per_socket: 16,
            resume_events: limits::RESUME_EVENTS,
            max_lag_ms: Millis(500),
            chat_burst: limits::CHAT_BURST,
            chat_refill_ms: Millis(limits::CHAT_REFILL_MS),
            guests_chat: false,
        }
    }
}

/// A setting that cannot work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("gateway.{key}: {problem}")]
pub struct ConfigProblem {
    /// The key.
    pub key: &'static str,
    /// What is wrong with it.
    pub problem: &'static str,
}

/// The least a message of ours needs: a `hello` with the longest ticket.
const LEAST_FRAME_BYTES: usize = 1536;

impl GatewayConfig {
    /// Everything that is wrong with these settings.
    pub fn problems(&self) -> Vec<ConfigProblem> {
        const ZERO: &str = "must not be 0";
        let judged = [
            ("max_connections", self.max_connections == 0, ZERO),
            (
                "max_connections_per_address",
                self.max_connections_per_address == 0,
                ZERO,
            ),
            (
                "max_sockets_per_address",
                self.max_sockets_per_address == 0,
                ZERO,
            ),
            ("max_handshakes", self.max_handshakes == 0, ZERO),
            (
                "handshake_timeout_ms",
                self.handshake_timeout_ms.is_zero(),
                ZERO,
            ),
            ("hello_timeout_ms", self.hello_timeout_ms.is_zero(), ZERO),
            ("ping_every_ms", self.ping_every_ms.is_zero(), ZERO),
            ("write_timeout_ms", self.write_timeout_ms.is_zero(), ZERO),
            ("close_timeout_ms", self.close_timeout_ms.is_zero(), ZERO),
            ("read_buffer_bytes", self.read_buffer_bytes == 0, ZERO),
            ("outbox_frames", self.outbox_frames == 0, ZERO),
            ("frame_burst", self.frame_burst == 0, ZERO),
            ("frames_per_second", self.frames_per_second == 0, ZERO),
            ("bytes_per_second", self.bytes_per_second == 0, ZERO),
            ("control_burst", self.control_burst == 0, ZERO),
            ("controls_per_second", self.controls_per_second == 0, ZERO),
            ("sockets_per_account", self.sockets_per_account == 0, ZERO),
            ("watched_games", self.watched_games == 0, ZERO),
            ("watchers_per_game", self.watchers_per_game == 0, ZERO),
            ("asks_per_socket", self.asks_per_socket == 0, ZERO),
            ("chat_burst", self.chat_burst == 0, ZERO),
            ("chat_refill_ms", self.chat_refill_ms.is_zero(), ZERO),
            (
                "client_silent_ms",
                self.client_silent_ms <= self.ping_every_ms,
                "must be longer than ping_every_ms, or every quiet client is closed",
            ),
            (
                "frame_bytes",
                self.frame_bytes < LEAST_FRAME_BYTES,
                "must be at least 1536: a hello with a ticket needs that",
            ),
            (
                "byte_burst",
                (self.byte_burst as usize) < 2 * self.frame_bytes,
                "must be at least twice frame_bytes",
            ),
            (
                "outbox_bytes",
                self.outbox_bytes < 64 * 1024,
                "must be at least 65536: the state of a long game needs that",
            ),
            (
                "allowed_origins",
                self.allowed_origins.iter().any(|origin| !is_origin(origin)),
                "an origin is written like https://chess.example.org",
            ),
        ];
        judged
            .into_iter()
            .filter(|&(_, wrong, _)| wrong)
            .map(|(key, _, problem)| ConfigProblem { key, problem })
            .collect()
    }

    pub(super) fn handshake_timeout(&self) -> Duration {
        Duration::from_millis(self.handshake_timeout_ms.0)
    }

    pub(super) fn frames(&self) -> Rate {
        Rate::per_second(self.frames_per_second, self.frame_burst)
    }

    pub(super) fn bytes(&self) -> Rate {
        Rate::per_second(self.bytes_per_second, self.byte_burst)
    }

    pub(super) fn controls(&self) -> Rate {
        Rate::per_second(self.controls_per_second, self.control_burst)
    }

    pub(super) fn chat(&self) -> Rate {
        Rate::one_each(self.chat_refill_ms, self.chat_burst)
    }
}

fn is_origin(text: &str) -> bool {
    let host = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    host.is_some_and(|host| !host.is_empty() && !host.contains(['/', '?', '#', '@', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_have_no_problems() {
        assert_eq!(GatewayConfig::default().problems(), []);
    }

    #[test]
    fn every_problem_is_listed() {
        let config = GatewayConfig {
            frame_bytes: 100,
            client_silent_ms: Millis(10),
            allowed_origins: vec!["https://x.org/".into()],
            ..GatewayConfig::default()
        };
        let keys: Vec<&str> = config
            .problems()
            .iter()
            .map(|problem| problem.key)
            .collect();
        assert_eq!(keys, ["client_silent_ms", "frame_bytes", "allowed_origins"]);
    }
}
