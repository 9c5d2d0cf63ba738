//! How a frame becomes a message: read `t`, then the rest of the same object as that message, in one
//! pass and without buffering when `t` comes first. Knows no message.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::CowStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::error::Category;

use crate::{ErrorCode, RequestId};

/// The key that names the message.
const TAG: &str = "t";

/// The most characters of a parser's complaint that are sent back.
const MAX_DETAIL_CHARS: usize = 160;

/// A frame that is no message: what to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// [`ErrorCode::BadJson`], [`ErrorCode::UnknownMessage`] or [`ErrorCode::BadMessage`].
    pub code: ErrorCode,
    /// The request's id, where it could still be read.
    pub id: Option<RequestId>,
    /// What is wrong, for the client's writer.
    pub detail: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.detail)
    }
}

impl std::error::Error for Malformed {}

/// A family of messages told apart by their tag. Implemented by `messages!`.
pub(crate) trait Tagged<'de>: Sized {
    /// Reads the message called `tag` from the rest of its object; none when there is no such message.
    fn from_map<A: MapAccess<'de>>(tag: &str, map: A) -> Result<Option<Self>, A::Error>;
}

/// Reads one frame.
pub(crate) fn parse<'de, M: Tagged<'de>>(text: &'de str) -> Result<M, Malformed> {
    let found = match read(text, AnyOrder(None, PhantomData)) {
        Ok(Found::Elsewhere) => match serde_json::from_str::<Tag<'de>>(text) {
            Ok(tag) => read(text, AnyOrder(Some(tag.t.0), PhantomData)),
            Err(error) => return Err(malformed(text, &error)),
        },
        found => found,
    };
    match found {
        Ok(Found::Message(message)) => Ok(message),
        Ok(Found::Unknown(tag)) => Err(unknown(text, &tag)),
        Ok(Found::Elsewhere) => Err(unknown(text, "")),
        Err(error) => Err(malformed(text, &error)),
    }
}

/// Reads a message inside another one, where we wrote `t` first.
pub(crate) fn nested<'de, M: Tagged<'de>, D: Deserializer<'de>>(from: D) -> Result<M, D::Error> {
    match from.deserialize_map(AnyOrder(None, PhantomData))? {
        Found::Message(message) => Ok(message),
        Found::Unknown(tag) => Err(D::Error::custom(format_args!(
            "no message is called `{tag}`"
        ))),
        Found::Elsewhere => Err(D::Error::custom("`t` must come first here")),
    }
}

fn read<'de, M: Tagged<'de>>(
    text: &'de str,
    visitor: AnyOrder<'de, M>,
) -> Result<Found<M>, serde_json::Error> {
    let mut json = serde_json::Deserializer::from_str(text);
    let found = json.deserialize_map(visitor)?;
    json.end()?;
    Ok(found)
}

fn unknown(text: &str, tag: &str) -> Malformed {
    let detail = shorten(format!("no message is called `{tag}`"));
    Malformed {
        code: ErrorCode::UnknownMessage,
        id: salvage_id(text),
        detail,
    }
}

fn malformed(text: &str, error: &serde_json::Error) -> Malformed {
    let code = match error.classify() {
        Category::Data => ErrorCode::BadMessage,
        Category::Syntax | Category::Eof | Category::Io => ErrorCode::BadJson,
    };
    Malformed {
        code,
        id: salvage_id(text),
        detail: shorten(error.to_string()),
    }
}

fn shorten(detail: String) -> String {
    detail
        .chars()
        .filter(|c| !c.is_control())
        .take(MAX_DETAIL_CHARS)
        .collect()
}

/// The id of a frame that is wrong elsewhere, so that its error finds its request.
fn salvage_id(text: &str) -> Option<RequestId> {
    #[derive(Deserialize)]
    struct Id {
        id: RequestId,
    }
    // serde would take `[1]` for an `Id` too.
    let object = text.trim_start().starts_with('{');
    object
        .then(|| serde_json::from_str::<Id>(text).ok())
        .flatten()
        .map(|found| found.id)
}

enum Found<M> {
    Message(M),
    Unknown(String),
    /// The first key is another one.
    Elsewhere,
}

/// Reads an object as a message: with the tag known beforehand, or expecting it first.
struct AnyOrder<'de, M>(Option<Cow<'de, str>>, PhantomData<M>);

impl<'de, M: Tagged<'de>> Visitor<'de> for AnyOrder<'de, M> {
    type Value = Found<M>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `t`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Found<M>, A::Error> {
        if let Some(tag) = self.0 {
            return message(tag, WithoutTag(map));
        }
        match map.next_key::<Text<'de>>()? {
            Some(key) if key.0 == TAG => {
                let tag = map.next_value::<Text<'de>>()?;
                message(tag.0, map)
            }
            Some(_) => {
                map.next_value::<IgnoredAny>()?;
                skip(map)?;
                Ok(Found::Elsewhere)
            }
            None => Err(A::Error::missing_field(TAG)),
        }
    }
}

fn message<'de, M: Tagged<'de>, A: MapAccess<'de>>(
    tag: Cow<'de, str>,
    mut map: A,
) -> Result<Found<M>, A::Error> {
    match M::from_map(&tag, &mut map)? {
        Some(message) => Ok(Found::Message(message)),
        None => skip(map).map(|()| Found::Unknown(tag.into_owned())),
    }
}

fn skip<'de, A: MapAccess<'de>>(mut map: A) -> Result<(), A::Error> {
    while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(())
}

/// The object of a message whose tag is known: every key but that.
struct WithoutTag<A>(A);

impl<'de, A: MapAccess<'de>> MapAccess<'de> for WithoutTag<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        while let Some(key) = self.0.next_key::<Text<'de>>()? {
            if key.0 != TAG {
                return seed.deserialize(CowStrDeserializer::new(key.0)).map(Some);
            }
            self.0.next_value::<IgnoredAny>()?;
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.0.next_value_seed(seed)
    }
}

#[derive(Deserialize)]
struct Tag<'a> {
    #[serde(borrow)]
    t: Text<'a>,
}

/// A string, copied only when it has escapes (serde's own `Cow` always copies).
struct Text<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Text<'a>, D::Error> {
        struct TextVisitor;

        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }

        from.deserialize_str(TextVisitor)
    }
}

/// Declares a family of messages: the enum, its tags, and both directions of its JSON.
///
/// Writing is serde's internal tagging, which does not buffer; reading is [`parse`], because serde's
/// own reading of internally tagged enums does.
macro_rules! messages {
    (
        $(#[$meta:meta])*
        pub enum $family:ident {
            $( $(#[$doc:meta])* $tag:literal => $variant:ident($content:ty), )+
        }
        $(else $rest_variant:ident($rest:ty), $(#[$rest_doc:meta])*)?
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(tag = "t")]
        pub enum $family {
            $( $(#[$doc])* #[serde(rename = $tag)] $variant($content), )+
            $( $(#[$rest_doc])* #[serde(untagged)] $rest_variant($rest), )?
        }

        impl $family {
            /// Every value of `t`, in the order of the page.
            pub const TAGS: &[&str] = &[$($tag),+];

            /// The value of `t`.
            pub fn tag(&self) -> &'static str {
                match self {
                    $( $family::$variant(_) => $tag, )+
                    $( $family::$rest_variant(rest) => <$rest>::tag(rest), )?
                }
            }
        }

        impl<'de> $crate::tagged::Tagged<'de> for $family {
            fn from_map<A: serde::de::MapAccess<'de>>(
                tag: &str,
                map: A,
            ) -> Result<Option<Self>, A::Error> {
                use serde::de::value::MapAccessDeserializer as Rest;
                match tag {
                    $( $tag => <$content as serde::Deserialize>::deserialize(Rest::new(map))
                        .map(|content| Some($family::$variant(content))), )+
                    _ => $crate::tagged::messages!(@rest $family map tag $($rest_variant $rest)?),
                }
            }
        }
    };
    (@rest $family:ident $map:ident $tag:ident) => {{
        let _ = $map;
        Ok(None)
    }};
    (@rest $family:ident $map:ident $tag:ident $variant:ident $rest:ty) => {
        <$rest as $crate::tagged::Tagged>::from_map($tag, $map)
            .map(|found| found.map($family::$variant))
    };
}

pub(crate) use messages;

#[cfg(test)]
mod tests {
    use crate::{ClientMessage, ErrorCode, RequestId};

    fn code(frame: &str) -> (ErrorCode, Option<u64>) {
        let malformed = ClientMessage::parse(frame).expect_err(frame);
        (malformed.code, malformed.id.map(RequestId::get))
    }

    const GAME: &str = "0000000000000000000001";

    #[test]
    fn t_may_stand_anywhere() {
        let first = format!(r#"{{"t":"move","id":7,"game":"{GAME}","ply":0,"uci":"e2e4"}}"#);
        let last = format!(r#"{{"game":"{GAME}","id":7,"ply":0,"uci":"e2e4","t":"move"}}"#);
        let escaped =
            format!(r#"{{"game":"{GAME}","i\u0064":7,"ply":0,"\u0074":"m\u006fve","uci":"e2e4"}}"#);
        let message = ClientMessage::parse(&first).unwrap();
        assert_eq!(message.to_json(), first);
        assert_eq!(ClientMessage::parse(&last).unwrap(), message);
        assert_eq!(ClientMessage::parse(&escaped).unwrap(), message);
    }

    #[test]
    fn what_is_not_json_is_said_so() {
        for frame in [
            "",
            "{",
            "{]",
            r#"{"t":"ping","id":1}}"#,
            r#"{"t":"ping","id":1} x"#,
            "\u{0}",
            r#"{"id":1,"t":"ping""#,
        ] {
            assert_eq!(code(frame).0, ErrorCode::BadJson, "{frame}");
        }
    }

    #[test]
    fn an_unknown_message_keeps_its_id() {
        assert_eq!(
            code(r#"{"t":"teleport","id":3}"#),
            (ErrorCode::UnknownMessage, Some(3))
        );
        assert_eq!(
            code(r#"{"id":3,"t":"teleport"}"#),
            (ErrorCode::UnknownMessage, Some(3))
        );
        assert_eq!(
            code(r#"{"t":"Ping","id":3}"#),
            (ErrorCode::UnknownMessage, Some(3))
        );
    }

    #[test]
    fn a_bad_message_keeps_its_id_where_it_can_be_read() {
        let cases = [
            ("[1]", None),
            ("null", None),
            ("{}", None),
            (r#"{"id":3}"#, Some(3)),
            (r#"{"t":"ping"}"#, None),
            (r#"{"t":1,"id":3}"#, Some(3)),
            (r#"{"t":"ping","id":0}"#, None),
            (r#"{"t":"ping","id":1.0}"#, None),
            (r#"{"t":"ping","id":"1"}"#, None),
            (r#"{"t":"ping","id":-1}"#, None),
            (r#"{"t":"ping","id":9007199254740992}"#, None),
            (r#"{"t":"ping","id":3,"id":4}"#, None),
            (r#"{"t":"ping","t":"ping","id":3}"#, Some(3)),
            (r#"{"id":3,"t":"ping","t":"ping"}"#, Some(3)),
            (r#"{"t":"ping","id":3,"extra":1}"#, Some(3)),
            (r#"{"id":3,"extra":1,"t":"ping"}"#, Some(3)),
            (r#"{"t":"ticks","id":3,"on":"yes"}"#, Some(3)),
            (r#"{"t":"watch","id":3,"game":"short"}"#, Some(3)),
            (
                r#"{"t":"watch","id":3,"game":"000000000000000000000\u0000"}"#,
                Some(3),
            ),
            (r#"{"t":"hello","id":3,"auth":"a b"}"#, Some(3)),
        ];
        for (frame, id) in cases {
            assert_eq!(code(frame), (ErrorCode::BadMessage, id), "{frame}");
        }
    }

    #[test]
    fn a_complaint_is_short_and_printable() {
        let frame = format!(
            r#"{{"t":"ping","id":3,"{}":1}}"#,
            "\\u0007long".repeat(1000)
        );
        let detail = ClientMessage::parse(&frame)
            .expect_err("unknown field")
            .detail;
        assert!(
            detail.chars().count() <= super::MAX_DETAIL_CHARS,
            "{detail}"
        );
        assert!(!detail.chars().any(char::is_control), "{detail}");
    }
}
