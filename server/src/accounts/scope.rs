//! The words for what a program's token allows, ours and those that compatible programs look for.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::gateway::{Scope, Scopes};

/// A word of a token's list.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
pub enum TokenScope {
    /// Act in games.
    #[serde(rename = "play")]
    Play,
    /// Seek, challenge, wait in pools.
    #[serde(rename = "challenge")]
    Challenge,
    /// Write into chat rooms.
    #[serde(rename = "chat")]
    Chat,
    /// Read the account's own data.
    #[serde(rename = "account:read")]
    AccountRead,
    /// Play through the interface for programs' accounts.
    #[serde(rename = "bot:play")]
    BotPlay,
    /// Play through the interface for people's boards.
    #[serde(rename = "board:play")]
    BoardPlay,
    /// See challenges.
    #[serde(rename = "challenge:read")]
    ChallengeRead,
    /// Make and answer challenges.
    #[serde(rename = "challenge:write")]
    ChallengeWrite,
}

/// A text that is no scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a scope is one of play, challenge, chat, account:read, bot:play, board:play, challenge:read, challenge:write"
)]
pub struct ScopeError;

impl TokenScope {
    /// Every scope.
    pub const ALL: [TokenScope; 8] = [
        TokenScope::Play,
        TokenScope::Challenge,
        TokenScope::Chat,
        TokenScope::AccountRead,
        TokenScope::BotPlay,
        TokenScope::BoardPlay,
        TokenScope::ChallengeRead,
        TokenScope::ChallengeWrite,
    ];

    /// The word.
    pub const fn as_str(self) -> &'static str {
        match self {
            TokenScope::Play => "play",
            TokenScope::Challenge => "challenge",
            TokenScope::Chat => "chat",
            TokenScope::AccountRead => "account:read",
            TokenScope::BotPlay => "bot:play",
            TokenScope::BoardPlay => "board:play",
            TokenScope::ChallengeRead => "challenge:read",
            TokenScope::ChallengeWrite => "challenge:write",
        }
    }

    /// What it allows here. The compatible words for playing include talking at the board.
    const fn allows(self) -> &'static [Scope] {
        match self {
            TokenScope::Play => &[Scope::Play],
            TokenScope::Challenge | TokenScope::ChallengeWrite => &[Scope::Challenge],
            TokenScope::Chat => &[Scope::Chat],
            TokenScope::AccountRead | TokenScope::ChallengeRead => &[Scope::Read],
            TokenScope::BotPlay | TokenScope::BoardPlay => &[Scope::Play, Scope::Chat],
        }
    }
}

impl fmt::Display for TokenScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for TokenScope {
    type Err = ScopeError;

    fn from_str(text: &str) -> Result<TokenScope, ScopeError> {
        let known = TokenScope::ALL.into_iter();
        known
            .into_iter()
            .find(|scope| scope.as_str() == text)
            .ok_or(ScopeError)
    }
}

/// What a list of words allows.
pub(super) fn allowed(words: &[TokenScope]) -> Scopes {
    words
        .iter()
        .flat_map(|word| word.allows())
        .copied()
        .collect()
}

/// The list as it is stored: each word once, spaces between.
pub(super) fn to_stored(words: &[TokenScope]) -> String {
    let mut words = words.to_vec();
    words.sort_unstable();
    words.dedup();
    let texts: Vec<&str> = words.iter().map(|word| word.as_str()).collect();
    texts.join(" ")
}

/// The stored list; a word that a later version wrote allows nothing here.
pub(super) fn from_stored(text: &str) -> Vec<TokenScope> {
    text.split(' ')
        .filter_map(|word| word.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_stored_once_each_and_allows_what_it_says() {
        let words = [
            TokenScope::BotPlay,
            TokenScope::Challenge,
            TokenScope::BotPlay,
        ];
        assert_eq!(to_stored(&words), "challenge bot:play");
        assert_eq!(
            from_stored("challenge bot:play later"),
            [TokenScope::Challenge, TokenScope::BotPlay]
        );
        let scopes = allowed(&words);
        assert!(scopes.allows(Scope::Play) && scopes.allows(Scope::Chat));
        assert!(scopes.allows(Scope::Challenge));
        assert!(!scopes.allows(Scope::Read) && !scopes.allows(Scope::Account));
    }

    #[test]
    fn each_word_reads_back() {
        for scope in TokenScope::ALL {
            assert_eq!(scope.to_string().parse(), Ok(scope));
            assert_eq!(serde_json::to_value(scope).unwrap(), scope.as_str());
        }
        assert_eq!("everything".parse::<TokenScope>(), Err(ScopeError));
    }
}
