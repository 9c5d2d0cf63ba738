//! The words of the lobby: open seeks, pools, challenges, and the game that comes of them.

use serde::{Deserialize, Serialize};

use crate::{ColourWish, Control, DeclineReason, GameId, Identity, Profile, Seat, Terms};

/// Everything that is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lobby {
    /// The open seeks, oldest first.
    pub seeks: Vec<OpenSeek>,
    /// The quick-pairing pools.
    pub pools: Vec<PoolView>,
}

/// What changed since the last `lobby` or `lobby_changed`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LobbyChanged {
    /// Seeks that were opened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<OpenSeek>,
    /// Seeks that are gone; among them some that came and went without being told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<GameId>,
    /// Pools whose numbers changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pools: Vec<PoolView>,
}

/// An open seek.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpenSeek {
    /// The seek; the game born from it has the same id.
    pub seek: GameId,
    /// Who seeks.
    pub by: Identity,
    /// The clock.
    pub control: Control,
    /// Whether points and ratings are at stake.
    pub rated: bool,
    /// The colour the seeker wishes for.
    pub colour: ColourWish,
    /// By which Laws.
    pub profile: Profile,
    /// How far apart the players' points may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u32>,
}

/// A quick-pairing pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PoolView {
    /// Its clock.
    pub control: Control,
    /// Whether points and ratings are at stake.
    pub rated: bool,
    /// By which Laws its games are judged.
    pub profile: Profile,
    /// How many wait.
    pub waiting: u32,
}

/// From what a game came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A seek.
    Seek,
    /// A pool.
    Pool,
    /// A challenge or a link.
    Challenge,
    /// A rematch.
    Rematch,
}

/// A game of yours begins: you may move, and `watch` it to follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Paired {
    /// The game.
    pub game: GameId,
    /// Your seat.
    pub seat: Seat,
    /// Who plays against you.
    pub opponent: Identity,
    /// What was agreed.
    pub terms: Terms,
    /// When White's clock starts, Unix ms.
    pub starts_at: u64,
    /// From what it came.
    pub origin: Origin,
}

/// A challenge by or to you.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Challenged {
    /// The challenge.
    pub challenge: ChallengeView,
}

/// A challenge as both sides see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChallengeView {
    /// Its id; the game born from it has the same.
    pub id: GameId,
    /// Who challenges.
    pub from: Identity,
    /// Whom; none = whoever has the link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Identity>,
    /// What is proposed.
    pub terms: Terms,
    /// The challenger's colour.
    pub colour: ColourWish,
    /// The game it is a rematch of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch_of: Option<GameId>,
    /// When it lapses, Unix ms.
    pub expires_at: u64,
}

/// A challenge that is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChallengeGone {
    /// Which.
    pub challenge: GameId,
    /// How.
    pub end: ChallengeEnd,
    /// Why it was declined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<DeclineReason>,
}

/// How a challenge ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChallengeEnd {
    /// The game is born.
    Accepted,
    /// By the challenged player.
    Declined,
    /// By the challenger, or with his last socket.
    Cancelled,
    /// Nobody answered in time.
    Expired,
}
