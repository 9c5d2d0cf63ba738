//! Names of things: games, players, seats, shards, commands. Identity only; what they stand for is
//! elsewhere.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::time::Timestamp;

/// How many virtual shards there are, for ever: a [`GameId`] carries its shard in its low bits.
pub const SHARDS: u16 = 1024;

/// Characters of an id in text: the least number of base-62 digits that hold 128 bits.
pub const ID_CHARS: usize = 22;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A text that is not an id: wrong length, a character outside `[0-9A-Za-z]`, or more than 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an id is {ID_CHARS} characters of [0-9A-Za-z]")]
pub struct ParseIdError;

/// One of the 1024 units of ownership.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ShardNo(u16);

impl ShardNo {
    /// The shard of that number, taken modulo [`SHARDS`].
    pub const fn new(number: u16) -> ShardNo {
        ShardNo(number % SHARDS)
    }

    /// The number, `0..SHARDS`.
    pub const fn get(self) -> u16 {
        self.0
    }

    /// Every shard, in order.
    pub fn all() -> impl Iterator<Item = ShardNo> {
        (0..SHARDS).map(ShardNo)
    }
}

/// Lays out a UUIDv7 (RFC 9562, section 5.7) whose low 10 bits name a shard; 64 random bits remain.
fn uuid_v7(at: Timestamp, random: u64, shard: ShardNo) -> u128 {
    let millis = u128::from(at.0 & 0xFFFF_FFFF_FFFF) << 80;
    let rand_a = u128::from(random >> 52) << 64;
    let rand_b = u128::from(random & 0xF_FFFF_FFFF_FFFF) << 10;
    millis | (7 << 76) | rand_a | (0b10 << 62) | rand_b | u128::from(shard.0)
}

fn write_base62(mut value: u128, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut digits = [b'0'; ID_CHARS];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET[(value % 62) as usize];
        value /= 62;
    }
    f.write_str(std::str::from_utf8(&digits).expect("the alphabet is ASCII"))
}

fn parse_base62(text: &str) -> Result<u128, ParseIdError> {
    if text.len() != ID_CHARS {
        return Err(ParseIdError);
    }
    text.bytes().try_fold(0u128, |value, byte| {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'A'..=b'Z' => byte - b'A' + 10,
            b'a'..=b'z' => byte - b'a' + 36,
            _ => return Err(ParseIdError),
        };
        value
            .checked_mul(62)
            .and_then(|v| v.checked_add(u128::from(digit)))
            .ok_or(ParseIdError)
    })
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u128);

        impl $name {
            /// Mints an id from the instant and 64 random bits, both brought by the caller.
            pub fn mint(at: Timestamp, random: u64, shard: ShardNo) -> $name {
                $name(uuid_v7(at, random, shard))
            }

            /// The shard that owns what this id names: its low 10 bits.
            pub fn shard(self) -> ShardNo {
                ShardNo((self.0 & 0x3FF) as u16)
            }

            /// The 128 bits, big-endian.
            pub fn to_bytes(self) -> [u8; 16] {
                self.0.to_be_bytes()
            }

            /// The id of those 128 bits.
            pub fn from_bytes(bytes: [u8; 16]) -> $name {
                $name(u128::from_be_bytes(bytes))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_base62(self.0, f)
            }
        }

        impl FromStr for $name {
            type Err = ParseIdError;
            fn from_str(text: &str) -> Result<$name, ParseIdError> {
                parse_base62(text).map($name)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
            }
        }
    };
}

id! {
    /// A game, and also the challenge, seek pairing or link it is born from. A UUIDv7 whose low 10 bits
    /// name its shard: routing needs no look-up. Text: 22 base-62 characters.
    GameId
}

id! {
    /// A player: an account, or a guest whose id lives only in a ticket.
    PlayerId
}

/// A side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// The player of the light men; moves first (article 3.1).
    White,
    /// The player of the dark men.
    Black,
}

impl Seat {
    /// Both seats, White first.
    pub const BOTH: [Seat; 2] = [Seat::White, Seat::Black];

    /// The opponent's seat.
    pub const fn other(self) -> Seat {
        match self {
            Seat::White => Seat::Black,
            Seat::Black => Seat::White,
        }
    }

    /// White 0, Black 1.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl From<shakmaty::Color> for Seat {
    fn from(color: shakmaty::Color) -> Seat {
        if color.is_white() {
            Seat::White
        } else {
            Seat::Black
        }
    }
}

impl From<Seat> for shakmaty::Color {
    fn from(seat: Seat) -> shakmaty::Color {
        shakmaty::Color::from_white(seat == Seat::White)
    }
}

/// One value per seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BySeat<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> BySeat<T> {
    /// The value made for each seat.
    pub fn new_with(mut make: impl FnMut(Seat) -> T) -> BySeat<T> {
        BySeat {
            white: make(Seat::White),
            black: make(Seat::Black),
        }
    }
}

impl<T> std::ops::Index<Seat> for BySeat<T> {
    type Output = T;
    fn index(&self, seat: Seat) -> &T {
        match seat {
            Seat::White => &self.white,
            Seat::Black => &self.black,
        }
    }
}

impl<T> std::ops::IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        match seat {
            Seat::White => &mut self.white,
            Seat::Black => &mut self.black,
        }
    }
}

/// The key of a command, chosen by the client, unique among one player's commands to one game.
/// Sent again under the same id it is done once and answered each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CommandId(pub u64);

/// The number of an event within its game: 0 is the birth, then without gaps.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Seq(pub u32);

impl Seq {
    /// The number after this one.
    pub const fn next(self) -> Seq {
        Seq(self.0 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_version_7_uuid_and_names_its_shard() {
        let id = GameId::mint(Timestamp(0x0123_4567_89AB), u64::MAX, ShardNo::new(1023));
        assert_eq!(id.to_bytes()[..6], [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB]);
        assert_eq!(id.to_bytes()[6] >> 4, 7);
        assert_eq!(id.to_bytes()[8] >> 6, 0b10);
        assert_eq!(id.shard().get(), 1023);
    }

    #[test]
    fn an_id_survives_its_text() {
        for random in [0, 1, 0xDEAD_BEEF_0BAD_CAFE, u64::MAX] {
            let id = GameId::mint(Timestamp(1_790_000_000_000), random, ShardNo::new(7));
            assert_eq!(id.to_string().len(), ID_CHARS);
            assert_eq!(id.to_string().parse(), Ok(id));
        }
    }

    #[test]
    fn what_is_not_an_id_is_refused() {
        let too_large = "z".repeat(ID_CHARS);
        for text in [
            "",
            "short",
            "0000000000000000000000000",
            "00000000000000000000-0",
            &too_large,
        ] {
            assert_eq!(text.parse::<GameId>(), Err(ParseIdError), "{text}");
        }
    }
}
