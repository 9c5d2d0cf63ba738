//! What an account may be called.

use crate::stores::archive::DELETED_NAME;

/// A name of an account: 2 to 20 of `[0-9A-Za-z_-]`, a letter or digit first. Compared without regard
/// to case; ASCII alone, because in all of Unicode names that differ look alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountName {
    shown: String,
    folded: String,
}

/// Why a text is no name for a new account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Its length or a character.
    #[error("a name has 2 to 20 characters of [0-9A-Za-z_-] and begins with a letter or digit")]
    Malformed,
    /// It could be taken for the server's own.
    #[error("this name is reserved")]
    Reserved,
}

const LENGTH: std::ops::RangeInclusive<usize> = 2..=rookery_protocol::limits::NAME_CHARS;

/// Names that could be taken for the server or its officers, and the words that stand where a name does
/// in addresses of this and of compatible interfaces.
const RESERVED: [&str; 30] = [
    "admin",
    "administrator",
    "ai",
    "anonymous",
    "api",
    "arbiter",
    "black",
    "bot",
    DELETED_NAME,
    "everyone",
    "help",
    "here",
    "me",
    "mod",
    "moderator",
    "nobody",
    "null",
    "official",
    "open",
    "operator",
    "playing",
    "root",
    "rookery",
    "server",
    "staff",
    "stream",
    "support",
    "system",
    "undefined",
    "white",
];

/// Guests are called so, with a number.
pub(super) const GUEST_PREFIX: &str = "Guest-";

impl AccountName {
    /// The name of an account that exists or is asked for: any well-formed one.
    pub fn parse(text: &str) -> Result<AccountName, NameError> {
        let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        let begins = text
            .bytes()
            .next()
            .is_some_and(|b| b.is_ascii_alphanumeric());
        if !begins || !LENGTH.contains(&text.len()) || !text.bytes().all(word) {
            return Err(NameError::Malformed);
        }
        Ok(AccountName {
            shown: text.to_owned(),
            folded: text.to_ascii_lowercase(),
        })
    }

    /// A name that a new account may have.
    pub fn for_new(text: &str) -> Result<AccountName, NameError> {
        let name = AccountName::parse(text)?;
        let guest = GUEST_PREFIX.to_ascii_lowercase();
        if RESERVED.contains(&name.folded.as_str()) || name.folded.starts_with(&guest) {
            return Err(NameError::Reserved);
        }
        Ok(name)
    }

    /// The name with its own spelling.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// The name as it is compared.
    pub fn folded(&self) -> &str {
        &self.folded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_judged() {
        let cases = [
            ("Ada", Ok("ada")),
            ("a-B_9", Ok("a-b_9")),
            ("12345678901234567890", Ok("12345678901234567890")),
            ("a", Err(NameError::Malformed)),
            ("123456789012345678901", Err(NameError::Malformed)),
            ("", Err(NameError::Malformed)),
            ("-ada", Err(NameError::Malformed)),
            ("_ada", Err(NameError::Malformed)),
            ("a b", Err(NameError::Malformed)),
            ("ad\u{e4}", Err(NameError::Malformed)),
            ("ada\"]\n", Err(NameError::Malformed)),
            ("ADMIN", Err(NameError::Reserved)),
            ("Deleted", Err(NameError::Reserved)),
            ("guest-12", Err(NameError::Reserved)),
            ("guestbook", Ok("guestbook")),
        ];
        for (text, expected) in cases {
            let name = AccountName::for_new(text);
            assert_eq!(
                name.as_ref().map(AccountName::folded),
                expected.as_ref().map(|f| *f),
                "{text}"
            );
        }
    }
}
