//! Every bound of the wire, with its default. A server may be configured otherwise; what it really
//! grants is in `welcome`.

use serde::{Deserialize, Serialize};

macro_rules! limits {
    ($( $(#[doc = $doc:literal])+ $name:ident: $type:ty = $value:literal; )+) => {
        $( $(#[doc = $doc])+ pub const $name: $type = $value; )+

        /// Every limit by name, number and meaning, for the page.
        pub const ALL: &[(&str, u64, &str)] = &[
            $( (stringify!($name), $value, concat!($($doc),+).trim_ascii()), )+
        ];
    };
}

limits! {
    /// The largest request id: the largest integer every JSON reader keeps exactly (2^53-1).
    MAX_REQUEST_ID: u64 = 9_007_199_254_740_991;

    /// Bytes of the largest frame a client may send; the largest request we know has under 1.5 KiB.
    FRAME_BYTES: usize = 4096;

    /// Characters of a ticket or token: a signed ticket has under 300.
    AUTH_CHARS: usize = 1024;

    /// Characters of an account's name: what fits a line of a crosstable.
    NAME_CHARS: usize = 20;

    /// Characters of a line of chat.
    CHAT_CHARS: usize = 200;

    /// Characters of a client program's name.
    SOFTWARE_CHARS: usize = 64;

    /// Characters of a language tag.
    LANGUAGE_CHARS: usize = 16;

    /// Characters of a time control: four stages with tenths fit.
    CONTROL_CHARS: usize = 64;

    /// Characters of a position: the longest legal one has under 90.
    FEN_CHARS: usize = 100;

    /// Ms a new socket may stay silent before its `hello`.
    HELLO_MS: u64 = 10_000;

    /// Ms between two pings of the server on a quiet socket.
    PING_MS: u64 = 15_000;

    /// Ms without anything from the client, pongs included, after which the socket is closed.
    CLIENT_SILENT_MS: u64 = 30_000;

    /// Ms without anything from the server after which a player's client should reconnect: players
    /// get a tick each second while a clock runs, so four missing ones are no accident.
    SERVER_SILENT_MS: u64 = 4_000;

    /// Ms between two ticks of a running game to its players.
    TICK_MS: u64 = 1_000;

    /// The same while the running clock has less than `LAST_SECONDS_MS`.
    FAST_TICK_MS: u64 = 100;

    /// Below this a running clock ticks fast.
    LAST_SECONDS_MS: u64 = 10_000;

    /// Ms between two ticks of a running game to spectators.
    SPECTATOR_TICK_MS: u64 = 5_000;

    /// Frames a socket may send at once before the rate below binds.
    FRAME_BURST: u32 = 60;

    /// Frames a second a socket may send for long: premoves in a time scramble reach about 10.
    FRAMES_PER_SECOND: u32 = 20;

    /// Lines of chat a player may say at once.
    CHAT_BURST: u32 = 5;

    /// Ms after which one more line of chat may be said.
    CHAT_REFILL_MS: u64 = 3_000;

    /// Lines of chat kept per room.
    CHAT_LINES: usize = 200;

    /// Games one socket may watch at once.
    WATCHED_GAMES: usize = 64;

    /// Sockets of one account at once.
    SOCKETS_PER_ACCOUNT: usize = 8;

    /// Sockets of one address (IPv6: one /64) at once; whole schools sit behind one.
    SOCKETS_PER_ADDRESS: usize = 64;

    /// Bytes waiting for a slow reader before its socket is closed.
    OUTBOX_BYTES: usize = 262_144;

    /// Events behind which a `watch` with `from` is answered by the state instead of events.
    RESUME_EVENTS: u32 = 512;

    /// Ms a command is kept and resent inside the server before it is answered `retry`.
    COMMAND_MS: u64 = 3_000;

    /// Open seeks of one player at once.
    SEEKS_PER_PLAYER: usize = 3;

    /// Pools one player may wait in at once.
    POOLS_PER_PLAYER: usize = 3;

    /// Open challenges of one player at once.
    CHALLENGES_PER_PLAYER: usize = 8;

    /// Open challenges to one player at once.
    CHALLENGES_TO_PLAYER: usize = 32;

    /// Ms after which a challenge to a player lapses.
    CHALLENGE_MS: u64 = 60_000;

    /// Ms after which a challenge by link lapses.
    LINK_MS: u64 = 3_600_000;

    /// Ms after the end of a game in which a rematch can be asked for.
    REMATCH_MS: u64 = 300_000;
}

/// What a server grants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Limits {
    /// Bytes of the largest frame a client may send.
    pub frame_bytes: u32,
    /// Frames a socket may send at once.
    pub frame_burst: u32,
    /// Frames a second a socket may send for long.
    pub frames_per_second: u32,
    /// Characters of a line of chat.
    pub chat_chars: u32,
    /// Games one socket may watch at once.
    pub watched_games: u32,
    /// Ms between two pings of the server on a quiet socket.
    pub ping_ms: u64,
    /// Ms of silence after which the server closes the socket.
    pub client_silent_ms: u64,
    /// Ms of silence after which a player's client should reconnect.
    pub server_silent_ms: u64,
    /// Events behind which the state comes instead of events.
    pub resume_events: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            frame_bytes: FRAME_BYTES as u32,
            frame_burst: FRAME_BURST,
            frames_per_second: FRAMES_PER_SECOND,
            chat_chars: CHAT_CHARS as u32,
            watched_games: WATCHED_GAMES as u32,
            ping_ms: PING_MS,
            client_silent_ms: CLIENT_SILENT_MS,
            server_silent_ms: SERVER_SILENT_MS,
            resume_events: RESUME_EVENTS,
        }
    }
}
