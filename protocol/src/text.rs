//! Checked text: each kind of string of the wire with its length and its characters. What a string
//! means (whether the game exists, the move is legal) is judged elsewhere.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::limits;

/// A string that is too short, too long, or has a character that does not belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadText {
    /// What it should have been.
    pub expected: &'static str,
}

impl fmt::Display for BadText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }
}

impl std::error::Error for BadText {}

/// Up to `MAX` ASCII characters kept in place: ids and moves are read and written on every move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Ascii<const MAX: usize> {
    bytes: [u8; MAX],
    len: u8,
}

impl<const MAX: usize> Ascii<MAX> {
    fn new(text: &str) -> Ascii<MAX> {
        let mut bytes = [0; MAX];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Ascii {
            bytes,
            len: text.len() as u8,
        }
    }

    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.len)]).expect("checked to be ASCII")
    }
}

/// Plain heap text behind the same face.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Heap(Box<str>);

impl Heap {
    fn new(text: &str) -> Heap {
        Heap(text.into())
    }

    fn as_str(&self) -> &str {
        &self.0
    }
}

macro_rules! text {
    (
        $(#[$doc:meta])*
        $name:ident($repr:ty), $(#[$copy:meta])? $pattern:literal, $expected:literal, $check:expr
    ) => {
        $(#[$doc])*
        $(#[$copy])?
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name($repr);

        impl $name {
            /// The regular expression of the schema.
            pub const PATTERN: &str = $pattern;

            /// The text.
            pub fn as_str(&self) -> &str {
                self.0.as_str()
            }
        }

        impl FromStr for $name {
            type Err = BadText;

            fn from_str(text: &str) -> Result<$name, BadText> {
                let fits: fn(&str) -> bool = $check;
                if fits(text) { Ok($name(<$repr>::new(text))) } else { Err(BadText { expected: $expected }) }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<$name, D::Error> {
                struct TextVisitor;

                impl Visitor<'_> for TextVisitor {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expected)
                    }

                    fn visit_str<E: de::Error>(self, text: &str) -> Result<$name, E> {
                        text.parse().map_err(E::custom)
                    }
                }

                from.deserialize_str(TextVisitor)
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "type": "string",
                    "pattern": $pattern,
                    "description": $expected,
                })
            }
        }
    };
}

macro_rules! shown {
    ($($name:ident),+) => {$(
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:?}", self.as_str())
            }
        }
    )+};
}

text! {
    /// The name of a game, and of the seek or challenge it is born from.
    GameId(Ascii<22>), #[derive(Copy)] "^[0-9A-Za-z]{22}$",
    "a game id: 22 characters of [0-9A-Za-z]", is_id
}

text! {
    /// The name of a player that never changes.
    PlayerId(Ascii<22>), #[derive(Copy)] "^[0-9A-Za-z]{22}$",
    "a player id: 22 characters of [0-9A-Za-z]", is_id
}

text! {
    /// A move: origin, target, and a promotion letter where there is one.
    Uci(Ascii<5>), #[derive(Copy)] "^[a-h][1-8][a-h][1-8][nbrq]?$",
    "a move in UCI, like e2e4 or e7e8q", is_uci
}

text! {
    /// A session ticket, or a program's token (`rk_…`).
    Auth(Heap), "^[0-9A-Za-z_.-]{1,1024}$",
    "a ticket or token: 1 to 1024 characters of [0-9A-Za-z_.-]",
    |text| within(text, 1, limits::AUTH_CHARS) && every(text, |b| is_word(b) || b == b'.')
}

text! {
    /// The name of an account, compared without regard to case.
    Name(Heap), "^[0-9A-Za-z_-]{2,20}$",
    "a name: 2 to 20 characters of [0-9A-Za-z_-]",
    |text| within(text, 2, limits::NAME_CHARS) && every(text, is_word)
}

text! {
    /// A line of chat: no control characters, not blank.
    ChatText(Heap), "^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f]{1,200}$",
    "a chat text: 1 to 200 characters, not blank, no control characters",
    |text| is_line(text, limits::CHAT_CHARS)
}

text! {
    /// The name and version of a client program, for the server's log.
    Software(Heap), "^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f]{1,64}$",
    "a program's name: 1 to 64 characters, not blank, no control characters",
    |text| is_line(text, limits::SOFTWARE_CHARS)
}

text! {
    /// The language of the texts meant for people; a server that lacks it answers in English.
    Language(Heap), "^[A-Za-z0-9-]{2,16}$",
    "a language tag, like en or zh",
    |text| within(text, 2, limits::LANGUAGE_CHARS) && every(text, |b| b.is_ascii_alphanumeric() || b == b'-')
}

text! {
    /// A time control as PGN writes it, in seconds: `180+2`, `300d3` (Bronstein), `40/5400+30:1800+30`.
    Control(Heap), "^[0-9./+d:]{1,64}$",
    "a time control, like 180+2, 300d3 or 40/5400+30:1800+30 (seconds)",
    |text| within(text, 1, limits::CONTROL_CHARS)
        && every(text, |b| b.is_ascii_digit() || matches!(b, b'.' | b'/' | b'+' | b'd' | b':'))
}

text! {
    /// A position in Forsyth-Edwards Notation.
    Fen(Heap), "^[0-9A-Za-z/ -]{1,100}$",
    "a position in FEN, at most 100 characters",
    |text| within(text, 1, limits::FEN_CHARS)
        && every(text, |b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b' ' | b'-'))
}

shown!(
    GameId, PlayerId, Uci, Name, ChatText, Software, Language, Control, Fen
);

/// Secrets are never printed.
impl fmt::Debug for Auth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Auth(…)")
    }
}

fn is_id(text: &str) -> bool {
    text.len() == 22 && every(text, |byte| byte.is_ascii_alphanumeric())
}

fn is_uci(text: &str) -> bool {
    let square = |file: u8, rank: u8| matches!(file, b'a'..=b'h') && matches!(rank, b'1'..=b'8');
    match *text.as_bytes() {
        [f1, r1, f2, r2] => square(f1, r1) && square(f2, r2),
        [f1, r1, f2, r2, piece] => square(f1, r1) && square(f2, r2) && b"nbrq".contains(&piece),
        _ => false,
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

fn is_line(text: &str, most: usize) -> bool {
    // A character takes at most four bytes: long texts are refused before they are counted.
    text.len() <= most * 4
        && text.chars().count() <= most
        && !text.trim().is_empty()
        && !text.chars().any(char::is_control)
}

fn within(text: &str, least: usize, most: usize) -> bool {
    (least..=most).contains(&text.len())
}

fn every(text: &str, belongs: impl Fn(u8) -> bool) -> bool {
    text.bytes().all(belongs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_two_squares_and_perhaps_a_piece() {
        for good in ["e2e4", "a1h8", "e7e8q", "b2a1n"] {
            assert_eq!(good.parse::<Uci>().unwrap().as_str(), good);
        }
        for bad in [
            "", "e2", "e2e9", "i1a1", "e7e8k", "e7e8Q", "E2E4", "0000", "P@e4", "e2e4qq", "é2e4",
        ] {
            assert!(bad.parse::<Uci>().is_err(), "{bad}");
        }
    }

    #[test]
    fn chat_is_counted_in_characters_and_has_no_control() {
        let most = "王".repeat(limits::CHAT_CHARS);
        assert!(most.parse::<ChatText>().is_ok());
        let beyond = "王".repeat(limits::CHAT_CHARS + 1);
        for bad in [
            "",
            " \u{a0} ",
            "a\nb",
            "a\u{0}b",
            "a\u{85}b",
            beyond.as_str(),
        ] {
            assert!(bad.parse::<ChatText>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn names_ids_and_secrets_have_their_characters_alone() {
        assert!("anna_1-b".parse::<Name>().is_ok());
        for bad in [
            "a",
            "an na",
            "änna",
            "anna\"]",
            &"a".repeat(limits::NAME_CHARS + 1),
        ] {
            assert!(bad.parse::<Name>().is_err(), "{bad}");
        }
        for bad in ["", "0", "000000000000000000000-", "00000000000000000000000"] {
            assert!(bad.parse::<GameId>().is_err(), "{bad}");
        }
        assert!("a".repeat(limits::AUTH_CHARS).parse::<Auth>().is_ok());
        assert!("a".repeat(limits::AUTH_CHARS + 1).parse::<Auth>().is_err());
    }

    #[test]
    fn a_secret_is_not_printed() {
        let auth: Auth = "rk_secret".parse().unwrap();
        assert!(!format!("{auth:?}").contains("secret"));
    }
}
